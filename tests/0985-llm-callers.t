#!/bin/sh
# mem-llm under those who ask it: whatever a model's server does, each ends with status 0, in time,
# with what its own way gives, and the ledger knows.
. "${0%/*}/lib.sh"
. "$ROOT/tests/llm.sh"
serve
MEM_MODELS=$PWD/none
export MEM_MODELS
# A model may lie beside the programs; what is compared and measured here is the way without one.
[ -n "${MEM_TEST_WRAP-}" ] || {
	mkdir bare
	cp "$B/mem-extract" "$B/mem-llm" bare/
	PATH=$PWD/bare:$PATH
}

cat >said.ndjson <<'E'
{"session":"s","id":"a","role":"user","name":"Mara","content":"By the way, I moved to Lisbon in 2019 with my sister, and since then I work as a nurse."}
E
check 'a turn to be asked about is stored' mem-ingest -q --from=ndjson said.ndjson
mem-list messages >lines
echo '{"role":"assistant","content":"The lighthouse at Cabo da Roca was built in 1772, and Pedro keeps it."}' >before

# same BEHAVIOUR: what came out is what comes out without a model.
after_bad() {
	if jq -c 'del(.note, .ms)' "$out" | cmp -s - want; then
		pass "$1: the same as without a model"; else
		fail "$1: not the same as without a model" "$(cat want)"; fi
}
mem-extract <lines | jq -c 'del(.note, .ms)' >want
check 'there are facts by rules' test -s want
bad_answers mem-extract sh -c 'mem-extract <lines'
mem-rewrite --context before 'and how tall is it, and who keeps it?' | jq -c 'del(.note, .ms)' >want
check 'there is a question by rules' grep -q Roca want
bad_answers mem-rewrite mem-rewrite --context before 'and how tall is it, and who keeps it?'

n=$(mem-stats --calls |
	jq -s 'map(select(.program == "mem-extract" or .program == "mem-rewrite").calls) | add')
check "each call is in the ledger ($n)" test "$n" -ge 60
check_out 'failures are those of the service' true sh -c 'mem-stats --calls |
	jq -s "map(.failed) | add | . >= 50 and . < '"$n"'"'

# ---- mem-llm lies beside its caller ----

: >"$log"
sqlite3 "$MEM_DB" 'DELETE FROM guard'
at 500final
check 'a program that is not in PATH asks' \
	sh -c 'PATH=/usr/bin:/bin "$1" <lines' - "$B/mem-extract"
check 'it asked by the mem-llm beside it' test "$(n_asked)" -ge 1

# ---- the guard is one for all ----

: >"$log"
sqlite3 "$MEM_DB" 'DELETE FROM guard'
at 500final
for i in 1 2 3; do mem-extract <lines; mem-rewrite --context before \
	'and how tall is it?'; done >six 2>told
check 'six calls by six processes of two programs: five are made' test "$(n_asked)" -eq 5
for i in 1 2 3 4 5 6 7 8 9 10; do cat lines; done | jq -c '.content += " \(input_line_number)"' >ten
check 'ten more messages are given to a stopped model' sh -c 'mem-extract <ten'
check 'no call is made to a stopped model' test "$(n_asked)" -eq 5
check 'the note says so' sh -c 'mem-rewrite --context before "and how tall is it?" | jq -r .note |
	grep "left alone"'
check_status 'mem-llm is stopped by their failures, too' 69 mem-llm x
check_out 'mem-llm says that it is stopped' stopped jq -r .error "$out"

# ---- what a model made of a question is kept for the processes that come next ----

fresh
printf '{"question":"how tall is the lighthouse at Roca?"}' >"$answer"
at ok
echo '{"role":"user","content":"Is the lighthouse at Roca open?"}' >before
check 'a memory with one old message is made' \
	sh -c \
	'echo "{\"session\":\"s\",\"id\":\"1\",\"content\":\"said once\",\"time\":\"2024-05-19T10:00:00Z\"}" | mem-ingest -q'
# asks N TIME WANT NAME: a process of its own, and how many calls there have been
asks() {
	check_out "$3: the question is made whole" "how tall is the lighthouse at Roca?" sh -c \
		'MEM_NOW=$1 mem-rewrite --context before "and how tall is it?" | jq -r .rewritten' \
		sh "$2"
	check "calls of the model made by now: $1" test "$(n_asked)" -eq "$1"
}
: >"$log"
asks 1 2024-05-20T12:00:00Z 'the model is asked'
asks 1 2024-05-20T12:04:59Z 'and not again, by another process'
check 'a search makes no call for a question that is kept' \
	sh -c 'mem-search --context before "and how tall is it?" >/dev/null'
check 'no call was made for that search' test "$(n_asked)" -eq 1
export MEM_REWRITE_KEEP=60
asks 2 2024-05-20T12:04:58Z 'where the setting keeps answers shorter it is asked'
unset MEM_REWRITE_KEEP
: >"$log"
asks 0 2024-05-20T12:04:59Z 'what it said then is kept'
echo x >"$log"
check 'another talk is another question' sh -c '{ cat before;
	echo "{\"role\":\"user\",\"content\":\"Or the one at Sagres?\"}"; } >more;
		mem-rewrite --context more "and how tall is it?"'
check 'one call was made for another talk' test "$(n_asked)" -eq 2
asks 3 2024-05-20T12:05:01Z 'after 300 seconds it is'
asks 4 2024-05-20T12:00:00Z 'so where the clock was set back'
check 'pruning takes what is kept along' sh -c 'mem-prune -qf --sessions --days 1;
	! grep -qa "tall is the lighthouse" "$MEM_DB" "$MEM_DB"-wal'
asks 5 2024-05-20T12:00:01Z 'it is asked anew then'
check 'any search takes away what is too old' sh -c 'MEM_NOW=2024-05-20T12:10:00Z mem-search once;
	test "$(sqlite3 "$MEM_DB" "SELECT count(*) FROM input WHERE path LIKE '"'answer:%'"'")" = 0'
check 'a store that is not to be written is none' sh -c 'chmod 444 "$MEM_DB";
	MEM_TOUCH=no mem-rewrite --context before "and how tall is it?" | grep -q Roca'
done_testing
