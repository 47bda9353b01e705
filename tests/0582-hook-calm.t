#!/bin/sh
# mem-hook never says a word of what is wrong: 500 cases of tests/torture/hooks.pl. They are seeded:
# SEED=2 tries others.
. "${0%/*}/lib.sh"
unset MEM_NOW MEM_SEED

check_out 'whatever is wrong, the host hears nothing of it' '500 cases, 0 wrong' \
	perl "$ROOT/tests/torture/hooks.pl" 500 "${SEED:-1}"
done_testing
