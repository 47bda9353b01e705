-- index.sql: statements on the full text, what is made anew, and checks.

-- ---- full text ----
of index
SEGMENTS: SELECT no, docs, runs, doc_pages, pages, words, first FROM fts_segment WHERE user = :user
	ORDER BY no
SEGMENT_NEXT: SELECT coalesce(max(no), 0) + 1 FROM fts_segment WHERE user = :user
SEGMENT_PUT: INSERT INTO fts_segment (user, no, docs, runs, doc_pages, pages, words, first) VALUES
	(:user, :no, :docs, :runs, :doc_pages, :pages, :words, :first)
SEGMENT_DELETE: DELETE FROM fts_segment WHERE user = :user AND no = :no
PAGE_GET: SELECT data FROM fts_page WHERE id = ?1 /* id is in the user's range */
PAGE_PUT: INSERT INTO fts_page (id, data) VALUES (?1, ?2) /* id is in the user's range */
PAGE_LAST: SELECT coalesce(max(id), :lo) FROM fts_page WHERE id BETWEEN :lo AND :hi
PAGES_DELETE: DELETE FROM fts_page WHERE id BETWEEN :lo AND :hi
LEAF_FIND: SELECT page FROM fts_leaf WHERE user = ?1 AND segment = ?2 AND term <= ?3 ORDER BY term
	DESC LIMIT 1
LEAVES_BETWEEN: SELECT page FROM fts_leaf WHERE user = ?1 AND segment = ?2 AND term > ?3 AND term <
	?4 ORDER BY term
LEAF_PUT: INSERT INTO fts_leaf (user, segment, term, page) VALUES (?1, ?2, ?3, ?4) /* user */
LEAVES_DELETE: DELETE FROM fts_leaf WHERE user = :user AND segment = :no

-- ---- rebuilding ----
-- all users: what is derived is rebuilt for everyone
of rows
ALL_MESSAGES: SELECT {MESSAGE_COLUMNS} FROM message WHERE id > :after ORDER BY id LIMIT :limit
-- all users: derived
CLEAR_CARDS: DELETE FROM card
-- all users: derived
CLEAR_WORK: DELETE FROM work
-- all users: derived
CLEAR_CHUNKS: DELETE FROM chunk
-- all users: derived
CLEAR_SEGMENTS: DELETE FROM fts_segment
-- all users: derived
CLEAR_PAGES: DELETE FROM fts_page
-- all users: derived
CLEAR_LEAVES: DELETE FROM fts_leaf
-- all users: derived
CLEAR_COUNTS: UPDATE session SET turns = coalesce((SELECT max(m.id) - (session.id << 20) + 1 FROM
	message m WHERE m.session = session.id), 0), assistants = 0, speaker = 0, speakers = 0
-- all users: a check, which shows no content
ALL_RECORDS: SELECT id, sha256, content FROM record WHERE id > ?1 ORDER BY id LIMIT ?2

-- ---- counts of what should not be ----
-- all users: a check of the whole file, which shows no content
CHECK_PLACE: SELECT count(*) FROM message WHERE session <> id >> 20
-- all users: a check
CHECK_OWNER: SELECT count(*) FROM session WHERE user <> id >> 24
-- all users: a check
CHECK_TURNS: SELECT count(*) FROM session s WHERE turns <= (SELECT coalesce(max(id), (s.id << 20) -
	1) FROM message WHERE id BETWEEN s.id << 20 AND (s.id << 20) + 1048575) - (s.id << 20)
-- all users: a check
CHECK_CARDS: SELECT count(*) FROM message m WHERE role <> 2 AND NOT EXISTS (SELECT 1 FROM card WHERE
	id = (m.id >> 20 << 20) + (m.id & 1048575) / 120 AND iif(length(cards) % 32 = 0,
	length(cards) >= ((m.id & 1048575) % 120 + 1) * 32, hex(substr(cards, 1, 1)) >=
	printf('%02X', (m.id & 1048575) % 120 + 1)))
-- all users: a check
CHECK_CHUNKS: SELECT count(*) FROM chunk c WHERE NOT EXISTS (SELECT 1 FROM message WHERE id =
	c.message)
-- all users: a check
CHECK_CUT: SELECT count(*) FROM message m WHERE chunks > 1 AND chunks <> (SELECT count(*) FROM chunk
	WHERE message = m.id)
-- all users: a check
CHECK_INDEX: SELECT (SELECT count(*) FROM message WHERE role <> 2) - (SELECT coalesce(sum(docs), 0)
	FROM fts_segment)
-- all users: a check
CHECK_FACTS: SELECT count(*) FROM record r LEFT JOIN fact f ON f.id = r.id WHERE (r.type = 1) <>
	(f.id IS NOT NULL) OR r.id >> 44 NOT IN (SELECT no FROM user)
-- all users: a check
CHECK_NUMBERS: SELECT count(*) FROM user u WHERE (SELECT max(id) FROM record WHERE id BETWEEN u.no
	<< 44 AND ((u.no + 1) << 44) - 1) >= (u.no << 44) + coalesce((SELECT next FROM record_next
	WHERE user = u.no), 1)
-- all users: a check
CHECK_SOURCES: SELECT (SELECT count(*) FROM record_source WHERE record NOT IN (SELECT id FROM
	record)) + (SELECT count(*) FROM record_source_was s WHERE NOT EXISTS (SELECT 1 FROM
	record_was r WHERE r.id = s.record AND r.step = s.step))
-- all users: a check
CHECK_CHANGES: SELECT (SELECT count(*) FROM step_change WHERE step NOT IN (SELECT id FROM step)) +
	count(*) FROM step_change c LEFT JOIN record_was r ON r.id = c.record AND r.step = c.step
	LEFT JOIN fact_was f ON f.id = c.record AND f.step = c.step WHERE (c.existed = 1) <> (r.id
	IS NOT NULL) OR (r.type = 1) <> (f.id IS NOT NULL)
-- all users: a check
CHECK_STEP_IDS: SELECT (SELECT count(*) FROM step WHERE id NOT IN (SELECT step FROM step_id)) +
	(SELECT count(*) FROM step_id WHERE step NOT IN (SELECT id FROM step))
-- all users: a check
CHECK_MOVED: SELECT count(*) FROM message_turn WHERE row NOT IN (SELECT id FROM message)
-- all users: a check
CHECK_PEERS: SELECT (SELECT count(*) = 0 FROM peer WHERE no = 0) + (SELECT count(*) FROM change
	WHERE peer NOT IN (SELECT no FROM peer))
-- all users: a check
CHECK_ALIASES: SELECT count(*) FROM message_alias WHERE row NOT IN (SELECT id FROM message)
-- all users: a check
CHECK_ENDED: SELECT count(*) FROM fact WHERE superseded_by IS NOT NULL AND superseded_by NOT IN
	(SELECT ulid FROM record)
