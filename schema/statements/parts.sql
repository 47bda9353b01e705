-- parts.sql: what many statements share (lib/store/sql/statements.awk has the grammar).

let MESSAGE_INSERT: INSERT INTO message ({MESSAGE_COLUMNS} ) VALUES ({MESSAGE_PARAMETERS}) /* id is
	in the user's range */
let SESSION_COLUMNS: id, name, part, title, system_prompt, metadata, agent, project, created,
	updated, turns, told
-- What the index session_time is of.
let SESSION_TIME: coalesce(updated, created, -9223372036854775808)
let SESSION_TIMES: SELECT id, {SESSION_TIME} FROM session INDEXED BY session_time WHERE user = ?1
	AND {SESSION_TIME}
let SESSION_STATE: id, turns, assistants, speaker, speakers, created, updated, part, agent, project
let IN_SCOPE: AND (:agent < 0 OR agent IS NULL OR agent = :agent) AND (:project < 0 OR project =
	:project)
let FILTERED: {IN_SCOPE} AND (:role < 0 OR role = :role) AND (:speaker < 0 OR speaker = :speaker)
	AND trust >= :trust AND (:since IS NULL OR time >= :since) AND (:until IS NULL OR time <
	:until)
-- Facts, summaries and reflections, as they are and as they were.
let RECORD_OWN: type, ulid, source, agent, project, session, time, stored, origin, trust, size,
	sha256, content, tags, extra, protected, retracted, sort, first, last, model, structured
let FACT_OWN: key, bank, category, subcategory, kind, importance, confidence, valid_from, valid_to,
	superseded_by, summarized
let RECORD_READ: SELECT r.id, r.type, r.ulid, r.source, r.agent, r.project, r.session, r.time,
	r.stored, r.origin, r.trust, r.sha256, r.content, r.tags, r.extra, r.protected, r.retracted,
	f.key, f.bank, f.category, f.subcategory, f.kind, f.importance, f.confidence, f.valid_from,
	f.valid_to, f.superseded_by, f.summarized,
let RECORD_SUMMARY: r.sort, r.first, r.last, r.model, r.structured,
-- The name of the category into which mem-cluster has put a record; none if the category has lost
-- its name.
let RECORD_CATEGORY: (SELECT nullif(c.name, '') FROM category_member m JOIN category c ON c.id =
	m.category WHERE m.row = r.id AND m.kind = r.type)
-- Words of a category that are not a person's own go; what a person did to it stays.
let CATEGORY_UNNAME: name = CASE WHEN keywords LIKE '{"named%' THEN name ELSE '' END, keywords =
	CASE WHEN keywords LIKE '{"named%' THEN '{"named":[]}' WHEN keywords LIKE '{"kept%' THEN
	'{"kept":[]}' WHEN keywords LIKE '{"dropped%' THEN '{"dropped":[]}' ELSE '[]' END
let RECORD_NOW: {RECORD_READ} 0, (SELECT accessed FROM record_access a WHERE a.id = r.id), (SELECT
	accesses FROM record_access a WHERE a.id = r.id), {RECORD_SUMMARY} {RECORD_CATEGORY} FROM
	record r LEFT JOIN fact f ON f.id = r.id
let RECORD_WAS: {RECORD_READ} r.step, NULL, NULL, {RECORD_SUMMARY} NULL FROM record_was r LEFT JOIN
	fact_was f ON f.id = r.id AND f.step = r.step
let RECORD_SCOPE: AND (?3 < 0 OR r.agent IS NULL OR r.agent = ?3) AND (?4 < 0 OR r.project = ?4)
let HOW_MANY when: count(*) FILTER (WHERE {when})
let OF_TYPES: {HOW_MANY type = 1}, {HOW_MANY type = 2}, {HOW_MANY type = 3}
-- number, messages, sessions, records and the newest time of what column names
let COUNTED column: SELECT {column} AS number, count(*), count(DISTINCT session), 0, max(time) FROM
	message WHERE id BETWEEN ?1 AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3) AND (?4 < 0
	OR project = ?4) GROUP BY number
let COUNTED_RECORDS column: SELECT {column} AS number, 0, 0, count(*), max(coalesce(r.time,
	r.stored)) FROM record r WHERE r.id BETWEEN ?1 AND ?2 AND r.retracted IS NULL {RECORD_SCOPE}
	GROUP BY number
let RECORD_FILTERED: WHERE r.id BETWEEN ?1 AND ?2 AND r.type = ?5 {RECORD_SCOPE} AND (?6 IS NULL OR
	r.session = ?6) AND (?7 IS NULL OR f.key = ?7) AND (?8 IS NULL OR f.bank = ?8) AND (?9 < 0
	OR f.category = ?9) AND (?10 < 0 OR coalesce(f.kind, r.sort) = ?10) AND r.trust >= ?11 AND
	(?12 IS NULL OR r.time >= ?12) AND (?13 IS NULL OR r.time < ?13) AND (?14 IS NULL OR
	f.valid_from IS NULL OR f.valid_from <= ?14) AND (?15 IS NULL OR f.valid_to IS NULL OR
	f.valid_to > ?15) AND (?16 <> 0 OR r.retracted IS NULL) AND (?17 <> 0 OR f.summarized IS
	NULL) AND (?20 IS NULL OR coalesce(f.subcategory, {RECORD_CATEGORY} ) = ?20) AND (?21 IS
	NULL OR instr(r.tags, ?21) > 0) AND (?22 <= 0 OR f.importance >= ?22) AND (?23 = 0 OR
	r.protected <> 0) AND (?24 = 0 OR (r.origin = ?25) = (?24 = 2))
-- What was known at time ?19: for a record that was changed later, its rows before the first of
-- these changes.
let RECORD_KNOWN: {RECORD_NOW} {RECORD_FILTERED} {RECORD_UNCHANGED} UNION ALL {RECORD_WAS}
	{RECORD_FILTERED} {RECORD_BEFORE}
let CHANGES_SINCE time: FROM step_change c CROSS JOIN step s ON s.id = c.step JOIN step_id i ON
	i.step = s.id WHERE c.record = r.id AND s.time > {time}
let RECORD_UNCHANGED: AND NOT EXISTS (SELECT 1 {CHANGES_SINCE ?19})
let FIRST_SINCE time: AND EXISTS (SELECT 1 FROM step o JOIN step_id p ON p.step = o.id WHERE o.id =
	r.step AND o.time > {time} AND NOT EXISTS (SELECT 1 {CHANGES_SINCE {time}} AND (s.time <
	o.time OR (s.time = o.time AND i.ulid < p.ulid))))
let RECORD_BEFORE: {FIRST_SINCE ?19}
let RECORD_OF_ROW: WHERE r.id = ?5 AND +r.id BETWEEN ?1 AND ?2 {RECORD_SCOPE}
-- ?1: rows as a JSON array, so that one statement removes many.
let GIVEN_ROWS: (SELECT value FROM json_each(?1))
let GIVEN_ULIDS: (SELECT ulid FROM record WHERE id IN {GIVEN_ROWS} UNION ALL SELECT ulid FROM
	record_was WHERE id IN {GIVEN_ROWS})
let RECORD_TEXT: SELECT r.id, r.content
-- Fields of profiles that may be used.
let VPROFILE: profile p JOIN profile_user u ON u.user = p.id >> 44 WHERE u.consent = 1
let VSET: SELECT no, name, sha256, dims, unrelated, centre, current FROM vector_set
-- A message has a vector for each chunk, or one if it is not cut or is one piece; a system
-- message, or one without content, has none. Only a message with tool calls can have tokens
-- without content, so only then is the content looked at, which may be long.
let VMESSAGE: m.role <> 2 AND m.tokens > 0 AND coalesce(m.chunks, 1) > 0 AND (m.tool_calls IS NULL
	OR m.content <> '')
let VMESSAGE_PARTS: min(coalesce(m.chunks, 1), 65535)
let VMESSAGE_COLUMNS: SELECT m.id, m.chunks, m.speaker, m.content
let VSTRAY: NOT EXISTS (SELECT 1 FROM vector_user u WHERE u.user = p.id >> 44 AND u.vset = (p.id >>
	28 & 65535))
let VUNSORTED: NOT EXISTS (SELECT 1 FROM vector_cells c WHERE c.user = p.id >> 44 AND c.vset = (p.id
	>> 28 & 65535))
let OF_SESSION: FROM message WHERE id BETWEEN s.id << 20 AND (s.id << 20) + 1048575
-- Names of a kind that nothing bears any more.
let BORNE table column: SELECT {column} FROM {table} WHERE id BETWEEN ?2 AND ?3 AND {column} IS NOT
	NULL UNION ALL
let UNBORNE kind column more: DELETE FROM label WHERE user = ?1 AND kind = {kind} AND no NOT IN
	({more} SELECT {column} FROM session WHERE user = ?1 AND {column} IS NOT NULL UNION ALL
	SELECT {column} FROM message WHERE id BETWEEN ?2 AND ?3 AND {column} IS NOT NULL)
let BEARERS column: SELECT {column} FROM message WHERE id BETWEEN :lo AND :hi AND {column} IS NOT
	NULL
let MOVED table: UPDATE {table} SET project = ?2 WHERE project = ?1 AND id BETWEEN ?3 AND ?4
