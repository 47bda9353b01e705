#!/bin/sh
# Eight writers, two readers and a checkpointing mem-check at once. WRITES=200 messages a writer; 'make torture' does 1,000.
. "${0%/*}/lib.sh"

: "${WRITES:=200}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=600
check "8 writers x $WRITES messages: exact count, no word of locks, no wait of 2 s" "$B/tests/torture/writers" "$WRITES"
sed 's/^/# /' "$out"
check 'the store is whole' mem-check --deep

# One process writes for long while others write too: its log must be emptied now and then all the same.
yes '{"role":"user","content":"a line among many lines that fill the log of the store with words"}' | head -n 30000 |
	sed '=' | sed 'N;s/^\([0-9]*\)\n{/{"id":"\1",/' >many
check 'a long run' mem-ingest -q --from=ndjson -s long many
check 'and its log is short' sh -c 'test ! -e mem.db-wal || test $(wc -c <mem.db-wal) -lt 16000000'

done_testing
