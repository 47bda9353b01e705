/*
 * embed.c: works in rounds. A round is a bounded list of what is missing now. Worker threads
 * (embed_pool) compute its vectors; this thread stores what they have finished, in transactions of
 * its own, so that nobody computes while the store is locked and no worker waits for the disk. The
 * store tells what is missing, so that nothing has to be remembered between rounds or processes.
 */
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "embed/embed_parts.h"

#define ROUND_TEXTS 4096
#define ROUND_BYTES (4u << 20)             /* bytes of its texts */
#define BATCH_US    US_PER_S
#define TICK_MS     100                    /* how often the stop flag is looked at while waiting */

unsigned
embed_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 && n <= 1024 ? (unsigned)n : 1;
}

static void
report_progress(struct embed *e)
{
	if (e->progress != NULL)
		e->progress(e->arg, &e->counts);
}

static bool
is_stopped(const struct embed *e)
{
	return *e->o->stop != 0;
}

/* ---- open and close ---- */

static void
set_model(struct embed *e)
{
	const struct model_info *info = model_info(e->o->model);

	e->of = (struct vector_model){ .n_dims = info->n_dims,
		.unrelated = info->unrelated,
		.centre = model_centre(e->o->model) };
	snprintf(e->of.name, sizeof(e->of.name), "%s", info->name);
	memcpy(e->of.sha256, info->sha256, sizeof(e->of.sha256));
}

static int
make_set(struct embed *e, struct err *err)
{
	if (store_begin(e->s, err) != 0)
		return -1;
	return store_end(e->s, vectors_set(e->s, &e->of, &e->set, err), err);
}

int
embed_open(struct store *s, const struct embed_options *o, embed_progress_fn *progress, void *arg,
	struct embed **out, struct err *err)
{
	struct embed *e = xcalloc(1, sizeof(*e));

	e->s = s;
	e->o = o;
	e->progress = progress;
	e->arg = arg;
	if (o->model != NULL)
		set_model(e);
	if ((o->model == NULL && embed_service_open(e, err) != 0) || make_set(e, err) != 0) {
		embed_close(e);
		return -1;
	}
	if (o->model != NULL)
		e->pool = embed_pool_new(o->model,
		    o->n_threads > 0 ? o->n_threads : embed_processors(), o->stop);
	*out = e;
	return 0;
}

void
embed_close(struct embed *e)
{
	if (e == NULL)
		return;
	embed_pool_free(e->pool);
	service_free(e->service);
	free(e->own_centre);
	arena_release(&e->round.arena);
	free(e->round.texts);
	free(e->round.keys);
	free(e->round.groups);
	free(e->round.vectors);
	free(e->round.batch);
	free(e->round.refused);
	free(e);
}

const char *
embed_name(const struct embed *e)
{
	return e->of.name;
}

const struct embed_counts *
embed_counts(const struct embed *e)
{
	return &e->counts;
}

/* ---- one round ---- */

static int
add_missing(void *arg, const struct vector_missing *m)
{
	struct round *r = arg;
	const struct vector_key *before = r->n > 0 ? &r->keys[r->n - 1] : NULL;
	bool same = before != NULL && before->row == m->key.row && before->kind == m->key.kind;

	/*
	 * A record's chunks stay together: rather exceed the bound than cut the last record in two.
	 */
	if (!same && r->n > 0 && (r->n >= r->max_texts || r->n_bytes + m->len > ROUND_BYTES))
		return 1;
	xgrow(&r->texts, &r->cap_texts, r->n + 1, sizeof(*r->texts));
	xgrow(&r->keys, &r->cap_keys, r->n + 1, sizeof(*r->keys));
	if (!same)
		*xpush(r->groups, r->n_groups, r->cap_groups) = (struct embed_group){ r->n, 0 };
	r->groups[r->n_groups - 1].n++;
	r->texts[r->n] = (struct model_text){ arena_strndup(&r->arena, m->text, m->len), m->len,
		TEXT_PASSAGE, arena_strdup(&r->arena, m->speaker) };
	r->keys[r->n++] = m->key;
	r->n_bytes += m->len;
	return 0;
}

static int
fetch_round(struct embed *e, const struct scope *who, size_t max_texts, struct err *err)
{
	struct round *r = &e->round;

	arena_reset(&r->arena);
	r->n = r->n_groups = r->n_batch = r->n_batch_texts = r->n_refused = r->n_bytes = 0;
	r->max_texts = max_texts;
	if (vectors_missing(e->s, who, e->set, max_texts, add_missing, r, err) != 0)
		return -1;
	xgrow(&r->vectors, &r->cap_vectors, r->n * e->of.n_dims, sizeof(*r->vectors));
	xgrow(&r->batch, &r->cap_batch, r->n_groups, sizeof(*r->batch));
	xgrow(&r->refused, &r->cap_refused, r->n_groups, sizeof(*r->refused));
	return 0;
}

/* ---- storing ---- */

static int
put_groups(struct embed *e, const struct scope *who, size_t *n_put, struct err *err)
{
	const struct round *r = &e->round;
	size_t n_dims = e->of.n_dims, n;

	*n_put = 0;
	for (size_t i = 0; i < r->n_batch; i++) {
		const struct embed_group *g = &r->groups[r->batch[i]];

		if (vectors_put(e->s, who, e->set, r->keys + g->first,
			r->vectors + g->first * n_dims, g->n, &n, err) != 0)
			return -1;
		*n_put += n;
	}
	return 0;
}

static int
put_refused(struct embed *e, const struct scope *who, struct err *err)
{
	const struct round *r = &e->round;

	for (size_t i = 0; i < r->n_refused; i++) {
		const struct embed_group *g = &r->groups[r->refused[i]];

		if (vectors_put(e->s, who, e->set, r->keys + g->first, NULL, g->n, NULL, err) != 0)
			return -1;
	}
	return 0;
}

int
embed_commit(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err)
{
	struct round *r = &e->round;
	size_t n;
	int rc;

	if (r->n_batch + r->n_refused == 0)
		return 0;
	if (store_begin_user(e->s, who->user, err) != 0)
		return -1;
	if ((rc = put_groups(e, who, &n, err)) == 0)
		rc = put_refused(e, who, err);
	if (store_end(e->s, rc, err) != 0)
		return -1;
	*n_stored += n + r->n_refused;
	e->counts.n_texts += n;
	e->counts.n_of_user += n;
	e->counts.n_refused += r->n_refused;
	r->n_batch = r->n_batch_texts = r->n_refused = 0;
	report_progress(e);
	return 0;
}

/*
 * After the first error the workers must still finish: they hold pointers into the round's memory.
 */
static int
run_round(struct embed *e, const struct scope *who, size_t *n_stored, struct err *err)
{
	struct round *r = &e->round;
	ptrdiff_t got;
	int rc = 0;

	*n_stored = 0;
	if (e->service != NULL)
		return embed_service_round(e, who, n_stored, err);
	if (embed_pool_start(e->pool, r->texts, r->groups, r->n_groups, r->vectors, err) != 0)
		return -1;
	while ((got = embed_pool_next(e->pool, TICK_MS)) != EMBED_IDLE) {
		int64_t now_us = clock_mono_us();

		if (got >= 0) {
			if (r->n_batch == 0)
				r->since_us = now_us;
			r->batch[r->n_batch++] = (size_t)got;
			r->n_batch_texts += r->groups[got].n;
		} else {
			report_progress(e);
		}
		if (rc == 0 && r->n_batch > 0 &&
		    (r->n_batch_texts >= EMBED_BATCH || now_us - r->since_us >= BATCH_US))
			rc = embed_commit(e, who, n_stored, err);
		if (rc != 0)
			embed_pool_drop(e->pool);
	}
	return rc == 0 ? embed_commit(e, who, n_stored, err) : rc;
}

/* ---- one user ---- */

static uint64_t
lock_key(const struct embed *e, const char *user)
{
	return hash64(user, strlen(user), hash64(e->of.sha256, SHA256_BYTES, 0));
}

/* Waits for another process as long as for the store's own lock. */
static int
lock_user(struct embed *e, const char *user, struct err *err)
{
	int64_t end_us = clock_mono_us() + (int64_t)(conf_real("wait") * 1e6);
	struct timespec tick = { 0, TICK_MS * 1000000l };
	bool taken;

	for (;;) {
		if (store_hold(e->s, lock_key(e, user), &taken, err) != 0)
			return -1;
		if (taken || is_stopped(e))
			return 0;
		if (clock_mono_us() >= end_us)
			return err_set(err, ERR_BUSY,
			    "another process is embedding this, try again: '%s'", store_path(e->s));
		nanosleep(&tick, NULL);
		report_progress(e);
	}
}

/*
 * Runs rounds until nothing is missing. A round of which nothing could be stored ends the loop, as
 * the next one would be the same.
 */
static int
run_rounds(struct embed *e, const struct scope *who, struct err *err)
{
	struct round *r = &e->round;
	struct vector_key first = { -1, 0, 0 };
	size_t n_stored = 1;

	while (!is_stopped(e)) {
		if (fetch_round(e, who, ROUND_TEXTS, err) != 0)
			return -1;
		if (r->n == 0)
			return 0;
		if (n_stored == 0 && first.row == r->keys[0].row && first.kind == r->keys[0].kind)
			return err_set(err, ERR_BUG, "vectors do not stay stored: '%s'",
			    store_path(e->s));
		first = r->keys[0];
		if (run_round(e, who, &n_stored, err) != 0)
			return -1;
	}
	return 0;
}

/*
 * Sorts a large memory's vectors into cells, for the approximate search; looks at the stop flag
 * between steps.
 */
static int
sort_vectors(struct embed *e, const struct scope *who, struct err *err)
{
	unsigned n_threads = e->o->n_threads > 0 ? e->o->n_threads : embed_processors();
	bool more = true;
	int rc = 0;

	while (rc == 0 && more && !is_stopped(e)) {
		rc = vectors_sort(e->s, who, e->set, n_threads, &more, err);
		report_progress(e);
	}
	return rc;
}

int
embed_user(struct embed *e, const char *user, struct err *err)
{
	struct scope who = { user, NULL, NULL, NULL };
	struct vectors_look look;

	if (lock_user(e, user, err) != 0)
		return -1;
	e->counts.n_of_user = 0;
	int rc = vectors_look(e->s, &who, e->of.sha256, &look, err);
	e->counts.n_missing = look.n_missing;
	if (rc == 0)
		rc = run_rounds(e, &who, err);
	if (rc == 0)
		rc = sort_vectors(e, &who, err);
	store_let_go(e->s, lock_key(e, user));
	return rc;
}

int
embed_step(struct embed *e, const char *user, bool *did, struct err *err)
{
	struct scope who = { user, NULL, NULL, NULL };
	size_t n_stored = 0;
	bool taken;

	*did = false;
	if (store_hold(e->s, lock_key(e, user), &taken, err) != 0)
		return -1;
	if (!taken)
		return 0;
	int rc = fetch_round(e, &who, EMBED_STEP, err);
	if (rc == 0 && e->round.n > 0)
		rc = run_round(e, &who, &n_stored, err);
	*did = n_stored > 0;
	store_let_go(e->s, lock_key(e, user));
	return rc;
}

/* ---- all users ---- */

int
embed_all(struct embed *e, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **users = NULL;
	size_t n;
	int rc = users_all(e->s, &a, &users, &n, err);

	for (size_t i = 0; i < n && rc == 0 && !is_stopped(e); i++)
		rc = embed_user(e, users[i], err);
	return rc;
}

int
embed_switch(struct embed *e, bool *switched, struct err *err)
{
	*switched = false;
	if (store_begin(e->s, err) != 0)
		return -1;
	return store_end(e->s, vectors_switch(e->s, e->set, switched, err), err);
}
