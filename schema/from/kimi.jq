# Kimi's sessions, ~/.kimi/sessions/*/ID/context.jsonl: a message a line as OpenAI has them, and marks of its own, whose roles begin with "_".
select(type == "object" and (.role | type == "string") and (.role | startswith("_") | not))
| (if $file.directory != "" and ($file.name | split("/") | .[-1] | startswith("context")) then $file.directory else $file.session end) as $session
| {type: "message", session: $session, source_id: "\($session):\($file.line)", role, content: (.content // ""),
   tool_calls: [.tool_calls | arrays | .[]]} + (if .tool_call_id then {tool_call_id} else {} end)
