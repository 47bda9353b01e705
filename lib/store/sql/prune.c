/*
 * prune.c: what goes for good. A fact takes its history along; a session its messages, chunks,
 * cards, vectors and its part of the index, which is written anew without it: lists of postings are
 * never changed in place. The numbers of a session that is gone may be given again, so nothing that
 * is known by number may stay.
 */
#include "store/prune.h"

#include "base/alloc.h"
#include "store/records.h"
#include "store/sql/column.h"
#include "store/sql/slots.h"
#include "store/sql/tombstones.h"

/* ---- facts ---- */

int
prunable_each(struct store *s, const struct scope *who, prunable_fn *fn, void *arg, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q;
	int got = 0;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	if ((q = stmt_bound(s, STMT_PRUNABLE, user_lo(user), user_hi(user), 0, 0, err)) == NULL)
		return -1;
	while ((got = db_row(s->db, q, err, "read record")) > 0) {
		struct prunable f = {
			.row = db_column_int(q, 0),
			.guarded = db_column_int(q, 2) != 0,
			.importance = db_column_real(q, 3),
			.used_us = db_column_int(q, 4),
			.content = column_peek(q, 5),
			.len = (size_t)db_column_bytes(q, 5),
		};
		column_ulid(q, 1, f.id);
		if ((got = fn(arg, &f)) != 0)
			break;
	}
	db_reset(q);
	return got < 0 ? -1 : 0;
}

static int
one_number(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t *out,
	struct err *err)
{
	struct db_stmt *q = stmt_bound(s, which, a, b, c, 0, err);
	int got = q == NULL ? -1 : db_row(s->db, q, err, "read record");

	if (got > 0) {
		*out = db_column_int(q, 0);
		db_reset(q);
	}
	return got;
}

static int
count_facts(struct store *s, int64_t user, struct facts_left *left, struct err *err)
{
	int64_t version = 0;

	if (db_version(s->db, &version, err) < 0)
		return -1;
	if (left->known && version == left->version)
		return 0;
	left->known = true;
	left->version = version;
	return one_number(s, STMT_FACTS_COUNT, user_lo(user), user_hi(user), 0, &left->n, err) < 0
	    ? -1
	    : 0;
}

int
facts_prune(struct store *s, const struct scope *who, const int64_t *rows, size_t n, int64_t max,
	struct facts_left *left, bool *removed, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err),
		*gone = xreallocarray(NULL, n + 1, sizeof(*gone)), guarded = 0;
	size_t n_gone = 0;
	int rc = -1, got;

	memset(removed, 0, n * sizeof(*removed));
	if (user < 0 || count_facts(s, user, left, err) < 0)
		goto out;
	for (size_t i = 0; i < n && left->n > max; i++) {
		if (rows[i] >> USER_SHIFT != user)
			continue;
		if ((got = one_number(s, STMT_FACT_GUARDED, rows[i], user_lo(user), user_hi(user),
			 &guarded, err)) < 0)
			goto out;
		removed[i] = got > 0 && guarded == 0;
		if (!removed[i])
			continue;
		gone[n_gone++] = rows[i];
		left->n--;
	}
	rc = records_remove(s, who, gone, n_gone, err);
out:
	free(gone);
	return rc;
}

/* ---- sessions ---- */

struct boxes { int64_t *ids; size_t n, cap; };        /* parts of sessions, by number */

static bool
is_in(void *arg, int64_t row)
{
	const struct boxes *b = arg;
	size_t lo = 0, hi = b->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (b->ids[mid] < row >> TURN_BITS)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < b->n && b->ids[lo] == row >> TURN_BITS;
}

static int
by_number(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

	return (a > b) - (a < b);
}

static int
find_boxes(struct store *s, int64_t user, const char *name, struct boxes *b, struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_SESSION_PARTS, err);
	int got;

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, user);
	db_bind_text(q, 2, name, -1);
	while ((got = db_row(s->db, q, err, "read session")) > 0) {
		xgrow(&b->ids, &b->cap, b->n + 1, sizeof(*b->ids));
		b->ids[b->n++] = db_column_int(q, 0);
	}
	return got;
}

/* ---- what was made of sessions ---- */

struct made {
	struct store *s;
	int64_t user;
	const struct boxes *boxes;
	struct made_record *items;             /* those that go */
	size_t n, cap;
};

static bool
goes(const struct made *m, int64_t row)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->items[i].row == row)
			return true;
	return false;
}

/* Whether a record rests on anything that stays: 1 it does, 0 it does not, -1 it failed. */
static int
has_other_source(struct made *m, int64_t row, struct err *err)
{
	struct db_stmt *q =
	    stmt_bound(m->s, STMT_RECORD_RESTS, row, user_lo(m->user), user_hi(m->user), 0, err);
	int got = q == NULL ? -1 : 0;
	bool other = false;

	while (q != NULL && !other && (got = db_row(m->s->db, q, err, "read record")) > 0) {
		if (db_column_int(q, 2) != 0)
			other = true;
		else if (db_column_type(q, 0) != DB_NULL)
			other = !is_in((void *)m->boxes, db_column_int(q, 0));
		else if (db_column_type(q, 1) != DB_NULL)
			other = !goes(m, db_column_int(q, 1));
	}
	if (q != NULL)
		db_reset(q);
	return got < 0 ? -1 : other;
}

/*
 * A record that rests on something that goes: it goes too, unless it is protected or rests on more.
 */
static int
consider(struct made *m, int64_t row, struct err *err)
{
	struct db_stmt *q;
	struct made_record r = { .row = row };
	bool guarded, is_summary;
	int got;

	if (goes(m, row))
		return 0;
	q = stmt_bound(m->s, STMT_RECORD_KIND, row, user_lo(m->user), user_hi(m->user), 0, err);
	if (q == NULL || (got = db_row(m->s->db, q, err, "read record")) < 0)
		return -1;
	if (got == 0)
		return 0;
	is_summary = db_column_int(q, 0) == RECORD_SUMMARY;
	guarded = db_column_int(q, 1) != 0;
	column_ulid(q, 2, r.id);
	db_reset(q);
	if (guarded)
		return 0;
	if (!is_summary && (got = has_other_source(m, row, err)) != 0)
		return got < 0 ? -1 : 0;
	xgrow(&m->items, &m->cap, m->n + 1, sizeof(*m->items));
	m->items[m->n++] = r;
	return 0;
}

/* Considers the records that a statement gives, all read before the next statement runs. */
static int
consider_all(struct made *m, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t d,
	struct err *err)
{
	struct db_stmt *q = stmt_bound(m->s, which, a, b, c, d, err);
	int64_t *rows = NULL;
	size_t n = 0, cap = 0;
	int got = q == NULL ? -1 : 0;

	while (q != NULL && (got = db_row(m->s->db, q, err, "read record")) > 0) {
		xgrow(&rows, &cap, n + 1, sizeof(*rows));
		rows[n++] = db_column_int(q, 0);
	}
	for (size_t i = 0; i < n && got == 0; i++)
		got = consider(m, rows[i], err);
	free(rows);
	return got < 0 ? -1 : 0;
}

int
sessions_made(struct store *s, const struct scope *who, const char *const *names, size_t n,
	      struct made_record **out, size_t *n_out, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct boxes b = { NULL, 0, 0 };
	struct made m = { .s = s, .user = user, .boxes = &b };
	int rc = user < 0 ? -1 : 0;

	for (size_t i = 0; i < n && user > 0 && rc == 0; i++)
		rc = find_boxes(s, user, names[i], &b, err);
	if (b.n > 0)
		qsort(b.ids, b.n, sizeof(*b.ids), by_number);
	for (size_t i = 0; i < b.n && rc == 0; i++)
		rc = consider_all(&m, STMT_SESSION_RECORDS, session_lo(b.ids[i]),
		    session_hi(b.ids[i]), user_lo(user), user_hi(user), err);
	for (size_t i = 0; i < m.n && rc == 0; i++)    /* m.n grows as more is found */
		rc = consider_all(&m, STMT_RECORDS_ON, m.items[i].row, user_lo(user), user_hi(user),
		    0, err);
	free(b.ids);
	*out = m.items;
	*n_out = m.n;
	return rc;
}

/*
 * Boxes [from, n) are the session's: neither it nor its messages come back with their transcript.
 */
static int
bury(struct store *s, int64_t user, const char *name, const struct boxes *b, size_t from,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	int got = 0;

	tombstone_key(name, NULL, 0, false, key);
	if (from < b->n && tombstone_put(s, user, key, err) < 0)
		return -1;
	for (size_t i = from; i < b->n && got >= 0; i++) {
		struct db_stmt *q = stmt_bound(s, STMT_SESSION_SOURCES, session_lo(b->ids[i]),
		    session_hi(b->ids[i]), 0, 0, err);
		if (q == NULL)
			return -1;
		while ((got = db_row(s->db, q, err, "read message")) > 0) {
			bool is_text = db_column_type(q, 0) == DB_TEXT;
			const void *source = db_column_blob(q, 0);
			tombstone_key(name, source == NULL ? "" : source,
			    (size_t)db_column_bytes(q, 0), is_text, key);
			if (tombstone_put(s, user, key, err) < 0) {
				db_reset(q);
				return -1;
			}
		}
	}
	return got < 0 ? -1 : 0;
}

static int
vectors_of(struct store *s, const struct scope *who, const struct boxes *b, int64_t *n_messages,
	struct err *err)
{
	int64_t *rows = NULL;
	size_t n = 0, cap = 0;
	int got = 0;

	for (size_t i = 0; i < b->n && got >= 0; i++) {
		struct db_stmt *q = stmt_bound(s, STMT_SESSION_OLD_MESSAGES, session_lo(b->ids[i]),
		    session_hi(b->ids[i]), 0, 0, err);
		if (q == NULL)
			got = -1;
		while (got >= 0 && (got = db_row(s->db, q, err, "read message")) > 0) {
			xgrow(&rows, &cap, n + 1, sizeof(*rows));
			rows[n++] = db_column_int(q, 0);
		}
	}
	*n_messages = (int64_t)n;
	if (got >= 0)
		got = vectors_remove(s, who, VECTOR_MESSAGE, rows, n, err);
	free(rows);
	return got;
}

static int
remove_box(struct store *s, int64_t user, int64_t box, struct err *err)
{
	static const enum stmt rows[] = { STMT_CHUNKS_DELETE, STMT_CARDS_DELETE,
		STMT_MESSAGES_DELETE, STMT_VBOX_TODOS_DELETE };
	struct db_stmt *q;

	for (size_t i = 0; i < NELEM(rows); i++)
		if ((q = stmt_bound(s, rows[i], session_lo(box), session_hi(box), 0, 0, err)) ==
			NULL ||
		    db_done(s->db, q, err, "remove session") < 0)
			return -1;
	if (members_forget(s, session_lo(box), session_hi(box), err) < 0)
		return -1;
	if ((q = stmt_bound(s, STMT_VBOX_DELETE, box, box, 0, 0, err)) == NULL ||
	    db_done(s->db, q, err, "remove session") < 0)
		return -1;
	return (q = stmt_bound(s, STMT_SESSION_DELETE, user, box, 0, 0, err)) == NULL
	    ? -1
	    : db_done(s->db, q, err, "remove session");
}

int
sessions_remove(struct store *s, const struct scope *who, const char *const *names, size_t n,
	int64_t *n_messages, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct boxes b = { NULL, 0, 0 };
	int rc = -1;

	*n_messages = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	for (size_t i = 0; i < n; i++) {
		size_t from = b.n;
		if (find_boxes(s, user, names[i], &b, err) < 0 ||
		    bury(s, user, names[i], &b, from, err) < 0)
			goto out;
	}
	if (b.n > 0)
		qsort(b.ids, b.n, sizeof(*b.ids), by_number);
	if (b.n > 0 &&
	    (vectors_of(s, who, &b, n_messages, err) < 0 ||
		fulltext_drop(s, user, is_in, &b, err) < 0))
		goto out;
	for (size_t i = 0; i < b.n; i++)
		if (remove_box(s, user, b.ids[i], err) < 0)
			goto out;
	rc = answers_drop_all(s, user, err);
out:
	free(b.ids);
	return rc;
}

/* ---- names ---- */

int
names_prune(struct store *s, const struct scope *who, struct err *err)
{
	static const enum stmt kinds[] = { STMT_SPEAKERS_DELETE, STMT_AGENTS_DELETE,
		STMT_PROJECTS_DELETE };
	int64_t user = user_number(s, who->user, false, err);

	if (user <= 0)
		return user < 0 ? -1 : 0;
	for (size_t i = 0; i < NELEM(kinds); i++) {
		struct db_stmt *q =
		    stmt_bound(s, kinds[i], user, user_lo(user), user_hi(user), 0, err);
		if (q == NULL || db_done(s->db, q, err, "remove names") < 0)
			return -1;
	}
	return 0;
}

/* ---- metrics ---- */

int
metrics_remove(struct store *s, const struct scope *who, int64_t before_us, int64_t *n,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q;

	*n = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if ((q = stmt_bound(s, STMT_METRICS_DROP, user, before_us, 0, 0, err)) == NULL ||
	    db_done(s->db, q, err, "remove metrics") < 0)
		return -1;
	*n = db_changes(s->db);
	return answers_drop_old(s, user, err);
}
