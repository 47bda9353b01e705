# Google Chat, as Google's Takeout has it, messages.json of a group: {"messages": [{"creator", "created_date", "text", "topic_id", "message_id"}]}. The
# first part of a message's id is the group, which is the session. What was deleted is left out; apps are assistants.
# pieces: messages[]
def date: if type == "string" then gsub("\u202f"; " ") else . end;
if type != "object" or (.messages | type != "array") then error("a group without \"messages\"") else . end
| .messages[] | objects | select(.message_state != "DELETED")
| (.message_id // "" | split("/")) as $id
| {type: "message", session: (if ($id | length) == 3 then $id[0] else $file.session end), source_id: (.message_id // ""), time: (.created_date | date),
   role: (if .creator.user_type == "Bot" then "assistant" else "user" end), name: (.creator.name // .creator.email // ""),
   content: ([.text | strings | select(. != "")] + [.attached_files[]? | objects | .original_name as $name
     | {type: (if $name // "" | test("\\.(png|jpe?g|gif|webp)$"; "i") then "image" else "file" end), name: $name}])}
