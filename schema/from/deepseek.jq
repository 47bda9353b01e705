# DeepSeek's data export: conversations.json, an array of conversations, each a tree of messages in "mapping", from "root" on. Of answers that
# were made anew the last one counts. Thinking and what was found on the web are left out.
def said:
  if .fragments then [.fragments[] | objects | select(.type | IN("REQUEST", "RESPONSE", "TEMPLATE_RESPONSE")) | .content | strings] | join("\n\n")
  else .content // "" end;
def is_answer($i): if .fragments then any(.fragments[]; .type | IN("RESPONSE", "THINK", "TEMPLATE_RESPONSE")) else $i % 2 == 1 end;
def files: [.files | arrays | .[] | objects | {type: "file", name: (.file_name // .name)}];

if type != "object" or (.mapping | type != "object") then error("a conversation without \"mapping\"") else . end
| .mapping as $nodes
| first((.id | strings), "\($file.session):\($file.line)") as $session
| [foreach range($nodes | length) as $i ("root"; if $i == 0 then . else $nodes[. // ""].children[-1]? end; select(. != null) | $nodes[.] | select(.message | type == "object"))] as $thread
| {type: "session", session: $session, title: .title, created: .inserted_at, updated: .updated_at},
  ($thread | to_entries[] | .key as $i | .value.id as $id | .value.message
   | {type: "message", session: $session, source_id: "\($session):\($id // $i)", time: .inserted_at,
      role: (if is_answer($i) then "assistant" else "user" end), content: ([said] + files)}
     + (if is_answer($i) and .model then {model: .model} else {} end))
