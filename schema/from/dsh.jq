# DeepSeek Harness's sessions, session.jsonl in its directory of sessions: a line about the session, then an event a line. A message comes
# whole behind its pieces, which are left out, and so is what plugins put in as the person's, and reasoning.
# kind: type
def words: [.content | arrays | .[] | objects | select(.type == "text" or .type == "image" or .type == "file")];
def given: [.content | arrays | .[] | objects | select(.type == "tool-result") | .content] | first // null
  | if type == "array" then [.[] | if type == "object" and .type == "text" then .text else . end] else . end;

select(type == "object")
| ($state.session // $file.session) as $session
| .data as $d
| {type: "message", session: $session, time: (.time // null), source_id: "\($session):\(.seq // $file.line)"} as $base
| if .type == "session" then
    {type: "state", session: .id},
    {type: "session", session: .id, created: .createdAt, metadata: ({cwd} | with_entries(select(.value != null)))}
  elif .type == "session/title" then
    {type: "session", session: $session, title: $d.title}
  elif .type == "user/message" and ($d.source.kind // "user") == "user" then
    (if $d | has("content") then aside, ($d.content | unread_parts({text: 1, image: 1, file: 1})) else unread("user without content") end), $base + {role: "user", content: ($d | words), strip: true}
  elif .type == "user/message" then aside
  elif .type == "assistant/message" then
    (if $d.message | objects | has("content") then aside, ($d.message.content | unread_parts({text: 1, image: 1, file: 1, reasoning: 1, thinking: 1, "tool-call": 1})) else unread("assistant without content") end),
    (
    $base + {role: "assistant", content: ($d.message | words)} + ($d.message.source.model // null | if . then {model: .} else {} end)
    | select(.content != []))
  elif .type == "tool/call" then
    $base + {role: "assistant", content: "", tool_calls: [{id: $d.callId, type: "function",
      function: {name: $d.name, arguments: ($d.arguments | if type == "string" then . else tojson end)}}]}
  elif .type == "tool/result" then
    $base + {role: "tool", tool_call_id: $d.message.source.callId, content: ($d.message | given)}
    | select(.content)
  elif .type // "" | test("^(assistant/(delta|chunk|start|end|text|reasoning|tool)|session/|step/|turn/|usage|tool/(progress|start|end|update)|status|error|todo/|plan/|approval/|compaction|config|permission/|hook/|model/)") then aside
  else empty end
