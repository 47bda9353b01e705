# Google's Takeout, "My Activity", of Gemini Apps (once Bard) as JSON: MyActivity.json. An activity is a question behind a verb, "Prompted ",
# with the answer as HTML. Nothing says which belong to one conversation, and the newest stands first: each is a session of its own, by its time.

def verb: "^(Prompted|Asked|Said|Answered|Branched)( Gemini| Bard| with)?:? ";
def is_gemini: [.header, .products[]?, .activityControls[]? | strings | contains("Gemini") or contains("Bard")] | any;

select(type == "object") | select(is_gemini)
| [.safeHtmlItem | if type == "array" then .[] elif type == "object" then . else empty end | .html // .htmlValue | strings] as $html
| (.title // "") as $title
| ($title | sub(verb; "")) as $asked
| select($asked != "" and ($html != [] or $asked != $title))
| "gemini:\(.time)" as $session
| [.subtitles[]?, .attachedFiles[]? | objects | .name | strings | select(. != "Attached 1 file." and (test("^Attached [0-9]+ files") | not))] as $files
| {type: "session", session: $session, title: ($asked | .[:80] | split("\n")[0]), created: .time},
  {type: "message", session: $session, role: "user", time, source_id: "\(.time):asked",
   content: ([$asked, ($files[] | "[file: \(.)]")] | join("\n"))},
  (select($html != []) | {type: "message", session: $session, role: "assistant", time, source_id: "\(.time):answered", html: true, content: ($html | join("\n\n"))})
