# Open WebUI's export: an array of {"chat": {...}}, or chats alone. The thread is the path from the root to currentId. Thinking, which
# stands inside the answer there, is left out.
# tree: history.messages|chat.history.messages parentId currentId timestamp messages|chat.messages
def words: if type == "string" then gsub("<details type=\"reasoning\".*?</details>\\s*"; ""; "p") else . // "" end;
def files: [.files | arrays | .[] | objects | {type: (if .type == "image" then "image" else "file" end), name: (.name // .file.filename?)}];
def body:
  (.content | words) as $text
  | files as $files
  | if $files == [] then $text else ($text | if type == "array" then . else [.] end) + $files end;

(.chat // .) as $chat
| (first((.id, $chat.id | strings | select(. != "")), "\($file.session):\($file.line)") + ($file.piece.branch | if . then ":" + . else "" end)) as $session
| ($chat.history.messages // {}) as $nodes
| (if $nodes != {} then [$nodes[] | objects] else $chat.messages // [] end) as $thread
| if $thread == [] and ($chat.history or $chat.messages | not) then error("a chat without \"history\"") else . end
| {type: "session", session: $session, title: (.title // $chat.title), created: .created_at, updated: .updated_at,
   metadata: (if .meta.tags? then {tags: .meta.tags} else null end)},
  ($thread[] | {type: "message", session: $session, source_id: .id, role, content: body, time: (.timestamp // null)}
     + (if .model then {model} else {} end))
