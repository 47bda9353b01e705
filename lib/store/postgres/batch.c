/*
 * batch.c: rows that a transaction puts into a table go out as one statement, which takes a column
 * of them as an array. A few statements gather rows side by side: their tables know nothing of each
 * other, so it does not matter which goes first. Before anything else is sent they are: so whoever
 * reads finds them.
 */
#include "store/postgres/postgres.h"

#define ROWS_MOST   1000
#define BYTES_MOST  (8u << 20)                 /* bytes of a batch; a larger one is sent at once */

/* The batch of a statement: its own, else an empty one, else NULL. */
static struct batch *
batch_of(struct db *d, const struct db_stmt *q)
{
	struct batch *empty = NULL;

	for (size_t i = 0; i < NELEM(d->batches); i++) {
		if (d->batches[i].n > 0 && d->batches[i].q == q)
			return &d->batches[i];
		if (d->batches[i].n == 0)
			empty = &d->batches[i];
	}
	return empty;
}

static unsigned
type_of(char column)
{
	return column == 'i' ? PG_INT8 : column == 'r' ? PG_FLOAT8 : column == 't' ? PG_TEXT
										  : PG_BYTEA;
}

static int send_batch(struct db *d, struct batch *b, struct err *err);

int
pg_batch_add(struct db *d, struct db_stmt *q, struct err *err)
{
	struct batch *b = batch_of(d, q);

	if (b == NULL) {
		if (pg_batch_send(d, err) < 0)
			return -1;
		b = batch_of(d, q);
	}
	b->q = q;
	for (int i = 0; i < q->dialect.n_parameters; i++) {
		const struct value *v = &q->values[i];

		if (b->n == 0)
			pg_array_begin(&b->columns[i], type_of(q->dialect.columns[i]));
		pg_array_add(&b->columns[i], v);
		b->n_bytes += (size_t)v->len;
	}
	b->n++;
	return b->n < ROWS_MOST && b->n_bytes < BYTES_MOST ? 0 : send_batch(d, b, err);
}

static void
drop_batch(struct batch *b)
{
	for (int i = 0; b->n > 0 && i < b->q->dialect.n_parameters; i++)
		buf_release(&b->columns[i]);
	b->n = 0;
	b->n_bytes = 0;
	b->q = NULL;
}

void
pg_batch_drop(struct db *d)
{
	for (size_t i = 0; i < NELEM(d->batches); i++)
		drop_batch(&d->batches[i]);
}

static int
send_batch(struct db *d, struct batch *b, struct err *err)
{
	const struct dialect *how = &b->q->dialect;
	unsigned types[DIALECT_PARAMETERS];
	const char *values[DIALECT_PARAMETERS];
	int lengths[DIALECT_PARAMETERS], formats[DIALECT_PARAMETERS], rc = 0;

	for (int i = 0; i < how->n_parameters; i++) {
		struct buf *c = &b->columns[i];

		types[i] = pg_array_of(type_of(how->columns[i]));
		pg_array_end(c, b->n);
		values[i] = c->data;
		lengths[i] = (int)c->len;
		formats[i] = 1;
		if (c->full)
			rc = err_set(err, ERR_DATA, "rows are too long: '%s'", d->path);
	}
	if (rc == 0)
		pg_send(d, "write", how->many, how->n_parameters, types, values, lengths, formats);
	drop_batch(b);
	return rc;
}

int
pg_batch_send(struct db *d, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < NELEM(d->batches); i++)
		if (d->batches[i].n > 0 && send_batch(d, &d->batches[i], err) < 0)
			rc = -1;
	return rc;
}
