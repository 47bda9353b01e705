/*
 * figures.c: counts and sizes. Counts are the user's own; bytes of the file are of all users, as
 * the file is one.
 */
#include "store/sql/column.h"
#include "store/vectors/slots.h"

#include "base/alloc.h"
#include "base/caps.h"
#include "base/order.h"
#include "store/records.h"

struct figures { struct store *store; stat_fn *fn; void *arg; struct err *err; };

static int
tell(const struct figures *f, const char *name, int64_t value, const char *unit)
{
	struct store_stat v = { name, value, unit };

	return f->fn(f->arg, &v);
}

static int
tell_all(const struct figures *f, const char *const names[], const int64_t *values, size_t n,
	const char *unit)
{
	for (size_t i = 0; i < n; i++)
		if (tell(f, names[i], values[i], unit) != 0)
			return -1;
	return 0;
}

/* What the pass over all messages counted. */
struct messages_seen { int64_t by_role[N_ROLES], bytes, tokens, chunks, oldest, newest; };

static int
count_messages(const struct figures *f, int64_t user, struct messages_seen *v)
{
	struct db_stmt *q = stmt_start(f->store, STMT_STAT_MESSAGES, ARGS(ROWS_OF(user)), f->err);

	if (db_row(q, f->err) < 0)
		return -1;
	for (int r = 0; r < N_ROLES; r++)
		v->by_role[r] = db_column_int(q, r);
	v->bytes = db_column_int(q, N_ROLES);
	v->tokens = db_column_int(q, N_ROLES + 1);
	v->chunks = db_column_int(q, N_ROLES + 2);
	v->oldest = column_time(q, N_ROLES + 3);
	v->newest = column_time(q, N_ROLES + 4);
	db_reset(q);
	return 0;
}

static int
tell_messages(const struct figures *f, const struct messages_seen *v)
{
	int64_t all = 0;
	char name[64];

	for (int r = 0; r < N_ROLES; r++)
		all += v->by_role[r];
	if (tell(f, "messages", all, "count") != 0)
		return -1;
	for (int r = 0; r < N_ROLES; r++) {
		snprintf(name, sizeof(name), "messages.%s", role_names[r]);
		if (v->by_role[r] > 0 && tell(f, name, v->by_role[r], "count") != 0)
			return -1;
	}
	if (tell(f, "messages.bytes", v->bytes, "bytes") != 0 ||
	    tell(f, "messages.tokens", v->tokens, "count") != 0)
		return -1;
	if (v->oldest != TIME_NONE &&
	    (tell(f, "messages.oldest", v->oldest, "time") != 0 ||
		tell(f, "messages.newest", v->newest, "time") != 0))
		return -1;
	return 0;
}

static int
by_chunk(const struct figures *f, int64_t user, int64_t all)
{
	struct db_stmt *q = stmt_start(f->store, STMT_STAT_CHUNKS, ARGS(ROWS_OF(user)), f->err);
	int64_t n_code = 0;
	int got;

	while ((got = db_row(q, f->err)) > 0)
		n_code += db_column_int(q, 0) == CHUNK_CODE ? db_column_int(q, 1) : 0;
	return got < 0 || tell(f, "chunks.prose", all - n_code, "count") != 0 ||
		tell(f, "chunks.code", n_code, "count") != 0
	    ? -1
	    : 0;
}

static int
by_message(const struct figures *f, int64_t user)
{
	struct messages_seen v;

	return count_messages(f, user, &v) < 0 || tell_messages(f, &v) < 0 ||
		/* with the single chunks that have no row */
		by_chunk(f, user, v.chunks) < 0
	    ? -1
	    : 0;
}

/* ---- facts ---- */

enum { ENDED, RETRACTED, SUMMARIZED, PROTECTED, N_STATES };

/* What the pass over all facts counted. */
struct kept {
	int64_t states[N_STATES], categories[N_FACT_ROOTS];
	struct bank { char *name; int64_t n; } *banks;
	size_t n_banks, cap_banks;
};

static void
kept_release(struct kept *k)
{
	for (size_t i = 0; i < k->n_banks; i++)
		free(k->banks[i].name);
	free(k->banks);
}

/* Rows are ordered by bank. */
static void
count_group(struct kept *k, struct db_stmt *q)
{
	const char *name = column_peek(q, 0);
	int64_t n = db_column_int(q, 2);

	if (k->n_banks == 0 || strcmp(k->banks[k->n_banks - 1].name, name) != 0) {
		*xpush(k->banks, k->n_banks, k->cap_banks) = (struct bank){ xstrdup(name), 0 };
	}
	k->banks[k->n_banks - 1].n += n;
	k->categories[column_within(q, 1, N_FACT_ROOTS)] += n;
	for (int i = 0; i < N_STATES; i++)
		k->states[i] += db_column_int(q, 3 + i);
}

ORDER_DOWN_TEXT(by_size, struct bank, n, name)

static int
tell_facts(const struct figures *f, struct kept *k)
{
	static const char *const states[N_STATES] = { "facts.ended", "facts.retracted",
		"facts.summarized", "facts.protected" };
	char name[CAP_ID_BYTES + 32];

	for (int i = 0; i < N_STATES; i++)
		if (k->states[i] > 0 && tell(f, states[i], k->states[i], "count") != 0)
			return -1;
	if (k->n_banks > 0)
		qsort(k->banks, k->n_banks, sizeof(*k->banks), by_size);
	for (size_t i = 0; i < k->n_banks; i++) {
		snprintf(name, sizeof(name), "facts.bank.%s", k->banks[i].name);
		if (tell(f, name, k->banks[i].n, "count") != 0)
			return -1;
	}
	for (int i = 0; i < N_FACT_ROOTS; i++) {
		snprintf(name, sizeof(name), "facts.category.%s", fact_root_names[i]);
		if (k->categories[i] > 0 && tell(f, name, k->categories[i], "count") != 0)
			return -1;
	}
	return 0;
}

static int
by_fact(const struct figures *f, int64_t user)
{
	struct db_stmt *q = stmt_start(f->store, STMT_STAT_FACTS, ARGS(clock_now_us(),
	    ROWS_OF(user)), f->err);
	LOCAL(kept) k = { .n_banks = 0 };
	int got, rc = -1;

	while ((got = db_row(q, f->err)) > 0)
		count_group(&k, q);
	if (got == 0)
		rc = tell_facts(f, &k);
	return rc;
}

static int
by_record(const struct figures *f, int64_t user)
{
	static const char *const names[] = { "facts", "summaries", "reflections", "steps" };
	int64_t v[NELEM(names)];

	if (stmt_numbers(f->store, STMT_STAT_RECORDS, ARGS(ROWS_OF(user), user), v,
	    NELEM(v), f->err) < 0 || tell_all(f, names, v, NELEM(v), "count") != 0)
		return -1;
	return v[0] == 0 ? 0 : by_fact(f, user);
}

/* ---- the rest ---- */

/* One row of numbers, each under its name; at most four. */
static int
row_of(const struct figures *f, enum stmt which, const struct db_value *args, size_t n_args,
	const char *const names[], size_t n)
{
	int64_t v[4];

	return stmt_numbers(f->store, which, args, n_args, v, n, f->err) < 0
	    ? -1 : tell_all(f, names, v, n, "count");
}

/*
 * How many vectors the user has in each set, under its model's name: in the one that searches use,
 * and in those that are being made.
 */
static int
by_set(const struct figures *f, int64_t user)
{
	struct vset v = { .no = 0 };
	int64_t n_missing;
	uint32_t n, n_dead;
	char name[96];
	int got;

	while ((got = vset_next(f->store, &v, f->err)) > 0) {
		if (slots_count(f->store, v.no, user, &n, &n_dead, f->err) < 0 ||
		    count_missing(f->store, v.no, vectors_by_service(v.model.sha256), user, user,
			INT64_MAX, &n_missing, f->err) < 0)
			return -1;
		if (v.current &&
		    (tell(f, "vectors", n - n_dead, "count") != 0 ||
			tell(f, "vectors.missing", n_missing, "count") != 0))
			return -1;
		snprintf(name, sizeof(name), "vectors.of.%s", v.model.name);
		if (tell(f, name, n - n_dead, "count") != 0)
			return -1;
	}
	return got;
}

/* Bytes of groups of tables, by the first letters of their names. */
enum { MESSAGES, FULLTEXT, CARDS, CHUNKS, VECTORS, RECORDS, OTHER, N_GROUPS };

struct sizes { int64_t bytes[N_GROUPS], all; };

static void
add_table(void *arg, const char *table, int64_t n_bytes)
{
	static const struct { const char *prefix; int group; } groups[] = {
		{ "message", MESSAGES }, { "fts_", FULLTEXT }, { "card", CARDS }, { "chunk", CHUNKS }, { "vector_", VECTORS },
		{ "record", RECORDS }, { "fact", RECORDS }, { "step", RECORDS }, { "category", RECORDS }, { "profile", RECORDS }, { "", OTHER } };
	struct sizes *v = arg;
	size_t i;

	for (i = 0; strncmp(table, groups[i].prefix, strlen(groups[i].prefix)) != 0; i++)
		;
	v->bytes[groups[i].group] += n_bytes;
	v->all += n_bytes;
}

static int
by_table(const struct figures *f)
{
	static const char *const names[] = { "file.messages", "file.fulltext", "file.cards",
		"file.chunks", "file.vectors", "file.records", "file.other" };
	struct sizes v = { { 0 }, 0 };

	if (db_tables(f->store->db, add_table, &v, f->err) < 0 || tell(f, "file.bytes", v.all,
	    "bytes") != 0)
		return -1;
	return tell_all(f, names, v.bytes, N_GROUPS, "bytes");
}

int
store_stats(struct store *s, const struct scope *who, stat_fn *fn, void *arg, struct err *err)
{
	static const char *const sessions[] = { "sessions" }, *const searches[] = { "searches" },
	    *const index[] = { "index.segments", "index.turns", "index.words" };
	struct figures f = { s, fn, arg, err };
	struct scope_numbers n;

	if (scope_numbers(s, who, &n, err) < 0 ||
	    row_of(&f, STMT_STAT_SESSIONS, ARGS(n.user), sessions, 1) < 0 ||
	    by_message(&f, n.user) < 0 || by_record(&f, n.user) < 0 || by_set(&f, n.user) < 0 ||
	    row_of(&f, STMT_STAT_SEGMENTS, ARGS(n.user), index, NELEM(index)) < 0 ||
	    row_of(&f, STMT_STAT_METRICS, ARGS(n.user), searches, 1) < 0)
		return -1;
	return by_table(&f);
}

int
store_stats_records(struct store *s, const struct scope *who, stat_fn *fn, void *arg,
	struct err *err)
{
	const struct figures f = { s, fn, arg, err };
	struct scope_numbers n;

	return scope_numbers(s, who, &n, err) < 0 || by_record(&f, n.user) < 0 ||
		by_set(&f, n.user) < 0
	    ? -1
	    : 0;
}

int
store_grown(struct store *s, const struct scope *who, int64_t since_us, stat_fn *fn, void *arg,
	struct err *err)
{
	static const struct { enum stmt which; const char *names[3]; } parts[] = {
		{ STMT_STAT_GROWN_MESSAGES, { "grown.messages", "grown.said", "grown.sessions" } },
		{ STMT_STAT_GROWN_RECORDS, { "grown.facts", "grown.summaries", "grown.reflections" } } };
	const struct figures f = { s, fn, arg, err };
	struct scope_numbers n;

	if (scope_numbers(s, who, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < NELEM(parts); i++)
		if (row_of(&f, parts[i].which, ARGS(ROWS_OF(n.user), since_us), parts[i].names,
		    NELEM(parts[i].names)) < 0)
			return -1;
	return 0;
}
