# Gemini CLI's session files, ~/.gemini/tmp/*/chats/session-*: a record of the session, then a message a line, and patches; or, older,
# one object with "messages". What was rewound was said all the same, and stays. A message is written again when its calls are known and
# when they have ended: so each call and each result is a message of its own. Further, what "/chat save" keeps (checkpoint-NAME.json) and what
# the API takes: an array of "contents", {"role", "parts"}, in which nothing has an id; and logs.json, what the person typed.
# Where it worked stands in .project_root beside "chats".
# beside: ../.project_root
# pieces: messages[] contents[] history[] $set.messages[]

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

def message($session):
  objects | select(.type == "user" or .type == "gemini" or .type == "qwen")
  | .id as $id
  | def known($call; $what): if $id then {source_id: "\($id):\($call)\($what)"} else {} end;
    {type: "message", session: $session, time: .timestamp} as $base
  | (if .model then {model} else {} end) as $model
  | (.content | words | select(length > 0)
     | $base + {source_id: $id, role: "user", content: ., strip: true})
    + (if .type == "user" then {} else {role: "assistant"} + $model end),
    (.toolCalls | arrays | .[] | objects
     | ($base + known(.id; ":call") + {role: "assistant", content: "",
          tool_calls: [{id, type: "function", function: {name, arguments: (.args // {} | tojson)}}]} + $model),
       (select(.result != null)
        | $base + known(.id; "") + {role: "tool", name: .name, tool_call_id: .id, content: (.result | result)}
           + (if .status == "error" then {is_error: true} else {} end)))
  ;

# What the program itself says before the first words of a person.
def set_up: .parts[0].text? | strings | test("^This is (the )?(Gemini CLI|Qwen Code)\\. We are setting up the context|^Got it\\. Thanks for the context!\\s*$");
def content($session):
  objects | select((.parts | type == "array") and ([set_up] | any | not))
  | [.parts[] | objects] as $parts
  | {type: "message", session: $session} as $base
  | ([$parts[] | .functionResponse | objects | $base + {role: "tool", name: .name, tool_call_id: .id,
       content: (.response | if type == "object" then .output // .error // tojson else . end | if type == "string" then . else tojson end)}][]),
    ($base + {role: (if .role == "model" then "assistant" else "user" end), content: (.parts | words), strip: true,
       tool_calls: [$parts[] | .functionCall | objects | {id, type: "function", function: {name, arguments: (.args // {} | tojson)}}]}
     | select(.content != [] or .tool_calls != []));

select(type == "object")
| if .sessionId and (.messageId | type == "number") and (.message | type == "string") then
    {type: "message", session: .sessionId, source_id: "\(.sessionId):\(.messageId)", time: .timestamp, role: "user", content: .message}
  elif .contents | type == "array" then .contents[] | content($file.session)
  elif .history | type == "array" then .history[] | content($file.session)
  elif .parts and .role then content($file.session)
  elif .sessionId then
    {type: "state", session: .sessionId},
    {type: "session", session: .sessionId, created: .startTime, updated: .lastUpdated, title: .summary,
     metadata: ({project_hash: .projectHash, cwd: ([$file.beside[".project_root"]? | strings] | first)}
       | with_entries(select(.value != null)) | select(. != {}) // null)},
    (.sessionId as $session | .messages | arrays | .[] | message($session))
  elif .["$set"] then
    .["$set"].messages | arrays | .[] | message($state.session // $file.session)
  else
    message($state.session // $file.session)
  end
