#!/bin/sh
# Each allocation fails in turn, alone or with all behind it: a program ends with one line and the
# status for it, or goes on without; never by a signal, and the store is whole. A hook always
# answers.
# TRIES=12 moments a program, 'make torture' more. What compiles a jq program is left out: libjq 1.6
# itself ends by a signal when its parser has no memory.
. "${0%/*}/lib.sh"

: "${TRIES:=12}"
shim=$B/tests/torture/alloc.so
[ -f "$shim" ] || skip_all 'no alloc.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all 'a sanitizer allocates by itself'
LD_PRELOAD=$shim ALLOC_COUNT=$PWD/count env true && [ -s count ] || skip_all 'needs glibc'
unset MEM_SEED

for i in $(seq 30); do
	echo "{\"id\":\"$i\",\"session\":\"s$((i % 4))\",\"role\":\"user\",\"name\":\"Ann\",\"content\":\"line $i of the lighthouse, says keeper$((i % 7)); I prefer tea$i\"}"
done >rich.ndjson
mem-ingest -q --from=ndjson rich.ndjson && "$B/tests/torture/facts" 6 >/dev/null &&
	mem-check -q --checkpoint && cp mem.db saved.db || exit 1
mem-list -j -n 1000 | sort >list
mem-export >export.ndjson
head -n 5 rich.ndjson | sed 's/"id":"/"id":"new/; s/content":"/content":"again /' >in.ndjson
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' \
	'{"jsonrpc":"2.0","id":2,"method":"resources/list"}' >asks

# once AT MODE CMD...: on a store as it was; sets $status.
once() {
	rm -f mem.db* ; cp saved.db mem.db
	at=$1 mode=$2
	shift 2
	timeout "$MEM_TEST_SECONDS" env ALLOC_AT="$at" ALLOC_MODE="$mode" \
		ALLOC_COUNT="$PWD/count" LD_PRELOAD="$shim" "$@" <"$in" >said 2>told
	status=$?
}
wrong() {
	echo "allocation $at, $mode: $1: status $status" >>wrong
	head -n 5 told | sed 's/^/  /' >>wrong
}
# failing IN STATUSES CMD...
failing() {
	in=$1 may=$2 n_runs=0
	shift 2
	rm -f wrong count
	once 0 once "$@"
	calls=$(cat count)
	[ "$status" -eq 0 ] || wrong 'without a fault'
	for mode in once all; do
		for at in $(awk -v n="$calls" -v t="$TRIES" -v seed="${SEED:-1}" 'BEGIN {
			srand(seed)
			for (i = 0; i < t; i++) print int((i + rand()) * n / t) + 1 }'); do
			once "$at" $mode "$@"
			n_runs=$((n_runs + 1))
			case " 0 $may " in *" $status "*) ;; *) wrong 'status' ;; esac
			[ "$status" -eq 0 ] || [ -s told ] || wrong 'without a word'
			mem-check -q --deep >found 2>&1 || { wrong 'mem-check --deep';
				cat found >>wrong; }
			mem-list -j -n 1000 >have 2>>told
			case $1 in
			mem-forget) ;;
			*) [ -z "$(sort have | comm -23 list - | head -n 1)" ] || wrong 'a loss' ;;
			esac
		done
	done
	echo "# $*: $calls allocations, $n_runs runs"
	if [ ! -s wrong ] && [ "$calls" -gt 20 ]; then pass "$*"; else
		cp wrong "$err" 2>/dev/null; out=/dev/null
		fail "$*" "$(grep -c '^allocation' wrong) of $n_runs" "$@"; fi
}
# a message of SQLite's is 74, ours 70
failing in.ndjson '70 74' mem-ingest --from=ndjson
failing /dev/null '70 74' mem-search -j --no-touch lighthouse keeper
failing /dev/null '70 74' mem-context lighthouse
failing /dev/null '70 74' mem-list -j facts
failing /dev/null '70 74' mem-show source:7
failing /dev/null '70 74' mem-remember 'the lighthouse is white'
failing /dev/null '70 74' mem-edit --important source:7
failing /dev/null '70 74' mem-forget -qf source:7
failing /dev/null '70 74' mem-export
failing export.ndjson '65 70 74' mem-import -
failing /dev/null '70 74' mem-check
failing /dev/null '70 74' mem-stats -j
failing asks '70 74' mem-mcp
echo '{"session_id":"h","cwd":"/","prompt":"what did we say about the lighthouse?"}' >call.json
failing call.json '' mem-hook claude-code prompt
check 'a hook says nothing, or an answer' sh -c '[ ! -s said ] || jq -e . said'
done_testing
