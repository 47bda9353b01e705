# Slack's export: CHANNEL/YYYY-MM-DD.json, an array of messages. The channel is the session. People are speakers, never assistants.
# Programs write in "attachments"; what a link shows (with a "from_url") is nobody's words.
# $file.people has the names that the export's users.json, or messages before, give to the ids in this message.
def mentions:
  if contains("<@") then
    gsub("<@(?<id>[UW][A-Z0-9]+)(?<said>\\|[^>]*)?>"; .id as $id | if $file.people[$id]? then "@" + $file.people[$id] else "<@\($id)\(.said // "")>" end)
  else . end;
def plain: mentions | gsub("&lt;"; "<") | gsub("&gt;"; ">") | gsub("&amp;"; "&");
def attached: [.attachments | arrays | .[] | objects | select(.from_url | not)
  | [.pretext, .title, .text | strings | select(. != "")] as $texts
  | if $texts != [] then $texts | join("\n") else .fallback | strings end];
def words:
  [.text | strings | select(. != "")] + attached
  | if . == [] then null else . end;
def files: [.files | arrays | .[] | objects | {type: (if .mimetype // "" | startswith("image/") then "image" else "file" end), name: (.name // .title)}];

select(type == "object" and .type == "message"
  and (.subtype == null or (.subtype | . == "bot_message" or . == "me_message" or . == "thread_broadcast" or . == "reply_broadcast" or . == "file_share" or . == "file_comment")))
| (.user_profile | if type == "object" then .real_name // .name else null end) as $real
| ($file.directory != "" and ($file.name | test("(^|/)[0-9]{4}-[0-9]{2}-[0-9]{2}\\.json(\\.gz)?$"))) as $day
| (if $day then $file.directory else $file.session end) as $channel
| (select($day and $state.titled != true and ($file.directory | test("(^|/)[CDGU][A-Z0-9]{6,}$") | not))
   | {type: "session", session: $channel, title: ($file.directory | sub("^.*/"; ""))}, {type: "state", titled: true}),
  ({type: "message", session: $channel, source_id: (.client_msg_id // .ts), time: .ts, role: "user",
   name: ($real // .username // (.user as $u | select($u != null) | $file.people[$u]?) // .user // ""), content: ((words // [[.blocks | arrays | .. | objects | .text? | strings] | join("")] | map(plain)) + files)}
  + (if .thread_ts and .thread_ts != .ts then {thread: .thread_ts} else {} end))
