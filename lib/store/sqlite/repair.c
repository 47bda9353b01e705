/*
 * repair.c: what is derived made anew from what was said. Vectors need a model, which is not here: what is right of them stays, the rest
 * is queued again. Damaged pages are the affair of rebuild.c.
 */
#include "store/sqlite/lock.h"
#include "store/sqlite/slots.h"

#include "base/alloc.h"
#include "store/sqlite/column.h"

#define REBUILDING "half rebuilt"              /* in place of the features while it lasts; it stays when the repair is killed */

static int
clear_derived(struct store *s, struct err *err)
{
	static const enum stmt clear[] = { STMT_CLEAR_CARDS, STMT_CLEAR_CHUNKS, STMT_CLEAR_COUNTS, STMT_CLEAR_GUARD };

	for (size_t i = 0; i < NELEM(clear); i++) {
		sqlite3_stmt *q = db_stmt(s, clear[i], err);
		if (q == NULL || db_done(s, q, err, "clear") < 0)
			return -1;
	}
	return fulltext_clear(s, err);
}

/* A message as far as what is derived needs it. */
struct source { struct message m; int64_t speaker, agent, project; };

static int
read_batch(struct store *s, int64_t after, struct arena *a, struct source *out, size_t *n, struct err *err)
{
	sqlite3_stmt *q = db_stmt(s, STMT_ALL_MESSAGES, err);
	int got;

	*n = 0;
	if (q == NULL)
		return -1;
	sqlite3_bind_int64(q, 1, after);
	sqlite3_bind_int64(q, 2, REBUILD_BATCH);
	while ((got = db_row(s, q, err, "read message")) > 0) {
		struct source *v = &out[(*n)++];
		memset(v, 0, sizeof(*v));
		v->m.row = sqlite3_column_int64(q, 0);
		v->m.role = (enum role)column_within(q, 4, ROLE_OTHER + 1);
		v->speaker = sqlite3_column_int64(q, 5);
		v->agent = sqlite3_column_int64(q, 6);
		v->project = sqlite3_column_int64(q, 7);
		v->m.time_us = column_time(q, 8);
		v->m.trust = sqlite3_column_int(q, 11);
		v->m.content = column_text(q, 14, a);
		v->m.content_len = (size_t)sqlite3_column_bytes(q, 14);
	}
	return got;
}

static int
rebuild_batch(struct store *s, const struct source *batch, size_t n, struct err *err)
{
	if (store_begin(s, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct source *v = &batch[i];
		struct session_state *session = writer_session_by_id(s, v->m.row >> TURN_BITS, err);
		const struct prepared *p = writer_prepare(s, &v->m, NULL);
		if (session == NULL)
			goto fail;
		session_saw(session, v->m.role, v->speaker);
		if (message_chunk(s, v->m.row, p->chunks, p->n_chunks, err) < 0 ||
		    writer_index(s, &v->m, p, v->speaker, v->agent, v->project, err) < 0)
			goto fail;
	}
	return store_commit(s, err);
fail:
	store_rollback(s);
	return -1;
}

static int
set_features(struct store *s, const char *text, bool clear, struct err *err)
{
	if (store_begin(s, err) < 0)
		return -1;
	if (store_meta_put(s, "features", text, err) < 0 || (clear && clear_derived(s, err) < 0)) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

int
rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	struct source *batch = xcalloc(REBUILD_BATCH, sizeof(*batch));
	struct arena a = ARENA_INIT;
	int64_t after = -1, done = 0;
	char features[64];
	size_t n;
	int rc = -1;

	/* no other writer comes between: what it stored would be indexed by both */
	if (lock_take(s, true, err) < 0) {
		free(batch);
		return -1;
	}
	if (set_features(s, REBUILDING, true, err) < 0)
		goto out;
	for (;;) {
		arena_reset(&a);
		if (read_batch(s, after, &a, batch, &n, err) < 0)
			goto out;
		if (n == 0)
			break;
		if (rebuild_batch(s, batch, n, err) < 0)
			goto out;
		if (db_goes_on(s, after, batch[n - 1].m.row, err) < 0)
			goto out;
		after = batch[n - 1].m.row;
		done += (int64_t)n;
		if (progress != NULL)
			progress(arg, done, -1);
	}
	if (vectors_mend(s, err) < 0)
		goto out;
	store_features(features, sizeof(features));
	rc = set_features(s, features, false, err);
out:
	lock_drop(s);
	arena_release(&a);
	free(batch);
	return rc;
}

int
store_repair(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	int rc;

	if (lock_take(s, true, err) < 0)
		return -1;
	lock_note(s, "repaired");
	rc = rebuild_wanted(s) ? rebuild_over(s, progress, arg, err) : rebuild_derived(s, progress, arg, err);
	lock_drop(s);
	return rc;
}
