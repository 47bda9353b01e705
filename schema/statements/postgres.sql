-- postgres.sql: statements that PostgreSQL has instead of those of their names.

MESSAGE_PUT: WITH put AS (INSERT INTO message ({MESSAGE_COLUMNS}) VALUES ({MESSAGE_PARAMETERS}) ON
	CONFLICT DO NOTHING RETURNING 1) /* id is in the user's range */ SELECT (SELECT count(*)
	FROM put), NOT EXISTS (SELECT 1 FROM put) AND NOT EXISTS (SELECT 1 FROM message WHERE
	session = ?2 AND source = ?4)
RECORD_PUT: WITH put AS (INSERT INTO record (id, {RECORD_OWN}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,
	?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23) ON CONFLICT
	(ulid) DO NOTHING RETURNING 1) /* id is in the user's range */ SELECT (SELECT count(*) FROM
	put), NOT EXISTS (SELECT 1 FROM put)
-- a store on a server knows no other stores
CHECK_PEERS: SELECT 0
-- all users: a check
CHECK_CARDS: SELECT count(*) FROM message m WHERE role <> 2 AND NOT EXISTS (SELECT 1 FROM card WHERE
	id = (m.id >> 20 << 20) + (m.id & 1048575) / 120 AND CASE WHEN length(cards) % 32 = 0 THEN
	length(cards) >= ((m.id & 1048575) % 120 + 1) * 32 ELSE get_byte(cards, 0) >= (m.id &
	1048575) % 120 + 1 END)
-- Where roles are walled off from each other, no role says of a service that it fails for all.
let OWN_SERVICE: CASE WHEN row_security_active(to_regclass('guard')) THEN
	quote_literal(current_user::text) || ' ' ELSE '' END || ?1
GUARD_GET: SELECT failed, opened, probe, lease, opens FROM guard WHERE service = {OWN_SERVICE}
GUARD_PUT: INSERT INTO guard (service, failed, opened, probe, lease, opens) VALUES ({OWN_SERVICE},
	?2, ?3, ?4, ?5, ?6) ON CONFLICT (service) DO UPDATE SET failed = excluded.failed, opened =
	excluded.opened, probe = excluded.probe, lease = excluded.lease, opens = excluded.opens
