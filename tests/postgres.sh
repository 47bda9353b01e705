# postgres.sh: a PostgreSQL server of a test's own, behind a socket in a temporary directory, for
# tests that begin with
#
#	. "${0%/*}/lib.sh"
#	. "$tests/postgres.sh"
#	pg_start
#
# pg_start skips all of the test, and says so, where no server is installed; it never runs one as
# root. pg_new NAME makes a database and sets $url; pg_sql NAME SQL asks it as its owner; pg_do
# runs a program of PostgreSQL (pg_ctl, createuser ...). The server ends with the test.

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
	pg_do pg_ctl -D "$pg_dir/data" -m immediate -s stop >/dev/null 2>&1
	rm -rf "$pg_dir"
	pg_dir=''
}

pg_start() { # settings of the server, as "-c fsync=off"
	pg_bindir=$(pg_bin)
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
	pg_run "$@" || {
		cat "$pg_dir/log" >&2
		skip_all 'the PostgreSQL server does not start here'
	}
}

# Starts the server, also again.
pg_run() {
	pg_do pg_ctl -D "$pg_dir/data" -l "$pg_dir/log" -s -w \
		-o "-c listen_addresses= -c unix_socket_directories=$pg_dir $*" start
}

pg_sql() { # database, SQL
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem -v ON_ERROR_STOP=1 -c "$2" "$1"
}

pg_new() { # name
	pg_sql postgres "CREATE DATABASE $1" && url="postgres://mem@/$1?host=$pg_dir"
}
