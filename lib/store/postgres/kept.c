/*
 * kept.c: reads that were declared, and the rows of those that were fetched, by a hash of statement
 * and parameters. In a snapshot rows are given as often as they are asked for; in a write
 * transaction, which may change them, until the next write after they were given first.
 *
 * Rows outlive their snapshot. When the next one sees the same transactions, which its first round
 * tells, they are as good as new.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "store/sql/stmt.h"

#define KEPT_MOST 16384                        /* reads that are kept for the next snapshot */

void
rows_free(struct rows *r)
{
	if (r == NULL)
		return;
	if (!r->shared)
		pq.clear(r->result);
	free(r);
}

uint64_t
pg_key_of(const struct db_stmt *q, const struct value *values)
{
	uint64_t key = (uint64_t)q->which;

	for (int i = 0; i < q->dialect.n_parameters; i++) {
		const struct value *v = &values[i];

		key = hash64(pg_bytes(v), v->type == 0 ? 0 : (size_t)v->len, key + v->type);
	}
	return key;
}

/* The same without the parameters by which it may be asked together with others. */
static uint64_t
hash_others(const struct db_stmt *q)
{
	struct value values[DIALECT_PARAMETERS];
	int ats[] = { q->dialect.together_by, q->dialect.together_and };

	memcpy(values, q->values, sizeof(values));
	for (size_t i = 0; i < NELEM(ats); i++)
		if (ats[i] != 0)
			values[ats[i] - 1] = (struct value){ .type = values[ats[i] - 1].type };
	return pg_key_of(q, values);
}

static struct rows *
find_kept(struct db *d, uint64_t key)
{
	size_t place = keyed_value(&d->kept_keys, key);
	struct rows *r = place == 0 || place > d->n_kept ? NULL : d->kept[place - 1];

	if (place <= d->n_old && !(d->now == READING && d->compared))
		return NULL;
	if (r != NULL && d->now != READING && r->used && r->given_at != d->n_writes)
		return NULL;
	return r != NULL && r->key == key ? r : NULL;
}

static void
value_release(struct value *v)
{
	free(v->own);
	v->own = NULL;
}

void
pg_want(struct db_stmt *q)
{
	struct db *d = q->db;

	pg_set_user(q);
	uint64_t key = pg_key_of(q, q->values);
	if ((d->now != READING && d->now != WRITING) || find_kept(d, key) != NULL ||
	    keyed_value(&d->wanted_keys, key) != 0)
		return;
	struct wanted *w = xpush(d->wanted, d->n_wanted, d->cap_wanted);
	*w = (struct wanted){ .q = q, .key = key, .at = d->n_wanted };
	keyed_at(&d->wanted_keys, key)->value = d->n_wanted;
	w->values = xcalloc((size_t)q->dialect.n_parameters + 1, sizeof(*w->values));
	w->others = q->dialect.together == NULL ? key : hash_others(q);
	for (int i = 0; i < q->dialect.n_parameters; i++) {
		w->values[i] = q->values[i];
		w->values[i].own = NULL;
		if (q->values[i].type != PG_TEXT && q->values[i].type != PG_BYTEA)
			continue;
		w->values[i].own = xmalloc((size_t)q->values[i].len + 1);
		if (q->values[i].len > 0)
			memcpy(w->values[i].own, q->values[i].bytes, (size_t)q->values[i].len);
		w->values[i].bytes = w->values[i].own;
	}
}

void
pg_wanted_clear(struct db *d)
{
	for (size_t i = 0; i < d->n_wanted; i++) {
		for (int k = 0; k < d->wanted[i].q->dialect.n_parameters; k++)
			value_release(&d->wanted[i].values[k]);
		free(d->wanted[i].values);
	}
	d->n_wanted = 0;
	keyed_clear(&d->wanted_keys);
}

void
pg_reset_kept(struct db *d)
{
	for (size_t i = 0; i < d->n_stmts; i++)
		if (d->stmts[i]->rows != NULL && d->stmts[i]->rows->kept)
			db_reset(d->stmts[i]);
}

void
pg_forget(struct db *d)
{
	pg_reset_kept(d);
	for (size_t i = 0; i < d->n_kept; i++)
		rows_free(d->kept[i]);
	d->n_kept = d->n_old = 0;
	keyed_clear(&d->kept_keys);
	for (size_t i = 0; i < d->n_shared; i++)
		pq.clear(d->shared[i]);
	d->n_shared = d->n_old_shared = 0;
	pg_wanted_clear(d);
}

void
pg_drop(struct db *d)
{
	pg_reset_kept(d);
	while (d->n_kept > d->n_old)
		rows_free(d->kept[--d->n_kept]);
	while (d->n_shared > d->n_old_shared)
		pq.clear(d->shared[--d->n_shared]);
	pg_wanted_clear(d);
}

void
pg_keep(struct db *d)
{
	if (d->n_kept > KEPT_MOST || d->now != READING || !d->compared) {
		pg_forget(d);
		return;
	}
	pg_wanted_clear(d);
	d->n_old = d->n_kept;
	d->n_old_shared = d->n_shared;
}

/* Forgets what earlier snapshots have read, as this one sees something else. */
static void
forget_old(struct db *d)
{
	for (size_t i = 0; i < d->n_old; i++)
		rows_free(d->kept[i]);
	for (size_t i = 0; i < d->n_old_shared; i++)
		pq.clear(d->shared[i]);
	d->n_kept -= d->n_old;
	d->n_shared -= d->n_old_shared;
	if (d->n_kept > 0)
		memmove(d->kept, d->kept + d->n_old, d->n_kept * sizeof(*d->kept));
	if (d->n_shared > 0)
		memmove(d->shared, d->shared + d->n_old_shared, d->n_shared * sizeof(*d->shared));
	d->n_old = d->n_old_shared = 0;
	keyed_clear(&d->kept_keys);
	for (size_t i = 0; i < d->n_kept; i++)
		if (d->kept[i] != NULL)
			keyed_at(&d->kept_keys, d->kept[i]->key)->value = i + 1;
}

int
pg_compare(struct db *d, struct err *err)
{
	const struct pg_result *r = d->seen.result;

	if (d->now != READING || d->compared || r == NULL)
		return 0;
	if (store_still_known(strtoll(pq.getvalue(r, 0, 1), NULL, 10), d->path, err) < 0)
		return -1;
	d->compared = true;
	if (*d->last_seen != '\0' && strcmp(d->last_seen, pq.getvalue(r, 0, 0)) == 0 &&
	    !pg_is_standby(d))
		return 0;
	d->n_changes++;
	if (pq.getlength(r, 0, 0) < SEEN_BYTES)
		snprintf(d->last_seen, SEEN_BYTES, "%s", pq.getvalue(r, 0, 0));
	else
		*d->last_seen = '\0';
	if (d->n_old > 0)
		forget_old(d);
	return 0;
}

void
pg_keep_own(struct db *d)
{
	char before[SEEN_BYTES];
	long long own = strtoll(d->own_xact, NULL, 10);

	snprintf(before, sizeof(before), "%lld:%lld:", own, own);
	if (own == 0 || strcmp(before, d->last_seen) != 0) {
		pg_forget(d);
		return;
	}
	snprintf(d->last_seen, SEEN_BYTES, "%lld:%lld:", own + 1, own + 1);
	for (size_t i = 0; i < d->n_kept; i++) {
		if (d->kept[i] == NULL || d->kept[i]->lasts)
			continue;
		rows_free(d->kept[i]);
		d->kept[i] = NULL;
	}
}

void
pg_keep_rows(struct db *d, const struct db_stmt *q, uint64_t key)
{
	struct rows *r = xcalloc(1, sizeof(*r));

	r->key = key;
	r->kept = true;
	/* a record is read with its accesses, which a short transaction counts */
	r->lasts = q->dialect.together != NULL && q->which != STMT_RECORD_BY_ROW;
	*xpush(d->kept, d->n_kept, d->cap_kept) = r;
	keyed_at(&d->kept_keys, key)->value = d->n_kept;
}

struct rows *
pg_take_kept(struct db *d, uint64_t key)
{
	struct rows *r = find_kept(d, key);

	if (r == NULL)
		return NULL;
	r->used = true;
	r->given_at = d->n_writes;
	return r;
}
