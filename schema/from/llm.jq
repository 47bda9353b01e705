# What `llm logs list -n 0 --json` prints of the llm tool's logs.db: an array of prompts with their responses. A fragment, a text that
# was put before the prompt, becomes a message of its own, and so do results of tools.
if .prompt == null and .response == null then error("neither \"prompt\" nor \"response\"") else . end
| (.conversation_id // "\($file.session):\($file.line)") as $session
| .id as $id
| def known($what): {source_id: (if $id then "\($id):\($what)" else null end)};
  {type: "message", session: $session, time: (.datetime_utc // null)} as $base
| {type: "session", session: $session, title: .conversation_name, system_prompt: .system},
  (.tool_results | arrays | to_entries[] | .key as $i | .value | objects
   | $base + known("result:\($i)") + {role: "tool", name, tool_call_id, content: (.output | if type == "string" then . else tojson end)}),
  (.prompt_fragments | arrays | to_entries[] | .key as $i | .value | objects | select(.content | type == "string")
   | $base + known("fragment:\($i)") + {role: "user", origin: "import", content}
     + (if .source then {attachment: .source} else {} end)),
  ($base + known("prompt") + {role: "user", content: ([.prompt // ""] + [.attachments | arrays | .[] | objects
     | {type: (if .type // "" | startswith("image/") then "image" else "file" end), name: (.path // .url | strings | split("/") | last)}])}),
  ($base + known("response") + {role: "assistant", content: (.response // ""),
     tool_calls: [.tool_calls | arrays | .[] | objects | {id: .tool_call_id, type: "function",
       function: {name, arguments: (.arguments | if type == "string" then . else tojson end)}}]}
   + (if .model then {model} else {} end))
