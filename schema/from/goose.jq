# Goose: sessions/*.jsonl, a line about the session and a message a line; or what `goose session export --format json` prints. What was made
# for the model alone is left out.
# pieces: messages[] conversation[]
# kind: role

def parts: {text: 1, image: 1, toolRequest: 1, frontendToolRequest: 1, toolResponse: 1, toolConfirmationRequest: 1, thinking: 1, redactedThinking: 1, reasoning: 1, contextLengthExceeded: 1, summarizationRequested: 1, systemNotification: 1, conversationCompacted: 1, actionRequired: 1};
def result: .toolResult | if .value | type == "array" then .value elif .value | type == "object" and (.content | type == "array") then .value.content
  else [.value, .error | strings] end
  | [.[] | if type == "object" then select(.annotations.audience // .audience // ["assistant"] | any(.[]; . == "assistant")) else . end];
def said($session):
  (.id // null) as $id
  | {type: "message", session: $session, time: (.created // null)} as $base
  | [.content | if type == "array" then .[] | objects else {type: "text", text: .} end] as $parts
  | ($base + {source_id: $id, role, content: [$parts[] | select(.type == "text" or .type == "image")],
       tool_calls: [$parts[] | select(.type == "toolRequest" or .type == "frontendToolRequest")
         | {id, type: "function", function: (.toolCall.value // {} | {name, arguments: (.arguments // {} | tojson)})}]}
     | select(.content != [] or .tool_calls != [])),
    aside,
    ($parts | unread_parts(parts)),
    ($parts | to_entries[] | select(.value.type == "toolResponse")
     | $base + {source_id: (if $id then "\($id):\(.key)" else null end), role: "tool", tool_call_id: .value.id, content: (.value | result)}
       + (if .value.toolResult.status? == "error" then {is_error: true} else {} end));
def message($session):
  objects
  | if .metadata | type == "object" and .userVisible == false then aside
    elif .role and .content != null then said($session) else unread("message without role or content") end;

select(type == "object")
| if .conversation or (.messages | type == "array") then
    (.id // $file.session) as $session
    | {type: "session", session: $session, title: (.name // .description), created: .created_at, updated: .updated_at,
       metadata: ({cwd: .working_dir} | with_entries(select(.value != null)))},
      ((.conversation | arrays, (objects | .messages)), .messages | arrays | .[] | message($session))
  elif .role then message($file.session)
  else
    {type: "session", session: $file.session, title: .description, metadata: ({cwd: .working_dir} | with_entries(select(.value != null)))}
  end
