#!/bin/sh
# Each statement of SQL fails in turn, when it begins, and when it has given a row: a program ends
# with one line and the status for it, and the store is as it was or as it would be; or it goes on
# without, and then what it says and does is what it says and does otherwise.
# MOST=1: each statement in the first program that runs it; 'make torture' in all of them.
. "${0%/*}/lib.sh"

: "${MOST:=1}"
shim=$B/tests/torture/sql.so
[ -f "$shim" ] || skip_all 'no sql.so'
[ -z "${MEM_TEST_WRAP-}" ] || skip_all 'the shim would be loaded into the wrapper'
! grep -q fsanitize "$B/flags" 2>/dev/null || skip_all "a sanitizer's library wants to be the first"
export SQL_LIST="$PWD/list" SQL_MARK="$PWD/mark"

. "$ROOT/tests/rich.sh"
# without what sqlite3 itself writes there, past the checksums of pages
(unset MEM_SEED; sqlite3() { :; }; rich_store mem.db) >/dev/null 2>&1
export MEM_MODELS="$top/models" MEM_MODEL=tiny
mem-check -q --checkpoint && cp mem.db saved.db || exit 1
mem-export >export.ndjson
head -n 5 rich.ndjson | sed 's/"id":"/"id":"new/; s/content":"/content":"again /' >in.ndjson
MEM_SEED=7 mem-ingest -q -d other.db --from=ndjson in.ndjson &&
	mem-check -q -d other.db --checkpoint && cp other.db other.saved || exit 1

: >tried
state() { mem-export </dev/null >state 2>&1; sort state; }
# once TEXT MODE CMD...: on a store as it was, with a statement that fails; sets $status.
once() {
	rm -f mem.db* other.db* mark list; cp saved.db mem.db; cp other.saved other.db
	rm -f copy.db*
	text=$1 mode=$2
	shift 2
	timeout "$MEM_TEST_SECONDS" env SQL_FAILS="$text" SQL_MODE="$mode" LD_PRELOAD="$shim" \
		"$@" <"$in" >said 2>told
	status=$?
}
wrong() {
	echo "$mode: $1: status $status: $(echo "$text" | cut -c1-110)" >>wrong
	head -n 3 told | sed 's/^/  /' >>wrong
}
# failing IN CMD...
failing() {
	in=$1 n_runs=0
	shift
	rm -f wrong
	once '' first "$@"
	cp said said.well ; cp told told.well; state >state.well
	[ "$status" -eq 0 ] || wrong 'without a fault'
	# those that were not tried as often
	sort -u list | awk -v most="$MOST" '
		FILENAME == "tried" { n[$0]++; next } n[$0] < most' tried - >tries
	cat tries >>tried
	for how in first later; do
		while IFS= read -r try; do
			once "$try" "$how" "$@"
			[ -e mark ] || continue            # it gives no row
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
		done <tries
	done
	echo "# $*: $(wc -l <tries) statements, $n_runs runs"
	if [ ! -s wrong ]; then pass "$*"; else
		cp wrong "$err" 2>/dev/null; out=/dev/null
		fail "$*" "$(grep -c ': status' wrong) of $n_runs" "$@"; fi
}
failing in.ndjson mem-ingest --from=ndjson
failing export.ndjson mem-import -d mem.db -
failing /dev/null mem-remember --key 'favorite color' 'My favorite color is red.'
while read -r command; do
	failing /dev/null $command
done <<'E'
mem-list -j messages
mem-list -j messages --since 2024-01
mem-list -j facts
mem-list -j facts --all --as-of 2024-06 --bank Work
mem-list -j reflections
mem-list -j summaries
mem-list -j sessions
mem-list -j projects
mem-list -j people
mem-list -j topics
mem-list -j users
mem-edit --important source:7
mem-edit --steps
mem-edit --undo
mem-forget -qf --verify -s s
mem-forget -qf --name bob
mem-forget -qf --user-all
mem-prune -f --max 2
mem-prune -f --sessions --days 1
mem-export
mem-sync ./other.db
mem-sync --new-id
mem-sync --peers
mem-summarize --messages 1
mem-summarize --list
mem-summarize --facts
mem-cluster
mem-cluster --recluster
mem-embed
mem-profile
mem-profile set style short
mem-audit -j
mem-check --full
mem-check --deep
mem-check --repair
mem-check --stale
mem-check --backup copy.db
mem-stats -j
mem-stats -j --calls
mem-stats -j --digest
mem-stats -j --triggers
mem-stats -j --missed
mem-upkeep -q
E
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
