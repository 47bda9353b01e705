# Hermes: the rows of ~/.hermes/state.db that hermes.sql gives. Content and calls are JSON in text, or plain text.
# kind: role
def unpacked: if type == "string" and (startswith("[") or startswith("{")) then (try fromjson catch .) else . end;
select(type == "object" and .session)
| ((.content | unpacked) as $c | if $c | type == "array" then $c else .content // "" end) as $content
| [.tool_calls | unpacked | arrays | .[] | objects
   | {id: (.id // .call_id), type: "function", function: (.function // {name, arguments}
      | .arguments |= if type == "string" then . else tojson end)}] as $calls
| {type: "session", session, title, created: .started,
   metadata: ({cwd, branch} | with_entries(select(.value != null and .value != "")))},
  ({type: "message", session, source_id: "\(.session):\(.id)", role, time, content: $content, strip: true, tool_calls: $calls}
   + (if .role == "tool" then {name: .tool_name, tool_call_id} else {} end)
   + (if .role == "assistant" and .model then {model} else {} end)
   | if .role | IN("user", "assistant", "tool", "system") then . elif .role | IN("session_meta", "developer", "meta") then aside else unread("role \(.role)") end)
