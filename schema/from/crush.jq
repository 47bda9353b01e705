# Crush: the rows of a project's .crush/crush.db that crush.sql gives. A message has parts, {type, data}: text, reasoning, tool_call, tool_result,
# shell_command (what the user ran after "!"), finish, and what is no text.
# kind: role
def text:
  if .type == "text" then .data.text | strings
  elif .type == "shell_command" then .data | "$ \(.command)\n\(.output // "")" | rtrimstr("\n")
  else empty end;
def parts: {text: 1, reasoning: 1, tool_call: 1, tool_result: 1, shell_command: 1, finish: 1, binary: 1, image_url: 1, skill: 1};
if type != "object" then empty elif (.session and (.parts | type == "array")) | not then unread("damaged message") else
[.parts[] | objects | select(.data | type == "object")] as $parts
| {type: "message", session, time, source_id: .id} as $base
| {type: "session", session, title, created,
   metadata: ([$file.name | capture("^(?<cwd>/.*)/\\.crush/crush\\.db$")] | first // {})},
  (select(.role != "tool") | $base + {role, strip: true, content: ([$parts[] | text] | join("\n\n")),
     tool_calls: [$parts[] | select(.type == "tool_call").data
       | {id, type: "function", function: {name, arguments: .input}}]}
     + (if .role == "assistant" and .model then {model} else {} end)
   | select(.content != "" or .tool_calls != []) | select(.role | IN("user", "assistant", "system"))),
  (select(.role == "tool") | $parts | to_entries[] | select(.value.type == "tool_result")
   | $base + {source_id: "\($base.source_id):\(.key)", role: "tool", name: .value.data.name, tool_call_id: .value.data.tool_call_id,
       content: (.value.data.content // "")}
     + (if .value.data.is_error == true then {is_error: true} else {} end))
  , aside, ($parts[] | select(parts["\(.type)"] | not) | unread("part \(.type)")),
  (select(.role | IN("user", "assistant", "system", "tool") | not) | unread("role \(.role)"))
end
