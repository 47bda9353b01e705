#!/bin/sh
# Through pgbouncer in transaction mode, where each transaction may get another connection to the
# server, all is as it is without: two programs share a single connection, nothing of one is seen by
# the other, and locks over more than a transaction hold.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pgbouncer=$(command -v pgbouncer || echo /usr/sbin/pgbouncer)
[ -x "$pgbouncer" ] || skip_all 'there is no pgbouncer'
pg_start -c fsync=off

fresh
"$B/tests/torture/tiny_model" "$top/tiny" >/dev/null &&
	mkdir models && mem-model convert -o models/tiny.model "$top/tiny" >/dev/null || exit 1
export MEM_MODELS="$PWD/models" MEM_MODEL=tiny

# pool NAME SIZE: a pgbouncer with that many connections a database, its socket in $pg_dir/NAME.
pools=''
pool() {
	mkdir "$pg_dir/$1"
	cat >"$pg_dir/$1/ini" <<END
[databases]
* = host=$pg_dir
[pgbouncer]
listen_addr =
unix_socket_dir = $pg_dir/$1
listen_port = 5432
auth_type = trust
auth_file = $pg_dir/$1/users
pool_mode = transaction
default_pool_size = $2
logfile = $pg_dir/$1/log
pidfile = $pg_dir/$1/pid
query_wait_timeout = 15
END
	echo '"mem" ""' >"$pg_dir/$1/users"
	[ "$(id -u)" != 0 ] || chown -R postgres "$pg_dir/$1"
	pg_bindir=${pgbouncer%/*} pg_do pgbouncer -q -d "$pg_dir/$1/ini" || exit 1
	pools="$pools $pg_dir/$1/pid"
}
stop_pools() {
	for pid in $pools; do
		kill "$(cat "$pid")" 2>/dev/null
	done
}
trap 'st=$?; stop_pools; pg_stop; cd /; rm -rf "$top"; exit $st' EXIT

lines() { # first, number, session
	seq "$1" $(($1 + $2 - 1)) | sed "s/.*/{\"id\":\"m&\",\"session\":\"$3\",\"role\":\"user\",\
\"time\":\"2024-05-01T10:00:00Z\",\"content\":\"line & about the lighthouse keeper\"}/"
}

pool one 1
pool some 4
pg_new pooled
direct=$url
one="postgres://mem@/pooled?host=$pg_dir/one"
some="postgres://mem@/pooled?host=$pg_dir/some"
file=$PWD/mem.db

# ---- all is as it is without ----

for MEM_DB in "$file" "$one"; do
	export MEM_DB
	lines 1 40 s | mem-ingest -q --from=ndjson
	mem-remember -q --fact 'Ann lives in Rome.'
	mem-list messages -s s | mem-extract | mem-remember -q
	mem-edit -q --bank Work --importance .9 "$(mem-list facts | jq -r .id | head -n 1)"
	mem-forget -q -f "$(mem-list messages -s s | jq -r .id | sed -n 3p)"
	mem-prune -q --max 3 -f
	mem-export --profile
done >both 2>said
check_out 'nothing fails behind a pooler of transactions' '' cat said
MEM_DB=$file mem-export --profile >a.export
MEM_DB=$one mem-export --profile >b.export
check 'the exports are the same' cmp a.export b.export
MEM_DB=$file mem-search -j -n 20 lighthouse keeper >a.hits
MEM_DB=$one mem-search -j -n 20 lighthouse keeper >b.hits
check 'hits behind a pooler are those without one' cmp a.hits b.hits

# ---- two clients, one connection ----

export MEM_DB="$one"
mkfifo pipe
mem-ingest -q --from=ndjson - <pipe >held.out 2>held.err &
writer=$!
exec 9>pipe
stored() { # number, session
	want=$1 session=$2
	wait_for '[ "$(pg_sql pooled "SELECT count(*) FROM message m
		JOIN session s ON s.id = m.session WHERE s.name = '"'\$session'"'")" = "$want" ]'
}
lines 1000 5 held >&9
check 'a program that waits for lines has stored what it got' stored 5 held
check_like 'who reads keeps no connection behind a pooler' 'line 7 ' mem-search 'line 7'
check 'who writes keeps no connection behind a pooler' \
	eval 'lines 2000 5 other | mem-ingest -q --from=ndjson'
lines 1005 5 held >&9
check 'a writer that was held goes on' stored 10 held
exec 9>&-
check 'a writer that was held ends well' wait "$writer"
mkfifo asks answers
mem-mcp <asks >answers &
agent=$!
exec 8>asks 7<answers
ask() { # method, parameters
	printf '%s\n' "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}" >&8
	read -r answer <&7
	printf '%s\n' "$answer" >answer
}
ask initialize '{"protocolVersion":"2025-06-18","capabilities":{}}'
ask tools/call '{"name":"recall","arguments":{"question":"what about line 8"}}'
check 'one that answers questions' grep -q 'line 8 ' answer
check 'keeps none between them' mem-remember -q --fact 'Bob lives in Lisbon.'
ask tools/call '{"name":"recall","arguments":{"question":"what about line 9"}}'
check 'the question that comes next is answered' grep -q 'line 9 ' answer
exec 8>&-
wait "$agent"
exec 7<&-

# ---- many at once ----

export MEM_DB="$some"
for i in 1 2 3 4 5 6; do
	lines $((i * 10000)) 300 "many$i" |
		MEM_BATCH=20 mem-ingest -q --from=ndjson -u "user$((i % 3))" >/dev/null 2>many.$i &
	writers="${writers-} $!"
done
for i in 1 2 3 4 5 6; do
	mem-search -q -u "user$((i % 3))" lighthouse >/dev/null 2>>readers
done
bad=0
for pid in $writers; do
	wait "$pid" || bad=$((bad + 1))
done
check_out 'six writers and a reader at once: none fails' '0' sh -c "cat readers many.*; echo $bad"
check_out 'all is there that was written behind the pooler' '1800' pg_sql pooled \
	"SELECT count(*) FROM message m JOIN session s ON s.id = m.session WHERE s.name LIKE 'many%'"

# ---- what is left behind ----

pool_sql() {
	"$pg_bindir/psql" -qAt -h "$pg_dir/some" -U mem -c "$1" pooled
}
check_out 'the connection has the settings of the server' 'on auto' pool_sql \
	"SELECT current_setting('enable_seqscan') || ' ' || current_setting('plan_cache_mode')"
check_out 'nothing is prepared on it' 0 pool_sql 'SELECT count(*) FROM pg_prepared_statements'
check_out 'no lock is held behind the pooler' 0 pg_sql pooled \
	"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"

# Tables that another client has left on a connection are not taken for the store's.
pool_temporary() {
	"$pg_bindir/psql" -qAt -h "$pg_dir/one" -U mem pooled <<'END'
SELECT format('CREATE TEMPORARY TABLE %I AS SELECT * FROM %1$I LIMIT 0', relname)
	FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace \gexec
END
}
check 'temporary tables of the names of the store are left on the one connection' pool_temporary
check_like 'psql sees those temporary tables first' 0 \
	"$pg_bindir/psql" -qAt -h "$pg_dir/one" -U mem -c 'SELECT count(*) FROM message' pooled
check_like 'mem finds what is in the store behind them' 'line 7 ' mem-search -d "$one" 'line 7'
check 'mem stores in the store behind them' \
	eval 'lines 60000 5 beside | mem-ingest -q --from=ndjson -d "$one"'
check 'in the tables that others see' stored 5 beside

# ---- locks over more than a transaction ----

check 'vectors are made behind the pooler' mem-embed -q
check 'repairs are made behind the pooler' mem-check -q --repair
check 'all is whole behind the pooler' \
	eval 'mem-check --deep >checked; ! grep -q "\"ok\":false" checked'
"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem pooled >/dev/null 2>&1 <<END &
BEGIN;
SELECT 1 FROM usr FOR UPDATE;
SELECT pg_advisory_xact_lock_shared(1835363633, 'meta'::regclass::oid::int);
SELECT pg_sleep(3600);
END
held=$!
until [ "$(pg_sql pooled "SELECT count(*) FROM pg_locks
	WHERE locktype = 'advisory' AND granted")" != 0 ]; do
	sleep .05
done
check_err 'a repair waits for who writes, as long as it may' 75 'mem-check: ' \
	env MEM_WAIT=1 mem-check --repair
pg_sql pooled "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%'
	AND pid <> pg_backend_pid()" >/dev/null
wait "$held" 2>/dev/null

# ---- the server ends its connections ----

mem-ingest -q --from=ndjson - <pipe >cut.out 2>cut.err &
writer=$!
exec 9>pipe
lines 3000 5 cut >&9
check 'a writer whose pooler is cut stores' stored 5 cut
pg_sql pooled "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
	WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'" >/dev/null
lines 3005 5 cut >&9
exec 9>&-
check 'its connection cut, a program goes on' wait "$writer"
check 'all is there once when the pooler was cut' stored 10 cut
done_testing
