-- messages.sql: statements on sessions and messages.

-- ---- sessions ----
of session
SESSION_LAST: SELECT {SESSION_STATE} FROM session WHERE user = :user AND name = :name ORDER BY part
	DESC LIMIT 1
SESSION_BY_ID: SELECT {SESSION_STATE} FROM session WHERE user = :user AND id = :id
SESSION_NEXT: SELECT coalesce(max(id), :user << 24) + 1 FROM session WHERE id BETWEEN :user << 24
	AND ((:user + 1) << 24) - 1
SESSION_PUT: INSERT INTO session (id, user, name, part) VALUES (:id, :user, :name, :part)
SESSION_COUNTS: UPDATE session SET turns = :turns, assistants = :assistants, speaker = :speaker,
	speakers = :speakers, created = :created, updated = :updated, agent = :agent, project =
	:project WHERE user = :user AND id = :id
SESSION_ABOUT: UPDATE session SET title = coalesce(:title, title), system_prompt = coalesce(:prompt,
	system_prompt), metadata = coalesce(:metadata, metadata), told = :now WHERE user = :user AND
	id = :id AND (coalesce(:title, title) IS NOT title OR coalesce(:prompt, system_prompt) IS
	NOT system_prompt OR coalesce(:metadata, metadata) IS NOT metadata)
SESSION_TELL: UPDATE session SET title = :title, system_prompt = :prompt, metadata = :metadata, told
	= :told WHERE user = :user AND id = :id
-- "+" keeps the database from using the index of names, whose rows it would have to sort for
-- every page
SESSIONS: SELECT {SESSION_COLUMNS} FROM session NOT INDEXED WHERE user = :user AND id > max(:after,
	(:user << 24) - 1) AND id < (:user + 1) << 24 AND part = 0 {IN_SCOPE} ORDER BY id LIMIT
	:limit
SESSION_ROW: SELECT {SESSION_COLUMNS} FROM session WHERE user = :user AND id = :id {IN_SCOPE}
SESSIONS_SAME_UP: {SESSION_TIMES} = ?2 AND id > ?3 ORDER BY id LIMIT ?4
SESSIONS_SAME_DOWN: {SESSION_TIMES} = ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4
SESSIONS_TIME_UP: {SESSION_TIMES} > ?2 ORDER BY {SESSION_TIME}, id LIMIT ?4
SESSIONS_TIME_DOWN: {SESSION_TIMES} < ?2 ORDER BY {SESSION_TIME} DESC, id DESC LIMIT ?4
SESSION_PARTS: SELECT {SESSION_COLUMNS} FROM session WHERE user = :user AND name = :name ORDER BY
	part
SESSION_CALLED: SELECT 1 FROM session WHERE user = :user AND (name = :name OR (name > :name || ':'
	AND name < :name || ';')) LIMIT 1
SESSION_WITH: SELECT s.name FROM session s WHERE s.user = :user AND s.part = 0 AND
	coalesce(s.created, (-9223372036854775807 - 1)) <= :to AND coalesce(s.updated, s.created,
	(-9223372036854775807 - 1)) >= :from AND EXISTS (SELECT 1 FROM message m WHERE m.session =
	s.id AND m.source = :source) LIMIT 1
SESSION_UNTITLE: UPDATE session SET title = NULL, told = :now WHERE user = :user AND name = :name
SESSIONS_IN_ORDER: SELECT id FROM session WHERE user = :user AND part = 0 ORDER BY coalesce(created,
	updated, -9223372036854775808), name
SESSION_TEXTS: SELECT title, system_prompt, metadata, told FROM session WHERE user = :user AND name
	= :name AND part = 0
SESSION_MESSAGES: SELECT count(*) FROM message WHERE session = :session AND session BETWEEN :lo >>
	20 AND :hi >> 20
SESSION_NAME: SELECT name, part FROM session WHERE user = :user AND id = :id

-- ---- messages ----
of message
MESSAGE_PUT: {MESSAGE_INSERT} ON CONFLICT (session, source) DO NOTHING
-- for a message that is known to be new, so that no answer is waited for
MESSAGE_PUT_NEW: {MESSAGE_INSERT}
MESSAGE_DUPLICATE: SELECT id, ulid, stored, tokens, sha256 FROM message WHERE source = :source AND
	session = :session /* the user's */
MESSAGE_DUPLICATE_PARTS: SELECT id, ulid, stored, tokens, sha256 FROM message WHERE source = :source
	AND session BETWEEN :lo AND :hi AND session IN (SELECT id FROM session WHERE user = :user
	AND name = :name)
MESSAGE_BY_ROW: SELECT {MESSAGE_COLUMNS} FROM message WHERE id = :id AND id BETWEEN :lo AND :hi
	{IN_SCOPE}
MESSAGE_TEXT: SELECT content FROM message WHERE id = :id AND id BETWEEN :lo AND :hi
MESSAGE_BY_ULID: SELECT {MESSAGE_COLUMNS} FROM message WHERE ulid BETWEEN :from AND :to AND +id
	BETWEEN :lo AND :hi {IN_SCOPE} LIMIT 2
MESSAGE_BY_ALIAS: SELECT {MESSAGE_COLUMNS} FROM message WHERE id IN (SELECT row FROM message_alias
	WHERE ulid BETWEEN :from AND :to) AND +id BETWEEN :lo AND :hi {IN_SCOPE} LIMIT 2
MESSAGE_BY_SOURCE: SELECT {MESSAGE_COLUMNS} FROM message WHERE source = :source AND session IN
	(SELECT id FROM session WHERE id BETWEEN :lo >> 20 AND :hi >> 20) {IN_SCOPE} ORDER BY
	session LIMIT 2
-- all users: an id is one message's
MESSAGE_ROW: SELECT id FROM message WHERE ulid = ?1
MESSAGE_ULIDS: SELECT ulid FROM message WHERE +id BETWEEN ?1 AND ?2
COUNT_PROJECTS: {COUNTED coalesce(project, 0)}
-- of a tool (3) the name is no person's
COUNT_PEOPLE: {COUNTED CASE WHEN role = 3 THEN 0 ELSE coalesce(speaker, 0) END}
COUNT_AGENTS: {COUNTED coalesce(agent, 0)}
COUNT_TOPICS: SELECT c.category, sum(CASE WHEN c.kind = 0 THEN 1 ELSE 0 END), 0, sum(CASE WHEN
	c.kind = 0 THEN 0 ELSE 1 END), max(coalesce(m.time, r.time, r.stored)) FROM category_member
	c LEFT JOIN message m ON c.kind = 0 AND m.id = c.row LEFT JOIN record r ON c.kind <> 0 AND
	r.id = c.row WHERE c.row BETWEEN ?1 AND ?2 AND (?3 < 0 OR coalesce(m.agent, r.agent, ?3) =
	?3) AND (?4 < 0 OR coalesce(m.project, r.project) = ?4) GROUP BY c.category
COUNT_ALL: {COUNTED 0}
COUNT_PROJECTS_OF: {COUNTED_RECORDS coalesce(r.project, 0)}
COUNT_AGENTS_OF: {COUNTED_RECORDS coalesce(r.agent, 0)}
COUNT_ALL_OF: {COUNTED_RECORDS 0}
TURN_PUT: INSERT OR REPLACE INTO message_turn (row, turn) VALUES (?1, ?2) /* row is in the user's
	range */
TURN_OF: SELECT turn FROM message_turn WHERE row = :id AND row BETWEEN :lo AND :hi
TURNS_ANY: SELECT 1 FROM message_turn WHERE row BETWEEN :lo AND :hi LIMIT 1
ALIAS_PUT: INSERT OR REPLACE INTO message_alias (ulid, row) VALUES (?1, ?2) /* row is in the user's
	range */
ALIAS_OF: SELECT m.ulid FROM message_alias a JOIN message m ON m.id = a.row WHERE a.ulid = ?3 AND
	+a.row BETWEEN ?1 AND ?2
ALIASES_DELETE: DELETE FROM message_alias WHERE row BETWEEN :lo AND :hi
MESSAGE_RENAME: UPDATE message SET ulid = ?1, stored = ?2 WHERE id = ?3 AND id BETWEEN ?4 AND ?5
SOURCES_RENAME: UPDATE record_source SET of = ?1 WHERE of = ?2 AND +record BETWEEN ?3 AND ?4
SOURCES_WAS_RENAME: UPDATE record_source_was SET of = ?1 WHERE of = ?2 AND +record BETWEEN ?3 AND ?4
TURNS_DELETE: DELETE FROM message_turn WHERE row BETWEEN :lo AND :hi
MESSAGES_UP: SELECT {MESSAGE_COLUMNS} FROM message WHERE id BETWEEN :lo AND :hi {FILTERED} ORDER BY
	id LIMIT :limit
MESSAGES_DOWN: SELECT {MESSAGE_COLUMNS} FROM message WHERE id BETWEEN :lo AND :hi {FILTERED} ORDER
	BY id DESC LIMIT :limit

-- ---- chunks ----
of chunk
CHUNK_PUT: INSERT OR REPLACE INTO chunk (message, no, kind, language, start, length, tokens) VALUES
	(?1, ?2, ?3, ?4, ?5, ?6, ?7) /* message is in the user's range */
CHUNKS_OF: SELECT kind, language, start, length, tokens FROM chunk WHERE message = :id AND message
	BETWEEN :lo AND :hi ORDER BY no
CHUNKS_SET: UPDATE message SET chunks = :chunks WHERE id = :id AND id BETWEEN :lo AND :hi
CHUNKS_MISSING: SELECT id, content FROM message WHERE id BETWEEN :lo AND :hi AND chunks IS NULL
	ORDER BY id LIMIT :limit

-- ---- cards ----
of card
CARD_GET: SELECT cards FROM card WHERE id = :id /* id is in the user's range */
CARD_PUT: INSERT OR REPLACE INTO card (id, cards) VALUES (:id, :cards) /* id is in the user's range
	*/
CARDS_FROM: SELECT id, cards FROM card WHERE id BETWEEN :id AND :hi ORDER BY id
-- all users: derived; pages of 32 bytes a card
CARDS_LOOSE: SELECT id FROM card WHERE id > :after AND length(cards) % 32 = 0 ORDER BY id LIMIT 1

-- ---- lists of work ----
of work
WORK_GET: SELECT items FROM work WHERE id = :id /* id is in the user's range */
WORK_PUT: INSERT OR REPLACE INTO work (id, items) VALUES (:id, :items) /* id is in the user's range
	*/
WORK_DELETE: DELETE FROM work WHERE id BETWEEN :lo AND :hi
WORK_PAGES: SELECT id, items FROM work WHERE id BETWEEN :lo AND :hi ORDER BY id
-- all users: a check, which shows no content
WORK_ALL: SELECT id, items FROM work ORDER BY id
