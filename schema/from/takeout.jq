# Google's Takeout, "My Activity", of Gemini Apps (once Bard) as JSON: MyActivity.json. An activity is a question behind a verb, "Prompted ",
# with the answer as HTML. Nothing says which belong to one conversation, and the newest stands first: each is a session of its own, by its time.

# By splitting, and a table: expressions take minutes for a file of some megabytes.
def marks: {br: "\n", tr: "\n", li: "\n- ", h1: "\n\n# ", h2: "\n\n## ", h3: "\n\n### ", h4: "\n\n#### ", h5: "\n\n##### ", h6: "\n\n###### ",
  p: "\n\n", div: "\n\n", ul: "\n\n", ol: "\n\n", table: "\n\n", blockquote: "\n\n", hr: "\n\n---\n\n", pre: "\n```\n", "/pre": "\n```\n",
  "/h1": "\n\n", "/h2": "\n\n", "/h3": "\n\n", "/h4": "\n\n", "/p": "\n\n", "/table": "\n\n", "/td": " | ", "/th": " | "};
def swap($a; $b): if contains($a) then split($a) | join($b) else . end;
def plain:
  marks as $marks
  | split("<") | [.[0], (.[1:][] | split(">") | if length > 1 then ($marks[.[0] | split(" ")[0] | rtrimstr("/")] // "") + (.[1:] | join(">")) else "<" + .[0] end)] | join("")
  | swap("&nbsp;"; " ") | swap("&lt;"; "<") | swap("&gt;"; ">") | swap("&quot;"; "\"") | swap("&#39;"; "'") | swap("&#34;"; "\"") | swap("&amp;"; "&")
  | [split("\n\n")[] | select(. != "" and (explode | any(. > 32))) | ltrimstr("\n") | rtrimstr("\n")] | join("\n\n");
def verb: "^(Prompted|Asked|Said|Answered|Branched)( Gemini| Bard| with)?:? ";
def is_gemini: [.header, .products[]?, .activityControls[]? | strings | test("Gemini|Bard")] | any;

select(type == "object") | select(is_gemini)
| [.safeHtmlItem | if type == "array" then .[] elif type == "object" then . else empty end | .html // .htmlValue | strings] as $html
| (.title // "") as $title
| select($html != [] or ($title | test(verb)))
| ($title | if test(verb) then sub(verb; "") else . end) as $asked
| select($asked != "")
| "gemini:\(.time)" as $session
| [.subtitles[]?, .attachedFiles[]? | objects | .name | strings | select(. != "Attached 1 file." and (test("^Attached [0-9]+ files") | not))] as $files
| {type: "session", session: $session, title: ($asked | .[:80] | split("\n")[0]), created: .time},
  {type: "message", session: $session, role: "user", time, source_id: "\(.time):asked",
   content: ([$asked, ($files[] | "[file: \(.)]")] | join("\n"))},
  (select($html != []) | {type: "message", session: $session, role: "assistant", time, source_id: "\(.time):answered", content: ($html | map(plain) | join("\n\n"))})
