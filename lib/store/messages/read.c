/*
 * read.c: reads messages: their rows, and what their rows name by numbers; by rows, by ids, and
 * those around another.
 */
#include "store/messages/read.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/sql/message_columns.h"
#include "store/messages/stored.h"

#define AROUND_FIRST 2                         /* turns beside another that are read at first */
#define AROUND_MOST  16                        /* and then at once */

#define READ(no, name, type) m->name = column_text(q, MESSAGE_##name, a);

void
message_read(struct db_stmt *q, struct arena *a, struct raw_message *r)
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

static const char *
name_of(struct store *s, struct message_names *n, int64_t user, enum label_kind kind, int64_t no,
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
session_of(struct store *s, struct message_names *n, int64_t session, struct arena *a,
	struct err *err)
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

int
message_read_names(struct store *s, struct message_names *n, struct raw_message *r,
	struct arena *a, struct err *err)
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

int
messages_want_names(struct store *s, const struct raw_message *r, size_t n, struct err *err)
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

/* ---- one message ---- */

/* The row of q (MESSAGE_COLUMNS), whole; *out NULL when there is none. */
static int
one_message(struct store *s, struct db_stmt *q, const char *asked, struct arena *a,
	const struct message **out, struct err *err)
{
	struct raw_message *r = NULL;
	struct message_names names = MESSAGE_NAMES;
	int got;

	*out = NULL;
	if ((got = db_row(q, err)) <= 0)
		return got;
	r = arena_alloc(a, sizeof(*r));
	message_read(q, a, r);
	if (asked != NULL && (got = db_row(q, err)) != 0) {
		struct raw_message other;

		if (got > 0)
			message_read(q, a, &other);
		db_reset(q);
		return got < 0 ? -1
			       : err_set(err, ERR_DATA,
				   "more than one message is '%s', such as %s and %s", asked,
				   r->m.id, other.m.id);
	}
	db_reset(q);
	if (message_read_names(s, &names, r, a, err) < 0)
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
		message_read(q, a, out[i]);
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
	FREED struct raw_message **raw = xreallocarray(NULL, n_rows + 1, sizeof(*raw));
	struct message_names names = MESSAGE_NAMES;
	bool gathers = db_gathers(s->db);
	struct scope_numbers n;

	for (size_t i = 0; i < n_rows; i++)
		out[i] = NULL;
	if (scope_numbers(s, who, &n, err) < 0 ||
	    (gathers && want_rows(s, &n, rows, n_rows, err) < 0) || read_rows(s, &n, rows, n_rows,
	    a, raw, err) < 0)
		return -1;
	for (size_t i = 0; gathers && i < n_rows; i++)
		if (raw[i] != NULL && labels_want(s, n.user, raw[i]->speaker,
		    raw[i]->agent, raw[i]->project, err) < 0)
			return -1;
	for (size_t i = 0; i < n_rows; i++) {
		if (raw[i] == NULL)
			continue;
		if (message_read_names(s, &names, raw[i], a, err) < 0)
			return -1;
		out[i] = &raw[i]->m;
	}
	return db_is_far(s->db) && gathers ? chunks_keep(s, &n, out, n_rows, err) : 0;
}

/*
 * Reads them once, so that all that they need is fetched in two round trips and kept; what is read
 * is thrown away.
 */
int
messages_rows_want(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED const struct message **out = NULL;

	if (!db_gathers(s->db) || n < 2)
		return 0;
	out = xreallocarray(NULL, n, sizeof(*out));
	return messages_by_rows(s, who, rows, n, &a, out, err);
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
	message_read(q, a, &r);
	db_reset(q);
	return messages_want_names(s, &r, 1, err);
}

int
messages_want(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
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
	struct message_names n = MESSAGE_NAMES;
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

struct range { int64_t lo, hi; };

/* A turn close by is often all that is wanted, so few are read at first. */
static int
each_around(struct store *s, const struct scope *who, struct range r, message_fn *fn, void *arg,
	struct err *err)
{
	const struct message *m[AROUND_MOST];
	int64_t rows[AROUND_MOST];
	LOCAL(arena) a = ARENA_INIT;
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
	LOCAL(arena) a = ARENA_INIT;
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
	return rc < 0 ? -1 : 0;
}
