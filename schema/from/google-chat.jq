# Google Chat, as Google's Takeout has it, messages.json of a group: {"messages": [{"creator", "created_date", "text", "topic_id", "message_id"}]}. The
# first part of a message's id is the group, which is the session. What was deleted is left out; apps are assistants.
# pieces: messages[]
def date: if type == "string" then gsub("\u202f"; " ") else . end;
if type != "object" or (.messages | type != "array") then error("a group without \"messages\"") else . end
# What the program tells of the group, of who joined and the like, is left out.
| .messages[] | objects | select(.message_state != "DELETED")
| select(any(.annotations | arrays | .[] | objects | keys[]; test("^(membership|room|group|history|space)_?(chang|updat|renam|retention|creat)"; "i")) | not)
| select((.creator == null and (.text // "" | test("^.{1,60} (added|removed|joined|left|renamed|created|invited|updated|turned|has|was)\\b"))) | not)
| (.message_id // "" | split("/")) as $id
| {type: "message", session: (if ($id | length) == 3 then $id[0] else $file.session end), source_id: (.message_id // ""), time: (.created_date | date),
   role: (if .creator.user_type == "Bot" then "assistant" else "user" end), name: (.creator.name // .creator.email // ""),
   content: ([.text | strings | select(. != "")] + [.attached_files[]? | objects | .original_name as $name
     | {type: (if $name // "" | test("\\.(png|jpe?g|gif|webp)$"; "i") then "image" else "file" end), name: $name}])}
