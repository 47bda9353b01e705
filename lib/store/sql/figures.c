/*
 * figures.c: counts and sizes. Counts are the user's own; bytes of the file are of all users, as
 * the file is one.
 */
#include "store/sql/column.h"
#include "store/sql/slots.h"

#include "base/caps.h"
#include "store/records.h"

struct figures { struct store *store; stat_fn *fn; void *arg; struct err *err; };

static int
tell(const struct figures *f, const char *name, int64_t value, const char *unit)
{
	struct store_stat v = { name, value, unit };

	return f->fn(f->arg, &v);
}

static int
by_role(const struct figures *f, const struct scope_numbers *n)
{
	struct db_stmt *q = stmt_of(f->store, STMT_STAT_ROLES, f->err);
	int64_t count[ROLE_OTHER + 1] = { 0 }, all = 0, bytes = 0, tokens = 0, oldest = TIME_NONE,
				   newest = TIME_NONE;
	char name[64];
	int got;

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, user_lo(n->user));
	db_bind_int(q, 2, user_hi(n->user));
	db_bind_int(q, 3, n->agent);
	db_bind_int(q, 4, n->project);
	while ((got = db_row(f->store->db, q, f->err, "count messages")) > 0) {
		count[column_within(q, 0, ROLE_OTHER + 1)] += db_column_int(q, 1);
		all += db_column_int(q, 1);
		bytes += db_column_int(q, 2);
		tokens += db_column_int(q, 5);
		if (db_column_type(q, 3) != DB_NULL) {
			oldest = oldest == TIME_NONE ? db_column_int(q, 3)
						     : MIN(oldest, db_column_int(q, 3));
			newest = MAX(newest, db_column_int(q, 4));
		}
	}
	if (got < 0 || tell(f, "messages", all, "count") != 0)
		return -1;
	for (int r = 0; r <= ROLE_OTHER; r++) {
		snprintf(name, sizeof(name), "messages.%s", role_names[r]);
		if (count[r] > 0 && tell(f, name, count[r], "count") != 0)
			return -1;
	}
	if (tell(f, "messages.bytes", bytes, "bytes") != 0 ||
	    tell(f, "messages.tokens", tokens, "count") != 0)
		return -1;
	if (oldest != TIME_NONE &&
	    (tell(f, "messages.oldest", oldest, "time") != 0 ||
		tell(f, "messages.newest", newest, "time") != 0))
		return -1;
	return 0;
}

/* Facts by a name or a number of names. */
static int
by_name(const struct figures *f, const struct scope_numbers *n, enum stmt which, const char *prefix,
	const char *const names[], int n_names)
{
	struct db_stmt *q = stmt_bound(f->store, which, user_lo(n->user), user_hi(n->user),
	    n->agent, n->project, f->err);
	char name[CAP_ID_BYTES + 32];
	int got, rc = 0;

	if (q == NULL)
		return -1;
	while (rc == 0 && (got = db_row(f->store->db, q, f->err, "count records")) > 0) {
		const char *text =
		    names == NULL ? column_peek(q, 0) : names[column_within(q, 0, n_names)];
		snprintf(name, sizeof(name), "%s.%s", prefix, text);
		rc = tell(f, name, db_column_int(q, 1), "count");
	}
	db_reset(q);
	return rc != 0 || got < 0 ? -1 : 0;
}

static int
by_record(const struct figures *f, const struct scope_numbers *n)
{
	static const char *const names[] = { "facts", "summaries", "reflections", "steps" },
				 *const states[] = { "facts.ended", "facts.retracted",
					 "facts.summarized", "facts.protected" };
	struct db_stmt *q = stmt_bound(f->store, STMT_STAT_RECORDS, user_lo(n->user),
	    user_hi(n->user), n->agent, n->project, f->err);
	int64_t v[NELEM(states)] = { 0 };

	if (q == NULL || db_row(f->store->db, q, f->err, "count records") < 0)
		return -1;
	for (size_t i = 0; i < NELEM(names); i++)
		v[i] = db_column_int(q, (int)i);
	db_reset(q);
	for (size_t i = 0; i < NELEM(names); i++)
		if (tell(f, names[i], v[i], "count") != 0)
			return -1;
	if (v[0] == 0)
		return 0;
	if ((q = stmt_of(f->store, STMT_STAT_FACTS, f->err)) == NULL)
		return -1;
	db_bind_int(q, 1, clock_now_us());
	db_bind_int(q, 2, user_lo(n->user));
	db_bind_int(q, 3, user_hi(n->user));
	db_bind_int(q, 4, n->agent);
	db_bind_int(q, 5, n->project);
	if (db_row(f->store->db, q, f->err, "count records") < 0)
		return -1;
	for (size_t i = 0; i < NELEM(states); i++)
		v[i] = db_column_int(q, (int)i);
	db_reset(q);
	for (size_t i = 0; i < NELEM(states); i++)
		if (v[i] > 0 && tell(f, states[i], v[i], "count") != 0)
			return -1;
	return by_name(f, n, STMT_STAT_BANKS, "facts.bank", NULL, 0) < 0 ||
		by_name(f, n, STMT_STAT_CATEGORIES, "facts.category", fact_root_names,
		    N_FACT_ROOTS) < 0
	    ? -1
	    : 0;
}

/* One row of numbers, each under its name; at most four. */
static int
row_of(const struct figures *f, enum stmt which, int64_t a, const char *const names[])
{
	struct db_stmt *q = stmt_of(f->store, which, f->err);
	int64_t v[4] = { 0 };
	int got;

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, a);
	if ((got = db_row(f->store->db, q, f->err, "count")) < 0)
		return -1;
	for (int i = 0; got > 0 && names[i] != NULL; i++)
		v[i] = db_column_int(q, i);
	db_reset(q);
	for (int i = 0; names[i] != NULL; i++)
		if (tell(f, names[i], v[i], "count") != 0)
			return -1;
	return 0;
}

static int
by_chunk(const struct figures *f, int64_t user)
{
	struct db_stmt *q = stmt_of(f->store, STMT_STAT_CHUNKS, f->err);
	int64_t count[2] = { 0, 0 }, all = 0;
	int got;

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, user_lo(user));
	db_bind_int(q, 2, user_hi(user));
	while ((got = db_row(f->store->db, q, f->err, "count chunks")) > 0)
		count[db_column_int(q, 0) == CHUNK_CODE] += db_column_int(q, 1);
	if (got < 0 || (q = stmt_of(f->store, STMT_STAT_CUT, f->err)) == NULL)
		return -1;
	db_bind_int(q, 1, user_lo(user));
	db_bind_int(q, 2, user_hi(user));
	if (db_row(f->store->db, q, f->err, "count chunks") < 0)
		return -1;
	all = db_column_int(q, 0);      /* also those of one piece, which have no row */
	db_reset(q);
	return tell(f, "chunks.prose", all - count[1], "count") != 0 ||
		tell(f, "chunks.code", count[1], "count") != 0
	    ? -1
	    : 0;
}

/*
 * Of the set that searches use, and of those that are being made: how many vectors the user has in
 * it, under the model's name.
 */
static int
by_set(const struct figures *f, int64_t user)
{
	struct vset v;
	int64_t after = 0, n_missing;
	uint32_t n, n_dead;
	char name[96];
	int got;

	for (;;) {
		struct db_stmt *q = stmt_bound(f->store, STMT_VSET_NEXT, after, 0, 0, 0, f->err);
		if (q == NULL || (got = vset_read(f->store, q, &v, f->err)) <= 0)
			return q == NULL ? -1 : got;
		vset_release(&v);
		after = v.no;
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
	for (size_t i = 0; i < N_GROUPS; i++)
		if (tell(f, names[i], v.bytes[i], "bytes") != 0)
			return -1;
	return 0;
}

int
store_stats(struct store *s, const struct scope *who, stat_fn *fn, void *arg, struct err *err)
{
	static const char *const sessions[] = { "sessions", NULL },
				 *const index[] = { "index.segments", "index.turns", "index.words",
					 NULL },
				 *const searches[] = { "searches", NULL };
	struct figures f = { s, fn, arg, err };
	struct scope_numbers n;

	if (scope_numbers(s, who, &n, err) < 0 ||
	    row_of(&f, STMT_STAT_SESSIONS, n.user, sessions) < 0 || by_role(&f, &n) < 0 ||
	    by_chunk(&f, n.user) < 0 || by_record(&f, &n) < 0 || by_set(&f, n.user) < 0 ||
	    row_of(&f, STMT_STAT_SEGMENTS, n.user, index) < 0 ||
	    row_of(&f, STMT_STAT_METRICS, n.user, searches) < 0)
		return -1;
	return by_table(&f);
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
	for (size_t i = 0; i < NELEM(parts); i++) {
		struct db_stmt *q = stmt_bound(s, parts[i].which, user_lo(n.user), user_hi(n.user),
		    since_us, 0, err);
		int64_t v[3];
		if (q == NULL || db_row(s->db, q, err, "count what is new") < 0)
			return -1;
		for (int k = 0; k < 3; k++)
			v[k] = db_column_int(q, k);
		db_reset(q);
		for (int k = 0; k < 3; k++)
			if (tell(&f, parts[i].names[k], v[k], "count") != 0)
				return -1;
	}
	return 0;
}
