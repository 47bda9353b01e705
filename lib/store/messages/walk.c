/*
 * walk.c: walks over messages. Rows are fetched a page at a time and the statement is reset before
 * a callback runs, so no read transaction stays open while somebody writes to a slow pipe.
 */
#include "store/messages/read.h"

#include "base/alloc.h"

#define PAGE_ROWS    128

/* ---- ranges ---- */

struct range { int64_t lo, hi; };

/*
 * The ranges of rows that a walk goes over, in its order; a walk over all sessions with the newest
 * first has its own way (walk_sessions).
 */
static int
ranges_of(struct store *s, const struct scope *who, int64_t user, bool newest_first,
	struct range **out, size_t *n, struct err *err)
{
	struct session_parts parts;
	size_t cap = 0;

	*out = NULL;
	*n = 0;
	if (who->session != NULL && *who->session) {
		if (session_parts(s, user, who->session, &parts, err) < 0)
			return -1;
		for (size_t i = 0; i < parts.n; i++) {
			int64_t id = parts.id[newest_first ? parts.n - 1 - i : i];
			*xpush(*out, *n, cap) = (struct range){ session_lo(id), session_hi(id) };
		}
		return 0;
	}
	xgrow(out, &cap, 1, sizeof(**out));
	(*out)[(*n)++] = (struct range){ user_lo(user), user_hi(user) };
	return 0;
}

/* ---- walking ---- */

struct walk {
	struct store *store;
	const struct message_filter *filter;
	struct scope_numbers scope;
	/* who may have spoken, as numbers, 0: a user without a name; NULL: anybody */
	int64_t *speakers;
	size_t n_speakers;
	struct arena arena;
	struct raw_message *rows;              /* [n_rows], at most PAGE_ROWS */
	size_t n_rows;
};

static struct walk
walk_new(struct store *s, const struct message_filter *f)
{
	return (struct walk){ .store = s, .filter = f, .scope = { 0, -1, -1 }, .arena = ARENA_INIT,
		.rows = xreallocarray(NULL, PAGE_ROWS, sizeof(struct raw_message)) };
}

static void
walk_release(struct walk *w)
{
	arena_release(&w->arena);
	free(w->speakers);
	free(w->rows);
}

/* A page of rows from the range; the range shrinks by what was read. */
static int
read_rows_from(struct walk *w, struct range *r, int64_t limit, struct err *err)
{
	const struct message_filter *f = w->filter;
	bool one = w->speakers != NULL && w->n_speakers == 1 && w->speakers[0] > 0;
	struct db_stmt *q =
	    stmt_start(w->store, f->newest_first ? STMT_MESSAGES_DOWN : STMT_MESSAGES_UP,
		ARGS(r->lo, r->hi, w->scope.agent, w->scope.project, f->role,
		    one ? w->speakers[0] : -1, f->min_trust, TIME(f->since_us), TIME(f->until_us),
		    MIN(limit, (int64_t)PAGE_ROWS)), err);
	struct message_names names = MESSAGE_NAMES;
	int got;

	arena_reset(&w->arena);
	w->n_rows = 0;
	while ((got = db_row(q, err)) > 0)
		message_read(q, &w->arena, &w->rows[w->n_rows++]);
	if (got < 0 || messages_want_names(w->store, w->rows, w->n_rows, err) < 0)
		return -1;
	for (size_t i = 0; i < w->n_rows; i++)
		if (message_read_names(w->store, &names, &w->rows[i], &w->arena, err) < 0)
			return -1;
	if (w->n_rows < (size_t)MIN(limit, (int64_t)PAGE_ROWS))
		r->lo = r->hi + 1;
	else if (f->newest_first) {
		if (db_goes_on(w->store, -r->hi - 1, -w->rows[w->n_rows - 1].m.row, err) < 0)
			return -1;
		r->hi = w->rows[w->n_rows - 1].m.row - 1;
	} else {
		if (db_goes_on(w->store, r->lo - 1, w->rows[w->n_rows - 1].m.row, err) < 0)
			return -1;
		r->lo = w->rows[w->n_rows - 1].m.row + 1;
	}
	return 0;
}

static int
read_page(struct walk *w, struct range *r, int64_t limit, struct err *err)
{
	bool own;
	int rc = store_gather(w->store, &own, err);

	if (rc == 0)
		rc = read_rows_from(w, r, limit, err);
	store_gather_end(w->store, own);
	return rc;
}

bool
said_by_has(const struct said_by *by, const struct message *m)
{
	bool has = by->names == NULL ||
	    (by->nameless && m->role == ROLE_USER && *m->name == '\0');

	for (size_t i = 0; i < by->n && !has; i++)
		has = strcmp(by->names[i], m->name) == 0;
	return has;
}

static bool
may_have_said(const struct walk *w, const struct raw_message *r)
{
	bool may = w->speakers == NULL;

	for (size_t i = 0; i < w->n_speakers && !may; i++)
		may = w->speakers[i] == r->speaker && (r->speaker != 0 || r->m.role == ROLE_USER);
	return may;
}

/* The numbers of who may have spoken; those whom the store does not know have said nothing. */
static int
find_speakers(struct walk *w, const struct said_by *by, struct err *err)
{
	if (by->names == NULL)
		return 0;
	w->speakers = xcalloc(by->n + 1, sizeof(*w->speakers));
	if (by->nameless)
		w->speakers[w->n_speakers++] = 0;
	for (size_t i = 0; i < by->n; i++) {
		int64_t no = label_number(w->store, w->scope.user, LABEL_SPEAKER, by->names[i],
		    false, err);

		if (no < 0)
			return -1;
		if (no > 0)
			w->speakers[w->n_speakers++] = no;
	}
	return 0;
}

/* 1 to go on, 0 when the callback wants no more, -1. */
static int
walk_range(struct walk *w, struct range r, int64_t *left, message_fn *fn, void *arg,
	struct err *err)
{
	while (r.lo <= r.hi && *left > 0) {
		if (read_page(w, &r, *left, err) < 0)
			return -1;
		for (size_t i = 0; i < w->n_rows; i++) {
			int rc = 0;

			if (!may_have_said(w, &w->rows[i]))
				continue;
			--*left;
			if ((rc = fn(arg, &w->rows[i].m)) != 0)
				return rc < 0 ? -1 : 0;
		}
	}
	return 1;
}

/* Walks over all sessions, that with the newest message first. Returns as walk_range. */
static int
walk_sessions(struct walk *w, int64_t *left, message_fn *fn, void *arg, struct err *err)
{
	struct sessions_walk sessions;
	int rc = 1;

	sessions_walk_init(&sessions, w->scope.user, true, INT64_MAX);
	while (rc > 0 && *left > 0 && (rc = sessions_walk_next(w->store, &sessions, err)) > 0)
		for (size_t i = 0; i < sessions.n && rc > 0 && *left > 0; i++)
			rc = walk_range(w,
			    (struct range){ session_lo(sessions.ids[i]),
				session_hi(sessions.ids[i]) },
			    left, fn, arg, err);
	return rc;
}

int
messages_each(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err)
{
	LOCAL(walk) w = walk_new(s, f);
	FREED struct range *ranges = NULL;
	int64_t left = f->limit > 0 ? f->limit : INT64_MAX;
	size_t n = 0;
	int rc = 1;

	if (scope_numbers(s, who, &w.scope, err) < 0 || find_speakers(&w, &f->said_by, err) != 0)
		return -1;
	if (w.scope.user == 0 || (w.speakers != NULL && w.n_speakers == 0))
		return 0;
	if (f->newest_first && (who->session == NULL || *who->session == '\0'))
		return walk_sessions(&w, &left, fn, arg, err) < 0 ? -1 : 0;
	if (ranges_of(s, who, w.scope.user, f->newest_first, &ranges, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && rc > 0 && left > 0; i++)
		rc = walk_range(&w, ranges[i], &left, fn, arg, err);
	return rc < 0 ? -1 : 0;
}

int
messages_of_rows(struct store *s, int64_t lo, int64_t hi, message_fn *fn, void *arg,
	struct err *err)
{
	static const struct message_filter any = MESSAGE_FILTER_ANY;
	LOCAL(walk) w = walk_new(s, &any);
	int64_t left = INT64_MAX;
	return walk_range(&w, (struct range){ lo, hi }, &left, fn, arg, err);
}
