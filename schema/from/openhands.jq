# OpenHands' trajectories: an array of events. "message" is what was said; an action is a call, an observation what came of it.
select(type == "object")
| {type: "message", source_id: ("\(.id // $file.line)"), time: (.timestamp // null)} as $base
| (if .source == "user" then "user" elif .source == "environment" then "tool" else "assistant" end) as $role
| if .action == "message" then $base + {role: $role, content: (.args.content // .message // "")}
  elif .action == "finish" then $base + {role: "assistant", content: (.args.final_thought // .args.outputs.content? // .message // "")}
  elif .action and (.action | IN("system", "null", "recall", "change_agent_state", "agent_state_changed") | not) then
    $base + {role: $role, content: (.args.thought // ""),
      tool_calls: [{id: .tool_call_metadata.tool_call_id?, type: "function", function: {name: .action, arguments: (.args | del(.thought?) | tojson)}}]}
  elif .observation and (.content | type == "string") and (.observation | IN("null", "agent_state_changed", "recall") | not) then
    $base + {role: "tool", name: .observation, content: .content}
      + (.extras.metadata.exit_code? | if type == "number" then {exit_code: .} else {} end)
  else empty end
