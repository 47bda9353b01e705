/*
 * repair.c: what is derived made anew from what was said. Vectors need a model, which is not here:
 * what is right of them stays, the rest is queued again. Damaged pages are the affair of rebuild.c.
 *
 * Cards, chunks, counts and full text are made anew in one transaction. Its pages go into the log,
 * behind those that readers know of, so that until its commit everybody sees the old index, whole
 * or damaged as it was. When the repair is killed or the disk is full there is no commit: writers
 * go on with the old index, and the next of them overwrites what was left in the log.
 */
#include "store/vectors/slots.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/sql/message_columns.h"
#include "store/messages/stored.h"
#include "store/sql/handle.h"
#include "store/write/writer.h"

static int
clear_derived(struct store *s, struct err *err)
{
	static const enum stmt clear[] = { STMT_CLEAR_CARDS, STMT_CLEAR_CHUNKS, STMT_CLEAR_COUNTS,
		STMT_CLEAR_GUARD, STMT_CLEAR_WORK, STMT_CLEAR_SEGMENTS, STMT_CLEAR_PAGES,
		STMT_CLEAR_LEAVES };

	return stmts_run(s, clear, NELEM(clear), NO_ARGS, err);
}

/* What derived data needs of a message. */
struct source { struct message m; int64_t speaker, agent, project; };

static int
read_batch(struct store *s, int64_t after, struct arena *a, struct source *out, size_t *n,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_ALL_MESSAGES, ARGS(after, REBUILD_BATCH), err);
	size_t n_bytes = 0;
	int got;

	*n = 0;
	while ((got = db_row(q, err)) > 0) {
		struct source *v = &out[(*n)++];
		memset(v, 0, sizeof(*v));
		v->m.row = db_column_int(q, MESSAGE_id);
		v->m.role = (enum role)column_within(q, MESSAGE_role, N_ROLES);
		v->speaker = db_column_int(q, MESSAGE_speaker);
		v->agent = db_column_int(q, MESSAGE_agent);
		v->project = db_column_int(q, MESSAGE_project);
		v->m.time_us = column_time(q, MESSAGE_time);
		v->m.trust = db_column_int(q, MESSAGE_trust);
		v->m.content = column_text(q, MESSAGE_content, a);
		v->m.tool_calls = column_text(q, MESSAGE_tool_calls, a);
		v->m.extra = column_text(q, MESSAGE_extra, a);
		n_bytes += v->m.content_len = (size_t)db_column_bytes(q, MESSAGE_content);
		n_bytes += (size_t)db_column_bytes(q, MESSAGE_tool_calls);
		if (n_bytes >= BATCH_TEXT_BYTES) {
			db_reset(q);
			return 0;
		}
	}
	return got;
}

/*
 * In the open transaction: writes out what was made of the batch, and gives the writer's memory
 * back, which has the terms of all messages since it was opened.
 */
static int
rebuild_batch(struct store *s, const struct source *batch, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct source *v = &batch[i];
		struct session_state *session = writer_session_by_id(s, v->m.row >> TURN_BITS, err);
		const struct prepared *p = writer_prepare(s, &v->m, NULL);
		size_t n_chunks;
		if (session == NULL)
			return -1;
		session_saw(session, v->m.role, v->speaker);
		if (message_chunk(s, v->m.row, v->m.content, v->m.content_len, &n_chunks, err) <
			0 || work_add(s, &v->m, err) < 0 ||
		    writer_index(s, &v->m, p, v->speaker, v->agent, v->project, err) < 0)
			return -1;
	}
	if (writer_flush(s, err) < 0)
		return -1;
	writer_close(s);
	return writer_open(s, err);
}

static int
rebuild_messages(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	FREED struct source *batch = xcalloc(REBUILD_BATCH, sizeof(*batch));
	LOCAL(arena) a = ARENA_INIT;
	int64_t after = -1, done = 0;
	size_t n;
	int rc;

	while ((rc = read_batch(s, after, &a, batch, &n, err)) == 0 && n > 0) {
		if ((rc = rebuild_batch(s, batch, n, err)) < 0 ||
		    (rc = db_goes_on(s, after, batch[n - 1].m.row, err)) < 0)
			break;
		after = batch[n - 1].m.row;
		done += (int64_t)n;
		if (progress != NULL)
			progress(arg, done, -1);
		arena_reset(&a);
	}
	return rc;
}

int
rebuild_derived(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	char features[64];
	int rc = -1;

	/*
	 * vectors are mended in transactions of their own, under a lock that lets no other writer
	 * come between
	 */
	if (db_lock(s->db, true, err) < 0)
		return -1;
	store_features(features, sizeof(features));
	if (store_begin(s, err) < 0)
		goto out;
	if (clear_derived(s, err) < 0 || rebuild_messages(s, progress, arg, err) < 0 ||
	    store_meta_put(s, "features", features, err) < 0) {
		store_rollback(s);
		goto out;
	}
	if (store_commit(s, err) == 0)
		rc = vectors_mend(s, err);
out:
	db_unlock(s->db);
	return rc;
}

int
store_repair(struct store *s, repair_fn *progress, void *arg, struct err *err)
{
	struct err ignored = ERR_INIT;
	int rc;

	/* what is made anew is that of all users */
	if (db_sees_all(s, err) != 0 || db_lock(s->db, true, err) < 0)
		return -1;
	db_compare_pages(s->db, true);
	if ((rc = rebuild(s, progress, arg, err)) == 0)
		rc = rebuild_derived(s, progress, arg, err);
	db_compare_pages(s->db, false);
	/* the log is as long as all that is derived, and others may need the room */
	store_checkpoint(s, &ignored);
	db_unlock(s->db);
	return rc < 0 ? -1 : 0;
}
