/*
 * steps.c: the log of what changed facts and reflections, and the way back.
 *
 *	step          1 store    2 supersede     3 edit    4 undo of 3    5 undo of 2
 *	record a      -> a       keeps a, a'               .              a back from 2
 *	record b                 -> b            keeps b   keeps b',      keeps b,
 *	                                                   b back from 3  b gone
 *
 * A step keeps what each record was before it, so what was known at a time is found from the first
 * step after it; and as an undo keeps what it takes away in the same manner, it is no exception to
 * that.
 */
#include "store/write/tombstones.h"
#include "store/sql/column.h"
#include "store/records/rows.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "store/write/writer.h"

const char *const step_names[] = { "store", "merge", "supersede", "edit", "undo" };

/* ---- making ---- */

/* The time and name of the user's last step; *time_us TIME_NONE: there is none. */
static int
latest(struct store *s, int64_t user, int64_t *time_us, uint8_t ulid[ID_BYTES], struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_STEP_LATEST, ARGS(user), err);
	int got = db_row(q, err);

	*time_us = TIME_NONE;
	if (got > 0 && column_copy(q, 1, ulid, ID_BYTES))
		*time_us = db_column_int(q, 0);
	db_reset(q);
	return got < 0 ? -1 : 0;
}

#define NAME_COUNTED 10                        /* bytes of a name that are counted up */

/*
 * A time and a name for a new step, after those of all other steps: by these two, steps have the
 * same order in every store, whatever a clock says.
 */
static int
name_step(struct store *s, int64_t user, struct step *st, uint8_t ulid[ID_BYTES], struct err *err)
{
	uint8_t last[ID_BYTES];
	int64_t last_us;

	if (latest(s, user, &last_us, last, err) < 0)
		return -1;
	st->time_us = MAX(clock_now_us(), last_us);
	id_make(ulid);
	if (st->time_us != last_us || memcmp(ulid, last, ID_BYTES) > 0)
		return 0;
	/* the end stays random: another store whose clock is behind takes another name */
	memcpy(ulid, last, NAME_COUNTED);
	for (int i = NAME_COUNTED - 1; i >= 0 && ++ulid[i] == 0; i--)
		;
	return 0;
}

static int
put_name(struct store *s, int64_t row, const uint8_t ulid[ID_BYTES], struct err *err)
{
	return stmt_run(s, STMT_STEP_ID_PUT, ARGS(row, BLOB(ulid, ID_BYTES)), err);
}

int
step_put(struct store *s, int64_t user, struct step *st, const uint8_t given[ID_BYTES],
	struct err *err)
{
	int64_t agent = writer_label(s, user, LABEL_AGENT, st->agent, err);
	uint8_t ulid[ID_BYTES];

	if (agent < 0 || stmt_number(s, STMT_STEP_NEXT, ARGS(ROWS_OF(user)), &st->row, err) < 0)
		return -1;
	st->no = st->row - user_lo(user);
	if (st->row > user_hi(user))
		return err_set(err, ERR_DATA, "user has too many steps");
	if (given != NULL)
		memcpy(ulid, given, sizeof(ulid));
	else if (name_step(s, user, st, ulid, err) < 0)
		return -1;
	return stmt_run(s, STMT_STEP_PUT, ARGS(st->row, st->time_us, st->did, LABEL(agent),
		   SOME(st->why)), err) < 0 || put_name(s, st->row, ulid, err) < 0
	    ? -1
	    : change_log_step(s, st->row, err);
}

static int
make_step(struct store *s, const struct scope *who, int64_t user, struct step *st, struct err *err)
{
	st->agent = who->agent;
	return step_put(s, user, st, NULL, err);
}

/*
 * The time in milliseconds, the step's row, and two bytes of zeros. A step that a clock which was
 * set back made earlier than the one before it gets the time of that.
 */
int
steps_name_all(struct store *s, struct err *err)
{
	int64_t row = -1, time_us, user = 0, last_us = 0;
	uint8_t ulid[ID_BYTES] = { 0 };
	int got;

	for (;;) {
		struct db_stmt *q = stmt_start(s, STMT_STEP_NAMELESS, ARGS(row), err);

		if ((got = db_row(q, err)) <= 0)
			return got;
		row = db_column_int(q, 0);
		time_us = db_column_int(q, 1);
		db_reset(q);
		if (row >> USER_SHIFT == user && time_us < last_us &&
		    stmt_run(s, STMT_STEP_LATER, ARGS(row, last_us), err) < 0)
			return -1;
		time_us = row >> USER_SHIFT == user ? MAX(time_us, last_us) : time_us;
		user = row >> USER_SHIFT;
		last_us = time_us;
		for (int i = 0; i < 6; i++)
			ulid[i] = (uint8_t)(time_us / 1000 >> (40 - 8 * i));
		for (int i = 0; i < 8; i++)
			ulid[6 + i] = (uint8_t)(row >> (56 - 8 * i));
		if (put_name(s, row, ulid, err) < 0)
			return -1;
	}
}

int
step_log(struct store *s, const struct scope *who, struct step *st, int64_t row, bool existed,
	struct err *err)
{
	static const enum stmt keep[] = { STMT_RECORD_KEEP, STMT_FACT_KEEP, STMT_SOURCES_KEEP };
	int64_t user = row >> USER_SHIFT;
	int got;

	if ((st->row == 0 && make_step(s, who, user, st, err) < 0) ||
	    (got = stmt_number(s, STMT_CHANGE_HAS, ARGS(row, st->row), NULL, err)) < 0)
		return -1;
	if (got > 0)
		return 0;
	return stmt_run(s, STMT_CHANGE_PUT, ARGS(row, st->row, existed), err) < 0 ||
		(existed && stmts_run(s, keep, NELEM(keep), ARGS(st->row, row, ROWS_OF(user)),
		    err) < 0)
	    ? -1
	    : 0;
}

/* ---- reading ---- */

void
step_read(struct db_stmt *q, struct arena *a, struct step *out, int64_t *agent)
{
	*out = (struct step){
		.row = db_column_int(q, 0),
		.no = db_column_int(q, 0) & user_hi(0),
		.time_us = db_column_int(q, 1),
		.did = (enum step_did)column_within(q, 2, STEP_UNDO + 1),
		.why = column_text(q, 4, a),
		.undone = db_column_int(q, 5) & user_hi(0),
		.existed = db_column_int(q, 6) != 0,
	};
	*agent = db_column_int(q, 3);
}

int
steps_each(struct store *s, const struct scope *who, int64_t row, step_fn *fn, void *arg,
	struct err *err)
{
	enum { PAGE = 64 };
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	struct step page[PAGE];
	int64_t after = 0, agents[PAGE];
	size_t n_page = PAGE;
	int got = 0;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	while (got == 0 && n.user != 0 && n_page == PAGE) {
		struct db_stmt *q = stmt_start(s, row == 0 ? STMT_STEPS : STMT_STEPS_OF,
		    ARGS(ROWS_OF(n.user), n.agent, NONE, after, PAGE, row), err);
		arena_reset(&a);
		for (n_page = 0; (got = db_row(q, err)) > 0; n_page++) {
			step_read(q, &a, &page[n_page], &agents[n_page]);
			if ((got = db_goes_on(s, after, page[n_page].row, err)) < 0)
				break;
			after = page[n_page].row;
		}
		for (size_t i = 0; got == 0 && i < n_page; i++) {
			page[i].agent = label_text(s, n.user, LABEL_AGENT, agents[i], &a, err);
			got = page[i].agent == NULL ? -1 : fn(arg, &page[i]);
		}
	}
	return got < 0 ? -1 : 0;
}

/* ---- the way back ---- */

struct change { int64_t row; bool existed; };

static int
changes_of(struct store *s, int64_t user, int64_t step, struct change **out, size_t *n,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_CHANGES_OF, ARGS(step, ROWS_OF(user)), err);
	size_t cap = 0;
	int got;

	*out = NULL;
	*n = 0;
	if (q == NULL)
		return -1;
	while ((got = db_row(q, err)) > 0) {
		*xpush(*out, *n, cap) =
		    (struct change){ db_column_int(q, 0), db_column_int(q, 1) != 0 };
	}
	return got;
}

struct last_was { struct arena *a; char id[ID_TEXT]; const char *text; size_t len; };

static int
on_was(void *arg, const struct fact *f)
{
	struct last_was *v = arg;

	memcpy(v->id, f->head.id, sizeof(v->id));
	v->text = arena_strndup(v->a, f->head.content, f->head.content_len);
	v->len = f->head.content_len;
	return 0;
}

int
step_records(struct store *s, const struct scope *who, const struct step *st, step_record_fn *fn,
	void *arg, struct err *err)
{
	const struct scope whole = { who->user, NULL, NULL, NULL };
	struct scope_numbers n;
	FREED struct change *changes = NULL;
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *now;
	size_t n_changes = 0;
	int rc = scope_numbers(s, who, &n, err);

	if (rc == 0)
		rc = changes_of(s, n.user, st->row, &changes, &n_changes, err);
	for (size_t i = 0; i < n_changes && rc == 0; i++) {
		struct last_was was = { .a = &a, .text = NULL };

		arena_reset(&a);
		rc = records_by_row(s, &whole, changes[i].row, TIME_NONE, &a, &now, err);
		if (rc == 0 && now != NULL)
			on_was(&was, now);
		else if (rc == 0)
			rc = records_was_each(s, &whole, changes[i].row, on_was, &was, err);
		if (rc == 0 && was.text != NULL)
			rc = fn(arg, was.id, was.text, was.len, now == NULL);
	}
	return rc < 0 ? -1 : 0;
}

/* Whether a later step that was not taken back has changed the record too. */
static int
is_last(struct store *s, int64_t row, int64_t step, struct err *err)
{
	int got = stmt_number(s, STMT_CHANGE_LATER, ARGS(row, step), NULL, err);

	return got <= 0 ? got : err_set(err, ERR_DATA, "a later step stands on this one");
}

/* Makes the record what the step has kept of it. */
static int
take_back(struct store *s, const struct scope *who, struct step *undo, int64_t step,
	const struct change *c, char id[ID_TEXT], struct err *err)
{
	static const enum stmt back[] = { STMT_RECORD_BACK, STMT_FACT_BACK, STMT_SOURCES_BACK };
	const struct scope whole = { who->user, NULL, NULL, NULL };
	int64_t user = c->row >> USER_SHIFT;
	const struct fact *was, *now = NULL;
	LOCAL(arena) a = ARENA_INIT;

	if (is_last(s, c->row, step, err) < 0 || records_by_row(s, &whole, c->row, TIME_NONE, &a,
	    &was, err) < 0)
		return -1;
	if (was == NULL)
		return err_set(err, ERR_IO, "store is damaged: a step's record is not there");
	memcpy(id, was->head.id, ID_TEXT);
	if (step_log(s, who, undo, c->row, true, err) < 0 || rows_delete(s, c->row, err) < 0)
		return -1;
	if (c->existed && (stmts_run(s, back, NELEM(back), ARGS(step, c->row, ROWS_OF(user)),
	    err) < 0 ||
	    records_by_row(s, &whole, c->row, TIME_NONE, &a, &now, err) < 0))
		return -1;
	if ((now == NULL || memcmp(now->head.sha256, was->head.sha256, SHA256_BYTES) != 0) &&
	    vectors_remove(s, who, (enum vector_kind)was->head.type, &c->row, 1, err) < 0)
		return -1;
	return 0;
}

int
steps_undo(struct store *s, const struct scope *who, int64_t no, undone_fn *fn, void *arg,
	struct step *out, struct err *err)
{
	struct step undo = { .did = STEP_UNDO };
	FREED struct change *changes = NULL;
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	struct db_stmt *q;
	char id[ID_TEXT];
	size_t n_changes;
	int64_t agent;
	int got;

	*out = (struct step){ .row = 0 };
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if (n.user == 0 || no < 0 || no > user_hi(0))
		return 0;
	q = stmt_start(s, no == 0 ? STMT_STEP_LAST : STMT_STEP_GET, ARGS(ROWS_OF(n.user), n.agent,
	    NONE, user_lo(n.user) + no), err);
	if ((got = db_row(q, err)) <= 0)
		return got;
	step_read(q, &a, out, &agent);
	out->why = out->agent = "";            /* the arena's */
	db_reset(q);
	if (out->did == STEP_UNDO || out->undone != 0)
		return err_set(err, ERR_DATA,
		    out->undone != 0 ? "the step was taken back already"
				     : "the step took another one back");
	if (changes_of(s, n.user, out->row, &changes, &n_changes, err) < 0)
		return -1;
	for (size_t i = 0; i < n_changes; i++) {
		if (take_back(s, who, &undo, out->row, &changes[i], id, err) < 0)
			return -1;
		if (fn != NULL && fn(arg, id, !changes[i].existed) != 0)
			return -1;
	}
	return stmt_run(s, STMT_STEP_UNDONE, ARGS(undo.row, out->row, ROWS_OF(n.user)), err);
}
