# GitHub Copilot CLI's sessions, ~/.copilot/session-state/ID/events.jsonl: an event a line, with what belongs to it in "data".
select(type == "object")
| (.data | objects // {}) as $d
| ($state.session // (if $file.directory != "" and ($file.name | split("/") | .[-1] | startswith("events.")) then $file.directory else $file.session end)) as $session
| {type: "message", session: $session, source_id: (.id // "\($session):\($file.line)"), time: .timestamp} as $base
| if .type == "session.start" or .type == "session.resume" then
    ($d.sessionId // $session) as $id
    | {type: "state", session: $id},
      {type: "session", session: $id, created: ($d.startTime // .timestamp),
       metadata: (($d.context // {}) | {cwd: (.cwd // $d.cwd), branch, version: ($d.copilotVersion // null)} | with_entries(select(.value != null)))}
  elif .type == "user.message" then
    $base + {role: "user", strip: true, content: ([$d.content // .content // ""]
      + [$d.attachments | arrays | .[] | objects | {type: (.type // "file"), name: (.displayName // .path)}])}
  elif .type == "assistant.message" then
    $base + {role: "assistant", content: ($d.content // .content // ""), tool_calls: [$d.toolRequests | arrays | .[] | objects
      | {id: .toolCallId, type: "function", function: {name, arguments: (.arguments // .input | if type == "string" then . else tojson end)}}]}
      + (if $d.model then {model: $d.model} else {} end)
  elif .type == "tool.execution_complete" then
    $base + {role: "tool", tool_call_id: $d.toolCallId,
      content: ($d.result // $d.error | if type == "object" then .content // .message // tojson else . // "" end)}
      + (if $d.success == false then {is_error: true} else {} end)
  elif .type == "session.title_changed" and $d.title then
    {type: "session", session: $session, title: $d.title}
  else empty end
