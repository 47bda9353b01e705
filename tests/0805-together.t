#!/bin/sh
# Hooks, mem-ingest, mem-sync, mem-import and mem-forget on three stores of one person, killed at
# random moments: all are the same in the end, nothing acknowledged is lost, and of what was
# forgotten no byte is left in any file beside any store (torture/together.pl).
# KILLS=15 SEED=1; 'make torture' does 500.
. "${0%/*}/lib.sh"

: "${KILLS:=15}" "${SEED:=1}"
unset MEM_NOW MEM_DB
export MEM_TEST_SECONDS=7200
[ -d /proc/self ] || skip_all 'no /proc, by which what hooks leave behind is waited for'
shim=$B/tests/torture/fault.so
[ -f "$shim" ] && [ -z "${MEM_TEST_WRAP-}" ] && ! grep -q fsanitize "$B/flags" || shim=
cp "$ROOT/tests/torture/ssh.sh" ssh
check "what runs together survives $KILLS kills" \
	perl "$ROOT/tests/torture/together.pl" "$KILLS" "$SEED" $shim
cp "$out" said && sed 's/^/# /' said
check_out 'three stores are the same, nothing is lost, nothing forgotten is left' '' sh -c \
	'grep "^seed" said | cut -c 1-160 || :'
check_out 'so many were killed' "$KILLS" sh -c \
	'sed -n "s/^\([0-9]*\) killed,.*/\1/p" said'

done_testing
