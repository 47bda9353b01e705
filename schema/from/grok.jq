# Grok's data export, prod-grok-backend.json: {"conversations": [{"conversation", "responses": [{"response"}]}]}.
# pieces: conversations[].responses[]
def time: if type == "object" then (.["$date"] | if type == "object" then .["$numberLong"] else . end) else . end;
if type != "object" or (.conversations | type != "array") then error("no \"conversations\"") else . end
| .conversations[] | objects
| first((.conversation.id | strings), "\($file.session):\($file.line)") as $session
| {type: "session", session: $session, title: .conversation.title, created: (.conversation.create_time | time)},
  (.responses[]? | .response | objects
   | {type: "message", session: $session, source_id: ._id, time: (.create_time | time), content: (.message // ""),
      role: (if .sender // "" | ascii_downcase | test("human|user") then "user" else "assistant" end)}
     + (if .model and (.sender | test("human"; "i") | not) then {model} else {} end))
