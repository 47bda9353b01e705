/*
 * projects_move.c: a project whose directory was moved. Messages, sessions and records name their
 * project by a number, so it is enough to give the number another name, unless the new name has a
 * number already: then the one becomes the other in every row and card. The old name is kept as one
 * that the project had, for what other stores and old transcripts say of it later.
 */
#include "store/sql/column.h"

#include "base/alloc.h"
#include "index/turn_features_pages.h"
#include "store/index/segments.h"
#include "store/write/writer.h"

struct moving {
	struct store *s;
	int64_t user;
	struct projects_moved *out;
	struct err *err;
};


static int
count(struct moving *m, int64_t no)
{
	int64_t v[2];

	if (stmt_numbers(m->s, STMT_PROJECT_HOLDS, ARGS(m->user, no, ROWS_OF(m->user)), v,
	    NELEM(v), m->err) < 0)
		return -1;
	m->out->projects++;
	m->out->sessions += v[0];
	m->out->records += v[1];
	return 0;
}

/* ---- two that become one ---- */

/* Fills cards with the page behind id, and *id with its id; returns how many, 0: there is none. */
static int
next_page(struct moving *m, int64_t *id, struct card cards[CARDS_A_PAGE])
{
	struct db_stmt *q =
	    stmt_start(m->s, STMT_CARDS_FROM, ARGS(*id + 1, user_hi(m->user)), m->err);
	struct cards page;
	int got = db_row(q, m->err);

	if (got <= 0)
		return got;
	*id = db_column_int(q, 0);
	cards_open(&page, db_column_blob(q, 1), (size_t)db_column_bytes(q, 1));
	for (size_t i = 0; i < page.n; i++)
		cards_get(&page, i, &cards[i]);
	db_reset(q);
	return page.n > 0 ? (int)page.n
			  : err_set(m->err, ERR_IO, "a page of cards: store is damaged: '%s'",
				store_path(m->s));
}

static int
join_cards(struct moving *m, int64_t from, int64_t to)
{
	struct card cards[CARDS_A_PAGE];
	int64_t id = user_lo(m->user) - 1;
	int n;

	while ((n = next_page(m, &id, cards)) > 0) {
		bool any = false;

		for (int i = 0; i < n; i++) {
			if (cards[i].project != from)
				continue;
			cards[i].project = (uint16_t)to;
			any = true;
		}
		if (any && cards_put(m->s, id, cards, (size_t)n, m->err) < 0)
			return -1;
	}
	return n;
}

static int
join(struct moving *m, int64_t from, int64_t to)
{
	static const enum stmt moves[] = { STMT_PROJECT_MESSAGES, STMT_PROJECT_RECORDS,
		STMT_PROJECT_RECORDS_WAS };

	struct store *s = m->s;

	return stmts_run(s, moves, NELEM(moves), ARGS(from, to, ROWS_OF(m->user)), m->err) < 0 ||
		stmt_run(s, STMT_PROJECT_SESSIONS, ARGS(from, to, m->user), m->err) < 0 ||
		stmt_run(s, STMT_PROJECT_SESSIONS_ONE, ARGS(m->user), m->err) < 0 ||
		join_cards(m, from, to) < 0
	    ? -1
	    : stmt_run(s, STMT_LABELS_FOLLOW, ARGS(m->user, from, to), m->err);
}

/* ---- names ---- */

static int
drop(struct moving *m, enum label_kind kind, const char *text)
{
	return stmt_run(m->s, STMT_LABEL_DROP, ARGS(m->user, kind, text), m->err);
}

/* Keeps the name that the project no had. */
static int
keep_old(struct moving *m, int64_t no, const char *text)
{
	int64_t next;

	if (stmt_number(m->s, STMT_LABEL_NEXT, ARGS(m->user, LABEL_PROJECT_WAS), &next,
	    m->err) < 0)
		return -1;
	next = ((next - 1) >> PROJECT_BITS) + 1;
	return label_put(m->s, m->user, LABEL_PROJECT_WAS, next << PROJECT_BITS | no, text,
	    m->err);
}

static int
move_one(struct moving *m, int64_t no, const char *was, const char *is)
{
	int64_t other = label_exactly(m->s, m->user, LABEL_PROJECT, is, m->err);
	int rc = other < 0 || count(m, no) < 0 || drop(m, LABEL_PROJECT_WAS, is) < 0 ||
		drop(m, LABEL_PROJECT_WAS, was) < 0
	    ? -1
	    : 0;

	if (rc == 0 && other == 0)
		rc = label_rename(m->s, m->user, LABEL_PROJECT, no, is, m->err);
	else if (rc == 0)
		rc = join(m, no, other) < 0 || drop(m, LABEL_PROJECT, was) < 0 ? -1 : 0;
	return rc < 0 ? -1 : keep_old(m, other == 0 ? no : other, was);
}

/* How long a path is that others go on with: the root's own slash is theirs. */
static size_t
trunk(const char *directory)
{
	return strcmp(directory, "/") == 0 ? 0 : strlen(directory);
}

/* What of a path lies behind the directory, "" or "/..."; NULL: it is another one. */
static const char *
below(const char *path, const char *directory)
{
	size_t len = trunk(directory);

	if (strcmp(path, directory) == 0)
		return "";

	return strncmp(path, directory, len) == 0 && path[len] == '/' ? path + len : NULL;
}

/* The name in the new directory, whose rest is "" or begins with a slash. */
static const char *
moved(const char *to, const char *rest, struct arena *a)
{
	return *rest == '\0' ? to : arena_printf(a, "%.*s%s", (int)trunk(to), to, rest);
}

int
projects_move(struct store *s, const struct scope *who, const char *from, const char *to,
	struct projects_moved *out, struct err *err)
{
	struct moving m = { s, writer_user(s, who->user, err), out, err };
	struct { int64_t no; const char *text; } *all = NULL;
	LOCAL(arena) a = ARENA_INIT;
	size_t n = 0, cap = 0;
	struct db_stmt *q;
	int rc = -1, got = 0;

	*out = (struct projects_moved){ 0, 0, 0 };
	if (m.user < 0)
		return -1;
	q = stmt_start(s, STMT_LABELS, ARGS(m.user, LABEL_PROJECT, 1 << PROJECT_BITS), err);
	while ((got = db_row(q, err)) > 0) {
		const char *text = column_text(q, 1, &a);

		/* where NEW lies below OLD, what is there already stays */
		if (below(text, from) == NULL ||
		    (below(to, from) != NULL && below(text, to) != NULL))
			continue;
		xgrow(&all, &cap, n + 1, sizeof(*all));
		all[n].no = db_column_int(q, 0);
		all[n++].text = text;
	}
	rc = got < 0 ? -1 : 0;
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = move_one(&m, all[i].no, all[i].text,
		    moved(to, below(all[i].text, from), &a));
	free(all);
	return rc;
}

static void
add_name(struct arena *a, const char ***names, size_t *n, const char *name)
{
	const char **more = arena_alloc(a, (*n + 1) * sizeof(*more));

	if (*n > 0)
		memcpy(more, *names, *n * sizeof(*more));
	more[(*n)++] = name;
	*names = more;
}

int
project_names(struct store *s, const struct scope *who, const char *project, struct arena *a,
	const char ***names, size_t *n, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), no = 0;
	const char *is;
	struct db_stmt *q;
	int got;

	*n = 0;
	add_name(a, names, n, project);
	if (user > 0)
		no = label_number(s, user, LABEL_PROJECT, project, false, err);
	if (user <= 0 || no <= 0)
		return user < 0 || no < 0 ? -1 : 0;
	if ((is = label_text(s, user, LABEL_PROJECT, no, a, err)) == NULL)
		return -1;
	add_name(a, names, n, is);
	q = stmt_start(s, STMT_LABELS, ARGS(user, LABEL_PROJECT_WAS, INT64_MAX), err);
	while ((got = db_row(q, err)) > 0)
		if ((db_column_int(q, 0) & ((1 << PROJECT_BITS) - 1)) == no)
			add_name(a, names, n, column_text(q, 1, a));
	/* of these another project may have one now */
	for (size_t i = *n; i-- > 2 && got == 0;) {
		int64_t of = label_number(s, user, LABEL_PROJECT, (*names)[i], false, err);

		if (of < 0)
			got = -1;
		else if (of != no)
			(*names)[i] = (*names)[--*n];
	}
	return got;
}
