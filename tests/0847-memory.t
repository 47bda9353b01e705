#!/bin/sh
# Allocations fail in turn, with all behind them from some moment on, or alone, each call of the
# sources that leads to one: a program ends with one line and the status for it, or goes on without;
# never by a signal, and the store is whole. A hook always answers.
# TRIES=2 moments a program, 'make torture' more. What compiles a jq program is left out: libjq 1.6
# itself ends by a signal when its parser has no memory.
. "${0%/*}/lib.sh"
. "$ROOT/tests/faults.sh"

: "${TRIES:=2}"
fault_shim=$B/tests/torture/alloc.so fault_ways=ALLOC_WAYS fault_way=ALLOC_WAY
# a message of SQLite's is 74, ours 70
fault_may='65 66 70 74' fault_no_jq=1
[ -f "$fault_shim" ] || skip_all 'no alloc.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all 'a sanitizer allocates by itself'
export ALLOC_MODE=all ALLOC_COUNT="$PWD/count"
LD_PRELOAD=$fault_shim env true && [ -s count ] || skip_all 'needs glibc'
fault_more() {
	awk -v n="$(cat count)" -v t="$TRIES" -v seed="${SEED:-1}" 'BEGIN {
		srand(seed)
		for (i = 0; i < t; i++) print "ALLOC_AT=" int((i + rand()) * n / t) + 1 }'
}
faults
failing /dev/null mem-search -j --no-touch lighthouse keeper
failing /dev/null mem-context lighthouse
failing /dev/null mem-show source:7
done_testing
