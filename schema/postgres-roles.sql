-- A wall between the users of a store on PostgreSQL, besides that of the programs: run once by a
-- superuser, since it makes roles, and again after an upgrade. See mem-postgres(7).
--
--   mem_writer   reads and writes the memory of the mem user that is called like the role
--   mem_reader   reads it
--   mem_all      reads and writes every memory: backups, mem-embed --all-users, mem-stats
--
-- A person is a role of her own: CREATE ROLE ann LOGIN IN ROLE mem_writer; she uses mem -u ann. A
-- role without such a memory sees no row. What all share, and has no words of anybody: meta, txn,
-- guard, vector_set; and the names of users, since a new user needs a number that is free.

-- All or nothing: rules that name a role which is not there would lock everybody out.
BEGIN;
SET LOCAL client_min_messages = warning;

DO $$
BEGIN
	IF to_regclass('pg_dist_partition') IS NOT NULL THEN
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

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO mem_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO mem_reader;
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO mem_writer;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO mem_writer;

-- Whose rows a role may see: those of the user of its own name; mem_all and the owner, all.
CREATE OR REPLACE FUNCTION mem_sees(u bigint) RETURNS boolean
	LANGUAGE sql STABLE PARALLEL SAFE SET search_path = public AS
	$$ SELECT pg_has_role(current_user, 'mem_all', 'member')
		OR EXISTS (SELECT 1 FROM usr WHERE no = u AND name = current_user) $$;

-- Every table of user data, and how a row says whose it is.
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
			ELSE 'id >> 44' END AS whose
		FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
			AND c.relname NOT IN ('meta', 'txn', 'guard', 'vector_set', 'usr')
	LOOP
		EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t.name);
		EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t.name);
		EXECUTE format('DROP POLICY IF EXISTS mem_wall ON %I', t.name);
		EXECUTE format('CREATE POLICY mem_wall ON %I USING (mem_sees(%s))', t.name, t.whose);
	END LOOP;
END $$;

ALTER TABLE usr ENABLE ROW LEVEL SECURITY;
ALTER TABLE usr FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS mem_names ON usr;
DROP POLICY IF EXISTS mem_wall ON usr;
CREATE POLICY mem_names ON usr FOR SELECT USING (true);
CREATE POLICY mem_wall ON usr USING (name = current_user
	OR pg_has_role(current_user, 'mem_all', 'member'));

-- The owner goes on as before, also where no superuser owns the tables.
DO $$
BEGIN
	EXECUTE format('GRANT mem_all TO %I', (SELECT pg_get_userbyid(relowner) FROM pg_class
		WHERE oid = 'public.meta'::regclass));
EXCEPTION WHEN OTHERS THEN
	RAISE WARNING 'grant mem_all to the owner of the tables: %', SQLERRM;
END $$;
COMMIT;
