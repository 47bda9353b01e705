/*
 * going.c: sessions and messages that go for good: a session takes its messages along, a message
 * its chunks, card, vectors and its part of the index, which is written anew without it: lists of
 * postings are never changed in place. The numbers of a session that is gone may be given again, so
 * nothing that is known by number may stay. Of single messages the places stay empty, and are not
 * given again. What is known of their sessions is found again from the messages that stay.
 */
#include "base/alloc.h"
#include "base/order.h"
#include "store/prune.h"
#include "store/records.h"
#include "store/sql/column.h"
#include "store/vectors/slots.h"
#include "store/write/tombstones.h"
#include "store/accounts/answers.h"
#include "store/index/segments.h"
#include "store/records/rows.h"
#include "store/write/writer.h"

/* ---- messages that go: rows lo to hi, ascending; a session's part is one range ---- */

struct range { int64_t lo, hi; };
struct ranges { struct range *at; size_t n, cap; };

static bool
is_in(void *arg, int64_t row)
{
	const struct ranges *r = arg;
	size_t lo = 0, hi = r->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (r->at[mid].hi < row)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->n && r->at[lo].lo <= row;
}

ORDER_BY(by_row, struct range, lo)

/* One that follows the last in its session joins it: of a million single rows few are left. */
static void
add_range(struct ranges *r, int64_t lo, int64_t hi)
{
	struct range *last = r->n > 0 ? &r->at[r->n - 1] : NULL;

	if (last != NULL && lo == last->hi + 1 && lo >> TURN_BITS == last->lo >> TURN_BITS) {
		last->hi = hi;
		return;
	}
	*xpush(r->at, r->n, r->cap) = (struct range){ lo, hi };
}

/* Adds the ranges of rows of a session's parts. */
static int
add_session(struct store *s, int64_t user, const char *name, struct ranges *r, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_PARTS, ARGS(user, name), err);
	int got;

	while ((got = db_row(q, err)) > 0)
		add_range(r, session_lo(db_column_int(q, 0)), session_hi(db_column_int(q, 0)));
	return got;
}

/* Adds rows of one user, sorts all ranges, and joins those that follow each other in a session. */
static void
add_rows(const int64_t *rows, size_t n, struct ranges *r)
{
	for (size_t i = 0; i < n; i++)
		add_range(r, rows[i], rows[i]);
	if (r->n > 0)
		qsort(r->at, r->n, sizeof(*r->at), by_row);
	n = r->n;
	r->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (r->n > 0 && r->at[i].lo <= r->at[r->n - 1].hi + 1 &&
		    r->at[i].lo >> TURN_BITS == r->at[r->n - 1].lo >> TURN_BITS)
			r->at[r->n - 1].hi = MAX(r->at[r->n - 1].hi, r->at[i].hi);
		else
			r->at[r->n++] = r->at[i];
	}
}

/* ---- what was made of them ---- */

struct made {
	struct store *s;
	int64_t user;
	const struct ranges *ranges;
	const char *mark;
	/* those that go; those that rest on more; protected ones */
	struct made_record *items, *kept, *guarded;
	size_t n, cap, n_kept, cap_kept, n_guarded, cap_guarded;
};

static bool
is_among(const struct made_record *all, size_t n, int64_t row)
{
	while (n > 0 && all[n - 1].row != row)
		n--;
	return n > 0;
}

/* Whether a record rests on anything that stays: 1, 0, -1. */
static int
has_other_source(struct made *m, int64_t row, struct err *err)
{
	struct db_stmt *q =
	    stmt_start(m->s, STMT_RECORD_RESTS, ARGS(row, ROWS_OF(m->user)), err);
	int got = 0;
	bool other = false;

	while (!other && (got = db_row(q, err)) > 0) {
		if (db_column_int(q, 2) != 0)
			other = true;
		else if (db_column_type(q, 0) != DB_NULL)
			other = !is_in((void *)m->ranges, db_column_int(q, 0));
		else if (db_column_type(q, 1) != DB_NULL)
			other = !is_among(m->items, m->n, db_column_int(q, 1));
	}
	db_reset(q);
	return got < 0 ? -1 : other;
}

/*
 * Decides about a record that rests on something that is removed: it is removed too, unless it is
 * protected or rests on something else as well.
 */
static int
consider(struct made *m, int64_t row, struct err *err)
{
	struct made_record r = { .row = row };
	int got;

	if (is_among(m->items, m->n, row))
		return 0;
	struct db_stmt *q = stmt_start(m->s, STMT_RECORD_KIND, ARGS(row, ROWS_OF(m->user)), err);
	if ((got = db_row(q, err)) <= 0)
		return got;
	bool is_summary = db_column_int(q, 0) == RECORD_SUMMARY;
	const char *tags = db_column_text(q, 3);
	bool guarded = db_column_int(q, 1) != 0 &&
	    !(m->mark != NULL && db_column_int(q, 0) == RECORD_REFLECTION && tags != NULL &&
		strstr(tags, m->mark) != NULL);
	column_ulid(q, 2, r.id);
	db_reset(q);
	if (guarded) {
		if (!is_among(m->guarded, m->n_guarded, row))
			*xpush(m->guarded, m->n_guarded, m->cap_guarded) = r;
		return 0;
	}
	if (!is_summary && (got = has_other_source(m, row, err)) != 0) {
		*xpush(m->kept, m->n_kept, m->cap_kept) = r;
		return got < 0 ? -1 : 0;
	}
	*xpush(m->items, m->n, m->cap) = r;
	return 0;
}

/* Considers the records that a statement gives, all read before the next statement runs. */
static int
consider_all(struct made *m, enum stmt which, const struct db_value *args, size_t n,
	struct err *err)
{
	struct numbers rows = { NULL, 0, 0 };
	int got = stmt_each_number(m->s, which, args, n, &rows, err);

	for (size_t i = 0; i < rows.n && got == 0; i++)
		got = consider(m, rows.at[i], err);
	free(rows.at);
	return got < 0 ? -1 : 0;
}

/* Collects the rows of all that is removed, ascending, with the sessions found by their names. */
static int
find_ranges(struct store *s, int64_t user, const struct going *g, struct ranges *r, struct err *err)
{
	for (size_t i = 0; i < g->n_sessions; i++)
		if (add_session(s, user, g->sessions[i], r, err) < 0)
			return -1;
	add_rows(g->rows, g->n_rows, r);
	return 0;
}

int
going_made(struct store *s, const struct scope *who, const struct going *g,
	struct made_records *out, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct ranges r = { NULL, 0, 0 };
	struct made m = { .s = s, .user = user, .ranges = &r, .mark = g->mark };
	int rc = user < 0 ? -1 : 0;

	memset(out, 0, sizeof(*out));
	if (user <= 0)
		return rc;
	for (size_t i = 0; i < g->n_records; i++) {
		*xpush(m.items, m.n, m.cap) = (struct made_record){ .row = g->records[i] };
	}
	rc = find_ranges(s, user, g, &r, err);
	for (size_t i = 0; i < r.n && rc == 0; i++)
		rc = consider_all(&m, STMT_SESSION_RECORDS, ARGS(r.at[i].lo, r.at[i].hi,
		    ROWS_OF(user)), err);
	for (size_t i = 0; i < m.n && rc == 0; i++)    /* m.n grows as more is found */
		rc = consider_all(&m, STMT_RECORDS_ON, ARGS(m.items[i].row, ROWS_OF(user)), err);
	free(r.at);
	if (m.n > g->n_records)
		memmove(m.items, m.items + g->n_records,
		    (m.n - g->n_records) * sizeof(*m.items));
	*out = (struct made_records){ m.items, m.kept, m.guarded, m.n - g->n_records, 0,
		m.n_guarded };
	/* a record that was kept several times is told once, unless it was removed in the end */
	for (size_t i = 0; i < m.n_kept; i++)
		if (!is_among(m.items, m.n, m.kept[i].row) &&
		    !is_among(m.kept, out->n_kept, m.kept[i].row))
			m.kept[out->n_kept++] = m.kept[i];
	return rc;
}

void
made_records_release(struct made_records *m)
{
	free(m->items);
	free(m->kept);
	free(m->guarded);
	memset(m, 0, sizeof(*m));
}

/* ---- their removal ---- */

/* Puts a tombstone, so that the session does not come back when its transcript is read again. */
static int
bury_session(struct store *s, int64_t user, const char *name, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];

	tombstone_key(name, NULL, 0, false, key);
	return tombstone_put(s, user, key, err);
}

/* Puts a tombstone for the id in a column, so that nothing that rests on it comes. */
static int
bury_source(struct store *s, int64_t user, struct db_stmt *q, int column, struct err *err)
{
	uint8_t ulid[ID_BYTES], key[TOMBSTONE_BYTES];

	if (db_column_bytes(q, column) != ID_BYTES)
		return 0;
	memcpy(ulid, db_column_blob(q, column), ID_BYTES);
	tombstone_source_key(ulid, key);
	return tombstone_put(s, user, key, err);
}

/* The same for ids that messages of the range have in other stores. */
static int
bury_aliases(struct store *s, int64_t user, const struct range *r, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_ALIASES, ARGS(r->lo, r->hi), err);
	int got;

	while ((got = db_row(q, err)) > 0)
		if (bury_source(s, user, q, 0, err) < 0) {
			db_reset(q);
			return -1;
		}
	return got;
}

/* Puts tombstones for the messages of a range of the session. */
static int
bury_messages(struct store *s, int64_t user, const char *name, const struct range *r,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_SOURCES, ARGS(r->lo, r->hi), err);
	uint8_t key[TOMBSTONE_BYTES], copy[TOMBSTONE_BYTES];
	int got;

	while ((got = db_row(q, err)) > 0) {
		bool is_text = db_column_type(q, 0) == DB_TEXT;
		const void *source = db_column_blob(q, 0);
		size_t len = (size_t)db_column_bytes(q, 0);

		source = source == NULL ? "" : source;
		tombstone_key(name, source, len, is_text, key);
		if (tombstone_put(s, user, key, err) < 0 ||
		    (tombstone_copy_key(source, len, is_text, copy) != COPY_NONE &&
			tombstone_put(s, user, copy, err) < 0) ||
		    bury_source(s, user, q, 1, err) < 0) {
			db_reset(q);
			return -1;
		}
	}
	return got < 0 ? -1 : bury_aliases(s, user, r, err);
}

static int
vectors_of(struct store *s, const struct scope *who, const struct ranges *r, int64_t *n_messages,
	struct err *err)
{
	struct numbers rows = { NULL, 0, 0 };
	int got = 0;

	for (size_t i = 0; i < r->n && got >= 0; i++)
		got = stmt_each_number(s, STMT_SESSION_OLD_MESSAGES, ARGS(r->at[i].lo,
		    r->at[i].hi), &rows, err);
	*n_messages = (int64_t)rows.n;
	if (got >= 0)
		got = vectors_remove(s, who, VECTOR_MESSAGE, rows.at, rows.n, err);
	free(rows.at);
	return got;
}

/* Whether the range is a session's whole part. */
static bool
is_part(const struct range *r)
{
	return r->lo == session_lo(r->lo >> TURN_BITS) && r->hi == session_hi(r->lo >> TURN_BITS);
}

/* The name of the row's session, in the arena; NULL on error. */
static const char *
session_name(struct store *s, int64_t user, int64_t row, struct arena *a, struct err *err)
{
	const char *name = NULL;

	if (stmt_text(s, STMT_SESSION_NAME, ARGS(user, row >> TURN_BITS), a, &name, err) == 0)
		err_set(err, ERR_IO, "a message without its session");
	return name;
}

/* ---- what stays of their sessions ---- */

/* Sessions that keep turns, ascending, and their kind if it is another from now on. */
struct kept { int64_t session; bool changed; uint8_t kind; };
struct kept_all { const struct ranges *ranges; struct kept *at; size_t n, cap; };

/* Counts the turns that a session's part keeps. */
static int
count_again(struct store *s, int64_t user, int64_t part, struct kept_all *kept, struct err *err)
{
	int64_t had[5], has[2];

	if (stmt_numbers(s, STMT_SESSION_BY_ID, ARGS(user, part), had, NELEM(had), err) < 0 ||
	    stmt_numbers(s, STMT_SESSION_COUNT_AGAIN, ARGS(user, part), has, NELEM(has), err) < 0)
		return -1;
	uint8_t was = session_kind(had[2], had[4]);
	uint8_t is = session_kind(has[0], has[1]);
	*xpush(kept->at, kept->n, kept->cap) = (struct kept){ part, is != was, is };
	return 0;
}

/*
 * What is known of a session by its turns is from now on what those that stay tell: when it was,
 * whose it is, and who talks in it. Its mark (tombstone_part_key) says so to other stores, which
 * may have heard when it was from elsewhere.
 */
static int
keep_sessions(struct store *s, int64_t user, bool may_return, const struct ranges *r,
	struct kept_all *kept, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; i < r->n && rc == 0; i++) {
		int64_t part = r->at[i].lo >> TURN_BITS;
		const char *name;

		if (is_part(&r->at[i]) || (kept->n > 0 && kept->at[kept->n - 1].session == part))
			continue;
		arena_reset(&a);
		name = session_name(s, user, r->at[i].lo, &a, err);
		if (name != NULL)
			tombstone_part_key(name, key);
		if (name == NULL || count_again(s, user, part, kept, err) < 0 ||
		    (!may_return && tombstone_put(s, user, key, err) < 0) ||
		    session_span(s, user, name, err) < 0)
			rc = -1;
	}
	return rc;
}

static bool
is_gone(void *arg, int64_t row)
{
	const struct kept_all *kept = arg;

	return is_in((void *)kept->ranges, row);
}

ORDER_BY(by_session, struct kept, session)

static uint8_t
kind_now(void *arg, int64_t row, uint8_t was)
{
	const struct kept_all *kept = arg;
	const struct kept at = { .session = row >> TURN_BITS }, *found = NULL;

	if (kept->n > 0)
		found = bsearch(&at, kept->at, kept->n, sizeof(at), by_session);
	return found != NULL && found->changed ? found->kind : was;
}

/* ---- rows ---- */

static int
remove_rows(struct store *s, const struct range *r, struct err *err)
{
	static const enum stmt rows[] = { STMT_CHUNKS_DELETE, STMT_MESSAGES_DELETE,
		STMT_VBOX_TODOS_DELETE, STMT_TURNS_DELETE, STMT_ALIASES_DELETE };

	if (stmts_run(s, rows, NELEM(rows), ARGS(r->lo, r->hi), err) < 0)
		return -1;
	if (!is_part(r) && work_remove(s, r->lo, r->hi, err) < 0)
		return -1;
	return members_forget(s, r->lo, r->hi, err);
}

/* Zeroes the cards of removed turns; those that stay keep their places in the page. */
static int
clear_cards(struct store *s, const struct range *r, struct err *err)
{
	int64_t first = r->lo >> TURN_BITS << TURN_BITS, turn = r->lo - first;
	struct card cards[CARDS_A_PAGE];
	struct cards page;

	while (turn <= r->hi - first) {
		int64_t id = first + turn / CARDS_A_PAGE;
		int64_t end = MIN(r->hi - first + 1, (turn / CARDS_A_PAGE + 1) * CARDS_A_PAGE);

		if (cards_page(s, id, &page, err) < 0)
			return -1;
		for (size_t i = 0; i < page.n; i++)
			cards_get(&page, i, &cards[i]);
		for (; turn < end; turn++)
			if ((size_t)(turn % CARDS_A_PAGE) < page.n)
				memset(&cards[turn % CARDS_A_PAGE], 0, sizeof(cards[0]));
		cards_done(s);
		if (page.n > 0 && cards_put(s, id, cards, page.n, err) < 0)
			return -1;
	}
	return 0;
}

static int
remove_session_part(struct store *s, int64_t user, const struct range *r, struct err *err)
{
	static const enum stmt pages[] = { STMT_CARDS_DELETE, STMT_WORK_DELETE };
	int64_t part = r->lo >> TURN_BITS;

	return remove_rows(s, r, err) < 0 ||
		stmts_run(s, pages, NELEM(pages), ARGS(r->lo, r->hi), err) < 0 ||
		stmt_run(s, STMT_VBOX_DELETE, ARGS(part, part), err) < 0
	    ? -1
	    : stmt_run(s, STMT_SESSION_DELETE, ARGS(user, part), err);
}

static int
bury(struct store *s, int64_t user, const struct going *g, const struct ranges *r, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	s->buried = true;
	if (g->may_return)
		return 0;
	for (size_t i = 0; i < g->n_sessions && rc == 0; i++)
		rc = bury_session(s, user, g->sessions[i], err);
	for (size_t i = 0; i < r->n && rc == 0; i++) {
		arena_reset(&a);
		const char *name = session_name(s, user, r->at[i].lo, &a, err);
		rc = name == NULL ? -1 : bury_messages(s, user, name, &r->at[i], err);
	}
	return rc;
}

static bool
is_said_in(void *arg, bool is_record, int64_t row)
{
	return !is_record && is_in(arg, row);
}

int
going_remove(struct store *s, const struct scope *who, const struct going *g, int64_t *n_messages,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct ranges r = { NULL, 0, 0 };
	struct kept_all kept = { .ranges = &r };
	const struct postings_edit edit = { is_gone, kind_now, &kept };
	int rc = -1;

	*n_messages = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (find_ranges(s, user, g, &r, err) < 0 || bury(s, user, g, &r, err) < 0 ||
	    (r.n > 0 && vectors_of(s, who, &r, n_messages, err) < 0))
		goto out;
	for (size_t i = 0; i < r.n; i++)
		if (is_part(&r.at[i]) ? remove_session_part(s, user, &r.at[i], err) < 0
		    : remove_rows(s, &r.at[i], err) < 0 || clear_cards(s, &r.at[i], err) < 0)
			goto out;
	if (keep_sessions(s, user, g->may_return, &r, &kept, err) == 0 &&
	    (r.n == 0 || fulltext_edit(s, user, &edit, err) == 0) &&
	    handed_remove(s, user, is_said_in, &r, err) == 0)
		rc = answers_drop_all(s, user, err);
out:
	free(r.at);
	free(kept.at);
	return rc;
}

int
sessions_untitle(struct store *s, const struct scope *who, const char *name, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct session_parts parts;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (session_parts(s, user, name, &parts, err) < 0 ||
	    stmt_run(s, STMT_SESSION_UNTITLE, ARGS(clock_now_us(), user, name), err) < 0)
		return -1;
	return parts.n == 0 ? 0
	    : change_log(s, user, CHANGE_TURNS, session_lo(parts.id[0]), 0, NULL, err);
}
