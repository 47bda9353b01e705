#!/bin/sh
# mem-ingest: conversations that other programs keep in SQLite: read, and never written.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3'

said() {
	mem-ingest "$@" >records || return
	jq -r 'select(.role) | "\(.session) \(.role) \(.content)" + (if .tool_calls then
		" " + (.tool_calls | map(.function.name) | join(",")) else "" end)' records
}
fresh
mkdir home

sqlite3 home/opencode.db <<'EOF' >/dev/null
PRAGMA journal_mode = WAL;
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
INSERT INTO session VALUES('ses_1', 'p', '/srv/shop', 'Slow tests', '1.2', 1714557600000, 1714557660000);
INSERT INTO message VALUES('msg_1', 'ses_1', 1714557600001, '{"role":"user","time":{"created":1714557600001}}');
INSERT INTO message VALUES('msg_2', 'ses_1', 1714557600002, '{"role":"assistant","modelID":"m","time":{"created":1714557600002}}');
INSERT INTO part VALUES('prt_1', 'msg_1', 'ses_1', '{"type":"text",
  "text":"Which tests are slow?"}');
INSERT INTO part VALUES('prt_2', 'msg_2', 'ses_1', '{"type":"tool","callID":"c1","tool":"bash","state":{"input":{"command":"npm test"},"output":"cart 8 s"}}');
INSERT INTO part VALUES('prt_3', 'msg_2', 'ses_1', '{"type":"text","text":"The one of the cart."}');
EOF
check_out 'a database of OpenCode is read' 'ses_1 user Which tests are slow?
ses_1 assistant The one of the cart. bash
ses_1 tool cart 8 s' said home/opencode.db
check_out 'sessions of OpenCode have titles and directories' 'Slow tests /srv/shop' sh -c \
	"mem-list sessions -j | jq -r '.title + \" \" + .metadata.cwd'"
check_out 'a database of OpenCode that is read again has nothing new' '' said home/opencode.db
cp home/opencode.db torn.db
sqlite3 torn.db "INSERT INTO message VALUES('msg_3', 'ses_1', 1714557600003, 'cut of')"
check_err 'a row that is damaged is told' 65 'torn.db: opencode: 1 of 3 rows not read' \
	mem-ingest -n torn.db

sqlite3 home/sessions.db <<'EOF'
CREATE TABLE sessions(id TEXT PRIMARY KEY, name TEXT DEFAULT '', description TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP, metadata_json TEXT);
INSERT INTO sessions VALUES('20240501_1', '', 'Deploy', '/srv', '2024-05-01 10:00:00', '2024-05-01 10:00:00');
INSERT INTO messages VALUES(1, '20240501_1', 'user', '[{"type":"text","text":"deploy it"}]', 1714557600, '2024-05-01 10:00:00', NULL);
INSERT INTO messages VALUES(2, '20240501_1', 'assistant', '[{"type":"text","text":"for the model alone"}]', 1714557601, '2024-05-01 10:00:01', '{"userVisible":false}');
INSERT INTO messages VALUES(3, '20240501_1', 'assistant', '[{"type":"text","text":"Deployed."}]', 1714557602, '2024-05-01 10:00:02', '{"userVisible":true}');
EOF
goose='20240501_1 user deploy it
20240501_1 assistant Deployed.'
check_out 'a database of Goose is read' "$goose" said -n home/sessions.db
cp home/sessions.db newer.db
sqlite3 newer.db 'ALTER TABLE messages ADD COLUMN message_id TEXT'
check_out 'a later version of it' "$goose" said -n newer.db
sqlite3 older.db <<'EOF'
CREATE TABLE sessions(id TEXT PRIMARY KEY, description TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, timestamp TIMESTAMP);
INSERT INTO sessions VALUES('s', 'Old', '/srv', '2024-05-01', '2024-05-01');
INSERT INTO messages VALUES(1, 's', 'user', '[{"type":"text","text":"older"}]', 1714557600, '2024-05-01');
EOF
check_out 'a database of an earlier Goose is read' 's user older' said -n older.db

sqlite3 crush.db <<'EOF'
CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER);
INSERT INTO sessions VALUES('c', NULL, 'Tests', 0, 1714557600, 1714557600);
INSERT INTO messages VALUES('m1', 'c', 'user', '[{"type":"shell_command","data":{"command":"make","output":"boom\n","exit_code":2}},{"type":"text","data":{"text":"Why?"}},{"type":"binary","data":{"Path":"a.png","MIMEType":"image/png","Data":"AA=="}}]', NULL, 1714557600, 1714557600, NULL);
INSERT INTO messages VALUES('m2', 'c', 'assistant', '[{"type":"tool_call","data":{"id":"t1","name":"bash","input":"{}"}},{"type":"tool_call","data":{"id":"t2","name":"view","input":"{}"}}]', 'm', 1714557601, 1714557601, NULL);
INSERT INTO messages VALUES('m3', 'c', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"t1","name":"bash","content":"no rule","is_error":true}},{"type":"tool_result","data":{"tool_call_id":"t2","name":"view","content":"all:","is_error":false}}]', NULL, 1714557601, 1714557601, NULL);
EOF
check_out 'Crush before it marked summaries, and what was run by hand' 'c user $ make
boom

Why?
c assistant  bash,view
c tool no rule
c tool all:' said -n crush.db

sqlite3 home/logs.db <<'EOF'
CREATE TABLE conversations(id TEXT PRIMARY KEY, name TEXT, model TEXT);
CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT);
INSERT INTO conversations VALUES('k1', 'Fun', 'm');
INSERT INTO responses VALUES('r1', 'm', 'a name for a cat', NULL, NULL, 'Miso', 'k1', '2024-05-01T10:00:00');
EOF
llm='k1 user a name for a cat
k1 assistant Miso'
check_out 'a database of llm is read' "$llm" said -n home/logs.db
cp home/logs.db tools.db
sqlite3 tools.db <<'EOF'
CREATE TABLE fragments(id INTEGER PRIMARY KEY, hash TEXT, content TEXT, source TEXT);
CREATE TABLE prompt_fragments(response_id TEXT, fragment_id INTEGER, "order" INTEGER);
CREATE TABLE attachments(id TEXT PRIMARY KEY, type TEXT, path TEXT, url TEXT, content BLOB);
CREATE TABLE prompt_attachments(response_id TEXT, attachment_id TEXT, "order" INTEGER);
CREATE TABLE tool_calls(id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, arguments TEXT, tool_call_id TEXT);
CREATE TABLE tool_results(id INTEGER PRIMARY KEY, response_id TEXT, tool_id INTEGER, name TEXT, output TEXT, tool_call_id TEXT);
INSERT INTO fragments VALUES(1, 'h', 'a list of cats', '/srv/cats.txt');
INSERT INTO prompt_fragments VALUES('r1', 1, 0);
INSERT INTO tool_calls VALUES(1, 'r1', 1, 'names', '{}', 'c1');
EOF
check_out 'llm with fragments and tools' 'k1 user a list of cats
k1 user a name for a cat
k1 assistant Miso names' said -n tools.db

sqlite3 home/state.db <<'EOF'
CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, model TEXT, title TEXT, started_at REAL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL);
INSERT INTO sessions VALUES('20240501_a', 'cli', 'm', 'Pump', 1714557600.5);
INSERT INTO messages VALUES(1, '20240501_a', 'user', 'why does it stop?', NULL, NULL, NULL, 1714557600.6);
INSERT INTO messages VALUES(2, '20240501_a', 'assistant', '', NULL, '[{"id":"k","type":"function","function":{"name":"read","arguments":"{}"}}]', NULL, 1714557601);
INSERT INTO messages VALUES(3, '20240501_a', 'tool', 'limit 80', 'k', NULL, 'read', 1714557602);
INSERT INTO messages VALUES(4, '20240501_a', 'session_meta', 'x', NULL, NULL, NULL, 1714557603);
EOF
check_out 'a database of Hermes is read' '20240501_a user why does it stop?
20240501_a assistant  read
20240501_a tool limit 80' said -n home/state.db

sqlite3 home/state.vscdb <<'EOF'
CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB);
CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB);
INSERT INTO cursorDiskKV VALUES('composerData:c1', '{"composerId":"c1","name":"Parser","createdAt":1714557600000,
 "fullConversationHeadersOnly":[{"bubbleId":"b2","type":1},{"bubbleId":"b1","type":2},{"bubbleId":"gone","type":2}]}');
INSERT INTO cursorDiskKV VALUES('bubbleId:c1:b1', '{"type":2,"text":"","toolFormerData":{"name":"read_file","toolCallId":"t1","rawArgs":"{}","result":"src"}}');
INSERT INTO cursorDiskKV VALUES('bubbleId:c1:b2', '{"type":1,"text":"fix the parser","createdAt":"2024-05-01T10:00:00Z"}');
INSERT INTO cursorDiskKV VALUES('composerData:c0', '{"createdAt":1614557600000,"conversation":[{"bubbleId":"x","type":1,"text":"an old one"},{"type":2,"text":"yes"}]}');
INSERT INTO cursorDiskKV VALUES('composerData:bad', 'cut');
EOF
check_out 'Cursor: bubbles in the order of the conversation, and those of old ones' \
	'c0 user an old one
c0 assistant yes
c1 user fix the parser
c1 assistant  read_file
c1 tool src' said -n home/state.vscdb
sqlite3 workspace.vscdb 'CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB)'
check_out 'a workspace of VS Code has none' '' said -n workspace.vscdb

zed() { sqlite3 home/threads.db "INSERT INTO threads VALUES('$1', '$2', '2024-05-01T10:00:02Z', '$3', $4, '/srv/shop', '2024-05-01T10:00:00Z')"; }
sqlite3 home/threads.db 'CREATE TABLE threads(id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL, folder_paths TEXT, created_at TEXT)'
zed z0 'An old one' json "CAST('{\"summary\":\"An old one\",\"messages\":[{\"id\":1,\"role\":\"user\",\"segments\":[{\"type\":\"text\",\"text\":\"Old?\"}]},{\"id\":2,\"role\":\"assistant\",\"segments\":[{\"type\":\"thinking\",\"text\":\"hm\"},{\"type\":\"text\",\"text\":\"Yes.\"}]}]}' AS BLOB)"
cat >zed.json <<'EOF'
{"version":"0.3.0","title":"Cart","model":{"provider":"p","model":"claude-5"},"messages":[{"User":{"id":"u1","content":[{"Text":"Why twice?"}]}},{"Agent":{"content":[{"Thinking":{"text":"hm","signature":null}},{"Text":"I look."},{"ToolUse":{"id":"k1","name":"read_file","input":{"path":"/srv/shop/cart.py"}}}],"tool_results":{"k1":{"tool_use_id":"k1","tool_name":"read_file","is_error":false,"content":{"Text":"def total():"}}}}},"Resume"]}
EOF
zed='z0 user Old?
z0 assistant Yes.'
if command -v zstd >/dev/null 2>&1; then
	zed z1 Cart zstd "x'$(zstd -q -c zed.json | od -An -v -tx1 | tr -d ' \n')'"
	check_out 'Zed, packed and not' "$zed
z1 user Why twice?
z1 assistant I look. read_file
z1 tool def total():" said -n home/threads.db
	check_out 'messages of Zed have the model that wrote them' claude-5 \
		sh -c 'jq -r ".model // empty" records'
	check_err 'without zstd that is said' 65 'zstd' env PATH="$PWD/none:$B" mem-ingest -n \
		home/threads.db
	sqlite3 home/threads.db "DELETE FROM threads WHERE id = 'z1'"
else
	skip 'Zed, packed' 'no zstd'
fi
check_out 'a database of Zed is read' "$zed" said -n home/threads.db

# ---- how they are read ----

for f in home/*; do cksum "$f"; done >before
check_out 'a directory of databases is read' '14' sh -c 'mem-ingest home >all && wc -l <all'
check_out 'a directory of databases is read only once' '' mem-ingest home
check_out '--from reads the databases of one format' '3' \
	sh -c 'mem-ingest -n -d new.db --from=opencode home >all && grep -c role all'
for f in home/*; do cksum "$f"; done >after
check 'no file is written or made' cmp before after

sqlite3 home/opencode.db <<'EOF' >opened
INSERT INTO message VALUES('msg_4', 'ses_1', 1714557600009, '{"role":"user"}');
INSERT INTO part VALUES('prt_4', 'msg_4', 'ses_1', '{"type":"text","text":"and now?"}');
.shell mem-ingest home/opencode.db >while-open
EOF
check_out 'while its program has it open, what lies in its log' 'and now?' jq -r .content while-open

# a view of a foreign schema may never end
cat >endless.sql <<'EOF'
CREATE TABLE conversations(id TEXT PRIMARY KEY, name TEXT, model TEXT);
CREATE VIEW responses AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
	SELECT i AS id, 'm' AS model, 'p' AS prompt, NULL AS system, 'r' AS response,
		'k' AS conversation_id, '2024-05-01' AS datetime_utc FROM n WHERE i < 0;
EOF
sqlite3 endless.db <endless.sql
interrupted() {
	timeout -s INT -k "$MEM_TEST_SECONDS" 1 \
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' mem-ingest -n "$1" >t 2>&1
	[ $? -ne 137 ] && echo ended
}
check_out 'Control-C ends a view that never does' ended interrupted endless.db

sqlite3 other.db 'CREATE TABLE t(a)'
check_err 'tables that no format knows' 65 'other.db.: a database whose tables no format knows' \
	mem-ingest other.db
check_err 'tables that the format does not know' 65 'not those of the format' \
	mem-ingest --from=goose home/opencode.db
head -c 9000 home/opencode.db >cut.db
check_err 'a database that is cut' 65 "cannot read the database 'cut.db'" mem-ingest cut.db
check_err 'a database in a pipe is refused' 65 'read as a file of its own' \
	sh -c 'mem-ingest <home/logs.db'
sqlite3 big.db <<'EOF'
CREATE TABLE conversations(id TEXT PRIMARY KEY, name TEXT, model TEXT);
CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, response TEXT, conversation_id TEXT, datetime_utc TEXT);
INSERT INTO responses VALUES('a', 'm', 'before', NULL, 'x', 'k', '2024-05-01T10:00:00');
INSERT INTO responses VALUES('b', 'm', printf('%.*c', 20000000, 'z'), NULL, 'x', 'k', '2024-05-01T10:00:01');
INSERT INTO responses VALUES('c', 'm', 'after', NULL, 'x', 'k', '2024-05-01T10:00:02');
EOF
check_err 'a row that is too long is named by its number' 65 'big.db:2: the line is too long' \
	mem-ingest big.db
check_out 'rows beside one that is too long are stored' '2' sh -c \
	"mem-list messages -j >all; grep -c '\"content\":\"\\(before\\|after\\)\"' all"
check_out 'a name that a URI would misread' '1' sh -c \
	'cp older.db "a%20?b#c.db"; mem-ingest -n "a%20?b#c.db" >all && grep -c role all'


# ---- nothing is left beside a database, and nothing changed ----

# state DIRECTORY: its files, and what is in them; the index of a log that is in use is changed by
# whoever has the file open.
state() {
	(cd "$1" && for f in *; do
		case $f in *-shm) echo "$f" ;; *) sha256sum "$f" ;; esac
	done)
}
kept() { # name, directory: reads the database there, and compares
	state "$2" >before
	check_out "$1" "$3" said -n "$2/opencode.db"
	state "$2" >after
	check_out "reading a database leaves all as it was: $1" '' diff before after
}
opencode="PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT, directory TEXT, title TEXT,
	version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
INSERT INTO session VALUES('s', 'p', '/d', 't', '1', 1714557600000, 1714557660000);"
message="CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
INSERT INTO message VALUES('m', 's', 1714557600001, '{\"role\":\"user\"}');
INSERT INTO part VALUES('a', 'm', 's', '{\"type\":\"text\",\"text\":\"as it lies\"}');"
mkdir closed open alone
printf '%s\n' "$opencode" "$message" | sqlite3 closed/opencode.db >/dev/null
kept 'a database that has a log at times, without one' closed 's user as it lies'
mkfifo statements
sqlite3 open/opencode.db <statements >told &
agent=$!
exec 9>statements
printf '%s\n' "$opencode" "$message" "SELECT 'written';" >&9
n=0
until grep -q written told || [ $n -gt 200 ]; do sleep .05; n=$((n + 1)); done
kept 'one that its program has open' open 's user as it lies'
cp open/opencode.db open/opencode.db-wal alone/
exec 9>&-
wait $agent
kept 'one whose program died, with all in its log' alone 's user as it lies'
kept 'and when it has ended' open 's user as it lies'
if [ "$(id -u)" != 0 ]; then
	chmod a-w closed alone closed/* alone/*
	kept 'in a directory that is read-only' closed 's user as it lies'
	kept '  with a log' alone 's user as it lies'
	chmod u+w closed alone
else
	skip 'a directory that is read-only' 'root may write there'
fi

# ---- a file that is made to harm whoever reads it ----

hostile() { # name, file, its error
	name=$1
	before=$(date +%s)
	check_err "a database that is no such is refused: $name" 65 "$3" \
		timeout 60 mem-ingest -n --from=opencode "$2"
	check "a database that is refused ends within a minute: $name" \
		test $(($(date +%s) - before)) -lt 50
}
printf '%s\n' "$opencode" "CREATE VIEW message AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL
	SELECT x + 1 FROM c) SELECT 'm' || x AS id, 's' AS session_id, x AS time_created,
	'{\"role\":\"user\"}' AS data FROM c WHERE x < 0;" | sqlite3 view.db >/dev/null
hostile 'a view that never ends' view.db 'views and generated columns in their place|are not run'
printf '%s\n' "$opencode" "CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT,
	time_created INTEGER, x TEXT, data TEXT GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x'))
	VIRTUAL); INSERT INTO message(id, session_id, time_created) VALUES('m', 's', 1);" |
	sqlite3 generated.db >/dev/null
hostile 'a column that fills the memory' generated.db 'are not run'
printf '%s\n' "$opencode" "CREATE VIRTUAL TABLE message USING fts5(id, session_id, time_created,
	data); INSERT INTO message VALUES('m', 's', 1, '{}');" | sqlite3 program.db >/dev/null 2>&1
hostile 'a table that is a program' program.db 'a database whose tables'
printf '%s\n' "$opencode" "$message" "UPDATE part SET data = json_object('type', 'text', 'text',
	printf('%.*c', 70000000, 'x'));" | sqlite3 long.db >/dev/null
hostile 'a value that is too long' long.db 'too big'
# A tree whose pages are each other's children: some 60 a page, five levels.
printf '%s\n' 'PRAGMA page_size = 512;' "$opencode" "CREATE TABLE message(id TEXT, session_id TEXT,
	time_created INTEGER, data TEXT);
	INSERT INTO message
		WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1500)
	SELECT 'm' || x, 's', x, '{' FROM c;
	CREATE TABLE spare(x); INSERT INTO spare VALUES(zeroblob(400)), (zeroblob(400)),
	(zeroblob(400)), (zeroblob(400));" 'PRAGMA wal_checkpoint;' \
	'PRAGMA journal_mode = DELETE;' |
	sqlite3 tree.db >/dev/null
perl -e '
	open my $f, "+<:raw", "tree.db" or die; local $/; my $db = <$f>; my $root = shift;
	my $last = length($db) / 512; my $page = substr($db, ($root - 1) * 512, 512);
	my ($n, $leaf) = (unpack("x3n", $page), unpack("x8N", $page));
	my @to = ($root, $last - 2 .. $last);
	for my $i (0 .. $#to) {
		my ($p, $child) = ($page, $i < $#to ? $to[$i + 1] : $leaf);
		substr($p, 8, 4) = pack "N", $child;
		substr($p, unpack("x" . (12 + 2 * $_) . "n", $page), 4) = pack "N", $child
			for 0 .. $n - 1;
		seek $f, ($to[$i] - 1) * 512, 0; print $f $p;
	}' "$(sqlite3 tree.db "SELECT rootpage FROM sqlite_schema WHERE name = 'message'")"
hostile 'a tree that does not end' tree.db 'more than a database of its size can need'
done_testing
