# What `llm logs list -n 0 --json` prints of the llm tool's logs.db: an array of prompts with their responses.
if .prompt == null and .response == null then error("neither \"prompt\" nor \"response\"") else . end
| (.conversation_id // "\($file.session):\($file.line)") as $session
| (.datetime_utc // null) as $time
| {type: "session", session: $session, title: .conversation_name, system_prompt: .system},
  {type: "message", session: $session, source_id: (if .id then "\(.id):prompt" else null end), time: $time, role: "user", content: (.prompt // "")},
  {type: "message", session: $session, source_id: (if .id then "\(.id):response" else null end), time: $time, role: "assistant",
   content: (.response // "")} + (if .model then {model} else {} end)
