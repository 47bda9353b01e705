#!/bin/sh
# mem-ingest: agents that changed the form in which they write. What is read, what is nobody's word,
# and that whatever is neither is counted, told, and never status 0 where it may be a turn.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'
said() {
	mem-ingest "$@" >records || return
	jq -r '"\(.session) \(.role) \(.content)" + (if .tool_calls then
		" " + (.tool_calls | map(.function.name) | join(",")) else "" end)' records
}
typed() { mem-ingest -n "$@" >records && jq -r 'select(.origin == "user").content' records; }
fresh

# ---- new forms ----

sqlite3 opencode.db <<'END'
CREATE TABLE session(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INT, time_updated INT);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INT, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
CREATE TABLE session_v2(id TEXT PRIMARY KEY, parent_id TEXT, fork_session_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INT, time_updated INT);
CREATE TABLE session_message(id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INT, time_created INT, data TEXT);
INSERT INTO session VALUES('old', NULL, '/srv/mill', 'Stones', '1.9', 1780000000000, 1780000000000);
INSERT INTO session VALUES('copy', NULL, '/srv/mill', 'Stones (fork)', '1.9', 1780000000500, 1780000000500);
INSERT INTO session VALUES('told', 'old', '/srv/mill', 'Explore', '1.9', 1780000000600, 1780000000600);
INSERT INTO message VALUES('m1', 'old', 1780000000001, '{"role":"user","time":{"created":1780000000001}}');
INSERT INTO message VALUES('m2', 'copy', 1780000000001, '{"role":"user","time":{"created":1780000000001}}');
INSERT INTO message VALUES('m3', 'copy', 1780000000600, '{"role":"user","time":{"created":1780000000600}}');
INSERT INTO message VALUES('m4', 'told', 1780000000700, '{"role":"user","time":{"created":1780000000700}}');
INSERT INTO message VALUES('m5', 'old', 1780000000800, '{"role":"user","time":{"created":1780000000800}}');
INSERT INTO part VALUES('p1', 'm1', 'old', '{"type":"text","text":"Which stone is worn?"}');
INSERT INTO part VALUES('p2', 'm2', 'copy', '{"type":"text","text":"Which stone is worn?"}');
INSERT INTO part VALUES('p3', 'm3', 'copy', '{"type":"text","text":"And the lower one?"}');
INSERT INTO part VALUES('p4', 'm4', 'told', '{"type":"text","text":"You list stones."}');
INSERT INTO part VALUES('p5', 'm5', 'old', '{"type":"text","text":"Dress it."}');
INSERT INTO session_v2 VALUES('old', NULL, NULL, '/srv/mill', 'Stones', '2.0', 1780000000000, 1780000009000);
INSERT INTO session_v2 VALUES('new', NULL, NULL, '/srv/mill', 'Sails', '2.0', 1780000010000, 1780000010000);
INSERT INTO session_v2 VALUES('fork', NULL, 'new', '/srv/mill', 'Sails', '2.0', 1780000020000, 1780000020000);
INSERT INTO session_v2 VALUES('help', 'new', NULL, '/srv/mill', 'Explore', '2.0', 1780000030000, 1780000030000);
INSERT INTO session_message VALUES('m5', 'old', 'user', 1, 1780000000800, '{"text":"Dress it."}');
INSERT INTO session_message VALUES('n1', 'new', 'user', 1, 1780000011000, '{"text":"Reef the sails","files":[{"mime":"image/png","name":"sail.png"}]}');
INSERT INTO session_message VALUES('n2', 'new', 'assistant', 2, 1780000012000, '{"model":{"id":"gpt"},"content":[{"type":"reasoning","text":"hm"},{"type":"tool","id":"c1","name":"bash","state":{"status":"completed","input":{"command":"reef"},"content":[{"type":"text","text":"reefed"}],"metadata":{"exit":0}}},{"type":"text","text":"Done."}]}');
INSERT INTO session_message VALUES('n3', 'new', 'shell', 3, 1780000013000, '{"command":"date","exit":0,"output":{"output":"noon"}}');
INSERT INTO session_message VALUES('n4', 'new', 'compaction', 4, 1780000014000, '{"summary":"Of sails."}');
INSERT INTO session_message VALUES('f1', 'fork', 'user', 1, 1780000011000, '{"text":"Reef the sails","files":[{"mime":"image/png","name":"sail.png"}]}');
INSERT INTO session_message VALUES('f2', 'fork', 'user', 2, 1780000021000, '{"text":"Or furl them?"}');
INSERT INTO session_message VALUES('h1', 'help', 'user', 1, 1780000031000, '{"text":"You list sails."}');
END
check_out 'OpenCode after an update: both of its generations, forks once, no helpers' 'old user Which stone is worn?
copy user And the lower one?
old user Dress it.
new user Reef the sails

[image: sail.png]
new assistant Done. bash
new tool reefed
new tool $ date
noon
fork user Or furl them?' said opencode.db
sqlite3 opencode.db "INSERT INTO session_message VALUES('n5', 'new', 'musing', 5, 1780000015000, '{\"text\":\"The wind turns\"}')"
check_err 'a type that is not known' 65 "1 of .* rows not read: 1 of kind 'musing'" \
	mem-ingest -n opencode.db

mkdir chatSessions
cat >chatSessions/v1.jsonl <<'END'
{"kind":0,"v":{"version":3,"sessionId":"v1","responderUsername":"GitHub Copilot","requests":[{"requestId":"r1","timestamp":1789000060000,"message":{"text":"Where is the oar?"},"response":[{"value":"In the "}]}]}}
{"kind":2,"k":["requests",0,"response"],"v":[{"value":"boat."},{"value":"No."}]}
{"kind":2,"k":["requests",0,"response"],"i":2,"v":[{"value":" By the pier."}]}
{"kind":2,"k":["requests"],"v":[{"requestId":"r2","timestamp":1789000120000,"message":{"text":"hm"},"response":[]}]}
{"kind":1,"k":["requests",1,"message","text"],"v":"Is it dry?"}
{"kind":1,"k":["inputState"],"v":{"text":"x"}}
{"kind":3,"k":["inputState"]}
{"kind":2,"k":["requests",1,"response"],"v":[{"va
END
truncate -s -1 chatSessions/v1.jsonl
check_out "VS Code's log of changes, whose last line is being written" 'v1 user Where is the oar?
v1 assistant In the boat. By the pier.
v1 user Is it dry?' said chatSessions/v1.jsonl
sed '2s/.*/{"kind":2,"k":["requests",0,"resp/' chatSessions/v1.jsonl >torn.jsonl
check_err 'a change that is damaged' 65 '1 of its changes cannot be made' mem-ingest -n torn.jsonl
sed '2s/.*/{"kind":1,"k":["requests",4000000000,"message"],"v":1}/' chatSessions/v1.jsonl >torn.jsonl
check_err 'a place that no list has' 65 '1 of its changes' mem-ingest -n torn.jsonl
sed '2s/.*/{"kind":9,"k":[],"v":1}/' chatSessions/v1.jsonl >torn.jsonl
check_err 'a change of a kind that is not known' 65 '1 of its changes' mem-ingest -n torn.jsonl

mkdir kiro
cat >kiro/k7.json <<'END'
{"session_id":"k-7","cwd":"/srv/mill","title":"Flour","created_at":"2026-05-01T10:00:00Z"}
END
cat >kiro/k7.jsonl <<'END'
{"version":"v1","kind":"Prompt","data":{"message_id":"a","content":[{"kind":"text","data":"How fine is it?"}],"meta":{"timestamp":1784869360}}}
{"version":"v1","kind":"AssistantMessage","data":{"message_id":"b","content":[{"kind":"thinking","data":{"text":"hm"}},{"kind":"toolUse","data":{"toolUseId":"t","name":"shell","input":{"command":"sieve"}}}]}}
{"version":"v1","kind":"ToolResults","data":{"message_id":"c","content":[{"kind":"toolResult","data":{"toolUseId":"t","content":[{"kind":"json","data":{"exit_status":"exit status: 1","stdout":"coarse\n","stderr":"torn"}}],"status":"error"}}]}}
{"version":"v1","kind":"Compaction","data":{"summary":"They ground flour."}}
{"version":"v1","kind":"AssistantMessage","data":{"message_id":"d","content":[{"kind":"text","data":"Coarse."}]}}
END
check_out 'sessions of Kiro are read as turns' 'k-7 user How fine is it?
k-7 assistant  shell
k-7 tool coarse

torn
k-7 assistant Coarse.' said kiro/k7.jsonl
check_out 'its title, directory, and exit status' 'Flour /srv/mill 1' sh -c \
	"mem-list sessions -j | jq -r 'select(.session == \"k-7\") | \"\(.title) \(.metadata.cwd)\"' |
		tr '\n' ' '; jq -r '.exit_code // empty' records"
k=kiro/sessions/4a7b/sess_m1
mkdir -p $k/sub-executions $k/snapshots
echo '{"schemaVersion":"1.0.0","dataModelVersion":1,"id":"sess_m1","title":"Grist","agentMode":"vibe","workspacePaths":["/srv/mill"],"createdAt":"2026-07-14T13:39:00.000Z","status":"completed"}' >$k/session.json
cat >$k/messages.jsonl <<'END'
{"id":"e0","timestamp":"2026-07-14T13:39:00.000Z","payload":{"type":"session_start","agentType":"vibe"}}
{"id":"e1","timestamp":"2026-07-14T13:39:40.000Z","payload":{"type":"user","content":"Is the race clear?","images":[],"documents":[]}}
{"id":"e2","timestamp":"2026-07-14T13:39:41.000Z","payload":{"type":"turn_start","executionId":"x1"}}
{"id":"e3","timestamp":"2026-07-14T13:39:42.000Z","payload":{"type":"assistant","operationType":"Reasoning","content":"They want to know of the race.","executionId":"x1"}}
{"id":"e4","timestamp":"2026-07-14T13:39:43.000Z","payload":{"type":"assistant","operationType":"Say","content":"I look.","executionId":"x1"}}
{"id":"e5","timestamp":"2026-07-14T13:39:44.000Z","payload":{"type":"tool_call","toolCallId":"t1","toolName":"executeBash","args":{"command":"ls race"},"executionId":"x1"}}
{"id":"e6","timestamp":"2026-07-14T13:39:45.000Z","payload":{"type":"tool_result","toolCallId":"t1","content":"no such race","success":false,"executionId":"x1"}}
{"id":"e7","timestamp":"2026-07-14T13:39:46.000Z","payload":{"type":"sub_agent_start","subSessionId":"s9","prompt":"Look for it upstream, please"}}
{"id":"e8","timestamp":"2026-07-14T13:39:47.000Z","payload":{"type":"assistant","operationType":"Summary","content":"They asked of a race.","executionId":"x1"}}
{"id":"e9","timestamp":"2026-07-14T13:39:48.000Z","payload":{"type":"usage_summary","promptTurnSummaries":[{"unit":"credit","usage":1}],"executionId":"x1"}}
{"id":"e10","timestamp":"2026-07-14T13:39:49.000Z","payload":{"type":"turn_end","stopReason":"end_turn","executionId":"x1"}}
END
sed 's/Is the race clear/Look upstream/' $k/messages.jsonl >$k/sub-executions/s9.jsonl
check_out 'Kiro 1.0: sessions by their directory, without helpers' 'sess_m1 user Is the race clear?
sess_m1 assistant I look.
sess_m1 assistant  executeBash
sess_m1 tool no such race' said kiro/sessions
check_out 'what fails, and where it was' 'e6
/srv/mill Grist' sh -c \
	"jq -r 'select(.is_error) | .source_id' records; mem-list sessions -j |
		jq -r 'select(.session == \"sess_m1\") | \"\(.project) \(.title)\"'"
{ cat $k/messages.jsonl; echo '{"id":"e11","timestamp":"2026-07-14T13:40:00.000Z","payload":{"type":"remark","said":"the old mill"}}'; } >later.jsonl
check_err 'an event of a kind that is not known is told' 65 "'remark'" mem-ingest -n later.jsonl
sqlite3 data.sqlite3 <<'END'
CREATE TABLE conversations_v2(key TEXT, conversation_id TEXT, value TEXT, created_at INT, updated_at INT);
CREATE TABLE conversations(key TEXT PRIMARY KEY, value TEXT);
INSERT INTO conversations_v2 VALUES('/srv/mill', 'k1', '{"history":[{"user":{"content":{"Prompt":{"prompt":"Who grinds?"}},"timestamp":"2026-05-17T10:00:00Z"},"assistant":{"ToolUse":{"content":"","tool_uses":[{"id":"t1","name":"fs_read","args":{"path":"rota.md"}}]}}},{"user":{"content":{"ToolUseResults":{"tool_use_results":[{"tool_use_id":"t1","content":[{"Text":"Ida"}],"status":"Success"}]}}},"assistant":{"Response":{"content":"Ida does."}}}]}', 1779012000000, 1779012000000);
INSERT INTO conversations VALUES('/srv/old', '{"conversation_id":"q1","history":[[{"content":{"Prompt":{"prompt":"And before?"}}},{"Response":{"content":"Her aunt."}}]]}');
END
check_out "Kiro's database, and Amazon Q's in it" 'k1 user Who grinds?
k1 assistant  fs_read
k1 tool Ida
k1 assistant Ida does.
q1 user And before?
q1 assistant Her aunt.' said -n data.sqlite3
sqlite3 data.sqlite3 "UPDATE conversations SET value = '{cut'"
check_err 'a conversation that is damaged' 65 'damaged conversation' mem-ingest -n data.sqlite3

mkdir -p chats/ag-9
about=$(printf '{"agentId":"ag-9","name":"M\303\274hle","createdAt":1781256145540}' | od -An -tx1 | tr -d ' \n')
sqlite3 chats/ag-9/store.db <<END
CREATE TABLE blobs(id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
INSERT INTO meta VALUES('0', '$about');
INSERT INTO blobs VALUES('h1', CAST('{"role":"system","content":"You help."}' AS BLOB));
INSERT INTO blobs VALUES('h2', CAST('{"role":"user","content":"<user_info>\nWorkspace Path: /srv/mill\n</user_info>"}' AS BLOB));
INSERT INTO blobs VALUES('h3', CAST('{"role":"user","content":[{"type":"text","text":"<user_query>\nIs it ground?\n</user_query>"}]}' AS BLOB));
INSERT INTO blobs VALUES('h4', CAST('{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t","toolName":"Shell","args":{"command":"weigh"}}]}' AS BLOB));
INSERT INTO blobs VALUES('h5', CAST('{"role":"tool","content":[{"type":"tool-result","toolCallId":"t","toolName":"Shell","result":"two sacks"}]}' AS BLOB));
INSERT INTO blobs VALUES('h6', CAST('{"role":"assistant","content":[{"type":"text","text":"Two sacks."}]}' AS BLOB));
INSERT INTO blobs VALUES('h7', x'0a20ff00');
END
check_out "sessions of Cursor's command line are read" 'ag-9 user Is it ground?
ag-9 assistant  Shell
ag-9 tool two sacks
ag-9 assistant Two sacks.' said chats/ag-9/store.db
check_out 'its name and directory' 'Mühle /srv/mill' sh -c \
	"mem-list sessions -j | jq -r 'select(.session == \"ag-9\") | \"\(.title) \(.metadata.cwd)\"'"
sqlite3 chats/ag-9/store.db "DELETE FROM blobs WHERE id <> 'h7'"
check_err 'a store of another form' 65 "of kind 'blob'" mem-ingest -n chats/ag-9/store.db

codex() { printf '{"timestamp":"2026-10-06T01:00:0%s","type":"%s","payload":%s}\n' "$@"; }
{ codex 1Z session_meta '{"id":"0199cccc-0001-7000-8000-00000000000a","cwd":"/srv/mill"}'
	codex 2Z event_msg '{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"Does it turn?"}]}}'
	codex 3Z response_item '{"type":"custom_tool_call","call_id":"c1","name":"exec","input":"await tools.exec_command({cmd:1})"}'
	codex 4Z event_msg '{"type":"item_completed","item":{"type":"CommandExecution","id":"x1","command":["/bin/sh","-lc","make turn-test"],"cwd":"/srv/mill","status":"failed","exit_code":2,"aggregated_output":"error: jammed at axle.c:9"}}'
	codex 5Z event_msg '{"type":"item_completed","item":{"type":"FileChange","id":"x2","changes":{"/srv/mill/axle.c":{"type":"update"}}}}'
	codex 6Z response_item '{"type":"function_call","call_id":"x3","name":"shell","arguments":"{\"command\":[\"ls\"]}"}'
	codex 7Z event_msg '{"type":"item_completed","item":{"type":"CommandExecution","id":"x3","command":["ls"],"exit_code":0}}'
	codex 8Z response_item '{"type":"function_call_output","call_id":"x3","output":"axle.c"}'
	codex 9Z event_msg '{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"It jams."}]}}'
} >rollout-c.jsonl
check_out "Codex's Code Mode: commands and files are items" \
	'0199cccc-0001-7000-8000-00000000000a user Does it turn?
0199cccc-0001-7000-8000-00000000000a assistant  exec
0199cccc-0001-7000-8000-00000000000a assistant  shell
0199cccc-0001-7000-8000-00000000000a tool error: jammed at axle.c:9
0199cccc-0001-7000-8000-00000000000a assistant  file_change
0199cccc-0001-7000-8000-00000000000a assistant  shell
0199cccc-0001-7000-8000-00000000000a tool axle.c
0199cccc-0001-7000-8000-00000000000a assistant It jams.' said rollout-c.jsonl
for how in '--command make' '--file axle.c' '--error jammed'; do
	check_out "a session is found by what was said: $how" 1 \
		sh -c "mem-search $how | head -n 1 | wc -l"
done

# ---- nobody's words ----

cc() { printf '{"type":"user","uuid":"%s","sessionId":"cc-%s","timestamp":"2026-08-06T10:00:00Z",%s"message":{"role":"user","content":"%s"}}\n' "$@"; }
{ cc u1 1 '' 'Which dye?'
	cc u2 1 '' '<teammate-message teammate_id=\"a\">\nI prefer woad.\n</teammate-message>'
	cc u3 1 '' '<channel source=\"plugin:chat\" chat_id=\"7\">I prefer madder.</channel>'
	cc u4 1 '"origin":{"kind":"task-notification"},' 'The task is done.'
	cc u5 1 '' 'This session is being continued from a previous conversation that ran out of context. They like teal.'
	cc u6 1 '"isSynthetic":true,' 'Continue.'
	cc u7 1 '"origin":{"kind":"human"},' '<channel>\n<title>My feed</title>\n</channel>'
} >cc.jsonl
check_out 'Claude Code: teammates, channels, tasks, summaries' 'Which dye?
<channel>
<title>My feed</title>
</channel>' typed cc.jsonl
sed 's/"sessionId":"cc-1"/"sessionId":"cc-2","forkedFrom":{"sessionId":"cc-1","messageUuid":"u1"}/; s/"uuid":"u1"/"uuid":"w1"/; q' cc.jsonl >branch.jsonl
cc w2 2 '' 'And the border?' >>branch.jsonl
mem-ingest -q cc.jsonl
check_out 'a branch is stored once' 'cc-2 user And the border?' said branch.jsonl

codex_file() {
	codex 1Z session_meta "$1"
	codex 2Z event_msg '{"type":"user_message","message":"You are a reviewer."}'
}
for source in '"thread_source":"subagent"' '"source":{"subagent":"review"}' \
	'"source":{"subagent":{"thread_spawn":{"depth":1}}}'; do
	codex_file "{\"id\":\"h-1\",$source}" >rollout-h.jsonl
	check_out "Codex: a helper, $source" '' typed rollout-h.jsonl
done
codex_file '{"id":"h-2","source":"cli"}' >rollout-h.jsonl
check_out 'a role that is set for a person is a turn' 'You are a reviewer.' typed rollout-h.jsonl
{ codex 1Z session_meta '{"id":"i-1"}'
	codex 2Z event_msg '{"type":"user_message","message":"# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nDig deeper.\n"}'
	codex 2Z response_item '{"type":"message","role":"user","content":[{"type":"input_text","text":"# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nDig deeper.\n"}]}'
	codex 3Z event_msg '{"type":"user_message","message":"# Files mentioned by the user:\n\n## b.rs: /b.rs\n\n## My request for Codex:\nAnd wider."}'
} >rollout-i.jsonl
check_out 'what the editor sends with a request' 'Dig deeper.
And wider.' typed rollout-i.jsonl
{ codex 1Z session_meta '{"id":"s-1"}'
	codex 2Z response_item '{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/srv/summer</cwd>\n</environment_context>"}]}'
	codex 3Z event_msg '{"type":"user_message","message":"Who was here?"}'
} >rollout-s.jsonl
check_out 'where it worked stands in what it told of the machine' /srv/summer sh -c \
	"mem-ingest -n rollout-s.jsonl >o && jq -r .project o"

ev() { printf '{"type":"%s","id":"%s","timestamp":"2026-08-01T10:00:00.000Z","parentId":null%s,"data":%s}\n' "$@"; }
mkdir cp-1
{ ev session.start e0 '' '{"sessionId":"cp-1"}'
	ev user.message e1 '' '{"content":"Where is the drill?"}'
	ev user.message e2 '' '{"content":"Use the skill.","source":"skill-drill"}'
	ev user.message e3 ',"agentId":"a"' '{"content":"You explore."}'
	ev assistant.message e4 '' '{"content":"I found it.","parentToolCallId":"t"}'
	ev assistant.message e5 '' '{"content":"In the shed."}'
} >cp-1/events.jsonl
check_out 'Copilot CLI: helpers and skills' 'cp-1 user Where is the drill?
cp-1 assistant In the shed.' said cp-1/events.jsonl

pi() { printf '{"type":"message","id":"%s","timestamp":"2026-08-0%sT10:00:00.000Z","message":{"role":"user","content":"%s"}}\n' "$@"; }
head_of() { printf '{"type":"session","version":3,"id":"%s","timestamp":"2026-08-0%sT10:00:00.000Z","cwd":"/srv/mill"%s}\n' "$@"; }
mkdir pi
{ head_of p-1 1 ''; pi x1 1 one; } >pi/1_p-1.jsonl
{ head_of p-2 2 ',"parentSession":"/gone/1_p-1.jsonl"'; pi x1 1 one; pi x2 3 two; } >pi/2_p-2.jsonl
{ head_of p-3 4 ',"parentSession":"/gone/2_p-2.jsonl"'; pi x1 1 one; pi x2 3 two; pi x3 5 three; } >pi/3_p-3.jsonl
check_out 'a fork of a fork is stored once' 'p-1 user one
p-2 user two
p-3 user three' said pi
rm pi/1_p-1.jsonl
check_out 'also where the first is gone' 'p-1 user one
p-2 user two
p-3 user three' said -d 2.db pi/3_p-3.jsonl pi/2_p-2.jsonl

# ---- begun, or beside conversations ----

mkdir -p walk/sub
echo '{"type":"last-prompt","lastPrompt":"hm","sessionId":"b1"}' >walk/b1.jsonl
printf '%s\n' '{"type":"mode","mode":"plan","sessionId":"b2"}' "$(cc u9 b2 '' 'Begin now')" \
	>walk/b2.jsonl
codex 1Z session_meta '{"id":"b3"}' >walk/b3.jsonl
echo '{"session_id":"b3","ts":1785578400,"text":"typed"}' >walk/history.jsonl
check_out 'notes first or alone, and the history of what was typed' 'cc-b2 user Begin now' \
	said -d 3.db walk
check_err 'which is no transcript' 65 'history of what was typed' \
	mem-ingest -n walk/history.jsonl

# ---- what is neither ----

unread() { check_err "$1: not read, and told" 65 "not read: .* of kind '$2" mem-ingest -n "$3"; }
{ cat cc.jsonl; echo '{"type":"aside-note","uuid":"z","sessionId":"cc-1","note":{"saying":"I like green best"}}'; } >a.jsonl
unread 'Claude Code, a new type with words' aside-note a.jsonl
{ cat cc.jsonl; cc z 1 '' x | sed 's/"content"/"parts"/'; } >a.jsonl
unread 'a key that has another name' 'user without content' a.jsonl
{ cat cc.jsonl; cc z 1 '' x | sed 's/"content":"x"/"content":[{"type":"verse","text":"la la"}]/'; } >a.jsonl
unread 'a block of a new type' 'part verse' a.jsonl
{ cat rollout-i.jsonl; codex 9Z event_msg '{"type":"verse_sung","verse":"the old mill"}'; } >a.jsonl
unread 'Codex, a new event' 'event_msg/verse_sung' a.jsonl
{ cat rollout-i.jsonl; codex 9Z event_msg '{"type":"item_completed","item":{"type":"Verse","words":"the old mill"}}'; } >a.jsonl
unread 'a new item' 'event_msg/item_completed/Verse' a.jsonl
{ cat rollout-i.jsonl; codex 9Z event_msg '{"type":"agent_message","body":"the old mill"}'; } >a.jsonl
unread 'a message whose words have another name' event_msg/agent_message a.jsonl
{ cat cp-1/events.jsonl; ev person.said e9 '' '{"words":"the old mill"}'; } >a.jsonl
unread 'Copilot CLI' person.said a.jsonl
{ cat kiro/k7.jsonl; echo '{"version":"v2","kind":"Remark","data":{"said":"the old mill"}}'; } >a.jsonl
unread 'Kiro' Remark a.jsonl
{ cat pi/3_p-3.jsonl; pi x9 5 x | sed 's/"user"/"miller"/'; } >a.jsonl
unread 'pi' 'message/miller' a.jsonl
# every agent that writes lines: one of a new kind, and a person's turn whose words have a new name
from=$ROOT/tests/fixtures/from
for f in claude-code codex copilot-cli qwen droid dsh goose cursor gemini pi kiro \
	kimi-code/session_9/agents/main/wire \
	antigravity/brain/7c1e/.system_generated/logs/transcript; do
	[ -f "$from/$f.jsonl" ] || continue
	{ cat "$from/$f.jsonl"
		echo '{"type":"newform","role":"newrole","said":"the old mill turns slowly"}'; } >n.jsonl
	case $f in
	*wire | *transcript) format=${f%%/*} format=${format%-code} ;;
	*) format=$f ;;
	esac
	check_err "$format: a line of a new kind" 65 ' not read: ' \
		mem-ingest -n -d 5.db --from="$format" n.jsonl
	for key in text content message data; do
		printf 's/"%s": *"/"worte":"/g\n' $key
	done >keys
	sed -f keys "$from/$f.jsonl" >n.jsonl
	check_err "$format: words under another key" 65 ' not read: ' \
		mem-ingest -n -d 5.db --from="$format" n.jsonl
done
for f in opencode.json copilot.json gemini-old.json cline/task-7/ui_messages.json; do
	sed -f keys "$from/$f" >n.json
	check_err "$f: words under another key" 65 'not read: |no conversation' \
		mem-ingest -n -d 5.db n.json
done
{ cat cc.jsonl; echo '{"type":"tick","uuid":"z","sessionId":"cc-1","n":7}'; } >a.jsonl
check_err 'a new type without words is told, and that is all' 0 "of kind 'tick'" \
	mem-ingest -n a.jsonl
for i in 1 2 3 4 5 6 7 8 9; do
	echo '{"type":"tick","uuid":"z","sessionId":"cc-1","n":7}'
done >>a.jsonl
check_err 'a kind that is more than all else is refused' 65 "of kind 'tick'" mem-ingest -n a.jsonl

done_testing
