# Gemini CLI's session files, ~/.gemini/tmp/*/chats/session-*: a record of the session, then a message a line, and patches; or, older,
# one object with "messages". What was rewound was said all the same, and stays. A message is written again when its calls are known and
# when they have ended: so each call and each result is a message of its own. Further, what "/chat save" keeps (checkpoint-NAME.json) and what
# the API takes: an array of "contents", {"role", "parts"}, in which nothing has an id; and logs.json, what the person typed.
# Where it worked stands in .project_root beside "chats".
# beside: ../.project_root
# What a helper's file holds is left out, and so are files that a prompt refers to, which the program reads into it.
# pieces: messages[] contents[] history[] $set.messages[]
# kind: type role

def file($f): {type: (if $f.mimeType // "" | startswith("image/") then "image" else "file" end), name: $f.displayName};
def words:
  if type != "array" then . // ""
  else [.[] | if type != "object" then . elif .thought == true or .functionCall or .functionResponse then empty
    elif .inlineData then file(.inlineData) elif .fileData then file(.fileData) else . end] end;
def result:
  if type == "string" then .
  else
    ([.. | objects | .functionResponse? | objects | .response | .output? // .error? // tojson | if type == "string" then . else tojson end]
      | map(select(. != ""))) as $outputs
    | if $outputs != [] then $outputs | join("\n") else [.. | objects | select(.functionResponse | not)] | words end
  end;

# What the program reads into a prompt stands behind it, in parts of its own or in the same.
def typed: if type == "string" then split("\n--- Content from referenced files ---")[0]
  elif type == "array" then
    ([.[] | if type == "object" then .text // "" else . end | strings | test("^\\s*--- Content from referenced files ---")] | index(true)) as $at
    | if $at == null then . else .[:$at] end
  else . end;
def said($session):
  .id as $id
  | def known($call; $what): if $id then {source_id: "\($id):\($call)\($what)"} else {} end;
    {type: "message", session: $session, time: .timestamp} as $base
  | (if .model then {model} else {} end) as $model
  | (.type == "user") as $typed
  | (.content | (if $typed then typed else . end) | words | select(length > 0)
     | $base + {source_id: $id, role: "user", content: ., strip: true})
    + (if .type == "user" then {} else {role: "assistant"} + $model end),
    (if has("content") or has("toolCalls") or has("thoughts") then aside, (.content | arrays | .[] | objects | select(([.text, .thought, .functionCall, .functionResponse, .inlineData, .fileData, .executableCode, .codeExecutionResult | select(. != null)] == [])) | unread("part \(keys_unsorted[0])")) else unread("\(.type) without content") end),
    (.toolCalls | arrays | .[] | objects
     | ($base + known(.id; ":call") + {role: "assistant", content: "",
          tool_calls: [{id, type: "function", function: {name, arguments: (.args // {} | tojson)}}]} + $model),
       (select(.result != null)
        | $base + known(.id; "") + {role: "tool", name: .name, tool_call_id: .id, content: (.result | result)}
           + (if .status == "error" then {is_error: true} else {} end)))
  ;
def message($session):
  objects
  | if .type == "user" or .type == "gemini" or .type == "qwen" then said($session)
    elif .type | IN("info", "error", "warning", "system", "about", "tool_group", "help", "stats", "compression", "quit") then aside
    elif .type then unread("message \(.type)")
    else empty end;

# What the program itself says before the first words of a person.
def known_part: type != "object" or ([.text, .thought, .functionCall, .functionResponse, .inlineData, .fileData, .executableCode, .codeExecutionResult | select(. != null)] != []);
def torn: arrays | .[] | select(known_part | not) | unread("part \(keys_unsorted[0])");
def set_up: .parts[0].text? | strings | test("^This is (the )?(Gemini CLI|Qwen Code)\\. We are setting up the context|^Got it\\. Thanks for the context!\\s*$");
def content($session):
  objects | if [set_up] | any then aside elif .parts | type != "array" then unread("\(.role // "content") without parts") else
  [.parts[] | objects] as $parts
  | {type: "message", session: $session} as $base
  | ([$parts[] | .functionResponse | objects | $base + {role: "tool", name: .name, tool_call_id: .id,
       content: (.response | if type == "object" then .output // .error // tojson else . end | if type == "string" then . else tojson end)}][]),
    ($base + {role: (if .role == "model" then "assistant" else "user" end), content: (.parts | words), strip: true,
       tool_calls: [$parts[] | .functionCall | objects | {id, type: "function", function: {name, arguments: (.args // {} | tojson)}}]}
     | select(.content != [] or .tool_calls != [])),
    aside, (.parts | torn)
  end;

select(type == "object")
| if $state.helper or .kind == "subagent" then (select(.kind == "subagent") | {type: "state", helper: true, session: .sessionId}), aside
  elif .sessionId and (.messageId | type == "number") and (.message | type == "string") then
    {type: "message", session: .sessionId, source_id: "\(.sessionId):\(.messageId)", time: .timestamp, role: "user", content: .message}
  elif .contents | type == "array" then .contents[] | content($file.session)
  elif .history | type == "array" then .history[] | content($file.session)
  elif .parts and .role then content($file.session)
  elif .sessionId and .messageId then empty
  elif .sessionId then
    (if (has("messages") | not) and ([to_entries[] | select(.value | type == "array" and length > 0)] != []) then unread("session without messages") else empty end),
    {type: "state", session: .sessionId},
    {type: "session", session: .sessionId, created: .startTime, updated: .lastUpdated, title: .summary,
     metadata: ({project_hash: .projectHash, cwd: ([$file.beside[".project_root"]? | strings] | first)}
       | with_entries(select(.value != null)) | select(. != {}) // null)},
    (.sessionId as $session | .messages | arrays | .[] | objects | if .type then message($session) else unread("message without a type") end)
  elif .["$set"] or .["$rewindTo"] then
    aside, (.["$set"] | objects | .messages | arrays | .[] | objects
      | if .type then message($state.session // $file.session) else unread("message without a type") end)
  else
    message($state.session // $file.session)
  end
