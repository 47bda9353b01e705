#!/bin/sh
# mem-llm under those who ask it: whatever a model's server does, each ends with status 0, in time, with what its own way gives, and the ledger knows.
. "${0%/*}/lib.sh"
. "$ROOT/tests/llm.sh"
serve
MEM_MODELS=$PWD/none
export MEM_MODELS

cat >said.ndjson <<'E'
{"session":"s","id":"a","role":"user","name":"Mara","content":"By the way, I moved to Lisbon in 2019 with my sister, and since then I work as a nurse."}
E
check 'stores' mem-ingest -q --from=ndjson said.ndjson
mem-list messages >lines
echo '{"role":"assistant","content":"The lighthouse at Cabo da Roca was built in 1772, and Pedro keeps it."}' >before

# same BEHAVIOUR: what came out is what comes out without a model.
after_bad() {
	if jq -c 'del(.note, .ms)' "$out" | cmp -s - want; then pass "$1: the same as without a model"; else fail "$1: not the same as without a model" "$(cat want)"; fi
}
mem-extract <lines | jq -c 'del(.note, .ms)' >want
check 'there are facts by rules' test -s want
bad_answers mem-extract sh -c 'mem-extract <lines'
mem-rewrite --context before 'and how tall is it, and who keeps it?' | jq -c 'del(.note, .ms)' >want
check 'there is a question by rules' grep -q Roca want
bad_answers mem-rewrite mem-rewrite --context before 'and how tall is it, and who keeps it?'

n=$(mem-stats --calls | jq -s 'map(select(.program == "mem-extract" or .program == "mem-rewrite").calls) | add')
check "each call is in the ledger ($n)" test "$n" -ge 60
check_out 'failures are those of the service' true sh -c 'mem-stats --calls | jq -s "map(.failed) | add | . >= 50 and . < '"$n"'"'

# ---- the guard is one for all ----

: >"$log"
sqlite3 "$MEM_DB" 'DELETE FROM guard'
at 500final
for i in 1 2 3; do mem-extract <lines; mem-rewrite --context before 'and how tall is it?'; done >six 2>told
check 'six calls by six processes of two programs: five are made' test "$(n_asked)" -eq 5
for i in 1 2 3 4 5 6 7 8 9 10; do cat lines; done | jq -c '.content += " \(input_line_number)"' >ten
check 'ten more' sh -c 'mem-extract <ten'
check 'none is made' test "$(n_asked)" -eq 5
check 'the note says so' sh -c 'mem-rewrite --context before "and how tall is it?" | jq -r .note | grep "left alone"'
check_status 'mem-llm is stopped by their failures, too' 69 mem-llm x
check_out 'and says so' stopped jq -r .error "$out"
done_testing
