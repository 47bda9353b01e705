# Cursor's transcripts, ~/.cursor/projects/*/agent-transcripts/*: a message a line, {"role", "message": {"content": [...]}}. There are no ids
# and no times; the file is the session. Of a person's turn what stands in <user_query> was typed. And the rows of its database that
# cursor.sql gives: a bubble each, with its conversation, or a message of its command line. Where it worked stands in the .workspace-trusted of
# its project. What the program tells of the machine, the files that are open and its rules is nobody's.
# kind: role chat.message.role bubble.type
# beside: ../.workspace-trusted ../../.workspace-trusted
def typed: if contains("<user_query>") then
    split("<user_query>")[1:] | map(split("</user_query>")[0] | ltrimstr("\n") | rtrimstr("\n")) | join("\n\n")
  else . end;
def json: if type == "string" then . else tojson end;
def bubble:
  .composer as $c | .id as $id
  | (.bubble // {}) as $b
  | ([$b.toolFormerData | objects] | first) as $tool
  | {type: "message", session: $c.id, time: ($b.createdAt // .header.createdAt? // null)} as $base
  | ({type: "session", session: $c.id, title: $c.name, created: $c.created, updated: $c.updated,
      metadata: ({cwd: $c.folder} | with_entries(select(.value != null)))}),
    ($base + {source_id: "\($c.id):\($id)", role: (if $b.type == 1 then "user" else "assistant" end), strip: true,
       content: (($b.text // "") | typed), tool_calls: [$tool | objects | select(.name) | {id: (.toolCallId // $id), type: "function",
         function: {name, arguments: (.rawArgs // .params // {} | json)}}]}
     + (if $b.type != 1 and $c.model then {model: $c.model} else {} end)
     | select(.content != "" or .tool_calls != [])),
    ($tool | objects | select(.result | type == "string" and . != "")
     | $base + {source_id: "\($c.id):\($id):result", role: "tool", tool_call_id: (.toolCallId // $id), content: .result});

def hex: explode | map(if . > 96 then . - 87 elif . > 64 then . - 55 else . - 48 end) | .[0] * 16 + .[1];
def utf8: . as $b
  | [foreach range(length) as $i ({left: 0, cp: 0};
      $b[$i] as $c
      | if $c < 128 then {left: 0, cp: $c} elif $c < 192 then {left: (.left - 1), cp: (.cp * 64 + $c - 128)}
        elif $c < 224 then {left: 1, cp: ($c - 192)} elif $c < 240 then {left: 2, cp: ($c - 224)} else {left: 3, cp: ($c - 240)} end;
      select(.left == 0).cp)] | implode;
def about: if type == "string" then (if startswith("{") then . else [scan("[0-9A-Fa-f]{2}") | hex] | utf8 end | try fromjson catch {}) | objects else {} end;
def put_in: test("^\\s*<(user_info|git_status|project_layout|rules|agent_skills|additional_data|attached_files|open_and_recently_viewed_files|system_reminder|mcp_file_system|always_applied_workspace_rules|agent_transcripts|timestamp)\\b") and (contains("<user_query>") | not);
def words: [.content | if type == "array" then .[] else {type: "text", text: .} end | if type == "string" then {type: "text", text: .} else objects end];
def known: {text: 1, image: 1, file: 1, "tool-call": 1, "tool-result": 1, tool_use: 1, tool_result: 1, reasoning: 1, "redacted-reasoning": 1, thinking: 1, redacted_thinking: 1};
def lost: unread_parts(known);
def chat:
  .id as $id
  | ([.about | about] | first // {}) as $about
  | ($about.agentId // $file.directory) as $session
  | {type: "message", session: $session} as $base
  | .message | objects
  | words as $parts
  | ([$parts[] | select(.type == "tool-call") | {id: .toolCallId, type: "function", function: {name: .toolName, arguments: (.args // .input // {} | json)}}]) as $calls
  | {type: "session", session: $session, title: $about.name, created: $about.createdAt,
     metadata: ([$parts[].text | strings | capture("Workspace Path: (?<cwd>[^\n]+)").cwd] | first | if . then {cwd: .} else {} end)},
    ($parts | lost),
    if .role == "system" then aside
    elif .role == "tool" then
      $parts | to_entries[] | select(.value.type == "tool-result") | .key as $i | .value
      | (.result // .output // .content // "") as $out
      | $base + {source_id: "\($id):\($i)", role: "tool", name: .toolName, tool_call_id: .toolCallId, content: ($out | json)}
    elif .role == "user" then
      [$parts[] | select(.type == "text" or .type == "image" or .type == "file") | select((.text // "" | put_in) | not) | if .text then .text |= typed else . end] as $said
      | if $said == [] and $parts != [] then aside else $base + {source_id: $id, role: "user", content: $said, strip: true} end
    elif .role == "assistant" then
      [$parts[] | select(.type == "text" and .text != "")] as $said
      | if $said == [] and $calls == [] and $parts != [] then aside
        else $base + {source_id: $id, role: "assistant", content: $said, tool_calls: $calls}
          + ($about.lastUsedModel | if type == "string" then {model: .} else {} end) end
    else empty end;

if type != "object" then empty
elif .chat then .chat | if .message | type == "object" then chat else unread("blob") end
elif .composer then (select(.bubble | objects | has("text") or has("toolFormerData") or has("thinking") or has("capabilityType")) | aside), bubble
else
  ([$file.beside[".workspace-trusted"]? | objects | .workspacePath | strings] | first | select(.)
   | {type: "session", session: $file.session, metadata: {cwd: .}}),
  (.role as $role
  | [.message | objects | .content | if type == "array" then .[] | objects else {type: "text", text: .} end] as $parts
  | ($parts | map(select(.type == "text" or .type == "image"))) as $said
  | ($parts | map(select(.type == "tool_use") | {id, type: "function", function: {name, arguments: (.input // {} | tojson)}})) as $calls
  | ($parts | lost),
    (if $role == "user" or $role == "assistant" then
       (select($parts != [] and ([$parts[] | objects | select(.type != "text" or .text != null)] != [])) | aside),
       ({type: "message", source_id: "\($file.session):\($file.line)", role: $role, strip: true, tool_calls: $calls,
         content: (if $role == "user" then $said | map(if .type == "text" then .text |= typed else . end) else $said end)}
        | select($said != [] or $calls != []))
     elif .type | strings | IN("turn_ended", "status", "usage") then aside
     else empty end))
end
