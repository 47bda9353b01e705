# OpenAI chat: {"messages": [...]} (requests, logs, fine-tuning files), an array of messages, or one message; and the items of its Responses: {"input": [...]},
# {"output": [...]}, an array of items, or one item.
# Where a conversation has no id it is named after its place in the file. Unknown keys of a message stay with it.
# pieces: [] messages[] input[] output[] body.messages[] request.messages[]

def name: select(type == "string" and . != "" or type == "number") | tostring;
def time: .created_at // .created // .timestamp // .time // null;

# An item of a response as a message; what the service did by itself, and reasoning, are nothing that was said.
def item:
  if type != "object" then .
  elif .type == "function_call" or .type == "custom_tool_call" then
    {role: "assistant", content: "", id, tool_calls: [{id: .call_id, type: "function", function: {name, arguments: (.arguments // .input)}}]}
  elif .type == "function_call_output" or .type == "custom_tool_call_output" then
    {role: "tool", tool_call_id: .call_id, id, content: (.output | if type == "string" or type == "array" then . else tojson end)}
  elif (.type | type) == "string" and (.role | not) and (.type | test("^(reasoning|item_reference|compaction|.*_call(_output)?|mcp_.*)$")) then empty
  else del(.status?) end;

# A turn in which a tool's results stand beside words: each is its own.
def results: .content | if type == "array" then to_entries | map(select(.value | objects | .type == "tool_result")) else [] end;
def apart:
  if type == "object" and (results | length > 0) and (results | length) < (.content | length) then
    . as $m
    | (results[] | {role: "tool", tool_call_id: .value.tool_use_id, content: .value.content} + ($m | {id, created_at, timestamp} | with_entries(select(.value)))
       + (if $m.id then {id: "\($m.id):\(.key)"} else {} end)),
      (.content |= map(select(type != "object" or .type != "tool_result")))
  else . end;

def message($session; $time):
  item
  | apart
  | select(type == "object")
  | (if .function_call then
       .tool_calls = [{type: "function", function: .function_call}] | del(.function_call)
     else . end)
  | (if .content == null and (.audio | type) == "object" and .audio.transcript then .content = .audio.transcript else . end)
  | . + {type: "message"}
    + (if $session then {session: $session} else {} end)
    + (if $time and time == null then {time: $time} else {} end);

if type == "array" then
  {messages: .}
elif type != "object" then
  error("a conversation or a message is an object")
elif .body.messages? // null then
  . + .body                                          # a line of a batch file
elif .request.messages? // null then
  . + .request + (.response // {} | {choices: .choices?}) + {reply: first((.response | objects | select(.role)), null)}       # a logged call
elif .messages == null and any(.input, .output; type == "array") then
  . as $r
  | {id: (.conversation | if type == "object" then .id else . end), created_at, system: .instructions}
    + {messages: [(.input | if type == "string" then select(($file.piece.first // 0) == 0) | {role: "user", content: .} else arrays | .[] end), (.output | arrays | .[])]}
  | if .id == null then .id = $r.id else . end
else . end
| if .messages | type == "array" then
    . as $c
    | first((.session, .session_id, .conversation_id, .thread_id, .custom_id, .id | name), "\($file.session):\($file.line)") as $session
    | {type: "session", session: $session, title: first((.title | strings), null), created: time,
       system_prompt: first((.messages[] | objects | select(.role == "system" or .role == "developer") | .content | strings),
         (.system | if type == "array" then [.[].text | strings] | join("\n\n") else . end | strings), null)},
      ((.messages[], (select($file.piece.last != false) | (.choices | arrays | first | .message | objects), (.reply | objects | del(.type)))) | message($session; $c | time))
  elif .role or [item | .role?] != [null] then
    message(null; null)
  else
    error("neither \"messages\" nor \"role\"")
  end
