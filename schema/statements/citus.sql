-- citus.sql: statements over all users that a store which is spread has instead of PostgreSQL's.

-- all users: a check
CHECK_FACTS: SELECT (SELECT count(*) FROM record r LEFT JOIN fact f ON f.u = r.u AND f.id = r.id
	WHERE (r.type = 1) <> (f.id IS NOT NULL)) + (SELECT count(*) FROM record WHERE u NOT IN
	(SELECT no FROM usr))
-- all users: a check
CHECK_NUMBERS: SELECT count(*) FROM (SELECT u, max(id) AS last FROM record GROUP BY u) r LEFT JOIN
	record_next n ON n.u = r.u WHERE r.last >= (r.u << 44) + coalesce(n.next, 1)
-- all users: a check
CHECK_SOURCES: SELECT (SELECT count(*) FROM record_source s WHERE NOT EXISTS (SELECT 1 FROM record r
	WHERE r.u = s.u AND r.id = s.record)) + (SELECT count(*) FROM record_source_was s WHERE NOT
	EXISTS (SELECT 1 FROM record_was r WHERE r.u = s.u AND r.id = s.record AND r.step = s.step))
-- all users: a check
CHECK_CHANGES: SELECT (SELECT count(*) FROM step_change c WHERE NOT EXISTS (SELECT 1 FROM step s
	WHERE s.u = c.u AND s.id = c.step)) + (SELECT count(*) FROM step_change c LEFT JOIN
	record_was r ON r.u = c.u AND r.id = c.record AND r.step = c.step LEFT JOIN fact_was f ON
	f.u = c.u AND f.id = c.record AND f.step = c.step WHERE (c.existed = 1) <> (r.id IS NOT
	NULL) OR (r.type = 1) <> (f.id IS NOT NULL))
