# Codex's session files, ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl. Two logs in one: response_item is what the model saw, event_msg
# what the person saw; they repeat each other. Text is taken from event_msg, calls and their results from response_item. A file without
# events (older ones) shows itself when the assistant's first item comes before any event: then text is taken from the items, and what
# was held back until then goes first. Lines have no ids: a message is known by its session and line. `codex exec --json` prints a third form,
# events of items.

def json: if type == "string" then . else tojson end;
def base($s): {type: "message", session: $s.session, source_id: "\($s.session):\($file.line)", time: $s.time};
def call($s; $name; $arguments):
  base($s) + {role: "assistant", content: "",
    tool_calls: [{id: .call_id, type: "function", function: {name: $name, arguments: ($arguments | json)}}]};
def output: if type == "object" then .content // .output // tojson
  elif type == "string" then (try (fromjson | objects | .output | strings) catch null) // .
  else . end;
def item($s):
  if .type == "function_call" then call($s; .name; .arguments)
  elif .type == "custom_tool_call" then call($s; .name; .input)
  elif .type == "local_shell_call" then call($s; "local_shell"; .action)
  elif .type == "web_search_call" then call($s; "web_search"; .action)
  elif .type == "function_call_output" or .type == "custom_tool_call_output" then
    base($s) + {role: "tool", tool_call_id: .call_id, content: (.output | output)}
  else empty end;
def said($s):
  select(.type == "message" and (.role == "user" or .role == "assistant"))
  | base($s) + {role, content, strip: true}
  | select([.content[]?.text? | strings] | join("") | startswith("# AGENTS.md instructions") | not);
def keep($s): {type: "state"} + $s;

def words:                                                         # of an event, with the pictures that came with it
  [(.images, .local_images) | arrays | .[] | if type == "string" and (startswith("data:") or startswith("http") | not)
    then {type: "image", name: (split("/") | last)} else {type: "image"} end] as $images
  | if $images == [] then .message // "" else [{type: "text", text: .message}] + $images end;

def events: {user_message: "user", agent_message: "assistant"};

($state // {session: $file.session, mode: "unknown", held: []} | del(.type)) as $old
| if type != "object" then empty
  elif .type == "session_meta" then                              # a fork repeats its parent's: the first one counts
    .payload as $p
    | select($old.meta | not)
    | ($old + {session: ($p.id // $old.session), meta: true}) as $s
    | keep($s),
      {type: "session", session: $s.session, created: ($p.timestamp // .timestamp),
       metadata: ({cwd: $p.cwd, version: $p.cli_version, branch: $p.git.branch?} | with_entries(select(.value != null)))}
  elif .id and .timestamp and (.type | not) then                 # the first line of the oldest form, which has no envelope
    ($old + {session: .id, mode: "items", time: null}) as $s
    | keep($s), {type: "session", session: .id, created: .timestamp}
  elif .type == "thread.started" and .thread_id then
    keep($old + {session: .thread_id, mode: "events"}), {type: "session", session: .thread_id}
  elif .type == "item.completed" then
    .item | objects
    | .type as $type
    | base($old + {time: null}) as $base
    | if $type == "agent_message" or $type == "assistant_message" then $base + {role: "assistant", content: (.text // "")}
      elif $type == "user_message" then $base + {role: "user", content: (.text // "")}
      elif $type == "command_execution" then
        ($base + {role: "assistant", content: "", tool_calls: [{id, type: "function", function: {name: "shell", arguments: ({command} | tojson)}}]}),
        ($base + {source_id: "\($base.source_id):output", role: "tool", tool_call_id: .id, content: (.aggregated_output // "")})
      elif $type == "mcp_tool_call" or $type == "web_search" or $type == "file_change" then
        $base + {role: "assistant", content: "", tool_calls: [{id, type: "function",
          function: {name: (.tool // $type), arguments: ((.arguments // .query // .changes) | json)}}]}
      else empty end
  elif .type == "event_msg" then
    . as $line
    | events[.payload.type // ""] as $role
    | select($role)
    | (if $old.mode == "unknown" then keep($old + {mode: "events", held: []}) else empty end),
      (select($old.mode != "items")
       | base($old + {time: $line.timestamp}) + {role: $role, content: (.payload | words), strip: true})
  elif .type == "response_item" or .type == "message" or .type == "function_call" or .type == "function_call_output" then
    ($old + {time: (.timestamp // null)}) as $s
    | (if .type == "response_item" then .payload else . end)
    | if $old.mode == "unknown" and .type == "message" and .role == "user" then
        keep($old + {held: ($old.held + [said($s)])})
      elif $old.mode == "unknown" and .role == "assistant" then
        keep($old + {mode: "items", held: []}), $old.held[], said($s)
      else
        item($s), (select($old.mode == "items") | said($s))
      end
  else empty end
