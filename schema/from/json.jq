# Any JSON in which conversations can be made out, for what has no format of its own. A message is an object with words and with who said
# them, by the usual names of keys; what wraps it ("message", "data", "payload" ...) is taken off. An array of them is a conversation, called
# by the id that stands beside it; an object with a question and its answer is two messages. What has no words in it is passed over; where
# there are words and no message, it is an error.
# pieces: *

def filled: select(. != null and . != "" and . != [] and . != {});
def one(f): first(f | filled) // null;
def scalar: select(type == "string" or type == "number") | tostring | filled;

# ---- who ----

def roles: {
  user: "user", human: "user", customer: "user", client: "user", caller: "user", prompter: "user", me: "user", you: "user", requester: "user",
  incoming: "user", outgoing: "user", prompt: "user", query: "user", question: "user", request: "user", userinput: "user", usermessage: "user", humanmessage: "user", input: "user",
  assistant: "assistant", ai: "assistant", bot: "assistant", model: "assistant", gpt: "assistant", chatgpt: "assistant", agent: "assistant",
  chatbot: "assistant", llm: "assistant", copilot: "assistant", githubcopilot: "assistant", claude: "assistant", gemini: "assistant",
  bard: "assistant", grok: "assistant", deepseek: "assistant", mistral: "assistant", lechat: "assistant", perplexity: "assistant",
  response: "assistant", answer: "assistant", completion: "assistant", responder: "assistant", aimessage: "assistant",
  aimessagechunk: "assistant", assistantmessage: "assistant", agentmessage: "assistant", botmessage: "assistant", llmoutput: "assistant",
  functioncall: "assistant", customtoolcall: "assistant", llmresponse: "assistant", modelresponse: "assistant", output: "assistant", reply: "assistant",
  system: "system", developer: "system", systemmessage: "system", systemprompt: "system",
  tool: "tool", function: "tool", toolresult: "tool", tooloutput: "tool", toolmessage: "tool", functionmessage: "tool", toolresponse: "tool",
  functionresult: "tool", functioncalloutput: "tool", observation: "tool", ipython: "tool"};
# "user_prompt", "modelResponse", "tool-call": the first word tells, when the others are of this trade too.
def trade: {message: 1, msg: 1, prompt: 1, input: 1, output: 1, response: 1, reply: 1, turn: 1, text: 1, question: 1, answer: 1, query: 1, request: 1,
  completion: 1, chunk: 1, event: 1, utterance: 1, content: 1, final: 1, result: 1, results: 1, call: 1, calls: 1, use: 1, invocation: 1, start: 1,
  end: 1, execution: 1, agent: 1, assistant: 1, proxy: 1, model: 1, bot: 1, said: 1, speech: 1};
def role_of_words:
  [gsub("(?<a>[a-z])(?<b>[A-Z])"; "\(.a) \(.b)") | ascii_downcase | splits("[^a-z]+") | select(. != "")] as $w
  | select(($w | length) > 1 and all($w[1:][]; trade[.]))
  | if $w[0] == "tool" or $w[0] == "function" then
      (if any($w[1:][]; IN("execution", "result", "results", "output", "response", "end")) then "tool"
       elif $w[1] | IN("call", "calls", "use", "invocation", "start", "request") then "assistant" else "tool" end)
    else roles[$w[0]] | select(. != null) end;
def is_call: (.type // .kind // .event) as $t | ($t | type == "string") and ($t | test("^(tool|function)[-_ .]?(call|use|invocation|request)s?$"; "i"));
def role:
  select(type == "string" and length < 60) | . as $word | ascii_downcase
  | (roles[[explode[] | select(. >= 97 and . <= 122)] | implode] | select(. != null)),
    ($word | role_of_words),
    (select(test("^(chat)?(gpt|claude|gemini|llama|mistral|qwen|deepseek|grok|gemma|phi|command|sonar|o[134])[-_ ]?[0-9.]")) | "assistant");
def person:
  if type == "object" then
    one(.displayName, .display_name, .nickname, .name, .username, .user_name, .login, .email, (.user, .application | objects | .displayName, .name)
      | strings)
  else scalar end;
# A key that sounds like who said it.
def other_who:
  to_entries[] | select(.key | test("^(sender|author|speaker|creator|poster|writer|nick|user|from|by|display|full|screen|real|member|profile)_?(full|display|real|screen|nick|user)?_?name$|^(sent|posted|written|created|said|spoken)_?by$|^(sender|author|speaker|poster|writer|member)$"; "i"))
  | .value | person;
def is_user: .is_user, .isUser, .isCreatedByUser, .is_from_user, .from_me, .fromMe, .isFromMe, .is_human | booleans;
def who:
  one(.role, .sender_type, .senderType, .author_type, (.author | objects | .role), .message_type, .messageType, .type, .kind, .event, .source, .from, .sender, .speaker,
    .author | role) as $role
  | one(.name, .speaker, .sender_name, .senderName, .sender, .from, .author, .author_name, .authorName, .username, .user_name, .nick, .nickname,
    .participant, .user, .creator, .who, (select(.type == "incoming") | .source), (.role | strings | select([role] == [])) | person) as $known
  | one($known, other_who) as $name
  | (if ([is_user] | length) > 0 then (if first(is_user) then "user" else "assistant" end) else $role end) as $role
  | {role: $role} + ({name: ($name | if . != null and ([role] == [$role]) and (test("[0-9]") | not) then null else . end)} | with_entries(select(.value)))
  | select(.role or .name) | .role = (.role // "user");

def is_thought: (.type, .kind, .event, .role | strings | test("^(agent[-_ ]?)?(think(ing)?|thoughts?|reasoning)([-_ ]?(delta|content|summary|block))?$"; "i")), (.isThought == true) // false;

# ---- what ----

# One part of a content: as mem-ingest takes it, or nothing for what no one sees. What holds parts of its own is opened.
def part:
  if type == "string" then .
  elif type != "object" then empty
  elif .functionCall or .function_call or .functionResponse or .thought == true then empty
  elif .type == "tool-result" then .
  elif (.type // "") | test("^(step-(start|finish)|snapshot|patch|debugInfoBlock|think|dynamic-tool|tool(-.*|_call|Call|Request|Response)?)$") then empty
  elif .text | type == "object" then {type: "text", text: (.text.value // .text.content // "")}
  elif .text | type == "string" then .
  elif .Text | type == "string" then {type: "text", text: .Text}
  elif .inlineData or .inline_data or .fileData then {type: "file", name: (.inlineData // .inline_data // .fileData | objects | .displayName)}
  elif (.type // "" | test("result")) then .
  elif .content | type == "array" then .content[] | part
  elif .content | type == "string" then {type: "text", text: .content}
  elif .value | type == "string" then {type: "text", text: .value}
  elif .type then .
  else empty end;
def plain_html: gsub("<(br|/p|/div|/li)[^>]*>"; "\n") | gsub("<[^>]*>"; "") | gsub("&nbsp;"; " ") | gsub("&lt;"; "<") | gsub("&gt;"; ">") | gsub("&quot;"; "\"")
  | gsub("&#39;"; "'") | gsub("&amp;"; "&") | gsub("^\\s+|\\s+$"; "");
def words:
  if type == "string" then .
  elif type == "array" then [.[] | part]
  elif type == "object" and (.contentType == "html" or .content_type == "html") then .content | strings | plain_html
  elif type == "object" then one((.parts, .content | arrays | [.[] | part]), (.text, .value, .plain, .body, .content, .markdown, .message, .parts | strings))
  else empty end;
def said:
  one((.steps | arrays | [.[] | objects | select(.type == "contentBlock") | .content | arrays | .[]]),
    .content, .text, .utterance, .mes, .msg, .body, .parts, .segments, .blocks, .message, .value, .transcript, .plain, .output, .display
    | words);
# What a tool gave may be anything.
def given: one(said, (.output, .result, .response, .content | select(. != null) | tojson));
def calls:
  [(.tool_calls, .toolCalls, .tool_uses | arrays | .[]),
   (select(.type == "ToolCallRequestEvent") | .content | arrays | .[] | objects | {id, type: "function", function: {name, arguments}}),
   (.content, .parts | arrays | .[] | objects
    | select((.type // "" | . != "tool-result" and test("^(tool_use|tool_call|toolCall|dynamic-tool|tool-.*)$")) or .functionCall or .function_call)),
   (select(is_call or .type == "custom_tool_call")
    | {id: (.call_id // .tool_call_id // .id), type: "function",
       function: {name: (.name // .tool_name // .tool // (.function | objects | .name)), arguments: (.arguments // .args // .input // .parameters // .params // (.function | objects | .arguments))}})];
# A key that sounds like the time of a message, with a value that looks like one.
def other_time:
  to_entries[] | select((.key | test("time|date|creat|posted|(^|_)sent|[a-z]At$"; "i")) and (.key | test("updat|edit|modif|expir|read|deliver|delet|last|zone|start|end|due|birth|join"; "i") | not))
  | .value | select((type == "number" and . > 2e8 and . < 1e17) or (type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}|^[0-9]{9,13}$")));
def time:
  one(.timestamp, .time, .ts, .date_unixtime, .created_at, .createdAt, .created, .date, .datetime, .date_time, .sent_at, .sentAt, .posted_at, .at, .created_date,
    .timestamp_ms, .origin_server_ts, .createdDateTime, .create_time, .create_date, .inserted_at, .send_date, .tstamp, (.metadata | objects | .createdAt), other_time
    | if type == "object" then one(.created, .["$date"] | if type == "object" then .["$numberLong"] else . end) else . end
    | strings, numbers);
def session: one(.session, .session_id, .sessionId, .conversation_id, .conversationId, .thread_id, .threadId, .chat_id, .chatId, .conversation | scalar);

# The message that an object is, or nothing.
def plain_message:
  . as $m
  | select([is_thought] | any | not)
  | select((.input != null and .output != null and (.role == null)) | not)
  | select([.content, .parts, .body, .transcript, .segments | arrays | .[] | objects | select(.role or .speaker or .sender or .author)] == [])
  | (who // {}) as $who
  | select($who.role)
  | calls as $calls
  | ($calls != [] and is_call or $m.type == "custom_tool_call") as $is_call
  | (if $is_call then "" elif $who.role == "tool" then given // "" else said // "" end) as $said
  | select($said != "" or $calls != [])
  | {type: "message"} + ($who | if $is_call then del(.name) else . end) + {content: $said} + (time | if . then {timestamp: .} else {} end)
    + (session | if . then {session: .} else {} end)
    + (one($m.source_id, $m.id, $m.uuid, $m._id, $m.message_id, $m.messageId, $m.msg_id, $m.dia_id | scalar) | if . then {source_id: .} else {} end)
    + (one($m.tool_call_id, $m.toolCallId, $m.call_id | strings) | if . and $who.role == "tool" then {tool_call_id: .} else {} end)
    + (if $calls != [] then {tool_calls: $calls} else {} end)
    + (one($m.model, $m.model_id, $m.modelId | strings) | if . then {model: .} else {} end);
def unwrapped:
  select(type == "object")
  | . as $outer
  | one(plain_message,
      (("User", "Agent") as $key | .[$key] | objects | {role: (if $key == "User" then "user" else "assistant" end)} + . | plain_message),
      (.result | objects | .message | objects | plain_message),
      (select(.dataMessage or .syncMessage or (.envelope | type) == "object") | (.envelope // .) | . as $e
       | (.dataMessage // .syncMessage.sentMessage // empty) | select(.message | type == "string" and . != "")
       | {type: "message", session: ((.groupInfo.groupId // $e.syncMessage.sentMessage.destination // $e.source // $e.sourceNumber) | strings), role: "user",
          name: ($e.sourceName // $e.source // $e.sourceNumber | strings), timestamp: (.timestamp // $e.timestamp), content: .message}),
      (.currentlySelected as $i | .versions | arrays | .[$i // 0] | objects | plain_message),
      (("message", "data", "kwargs", "prompt", "response", "payload", "item", "info", "node", "event", "record", "entry", "llm_message", "post", "direct_post") as $key
       | .[$key] | objects | . as $inner | ($outer | del(.[$key]) | if $inner.type then del(.type) else . end) + $inner + ($inner.kwargs | if type == "object" then . else {} end) | plain_message));
# With what hangs below it, in trees.
def messages:
  unwrapped as $m
  | select($m)
  | ([., .prompt, .post, .direct_post | objects | .children, .replies | arrays | .[] | objects | messages]) as $below
  | $m, $below[];

# ---- conversations ----

def question: one(.prompt, .question, .query, .instruction, .user, .human, .request, .input | words | strings);
def answer: one(.completion, .response, .answer, .assistant, .output, .ai, .bot, .copilot, .reply | words | strings);
def pair($session):
  select(question and answer)
  | (time) as $time
  | one(.id, .uuid | scalar) as $id
  | (one(session) // $session) as $session
  | {type: "message", session: $session, timestamp: $time} as $base
  | [one(.instruction | strings), (if .instruction then one(.input | strings) else null end) | select(.)] as $asked
  | $base + {role: "user", content: (if $asked != [] then $asked | join("\n\n") else question end)} + (if $id then {source_id: "\($id):question"} else {} end),
    $base + {role: "assistant", content: answer} + (if $id then {source_id: "\($id):answer"} else {} end);

def turns_in_time:                                                 # newest first: turned round
  if length > 1 and all(.[]; .timestamp | type == "number") and .[0].timestamp > .[-1].timestamp then reverse
  elif length > 1 and all(.[]; .timestamp | type == "string") and .[0].timestamp > .[-1].timestamp and (.[0].timestamp | test("^[0-9]{4}-|^[0-9]{9,}$"))
  then reverse else . end;
def couples: length > 0 and all(.[]; type == "array" and length == 2 and all(.[]; type == "string" or . == null));

def has_words: any(.. | objects | (.content, .text, .utterance, .mes, .msg, .body, .message, .prompt, .question, .query); type == "string" and . != "");
# Where one side is called "system" and nobody an assistant, that is what it is.
def sides:
  if length > 1 and .[0].role != "system" and any(.[]; .role == "system") and all(.[]; .role == "system" or .role == "user")
  then map(if .role == "system" then .role = "assistant" else . end) else . end;

# Each as {keys: where it stands, said: messages, lost: what is none among them}.
def conversations($keys):
  if type == "array" then
    [.[] | select(type == "object") | {is: [messages]} + {of: .}] as $found
    | if any($found[]; .is != []) then
        {keys: $keys, said: ([$found[].is[]] | turns_in_time | sides), lost: [$found[] | select(.is == []) | .of | select(.messageType == null or .messageType == "message") | select(([is_thought] | any | not) and has_words)]}
      elif couples then {keys: $keys, said: [.[] | {type: "message", role: "user", content: .[0]}, {type: "message", role: "assistant", content: .[1]}
        | select(.content | filled) | select(.content | startswith("<|BEGIN-VISIBLE-CHAT|>") | not)]}
      else
        . as $all | range(length) as $i | $all[$i] | select(type == "object" or type == "array") | conversations($keys + [$i])
      end
  elif type == "object" then
    (if has("internal") and (.internal | type == "array") then del(.visible) else . end)
    | . as $all | keys_unsorted[] as $key | $all[$key] | select(type == "object" or type == "array") | conversations($keys + [$key])
  else empty end;

def name_of($all; $keys):                                          # of the objects around it the nearest that has an id
  first(range($keys | length; -1; -1) as $n | $all | getpath($keys[:$n]) | objects
    | one(.session_id, .sessionId, .conversation_id, .conversationId, .thread_id, .threadId, .chat_id, .chatId, .id, .uuid, .conversation_hash, .sample_id,
        .question_id, (.conversation, .session, .thread, .config.configurable | objects | .thread_id, .id, .uuid) | scalar) // empty) // null;
def title_of($all; $keys):
  first(range(($keys | length) - 1; -1; -1) as $n | $all | getpath($keys[:$n]) | objects
    | one(.title, .name, .subject, .topic, .room_name, (.conversation, .session, .thread, .metadata | objects | .title, .name) | strings) // empty) // null;

def created_of($keys):
  first(range(($keys | length) - 1; -1; -1) as $n | getpath($keys[:$n]) | objects | {created: time} | select(.created)) // {};
def shown: if type == "object" then "an object with the keys " + ([keys_unsorted[:8][] | "'\(.)'"] | join(", ")) else "a \(type)" end;

if type != "object" and type != "array" then error("no message can be made out in a \(type)") else . end
| if type == "object" and .input != null and (.output | type == "object" and (.role | type) == "string") then .output |= [.] else . end
| . as $all
| [select(type == "object") | messages] as $alone
| if $alone != [] then
    ($all | {agent, project, origin, trust} | with_entries(select(.value | type == "string" or type == "number"))) as $kept
    | $alone[] | $kept + .
  else
    [conversations([])] as $found
    | if $found != [] then
        ([$found[] | {keys, name: name_of($all; .keys)}] | group_by(.name) | map({key: (.[0].name // ""), value: length}) | from_entries) as $count
        | ($found | length > 1 and all(.[].keys[0]; IN("input", "inputs", "request", "prompt", "output", "outputs", "response", "completion", "request_body", "response_body"))) as $one_call
        | range($found | length) as $i
        | $found[$i]
        | .keys as $keys
        | name_of($all; $keys) as $name
        | ([$keys[] | strings] | last // "") as $key
        | (if $name and ($one_call or $count[$name] == 1) then $name
           elif $name then "\($name):\($key | if . == "" or (any($found[]; .keys[-1] == $key) | not) then "\($i + 1)" else . end)"
           elif $one_call or ($found | length) == 1 then "\($file.session):\($file.line)"
           else "\($file.session):\($file.line):\($i + 1 + ($file.piece.first // 0))" end) as $session
        | (.said[0].session // null) as $own
        | (if $own then empty else {type: "session", session: $session, title: title_of($all; $keys)} + ($all | created_of($keys)) end),
          (select($i == 0 and ($file.piece.first // 0) == 0 and $keys[-1] == "output") | $all | first(.input, (.request | objects | .input) | strings) | filled | {type: "message", session: $session, role: "user", content: .}),
          (.said[] | {session: $session} + .),
          (.lost | arrays | .[] | {type: "message", lost: shown})
      else
        [if type == "array" then .[] | objects | pair($file.session) else pair(one(session) // $file.session) end] as $pairs
        | if $pairs != [] then $pairs[]
          else
            [path(.. | objects | select(question and answer)) as $p | getpath($p) | pair(name_of($all; $p[:-1]) // $file.session)] as $deep
            | if $deep != [] then $deep[]
              elif $file.piece == null and has_words and (type != "object" or ([is_thought] | any | not)) then error("no message can be made out in " + shown)
              else empty end
          end
      end
  end
