#!/bin/sh
# Statements of SQL fail in turn, when they begin, and when they have given a row: each statement,
# and each call of the sources that leads to one. ALL=1, as in 'make torture': in every program that
# comes by, not in the first alone.
. "${0%/*}/lib.sh"
. "$ROOT/tests/faults.sh"

fault_shim=$B/tests/torture/sql.so fault_ways=SQL_WAYS fault_way=SQL_FAILS fault_may='65 66 74'
[ -f "$fault_shim" ] || skip_all 'no sql.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
# a statement that gives no row does not fail behind one
export SQL_MARK="$PWD/mark"
fault_mark=$SQL_MARK
faults
done_testing
