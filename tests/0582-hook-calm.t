#!/bin/sh
# mem-hook never says a word of what is wrong: the 500 cases of
# tests/torture/hooks.pl. They are seeded: SEED=2 tries others.
. "${0%/*}/lib.sh"
unset MEM_NOW MEM_SEED

cases=500
! grep -q __asan_init "$B/mem-hook" || cases=100        # the sanitizer takes five times as long
check_out 'whatever is wrong, the host hears nothing of it' "$cases cases, 0 wrong" \
	perl "$ROOT/tests/torture/hooks.pl" $cases "${SEED:-1}"
done_testing
