/*
 * state.c: how far growing files were read, kept answers of models, and metrics: a row for each
 * request.
 */
#include "store/sql/column.h"

#include "base/conf.h"
#include "store/handed.h"
#include "store/accounts/answers.h"

/* ---- inputs ---- */

/* Reads a row whose columns are from at on. */
static struct input_state *
read_input(struct db_stmt *q, int at, const char *path, struct arena *a)
{
	struct input_state *v = arena_zalloc(a, sizeof(*v));

	v->path = path;
	v->device = (uint64_t)db_column_int(q, at);
	v->inode = (uint64_t)db_column_int(q, at + 1);
	v->offset = (uint64_t)db_column_int(q, at + 2);
	v->line = (uint64_t)db_column_int(q, at + 3);
	column_copy(q, at + 4, v->head_sha256, SHA256_BYTES);
	v->positional = db_column_int(q, at + 5) != 0;
	v->state = column_text(q, at + 6, a);
	return v;
}

int
inputs_each(struct store *s, const struct scope *who, const char *begins, struct arena *a,
	input_state_fn *fn, void *arg, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	char *after = arena_strdup(a, begins);
	int got = 0;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	after[strlen(after) - 1]++;
	struct db_stmt *q = stmt_start(s, STMT_INPUTS_BELOW, ARGS(user, begins, after), err);
	while ((got = db_row(q, err)) > 0)
		if ((got = fn(arg, read_input(q, 1, column_text(q, 0, a), a))) != 0)
			break;
	db_reset(q);
	return got < 0 ? -1 : 0;
}

int
inputs_get(struct store *s, const struct scope *who, const char *path, struct arena *a,
	const struct input_state **out, struct err *err)
{
	struct scope_numbers n;
	int got;

	*out = NULL;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	struct db_stmt *q = stmt_start(s, STMT_INPUT_GET, ARGS(n.user, path), err);
	if ((got = db_row(q, err)) <= 0)
		return got;
	*out = read_input(q, 0, arena_strdup(a, path), a);
	db_reset(q);
	return 0;
}

int
inputs_put(struct store *s, const struct scope *who, const struct input_state *v, struct err *err)
{
	int64_t user = user_number(s, who->user, true, err);

	return user < 0 ? -1 : stmt_run(s, STMT_INPUT_PUT, ARGS(user, v->path, v->device, v->inode,
	    v->offset, v->line, BLOB(v->head_sha256, SHA256_BYTES), v->positional,
	    SOME(v->state)), err);
}


int
inputs_drop(struct store *s, const struct scope *who, const char *path, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	return user < 0 ? -1 : stmt_run(s, STMT_INPUT_DROP, ARGS(user, path), err);
}

int
inputs_forget(struct store *s, const struct scope *who, const char *session, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	return user < 0 ? -1 : stmt_run(s, STMT_INPUTS_FORGET, ARGS(user, session), err);
}

int
inputs_forget_names(struct store *s, const struct scope *who, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);

	return user < 0 ? -1 : stmt_run(s, STMT_NAMES_FORGET, ARGS(user), err);
}

/* ---- answers ---- */

static int64_t
kept_since(int64_t now_us)
{
	return now_us - conf_int("rewrite_keep") * US_PER_S;
}


int
answers_get(struct store *s, const struct scope *who, const char *key, struct arena *a,
	const char **text, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), now = clock_now_us();

	*text = NULL;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	return stmt_text(s, STMT_ANSWER_GET, ARGS(user, key, kept_since(now), now), a, text,
	    err) < 0 ? -1 : 0;
}

/*
 * Removes answers from before the first time, and from after the second: those were left by a clock
 * that was set back.
 */
static int
answers_drop(struct store *s, int64_t user, int64_t after_us, int64_t now_us, struct err *err)
{
	return stmt_run(s, STMT_ANSWERS_DROP, ARGS(user, after_us, now_us), err);
}

int
answers_drop_all(struct store *s, int64_t user, struct err *err)
{
	return answers_drop(s, user, 1, 0, err);
}

int
answers_drop_old(struct store *s, int64_t user, struct err *err)
{
	int64_t now = clock_now_us();

	return answers_drop(s, user, kept_since(now), now, err);
}

static int
insert_answer(struct store *s, int64_t user, const char *key, const char *text, struct err *err)
{
	return answers_drop_old(s, user, err) < 0 ? -1
	    : stmt_run(s, STMT_ANSWER_PUT, ARGS(user, key, clock_now_us(), text), err);
}

void
answers_put(struct store *s, const struct scope *who, const char *key, const char *text)
{
	struct err ignored = ERR_INIT;
	int64_t user = short_begin_user(s, who, &ignored);

	if (user > 0)
		db_short_end(s->db, insert_answer(s, user, key, text, &ignored), &ignored);
}

/* ---- metrics ---- */

static int
insert_metric(struct store *s, int64_t user, const struct metric *m, struct err *err)
{
	int64_t id;
	LOCAL(buf) handed = buf_of(conf_caps.output_bytes);

	handed_pack(m->handed, m->n_handed, &handed);
	int got = stmt_number(s, STMT_METRIC_PUT, ARGS(user, m->time_us, m->program, m->path,
	    m->query_hash, m->query_bytes, m->n_hits, m->n_candidates, m->top_score, m->us_open,
	    m->us_text, m->us_vectors, m->us_rank, m->us_fetch, m->us_all, m->flags,
	    handed.len > 0 && !handed.full ? BLOB(handed.data, handed.len) : NONE), &id, err);
	if (got < 0 || answers_drop_old(s, user, err) < 0)
		return -1;
	if (id % 64 != 0)
		return 0;
	return stmt_run(s, STMT_METRICS_DROP, ARGS(user,
	    clock_now_us() - conf_int("metrics_days") * US_PER_DAY), err);
}

/*
 * Waits for nobody, and on a reading handle commits without fsync. Fails in silence: the answer is
 * out already.
 */
void
metrics_put(struct store *s, const struct scope *who, const struct metric *m)
{
	struct err ignored = ERR_INIT;
	int64_t user = short_begin_user(s, who, &ignored);

	if (user > 0)
		db_short_end(s->db, insert_metric(s, user, m, &ignored), &ignored);
}

int
metrics_each(struct store *s, const struct scope *who, int64_t since_us, metric_fn *fn, void *arg,
	struct err *err)
{
	enum { PAGE = 256 };
	struct scope_numbers n;
	LOCAL(arena) a = ARENA_INIT;
	struct metric page[PAGE];
	int64_t after = 0;
	size_t n_page = PAGE;
	int got;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	while (n_page == PAGE) {
		struct db_stmt *q = stmt_start(s, STMT_METRICS, ARGS(n.user, since_us, after, PAGE),
		    err);

		arena_reset(&a);
		for (n_page = 0; (got = db_row(q, err)) > 0; n_page++) {
			if (db_goes_on(s, after, db_column_int(q, 0), err) < 0)
				return -1;
			after = db_column_int(q, 0);
			page[n_page] = (struct metric){
				.time_us = db_column_int(q, 1),
				.program = column_text(q, 2, &a),
				.path = column_text(q, 3, &a),
				.query_hash = (uint64_t)db_column_int(q, 4),
				.query_bytes = db_column_int(q, 5),
				.n_hits = db_column_int(q, 6),
				.n_candidates = db_column_int(q, 7),
				.top_score = db_column_real(q, 8),
				.us_open = db_column_int(q, 9),
				.us_text = db_column_int(q, 10),
				.us_vectors = db_column_int(q, 11),
				.us_rank = db_column_int(q, 12),
				.us_fetch = db_column_int(q, 13),
				.us_all = db_column_int(q, 14),
				.flags = column_text(q, 15, &a),
			};
		}
		if (got < 0)
			return -1;
		for (size_t i = 0; i < n_page; i++)
			if ((got = fn(arg, &page[i])) != 0)
				return got < 0 ? -1 : 0;
	}
	return 0;
}
