#!/bin/sh
# SQLite's WAL-reset race: a control without our lock is corrupt within WAL_SECONDS=180, the same
# load on the store never is (for 60).
. "${0%/*}/../lib.sh"

: "${WAL_SECONDS:=180}"
export MEM_TEST_SECONDS=$((2 * WAL_SECONDS + 60))
check 'the control is corrupt: the race is there' "$B/tests/torture/walrace" control "$WAL_SECONDS"
sed 's/^/# /' "$out"
check 'the store is not' "$B/tests/torture/walrace" store $((WAL_SECONDS / 3))
sed 's/^/# /' "$out"

done_testing
