# Continue's sessions, ~/.continue/sessions/ID.json, and those of what grew out of it: an object with "history". Context that was put beside
# a question is named, not repeated; thinking is left out.
# pieces: history[]
def said: if type == "string" then . elif type == "array" then [.[] | if type == "object" and .type == "imageUrl" then {type: "image"} else . end] else "" end;
if type != "object" or (.history | type != "array") then error("a session without \"history\"") else . end
| (.sessionId // $file.session) as $session
| {type: "session", session: $session, title: .title,
   metadata: ({cwd: (.workspaceDirectory // .workspacePath)} | with_entries(select(.value != null and .value != "")))},
  (.history | to_entries[] | (.key + ($file.piece.first // 0)) as $i | .value | objects
   | . as $item
   | (.message // .) as $m
   | select($m.role != "thinking")
   | [$item.contextItems | arrays | .[] | objects | .name | strings] as $beside
   | {type: "message", session: $session, source_id: ($m.id // "\($session):\($i)"), role: $m.role, content: ($m.content | said),
      time: ($item.timestamp // $m.timestamp // null)}
     + (if $m.role == "tool" then {tool_call_id: $m.toolCallId} else {tool_calls: [$m.toolCalls | arrays | .[]]} end)
     + (if $m.role == "user" and $beside != [] then {attachments: $beside} else {} end)
     + (if $item.promptLogs[0].modelTitle? then {model: $item.promptLogs[0].modelTitle} else {} end))
