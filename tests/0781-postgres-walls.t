#!/bin/sh
# The wall that schema/postgres-roles.sql builds around each user of a store on PostgreSQL: what
# roles see and write by the programs, and by SQL of their own.
. "${0%/*}/lib.sh"
. "$tests/postgres.sh"
. "$tests/rich.sh"
[ "${PG_SPREAD-}" != citus ] || skip_all 'Citus has no rules of tables that ask another table'
pg_start -c fsync=off

fresh
"$B/tests/torture/tiny_model" "$top/tiny" >/dev/null &&
	mkdir models && mem-model convert -o models/tiny.model "$top/tiny" >/dev/null || exit 1
export MEM_MODELS="$PWD/models" MEM_MODEL=tiny

# ---- by the programs ----

pg_new walls
base="?host=$pg_dir"
check 'the owner stores for two users' sh -c '
	echo "{\"content\":\"the secret of ann is a heron\"}" |
		mem-ingest -q -d "$1" -u ann --from=ndjson - &&
	echo "{\"content\":\"bob has a secret canoe\"}" |
		mem-ingest -q -d "$1" -u bob --from=ndjson -' sh "$url"
pg_sql walls "CREATE ROLE plain LOGIN; GRANT ALL ON DATABASE walls TO plain; ALTER TABLE message
	OWNER TO plain" >/dev/null
"$pg_bindir/psql" -qAt -h "$pg_dir" -U plain -f "$ROOT/schema/postgres-roles.sql" walls >told 2>&1
check 'who may not make roles is told' grep -q 'permission denied to create role' told
check_out 'who may not make roles leaves no wall behind' 0 pg_sql walls \
	'SELECT count(*) FROM pg_class WHERE relforcerowsecurity'
pg_sql walls 'ALTER TABLE message OWNER TO mem' >/dev/null
check 'the roles of a store are made' pg_file walls "$ROOT/schema/postgres-roles.sql"
check 'the roles of a store are made a second time' pg_file walls "$ROOT/schema/postgres-roles.sql"
check 'people get roles of their own' pg_sql walls 'CREATE ROLE ann LOGIN IN ROLE mem_writer;
	CREATE ROLE bob LOGIN IN ROLE mem_reader; CREATE ROLE eve LOGIN IN ROLE mem_writer;
	CREATE ROLE carl LOGIN IN ROLE mem_writer; CREATE ROLE nightly LOGIN IN ROLE mem_all'
as() { # role, command ...
	who=$1
	shift
	MEM_DB="postgres://$who@/walls$base" "$@"
}
check_like 'ann finds what she has stored' heron as ann mem-search -u ann secret
check_out 'eve finds nothing of ann' '' as eve mem-search -u ann secret
check_out 'eve lists nothing of what ann has' '' as eve mem-list messages -u ann
check_out 'eve reads nothing of ann by SQL' 0 "$pg_bindir/psql" -qAt -h "$pg_dir" -U eve walls -c \
	'SELECT (SELECT count(*) FROM message) + (SELECT count(*) FROM chunk) + (SELECT count(*) FROM
	fts_page) + (SELECT count(*) FROM session) + (SELECT count(*) FROM card)'
check 'ann writes for herself' sh -c \
	'echo "{\"content\":\"another heron\"}" | mem-ingest -q -d "$1" -u ann --from=ndjson -' \
	sh "postgres://ann@/walls$base"
check 'ann, who has many vectors, sorts hers into cells' sh -c \
	'seq 60 | sed "s/.*/{\"content\":\"heron & on the pond\"}/" |
		mem-ingest -q -d "$1" -u ann --from=ndjson - && MEM_CELLS_FROM=20 mem-embed -q -u ann -d "$1"' \
	sh "postgres://ann@/walls$base"
check_out 'eve sees no vectors of what ann has' 0 \
	"$pg_bindir/psql" -qAt -h "$pg_dir" -U eve walls -c \
	'SELECT (SELECT count(*) FROM vector_place) + (SELECT count(*) FROM vector_cell)'
check 'a new user takes a number' sh -c \
	'echo "{\"content\":\"a new heron\"}" | mem-ingest -q -d "$1" -u carl --from=ndjson -' \
	sh "postgres://carl@/walls$base"
check_err 'carl writes nothing for ann' 77 'row-level security' sh -c \
	'echo "{\"content\":\"a false heron\"}" | mem-ingest -q -d "$1" -u ann --from=ndjson -' \
	sh "postgres://carl@/walls$base"
check_like 'bob reads what he has stored' canoe as bob mem-search -u bob secret
check_err 'bob may not write' 77 'cannot be written' as bob mem-remember -u bob 'a note'
check_out 'nightly exports what all users have' 64 sh -c '
	mem-export -d "$1" --multi-user | grep -c "\"type\":\"message\""' \
	sh "postgres://nightly@/walls$base"
check_err 'eve, who has no memory, checks nothing' 77 "role 'eve' sees no rows" \
	as eve mem-check -q
check_like 'ann checks hers, and is told so' "warning.*role 'ann' sees the rows of the user" \
	as ann mem-check -q
check_err 'ann copies nothing to a file' 77 "role 'ann' sees" \
	mem-check --copy "postgres://ann@/walls$base" part.db
check_out 'nightly checks all, and is not warned' '' as nightly mem-check -q
check_like 'the owner reads on' heron as mem mem-search -u ann secret

# ---- by SQL: objects of the names that the rules use ----

fresh
export MEM_SEED=7                         # ids that nobody has yet
rich_store rich.db
check 'the owner gives ann rows in every table' eval \
	'mem-export -d rich.db --profile | sed "s/\"user\":\"default\"/\"user\":\"ann\"/" |
		mem-import -q --part -d "$url" -u ann'
check 'vectors of a model' mem-embed -q -d "$url" --all-users
sql() { # role, SQL: what it prints, and its errors without their numbers of lines
	printf '%s\n' "$2" | "$pg_bindir/psql" -qAtX -h "$pg_dir" -U "$1" walls 2>&1 |
		sed 's/^psql:[^ ]* //'
}
tables="FROM pg_catalog.pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
count="SELECT pg_catalog.format('SELECT %L, pg_catalog.count(*) FROM public.%I', relname, relname)
	$tables ORDER BY relname \\gexec"
sql mem "$count" >all.rows
sql eve "$count" >eve.rows
check_out 'eve sees names, models and what the store is, and no row of a user' '' \
	sed -E '/^(meta|txn|usr|vector_set)[|]|[|]0$/d' eve.rows
check_like 'most tables have rows that eve could see' '^(2[4-9]|[3-5].)$' grep -vc '[|]0$' all.rows

check_like 'nobody makes a temporary table' 'permission denied' \
	sql eve 'CREATE TEMP TABLE usr (no bigint, name text);'
check_like 'nobody makes an object beside the tables' 'permission denied' sql ann \
	"CREATE FUNCTION public.mem_sees(int) RETURNS boolean LANGUAGE sql AS 'SELECT true';"

# A server on which somebody may: the wall does not rest on these rights alone.
pg_sql walls 'GRANT TEMPORARY, CREATE ON DATABASE walls TO eve' >/dev/null
relations() { # TABLE or VIEW with what is before it, schema
	echo "SELECT pg_catalog.format('CREATE $1 %I AS SELECT * FROM public.%I', relname, relname)
		$tables AND relname <> 'usr' \\gexec
	CREATE $1 usr AS SELECT no, 'eve'::text AS name FROM public.usr;
	CREATE $1 pg_roles AS SELECT 'mem_all'::text AS rolname;"
}
others() { # schema: functions, operators and types that are called like those of the rules
	for f in 'mem_sees(u bigint)' 'mem_sees(u int)' 'mem_has_model()' \
		'pg_has_role(a name, b text, c text)' 'pg_has_role(a name, b name, c text)' \
		'starts_with(a text, b text)' 'name_eq(a text, b name)' 'text_eq(a text, b text)' \
		'number_eq(a bigint, b bigint)'; do
		echo "CREATE FUNCTION $1.$f RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';"
	done
	echo "CREATE FUNCTION $1.mem_next_user() RETURNS bigint LANGUAGE sql AS 'SELECT 77::bigint';
	CREATE FUNCTION $1.max(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 76::bigint';
	CREATE FUNCTION $1.quote_literal(text) RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
	CREATE FUNCTION $1.now() RETURNS timestamptz LANGUAGE sql AS
		'SELECT pg_catalog.now() + interval ''9 days''';
	CREATE OPERATOR $1.= (LEFTARG = text, RIGHTARG = name, FUNCTION = $1.name_eq);
	CREATE OPERATOR $1.= (LEFTARG = text, RIGHTARG = text, FUNCTION = $1.text_eq);
	CREATE OPERATOR $1.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = $1.number_eq);
	CREATE DOMAIN $1.name AS pg_catalog.text;
	CREATE DOMAIN $1.text AS pg_catalog.text;
	CREATE DOMAIN $1.int8 AS pg_catalog.int8;"
}
tries="UPDATE public.message SET content = 'forged'; DELETE FROM public.record;
	UPDATE public.session SET name = 'forged'; DELETE FROM public.fts_page;
	DELETE FROM public.txn; UPDATE public.guard SET opened = 1;"
for kind in TABLE VIEW; do
	for schema in pg_temp eve_$kind; do
		[ $schema = pg_temp ] || pg_sql walls "CREATE SCHEMA $schema AUTHORIZATION eve"
		sql eve "SET search_path = $schema, pg_catalog, public;
			$(relations "$([ $schema = pg_temp ] && echo TEMP) $kind")
			$(others $schema)
			$tries
			SELECT 'made ' || count(*) FROM pg_catalog.pg_class
				WHERE relname = 'usr' AND relnamespace <> 'public'::regnamespace;
			\\o $PWD/got
			$count" >said
		check_like "a $kind of each name, and functions, operators and types, in $schema" \
			'^made [1-9]' cat said
		check_out "objects in $schema that stand for a $kind are made without an error" '' \
			sed '/^made/d' said
		check_out "objects in $schema that stand for a $kind show eve nothing more" '' \
			diff eve.rows got
	done
done
sql mem "$count" >after.rows
check_out 'objects made by eve remove nothing of others' '' diff all.rows after.rows
check_out 'objects made by eve forge nothing of others' 0 pg_sql walls \
	"SELECT count(*) FROM message WHERE content = 'forged'"
pg_sql walls 'REVOKE TEMPORARY, CREATE ON DATABASE walls FROM eve' >/dev/null

# ---- what a role may write of what all share ----

may() { # role, name, SQL
	check_out "$1 $2" '' sql "$1" "BEGIN; $3; ROLLBACK;"
}
may_not() { # role, name, SQL: an error, or no row
	check_like "$1 may not $2" '^ERROR:  (permission denied|new row violates row-level)|^none$' \
		sql "$1" "BEGIN; WITH put AS ($3 RETURNING 1) SELECT CASE count(*) WHEN 0 THEN 'none'
			ELSE 'done' END FROM put; ROLLBACK;"
}
pg_sql walls "INSERT INTO txn (made) VALUES (now() - interval '2 days');
	INSERT INTO guard VALUES ('''bob'' chat m 0', '', NULL, NULL, 0, 0);
	INSERT INTO vector_set (name, sha256, dims, unrelated, centre, current) VALUES
		('other', '\\x00', 8, 0, NULL, 0)" >/dev/null
hex="'\\x01'"
for role in ann bob nightly; do
	may_not $role 'say that the store is of another version' \
		"UPDATE public.meta SET value = '99' WHERE name = 'version'"
	may_not $role 'say what else the store is' \
		"INSERT INTO public.meta VALUES ('copying', '')"
	may_not $role 'remove what is said of it' 'DELETE FROM public.meta'
	may_not $role 'say when a transaction was' \
		"INSERT INTO public.txn (token, made) VALUES (gen_random_uuid(), 'infinity')"
	may_not $role 'remove what tells of a commit' \
		"DELETE FROM public.txn WHERE made > now() - interval '1 day'"
	may_not $role 'age it' "UPDATE public.txn SET made = '2000-01-01'"
	may_not $role 'take the number of a model' "INSERT INTO public.vector_set (no, name, sha256,
		dims, unrelated, current) VALUES (65535, 'x', $hex, 8, 0, 0)"
	may_not $role 'change a model' "UPDATE public.vector_set SET dims = 9"
	may_not $role 'name another model for all' "INSERT INTO public.vector_set (name, sha256,
		dims, unrelated, current) VALUES ('x', $hex, 8, 0, 1)"
	may_not $role 'remove a user' 'DELETE FROM public.usr'
	may_not $role 'change a number' 'UPDATE public.usr SET no = 524287'
	may_not $role 'take the number of a metric' "INSERT INTO public.metric (id, u, time,
		program, path, query_hash, query_bytes, hits, candidates, top, us_open, us_text,
		us_vectors, us_rank, us_fetch, us_all, flags) SELECT 999999, no, 0, '', '', 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, '' FROM public.usr WHERE name = current_user"
	check_out "$role empties, guards and refers to no table" 0 pg_sql walls "SELECT count(*)
		$tables AND has_table_privilege('$role', oid, 'TRUNCATE, REFERENCES, TRIGGER')"
	check_out "$role counts no sequence forward" 0 \
		pg_sql walls "SELECT count(*) FROM pg_sequences
		WHERE has_sequence_privilege('$role', schemaname || '.' || sequencename,
		'USAGE, UPDATE, SELECT')"
done
for role in ann bob; do
	may_not $role 'say how words were cut' \
		"UPDATE public.meta SET value = '' WHERE name = 'features'"
	may_not $role 'choose the model of all' 'UPDATE public.vector_set SET current = 0'
	may_not $role 'drop a model' 'DELETE FROM public.vector_set'
	may_not $role 'stop a service for another' \
		"INSERT INTO public.guard VALUES ('''carl'' chat m 0', '', 1, NULL, 0, 0)"
	may_not $role 'clear the guard' 'DELETE FROM public.guard'
done
may_not ann 'change when a service of bob failed' 'UPDATE public.guard SET opened = 1'
may_not eve 'take a number that is not the next' "INSERT INTO public.usr VALUES (524287, 'eve')"
may_not eve 'take the name of another' \
	"INSERT INTO public.usr SELECT max(no) + 1, 'mallory' FROM public.usr"
check_out 'bob, who reads, writes no table' '' pg_sql walls "SELECT relname $tables AND
	(has_any_column_privilege('bob', oid, 'INSERT, UPDATE')
	OR has_table_privilege('bob', oid, 'DELETE'))"
check_out 'a reader has no part in transactions' f pg_sql walls \
	"SELECT has_any_column_privilege('bob', 'public.txn', 'SELECT')"

may eve 'takes the next number' \
	"INSERT INTO public.usr SELECT max(no) + 1, 'eve' FROM public.usr"
may ann 'notes a transaction' 'INSERT INTO public.txn DEFAULT VALUES'
may ann 'notes a service' \
	"INSERT INTO public.guard VALUES ('''ann'' chat m 0', '', 1, NULL, 0, 0)"
may ann 'brings a model' "INSERT INTO public.vector_set (name, sha256, dims, unrelated, current)
	VALUES ('x', $hex, 8, 0, 0)"
check_out 'ann sweeps what is old' 1 sql ann "BEGIN; WITH gone AS (DELETE FROM public.txn WHERE
	token IN (SELECT token FROM public.txn WHERE made < now() - interval '1 day' FOR UPDATE
	SKIP LOCKED) RETURNING 1) SELECT count(*) FROM gone; ROLLBACK;"
may nightly 'clears the guard' 'DELETE FROM public.guard'

# ---- the programs within it ----

cat >failing <<'END'
#!/bin/sh
while read -r line; do echo '{"ok":false,"error":"down","status":503}'; done
END
chmod +x failing
for i in 1 2 3 4 5 6; do
	echo '{"content":"I moved to Lisbon in 2019 and work as a nurse since then."}' |
		MEM_LLM_COMMAND=./failing as ann mem-extract -u ann >/dev/null 2>&1
done
check_out 'a service that fails for ann is noted as hers' "t|'bob' chat m 0" sql mem "SELECT
	count(*) FILTER (WHERE starts_with(service, '''ann'' ')) > 0,
	min(service) FILTER (WHERE NOT starts_with(service, '''ann'' ')) FROM guard"
check_err 'ann repairs nothing, as that would be for all' 77 "role 'ann' sees" \
	as ann mem-check -q --repair
check 'nightly repairs the store for all' as nightly mem-check -q --repair
"$B/tests/torture/tiny_model" --q4 "$top/tiny.q4" >/dev/null &&
	mem-model convert -o "$MEM_MODELS/second.model" "$top/tiny.q4" >/dev/null
sql mem 'SELECT name FROM vector_set WHERE current = 1' >model.was
check 'ann has vectors by another model' env MEM_MODEL=second MEM_DB="postgres://ann@/walls$base" \
	mem-embed -q -u ann
check_out 'the model of one user is not that of all' "$(cat model.was)" sql mem \
	'SELECT name FROM vector_set WHERE current = 1'
check 'until nightly has made those of all' env MEM_MODEL=second \
	MEM_DB="postgres://nightly@/walls$base" mem-embed -q --all-users
check_like 'the model of all is the one that nightly made vectors by' second \
	sql mem 'SELECT name FROM vector_set WHERE current = 1'

# ---- a store that has the roles of an earlier mem ----

pg_sql walls "GRANT ALL ON ALL TABLES IN SCHEMA public TO mem_writer;
	GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO mem_writer;
	GRANT TEMPORARY ON DATABASE walls TO PUBLIC; ALTER TABLE meta DISABLE ROW LEVEL SECURITY;
	CREATE OR REPLACE FUNCTION mem_sees(u bigint) RETURNS boolean LANGUAGE sql STABLE
	SET search_path = public AS 'SELECT true'; ALTER FUNCTION mem_sees(bigint) OWNER TO carl" \
	>/dev/null
check 'the file is run again' pg_file walls "$ROOT/schema/postgres-roles.sql"
may_not ann 'write meta any more' "UPDATE public.meta SET value = '99' WHERE name = 'version'"
check_out 'ann uses no sequence any more' 0 pg_sql walls "SELECT count(*) FROM pg_sequences
	WHERE has_sequence_privilege('ann', schemaname || '.' || sequencename,
	'USAGE, UPDATE, SELECT')"
check_out 'the function is no longer of who had it' mem pg_sql walls \
	"SELECT proowner::regrole FROM pg_proc WHERE proname = 'mem_sees' AND
	pronamespace = 'public'::regnamespace"
check_like 'nobody makes a temporary table when the file is run again' 'permission denied' \
	sql eve 'CREATE TEMP TABLE usr (no bigint, name text);'
check_out 'eve sees nothing when the file is run again' 0 \
	sql eve 'SELECT count(*) FROM public.message'
check_like 'ann finds hers as before' heron as ann mem-search -u ann secret
done_testing
