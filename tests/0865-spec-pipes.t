#!/bin/sh
# The pipes that have to work, each twice: on the sample conversation, with a tiny model made here.
# And the lines for cron in the pages: run twice, then side by side.
. "${0%/*}/lib.sh"
unset MEM_SEED
export MEM_NOW=2026-05-13T09:00:00Z MEM_MODELS="$top/models"

check 'a tiny model is made for the pipes' "$B/tests/torture/tiny_model" "$top/tiny"
check 'the tiny model is converted for the pipes' sh -c 'mkdir "$MEM_MODELS" &&
	mem-model convert "$0" -o "$MEM_MODELS/tiny.model"' "$top/tiny"

# A home with an agent's transcripts, where the first pipe looks for them.
home() {
	fresh
	mkdir -p .claude/projects/-srv-gauge .codex/sessions
	# but for a line of a kind that is none yet, which is told
	grep -v something-new "$ROOT/tests/fixtures/from/claude-code.jsonl" > \
		.claude/projects/-srv-gauge/6f1c2d34-0000-4000-8000-000000000001.jsonl
	cp "$ROOT/tests/fixtures/from/codex.jsonl" .codex/sessions/rollout-2025-05-07.jsonl
}
# pipe NAME COMMAND: a pipe of which every program ends with 0 and says nothing.
pipe() {
	: >"$top/ends"
	run env PATH="$top/wrap:$PATH" sh -c "$2"
	if ! status_is 0; then fail "$1" "$why" "$2"
	elif grep -qv ' 0$' "$top/ends"; then fail "$1" "$(grep -v ' 0$' "$top/ends")" "$2"
	elif [ -s "$err" ]; then fail "$1" 'a message' "$2"
	else pass "$1"
	fi
}
mkdir "$top/wrap"
for p in "$bin"/mem "$bin"/mem-*; do
	[ -f "$p" ] && [ -x "$p" ] || continue
	printf '#!/bin/sh\n"%s" "$@"\nst=$?\necho "%s $st" >>"%s/ends"\nexit $st\n' "$p" \
		"${p##*/}" "$top" >"$top/wrap/${p##*/}"
	chmod +x "$top/wrap/${p##*/}"
done

# ---- transcripts into vectors ----

home
pipe 'mem-ingest | mem-embed' 'mem-ingest --from=claude-code ~/.claude/projects | mem-embed -'
cp "$out" first
check 'prints what it stored' sh -c 'test -s first && mem-list messages -j | jq -r .id |
	sort >a && jq -r .id first | sort | cmp - a'
check_out 'every text has its vector' 0 sh -c 'mem-embed --info | jq .missing'
check 'as many vectors as texts are there' sh -c \
	'test "$(mem-embed --info | jq .vectors)" -ge "$(jq -s "map(select(.content != \"\" and .role != \"system\")) | length" first)"'
pipe 'again' 'mem-ingest --from=claude-code ~/.claude/projects | mem-embed -'
check_out 'a second run of the pipe brings nothing new' '' cat "$out"
check 'the store is in order after transcripts were embedded' mem-check -q --deep

# ---- a question into a block ----

fresh
check 'the sample conversation is stored for the pipes' \
	mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
check 'the sample conversation has its vectors' mem-embed -q
question='what happened to the MQTT broker?'
mem-search --no-touch -n 5 "$question" >hits
check_out 'a question has five hits in a file' 5 sh -c 'wc -l <hits'
pipe 'mem-search | mem-context' "mem-search -n 5 '$question' | mem-context --budget 1000"
cp "$out" block
check 'hits become a block that is whole' \
	sh -c 'head -n 1 block | grep -q "^<mem-context items=" && tail -n 1 block |
	grep -qx "</mem-context>"'
check_like 'with the answer in it' '^\[2026-[0-9-]*\] .*MQTT' cat block
pipe 'as a record' "mem-search -n 5 '$question' | mem-context --budget 1000 -j"
cp "$out" record
check_out 'a block as a record is inside its budget' true \
	jq '.tokens <= 1000 and .budget == 1000' record
check_out 'all five hits have room' '' sh -c 'jq -r .id hits | sort >a;
	jq -r ".items[].id" record | sort | comm -23 a -'
pipe 'in less room' "mem-search -n 5 '$question' | mem-context --budget 100 -j"
check_out 'fewer, and it says so' true jq '.tokens <= 100 and .truncated' "$out"
pipe 'again' "mem-search -n 5 '$question' | mem-context --budget 1000"
check 'a pipe that runs twice makes one and the same block' cmp block "$out"

# ---- a follow-up question ----

cat >chat.ndjson <<'E'
{"role":"user","content":"Which battery did we choose for the gauge?"}
{"role":"assistant","content":"The LiFePO4 pack of 6 Ah."}
E
pipe 'mem-rewrite' "mem-rewrite --context chat.ndjson 'and what about that one?'"
check_out 'what it asks is made whole' true jq \
	'.query == "and what about that one?" and (.rewritten | contains("LiFePO4") or
		contains("6 Ah") or contains("gauge"))' \
	"$out"
pipe 'mem-rewrite | mem-search | mem-context' \
	"mem-rewrite --context chat.ndjson 'and what about that one?' | mem-search | mem-context"
check_like 'a completed question finds what was meant' 'LiFePO4' cat "$out"
pipe 'without the conversation' \
	"mem-search --strategy lexical 'and what about that one?' | mem-context"
check 'it is another block' sh -c '! grep -q LiFePO4 "$0"' "$out"

# ---- messages into facts ----

cat >me.ndjson <<'E'
{"session":"S","id":"me-1","role":"user","content":"My name is Mara and I work as a hydrologist."}
{"session":"S","id":"me-2","role":"assistant","content":"Nice to meet you. I love rivers."}
{"session":"S","id":"me-3","role":"user","content":"I prefer tea over coffee. What is the tide today?"}
{"session":"T","id":"me-4","role":"user","content":"I prefer cocoa."}
E
check 'somebody says who they are' mem-ingest -q --from=ndjson me.ndjson
pipe 'mem-list | mem-extract | mem-remember' 'mem-list messages -s S | mem-extract | mem-remember'
cp "$out" verdicts
check_out 'each fact of a pipe is stored' 'stored' sh -c 'jq -r .did verdicts | sort -u'
mem-list facts >facts
check_out 'who, and what they like' '2' sh -c 'jq -r .content facts |
	grep -Ec "hydrologist|tea over coffee"'
check_out 'not what the assistant says, asks or another session has' '0' sh -c \
	'jq -r .content facts | grep -Ec "rivers|tide|cocoa" || :'
check_out 'each rests on a message of the session' 'S' sh -c 'jq -r ".sources[0].id" facts |
	mem-show | jq -r .session | sort -u'
pipe 'again' 'mem-list messages -s S | mem-extract | mem-remember'
check_out 'nothing is stored twice' 'duplicate' sh -c 'jq -r .did "$0" | sort -u' "$out"
check 'the facts are as they were after a second run' sh -c 'mem-list facts | cmp - facts'
check_like 'facts of a pipe are found by a search' 'tea over coffee' mem-search --tier insights \
	'what do I drink, tea or coffee?'

# ---- the whole store, out and in ----

if [ -x "$B/mem-export" ] && [ -x "$B/mem-import" ]; then
	pipe 'mem-export | gzip' 'mem-export | gzip >mem.ndjson.gz'
	# sessions without times stand in the order in which they came to a store
	mem-list messages | sort >messages
	mem-list facts >facts
	MEM_DB=$PWD/other.db
	pipe 'mem-import' 'mem-import <mem.ndjson.gz >/dev/null'
	check 'messages are the same after an import of the export' \
		sh -c 'mem-list messages | sort | cmp - messages'
	check 'facts are the same after an import of the export' \
		sh -c 'mem-list facts | cmp - facts'
	pipe 'again' 'mem-import <mem.ndjson.gz >/dev/null'
	check 'nothing is there twice' sh -c 'mem-list messages | sort | cmp - messages'
	MEM_DB=$PWD/mem.db
else
	skip 'mem-export | mem-import' 'there are none'
fi
check 'the store is in order after an export and import' mem-check -q --deep

# ---- lines for cron ----

# What a page says to run, one command a line.
crontab() { perl -ne 's/\\e/\\/g, print if s/^(?:[\d*\/,-]+ +){5} *//' "$ROOT"/man/*.[1-8] |
	sort -u; }
crontab >"$top/crontab"
for p in mem-summarize mem-cluster mem-prune mem-embed; do
	check "a line for cron in the page of $p" grep -Eq "^([0-9*/,-]+ +){5}.*$p " \
		"$ROOT/man/$p.1"
done

# state: what is kept, without times of making.
state() {
	mem-list messages | jq -r '[.session, .turn, .content] | tojson' | sort
	mem-list facts | jq -r .id | sort
	mem-list summaries | jq -r '.session + " " + .content' | sort
	mem-cluster --list | jq -r '[.id, .name, .count] | tojson' | sort
}
# The store of a while: what agents wrote, the sample, 260 facts of which mem-prune leaves 200.
busy() {
	home
	export MEM_NOW=2026-05-13T09:00:00Z
	cp "$top/busy.db" mem.db
}
home
"$B/tests/torture/facts" 260 >/dev/null || fail 'makes facts' 'status'
mem-ingest -q "$ROOT/tests/demo/conversation.ndjson"
mem-check -q --checkpoint && cp mem.db "$top/busy.db"

while IFS= read -r line; do
	busy
	run env PATH="$top/wrap:$PATH" sh -c "$line"
	: >"$top/ends"
	export MEM_NOW=2026-05-13T09:00:30Z
	state >once
	pipe "a minute later: $line" "$line"
	state >twice
	check "nothing changes a minute later: $line" cmp once twice
	check "the store is in order a minute later: $line" mem-check -q --deep
done <"$top/crontab"

# All of them, three of each, begun at once.
busy
: >"$top/ends"
while IFS= read -r line; do
	case $line in *--backup*) continue ;; esac      # one file, which is one's own
	for i in 1 2 3; do
		PATH="$top/wrap:$PATH" sh -c "$line" >>said 2>>told &
		jobs="${jobs-} $!"
	done
done <"$top/crontab"
for job in $jobs; do wait "$job" || echo "status $?" >>told; done
touch told
check_out 'programs of a crontab side by side all end with 0' '' \
	sh -c 'grep -v " 0\$" "$0" || :' "$top/ends"
check_out 'programs of a crontab side by side say nothing' '' cat told
check 'the store is in order after the crontab' mem-check -q --deep
check_out 'every message is there once' '' sh -c 'mem-list messages |
	jq -r "[.session, .source_id] | tojson" | sort | uniq -d'
check 'all of the sample' sh -c \
	'test "$(mem-list messages | grep -c "\"source_id\":\"power-")" -eq 14'
check_out 'a session has one summary' '' sh -c 'mem-list summaries | jq -r .session | sort |
	uniq -d'
check_out 'as many facts as may stay' 200 sh -c 'mem-list facts | wc -l'
check_out 'a record is in one subcategory' '' sh -c 'mem-cluster --list | jq -r .id | sort |
	uniq -d'
export MEM_NOW=2026-05-13T15:00:00Z
check 'the lines of a crontab run later, one after the other' sh -c 'while IFS= read -r line;
	do case $line in *--backup*) continue ;; esac
		sh -c "$line" >/dev/null || exit; done <"$0"' \
	"$top/crontab"
check 'vectors of the summaries that this made are made' mem-embed -q
check_out 'nothing is left to do' '' sh -c 'mem-stats --triggers | jq -r .name'

done_testing
