# GitHub Copilot CLI's sessions, ~/.copilot/session-state/ID/events.jsonl: an event a line, with what belongs to it in "data". Events of a helper
# (agentId, or a call that it works for) are left out, and what a skill or the program says as the person.
# kind: type

def aside_types: test("^(session|tool|hook|subagent|skill|system|permission|external_tool|elicitation|user_input|command|mcp|abort|pending_messages|exit_plan_mode|capabilities|sampling|auto_mode_switch|error)(\\.|$)|^assistant\\.(turn_|intent|reasoning|message_|streaming|usage|idle)");
if type != "object" then empty else
(.data | objects // {}) as $d
| ($state.session // (if $file.directory != "" and ($file.name | split("/") | .[-1] | startswith("events.")) then $file.directory else $file.session end)) as $session
| {type: "message", session: $session, source_id: (.id // "\($session):\($file.line)"), time: .timestamp} as $base
| if .type == "session.start" or .type == "session.resume" then
    ($d.sessionId // $session) as $id
    | {type: "state", session: $id},
      {type: "session", session: $id, created: ($d.startTime // .timestamp),
       metadata: (($d.context // {}) | {cwd: (.cwd // $d.cwd), branch, version: ($d.copilotVersion // null)} | with_entries(select(.value != null)))}
  elif .agentId or $d.parentToolCallId or ($d.agentId | type == "string") then aside
  elif .type == "user.message" then
    if $d.source // "user" != "user" then aside else
      (if $d.content // .content | type != "string" then unread("user.message without content") else empty end), $base + {role: "user", strip: true, content: ([$d.content // .content // ""]
      + [$d.attachments | arrays | .[] | objects | {type: (.type // "file"), name: (.displayName // .path)}])} end
  elif .type == "assistant.message" then
    (if $d.content // .content // ([$d | to_entries[] | select((.key | test("^(content|toolRequests|reasoning|encrypted|model|messageId|interactionId|turnId|phase|outputTokens|requestId|parentToolCallId|clientRequestId|apiCallId|serviceRequestId)") | not)).value | strings | select(test("\\S\\s+\\S"))] | if . == [] then "" else null end) | type != "string" then unread("assistant.message without content") else empty end),
    $base + {role: "assistant", content: ($d.content // .content // ""), tool_calls: [$d.toolRequests | arrays | .[] | objects
      | {id: .toolCallId, type: "function", function: {name, arguments: (.arguments // .input | if type == "string" then . else tojson end)}}]}
      + (if $d.model then {model: $d.model} else {} end)
  elif .type == "tool.execution_complete" then
    $base + {role: "tool", tool_call_id: $d.toolCallId,
      content: ($d.result // $d.error | if type == "object" then .content // .message // tojson else . // "" end)}
      + (if $d.success == false then {is_error: true} else {} end)
  elif .type == "session.title_changed" and $d.title then
    {type: "session", session: $session, title: $d.title}
  elif .type | strings | . != "user.message" and . != "assistant.message" and . != "tool.execution_complete" and aside_types then aside
  else empty end
end
