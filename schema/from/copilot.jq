# GitHub Copilot's chats in VS Code: what "Chat: Export Chat..." writes, and workspaceStorage/*/chatSessions/*.json: an object with
# "requests", or that object as a log of its changes (chatSessions/*.jsonl). An answer is put together from its pieces; what is only shown
# while it works is left out. What tools were given and gave stands in the metadata of the result.
# beside: ../workspace.json
# pieces: requests[]

# The path of a file: URI. What its "%" and two digits stand for are bytes of UTF-8.
def hex: explode | map(if . > 96 then . - 87 elif . > 64 then . - 55 else . - 48 end) | .[0] * 16 + .[1];
def utf8: . as $b
  | [foreach range(length) as $i ({left: 0, cp: 0};
      $b[$i] as $c
      | if $c < 128 then {left: 0, cp: $c} elif $c < 192 then {left: (.left - 1), cp: (.cp * 64 + $c - 128)}
        elif $c < 224 then {left: 1, cp: ($c - 192)} elif $c < 240 then {left: 2, cp: ($c - 224)} else {left: 3, cp: ($c - 240)} end;
      select(.left == 0).cp)] | implode;
def path: strings | select(startswith("file:///")) | .[7:]
  | [scan("(?:%[0-9A-Fa-f]{2})+|[^%]+|%") | if startswith("%") and length > 1 then [scan("[0-9A-Fa-f]{2}") | hex] | utf8 else . end] | join("");

def seen: {markdownContent: 1, markdownVuln: 1, warning: 1, inlineReference: 1, toolInvocationSerialized: 1, toolInvocation: 1, textEditGroup: 1,
  notebookEditGroup: 1, progressMessage: 1, progressTask: 1, progressTaskSerialized: 1, thinking: 1, prepareToolInvocation: 1, undoStop: 1,
  codeblockUri: 1, confirmation: 1, elicitation: 1, elicitationSerialized: 1, command: 1, treeData: 1, multiDiffData: 1, pullRequest: 1,
  mcpServersStarting: 1, extensions: 1, agentSession: 1, reference: 1, usedContext: 1, clearToPreviousToolInvocation: 1, codeCitation: 1, move: 1,
  hook: 1, questionCarousel: 1, workspaceEdit: 1, externalEdits: 1, disabledClaudeHooks: 1, todoList: 1, systemNotification: 1};
def lost: if .kind == null then select([.value, .content, (.value, .content | objects | .value) | strings] == []) | unread("response without words")
  elif seen["\(.kind)"] then empty
  else select([.. | strings | select(test("\\S\\s+\\S"))] != []) | unread("response \(.kind)") end;
# What tools gave: texts, or trees of a prompt's elements.
def given: [.content | arrays | .[] | objects
    | if .value | type == "string" then .value else [.value | .. | objects | .text? | strings] | join("") end | select(. != "")] | join("\n");
def rounds: [.result.metadata.toolCallRounds? | arrays | .[] | objects | .toolCalls | arrays | .[] | objects | select(.id and .name)];
def piece:
  if type == "string" then .
  elif .kind == null or .kind == "markdownContent" or .kind == "markdownVuln" or .kind == "warning" then
    (.value // .content) | if type == "object" then .value else . end | strings
  elif .kind == "inlineReference" then .name // (.inlineReference | .name? // (.path? // .uri.path? // "" | split("/") | last)) // "" | select(. != "") | "`\(.)`"
  else empty end;
def call:
  if .kind == "toolInvocationSerialized" or .kind == "toolInvocation" then
    {id: .toolCallId, type: "function", function: {name: .toolId,
      arguments: ((.toolSpecificData // {message: ((.pastTenseMessage // .invocationMessage) | if type == "object" then .value else . end)}) | tojson)}}
  elif .kind == "textEditGroup" then
    {type: "function", function: {name: "edit", arguments: ({path: .uri.path, edits} | tojson)}}
  else empty end;

if type != "object" or (.requests | type != "array") then error("a chat without \"requests\"") else . end
| . as $chat
| (.sessionId // $file.session) as $session
| {type: "session", session: $session, title: .customTitle, created: (.creationDate // null), updated: (.lastMessageDate // null),
   metadata: ([$file.beside["workspace.json"]? | objects | .folder | path] | first | if . then {cwd: .} else {} end)},
  (.requests | to_entries[] | .key as $i | .value | objects
   | (.requestId // "\($i + ($file.piece.first // 0))") as $id
   | {type: "message", session: $session} as $base
   | ($base + {source_id: $id, role: "user", time: .timestamp,
        content: ([.message | if type == "object" then .text // ([.parts[]? | .text? | strings] | join("")) else . // "" end]
          + [.variableData.variables[]? | objects | select(.kind == "image") | {type: "image", name}])}
      + (if $chat.requesterUsername // "" != "" then {name: $chat.requesterUsername} else {} end)),
     (select(.message | (type == "object" and ([.text, (.parts | arrays | .[] | objects | .text) | strings] != [])) or type == "string" | not) | unread("request without words")),
     (select(has("response") | not) | unread("request without an answer")),
     (.response | arrays | .[] | objects | lost),
     (rounds as $rounds
      | ([$rounds[].id] | map({key: ., value: true}) | from_entries) as $known
      | [.response | arrays | .[] | objects, strings] as $pieces
      | ([$pieces[] | objects | call] | if any(.[]; .id and $known[.id]) or $rounds == [] then . else map(select(.id | not)) end) as $shown
      | ($shown | map(select(.id and ($known[.id] | not) or (.id | not)))) as $others
      | $base + {source_id: (.responseId // "\($id):response"), role: "assistant",
          time: (if (.timestamp | type == "number") and (.result.timings.totalElapsed? | type == "number") then .timestamp + .result.timings.totalElapsed else .timestamp end),
          content: ([$pieces[] | piece] | join("")),
          tool_calls: ([$rounds[] | {id, type: "function", function: {name, arguments: (.arguments // {} | if type == "string" then . else tojson end)}}] + $others)}
        + (if .modelId then {model: .modelId} else {} end)),
     (.result.metadata.toolCallResults? | objects | to_entries[] | .key as $call | .value | objects | given | select(. != "")
      | $base + {source_id: "\($id):\($call)", role: "tool", tool_call_id: $call, content: .}))
