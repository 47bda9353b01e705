# Qwen Code's sessions, ~/.qwen/projects/*/chats/*.jsonl: an event a line, its words in the "parts" of Gemini. Thinking and what the program
# notes for itself are left out, and so are helpers.
# kind: type subtype
def file: {type: (if .mimeType // "" | startswith("image/") then "image" else "file" end), name: .displayName};
select(type == "object")
| (.sessionId // $file.session) as $session
| {type: "message", session: $session, time: .timestamp, source_id: .uuid} as $base
| [.message | objects | .parts | arrays | .[] | objects] as $parts
| if .isSidechain or ((.agentId | type == "string") and .agentId != "" and .agentId != "main") then aside else
  (if $state.session != $session and (.type | IN("user", "assistant", "tool_result", "system")) then
     {type: "state", session: $session},
     {type: "session", session: $session, created: .timestamp,
      metadata: ({cwd, branch: .gitBranch, version} | with_entries(select(.value != null)))}
   else empty end),
  (if .type == "user" or .type == "assistant" then
     [$parts[] | select(.thought != true) | if .text then {type: "text", text} elif .inlineData then .inlineData | file elif .fileData then .fileData | file else empty end] as $said
     | [$parts[] | .functionCall | objects | {id, type: "function", function: {name, arguments: (.args // {} | tojson)}}] as $calls
     | select($said != [] or $calls != [])
     | $base + {role: .type, content: $said, tool_calls: $calls, strip: true} + (if .model then {model} else {} end)
   elif .type == "tool_result" then
     $parts | to_entries[] | .key as $i | .value.functionResponse | objects
     | $base + {source_id: (if $i == 0 then $base.source_id else "\($base.source_id):\($i)" end), role: "tool", name: .name, tool_call_id: .id,
         content: (.response | .output? // .error? // . | if type == "string" then . else tojson end)}
   elif .type | IN("system", "attachment", "progress", "title", "summary") then aside
   else empty end),
  (select((.type == "user" or .type == "assistant" or .type == "tool_result"))
   | if $parts == [] then unread("\(.type) without parts")
     else aside, ($parts[] | select(([.text, .functionCall, .functionResponse, .inlineData, .fileData, .thought, .executableCode, .codeExecutionResult] | map(select(. != null))) == [])
       | unread("part \(keys_unsorted[:3] | join(" "))")) end)
  end
