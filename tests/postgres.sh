# postgres.sh: a PostgreSQL server of a test's own, behind a socket in a temporary directory, for
# tests that begin with
#
#	. "${0%/*}/lib.sh"
#	. "$tests/postgres.sh"
#	pg_start
#
# pg_start skips all of the test, and says so, where no server is installed or mem was built without
# it (POSTGRES=no); it never runs one as root. pg_new NAME makes a database and sets $url; pg_sql
# NAME SQL asks it as its owner; pg_do runs a program of PostgreSQL (pg_ctl, createuser ...). The
# server ends with the test.

pg_dir=''

# The newest server that is installed.
pg_bin() {
	for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5,5nr) \
		"$(dirname "$(command -v initdb 2>/dev/null || echo /none)")"; do
		[ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && { echo "$dir"; return; }
	done
}

# As the user that PostgreSQL's package made, where the test is run by root.
pg_do() {
	program=$1
	shift
	if [ "$(id -u)" = 0 ]; then
		(cd / && exec setpriv --reuid=postgres --regid=postgres --clear-groups \
			env HOME="$pg_dir" "$pg_bindir/$program" "$@")
	else
		(cd / && exec "$pg_bindir/$program" "$@")
	fi
}

pg_stop() {
	[ -n "$pg_dir" ] || return 0
	for dir in "$pg_dir" "$pg_dir"/worker*; do
		pg_do pg_ctl -D "$dir/data" -m immediate -s stop >/dev/null 2>&1
	done
	rm -rf "$pg_dir"
	pg_dir=''
}

pg_start() { # settings of the server, as "-c fsync=off"
	pg_bindir=$(pg_bin)
	! grep -q WITHOUT_POSTGRES "$B/flags" 2>/dev/null || skip_all 'built without PostgreSQL'
	[ -n "$pg_bindir" ] || skip_all 'there is no PostgreSQL server'
	[ "$(id -u)" != 0 ] || id postgres >/dev/null 2>&1 ||
		skip_all 'root runs no PostgreSQL server, and there is no user postgres'
	pg_dir=$(mktemp -d /tmp/mem-pg.XXXXXX) || exit 1
	trap 'st=$?; pg_stop; cd /; rm -rf "$top"; exit $st' EXIT
	[ "$(id -u)" != 0 ] || chown postgres "$pg_dir"
	pg_do initdb -D "$pg_dir/data" -A trust -U mem --locale=C -E UTF8 -N \
		>"$top/initdb" 2>&1 || {
		cat "$top/initdb" >&2
		skip_all 'initdb does not run here'
	}
	[ "${PG_SPREAD-}" != citus ] || pg_workers
	pg_run "$@" || {
		cat "$pg_dir/log" >&2
		skip_all 'the PostgreSQL server does not start here'
	}
}

# Starts the server, also again.
pg_run() {
	[ "${PG_SPREAD-}" != citus ] || set -- "$@" $pg_citus
	pg_do pg_ctl -D "$pg_dir/data" -l "$pg_dir/log" -s -w \
		-o "-c listen_addresses= -c unix_socket_directories=$pg_dir $*" start
}

# With PG_SPREAD=citus the server is the coordinator of two others, worker1 and worker2.
pg_citus='-c shared_preload_libraries=citus -c citus.enable_statistics_collection=off'
pg_workers() {
	[ -e "${pg_bindir%/bin}/lib/citus.so" ] || skip_all 'Citus is not installed'
	for dir in "$pg_dir/worker1" "$pg_dir/worker2"; do
		mkdir "$dir"
		cp -r "$pg_dir/data" "$dir/data"
		[ "$(id -u)" != 0 ] || chown -R postgres "$dir"
		pg_run_worker "$dir" || skip_all 'the servers do not start here'
	done
}
pg_run_worker() { # directory
	pg_do pg_ctl -D "$1/data" -l "$1/log" -s -w -o "-c fsync=off -c listen_addresses= \
		-c unix_socket_directories=$1 $pg_citus" start
}

# Makes the database on all servers, and lets the first know the others.
pg_spread_new() { # name
	for dir in "$pg_dir" "$pg_dir"/worker*; do
		[ "$dir" = "$pg_dir" ] || "$pg_bindir/psql" -qAt -h "$dir" -U mem \
			-c "CREATE DATABASE $1" postgres 2>/dev/null
		"$pg_bindir/psql" -qAt -h "$dir" -U mem -c 'CREATE EXTENSION citus' "$1"
	done
	pg_sql "$1" "SELECT citus_set_coordinator_host('$pg_dir', 5432)" >/dev/null
	for dir in "$pg_dir"/worker*; do
		pg_sql "$1" "SELECT citus_add_node('$dir', 5432)" >/dev/null
	done
}

pg_file() { # database, file
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem -v ON_ERROR_STOP=1 -f "$2" "$1"
}

pg_sql() { # database, SQL
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem -v ON_ERROR_STOP=1 -c "$2" "$1"
}

# With PG_SPREAD, its store is made as for Citus, and with PG_SPREAD=citus over three servers.
pg_new() { # name
	pg_sql postgres "CREATE DATABASE $1" && url="postgres://mem@/$1?host=$pg_dir"
	[ "${PG_SPREAD-}" != citus ] || pg_spread_new "$1"
	[ -z "${PG_SPREAD-}" ] || {
		mem-ingest -q --from=ndjson -d "$url" </dev/null &&
			pg_file "$1" "$ROOT/schema/postgres-citus.sql" 2>/dev/null
	}
}
