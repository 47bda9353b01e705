#!/bin/sh
# Each statement of SQL fails in turn, when it begins, and when it has given a row: a program ends
# with one line and the status for it, and the store is as it was or as it would be; or it goes on
# without, and then what it says and does is what it says and does otherwise.
# STEP=3 tries every third statement; 'make torture' all of them.
. "${0%/*}/lib.sh"

: "${STEP:=3}"
shim=$B/tests/torture/sql.so
[ -f "$shim" ] || skip_all 'no sql.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
export SQL_COUNT="$PWD/count" SQL_NAMED="$PWD/named"
LD_PRELOAD=$shim mem-list -d none.db >/dev/null 2>&1

. "$ROOT/tests/rich.sh"
# without what sqlite3 itself writes there, past the checksums of pages
(unset MEM_SEED; sqlite3() { :; }; rich_store mem.db) >/dev/null 2>&1
export MEM_MODELS="$top/models" MEM_MODEL=tiny
mem-check -q --checkpoint && cp mem.db saved.db || exit 1
mem-export >export.ndjson
head -n 5 rich.ndjson | sed 's/"id":"/"id":"new/; s/content":"/content":"again /' >in.ndjson
MEM_SEED=7 mem-ingest -q -d other.db --from=ndjson in.ndjson &&
	mem-check -q -d other.db --checkpoint && cp other.db other.saved || exit 1

state() { mem-export >state 2>&1; sort state; }
# once AT MODE CMD...: on a store as it was; sets $status.
once() {
	rm -f mem.db* other.db* named; cp saved.db mem.db; cp other.saved other.db
	at=$1 mode=$2
	shift 2
	timeout "$MEM_TEST_SECONDS" env SQL_AT="$at" SQL_MODE="$mode" LD_PRELOAD="$shim" "$@" \
		<"$in" >said 2>told
	status=$?
}
wrong() {
	echo "statement $at, $mode: $1: status $status: $(tr -s '\n\t ' ' ' <named | cut -c1-110)" >>wrong
	head -n 3 told | sed 's/^/  /' >>wrong
}
# failing IN CMD...
failing() {
	in=$1 n_runs=0
	shift
	rm -f wrong count
	once 0 first "$@"
	calls=$(cat count) ; cp said said.well ; cp told told.well; state >state.well
	[ "$status" -eq 0 ] || wrong 'without a fault'
	for mode in first later; do
		for at in $(seq $((1 + ${SEED:-1} % STEP)) "$STEP" "$calls"); do
			once "$at" $mode "$@"
			[ -s named ] || continue           # it gives no row
			n_runs=$((n_runs + 1))
			state >state.now
			case $status in
			0) cmp -s said said.well || grep -q '"isError":true\|"error":{' said ||
				wrong 'status 0, and it says something else'
			# what was handed out is noted if it can be
			[ "$1" = mem-mcp ] || cmp -s state.now state.well ||
				wrong 'status 0, and another store' ;;
			65 | 66 | 74) [ -s told ] || [ "$1" = mem-check ] ||
				wrong 'without a word' ;;
			*) wrong 'status' ;;
			esac
			mem-check -q --deep >found 2>&1 || { wrong 'mem-check --deep';
				head -n 5 found >>wrong; }
		done
	done
	echo "# $*: $calls statements, $n_runs runs"
	if [ ! -s wrong ] && [ "$calls" -gt 3 ]; then pass "$*"; else
		cp wrong "$err" 2>/dev/null; out=/dev/null
		fail "$*" "$(grep -c '^statement' wrong 2>/dev/null) of $n_runs" "$@"; fi
}
failing in.ndjson mem-ingest --from=ndjson
failing /dev/null mem-list -j messages
failing /dev/null mem-list -j facts
failing /dev/null mem-list -j sessions
failing /dev/null mem-remember --key keeper.name 'the keeper is Tom'
failing /dev/null mem-edit --important source:7
failing /dev/null mem-forget -qf --verify -s s
failing /dev/null mem-prune -f --max 2
failing /dev/null mem-export
failing export.ndjson mem-import -d mem.db -
failing /dev/null mem-sync ./other.db
failing /dev/null mem-summarize
failing /dev/null mem-cluster
failing /dev/null mem-embed
failing /dev/null mem-profile
failing /dev/null mem-audit -j
failing /dev/null mem-check --deep
failing /dev/null mem-check --repair
failing /dev/null mem-stats -j
# mem-search, mem-context and mem-show have SQLite inside, where no shim reaches; their work is this
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
ask() {
	printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{%s,"name":"%s",%s}}\n' \
		"$1" "$meta" "$2" "\"arguments\":$3"
}
{
	ask 1 recall '{"question":"what of the lighthouse keeper"}'
	ask 2 timeline '{"id":"source:7"}'
	ask 3 recall '{"question":"who is the keeper","limit":3}'
} >asks
failing asks mem-mcp
done_testing
