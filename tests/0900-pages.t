#!/bin/sh
# The pages: every command shown in README.md and in the manual pages runs (a line "$ ..." of a
# literal block, and the lines after it), and records are as schema/records.txt and mem-records(5)
# say. The demonstration runs twice, and the second time changes nothing.
. "${0%/*}/lib.sh"
unset MEM_SEED    # it would give two runs of mem-ingest the same ids

demo=$ROOT/tests/demo/conversation.ndjson

# commands FILE: writes the commands of a page to cmd.1, cmd.2 ...
commands() {
	awk -v prefix="$top/cmd." '
	function flush() { if (cmd != "") { n++; print cmd >(prefix n); close(prefix n) } cmd = "" }
	BEGIN { md = ARGV[1] ~ /\.md$/ }
	md ? /^```/ : /^\.(Bd|Ed)/ { flush(); inside = md ? $0 == "```sh" : /^\.Bd -literal/; next }
	!inside { next }
	/^\$ / { flush(); cmd = substr($0, 3); open = 1; next }
	/^$/ || /^#/ || (!md && /^\./) { flush(); next }
	cmd != "" { cmd = cmd "\n" $0 }
	END { flush() }' "$1"
	[ "${1##*.}" = md ] || sed -i.bak 's/\\e/\\/g; s/\\&//g' "$top"/cmd.[0-9]* 2>/dev/null
	rm -f "$top"/cmd.*.bak
}

# A home with a store of the demonstration, an agent's transcript, files that the pages speak of;
# programs behind wrappers that write down their exit status, since a pipe shows only the last
# one's; and tools that would wait for ever or want a file of somebody else.
home() {
	fresh
	export MEM_NOW=2026-05-13T09:00:00Z
	mkdir -p wrap exports .claude/projects/-srv-gauge .codex/sessions
	cp "$ROOT/tests/fixtures/from/captions.vtt" "$ROOT/tests/fixtures/from/chatgpt.json" exports
	for p in "$B"/mem "$B"/mem-*; do
		[ -f "$p" ] && [ -x "$p" ] || continue
		built=
		[ "${p##*/}" != mem-setup ] || built=--from-build
		printf '#!/bin/sh\n"%s" %s "$@"\nst=$?\necho "%s $st" >>"%s/status"\nexit $st\n' \
			"$bin/${p##*/}" "$built" "${p##*/}" "$HOME" >"wrap/${p##*/}"
	done
	printf '#!/bin/sh\necho "{\\"role\\":\\"user\\",\\"content\\":\\"a new line\\"}"\n' >wrap/tail
	printf '#!/bin/sh\ncat "%s"\n' "$ROOT/tests/fixtures/from/chatgpt.json" >wrap/unzip
	chmod +x wrap/*
	cat >.claude/projects/-srv-gauge/6f1c2d34-0000-4000-8000-000000000001.jsonl <<-'EOT'
	{"type":"user","uuid":"a1","parentUuid":null,"timestamp":"2026-05-11T08:00:00Z","sessionId":"6f1c2d34-0000-4000-8000-000000000001","cwd":"/srv/gauge","message":{"role":"user","content":"Did we decide on a second battery?"}}
	{"type":"assistant","uuid":"a2","parentUuid":"a1","timestamp":"2026-05-11T08:00:05Z","sessionId":"6f1c2d34-0000-4000-8000-000000000001","cwd":"/srv/gauge","message":{"role":"assistant","content":[{"type":"text","text":"Yes: the spare battery, out of the 92 euros that are left."}]}}
	EOT
	{
		echo '{"session":"chat","role":"user","content":"a good line"}'
		echo '{"session":"chat","role":"user","content":"a bad one","level":NaN}'
	} >chat.ndjson
	echo '{"memories":[{"id":"m1","content":"My key is AKIAQX7ZPLM3KD9VTR2E"}]}' >memories.json
	echo '{"chan":"#mem","nick":"mara","msg":"hello","at":"2026-05-11T08:00:00Z"}' >irc.jsonl
	mkdir -p .local/share/mem
	cp -r "$top/models" .local/share/mem
	cp "$top/demo.db" mem.db
	mem-search spanner >/dev/null
}

# shown NAME FILE: runs one command of a page.
shown() {
	: >status
	run env PATH="$HOME/wrap:$PATH" sh "$2"
	bad=$(grep -v ' 0$' status)
	case $bad in 'mem-ingest 65') grep -q rejects "$2" && bad='' && : >"$err" ;; esac \
		# the page is about bad lines
	name=$1
	if ! status_is 0 && { [ -n "$bad" ] || [ "$status" -ne 65 ]; }; then fail "$name" "$why"
	elif [ -n "$bad" ]; then fail "$name" "status: $bad"
	elif [ ! -s status ]; then fail "$name" 'no program of mem in it'
	elif [ -s "$err" ]; then fail "$name" 'a message'
	elif [ ! -s "$out" ]; then fail "$name" 'no output'
	else pass "$name"
	fi
}

check 'the sample conversation of the pages is stored' mem-ingest -q "$demo"
mem-check -q --checkpoint && cp mem.db "$top/demo.db"

# Models of next to no size under the names of those that are published.
check 'two models for the pages are made' sh -c '"$0"/tests/torture/tiny_model tiny && mkdir "$1" &&
	for m in multilingual-e5-small all-MiniLM-L6-v2; do
		mem-model convert tiny -o "$1/$m.model" || exit; done' \
	"$B" "$top/models"

for page in README.md $(cd "$ROOT" && ls man/*.[1-8]); do
	home
	rm -f "$top"/cmd.*
	commands "$ROOT/$page"
	n=0
	while n=$((n + 1)) && [ -f "$top/cmd.$n" ]; do
		shown "$page: $(head -n 1 "$top/cmd.$n")" "$top/cmd.$n"
	done
	case $page in README.md|man/mem.7)
		if [ $n -gt 5 ]; then pass "$page: five commands or more"; else
			fail "$page: five commands or more" "$((n - 1))"; fi ;;
	esac
done

# ---- agents: what a wired one runs, in the directories of the pages ----

home
for host in claude-code cursor codex; do mem-hook --wiring $host >$host.json; done
t=$PWD/.claude/projects/-srv-gauge/6f1c2d34-0000-4000-8000-000000000001.jsonl
export MEM_HOOK_MS=60000   # on a slow machine, too, what is stored is there when the hook ends
# hook HOST EVENT: its command, with the event on its standard input.
hook() { jq -r "[.hooks.$2[] | .. | .command? // empty][0]" $1.json >cmd && sh cmd; }
event() { jq -nc --arg t "$t" --arg e "$1" --arg p "$2" \
	'{session_id: "now", transcript_path: $t, cwd: "/srv/gauge", hook_event_name: $e,
		prompt: $p}'; }
prompt() { event UserPromptSubmit "$1" | hook claude-code UserPromptSubmit; }
check_like 'a prompt gets what was said about it' 'MQTT' prompt \
	'how are our readings sent to the server?'
check_out 'a prompt about something else gets nothing' '' prompt 'Write quicksort in Rust'
ended() { event SessionEnd '' | hook claude-code SessionEnd; }
spare() { mem-list -s 6f1c2d34-0000-4000-8000-000000000001 | wc -l; }
check_out 'a session that ends' '' ended
check_out 'a session that ended is stored whole' 2 spare
check_out 'a session may end a second time' '' ended
check_out 'a session that ended twice is stored once' 2 spare
check_like 'what a session said is found in the next' 'spare battery' \
	prompt 'what did we say about a second battery?'
t=$ROOT/tests/fixtures/from/cursor.jsonl
stopped() { event stop '' | hook cursor stop; }
check_out 'a turn of Cursor' '{}' stopped
check_like 'a turn of Cursor is stored when it stops' '"session":"cursor"' mem-list -s cursor
t=$ROOT/tests/fixtures/from/codex.jsonl
answered() { event Stop '' | hook codex Stop; }
check_out 'an answer of Codex' '' answered
check_out 'an answer of Codex is stored when it stops' 1 \
	sh -c 'mem-list sessions | grep -c 0199a000-0000-7000-8000-00000000c0de'

# ---- records are as the grammar says ----

# The grammar as JSON: {"message": [["type", "message"], ...], ...}.
fresh
export MEM_NOW=2026-05-13T09:00:00Z
cp "$top/demo.db" mem.db
awk '/^record / { printf "%s\n", "{\"record\":\"" $2 "\"}" }
	/^\t[a-z]/ && !/@K/ { printf "{\"key\":\"%s\",\"kind\":\"%s\"}\n", $1, $2 }' \
	"$ROOT/schema/records.txt" |
	jq -s 'reduce .[] as $l ({now: "",
		all: {}}; if $l.record then .now = $l.record else .all[.now] += [[$l.key,
		$l.kind]] end) | .all' >grammar.json

cat >conforms.jq <<'EOT'
def is($kind; $v):
	($kind | rtrimstr("~") | rtrimstr("?")) as $k |
	if $v == null then ($kind | endswith("~")) or $k == "any"
	elif $k == "any" then true
	elif $k == "id" then ($v | type) == "string" and ($v | test("^[0-9A-HJKMNP-TV-Z]{26}$"))
	elif $k == "time" then ($v | type) == "string" and
		($v | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]+)?Z$"))
	elif $k == "hex" then ($v | type) == "string" and ($v | test("^[0-9a-f]+$"))
	elif $k == "text" then ($v | type) == "string"
	elif $k == "int" then ($v | type) == "number" and ($v | floor) == $v
	elif $k == "num" then ($v | type) == "number"
	elif $k == "bool" then ($v | type) == "boolean"
	elif $k == "object" then ($v | type) == "object"
	elif ($k | startswith("[")) then ($v | type) == "array" and all($v[]; is($k[1:-1]; .))
	else ($v | type) == "string" and ($k | split("|") | index($v)) != null
	end;
. as $r | ($g[0][.type] // error("no record \(.type)")) as $keys |
([$keys[] | .[0]] as $names | [keys_unsorted[] |
	select(test("^(recall|any|all|ndcg|mrr)@[0-9]+$") | not) |
	select(. as $k | $names | index($k) | not) | "key \(.) is not in the grammar"]),
([$keys[] | select(.[0] as $k | $r | has($k) | not) | select(.[1] | endswith("?") | not) |
	"key \(.[0]) is missing"]),
([$keys[] | . as [$k, $kind] | select($r | has($k)) | select(is($kind; $r[$k]) | not) |
	"\($k) is not \($kind): \($r[$k] | tojson)"]),
([keys_unsorted | map(. as $k | [$keys[] | .[0]] | index($k)) | map(select(. != null)) |
	select(. != sort) | "the order of keys"])
| .[] | "\($r.type): \(.)"
EOT

# conforms CMD...: each record that it prints is one of the grammar.
conforms() {
	name="records of $*"
	run "$@"
	n=$(wc -l <"$out")
	cp "$out" records
	run jq -r --slurpfile g grammar.json -f conforms.jq records
	if [ "$n" -eq 0 ]; then fail "$name" 'none'
	elif ! status_is 0; then fail "$name" "$why"
	elif [ -s "$out" ]; then sort -u "$out" | head -20 >w; mv w "$out";
		fail "$name" 'not as in schema/records.txt'
	else pass "$name"
	fi
}
echo '{"session":"x","role":"tool","agent":"a","project":"p","tool_call_id":"c","content":"","tool_calls":[1]}' >one.ndjson
conforms mem-ingest one.ndjson
conforms mem-list
conforms mem-list sessions
conforms mem-list chunks
conforms mem-show -C 1 source:power-06
conforms mem-show power
conforms mem-search 'how are readings sent'
conforms mem-search --explain '电缆 readings'
conforms mem-search --ends 'how are readings sent'
conforms mem-rewrite 'is it'
conforms sh -c 'echo "{\"content\":\"Tell me about lung cancer.\"}" |
	mem-rewrite --context - "is it bad?"'
conforms mem-stats
conforms mem-stats --report
conforms mem-stats --triggers
conforms mem-check
printf -- '- I rowed\n- I rowed\n- My key is AKIAQX7ZPLM3KD9VTR2E\n' >notes.md
conforms mem-audit notes.md
mem-list messages -j | jq -c '{type: "fact", content: "it was so", origin: "derived",
	made: "rules:0", sources: [{id}]}' | head -n 1 | mem-remember -q >/dev/null
conforms mem-list stale
conforms mem config
mem-hook gemini prompt </dev/null >none
conforms mem-hook --log
mkdir -p .cursor
conforms mem-setup
conforms mem-setup --from-build --auto --yes --only cursor
conforms mem-setup --check --only cursor
conforms mem-setup --undo --yes
mkdir -p .local/share/mem && cp -r "$top/models" .local/share/mem
conforms mem-embed --info
mem-embed
conforms mem-embed --info
conforms mem-model list
conforms mem-context -j 'how are readings sent'
echo '{"query":"paint on the box","relevant":["source:power-11"],"category":"colour"}' >q.ndjson
conforms mem-eval --strategy lexical,bm25 q.ndjson
conforms mem-eval --grid q.ndjson

# Every key of the grammar is in the page, and every key in the page is in the grammar.
jq -r '.[][] | .[0]' grammar.json | sort -u >keys.grammar
sed -n 's/^\.It Ic //p' "$ROOT/man/mem-records.5" | tr ',' '\n' | tr -d ' ' | sort -u >keys.page
check_out 'keys of mem-records(5) are in the grammar' '' comm -13 keys.grammar keys.page
check_out 'keys of the grammar are in mem-records(5)' '' comm -23 keys.grammar keys.page

# ---- the demonstration ----

check 'the demonstration runs through to its end' \
	env XDG_DATA_HOME="$PWD/none" DEMO="$PWD/demo" sh "$ROOT/tests/demo/run"
sed '/^[0-9]*$/d' "$out" >first
mem-list -d demo/mem.db >list.first
check 'the demonstration runs again to its end' \
	env XDG_DATA_HOME="$PWD/none" DEMO="$PWD/demo" sh "$ROOT/tests/demo/run"
sed '/^[0-9]*$/d' "$out" >second
check_out 'the demonstration says the same when run again' '' diff first second
check_out 'the demonstration run again has changed nothing' '' \
	sh -c 'mem-list -d demo/mem.db >list.second;
	cmp list.first list.second'

done_testing
