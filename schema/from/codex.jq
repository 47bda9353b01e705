# Codex's session files, ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl, also packed by zstd, and what `codex exec --json` prints.
#
# A session file is up to three logs in one: response_item is what the model saw, event_msg what the person saw, and since 0.147
# item_completed among the events. They repeat each other, each may lack what another has, and which of them a program writes
# changed within one file when Codex was updated. So their texts are united: a text that another log has already given in this
# turn is dropped (`seen`). Of two that say the same the event is stored, so an item waits (`held`) until the next message shows
# whether its event comes. A file whose assistant speaks in an item before there is any event gives items as they come.
# Lines have no ids: a message is known by its session and line. Where calls are scripts (Code Mode), the commands that they ran and the
# files that they changed are items of their own, which are given as calls. A helper's file is left out: who spoke to it is an agent.
#
# A fork begins with its own session_meta, and then repeats its parent's lines with new times. These are given as the parent's,
# with the ids that they have in its file, so that they are stored once, whether that file is still there or not. The repetition
# ends at the first turn whose id, a UUID of version 7, is younger than the fork.
# kind: type payload.type payload.item.type item.type

def json: if type == "string" then . else tojson end;

# ---- times within ids ----

def hex: explode | reduce .[] as $c (0; . * 16 + ($c | if . >= 97 then . - 87 elif . >= 65 then . - 55 else . - 48 end));
def uuid_ms: strings | select(test("^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-7")) | (.[0:8] + .[9:13]) | hex;
def text_ms: strings | (try (sub("\\.[0-9]+"; "") | fromdate * 1000) catch empty);

# ---- records ----

# line is cut again, when it is settled whose message it is
def base($s): {type: "message", line: $file.line, time: $s.time};
def model($s): if $s.model then {model: $s.model} else {} end;
def call($s; $name; $arguments):
  base($s) + model($s) + {role: "assistant", content: "",
    tool_calls: [{id: .call_id, type: "function", function: {name: $name, arguments: ($arguments | json)}}]};
def output: if type == "object" then .content // .output // tojson
  elif type == "string" then (try (fromjson | objects | .output | strings) catch null) // .
  else . end;
def exit_code: [.. | objects | .exit_code? | numbers][:1] | if . == [] then {} else {exit_code: .[0]} end;
def outcome: if type == "string" then (try (fromjson | objects | .metadata | exit_code) catch null) // {} else {} end;
# An item that tells what was run or changed, unless the call that did it was given.
def known($s; $id): $s.calls // [] | any(.[]; . == $id);
def done($s):
  . as $item
  | (.type // "" | ascii_downcase | gsub("_"; "")) as $type
  | select(known($s; .id) | not)
  | if $type == "commandexecution" then
      ({call_id: .id} | call($s; "shell"; {command: $item.command, workdir: $item.cwd})),
      (select(.stdout // .aggregated_output // .output // .exit_code)
       | base($s) + {part: ":output", role: "tool", tool_call_id: .id,
           content: ([.aggregated_output // .output // .stdout, (select(.aggregated_output or .output | not) | .stderr) | strings | select(. != "")] | join("\n"))}
         + (.exit_code // .exitCode | if type == "number" then {exit_code: .} else {} end)
         + (if .status == "failed" then {is_error: true} else {} end))
    elif $type == "filechange" then {call_id: .id} | call($s; "file_change"; {changes: $item.changes})
    elif $type == "mcptoolcall" or $type == "dynamictoolcall" then
      ({call_id: .id} | call($s; ($item.tool // $item.name // "tool"); ($item.arguments // {}))),
      (.result // .error // .content_items | select(. != null) | {result: .}
       | base($s) + {part: ":output", role: "tool", tool_call_id: $item.id, content: (.result | if type == "object" then .content // .structured_content // tojson else . end)})
    else empty end;
def item($s):
  if .type == "function_call" then call($s; .name; .arguments)
  elif .type == "custom_tool_call" then call($s; .name; .input)
  elif .type == "local_shell_call" then call($s; "local_shell"; .action)
  elif .type == "web_search_call" then call($s; "web_search"; .action)
  elif .type == "function_call_output" or .type == "custom_tool_call_output" then
    base($s) + {role: "tool", tool_call_id: .call_id, content: (.output | output)} + (.output | outcome)
  else empty end;
def words:                                                         # of an event, with the pictures that came with it
  [(.images, .local_images) | arrays | .[] | if type == "string" and (startswith("data:") or startswith("http") | not)
    then {type: "image", name: (split("/") | last)} else {type: "image"} end] as $images
  | if $images == [] then .message // "" else [{type: "text", text: .message}] + $images end;

# ---- what was said: {log, role, text, content} ----

# Of what an editor sends only the request was typed; before it stand its tabs and files.
def typed: if startswith("# ") and contains("\n## My request for Codex:") then
    split("\n## My request for Codex:")[1:] | join("\n## My request for Codex:") | sub("^\\s+"; "") | sub("\\s+$"; "")
  elif startswith("# Context from my IDE setup:") then "" else . end;
def texts: if type == "string" then . else [.[]?.text? | strings | select(test("^</?image[^>]*>$") | not)] | join("") end;
def said_item: select((.type // "message") == "message" and (.role == "user" or .role == "assistant"))
  | (.content | texts) as $all
  | (if .role == "user" then $all | typed else $all end) as $text
  | {log: "item", role, text: $text,
     content: (if $text == $all then .content else [{type: "text", text: $text}] + [.content | arrays | .[] | objects | select(.type == "input_image")] end)};
def said_event:
  if .type == "user_message" then .message = (.message // "" | tostring | typed) | {log: "event", role: "user", text: .message, content: words}
  elif .type == "agent_message" then {log: "event", role: "assistant", text: (.message // "" | tostring), content: words}
  elif .type == "item_completed" then
    .item | objects | (.type // "" | ascii_downcase | gsub("_"; "")) as $type
    | {usermessage: "user", agentmessage: "assistant", plan: "assistant"}[$type] as $role
    | select($role)
    | (.content // .text // "" | texts | if $role == "user" then typed else . end) as $text
    | {log: "completed", role: $role, text: $text, content: $text}
  else empty end;

# What a program puts in as the person's: instructions, and spans in a tag of its own.
def is_injected:
  .role == "user" and (.text | startswith("# AGENTS.md instructions")
    or startswith("Another language model started to solve this problem and produced a summary")
    or (startswith("<") and test("^<([A-Za-z_-]+)[^>]*>.*</\\1>\\s*$"; "m")));
# Its beginning and end without white space; a regular expression would take longer than all else.
def says: .text != "" or ([.content | arrays | .[] | objects | select(.type // "" | test("image"))] != []);
def key: "\(.role) " + (.text[:200] + .text[-100:] | explode - [9, 10, 13, 32] | implode);

# ---- the state: {session, mode, model, time, held, seen, fork, copy} and what is given out ----

# The logs repeat each other within a few messages: so many are remembered, as the state is written anew for every line.
def most: 16;
def blank: {session: $file.session, mode: "unknown", held: [], seen: []};
def own($s): ($s.copy // {id: $s.session, before: 0}) as $o
  | (.line - $o.before) as $line
  | {session: $o.id, source_id: "\($o.id):\($line)\(.part // "")"} + del(.line, .part);
def give($records): .out += [. as $s | $records[] | own($s)];
def flush: if .held == [] then . else give([.held[].record]) | .held = [] end;

# The place of the first that holds, else null. libjq 1.6 leaks in index() of an array.
def place(holds): first((range(0; length) as $i | select(.[$i] | holds) | $i), null);

def say($m):
  ($m | key) as $key
  | (base(.) + ($m | {role, content}) + (if $m.role == "assistant" then model(.) else {} end) + {strip: true}) as $record
  | (.seen | place(.key == $key and all(.logs[]; . != $m.log))) as $at
  | if $at == null then
      .seen = ([.seen[] | select(.role == $m.role)] + [{$key, role: $m.role, logs: [$m.log]}])[-most:]
      | if ($m.log == "item" and .mode != "items") or (.copy and $m.role == "user") then
          (if [.held[].role] - [$m.role] == [] and (.held | length) < most then . else flush end)
          | .held += [{$key, role: $m.role, item: ($m.log == "item"), $record}]
        else flush | give([$record]) end
    else
      .seen[$at].logs += [$m.log]
      | (.held | place(.key == $key and .item)) as $waits
      | if $waits == null then .
        elif .copy and $m.role == "user" then .held[$waits] += {item: false, $record}
        else .held[$waits].record = $record | flush end
    end;

# Where it works, in a file that does not say so when it begins.
def cwd($cwd): if $cwd == null or .cwd or .copy then . else
    .cwd = $cwd | .out += [{type: "session", session: .session, metadata: {cwd: $cwd}}] end;

def heard($m):
  if $m | is_injected then cwd([$m.text | capture("<cwd>(?<cwd>[^<]+)</cwd>|Current working directory: (?<old>[^\n]+)") | .cwd // .old] | first)
  else
    (if .mode == "unknown" and $m.log != "item" then .mode = "events"
     elif .mode == "unknown" and $m.role == "assistant" then .mode = "items" | flush
     else . end)
    | say($m)
  end;

# A turn begins. Its id tells when it did, and whether it is the fork's own. task_started comes before the prompt, turn_context,
# in older files, behind it: then the prompt that waits is of this turn.
def turn($id; $before_prompt):
  ([$id | uuid_ms] | first) as $ms
  | if .fork == null or $ms == null then .
    elif $ms >= .fork then (if $before_prompt then flush else . end) | .fork = null | .copy = null | flush
    else flush | .copy_time = ($ms / 1000 | floor | todate) end;

def meta:
  .payload as $p
  | {cwd: $p.cwd, version: $p.cli_version, branch: $p.git.branch?} | with_entries(select(.value != null));

def step($line):
  ($line.payload | objects // {}) as $p
  | .time = (if .copy then .copy_time else $line.timestamp end)
  | if $line == null then flush                                    # the end of the file
    elif $line.type == "session_meta" then
      if (.meta | not) then
        .session = ($p.id // $p.session_id // .session) | .meta = true
        | .helper = ($p.thread_source == "subagent" or $p.source == "subagent" or ([$p.source | objects | has("subagent")] | any))
        | (if $p.cwd then .cwd = $p.cwd else . end)
        | (if $p.forked_from_id and ($p.history_base | not)
           then .fork = ([$p.id | uuid_ms] + [$p.timestamp // $line.timestamp | text_ms] | first) else . end)
        | .out += [{type: "session", session: .session, created: ($p.timestamp // $line.timestamp), metadata: ($line | meta)}]
      elif .fork and $p.id then
        flush | .seen = []
        | .copy = {id: $p.id, before: ($file.line - 1)} | .copy_time = ($p.timestamp // null)
        | .out += [{type: "session", session: $p.id, created: ($p.timestamp // null), metadata: ($line | meta)}]
      else . end
    elif $line.id and $line.timestamp and ($line.type | not) then  # the first line of the oldest form, which has no envelope
      .session = $line.id | .mode = "items" | .out += [{type: "session", session: $line.id, created: $line.timestamp}]
    elif $line.type == "turn_context" then turn($p.turn_id; false) | cwd($p.cwd) | if $p.model then .model = $p.model else . end
    elif $line.type == "event_msg" then
      if ($p.type == "task_started" or $p.type == "turn_started") then turn($p.turn_id; true)
      else
        ([$p | said_event] | first) as $m | . as $s | ([$p.item | objects | done($s)] | select($p.type == "item_completed") // []) as $calls
        | if $m then (if $m | says then heard($m) else .lost = true end)
          elif $calls != [] then flush | give($calls)
          else . end
      end
    elif $line.type == "response_item" or $line.type == "message" or $line.type == "function_call"
      or $line.type == "function_call_output" then
      (if $line.type == "response_item" then $p else $line end) as $i
      | ([$i | said_item] | first) as $m
      | . as $s | [$i | item($s)] as $calls
      | if $m then (if $m | says then heard($m) else .lost = true end)
        elif $calls != [] then
          flush | give($calls) | .calls = ((.calls // []) + [$i.call_id | strings])[-most:]
        else . end
    else . end;

# Lines that say nothing, though they may hold words.
def is_aside:
  (.payload | objects // {}) as $p
  | . == null or (.type | not) or .type == "session_meta" or .type == "turn_context" or .type == "compacted" or .type == "reasoning"
    or .type == "world_state" or .type == "inter_agent_communication" or .type == "inter_agent_communication_metadata"
    or (.type == "message" and (.role | IN("developer", "system")))
    or (.type == "event_msg" and ($p.type // "" | test("^(user_message|agent_message|error|warning|stream_error|token_count|shutdown_complete|plan_update|plan_delta|turn_|task_|agent_|session_|thread_|mcp_|web_search|image_|exec_|terminal_|view_image|request_|dynamic_tool|elicitation_|apply_patch|guardian_|deprecation_|background_|undo_|patch_|get_history|list_|skills_|entered_review|exited_review|raw_|item_started|hook_|reasoning_|collab_|sub_agent|context_|model_|conversation_|realtime_)")))
    or (.type == "event_msg" and $p.type == "item_completed" and ($p.item.type? // "" | ascii_downcase | gsub("_"; "")
        | IN("usermessage", "agentmessage", "plan", "hookprompt", "reasoning", "commandexecution", "filechange", "mcptoolcall", "dynamictoolcall", "collabagenttoolcall", "subagentactivity", "websearch", "imageview", "sleep", "imagegeneration", "enteredreviewmode", "exitedreviewmode", "contextcompaction")))
    or (.type == "response_item" and ($p.type // "message" | IN("reasoning", "ghost_snapshot", "compaction", "context_compaction", "tool_search_call", "tool_search_output", "image_generation_call", "agent_message", "other")
        or (. == "message" and ($p.role // "" | IN("developer", "system", "user", "assistant")))));

# ---- the events of `codex exec --json` ----

def executed($old):
  {type: "message", session: $old.session, source_id: "\($old.session):\($file.line)", time: null} as $base
  | .type as $type
  | if $type == "agent_message" or $type == "assistant_message" then $base + {role: "assistant", content: (.text // "")}
    elif $type == "user_message" then $base + {role: "user", content: (.text // "")}
    elif $type == "command_execution" then
      ($base + {role: "assistant", content: "", tool_calls: [{id, type: "function", function: {name: "shell", arguments: ({command} | tojson)}}]}),
      ($base + {source_id: "\($base.source_id):output", role: "tool", tool_call_id: .id, content: (.aggregated_output // "")} + exit_code)
    elif $type == "mcp_tool_call" or $type == "web_search" or $type == "file_change" then
      $base + {role: "assistant", content: "", tool_calls: [{id, type: "function",
        function: {name: (.tool // $type), arguments: ((.arguments // .query // .changes) | json)}}]}
    else empty end;

(($state // blank) | del(.type)) as $old
| if . != null and type != "object" then empty
  elif .type? == "thread.started" and .thread_id then
    {type: "state"} + $old + {session: .thread_id, mode: "events"}, {type: "session", session: .thread_id}
  elif .type? == "item.completed" then .item | objects
    | if .type | IN("reasoning", "error", "todo_list", "collab_tool_call") then aside else executed($old) end
  elif .type? // "" | type == "string" and test("^(turn|thread|item)\\.|^error$") then aside
  else
    . as $line
    | ($old + {out: []} | step($line)) as $new
    | ($new | del(.out, .time, .lost)) as $kept
    | (if $new.helper then [$new.out[] | select(.session != $new.session)] else $new.out end) as $out
    | (if $kept == $old then empty else {type: "state"} + $kept end), $out[],
      (if $out == [] and ($new.lost | not) and (($line | is_aside) or $new.helper) then aside else empty end)
  end
