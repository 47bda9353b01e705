# pi's sessions, ~/.pi/agent/sessions/*/*.jsonl, and the same form as OpenClaw and Factory's Droid (~/.factory/sessions) write it: a line
# about the session, then an entry a line. Thinking, summaries of compaction and the program's own entries are left out. A fork begins with its
# parent's entries, which are given as the parent's: those that are no younger than the fork, up to the parent's own parents.
# parents: parentSession
# kind: type message.role
def calls: [.[] | objects | select(.type == "toolCall" or .type == "tool_use")
  | {id, type: "function", function: {name, arguments: (.arguments // .input // {} | if type == "string" then . else tojson end)}}];
def results: to_entries[] | select(.value | objects | .type == "tool_result");

# Whose an entry is: $forks are the heads of the fork and its parents, the youngest first.
def owner($forks; $time): first((range(($forks | length) - 1) as $i | select($time == null or $time > ($forks[$i].timestamp // "")) | $forks[$i].id), $forks[-1].id);

select(type == "object")
| ((if $state.forks then owner($state.forks; .timestamp) else $state.session end) // $file.session) as $session
| {type: "message", session: $session, source_id: (.id // "\($session):\($file.line)"), time: (.timestamp // null)} as $base
| if .type == "session" or .type == "session_start" then
    ([{id: (.id // $file.session), timestamp}] + [$file.parents | arrays | .[] | {id, timestamp}]) as $forks
    | {type: "state", session: (.id // $file.session)} + (if ($forks | length) > 1 then {$forks} else {} end),
      {type: "session", session: (.id // $file.session), created: .timestamp, title: (.sessionTitle // .title // null),
       metadata: ({cwd, version: (.version | if type == "number" then tostring else . end)} | with_entries(select(.value != null)))}
  elif .type == "session_info" and .name then
    {type: "session", session: $session, title: .name}
  elif .type == "message" then
    (.message | objects)
    | [.content | if type == "array" then .[] else strings end] as $parts
    | if .role == "toolResult" then
        $base + {role: "tool", name: .toolName, tool_call_id: .toolCallId, content: $parts} + (if .isError then {is_error: true} else {} end)
      elif .role == "bashExecution" then
        $base + {role: "tool", name: "bash", content: "$ \(.command)\n\(.output // "")"}
      elif .role == "user" or .role == "assistant" then
        ($parts | results | $base + {source_id: "\($base.source_id):\(.key)", role: "tool", tool_call_id: .value.tool_use_id, content: .value.content}),
        ([$parts[] | select(type == "string" or .type == "text" or .type == "image" or .type == "document")] as $said
         | $base + {role, content: $said, tool_calls: ($parts | calls), strip: true} + (if .model then {model} else {} end)
         | select($said != [] or .tool_calls != [])),
        ($parts | unread_parts({text: 1, image: 1, document: 1, toolCall: 1, tool_use: 1, tool_result: 1, thinking: 1, redacted_thinking: 1, reasoning: 1})),
        (select($parts != [] or (.content | type == "array" or type == "string")) | aside)
      elif .role | IN("branchSummary", "compactionSummary", "custom", "hookMessage", "system", "developer") then aside
      else empty end
  elif .type | IN("model_change", "thinking_level_change", "compaction", "branch_summary", "custom", "custom_message", "label", "session_info", "session_end",
    "compaction_state", "todo_state", "mode_change", "ttsr_injection", "session_init", "bashExecution", "leaf", "active_tools_change") then aside
  else empty end
