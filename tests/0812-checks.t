#!/bin/sh
# mem-check --full, --deep and --full --backup beside eight writers find no damage that is not
# there. ROUNDS=60 SEED=1; 'make torture' does 500.
. "${0%/*}/lib.sh"

: "${ROUNDS:=60}" "${SEED:=1}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=1800
# a new store now and then: checking a large one takes long
while [ "$ROUNDS" -gt 0 ]; do
	n=$((ROUNDS < 100 ? ROUNDS : 100))
	rm -f mem.db*
	check "$n checks, seed $SEED: nothing wrong" env SEED="$SEED" "$B/tests/torture/checks" $n
	sed 's/^/# /' "$out"
	ROUNDS=$((ROUNDS - n))
	SEED=$((SEED + 1))
done
check 'the store is whole' mem-check --deep
check 'no copy is left' sh -c '! ls | grep copy'

done_testing
