-- records.sql: statements on records, steps, categories and profiles.

-- ---- facts, summaries, reflections ----
of record
RECORD_NEXT: INSERT INTO record_next (user, next) VALUES (:user, 2) ON CONFLICT (user) DO UPDATE SET
	next = record_next.next + 1 RETURNING next - 1
RECORD_PUT: INSERT INTO record (id, {RECORD_OWN}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
	?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23) /* id is in the user's
	range */
FACT_PUT: INSERT INTO fact (id, {FACT_OWN}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
	?12) /* id is in the user's range */
SOURCE_PUT: INSERT INTO record_source (record, no, of, start, length) VALUES (?1, ?2, ?3, ?4, ?5) /*
	record is in the user's range */
RECORD_SOURCE_ID: SELECT id, ulid, stored FROM record WHERE source = :source AND type = :type AND
	+id BETWEEN :lo AND :hi LIMIT 1
RECORD_DELETE: DELETE FROM record WHERE id = :id AND id BETWEEN :lo AND :hi
FACT_DELETE: DELETE FROM fact WHERE id = :id AND id BETWEEN :lo AND :hi
SOURCES_DELETE: DELETE FROM record_source WHERE record = :id AND record BETWEEN :lo AND :hi
ACCESS_DELETE: DELETE FROM record_access WHERE id IN {GIVEN_ROWS} AND id BETWEEN ?2 AND ?3
SOURCES_REMOVE: DELETE FROM record_source WHERE record IN {GIVEN_ROWS} AND record BETWEEN ?2 AND ?3
FACTS_REMOVE: DELETE FROM fact WHERE id IN {GIVEN_ROWS} AND id BETWEEN ?2 AND ?3
RECORDS_REMOVE: DELETE FROM record WHERE id IN {GIVEN_ROWS} AND id BETWEEN ?2 AND ?3
RECORD_TOUCH: INSERT INTO record_access (id, accessed, accesses, change) SELECT id, :now, 1, :change
	FROM record WHERE id = :id AND id BETWEEN :lo AND :hi ON CONFLICT (id) DO UPDATE SET
	accessed = excluded.accessed, accesses = record_access.accesses + 1, change =
	excluded.change
RECORDS_UP: {RECORD_NOW} {RECORD_FILTERED} ORDER BY r.id LIMIT ?18
-- by its type: of those with a tag there are mostly few, and of facts beside them many
RECORDS_TAGGED: {RECORD_NOW} {RECORD_FILTERED} AND r.id >> 44 = ?1 >> 44 ORDER BY +r.id LIMIT ?18
RECORDS_DOWN: {RECORD_NOW} {RECORD_FILTERED} ORDER BY r.id DESC LIMIT ?18
RECORDS_KNOWN_UP: {RECORD_KNOWN} ORDER BY 1 LIMIT ?18
RECORDS_KNOWN_DOWN: {RECORD_KNOWN} ORDER BY 1 DESC LIMIT ?18
-- when each was said, or else stored
RECORDS_TIMES: SELECT r.id, coalesce(r.time, r.stored) FROM record r LEFT JOIN fact f ON f.id = r.id
	{RECORD_FILTERED} LIMIT ?18 /* the user's */
RECORDS_GIVEN: SELECT 1 FROM record WHERE id BETWEEN :lo AND :hi AND origin <> :derived LIMIT 1
RECORDS_TEXTS: {RECORD_TEXT} FROM record r LEFT JOIN fact f ON f.id = r.id {RECORD_FILTERED} ORDER
	BY r.id LIMIT ?18
RECORDS_TEXTS_KNOWN: {RECORD_TEXT} FROM record r LEFT JOIN fact f ON f.id = r.id {RECORD_FILTERED}
	{RECORD_UNCHANGED} UNION ALL {RECORD_TEXT} FROM record_was r LEFT JOIN fact_was f ON f.id =
	r.id AND f.step = r.step {RECORD_FILTERED} {RECORD_BEFORE} ORDER BY 1 LIMIT ?18
RECORD_KNOWN_BY_ROW: {RECORD_NOW} {RECORD_OF_ROW} AND NOT EXISTS (SELECT 1 {CHANGES_SINCE ?6}) UNION
	ALL {RECORD_WAS} {RECORD_OF_ROW} {FIRST_SINCE ?6}
RECORD_BY_ROW: {RECORD_NOW} {RECORD_OF_ROW}
RECORD_BY_ULID: {RECORD_NOW} WHERE r.ulid BETWEEN ?5 AND ?6 AND +r.id BETWEEN ?1 AND ?2
	{RECORD_SCOPE} LIMIT 2
RECORD_BY_SOURCE: {RECORD_NOW} WHERE r.source = ?5 AND +r.id BETWEEN ?1 AND ?2 {RECORD_SCOPE} LIMIT
	2
RECORD_ULIDS: SELECT ulid FROM record WHERE +id BETWEEN ?1 AND ?2
RECORDS_OF_SIZE: {RECORD_TEXT} FROM record r WHERE r.id >> 44 = ?1 >> 44 AND r.type = ?5 AND r.size
	BETWEEN ?6 AND ?7 AND r.id BETWEEN ?1 AND ?2 {RECORD_SCOPE} ORDER BY r.size, r.id
FACTS_OF_KEY: {RECORD_NOW} WHERE f.id >> 44 = ?1 >> 44 AND f.key = ?5 AND +f.id BETWEEN ?1 AND ?2
	{RECORD_SCOPE} ORDER BY r.id
RECORDS_OF_MESSAGE: {RECORD_NOW} WHERE r.id IN (SELECT s.record FROM message m CROSS JOIN
	record_source s ON s.of = m.ulid WHERE m.id = ?5 AND +s.record BETWEEN ?1 AND ?2)
	{RECORD_SCOPE} ORDER BY r.id
SOURCES_OF: SELECT of, start, length FROM record_source WHERE record = :id AND record BETWEEN :lo
	AND :hi ORDER BY no
SOURCES_WAS: SELECT of, start, length FROM record_source_was WHERE record = :id AND record BETWEEN
	:lo AND :hi AND step = :step ORDER BY no
FACTS_ENDED_BY: SELECT r.ulid FROM fact f CROSS JOIN record r ON r.id = f.id WHERE f.superseded_by =
	:id AND +f.id BETWEEN :lo AND :hi ORDER BY f.id

-- ---- steps ----
of step
STEP_NEXT: SELECT coalesce(max(id), :lo) + 1 FROM step WHERE id BETWEEN :lo AND :hi
STEP_LATEST: SELECT s.time, i.ulid FROM step s JOIN step_id i ON i.step = s.id WHERE s.id >> 44 =
	:user ORDER BY s.time DESC, i.ulid DESC LIMIT 1
STEP_ID_PUT: INSERT INTO step_id (step, ulid) VALUES (?1, ?2) /* step is in the user's range */
-- all users: steps of before version 12, which have no names
STEP_NAMELESS: SELECT id, time FROM step WHERE id > ?1 AND id NOT IN (SELECT step FROM step_id)
	ORDER BY id LIMIT 1
STEP_LATER: UPDATE step SET time = ?2 WHERE id = ?1 /* id is in the user's range */
STEP_BY_ULID: SELECT step FROM step_id WHERE step >> 44 = :user AND ulid = :ulid
STEPS_IN_ORDER: SELECT s.id, s.time, s.did, s.agent, s.why, 0, 1, i.ulid, (SELECT u.ulid FROM step o
	JOIN step_id u ON u.step = o.id WHERE o.undone = s.id) FROM step s JOIN step_id i ON i.step
	= s.id WHERE s.id >> 44 = ?1 AND s.time >= ?2 AND (s.time > ?2 OR i.ulid > ?3) ORDER BY
	s.time, i.ulid LIMIT ?4 /* the user's */
CHANGES_IN_ORDER: SELECT c.record, coalesce(r.ulid, (SELECT w.ulid FROM record_was w WHERE w.id =
	c.record LIMIT 1)) FROM step_change c LEFT JOIN record r ON r.id = c.record WHERE c.step =
	?1 AND +c.record BETWEEN ?2 AND ?3 ORDER BY 2
CHANGE_AFTER: SELECT c.step, c.existed FROM step_change c CROSS JOIN step s ON s.id = c.step JOIN
	step_id i ON i.step = s.id WHERE c.record = ?1 AND (s.time > ?2 OR (s.time = ?2 AND i.ulid >
	?3)) ORDER BY s.time, i.ulid LIMIT 1 /* record is in the user's range */
CHANGE_EXISTED: UPDATE step_change SET existed = ?3 WHERE record = ?1 AND step = ?2 /* record is in
	the user's range */
STEP_IDS_FORGET: DELETE FROM step_id WHERE step IN (SELECT step FROM step_change WHERE record IN
	{GIVEN_ROWS}) AND step BETWEEN ?2 AND ?3 AND step NOT IN (SELECT id FROM step)
STEP_PUT: INSERT INTO step (id, time, did, agent, why) VALUES (:id, :time, :did, :agent, :why) /* id
	is in the user's range */
STEP_GET: SELECT id, time, did, agent, why, coalesce(undone, 0), 1 FROM step WHERE id = ?5 AND id
	BETWEEN ?1 AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3)
STEP_LAST: SELECT id, time, did, agent, why, 0, 1 FROM step WHERE id BETWEEN ?1 AND ?2 AND (?3 < 0
	OR agent IS NULL OR agent = ?3) AND undone IS NULL AND did <> 4 ORDER BY id DESC LIMIT 1
STEP_UNDONE: UPDATE step SET undone = :by WHERE id = :id AND id BETWEEN :lo AND :hi
-- if two steps took it back, the later one counts
STEP_UNDONE_BY: UPDATE step SET undone = ?1 WHERE id = ?2 AND id BETWEEN ?3 AND ?4 AND (undone IS
	NULL OR (SELECT s.time < n.time OR (s.time = n.time AND i.ulid < j.ulid) FROM step s JOIN
	step_id i ON i.step = s.id, step n JOIN step_id j ON j.step = n.id WHERE s.id = step.undone
	AND n.id = ?1))
STEPS: SELECT id, time, did, agent, why, coalesce(undone, 0), 1 FROM step WHERE id > ?5 AND id
	BETWEEN ?1 AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3) ORDER BY id LIMIT ?6
STEPS_OF: SELECT s.id, s.time, s.did, s.agent, s.why, coalesce(s.undone, 0), c.existed FROM
	step_change c CROSS JOIN step s ON s.id = c.step WHERE c.record = ?7 AND c.step > ?5 AND
	s.id BETWEEN ?1 AND ?2 AND (?3 < 0 OR s.agent IS NULL OR s.agent = ?3) ORDER BY c.step LIMIT
	?6
CHANGE_HAS: SELECT 1 FROM step_change WHERE record = ?1 AND step = ?2 /* record is in the user's
	range */
CHANGE_PUT: INSERT INTO step_change (record, step, existed) VALUES (?1, ?2, ?3) /* record is in the
	user's range */
CHANGES_OF: SELECT record, existed FROM step_change WHERE step = :step AND +record BETWEEN :lo AND
	:hi ORDER BY record
CHANGE_LATER: SELECT 1 FROM step_change c CROSS JOIN step s ON s.id = c.step JOIN step_id i ON
	i.step = s.id, (SELECT time, ulid FROM step JOIN step_id ON step = id WHERE id = ?2) o WHERE
	c.record = ?1 AND (s.time > o.time OR (s.time = o.time AND i.ulid > o.ulid)) AND s.did <> 4
	AND s.undone IS NULL LIMIT 1 /* record is in the user's range */
CHANGES_FORGET: DELETE FROM step_change WHERE record IN {GIVEN_ROWS} AND record BETWEEN ?2 AND ?3
STEPS_FORGET: DELETE FROM step WHERE id IN (SELECT step FROM step_change WHERE record IN
	{GIVEN_ROWS}) AND id BETWEEN ?2 AND ?3 AND NOT EXISTS (SELECT 1 FROM step_change c WHERE
	c.step = step.id AND c.record NOT IN {GIVEN_ROWS})
FACT_UNEND: UPDATE fact SET superseded_by = NULL WHERE superseded_by IN (SELECT ulid FROM record
	WHERE id IN {GIVEN_ROWS}) AND id BETWEEN ?2 AND ?3
FACT_UNEND_WAS: UPDATE fact_was SET superseded_by = NULL WHERE superseded_by IN {GIVEN_ULIDS} AND id
	BETWEEN ?2 AND ?3
FACT_UNSUM_WAS: UPDATE fact_was SET summarized = NULL WHERE summarized IN {GIVEN_ULIDS} AND id
	BETWEEN ?2 AND ?3
FACT_UNSUM: UPDATE fact SET summarized = NULL WHERE summarized IN (SELECT ulid FROM record WHERE id
	IN {GIVEN_ROWS}) AND id BETWEEN ?2 AND ?3
RECORD_KEEP: INSERT INTO record_was (step, id, {RECORD_OWN}) SELECT :step, id, {RECORD_OWN} FROM
	record WHERE id = :id AND id BETWEEN :lo AND :hi
FACT_KEEP: INSERT INTO fact_was (step, id, {FACT_OWN}) SELECT :step, id, {FACT_OWN} FROM fact WHERE
	id = :id AND id BETWEEN :lo AND :hi
SOURCES_KEEP: INSERT INTO record_source_was (step, record, no, of, start, length) SELECT :step,
	record, no, of, start, length FROM record_source WHERE record = :id AND record BETWEEN :lo
	AND :hi
RECORD_BACK: INSERT INTO record (id, {RECORD_OWN}) SELECT id, {RECORD_OWN} FROM record_was WHERE
	step = :step AND id = :id AND id BETWEEN :lo AND :hi
FACT_BACK: INSERT INTO fact (id, {FACT_OWN}) SELECT id, {FACT_OWN} FROM fact_was WHERE step = :step
	AND id = :id AND id BETWEEN :lo AND :hi
SOURCES_BACK: INSERT INTO record_source (record, no, of, start, length) SELECT record, no, of,
	start, length FROM record_source_was WHERE step = :step AND record = :id AND record BETWEEN
	:lo AND :hi
RECORD_FORGET: DELETE FROM record_was WHERE id IN {GIVEN_ROWS} AND id BETWEEN ?2 AND ?3
FACT_FORGET: DELETE FROM fact_was WHERE id IN {GIVEN_ROWS} AND id BETWEEN ?2 AND ?3
SOURCES_FORGET: DELETE FROM record_source_was WHERE record IN {GIVEN_ROWS} AND record BETWEEN ?2 AND
	?3
-- a record as it was before a step
RECORD_WAS: {RECORD_WAS} {RECORD_OF_ROW} AND r.step = ?6
RECORDS_GONE: SELECT r.id, r.step FROM record_was r WHERE r.id BETWEEN ?1 AND ?2 {RECORD_SCOPE} AND
	(?5 IS NULL OR r.session = ?5) AND NOT EXISTS (SELECT 1 FROM record n WHERE n.id = r.id)
	ORDER BY r.id, r.step
RECORD_VERSIONS: SELECT r.id, r.step FROM record_was r WHERE r.id = ?5 AND r.id BETWEEN ?1 AND ?2
	{RECORD_SCOPE} ORDER BY r.step
-- all users: an id is one record's
RECORD_ROW: SELECT id FROM record WHERE ulid = ?1 UNION ALL SELECT id FROM record_was WHERE ulid =
	?1 LIMIT 1
RECORD_ID: SELECT ulid FROM record WHERE id = ?1 AND id BETWEEN ?2 AND ?3 UNION ALL SELECT ulid FROM
	record_was WHERE id = ?1 AND id BETWEEN ?2 AND ?3 LIMIT 1
RECORD_MOVE: UPDATE record_was SET step = ?1 WHERE id = ?2 AND step = ?3 /* id is in the user's
	range */
FACT_MOVE: UPDATE fact_was SET step = ?1 WHERE id = ?2 AND step = ?3 /* id is in the user's range */
SOURCES_MOVE: UPDATE record_source_was SET step = ?1 WHERE record = ?2 AND step = ?3 /* record is in
	the user's range */
RECORD_WAS_DROP: DELETE FROM record_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi
FACT_WAS_DROP: DELETE FROM fact_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi
SOURCES_WAS_DROP: DELETE FROM record_source_was WHERE step = :step AND record = :id AND record
	BETWEEN :lo AND :hi
ACCESS_IN_ORDER: SELECT r.ulid, a.accessed, a.accesses FROM record r CROSS JOIN record_access a ON
	a.id = r.id WHERE r.ulid > ?1 AND r.id BETWEEN ?2 AND ?3 ORDER BY r.ulid LIMIT ?4
ACCESS_LESS: SELECT CASE WHEN a.accessed > ?2 OR a.accesses > ?3 THEN 1 ELSE 0 END FROM record r
	LEFT JOIN record_access a ON a.id = r.id WHERE r.ulid = ?1 AND +r.id BETWEEN ?4 AND ?5 AND
	NOT (a.id IS NOT NULL AND a.accessed >= ?2 AND a.accesses >= ?3)
ACCESS_PUT: INSERT INTO record_access (id, accessed, accesses, change) SELECT id, ?2, ?3, ?6 FROM
	record WHERE ulid = ?1 AND +id BETWEEN ?4 AND ?5 ON CONFLICT (id) DO UPDATE SET accessed =
	max(record_access.accessed, excluded.accessed), accesses = max(record_access.accesses,
	excluded.accesses), change = excluded.change

-- ---- what goes ----
of rows
PRUNABLE: SELECT r.id, r.protected, f.importance, coalesce(a.accessed, r.stored), r.content, r.ulid,
	CASE WHEN r.retracted IS NOT NULL OR f.summarized IS NOT NULL OR f.valid_to <= ?4 THEN 1
	ELSE 0 END, r.origin FROM fact f CROSS JOIN record r ON r.id = f.id LEFT JOIN record_access
	a ON a.id = f.id WHERE f.id BETWEEN ?1 AND ?2 ORDER BY f.id LIMIT ?3
PRUNABLE_ID: SELECT ulid FROM record WHERE id = :id AND id BETWEEN :lo AND :hi
FACT_GUARDED: SELECT protected FROM record WHERE id = :id AND id BETWEEN :lo AND :hi AND type = 1
FACTS_COUNT: SELECT count(*) FROM fact WHERE id BETWEEN :lo AND :hi
-- what rests on turns, and summaries of their session: what these list is of all of its turns
SESSION_RECORDS: SELECT s.record FROM message m CROSS JOIN record_source s ON s.of = m.ulid WHERE
	m.id BETWEEN ?1 AND ?2 AND s.record BETWEEN ?3 AND ?4 UNION SELECT r.id FROM session e CROSS
	JOIN record r ON r.session = e.name WHERE e.id = ?1 >> 20 AND r.type = 2 AND r.sort = 0 AND
	r.id BETWEEN ?3 AND ?4 ORDER BY 1
RECORDS_ON: SELECT s.record FROM record r CROSS JOIN record_source s ON s.of = r.ulid WHERE r.id =
	?1 AND s.record BETWEEN ?2 AND ?3 ORDER BY 1
RECORD_RESTS: SELECT m.id, o.id, typeof(s.of) = 'text' FROM record_source s LEFT JOIN message m ON
	m.ulid = s.of AND +m.id BETWEEN ?2 AND ?3 LEFT JOIN record o ON o.ulid = s.of AND +o.id
	BETWEEN ?2 AND ?3 WHERE s.record = ?1 ORDER BY s.no
RECORD_KIND: SELECT type, protected, ulid, tags FROM record WHERE id = ?1 AND id BETWEEN ?2 AND ?3
SESSION_OLD_MESSAGES: SELECT id FROM message WHERE id BETWEEN :lo AND :hi ORDER BY id
MESSAGES_DELETE: DELETE FROM message WHERE id BETWEEN :lo AND :hi
CHUNKS_DELETE: DELETE FROM chunk WHERE message BETWEEN :lo AND :hi
CARDS_DELETE: DELETE FROM card WHERE id BETWEEN :lo AND :hi
SESSION_DELETE: DELETE FROM session WHERE user = :user AND id = :id
-- at most three passes over the messages; none for a kind of name that the user does not have
LABEL_NUMBERS: SELECT no FROM label WHERE user = :user AND kind = :kind ORDER BY no LIMIT :most
SPEAKERS_BORNE: {BEARERS speaker}
AGENTS_BORNE: {BEARERS agent}
PROJECTS_BORNE: {BEARERS project}
SPEAKERS_DELETE: DELETE FROM label WHERE user = ?1 AND kind = 1 AND no NOT IN (SELECT speaker FROM
	message WHERE id BETWEEN ?2 AND ?3 AND speaker IS NOT NULL)
AGENTS_DELETE: {UNBORNE 2 | agent | {BORNE step | agent} {BORNE record_was | agent} {BORNE record |
	agent}}
PROJECTS_DELETE: {UNBORNE 3 | project | {BORNE record_was | project} {BORNE record | project}}
PROJECTS_WAS_DELETE: DELETE FROM label WHERE user = ?1 AND kind = 4 AND (no & 65535) NOT IN (SELECT
	no FROM label WHERE user = ?1 AND kind = 3)
VBOX_DELETE: DELETE FROM vector_done WHERE kind = 0 AND box BETWEEN :lo AND :hi
VBOX_TODOS_DELETE: DELETE FROM vector_todo WHERE kind = 0 AND row BETWEEN :lo AND :hi

-- ---- categories ----
of category
CATEGORIES: SELECT c.id, c.root, c.ulid, c.name, c.keywords, c.created, c.updated, (SELECT count(*)
	FROM category_member m WHERE m.category = c.id) FROM category c WHERE c.id BETWEEN :lo AND
	:hi ORDER BY c.root, c.ulid
CATEGORY_ROW: SELECT id FROM category WHERE ulid = :ulid AND id BETWEEN :lo AND :hi
MEMBER_MESSAGES: SELECT m.ulid, k.kind, c.ulid FROM message m CROSS JOIN category_member k ON k.row
	= m.id AND k.kind = 0 JOIN category c ON c.id = k.category WHERE m.ulid > ?1 AND m.id
	BETWEEN ?2 AND ?3 ORDER BY m.ulid LIMIT ?4
MEMBER_RECORDS: SELECT r.ulid, k.kind, c.ulid FROM record r CROSS JOIN category_member k ON k.row =
	r.id AND k.kind = r.type JOIN category c ON c.id = k.category WHERE r.ulid > ?1 AND r.id
	BETWEEN ?2 AND ?3 ORDER BY r.ulid LIMIT ?4
MEMBER_OF: SELECT category FROM category_member WHERE row = ?1 AND kind = ?2 /* row is in the user's
	range */
CATEGORY_NEXT: INSERT INTO category_run (user, time, runs, next) VALUES (:user, 0, 0, 2) ON CONFLICT
	(user) DO UPDATE SET next = category_run.next + 1 RETURNING next - 1
CATEGORY_PUT: INSERT INTO category (id, root, created, updated, ulid, name, keywords) VALUES (?1,
	?2, ?3, ?4, ?5, ?6, ?7) /* id is in the user's range */
CATEGORY_CHANGE: UPDATE category SET updated = ?4, name = ?5, keywords = ?6 WHERE id = ?1 AND id
	BETWEEN ?2 AND ?3
CATEGORY_DROP: DELETE FROM category WHERE id = :id AND id BETWEEN :lo AND :hi
CATEGORY_RUNS: SELECT time, runs FROM category_run WHERE user = :user AND runs > 0
CATEGORY_RAN: INSERT INTO category_run (user, time, runs, next) VALUES (:user, :now, 1, 1) ON
	CONFLICT (user) DO UPDATE SET time = excluded.time, runs = category_run.runs + 1
MEMBERS: SELECT row, kind, category FROM category_member WHERE row BETWEEN :lo AND :hi ORDER BY row,
	kind
MEMBERS_OF: SELECT row, kind, category FROM category_member WHERE category = ?3 AND +row BETWEEN ?1
	AND ?2 ORDER BY row, kind
MEMBER_PUT: INSERT OR REPLACE INTO category_member (row, kind, category) VALUES (?1, ?2, ?3) /* row
	is in the user's range */
MEMBER_DROP: DELETE FROM category_member WHERE row = ?1 AND kind = ?2 /* row is in the user's range
	*/
MEMBERS_DROP: DELETE FROM category_member WHERE category = :id AND +row BETWEEN :lo AND :hi
MESSAGES_UNNAME: UPDATE category SET {CATEGORY_UNNAME} WHERE id IN (SELECT category FROM
	category_member WHERE row BETWEEN ?1 AND ?2 AND kind = 0)
MESSAGES_LEAVE: DELETE FROM category_member WHERE row BETWEEN ?1 AND ?2 AND kind = 0
RECORDS_UNNAME: UPDATE category SET {CATEGORY_UNNAME} WHERE id IN (SELECT category FROM
	category_member WHERE row IN {GIVEN_ROWS} AND kind <> 0) AND id BETWEEN ?2 AND ?3
RECORDS_LEAVE: DELETE FROM category_member WHERE row IN {GIVEN_ROWS} AND row BETWEEN ?2 AND ?3 AND
	kind <> 0
CATEGORIES_EMPTIED: UPDATE category SET name = '', keywords = '[]' WHERE id BETWEEN :lo AND :hi AND
	NOT EXISTS (SELECT 1 FROM category_member m WHERE m.category = category.id)

-- ---- profiles ----
of profile
PROFILE: SELECT id, field, value, updated FROM profile WHERE id BETWEEN :lo AND :hi ORDER BY id
PROFILE_CONSENT: SELECT consent, time FROM profile_user WHERE user = :user
PROFILE_SET_CONSENT: INSERT INTO profile_user (user, consent, time, next) VALUES (:user, :consent,
	:now, 1) ON CONFLICT (user) DO UPDATE SET consent = excluded.consent, time = excluded.time
PROFILE_NEXT: INSERT INTO profile_user (user, consent, time, next) VALUES (:user, 0, 0, 2) ON
	CONFLICT (user) DO UPDATE SET next = profile_user.next + 1 RETURNING next - 1
PROFILE_PUT: INSERT INTO profile (id, updated, field, value) VALUES (?1, ?2, ?3, ?4) /* id is in the
	user's range */
PROFILE_DELETE: DELETE FROM profile WHERE id = :id AND id BETWEEN :lo AND :hi
