#!/bin/sh
# A store that schema/postgres-citus.sql has spread: every statement of a user names its user, who
# is on one machine, and all is as it is without. With PG_SPREAD=citus, over three servers of Citus
# (make check-citus): each statement is one task, and a machine that is gone harms only its users.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
: "${PG_SPREAD:=1}"
pg_start -c fsync=off

fresh
pg_new whole
export MEM_DB="$url" MEM_WAIT=5
for user in ann bob carl dora eve finn gil hana; do
	seq 20 | sed "s/.*/{\"session\":\"s\",\"id\":\"&\",\"content\":\"line & of $user\"}/" |
		mem-ingest -q --from=ndjson -u $user || exit 1
done
check_like 'a user finds what is spread over nodes' 'line 7 of bob' mem-search -u bob 'line 7'
check_like 'a user forgets what is spread over nodes' '"did":"removed"' mem-forget -j -f -u bob \
	"$(mem-list messages -u bob -n 1 | jq -r .id)"
check 'all is in order' eval 'mem-check --deep >checked; ! grep -q "\"ok\":false" checked'
check_out 'a row is where its user is' 0 pg_sql whole \
	'SELECT (SELECT count(*) FROM message WHERE u <> id >> 44) +
	(SELECT count(*) FROM fts_page WHERE u <> id >> 44) +
	(SELECT count(*) FROM chunk WHERE u <> message >> 44)'
check_status 'what says another user is not taken' 1 pg_sql whole \
	"INSERT INTO card (u, id, cards) VALUES (2, 1::bigint << 44, '')"

# ---- a store moves onto it and away from it ----

pg_sql postgres 'CREATE DATABASE moved'
[ "$PG_SPREAD" != citus ] || pg_spread_new moved
moved="postgres://mem@/moved?host=$pg_dir"
n=100
for user in ann bob; do
	n=$((n + 1))
	mem-list messages -u $user | jq -c 'del(.id, .user)' |
		MEM_SEED=$n mem-ingest -q -d file.db -u $user --from=ndjson -
	MEM_SEED=1$n mem-remember -q -d file.db -u $user --fact "$user lives in Rome."
done
check 'a file is copied' mem-check -q --copy file.db "$moved"
pg_file moved "$ROOT/schema/postgres-citus.sql" 2>psql.err
check 'tables are spread over the nodes' [ $? -eq 0 ]
exported() { for user in ann bob; do mem-export -d "$1" -u $user; done; }
exported file.db >file.ndjson
exported "$moved" >moved.ndjson
check 'it holds the same' cmp file.ndjson moved.ndjson
check 'each user can store' mem-remember -q -d "$moved" -u bob --fact 'Bob has a boat.'
check 'it is copied away' mem-check -q --copy "$moved" back.db
exported "$moved" >moved.ndjson
exported back.db >back.ndjson
check 'what was moved and back is as it was' cmp moved.ndjson back.ndjson
check 'what was moved and back is in order' \
	eval 'mem-check -d back.db --deep >checked; ! grep -q "\"ok\":false" checked'
mem-remember -q -d "$moved" -u ann --fact 'Ann has a boat.'     # of the same seed
check_err 'an id that two users have is told' 65 'an id is of two users' \
	mem-check -q --copy "$moved" two.db
check_out 'each of the users can be moved' 'Ann has a boat.' sh -c \
	'mem-export -d "$1" -u ann | mem-import -q -d ann.db -u ann - &&
	mem-list facts -d ann.db -u ann | jq -r .content | tail -n 1' sh "$moved"

# ---- each statement is one task ----

"$B/tests/unit/dialect_test" --spread | grep -c 'u = \$[0-9]' >bound
check 'most statements have a user' [ "$(cat bound)" -gt 250 ]
"$B/tests/unit/dialect_test" --spread |
	awk '{ sub(/;$/, ""); print "PREPARE p" NR " AS " $0 ";" }' >prepare.sql
"$pg_bindir/psql" -qAt -h "$pg_dir" -U mem -f prepare.sql whole >prepared 2>&1
# those of mem-sync, which a store on a server refuses, are written for a file
check 'the server understands each of them' eval '! grep ERROR prepared |
	grep -v "determine data type\|operator is not unique\|syntax error at or near \"\$4\""'
if [ "$PG_SPREAD" = citus ]; then
	# a value of its type for each parameter; a statement whose types are not known is left out
	"$B/tests/unit/dialect_test" --spread | grep 'u = \$[0-9]\|(u, ' |
		grep -v ' FROM change WHERE ' | sed 's/;$//' >statements
	perl "$tests/tools/pg_tasks.pl" "$pg_bindir/psql" "$pg_dir" whole <statements >tasks 2>&1
	check 'each goes to one machine' eval '! grep -v "^one\|^untyped" tasks'
	sort tasks | cut -d" " -f1 | uniq -c | sed 's/^/# /'

	# ---- a machine is gone ----

	on() { # user: the machine
		pg_sql whole "SELECT nodename FROM pg_dist_shard_placement WHERE shardid =
			get_shard_id_for_distribution_column('message',
			(SELECT no FROM usr WHERE name = '$1'))"
	}
	for user in ann bob carl dora eve finn gil hana; do
		echo "$user $(on $user)"
	done >places
	gone=$(sed -n 's/ .*worker1$//p' places | head -n 1)
	there=$(sed -n 's/ .*worker2$//p' places | head -n 1)
	check 'users are on both' [ -n "$gone" -a -n "$there" ]
	pg_do pg_ctl -D "$pg_dir/worker1/data" -m immediate -s stop
	check_like 'a user of a node that is there finds' "line 7 of $there" \
		mem-search -u "$there" 'line 7'
	check 'a user of a node that is there stores' mem-remember -q -u "$there" 'a note'
	check_err 'a user of a node that is gone is told to try again' 75 'mem-search: ' \
		mem-search -u "$gone" 'line 7'
	check_err 'a user of a node that is gone stores nothing' 75 'mem-remember: ' \
		mem-remember -q -u "$gone" 'a note'
	pg_run_worker "$pg_dir/worker1"
	check_like 'it is back: nothing is lost' "line 7 of $gone" mem-search -u "$gone" 'line 7'
	check 'a user stores when the node is back' mem-remember -q -u "$gone" 'a note'
	check 'all is in order again' \
		eval 'mem-check --deep >checked; ! grep -q "\"ok\":false" checked'
fi
done_testing
