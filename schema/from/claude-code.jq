# Claude Code's session files, ~/.claude/projects/*/*.jsonl: a line an event. The vendor calls the form internal, so what is not
# known here is skipped. Left out: other agents' side chains, meta lines, the summaries of compaction, thinking, the program's own
# notices. A user line with tool results becomes a tool's message for each.

def notice: startswith("[Request interrupted by user");
def text:
  if type == "string" then select(notice | not)
  else [.[]? | select(type == "string" or (type == "object" and (.type == "text" or .type == "image" or .type == "document")))
    | select((strings // (.text? | strings) // "") | notice | not)] end;
def results: if type == "array" then to_entries | map(select(.value | objects | .type == "tool_result")) else [] end;
# iFlow writes this form, too, but for what its tools gave: that is in an object, as Gemini has it.
def given:
  if type != "object" then . else
    [.. | objects | .functionResponse? | objects | .response | if type == "object" then .output // .error // . else . end
      | if type == "string" then . else tojson end] as $outputs
    | if $outputs != [] then $outputs | join("\n") else . end
  end;
def calls: if type == "array" then [.[] | objects | select(.type == "tool_use" or .type == "server_tool_use")
    | {id, type: "function", function: {name, arguments: (.input | if type == "string" then . else tojson end)}}] else [] end;

select(type == "object" and (.isSidechain or .isMeta or .isCompactSummary or .isVisibleInTranscriptOnly or .isApiErrorMessage | not))
| (.sessionId // .session_id // $file.session) as $session
| {type: "message", session: $session, time: (.timestamp // null), source_id: .uuid} as $base
| if .type == "user" and .message and (.parent_tool_use_id | not) then
    (select($state.session != $session)
     | {type: "state", session: $session},
       {type: "session", session: $session, created: .timestamp,
        metadata: ({cwd, branch: .gitBranch, version} | with_entries(select(.value != null)))}),
    (.message.content as $content
     | ($content | results | .[]
        | $base + {source_id: "\($base.source_id):\(.key)", role: "tool", tool_call_id: .value.tool_use_id, content: (.value.content | given)}
          + (.value.is_error | if type == "boolean" then {is_error: .} else {} end)),
       ($content | text | select(length > 0)
        | $base + {role: "user", content: ., strip: true}))
  elif .type == "system" and .subtype == "init" and .session_id then
    {type: "state", session: $session}, {type: "session", session: $session, metadata: ({cwd, model} | with_entries(select(.value != null)))}
  elif .type == "assistant" and (.parent_tool_use_id | not) and .message.model != "<synthetic>" then
    .message
    | (.content | text) as $text
    | (.content | calls) as $calls
    | select(($text | length) > 0 or $calls != [])
    | $base + {role: "assistant", content: $text, tool_calls: $calls} + (if .model then {model} else {} end)
  elif .type == "attachment" and .attachment.type == "queued_command" and (.attachment.commandMode // "prompt") == "prompt" then
    .attachment.prompt | text | select(length > 0)
    | $base + {role: "user", content: ., strip: true}
  elif .type == "result" and $state == null and (.result | type == "string") then            # alone, as with --output-format json
    $base + {role: "assistant", content: .result}
  elif .type == "custom-title" then
    {type: "session", session: $session, title: .customTitle}
  elif .type == "ai-title" then
    {type: "session", session: $session, title: .aiTitle}
  elif .type == "summary" then
    {type: "session", session: $session, title: .summary}
  else empty end
