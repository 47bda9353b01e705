#!/bin/sh
# mem-setup killed at any call that changes a file, and at random moments, with its children: each
# configuration is the old or the new one, and the next run, or undoing, completes. STEP=29 tries
# every 29th call, KILLS=4 so many moments; 'make torture' over 200 of both.
. "${0%/*}/lib.sh"
. "$ROOT/tests/agents.sh"

: "${STEP:=29}" "${KILLS:=4}" "${SEED:=1}"
shim=$B/tests/torture/fault.so
[ -f "$shim" ] || skip_all 'no fault.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
if grep -q fsanitize=address "$B/flags" 2>/dev/null; then
	shim="$(${CC:-cc} -print-file-name=libasan.so) $shim"
	export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}"
fi
unset MEM_NOW MEM_SEED
export MEM_MODEL=none
fake_timers "$top/fake"
agents_home
export MEM_DB="$top/memory.db" FAULT_PATH="$PWD" FAULT_COUNT="$top/count"
: >"$top/wrong"

# killed AT CMD...: at that call; $status.
killed() {
	FAULT_AT=$1
	shift
	FAULT_MODE=kill FAULT_AT=$FAULT_AT LD_PRELOAD="$shim" "$@" >/dev/null 2>&1
	status=$?
}
wrong() { echo "killed at call $at of $job: $1" >>"$top/wrong"; }
# The configurations: what was there before, or is written.
sums() {
	tree . | grep -E '^[0-9]+ [0-9]+ ' | grep -v -e '\.local/state' -e '\.mem-setup' | sort
}
same() { tree . | cmp -s - "$1"; }
# all but the order of the journal
wired() { tree . | grep -v '\.local/state' | cmp -s - "$top/after"; }

tree . >"$top/before"
sums >"$top/old"
check 'mem-setup sets up when it was killed before' mem-setup -q --from-build --auto --yes
tree . | grep -v '\.local/state' >"$top/after"
sums >"$top/new"
sort -u "$top/old" "$top/new" >"$top/either"
check 'mem-setup undoes what a killed one began' mem-setup -q --undo --yes
check 'all is as before a killed setup' same "$top/before"
LD_PRELOAD="$shim" FAULT_AT=0 mem-setup -q --from-build --auto --yes >/dev/null
calls_auto=$(cat "$top/count")
LD_PRELOAD="$shim" FAULT_AT=0 mem-setup -q --undo --yes >/dev/null
calls_undo=$(cat "$top/count")
check 'there are many such calls' test "$calls_auto" -gt 100 -a "$calls_undo" -gt 60

# What has to hold after a kill; $1 even: first another run completes it.
after_kill() {
	sums >"$top/now"
	[ -z "$(comm -23 "$top/now" "$top/either")" ] || wrong 'a file is neither old nor new'
	if [ $(($1 % 2)) -eq 0 ]; then
		mem-setup -q --from-build --auto --yes >/dev/null 2>"$top/said" ||
			wrong "then: $(cat "$top/said")"
		wired || wrong 'the next run does not complete it'
	fi
	mem-setup -q --undo --yes >/dev/null 2>"$top/said" || wrong "undoing: $(cat "$top/said")"
	same "$top/before" || {
		wrong 'it is not given back'
		tree . | diff "$top/before" - >>"$top/wrong"
		rm -rf .[a-z]* dotfiles "$FAKE_CRONTAB"
		agents_home
	}
}

n=0
for job in auto undo; do
	[ $job = auto ] && calls=$calls_auto || calls=$calls_undo
	at=1
	while [ "$at" -le "$calls" ]; do
		[ $job = auto ] || mem-setup -q --from-build --auto --yes >/dev/null 2>&1
		killed "$at" mem-setup -q --from-build --$job --yes
		[ "$status" -eq 137 ] || wrong "status $status"
		after_kill "$n"
		n=$((n + 1))
		at=$((at + STEP))
	done
done
check_out "killed $n times, nothing is half" '' cat "$top/wrong"

# ---- at random moments ----
# The time that a run takes, in milliseconds, is what the moments are drawn from.
: >"$top/wrong"
ms() { echo $(($(date +%s%N) / 1000000)); }
rm -f "$MEM_DB"*
start=$(ms)
mem-setup -q --from-build --auto --yes >/dev/null
took=$(($(ms) - start))
mem-setup -q --undo --yes >/dev/null
n=0
# a machine that was slow then, and is not now, would be done before any of them
while [ "$n" -lt "$KILLS" ] || { [ ! -s "$top/hit" ] && [ "$took" -gt 1 ]; }; do
	[ "$n" -lt "$KILLS" ] || took=$((took / 2))
	job=auto
	[ $((n % 3)) -lt 2 ] || job=undo
	[ $job = auto ] || mem-setup -q --from-build --auto --yes >/dev/null 2>&1
	[ $((n % 5)) -gt 0 ] || rm -f "$MEM_DB"*       # what is stored already takes no time
	at=$(awk -v n="$n" -v seed="$SEED" -v ms="$took" 'BEGIN {
		srand(seed * 1000 + n); printf "%.4f", (1 + rand() * ms) / 1000 }')
	timeout -s KILL "$at" mem-setup -q --from-build --$job --yes >/dev/null 2>&1
	status=$?
	[ "$status" -eq 137 ] || [ "$status" -eq 0 ] || wrong "status $status"
	[ "$status" -eq 0 ] || echo . >>"$top/hit"
	after_kill "$n"
	n=$((n + 1))
done
check_out "killed at $n moments, nothing is half" '' cat "$top/wrong"
check 'some of them came before the end' test -s "$top/hit"
check 'what was stored is sound' mem-check -q --full
done_testing
