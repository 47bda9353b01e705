/*
 * news.c: reads what the log of changes names, as it is now: turns of a session by their rows,
 * which are only added at the end; tombstones that are still there; when a record was read last. A
 * row that is gone, or that another session has by now, is passed over: whatever put it there has
 * logged a change of its own.
 */
#include "store/sync.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/messages/read.h"
#include "store/write/tombstones.h"
#include "store/index/segments.h"
#include "store/messages/stored.h"

/*
 * A statement with the parameters with which all of these begin, bound. NULL and *rc 0: there is no
 * such user.
 */
static struct db_stmt *
begin(const struct news *n, enum stmt which, enum change_kind kind, int *rc, struct err *err)
{
	int64_t user = user_number(n->s, n->who.user, false, err);
	struct db_stmt *q = user <= 0
	    ? NULL
	    : stmt_start(n->s, which, ARGS(user, n->since, n->until, n->peer, kind), err);

	*rc = user == 0 || q != NULL ? 0 : -1;
	return q;
}

/* ---- sessions and turns ---- */

struct span { int64_t lo, hi; };           /* rows of a session; none if hi is lo - 1 */
struct spans { struct span *at; size_t n, cap; };

/* Reads the spans of rows that are new, in their order, and joins those that touch. */
static int
read_spans(const struct news *n, struct spans *v, struct err *err)
{
	int rc;
	struct db_stmt *q = begin(n, STMT_NEWS, CHANGE_TURNS, &rc, err);

	if (q == NULL)
		return rc;
	while ((rc = db_row(q, err)) > 0) {
		int64_t lo = db_column_int(q, 0), hi = lo + db_column_int(q, 1) - 1;
		struct span *last = v->n > 0 ? &v->at[v->n - 1] : NULL;

		if (last != NULL && last->lo >> TURN_BITS == lo >> TURN_BITS &&
		    lo <= last->hi + 1) {
			last->hi = MAX(last->hi, hi);
			continue;
		}
		*xpush(v->at, v->n, v->cap) = (struct span){ lo, hi };
	}
	return rc;
}

struct teller { struct store *s; message_fn *fn; void *arg; struct err *err; };

/* Tells a message, with the turn that it had where it was said. */
static int
tell_turn(void *arg, const struct message *m)
{
	struct teller *t = arg;
	struct message said = *m;

	return message_turn(t->s, m, &said.turn, t->err) < 0 ? -1 : t->fn(t->arg, &said);
}

/* Finds the session of a row, in the arena; *out NULL: it is gone. */
static int
session_at(const struct news *n, int64_t row, struct arena *a, struct session **out,
	struct err *err)
{
	const struct scope whole = { n->who.user, NULL, NULL, NULL };
	const char *name = NULL;
	int got = stmt_text(n->s, STMT_SESSION_NAME, ARGS(row >> USER_SHIFT, row >> TURN_BITS), a,
	    &name, err);
	const struct session *v = NULL;
	uint8_t key[TOMBSTONE_BYTES];

	*out = NULL;
	if (got <= 0 || (got = sessions_find(n->s, &whole, name, a, &v, err)) < 0 || v == NULL)
		return got < 0 ? -1 : 0;
	*out = arena_zalloc(a, sizeof(**out));
	**out = *v;
	tombstone_key(name, NULL, 0, false, key);
	return tombstone_has(n->s, row >> USER_SHIFT, key, &(*out)->again, err);
}

/* Tells a session and its spans [n_spans]; if it was removed once, its turns come first. */
static int
tell_one(const struct news *n, const struct span *at, size_t n_spans, news_session_fn *session,
	struct teller *t)
{
	LOCAL(arena) a = ARENA_INIT;
	struct session *v;
	int rc = session_at(n, at->lo, &a, &v, t->err);

	if (rc == 0 && v != NULL && !v->again)
		rc = session(t->arg, v);
	for (size_t i = 0; i < n_spans && rc == 0 && v != NULL; i++)
		if (at[i].hi >= at[i].lo) {
			rc = messages_of_rows(n->s, at[i].lo, at[i].hi, tell_turn, t, t->err);
			rc = rc < 0 ? -1 : rc == 0;
		}
	if (rc == 0 && v != NULL && v->again)
		rc = session(t->arg, v);
	return rc;
}

int
news_sessions(const struct news *n, news_session_fn *session, message_fn *message, void *arg,
	struct err *err)
{
	struct teller t = { n->s, message, arg, err };
	struct spans v = { NULL, 0, 0 };
	int rc = read_spans(n, &v, err);

	for (size_t first = 0, end; first < v.n && rc == 0; first = end) {
		for (end = first + 1; end < v.n &&
		     v.at[end].lo >> TURN_BITS == v.at[first].lo >> TURN_BITS; end++)
			;
		rc = tell_one(n, v.at + first, end - first, session, &t);
	}
	free(v.at);
	return rc < 0 ? -1 : 0;
}

/* ---- the rest ---- */

int
news_tombstones(const struct news *n, tombstone_fn *fn, void *arg, struct err *err)
{
	uint8_t (*keys)[TOMBSTONE_BYTES] = NULL;
	size_t n_keys = 0, cap = 0;
	int rc;
	struct db_stmt *q = begin(n, STMT_NEWS_TOMBSTONES, CHANGE_TOMBSTONE, &rc, err);

	while (q != NULL && (rc = db_row(q, err)) > 0) {
		xgrow(&keys, &cap, n_keys + 1, sizeof(*keys));
		n_keys += column_copy(q, 0, keys[n_keys], TOMBSTONE_BYTES);
	}
	for (size_t i = 0; i < n_keys && rc == 0; i++)
		rc = fn(arg, keys[i]);
	free(keys);
	return rc < 0 ? -1 : 0;
}

int
news_accesses(const struct news *n, access_fn *fn, void *arg, struct err *err)
{
	FREED struct access_given *all = NULL;
	size_t n_all = 0, cap = 0;
	int rc;
	struct db_stmt *q = begin(n, STMT_NEWS_ACCESSES, CHANGE_ACCESS, &rc, err);

	while (q != NULL && (rc = db_row(q, err)) > 0) {
		xgrow(&all, &cap, n_all + 1, sizeof(*all));
		column_ulid(q, 0, all[n_all].id);
		all[n_all].accessed_us = db_column_int(q, 1);
		all[n_all++].n_accesses = db_column_int(q, 2);
	}
	for (size_t i = 0; i < n_all && rc == 0; i++)
		rc = fn(arg, &all[i]);
	return rc < 0 ? -1 : 0;
}

int
news_consent(const struct news *n, bool *is_new, struct err *err)
{
	int rc;
	struct db_stmt *q = begin(n, STMT_NEWS, CHANGE_CONSENT, &rc, err);

	*is_new = false;
	if (q == NULL)
		return rc;
	rc = db_row(q, err);
	*is_new = rc > 0;
	db_reset(q);
	return rc < 0 ? -1 : 0;
}
