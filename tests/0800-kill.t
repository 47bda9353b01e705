#!/bin/sh
# mem-ingest killed at random moments: what was printed is there, byte for byte, and nothing twice.
# KILLS=50 SEED=1; 'make torture' does 1,000.
. "${0%/*}/lib.sh"

: "${KILLS:=50}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=1800
check "$KILLS kills, nothing lost, nothing twice, every check clean" "$B/tests/torture/kill" \
	"$KILLS"
sed 's/^/# /' "$out"
check 'the store is whole' mem-check --deep
check 'no file is left beside it but the lock and the log' sh -c \
	'test -z "$(ls | grep -v -e "^mem\.db\(-wal\|-shm\|\.lock\)\?$" -e "\.jsonl$" -e "^config$")"'

done_testing
