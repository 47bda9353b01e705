# Claude's data export: conversations.json, an array of conversations with "chat_messages". The blocks of "content" are what was said;
# "text" is the older form, and in newer files has stand-ins for what it cannot show. Text of attached files becomes messages of its own.

def blocks: [.content | arrays | .[] | objects];
def body:
  [blocks[] | select(.type == "text") | .text | strings] as $texts
  | if $texts != [] then $texts | join("\n\n")
    elif .content | type == "string" then .content
    else .text // "" end;

(.chat_messages // .messages) as $said
| if $said | type != "array" then error("a conversation without \"chat_messages\"") else . end
| first((.uuid, .id | strings), "\($file.session):\($file.line)") as $session
| {type: "session", session: $session, title: .name, created: .created_at, updated: .updated_at,
   metadata: (if .project then {project: .project} else null end)},
  ($said[] | objects
   | . as $m
   | {type: "message", session: $session, time: (.created_at // null)} as $base
   | first((.uuid, .id | strings), null) as $id
   | ($base + {source_id: $id, role: (.sender // .role // "user"), content: body,
        tool_calls: [blocks[] | select(.type == "tool_use")
          | {id, type: "function", function: {name, arguments: (.input | if type == "string" then . else tojson end)}}]}),
     (blocks | to_entries[] | select(.value.type == "tool_result")
      | $base + {source_id: (if $id then "\($id):\(.key)" else null end), role: "tool",
          name: .value.name, content: .value.content, tool_call_id: .value.tool_use_id}),
     (.attachments | arrays | to_entries[] | select(.value.extracted_content | strings | length > 0)
      | $base + {source_id: (if $id then "\($id):attachment:\(.key)" else null end), role: ($m.sender // $m.role // "user"),
          origin: "import", content: .value.extracted_content, attachment: .value.file_name}))
