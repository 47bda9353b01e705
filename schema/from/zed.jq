# Zed's agent: the rows of ~/.local/share/zed/threads/threads.db that zed.sql gives, a thread each. Its messages have a form for the person's
# and one for the agent's, with what the tools gave beside; earlier ones have a role and segments. They have no times; thinking is left out.
# kind: zed.id
def call: {id, type: "function", function: {name, arguments: (.input // {} | if type == "string" then . else tojson end)}};
def given: if type == "object" then .Text // .text // tojson elif type == "array" then map(given) | join("\n") else . // "" end;
def part: if .Text then {type: "text", text: .Text} elif .Image then {type: "image"}
  elif .Mention then {type: "text", text: (.Mention.content // "")} else empty end;

select(type == "object" and .zed)
| .zed as $z | .thread as $t
| {type: "message", session: $z.id} as $base
| {type: "session", session: $z.id, title: ($t.title // $t.summary // $z.title), created: $z.created, updated: $z.updated,
   metadata: ({cwd: ($z.folders // "" | split("\n")[0]), model: ($t.model.model? // null)} | with_entries(select(.value != null and .value != "")))},
  ($t.messages // [] | to_entries[] | .key as $i | .value | objects
   | if .User then
       .User | $base + {source_id: "\($z.id):\(.id // $i)", role: "user", content: [.content[]? | objects | part]}
     elif .Agent then
       .Agent
       | [.content[]? | objects | .ToolUse | objects | call] as $calls
       | ($base + {source_id: "\($z.id):\($i)", role: "assistant", content: [.content[]? | objects | part], tool_calls: $calls}
          + ($t.model.model? // null | if . then {model: .} else {} end)
          | select(.content != [] or .tool_calls != [])),
         (.tool_results | objects | .[] | objects
          | $base + {source_id: "\($z.id):\($i):\(.tool_use_id)", role: "tool", name: .tool_name, tool_call_id: .tool_use_id,
              content: (.content | given)} + (if .is_error then {is_error: true} else {} end))
     elif .role then
       ($base + {source_id: "\($z.id):\(.id // $i)", role: (.role | ascii_downcase), content: [.segments[]? | objects | select(.type == "text") | {type, text}],
          tool_calls: [.tool_uses[]? | objects | call]} | select(.content != [] or .tool_calls != [])),
       (.tool_results[]? | objects
        | $base + {source_id: "\($z.id):\($i):\(.tool_use_id)", role: "tool", tool_call_id: .tool_use_id, content: (.content | given)})
     elif .Compaction or .Resume or .Summary then aside
     else unread("message of another form") end),
  (select($t | has("messages") | not) | unread("thread without messages"))
