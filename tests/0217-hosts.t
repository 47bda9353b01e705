#!/bin/sh
# mem-setup and mem-ingest: a home with a session of each agent, at the place where the agent keeps
# it and in the form in which it writes it. Each turn has a mark in its words, MARK-1 to MARK-5, and
# what is stored has to have every mark that grep finds in the agent's own files: nothing lost, and
# nothing twice.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'
unset MEM_NOW MEM_SEED XDG_CONFIG_HOME XDG_STATE_HOME
export MEM_MODEL=none MEM_DB="$top/hosts.db"
fresh
HOME=$(pwd -P) XDG_DATA_HOME=$HOME/.local/share
export HOME XDG_DATA_HOME
shop=$HOME/shop
mkdir -p "$shop/.git" "$shop/src"
cwd=$shop/src                             # every session has worked there: its project is shop
hosts=

# put FILE: its input, with CWD replaced by that directory.
put() { mkdir -p "$(dirname "$1")" && sed "s|CWD|$cwd|g" >"$1"; }
table() { mkdir -p "$(dirname "$1")" && sed "s|CWD|$cwd|g" | sqlite3 "$1" >/dev/null; }
# host AGENT TURNS MODEL TIMES FILES: what it must give; "." is the shop's project, "-" none.
host() { hosts="$hosts$1 $2 $3 $4 $5 $6
"; }

put .claude/projects/-shop/11111111-1111-4111-8111-111111111111.jsonl <<'END'
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"cc-1","timestamp":"2026-03-01T10:00:01.000Z","cwd":"CWD","gitBranch":"main","version":"2.1","message":{"role":"user","content":"MARK-1 Why twice?"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"cc-1","timestamp":"2026-03-01T10:00:02.000Z","cwd":"CWD","message":{"role":"assistant","model":"claude-5","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"MARK-2 I look."},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"MARK-3.py"}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"cc-1","timestamp":"2026-03-01T10:00:03.000Z","cwd":"CWD","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"MARK-4 def total():"}]}}
{"type":"assistant","uuid":"u4","parentUuid":"u3","sessionId":"cc-1","timestamp":"2026-03-01T10:00:04.000Z","cwd":"CWD","message":{"role":"assistant","model":"claude-5","content":[{"type":"text","text":"MARK-5 A loop in a loop."}]}}
END
host claude-code 4 claude-5 . times .claude/projects

put .codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-cx-1.jsonl <<'END'
{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"cx-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"CWD","originator":"codex_cli_rs","cli_version":"0.147","git":{"branch":"main"}}}
{"timestamp":"2026-03-01T10:00:00.500Z","type":"turn_context","payload":{"cwd":"CWD","model":"gpt-5"}}
{"timestamp":"2026-03-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"MARK-1 Why twice?"}]}}
{"timestamp":"2026-03-01T10:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"MARK-1 Why twice?"}}
{"timestamp":"2026-03-01T10:00:02.000Z","type":"event_msg","payload":{"type":"agent_message","message":"MARK-2 I look."}}
{"timestamp":"2026-03-01T10:00:02.100Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"MARK-2 I look."}]}}
{"timestamp":"2026-03-01T10:00:02.500Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"cat\",\"MARK-3.py\"]}","call_id":"t1"}}
{"timestamp":"2026-03-01T10:00:03.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"t1","output":"MARK-4 def total():"}}
{"timestamp":"2026-03-01T10:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"MARK-5 A loop in a loop."}]}}
END
host codex 5 gpt-5 . times .codex/sessions

put .gemini/tmp/shop/.project_root <<'END'
CWD
END
put .gemini/tmp/shop/chats/session-2026-03-01T10-00-gm1.jsonl <<'END'
{"sessionId":"gm-1","projectHash":"shop","startTime":"2026-03-01T10:00:00.000Z","lastUpdated":"2026-03-01T10:00:00.000Z","kind":"main"}
{"id":"g1","timestamp":"2026-03-01T10:00:01.000Z","type":"user","content":[{"text":"MARK-1 Why twice?"}]}
{"id":"g2","timestamp":"2026-03-01T10:00:02.000Z","type":"gemini","content":"MARK-2 I look.","model":"gemini-3","toolCalls":[{"id":"r1","name":"read_file","args":{"path":"MARK-3.py"},"result":[{"functionResponse":{"id":"r1","name":"read_file","response":{"output":"MARK-4 def total():"}}}],"status":"success"}]}
{"id":"g3","timestamp":"2026-03-01T10:00:04.000Z","type":"gemini","content":"MARK-5 A loop in a loop.","model":"gemini-3"}
END
host gemini 5 gemini-3 . times .gemini/tmp

put .qwen/projects/-shop/chats/qw-1.jsonl <<'END'
{"uuid":"q1","parentUuid":null,"sessionId":"qw-1","timestamp":"2026-03-01T10:00:01.000Z","type":"user","cwd":"CWD","version":"0.6","gitBranch":"main","message":{"role":"user","parts":[{"text":"MARK-1 Why twice?"}]}}
{"uuid":"q2","parentUuid":"q1","sessionId":"qw-1","timestamp":"2026-03-01T10:00:02.000Z","type":"assistant","cwd":"CWD","model":"qwen3","message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"MARK-2 I look."},{"functionCall":{"id":"c1","name":"read_file","args":{"path":"MARK-3.py"}}}]}}
{"uuid":"q3","parentUuid":"q2","sessionId":"qw-1","timestamp":"2026-03-01T10:00:03.000Z","type":"tool_result","cwd":"CWD","message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"MARK-4 def total():"}}}]}}
{"uuid":"q4","parentUuid":"q3","sessionId":"qw-1","timestamp":"2026-03-01T10:00:04.000Z","type":"assistant","cwd":"CWD","model":"qwen3","message":{"role":"model","parts":[{"text":"MARK-5 A loop in a loop."}]}}
END
host qwen 4 qwen3 . times .qwen/projects

put .iflow/projects/-shop/session-1.jsonl <<'END'
{"type":"user","uuid":"i1","parentUuid":null,"sessionId":"session-1","timestamp":"2026-03-01T10:00:01.000Z","cwd":"CWD","version":"1.0.0","message":{"role":"user","content":"MARK-1 Why twice?"}}
{"type":"assistant","uuid":"i2","parentUuid":"i1","sessionId":"session-1","timestamp":"2026-03-01T10:00:02.000Z","cwd":"CWD","message":{"role":"assistant","model":"glm-4.6","content":[{"type":"text","text":"MARK-2 I look."},{"type":"tool_use","id":"c","name":"read_file","input":{"path":"MARK-3.py"}}]}}
{"type":"user","uuid":"i3","parentUuid":"i2","sessionId":"session-1","timestamp":"2026-03-01T10:00:03.000Z","cwd":"CWD","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":{"callId":"c","responseParts":{"functionResponse":{"id":"c","name":"read_file","response":{"output":"MARK-4 def total():"}}},"resultDisplay":"1 line"}}]}}
{"type":"assistant","uuid":"i4","parentUuid":"i3","sessionId":"session-1","timestamp":"2026-03-01T10:00:04.000Z","cwd":"CWD","message":{"role":"assistant","model":"glm-4.6","content":[{"type":"text","text":"MARK-5 A loop in a loop."}]}}
END
host iflow 4 glm-4.6 . times .iflow/projects

put .cursor/projects/shop/.workspace-trusted <<'END'
{"trustedAt":"2026-03-01T09:00:00.000Z","workspacePath":"CWD"}
END
put .cursor/projects/shop/agent-transcripts/cu-1/cu-1.jsonl <<'END'
{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nMARK-1 Why twice?\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"MARK-2 I look."},{"type":"tool_use","name":"Read","input":{"path":"MARK-3.py"}}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"MARK-5 A loop in a loop."}]}}
END
host cursor 3 - . - .cursor/projects

table .config/Cursor/User/globalStorage/state.vscdb <<'END'
CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB);
CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB);
INSERT INTO cursorDiskKV VALUES('composerData:cdb', '{"composerId":"cdb","name":"Cart","createdAt":1772359200000,"modelConfig":{"modelName":"claude-5"},
 "workspaceIdentifier":{"uri":{"fsPath":"CWD"}},"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2}]}');
INSERT INTO cursorDiskKV VALUES('bubbleId:cdb:b1', '{"type":1,"text":"MARK-1 Why twice?","createdAt":"2026-03-01T10:00:01Z"}');
INSERT INTO cursorDiskKV VALUES('bubbleId:cdb:b2', '{"type":2,"text":"MARK-2 I look.","createdAt":"2026-03-01T10:00:02Z","toolFormerData":{"name":"read_file","toolCallId":"t1","rawArgs":"{\"path\":\"MARK-3.py\"}","result":"MARK-4 def total():"}}');
INSERT INTO cursorDiskKV VALUES('bubbleId:cdb:b3', '{"type":2,"text":"MARK-5 A loop in a loop.","createdAt":"2026-03-01T10:00:04Z"}');
END
host cursor 4 claude-5 . times .config/Cursor/User/globalStorage/state.vscdb

put .copilot/session-state/cp-1/events.jsonl <<'END'
{"type":"session.start","data":{"sessionId":"cp-1","startTime":"2026-03-01T10:00:00.000Z","context":{"cwd":"CWD","branch":"main"}},"id":"e0","timestamp":"2026-03-01T10:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"MARK-1 Why twice?","transformedContent":"Why twice?"},"id":"e1","timestamp":"2026-03-01T10:00:01.000Z"}
{"type":"assistant.message","data":{"messageId":"m1","content":"MARK-2 I look.","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{"path":"MARK-3.py"}}]},"id":"e3","timestamp":"2026-03-01T10:00:02.000Z"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"MARK-4 def total():"}},"id":"e5","timestamp":"2026-03-01T10:00:03.000Z"}
{"type":"assistant.message","data":{"messageId":"m2","content":"MARK-5 A loop in a loop."},"id":"e6","timestamp":"2026-03-01T10:00:04.000Z"}
END
host copilot 4 - . times .copilot/session-state

code=.config/Code/User
put $code/workspaceStorage/9a/workspace.json <<END
{ "folder": "file://$(printf %s "$cwd" | sed 's|shop|sh%6Fp|')" }
END
put $code/workspaceStorage/9a/chatSessions/vs-1.json <<'END'
{"version":3,"responderUsername":"GitHub Copilot","sessionId":"vs-1","creationDate":1772359200000,"requests":[{"requestId":"r1","message":{"text":"MARK-1 Why twice?"},"timestamp":1772359201000,"modelId":"copilot/gpt-5","responseId":"s1","response":[{"value":"MARK-2 I look."},{"kind":"toolInvocationSerialized","toolCallId":"t1","toolId":"copilot_readFile","pastTenseMessage":{"value":"Read MARK-3.py"}},{"value":" MARK-5 A loop in a loop."}]}]}
END
host vscode 2 copilot/gpt-5 . times $code/workspaceStorage

table .local/share/opencode/opencode.db <<'END'
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
INSERT INTO session VALUES('ses_db', 'p', 'CWD', 'Cart', '1.2', 1772359200000, 1772359204000);
INSERT INTO message VALUES('msg_1', 'ses_db', 1772359201000, '{"role":"user","time":{"created":1772359201000}}');
INSERT INTO message VALUES('msg_2', 'ses_db', 1772359202000, '{"role":"assistant","modelID":"kimi-k2","time":{"created":1772359202000}}');
INSERT INTO message VALUES('msg_3', 'ses_db', 1772359204000, '{"role":"assistant","modelID":"kimi-k2","time":{"created":1772359204000}}');
INSERT INTO part VALUES('p1', 'msg_1', 'ses_db', '{"type":"text","text":"MARK-1 Why twice?"}');
INSERT INTO part VALUES('p2', 'msg_2', 'ses_db', '{"type":"text","text":"MARK-2 I look."}');
INSERT INTO part VALUES('p3', 'msg_2', 'ses_db', '{"type":"tool","callID":"c1","tool":"read","state":{"input":{"filePath":"MARK-3.py"},"output":"MARK-4 def total():"}}');
INSERT INTO part VALUES('p4', 'msg_3', 'ses_db', '{"type":"text","text":"MARK-5 A loop in a loop."}');
END
host opencode 4 kimi-k2 . times .local/share/opencode/opencode.db

s=.local/share/opencode/storage
put $s/session/global/ses_fs.json <<'END'
{"id":"ses_fs","title":"Cart","directory":"CWD","version":"0.9","time":{"created":1772359200000,"updated":1772359204000}}
END
put $s/message/ses_fs/msg_a.json <<'END'
{"id":"msg_a","sessionID":"ses_fs","role":"user","time":{"created":1772359201000}}
END
put $s/part/msg_a/prt_1.json <<'END'
{"id":"prt_1","type":"text","text":"MARK-1 Why twice?"}
END
put $s/message/ses_fs/msg_b.json <<'END'
{"id":"msg_b","sessionID":"ses_fs","role":"assistant","modelID":"grok-4","time":{"created":1772359202000}}
END
put $s/part/msg_b/prt_2.json <<'END'
{"id":"prt_2","type":"text","text":"MARK-2 I look."}
END
put $s/part/msg_b/prt_3.json <<'END'
{"id":"prt_3","type":"tool","callID":"c1","tool":"read","state":{"input":{"filePath":"MARK-3.py"},"output":"MARK-4 def total():"}}
END
host opencode 3 grok-4 . times $s

table .local/share/goose/sessions/sessions.db <<'END'
CREATE TABLE sessions(id TEXT PRIMARY KEY, name TEXT DEFAULT '', description TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP, metadata_json TEXT);
INSERT INTO sessions VALUES('20260301_1', '', 'Cart', 'CWD', '2026-03-01 10:00:00', '2026-03-01 10:00:04');
INSERT INTO messages VALUES(1, '20260301_1', 'user', '[{"type":"text","text":"MARK-1 Why twice?"}]', 1772359201, '2026-03-01 10:00:01', NULL);
INSERT INTO messages VALUES(2, '20260301_1', 'assistant', '[{"type":"text","text":"MARK-2 I look."},{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"cat MARK-3.py"}}}}]', 1772359202, '2026-03-01 10:00:02', NULL);
INSERT INTO messages VALUES(3, '20260301_1', 'user', '[{"type":"toolResponse","id":"c1","toolResult":{"status":"success","value":[{"type":"text","text":"MARK-4 def total():"}]}}]', 1772359203, '2026-03-01 10:00:03', NULL);
INSERT INTO messages VALUES(4, '20260301_1', 'assistant', '[{"type":"text","text":"MARK-5 A loop in a loop."}]', 1772359204, '2026-03-01 10:00:04', NULL);
END
mkdir -p .config/goose .config/opencode
host goose 4 - . times .local/share/goose/sessions

put .kimi-code/sessions/wd_shop/session_k/state.json <<'END'
{
  "createdAt": "2026-03-01T10:00:00.000Z", "updatedAt": "2026-03-01T10:00:05.000Z", "title": "Cart",
  "workDir": "CWD", "agents": {"main": {"type": "main", "parentAgentId": null}}
}
END
put .kimi-code/sessions/wd_shop/session_k/agents/main/wire.jsonl <<'END'
{"type":"metadata","protocol_version":"1.4","created_at":1772359200000}
{"type":"config.update","modelAlias":"kimi-k2","time":1772359200100}
{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"MARK-1 Why twice?"}],"toolCalls":[]},"time":1772359201000}
{"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s1","step":0},"time":1772359201100}
{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"c1","stepUuid":"s1","part":{"type":"think","text":"hm"}},"time":1772359201500}
{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"c2","stepUuid":"s1","part":{"type":"text","text":"MARK-2 I "}},"time":1772359202000}
{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"c3","stepUuid":"s1","part":{"type":"text","text":"look."}},"time":1772359202100}
{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"c4","stepUuid":"s1","toolCallId":"t1","name":"Read","args":{"path":"MARK-3.py"}},"time":1772359202200}
{"type":"context.append_loop_event","event":{"type":"tool.result","uuid":"c5","stepUuid":"s1","toolCallId":"t1","result":{"output":"MARK-4 def total():"}},"time":1772359203000}
{"type":"context.append_loop_event","event":{"type":"step.end","uuid":"s1","step":0},"time":1772359203100}
{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"c6","stepUuid":"s2","part":{"type":"text","text":"MARK-5 A loop in a loop."}},"time":1772359204000}
END
host kimi 5 kimi-k2 . times .kimi-code/sessions

cline=$code/globalStorage/saoudrizwan.claude-dev
put $cline/tasks/1772359200000/ui_messages.json <<'END'
[{"ts":1772359201000,"type":"say","say":"task","text":"MARK-1 Why twice?"},
 {"ts":1772359201500,"type":"say","say":"api_req_started","text":"{\"request\":\"<task>\\nWhy twice?\\n</task>\\n\\n<environment_details>\\n# Current Working Directory (CWD) Files\\ncart.py\\n</environment_details>\",\"cost\":0.01}"},
 {"ts":1772359202000,"type":"say","say":"text","text":"MARK-2 I look."},
 {"ts":1772359202500,"type":"ask","ask":"command","text":"cat MARK-3.py"},
 {"ts":1772359203000,"type":"say","say":"command_output","text":"MARK-4 def total():"},
 {"ts":1772359204000,"type":"say","say":"completion_result","text":"MARK-5 A loop in a loop."}]
END
host cline 5 - . times $cline/tasks

put .cline/data/sessions/cli-1/cli-1.json <<'END'
{ "session_id": "cli-1", "created_at": "2026-03-01T10:00:00.000Z", "provider": "anthropic",
  "model": "claude-5", "cwd": "CWD", "workspace_root": "CWD", "metadata": {"title": "Cart"} }
END
put .cline/data/sessions/cli-1/cli-1.messages.json <<'END'
{ "version": 1, "updated_at": "2026-03-01T10:00:04.000Z", "agent": "lead", "sessionId": "cli-1",
  "messages": [
  {"id": "m1", "role": "user", "content": [{"type": "text", "text": "<user_input mode=\"act\">MARK-1 Why twice?</user_input>"}], "ts": 1772359201000},
  {"id": "m2", "role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "MARK-2 I look."}, {"type": "tool_use", "id": "t1", "name": "read_files", "input": {"files": ["MARK-3.py"]}}], "ts": 1772359202000},
  {"id": "m3", "role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "MARK-4 def total():"}], "ts": 1772359203000},
  {"id": "m4", "role": "assistant", "content": [{"type": "text", "text": "MARK-5 A loop in a loop."}], "ts": 1772359204000}]}
END
put .cline/data/sessions/cli-1/agent-2/agent-2.messages.json <<'END'
{"version":1,"agent":"helper","sessionId":"agent-2","messages":[{"id":"x","role":"user","content":"a helper's own","ts":1}]}
END
host cline-cli 4 claude-5 . times .cline/data/sessions/cli-1/cli-1.messages.json

for ext in roo:rooveterinaryinc.roo-cline kilo:kilocode.kilo-code; do
	task=$code/globalStorage/${ext#*:}/tasks/${ext%:*}-7
	put $task/history_item.json <<'END'
{"id":"7","number":1,"ts":1772359204000,"task":"Why twice?","tokensIn":12,"tokensOut":4,"totalCost":0,"workspace":"CWD"}
END
	put $task/ui_messages.json <<'END'
[{"ts":1772359201000,"type":"say","say":"text","text":"MARK-1 Why twice?"},
 {"ts":1772359202000,"type":"say","say":"text","text":"MARK-2 I look."},
 {"ts":1772359202500,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"MARK-3.py\"}"},
 {"ts":1772359204000,"type":"say","say":"completion_result","text":"MARK-5 A loop in a loop."}]
END
	put $task/api_conversation_history.json <<'END'
[{"role":"user","content":"the same again"}]
END
	host ${ext%:*} 4 - . times $task/ui_messages.json
done

table .hermes/state.db <<'END'
CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, model TEXT, title TEXT, started_at REAL, cwd TEXT, git_branch TEXT, git_repo_root TEXT);
CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL);
INSERT INTO sessions VALUES('h1', 'cli', 'hermes-4', 'Cart', 1772359200.5, 'CWD', 'main', NULL);
INSERT INTO messages VALUES(1, 'h1', 'user', 'MARK-1 Why twice?', NULL, NULL, NULL, 1772359201.6);
INSERT INTO messages VALUES(2, 'h1', 'assistant', 'MARK-2 I look.', NULL, '[{"id":"k","type":"function","function":{"name":"read","arguments":"{\"path\":\"MARK-3.py\"}"}}]', NULL, 1772359202);
INSERT INTO messages VALUES(3, 'h1', 'tool', 'MARK-4 def total():', 'k', NULL, 'read', 1772359203);
INSERT INTO messages VALUES(4, 'h1', 'assistant', 'MARK-5 A loop in a loop.', NULL, NULL, NULL, 1772359204);
END
host hermes 4 hermes-4 . times .hermes/state.db

mkdir -p .config/zed
table .local/share/zed/threads/threads.db <<'END'
CREATE TABLE threads(id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL, folder_paths TEXT, created_at TEXT);
INSERT INTO threads VALUES('z1', 'Cart', '2026-03-01T10:00:04Z', 'json', CAST('{"version":"0.3.0","title":"Cart","model":{"provider":"p","model":"claude-5"},"messages":[{"User":{"id":"u1","content":[{"Text":"MARK-1 Why twice?"}]}},{"Agent":{"content":[{"Thinking":{"text":"hm","signature":null}},{"Text":"MARK-2 I look."},{"ToolUse":{"id":"k1","name":"read_file","input":{"path":"MARK-3.py"}}}],"tool_results":{"k1":{"tool_use_id":"k1","tool_name":"read_file","is_error":false,"content":{"Text":"MARK-4 def total():"}}}}},{"Agent":{"content":[{"Text":"MARK-5 A loop in a loop."}],"tool_results":{}}}]}' AS BLOB), 'CWD', '2026-03-01T10:00:00Z');
END
host zed 4 claude-5 . - .local/share/zed/threads/threads.db

mkdir -p .config/crush
put .local/share/crush/projects.json <<END
{"projects": [{"path": "$shop", "data_dir": "$shop/.crush", "last_accessed": "2026-03-01T10:00:00Z"},
 {"path": "/gone", "data_dir": "/gone/.crush", "last_accessed": "2026-03-01T10:00:00Z"}]}
END
table shop/.crush/crush.db <<'END'
CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL);
INSERT INTO sessions(id, title, updated_at, created_at) VALUES('cr-1', 'Cart', 1772359204, 1772359200);
INSERT INTO sessions(id, parent_session_id, title, updated_at, created_at) VALUES('u2$$t1', 'cr-1', 'Helper', 1772359204, 1772359203);
INSERT INTO messages(id, session_id, role, parts, created_at, updated_at) VALUES('u1', 'cr-1', 'user', '[{"type":"text","data":{"text":"MARK-1 Why twice?"}},{"type":"finish","data":{"reason":"stop","time":0}}]', 1772359201, 1772359201);
INSERT INTO messages VALUES('u2', 'cr-1', 'assistant', '[{"type":"reasoning","data":{"thinking":"hm","signature":""}},{"type":"text","data":{"text":"MARK-2 I look."}},{"type":"tool_call","data":{"id":"t1","name":"view","input":"{\"file_path\":\"MARK-3.py\"}","provider_executed":false,"finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1772359202}}]', 'claude-5', 1772359202, 1772359202, 1772359202, 'p', 0);
INSERT INTO messages(id, session_id, role, parts, created_at, updated_at) VALUES('u3', 'cr-1', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"t1","name":"view","content":"MARK-4 def total():","data":"","mime_type":"","metadata":"","is_error":false}}]', 1772359202, 1772359202);
INSERT INTO messages VALUES('u4', 'cr-1', 'assistant', '[{"type":"text","data":{"text":"MARK-5 A loop in a loop."}},{"type":"finish","data":{"reason":"end_turn","time":1772359204}}]', 'claude-5', 1772359202, 1772359204, 1772359204, 'p', 0);
INSERT INTO messages VALUES('u5', 'cr-1', 'assistant', '[{"type":"text","data":{"text":"what the session was about"}}]', 'claude-5', 1772359205, 1772359205, 1772359205, 'p', 1);
INSERT INTO messages(id, session_id, role, parts, created_at, updated_at) VALUES('h1', 'u2$$t1', 'user', '[{"type":"text","data":{"text":"a helper of its own"}}]', 1772359203, 1772359203);
INSERT INTO messages(id, session_id, role, parts, created_at, updated_at) VALUES('u6', 'cr-1', 'assistant', '[{"type":"text","data":{"text":"half an ans"}}]', 1772359206, 4102444800);
END
host crush 4 claude-5 . times shop/.crush/crush.db

pi() {
	put "$2" <<'END'
{"type":"session","version":3,"id":"SESSION","timestamp":"2026-03-01T10:00:00.000Z","cwd":"CWD"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"MARK-1 Why twice?"}]}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","model":"claude-5","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"MARK-2 I look."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"MARK-3.py"}}]}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"MARK-4 def total():"}]}}
{"type":"message","id":"a4","parentId":"a3","timestamp":"2026-03-01T10:00:04.000Z","message":{"role":"assistant","model":"claude-5","content":[{"type":"text","text":"MARK-5 A loop in a loop."}]}}
END
	sed "s/SESSION/$1-s/; s/\"a\([1-4]\)\"/\"$1\1\"/g" "$2" >t && mv t "$2"
}
pi pi .pi/agent/sessions/--shop--/2026-03-01_pi.jsonl
host pi 4 claude-5 . times .pi/agent/sessions
pi omp .omp/agent/sessions/-shop/2026-03-01_omp.jsonl
host omp 4 claude-5 . times .omp/agent/sessions
claw=.openclaw/agents/main/sessions
pi openclaw $claw/claw.jsonl
put $claw/claw.checkpoint.11111111-2222-4333-8444-555555555555.jsonl <<'END'
{"type":"session","version":3,"id":"copy","timestamp":"2026-03-01T10:00:00.000Z","cwd":"CWD"}
{"type":"message","id":"x1","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"what the model saw"}}
END
host openclaw 4 claude-5 . times .openclaw/agents/main/sessions/claw.jsonl

put .factory/sessions/-shop/droid-1.jsonl <<'END'
{"type":"session_start","id":"droid-1","title":"Cart","cwd":"CWD"}
{"type":"message","id":"d1","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"MARK-1 Why twice?"}]}}
{"type":"message","id":"d2","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"MARK-2 I look."},{"type":"tool_use","id":"c2","name":"Read","input":{"file_path":"MARK-3.py"}}]}}
{"type":"message","id":"d3","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"MARK-4 def total():"}]}}
{"type":"message","id":"d4","timestamp":"2026-03-01T10:00:04.000Z","message":{"role":"assistant","content":[{"type":"text","text":"MARK-5 A loop in a loop."}]}}
END
host droid 4 - . times .factory/sessions

put dsh.jsonl <<'END'
{"type":"session","version":0,"id":"session-41","createdAt":1772359200000,"cwd":"CWD","delegationDepth":0}
{"type":"user/message","seq":4,"time":1772359201000,"data":{"content":[{"type":"text","text":"MARK-1 Why twice?"}],"source":{"kind":"user"},"role":"user"}}
{"type":"assistant/chunk","seq":6,"time":1772359201500,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","text":"MARK-2 I "}}}
{"type":"assistant/message","seq":9,"time":1772359202000,"data":{"turn":1,"step":1,"message":{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"MARK-2 I look."}],"source":{"kind":"model","model":"deepseek-v4"}}}}
{"type":"tool/call","seq":10,"time":1772359202500,"data":{"turn":1,"step":1,"callId":"c1","name":"read","arguments":"{\"file_path\":\"MARK-3.py\"}"}}
{"type":"tool/result","seq":11,"time":1772359203000,"data":{"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[{"type":"text","text":"MARK-4 def total():"}]}]}}}
{"type":"assistant/message","seq":12,"time":1772359204000,"data":{"turn":1,"step":2,"message":{"role":"assistant","content":[{"type":"text","text":"MARK-5 A loop in a loop."}],"source":{"kind":"model","model":"deepseek-v4"}}}}
END
d=.dsh/sessions/--shop--/session-41
mkdir -p $d
# as it writes them: frames one behind the other, and the longer ending
if command -v zstd >/dev/null 2>&1; then
	{ head -n 3 dsh.jsonl | zstd -q; tail -n +4 dsh.jsonl | zstd -q; } >$d/session.jsonl.zstd
else
	cp dsh.jsonl $d/session.jsonl
fi
host dsh 5 deepseek-v4 . times dsh.jsonl

put .gemini/antigravity/brain/ag-1/.system_generated/logs/transcript.jsonl <<'END'
{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-03-01T10:00:01Z","content":"<USER_REQUEST>\nMARK-1 Why twice?\n</USER_REQUEST>\n<ADDITIONAL_METADATA>{\"cwd\":\"CWD\"}</ADDITIONAL_METADATA>"}
{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE","created_at":"2026-03-01T10:00:01Z"}
{"step_index":2,"source":"MODEL","type":"RUN_COMMAND","status":"DONE","created_at":"2026-03-01T10:00:02Z","content":"Created At: 2026-03-01T10:00:02Z\nTask Description: cat MARK-3.py\nMARK-4 def total():"}
{"step_index":4,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-03-01T10:00:05Z","content":"MARK-5 A loop in a loop."}
END
host antigravity 4 - . times .gemini/antigravity

put ".grok/sessions/$(printf %s "$cwd" | sed 's|/|%2F|g')/gr-1/updates.jsonl" <<'END'
{"timestamp":1772359201,"method":"session/update","params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"MARK-1 Why "},"_meta":{"promptIndex":0}}}}
{"timestamp":1772359201,"method":"session/update","params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"twice?"},"_meta":{"promptIndex":0}}}}
{"timestamp":1772359202,"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"MARK-2 I look."}},"_meta":{"promptId":"p1"}}}
{"timestamp":1772359203,"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"k1","title":"cat MARK-3.py","kind":"execute","status":"pending"}}}
{"timestamp":1772359203,"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"k1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"MARK-4 def total():"}}]}}}
{"timestamp":1772359204,"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"MARK-5 A loop in a loop."}},"_meta":{"promptId":"p1"}}}
END
host grok-build 5 - . times .grok/sessions

put .continue/sessions/ct-1.json <<'END'
{"sessionId":"ct-1","title":"Cart","workspaceDirectory":"CWD","history":[
 {"message":{"role":"user","content":"MARK-1 Why twice?","id":"m1"},"contextItems":[]},
 {"message":{"role":"assistant","content":"MARK-2 I look.","id":"m2","toolCalls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"filepath\":\"MARK-3.py\"}"}}]},"contextItems":[],"promptLogs":[{"modelTitle":"claude-5"}]},
 {"message":{"role":"tool","content":"MARK-4 def total():","toolCallId":"c1","id":"m3"},"contextItems":[]},
 {"message":{"role":"assistant","content":"MARK-5 A loop in a loop.","id":"m4"},"contextItems":[]}]}
END
host continue 4 claude-5 . - .continue/sessions

table .config/io.datasette.llm/logs.db <<'END'
CREATE TABLE conversations(id TEXT PRIMARY KEY, name TEXT, model TEXT);
CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT);
INSERT INTO conversations VALUES('k1', 'Cart', 'gpt-5');
INSERT INTO responses VALUES('r1', 'gpt-5', 'MARK-1 Why twice?', NULL, NULL, 'MARK-5 A loop in a loop.', 'k1', '2026-03-01T10:00:00');
END
host llm 2 gpt-5 - times .config/io.datasette.llm/logs.db

put .aider.chat.history.md <<'END'

# aider chat started at 2026-03-01 10:00:00

> Model: claude-5 with diff edit format

#### MARK-1 Why twice?

MARK-2 I look.

#### MARK-3 And now?

MARK-5 A loop in a loop.
END
host aider 4 - home times .aider.chat.history.md

# ---- what mem-setup makes of it ----

check 'mem-setup reads them all' mem-setup -q --from-build --auto --yes
mem-list messages -j >stored
mem-list sessions -j >sessions
check_out 'without a word of complaint' 0 sh -c "mem-setup -j -d none.db >found; jq -s 'map(.unread // 0) | add' found"
echo "$hosts" | while read -r name turns model project times files; do
	[ -n "$name" ] && echo "$name $turns"
done | awk '{ n[$1] += $2 } END { for (h in n) print h, n[h] }' | sort >want
check_out 'of each agent as many turns as there are' "$(cat want)" sh -c \
	"jq -r 'select(.type == \"agent\" and .messages > 0) | \"\\(.name) \\(.messages)\"' found | sort"
check_out 'agents of which there was something' 28 sh -c 'wc -l <want'

# Each place by itself: the marks, the models, the project and the times.
marks() { grep -ao 'MARK-[0-9]' | sort -u | paste -sd ' ' -; }
echo "$hosts" | while read -r name turns model project times files; do
	[ -n "$name" ] || continue
	rm -f one.db
	# a directory that begins with a dot is read when it is named
	case $name in
	antigravity) place=$(echo $files/brain/*/.system_generated/logs) ;;
	vscode) place=$(echo $files/*/chatSessions) ;;
	*) place=$files ;;
	esac
	mem-ingest -q -d one.db "$place" 2>said || cat said
	mem-list messages -d one.db -j >one
	case $project in .) project=$shop ;; home) project=$HOME ;; *) project=null ;; esac
	printf '%s %s: of %s, %s turns, %s, %s, %s, times %s\n' "$name" "$files" \
		"$(mem-list sessions -d one.db -j |
			jq -rs '[.[].metadata.host] | unique | join(",")')" "$(wc -l <one)" \
		"$(jq -r 'tojson' one | marks)" \
		"$(jq -rs '[.[].model // empty] | unique | join(",")' one)" \
		"$(jq -rs '[.[].project] | unique | join(",")' one)" \
		"$(jq -s 'all(.[]; .time != null)' one)" >>got
	[ "$model" != - ] || model=
	[ "$project" != null ] || project=
	case $times in times) times=true ;; *) times=false ;; esac
	case $name in
	copilot) as=copilot-cli ;;
	vscode) as=copilot ;;
	cline-cli) as=cline ;;
	*) as=$name ;;
	esac
	printf '%s %s: of %s, %s turns, %s, %s, %s, times %s\n' "$name" "$files" $as "$turns" \
		"$(find "$files" -type f ! -name 'api_*' -exec cat {} + | marks)" \
		"$model" "$project" "$times" >>must
done
check_out 'every mark of every file, the host, the model, the project of its directory, the time' "$(cat must)" \
	cat got
check_out 'calls of tools where the agent writes them' 28 sh -c \
	'jq -r "select(.tool_calls).session" stored | sort -u | wc -l'
check_out 'histories that are read again store nothing' 0 \
	sh -c \
	"mem-setup -q --from-build --auto --yes >o; mem-list messages -j >again; diff stored again | wc -l"
done_testing
