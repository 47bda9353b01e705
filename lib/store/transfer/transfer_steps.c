/*
 * transfer_steps.c: the steps that made facts, summaries and reflections, out and in.
 *
 * Steps are in order of their time, then of their names (step_id). What a step left of a record is
 * what the next step that changed it has kept, or the record as it is. A step that comes in may
 * belong between others:
 *
 *	before     1 store a      3 edit: keeps a       record: c
 *	2 comes    1 store a      2 edit: keeps a       3 edit: keeps b       record: c
 *
 * So the later of two edits stands, and the other is in the history.
 */
#include "store/sync.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/records/rows.h"
#include "store/write/tombstones.h"
#include "store/write/writer.h"

/* a step that is none: rows are put aside under it */
#define ASIDE (-1)

/*
 * Changes that are read before they are told: at most TOGETHER, and more at a time while they are
 * small.
 */
#define TOGETHER_FIRST 4
#define TOGETHER       256
#define TOGETHER_BYTES (128u << 10)

struct named_step { struct step_given given; int64_t agent; uint8_t ulid[ID_BYTES]; };

static void
read_step(struct db_stmt *q, struct arena *a, struct named_step *out)
{
	memset(out, 0, sizeof(*out));
	step_read(q, a, &out->given.step, &out->agent);
	column_ulid(q, 7, out->given.id);
	column_copy(q, 7, out->ulid, ID_BYTES);
	column_ulid(q, 8, out->given.undoes);
}

/* ---- what a step left of a record ---- */

struct next_change { int64_t step; bool existed; };

/* Which change of the record comes behind the step: parameters of STMT_CHANGE_AFTER. */
#define BEHIND(row, st) ARGS(row, (st)->given.step.time_us, BLOB((st)->ulid, ID_BYTES))

/* *found false: there is none. */
static int
next_change(struct store *s, int64_t row, const struct named_step *st, struct next_change *out,
	bool *found, struct err *err)
{
	int64_t v[2];
	int got = stmt_numbers(s, STMT_CHANGE_AFTER, BEHIND(row, st), v, NELEM(v), err);

	*found = got > 0;
	*out = (struct next_change){ v[0], v[1] != 0 };
	return got < 0 ? -1 : 0;
}

static int
left_by(struct store *s, const struct scope *whole, int64_t row, const struct named_step *st,
	struct arena *a, const struct fact **out, struct err *err)
{
	struct next_change next;
	bool found;

	*out = NULL;
	if (next_change(s, row, st, &next, &found, err) < 0)
		return -1;
	if (!found)
		return records_by_row(s, whole, row, TIME_NONE, a, out, err);
	return next.existed ? record_was(s, row, next.step, a, out, err) : 0;
}

/* ---- out ---- */

struct changed { int64_t row; char id[ID_TEXT]; };

/* The records that a step changed, by id, [*n], the caller's to free. */
static int
changed_by(struct store *s, int64_t step, struct changed **out, size_t *n, struct err *err)
{
	int64_t user = step >> USER_SHIFT;
	struct db_stmt *q =
	    stmt_start(s, STMT_CHANGES_IN_ORDER, ARGS(step, ROWS_OF(user)), err);
	size_t cap = 0;
	int got;

	*out = NULL;
	*n = 0;
	while ((got = db_row(q, err)) > 0) {
		xgrow(out, &cap, *n + 1, sizeof(**out));
		(*out)[*n].row = db_column_int(q, 0);
		column_ulid(q, 1, (*out)[(*n)++].id);
	}
	return got;
}

/* A change of one of the steps that are handed out together, and what it left. */
struct left { struct changed of; size_t step; const struct fact *fact; };

struct outgoing {
	struct store *store;
	struct scope whole;                    /* its user's memory */
	step_given_fn *step;
	change_fn *change;
	void *arg;
	struct err *err;
	struct arena arena;                    /* of the facts */
	struct left *all;                      /* [n] */
	size_t n, cap;
	size_t together;                       /* how many of them are read next */
};

/* All changes of the steps. */
static int
read_changes(struct outgoing *o, const struct named_step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t row = steps[i].given.step.row, user = row >> USER_SHIFT;

		if (stmt_want(o->store, STMT_CHANGES_IN_ORDER, ARGS(row, ROWS_OF(user)),
		    o->err) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		struct changed *some;
		size_t n_some;

		if (changed_by(o->store, steps[i].given.step.row, &some, &n_some, o->err) < 0) {
			free(some);
			return -1;
		}
		for (size_t k = 0; k < n_some; k++) {
			*xpush(o->all, o->n, o->cap) = (struct left){ some[k], i, NULL };
		}
		free(some);
	}
	return 0;
}

/* Declares the changes behind these, and then the records that either left. */
static int
want_left(struct outgoing *o, const struct named_step *steps, const struct left *at, size_t n)
{
	int64_t now[TOGETHER], was[TOGETHER], was_step[TOGETHER];
	size_t n_now = 0, n_was = 0;
	struct next_change next;
	bool found;

	for (size_t i = 0; i < n; i++)
		if (stmt_want(o->store, STMT_CHANGE_AFTER, BEHIND(at[i].of.row,
		    &steps[at[i].step]), o->err) < 0)
			return -1;
	for (size_t i = 0; i < n && db_gathers(o->store->db); i++) {
		if (next_change(o->store, at[i].of.row, &steps[at[i].step], &next, &found,
		    o->err) < 0)
			return -1;
		if (!found) {
			now[n_now++] = at[i].of.row;
		} else if (next.existed) {
			was[n_was] = at[i].of.row;
			was_step[n_was++] = next.step;
		}
	}
	return records_want(o->store, &o->whole, now, NULL, n_now, TIME_NONE, o->err) < 0 ? -1
	    : records_want(o->store, &o->whole, was, was_step, n_was, TIME_NONE, o->err);
}

/* What n changes left. Read before anybody is told, as whoever is told may have to wait. */
static int
read_left(struct outgoing *o, const struct named_step *steps, struct left *at, size_t n)
{
	bool own;
	int rc = store_gather(o->store, &own, o->err);

	arena_reset(&o->arena);
	if (rc == 0)
		rc = want_left(o, steps, at, n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = left_by(o->store, &o->whole, at[i].of.row, &steps[at[i].step], &o->arena,
		    &at[i].fact, o->err);
	store_gather_end(o->store, own);
	return rc;
}

/* How many to read after these n. */
static size_t
next_size(const struct left *at, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		if (at[i].fact != NULL)
			bytes += at[i].fact->head.content_len;
	return bytes > TOGETHER_BYTES ? TOGETHER_FIRST
	    : MIN(MAX(n, (size_t)TOGETHER_FIRST) * 2, (size_t)TOGETHER);
}

/* Hands out steps [n] with what each left of the records that it changed. */
static int
hand_out(struct outgoing *o, const struct named_step *steps, size_t n)
{
	size_t at = 0, known = 0, size;
	bool own;
	int rc = store_gather(o->store, &own, o->err);

	o->n = 0;
	if (rc == 0)
		rc = read_changes(o, steps, n);
	store_gather_end(o->store, own);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = o->step(o->arg, &steps[i].given);
		for (; rc == 0 && at < o->n && o->all[at].step == i; at++) {
			if (at == known) {
				size = MIN(o->together, o->n - at);
				if ((rc = read_left(o, steps, &o->all[at], size)) < 0)
					return -1;
				o->together = next_size(&o->all[at], size);
				known = at + size;
			}
			rc = o->change(o->arg, &steps[i].given, o->all[at].of.id, o->all[at].fact);
		}
	}
	return rc;
}

/* Names who made the steps, and hands them out. */
static int
name_and_hand_out(struct outgoing *o, struct named_step *steps, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		struct step *st = &steps[i].given.step;

		st->agent = label_text(o->store, st->row >> USER_SHIFT, LABEL_AGENT,
		    steps[i].agent, a, o->err);
		if (st->agent == NULL)
			return -1;
	}
	return hand_out(o, steps, n);
}

static void
outgoing_end(struct outgoing *o)
{
	free(o->all);
	arena_release(&o->arena);
}

int
steps_in_order(struct store *s, const struct scope *who, step_given_fn *step, change_fn *change,
	void *arg, struct err *err)
{
	enum { PAGE = 64 };
	int64_t user = user_number(s, who->user, false, err), time_us = INT64_MIN;
	struct outgoing o = { s, { who->user, NULL, NULL, NULL }, step, change, arg, err,
		ARENA_INIT, NULL, 0, 0, TOGETHER_FIRST };
	uint8_t ulid[ID_BYTES] = { 0 };
	struct named_step page[PAGE];
	LOCAL(arena) a = ARENA_INIT;
	size_t n = PAGE;
	int rc = user < 0 ? -1 : 0;

	while (rc == 0 && user > 0 && n == PAGE) {
		struct db_stmt *q = stmt_start(s, STMT_STEPS_IN_ORDER, ARGS(user, time_us,
		    BLOB(ulid, sizeof(ulid)), PAGE), err);

		arena_reset(&a);
		for (n = 0; (rc = db_row(q, err)) > 0; )
			read_step(q, &a, &page[n++]);
		if (rc == 0 && n > 0) {
			rc = name_and_hand_out(&o, page, n, &a);
			time_us = page[n - 1].given.step.time_us;
			memcpy(ulid, page[n - 1].ulid, sizeof(ulid));
		}
	}
	outgoing_end(&o);
	return rc < 0 ? -1 : 0;
}

/* All that are new at once: of each 100 bytes, and why it was made. */
int
news_steps(const struct news *n, step_given_fn *step, change_fn *change, void *arg,
	struct err *err)
{
	int64_t user = user_number(n->s, n->who.user, false, err);
	struct outgoing o = { n->s, { n->who.user, NULL, NULL, NULL }, step, change, arg, err,
		ARENA_INIT, NULL, 0, 0, TOGETHER_FIRST };
	struct db_stmt *q;
	FREED struct named_step *all = NULL;
	LOCAL(arena) a = ARENA_INIT;
	size_t n_all = 0, cap = 0;
	int rc;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	q = stmt_start(n->s, STMT_NEWS_STEPS, ARGS(user, n->since, n->until, n->peer), err);
	while ((rc = db_row(q, err)) > 0)
		read_step(q, &a, xpush(all, n_all, cap));
	if (rc == 0)
		rc = name_and_hand_out(&o, all, n_all, &a);
	outgoing_end(&o);
	return rc < 0 ? -1 : 0;
}

/* ---- steps in ---- */

/* *row 0: there is none. */
static int
find_step(struct store *s, int64_t user, const char *id, int64_t *row, struct err *err)
{
	uint8_t ulid[ID_BYTES];

	*row = 0;
	if (id_parse(id, strlen(id), ulid) < 0)
		return 0;
	return stmt_number(s, STMT_STEP_BY_ULID, ARGS(user, BLOB(ulid, sizeof(ulid))), row,
	    err) < 0 ? -1 : 0;
}

int
steps_give(struct store *s, const struct scope *who, struct step_given *st, bool make,
	bool *known, struct err *err)
{
	int64_t user = writer_user(s, who->user, err), undone;
	uint8_t ulid[ID_BYTES];

	if (user < 0 || find_step(s, user, st->id, &st->step.row, err) < 0)
		return -1;
	*known = st->step.row != 0;
	if (id_parse(st->id, strlen(st->id), ulid) < 0)
		return err_set(err, ERR_DATA, "a step without an id");
	if (*known || !make)
		return 0;
	if (step_put(s, user, &st->step, ulid, err) < 0 ||
	    find_step(s, user, st->undoes, &undone, err) < 0)
		return -1;
	if (undone == 0)
		return 0;
	return stmt_run(s, STMT_STEP_UNDONE_BY, ARGS(st->step.row, undone, ROWS_OF(user)), err);
}

/* ---- records in ---- */

/* Whether a record was removed here, and its key; "" was not. */
static int
is_buried(struct store *s, int64_t user, const char *id, uint8_t key[TOMBSTONE_BYTES],
	bool *buried, struct err *err)
{
	uint8_t ulid[ID_BYTES];

	*buried = false;
	if (id == NULL || id_parse(id, strlen(id), ulid) < 0)
		return 0;
	tombstone_record_key(ulid, key);
	return tombstone_has(s, user, key, buried, err);
}

int
records_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err)
{
	int64_t user = s->writer != NULL ? writer_user(s, who->user, err)
	    : user_number(s, who->user, false, err);
	uint8_t key[TOMBSTONE_BYTES];
	bool any = user > 0;

	*buried = false;
	if (user < 0 || (s->writer != NULL && writer_tombstones(s, user, &any, err) < 0) ||
	    (any && is_buried(s, user, id, key, buried, err) < 0))
		return -1;
	if (!*buried || !s->put.pruned_return)
		return 0;
	*buried = false;
	return tombstone_take(s, user, key, err);
}

int
records_resolve(struct store *s, const struct scope *who, struct fact *f, struct arena *a,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	const char **other[] = { &f->superseded_by, &f->summarized };
	struct record_source *to;
	uint8_t ulid[ID_BYTES], key[TOMBSTONE_BYTES];
	char id[ID_TEXT];
	bool buried;

	if (user < 0)
		return -1;
	for (size_t i = 0; i < NELEM(other) && f->head.type == RECORD_FACT; i++) {
		if (is_buried(s, user, *other[i], key, &buried, err) < 0)
			return -1;
		if (buried)
			*other[i] = "";
	}
	to = arena_alloc(a, (f->head.n_sources + 1) * sizeof(*to));
	for (size_t i = 0; i < f->head.n_sources; i++) {
		struct db_stmt *q;
		int got;

		to[i] = f->head.sources[i];
		if (id_parse(to[i].id, strlen(to[i].id), ulid) < 0)
			continue;
		q = stmt_start(s, STMT_ALIAS_OF, ARGS(ROWS_OF(user), BLOB(ulid, sizeof(ulid))),
		    err);
		if ((got = db_row(q, err)) < 0)
			return -1;
		if (got > 0) {
			column_ulid(q, 0, id);
			to[i].id = arena_strdup(a, id);
		}
		db_reset(q);
	}
	f->head.sources = to;
	return 0;
}

/* Runs the same for the three tables of what was. */
static int
run_all(struct store *s, const enum stmt all[3], int64_t row, int64_t step, struct err *err)
{
	return stmts_run(s, all, 3, ARGS(step, row, ROWS_OF(row >> USER_SHIFT)), err);
}

static const enum stmt keep[] = { STMT_RECORD_KEEP, STMT_FACT_KEEP, STMT_SOURCES_KEEP };
static const enum stmt bring[] = { STMT_RECORD_BACK, STMT_FACT_BACK, STMT_SOURCES_BACK };
static const enum stmt drop[] = { STMT_RECORD_WAS_DROP, STMT_FACT_WAS_DROP, STMT_SOURCES_WAS_DROP };

/* What the record was before step next, it was before step; and before next it was f. */
static int
put_between(struct store *s, int64_t user, int64_t step, const struct next_change *next,
	struct fact *f, int64_t row, struct err *err)
{
	static const enum stmt move[] = { STMT_RECORD_MOVE, STMT_FACT_MOVE, STMT_SOURCES_MOVE };

	if (stmt_run(s, STMT_CHANGE_PUT, ARGS(row, step, next->existed), err) < 0 ||
	    stmt_run(s, STMT_CHANGE_EXISTED, ARGS(row, next->step, f != NULL), err) < 0 ||
	    stmts_run(s, move, NELEM(move), ARGS(step, row, next->step), err) < 0)
		return -1;
	if (f == NULL)
		return 0;
	/* it is written as it is, kept as it was, and what it is comes back */
	return run_all(s, keep, row, ASIDE, err) < 0 || rows_delete(s, row, err) < 0 ||
		rows_put(s, user, f, false, err) < 0 ||
		run_all(s, keep, row, next->step, err) < 0 ||
		rows_delete(s, row, err) < 0 || run_all(s, bring, row, ASIDE, err) < 0
	    ? -1
	    : run_all(s, drop, row, ASIDE, err);
}

static int
put_last(struct store *s, const struct scope *who, int64_t user, int64_t step, struct fact *f,
	int64_t row, struct err *err)
{
	const struct scope whole = { who->user, NULL, NULL, NULL };
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *was = NULL;

	if (records_by_row(s, &whole, row, TIME_NONE, &a, &was, err) < 0 ||
	    stmt_run(s, STMT_CHANGE_PUT, ARGS(row, step, was != NULL), err) < 0 ||
	    run_all(s, keep, row, step, err) < 0 || rows_delete(s, row, err) < 0 ||
	    (f != NULL && rows_put(s, user, f, false, err) < 0))
		return -1;
	return was != NULL && (f == NULL || memcmp(was->head.sha256, f->head.sha256,
	    SHA256_BYTES) != 0)
	    ? vectors_remove(s, who, (enum vector_kind)was->head.type, &row, 1, err) : 0;
}

int
changes_give(struct store *s, const struct scope *who, const struct step_given *st,
	const char *id, struct fact *f, enum give_did *did, struct arena *a,
	const struct fact **was, struct err *err)
{
	const struct scope whole = { who->user, NULL, NULL, NULL };
	int64_t user = writer_user(s, who->user, err), step = st->step.row, row;
	struct named_step named = { .given = *st };
	uint8_t record[ID_BYTES];
	struct next_change next;
	bool has = false;

	*was = NULL;
	if (user < 0 || id_parse(st->id, strlen(st->id), named.ulid) < 0 ||
	    id_parse(id, strlen(id), record) < 0)
		return user < 0 ? -1 : err_set(err, ERR_DATA, "a record without an id");
	/* as it is or was; 0: there is none */
	if (stmt_number(s, STMT_RECORD_ROW, ARGS(BLOB(record, ID_BYTES)), &row, err) < 0 ||
	    (row != 0 && stmt_has(s, STMT_CHANGE_HAS, ARGS(row, step), &has, err) < 0))
		return -1;
	if (row != 0 && row >> USER_SHIFT != user)
		return err_set(err, ERR_DATA, "record '%s' is of another user here", id);
	*did = has ? GIVEN_SAME : GIVEN_STORED;
	if (has)
		return left_by(s, &whole, row, &named, a, was, err);
	if (row == 0 && db_next_row(s, STMT_RECORD_NEXT, user, &row, err) < 0)
		return -1;
	if (f != NULL) {
		f->head.row = row;
		id_format(record, f->head.id);
	}
	if (change_log_step(s, step, err) < 0 ||
	    next_change(s, row, &named, &next, &has, err) < 0)
		return -1;
	return has ? put_between(s, user, step, &next, f, row, err)
		   : put_last(s, who, user, step, f, row, err);
}
