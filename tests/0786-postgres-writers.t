#!/bin/sh
# Eight writers and four readers at once on PostgreSQL: for one user, and for a user each. None
# fails, and none waits for 10 s. WRITES=60 messages a writer.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pg_start

: "${WRITES:=60}"
unset MEM_NOW MEM_SEED
export MEM_TEST_SECONDS=600
for users in 1 8; do
	fresh
	pg_new "users$users"
	export MEM_DB="$url"
	check "8 writers x $WRITES messages of $users users: exact count, no word of locks" \
		"$B/tests/torture/writers" "$WRITES" "$users"
	sed 's/^/# /' "$out"
done
done_testing
