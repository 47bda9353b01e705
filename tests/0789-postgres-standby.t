#!/bin/sh
# A hot standby as a store: who reads sees what was stored on the other server, and who would write
# is refused.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
[ -z "${PG_SPREAD-}" ] || skip_all 'one server and its copy'
pg_start -c fsync=off
pg_new copied
first=$url
put() { mem-ingest -q --from=ndjson -d "$first" -; }
seq 20 | sed 's/.*/{"session":"s","id":"&","content":"boat & on the pond"}/' | put

# pg_stop ends what is called worker, too
mkdir "$pg_dir/worker-copy"
[ "$(id -u)" != 0 ] || chown postgres "$pg_dir/worker-copy"
pg_do pg_basebackup -h "$pg_dir" -U mem -D "$pg_dir/worker-copy/data" -R -c fast -N >copied 2>&1 &&
	pg_do pg_ctl -D "$pg_dir/worker-copy/data" -l "$pg_dir/worker-copy/log" -s -w -o \
		"-c fsync=off -c listen_addresses= -c unix_socket_directories=$pg_dir/worker-copy" start
copy="postgres://mem@/copied?host=$pg_dir/worker-copy"

# Until the copy has all that was stored.
await() {
	end=$(pg_sql copied 'SELECT pg_current_wal_lsn()')
	wait_for '[ "$("$pg_bindir/psql" -qAt -h "$pg_dir/worker-copy" -U mem copied -c \
		"SELECT pg_last_wal_replay_lsn() >= '"'\$end'"'")" = t ]'
}

await
check_out 'the copy has the same' "$(mem-export -d "$first" | sha256sum)" \
	sh -c 'mem-export -d "$1" | sha256sum' sh "$copy"
mem-search -j --no-touch -d "$first" boat 7 >hits
check_out 'a standby finds the same as its server' "$(cat hits)" \
	mem-search -j --no-touch -d "$copy" boat 7
check 'who notes what was asked is no worse off' mem-search -d "$copy" boat
echo '{"session":"s","content":"a heron on the pond"}' | put
await
check_like 'what is stored meanwhile is found' 'a heron on the pond' mem-search -d "$copy" heron
check_err 'who stores is refused' 77 'cannot be written' sh -c \
	'echo "{\"session\":\"s\",\"content\":\"x\"}" | mem-ingest -q --from=ndjson -d "$1" -' \
	sh "$copy"
check_err 'nothing can be remembered on a standby' 77 'cannot be written' \
	mem-remember -d "$copy" 'a note'
check_out 'a check reads it' '' mem-check -q -d "$copy"
both="postgres://mem@/copied?host=$pg_dir/worker-copy,$pg_dir&target_session_attrs=read-write"
check 'of two servers the one that may be written is found' sh -c \
	'echo "{\"session\":\"s\",\"content\":\"x\"}" | mem-ingest -q --from=ndjson -d "$1" -' \
	sh "$both"

# Who is asked on keeps what it has read while nothing changes. A copy with an older transaction
# still open tells the same of what it sees before and after a younger one is committed.
session() { # its number: a transaction that has one, and waits for what it is to do
	mkfifo "do$1"
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem copied <"do$1" >"done$1" 2>&1 &
	case $1 in
	1)	exec 6>do1 && echo 'BEGIN; SELECT pg_current_xact_id();' >&6 ;;
	2)	exec 7>do2 && echo 'BEGIN; SELECT pg_current_xact_id();' >&7 ;;
	esac
	wait_for "[ -s done$1 ]"
}
session 1
session 2
echo '{"session":"s","content":"an otter"}' | put
await
mkfifo asked
mem-search -j --no-touch -n 1 -d "$copy" - <asked >answers 2>asked.err &
asks=$!
exec 5>asked
echo '{"query":"heron"}' >&5
wait_for [ -s answers ]
echo "UPDATE message SET content = 'a heron on the lake' WHERE content LIKE '%heron%'; COMMIT;
SELECT 'is done';" >&7
wait_for grep -q done done2
await
echo '{"query":"heron"}' >&5
exec 5>&- 6>&- 7>&-
wait $asks
check_out 'asked again: what was changed meanwhile is found' 'a heron on the pond
a heron on the lake' sed -n 's/.*"type":"hit".*"content":"\([^"]*\)".*/\1/p' answers
done_testing
