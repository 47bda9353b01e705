# Antigravity's transcripts, brain/ID/.system_generated/logs/transcript.jsonl: a step a line. Only an answer of the planner is what the
# assistant says; its other steps are calls of tools with what they gave, under a head of lines "Name: value".
# kind: source type
def session: if $file.name | test("/\\.system_generated/") then $file.name | split("/.system_generated/")[0] | split("/") | last else $file.session end;
def plain: gsub("<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE|EPHEMERAL_MESSAGE)>.*?</\\1>"; ""; "p") | gsub("</?USER_REQUEST>"; "") | gsub("^\\s+|\\s+$"; "");
def cwd: capture("\"cwd\": ?\"(?<cwd>[^\"]+)\"").cwd;
def body: gsub("^((Created|Completed) At:[^\n]*\n|\\s*\n)+"; "");
def named($head): capture("(^|\n)\\s*" + $head + "\\s*(?<v>[^\n]+)").v | gsub("^`|`$"; "") | ltrimstr("file://");
def arguments:
  [(named("Task Description:") | {command: .}), (named("(File Path:|Created file|Edited file|Modified file)") | split(" ")[0] | {path: .})]
  | add // {};

select(type == "object")
| if .content == "" or ((has("content") | not) and (.source == "SYSTEM" or .tool_calls or .thinking or .type != "PLANNER_RESPONSE" and .source == "MODEL")) then aside
  elif .content | type != "string" then empty
  else session as $session
| {type: "message", session: $session, time: .created_at, source_id: "\($session):\(.step_index // $file.line)"} as $base
| if .source == "USER_EXPLICIT" then
    (.content | [cwd] | first) as $cwd
    | (select($cwd) | {type: "session", session: $session, metadata: {cwd: $cwd}}),
      ($base + {role: "user", content: (.content | plain), strip: true})
  elif .source == "MODEL" and (.type // "PLANNER_RESPONSE") == "PLANNER_RESPONSE" then
    $base + {role: "assistant", content}
  elif .source == "MODEL" then
    ($base + {role: "assistant", content: "", tool_calls: [{id: $base.source_id, type: "function",
       function: {name: (.type | ascii_downcase), arguments: (.content | arguments | tojson)}}]}),
    (.content |= body | select(.content != "")
     | $base + {source_id: "\($base.source_id):result", role: "tool", tool_call_id: $base.source_id, content})
  elif .source == "SYSTEM" then aside
  else empty end
end
