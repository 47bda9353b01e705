# Kimi's sessions, ~/.kimi/sessions/*/ID/context.jsonl: a message a line as OpenAI has them, and marks of its own, whose roles begin with "_".
# And those of Kimi Code, ~/.kimi-code/sessions/*/ID/agents/main/wire.jsonl: an event a line; an answer comes in parts, which are put
# together until its step ends. Thinking is left out. Where it worked stands in state.json.
# What a helper was told, in agents/NAME beside main, is left out.
# beside: ../../state.json
# kind: type role event.type event.part.type
def context:
  (if $file.directory != "" and ($file.name | split("/") | .[-1] | startswith("context")) then $file.directory else $file.session end) as $session
  | {type: "message", session: $session, source_id: "\($session):\($file.line)", role, content: (.content // ""),
     tool_calls: [.tool_calls | arrays | .[]]} + (if .tool_call_id then {tool_call_id} else {} end);

def session:
  ($file.name | split("/")) as $path
  | if ($path | length) > 3 and $path[-3] == "agents" then $path[-4] + (if $path[-2] == "main" then "" else ":" + $path[-2] end)
    else $file.session end;
def flush($s): if ($s.held // []) != [] then
    {type: "message", session: session, source_id: $s.held_id, time: $s.held_time, role: "assistant", content: ($s.held | join(""))}
    + (if $s.model then {model: $s.model} else {} end) else empty end;
def result: .output // . | if type == "array" then [.[] | if type == "object" then .text // empty else . end] | join("\n") elif type == "string" then . else tojson end;
def wire:
  session as $session
  | ($state // {}) as $s
  | .event as $e
  | {type: "message", session: $session, time: (.time // null), source_id: "\($session):\($file.line)"} as $base
  | if $session | contains(":") then aside
    elif . == null then flush($s), {type: "state", model: $s.model}
    elif .type == "metadata" then
      ([$file.beside["state.json"]? | objects] | first // {}) as $about
      | {type: "session", session: $session, created: .created_at, title: $about.title,
         metadata: ({cwd: $about.workDir} | with_entries(select(.value != null)))}
    elif .type == "config.update" then
      aside, (select(.modelAlias // .model) | $s + {type: "state", model: (.model // .modelAlias)}),
      (select(.cwd) | {type: "session", session: $session, metadata: {cwd}})
    elif .type == "context.append_message" then
      flush($s), {type: "state", model: $s.model},
      (if (.message | type) != "object" then unread("message of another form") else empty end),
      (if .message | objects | has("content") or (.toolCalls // [] | length) > 0 then aside, (.message.content | arrays | unread_parts({text: 1, think: 1, image_url: 1, audio_url: 1, video_url: 1})) else unread("message without content") end),
      (.message | objects | select((.origin.kind? // "user") == "user" or .role != "user")
       | $base + {role, content: [.content | if type == "string" then . else arrays | .[] | objects | select(.type != "think") end], strip: true,
           tool_calls: [.toolCalls | arrays | .[]]} | select(.content != [] or .tool_calls != []))
    elif $e.type == "content.part" and $e.part.type == "text" and ($e.part.text | type == "string") then
      {type: "state", model: $s.model, held: [($s.held // [] | join("")) + $e.part.text], held_id: ($s.held_id // "\($session):\($e.uuid // $file.line)"),
       held_time: ($s.held_time // .time)}
    elif $e.type == "tool.call" then
      flush($s), {type: "state", model: $s.model},
      ($base + {role: "assistant", content: "", tool_calls: [{id: $e.toolCallId, type: "function",
         function: {name: $e.name, arguments: ($e.args | if type == "string" then . else tojson end)}}]})
    elif $e.type == "tool.result" then
      $base + {role: "tool", tool_call_id: $e.toolCallId, content: ($e.result | result)} + (if $e.result.isError? then {is_error: true} else {} end)
    elif $e.type == "step.end" or $e.type == "step.begin" then aside, (select(($s.held // []) != []) | flush($s), {type: "state", model: $s.model})
    elif $e.type == "content.part" and ($e.part.type | IN("think", "image_url", "audio_url", "video_url")) then aside
    elif .type != "context.append_message" and $e == null and (.type // "" | test("^(usage|turn|tools?|approval|permission|plan|todo|compaction|status|session|micro|goal|subagent|hook|full_compaction|config|metadata|runtime|background|mcp|skill|cron|forked|llm|context\\.(clear|apply_compaction|undo))\\b")) then aside
    elif $e and ($e.type // "" | test("^(usage|turn|tool\\.(progress|update|delta)|status|error|retry|llm|hook|step)\\b")) then aside
    else empty end;

if type == "object" and (.role | type == "string") then
  if .role | startswith("_") then aside
  else (if has("content") or (del(.tool_calls) | [.. | strings | select(test("\\S\\s+\\S"))] == []) then aside, (.content | arrays | unread_parts({text: 1, think: 1, image_url: 1, audio_url: 1, video_url: 1})) else unread("\(.role) without content") end), context end
elif . == null or (type == "object" and .type) then wire
elif .workDir? or .agents? then aside
else empty end
