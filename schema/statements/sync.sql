-- sync.sql: statements on tombstones, and what is new for another store.

-- ---- tombstones ----
of tombstones
TOMBSTONES_ANY: SELECT 1 FROM tombstone WHERE user = :user LIMIT 1
TOMBSTONES: SELECT key FROM tombstone WHERE user = :user AND key > :after ORDER BY key LIMIT :limit
TOMBSTONE_HAS: SELECT 1 FROM tombstone WHERE user = :user AND key = :key
TOMBSTONE_PUT: INSERT INTO tombstone (user, key) VALUES (:user, :key) ON CONFLICT DO NOTHING
TOMBSTONE_TAKE: DELETE FROM tombstone WHERE user = :user AND key = :key
SESSION_SOURCES: SELECT source, ulid FROM message WHERE id BETWEEN :lo AND :hi ORDER BY id
SESSION_ALIASES: SELECT ulid FROM message_alias WHERE row BETWEEN :lo AND :hi

-- ---- what is new for another store ----
of change
CHANGE_LOG: INSERT INTO change (user, no, kind, what, n, peer, tag) VALUES (?1, (SELECT
	coalesce(max(no), 0) + 1 FROM change WHERE user = ?1), ?2, ?3, ?4, ?5, ?6) RETURNING no
CHANGE_LAST: SELECT no, tag FROM change WHERE user = :user ORDER BY no DESC LIMIT 1
CHANGE_TAG: SELECT no, tag FROM change WHERE user = :user AND no = :no
CHANGES_UNPEER: UPDATE change SET peer = NULL WHERE user = :user AND peer = :peer
NEWS: SELECT what, n FROM change WHERE user = ?1 AND no > ?2 AND no <= ?3 AND kind = ?5 AND (?4 = 0
	OR peer IS NOT ?4) ORDER BY what
NEWS_STEPS: SELECT s.id, s.time, s.did, s.agent, s.why, 0, 1, i.ulid, (SELECT u.ulid FROM step o
	JOIN step_id u ON u.step = o.id WHERE o.undone = s.id) FROM step s JOIN step_id i ON i.step
	= s.id WHERE s.id IN (SELECT what FROM change WHERE user = ?1 AND no > ?2 AND no <= ?3 AND
	kind = 2 AND (?4 = 0 OR peer IS NOT ?4)) ORDER BY s.time, i.ulid
NEWS_TOMBSTONES: SELECT key FROM tombstone WHERE user = ?1 AND key IN (SELECT what FROM change WHERE
	user = ?1 AND no > ?2 AND no <= ?3 AND kind = 3 AND (?4 = 0 OR peer IS NOT ?4)) ORDER BY key
NEWS_ACCESSES: SELECT r.ulid, a.accessed, a.accesses FROM record_access a JOIN record r ON r.id =
	a.id WHERE a.id BETWEEN ?1 << 44 AND ((?1 + 1) << 44) - 1 AND a.change IN (SELECT no FROM
	change WHERE user = ?1 AND no > ?2 AND no <= ?3 AND kind = 4 AND (?4 = 0 OR peer IS NOT ?4))
	ORDER BY r.ulid
STORE_ID: SELECT ulid FROM peer WHERE no = 0 AND user = 0
STORE_ID_PUT: INSERT OR REPLACE INTO peer (no, user, ulid, name, got, got_tag, sent) VALUES (0, 0,
	?1, '', 0, 0, 0)
PEERS: SELECT no, ulid, name, got, got_tag, sent FROM peer WHERE user = :user ORDER BY no
PEER_MEET: INSERT INTO peer (user, ulid, name, got, got_tag, sent) VALUES (?1, ?2, ?3, 0, 0, 0) ON
	CONFLICT (user, ulid) DO UPDATE SET name = excluded.name RETURNING no
PEER_SETTLE: UPDATE peer SET got = ?2, got_tag = ?3, sent = ?4 WHERE no = ?1 /* the user's */
-- of the index alone
MESSAGE_KEYS: SELECT session, source, id FROM message INDEXED BY message_source WHERE session
	BETWEEN :lo >> 20 AND :hi >> 20
RECORD_IDS: SELECT ulid FROM record WHERE id BETWEEN ?1 AND ?2 UNION SELECT ulid FROM record_was
	WHERE id BETWEEN ?1 AND ?2
SESSION_NAMES: SELECT s.name, EXISTS (SELECT 1 FROM message WHERE id BETWEEN s.id << 20 AND (s.id <<
	20) + 1048575) FROM session s WHERE s.user = :user AND s.part = 0
SESSION_BARE: UPDATE session SET title = NULL, system_prompt = NULL, metadata = NULL, told = NULL
	WHERE user = :user AND name = :name
SESSION_SPAN: UPDATE session AS s SET created = (SELECT min(time) {OF_SESSION}), updated = (SELECT
	max(time) {OF_SESSION}), agent = (SELECT CASE WHEN min(coalesce(agent, 0)) =
	max(coalesce(agent, 0)) THEN max(agent) END {OF_SESSION}), project = (SELECT CASE WHEN
	min(coalesce(project, 0)) = max(coalesce(project, 0)) THEN max(project) END {OF_SESSION})
	WHERE user = :user AND name = :name
SESSION_COUNT_AGAIN: UPDATE session AS s SET assistants = (SELECT count(*) {OF_SESSION} AND role =
	1), speaker = coalesce((SELECT speaker {OF_SESSION} AND speaker IS NOT NULL ORDER BY id
	LIMIT 1), 0), speakers = (SELECT CASE WHEN min(speaker) IS NULL THEN 0 WHEN min(speaker) =
	max(speaker) THEN 1 ELSE 2 END {OF_SESSION}) WHERE user = :user AND id = :id RETURNING
	assistants, speakers
