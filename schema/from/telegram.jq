# Telegram's export, result.json: a chat, or all of them in "chats". The chat is the session. People are speakers; service messages, of who
# joined and the like, are left out.
# pieces: messages[] chats.list[].messages[] left_chats.list[].messages[]
def words: if type == "array" then map(if type == "object" then .text else . end | strings) | join("") else . // "" end;
def files:
  if .photo then {type: "image"}
  elif .media_type == "sticker" then {type: "sticker", name: (.sticker_emoji // null)}
  elif .file then {type: (.media_type // "file" | split("_")[0]), name: (.file_name // null)}
  elif .location_information then {type: "location"} elif .contact_information then {type: "contact"}
  elif .poll then {type: "text", text: ([.poll.question] + [.poll.answers[]?.text] | map(words) | join("\n"))}
  else empty end | with_entries(select(.value != null));
def chat:
  "\(.id // .name // $file.session)" as $session
  | {type: "session", session: $session, title: .name, metadata: {kind: .type}},
    (.messages[]? | objects | select(.type == "message")
     | {type: "message", session: $session, source_id: "\(.id)", time: (.date_unixtime // .date), role: "user", name: (.from // .from_id // ""),
        content: ([.text | words | select(. != "")] + [files])}
       + (if .reply_to_message_id then {reply_to: "\(.reply_to_message_id)"} else {} end)
       + (if .forwarded_from then {forwarded_from} else {} end));

if type != "object" then error("no chat of Telegram's")
elif .messages | type == "array" then chat
elif .chats.list or .left_chats.list then (.chats.list, .left_chats.list) | arrays | .[] | objects | chat
else error("neither \"messages\" nor \"chats\"") end
