#!/bin/sh
# Streams: readers that go away, /dev/full, closed descriptors, and programs that are told to stop.
. "${0%/*}/lib.sh"
unset MEM_SEED

seq 3000 | sed 's/.*/{"id":"&","session":"s\&","role":"user","content":"line & about the lighthouse keeper, and some more words to fill the pipe"}/' >in.ndjson
check 'messages for the pipes are stored' mem-ingest -q --from=ndjson in.ndjson
mem-check -q --checkpoint
cp mem.db good.db
echo '{"query":"lighthouse","relevant":["7"]}' >queries

# ---- the reader goes away ----

# gone NAME CMD: the status of a program whose reader takes one line and leaves; and nothing on
# stderr.
gone() {
	name=$1
	shift
	turn_over
	{ "$@" 2>"$err"; echo $? >status; } | head -n 1 >"$out"
	status=$(cat status)
	if ! status_is 0; then fail "$name | head -1" "$why" "$@"
	elif [ -s "$err" ]; then fail "$name | head -1" 'it said something' "$@"
	else pass "$name | head -1"
	fi
}
gone mem-list mem-list
gone 'mem-search' mem-search -n 1000 lighthouse
gone 'mem-search of many questions' sh -c 'yes "{\"query\":\"lighthouse\"}" | head -n 500 |
	mem-search'
gone mem-stats mem-stats -j
gone mem-check mem-check -j --full
gone 'mem-show' sh -c 'mem-list | mem-show'
gone 'mem config' mem config -j
[ ! -x "$B/mem-context" ] || gone mem-context mem-context lighthouse
rm -f mem.db*
gone 'mem-ingest' mem-ingest --from=ndjson --batch 10 in.ndjson
check_out 'which stores to the end' 3000 sh -c 'mem-list | wc -l'

# ---- a forgotten -u ----

seq 30 | sed 's/.*/{"id":"&","session":"s","role":"user","content":"I live in Porto & and I prefer tea"}/' | mem-ingest -q -u anna --from=ndjson -d anna.db -
mem-list -u anna -d anna.db >annas
mem-extract -u anna -d anna.db <annas >facts
for second in 'mem-ingest -d n.db' 'mem-extract -d anna.db' 'mem-show -d anna.db' \
	'mem-context -d anna.db'; do
	check_err "$second: is told once" 65 "stdin:1: a record of user 'anna', not 'default'" \
		sh -c "exec $second <annas"
	check_out "one line tells of another user's record" 1 sh -c 'grep -c "of user" "$0"' "$err"
done
check_err 'mem-remember refuses a record of another user, too' 65 \
	"stdin:1: a record of user 'anna', not 'default'" sh -c \
	'exec mem-remember -d anna.db <facts'
check_out 'no more there either' 1 sh -c 'grep -c "of user" "$0"' "$err"
check_out 'each is counted and kept all the same' 30 sh -c \
	'mem-ingest -q -d n.db --rejects r <annas 2>/dev/null; wc -l <r'

# ---- nobody at the other end from the start, and a full disk ----

if [ -w /dev/full ]; then
	full() {
		name=$1
		shift
		check_err "a full disk is told and ends with 74: $name" 74 \
			'^mem[a-z-]*: cannot write to stdout: No space left' sh -c \
			'exec "$@" >/dev/full' sh "$@"
		check "a full disk is told in one line: $name" test "$(wc -l <"$err")" -eq 1
	}
	full mem-list mem-list
	full mem-search mem-search lighthouse
	full mem-stats mem-stats -j
	full mem-check mem-check -j
	full mem-show mem-show source:7
	full 'mem-search -h' mem-search -h
	full 'mem --version' mem --version
	full 'mem config' mem config
	full 'mem help' mem help
	[ ! -x "$B/mem-context" ] || full mem-context mem-context lighthouse
	[ ! -x "$B/mem-eval" ] || full mem-eval mem-eval queries
	rm -f mem.db*
	full mem-ingest mem-ingest --from=ndjson --batch 10 in.ndjson
	check_out 'all is stored though nobody reads' 3000 sh -c 'mem-list | wc -l'
	check_status 'stderr may be full' 65 sh -c 'echo bad | mem-ingest --from=ndjson 2>/dev/full'
else
	skip '/dev/full' 'there is none'
fi

# ---- closed descriptors: the database must not become number 0, 1 or 2 ----

programs='mem-list;mem-search lighthouse;mem-search --explain lighthouse;mem-stats;mem-check --deep;mem-check --repair;mem-check --checkpoint;mem-show source:7;mem-context lighthouse;mem-ingest --from=ndjson more;mem-ingest --from=ndjson bad;mem-ingest --from=ndjson;mem-search;mem-eval queries;mem config'
echo '{"id":"more","session":"more","content":"MARK"}' >more
printf 'MARK no json\nMARK neither\n' >bad
IFS=';'
for call in $programs; do
	unset IFS
	[ -x "$B/${call%% *}" ] || continue
	for closed in '<&-' '>&-' '2>&-' '<&- >&-' '>&- 2>&-' '<&- >&- 2>&-'; do
		rm -f mem.db*
		cp good.db mem.db
		timeout "$MEM_TEST_SECONDS" sh -c "exec $call $closed" >"$top/said" 2>&1
		status=$?
		want='0|65|66|74'
		if ! echo $status | grep -Eqx "$want"; then
			status_is 0
			fail "$call $closed" "$why"
		elif ! mem-check -q --deep >"$out" 2>"$err"; then
			fail "$call $closed" 'the store is damaged'
		elif ! mem-list -j | grep -v '"more"' >now || [ "$(wc -l <now)" -lt 3000 ]; then
			fail "$call $closed" 'messages are lost'
		else
			continue
		fi
		closed=failed
		break
	done
	[ "$closed" = failed ] || pass "$call with closed descriptors"
done
unset IFS
check_status 'a closed stdout is an error when there is something to print' 74 sh -c 'mem-list >&-'
check_status 'a closed output of mem-ingest is told, too' 74 sh -c 'mem-ingest --from=ndjson >&- <<E
{"id":"closed","session":"more","content":"stored all the same"}
E'
check_like 'what mem-ingest could not print is stored' 'stored all the same' mem-show source:closed

# ---- told to stop ----

rm -f mem.db*
for signal in INT TERM HUP; do
	rm -f mem.db* pid
	: >printed
	mkfifo tap
	# a shell lets what runs in the background ignore SIGINT
	timeout "$MEM_TEST_SECONDS" perl -e '$SIG{INT} = "DEFAULT"; open P, ">", "pid"; print P $$; close P;
		exec @ARGV' mem-ingest --from=ndjson -s stop <tap >printed 2>told &
	job=$!
	exec 9>tap
	head -n 50 in.ndjson >&9
	wait_for '[ "$(wc -l <printed)" -ge 50 ]'
	printf '{"id":"last","content":"half a li' >&9
	kill -$signal "$(cat pid)"
	wait $job
	ended=$?
	exec 9>&-
	rm tap
	check "SIG$signal: what was printed is stored" sh -c 'test $(wc -l <printed) -eq 50 &&
		mem-list | cmp - printed'
	case $ended in 129|130|143) pass "SIG$signal ends it" ;; *) fail "SIG$signal ends it" \
		"status $ended" ;; esac
done
check 'the store is whole' mem-check --deep

# ---- a pipe for people ----

check_out 'lines are whole for who comes next' 3000 sh -c \
	'mem-ingest -d two.db --from=ndjson in.ndjson | jq -r .id | wc -l'
check_out 'what ingest prints goes into show' 5 sh -c \
	'mem-ingest -d three.db --from=ndjson in.ndjson | head -n 5 | mem-show -d three.db | wc -l'

done_testing
