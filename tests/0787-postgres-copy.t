#!/bin/sh
# mem-check --copy: a store moves into a database and out of it as it is, row by row; what was
# killed goes on; nothing is a store before all of it is there and was compared.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
pg_start -c fsync=off

fresh
"$B/tests/torture/tiny_model" "$top/tiny" >/dev/null &&
	mkdir models && mem-model convert -o models/tiny.model "$top/tiny" >/dev/null || exit 1
export MEM_MODELS="$PWD/models" MEM_MODEL=tiny

# ---- a store with something in every table ----

export MEM_DB="$PWD/mem.db"
awk 'BEGIN { for (i = 1; i <= 3000; i++) {
	printf "{\"session\":\"s%d\",\"role\":\"user\",\"name\":\"n%d\",\"agent\":\"a%d\",", i % 9,
		i % 50, i % 3
	if (i % 2) printf "\"id\":\"m%d\",", i
	printf "\"content\":\"turn %d of the lighthouse %d\\n\\n```c\\nint x%d;\\n```\\n\"}\n", i,
		i * 7919 % 101, i
} }' >turns.ndjson
cat >one.ndjson <<'EOF'
{"session":"t","id":"c1","role":"user","project":"P","tool_calls":[{"name":"Bash","input":{"command":"make"}}],"content":"I prefer tea. My favorite color is blue."}
EOF
{
	mem-ingest -q --from=ndjson turns.ndjson one.ndjson
	echo '{"content":"a heron of bob"}' | mem-ingest -q -u bob --from=ndjson -
	mem-list messages -s t | mem-extract | mem-remember
	mem-remember --fact 'Ann lives in Rome.'
	echo '{"text":"My favorite color is green.","key":"favorite color"}' | mem-remember
	mem-remember 'a reflection on lighthouses'
	mem-edit --undo
	mem-remember 'another reflection on tea'
	mem-profile set languages 'C and Python'
	mem-profile consent yes
	mem-summarize -s t --every 1
	mem-embed -q
	mem-cluster
	mem-forget -f -s s8
	MEM_CELLS_FROM=500 mem-embed -q
	mem-search lighthouse
} >made.out 2>made.err
check_out 'all kinds of rows are made' '' sh -c '
	for t in message label chunk card fts_page record fact record_source record_was step \
		step_change metric vector_code vector_cell category category_member tombstone \
		profile
	do
		[ "$(sqlite3 mem.db "SELECT count(*) FROM $t")" -gt 0 ] || echo "$t is empty"
	done'

# Rows as another program shows them, without what is of one store alone.
"$B/tests/unit/tables_test" --all >columns
dumped() { # FILE
	cut -d. -f1 columns | uniq | while read -r t; do
		columns=$(sed -n "s/^$t\.\([a-z0-9_]*\) .*/\"\1\"/p" columns | paste -sd,)
		echo "$t"
		sqlite3 "$1" ".mode quote" "SELECT $columns FROM $t ORDER BY 1, 2"
	done
}

# ---- the list of tables ----

pg_new moved
moved=$url
check_like 'a file is copied into a database' '"copy","message":"[0-9]* rows, the same in both' \
	mem-check --copy mem.db "$moved"
sort columns >listed
sqlite3 mem.db "SELECT m.name || '.' || p.name || ' ' || iif(p.pk > 0, 'key', '')
	FROM sqlite_schema m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'
	AND m.name NOT IN ('change', 'peer', 'sqlite_sequence')
	AND m.name || p.name <> 'record_accesschange'" | sort >in_file
check 'its tables are those of a file' diff listed in_file
pg_sql moved "SELECT CASE c.table_name WHEN 'usr' THEN 'user' ELSE c.table_name END || '.' ||
	CASE c.column_name WHEN 'u' THEN 'user' ELSE c.column_name END || ' ' ||
	CASE WHEN k.column_name IS NULL THEN '' ELSE 'key' END
	FROM information_schema.columns c LEFT JOIN (information_schema.key_column_usage k JOIN
	information_schema.table_constraints n USING (constraint_name, table_name)) ON
	n.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name AND
	k.column_name = c.column_name WHERE c.table_schema = 'public' AND c.table_name <> 'txn'
	AND c.table_name || c.column_name <> 'record_accesschange'" | LC_ALL=C sort >in_database
LC_ALL=C sort -o listed listed
check 'databases that were copied are listed' diff listed in_database

# ---- there and back ----

check 'a database is copied into a file' mem-check -q --copy "$moved" back.db
dumped mem.db >before
dumped back.db >after
check 'every row is as it was' cmp before after
check_out 'nothing is left beside the file' back.db sh -c \
	'ls back.db* | grep -v -e -wal -e -shm -e lock'
check 'the file is in order' mem-check -q --deep -d back.db
check 'the database is in order' mem-check -q --deep -d "$moved"
for store in mem.db "$moved" back.db; do
	mem-export --profile --multi-user -d "$store" >"export.$((n += 1))"
	{
		for word in lighthouse tea color Rome heron 'turn 77' 'what color is it'; do
			for how in fused dense lexical; do
				mem-search --no-touch -j -n 20 --strategy=$how -d "$store" "$word"
			done
		done
		mem-list -j facts --all -d "$store"
		mem-list -j categories -d "$store"
		mem-edit --steps -d "$store"
		mem-embed --info -j -d "$store"
	} >"asked.$n" 2>&1
	sed -i "s|$store|DB|g" "asked.$n"
done
check 'exports are the same' sh -c 'cmp export.1 export.2 && cmp export.1 export.3'
check 'hits, facts, categories, steps and vectors are copied' \
	sh -c '[ "$(wc -l <asked.1)" -gt 100 ] && cmp asked.1 asked.2 && cmp asked.1 asked.3'
check 'what is stored next gets numbers of its own' sh -c '
	for db in "$1" back.db; do
		export MEM_DB=$db
		mem-search tea >/dev/null && mem-remember "a note of mine" >/dev/null &&
			mem-ingest -q --from=ndjson turns.ndjson && mem-check -q || exit 1
	done' sh "$moved"

# ---- when to move ----

trigger() { # STORE
	MEM_FILE_MB=1 mem-stats --triggers -j -d "$1" | jq -r 'select(.name == "file") | .run'
}
check_out 'a large file should move, and how is told' 'mem-check --copy FILE postgres:///memory' \
	trigger mem.db
check_out 'a database should not' '' trigger "$moved"
check_out 'a small file is not made by a refused copy' '' sh -c \
	'mem-stats --triggers -j -d mem.db | jq -r "select(.name == \"file\")"'

# ---- killed, and gone on with ----

pg_new killed
killed=$url
for to in "$killed" half.db; do
	halves=0 delay=15
	[ "$to" = half.db ] && from=$moved || from=mem.db
	while [ $delay -le 1500 ] && [ $halves -lt 3 ]; do
		mem-check -q --copy "$from" "$to" 2>/dev/null &
		child=$!
		perl -e 'select(undef, undef, undef, $ARGV[0] / 1000)' $delay
		kill -9 $child 2>/dev/null
		wait $child 2>/dev/null
		mem-check -q -d "$to" >checked 2>&1
		case $? in
		66)	[ ! -e half.db.copy ] || halves=$((halves + 1)) ;;
		78)	grep -q 'half of a copy' checked && halves=$((halves + 1)) ;;
		*)	break ;;
		esac
		delay=$((delay + 15))
	done
	check "killed on the way to ${to%%:*}: it is no store" [ $halves -gt 0 ]
	# meanwhile the source changes
	mem-forget -q -f -s s7 -d "$from" >/dev/null
	echo '{"session":"s1","content":"a late heron"}' | mem-ingest -q -d "$from" --from=ndjson -
	check 'a copy that was stopped goes on' mem-check -q --copy "$from" "$to"
	check 'a copy that goes on has what was changed' sh -c '
		mem-export --profile --multi-user -d "$1" >one &&
		mem-export --profile --multi-user -d "$2" >two &&
		grep -q "late heron" two && cmp one two' \
		sh "$from" "$to"
	check 'a copy that went on is in order' mem-check -q --deep -d "$to"
done

# ---- what does not come back as it was sent is no copy ----

pg_new other
other=$url
mem-check -q --copy mem.db "$other"
pg_sql other "INSERT INTO meta VALUES ('copying', ''); DELETE FROM message WHERE id % 2 = 0;
	CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
	'BEGIN NEW.trust := 1 - NEW.trust; RETURN NEW; END';
	CREATE TRIGGER spoil BEFORE INSERT ON message
	FOR EACH ROW EXECUTE FUNCTION spoil()" >/dev/null
check_err 'a copy that reads otherwise is refused' 74 'differs in the table message' \
	mem-check --copy mem.db "$other"
check_err 'half of a copy is no store' 78 'half of a copy' mem-search -d "$other" tea
pg_sql other 'DROP TRIGGER spoil ON message'
check 'it is completed when nothing spoils it' mem-check -q --copy mem.db "$other"
pg_sql other "INSERT INTO meta VALUES ('copying', '');
	CREATE TEMP TABLE first AS SELECT ulid FROM message ORDER BY id LIMIT 1;
	DELETE FROM message WHERE ulid = (SELECT ulid FROM first);
	UPDATE message SET ulid = (SELECT ulid FROM first)
	WHERE id = (SELECT max(id) FROM message)" >/dev/null
check 'a copy goes on when an id is at another row' mem-check -q --copy mem.db "$other"

# ---- what cannot be ----

check_err 'a database that has a store' 64 'a store already' mem-check --copy mem.db "$moved"
check_err 'a file that is there' 64 'is there already' mem-check --copy "$moved" mem.db
check_err 'from a file into a file' 64 'backup' mem-check --copy mem.db new.db
check_err 'a copy takes two operands, not one' 64 'FROM and TO' mem-check --copy mem.db
check_err 'a copy and a repair stand alone' 64 'alone' mem-check --copy --repair mem.db "$other"
check_err 'a copy of a file that is not there fails' 66 'none.db' mem-check --copy none.db "$other"
check_err 'a copy to a database that is not there fails' 69 'does not exist' \
	mem-check --copy mem.db "postgres://mem@/none?host=$pg_dir"
pg_new strange
pg_sql strange 'CREATE TABLE mine (x int)'
check_err 'a database of somebody else' 78 'other tables' mem-check --copy mem.db "$url"
pg_new empty
cp mem.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 999'
check_err 'a file of a later version' 78 '999' mem-check --copy newer.db "$url"
pg_sql other "UPDATE meta SET value = '999' WHERE name = 'version'" >/dev/null
check_err 'a database of a later version' 78 '999' mem-check --copy "$other" new.db
check 'nothing is made by a copy that fails' [ ! -e new.db ]
pg_sql moved "$(cat "$ROOT/schema/postgres-roles.sql")" >/dev/null 2>&1
pg_sql moved 'CREATE ROLE ann LOGIN IN ROLE mem_writer'
check_err 'a role that sees no user' 77 "role 'ann' sees no rows" \
	mem-check --copy "postgres://ann@/moved?host=$pg_dir" new.db
check 'the owner sees all' mem-check -q --copy "$moved" owner.db
done_testing
