/*
 * chunks.c: the chunks of messages: stored, cut where a message has none yet, and read.
 */
#include "store/vectors/slots.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/messages/stored.h"

/* ---- writing ---- */

static int
put_chunk(struct store *s, int64_t row, size_t no, const struct chunk *c, struct err *err)
{
	return stmt_run(s, STMT_CHUNK_PUT, ARGS(row, no, c->kind, c->language, c->start, c->len,
	    c->n_tokens), err);
}

int
chunks_put(struct store *s, int64_t row, const struct chunk *chunks, size_t n, struct err *err)
{
	if (n == 1 && chunks[0].kind == CHUNK_PROSE)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (put_chunk(s, row, i, &chunks[i], err) < 0)
			return -1;
	return 0;
}

/* first is kept back until there is a second, as one alone may need no row. */
struct cutting { struct store *s; int64_t row; size_t n; struct chunk first; struct err *err; };

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct cutting *t = arg;

	if (t->n == 0)
		t->first = *c;
	else if ((t->n == 1 && put_chunk(t->s, t->row, 0, &t->first, t->err) < 0) ||
	    put_chunk(t->s, t->row, t->n, c, t->err) < 0)
		return -1;
	t->n++;
	return 0;
}

int
message_chunk(struct store *s, int64_t row, const char *text, size_t len, size_t *n,
	struct err *err)
{
	struct cutting t = { .s = s, .row = row, .err = err };
	int64_t user = row >> USER_SHIFT;

	if (chunk_each(text, len, on_chunk, &t) < 0)
		return -1;
	*n = t.n;
	if ((t.n == 1 && chunks_put(s, row, &t.first, 1, err) < 0) ||
	    stmt_run(s, STMT_CHUNKS_SET, ARGS(*n, row, ROWS_OF(user)), err) < 0)
		return -1;
	/*
	 * A walk has read this row, but it is not found by its number: a caller who goes on until
	 * all messages are cut would never end.
	 */
	return db_changes(s->db) == 1
	    ? 0
	    : err_set(err, ERR_IO, "rows are out of order: store is " ERR_DAMAGED ": '%s'",
		  store_path(s));
}

int
chunks_backfill(struct store *s, const struct scope *who, unsigned limit, unsigned *n_done,
	struct err *err)
{
	struct scope_numbers n;
	FREED struct message *uncut = NULL;
	LOCAL(arena) a = ARENA_INIT;
	size_t n_uncut = 0, n_recut = 0, n_bytes = 0, cap = 0;
	FREED int64_t *recut = NULL;
	int got;

	*n_done = 0;
	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	struct db_stmt *q = stmt_start(s, STMT_CHUNKS_MISSING, ARGS(ROWS_OF(n.user), limit), err);
	while (n_bytes < BATCH_TEXT_BYTES && (got = db_row(q, err)) > 0) {
		xgrow(&uncut, &cap, n_uncut + 1, sizeof(*uncut));
		uncut[n_uncut].row = db_column_int(q, 0);
		uncut[n_uncut].content = column_text(q, 1, &a);
		n_bytes += uncut[n_uncut++].content_len = (size_t)db_column_bytes(q, 1);
	}
	db_reset(q);
	if (got < 0)
		return -1;
	/* a message that is in pieces now may have the vector of the whole */
	recut = xreallocarray(NULL, n_uncut + 1, sizeof(*recut));
	for (size_t i = 0; i < n_uncut; i++) {
		size_t n_chunks;

		if (message_chunk(s, uncut[i].row, uncut[i].content, uncut[i].content_len,
			&n_chunks, err) < 0)
			return -1;
		if (n_chunks != 1)
			recut[n_recut++] = uncut[i].row;
	}
	if (vectors_remove(s, who, VECTOR_MESSAGE, recut, n_recut, err) < 0)
		return -1;
	*n_done = (unsigned)n_uncut;
	return 0;
}

/* ---- reading ---- */

static int
read_chunks(struct store *s, const struct scope_numbers *n, const struct message *m,
	struct chunk **list, size_t *n_list, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_CHUNKS_OF, ARGS(m->row, ROWS_OF(n->user)), err);
	size_t cap = 0;
	int got;

	*list = NULL;
	*n_list = 0;
	while ((got = db_row(q, err)) > 0) {
		struct chunk *c = xpush(*list, *n_list, cap);
		c->kind = db_column_int(q, 0) == CHUNK_CODE ? CHUNK_CODE : CHUNK_PROSE;
		snprintf(c->language, sizeof(c->language), "%s", column_peek(q, 1));
		c->start = (size_t)db_column_int(q, 2);
		c->len = (size_t)db_column_int(q, 3);
		c->n_tokens = (unsigned)db_column_int(q, 4);
		if (c->start > m->content_len || c->len > m->content_len - c->start) {
			err_set(err, ERR_IO,
			    "chunk is outside its message (mem-check --repair rebuilds it)");
			got = -1;
			break;
		}
	}
	if (got == 0)
		return 0;
	free(*list);
	*list = NULL;
	return -1;
}

/*
 * A caller that has read messages asks for their chunks next, one by one and after the snapshot.
 * Where each would cost a round trip through a network, they are fetched with the messages and kept
 * until others are.
 */
struct chunks_kept {
	struct kept_chunks { int64_t row; struct chunk *list; size_t n; } *of;
	size_t n;
};

void
chunks_forget(struct store *s)
{
	if (s->chunks == NULL)
		return;
	for (size_t i = 0; i < s->chunks->n; i++)
		free(s->chunks->of[i].list);
	free(s->chunks->of);
	free(s->chunks);
	s->chunks = NULL;
}

int
chunks_keep(struct store *s, const struct scope_numbers *n, const struct message **m, size_t n_rows,
	struct err *err)
{
	struct chunks_kept *k;

	chunks_forget(s);
	k = s->chunks = xcalloc(1, sizeof(*k));
	k->of = xcalloc(n_rows + 1, sizeof(*k->of));
	for (size_t i = 0; i < n_rows; i++) {
		if (m[i] == NULL)
			continue;
		k->of[k->n].row = m[i]->row;
		if (read_chunks(s, n, m[i], &k->of[k->n].list, &k->of[k->n].n, err) < 0)
			return -1;
		k->n++;
	}
	return 0;
}

/* The chunks of a message that were kept, or NULL. */
static const struct kept_chunks *
find_kept(const struct store *s, int64_t row)
{
	for (size_t i = 0; s->chunks != NULL && i < s->chunks->n; i++)
		if (s->chunks->of[i].row == row)
			return &s->chunks->of[i];
	return NULL;
}

int
chunks_of(struct store *s, const struct scope *who, const struct message *m, chunk_fn *fn,
	void *arg, struct err *err)
{
	const struct kept_chunks *kept;
	struct scope_numbers n;
	FREED struct chunk *list = NULL;
	size_t n_list = 0;
	int rc = 0;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	if ((kept = find_kept(s, m->row)) != NULL && m->row >> USER_SHIFT == n.user) {
		n_list = kept->n;
		if (n_list > 0) {
			list = xreallocarray(NULL, n_list, sizeof(*list));
			memcpy(list, kept->list, n_list * sizeof(*list));
		}
	} else if (read_chunks(s, &n, m, &list, &n_list, err) < 0) {
		return -1;
	}
	if (n_list == 0 && m->content_len > 0)
		rc = chunk_each(m->content, m->content_len, fn, arg);
	for (size_t i = 0; i < n_list && rc == 0; i++)
		rc = fn(arg, &list[i]);
	return rc < 0 ? -1 : 0;
}
