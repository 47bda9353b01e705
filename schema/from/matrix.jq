# Matrix: Element's export of a room as JSON, a "chunk" of events from a server, or the events as an array. The room is the session.
# pieces: messages[]
def name($names): .sender as $s | $names[$s] // ($s // "" | ltrimstr("@") | split(":")[0]);
def file: if .msgtype == "m.image" then {type: "image", name: .body} elif .msgtype | IN("m.file", "m.audio", "m.video") then {type: .msgtype[2:], name: .body}
  else empty end;
def event($session; $names):
  objects | select(.type == "m.room.message" and (.content.body | type == "string") and .content["m.relates_to"].rel_type? != "m.replace")
  | name($names) as $name
  | {type: "message", session: ($session // .room_id // $file.session), source_id: .event_id, time: .origin_server_ts, role: "user", name: $name,
     content: (.content | [file] | if . != [] then . else null end)}
    | .content = (.content // null);

if type != "object" then error("no event of Matrix") else . end
| (.messages // .chunk) as $events
| if $events | type == "array" then
    ([$events[] | objects | select(.type == "m.room.member" and (.content.displayname? | type == "string")) | {key: .sender, value: .content.displayname}]
     | from_entries) as $told
    | (($state.names // {}) + $told) as $names
    | ([$events[] | objects | .room_id | strings] | first // $file.session) as $session
    | (select($file.piece.last == false and $told != {}) | {type: "state", names: $names}),
      {type: "session", session: $session, title: .room_name, metadata: (if .topic then {topic} else null end)},
      ([$events[] | objects] | if $file.piece == null and length > 1 and (.[0].origin_server_ts // 0) > (.[-1].origin_server_ts // 0) then reverse else . end | .[]
       | . as $e | event($session; $names) | .content = (.content // $e.content.body))
  else . as $e | event(null; {}) | .content = (.content // $e.content.body) end
