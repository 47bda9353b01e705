# Kiro's sessions: ~/.kiro/sessions/cli/ID.jsonl, an entry a line, beside which ID.json lies; ~/.kiro/sessions/PLACE/sess_ID/messages.jsonl of
# Kiro 1.0, an event a line, beside which session.json lies; and the rows of data.sqlite3, Kiro's and Amazon Q's, that kiro.sql gives: an exchange
# each, in which a person speaks or tools have answered. Thinking and summaries are left out.
# beside: @.json session.json
# kind: kind type payload.type

def text: if type == "string" then . elif type == "array" then [.[] | text | select(. != "")] | join("\n")
  elif type == "object" then
    if .kind == "text" or .kind == "json" then .data | text
    elif has("Text") then .Text elif has("Json") then .Json | text
    elif has("stdout") or has("stderr") then [.stdout, .stderr | strings | select(. != "")] | join("\n")
    else tojson end
  elif . == null then "" else tojson end;
def exit_code: [.. | objects | .exit_status? | strings | capture("(?<n>-?[0-9]+)$").n | tonumber][:1] | if . == [] then {} else {exit_code: .[0]} end;
def cwd($cwd): {cwd: $cwd} | with_entries(select(.value != null));

# ---- the journal ----

def seen: {text: 1, toolUse: 1, toolResult: 1, thinking: 1, image: 1, reasoning: 1, redactedThinking: 1, document: 1, json: 1};
def entry:
  ([$file.beside | objects | to_entries[].value | objects] | first // {}) as $about
  | ($state.session // $about.session_id // $file.session) as $session
  | [.data | objects | .content | if type == "array" then .[] | objects else {kind: "text", data: (strings // empty)} end] as $parts
  | (.data.meta.timestamp? // null) as $time
  | {type: "message", session: $session, time: $time, source_id: (.data.message_id? // "\($session):\($file.line)")} as $base
  | (select($state == null and (.kind | IN("Prompt", "AssistantMessage", "ToolResults", "Compaction", "Clear")) and $parts != []) | {type: "state", $session},
      {type: "session", session: $session, title: $about.title, created: $about.created_at, updated: $about.updated_at, metadata: cwd($about.cwd)}),
    ($parts | unread_parts(seen)),
    [$parts[] | if .kind == "text" then {type: "text", text: .data} elif .kind == "image" then {type: "image"} else empty end] as $said
    | if .kind == "Prompt" and $parts != [] then
        $base + {role: "user", content: $said, strip: true}
      elif .kind == "AssistantMessage" and $parts != [] then
        [$parts[] | select(.kind == "toolUse") | .data | objects
          | {id: .toolUseId, type: "function", function: {name, arguments: (.input // {} | tojson)}}] as $calls
        | if $calls == [] and ([$said[].text | strings | select(. != "")] == []) then aside
          else $base + {role: "assistant", content: $said, tool_calls: $calls} end
      elif .kind == "ToolResults" and $parts != [] then
        $parts | to_entries[] | select(.value.kind == "toolResult") | .key as $i | .value.data | objects
        | $base + {source_id: (if $i == 0 then $base.source_id else "\($base.source_id):\($i)" end), role: "tool", tool_call_id: .toolUseId, content: (.content | text)}
          + (.content | exit_code) + (if .status == "error" then {is_error: true} else {} end)
      elif .kind | IN("Compaction", "Clear", "ResetTo", "CancelledPrompt", "Summary") then aside
      else empty end;

# ---- the events ----

def event:
  ([$file.beside | objects | to_entries[].value | objects] | first // {}) as $about
  | ($state.session // $about.id // if $file.name | test("(^|/)messages\\.jsonl") then $file.directory | select(. != "") else null end
      // $file.session) as $session
  | .payload as $p
  | {type: "message", session: $session, source_id: (.id // "\($session):\($file.line)"), time: .timestamp} as $base
  | (select($state == null) | {type: "state", $session},
      {type: "session", session: $session, title: $about.title, created: $about.createdAt, updated: $about.lastModifiedAt,
       metadata: cwd($about.workspacePaths[0]?)}),
    ($p.content | unread_parts(seen)),
    if $p.type == "user" then
      $base + {role: "user", content: [{type: "text", text: ($p.content | text)}, ($p.images[]? | {type: "image"})], strip: true}
    elif $p.type == "assistant" then
      if $p.operationType | . == "Reasoning" or . == "Summary" or . == "PrintSummary" then aside
      else $p.content | text | if . == "" then aside else $base + {role: "assistant", content: .} end end
    elif $p.type == "tool_call" and ($p.toolName | type) == "string" then
      $base + {role: "assistant", content: "",
        tool_calls: [{id: $p.toolCallId, type: "function", function: {name: $p.toolName, arguments: ($p.args // {} | tojson)}}]}
    elif $p.type == "tool_result" then
      $base + {role: "tool", tool_call_id: $p.toolCallId, content: ($p.content | text)} + ($p.content | exit_code)
        + (if $p.success == false or ($p.status | IN("error", "failed", "failure")) then {is_error: true} else {} end)
    elif $p.type | strings | test("^(session_|turn_|usage_|sub_agent_|interaction_|pending_|mode_|tool_revert$|tombstone$|error$|agent_note$)")
    then aside else empty end;

# ---- the database ----

def exchange:
  .kiro as $k
  | if .entry | type != "object" and type != "array" then unread("damaged conversation") else
  ((.entry | if type == "array" then {user: .[0], assistant: .[1]} else . end) | objects) as $e
  | ($e.user | objects // {}) as $u
  | ($e.assistant | objects // {}) as $a
  | {type: "message", session: $k.id} as $base
  | ($u.content | objects // {}) as $c
  | ($a.Response // $a.ToolUse // {}) as $answer
  | {type: "session", session: $k.id, created: $k.created, updated: $k.updated,
     metadata: cwd($k.cwd // $u.env_context.env_state.current_working_directory?)},
    (($c.Prompt // $c.CancelledToolUses) | objects | .prompt | strings | select(. != "")
     | $base + {source_id: "\($k.id):\($k.at)", role: "user", content: ., time: $u.timestamp, strip: true}),
    (($c.ToolUseResults // $c.CancelledToolUses) | objects | .tool_use_results | arrays | .[] | objects
     | $base + {source_id: "\($k.id):\($k.at):\(.tool_use_id)", role: "tool", tool_call_id: .tool_use_id, content: (.content | text), time: $u.timestamp}
       + (.content | exit_code) + (if .status == "Error" then {is_error: true} else {} end)),
    (select($e.user != null and ([$c.Prompt, $c.CancelledToolUses, $c.ToolUseResults | objects] == [])) | unread("user without a prompt")),
    (select($e.assistant != null and ([$a.Response, $a.ToolUse | objects] == [])) | unread("assistant without a response")),
    ($answer | objects | select(. != {})
     | [.tool_uses | arrays | .[] | objects | {id, type: "function", function: {name: (.orig_name // .name), arguments: (.args // .orig_args // {} | tojson)}}] as $calls
     | select((.content // "") != "" or $calls != [])
     | $base + {source_id: "\($k.id):\($k.at):answer", role: "assistant", content: (.content // ""), tool_calls: $calls,
         time: ($e.request_metadata.stream_end_timestamp_ms? // $u.timestamp)}
       + ($e.request_metadata.model_id? | if type == "string" then {model: .} else {} end))
  end;

if type != "object" then empty elif .kiro then exchange elif .payload | type == "object" then if $file.name | test("(^|/)sub-executions/") then aside else event end
elif .dataModelVersion then aside else entry end
