# OpenCode: what `opencode export SESSION` prints, an object with "info" and "messages", and rows of its database, an object with "info" and a
# message each: as export has them, or, since OpenCode 2, of a type, with data. Of its storage/, which has a file for each piece, the directory
# is read. Sessions of helpers, which have a parent, are left out, and so are summaries and what the program says as the person.
# pieces: messages[]
# kind: message.type

def session: .info | {type: "session", session: (.id // $file.session), title, created: .time.created, updated: .time.updated,
  metadata: ({cwd: .directory, version} | with_entries(select(.value != null)))};
def json: if type == "string" then . else tojson end;
def given: if type == "array" then [.[] | if type == "object" then .text // (if .name or .uri then "[file: \(.name // .uri)]" else tojson end) else json end] | join("\n")
  elif type == "object" then .message // tojson else . end;

# ---- as `opencode export` has them ----

def parts: {text: 1, reasoning: 1, file: 1, tool: 1, "step-start": 1, "step-finish": 1, snapshot: 1, patch: 1, agent: 1, retry: 1, compaction: 1, subtask: 1};
def exported($session):
  (.info // .) as $info
  | [.parts | arrays | .[] | objects | select(.synthetic != true and .ignored != true)] as $parts
  | {type: "message", session: $session, time: ($info.time.created? // null)} as $base
  | if $info.damaged or ($info.role | type != "string") then unread("damaged message")
    elif $info.summary == true then aside
    else
      (if has("parts") then aside else unread("message without parts") end),
      ($parts | unread_parts(parts)),
      ($base + {source_id: $info.id, role: $info.role,
         content: [$parts[] | if .type == "text" then {type, text} elif .type == "file"
           then {type: (if .mime // "" | startswith("image/") then "image" else "file" end), name: .filename} else empty end],
         tool_calls: [$parts[] | select(.type == "tool")
           | {id: .callID, type: "function", function: {name: .tool, arguments: (.state.input // {} | tojson)}}]}
       + (($info.modelID // $info.model.modelID?) | if type == "string" and $info.role == "assistant" then {model: .} else {} end)),
      ($parts[] | select(.type == "tool" and (.state.output // .state.error | type == "string"))
       | $base + {source_id: .id, role: "tool", name: .tool, tool_call_id: .callID, content: (.state.output // .state.error),
           time: (.state.time.end? // $base.time)}
         + (if .state.status == "error" then {is_error: true} else {} end)
         + (.state.metadata.exit? | if type == "number" then {exit_code: .} else {} end))
    end;

# ---- OpenCode 2 ----

def typed($session):
  .id as $id | .type as $type | .data as $d
  | {type: "message", session: $session, source_id: $id, time: .time} as $base
  | if $d | type != "object" then unread("damaged \($type)")
    elif $type == "user" and ($d | has("text")) then
      $base + {role: "user", content: ([{type: "text", text: ($d.text // "")}] + [$d.files | arrays | .[] | objects
        | {type: (if .mime // "" | startswith("image/") then "image" else "file" end), name: (.name // .filename)}])}
    elif $type == "assistant" and ($d.content | type == "array") then
      [$d.content[] | objects] as $parts
      | ([$parts[] | select(.type == "tool") | {id, type: "function", function: {name, arguments: (.state.input // {} | json)}}]) as $calls
      | aside,
        ($parts | unread_parts({text: 1, reasoning: 1, tool: 1})),
        ([$parts[] | select(.type == "text") | {type, text}] as $said
         | select($said != [] or $calls != [])
         | $base + {role: "assistant", content: $said, tool_calls: $calls} + ([$d.model | objects | .id | strings | {model: .}] | first // {})),
        ($parts[] | select(.type == "tool") | (.state.content // .state.output // .state.error | select(. != null) | given) as $out
         | select($out != "")
         | $base + {source_id: "\($id):\(.id)", role: "tool", name, tool_call_id: .id, content: $out, time: (.time.completed? // $base.time)}
           + (if .state.status == "error" then {is_error: true} else {} end)
           + (.state.metadata.exit? | if type == "number" then {exit_code: .} else {} end))
    elif $type == "shell" and $d.command then
      $base + {role: "tool", name: "bash", content: ("$ \($d.command)\n" + ([$d.output | if type == "object" then .output // .text // .stdout // "" else . // "" end | strings] | join("\n")))}
        + ($d.exit | if type == "number" then {exit_code: .} else {} end)
    elif $type | IN("synthetic", "system", "skill", "compaction", "idle", "agent-switched", "model-switched", "location-switched") then aside
    else empty end;

if type == "object" and ((.messages | type == "array") or (.message | type == "object")) then . else
  error("a piece of OpenCode's storage, whose directory storage takes it with all others")
end
| (.info.id // $file.session) as $session
| if (.info.parentID // "") != "" then aside
elif .message | type == "object" then [.message | typed($session)] as $said | select($said != []) | session, $said[]
  else session, (.messages[] | objects | exported($session)) end
