/*
 * repeat.c: a write transaction whose connection is lost, or that the server has ended because of
 * others, is done again.
 *
 * All that it sends is kept, and a hash of each answer. To repeat it, all is sent again in a new
 * transaction. Those who wrote it have seen the answers already: if one differs now, as another
 * process has written in between, the transaction cannot go on, and its program is told to try
 * again. If none does, then it is as if the first had never been. What had no answer yet gets it
 * now.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/hash.h"

#define LOG_BYTES_MOST (64u << 20)             /* a transaction that sends more is not repeated */

/* ---- what was sent ---- */

void
pg_log_clear(struct db *d)
{
	arena_reset(&d->log_texts);
	d->n_log = d->n_log_bytes = 0;
	d->log_full = false;
}

static void *
copy(struct db *d, const void *p, size_t n_bytes)
{
	void *to = arena_alloc(&d->log_texts, MAX(n_bytes, 1));

	if (n_bytes > 0)
		memcpy(to, p, n_bytes);
	d->n_log_bytes += n_bytes;
	return to;
}

void
pg_log(struct db *d, struct sent *s, const char *sql, int n, const unsigned *types,
	const char *const *values, const int *lengths, const int *formats)
{
	size_t count = (size_t)n;
	const char **own;

	if (d->now != WRITING || d->log_full)
		return;
	if (d->n_log_bytes > LOG_BYTES_MOST) {
		pg_log_clear(d);
		d->log_full = true;
		return;
	}
	own = arena_zalloc(&d->log_texts, (count + 1) * sizeof(*own));
	for (size_t i = 0; i < count; i++)
		if (values[i] != NULL)
			own[i] = copy(d, values[i],
			    lengths == NULL ? strlen(values[i]) + 1 : (size_t)lengths[i]);
	struct logged *l = xpush(d->log, d->n_log, d->cap_log);
	*l = (struct logged){ .sql = sql, .n = n, .values = own };
	if (types != NULL)
		l->types = copy(d, types, count * sizeof(*types));
	if (lengths != NULL)
		l->lengths = copy(d, lengths, count * sizeof(*lengths));
	if (formats != NULL)
		l->formats = copy(d, formats, count * sizeof(*formats));
	d->n_log_bytes += sizeof(*l);
	s->logged = d->n_log;
}

void
pg_log_sent(struct db *d)
{
	for (size_t i = 0; i < d->n_sent; i++)
		if (d->sent[i].logged > 0 && !d->log_full)
			d->log[d->sent[i].logged - 1].sent = d->sent[i];
}

/* ---- what was answered ---- */

static uint64_t
hash_of(struct pg_result *r)
{
	const char *tag = pq.cmdStatus(r);
	int n_rows = pq.ntuples(r), n_columns = pq.nfields(r);
	uint64_t h = hash64(tag, strlen(tag), 0);

	for (int i = 0; i < n_rows; i++)
		for (int k = 0; k < n_columns; k++)
			h = hash64(pq.getvalue(r, i, k), (size_t)pq.getlength(r, i, k),
			    h + (uint64_t)pq.getisnull(r, i, k));
	return h;
}

int
pg_log_answer(struct db *d, const struct sent *s, struct pg_result *r, struct err *err)
{
	struct logged *l = &d->log[s->logged - 1];

	if (d->log_full)
		return 0;
	uint64_t h = hash_of(r);
	if (l->answered && h != l->answer)
		return err_set(err, ERR_BUSY, "%s: the connection was lost and others have written "
		    "since, try again: '%s'", s->what, d->path);
	if (l->answered)
		return 1;
	l->answered = true;
	l->answer = h;
	return 0;
}

/* ---- again ---- */

bool
pg_may_repeat(const struct db *d)
{
	static const char *const states[] = { "40001", "40P01" };
	bool may = d->lost;

	for (size_t i = 0; i < NELEM(states); i++)
		may |= strcmp(d->state, states[i]) == 0;
	return may && d->now == WRITING && !d->log_full;
}

int
pg_repeat(struct db *d, struct err *err)
{
	d->now = NO_TRANSACTION;
	pg_end(d);
	int rc = pg_begin_again(d, err);
	d->now = WRITING;
	for (size_t i = 0; i < d->n_log && rc == 0; i++) {
		const struct logged *l = &d->log[i];

		pg_send_again(d, &l->sent, l->sql, l->n, l->types, l->values, l->lengths,
		    l->formats);
		if (d->n_sent >= WRITES_MOST)
			rc = pg_sync(d, err);
	}
	return rc == 0 ? pg_sync(d, err) : -1;
}

int
pg_round(struct db *d, struct err *err)
{
	int64_t until = pg_until();
	int rc = pg_sync(d, err);

	for (int i = 1; rc < 0 && pg_tries(i, until) && pg_may_repeat(d); i++) {
		err_clear(err);
		rc = pg_repeat(d, err);
	}
	return rc;
}
