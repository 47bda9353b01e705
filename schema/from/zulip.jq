# Zulip, as its interface and its archives have messages: an array of them, {"messages": [...]}, or one: {"sender_full_name", "content", "timestamp"}. Content
# is HTML, or Markdown where "content_type" says so. The stream with its topic is the session. What Zulip's own bots tell is nobody's words; other bots are assistants.
# pieces: [] messages[]
def own: (.sender_email // "" | test("^(notification-bot|welcome-bot|nagios-bot|emailgateway|zulip-notifications)[^@]*@"; "i"))
  or (.sender_full_name // "" | test("^(Notification Bot|Welcome Bot|Zulip Notifications)$"));
def plain: gsub("(<br[^>]*>|</(p|li|div|pre|h[1-6]|blockquote)>)\\s*"; "\n") | gsub("<[^>]*>"; "") | gsub("&nbsp;"; " ") | gsub("&lt;"; "<") | gsub("&gt;"; ">")
  | gsub("&quot;"; "\"") | gsub("&#39;"; "'") | gsub("&amp;"; "&") | gsub("^\\s+|\\s+$"; "");
def topic: (.display_recipient | if type == "array" then [.[] | objects | .full_name // .email | strings] | join(", ") else . end) as $stream
  | [$stream, (.subject // .topic | strings)] | map(strings | select(. != "")) | join(" > ");
def message:
  select(type == "object" and (.sender_full_name | type == "string") and (.content | type == "string")) | select(own | not)
  | (topic | if . == "" then $file.session else . end) as $session
  | {type: "message", session: $session, source_id: (.id | if type == "number" or type == "string" then tostring else null end), time: .timestamp,
     role: (if .sender_email // "" | test("-bot@") then "assistant" else "user" end), name: .sender_full_name,
     content: (if .content_type != "text/x-markdown" and (.content | test("^\\s*<[a-z]")) then .content | plain else .content end)};
if type == "array" then .[] | message
elif type == "object" and (.messages | type == "array") then .messages[] | message
else message end
