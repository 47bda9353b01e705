# Cursor's transcripts, ~/.cursor/projects/*/agent-transcripts/*: a message a line, {"role", "message": {"content": [...]}}. There are no ids
# and no times; the file is the session. Of a person's turn what stands in <user_query> was typed.
def typed: if contains("<user_query>") then
    split("<user_query>")[1:] | map(split("</user_query>")[0] | ltrimstr("\n") | rtrimstr("\n")) | join("\n\n")
  else . end;
select(type == "object")
| .role as $role
| [.message | objects | .content | if type == "array" then .[] | objects else {type: "text", text: .} end] as $parts
| ($parts | map(select(.type == "text" or .type == "image"))) as $said
| ($parts | map(select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input // {} | tojson)}})) as $calls
| {type: "message", source_id: "\($file.session):\($file.line)", role: $role, strip: true, tool_calls: $calls,
   content: (if $role == "user" then $said | map(if .type == "text" then .text |= typed else . end) else $said end)}
| select($said != [] or $calls != [])
