# Slack's export: CHANNEL/YYYY-MM-DD.json, an array of messages. The channel is the session. People are speakers, never assistants.
def plain: gsub("&lt;"; "<") | gsub("&gt;"; ">") | gsub("&amp;"; "&");

select(type == "object" and .type == "message"
  and (.subtype == null or (.subtype | . == "bot_message" or . == "me_message" or . == "thread_broadcast" or . == "file_share")))
| ($file.name | split("/") | if length > 1 then .[-2] else $file.session end) as $channel
| {type: "message", session: $channel, source_id: (.client_msg_id // .ts), time: .ts, role: "user",
   name: (.user_profile.real_name? // .user_profile.name? // .username // .user // ""), content: (.text // "" | plain)}
  + (if .thread_ts and .thread_ts != .ts then {thread: .thread_ts} else {} end)
