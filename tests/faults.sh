# faults.sh: programs over a store with rows in every table, run again and again, each time with a
# call that fails: a program ends with one line and the status for it, and the store is whole; or
# it goes on without, and then what it says and does is the same as ever, or it says what was left
# out. After lib.sh; then a test sets
#
#	fault_shim=FILE          what is preloaded; it takes these variables
#	fault_ways=NAME          the variable that names a file for the ways to all calls (ways.h)
#	fault_way=NAME           the one that has the way that fails
#	fault_mark=FILE          that it makes where the call fails, where a way may not be gone
#	fault_no_jq=1            what compiles a jq program is left out
#	fault_may='65 74'        statuses beside 0
#	fault_more() { ... }     prints what is tried besides, NAME=N a line
#
# and calls faults. Each call of the sources that leads to one that can fail is tried in the first
# program that comes by it; ALL=1: in all of them.

command -v nm >/dev/null || skip_all 'needs nm'
fault_mark= fault_no_jq=
fault_more() { :; }
: >tried

faults_prepare() {
	. "$ROOT/tests/rich.sh"
	# without what sqlite3 itself writes there, past the checksums of pages
	(unset MEM_SEED; sqlite3() { :; }; rich_store mem.db) >/dev/null 2>&1
	export MEM_MODELS="$top/models" MEM_MODEL=tiny
	mem-check -q --checkpoint && cp mem.db saved.db || exit 1
	mem-export >export.ndjson
	head -n 5 rich.ndjson | sed 's/"id":"/"id":"new/; s/content":"/content":"again /' >in.ndjson
	MEM_SEED=7 mem-ingest -q -d other.db --from=ndjson in.ndjson &&
		mem-check -q -d other.db --checkpoint && cp other.db other.saved || exit 1
	mem-export --format pam >pam.json
	mem-list -j messages >messages.ndjson
	sort messages.ndjson >messages.sorted
	fact=$(mem-list -j facts | sed -n '1s/.*"id":"\([^"]*\)".*/\1/p')
	topic=$(mem-cluster --list -j | jq -r .id | head -n 1)
	echo '{"query":"lighthouse keeper","relevant":["7"]}' >questions.ndjson
	echo '[{"id":"a","memory":"Tea is what I prefer"}]' >memories.json
	echo 'I prefer coffee. My favorite color is green.' >answer.txt
	mkdir docs && echo 'The keeper of the lighthouse is Ann.' >docs/a.md
	{
		echo '{"type":"user","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:00Z","uuid":"u1","message":{"role":"user","content":"make it build"}}'
		echo '{"type":"assistant","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:05Z","uuid":"u2","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/w/a.c","old_string":"int a","new_string":"long a"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"make"}}]}}'
		echo '{"type":"user","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:09Z","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"a.c:1: error: no long"}]}}'
		echo '{"type":"user","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:12Z","uuid":"u4","message":{"role":"user","content":"From now on we never use curl. Keep the timeout at 45 seconds."}}'
		for call in '15 python tool.py|bash: python: command not found' \
			'17 python3 tool.py|done' '21 make|cc a.c'; do
			at=${call%% *} out=${call#*|} call=${call#* } call=${call%|*}
			printf '{"type":"assistant","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:%sZ","uuid":"a%s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%s","name":"Bash","input":{"command":"%s"}}]}}\n' "$at" "$at" "$at" "$call"
			printf '{"type":"user","sessionId":"w","cwd":"/w","timestamp":"2024-05-02T10:00:%sZ","uuid":"r%s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%s","is_error":%s,"content":"%s"}]}}\n' "$at" "$at" "$at" "$([ "$at" = 15 ] && echo true || echo false)" "$out"
		done
	} >w.jsonl
	mem-ingest -q w.jsonl && mem-check -q --checkpoint && cp mem.db saved.db || exit 1
	sed 's/"w"/"v"/g; s/"u\([0-9]\)"/"v\1"/g' w.jsonl >v.jsonl
	sed 's/"w"/"z"/g; s/"u\([0-9]\)"/"z\1"/g' w.jsonl | gzip >z.jsonl.gz
	mkdir -p storage/session/global storage/message/ses_1 storage/part/msg_1
	echo '{"id":"ses_1","title":"Cart","directory":"/w","time":{"created":1714550400000,"updated":1714550409000}}' \
		>storage/session/global/ses_1.json
	echo '{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1714550401000}}' \
		>storage/message/ses_1/msg_1.json
	echo '{"id":"prt_1","type":"text","text":"Why twice?"}' >storage/part/msg_1/prt_1.json
	sqlite3 opencode.db "CREATE TABLE session(id TEXT PRIMARY KEY, directory TEXT, title TEXT,
			version TEXT, time_created INTEGER, time_updated INTEGER);
		CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
			data TEXT);
		CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
		INSERT INTO session VALUES ('ses_2', '/w', 'Nets', '1.2', 1714557600000,
			1714557660000);
		INSERT INTO message VALUES ('m', 'ses_2', 1714557600001,
			'{\"role\":\"user\",\"time\":{\"created\":1714557600001}}');
		INSERT INTO part VALUES ('p', 'm', 'ses_2',
			'{\"type\":\"text\",\"text\":\"Mend the nets.\"}')"
	echo '{"session_id":"h","cwd":"/w","prompt":"what did we say about the lighthouse keeper?"}' >prompt.json
	echo '{"session_id":"h","cwd":"/w","source":"startup"}' >start.json
	jq -nc '{session_id: "h", cwd: "/w", tool_name: "Bash", tool_input: {command: "python x.py"}}' >missing.json
	jq -c '.tool_input.command = "make" | .error = "Exit code 2\na.c:1: error: no long"' missing.json >failed.json
	jq -c '.tool_input.command = "curl -O x"' missing.json >curl.json
	jq -c '.tool_name = "Edit" | .tool_input = {file_path: "/w/a.c", old_string: "timeout = 45",
		new_string: "timeout = 90"}' missing.json >edit.json
	jq -nc --arg t "$PWD/w.jsonl" '{session_id: "w", cwd: "/w", transcript_path: $t}' >stop.json
}

# of a measure, what is no time
fault_plain() { sed 's/"[a-z0-9_]*ms[a-z0-9_]*":[0-9.]*//g' "$1"; }
fault_state() { mem-export </dev/null >state 2>&1; sort state; }
fault_untouched() {
	cmp -s saved.db mem.db && cmp -s other.saved other.db && [ ! -s mem.db-wal ]
}
# fault_once NAME=VALUE CMD...: on a store as it was; sets $status.
fault_once() {
	rm -f mem.db* other.db* copy.db* $fault_mark; cp saved.db mem.db; cp other.saved other.db
	try=$1
	shift
	timeout "$MEM_TEST_SECONDS" env "$try" LD_PRELOAD="$fault_shim" "$@" <"$in" >said 2>told
	status=$?
}
fault_wrong() {
	echo "$1: status $status: $try $(echo "$what" | cut -c1-110)" >>wrong
	head -n 3 told | sed 's/^/  /' >>wrong
}
# What holds after a run with a call that failed.
fault_judge() {
	case " 0 $fault_may " in
	*" $status "*) ;;
	*) fault_wrong 'status' ;;
	esac
	case $1:$status in
	mem-hook:0 | mem-mcp:0) ;;                 # they go on, and note what they can
	*:0)	{ [ -z "$changes" ] && fault_untouched; } || fault_state | cmp -s - state.well ||
			fault_wrong 'status 0, and another store' ;;
	*)	[ -s told ] || grep -q '^{"type":"check".*"ok":false' said ||
			fault_wrong 'without a word' ;;
	esac
	[ "$status" -ne 0 ] || [ "$1" = mem-hook ] ||
		[ "$(fault_plain said)" = "$(fault_plain said.well)" ] ||
		grep -q '"isError":true\|"error":{\|"without":"\|"name":"check"\|"ok":false' said ||
		fault_wrong 'status 0, and it says something else'
	[ "$1" != mem-hook ] || [ ! -s said ] || jq -e . said >/dev/null ||
		fault_wrong 'a hook has a broken answer'
	! fault_untouched || return 0
	mem-check -q --deep >found 2>&1 || {
		fault_wrong 'mem-check --deep'
		head -n 5 found >>wrong
	}
	case $1 in
	mem-forget | mem-prune | mem-edit | mem-mcp) ;;
	*)	mem-list -j -n 1000 | sort | comm -23 messages.sorted - >lost
		[ ! -s lost ] || fault_wrong 'a loss' ;;
	esac
}
# failing IN CMD...
failing() {
	in=$1 n_runs=0 what=
	shift
	rm -f wrong
	: >ways
	fault_once "$fault_ways=$PWD/ways" "$@"
	cp said said.well; fault_state >state.well
	fault_untouched && changes= || changes=1
	[ "$status" -eq 0 ] || fault_wrong 'without a fault'
	[ -z "${ALL-}" ] || : >tried
	{
		fault_more
		"$ROOT/tests/torture/ways.pl" "$(command -v "$1")" tried <ways |
			sed "s/^/$fault_way=/"
	} >tries
	while IFS='	' read -r try calls what; do
		fault_once "$try" "$@"
		[ -z "$fault_mark" ] || [ -e "$fault_mark" ] || continue
		n_runs=$((n_runs + 1))
		fault_judge "$1"
	done <tries
	echo "# $*: $(wc -l <ways) ways, $n_runs runs"
	if [ ! -s wrong ]; then pass "$*"; else
		cp wrong "$err" 2>/dev/null; out=/dev/null
		fail "$*" "$(grep -c ': status' wrong) of $n_runs" "$@"; fi
}

faults() {
	faults_prepare
	[ -n "$fault_no_jq" ] || {
		failing memories.json mem-audit -
		failing pam.json mem-import -d mem.db -
		failing stop.json mem-hook claude-code stop
		failing /dev/null mem-ingest v.jsonl
		failing /dev/null mem-ingest z.jsonl.gz
		failing /dev/null mem-ingest storage
		failing /dev/null mem-ingest opencode.db
	}
	failing /dev/null mem-resume -j
	failing in.ndjson mem-ingest --from=ndjson
	failing export.ndjson mem-import -d mem.db -
	failing messages.ndjson mem-extract
	failing questions.ndjson mem-eval
	failing start.json mem-hook claude-code start
	failing prompt.json mem-hook claude-code prompt
	for call in missing curl edit; do failing $call.json mem-hook claude-code pretool; done
	failing failed.json mem-hook claude-code posttool
	failing stop.json mem-hook claude-code compact
	failing /dev/null mem-ingest docs
	failing /dev/null mem-model convert "$top/tiny" -o x.model
	failing /dev/null mem-edit --content 'My favorite color is black.' "$fact"
	failing /dev/null mem-edit --retract "$fact"
	failing /dev/null mem-cluster --rename "$topic" lights
	failing /dev/null mem-remember --key 'favorite color' 'My favorite color is red.'
	while read -r command; do
		failing /dev/null $command
	done <<-'E'
	mem-list -j messages
	mem-list -j messages --since 2024-01
	mem-list -j facts
	mem-list -j facts --all --as-of 2024-06 --bank Work
	mem-list -j reflections
	mem-list -j summaries
	mem-list -j sessions
	mem-list -j projects
	mem-list -j people
	mem-list -j topics
	mem-list -j users
	mem-edit --important source:7
	mem-edit --move /w /new
	mem-edit --steps
	mem-edit --undo
	mem-forget -qf --verify -s s
	mem-forget -qf --name bob
	mem-forget -qf --user-all
	mem-prune -f --max 2
	mem-prune -f --sessions --days 1
	mem-forget -qf -p P
	mem-export
	mem-export --vectors --profile --since 2024-02
	mem-export --format markdown
	mem-export --format pam
	mem-sync ./other.db
	mem-sync --new-id
	mem-sync --peers
	mem-summarize --messages 1
	mem-summarize --list
	mem-summarize --facts
	mem-cluster
	mem-cluster --recluster
	mem-cluster --assign
	mem-cluster --list -j
	mem-embed
	mem-profile
	mem-profile set style short
	mem-audit -j
	mem-audit -j --answer answer.txt
	mem-resume --handoff
	mem-check --full
	mem-check --deep
	mem-check --repair
	mem-check --stale
	mem-check --backup copy.db
	mem-stats -j
	mem-stats -j --calls
	mem-stats -j --today
	mem-stats --report
	mem-stats --html page.html
	mem-stats -j --digest
	mem-stats -j --triggers
	mem-stats -j --missed
	mem-upkeep -q
	E
	# mem-search, mem-context and mem-show have SQLite inside, where no shim reaches; their work
	# is this
	ask() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$1" "$2" "$3"; }
	call() { ask "$1" tools/call "{\"name\":\"$2\",\"arguments\":$3}"; }
	{
		ask 0 initialize '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}'
		echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		call 1 recall '{"question":"what of the lighthouse keeper"}'
		call 2 timeline '{"id":"source:7"}'
		call 3 recall '{"question":"who is the keeper","limit":3}'
		call 4 facts '{"limit":2}'
		call 5 how '{"task":"build"}'
		call 6 fix '{"error":"no long"}'
		call 7 blame '{"path":"/w/a.c"}'
		call 8 remember '{"texts":["Oars are of ash"],"key":"oars"}'
		call 9 distil '{}'
		call 10 forget '{"ids":["source:9"],"dry":false}'
		ask 11 resources/list '{}'
		ask 12 resources/list '{"cursor":"summary:0"}'
		ask 13 resources/read '{"uri":"mem://session/s"}'
		ask 14 resources/read "{\"uri\":\"mem://summary/$(mem-list -j summaries | jq -r .id | head -n 1)\"}"
		ask 15 prompts/get '{"name":"recall","arguments":{"question":"who is the keeper"}}'
		ask 16 prompts/get '{"name":"handoff","arguments":{"session":"s"}}'
		ask 17 prompts/get '{"name":"handoff","arguments":{}}'
	} >asks
	failing asks mem-mcp
	# a store of which no vector is in a cell yet
	rm -f mem.db* && mem-import -q export.ndjson && mem-check -q --checkpoint &&
		cp mem.db saved.db && mem-list -j -n 1000 | sort >messages.sorted
	export MEM_CELLS_FROM=20
	failing /dev/null mem-embed
	unset MEM_CELLS_FROM
	check 'calls of many places were made to fail' [ "$(wc -l <tried)" -gt 100 ]
}
