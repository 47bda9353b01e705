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
#include "gen/dialect_rows.h"
#include "store/sql/message_columns.h"
#include "store/sql/stmt.h"

#define TEXT_MAX (1u << 16)

/* ---- statements with a text of their own ---- */

static const char *const own[N_STMTS] = {
#define STMT(name, subject, text) [STMT_##name] = text,
#include "gen/statements_postgres.h"
#undef STMT
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

/* The types of the columns: see struct dialect. */
#define MESSAGE_TYPE(no, name, type) #type

static const struct { enum stmt which; const char *columns; } many[] = {
	{ STMT_MESSAGE_PUT_NEW, "i" MESSAGE_ROWS(MESSAGE_TYPE) },
	{ STMT_PAGE_PUT, "ib" },
	{ STMT_LEAF_PUT, "iibi" },
	{ STMT_CHUNK_PUT, "iiitiii" },
	{ STMT_LABEL_PUT, "iiitb" },
};

/*
 * ---- reads that are declared in great numbers ----
 *
 * Those with keys are run as they are for each of them, by join_keys(): for one key they give one
 * row, or some whose order does not matter. Bounds of the user's rows are asked of the keys: of the
 * table, they would look to the planner like few rows to go through.
 */

#define KEYS(types)  "unnest(" types ") WITH ORDINALITY AS k (key, no) "
#define PAIRS(types) "unnest(" types ") WITH ORDINALITY AS k (key, other, no) "

static const struct { enum stmt which; int by, and; const char *keys, *sql; } together[] = {
	{ STMT_PAGE_GET, 1, 0, KEYS("$1::bigint[]"), NULL },
	{ STMT_CARD_GET, 1, 0, KEYS("$1::bigint[]"), NULL },
	{ STMT_VCODE_GET, 1, 0, KEYS("$1::bigint[]"), NULL },
	{ STMT_VBYTE_GET, 1, 0, KEYS("$1::bigint[]"), NULL },
	{ STMT_SESSION_NAME, 2, 0, KEYS("$2::bigint[]"), NULL },
	{ STMT_LABEL_TEXT, 3, 0, KEYS("$3::bigint[]"), NULL },
	{ STMT_LABEL_GET, 3, 0, KEYS("$3::text[]"), NULL },
	{ STMT_LEAF_FIND, 3, 2, PAIRS("$3::bytea[], $2::bigint[]"), NULL },
	{ STMT_MESSAGE_DUPLICATE, 1, 0, KEYS("$1::bytea[]"), NULL },
	{ STMT_MESSAGE_BY_ULID, 1, 2, PAIRS("$1::bytea[], $2::bytea[]"), NULL },
	{ STMT_RECORD_BY_ROW, 5, 0, KEYS("$5::bigint[]"), NULL },
	{ STMT_MESSAGE_TEXT, 1, 0, NULL,
	    "SELECT m.content, k.no FROM " KEYS("$1::bigint[]") "JOIN message m ON m.id = k.key "
	    "WHERE k.key BETWEEN $2 AND $3 ORDER BY k.no" },
	{ STMT_MESSAGE_BY_ROW, 1, 0, NULL,
	    "SELECT " MESSAGE_COLUMNS ", k.no FROM " KEYS("$1::bigint[]") "JOIN message m ON "
	    "m.id = k.key WHERE k.key BETWEEN $2 AND $3 AND ($4 < 0 OR agent IS NULL OR agent = "
	    "$4) AND ($5 < 0 OR project = $5) ORDER BY k.no" },
	{ STMT_CHUNKS_OF, 1, 0, NULL,
	    "SELECT c.kind, c.language, c.start, c.length, c.tokens, k.no FROM "
	    KEYS("$1::bigint[]") "JOIN chunk c ON c.message = k.key WHERE k.key BETWEEN $2 AND $3 "
	    "ORDER BY k.no, c.no" },
	{ STMT_SOURCES_OF, 1, 0, NULL,
	    "SELECT s.of, s.start, s.length, k.no FROM " KEYS("$1::bigint[]") "JOIN "
	    "record_source s ON s.record = k.key WHERE k.key BETWEEN $2 AND $3 ORDER BY k.no, "
	    "s.no" },
	{ STMT_FACTS_ENDED_BY, 1, 0, NULL,
	    "SELECT r.ulid, k.no FROM " KEYS("$1::bytea[]") "JOIN fact f ON f.superseded_by = "
	    "k.key JOIN record r ON r.id = f.id WHERE +f.id BETWEEN $2 AND $3 ORDER BY k.no, "
	    "f.id" },
};

/* ---- words ---- */

static const struct phrase phrases[] = { DIALECT_PHRASES };

/* The keys by which "INSERT OR REPLACE" replaces rows of a table. */
static const struct { const char *table, *key; } keys[] = { DIALECT_KEYS };

#define REPLACE "INSERT OR REPLACE INTO "

bool
dialect_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool
starts(const char *p, const char *word)
{
	size_t n = strlen(word);

	return strncmp(p, word, n) == 0 &&
	    (!dialect_is_word(word[n - 1]) || !dialect_is_word(p[n]));
}

void
dialect_exchange(const struct phrase *all, size_t n, const char *sql, struct buf *out)
{
	while (*sql != '\0') {
		size_t i = 0;

		while (i < n && strncmp(sql, all[i].from, strlen(all[i].from)) != 0)
			i++;
		if (i < n) {
			buf_adds(out, all[i].to);
			sql += strlen(all[i].from);
		} else {
			buf_addc(out, *sql++);
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

	while (dialect_is_word(t->p[n]))
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
		if (dialect_is_word(p[-1]))
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

	while (dialect_is_word(t->p[n]))
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
		} else if (dialect_is_word(*t->p)) {
			word(t);
		} else {
			buf_addc(t->out, *t->p++);
		}
	}
}

static char *
text_of(struct buf *b)
{
	char *text = xstrdup(b->data);

	buf_release(b);
	return text;
}

/* A statement that puts a row, for rows from an array a column: VALUES becomes a SELECT. */
static char *
from_arrays(const char *sql)
{
	static const struct phrase values = { "VALUES (", "SELECT * FROM unnest(" };
	struct buf b = buf_of(TEXT_MAX);

	dialect_exchange(&values, 1, sql, &b);
	return text_of(&b);
}

/* The statement sql for each of the keys, which stand for its parameters by and, if not 0, and. */
static char *
join_keys(const char *sql, const char *from, int by, int and)
{
	struct buf b = buf_of(TEXT_MAX);

	buf_adds(&b, "SELECT l.*, k.no FROM ");
	buf_adds(&b, from);
	buf_adds(&b, "CROSS JOIN LATERAL (");
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
	return text_of(&b);
}

void
dialect_of(int which, const char *sql, struct dialect *out)
{
	const char *own_sql = which >= 0 ? own[which] : NULL;
	struct buf plain = buf_of(TEXT_MAX), text = buf_of(TEXT_MAX);
	struct translation t = { .out = &text };

	*out = (struct dialect){ .sql = NULL };
	if (own_sql != NULL)
		sql = own_sql;
	if (strncmp(sql, REPLACE, strlen(REPLACE)) == 0) {
		buf_adds(&plain, "INSERT INTO ");
		dialect_exchange(phrases, NELEM(phrases), sql + strlen(REPLACE), &plain);
		add_replacing(sql + strlen(REPLACE), &plain);
	} else {
		dialect_exchange(phrases, NELEM(phrases), sql, &plain);
	}
	t.p = plain.data;
	translate(&t);
	buf_release(&plain);
	out->sql = text_of(&text);
	out->n_parameters = t.n;
	for (int i = 0; i < t.n; i++)
		out->unused[i] = !t.seen[i];
	out->writes = strncmp(sql, "SELECT", 6) != 0;
	out->tells_taken = which == STMT_MESSAGE_PUT || which == STMT_RECORD_PUT;
	for (size_t i = 0; i < NELEM(many); i++)
		if ((int)many[i].which == which) {
			out->many = from_arrays(out->sql);
			snprintf(out->columns, sizeof(out->columns), "%s", many[i].columns);
		}
	for (size_t i = 0; i < NELEM(together); i++)
		if ((int)together[i].which == which) {
			out->together_by = together[i].by;
			out->together_and = together[i].and;
			out->together = together[i].sql != NULL ? xstrdup(together[i].sql)
			    : join_keys(out->sql, together[i].keys, together[i].by,
				together[i].and);
		}
	for (size_t i = 0; i < NELEM(any); i++)
		if ((int)any[i].which == which)
			out->any[any[i].at - 1] = true;
}

void
dialect_release(struct dialect *d)
{
	free(d->sql);
	free(d->many);
	free(d->together);
}
