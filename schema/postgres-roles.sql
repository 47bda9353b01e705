-- A wall between the users of a store on PostgreSQL, besides that of the programs: run once by a
-- superuser, since it makes roles, and again after an upgrade. See mem-postgres(7).
--
--   mem_writer   reads and writes the memory of the mem user that is called like the role
--   mem_reader   reads it
--   mem_all      reads and writes every memory: backups, mem-embed --all-users, mem-stats
--
-- A person is a role of her own: CREATE ROLE ann LOGIN IN ROLE mem_writer; she uses mem -u ann. A
-- role without such a memory sees no row. What all share has no words of anybody: meta, txn,
-- guard, vector_set; and the names of users, since a new user needs a number that is free. Of these
-- a writer may add what her own programs need, and change or remove nothing that others rely on.
--
-- A name without a schema is looked for in the temporary tables of whoever asks first, so each name
-- here has its schema, and no schema is searched in which somebody else could have made an object.

-- All or nothing: rules that name a role which is not there would lock everybody out.
BEGIN;
SET LOCAL client_min_messages = warning;
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
BEGIN
	IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
		RAISE EXCEPTION 'Citus does not let the rules of a table ask another table';
	END IF;
END $$;
DO $$
BEGIN
	CREATE ROLE mem_reader NOLOGIN;
EXCEPTION WHEN duplicate_object THEN
	NULL;
END $$;
DO $$
BEGIN
	CREATE ROLE mem_writer NOLOGIN IN ROLE mem_reader;
EXCEPTION WHEN duplicate_object THEN
	NULL;
END $$;
DO $$
BEGIN
	CREATE ROLE mem_all NOLOGIN IN ROLE mem_writer;
EXCEPTION WHEN duplicate_object THEN
	NULL;
END $$;

-- What an earlier version of this file granted goes, too.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, mem_reader, mem_writer, mem_all;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, mem_reader, mem_writer, mem_all;
REVOKE CREATE ON SCHEMA public FROM PUBLIC, mem_reader, mem_writer, mem_all;
GRANT USAGE ON SCHEMA public TO mem_reader;
-- No program makes a temporary object.
DO $$
BEGIN
	EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC, mem_reader, mem_writer, '
		'mem_all', current_database());
END $$;

-- Whose rows a role may see: those of the user of its own name; mem_all and the owner, all.
CREATE OR REPLACE FUNCTION public.mem_sees(u bigint) RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS
	$$ SELECT pg_catalog.pg_has_role(current_user, 'mem_all', 'member')
		OR EXISTS (SELECT 1 FROM public.usr WHERE no = u AND name = current_user) $$;
-- The number of the next user, and whether a model is in use.
CREATE OR REPLACE FUNCTION public.mem_next_user() RETURNS bigint
	LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS
	$$ SELECT coalesce(pg_catalog.max(no), 0) + 1 FROM public.usr $$;
CREATE OR REPLACE FUNCTION public.mem_has_model() RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS
	$$ SELECT EXISTS (SELECT 1 FROM public.vector_set WHERE current = 1) $$;
-- Who made a function of this name before could change it.
ALTER FUNCTION public.mem_sees(bigint) OWNER TO CURRENT_USER;
ALTER FUNCTION public.mem_next_user() OWNER TO CURRENT_USER;
ALTER FUNCTION public.mem_has_model() OWNER TO CURRENT_USER;

-- Every rule is made anew. The owner of the tables is under those of users' data, too.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN
		SELECT schemaname AS schema, tablename AS name, policyname AS policy
		FROM pg_policies WHERE schemaname = 'public'
	LOOP
		EXECUTE format('DROP POLICY %I ON %I.%I', t.policy, t.schema, t.name);
	END LOOP;
	FOR t IN
		SELECT c.oid, c.relname AS name,
			c.relname IN ('meta', 'txn', 'guard', 'vector_set') AS is_shared
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
	LOOP
		EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', t.name);
		EXECUTE format('ALTER TABLE public.%I %s ROW LEVEL SECURITY', t.name,
			CASE WHEN t.is_shared THEN 'NO FORCE' ELSE 'FORCE' END);
	END LOOP;
END $$;

-- Every table of user data, and how a row says whose it is. A number that the server gives is given
-- by nobody else: it is the same row of numbers for all.
DO $$
DECLARE
	t record;
BEGIN
	FOR t IN
		SELECT c.relname AS name, CASE
			WHEN EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid
				AND a.attname = 'u') THEN 'u'
			WHEN c.relname = 'vector_done' THEN 'box >> 24'
			WHEN c.relname = 'vector_place' THEN 'box >> 35'
			WHEN c.relname IN ('record_source', 'record_source_was', 'step_change')
				THEN 'record >> 44'
			WHEN c.relname IN ('message_turn', 'message_alias', 'vector_todo',
				'category_member')
				THEN 'row >> 44'
			WHEN c.relname = 'chunk' THEN 'message >> 44'
			WHEN c.relname = 'step_id' THEN 'step >> 44'
			ELSE 'id >> 44' END AS whose,
			(SELECT string_agg(format('%I', a.attname), ', ') FROM pg_attribute a
				WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
				AND a.attidentity = '') AS columns
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
			AND c.relname NOT IN ('meta', 'txn', 'guard', 'vector_set', 'usr')
	LOOP
		EXECUTE format('CREATE POLICY mem_wall ON public.%I USING (public.mem_sees(%s))',
			t.name, t.whose);
		EXECUTE format('GRANT SELECT ON public.%I TO mem_reader', t.name);
		EXECUTE format('GRANT INSERT (%s), UPDATE (%1$s), DELETE ON public.%I TO '
			'mem_writer', t.columns, t.name);
	END LOOP;
END $$;

-- usr: the names are seen by all; whoever has none yet takes the next number. To lock a row is to
-- update it, and what can be updated of one's own is the name that it must have.
GRANT SELECT ON public.usr TO mem_reader;
GRANT INSERT (no, name), UPDATE (name) ON public.usr TO mem_writer;
CREATE POLICY mem_names ON public.usr FOR SELECT USING (true);
CREATE POLICY mem_new ON public.usr FOR INSERT WITH CHECK (
	pg_has_role(current_user, 'mem_all', 'member')
	OR (name = current_user AND no = public.mem_next_user()));
CREATE POLICY mem_wall ON public.usr FOR UPDATE USING (name = current_user
	OR pg_has_role(current_user, 'mem_all', 'member'));

-- meta: how the words were cut is noted when the index of all is made anew (mem-check --repair).
GRANT SELECT ON public.meta TO mem_reader;
GRANT INSERT, UPDATE (value) ON public.meta TO mem_all;
CREATE POLICY mem_names ON public.meta FOR SELECT USING (true);
CREATE POLICY mem_new ON public.meta FOR INSERT WITH CHECK (name = 'features');
CREATE POLICY mem_wall ON public.meta FOR UPDATE USING (name = 'features');

-- txn: a writer notes her transaction under a name that the server gives, and removes the notes
-- that nobody needs any more; those of the last day say what was committed.
GRANT SELECT, INSERT (token), UPDATE (token), DELETE ON public.txn TO mem_writer;
CREATE POLICY mem_names ON public.txn FOR SELECT USING (true);
CREATE POLICY mem_new ON public.txn FOR INSERT WITH CHECK (true);
CREATE POLICY mem_old ON public.txn FOR UPDATE USING (made < now() - interval '1 day');
CREATE POLICY mem_gone ON public.txn FOR DELETE USING (made < now() - interval '1 day');

-- guard: which services of models fail, for each role by itself, whose name is before the service's.
GRANT SELECT ON public.guard TO mem_reader;
GRANT INSERT, UPDATE ON public.guard TO mem_writer;
GRANT DELETE ON public.guard TO mem_all;
CREATE POLICY mem_wall ON public.guard USING (
	starts_with(service, quote_literal(current_user::text) || ' ')
	OR pg_has_role(current_user, 'mem_all', 'member'));

-- vector_set: the first model that anybody uses is that of all. Which is, and which goes, is said by
-- mem_all, who sees whether all have the vectors.
GRANT SELECT ON public.vector_set TO mem_reader;
GRANT INSERT (name, sha256, dims, unrelated, centre, current) ON public.vector_set TO mem_writer;
GRANT UPDATE (current), DELETE ON public.vector_set TO mem_all;
CREATE POLICY mem_names ON public.vector_set FOR SELECT USING (true);
CREATE POLICY mem_new ON public.vector_set FOR INSERT WITH CHECK (
	current = 0 OR (current = 1 AND NOT public.mem_has_model()));
CREATE POLICY mem_wall ON public.vector_set FOR UPDATE USING (
	pg_has_role(current_user, 'mem_all', 'member'));
CREATE POLICY mem_gone ON public.vector_set FOR DELETE USING (
	pg_has_role(current_user, 'mem_all', 'member'));

-- The owner goes on as before, also where no superuser owns the tables.
DO $$
BEGIN
	EXECUTE format('GRANT mem_all TO %I', (SELECT pg_get_userbyid(relowner) FROM pg_class
		WHERE oid = 'public.meta'::regclass));
EXCEPTION WHEN OTHERS THEN
	RAISE WARNING 'grant mem_all to the owner of the tables: %', SQLERRM;
END $$;
COMMIT;
