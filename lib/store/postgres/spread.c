/*
 * spread.c: statements on a store that is spread over machines by Citus
 * (schema/postgres-citus.sql). There each table of users has a column u, by which its rows are
 * distributed; and a statement that says u goes to the one machine that has the user.
 *
 * So one more parameter, the user's number, is added to every statement. Each table it reads
 * becomes (SELECT * FROM table WHERE u = $n); what it changes is bound by u, too, and what it puts
 * has u. A statement names its user already, by a number or by a row, of which the number is the
 * first bits: the number is computed of that. A statement that names none goes over all users, on
 * all machines; only what joins tables is changed, so that it joins them by u as well.
 */
#include "store/postgres/dialect.h"

#include <ctype.h>

#include "base/alloc.h"
#include "base/base.h"
#include "base/buf.h"
#include "gen/dialect_rows.h"
#include "store/sql/stmt.h"

#define TEXT_MAX  (1u << 16)
#define DEPTH_MAX 16
#define WORD_MAX  64

const char *const spread_tables[] = { "label", "session", "message", "message_turn",
	"message_alias", "input", "chunk", "card", "work", "fts_segment", "fts_page", "fts_leaf",
	"metric", "vector_user", "vector_code", "vector_byte", "vector_done", "vector_todo",
	"vector_cells", "vector_centroid", "vector_cell", "vector_place", "ledger", "record",
	"record_next", "fact", "record_source", "step", "step_id", "step_change", "record_was",
	"fact_was", "record_source_was", "record_access", "category", "category_member",
	"category_run", "job", "profile", "profile_user", "tombstone", NULL };

static size_t
word_length(const char *p)
{
	size_t n = 0;

	while (dialect_is_word(p[n]))
		n++;
	return n;
}

static bool
is(const char *p, const char *word)
{
	size_t n = word_length(p);

	return n == strlen(word) && memcmp(p, word, n) == 0;
}

static bool
is_table(const char *p)
{
	for (size_t i = 0; spread_tables[i] != NULL; i++)
		if (is(p, spread_tables[i]))
			return true;
	return false;
}

/* ---- whose a statement is ---- */

/* A column that has the user's number in its first bits, and how many are behind them. */
static const struct { const char *name; int bits; } rows[] = { { "id", 44 }, { "row", 44 },
	{ "record", 44 }, { "message", 44 }, { "step", 44 }, { "box", 24 }, { "session", 24 } };

/* Whether the column at p is of the table. */
static bool
is_of(const char *sql, const char *p, const char *table)
{
	char named[WORD_MAX];
	const char *from = NULL;

	/* by its alias */
	if (p - sql >= 2 && p[-1] == '.') {
		snprintf(named, sizeof(named), " %s %c ", table, p[-2]);
		return strstr(sql, named) != NULL;
	}
	for (const char *at = sql; at < p; at++)
		if (strncmp(at, "FROM ", 5) == 0)
			from = at + 5;
	return from != NULL && is(from, table);
}

/* How many bits are behind the user's in the column at p; -1: it tells no user. */
static int
bits_of(const char *sql, const char *p)
{
	if (is(p, "id") && is_of(sql, p, "session"))
		return 24;
	if (is(p, "box") && strstr(sql, " vector_place ") != NULL)
		return 35;
	for (size_t i = 0; i < NELEM(rows); i++)
		if (is(p, rows[i].name))
			return rows[i].bits;
	return -1;
}

/* "$3" at p: 3, else 0. */
static int
parameter_at(const char *p)
{
	return *p == '$' ? (int)strtol(p + 1, NULL, 10) : 0;
}

/* In "(a, b) VALUES ($1, $2)": the value of the column that has the user. */
static bool
of_values(const char *sql, struct dialect *out)
{
	const char *into = strstr(sql, "INSERT INTO "), *open, *v;
	bool found = false;

	if (into == NULL || (open = strchr(into, '(')) == NULL ||
	    (v = strstr(open, ") VALUES (")) == NULL)
		return false;
	v += strlen(") VALUES (");
	for (const char *c = open + 1; *c != ')' && *v != ')' && !found; ) {
		int bits = is(c, "u") ? 0 : bits_of(sql, c);

		if (bits >= 0 && parameter_at(v) > 0) {
			out->user_from = parameter_at(v);
			out->user_shift = bits;
			found = true;
		}
		c += strcspn(c, ",)");
		c += *c == ',' ? 2 : 0;
		v += strcspn(v, ",)");
		v += *v == ',' ? 2 : 0;
	}
	return found;
}

/* A column is compared by this operator with a parameter, which may be shifted. */
static bool
of_column(const char *sql, const char *operator, struct dialect *out)
{
	for (const char *p = sql; *p != '\0'; p += MAX(word_length(p), 1)) {
		const char *q = p + word_length(p);
		int bits = q == p ? -1 : bits_of(sql, p);

		if (bits >= 0 && strncmp(q, " >> 44", 6) == 0) {
			bits = 0;
			q += 6;
		}
		if (bits < 0 || strncmp(q, operator, strlen(operator)) != 0 ||
		    parameter_at(q + strlen(operator)) == 0)
			continue;
		q += strlen(operator);
		out->user_from = parameter_at(q);
		q += 1 + word_length(q + 1);
		if (strncmp(q, " >> ", 4) == 0)
			bits += (int)strtol(q + 4, NULL, 10);
		else if (strncmp(q, " << ", 4) == 0)
			bits -= (int)strtol(q + 4, NULL, 10);
		out->user_shift = bits;
		return true;
	}
	return false;
}

static bool
names_user(const char *sql, struct dialect *out)
{
	const char *at = sql;

	while ((at = strstr(at, "u = $")) != NULL) {
		if (at == sql || !dialect_is_word(at[-1])) {
			out->user_from = parameter_at(at + 4);
			out->user_shift = 0;
			return true;
		}
		at++;
	}
	return of_values(sql, out) || of_column(sql, " BETWEEN ", out) ||
	    of_column(sql, " = ", out);
}

/* ---- the text ---- */

struct rewriting {
	const char *p;
	struct buf out;
	int user;                              /* number of the parameter */
	char before[WORD_MAX];                 /* the word or character before p */
	bool from[DEPTH_MAX];                  /* within the parentheses p is behind FROM */
	int depth;
	bool deletes, inserts;                 /* rows of a table of users */
	bool needs_u;                          /* the SELECT that comes is to give u */
	bool needs_array;                      /* it gives what unnest(), which comes, has */
	char changed[WORD_MAX];                /* the table whose rows change, until its WHERE */
	bool closes;                           /* a parenthesis is open until the condition's end */
};

static void
take(struct rewriting *r, size_t n)
{
	buf_add(&r->out, r->p, n);
	snprintf(r->before, sizeof(r->before), "%.*s", (int)n, r->p);
	r->p += n;
}

static const char *
after_spaces(const char *p)
{
	return p + strspn(p, " ");
}

/* The alias behind a table's name at p, or the name. */
static void
alias_at(const char *p, char *out)
{
	const char *q = after_spaces(p + word_length(p));

	if (is(q, "AS"))
		q = after_spaces(q + 2);
	if (!islower((unsigned char)*q))
		q = p;
	snprintf(out, WORD_MAX, "%.*s", (int)word_length(q), q);
}

static void
read_table(struct rewriting *r)
{
	char alias[WORD_MAX];
	size_t n = word_length(r->p);
	const char *next = after_spaces(r->p + n);

	buf_addf(&r->out, "(SELECT * FROM %.*s WHERE u = $%d)", (int)n, r->p, r->user);
	alias_at(r->p, alias);
	if (!is(next, "AS") && !islower((unsigned char)*next))
		buf_addf(&r->out, " AS %s", alias);
	r->p += n;
	snprintf(r->before, WORD_MAX, "table");
}

/* "INSERT INTO t (a, b)": u comes first, unless it is there. */
static void
put_table(struct rewriting *r)
{
	const char *open = strchr(r->p, '('), *shut = open == NULL ? NULL : strchr(open, ')');
	bool has = false;

	if (shut == NULL)
		return;
	for (const char *c = open + 1; c < shut; c += MAX(word_length(c), 1))
		has |= is(c, "u") && !dialect_is_word(c[-1]);
	buf_addf(&r->out, "%.*s%s%.*s", (int)(open + 1 - r->p), r->p, has ? "" : "u, ",
	    (int)(shut - open), open + 1);
	r->p = after_spaces(shut + 1);
	r->inserts = true;
	buf_addc(&r->out, ' ');
	if (!has && is(r->p, "VALUES")) {
		const char *first = strchr(r->p, '(') + 1;

		buf_addf(&r->out, "VALUES ($%d, ", r->user);
		r->p = first;
		r->depth++;
	} else {
		r->needs_u = !has;
	}
	snprintf(r->before, WORD_MAX, "VALUES");
}

/* "SELECT a" of an INSERT: u is that of the rows that are read. */
static void
put_select(struct rewriting *r)
{
	const char *from = strstr(r->p, " FROM ");
	char alias[WORD_MAX];

	r->needs_u = false;
	take(r, strlen("SELECT"));
	r->needs_array = from != NULL && is(from + 6, "unnest");
	if (from != NULL && !r->needs_array) {
		alias_at(from + 6, alias);
		buf_addf(&r->out, " %s.u,", alias);
	}
}

/* Behind ON: "CONFLICT (a)" becomes "CONFLICT (u, a)". */
static void
conflict(struct rewriting *r)
{
	const char *open = r->p + strlen("CONFLICT");

	take(r, strlen("CONFLICT"));
	open = after_spaces(open);
	if (*open != '(' || !r->inserts)
		return;
	buf_addf(&r->out, " (%s", is(open + 1, "u") ? "" : "u, ");
	r->p = open + 1;
	r->depth++;
}

static void
where(struct rewriting *r)
{
	take(r, strlen("WHERE"));
	r->from[r->depth] = false;
	if (r->depth > 0 || *r->changed == '\0')
		return;
	buf_addf(&r->out, " %s.u = $%d AND (", r->changed, r->user);
	r->p = after_spaces(r->p);
	*r->changed = '\0';
	r->closes = true;
}

static void
close_condition(struct rewriting *r, const char *with)
{
	if (r->closes)
		buf_adds(&r->out, with);
	r->closes = false;
}

static bool
stands(const struct rewriting *r, const char *word)
{
	return strcmp(r->before, word) == 0;
}

static void
word(struct rewriting *r)
{
	static const char *const ends[] = { "SELECT", "ORDER", "GROUP", "LIMIT", "SET", "VALUES" };
	bool follows = stands(r, "FROM") || stands(r, "JOIN") || stands(r, "LATERAL") ||
	    (stands(r, ",") && r->from[r->depth]);

	if (is(r->p, "FROM") || is(r->p, "JOIN"))
		r->from[r->depth] = true;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (is(r->p, ends[i]))
			r->from[r->depth] = false;
	if (is_table(r->p) && stands(r, "INTO")) {
		put_table(r);
	} else if (is_table(r->p) && (stands(r, "UPDATE") || (follows && r->deletes))) {
		alias_at(r->p, r->changed);
		r->deletes = false;
		take(r, word_length(r->p));
	} else if (is_table(r->p) && follows) {
		read_table(r);
	} else if (is(r->p, "WHERE")) {
		where(r);
	} else if (is(r->p, "RETURNING")) {
		close_condition(r, ") ");
		take(r, word_length(r->p));
	} else if (is(r->p, "CONFLICT")) {
		conflict(r);
	} else if (is(r->p, "SELECT") && r->needs_u) {
		put_select(r);
	} else {
		r->deletes |= is(r->p, "DELETE");
		take(r, word_length(r->p));
	}
}

/* Rows that are put come from arrays: u from one more. */
static void
open_parenthesis(struct rewriting *r)
{
	bool arrays = r->needs_array && stands(r, "unnest");

	r->depth = MIN(r->depth + 1, DEPTH_MAX - 1);
	r->from[r->depth] = false;
	take(r, 1);
	if (arrays)
		buf_addf(&r->out, "$%d, ", r->user);
	r->needs_array &= !arrays;
}

static char *
rewrite(const char *sql, int user)
{
	struct rewriting r = { .p = sql, .user = user };

	buf_init(&r.out, TEXT_MAX);
	while (*r.p != '\0') {
		const char *end = *r.p == '\'' ? strchr(r.p + 1, '\'') : NULL;

		if (end != NULL) {
			take(&r, (size_t)(end + 1 - r.p));
		} else if (*r.p == '$') {
			take(&r, 1 + word_length(r.p + 1));
		} else if (dialect_is_word(*r.p)) {
			word(&r);
		} else if (*r.p == ' ') {
			buf_addc(&r.out, *r.p++);
		} else if (*r.p == '(') {
			open_parenthesis(&r);
		} else {
			r.depth -= *r.p == ')' && r.depth > 0;
			take(&r, 1);
		}
	}
	close_condition(&r, ")");
	char *text = xstrdup(r.out.data);
	buf_release(&r.out);
	return text;
}

/* ---- all users ---- */

static const struct phrase joins[] = { DIALECT_JOINS };

static const char *const own[N_STMTS] = {
#define STMT(name, subject, text) [STMT_##name] = text,
#include "gen/statements_citus.h"
#undef STMT
};

static char *
join_by_user(int which, const char *sql)
{
	const char *own_sql = which >= 0 ? own[which] : NULL;
	LOCAL(buf) out = buf_of(TEXT_MAX);

	if (own_sql != NULL)
		buf_adds(&out, own_sql);
	else
		dialect_exchange(joins, NELEM(joins), sql, &out);
	return xstrdup(out.data);
}

/* ---- a statement ---- */

bool
spread_reads(const char *sql)
{
	for (const char *p = sql; *p != '\0'; p += MAX(word_length(p), 1))
		if (is_table(p))
			return true;
	return false;
}

void
spread(int which, struct dialect *d)
{
	char **texts[] = { &d->sql, &d->many, &d->together };

	if (!spread_reads(d->sql))
		return;
	bool of_user = names_user(d->sql, d);
	d->n_parameters += of_user;
	for (size_t i = 0; i < (of_user ? NELEM(texts) : 1); i++) {
		char *whole = *texts[i];

		if (whole == NULL)
			continue;
		*texts[i] = of_user ? rewrite(whole, d->n_parameters) : join_by_user(which, whole);
		free(whole);
	}
	if (of_user && d->many != NULL)
		d->columns[strlen(d->columns)] = 'i';
}
