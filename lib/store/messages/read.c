/*
 * read.c: reads messages. Rows are fetched a page at a time and the statement is reset before a
 * callback runs, so no read transaction stays open while somebody writes to a slow pipe.
 */
#include "store/messages/read.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/sql/message_columns.h"
#include "store/messages/stored.h"

#define PAGE_ROWS    128
#define AROUND_FIRST 2                         /* turns beside another that are read at first */
#define AROUND_MOST  16                        /* and then at once */

/* A row of MESSAGE_COLUMNS, whose names are still numbers (see read_names). */
struct raw_message { struct message m; int64_t session, speaker, agent, project; };

#define READ(no, name, type) m->name = column_text(q, MESSAGE_##name, a);

static void
read_message(struct db_stmt *q, struct arena *a, struct raw_message *r)
{
	struct message *m = &r->m;

	memset(r, 0, sizeof(*r));
	m->row = db_column_int(q, MESSAGE_id);
	m->turn = m->row & (TURNS_MAX - 1);
	r->session = db_column_int(q, MESSAGE_session);
	column_ulid(q, MESSAGE_ulid, m->id);
	m->source_id = "";
	if (db_column_type(q, MESSAGE_source) == DB_TEXT)
		m->source_id = column_text(q, MESSAGE_source, a);
	else if (db_column_type(q, MESSAGE_source) == DB_BLOB &&
	    db_column_bytes(q, MESSAGE_source) == PLACE_BYTES)
		memcpy(m->place, db_column_blob(q, MESSAGE_source), PLACE_BYTES);
	m->role = (enum role)column_within(q, MESSAGE_role, N_ROLES);
	r->speaker = db_column_int(q, MESSAGE_speaker);
	r->agent = db_column_int(q, MESSAGE_agent);
	r->project = db_column_int(q, MESSAGE_project);
	m->time_us = column_time(q, MESSAGE_time);
	m->stored_us = db_column_int(q, MESSAGE_stored);
	m->origin = (enum origin)column_within(q, MESSAGE_origin, ORIGIN_DERIVED + 1);
	m->trust = db_column_int(q, MESSAGE_trust);
	m->n_tokens = (unsigned)db_column_int(q, MESSAGE_tokens);
	column_copy(q, MESSAGE_sha256, m->sha256, SHA256_BYTES);
	m->content = column_text_len(q, MESSAGE_content, a, &m->content_len);
	MESSAGE_TEXTS(READ)
}

/* The rows of a page mostly have the same names, so the last name of each kind is remembered. */
struct names {
	int64_t session, label[4];
	const char *session_text, *label_texts[4];
	int64_t part;
};

static const char *
name_of(struct store *s, struct names *n, int64_t user, enum label_kind kind, int64_t no,
	struct arena *a, struct err *err)
{
	if (no == 0)
		return "";
	if (n->label[kind] != no) {
		if ((n->label_texts[kind] = label_text(s, user, kind, no, a, err)) == NULL)
			return NULL;
		n->label[kind] = no;
	}
	return n->label_texts[kind];
}

static int
session_of(struct store *s, struct names *n, int64_t session, struct arena *a, struct err *err)
{
	struct db_stmt *q;
	int got;

	if (n->session == session)
		return 0;
	q = stmt_start(s, STMT_SESSION_NAME, ARGS(session >> SESSION_BITS, session), err);
	if ((got = db_row(q, err)) < 0)
		return -1;
	n->session = session;
	n->session_text = got > 0 ? column_text(q, 0, a) : "";
	n->part = got > 0 ? db_column_int(q, 1) : 0;
	db_reset(q);
	return 0;
}

static int
read_names(struct store *s, struct names *n, struct raw_message *r, struct arena *a,
	struct err *err)
{
	int64_t user = r->m.row >> USER_SHIFT;

	if (session_of(s, n, r->session, a, err) < 0 ||
	    (r->m.name = name_of(s, n, user, LABEL_SPEAKER, r->speaker, a, err)) == NULL ||
	    (r->m.agent = name_of(s, n, user, LABEL_AGENT, r->agent, a, err)) == NULL ||
	    (r->m.project = name_of(s, n, user, LABEL_PROJECT, r->project, a, err)) == NULL)
		return -1;
	r->m.session = n->session_text;
	r->m.turn += n->part * TURNS_MAX;
	return 0;
}

/* Declares the names of messages. */
static int
want_names(struct store *s, const struct raw_message *r, size_t n, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < n && db_gathers_next(s->db); i++) {
		int64_t user = r[i].session >> SESSION_BITS;

		rc = stmt_want_next(s, STMT_SESSION_NAME, ARGS(user, r[i].session), err);
		if (rc == 0)
			rc = labels_want(s, user, r[i].speaker, r[i].agent, r[i].project, err);
	}
	return rc;
}

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
	struct raw_message rows[PAGE_ROWS];
	size_t n_rows;
};

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
	struct names names = { .session = -1, .label = { -1, -1, -1, -1 } };
	int got;

	arena_reset(&w->arena);
	w->n_rows = 0;
	while ((got = db_row(q, err)) > 0)
		read_message(q, &w->arena, &w->rows[w->n_rows++]);
	if (got < 0 || want_names(w->store, w->rows, w->n_rows, err) < 0)
		return -1;
	for (size_t i = 0; i < w->n_rows; i++)
		if (read_names(w->store, &names, &w->rows[i], &w->arena, err) < 0)
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
	/* not zeroed: its rows are many bytes, and are filled when they are read */
	struct walk *w = xmalloc(sizeof(*w));
	struct range *ranges = NULL;
	int64_t left = f->limit > 0 ? f->limit : INT64_MAX;
	size_t n = 0;
	int rc = -1;

	w->store = s;
	w->filter = f;
	w->speakers = NULL;
	w->n_speakers = 0;
	w->scope = (struct scope_numbers){ 0 };
	w->arena = (struct arena)ARENA_INIT;
	w->n_rows = 0;
	if (scope_numbers(s, who, &w->scope, err) < 0)
		goto out;
	if (find_speakers(w, &f->said_by, err) != 0)
		goto out;
	if (w->scope.user == 0 || (w->speakers != NULL && w->n_speakers == 0)) {
		rc = 0;
		goto out;
	}
	if (f->newest_first && (who->session == NULL || *who->session == '\0')) {
		rc = walk_sessions(w, &left, fn, arg, err) < 0 ? -1 : 0;
		goto out;
	}
	if (ranges_of(s, who, w->scope.user, f->newest_first, &ranges, &n, err) < 0)
		goto out;
	rc = 1;
	for (size_t i = 0; i < n && rc > 0 && left > 0; i++)
		rc = walk_range(w, ranges[i], &left, fn, arg, err);
	rc = rc < 0 ? -1 : 0;
out:
	arena_release(&w->arena);
	free(w->speakers);
	free(ranges);
	free(w);
	return rc;
}

int
messages_of_rows(struct store *s, int64_t lo, int64_t hi, message_fn *fn, void *arg,
	struct err *err)
{
	static const struct message_filter any = MESSAGE_FILTER_ANY;
	struct walk *w = xcalloc(1, sizeof(*w));
	int64_t left = INT64_MAX;
	int rc;

	w->store = s;
	w->filter = &any;
	w->scope.agent = w->scope.project = -1;
	rc = walk_range(w, (struct range){ lo, hi }, &left, fn, arg, err);
	arena_release(&w->arena);
	free(w);
	return rc;
}

/* ---- one message ---- */

/* The row of q (MESSAGE_COLUMNS), whole; *out NULL when there is none. */
static int
one_message(struct store *s, struct db_stmt *q, const char *asked, struct arena *a,
	const struct message **out, struct err *err)
{
	struct raw_message *r = NULL;
	struct names names = { .session = -1, .label = { -1, -1, -1, -1 } };
	int got;

	*out = NULL;
	if ((got = db_row(q, err)) <= 0)
		return got;
	r = arena_alloc(a, sizeof(*r));
	read_message(q, a, r);
	if (asked != NULL && (got = db_row(q, err)) != 0) {
		struct raw_message other;

		if (got > 0)
			read_message(q, a, &other);
		db_reset(q);
		return got < 0 ? -1
			       : err_set(err, ERR_DATA,
				   "more than one message is '%s', such as %s and %s", asked,
				   r->m.id, other.m.id);
	}
	db_reset(q);
	if (read_names(s, &names, r, a, err) < 0)
		return -1;
	*out = &r->m;
	return 0;
}


/* The rows, each in its place; NULL where there is none. */
static int
read_rows(struct store *s, const struct scope_numbers *n, const int64_t *rows, size_t n_rows,
	struct arena *a, struct raw_message **out, struct err *err)
{
	struct db_stmt *q;
	int got;

	for (size_t i = 0; i < n_rows; i++) {
		out[i] = NULL;
		q = stmt_start(s, STMT_MESSAGE_BY_ROW, ARGS(rows[i], SCOPE(n)), err);
		if ((got = db_row(q, err)) < 0)
			return -1;
		if (got == 0)
			continue;
		out[i] = arena_alloc(a, sizeof(**out));
		read_message(q, a, out[i]);
		db_reset(q);
	}
	return 0;
}

/* Declares the messages of rows, and the names of their sessions. */
static int
want_rows(struct store *s, const struct scope_numbers *n, const int64_t *rows, size_t n_rows,
	struct err *err)
{
	for (size_t i = 0; i < n_rows; i++) {
		if (stmt_want_next(s, STMT_MESSAGE_BY_ROW, ARGS(rows[i], SCOPE(n)), err) < 0 ||
		    stmt_want(s, STMT_SESSION_NAME, ARGS(n->user, rows[i] >> TURN_BITS), err) < 0)
			return -1;
		if (db_is_far(s->db) &&
		    stmt_want(s, STMT_CHUNKS_OF, ARGS(rows[i], ROWS_OF(n->user)), err) < 0)
			return -1;
	}
	return 0;
}

int
messages_by_rows(struct store *s, const struct scope *who, const int64_t *rows, size_t n_rows,
	struct arena *a, const struct message **out, struct err *err)
{
	struct raw_message **raw = xreallocarray(NULL, n_rows + 1, sizeof(struct raw_message *));
	struct names names = { .session = -1, .label = { -1, -1, -1, -1 } };
	bool gathers = db_gathers(s->db);
	struct scope_numbers n;
	int rc = -1;

	for (size_t i = 0; i < n_rows; i++)
		out[i] = NULL;
	if (scope_numbers(s, who, &n, err) < 0 ||
	    (gathers && want_rows(s, &n, rows, n_rows, err) < 0) || read_rows(s, &n, rows, n_rows,
	    a, raw, err) < 0)
		goto out;
	for (size_t i = 0; gathers && i < n_rows; i++)
		if (raw[i] != NULL && labels_want(s, n.user, raw[i]->speaker,
		    raw[i]->agent, raw[i]->project, err) < 0)
			goto out;
	for (size_t i = 0; i < n_rows; i++) {
		if (raw[i] == NULL)
			continue;
		if (read_names(s, &names, raw[i], a, err) < 0)
			goto out;
		out[i] = &raw[i]->m;
	}
	rc = db_is_far(s->db) && gathers ? chunks_keep(s, &n, out, n_rows, err) : 0;
out:
	free(raw);
	return rc;
}

/*
 * Reads them once, so that all that they need is fetched in two round trips and kept; what is read
 * is thrown away.
 */
int
messages_rows_want(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err)
{
	struct arena a = ARENA_INIT;
	const struct message **out;
	int rc;

	if (!db_gathers(s->db) || n < 2)
		return 0;
	out = xreallocarray(NULL, n, sizeof(*out));
	rc = messages_by_rows(s, who, rows, n, &a, out, err);
	free(out);
	arena_release(&a);
	return rc;
}

int
prefix_range(const char *text, uint8_t from[ID_BYTES], uint8_t to[ID_BYTES])
{
	char lo[ID_TEXT], hi[ID_TEXT];
	size_t len = strlen(text);

	if (len < 8 || len >= ID_TEXT)
		return -1;
	memset(lo, '0', ID_TEXT - 1);
	memset(hi, 'Z', ID_TEXT - 1);
	memcpy(lo, text, len);
	memcpy(hi, text, len);
	lo[ID_TEXT - 1] = hi[ID_TEXT - 1] = '\0';
	return id_parse(lo, ID_TEXT - 1, from) < 0 || id_parse(hi, ID_TEXT - 1, to) < 0 ? -1 : 0;
}

/* one that a turn had here before another store's became its id names it still */
static const enum stmt by_id[] = { STMT_MESSAGE_BY_ULID, STMT_MESSAGE_BY_ALIAS };

/* from this id to that */
struct id_range { uint8_t from[ID_BYTES], to[ID_BYTES]; };

/*
 * The statement that finds a message by id; *q NULL: there is none with such an id. r is filled in,
 * and is in use while the statement is.
 */
static int
find_by(struct store *s, const struct scope_numbers *n, enum stmt which, const char *id,
	struct id_range *r, struct db_stmt **q, struct err *err)
{
	*q = NULL;
	if (prefix_range(id, r->from, r->to) < 0)
		return 0;
	*q = stmt_start(s, which, ARGS(BLOB(r->from, ID_BYTES), BLOB(r->to, ID_BYTES), SCOPE(n)),
	    err);
	return *q == NULL ? -1 : 0;
}

static int
want_by_id(struct store *s, const struct scope_numbers *n, enum stmt which, const char *id,
	struct err *err)
{
	struct id_range range;
	struct db_stmt *q;

	if (find_by(s, n, which, id, &range, &q, err) < 0)
		return -1;
	return q == NULL ? 0 : db_want(q);
}

/* Declares the names of a message that has come; of one that is not there, that of its alias. */
static int
want_behind(struct store *s, const struct scope_numbers *n, const char *id, struct arena *a,
	struct err *err)
{
	struct id_range range;
	struct raw_message r;
	struct db_stmt *q;
	int got;

	if (find_by(s, n, by_id[0], id, &range, &q, err) < 0)
		return -1;
	if (q == NULL)
		return 0;
	if ((got = db_row(q, err)) <= 0)
		return got < 0 ? -1 : want_by_id(s, n, by_id[1], id, err);
	read_message(q, a, &r);
	db_reset(q);
	return want_names(s, &r, 1, err);
}

int
messages_want(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	struct err *err)
{
	struct arena a = ARENA_INIT;
	struct scope_numbers numbers;
	int rc = 0;

	if (!db_gathers_next(s->db))
		return 0;
	if (scope_numbers(s, who, &numbers, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = want_by_id(s, &numbers, by_id[0], ids[i], err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = want_behind(s, &numbers, ids[i], &a, err);
	arena_release(&a);
	return rc;
}

int
messages_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct message **out, struct err *err)
{
	struct scope_numbers n;
	struct id_range range;
	struct db_stmt *q;

	*out = NULL;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	if (strncmp(id, "source:", 7) == 0)
		return one_message(s, stmt_start(s, STMT_MESSAGE_BY_SOURCE, ARGS(id + 7,
		    SCOPE(&n)), err), id, a, out, err);
	for (size_t i = 0; i < NELEM(by_id) && *out == NULL; i++)
		if (find_by(s, &n, by_id[i], id, &range, &q, err) < 0 ||
		    (q != NULL && one_message(s, q, id, a, out, err) < 0))
			return -1;
	return 0;
}

/* out: the parts of a session before and after one of its parts; 0: there is none. */
static int
parts_beside(struct store *s, int64_t session, struct arena *a, int64_t out[2], struct err *err)
{
	struct names n = { .session = -1 };
	struct session_parts parts;

	if (session_of(s, &n, session, a, err) < 0 ||
	    session_parts(s, session >> SESSION_BITS, n.session_text, &parts, err) < 0)
		return -1;
	for (size_t i = 0; i < parts.n; i++) {
		if (parts.id[i] != session)
			continue;
		out[0] = i > 0 ? parts.id[i - 1] : 0;
		out[1] = i + 1 < parts.n ? parts.id[i + 1] : 0;
	}
	return 0;
}

/* A turn close by is often all that is wanted, so few are read at first. */
static int
each_around(struct store *s, const struct scope *who, struct range r, message_fn *fn, void *arg,
	struct err *err)
{
	const struct message *m[AROUND_MOST];
	int64_t rows[AROUND_MOST];
	struct arena a = ARENA_INIT;
	size_t n, most = AROUND_FIRST;
	int rc = 0;

	for (; rc == 0 && r.lo <= r.hi; most = MIN(most * 2, (size_t)AROUND_MOST)) {
		bool own;

		arena_reset(&a);
		for (n = 0; n < most && r.lo <= r.hi; n++)
			rows[n] = r.lo++;
		if ((rc = store_gather(s, &own, err)) == 0)
			rc = messages_by_rows(s, who, rows, n, &a, m, err);
		store_gather_end(s, own);
		for (size_t i = 0; rc == 0 && i < n; i++)
			if (m[i] != NULL)
				rc = fn(arg, m[i]);
	}
	arena_release(&a);
	return rc;
}

int
messages_around(struct store *s, const struct scope *who, int64_t row, int before, int after,
	message_fn *fn, void *arg, struct err *err)
{
	int64_t session = row >> TURN_BITS, lo = session_lo(session), hi = session_hi(session);
	struct range ranges[3] = { { 1, 0 }, { MAX(row - before, lo), MIN(row + after, hi) },
		{ 1, 0 } };
	int64_t beside[2] = { 0, 0 };
	struct arena a = ARENA_INIT;
	int rc = 0;

	if ((row - before < lo || row + after > hi) &&
	    parts_beside(s, session, &a, beside, err) != 0)
		rc = -1;
	if (row - before < lo && beside[0] != 0)
		ranges[0] = (struct range){ session_hi(beside[0]) + 1 - (lo - (row - before)),
			session_hi(beside[0]) };
	if (row + after > hi && beside[1] != 0)
		ranges[2] = (struct range){ session_lo(beside[1]),
			session_lo(beside[1]) + (row + after - hi) - 1 };
	for (size_t i = 0; i < NELEM(ranges) && rc == 0; i++)
		rc = each_around(s, who, ranges[i], fn, arg, err);
	arena_release(&a);
	return rc < 0 ? -1 : 0;
}
