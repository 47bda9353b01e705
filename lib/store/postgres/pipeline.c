/*
 * pipeline.c: statements go out without waiting for the answer of the one before, and are answered
 * together: a round. One ends when something is to be read, with the reads that were declared
 * beside it; what is written in a transaction waits for the next round, or for the commit.
 *
 * In a pipeline an error stops all that comes behind it in the round. The first is the one that is
 * told.
 */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "gen/dialect_rows.h"

/* ---- errors ---- */

struct meaning { const char *state; int code; const char *text; };

static const struct meaning meanings[] = { DIALECT_MEANINGS };

int
pg_fail(struct db *d, const struct pg_result *r, const char *what, struct err *err)
{
	const char *state = r == NULL ? NULL : pq.resultErrorField(r, PG_SQLSTATE);
	const char *text = r == NULL ? pq.errorMessage(d->conn) : pq.resultErrorMessage(r);
	int n = (int)strcspn(text, "\n");

	snprintf(d->state, sizeof(d->state), "%s", state == NULL ? "" : state);
	if (pq.status(d->conn) != PG_CONNECTION_OK)
		d->lost = true;
	if (state == NULL || *state == '\0')
		return err_set(err, ERR_BUSY, "%s: the connection was lost, try again: %.*s: '%s'",
		    what, n, text, d->path);
	for (size_t i = 0; i < NELEM(meanings); i++)
		if (strncmp(state, meanings[i].state, strlen(meanings[i].state)) == 0)
			return err_set(err, meanings[i].code, "%s: %s: %.*s (%s): '%s'", what,
			    meanings[i].text, n, text, state, d->path);
	return err_set(err, ERR_IO, "%s: %.*s (%s): '%s'", what, n, text, state, d->path);
}

/* ---- sending ---- */

static struct sent *
add_sent(struct db *d, const char *what)
{
	xgrow(&d->sent, &d->cap_sent, d->n_sent + 1, sizeof(*d->sent));
	d->sent[d->n_sent] = (struct sent){ .kind = SENT_ORDER, .what = what };
	return &d->sent[d->n_sent++];
}

struct sent *
pg_send(struct db *d, const char *what, const char *sql, int n, const unsigned *types,
	const char *const *values, const int *lengths, const int *formats)
{
	struct sent *s = add_sent(d, what);

	pg_log(d, s, sql, n, types, values, lengths, formats);
	d->lost |= !pq.sendQueryParams(d->conn, sql, n, types, values, lengths, formats, 1);
	return s;
}

void
pg_send_again(struct db *d, const struct sent *s, const char *sql, int n, const unsigned *types,
	const char *const *values, const int *lengths, const int *formats)
{
	*add_sent(d, s->what) = *s;
	d->lost |= !pq.sendQueryParams(d->conn, sql, n, types, values, lengths, formats, 1);
}

/* Sends the rows of the batches before what is sent now. */
static void
send_kept_back(struct db *d)
{
	if (pg_batch_send(d, &d->failed) < 0)
		d->lost = true;
}

struct sent *
pg_order(struct db *d, const char *what, const char *sql, int n, const char *const *values)
{
	send_kept_back(d);
	return pg_send(d, what, sql, n, NULL, values, NULL, NULL);
}

/* The prepared statement for the types of these values; a null fits any type. */
static struct variant *
variant_of(struct db_stmt *q, const struct value *values)
{
	struct variant *v;
	unsigned known[DIALECT_PARAMETERS] = { 0 };

	for (size_t i = 0; i < q->n_variants; i++) {
		bool fits = true;

		v = &q->variants[i];
		for (int k = 0; k < q->dialect.n_parameters; k++) {
			fits &= values[k].type == 0 || values[k].type == v->types[k];
			known[k] = known[k] == 0 ? v->types[k] : known[k];
		}
		if (fits)
			return v;
	}
	xgrow(&q->variants, &q->cap_variants, q->n_variants + 1, sizeof(*q->variants));
	v = &q->variants[q->n_variants];
	memset(v, 0, sizeof(*v));
	for (int k = 0; k < q->dialect.n_parameters; k++)
		v->types[k] = values[k].type != 0 ? values[k].type
		    : q->dialect.unused[k]	  ? PG_INT8
						  : known[k];
	q->n_variants++;
	return v;
}

/* Prepares the statement on the server, unless it is. */
static void
send_prepare(struct db *d, const char *sql, int n, struct variant *v, const char *what)
{
	if (v->connection == d->connection)
		return;
	/* a new name each time: after an error nobody knows which statements the server has */
	snprintf(v->name, sizeof(v->name), "m%llu", (unsigned long long)++d->n_prepared);
	add_sent(d, what);
	d->lost |= !pq.sendPrepare(d->conn, v->name, sql, n, v->types);
	v->connection = d->connection;
}

/* Queues a statement as v, whose types are known. */
static struct sent *
send_variant(struct db *d, const char *sql, int n, struct variant *v, const char *const *bytes,
	const int *lengths, const char *what)
{
	int formats[DIALECT_PARAMETERS];

	for (int i = 0; i < n; i++)
		formats[i] = 1;
	/* what is prepared on one connection of a pooler is not there on the next */
	if (d->pooled)
		return pg_send(d, what, sql, n, v->types, bytes, lengths, formats);
	send_prepare(d, sql, n, v, what);
	struct sent *s = add_sent(d, what);
	pg_log(d, s, sql, n, v->types, bytes, lengths, formats);
	d->lost |= !pq.sendQueryPrepared(d->conn, v->name, n, bytes, lengths, formats, 1);
	return s;
}

/* Queues q with the values; the next round fills in the answer. */
static void
send_values(struct db *d, struct db_stmt *q, const struct value *values, enum sent_kind kind,
	struct rows *rows, const char *what)
{
	const char *bytes[DIALECT_PARAMETERS];
	int lengths[DIALECT_PARAMETERS], n = q->dialect.n_parameters;
	struct variant *v = variant_of(q, values);

	send_kept_back(d);
	for (int i = 0; i < n; i++) {
		bytes[i] = pg_bytes(&values[i]);
		lengths[i] = values[i].len;
	}
	struct sent *s = send_variant(d, q->dialect.sql, n, v, bytes, lengths, what);
	s->kind = kind;
	s->rows = rows;
}

/*
 * Queues reads [n] of one statement, which differ in one parameter or two, as one with arrays of
 * these; so are single ones, as it is prepared then. Their rows are the kept ones from first on.
 */
static void
send_together(struct db *d, const struct wanted *w, size_t n, size_t first, const char *what)
{
	const struct dialect *how = &w->q->dialect;
	struct variant *v = &w->q->together;
	unsigned types[DIALECT_PARAMETERS] = { 0 };
	const char *bytes[DIALECT_PARAMETERS];
	int lengths[DIALECT_PARAMETERS];
	struct buf arrays[2];
	int n_arrays = 0;

	for (int i = 0; i < how->n_parameters; i++) {
		const struct value *of = &w->values[i];

		types[i] = of->type;
		bytes[i] = pg_bytes(of);
		lengths[i] = of->len;
		if (i + 1 == how->together_by || i + 1 == how->together_and) {
			struct buf *b = &arrays[n_arrays++];

			types[i] = pg_array_of(of->type);
			pg_array_begin(b, of->type);
			for (size_t k = 0; k < n; k++)
				pg_array_add(b, &w[k].values[i]);
			pg_array_end(b, n);
			bytes[i] = b->data;
			lengths[i] = (int)b->len;
		}
	}
	send_kept_back(d);
	if (memcmp(v->types, types, sizeof(types)) != 0) {
		memcpy(v->types, types, sizeof(types));
		v->connection = 0;
	}
	struct sent *s = send_variant(d, how->together, how->n_parameters, v, bytes, lengths, what);
	while (n_arrays > 0)
		buf_release(&arrays[--n_arrays]);
	s->n_rows = n;
	s->first = first;
}

/* ---- receiving ---- */

/* Forgets what was prepared in a round that failed, as the server may not have it. */
static void
forget_prepared(struct db *d)
{
	for (size_t i = 0; i < d->n_stmts; i++) {
		d->stmts[i]->together.connection = 0;
		for (size_t k = 0; k < d->stmts[i]->n_variants; k++)
			d->stmts[i]->variants[k].connection = 0;
	}
}

/* Gives the rows of a result to their reads, which the last column tells: 1, 2 ... */
static void
share(struct db *d, const struct sent *s, struct pg_result *r)
{
	int last = pq.nfields(r) - 1, n = pq.ntuples(r), at = 0;

	*xpush(d->shared, d->n_shared, d->cap_shared) = r;
	for (size_t i = 0; i < s->n_rows; i++) {
		struct rows *to = d->kept[s->first + i];

		to->result = r;
		to->shared = true;
		to->first = at;
		while (at < n && pg_get(pq.getvalue(r, at, last), 8) == i + 1)
			at++;
		to->n = at - to->first;
	}
}

static int
receive(struct db *d, struct sent *s, struct err *err)
{
	struct pg_result *r = pq.getResult(d->conn), *more;
	int rc = 0, known;

	if (r == NULL)
		return pg_fail(d, NULL, s->what, err);
	enum pg_status status = pq.resultStatus(r);
	if (status != PG_COMMAND_OK && status != PG_TUPLES_OK) {
		if (status == PG_PIPELINE_ABORTED)
			rc = err_set(err, ERR_BUG, "%s: not done, as what went before failed: '%s'",
			    s->what, d->path);
		else
			rc = pg_fail(d, r, s->what, err);
	} else if (s->kind == SENT_COMMIT && strcmp(pq.cmdStatus(r), "COMMIT") != 0) {
		rc = err_set(err, ERR_IO, "%s: it was rolled back: '%s'", s->what, d->path);
	} else if (s->logged > 0 && (known = pg_log_answer(d, s, r, err)) != 0) {
		rc = known < 0 ? -1 : 0;
	} else if (s->kind == SENT_WRITE) {
		d->changes = strtoll(pq.cmdTuples(r), NULL, 10);
	} else if (s->n_rows > 0) {
		share(d, s, r);
		r = NULL;
	} else if (s->rows != NULL) {
		s->rows->result = r;
		s->rows->n = pq.ntuples(r);
		r = NULL;
	}
	if (r != NULL)
		pq.clear(r);
	while ((more = pq.getResult(d->conn)) != NULL)
		pq.clear(more);
	return rc;
}

int
pg_sync(struct db *d, struct err *err)
{
	struct err first = ERR_INIT, next = ERR_INIT;
	struct pg_result *r;

	send_kept_back(d);
	if (d->n_sent == 0 && !d->lost)
		return 0;
	*d->state = '\0';
	pg_log_sent(d);
	if (d->lost || !pq.pipelineSync(d->conn))
		pg_fail(d, NULL, d->n_sent > 0 ? d->sent[0].what : "write", &first);
	for (size_t i = 0; i < d->n_sent && !d->lost; i++)
		if (receive(d, &d->sent[i], first.code == 0 ? &first : &next) < 0 &&
		    pq.status(d->conn) != PG_CONNECTION_OK)
			d->lost = true;
	if (!d->lost) {
		/* the marker of the round's end */
		while ((r = pq.getResult(d->conn)) != NULL &&
		    pq.resultStatus(r) != PG_PIPELINE_SYNC)
			pq.clear(r);
		d->lost = r == NULL;
		pq.clear(r);
	}
	d->n_sent = 0;
	if (first.code == 0 && d->lost)
		pg_fail(d, NULL, "read", &first);
	if (first.code == 0)
		return 0;
	forget_prepared(d);
	return err_set(err, first.code, "%s", first.msg);
}

struct pg_result *
pg_ask(struct db *d, const char *what, const char *sql, int n, const char *const *values,
	struct err *err)
{
	struct rows rows = { .result = NULL };

	pg_order(d, what, sql, n, values)->rows = &rows;
	if (pg_round(d, err) == 0)
		return rows.result;
	pq.clear(rows.result);
	return NULL;
}

/* ---- reads ---- */

static int
by_group(const void *x, const void *y)
{
	const struct wanted *a = x, *b = y;

	if (a->q->which != b->q->which)
		return a->q->which < b->q->which ? -1 : 1;
	if (a->others != b->others)
		return a->others < b->others ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Sends all that was declared, and q unless it is NULL. */
static int
fetch_once(struct db *d, struct db_stmt *q, struct rows *rows, struct err *err, const char *what)
{
	size_t n_before = d->n_kept;

	if (d->now == NO_TRANSACTION)
		pg_order_settings(d);
	if (d->n_wanted > 1)
		qsort(d->wanted, d->n_wanted, sizeof(*d->wanted), by_group);
	for (size_t i = 0, n; i < d->n_wanted; i += n) {
		const struct wanted *w = &d->wanted[i];
		size_t first = d->n_kept;

		for (n = 0; i + n < d->n_wanted && (n == 0 || (w->q == w[n].q &&
		    w->others == w[n].others)); n++)
			pg_keep_rows(d, w->q, w[n].key);
		if (w->q->dialect.together != NULL)
			send_together(d, w, n, first, what);
		else
			send_values(d, w->q, w->values, SENT_READ, d->kept[first], what);
	}
	if (q != NULL)
		send_values(d, q, q->values, SENT_READ, rows, what);
	int rc = pg_round(d, err);
	if (rc == 0)
		rc = pg_compare(d, err);
	if (rc < 0)
		while (d->n_kept > n_before)
			rows_free(d->kept[--d->n_kept]);
	else
		pg_wanted_clear(d);
	d->has_read |= rc == 0;
	return rc;
}

/*
 * The same on a new connection. In a snapshot that was read before, this is only true when others
 * have committed nothing since: then the new one sees what the old one saw.
 */
static int
fetch_again(struct db *d, struct db_stmt *q, struct rows *rows, struct err *err, const char *what)
{
	struct pg_result *before = NULL;
	bool was_read = d->now == READING && d->has_read, compared = d->compared;
	char last_seen[SEEN_BYTES];

	err_clear(err);
	memcpy(last_seen, d->last_seen, SEEN_BYTES);
	if (was_read) {
		before = d->seen.result;
		d->seen.result = NULL;
	}
	int rc = d->now == READING ? pg_snapshot_again(d, err) : pg_connect_again(d, err);
	if (was_read && compared) {
		/* it is compared below; rows of earlier snapshots are in use */
		memcpy(d->last_seen, last_seen, SEEN_BYTES);
		d->compared = true;
	}
	if (rc == 0)
		rc = fetch_once(d, q, rows, err, what);
	if (rc == 0 && was_read && (pg_is_standby(d) ||
	    strcmp(pq.getvalue(before, 0, 0), pq.getvalue(d->seen.result, 0, 0)) != 0))
		rc = err_set(err, ERR_BUSY, "%s: the connection was lost and others have written "
		    "since, try again: '%s'", what, d->path);
	pq.clear(before);
	return rc;
}

static int
fetch(struct db *d, struct db_stmt *q, struct rows *rows, struct err *err, const char *what)
{
	int rc = fetch_once(d, q, rows, err, what);

	if (rc < 0 && d->lost && (d->now == NO_TRANSACTION || d->now == READING))
		return fetch_again(d, q, rows, err, what);
	return rc;
}

int
pg_fetch(struct db *d, struct db_stmt *q, struct err *err, const char *what)
{
	struct rows *rows = NULL;

	if (d->failed.code != 0)
		return err_set(err, d->failed.code, "%s", d->failed.msg);
	d->n_writes += q->dialect.writes;
	pg_set_user(q);
	uint64_t key = d->n_kept + d->n_wanted > 0 ? pg_key_of(q, q->values) : 0;
	if ((q->rows = pg_take_kept(d, key)) != NULL) {
		q->at = q->rows->first - 1;
		return 0;
	}
	bool is_wanted = keyed_value(&d->wanted_keys, key) != 0;
	if (!is_wanted)
		rows = xcalloc(1, sizeof(*rows));
	if (fetch(d, is_wanted ? NULL : q, rows, err, what) < 0) {
		rows_free(rows);
		return -1;
	}
	q->rows = is_wanted ? pg_take_kept(d, key) : rows;
	q->at = q->rows->first - 1;
	return 0;
}

int
pg_fetch_wanted(struct db *d, struct err *err)
{
	return d->n_wanted == 0 ? 0 : fetch(d, NULL, NULL, err, "read");
}

/* ---- writes ---- */

int
pg_write(struct db *d, struct db_stmt *q, struct err *err, const char *what)
{
	if (d->failed.code != 0)
		return err_set(err, d->failed.code, "%s", d->failed.msg);
	d->n_writes++;
	pg_set_user(q);
	if (q->dialect.many != NULL)
		return pg_batch_add(d, q, err);
	send_values(d, q, q->values, SENT_WRITE, NULL, what);
	return !d->lost && d->n_sent < WRITES_MOST ? 0 : pg_round(d, err);
}
