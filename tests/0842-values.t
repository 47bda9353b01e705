#!/bin/sh
# Stores whose rows hold what no program of ours writes: a clean status, never a signal, and who
# only reads changes nothing. EVERY=250: one pair of column and value in so many is tried, SEED=1;
# those that once were a crash always are.
. "${0%/*}/lib.sh"
command -v sqlite3 >/dev/null 2>&1 || skip_all 'no sqlite3 to change rows with'
. "$ROOT/tests/rich.sh"

: "${EVERY:=250}" "${SEED:=1}"
rich_store mem.db
mem-check -q --checkpoint
check 'a store with rows in every table' test -z "$(rich_empty mem.db)"
sed 's/"id":"/"id":"n/' rich.ndjson | head -n 3 >again.ndjson
head -n 4 rich.ndjson >>again.ndjson
printf '%s\n' '{"text":"My favorite color is red.","key":"favorite color"}' \
	'{"text":"fact 3 is about chess"}' >facts.ndjson
echo '{"query":"lighthouse","relevant":["7"]}' >queries
export FACT="$RICH_FACT"
once='^(metric\.program = NULL|ledger\.program = NULL|profile\.value = NULL|category\.name = NULL|category\.id = 7|record_next\.next = 1e300|category_run\.next = 9223372036854775807|label\.text = NULL|message\.ulid = x..|message\.role = -1|fts_segment\.docs = (-1|65536)|user\.no = 65536|vector_set\.no = 65536)$'
check 'no value of a damaged store breaks a program' \
	perl "$ROOT/tests/torture/values.pl" mem.db "$EVERY" "$SEED" "$once"
sed 's/^/# /' "$out"

# What a message without an id is known by is the same on every machine, whatever the order of its
# bytes:
# sha256(pack("<QQQ", 1, 1704067200000000, 1) + sha256("hello there")), its first 16 bytes.
fresh
check 'two messages for damaged ids are stored' mem-ingest -q --from=ndjson - <<'E'
{"role":"user","content":"x"}
{"role":"assistant","content":"hello there","time":"2024-01-01T00:00:00Z"}
E
check_out 'the second message has an id of its own' 98B22E3B3061A96BDB1852F59FC0B434 \
	sqlite3 mem.db "SELECT hex(source) FROM message WHERE content = 'hello there'"

done_testing
