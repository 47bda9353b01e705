# Tasks of Cline, Roo Code and Kilo Code: tasks/ID/ui_messages.json, an array of what was shown, or api_conversation_history.json, an array
# of what the model was sent. The directory is the session. Of what was shown the words of both and the calls are kept, not the state of
# requests; of what was sent the tags around a person's words go, and what describes the editor. Where that tells the working directory,
# it is the session's: what was shown first is held back until the first request, which has it. And the sessions of Cline's command line,
# ~/.cline/data/sessions/ID/ID.messages.json, beside which lies ID.json; those of its helpers are left out.
# beside: history_item.json %.json
# pieces: messages[]

def task: if $file.directory != "" then $file.directory else $file.session end;
def call($name; $arguments): {content: "", tool_calls: [{type: "function", function: {name: $name, arguments: $arguments}}]};
def json: try fromjson catch null;
def inside($tag): split("<" + $tag + ">") | select(length > 1) | .[1:] | join("<" + $tag + ">") | split("</" + $tag + ">")
  | (if length > 1 then .[:-1] else . end) | join("</" + $tag + ">") | ltrimstr("\n") | rtrimstr("\n");
def without($tag): if contains("<" + $tag + ">") then gsub("\\s*<\($tag)>.*?</\($tag)>\\s*"; "\n"; "p") | ltrimstr("\n") | rtrimstr("\n") else . end;

def cwd: try (capture("# Current (Working|Workspace) Directory \\((?<cwd>/[^\n]*)\\) Files").cwd) catch null;
def about($cwd): if $cwd == null then empty else {type: "session", session: task, metadata: {cwd: $cwd}} end;
def workspace: ($file.beside // {})["history_item.json"] | objects | .workspace | strings | select(startswith("/"));

def shown:
  (.say // .ask) as $what
  | [.images | arrays | .[] | {type: "image"}] as $images
  | .text as $text
  | .ts as $time
  | if .partial == true then empty
    elif $what == "task" or $what == "user_feedback" or ($what == "text" and .type == "say" and $file.line == 1) then
      {role: "user", content: ([$text // ""] + $images)}
    elif .type == "say" and ($what == "text" or $what == "completion_result") then {role: "assistant", content: ([$text // ""] + $images)}
    elif $what == "followup" then {role: "assistant", content: (($text | json | objects | .question) // $text)}
    elif $what == "plan_mode_respond" then {role: "assistant", content: (($text | json | objects | .response) // $text)}
    elif $what == "tool" then {role: "assistant"} + call(($text | json | objects | .tool) // "tool"; $text)
    elif $what == "command" then {role: "assistant"} + call("execute_command"; $text)
    elif $what == "use_mcp_server" then {role: "assistant"} + call("use_mcp_server"; $text)
    elif $what == "command_output" or $what == "mcp_server_response" then {role: "tool", content: ($text // "")}
    else empty end
  | select(.content != null)
  | {type: "message", session: task, source_id: "\($time // $file.line):\($what)", time: $time} + .;

# Parts of what a person's turn was sent as: their own words, and what tools gave.
def own: first(inside("task", "user_message", "feedback", "answer"));
def sent:
  . as $m
  | [$m.content | strings, (arrays | .[] | objects | .text | strings) | cwd | strings] as $cwd
  | (if $cwd != [] then about($cwd[0]) else about([workspace] | first) end),
  ({type: "message", session: task, time: .ts} as $base
  | "\(.ts // $file.line)" as $id
  | [.content | if type == "string" then {type: "text", text: .} else .[]? | objects end] as $parts
  | if .role == "user" then
      any($parts[]; .type == "text" and (.text | test("^\\[[a-z_]+[^\\n]*\\] Result:"))) as $result
      | [$parts[] | if .type == "text" then .text |= without("environment_details") else . end | select(.type != "text" or (.text != "" and (.text | test("^\\[attempt_completion\\] Result:\\s*$") | not)))
         | if .type == "tool_result" then {tool: .}
           elif .type == "text" then (.text | [own]) as $own
             | if $own != [] then {said: $own[0]} elif $result then {tool: .} else {said: .} end
           else {said: .} end] as $all
      | ([$all[] | .tool | select(.)] | select(. != []) | $base + {source_id: "\($id):tool", role: "tool", content: .}),
        ([$all[] | .said | select(.)] | select(. != []) | $base + {source_id: $id, role: "user", content: .})
    else
      $base + {source_id: $id, role,
        content: [$parts[] | if .type == "text" then .text |= (without("thinking") | first(inside("result")) // .) else . end]}
    end);

# What was shown, behind the session of its directory: a state holds the first words until that is known.
def held: ($state.held // [])[];
def in_session:
  if . == null then held
  elif $file.line == 1 and ([workspace] | first) == null then {type: "state", held: [shown]}
  elif $file.line == 1 then about([workspace] | first), shown
  elif ($state.held // []) == [] then shown
  else
    ([select(.say == "api_req_started") | .text | json | objects | .request | strings | cwd | strings] | first) as $cwd
    | about($cwd), held, {type: "state", held: []}, shown
  end;

# Cline's command line: blocks as Anthropic has them.
def words: if type == "string" then
    if test("^\\s*<user_input[ >]") then sub("^\\s*<user_input[^>]*>\\s*"; "") | sub("\\s*</user_input>\\s*$"; "") else . end
    | without("environment_details")
  else . end;
def block($base; $model):
  [.content | if type == "array" then .[] | objects else {type: "text", text: .} end] as $parts
  | (.id // "\($base.session):\($base.at)") as $id
  | ($parts | to_entries[] | select(.value.type == "tool_result")
     | {source_id: "\($id):\(.key)", role: "tool", tool_call_id: .value.tool_use_id, content: .value.content}
       + (if .value.is_error then {is_error: true} else {} end)),
    ([$parts[] | select(.type == "text" or .type == "image" or .type == "document") | if .text then .text |= words else . end] as $said
     | {source_id: $id, role, content: $said, tool_calls: [$parts[] | select(.type == "tool_use")
         | {id, type: "function", function: {name, arguments: (.input // {} | tojson)}}]}
       + (if .role == "assistant" then ((.modelInfo.id? // $model) | strings | {model: .}) // {} else {} end)
     | select($said != [] or .tool_calls != []));
def session:
  ([$file.beside["%.json"]? | objects] | first // {}) as $about
  | (.sessionId // task) as $session
  | {type: "session", session: $session, title: ($about.metadata.title? // null), created: ($about.created_at // $about.started_at // null),
     metadata: ({cwd: ($about.cwd // $about.workspace_root)} | with_entries(select(.value != null)))},
    (.messages | to_entries[] | (.key + ($file.piece.first // 0)) as $at | .value | objects | select(.role == "user" or .role == "assistant")
     | {type: "message", session: $session, time: (.ts // null)} as $base
     | $base + block($base + {at: $at}; $about.model));

if . == null then in_session
elif type != "object" then empty
elif .messages | type == "array" then select((.agent // "lead") == "lead") | session
elif .say or .ask then in_session
elif .role then sent
elif .task or .provider then empty
else error("neither \"say\" nor \"ask\" nor \"role\"") end
