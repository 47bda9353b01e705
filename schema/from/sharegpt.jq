# ShareGPT: {"id", "conversations": [{"from", "value"}]}.
# pieces: conversations[]
def role: {human: "user", user: "user", gpt: "assistant", assistant: "assistant", chatgpt: "assistant", bing: "assistant", bard: "assistant",
  system: "system", function_call: "assistant", observation: "tool", tool: "tool", function_response: "tool"}[. // "user"] // .;

if .conversations | type != "array" then error("a conversation without \"conversations\"") else . end
| first((.id | strings, numbers | tostring), "\($file.session):\($file.line)") as $session
| {type: "session", session: $session, title: .title, system_prompt: .system},
  (select(($file.piece.first // 0) == 0 and (.system | strings | length > 0) and (.conversations[0] | objects | .from // .role) != "system") | {type: "message", session: $session, role: "system", content: .system}),
  (.conversations[] | objects
   | (.from // .role) as $from
   | (.value // .content) as $text
   | {type: "message", session: $session, role: ($from | role), time: (.timestamp // null)}
     + (if $from == "function_call" then {content: "", tool_calls: [$text]} else {content: $text} end))
