#!/bin/sh
# Each call that changes a file fails once, in five ways: nothing acknowledged is lost, nothing is
# stored twice, no store is damaged.
# STEP=17 tries every 17th call; 'make torture' all of them.
. "${0%/*}/lib.sh"

: "${STEP:=17}"
shim=$B/tests/torture/fault.so
[ -f "$shim" ] || skip_all 'no fault.so'
unset MEM_NOW MEM_SEED
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
# a sanitizer's library wants to be the first
if grep -q fsanitize=address "$B/flags" 2>/dev/null; then
	shim="$(${CC:-cc} -print-file-name=libasan.so) $shim"
	export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}"
fi

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
	echo "{\"id\":\"$i\",\"session\":\"s$((i % 3))\",\"role\":\"user\",\"content\":\"line $i of the lighthouse, caf\303\251 getUserName\"}"
done >in.ndjson
head -n 11 in.ndjson >old.ndjson
export FAULT_PATH="$PWD/mem.db" FAULT_COUNT="$PWD/count"

# faulty AT MODE CMD...: runs it with the shim, into said, told, $status.
faulty() {
	FAULT_AT=$1 FAULT_MODE=$2
	shift 2
	export FAULT_AT FAULT_MODE
	timeout "$MEM_TEST_SECONDS" env LD_PRELOAD="$shim" "$@" >said 2>told
	status=$?
}

wrong() {
	echo "call $at, $mode: $1: status $status" >>wrong
	sed 's/^/  /' told >>wrong
}

# What must hold after mem-ingest of in.ndjson.
after_ingest() {
	grep '}$' said >acked        # whole lines
	if mem-list -j >have 2>/dev/null; then
		sort have >sorted
		[ -z "$(sort acked | comm -23 - sorted)" ] ||
			wrong 'a line that was printed is not there'
		mem-check -q --deep >found 2>&1 || [ $? -eq 66 -a ! -s have ] || {
			wrong 'mem-check --deep'; cat found >>wrong; }
	else
		[ ! -s acked ] || wrong 'lines were printed and there is no store'
	fi
	[ "$status" -ne 0 ] || [ "$(cat acked before | wc -l)" -eq 24 ] ||
		wrong 'not all lines were printed'
	mem-ingest -q --from=ndjson --batch 5 in.ndjson >said 2>told ||
		wrong 'the same again without a fault'
	mem-list -j >have 2>>told || wrong 'mem-list after that'
	[ "$(wc -l <have)" -eq 24 ] || wrong "$(wc -l <have) messages, not 24"
	sort have >sorted
	[ -z "$(sort acked before | comm -23 - sorted)" ] ||
		wrong 'a line that was printed is not there any more'
}

status_fits() {
	case $mode$status in
	kill137|*[!0-9]0) ;;
	*[!0-9]74|*[!0-9]77) [ "$(wc -l <told)" -eq 1 ] && grep -q "^$program: " told ||
		wrong 'not one line on stderr' ;;
	*) wrong 'status' ;;
	esac
}

# sweep NAME PREPARE VERIFY CMD...
sweep() {
	name=$1 prepare=$2 verify=$3
	shift 3
	program=$1 n_runs=0
	rm -f wrong
	$prepare
	faulty 0 eio "$@"
	calls=$(cat count)
	for mode in eio once full short kill; do
		# the first calls and the last, and every STEPth between
		for at in \
			$(awk -v n="$calls" -v s="$STEP" 'BEGIN { for (i = 1; i <= n; i++) if (s == 1 || i % s == 1 || i == n) print i }'); do
			$prepare
			faulty "$at" $mode "$@"
			status_fits
			$verify
			n_runs=$((n_runs + 1))
		done
	done
	echo "# $name: $calls calls, $n_runs runs"
	if [ ! -s wrong ] && [ "$calls" -gt 5 ]; then pass "$name"; else
		cp wrong "$err" 2>/dev/null; out=/dev/null;
		fail "$name" "$(grep -c '^call' wrong) of $n_runs" "$@"; fi
}

clean() { rm -f mem.db*; }
nothing() { clean; : >before; }
from_saved() { clean; cp saved.db mem.db; cp saved.list before; }

sweep 'mem-ingest makes a store' nothing after_ingest mem-ingest --from=ndjson --batch 5 in.ndjson

nothing
mem-ingest -q --from=ndjson old.ndjson
mem-check -q --checkpoint
cp mem.db saved.db
mem-list -j >saved.list
sweep 'mem-ingest adds to a store' from_saved after_ingest mem-ingest --from=ndjson --batch 5 \
	in.ndjson

# What was stored before is there, and after a repair all is well.
after_check() {
	mem-list -j >have 2>>told || wrong 'mem-list'
	cmp -s saved.list have || wrong 'the messages are not what they were'
	mem-check -q --repair >found 2>&1 || wrong 'mem-check --repair'
	mem-check -q --deep >>found 2>&1 || { wrong 'mem-check --deep'; cat found >>wrong; }
	if [ -e mem.db.copy ]; then
		mem-list -d mem.db.copy -j >have 2>>told
		cmp -s saved.list have || wrong 'a copy that is not complete'
		mem-check -d mem.db.copy -q --deep >>found 2>&1 ||
			wrong 'mem-check --deep of the copy'
	fi
}
sweep 'mem-check --repair' from_saved after_check mem-check -q --repair
sweep 'mem-check --backup' from_saved after_check mem-check -q --backup mem.db.copy
with_log() { from_saved; cp saved.db-wal mem.db-wal; }
from_saved
mem-ingest --from=ndjson --batch 5 in.ndjson >/dev/null &
wait
# a store with its log: copied while a process keeps it open
clean
cp saved.db mem.db
mkfifo held
mem-ingest -q --from=ndjson <held &
writer=$!
exec 9>held
cat in.ndjson >&9
wait_for '[ "$(mem-list | wc -l)" -eq 24 ]'
cp mem.db saved.db; cp mem.db-wal saved.db-wal; mem-list -j >saved.list
exec 9>&-
wait "$writer"
check 'there is a log to copy' test -s saved.db-wal -a "$(wc -l <saved.list)" -eq 24
sweep 'mem-check --checkpoint' with_log after_check mem-check -q --checkpoint

# A search answers all the same: what it cannot note down is not noted.
after_search() {
	[ "$status" -ne 0 ] || [ "$mode" = kill ] || cmp -s said want || wrong 'another answer'
	mem-list -j >have 2>>told
	cmp -s saved.list have || wrong 'the messages are not what they were'
	mem-check -q --deep >found 2>&1 || { wrong 'mem-check --deep'; cat found >>wrong; }
}
with_log
mem-search -j lighthouse 7 >want
sweep 'mem-search' with_log after_search mem-search -j lighthouse 7

# ---- programs that change what is there; fewer calls of each, as each has many ----

: $((STEP = STEP > 1 ? STEP * 3 : 1))
# After a fault it is as it was or done, and the same again does it. ids: of the messages that there
# are, sorted.
ids() { mem-list -j -n 1000 | jq -r .source_id | sort; }
whole() { mem-check -q --deep >found 2>&1 || { wrong 'mem-check --deep'; cat found >>wrong; }; }
either() { # FILE FILE CMD...: the messages are those of one of the two, and after CMD of the second
	one=$1 other=$2
	shift 2
	ids >have 2>>told
	cmp -s have "$one" || cmp -s have "$other" || wrong 'neither as it was nor done'
	[ "$status" -ne 0 ] || cmp -s have "$other" || wrong 'status 0, and not done'
	whole
	"$@" >said 2>told || [ $? -eq 66 ] || wrong 'the same again without a fault'
	ids >have 2>>told
	cmp -s have "$other" || wrong 'not done in the end'
	whole
}
from_saved
ids >before.ids
mem-forget -qf source:5 source:6 && ids >forgotten.ids
after_forget() {
	either before.ids forgotten.ids mem-forget -qf source:5 source:6
	! grep -aq 'line [56] of' mem.db* || wrong 'its words are in a file'
}
sweep 'mem-forget' from_saved after_forget mem-forget -qf source:5 source:6

clean
sed 's/"id":"/&o/; s/"session":"/&o/' in.ndjson | mem-ingest -q --from=ndjson
mem-export >export.ndjson
from_saved
mem-import -q export.ndjson && ids >imported.ids
after_import() { # it stores some hundred lines in a transaction: all of these
	either before.ids imported.ids mem-import -q export.ndjson
}
sweep 'mem-import' from_saved after_import mem-import -q export.ndjson

marks() { mem-list -j reflections --tag important | jq -r .content | sort; }
after_edit() {
	marks >have 2>>told
	n=$(wc -l <have)
	[ "$n" -le 1 ] || wrong "$n marks"
	[ "$status" -ne 0 ] || [ "$n" -eq 1 ] || wrong 'status 0, and no mark'
	whole
	mem-edit -q --important source:7 >said 2>told || wrong 'the same again without a fault'
	[ "$(marks | wc -l)" -eq 1 ] || wrong 'no mark in the end, or two'
}
sweep 'mem-edit' from_saved after_edit mem-edit -q --important source:7

# What is audited is not touched, and a fault is no finding.
echo '[{"id":"a","memory":"The lighthouse has line 7"},{"id":"b","memory":"the lighthouse has line 7."}]' \
	>other.json
mem-audit --words other.json >want 2>/dev/null
after_audit() {
	[ "$status" -ne 0 ] || cmp -s said want || wrong 'another answer'
	ids | cmp -s - before.ids || wrong 'the messages are not what they were'
	whole
}
from_saved
LD_PRELOAD=$shim FAULT_AT=0 mem-audit --words other.json >/dev/null 2>&1
[ "$(cat count)" -le 5 ] || sweep 'mem-audit' from_saved after_audit mem-audit --words other.json

done_testing
