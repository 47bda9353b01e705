# What `droid exec --output-format stream-json` of Factory prints: an event a line. The last one repeats the final answer, which is kept
# where it is not among the messages. Thinking is left out.
# kind: type role
select(type == "object")
| (.session_id // .sessionId // $state.session // $file.session) as $session
| ($state.said // []) as $said
| {type: "message", session: $session, time: (.timestamp // null), source_id: "\($session):\(.id // $file.line)"} as $base
| if .type == "system" then
    {type: "state", session: $session, model: .model, said: $said},
    {type: "session", session: $session, metadata: ({cwd, model} | with_entries(select(.value != null)))}
  elif .type == "message" and (.role == "user" or .role == "assistant") then
    (.text // .content // "") as $text
    | (if has("text") or has("content") then aside else unread("message without text") end),
      {type: "state", session: $session, model: $state.model, said: (if .role == "assistant" then [$text | strings | .[:200]] else [] end)},
      ($base + {role, content: $text, strip: true} + (if .role == "assistant" and $state.model then {model: $state.model} else {} end))
  elif .type == "tool_call" then
    $base + {source_id: "\($session):\(.id // .messageId // $file.line):call", role: "assistant", content: "", tool_calls: [{id: (.id // .toolCallId // .toolId), type: "function",
      function: {name: (.toolName // .name // .toolId), arguments: (.parameters // .arguments // .input // {} | if type == "string" then . else tojson end)}}]}
  elif .type == "tool_result" then
    $base + {source_id: "\($session):\(.id // .messageId // $file.line):result", role: "tool", name: (.toolName // null), tool_call_id: (.id // .toolCallId // .toolId),
      content: (.value // .result // .output // .error | if type == "string" or type == "array" then . else tojson end)}
      + (if .isError then {is_error: true} else {} end)
  elif .type == "completion" or .type == "result" then
    (.finalText // .result | strings) as $text
    | aside, (select($said[-1] != $text[:200])
    | $base + {role: "assistant", content: $text})
  elif .type | IN("reasoning", "thinking", "error", "usage", "status", "settings", "turn_start", "turn_end") then aside
  else empty end
