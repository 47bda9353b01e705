# Grok Build's sessions, ~/.grok/sessions/DIRECTORY/ID/updates.jsonl: a notification a line. What is said comes in pieces, which are put
# together until something else comes; thinking is left out. The directory above the session's names the one it worked in.
# kind: params.update.sessionUpdate update.sessionUpdate method
def text: if type == "string" then . elif type == "array" then [.[] | text] | join("\n") elif type == "object" then .text // (.content | text) // "" else "" end;
def time: if type == "number" and . < 1e11 then . * 1000 else . end;
def session: if $file.directory != "" then $file.directory else $file.session end;
def cwd: $file.name | split("/") | if length > 2 then .[-3] else "" end
  | select(contains("%2F") or startswith("%2f")) | gsub("%2[Ff]"; "/") | if startswith("/") then . else "/" + . end;
def held($s): $s.held // [];
def name: if .title then .title else .kind // "tool" end;

select(type == "object" or . == null)
| session as $session
| ($state // {held: [], seen: false}) as $s
| ([(.params? // .)? | objects | .update | objects] | first // {}) as $u
| {type: "message", session: $session, time: (.timestamp? // null | time), source_id: "\($session):\($file.line)"} as $base
| ({user_message_chunk: "user", agent_message_chunk: "assistant"}[$u.sessionUpdate // ""]) as $role
| (select(($s.seen | not) and . != null and ($role or $u.sessionUpdate == "tool_call"))
   | {type: "session", session: $session, metadata: ([cwd] | first | if . then {cwd: .} else {} end)}),
  (if $role then
     ($u.content | text) as $said
     | (if $said == "" then (if $u.content | type != "null" and (type != "object" or has("text")) then aside else unread("\($u.sessionUpdate) without content") end) else empty end),
       (($u._meta.promptIndex? // .params._meta.promptId? // null) as $turn
     | held($s) as $held
     | if $held != [] and $held[0].role == $role and ($s.turn == $turn or $turn == null or $s.turn == null) then
         {type: "state", seen: true, turn: ($turn // $s.turn), held: [$held[0] | .content += $said]}
       else
         ($held[]), {type: "state", seen: true, turn: $turn, held: [$base + {role: $role, content: $said, strip: true}]}
       end)
   elif . == null then held($s)[], {type: "state", seen: true, held: []}
   elif $u.sessionUpdate == "tool_call" then
     (held($s)[]), {type: "state", seen: true, held: []},
     ($base + {role: "assistant", content: "", tool_calls: [{id: $u.toolCallId, type: "function",
       function: {name: ($u.kind // "tool"), arguments: (($u.rawInput // ({title: $u.title, path: ($u.locations[0].path? // null)} | with_entries(select(.value)))) | tojson)}}]})
   elif $u.sessionUpdate == "tool_call_update" and ($u.content // $u.rawOutput) then
     ($u | (.content | text) as $out | if $out != "" then $out else .rawOutput | if type == "string" then . else tojson end end) as $out
     | select($out != "null")
     | $base + {role: "tool", tool_call_id: $u.toolCallId, content: $out}
   elif ($u == null and .method // "" != "session/update" and ([.. | strings | select(test("\\S\\s+\\S"))] == [])) or ($u.sessionUpdate // "" | test("^(agent_thought_chunk|plan|available_commands_update|current_mode_update|config_option_update|session_info_update|usage_update|tool_call_update|model_|retry|turn_|hook|compact|subagent|task|step)")) then
     aside, (select($s.seen | not) | {type: "state", seen: true, held: []})
   else empty end)
