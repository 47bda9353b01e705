# Gemini CLI's session files, ~/.gemini/tmp/*/chats/session-*: a record of the session, then a message a line, and patches; or, older,
# one object with "messages". What was rewound was said all the same, and stays.

def calls: [.toolCalls | arrays | .[] | objects | {id, type: "function", function: {name, arguments: (.args // {} | tojson)}}];
def message($session):
  objects | select(.type == "user" or .type == "gemini")
  | {type: "message", session: $session, time: .timestamp} as $base
  | ($base + {source_id: .id, role: (if .type == "user" then "user" else "assistant" end), content: (.content // ""), tool_calls: calls,
       strip: true}
     + (if .model then {model} else {} end)),
    (.id as $id | .toolCalls | arrays | .[] | objects | select(.result != null)
     | $base + {source_id: "\($id):\(.id)", role: "tool", name: .name, tool_call_id: .id,
         content: (.result | if type == "string" then .
           else [.. | objects | .functionResponse? | objects | .response | .output? // .error? // tojson
             | if type == "string" then . else tojson end] | join("\n") end)});

select(type == "object")
| if .sessionId then
    {type: "state", session: .sessionId},
    {type: "session", session: .sessionId, created: .startTime, updated: .lastUpdated, title: .summary,
     metadata: (if .projectHash then {project_hash: .projectHash} else null end)},
    (.sessionId as $session | .messages | arrays | .[] | message($session))
  elif .["$set"] then
    .["$set"].messages | arrays | .[] | message($state.session // $file.session)
  else
    message($state.session // $file.session)
  end
