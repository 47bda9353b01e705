/*
 * records_read.c: facts, summaries and reflections out, as they are or as they were at a step. One
 * list of columns serves all questions (RECORD_READ, stmt.c); what stands in other rows, names,
 * sources and the facts that one ended, is read for each when its page is complete.
 */
#include "store/records/rows.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "store/sql/column.h"
#include "store/messages/read.h"

#define PAGE_ROWS 64

/*
 * A row of RECORD_READ; names are still numbers. was: the step whose kept rows these are, 0: the
 * rows as they are.
 */
struct raw { struct fact f; int64_t agent, project, was; };

/* An id as text; "" for NULL. An id of another program is text already. */
static const char *
column_id(struct db_stmt *q, int at, struct arena *a)
{
	if (db_column_type(q, at) != DB_BLOB || db_column_bytes(q, at) != ID_BYTES)
		return column_text(q, at, a);
	char *text = arena_alloc(a, ID_TEXT);
	return id_format(db_column_blob(q, at), text);
}

static void
read_head(struct db_stmt *q, struct arena *a, struct raw *r)
{
	struct record_head *h = &r->f.head;

	h->row = db_column_int(q, 0);
	h->type =
	    (enum record_type)MAX(column_within(q, 1, RECORD_REFLECTION + 1), (int)RECORD_FACT);
	column_ulid(q, 2, h->id);
	h->source_id = column_text(q, 3, a);
	r->agent = db_column_int(q, 4);
	r->project = db_column_int(q, 5);
	h->session = column_text(q, 6, a);
	h->time_us = column_time(q, 7);
	h->stored_us = db_column_int(q, 8);
	h->origin = (enum origin)column_within(q, 9, ORIGIN_DERIVED + 1);
	h->trust = db_column_int(q, 10);
	column_copy(q, 11, h->sha256, SHA256_BYTES);
	h->content = column_text_len(q, 12, a, &h->content_len);
	h->tags = column_text(q, 13, a);
	h->extra = column_text(q, 14, a);
	h->guarded = db_column_int(q, 15) != 0;
	h->retracted_us = column_time(q, 16);
	r->was = db_column_int(q, 28);
	h->accessed_us = column_time(q, 29);
	h->n_accesses = db_column_int(q, 30);
}

static void
read_row(struct db_stmt *q, struct arena *a, struct raw *r)
{
	struct fact *f = &r->f;

	memset(r, 0, sizeof(*r));
	read_head(q, a, r);
	f->key = column_text(q, 17, a);
	f->bank = column_text(q, 18, a);
	f->category = (enum fact_root)column_within(q, 19, N_FACT_ROOTS);
	f->subcategory = column_text(q, 20, a);
	f->kind = (enum fact_kind)column_within(q, 21, N_FACT_KINDS);
	f->importance = db_column_real(q, 22);
	f->confidence = db_column_real(q, 23);
	f->valid_from_us = column_time(q, 24);
	f->valid_to_us = column_time(q, 25);
	f->superseded_by = column_id(q, 26, a);
	f->summarized = column_id(q, 27, a);
	f->summary.kind = (enum summary_kind)column_within(q, 31, N_SUMMARY_KINDS);
	f->summary.first = column_time(q, 32);
	f->summary.last = column_time(q, 33);
	f->summary.model = column_text(q, 34, a);
	f->summary.structured = column_text(q, 35, a);
	f->found_in = column_text(q, 36, a);
}

/* ---- what stands in other rows ---- */

static struct db_stmt *
sources_of(struct store *s, const struct raw *r, struct err *err)
{
	int64_t row = r->f.head.row, user = row >> USER_SHIFT;

	return stmt_start(s, r->was != 0 ? STMT_SOURCES_WAS : STMT_SOURCES_OF, ARGS(row,
	    ROWS_OF(user), r->was), err);
}

static int
read_sources(struct store *s, struct raw *r, struct arena *a, struct err *err)
{
	struct record_source page[RECORD_SOURCES_MAX], *all;
	struct db_stmt *q = sources_of(s, r, err);
	size_t n = 0;
	int got;

	while ((got = db_row(q, err)) > 0)
		if (n < NELEM(page))
			page[n++] = (struct record_source){ column_id(q, 0, a), db_column_int(q, 1),
				db_column_int(q, 2) };
	all = arena_alloc(a, (n + 1) * sizeof(*all));
	memcpy(all, page, n * sizeof(*all));
	r->f.head.sources = all;
	r->f.head.n_sources = n;
	return got;
}

static bool
may_have_ended(const struct raw *r)
{
	return r->was == 0 && r->f.head.type == RECORD_FACT;
}

/* id is filled in, and is in use while the statement is. */
static struct db_stmt *
ended_by(struct store *s, const struct raw *r, uint8_t id[ID_BYTES], struct err *err)
{
	int64_t user = r->f.head.row >> USER_SHIFT;

	memset(id, 0, ID_BYTES);
	id_parse(r->f.head.id, strlen(r->f.head.id), id);
	return stmt_start(s, STMT_FACTS_ENDED_BY, ARGS(BLOB(id, ID_BYTES), ROWS_OF(user)), err);
}

static int
read_ended(struct store *s, struct raw *r, struct arena *a, struct err *err)
{
	const char *page[PAGE_ROWS], **all;
	uint8_t id[ID_BYTES];
	size_t n = 0;
	int got;

	if (!may_have_ended(r))
		return 0;
	struct db_stmt *q = ended_by(s, r, id, err);
	while ((got = db_row(q, err)) > 0)
		if (n < NELEM(page))
			page[n++] = column_id(q, 0, a);
	all = arena_alloc(a, (n + 1) * sizeof(*all));
	memcpy(all, page, n * sizeof(*all));
	r->f.supersedes = all;
	r->f.n_supersedes = n;
	return got;
}

static int
complete(struct store *s, struct raw *r, struct arena *a, struct err *err)
{
	struct record_head *h = &r->f.head;
	int64_t user = h->row >> USER_SHIFT;

	return (h->agent = label_text(s, user, LABEL_AGENT, r->agent, a, err)) == NULL ||
	       (h->project = label_text(s, user, LABEL_PROJECT, r->project, a, err)) == NULL ||
	       read_sources(s, r, a, err) < 0 || read_ended(s, r, a, err) < 0 ? -1 : 0;
}

/* Declares what completes the rows. */
static int
want_rest(struct store *s, const struct raw *rows, size_t n, struct err *err)
{
	uint8_t id[ID_BYTES];

	for (size_t i = 0; i < n && db_gathers_next(s->db); i++) {
		const struct raw *r = &rows[i];
		int64_t row = r->f.head.row, user = row >> USER_SHIFT;

		if (labels_want(s, user, 0, r->agent, r->project, err) < 0 ||
		    db_want(sources_of(s, r, err)) < 0 ||
		    (may_have_ended(r) && db_want(ended_by(s, r, id, err)) < 0))
			return -1;
	}
	return 0;
}

/* ---- walking ---- */

struct walk { struct store *store; struct arena arena; struct raw *rows; size_t n, cap; };

/* Reads all rows of q. */
static int
read_rows(struct walk *w, struct db_stmt *q, struct err *err)
{
	int got;

	while ((got = db_row(q, err)) > 0) {
		read_row(q, &w->arena, xpush(w->rows, w->n, w->cap));
	}
	return got;
}

/* Reads all rows of q, and then completes them from other tables, with q reset. */
static int
read_page(struct walk *w, struct db_stmt *q, struct err *err)
{
	bool own;
	int rc;

	arena_reset(&w->arena);
	w->n = 0;
	if (q == NULL || store_gather(w->store, &own, err) < 0)
		return -1;
	if ((rc = read_rows(w, q, err)) == 0)
		rc = want_rest(w->store, w->rows, w->n, err);
	for (size_t i = 0; rc == 0 && i < w->n; i++)
		rc = complete(w->store, &w->rows[i], &w->arena, err);
	store_gather_end(w->store, own);
	return rc;
}

/* 1 to go on, 0 when the callback wants no more, -1. */
static int
hand_out(struct walk *w, fact_fn *fn, void *arg)
{
	for (size_t i = 0; i < w->n; i++) {
		int rc = fn(arg, &w->rows[i].f);
		if (rc != 0)
			return rc < 0 ? -1 : 0;
	}
	return 1;
}

static void
walk_end(struct walk *w)
{
	arena_release(&w->arena);
	free(w->rows);
}


/* What is not bound stays NULL. */
struct rows_args
rows_args(const struct scope *who, const struct scope_numbers *n, const struct record_filter *f,
	int64_t lo, int64_t hi, int64_t limit)
{
	int64_t ended_us = f->also & RECORDS_ENDED ? TIME_NONE
	    : f->as_of_us != TIME_NONE		   ? f->as_of_us
	    : f->known_us != TIME_NONE		   ? f->known_us
						   : clock_now_us();

	return (struct rows_args){ { VALUES(lo, hi, n->agent, n->project, f->type,
	    SOME(who->session), SOME(f->key), SOME(f->bank), f->category, f->kind, f->min_trust,
	    TIME(f->since_us), TIME(f->until_us), TIME(f->as_of_us), TIME(ended_us),
	    (f->also & RECORDS_RETRACTED) != 0, (f->also & RECORDS_SUMMARIZED) != 0, limit,
	    TIME(f->known_us), SOME(f->subcategory), SOME(f->tag), f->min_importance,
	    f->guarded, f->made, ORIGIN_DERIVED) } };
}

int
records_each(struct store *s, const struct scope *who, const struct record_filter *f, fact_fn *fn,
	void *arg, struct err *err)
{
	bool known = f->known_us != TIME_NONE, down = f->newest_first;
	enum stmt which = known ? (down ? STMT_RECORDS_KNOWN_DOWN : STMT_RECORDS_KNOWN_UP)
		       : down ? STMT_RECORDS_DOWN
			      : f->tag != NULL ? STMT_RECORDS_TAGGED : STMT_RECORDS_UP;
	struct rows_args args;
	struct walk w = { .store = s };
	struct scope_numbers n;
	int64_t left = f->limit > 0 ? f->limit : INT64_MAX, lo, hi;
	int rc = 1;

	if (f->type == RECORD_FACT && !known)
		return facts_by_time(s, who, f, fn, arg, err);
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	lo = user_lo(n.user);
	hi = n.user != 0 ? user_hi(n.user) : lo - 1;
	while (rc > 0 && lo <= hi && left > 0) {
		args = rows_args(who, &n, f, lo, hi, MIN(left, (int64_t)PAGE_ROWS));
		if ((rc = read_page(&w, stmt_start(s, which, args.v, NELEM(args.v), err), err)) < 0)
			break;
		int64_t last = w.n > 0 ? w.rows[w.n - 1].f.head.row : 0;
		if (w.n < (size_t)MIN(left, (int64_t)PAGE_ROWS))
			lo = hi + 1;
		else if ((rc = down ? db_goes_on(s, -hi - 1, -last, err)
				    : db_goes_on(s, lo - 1, last, err)) < 0)
			break;
		else if (down)
			hi = last - 1;
		else
			lo = last + 1;
		left -= (int64_t)w.n;
		rc = hand_out(&w, fn, arg);
	}
	walk_end(&w);
	return rc < 0 ? -1 : 0;
}

/* ---- one record ---- */

static int
one_record(struct store *s, struct db_stmt *q, const char *asked, struct arena *a,
	const struct fact **out, struct err *err)
{
	struct raw *r;
	int got;

	*out = NULL;
	if ((got = db_row(q, err)) <= 0)
		return got;
	r = arena_alloc(a, sizeof(*r));
	read_row(q, a, r);
	if (asked != NULL && (got = db_row(q, err)) != 0) {
		struct raw other;

		if (got > 0)
			read_row(q, a, &other);
		db_reset(q);
		return got < 0 ? -1
			       : err_set(err, ERR_DATA,
				   "more than one record is '%s', such as %s and %s", asked,
				   r->f.head.id, other.f.head.id);
	}
	db_reset(q);
	if (complete(s, r, a, err) < 0)
		return -1;
	*out = &r->f;
	return 0;
}

static struct db_stmt *
by_row(struct store *s, const struct scope_numbers *n, int64_t row, int64_t known_us,
	struct err *err)
{
	return stmt_start(s, known_us != TIME_NONE ? STMT_RECORD_KNOWN_BY_ROW : STMT_RECORD_BY_ROW,
	    ARGS(SCOPE(n), row, known_us), err);
}

int
records_by_row(struct store *s, const struct scope *who, int64_t row, int64_t known_us,
	struct arena *a, const struct fact **out, struct err *err)
{
	struct scope_numbers n;
	struct db_stmt *q;

	*out = NULL;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	return (q = by_row(s, &n, row, known_us, err)) == NULL
	    ? -1 : one_record(s, q, NULL, a, out, err);
}

static struct db_stmt *
before_step(struct store *s, int64_t row, int64_t step, struct err *err)
{
	return stmt_start(s, STMT_RECORD_WAS, ARGS(ROWS_OF(row >> USER_SHIFT), -1, -1, row, step),
	    err);
}

int
record_was(struct store *s, int64_t row, int64_t step, struct arena *a, const struct fact **out,
	struct err *err)
{
	struct db_stmt *q = before_step(s, row, step, err);

	*out = NULL;
	return q == NULL ? -1 : one_record(s, q, NULL, a, out, err);
}

/* Rows as they were before a step. */
struct was { int64_t row, step; };

static int
was_read(struct db_stmt *q, struct was **out, size_t *n, struct err *err)
{
	size_t cap = 0;
	int got;

	while ((got = db_row(q, err)) > 0) {
		*xpush(*out, *n, cap) = (struct was){ db_column_int(q, 0), db_column_int(q, 1) };
	}
	return got;
}

int
records_was_each(struct store *s, const struct scope *who, int64_t row, fact_fn *fn, void *arg,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct scope_numbers numbers;
	FREED struct was *was = NULL;
	const struct fact *f;
	size_t n = 0;
	int rc = scope_numbers(s, who, &numbers, err);

	if (rc == 0 && numbers.user != 0)
		rc = was_read(stmt_start(s, row == 0 ? STMT_RECORDS_GONE : STMT_RECORD_VERSIONS,
		    ARGS(SCOPE(&numbers), row == 0 ? SOME(who->session) : value_number(row)), err),
		    &was, &n, err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		arena_reset(&a);
		if ((rc = record_was(s, was[i].row, was[i].step, &a, &f, err)) == 0 && f != NULL)
			rc = fn(arg, f);
	}
	return rc < 0 ? -1 : 0;
}

int
records_find(struct store *s, const struct scope *who, const char *id, struct arena *a,
	const struct fact **out, struct err *err)
{
	uint8_t from[ID_BYTES], to[ID_BYTES];
	bool by_source = strncmp(id, "source:", 7) == 0;
	struct scope_numbers n;
	struct db_stmt *q;

	*out = NULL;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0 || (!by_source && prefix_range(id, from, to) < 0))
		return 0;
	q = by_source ? stmt_start(s, STMT_RECORD_BY_SOURCE, ARGS(SCOPE(&n), id + 7), err)
	    : stmt_start(s, STMT_RECORD_BY_ULID, ARGS(SCOPE(&n), BLOB(from, sizeof(from)),
		  BLOB(to, sizeof(to))), err);
	return one_record(s, q, id, a, out, err);
}

/* ---- what a new one is compared with: few enough to be read at once ---- */

/* The statement that finds records by a text or, if that is NULL, by a number. */
static struct db_stmt *
found_by(struct store *s, const struct scope_numbers *n, enum stmt which, const char *text,
	int64_t number, struct err *err)
{
	return stmt_start(s, which, ARGS(SCOPE(n), text != NULL ? value_text(text)
	    : value_number(number)), err);
}

int
records_of_size(struct store *s, const struct scope *who, enum record_type type, size_t min_chars,
	size_t max_chars, text_fn *fn, void *arg, struct err *err)
{
	struct scope_numbers n;
	struct db_stmt *q;
	int got, rc = 0;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	q = stmt_start(s, STMT_RECORDS_OF_SIZE, ARGS(SCOPE(&n), type, min_chars, max_chars), err);
	while (rc == 0 && (got = db_row(q, err)) != 0) {
		if (got < 0)
			return -1;
		rc = fn(arg, db_column_int(q, 0), column_peek(q, 1), (size_t)db_column_bytes(q, 1));
	}
	db_reset(q);
	return rc < 0 ? -1 : 0;
}

int
records_given(struct store *s, const struct scope *who, bool *any, struct err *err)
{
	struct scope_numbers n;

	*any = false;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	return n.user == 0 ? 0
	    : stmt_has(s, STMT_RECORDS_GIVEN, ARGS(ROWS_OF(n.user), ORIGIN_DERIVED), any, err);
}

/* ---- many at once ---- */

/* Records that will be asked for: by their rows, now or before a step, or as found_by does. */
struct asked {
	enum stmt which;                       /* STMT_RECORD_BY_ROW, STMT_RECORD_WAS, found_by's */
	const int64_t *numbers;
	const char *const *texts;              /* NULL: numbers count */
	size_t n;
	int64_t known_us;
	const int64_t *steps;
};

static struct db_stmt *
asked_at(struct store *s, const struct scope_numbers *n, const struct asked *of, size_t i,
	struct err *err)
{
	if (of->which == STMT_RECORD_BY_ROW)
		return by_row(s, n, of->numbers[i], of->known_us, err);
	if (of->which == STMT_RECORD_WAS)
		return before_step(s, of->numbers[i], of->steps[i], err);
	return found_by(s, n, of->which, of->texts != NULL ? of->texts[i] : NULL,
	    of->texts != NULL ? 0 : of->numbers[i], err);
}

/* Declares the records and, when they have come, what completes them. */
static int
want(struct store *s, const struct scope_numbers *n, const struct asked *of, struct err *err)
{
	struct walk w = { .store = s };
	int rc = 0;

	if (!db_gathers_next(s->db))
		return 0;
	for (size_t i = 0; i < of->n; i++)
		if (db_want(asked_at(s, n, of, i, err)) < 0)
			return -1;
	for (size_t i = 0; rc == 0 && i < of->n; i++)
		rc = read_rows(&w, asked_at(s, n, of, i, err), err);
	if (rc == 0)
		rc = want_rest(s, w.rows, w.n, err);
	walk_end(&w);
	return rc;
}

int
records_want(struct store *s, const struct scope *who, const int64_t *rows, const int64_t *steps,
	size_t n, int64_t known_us, struct err *err)
{
	struct scope_numbers numbers;

	return scope_numbers(s, who, &numbers, err) < 0
	    ? -1
	    : want(s, &numbers, &(struct asked){ steps != NULL ? STMT_RECORD_WAS
		  : STMT_RECORD_BY_ROW, rows, NULL, n, known_us, steps }, err);
}

int
records_by_rows(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	int64_t known_us, struct arena *a, const struct fact **out, struct err *err)
{
	int rc = records_want(s, who, rows, NULL, n, known_us, err);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = records_by_row(s, who, rows[i], known_us, a, &out[i], err);
	return rc;
}

/* Hands out what each finds; all of it is fetched at once where the database is far. */
static int
each_found(struct store *s, const struct scope *who, const struct asked *of, found_fn *fn,
	void *arg, struct err *err)
{
	struct walk w = { .store = s };
	struct scope_numbers n;
	bool own;
	int rc;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0)
		return 0;
	if ((rc = store_gather(s, &own, err)) == 0)
		rc = want(s, &n, of, err);
	for (size_t i = 0; rc == 0 && i < of->n; i++) {
		rc = read_page(&w, asked_at(s, &n, of, i, err), err);
		for (size_t k = 0; rc == 0 && k < w.n; k++)
			rc = fn(arg, i, &w.rows[k].f);
	}
	store_gather_end(s, own);
	walk_end(&w);
	return rc < 0 ? -1 : 0;
}

int
facts_of_keys(struct store *s, const struct scope *who, const char *const *keys, size_t n,
	found_fn *fn, void *arg, struct err *err)
{
	return each_found(s, who, &(struct asked){ STMT_FACTS_OF_KEY, NULL, keys, n, TIME_NONE,
	    NULL }, fn, arg, err);
}

int
records_of_messages(struct store *s, const struct scope *who, const int64_t *rows, size_t n,
	found_fn *fn, void *arg, struct err *err)
{
	return each_found(s, who, &(struct asked){ STMT_RECORDS_OF_MESSAGE, rows, NULL, n,
	    TIME_NONE, NULL }, fn, arg, err);
}
