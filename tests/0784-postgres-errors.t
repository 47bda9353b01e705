#!/bin/sh
# What goes wrong on PostgreSQL gets a clear error and the right status, and nothing is lost: a role
# that may not write, a table that is gone, a statement that is cancelled, a server that goes away,
# a lock that somebody else holds.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pg_start -c fsync=off

fresh
pg_new errors
export MEM_DB="$url"
seq 30 | sed 's/.*/{"session":"s","id":"&","content":"line & of the lighthouse"}/' >lines.ndjson
check 'lines are stored on the server' mem-ingest -q --from=ndjson lines.ndjson

# ---- roles ----

check 'a role that may only look' pg_sql errors 'CREATE ROLE looks LOGIN;
	GRANT SELECT ON ALL TABLES IN SCHEMA public TO looks'
looks="postgres://looks@/errors?host=$pg_dir"
check_like 'a user who may only read finds lines' 'line 7 ' mem-search -d "$looks" 'line 7'
check_err 'a user who may only read stores nothing' 77 'cannot be written' \
	mem-ingest -d "$looks" --from=ndjson lines.ndjson
check 'a role without rights' pg_sql errors 'CREATE ROLE stranger LOGIN'
check_err 'finds nothing, and is told' 77 'permission denied' \
	mem-search -d "postgres://stranger@/errors?host=$pg_dir" lighthouse
check_err 'a role that is not there' 69 'does not exist' \
	mem-search -d "postgres://nobody@/errors?host=$pg_dir" lighthouse

# ---- the library that speaks to a server ----

fake() { # NAME CODE: a libpq of ours
	mkdir "$1" && echo "$2" >"$1/pq.c" && ${CC:-cc} -shared -fPIC -o "$1/libpq.so.5" "$1/pq.c"
}
if fake none '' 2>/dev/null && sed -n 's/^.*F([^,]*[ *,]*, \([A-Za-z]*\),.*/\1/p' \
	"$ROOT/lib/store/postgres/libpq.h" | grep -v libVersion >names; then
	: >broken.so
	mkdir broken && cp broken.so broken/libpq.so.5
	fake old "$(echo 'int PQlibVersion(void) { return 130012; }'
		sed 's/.*/void PQ&(void) {}/' names)"
	check_err 'a libpq that cannot be loaded is told with what brings it' 78 \
		'needs libpq 5 .Debian' env LD_LIBRARY_PATH="$PWD/broken" mem-list
	check_err 'a libpq without a function is too old' 78 'too old: it has no PQ' \
		env LD_LIBRARY_PATH="$PWD/none" mem-list
	check_err 'a libpq of an older version is too old' 78 'version 13, 14 or later' \
		env LD_LIBRARY_PATH="$PWD/old" mem-list
else
	skip 'a libpq that is too old is told' 'there is no compiler'
fi

# ---- a proof, a check and figures look at all tables of the server; one that did not would call
# words left that other messages have ----

pg_new proof
export MEM_DB="$url"
{
	cat lines.ndjson
	echo '{"session":"t","id":"z","content":"We sail to Zanzibar"}'
} | mem-ingest -q --from=ndjson
check_out 'what is forgotten on a server is proved to be gone' '' \
	sh -c 'mem-forget -qf --verify source:z source:7 2>&1'
check 'the figures of a server have the bytes of all its tables' sh -c \
	'mem-stats -j | jq -es "map(select(.name? | strings | startswith(\"file.\"))) | map({(.name): .value}) |
		add | .[\"file.messages\"] > 0 and .[\"file.bytes\"] == (del(.[\"file.bytes\"]) | add)"'
pg_sql proof 'SET session_replication_role = replica; DELETE FROM session'
check_status 'rows of what is not there are found on a server' 74 mem-check -j
check_like 'they are told with their table' 'a row of message is of something' cat "$out"
export MEM_DB="postgres://mem@/errors?host=$pg_dir"

# ---- what a file can and a server cannot ----

check_err 'a copy is made by other programs' 78 'pg_dump' mem-check --backup copy.db

# ---- somebody else holds the lock ----

hold() { # seconds
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem errors >/dev/null <<EOF &
BEGIN;
SELECT pg_advisory_xact_lock(1835363633, 'meta'::regclass::oid::int);
SELECT pg_sleep($1);
EOF
	held=$!
	until [ "$(pg_sql errors "SELECT count(*) FROM pg_locks
		WHERE locktype = 'advisory' AND granted")" != 0 ]; do
		sleep .05
	done
}
hold 3600
check_err 'gives up after the setting wait' 75 'mem-remember: ' env MEM_WAIT=1 mem-remember 'a note'
check_like 'readers wait for nobody' 'line 3 ' env MEM_WAIT=1 mem-search 'line 3'
kill "$held" 2>/dev/null
pg_sql errors "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'
	AND pid <> pg_backend_pid()" >/dev/null
wait "$held" 2>/dev/null
hold 1
check 'waits for one that ends' mem-remember -q 'a note'
wait "$held"

# ---- the server goes away ----

mkfifo pipe
mem-ingest -q --from=ndjson - <pipe >went.out 2>went.err &
writer=$!
exec 9>pipe
sed -n 1,5p lines.ndjson | sed 's/"s"/"away"/' >&9
until [ "$(pg_sql errors "SELECT count(*) FROM session WHERE name = 'away'")" = 1 ]; do
	sleep .05
done
pg_sql errors "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE application_name = 'mem'" >/dev/null
sed -n 6,10p lines.ndjson | sed 's/"s"/"away"/' >&9
exec 9>&-
wait "$writer"
check_out 'its connection cut, a program connects again' 0 echo $?
check_out 'all lines are there once after an error' 10 sh -c 'mem-list messages -s away | wc -l'
check 'the server is stopped for a while' pg_do pg_ctl -D "$pg_dir/data" -m fast -s stop
check_err 'no server: it cannot be reached' 69 'cannot connect' mem-search lighthouse
check_err 'nothing can be remembered without a server' 69 'cannot connect' mem-remember 'a note'
check_out 'a hook says nothing' '' sh -c \
	"echo '{\"session_id\":\"x\",\"prompt\":\"what did I say?\"}' | mem-hook claude-code prompt"
check 'the server is started once again' pg_run -c fsync=off
check_like 'all lines are there when the server is back' 'line 9 ' mem-search 'line 9'

# ---- damage ----

pg_new strangers
pg_sql strangers 'CREATE TABLE meta(name text, value text); CREATE TABLE metric(id int);
	CREATE TABLE usr(no int, name text)' >/dev/null
check_err 'tables of the same names that another program made are no store' 78 'not a mem store' \
	mem-list -d "$url" messages
check_err 'nothing is stored beside tables of another program' 78 'not a mem store' \
	sh -c 'printf "{\"role\":\"user\",\"content\":\"x\"}\n" | mem-ingest -q -d "$1"' sh "$url"
pg_sql errors 'DROP TABLE card' >/dev/null
check_err 'a table that is gone' 78 'card' mem-search lighthouse
check_out 'a hook says nothing of it' '' sh -c \
	"echo '{\"session_id\":\"x\",\"prompt\":\"what did I say?\"}' | mem-hook claude-code prompt"
pg_new unmeasured
mem-ingest -q -d "$url" --from=ndjson </dev/null
pg_sql unmeasured 'DROP TABLE metric CASCADE' >/dev/null
for program in 'mem-ingest -q --from=ndjson -' 'mem-remember -q -'; do
	check_err "one that only writers ask for: $program" 74 'a table is missing' sh -c \
		"echo '{\"session\":\"s\",\"content\":\"I live in Rome.\"}' | $program -d '$url'"
done
done_testing
