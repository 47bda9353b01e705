/*
 * dialect.c: turns SQLite's statements into PostgreSQL's. Most differ in a few words, which are
 * replaced here: parameters are numbered, names that PostgreSQL reserves are changed, hints on
 * indexes are dropped, "INSERT OR REPLACE" names the key by which it replaces. Statements that
 * differ in more have a text of their own in a table.
 *
 * Parameters keep their numbers. Those with names are numbered in the order of their appearance, so
 * the texts in the table have numbers.
 */
#include "store/postgres/dialect.h"

#include <ctype.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/order.h"
#include "store/sql/message_columns.h"
#include "store/sql/stmt.h"

#define TEXT_MAX (1u << 16)

/* ---- statements with a text of their own ---- */

#define COUNT(when) "count(*) FILTER (WHERE " when ")"
/* Where roles are walled off from each other, no role says of a service that it fails for all. */
#define OWN_SERVICE "CASE WHEN row_security_active(to_regclass('guard')) THEN " \
	"quote_literal(current_user::text) || ' ' ELSE '' END || ?1"

static const struct { enum stmt which; const char *sql; } own[] = {
	{ STMT_USER_PUT,
	    "INSERT INTO usr (no, name) SELECT coalesce(max(no), 0) + 1, ?1 FROM usr "
	    "RETURNING no" },
	{ STMT_LABELS_BY_WORD,
	    "SELECT no, text FROM label WHERE user = ?1 AND kind = ?2 AND word = ?3 ORDER BY no "
	    "LIMIT ?4" },
	{ STMT_MESSAGE_PUT,
	    "WITH put AS (INSERT INTO message (" MESSAGE_COLUMNS ") VALUES (" MESSAGE_PARAMETERS
	    ") ON CONFLICT DO NOTHING RETURNING 1) "
	    "/* id is in the user's range */ "
	    "SELECT (SELECT count(*) FROM put), NOT EXISTS (SELECT 1 FROM put) AND NOT EXISTS "
	    "(SELECT 1 FROM message WHERE session = ?2 AND source = ?4)" },
	{ STMT_RECORD_PUT,
	    "WITH put AS (INSERT INTO record (id, type, ulid, source, agent, project, session, "
	    "time, stored, origin, trust, size, sha256, content, tags, extra, protected, "
	    "retracted, sort, first, last, model, structured) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
	    "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23) "
	    "ON CONFLICT (ulid) DO NOTHING RETURNING 1) /* id is in the user's range */ "
	    "SELECT (SELECT count(*) FROM put), NOT EXISTS (SELECT 1 FROM put)" },
	{ STMT_STAT_MESSAGES,
	    "SELECT " COUNT("role = 0") ", " COUNT("role = 1") ", " COUNT("role = 2") ", "
	    COUNT("role = 3") ", " COUNT("role = 4") ", " COUNT("role > 4")
	    ", sum(octet_length(content)), sum(tokens), "
	    "sum(chunks), min(time), max(time) FROM message WHERE id BETWEEN ?1 AND ?2" },
	{ STMT_STAT_GROWN_MESSAGES,
	    "SELECT count(*), " COUNT("role IN (0, 1)") ", count(DISTINCT session) FROM message "
	    "WHERE id BETWEEN ?1 AND ?2 AND stored >= ?3" },
	{ STMT_STAT_GROWN_RECORDS,
	    "SELECT " COUNT("type = 1") ", " COUNT("type = 2") ", " COUNT("type = 3")
	    " FROM record WHERE id BETWEEN ?1 AND ?2 AND stored >= ?3" },
	{ STMT_STAT_RECORDS,
	    "SELECT " COUNT("type = 1") ", " COUNT("type = 2") ", " COUNT("type = 3")
	    ", (SELECT count(*) FROM step WHERE id BETWEEN ?1 AND ?2) FROM record WHERE id >> 44 = "
	    "?3" },
	{ STMT_STAT_FACTS,
	    "SELECT bank, category, count(*), " COUNT("valid_to <= ?1") ", "
	    COUNT("retracted IS NOT NULL") ", " COUNT("summarized IS NOT NULL") ", sum(protected) "
	    "FROM fact JOIN record USING (id) WHERE id BETWEEN ?2 AND ?3 GROUP BY bank, category "
	    "ORDER BY bank, category" },
	/* a store on a server knows no other stores */
	{ STMT_CHECK_PEERS, "SELECT 0" },
	/* all users: a check */
	{ STMT_CHECK_CARDS,
	    "SELECT count(*) FROM message m WHERE role <> 2 AND NOT EXISTS (SELECT 1 FROM card "
	    "WHERE id = (m.id >> 20 << 20) + (m.id & 1048575) / 120 AND CASE WHEN length(cards) % "
	    "32 = 0 THEN length(cards) >= ((m.id & 1048575) % 120 + 1) * 32 ELSE "
	    "get_byte(cards, 0) >= (m.id & 1048575) % 120 + 1 END)" },
	{ STMT_VSET_PUT,
	    "INSERT INTO vector_set (name, sha256, dims, unrelated, centre, current) VALUES (?1, "
	    "?2, ?3, ?4, ?5, CASE WHEN EXISTS (SELECT 1 FROM vector_set WHERE current = 1) THEN 0 "
	    "ELSE 1 END) RETURNING no" },
	{ STMT_VSET_SWITCH,
	    "UPDATE vector_set SET current = CASE WHEN no = ?1 THEN 1 ELSE 0 END" },
	{ STMT_VTODO_FAIL,
	    "INSERT INTO vector_todo AS t (vset, kind, row, tries, due) VALUES (?1, ?2, ?3, 1, "
	    "?4 + ?5) /* row is in the user's range */ ON CONFLICT (vset, kind, row) DO UPDATE "
	    "SET tries = t.tries + 1, due = ?4 + "
	    "least(?5 << least(t.tries, 20)::int, 86400000000)" },
	{ STMT_GUARD_GET,
	    "SELECT failed, opened, probe, lease, opens FROM guard WHERE service = " OWN_SERVICE },
	{ STMT_GUARD_PUT,
	    "INSERT INTO guard (service, failed, opened, probe, lease, opens) VALUES (" OWN_SERVICE
	    ", ?2, ?3, ?4, ?5, ?6) ON CONFLICT (service) DO UPDATE SET failed = excluded.failed, "
	    "opened = excluded.opened, probe = excluded.probe, lease = excluded.lease, "
	    "opens = excluded.opens" },
	{ STMT_GUARD_COUNTS,
	    "SELECT " COUNT("opened > ?1 AND opened <= ?2") ", coalesce(sum(opens), 0) FROM "
	    "guard" },
	{ STMT_RECORDS_OF_SIZE,
	    "SELECT r.id, r.content FROM record r WHERE r.id >> 44 = ?1 >> 44 AND r.type = ?5 AND "
	    "r.size BETWEEN ?6 AND ?7 AND r.id BETWEEN ?1 AND ?2 AND (?3 < 0 OR r.agent IS NULL OR "
	    "r.agent = ?3) AND (?4 < 0 OR r.project = ?4) ORDER BY r.size, r.id" },
};

/* ---- and with an order, which SQLite's plan has by itself ---- */

static const struct { enum stmt which; const char *order; } ordered[] = {
	{ STMT_STAT_CHUNKS, " ORDER BY kind" },
	{ STMT_WORK_ALL, " ORDER BY id" },
	{ STMT_RECORDS_ON, " ORDER BY 1" },
	{ STMT_RECORD_RESTS, " ORDER BY s.no" },
	{ STMT_SESSION_OLD_MESSAGES, " ORDER BY id" },
	{ STMT_SESSION_SOURCES, " ORDER BY id" },
};

/* ---- parameters that are a text or bytes ---- */

static const struct { enum stmt which; int at; } any[] = {
	{ STMT_MESSAGE_PUT, 4 },
	{ STMT_MESSAGE_PUT_NEW, 4 },
	{ STMT_MESSAGE_DUPLICATE, 1 },
	{ STMT_MESSAGE_DUPLICATE_PARTS, 1 },
	{ STMT_MESSAGE_BY_SOURCE, 1 },
	{ STMT_SOURCE_PUT, 3 },
	{ STMT_SOURCES_RENAME, 1 },
	{ STMT_SOURCES_RENAME, 2 },
	{ STMT_SOURCES_WAS_RENAME, 1 },
	{ STMT_SOURCES_WAS_RENAME, 2 },
};

/* ---- rows that come in great numbers ---- */

#define MESSAGE_ARRAY(no, name, type) ", $" #no
#define MESSAGE_ARRAYS                "$1" MESSAGE_ROWS(MESSAGE_ARRAY)
#define MESSAGE_TYPE(no, name, type)  #type

static const struct { enum stmt which; const char *sql, *columns; } many[] = {
	{ STMT_MESSAGE_PUT_NEW,
	    "INSERT INTO message (" MESSAGE_COLUMNS ") SELECT * FROM unnest(" MESSAGE_ARRAYS
	    ") /* the user's */",
	    "i" MESSAGE_ROWS(MESSAGE_TYPE) },
	{ STMT_PAGE_PUT, "INSERT INTO fts_page (id, data) SELECT * FROM unnest($1, $2) /* user */",
	    "ib" },
	{ STMT_LEAF_PUT,
	    "INSERT INTO fts_leaf (u, segment, term, page) SELECT * FROM unnest($1, $2, $3, $4) "
	    "/* the user's */",
	    "iibi" },
	{ STMT_CHUNK_PUT,
	    "INSERT INTO chunk (message, no, kind, language, start, length, tokens) SELECT * FROM "
	    "unnest($1, $2, $3, $4, $5, $6, $7) /* message is in the user's range */ ON CONFLICT "
	    "(message, no) DO UPDATE SET kind = excluded.kind, language = excluded.language, "
	    "start = excluded.start, length = excluded.length, tokens = excluded.tokens",
	    "iiitiii" },
	{ STMT_LABEL_PUT,
	    "INSERT INTO label (u, kind, no, text, word) SELECT * FROM unnest($1, $2, $3, $4, $5) "
	    "/* the user's */",
	    "iiitb" },
};

/*
 * ---- reads that are declared in great numbers ----
 *
 * Bounds of the user's rows are asked of the keys: of the table, they would look to the planner
 * like few rows to go through.
 */

#define KEYS(type) "unnest(" type ") WITH ORDINALITY AS k (key, no) "
#define PAGES(column, table) \
	"SELECT t." column ", k.no FROM " KEYS("$1::bigint[]") "JOIN " table \
	" t ON t.id = k.key ORDER BY k.no"

static const struct { enum stmt which; int by, and; const char *sql; } together[] = {
	{ STMT_PAGE_GET, 1, 0, PAGES("data", "fts_page") },
	{ STMT_CARD_GET, 1, 0, PAGES("cards", "card") },
	{ STMT_VCODE_GET, 1, 0, PAGES("slots", "vector_code") },
	{ STMT_VBYTE_GET, 1, 0, PAGES("slots", "vector_byte") },
	{ STMT_MESSAGE_TEXT, 1, 0,
	    "SELECT m.content, k.no FROM " KEYS("$1::bigint[]") "JOIN message m ON m.id = k.key "
	    "WHERE k.key BETWEEN $2 AND $3 ORDER BY k.no" },
	{ STMT_MESSAGE_BY_ROW, 1, 0,
	    "SELECT " MESSAGE_COLUMNS ", k.no FROM " KEYS("$1::bigint[]") "JOIN message m ON "
	    "m.id = k.key WHERE k.key BETWEEN $2 AND $3 AND ($4 < 0 OR agent IS NULL OR agent = "
	    "$4) AND ($5 < 0 OR project = $5) ORDER BY k.no" },
	{ STMT_SESSION_NAME, 2, 0,
	    "SELECT s.name, s.part, k.no FROM " KEYS("$2::bigint[]") "JOIN session s ON s.id = "
	    "k.key WHERE s.u = $1 ORDER BY k.no" },
	{ STMT_LABEL_TEXT, 3, 0,
	    "SELECT l.text, k.no FROM " KEYS("$3::bigint[]") "JOIN label l ON l.u = $1 AND l.kind "
	    "= $2 AND l.no = k.key ORDER BY k.no" },
	{ STMT_CHUNKS_OF, 1, 0,
	    "SELECT c.kind, c.language, c.start, c.length, c.tokens, k.no FROM "
	    KEYS("$1::bigint[]") "JOIN chunk c ON c.message = k.key WHERE k.key BETWEEN $2 AND $3 "
	    "ORDER BY k.no, c.no" },
	{ STMT_LEAF_FIND, 3, 2,
	    "SELECT l.page, k.no FROM unnest($3::bytea[], $2::bigint[]) WITH ORDINALITY AS k (key, "
	    "segment, no) CROSS JOIN LATERAL (SELECT page FROM fts_leaf f WHERE f.u = $1 AND "
	    "f.segment = k.segment AND f.term <= k.key ORDER BY f.term DESC LIMIT 1) l "
	    "/* the user's */ ORDER BY k.no" },
	{ STMT_LABEL_GET, 3, 0,
	    "SELECT l.no, k.no FROM " KEYS("$3::text[]") "JOIN label l ON l.u = $1 AND l.kind = $2 "
	    "AND l.text = k.key ORDER BY k.no" },
	{ STMT_SOURCES_OF, 1, 0,
	    "SELECT s.of, s.start, s.length, k.no FROM " KEYS("$1::bigint[]") "JOIN "
	    "record_source s ON s.record = k.key WHERE k.key BETWEEN $2 AND $3 ORDER BY k.no, "
	    "s.no" },
	{ STMT_FACTS_ENDED_BY, 1, 0,
	    "SELECT r.ulid, k.no FROM " KEYS("$1::bytea[]") "JOIN fact f ON f.superseded_by = "
	    "k.key JOIN record r ON r.id = f.id WHERE +f.id BETWEEN $2 AND $3 ORDER BY k.no, "
	    "f.id" },
	{ STMT_MESSAGE_DUPLICATE, 1, 0,
	    "SELECT m.id, m.ulid, m.stored, m.tokens, m.sha256, k.no FROM " KEYS("$1::bytea[]")
	    "JOIN message m ON m.session = $2 AND m.source = k.key ORDER BY k.no" },
};

/*
 * And those that are run as they are, for each of the keys: join_keys() makes them. For one key
 * they give one row, or some whose order does not matter.
 */
static const struct { enum stmt which; int by, and; const char *keys; } joined[] = {
	{ STMT_RECORD_BY_ROW, 5, 0, "unnest($5::bigint[]) WITH ORDINALITY AS k (key, no)" },
	{ STMT_MESSAGE_BY_ULID, 1, 2,
	    "unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS k (key, other, no)" },
};

/* ---- words ---- */

static const struct { const char *from, *to; } phrases[] = {
	{ "SELECT value FROM json_each(?1)",
	    "SELECT value::bigint FROM json_array_elements_text(?1::json)" },
	{ "-9223372036854775808", "(-9223372036854775807 - 1)" },
	{ "instr(", "strpos(" },
	{ " IS NOT title", " IS DISTINCT FROM title" },
	{ " IS NOT system_prompt", " IS DISTINCT FROM system_prompt" },
	{ " IS NOT metadata", " IS DISTINCT FROM metadata" },
	{ "x''", "''::bytea" },
	/* a record's source is a text or bytes: see struct dialect */
	{ "s.of = m.ulid", "s.of = '\\x00'::bytea || m.ulid" },
	{ "s.of = r.ulid", "s.of = '\\x00'::bytea || r.ulid" },
	{ "m.ulid = s.of", "substr(s.of, 1, 1) = '\\x00' AND m.ulid = substr(s.of, 2)" },
	{ "o.ulid = s.of", "substr(s.of, 1, 1) = '\\x00' AND o.ulid = substr(s.of, 2)" },
	/* a parameter that is null must have a type if it is not compared with a column first */
	{ "(?5 IS NULL", "(?5::text IS NULL" },
	{ "(?6 IS NULL", "(?6::text IS NULL" },
	{ "(?7 IS NULL", "(?7::text IS NULL" },
	{ "(?8 IS NULL", "(?8::text IS NULL" },
	{ "(?20 IS NULL", "(?20::text IS NULL" },
	{ "(?21 IS NULL", "(?21::text IS NULL" },
	{ "(?12 IS NULL", "(?12::bigint IS NULL" },
	{ "(?13 IS NULL", "(?13::bigint IS NULL" },
	{ "(?14 IS NULL", "(?14::bigint IS NULL" },
	{ "(?15 IS NULL", "(?15::bigint IS NULL" },
	{ "(:since IS NULL", "(:since::bigint IS NULL" },
	{ "(:until IS NULL", "(:until::bigint IS NULL" },
	{ "typeof(s.of) = 'text'", "substr(s.of, 1, 1) <> '\\x00'" },
};

/* The keys by which "INSERT OR REPLACE" replaces rows of a table. */
static const struct { const char *table, *key; } keys[] = {
	{ "message_turn", "row" },
	{ "message_alias", "ulid" },
	{ "chunk", "message, no" },
	{ "card", "id" },
	{ "work", "id" },
	{ "input", "user, path" },
	{ "vector_user", "vset, user" },
	{ "vector_code", "id" },
	{ "vector_byte", "id" },
	{ "vector_cells", "vset, user" },
	{ "vector_centroid", "id" },
	{ "vector_cell", "id" },
	{ "vector_place", "vset, box" },
	{ "vector_done", "vset, kind, box" },
	{ "guard", "service" },
	{ "category_member", "row, kind" },
};

#define REPLACE "INSERT OR REPLACE INTO "

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
starts(const char *p, const char *word)
{
	size_t n = strlen(word);

	return strncmp(p, word, n) == 0 && (!is_word(word[n - 1]) || !is_word(p[n]));
}

static void
exchange_phrases(const char *sql, struct buf *out)
{
	for (const char *p = sql; *p != '\0'; ) {
		size_t i = 0;

		while (i < NELEM(phrases) && strncmp(p, phrases[i].from,
		    strlen(phrases[i].from)) != 0)
			i++;
		if (i < NELEM(phrases)) {
			buf_adds(out, phrases[i].to);
			p += strlen(phrases[i].from);
		} else {
			buf_addc(out, *p++);
		}
	}
}

/* For "t (a, b) VALUES ..." of an INSERT OR REPLACE: adds what is done with a row that exists. */
static void
add_replacing(const char *rest, struct buf *out)
{
	const char *open = strchr(rest, '('), *shut = strchr(rest, ')');
	size_t i = 0;

	while (i + 1 < NELEM(keys) && !starts(rest, keys[i].table))
		i++;
	buf_addf(out, " ON CONFLICT (%s) DO UPDATE SET ", keys[i].key);
	for (const char *p = open + 1, *comma = ""; p < shut; ) {
		size_t n = strcspn(p, ",)");

		buf_addf(out, "%s%.*s = excluded.%.*s", comma, (int)n, p, (int)n, p);
		comma = ", ";
		p += n + 1;
		p += strspn(p, " ");
	}
}

struct translation {
	const char *p;
	struct buf *out;
	/* the names of parameters, in the order of their appearance */
	const char *names[DIALECT_PARAMETERS];
	size_t lengths[DIALECT_PARAMETERS];
	int n_names, n;
	bool seen[DIALECT_PARAMETERS];
	char word[32];                         /* the character before p */
};

/* ":name" and "?4" become "$4". */
static void
parameter(struct translation *t)
{
	size_t n = 1;
	int no = 0;

	while (is_word(t->p[n]))
		n++;
	if (*t->p == '?') {
		no = (int)strtol(t->p + 1, NULL, 10);
	} else {
		while (no < t->n_names && (t->lengths[no] != n ||
		    strncmp(t->names[no], t->p, n) != 0))
			no++;
		t->names[no] = t->p;
		t->lengths[no] = n;
		no++;
		t->n_names = MAX(t->n_names, no);
	}
	t->n = MAX(t->n, no);
	t->seen[no - 1] = true;
	buf_addf(t->out, "$%d", no);
	t->p += n;
}

/* A limit below 0 means none in SQLite. */
static void
limit(struct translation *t)
{
	buf_adds(t->out, "LIMIT nullif(greatest(");
	parameter(t);
	buf_adds(t->out, ", -1::bigint), -1)");
}

/* Whether the arguments that begin at p, behind a parenthesis, are more than one. */
static bool
has_comma(const char *p)
{
	for (int depth = 0; *p != '\0' && depth >= 0; p++) {
		if (*p == ',' && depth == 0)
			return true;
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
	}
	return false;
}

/* Whether the table that is joined at p has a condition, or is a cross join with what follows. */
static bool
has_condition(const char *p)
{
	for (; *p != '\0'; p++) {
		if (is_word(p[-1]))
			continue;
		if (starts(p, "ON"))
			return true;
		if (starts(p, "JOIN") || starts(p, "WHERE"))
			return false;
	}
	return false;
}

/* A table of users, where its name may stand. */
static bool
is_table(const char *before)
{
	static const char *const words[] = { "FROM", "INTO", "JOIN", "UPDATE" };

	return text_index(before, words, NELEM(words)) >= 0;
}

static void
word(struct translation *t)
{
	size_t n = 0;

	while (is_word(t->p[n]))
		n++;
	if (starts(t->p, "INDEXED BY ")) {
		t->p += strlen("INDEXED BY ");
		t->p += strspn(t->p, "abcdefghijklmnopqrstuvwxyz_");
		return;
	}
	if (starts(t->p, "NOT INDEXED")) {
		t->p += strlen("NOT INDEXED");
		return;
	}
	if (n == 5 && starts(t->p, "LIMIT") && (t->p[6] == '?' || t->p[6] == ':')) {
		t->p += strlen("LIMIT ");
		limit(t);
		return;
	}
	if (starts(t->p, "CROSS JOIN") && has_condition(t->p + strlen("CROSS JOIN")))
		buf_adds(t->out, "INNER");
	else if (n == 4 && starts(t->p, "user"))
		buf_adds(t->out, is_table(t->word) ? "usr" : "u");
	else if (n == 6 && starts(t->p, "offset"))
		buf_adds(t->out, "\"offset\"");
	else if ((starts(t->p, "min(") || starts(t->p, "max(")) && has_comma(t->p + 4))
		buf_adds(t->out, t->p[1] == 'i' ? "least" : "greatest");
	else
		buf_add(t->out, t->p, n);
	snprintf(t->word, sizeof(t->word), "%.*s", (int)n, t->p);
	t->p += n;
}

static void
translate(struct translation *t)
{
	while (*t->p != '\0') {
		const char *end = NULL;

		if (*t->p == '\'')
			end = strchr(t->p + 1, '\'');
		if (end != NULL) {
			buf_add(t->out, t->p, (size_t)(end + 1 - t->p));
			t->p = end + 1;
		} else if (strncmp(t->p, "/*", 2) == 0 && (end = strstr(t->p, "*/")) != NULL) {
			t->p = end + 2;
		} else if (strncmp(t->p, "::", 2) == 0) {
			buf_adds(t->out, "::");
			t->p += 2;
		} else if (*t->p == ':' || *t->p == '?') {
			parameter(t);
		} else if (is_word(*t->p)) {
			word(t);
		} else {
			buf_addc(t->out, *t->p++);
		}
	}
}

static const char *
own_text(int which, const char *sql)
{
	for (size_t i = 0; i < NELEM(own); i++)
		if ((int)own[i].which == which)
			return own[i].sql;
	return sql;
}

/* The statement sql for each of the keys, which stand for its parameters by and, if not 0, and. */
static char *
join_keys(const char *sql, const char *from, int by, int and)
{
	struct buf b = buf_of(TEXT_MAX);

	buf_adds(&b, "SELECT l.*, k.no FROM ");
	buf_adds(&b, from);
	buf_adds(&b, " CROSS JOIN LATERAL (");
	for (const char *p = sql; *p != '\0';) {
		int no = *p == '$' ? (int)strtol(p + 1, NULL, 10) : 0;

		if (no == 0 || (no != by && no != and)) {
			buf_addc(&b, *p++);
			continue;
		}
		buf_adds(&b, no == by ? "k.key" : "k.other");
		p += 1 + strspn(p + 1, "0123456789");
	}
	buf_adds(&b, ") l ORDER BY k.no");
	char *text = xstrdup(b.data);
	buf_release(&b);
	return text;
}

void
dialect_of(int which, const char *sql, struct dialect *out)
{
	struct buf plain, text;
	struct translation t = { .out = &text };

	*out = (struct dialect){ .sql = NULL };
	buf_init(&plain, TEXT_MAX);
	buf_init(&text, TEXT_MAX);
	sql = own_text(which, sql);
	if (strncmp(sql, REPLACE, strlen(REPLACE)) == 0) {
		buf_adds(&plain, "INSERT INTO ");
		exchange_phrases(sql + strlen(REPLACE), &plain);
		add_replacing(sql + strlen(REPLACE), &plain);
	} else {
		exchange_phrases(sql, &plain);
	}
	for (size_t i = 0; i < NELEM(ordered); i++)
		if ((int)ordered[i].which == which)
			buf_adds(&plain, ordered[i].order);
	t.p = plain.data;
	translate(&t);
	out->sql = xstrdup(text.data);
	out->n_parameters = t.n;
	for (int i = 0; i < t.n; i++)
		out->unused[i] = !t.seen[i];
	out->writes = strncmp(sql, "SELECT", 6) != 0;
	out->tells_taken = which == STMT_MESSAGE_PUT || which == STMT_RECORD_PUT;
	for (size_t i = 0; i < NELEM(many); i++)
		if ((int)many[i].which == which) {
			out->many = many[i].sql;
			out->columns = many[i].columns;
		}
	for (size_t i = 0; i < NELEM(together); i++)
		if ((int)together[i].which == which) {
			out->together = together[i].sql;
			out->together_by = together[i].by;
			out->together_and = together[i].and;
		}
	for (size_t i = 0; i < NELEM(joined); i++)
		if ((int)joined[i].which == which) {
			out->together_by = joined[i].by;
			out->together_and = joined[i].and;
			out->together = out->own_together = join_keys(out->sql, joined[i].keys,
			    joined[i].by, joined[i].and);
		}
	for (size_t i = 0; i < NELEM(any); i++)
		if ((int)any[i].which == which)
			out->any[any[i].at - 1] = true;
	buf_release(&plain);
	buf_release(&text);
}

void
dialect_release(struct dialect *d)
{
	free(d->sql);
	free(d->own_many);
	free(d->own_columns);
	free(d->own_together);
}
