# OpenCode: what `opencode export SESSION` prints, an object with "info" and "messages". Of its storage/, which has a file for
# each piece, the directory is read.
# pieces: messages[]
if type == "object" and (.messages | type == "array") then . else
  error("a piece of OpenCode's storage, whose directory storage takes it with all others")
end
| .info.id as $own
| ($own // $file.session) as $session
| {type: "session", session: $session, title: .info.title, created: .info.time.created, updated: .info.time.updated,
   metadata: ({cwd: .info.directory, version: .info.version} | with_entries(select(.value != null)))},
  (.messages[] | objects
   | (.info // .) as $info
   | [.parts | arrays | .[] | objects | select(.synthetic != true and .ignored != true)] as $parts
   | {type: "message", session: $session, time: ($info.time.created? // null)} as $base
   | ($base + {source_id: $info.id, role: ($info.role // "user"),
        content: [$parts[] | if .type == "text" then {type, text} elif .type == "file"
          then {type: (if .mime // "" | startswith("image/") then "image" else "file" end), name: .filename} else empty end],
        tool_calls: [$parts[] | select(.type == "tool")
          | {id: .callID, type: "function", function: {name: .tool, arguments: (.state.input // {} | tojson)}}]}
      + (($info.modelID // $info.model.modelID?) | if type == "string" and $info.role == "assistant" then {model: .} else {} end)),
     ($parts[] | select(.type == "tool" and (.state.output // .state.error | type == "string"))
      | $base + {source_id: .id, role: "tool", name: .tool, tool_call_id: .callID, content: (.state.output // .state.error),
          time: (.state.time.end? // $base.time)}
        + (if .state.status == "error" then {is_error: true} else {} end)
        + (.state.metadata.exit? | if type == "number" then {exit_code: .} else {} end)))
