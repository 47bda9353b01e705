# Cursor's transcripts, ~/.cursor/projects/*/agent-transcripts/*: a message a line, {"role", "message": {"content": [...]}}. There are no ids
# and no times; the file is the session. Of a person's turn what stands in <user_query> was typed. And the rows of its database that
# cursor.sql gives: a bubble each, with its conversation. Where it worked stands in the .workspace-trusted of its project.
# beside: ../.workspace-trusted ../../.workspace-trusted
def typed: if contains("<user_query>") then
    split("<user_query>")[1:] | map(split("</user_query>")[0] | ltrimstr("\n") | rtrimstr("\n")) | join("\n\n")
  else . end;
def json: if type == "string" then . else tojson end;
def bubble:
  .composer as $c | .id as $id
  | (.bubble // {}) as $b
  | ([$b.toolFormerData | objects] | first) as $tool
  | {type: "message", session: $c.id, time: ($b.createdAt // .header.createdAt? // null)} as $base
  | ({type: "session", session: $c.id, title: $c.name, created: $c.created, updated: $c.updated,
      metadata: ({cwd: $c.folder} | with_entries(select(.value != null)))}),
    ($base + {source_id: "\($c.id):\($id)", role: (if $b.type == 1 then "user" else "assistant" end), strip: true,
       content: (($b.text // "") | typed), tool_calls: [$tool | objects | select(.name) | {id: (.toolCallId // $id), type: "function",
         function: {name, arguments: (.rawArgs // .params // {} | json)}}]}
     + (if $b.type != 1 and $c.model then {model: $c.model} else {} end)
     | select(.content != "" or .tool_calls != [])),
    ($tool | objects | select(.result | type == "string" and . != "")
     | $base + {source_id: "\($c.id):\($id):result", role: "tool", tool_call_id: (.toolCallId // $id), content: .result});
select(type == "object")
| if .composer then bubble else
  ([$file.beside[".workspace-trusted"]? | objects | .workspacePath | strings] | first | select(.)
   | {type: "session", session: $file.session, metadata: {cwd: .}}),
  (.role as $role
  | [.message | objects | .content | if type == "array" then .[] | objects else {type: "text", text: .} end] as $parts
  | ($parts | map(select(.type == "text" or .type == "image"))) as $said
  | ($parts | map(select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input // {} | tojson)}})) as $calls
  | {type: "message", source_id: "\($file.session):\($file.line)", role: $role, strip: true, tool_calls: $calls,
   content: (if $role == "user" then $said | map(if .type == "text" then .text |= typed else . end) else $said end)}
  | select($said != [] or $calls != []))
  end
