/*
 * stmt.c: the text of every statement. A statement on a user's data names the user, or a range of
 * rows inside the user's (:lo to :hi). The few that go over all users are marked; they only check,
 * rebuild or count.
 *
 * "+id BETWEEN :lo AND :hi" stands where another condition finds the rows: without the plus, which
 * an index does not fit, PostgreSQL would go through all of the user's rows as long as it has no
 * figures of the table.
 */
#include "store/sql/stmt.h"

#include "store/sql/message_columns.h"

#define MESSAGE_INSERT \
	"INSERT INTO message (" MESSAGE_COLUMNS ") VALUES (" MESSAGE_PARAMETERS \
	") /* id is in the user's range */ "
#define SESSION_COLUMNS \
	"id, name, part, title, system_prompt, metadata, agent, project, created, updated, " \
	"turns, told "
/* What the index session_time is of. */
#define SESSION_TIME "coalesce(updated, created, -9223372036854775808)"
#define SESSION_TIMES \
	"SELECT id, " SESSION_TIME \
	" FROM session INDEXED BY session_time WHERE user = ?1 AND " SESSION_TIME " "
#define SESSION_STATE \
	"id, turns, assistants, speaker, speakers, created, updated, part, agent, project "
#define IN_SCOPE \
	"AND (:agent < 0 OR agent IS NULL OR agent = :agent) AND (:project < 0 OR project = " \
	":project) "
#define FILTERED \
	IN_SCOPE \
	"AND (:role < 0 OR role = :role) AND (:speaker < 0 OR speaker = :speaker) AND trust >= " \
	":trust " \
	"AND (:since IS NULL OR time >= :since) AND (:until IS NULL OR time < :until) "

/* Facts, summaries and reflections, as they are and as they were. */
#define RECORD_OWN \
	"type, ulid, source, agent, project, session, time, stored, origin, trust, size, sha256, " \
	"content, tags, extra, protected, retracted, " \
	"sort, first, last, model, structured"
#define FACT_OWN \
	"key, bank, category, subcategory, kind, importance, confidence, valid_from, valid_to, " \
	"superseded_by, summarized"
#define RECORD_READ \
	"SELECT r.id, r.type, r.ulid, r.source, r.agent, r.project, r.session, r.time, r.stored, " \
	"r.origin, r.trust, r.sha256, r.content, r.tags, " \
	"r.extra, r.protected, r.retracted, f.key, f.bank, f.category, f.subcategory, f.kind, " \
	"f.importance, f.confidence, f.valid_from, " \
	"f.valid_to, f.superseded_by, f.summarized, "
#define RECORD_SUMMARY "r.sort, r.first, r.last, r.model, r.structured, "
/*
 * The name of the category into which mem-cluster has put a record; none if the category has lost
 * its name.
 */
#define RECORD_CATEGORY \
	"(SELECT nullif(c.name, '') FROM category_member m JOIN category c ON c.id = m.category " \
	"WHERE m.row = r.id AND m.kind = r.type) "
#define RECORD_NOW \
	RECORD_READ \
	    "0, (SELECT accessed FROM record_access a WHERE a.id = r.id), (SELECT accesses FROM " \
	    "record_access a WHERE a.id = r.id), " RECORD_SUMMARY RECORD_CATEGORY \
	    "FROM record r LEFT JOIN fact f ON f.id = r.id "
#define RECORD_WAS \
	RECORD_READ \
	    "r.step, NULL, NULL, " RECORD_SUMMARY \
	    "NULL FROM record_was r LEFT JOIN fact_was f ON f.id = r.id AND f.step = r.step "
#define RECORD_SCOPE \
	"AND (?3 < 0 OR r.agent IS NULL OR r.agent = ?3) AND (?4 < 0 OR r.project = ?4) "
/* number, messages, sessions, records and the newest time of what column names */
#define COUNTED(column) \
	"SELECT " column " AS number, count(*), count(DISTINCT session), 0, max(time) FROM " \
	"message WHERE id BETWEEN ?1 AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3) AND " \
	"(?4 < 0 OR project = ?4) GROUP BY number"
#define COUNTED_RECORDS(column) \
	"SELECT " column " AS number, 0, 0, count(*), max(coalesce(r.time, r.stored)) FROM " \
	"record r WHERE r.id BETWEEN ?1 AND ?2 AND r.retracted IS NULL " RECORD_SCOPE \
	"GROUP BY number"
#define RECORD_FILTERED \
	"WHERE r.id BETWEEN ?1 AND ?2 AND r.type = ?5 " RECORD_SCOPE \
	"AND (?6 IS NULL OR r.session = ?6) AND (?7 IS NULL OR f.key = ?7) " \
	"AND (?8 IS NULL OR f.bank = ?8) AND (?9 < 0 OR f.category = ?9) AND (?10 < 0 OR " \
	"coalesce(f.kind, r.sort) = ?10) AND r.trust >= ?11 " \
	"AND (?12 IS NULL OR r.time >= ?12) AND (?13 IS NULL OR r.time < ?13) " \
	"AND (?14 IS NULL OR f.valid_from IS NULL OR f.valid_from <= ?14) AND (?15 IS NULL OR " \
	"f.valid_to IS NULL OR f.valid_to > ?15) " \
	"AND (?16 <> 0 OR r.retracted IS NULL) AND (?17 <> 0 OR f.summarized IS NULL) " \
	"AND (?20 IS NULL OR coalesce(f.subcategory, " RECORD_CATEGORY ") = ?20) " \
	"AND (?21 IS NULL OR instr(r.tags, ?21) > 0) AND (?22 <= 0 OR f.importance >= ?22) " \
	"AND (?23 = 0 OR r.protected <> 0) " \
	"AND (?24 = 0 OR (r.origin = ?25) = (?24 = 2)) "
/*
 * What was known at time ?19: for a record that was changed later, its rows before the first of
 * these changes.
 */
#define RECORD_KNOWN \
	RECORD_NOW RECORD_FILTERED RECORD_UNCHANGED \
	    "UNION ALL " RECORD_WAS RECORD_FILTERED RECORD_BEFORE
#define CHANGES_SINCE(time) \
	"FROM step_change c CROSS JOIN step s ON s.id = c.step JOIN step_id i ON i.step = s.id " \
	"WHERE c.record = r.id AND s.time > " time
#define RECORD_UNCHANGED "AND NOT EXISTS (SELECT 1 " CHANGES_SINCE("?19") ") "
#define FIRST_SINCE(time) \
	"AND EXISTS (SELECT 1 FROM step o JOIN step_id p ON p.step = o.id WHERE o.id = r.step " \
	"AND o.time > " time " AND NOT EXISTS (SELECT 1 " CHANGES_SINCE(time) \
	" AND (s.time < o.time OR (s.time = o.time AND i.ulid < p.ulid)))) "
#define RECORD_BEFORE FIRST_SINCE("?19")
#define RECORD_OF_ROW "WHERE r.id = ?5 AND +r.id BETWEEN ?1 AND ?2 " RECORD_SCOPE
/* ?1: rows as a JSON array, so that one statement removes many. */
#define GIVEN_ROWS "(SELECT value FROM json_each(?1))"
#define GIVEN_ULIDS \
	"(SELECT ulid FROM record WHERE id IN " GIVEN_ROWS \
	" UNION ALL SELECT ulid FROM record_was WHERE id IN " GIVEN_ROWS ") "
#define RECORD_TEXT "SELECT r.id, r.content "

/*
 * The records of a type that want a vector: those that have words. A box is 2^20 rows of records of
 * all types.
 */
#define VRECORD_BOXES(type) \
	"SELECT b.box, coalesce(d.done, 0) FROM (SELECT DISTINCT id >> 20 AS box FROM record " \
	"INDEXED BY record_size WHERE id >> 44 BETWEEN ?2 >> 24 AND ?3 >> 24 " \
	"AND type = " type " AND id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575) b LEFT JOIN " \
			   "vector_done d ON d.vset = ?1 AND d.kind = " type " AND d.box = b.box " \
	"WHERE EXISTS (SELECT 1 FROM record WHERE +type = " type \
	" AND id BETWEEN (b.box << 20) + coalesce(d.done, 0) AND (b.box << 20) + 1048575) " \
	"ORDER BY b.box LIMIT ?4"
#define VRECORD_RECORDS(type) \
	"SELECT r.id, 1, NULL, r.content FROM record r WHERE r.id BETWEEN ?2 AND ?3 AND r.type " \
	"= " type " AND NOT EXISTS (SELECT 1 FROM vector_todo " \
	"WHERE vset = ?1 AND kind = " type " AND row = r.id) ORDER BY r.id LIMIT ?4"
#define VRECORD_DUE(type) \
	"SELECT r.id, 1, NULL, r.content FROM vector_todo t CROSS JOIN record r ON r.id = t.row " \
	"WHERE t.vset = ?1 AND t.kind = " type " AND t.row BETWEEN ?2 AND ?3 AND r.type = " type \
	" AND t.due <= ?4 ORDER BY t.row LIMIT ?5"
#define VRECORD_ALL(type) \
	"SELECT id, 1 FROM record WHERE id BETWEEN :lo AND :hi AND type = " type " ORDER BY id"
#define VRECORD_SKIP(type) \
	"INSERT INTO vector_todo (vset, kind, row) SELECT ?1, " type \
	", id FROM record WHERE id BETWEEN ?2 AND ?3 AND type = " type " ON CONFLICT DO NOTHING"
#define VRECORD_COUNT(type) \
	"SELECT count(*) FROM record r INDEXED BY record_size LEFT JOIN vector_done d ON d.vset " \
	"= ?1 AND d.kind = " type " AND d.box = r.id >> 20 " \
	"WHERE r.id >> 44 BETWEEN ?2 >> 24 AND ?3 >> 24 AND r.id BETWEEN ?2 << 20 AND (?3 << 20) " \
	"+ 1048575 AND r.type = " type " AND (r.id & 1048575) >= coalesce(d.done, 0) " \
	"AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = " type \
	" AND row = r.id)"
#define VRECORD_COUNT_TODO(type) \
	"SELECT count(*) FROM vector_todo t CROSS JOIN record r ON r.id = t.row WHERE t.vset = " \
	"?1 AND t.kind = " type " AND t.row BETWEEN ?2 AND ?3 AND t.tries < ?4 AND r.type = " type

/* Fields of profiles that may be used. */
#define VPROFILE "profile p JOIN profile_user u ON u.user = p.id >> 44 WHERE u.consent = 1 "

#define VSET "SELECT no, name, sha256, dims, unrelated, centre, current FROM vector_set "
/*
 * A message has a vector for each chunk, or one if it is not cut or is one piece; a system message,
 * or one without content, has none. Only a message with tool calls can have tokens without content,
 * so only then is the content looked at, which may be long.
 */
#define VMESSAGE \
	"m.role <> 2 AND m.tokens > 0 AND coalesce(m.chunks, 1) > 0 AND (m.tool_calls IS NULL OR " \
	"m.content <> '') "
#define VMESSAGE_PARTS "min(coalesce(m.chunks, 1), 65535)"
#define VMESSAGE_COLUMNS "SELECT m.id, m.chunks, m.speaker, m.content "
#define VSTRAY \
	"NOT EXISTS (SELECT 1 FROM vector_user u WHERE u.user = p.id >> 44 AND u.vset = (p.id >> " \
	"28 & 65535)) "
#define VUNSORTED \
	"NOT EXISTS (SELECT 1 FROM vector_cells c WHERE c.user = p.id >> 44 AND c.vset = (p.id " \
	">> 28 & 65535)) "

#define OF_SESSION "FROM message WHERE id BETWEEN s.id << 20 AND (s.id << 20) + 1048575"

/* Names of a kind that nothing bears any more. */
#define BORNE(table, column) \
	"SELECT " column " FROM " table " WHERE id BETWEEN ?2 AND ?3 AND " column \
	" IS NOT NULL UNION ALL "
#define UNBORNE(kind, column, more) \
	"DELETE FROM label WHERE user = ?1 AND kind = " kind " AND no NOT IN (" more \
	"SELECT " column " FROM session WHERE user = ?1 AND " column " IS NOT NULL UNION ALL " \
	"SELECT " column " FROM message WHERE id BETWEEN ?2 AND ?3 AND " column " IS NOT NULL)"

#define BEARERS(column) \
	"SELECT " column " FROM message WHERE id BETWEEN :lo AND :hi AND " column " IS NOT NULL"

#define MOVED(table) \
	"UPDATE " table " SET project = ?2 WHERE project = ?1 AND id BETWEEN ?3 AND ?4"

const char *const stmt_sql[N_STMTS] = {
	[STMT_META_GET] = "SELECT value FROM meta WHERE name = :name",
	[STMT_META_PUT] = "INSERT INTO meta (name, value) VALUES (:name, :value) "
			  "ON CONFLICT (name) DO UPDATE SET value = excluded.value",

	/* ---- names ---- */
	[STMT_USER_GET] = "SELECT no FROM user WHERE name = :user",
	[STMT_USER_PUT] = "INSERT INTO user (name) VALUES (:user) RETURNING no",
	/* all users: for rebuilding what is derived */
	[STMT_USERS] = "SELECT no FROM user ORDER BY no",
	[STMT_LABEL_GET] =
	    "SELECT no FROM label WHERE user = :user AND kind = :kind AND text = :text",
	[STMT_LABEL_TEXT] =
	    "SELECT text FROM label WHERE user = :user AND kind = :kind AND no = :no",
	[STMT_LABEL_NEXT] =
	    "SELECT coalesce(max(no), 0) + 1 FROM label WHERE user = :user AND kind = :kind",
	[STMT_LABEL_PUT] = "INSERT INTO label (user, kind, no, text, word) VALUES (:user, :kind, "
			   ":no, :text, :word)",
	[STMT_LABELS_BY_WORD] = "SELECT no, text FROM label INDEXED BY label_word WHERE user = "
				":user AND kind = :kind AND word = :word LIMIT :limit",
	[STMT_LABELS] = "SELECT no, text FROM label WHERE user = :user AND kind = :kind "
			"ORDER BY no LIMIT :limit",
	[STMT_LABEL_RENAME] = "UPDATE label SET text = :text, word = :word WHERE user = :user "
			      "AND kind = :kind AND no = :no",
	[STMT_LABEL_DROP] =
	    "DELETE FROM label WHERE user = :user AND kind = :kind AND text = :text",

	/* ---- projects that are moved ---- */
	[STMT_LABELS_FOLLOW] = "UPDATE label SET no = no - ?2 + ?3 WHERE user = ?1 AND kind = 4 "
			       "AND (no & 65535) = ?2",
	[STMT_PROJECT_HOLDS] =
	    "SELECT (SELECT count(*) FROM session WHERE user = ?1 AND project = ?2 AND part = 0), "
	    "(SELECT count(*) FROM record WHERE id BETWEEN ?3 AND ?4 AND project = ?2)",
	[STMT_PROJECT_MESSAGES] = MOVED("message"),
	[STMT_PROJECT_RECORDS] = MOVED("record"),
	[STMT_PROJECT_RECORDS_WAS] = MOVED("record_was"),
	[STMT_PROJECT_SESSIONS] =
	    "UPDATE session SET project = ?2 WHERE user = ?3 AND project = ?1",
	/* those of two projects that are one now */
	[STMT_PROJECT_SESSIONS_ONE] =
	    "UPDATE session AS s SET project = (SELECT CASE WHEN min(coalesce(project, 0)) = "
	    "max(coalesce(project, 0)) THEN max(project) END " OF_SESSION ") "
	    "WHERE user = :user AND project IS NULL",

	/* ---- sessions ---- */
	[STMT_SESSION_LAST] = "SELECT " SESSION_STATE "FROM session "
			      "WHERE user = :user AND name = :name ORDER BY part DESC LIMIT 1",
	[STMT_SESSION_BY_ID] = "SELECT " SESSION_STATE "FROM session "
			       "WHERE user = :user AND id = :id",
	[STMT_SESSION_NEXT] = "SELECT coalesce(max(id), :user << 24) + 1 FROM session WHERE id "
			      "BETWEEN :user << 24 AND ((:user + 1) << 24) - 1",
	[STMT_SESSION_PUT] =
	    "INSERT INTO session (id, user, name, part) VALUES (:id, :user, :name, :part)",
	[STMT_SESSION_COUNTS] = "UPDATE session SET turns = :turns, assistants = :assistants, "
				"speaker = :speaker, speakers = :speakers, "
				"created = :created, updated = :updated, agent = :agent, project = "
				":project WHERE user = :user AND id = :id",
	[STMT_SESSION_ABOUT] =
	    "UPDATE session SET title = coalesce(:title, title), system_prompt = coalesce(:prompt, "
	    "system_prompt), "
	    "metadata = coalesce(:metadata, metadata), told = :now WHERE user = :user AND id = :id "
	    "AND (coalesce(:title, title) IS NOT title OR coalesce(:prompt, system_prompt) IS NOT "
	    "system_prompt OR coalesce(:metadata, metadata) IS NOT metadata)",
	[STMT_SESSION_TELL] = "UPDATE session SET title = :title, system_prompt = :prompt, "
			      "metadata = :metadata, told = :told WHERE user = :user AND id = :id",
	/*
	 * "+" keeps the database from using the index of names, whose rows it would have to sort
	 * for every page
	 */
	[STMT_SESSIONS] =
	    "SELECT " SESSION_COLUMNS
	    "FROM session NOT INDEXED WHERE user = :user AND id > max(:after, (:user << 24) - 1) "
	    "AND id < (:user + 1) << 24 AND part = 0 " IN_SCOPE "ORDER BY id LIMIT :limit",
	[STMT_SESSION_ROW] =
	    "SELECT " SESSION_COLUMNS "FROM session WHERE user = :user AND id = :id " IN_SCOPE,
	[STMT_SESSIONS_SAME_UP] = SESSION_TIMES "= ?2 AND id > ?3 ORDER BY id LIMIT ?4",
	[STMT_SESSIONS_SAME_DOWN] = SESSION_TIMES "= ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
	[STMT_SESSIONS_TIME_UP] = SESSION_TIMES "> ?2 ORDER BY " SESSION_TIME ", id LIMIT ?4",
	[STMT_SESSIONS_TIME_DOWN] =
	    SESSION_TIMES "< ?2 ORDER BY " SESSION_TIME " DESC, id DESC LIMIT ?4",
	[STMT_SESSION_PARTS] = "SELECT " SESSION_COLUMNS
			       "FROM session WHERE user = :user AND name = :name ORDER BY part",
	[STMT_SESSION_CALLED] = "SELECT 1 FROM session WHERE user = :user AND (name = :name OR "
				"(name > :name || ':' AND name < :name || ';')) LIMIT 1",
	[STMT_SESSION_WITH] =
	    "SELECT s.name FROM session s WHERE s.user = :user AND s.part = 0 AND "
	    "coalesce(s.created, (-9223372036854775807 - 1)) <= :to AND "
	    "coalesce(s.updated, s.created, (-9223372036854775807 - 1)) >= :from AND EXISTS "
	    "(SELECT 1 FROM message m WHERE m.session = s.id AND m.source = :source) LIMIT 1",
	[STMT_SESSION_UNTITLE] = "UPDATE session SET title = NULL, told = :now WHERE user = :user "
				 "AND name = :name",
	[STMT_SESSIONS_IN_ORDER] =
	    "SELECT id FROM session WHERE user = :user AND part = 0 "
	    "ORDER BY coalesce(created, updated, -9223372036854775808), name",
	[STMT_SESSION_TEXTS] = "SELECT title, system_prompt, metadata, told FROM session WHERE user = "
			       ":user AND name = :name AND part = 0",
	[STMT_SESSION_MESSAGES] = "SELECT count(*) FROM message WHERE session = :session AND "
				  "session BETWEEN :lo >> 20 AND :hi >> 20",
	[STMT_SESSION_NAME] = "SELECT name, part FROM session WHERE user = :user AND id = :id",

	/* ---- messages ---- */
	[STMT_MESSAGE_PUT] = MESSAGE_INSERT
	"ON CONFLICT (session, source) DO NOTHING",
	/* for a message that is known to be new, so that no answer is waited for */
	[STMT_MESSAGE_PUT_NEW] = MESSAGE_INSERT,
	[STMT_MESSAGE_DUPLICATE] = "SELECT id, ulid, stored, tokens, sha256 FROM message WHERE "
				   "source = :source AND session = :session /* the user's */",
	[STMT_MESSAGE_DUPLICATE_PARTS] =
	    "SELECT id, ulid, stored, tokens, sha256 FROM message WHERE source = :source AND "
	    "session BETWEEN :lo AND :hi "
	    "AND session IN (SELECT id FROM session WHERE user = :user AND name = :name)",
	[STMT_MESSAGE_BY_ROW] = "SELECT " MESSAGE_COLUMNS
				"FROM message WHERE id = :id AND id BETWEEN :lo AND :hi " IN_SCOPE,
	[STMT_MESSAGE_TEXT] =
	    "SELECT content FROM message WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_MESSAGE_BY_ULID] =
	    "SELECT " MESSAGE_COLUMNS
	    "FROM message WHERE ulid BETWEEN :from AND :to AND +id BETWEEN :lo AND :hi " IN_SCOPE
	    "LIMIT 2",
	[STMT_MESSAGE_BY_ALIAS] =
	    "SELECT " MESSAGE_COLUMNS
	    "FROM message WHERE id IN (SELECT row FROM message_alias WHERE ulid BETWEEN :from AND "
	    ":to) AND +id BETWEEN :lo AND :hi " IN_SCOPE "LIMIT 2",
	[STMT_MESSAGE_BY_SOURCE] = "SELECT " MESSAGE_COLUMNS "FROM message WHERE source = :source "
				   "AND session IN (SELECT id FROM session WHERE id BETWEEN :lo >> "
				   "20 AND :hi >> 20) " IN_SCOPE "ORDER BY session LIMIT 2",
	/* all users: an id is one message's */
	[STMT_MESSAGE_ROW] = "SELECT id FROM message WHERE ulid = ?1",
	[STMT_MESSAGE_ULIDS] = "SELECT ulid FROM message WHERE +id BETWEEN ?1 AND ?2",
	[STMT_COUNT_PROJECTS] = COUNTED("coalesce(project, 0)"),
	[STMT_COUNT_PEOPLE] = COUNTED("coalesce(speaker, 0)"),
	[STMT_COUNT_AGENTS] = COUNTED("coalesce(agent, 0)"),
	[STMT_COUNT_TOPICS] =
	    "SELECT c.category, sum(CASE WHEN c.kind = 0 THEN 1 ELSE 0 END), 0, "
	    "sum(CASE WHEN c.kind = 0 THEN 0 ELSE 1 END), max(coalesce(m.time, r.time, r.stored)) "
	    "FROM category_member c LEFT JOIN message m ON c.kind = 0 AND m.id = c.row LEFT JOIN "
	    "record r ON c.kind <> 0 AND r.id = c.row WHERE c.row BETWEEN ?1 AND ?2 "
	    "GROUP BY c.category",
	[STMT_COUNT_ALL] = COUNTED("0"),
	[STMT_COUNT_PROJECTS_OF] = COUNTED_RECORDS("coalesce(r.project, 0)"),
	[STMT_COUNT_AGENTS_OF] = COUNTED_RECORDS("coalesce(r.agent, 0)"),
	[STMT_COUNT_ALL_OF] = COUNTED_RECORDS("0"),
	[STMT_TURN_PUT] = "INSERT OR REPLACE INTO message_turn (row, turn) VALUES (?1, ?2) /* row "
			  "is in the user's range */",
	[STMT_TURN_OF] = "SELECT turn FROM message_turn WHERE row = :id AND row BETWEEN :lo AND "
			 ":hi",
	[STMT_TURNS_ANY] = "SELECT 1 FROM message_turn WHERE row BETWEEN :lo AND :hi LIMIT 1",
	[STMT_ALIAS_PUT] = "INSERT OR REPLACE INTO message_alias (ulid, row) VALUES (?1, ?2) /* "
			   "row is in the user's range */",
	[STMT_ALIAS_OF] = "SELECT m.ulid FROM message_alias a JOIN message m ON m.id = a.row WHERE "
			  "a.ulid = ?3 AND +a.row BETWEEN ?1 AND ?2",
	[STMT_ALIASES_DELETE] = "DELETE FROM message_alias WHERE row BETWEEN :lo AND :hi",
	[STMT_MESSAGE_RENAME] =
	    "UPDATE message SET ulid = ?1, stored = ?2 WHERE id = ?3 AND id BETWEEN ?4 AND ?5",
	[STMT_SOURCES_RENAME] =
	    "UPDATE record_source SET of = ?1 WHERE of = ?2 AND +record BETWEEN ?3 AND ?4",
	[STMT_SOURCES_WAS_RENAME] =
	    "UPDATE record_source_was SET of = ?1 WHERE of = ?2 AND +record BETWEEN ?3 AND ?4",
	[STMT_TURNS_DELETE] = "DELETE FROM message_turn WHERE row BETWEEN :lo AND :hi",
	[STMT_MESSAGES_UP] =
	    "SELECT " MESSAGE_COLUMNS "FROM message WHERE id BETWEEN :lo AND :hi " FILTERED
	    "ORDER BY id LIMIT :limit",
	[STMT_MESSAGES_DOWN] =
	    "SELECT " MESSAGE_COLUMNS "FROM message WHERE id BETWEEN :lo AND :hi " FILTERED
	    "ORDER BY id DESC LIMIT :limit",

	/* ---- chunks ---- */
	[STMT_CHUNK_PUT] =
	    "INSERT OR REPLACE INTO chunk (message, no, kind, language, start, length, tokens) "
	    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) /* message is in the user's range */",
	[STMT_CHUNKS_OF] = "SELECT kind, language, start, length, tokens FROM chunk WHERE message "
			   "= :id AND message BETWEEN :lo AND :hi ORDER BY no",
	[STMT_CHUNKS_SET] =
	    "UPDATE message SET chunks = :chunks WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_CHUNKS_MISSING] = "SELECT id, content FROM message WHERE id BETWEEN :lo AND :hi AND "
				"chunks IS NULL ORDER BY id LIMIT :limit",

	/* ---- cards ---- */
	[STMT_CARD_GET] = "SELECT cards FROM card WHERE id = :id /* id is in the user's range */",
	[STMT_CARD_PUT] = "INSERT OR REPLACE INTO card (id, cards) VALUES (:id, :cards) /* id is "
			  "in the user's range */",
	[STMT_CARDS_FROM] = "SELECT id, cards FROM card WHERE id BETWEEN :id AND :hi ORDER BY id",
	/* all users: derived; pages of 32 bytes a card */
	[STMT_CARDS_LOOSE] =
	    "SELECT id FROM card WHERE id > :after AND length(cards) % 32 = 0 ORDER BY id LIMIT 1",

	/* ---- lists of work ---- */
	[STMT_WORK_GET] = "SELECT items FROM work WHERE id = :id /* id is in the user's range */",
	[STMT_WORK_PUT] = "INSERT OR REPLACE INTO work (id, items) VALUES (:id, :items) /* id is "
			  "in the user's range */",
	[STMT_WORK_DELETE] = "DELETE FROM work WHERE id BETWEEN :lo AND :hi",
	[STMT_WORK_PAGES] = "SELECT id, items FROM work WHERE id BETWEEN :lo AND :hi ORDER BY id",
	/* all users: a check, which shows no content */
	[STMT_WORK_ALL] = "SELECT id, items FROM work",

	/* ---- full text ---- */
	[STMT_SEGMENTS] = "SELECT no, docs, runs, doc_pages, pages, words, first FROM fts_segment "
			  "WHERE user = :user ORDER BY no",
	[STMT_SEGMENT_NEXT] = "SELECT coalesce(max(no), 0) + 1 FROM fts_segment WHERE user = :user",
	[STMT_SEGMENT_PUT] =
	    "INSERT INTO fts_segment (user, no, docs, runs, doc_pages, pages, words, first) "
	    "VALUES (:user, :no, :docs, :runs, :doc_pages, :pages, :words, :first)",
	[STMT_SEGMENT_DELETE] = "DELETE FROM fts_segment WHERE user = :user AND no = :no",
	[STMT_PAGE_GET] = "SELECT data FROM fts_page WHERE id = ?1 /* id is in the user's range */",
	[STMT_PAGE_PUT] =
	    "INSERT INTO fts_page (id, data) VALUES (?1, ?2) /* id is in the user's range */",
	[STMT_PAGE_LAST] =
	    "SELECT coalesce(max(id), :lo) FROM fts_page WHERE id BETWEEN :lo AND :hi",
	[STMT_PAGES_DELETE] = "DELETE FROM fts_page WHERE id BETWEEN :lo AND :hi",
	[STMT_LEAF_FIND] = "SELECT page FROM fts_leaf WHERE user = ?1 AND segment = ?2 AND term <= "
			   "?3 ORDER BY term DESC LIMIT 1",
	[STMT_LEAVES_BETWEEN] = "SELECT page FROM fts_leaf WHERE user = ?1 AND segment = ?2 AND "
				"term > ?3 AND term < ?4 ORDER BY term",
	[STMT_LEAF_PUT] =
	    "INSERT INTO fts_leaf (user, segment, term, page) VALUES (?1, ?2, ?3, ?4) /* user */",
	[STMT_LEAVES_DELETE] = "DELETE FROM fts_leaf WHERE user = :user AND segment = :no",

	/* ---- inputs ---- */
	[STMT_INPUT_GET] = "SELECT device, inode, offset, line, head, positional, state FROM input "
			   "WHERE user = :user AND path = :path",
	[STMT_INPUT_PUT] =
	    "INSERT OR REPLACE INTO input (user, path, device, inode, offset, line, head, "
	    "positional, state) "
	    "VALUES (:user, :path, :device, :inode, :offset, :line, :head, :positional, :state)",
	[STMT_INPUT_DROP] = "DELETE FROM input WHERE user = :user AND path = :path",
	/* paths begin with a slash; other rows are no files */
	[STMT_INPUTS_FORGET] = "DELETE FROM input WHERE user = :user AND path >= '/' AND path < "
			       "'0' AND (instr(path, :name) > 0 OR instr(state, :name) > 0 "
			       "OR NOT EXISTS (SELECT 1 FROM session WHERE user = :user))",

	/* ---- answers: inputs whose path is no file's, and whose offset is when they came ---- */
	[STMT_ANSWER_GET] = "SELECT state FROM input WHERE user = :user AND path = 'answer:' || "
			    ":key AND offset > :after AND offset <= :now",
	[STMT_ANSWER_PUT] = "INSERT OR REPLACE INTO input (user, path, device, inode, offset, "
			    "line, head, positional, state) "
			    "VALUES (:user, 'answer:' || :key, 0, 0, :now, 0, x'', 0, :text)",
	[STMT_ANSWERS_DROP] = "DELETE FROM input WHERE user = :user AND path >= 'answer:' AND path "
			      "< 'answer;' AND NOT offset BETWEEN :after AND :now",

	/* ---- metrics ---- */
	[STMT_METRIC_PUT] = "INSERT INTO metric (user, time, program, path, query_hash, "
			    "query_bytes, hits, candidates, top, "
			    "us_open, us_text, us_vectors, us_rank, us_fetch, us_all, flags, "
			    "handed) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "
			    "?15, ?16, ?17) RETURNING id /* user */",
	[STMT_METRICS] = "SELECT id, time, program, path, query_hash, query_bytes, hits, "
			 "candidates, top, us_open, us_text, us_vectors, "
			 "us_rank, us_fetch, us_all, flags FROM metric WHERE user = :user AND time "
			 ">= :since AND id > :after ORDER BY id LIMIT :limit",
	[STMT_METRICS_DROP] = "DELETE FROM metric WHERE user = :user AND time < :before",

	[STMT_HANDED] = "SELECT time, program, path, handed FROM metric WHERE user = :user AND "
			"handed IS NOT NULL ORDER BY id DESC",
	[STMT_HANDED_NEXT] = "SELECT id, handed FROM metric WHERE user = :user AND id > :after AND "
			     "handed IS NOT NULL ORDER BY id LIMIT 1",
	[STMT_HANDED_SET] = "UPDATE metric SET handed = :items WHERE id = :id AND user = :user",

	/* ---- figures ---- */
	/* in this order: the numbers of enum role, so that nothing has to be sorted */
	[STMT_STAT_MESSAGES] =
	    "SELECT sum(role = 0), sum(role = 1), sum(role = 2), sum(role = 3), sum(role > 3), "
	    "sum(length(CAST(content AS BLOB))), sum(tokens), sum(chunks), min(time), max(time) "
	    "FROM message WHERE id BETWEEN :lo AND :hi",
	[STMT_STAT_SESSIONS] = "SELECT count(*) FROM session WHERE user = :user AND part = 0",
	[STMT_STAT_CHUNKS] =
	    "SELECT kind, count(*) FROM chunk WHERE message BETWEEN :lo AND :hi GROUP BY kind",
	[STMT_STAT_SEGMENTS] = "SELECT count(*), coalesce(sum(docs), 0), coalesce(sum(words), 0) "
			       "FROM fts_segment WHERE user = :user",
	[STMT_STAT_METRICS] = "SELECT count(*) FROM metric WHERE user = :user",

	[STMT_STAT_GROWN_MESSAGES] = "SELECT count(*), coalesce(sum(role IN (0, 1)), 0), "
				     "count(DISTINCT session) FROM message "
				     "WHERE id BETWEEN :lo AND :hi AND stored >= :since",
	[STMT_STAT_GROWN_RECORDS] = "SELECT coalesce(sum(type = 1), 0), coalesce(sum(type = 2), "
				    "0), coalesce(sum(type = 3), 0) FROM record "
				    "WHERE id BETWEEN :lo AND :hi AND stored >= :since",

	/* ---- rebuilding ---- */
	/* all users: what is derived is rebuilt for everyone */
	[STMT_ALL_MESSAGES] =
	    "SELECT " MESSAGE_COLUMNS "FROM message WHERE id > :after ORDER BY id LIMIT :limit",
	/* all users: derived */
	[STMT_CLEAR_CARDS] = "DELETE FROM card",
	/* all users: derived */
	[STMT_CLEAR_WORK] = "DELETE FROM work",
	/* all users: derived */
	[STMT_CLEAR_CHUNKS] = "DELETE FROM chunk",
	/* all users: derived */
	[STMT_CLEAR_SEGMENTS] = "DELETE FROM fts_segment",
	/* all users: derived */
	[STMT_CLEAR_PAGES] = "DELETE FROM fts_page",
	/* all users: derived */
	[STMT_CLEAR_LEAVES] = "DELETE FROM fts_leaf",
	/* all users: derived */
	[STMT_CLEAR_COUNTS] = "UPDATE session SET turns = coalesce((SELECT max(m.id) - (session.id "
			      "<< 20) + 1 FROM message m WHERE m.session = session.id), 0), "
			      "assistants = 0, speaker = 0, speakers = 0",

	/* ---- counts of what should not be ---- */
	/* all users: a check of the whole file, which shows no content */
	[STMT_CHECK_PLACE] = "SELECT count(*) FROM message WHERE session <> id >> 20",
	/* all users: a check */
	[STMT_CHECK_OWNER] = "SELECT count(*) FROM session WHERE user <> id >> 24",
	/* all users: a check */
	[STMT_CHECK_TURNS] =
	    "SELECT count(*) FROM session s WHERE turns <= (SELECT coalesce(max(id), (s.id << 20) "
	    "- 1) FROM message "
	    "WHERE id BETWEEN s.id << 20 AND (s.id << 20) + 1048575) - (s.id << 20)",
	/* all users: a check */
	[STMT_CHECK_CARDS] =
	    "SELECT count(*) FROM message m WHERE role <> 2 AND NOT EXISTS (SELECT 1 FROM card "
	    "WHERE id = (m.id >> 20 << 20) + "
	    "(m.id & 1048575) / 120 AND iif(length(cards) % 32 = 0, length(cards) >= ((m.id & "
	    "1048575) % 120 + 1) * 32, "
	    "hex(substr(cards, 1, 1)) >= printf('%02X', (m.id & 1048575) % 120 + 1)))",
	/* all users: a check */
	[STMT_CHECK_CHUNKS] = "SELECT count(*) FROM chunk c WHERE NOT EXISTS (SELECT 1 FROM "
			      "message WHERE id = c.message)",
	/* all users: a check */
	[STMT_CHECK_CUT] = "SELECT count(*) FROM message m WHERE chunks > 1 AND chunks <> (SELECT "
			   "count(*) FROM chunk WHERE message = m.id)",
	/* all users: a check */
	[STMT_CHECK_INDEX] = "SELECT (SELECT count(*) FROM message WHERE role <> 2) - (SELECT "
			     "coalesce(sum(docs), 0) FROM fts_segment)",

	/* ---- vectors ---- */
	[STMT_VSET_BY_SHA256] = VSET "WHERE sha256 = ?1",
	[STMT_VSET_BY_NO] = VSET "WHERE no = ?1",
	[STMT_VSET_CURRENT] = VSET "WHERE current = 1 ORDER BY no LIMIT 1",
	/* the second is asked of the row: a damaged tree's may be another */
	[STMT_VSET_NEXT] = VSET "WHERE no > ?1 AND +no > ?1 ORDER BY no LIMIT 1",
	[STMT_VSET_PUT] =
	    "INSERT INTO vector_set (name, sha256, dims, unrelated, centre, current) VALUES "
	    "(:name, :sha256, :dims, :unrelated, "
	    ":centre, NOT EXISTS (SELECT 1 FROM vector_set WHERE current = 1)) RETURNING no",
	[STMT_VSET_SWITCH] = "UPDATE vector_set SET current = no = :no",
	[STMT_VSET_DELETE] = "DELETE FROM vector_set WHERE no = :no",
	[STMT_VUSER_GET] = "SELECT slots, dead FROM vector_user WHERE vset = :set AND user = :user",
	[STMT_VUSER_PUT] = "INSERT OR REPLACE INTO vector_user (vset, user, slots, dead) VALUES "
			   "(:set, :user, :slots, :dead)",
	[STMT_VUSER_DELETE] = "DELETE FROM vector_user WHERE vset = :set AND user = :user",
	[STMT_VCODE_GET] =
	    "SELECT slots FROM vector_code WHERE id = ?1 /* id is in the user's range */",
	[STMT_VCODE_PUT] = "INSERT OR REPLACE INTO vector_code (id, slots) VALUES (?1, ?2) /* id "
			   "is in the user's range */",
	[STMT_VCODES] =
	    "SELECT id, slots FROM vector_code WHERE id BETWEEN :lo AND :hi ORDER BY id",
	[STMT_VCODES_DELETE] = "DELETE FROM vector_code WHERE id BETWEEN :lo AND :hi",
	[STMT_VBYTE_GET] =
	    "SELECT slots FROM vector_byte WHERE id = ?1 /* id is in the user's range */",
	[STMT_VBYTE_PUT] = "INSERT OR REPLACE INTO vector_byte (id, slots) VALUES (?1, ?2) /* id "
			   "is in the user's range */",
	[STMT_VBYTES] =
	    "SELECT id, slots FROM vector_byte WHERE id BETWEEN :lo AND :hi ORDER BY id",
	[STMT_VBYTE_FROM] =
	    "SELECT id, slots FROM vector_byte WHERE id BETWEEN :lo AND :hi ORDER BY id LIMIT 1",
	[STMT_VBYTES_DELETE] = "DELETE FROM vector_byte WHERE id BETWEEN :lo AND :hi",
	[STMT_VCELLS_GET] = "SELECT made, cells, trained, slots FROM vector_cells WHERE vset = "
			    ":set AND user = :user",
	[STMT_VCELLS_PUT] = "INSERT OR REPLACE INTO vector_cells (vset, user, made, cells, "
			    "trained, slots) VALUES (:set, :user, :made, :cells, :trained, :slots)",
	[STMT_VCELLS_DELETE] = "DELETE FROM vector_cells WHERE vset = :set AND user = :user",
	[STMT_VCENTROIDS] =
	    "SELECT id, slots FROM vector_centroid WHERE id BETWEEN :lo AND :hi ORDER BY id",
	[STMT_VCENTROID_PUT] = "INSERT OR REPLACE INTO vector_centroid (id, slots) VALUES (?1, ?2) "
			       "/* id is in the user's range */",
	[STMT_VCENTROIDS_DELETE] = "DELETE FROM vector_centroid WHERE id BETWEEN :lo AND :hi",
	[STMT_VCELL] = "SELECT slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER BY id",
	[STMT_VCELL_FROM] =
	    "SELECT id, slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER BY id LIMIT 1",
	[STMT_VCELL_LAST] = "SELECT id, slots FROM vector_cell WHERE id BETWEEN :lo AND :hi ORDER "
			    "BY id DESC LIMIT 1",
	[STMT_VCELL_PUT] = "INSERT OR REPLACE INTO vector_cell (id, slots) VALUES (?1, ?2) /* id "
			   "is in the user's range */",
	[STMT_VCELL_DELETE] = "DELETE FROM vector_cell WHERE id BETWEEN :lo AND :hi",
	[STMT_VPLACE_GET] =
	    "SELECT slots FROM vector_place WHERE vset = :set AND box = :box /* the user's */",
	[STMT_VPLACE_PUT] = "INSERT OR REPLACE INTO vector_place (vset, box, slots) VALUES (:set, "
			    ":box, :slots) /* the user's */",
	[STMT_VPLACES_DELETE] =
	    "DELETE FROM vector_place WHERE vset = :set AND box BETWEEN :lo AND :hi",

	/* ---- what has no vector yet; the first parameter of all is the set ---- */
	[STMT_VDONE_GET] = "SELECT done FROM vector_done WHERE vset = :set AND kind = :kind AND "
			   "box = :box /* the user's */",
	[STMT_VDONE_PUT] = "INSERT OR REPLACE INTO vector_done (vset, kind, box, done) VALUES "
			   "(:set, :kind, :box, :done) /* the user's */",
	[STMT_VDONES_DELETE] =
	    "DELETE FROM vector_done WHERE vset = :set AND box BETWEEN :lo AND :hi",
	[STMT_VTODO_HAS] = "SELECT 1 FROM vector_todo WHERE vset = :set AND kind = :kind AND row = "
			   ":row /* the user's */",
	[STMT_VTODO_FAIL] = "INSERT INTO vector_todo (vset, kind, row, tries, due) VALUES (:set, "
			    ":kind, :row, 1, :now + :backoff) "
			    "ON CONFLICT DO UPDATE SET tries = tries + 1, due = :now + "
			    "min(:backoff << min(tries, 20), 86400000000) /* the user's */",
	[STMT_VTODO_DELETE] = "DELETE FROM vector_todo WHERE vset = :set AND kind = :kind AND row "
			      "= :row /* the user's */",
	[STMT_VTODOS_DELETE] =
	    "DELETE FROM vector_todo WHERE vset = :set AND row BETWEEN :lo AND :hi",
	[STMT_VMESSAGE_BOXES] = "SELECT s.id, coalesce(d.done, 0) FROM session s LEFT JOIN "
				"vector_done d ON d.vset = :set AND d.kind = 0 AND d.box = s.id "
				"WHERE s.id BETWEEN :lo AND :hi AND s.turns > coalesce(d.done, 0) "
				"ORDER BY s.id LIMIT :limit",
	[STMT_VMESSAGE_RECORDS] =
	    VMESSAGE_COLUMNS "FROM message m WHERE m.id BETWEEN ?2 AND ?3 AND " VMESSAGE
			     "AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = "
			     "0 AND row = m.id) ORDER BY m.id LIMIT ?4",
	[STMT_VMESSAGE_DUE] = VMESSAGE_COLUMNS "FROM vector_todo t CROSS JOIN message m ON m.id = "
					       "t.row WHERE t.vset = :set AND t.kind = 0 "
					       "AND t.row BETWEEN :lo AND :hi AND " VMESSAGE
					       "AND t.due <= :now ORDER BY t.row LIMIT :limit",
	[STMT_VMESSAGE_ALL] =
	    "SELECT m.id, " VMESSAGE_PARTS
	    " FROM message m WHERE m.id BETWEEN :lo AND :hi AND " VMESSAGE "ORDER BY m.id",
	[STMT_VMESSAGE_SKIP] =
	    "INSERT INTO vector_todo (vset, kind, row) SELECT :set, 0, m.id FROM message m WHERE "
	    "m.id BETWEEN :lo AND :hi AND " VMESSAGE "ON CONFLICT DO NOTHING",
	[STMT_VMESSAGE_COUNT] =
	    "SELECT coalesce(sum(" VMESSAGE_PARTS "), 0) FROM session s LEFT JOIN vector_done d "
	    "ON d.vset = :set AND d.kind = 0 AND d.box = s.id CROSS JOIN message m "
	    "ON m.id BETWEEN (s.id << 20) + coalesce(d.done, 0) AND (s.id << 20) + 1048575 "
	    "WHERE s.id BETWEEN :lo AND :hi AND s.turns > coalesce(d.done, 0) AND " VMESSAGE
	    "AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = :set AND kind = 0 AND row = "
	    "m.id)",
	[STMT_VMESSAGE_COUNT_TODO] =
	    "SELECT coalesce(sum(" VMESSAGE_PARTS
	    "), 0) FROM vector_todo t CROSS JOIN message m ON m.id = t.row "
	    "WHERE t.vset = :set AND t.kind = 0 AND t.row BETWEEN :lo AND :hi AND t.tries < :tries "
	    "AND " VMESSAGE,
	/* all users: derived */
	[STMT_VSTRAY_CODES] = "DELETE FROM vector_code AS p WHERE " VSTRAY,
	/* all users: derived */
	[STMT_VSTRAY_BYTES] = "DELETE FROM vector_byte AS p WHERE " VSTRAY,
	/* all users: derived */
	[STMT_VSTRAY_USERS] = "DELETE FROM vector_user WHERE vset NOT IN (SELECT no FROM "
			      "vector_set) OR user NOT IN (SELECT no FROM user)",
	/* all users: derived */
	[STMT_VSTRAY_DONES] = "DELETE FROM vector_done WHERE vset NOT IN (SELECT no FROM "
			      "vector_set) OR box >> 24 NOT IN (SELECT no FROM user)",
	/* all users: derived */
	[STMT_VSTRAY_TODOS] = "DELETE FROM vector_todo WHERE vset NOT IN (SELECT no FROM "
			      "vector_set) OR row >> 44 NOT IN (SELECT no FROM user)",
	/* all users: derived */
	[STMT_VSTRAY_SORTED] =
	    "DELETE FROM vector_cells WHERE NOT EXISTS (SELECT 1 FROM vector_user u WHERE u.user = "
	    "vector_cells.user AND u.vset = vector_cells.vset)",
	/* all users: derived */
	[STMT_VSTRAY_CENTROIDS] = "DELETE FROM vector_centroid AS p WHERE " VUNSORTED,
	/* all users: derived */
	[STMT_VSTRAY_CELLS] = "DELETE FROM vector_cell AS p WHERE " VUNSORTED,
	/* all users: derived */
	[STMT_VSTRAY_PLACES] = "DELETE FROM vector_place AS p WHERE NOT EXISTS (SELECT 1 FROM "
			       "vector_cells c WHERE c.user = p.box >> 35 AND c.vset = p.vset)",
	/* all users: a check */
	[STMT_CHECK_VSTRAYS] = "SELECT (SELECT count(*) FROM vector_code p WHERE " VSTRAY
			       ") + (SELECT count(*) FROM vector_byte p WHERE " VSTRAY ") "
			       "+ (SELECT count(*) FROM vector_cell p WHERE " VUNSORTED
			       ") + (SELECT count(*) FROM vector_centroid p WHERE " VUNSORTED ") "
			       "+ (SELECT count(*) FROM vector_user WHERE vset NOT IN (SELECT no "
			       "FROM vector_set) OR user NOT IN (SELECT no FROM user))",
	/* all users: names only, for programs that keep the whole store */
	[STMT_USERS_NAMES] = "SELECT no, name FROM user WHERE no > :after ORDER BY no LIMIT :limit",

	/* ---- calls of models ---- */
	[STMT_GUARD_GET] =
	    "SELECT failed, opened, probe, lease, opens FROM guard WHERE service = :service",
	[STMT_GUARD_PUT] =
	    "INSERT OR REPLACE INTO guard (service, failed, opened, probe, lease, opens) "
	    "VALUES (:service, :failed, :opened, :probe, :lease, :opens)",
	[STMT_GUARD_COUNTS] = "SELECT coalesce(sum(opened > :after AND opened <= :now), 0), "
			      "coalesce(sum(opens), 0) FROM guard",
	[STMT_CLEAR_GUARD] = "DELETE FROM guard",
	[STMT_LEDGER_ADD] = "INSERT INTO ledger (user, day, program, model, calls, failed, "
			    "stopped, tokens_in, tokens_out, micros) "
			    "VALUES (:user, :day, :program, :model, :calls, :failed, :stopped, "
			    ":in, :out, :micros) ON CONFLICT (user, day, program, model) DO "
			    "UPDATE SET calls = ledger.calls + excluded.calls, failed = "
			    "ledger.failed + excluded.failed, stopped = ledger.stopped + "
			    "excluded.stopped, "
			    "tokens_in = ledger.tokens_in + excluded.tokens_in, tokens_out = "
			    "ledger.tokens_out + excluded.tokens_out, micros = ledger.micros + "
			    "excluded.micros",
	/* all users: they share one purse */
	[STMT_LEDGER_SPENT] = "SELECT coalesce(sum(tokens_in + tokens_out), 0), "
			      "coalesce(sum(micros), 0) FROM ledger WHERE day = :day",
	[STMT_LEDGER] = "SELECT day, program, model, calls, failed, stopped, tokens_in, "
			"tokens_out, micros FROM ledger "
			"WHERE user = :user AND day >= :since ORDER BY day, program, model",

	/* ---- facts, summaries, reflections ---- */
	[STMT_RECORD_NEXT] = "INSERT INTO record_next (user, next) VALUES (:user, 2) ON CONFLICT "
			     "(user) DO UPDATE SET next = record_next.next + 1 RETURNING next - 1",
	[STMT_RECORD_PUT] =
	    "INSERT INTO record (id, " RECORD_OWN ") "
	    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
	    "?18, ?19, ?20, ?21, ?22, ?23) /* id is in the user's range */",
	[STMT_FACT_PUT] = "INSERT INTO fact (id, " FACT_OWN ") "
			  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) /* id is in "
			  "the user's range */",
	[STMT_SOURCE_PUT] = "INSERT INTO record_source (record, no, of, start, length) VALUES (?1, "
			    "?2, ?3, ?4, ?5) /* record is in the user's range */",
	[STMT_RECORD_SOURCE_ID] = "SELECT id, ulid, stored FROM record WHERE source = :source AND "
				  "type = :type AND +id BETWEEN :lo AND :hi LIMIT 1",
	[STMT_RECORD_DELETE] = "DELETE FROM record WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_FACT_DELETE] = "DELETE FROM fact WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_SOURCES_DELETE] =
	    "DELETE FROM record_source WHERE record = :id AND record BETWEEN :lo AND :hi",
	[STMT_ACCESS_DELETE] =
	    "DELETE FROM record_access WHERE id IN " GIVEN_ROWS " AND id BETWEEN ?2 AND ?3",
	[STMT_SOURCES_REMOVE] =
	    "DELETE FROM record_source WHERE record IN " GIVEN_ROWS " AND record BETWEEN ?2 AND ?3",
	[STMT_FACTS_REMOVE] =
	    "DELETE FROM fact WHERE id IN " GIVEN_ROWS " AND id BETWEEN ?2 AND ?3",
	[STMT_RECORDS_REMOVE] =
	    "DELETE FROM record WHERE id IN " GIVEN_ROWS " AND id BETWEEN ?2 AND ?3",
	[STMT_RECORD_TOUCH] =
	    "INSERT INTO record_access (id, accessed, accesses, change) SELECT id, :now, 1, "
	    ":change FROM record WHERE id = :id AND id BETWEEN :lo AND :hi "
	    "ON CONFLICT (id) DO UPDATE SET accessed = excluded.accessed, accesses = "
	    "record_access.accesses + 1, change = excluded.change",
	[STMT_RECORDS_UP] = RECORD_NOW RECORD_FILTERED "ORDER BY r.id LIMIT ?18",
	[STMT_RECORDS_DOWN] = RECORD_NOW RECORD_FILTERED "ORDER BY r.id DESC LIMIT ?18",
	[STMT_RECORDS_KNOWN_UP] = RECORD_KNOWN "ORDER BY 1 LIMIT ?18",
	[STMT_RECORDS_KNOWN_DOWN] = RECORD_KNOWN "ORDER BY 1 DESC LIMIT ?18",
	[STMT_RECORDS_GIVEN] =
	    "SELECT 1 FROM record WHERE id BETWEEN :lo AND :hi AND origin <> :derived LIMIT 1",
	[STMT_RECORDS_TEXTS] = RECORD_TEXT
	"FROM record r LEFT JOIN fact f ON f.id = r.id " RECORD_FILTERED "ORDER BY r.id LIMIT ?18",
	[STMT_RECORDS_TEXTS_KNOWN] = RECORD_TEXT
	"FROM record r LEFT JOIN fact f ON f.id = r.id " RECORD_FILTERED RECORD_UNCHANGED
	"UNION ALL " RECORD_TEXT
	"FROM record_was r LEFT JOIN fact_was f ON f.id = r.id AND f.step = r.step " RECORD_FILTERED
	    RECORD_BEFORE "ORDER BY 1 LIMIT ?18",
	[STMT_RECORD_KNOWN_BY_ROW] = RECORD_NOW RECORD_OF_ROW
	"AND NOT EXISTS (SELECT 1 " CHANGES_SINCE("?6") ") UNION ALL "
	    RECORD_WAS RECORD_OF_ROW FIRST_SINCE("?6"),
	[STMT_RECORD_BY_ROW] = RECORD_NOW RECORD_OF_ROW,
	[STMT_RECORD_BY_ULID] = RECORD_NOW
	"WHERE r.ulid BETWEEN ?5 AND ?6 AND +r.id BETWEEN ?1 AND ?2 " RECORD_SCOPE "LIMIT 2",
	[STMT_RECORD_BY_SOURCE] =
	    RECORD_NOW "WHERE r.source = ?5 AND +r.id BETWEEN ?1 AND ?2 " RECORD_SCOPE "LIMIT 2",
	[STMT_RECORD_ULIDS] = "SELECT ulid FROM record WHERE +id BETWEEN ?1 AND ?2",
	[STMT_RECORDS_OF_SIZE] =
	    RECORD_TEXT "FROM record r WHERE r.id >> 44 = ?1 >> 44 AND r.type = ?5 AND r.size "
			"BETWEEN ?6 AND ?7 AND r.id BETWEEN ?1 AND ?2 " RECORD_SCOPE,
	[STMT_FACTS_OF_KEY] = RECORD_NOW
	"WHERE f.id >> 44 = ?1 >> 44 AND f.key = ?5 AND +f.id BETWEEN ?1 AND ?2 " RECORD_SCOPE
	"ORDER BY r.id",
	[STMT_RECORDS_OF_MESSAGE] = RECORD_NOW
	"WHERE r.id IN (SELECT s.record FROM message m CROSS JOIN record_source s ON s.of = m.ulid "
	"WHERE m.id = ?5 AND +s.record BETWEEN ?1 AND ?2) " RECORD_SCOPE "ORDER BY r.id",
	[STMT_SOURCES_OF] = "SELECT of, start, length FROM record_source WHERE record = :id AND "
			    "record BETWEEN :lo AND :hi ORDER BY no",
	[STMT_SOURCES_WAS] = "SELECT of, start, length FROM record_source_was WHERE record = :id "
			     "AND record BETWEEN :lo AND :hi AND step = :step ORDER BY no",
	[STMT_FACTS_ENDED_BY] =
	    "SELECT r.ulid FROM fact f CROSS JOIN record r ON r.id = f.id WHERE f.superseded_by = "
	    ":id AND +f.id BETWEEN :lo AND :hi ORDER BY f.id",

	/* ---- steps ---- */
	[STMT_STEP_NEXT] =
	    "SELECT coalesce(max(id), :lo) + 1 FROM step WHERE id BETWEEN :lo AND :hi",
	[STMT_STEP_LATEST] =
	    "SELECT s.time, i.ulid FROM step s JOIN step_id i ON i.step = s.id WHERE s.id >> 44 = "
	    ":user ORDER BY s.time DESC, i.ulid DESC LIMIT 1",
	[STMT_STEP_ID_PUT] = "INSERT INTO step_id (step, ulid) VALUES (?1, ?2) /* step is in the "
			     "user's range */",
	/* all users: steps of before version 12, which have no names */
	[STMT_STEP_NAMELESS] =
	    "SELECT id, time FROM step WHERE id > ?1 AND id NOT IN (SELECT step FROM step_id) "
	    "ORDER BY id LIMIT 1",
	[STMT_STEP_LATER] = "UPDATE step SET time = ?2 WHERE id = ?1 /* id is in the user's range "
			    "*/",
	[STMT_STEP_BY_ULID] = "SELECT step FROM step_id WHERE step >> 44 = :user AND ulid = :ulid",
	[STMT_STEPS_IN_ORDER] =
	    "SELECT s.id, s.time, s.did, s.agent, s.why, 0, 1, i.ulid, (SELECT u.ulid FROM step o "
	    "JOIN step_id u ON u.step = o.id WHERE o.undone = s.id) "
	    "FROM step s JOIN step_id i ON i.step = s.id WHERE s.id >> 44 = ?1 AND s.time >= ?2 "
	    "AND (s.time > ?2 OR i.ulid > ?3) ORDER BY s.time, i.ulid LIMIT ?4 /* the user's */",
	[STMT_CHANGES_IN_ORDER] =
	    "SELECT c.record, coalesce(r.ulid, (SELECT w.ulid FROM record_was w WHERE w.id = "
	    "c.record LIMIT 1)) FROM step_change c LEFT JOIN record r ON r.id = c.record "
	    "WHERE c.step = ?1 AND +c.record BETWEEN ?2 AND ?3 ORDER BY 2",
	[STMT_CHANGE_AFTER] =
	    "SELECT c.step, c.existed FROM step_change c CROSS JOIN step s ON s.id = c.step "
	    "JOIN step_id i ON i.step = s.id WHERE c.record = ?1 AND (s.time > ?2 OR (s.time = ?2 "
	    "AND i.ulid > ?3)) ORDER BY s.time, i.ulid LIMIT 1 /* record is in the user's range */",
	[STMT_CHANGE_EXISTED] = "UPDATE step_change SET existed = ?3 WHERE record = ?1 AND step = "
				"?2 /* record is in the user's range */",
	[STMT_STEP_IDS_FORGET] =
	    "DELETE FROM step_id WHERE step IN (SELECT step FROM step_change WHERE record IN "
	    GIVEN_ROWS ") AND step BETWEEN ?2 AND ?3 AND step NOT IN (SELECT id FROM step)",
	[STMT_STEP_PUT] = "INSERT INTO step (id, time, did, agent, why) VALUES (:id, :time, :did, "
			  ":agent, :why) /* id is in the user's range */",
	[STMT_STEP_GET] =
	    "SELECT id, time, did, agent, why, coalesce(undone, 0), 1 FROM step WHERE id = ?5 AND "
	    "id BETWEEN ?1 AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3)",
	[STMT_STEP_LAST] = "SELECT id, time, did, agent, why, 0, 1 FROM step WHERE id BETWEEN ?1 "
			   "AND ?2 AND (?3 < 0 OR agent IS NULL OR agent = ?3) "
			   "AND undone IS NULL AND did <> 4 ORDER BY id DESC LIMIT 1",
	[STMT_STEP_UNDONE] =
	    "UPDATE step SET undone = :by WHERE id = :id AND id BETWEEN :lo AND :hi",
	/* if two steps took it back, the later one counts */
	[STMT_STEP_UNDONE_BY] =
	    "UPDATE step SET undone = ?1 WHERE id = ?2 AND id BETWEEN ?3 AND ?4 AND (undone IS "
	    "NULL OR (SELECT s.time < n.time OR (s.time = n.time AND i.ulid < j.ulid) FROM step s "
	    "JOIN step_id i ON i.step = s.id, step n JOIN step_id j ON j.step = n.id WHERE s.id = "
	    "step.undone AND n.id = ?1))",
	[STMT_STEPS] = "SELECT id, time, did, agent, why, coalesce(undone, 0), 1 FROM step WHERE "
		       "id > ?5 AND id BETWEEN ?1 AND ?2 "
		       "AND (?3 < 0 OR agent IS NULL OR agent = ?3) ORDER BY id LIMIT ?6",
	[STMT_STEPS_OF] = "SELECT s.id, s.time, s.did, s.agent, s.why, coalesce(s.undone, 0), "
			  "c.existed FROM step_change c CROSS JOIN step s ON s.id = c.step "
			  "WHERE c.record = ?7 AND c.step > ?5 AND s.id BETWEEN ?1 AND ?2 AND (?3 "
			  "< 0 OR s.agent IS NULL OR s.agent = ?3) ORDER BY c.step LIMIT ?6",
	[STMT_CHANGE_HAS] = "SELECT 1 FROM step_change WHERE record = ?1 AND step = ?2 /* record "
			    "is in the user's range */",
	[STMT_CHANGE_PUT] = "INSERT INTO step_change (record, step, existed) VALUES (?1, ?2, ?3) "
			    "/* record is in the user's range */",
	[STMT_CHANGES_OF] =
	    "SELECT record, existed FROM step_change WHERE step = :step AND +record BETWEEN :lo "
	    "AND :hi ORDER BY record",
	[STMT_CHANGE_LATER] =
	    "SELECT 1 FROM step_change c CROSS JOIN step s ON s.id = c.step JOIN step_id i ON "
	    "i.step = s.id, (SELECT time, ulid FROM step JOIN step_id ON step = id WHERE id = ?2) "
	    "o WHERE c.record = ?1 AND (s.time > o.time OR (s.time = o.time AND i.ulid > o.ulid)) "
	    "AND s.did <> 4 AND s.undone IS NULL LIMIT 1 /* record is in the user's range */",
	[STMT_CHANGES_FORGET] =
	    "DELETE FROM step_change WHERE record IN " GIVEN_ROWS " AND record BETWEEN ?2 AND ?3",
	[STMT_STEPS_FORGET] =
	    "DELETE FROM step WHERE id IN (SELECT step FROM step_change WHERE record IN " GIVEN_ROWS
	    ") AND id BETWEEN ?2 AND ?3 "
	    "AND NOT EXISTS (SELECT 1 FROM step_change c WHERE c.step = step.id AND c.record NOT "
	    "IN " GIVEN_ROWS ")",
	[STMT_FACT_UNEND] = "UPDATE fact SET superseded_by = NULL WHERE superseded_by IN (SELECT "
			    "ulid FROM record WHERE id IN " GIVEN_ROWS ") AND id BETWEEN ?2 AND ?3",
	[STMT_FACT_UNEND_WAS] = "UPDATE fact_was SET superseded_by = NULL WHERE superseded_by IN "
				GIVEN_ULIDS "AND id BETWEEN ?2 AND ?3",
	[STMT_FACT_UNSUM_WAS] = "UPDATE fact_was SET summarized = NULL WHERE summarized IN "
				GIVEN_ULIDS "AND id BETWEEN ?2 AND ?3",
	[STMT_FACT_UNSUM] = "UPDATE fact SET summarized = NULL WHERE summarized IN (SELECT ulid "
			    "FROM record WHERE id IN " GIVEN_ROWS ") AND id BETWEEN ?2 AND ?3",
	[STMT_RECORD_KEEP] =
	    "INSERT INTO record_was (step, id, " RECORD_OWN ") SELECT :step, id, " RECORD_OWN
	    " FROM record WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_FACT_KEEP] =
	    "INSERT INTO fact_was (step, id, " FACT_OWN ") SELECT :step, id, " FACT_OWN
	    " FROM fact WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_SOURCES_KEEP] =
	    "INSERT INTO record_source_was (step, record, no, of, start, length) SELECT :step, "
	    "record, no, of, start, length "
	    "FROM record_source WHERE record = :id AND record BETWEEN :lo AND :hi",
	[STMT_RECORD_BACK] =
	    "INSERT INTO record (id, " RECORD_OWN ") SELECT id, " RECORD_OWN
	    " FROM record_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi",
	[STMT_FACT_BACK] =
	    "INSERT INTO fact (id, " FACT_OWN ") SELECT id, " FACT_OWN
	    " FROM fact_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi",
	[STMT_SOURCES_BACK] = "INSERT INTO record_source (record, no, of, start, length) SELECT "
			      "record, no, of, start, length FROM record_source_was "
			      "WHERE step = :step AND record = :id AND record BETWEEN :lo AND :hi",
	[STMT_RECORD_FORGET] =
	    "DELETE FROM record_was WHERE id IN " GIVEN_ROWS " AND id BETWEEN ?2 AND ?3",
	[STMT_FACT_FORGET] =
	    "DELETE FROM fact_was WHERE id IN " GIVEN_ROWS " AND id BETWEEN ?2 AND ?3",
	[STMT_SOURCES_FORGET] = "DELETE FROM record_source_was WHERE record IN " GIVEN_ROWS
				" AND record BETWEEN ?2 AND ?3",

	/* a record as it was before a step */
	[STMT_RECORD_WAS] = RECORD_WAS RECORD_OF_ROW "AND r.step = ?6",
	[STMT_RECORDS_GONE] =
	    "SELECT r.id, r.step FROM record_was r WHERE r.id BETWEEN ?1 AND ?2 " RECORD_SCOPE
	    "AND (?5 IS NULL OR r.session = ?5) "
	    "AND NOT EXISTS (SELECT 1 FROM record n WHERE n.id = r.id) ORDER BY r.id, r.step",
	[STMT_RECORD_VERSIONS] =
	    "SELECT r.id, r.step FROM record_was r WHERE r.id = ?5 AND r.id BETWEEN ?1 AND ?2 "
	    RECORD_SCOPE "ORDER BY r.step",
	/* all users: an id is one record's */
	[STMT_RECORD_ROW] = "SELECT id FROM record WHERE ulid = ?1 UNION ALL SELECT id FROM "
			    "record_was WHERE ulid = ?1 LIMIT 1",
	[STMT_RECORD_ID] = "SELECT ulid FROM record WHERE id = ?1 AND id BETWEEN ?2 AND ?3 UNION "
			   "ALL SELECT ulid FROM record_was WHERE id = ?1 AND id BETWEEN ?2 AND ?3 "
			   "LIMIT 1",
	[STMT_RECORD_MOVE] = "UPDATE record_was SET step = ?1 WHERE id = ?2 AND step = ?3 /* id is "
			     "in the user's range */",
	[STMT_FACT_MOVE] = "UPDATE fact_was SET step = ?1 WHERE id = ?2 AND step = ?3 /* id is in "
			   "the user's range */",
	[STMT_SOURCES_MOVE] = "UPDATE record_source_was SET step = ?1 WHERE record = ?2 AND step = "
			      "?3 /* record is in the user's range */",
	[STMT_RECORD_WAS_DROP] =
	    "DELETE FROM record_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi",
	[STMT_FACT_WAS_DROP] =
	    "DELETE FROM fact_was WHERE step = :step AND id = :id AND id BETWEEN :lo AND :hi",
	[STMT_SOURCES_WAS_DROP] = "DELETE FROM record_source_was WHERE step = :step AND record = "
				  ":id AND record BETWEEN :lo AND :hi",
	[STMT_ACCESS_IN_ORDER] =
	    "SELECT r.ulid, a.accessed, a.accesses FROM record r CROSS JOIN record_access a ON "
	    "a.id = r.id WHERE r.ulid > ?1 AND r.id BETWEEN ?2 AND ?3 ORDER BY r.ulid LIMIT ?4",
	[STMT_ACCESS_LESS] =
	    "SELECT CASE WHEN a.accessed > ?2 OR a.accesses > ?3 THEN 1 ELSE 0 END FROM record r "
	    "LEFT JOIN record_access a ON a.id = r.id WHERE r.ulid = ?1 AND +r.id BETWEEN ?4 AND "
	    "?5 AND NOT (a.id IS NOT NULL AND a.accessed >= ?2 AND a.accesses >= ?3)",
	[STMT_ACCESS_PUT] =
	    "INSERT INTO record_access (id, accessed, accesses, change) SELECT id, ?2, ?3, ?6 FROM "
	    "record WHERE ulid = ?1 AND +id BETWEEN ?4 AND ?5 ON CONFLICT (id) DO UPDATE SET "
	    "accessed = max(record_access.accessed, excluded.accessed), accesses = "
	    "max(record_access.accesses, excluded.accesses), change = excluded.change",

	[STMT_VFACT_BOXES] = VRECORD_BOXES("1"),
	[STMT_VFACT_RECORDS] = VRECORD_RECORDS("1"),
	[STMT_VFACT_DUE] = VRECORD_DUE("1"),
	[STMT_VFACT_ALL] = VRECORD_ALL("1"),
	[STMT_VFACT_SKIP] = VRECORD_SKIP("1"),
	[STMT_VFACT_COUNT] = VRECORD_COUNT("1"),
	[STMT_VFACT_COUNT_TODO] = VRECORD_COUNT_TODO("1"),
	[STMT_VSUMMARY_BOXES] = VRECORD_BOXES("2"),
	[STMT_VSUMMARY_RECORDS] = VRECORD_RECORDS("2"),
	[STMT_VSUMMARY_DUE] = VRECORD_DUE("2"),
	[STMT_VSUMMARY_ALL] = VRECORD_ALL("2"),
	[STMT_VSUMMARY_SKIP] = VRECORD_SKIP("2"),
	[STMT_VSUMMARY_COUNT] = VRECORD_COUNT("2"),
	[STMT_VSUMMARY_COUNT_TODO] = VRECORD_COUNT_TODO("2"),
	[STMT_VREFLECTION_BOXES] = VRECORD_BOXES("3"),
	[STMT_VREFLECTION_RECORDS] = VRECORD_RECORDS("3"),
	[STMT_VREFLECTION_DUE] = VRECORD_DUE("3"),
	[STMT_VREFLECTION_ALL] = VRECORD_ALL("3"),
	[STMT_VREFLECTION_SKIP] = VRECORD_SKIP("3"),
	[STMT_VREFLECTION_COUNT] = VRECORD_COUNT("3"),
	[STMT_VREFLECTION_COUNT_TODO] = VRECORD_COUNT_TODO("3"),

	[STMT_STAT_RECORDS] =
	    "SELECT coalesce(sum(type = 1), 0), coalesce(sum(type = 2), 0), coalesce(sum(type = "
	    "3), 0), (SELECT count(*) FROM step WHERE id BETWEEN :lo AND :hi) "
	    "FROM record INDEXED BY record_size WHERE id >> 44 = :user",
	[STMT_STAT_FACTS] =
	    "SELECT bank, category, count(*), coalesce(sum(valid_to <= :now), 0), "
	    "sum(retracted IS NOT NULL), sum(summarized IS NOT NULL), sum(protected) "
	    "FROM fact JOIN record USING (id) WHERE id BETWEEN :lo AND :hi "
	    "GROUP BY bank, category",

	/* all users: a check */
	[STMT_CHECK_FACTS] =
	    "SELECT count(*) FROM record r LEFT JOIN fact f ON f.id = r.id WHERE (r.type = 1) <> "
	    "(f.id IS NOT NULL) OR r.id >> 44 NOT IN (SELECT no FROM user)",
	/* all users: a check */
	[STMT_CHECK_NUMBERS] =
	    "SELECT count(*) FROM user u WHERE (SELECT max(id) FROM record WHERE id BETWEEN u.no "
	    "<< 44 AND ((u.no + 1) << 44) - 1) "
	    ">= (u.no << 44) + coalesce((SELECT next FROM record_next WHERE user = u.no), 1)",
	/* all users: a check */
	[STMT_CHECK_SOURCES] =
	    "SELECT (SELECT count(*) FROM record_source WHERE record NOT IN (SELECT id FROM "
	    "record)) "
	    "+ (SELECT count(*) FROM record_source_was s WHERE NOT EXISTS (SELECT 1 FROM "
	    "record_was r WHERE r.id = s.record AND r.step = s.step))",
	/* all users: a check */
	[STMT_CHECK_CHANGES] =
	    "SELECT (SELECT count(*) FROM step_change WHERE step NOT IN (SELECT id FROM step)) + "
	    "count(*) FROM step_change c LEFT JOIN record_was r ON r.id = c.record AND r.step = "
	    "c.step "
	    "LEFT JOIN fact_was f ON f.id = c.record AND f.step = c.step WHERE (c.existed = 1) <> "
	    "(r.id IS NOT NULL) OR (r.type = 1) <> (f.id IS NOT NULL)",
	/* all users: a check */
	[STMT_CHECK_STEP_IDS] =
	    "SELECT (SELECT count(*) FROM step WHERE id NOT IN (SELECT step FROM step_id)) + "
	    "(SELECT count(*) FROM step_id WHERE step NOT IN (SELECT id FROM step))",
	/* all users: a check */
	[STMT_CHECK_MOVED] =
	    "SELECT count(*) FROM message_turn WHERE row NOT IN (SELECT id FROM message)",
	/* all users: a check */
	[STMT_CHECK_PEERS] =
	    "SELECT (SELECT count(*) = 0 FROM peer WHERE no = 0) + (SELECT count(*) FROM change "
	    "WHERE peer NOT IN (SELECT no FROM peer))",
	/* all users: a check */
	[STMT_CHECK_ALIASES] =
	    "SELECT count(*) FROM message_alias WHERE row NOT IN (SELECT id FROM message)",
	/* all users: a check */
	[STMT_CHECK_ENDED] = "SELECT count(*) FROM fact WHERE superseded_by IS NOT NULL AND "
			     "superseded_by NOT IN (SELECT ulid FROM record)",
	/* all users: a check, which shows no content */
	[STMT_ALL_RECORDS] =
	    "SELECT id, sha256, content FROM record WHERE id > ?1 ORDER BY id LIMIT ?2",

	/* ---- what goes ---- */
	[STMT_PRUNABLE] =
	    "SELECT r.id, r.protected, f.importance, coalesce(a.accessed, r.stored), "
	    "r.content, r.ulid, CASE WHEN r.retracted IS NOT NULL OR f.summarized IS NOT NULL "
	    "OR f.valid_to <= ?4 THEN 1 ELSE 0 END, r.origin FROM fact f CROSS JOIN record r ON "
	    "r.id = f.id LEFT JOIN record_access a ON a.id = f.id WHERE f.id BETWEEN ?1 AND ?2 "
	    "ORDER BY f.id LIMIT ?3",
	[STMT_PRUNABLE_ID] = "SELECT ulid FROM record WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_FACT_GUARDED] =
	    "SELECT protected FROM record WHERE id = :id AND id BETWEEN :lo AND :hi AND type = 1",
	[STMT_FACTS_COUNT] = "SELECT count(*) FROM fact WHERE id BETWEEN :lo AND :hi",
	[STMT_SESSION_RECORDS] =
	    "SELECT DISTINCT s.record FROM message m CROSS JOIN record_source s ON s.of = m.ulid "
	    "WHERE m.id BETWEEN ?1 AND ?2 AND s.record BETWEEN ?3 AND ?4 ORDER BY 1",
	[STMT_RECORDS_ON] =
	    "SELECT s.record FROM record r CROSS JOIN record_source s ON s.of = r.ulid "
	    "WHERE r.id = ?1 AND s.record BETWEEN ?2 AND ?3",
	[STMT_RECORD_RESTS] =
	    "SELECT m.id, o.id, typeof(s.of) = 'text' FROM record_source s "
	    "LEFT JOIN message m ON m.ulid = s.of AND +m.id BETWEEN ?2 AND ?3 "
	    "LEFT JOIN record o ON o.ulid = s.of AND +o.id BETWEEN ?2 AND ?3 WHERE s.record = ?1",
	[STMT_RECORD_KIND] =
	    "SELECT type, protected, ulid, tags FROM record "
	    "WHERE id = ?1 AND id BETWEEN ?2 AND ?3",
	[STMT_SESSION_OLD_MESSAGES] = "SELECT id FROM message WHERE id BETWEEN :lo AND :hi",
	[STMT_MESSAGES_DELETE] = "DELETE FROM message WHERE id BETWEEN :lo AND :hi",
	[STMT_CHUNKS_DELETE] = "DELETE FROM chunk WHERE message BETWEEN :lo AND :hi",
	[STMT_CARDS_DELETE] = "DELETE FROM card WHERE id BETWEEN :lo AND :hi",
	[STMT_SESSION_DELETE] = "DELETE FROM session WHERE user = :user AND id = :id",
	/*
	 * at most three passes over the messages; none for a kind of name that the user does not
	 * have
	 */
	[STMT_LABEL_NUMBERS] =
	    "SELECT no FROM label WHERE user = :user AND kind = :kind ORDER BY no LIMIT :most",
	[STMT_SPEAKERS_BORNE] = BEARERS("speaker"),
	[STMT_AGENTS_BORNE] = BEARERS("agent"),
	[STMT_PROJECTS_BORNE] = BEARERS("project"),
	[STMT_SPEAKERS_DELETE] =
	    "DELETE FROM label WHERE user = ?1 AND kind = 1 AND no NOT IN (SELECT speaker FROM "
	    "message WHERE id BETWEEN ?2 AND ?3 AND speaker IS NOT NULL)",
	[STMT_AGENTS_DELETE] = UNBORNE("2", "agent",
	    BORNE("step", "agent") BORNE("record_was", "agent") BORNE("record", "agent")),
	[STMT_PROJECTS_DELETE] =
	    UNBORNE("3", "project", BORNE("record_was", "project") BORNE("record", "project")),
	[STMT_PROJECTS_WAS_DELETE] =
	    "DELETE FROM label WHERE user = ?1 AND kind = 4 AND (no & 65535) NOT IN (SELECT no "
	    "FROM label WHERE user = ?1 AND kind = 3)",
	[STMT_VBOX_DELETE] = "DELETE FROM vector_done WHERE kind = 0 AND box BETWEEN :lo AND :hi",
	[STMT_VBOX_TODOS_DELETE] =
	    "DELETE FROM vector_todo WHERE kind = 0 AND row BETWEEN :lo AND :hi",

	/* ---- categories ---- */
	[STMT_CATEGORIES] =
	    "SELECT c.id, c.root, c.ulid, c.name, c.keywords, c.created, c.updated, (SELECT "
	    "count(*) FROM category_member m WHERE m.category = c.id) "
	    "FROM category c WHERE c.id BETWEEN :lo AND :hi ORDER BY c.root, c.id",
	[STMT_CATEGORY_ROW] =
	    "SELECT id FROM category WHERE ulid = :ulid AND id BETWEEN :lo AND :hi",
	[STMT_MEMBER_MESSAGES] =
	    "SELECT m.ulid, k.kind, k.category FROM message m CROSS JOIN category_member k ON "
	    "k.row = m.id AND k.kind = 0 WHERE m.ulid > ?1 AND m.id BETWEEN ?2 AND ?3 "
	    "ORDER BY m.ulid LIMIT ?4",
	[STMT_MEMBER_RECORDS] =
	    "SELECT r.ulid, k.kind, k.category FROM record r CROSS JOIN category_member k ON "
	    "k.row = r.id AND k.kind = r.type WHERE r.ulid > ?1 AND r.id BETWEEN ?2 AND ?3 "
	    "ORDER BY r.ulid LIMIT ?4",
	[STMT_MEMBER_OF] =
	    "SELECT category FROM category_member WHERE row = ?1 AND kind = ?2 /* row is in the "
	    "user's range */",
	[STMT_CATEGORY_NEXT] =
	    "INSERT INTO category_run (user, time, runs, next) VALUES (:user, 0, 0, 2) ON CONFLICT "
	    "(user) DO UPDATE SET next = category_run.next + 1 RETURNING next - 1",
	[STMT_CATEGORY_PUT] =
	    "INSERT INTO category (id, root, created, updated, ulid, name, keywords) VALUES (?1, "
	    "?2, ?3, ?4, ?5, ?6, ?7) /* id is in the user's range */",
	[STMT_CATEGORY_CHANGE] = "UPDATE category SET updated = ?4, name = ?5, keywords = ?6 WHERE "
				 "id = ?1 AND id BETWEEN ?2 AND ?3",
	[STMT_CATEGORY_DROP] = "DELETE FROM category WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_CATEGORY_RUNS] =
	    "SELECT time, runs FROM category_run WHERE user = :user AND runs > 0",
	[STMT_CATEGORY_RAN] =
	    "INSERT INTO category_run (user, time, runs, next) VALUES (:user, :now, 1, 1) "
	    "ON CONFLICT (user) DO UPDATE SET time = excluded.time, runs = "
	    "category_run.runs + 1",
	[STMT_MEMBERS] = "SELECT row, kind, category FROM category_member WHERE row BETWEEN :lo "
			 "AND :hi ORDER BY row, kind",
	[STMT_MEMBERS_OF] = "SELECT row, kind, category FROM category_member WHERE category = ?3 "
			    "AND +row BETWEEN ?1 AND ?2 ORDER BY row, kind",
	[STMT_MEMBER_PUT] = "INSERT OR REPLACE INTO category_member (row, kind, category) VALUES "
			    "(?1, ?2, ?3) /* row is in the user's range */",
	[STMT_MEMBER_DROP] = "DELETE FROM category_member WHERE row = ?1 AND kind = ?2 /* row is "
			     "in the user's range */",
	[STMT_MEMBERS_DROP] =
	    "DELETE FROM category_member WHERE category = :id AND +row BETWEEN :lo AND :hi",
	[STMT_MESSAGES_UNNAME] =
	    "UPDATE category SET name = '', keywords = '[]' WHERE id IN (SELECT category FROM "
	    "category_member WHERE row BETWEEN ?1 AND ?2 AND kind = 0)",
	[STMT_MESSAGES_LEAVE] =
	    "DELETE FROM category_member WHERE row BETWEEN ?1 AND ?2 AND kind = 0",
	[STMT_RECORDS_UNNAME] =
	    "UPDATE category SET name = '', keywords = '[]' WHERE id IN (SELECT category FROM "
	    "category_member WHERE row IN " GIVEN_ROWS " AND kind <> 0) "
	    "AND id BETWEEN ?2 AND ?3",
	[STMT_RECORDS_LEAVE] = "DELETE FROM category_member WHERE row IN " GIVEN_ROWS
			       " AND row BETWEEN ?2 AND ?3 AND kind <> 0",

	/* ---- jobs ---- */
	[STMT_JOB_LAST] = "SELECT time FROM job WHERE user = :user AND name = :name",
	[STMT_JOB_RAN] = "INSERT INTO job (user, name, time) VALUES (:user, :name, :now) ON "
			 "CONFLICT (user, name) DO UPDATE SET time = excluded.time",

	/* ---- tombstones ---- */
	[STMT_TOMBSTONES_ANY] = "SELECT 1 FROM tombstone WHERE user = :user LIMIT 1",
	[STMT_TOMBSTONES] = "SELECT key FROM tombstone WHERE user = :user AND key > :after ORDER "
			    "BY key LIMIT :limit",
	[STMT_TOMBSTONE_HAS] = "SELECT 1 FROM tombstone WHERE user = :user AND key = :key",
	[STMT_TOMBSTONE_PUT] =
	    "INSERT INTO tombstone (user, key) VALUES (:user, :key) ON CONFLICT DO NOTHING",
	[STMT_TOMBSTONE_TAKE] = "DELETE FROM tombstone WHERE user = :user AND key = :key",
	[STMT_SESSION_SOURCES] = "SELECT source, ulid FROM message WHERE id BETWEEN :lo AND :hi",
	[STMT_SESSION_ALIASES] = "SELECT ulid FROM message_alias WHERE row BETWEEN :lo AND :hi",

	/* ---- what is new for another store ---- */
	[STMT_CHANGE_LOG] =
	    "INSERT INTO change (user, no, kind, what, n, peer, tag) VALUES (?1, (SELECT "
	    "coalesce(max(no), 0) + 1 FROM change WHERE user = ?1), ?2, ?3, ?4, ?5, ?6) RETURNING "
	    "no",
	[STMT_CHANGE_LAST] =
	    "SELECT no, tag FROM change WHERE user = :user ORDER BY no DESC LIMIT 1",
	[STMT_CHANGE_TAG] = "SELECT no, tag FROM change WHERE user = :user AND no = :no",
	[STMT_CHANGES_UNPEER] = "UPDATE change SET peer = NULL WHERE user = :user AND peer = :peer",
	[STMT_NEWS] = "SELECT what, n FROM change WHERE user = ?1 AND no > ?2 AND no <= ?3 AND "
		      "kind = ?5 AND (?4 = 0 OR peer IS NOT ?4) ORDER BY what",
	[STMT_NEWS_STEPS] =
	    "SELECT s.id, s.time, s.did, s.agent, s.why, 0, 1, i.ulid, (SELECT u.ulid FROM step o "
	    "JOIN step_id u ON u.step = o.id WHERE o.undone = s.id) "
	    "FROM step s JOIN step_id i ON i.step = s.id WHERE s.id IN (SELECT what FROM change "
	    "WHERE user = ?1 AND no > ?2 AND no <= ?3 AND kind = 2 AND (?4 = 0 OR peer IS NOT ?4)) "
	    "ORDER BY s.time, i.ulid",
	[STMT_NEWS_TOMBSTONES] =
	    "SELECT key FROM tombstone WHERE user = ?1 AND key IN (SELECT what FROM change WHERE "
	    "user = ?1 AND no > ?2 AND no <= ?3 AND kind = 3 AND (?4 = 0 OR peer IS NOT ?4)) ORDER "
	    "BY key",
	[STMT_NEWS_ACCESSES] =
	    "SELECT r.ulid, a.accessed, a.accesses FROM record_access a JOIN record r ON r.id = "
	    "a.id WHERE a.id BETWEEN ?1 << 44 AND ((?1 + 1) << 44) - 1 AND a.change IN (SELECT no "
	    "FROM change WHERE user = ?1 AND no > ?2 AND no <= ?3 AND kind = 4 AND (?4 = 0 OR peer "
	    "IS NOT ?4)) ORDER BY r.ulid",
	[STMT_STORE_ID] = "SELECT ulid FROM peer WHERE no = 0 AND user = 0",
	[STMT_STORE_ID_PUT] = "INSERT OR REPLACE INTO peer (no, user, ulid, name, got, got_tag, "
			      "sent) VALUES (0, 0, ?1, '', 0, 0, 0)",
	[STMT_PEERS] = "SELECT no, ulid, name, got, got_tag, sent FROM peer WHERE user = :user "
		       "ORDER BY no",
	[STMT_PEER_MEET] =
	    "INSERT INTO peer (user, ulid, name, got, got_tag, sent) VALUES (?1, ?2, ?3, 0, 0, 0) "
	    "ON CONFLICT (user, ulid) DO UPDATE SET name = excluded.name RETURNING no",
	[STMT_PEER_SETTLE] = "UPDATE peer SET got = ?2, got_tag = ?3, sent = ?4 WHERE no = ?1 "
			     "/* the user's */",
	/* of the index alone */
	[STMT_MESSAGE_KEYS] = "SELECT session, source, id FROM message INDEXED BY message_source "
			      "WHERE session BETWEEN :lo >> 20 AND :hi >> 20",
	[STMT_RECORD_IDS] =
	    "SELECT ulid FROM record WHERE id BETWEEN ?1 AND ?2 UNION SELECT ulid FROM record_was "
	    "WHERE id BETWEEN ?1 AND ?2",
	[STMT_SESSION_NAMES] = "SELECT s.name, EXISTS (SELECT 1 FROM message WHERE id BETWEEN s.id "
			       "<< 20 AND (s.id << 20) + 1048575) FROM session s WHERE s.user = "
			       ":user AND s.part = 0",
	[STMT_SESSION_BARE] = "UPDATE session SET title = NULL, system_prompt = NULL, metadata = "
			      "NULL, told = NULL WHERE user = :user AND name = :name",
	[STMT_SESSION_SPAN] =
	    "UPDATE session AS s SET created = (SELECT min(time) " OF_SESSION "), "
	    "updated = (SELECT max(time) " OF_SESSION "), "
	    "agent = (SELECT CASE WHEN min(coalesce(agent, 0)) = max(coalesce(agent, 0)) THEN "
	    "max(agent) END " OF_SESSION "), "
	    "project = (SELECT CASE WHEN min(coalesce(project, 0)) = max(coalesce(project, 0)) "
	    "THEN max(project) END " OF_SESSION ") WHERE user = :user AND name = :name",

	[STMT_SESSION_COUNT_AGAIN] =
	    "UPDATE session AS s SET "
	    "assistants = (SELECT count(*) " OF_SESSION " AND role = 1), "
	    "speaker = coalesce((SELECT speaker " OF_SESSION " AND speaker IS NOT NULL ORDER BY id "
	    "LIMIT 1), 0), "
	    "speakers = (SELECT CASE WHEN min(speaker) IS NULL THEN 0 WHEN min(speaker) = "
	    "max(speaker) THEN 1 ELSE 2 END " OF_SESSION
	    ") WHERE user = :user AND id = :id RETURNING assistants, speakers",

	/* ---- profiles ---- */
	[STMT_PROFILE] = "SELECT id, field, value, updated FROM profile WHERE id BETWEEN :lo AND "
			 ":hi ORDER BY id",
	[STMT_PROFILE_CONSENT] = "SELECT consent, time FROM profile_user WHERE user = :user",
	[STMT_PROFILE_SET_CONSENT] =
	    "INSERT INTO profile_user (user, consent, time, next) VALUES (:user, :consent, :now, "
	    "1) "
	    "ON CONFLICT (user) DO UPDATE SET consent = excluded.consent, time = excluded.time",
	[STMT_PROFILE_NEXT] = "INSERT INTO profile_user (user, consent, time, next) VALUES (:user, "
			      "0, 0, 2) ON CONFLICT (user) DO UPDATE SET next = "
			      "profile_user.next + 1 "
			      "RETURNING next - 1",
	[STMT_PROFILE_PUT] = "INSERT INTO profile (id, updated, field, value) VALUES (?1, ?2, ?3, "
			     "?4) /* id is in the user's range */",
	[STMT_PROFILE_DELETE] = "DELETE FROM profile WHERE id = :id AND id BETWEEN :lo AND :hi",
	[STMT_VPROFILE_BOXES] =
	    "SELECT b.box, coalesce(d.done, 0) FROM (SELECT DISTINCT p.id >> 20 AS box "
	    "FROM " VPROFILE "AND p.id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575) b LEFT JOIN "
			     "vector_done d ON d.vset = ?1 AND d.kind = 5 AND d.box = b.box "
	    "WHERE EXISTS (SELECT 1 FROM profile WHERE id BETWEEN (b.box << 20) + coalesce(d.done, "
	    "0) AND (b.box << 20) + 1048575) ORDER BY b.box LIMIT ?4",
	[STMT_VPROFILE_RECORDS] =
	    "SELECT p.id, 1, NULL, p.value FROM " VPROFILE "AND p.id BETWEEN ?2 AND ?3 "
	    "AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = 5 AND row = "
	    "p.id) ORDER BY p.id LIMIT ?4",
	[STMT_VPROFILE_DUE] =
	    "SELECT p.id, 1, NULL, p.value FROM vector_todo t CROSS JOIN " VPROFILE
	    "AND p.id = t.row AND t.vset = ?1 AND t.kind = 5 "
	    "AND t.row BETWEEN ?2 AND ?3 AND t.due <= ?4 ORDER BY t.row LIMIT ?5",
	[STMT_VPROFILE_ALL] =
	    "SELECT p.id, 1 FROM " VPROFILE "AND p.id BETWEEN :lo AND :hi ORDER BY p.id",
	[STMT_VPROFILE_SKIP] =
	    "INSERT INTO vector_todo (vset, kind, row) SELECT ?1, 5, p.id FROM " VPROFILE
	    "AND p.id BETWEEN ?2 AND ?3 ON CONFLICT DO NOTHING",
	[STMT_VPROFILE_COUNT] =
	    "SELECT count(*) FROM " VPROFILE "AND p.id BETWEEN ?2 << 20 AND (?3 << 20) + 1048575 "
	    "AND (p.id & 1048575) >= coalesce((SELECT done FROM vector_done WHERE vset = ?1 AND "
	    "kind = 5 AND box = p.id >> 20), 0) "
	    "AND NOT EXISTS (SELECT 1 FROM vector_todo WHERE vset = ?1 AND kind = 5 AND row = "
	    "p.id)",
	[STMT_VPROFILE_COUNT_TODO] = "SELECT count(*) FROM vector_todo t CROSS JOIN " VPROFILE
				     "AND p.id = t.row AND t.vset = ?1 AND t.kind = 5 "
				     "AND t.row BETWEEN ?2 AND ?3 AND t.tries < ?4",
};
