# Claude's data export: conversations.json, an array of conversations with "chat_messages". The blocks of "content" are what was said;
# "text" is the older form, and in newer files has stand-ins for what it cannot show. Text of attached files becomes messages of its own;
# of other files the name is kept.
# pieces: chat_messages[] messages[]

def blocks: [.content | arrays | .[] | if type == "string" then {type: "text", text: .} else objects end];
def has_text: .extracted_content | type == "string" and . != "";
def files:
  [.attachments | arrays | .[] | objects | select(has_text) | .file_name] as $read
  | (.files, (.attachments | arrays | map(objects | select(has_text | not)))) | arrays | .[] | objects
  | .file_name as $name
  | select($name == null or all($read[]; . != $name))   # libjq 1.6 leaks in index() of an array
  | {type: (if .file_kind == "image" or ($name // "" | test("\\.(png|jpe?g|gif|webp|heic)$"; "i")) then "image" else "file" end), name: $name};
def body:
  (if blocks != [] then
     [blocks[] | select(.type // "" | test("^(tool_|thinking|redacted_)") | not)
       | select((.text | type == "string") or .type == "image" or .type == "document" or .type == "file")]
   else [if .content | type == "string" then .content else .text // "" end] end)
  + [files];

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
     (.attachments | arrays | to_entries[] | select(.value | objects | has_text)
      | $base + {source_id: (if $id then "\($id):attachment:\(.key)" else null end), role: ($m.sender // $m.role // "user"),
          origin: "import", content: .value.extracted_content, attachment: .value.file_name}))
