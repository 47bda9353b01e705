#!/bin/sh
# Calls of the system on files, directories and pipes fail in turn, each call of the sources that
# leads to one. ALL=1, as in 'make torture': in every program that comes by, not in the first alone.
. "${0%/*}/lib.sh"
. "$ROOT/tests/faults.sh"

fault_shim=$B/tests/torture/calls.so fault_ways=CALL_WAYS fault_way=CALL_FAILS
fault_may='65 66 69 70 73 74 75 77 78'
[ -f "$fault_shim" ] || skip_all 'no calls.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
faults
done_testing
