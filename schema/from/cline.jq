# Tasks of Cline, Roo Code and Kilo Code: tasks/ID/ui_messages.json, an array of what was shown, or api_conversation_history.json, an array
# of what the model was sent. The directory is the session. Of what was shown the words of both and the calls are kept, not the state of
# requests; of what was sent the tags around a person's words go, and what describes the editor. Where that tells the working directory,
# it is the session's: what was shown first is held back until the first request, which has it. And the sessions of Cline's command line,
# ~/.cline/data/sessions/ID/ID.messages.json, beside which lies ID.json; those of its helpers are left out. So is what the program says in the
# person's place: that no tool was used, that the task goes on, which files were mentioned.
# beside: history_item.json %.json
# pieces: messages[]
# kind: say ask role type

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

# What is shown besides: the state of requests, questions of the program, what it thinks.
def known_shown: .partial == true or .ask == "completion_result" or ((.type == "say" or .type == "ask") and ((.say // .ask) | IN("api_req_started", "api_req_finished", "api_req_retried", "api_req_failed", "api_req_retry_delayed", "api_req_deleted",
  "reasoning", "error", "error_retry", "user_feedback_diff", "checkpoint_created", "checkpoint_saved", "load_mcp_documentation", "info", "resume_task", "resume_completed_task",
  "shell_integration_warning", "browser_action", "browser_action_launch", "browser_action_result", "mcp_server_request_started",
  "use_mcp_server", "mistake_limit_reached", "auto_approval_max_req_reached", "condense", "condense_context", "condense_context_error", "summarize_task", "diff_error", "clineignore_error",
  "rooignore_error", "deleted_api_reqs", "subtask_result", "new_task", "new_task_started", "report_bug", "codebase_search_result", "diff_with_conflict_marker", "image", "mcp_notification",
  "hook", "hook_status", "hook_output", "task_progress", "generate_explanation", "sliding_window_truncation", "todo", "user_edit_todos", "act_mode_respond", "interactive_app", "condense",
  "finishTask", "browser_session_status", "command_permission_denied", "conditional_rules_applied", "use_subagents", "subagent", "subagent_usage")));

# Parts of what a person's turn was sent as: their own words, and what tools gave. Some the program writes.
def notice: test("^\\s*(\\[ERROR\\]|\\[TASK RESUMPTION\\]|\\[FILE CONTEXT|# Next Steps|The user has provided additional context|<(explicit_instructions|file_content|folder_content|url_content|workspace_diagnostics|terminal_output|git_working_state|system_notice|task_progress|hook_context|feedback_images)\\b)");
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
             | if $own != [] then {said: $own[0]} elif .text | notice then {} elif $result then {tool: .} else {said: .} end
           else {said: .} end] as $all
      | (select($parts != []) | aside),
        ([$all[] | .tool | select(.)] | select(. != []) | $base + {source_id: "\($id):tool", role: "tool", content: .}),
        ([$all[] | .said | select(.)] | select(. != []) | $base + {source_id: $id, role: "user", content: .})
    else
      (select($parts != []) | aside),
      $base + {source_id: $id, role,
        content: [$parts[] | if .type == "text" then .text |= (without("thinking") | first(inside("result")) // .) else . end]}
    end);

# What was shown, behind the session of its directory: a state holds the first words until that is known.
def held: ($state.held // [])[];
def in_session:
  (objects | if known_shown then aside
     elif (.say // .ask | IN("task", "user_feedback", "text", "completion_result", "followup", "plan_mode_respond", "tool", "command")) and (has("text") | not) then unread("\(.say // .ask) without text")
     elif [shown] == [] and (.text | strings | test("\\S\\s+\\S")) then unread("\(.say // .ask // "item")")
     else empty end),
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
     | select($said != [] or .tool_calls != [])),
    (select($parts == []) | unread("\(.role) without content")),
    ($parts | unread_parts({text: 1, image: 1, document: 1, tool_use: 1, tool_result: 1, thinking: 1, redacted_thinking: 1, reasoning: 1, file: 1}));
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
elif .messages | type == "array" then if (.agent // "lead") == "lead" then session else aside end
elif .say or .ask then in_session
elif .role then sent
elif .task or .provider then aside
else error("neither \"say\" nor \"ask\" nor \"role\"") end
