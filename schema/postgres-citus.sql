-- Spreads a store on PostgreSQL over machines by Citus: run once by the owner of the tables, after the first program of mem has made them. See mem-postgres(7).
--
-- Each table of users gets a column u, the user's number, by which its rows are distributed: what a user has is on one machine. The other tables (meta, txn, usr, guard, vector_set) stay with
-- the coordinator, which all programs ask. Without the extension citus the tables are only prepared, and the store works as before.

-- How a row says whose it is.
CREATE OR REPLACE FUNCTION mem_whose(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE
		WHEN name = 'vector_done' THEN 'box >> 24'
		WHEN name = 'vector_place' THEN 'box >> 35'
		WHEN name IN ('record_source', 'record_source_was', 'step_change') THEN 'record >> 44'
		WHEN name IN ('message_turn', 'message_alias', 'vector_todo', 'category_member') THEN 'row >> 44'
		WHEN name = 'chunk' THEN 'message >> 44'
		WHEN name = 'step_id' THEN 'step >> 44'
		ELSE 'id >> 44' END
$$;

DO $$
DECLARE
	t record;
	i record;
BEGIN
	FOR t IN
		SELECT c.oid, c.relname AS name, NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'u') AS lacks
		FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('meta', 'txn', 'usr', 'guard', 'vector_set')
		ORDER BY c.relname
	LOOP
		IF t.lacks THEN
			EXECUTE format('ALTER TABLE %I ADD COLUMN u bigint', t.name);
			EXECUTE format('UPDATE %I SET u = %s', t.name, mem_whose(t.name));
			EXECUTE format('ALTER TABLE %I ALTER COLUMN u SET NOT NULL', t.name);
			EXECUTE format('ALTER TABLE %I ADD CHECK (u = %s)', t.name, mem_whose(t.name));
		END IF;
		-- What is unique is so within a user.
		FOR i IN
			SELECT x.indexrelid::regclass AS name, pg_get_indexdef(x.indexrelid) AS def, n.conname, pg_get_constraintdef(n.oid) AS condef
			FROM pg_index x LEFT JOIN pg_constraint n ON n.conindid = x.indexrelid AND n.contype IN ('p', 'u')
			WHERE x.indrelid = t.oid AND x.indisunique AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'u' AND a.attnum = ANY (x.indkey))
		LOOP
			IF i.conname IS NOT NULL THEN
				EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', t.name, i.conname);
				EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.name, i.conname, replace(i.condef, '(', '(u, '));
			ELSE
				EXECUTE format('DROP INDEX %s', i.name);
				EXECUTE regexp_replace(i.def, 'USING btree \(', 'USING btree (u, ');
			END IF;
		END LOOP;
	END LOOP;
	INSERT INTO meta (name, value) VALUES ('spread', 'u') ON CONFLICT (name) DO NOTHING;
END $$;

-- The rows go to the machines; of all tables, those of a user to the same.
DO $$
DECLARE
	t record;
BEGIN
	IF NOT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN
		RAISE NOTICE 'the extension citus is not there: the tables are prepared, and stay here';
		RETURN;
	END IF;
	FOR t IN
		SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'u'
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT EXISTS (SELECT 1 FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
		ORDER BY c.relname
	LOOP
		EXECUTE format('SELECT create_distributed_table(%L, ''u'')', t.name);
	END LOOP;
END $$;
