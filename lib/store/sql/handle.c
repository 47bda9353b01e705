/*
 * handle.c: what a handle of the store keeps beside its connection: its statements, prepared when
 * they are first needed; numbers of new rows; settings of the store itself; its transactions.
 */
#include "base/alloc.h"
#include "index/turn_features.h"
#include "store/sql/column.h"
#include "text/words.h"

bool
store_is_file(const char *path)
{
	static const char *const servers[] = { "postgres://", "postgresql://", "service=" };

	for (size_t i = 0; i < NELEM(servers); i++)
		if (strncmp(path, servers[i], strlen(servers[i])) == 0)
			return false;
	return true;
}

const struct db_driver *
store_driver(const char *path, struct err *err)
{
#ifdef WITHOUT_POSTGRES
	static const struct db_driver *const server;
#else
	static const struct db_driver *const server = &server_driver;
#endif

	if (store_is_file(path))
		return &file_driver;
	if (server == NULL)                    /* the name is not shown: it may have a password */
		err_set(err, ERR_CONFIG, "the store is a PostgreSQL database, and this mem was "
		    "built without PostgreSQL (make POSTGRES=no)");
	return server;
}

int
store_open(const char *path, enum store_mode mode, struct store **out, struct err *err)
{
	const struct db_driver *driver = store_driver(path, err);
	struct store *s;

	*out = NULL;
	if (driver == NULL)
		return -1;
	s = xcalloc(1, sizeof(*s));
	s->mode = mode;
	if (driver->open(s, path, err) == 0) {
		*out = s;
		return 0;
	}
	store_close(s);
	return -1;
}

int
store_still_known(int64_t version, const char *path, struct err *err)
{
	if (version <= STORE_VERSION)
		return 0;
	return err_set(err, ERR_CONFIG, "a newer mem has brought the store to version %lld, this "
	    "program knows %d: start it again: '%s'", (long long)version, STORE_VERSION, path);
}

int
store_file_bytes(struct store *s, int64_t *n, struct err *err)
{
	*n = 0;
	return store_is_file(store_path(s)) ? db_bytes(s->db, n, err) : 0;
}

void
store_close(struct store *s)
{
	if (s == NULL)
		return;
	if (s->writing)
		store_rollback(s);
	db_driver_of(s->db)->close(s);
	chunks_forget(s);
	free(s->user);
	free(s);
}

struct db_stmt *
stmt_start(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err)
{
	struct db_stmt **q = &s->stmts[which];
	char what[WHAT_BYTES];

	if (*q == NULL) {
		stmt_what(which, what, sizeof(what));
		*q = db_prepare(s->db, (int)which, stmt_sql[which], what, err);
	} else {
		db_reset(*q);
		db_clear(*q);
	}
	for (size_t i = 0; i < n && *q != NULL; i++)
		db_bind(*q, (int)i + 1, &args[i]);
	return *q;
}

int
stmt_run(struct store *s, enum stmt which, const struct db_value *args, size_t n, struct err *err)
{
	return db_done(stmt_start(s, which, args, n, err), err);
}

int
stmts_run(struct store *s, const enum stmt *which, size_t n_which, const struct db_value *args,
	size_t n, struct err *err)
{
	for (size_t i = 0; i < n_which; i++)
		if (stmt_run(s, which[i], args, n, err) < 0)
			return -1;
	return 0;
}

int
stmt_numbers(struct store *s, enum stmt which, const struct db_value *args, size_t n, int64_t *out,
	size_t n_out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, which, args, n, err);
	int got = db_row(q, err);

	for (size_t i = 0; i < n_out; i++)
		out[i] = got > 0 ? db_column_int(q, (int)i) : 0;
	if (got > 0)
		db_reset(q);
	return got;
}

int
stmt_number(struct store *s, enum stmt which, const struct db_value *args, size_t n, int64_t *out,
	struct err *err)
{
	return stmt_numbers(s, which, args, n, out, out != NULL, err);
}

int
stmt_has(struct store *s, enum stmt which, const struct db_value *args, size_t n, bool *has,
	struct err *err)
{
	int got = stmt_numbers(s, which, args, n, NULL, 0, err);

	*has = got > 0;
	return got < 0 ? -1 : 0;
}

int
stmt_text(struct store *s, enum stmt which, const struct db_value *args, size_t n, struct arena *a,
	const char **out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, which, args, n, err);
	int got = db_row(q, err);

	if (got > 0) {
		*out = column_text(q, 0, a);
		db_reset(q);
	}
	return got;
}

int
stmt_each_number(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct numbers *out, struct err *err)
{
	struct db_stmt *q = stmt_start(s, which, args, n, err);
	int got;

	while ((got = db_row(q, err)) > 0) {
		xgrow(&out->at, &out->cap, out->n + 1, sizeof(*out->at));
		out->at[out->n++] = db_column_int(q, 0);
	}
	return got;
}

int
stmt_want_next(struct store *s, enum stmt which, const struct db_value *args, size_t n,
	struct err *err)
{
	return db_gathers_next(s->db) ? db_want(stmt_start(s, which, args, n, err)) : 0;
}

int
stmt_want(struct store *s, enum stmt which, const struct db_value *args, size_t n, struct err *err)
{
	return db_gathers(s->db) ? stmt_want_next(s, which, args, n, err) : 0;
}

int64_t
short_begin_user(struct store *s, const struct scope *who, struct err *err)
{
	int64_t user = db_read_only(s->db) ? 0 : user_number(s, who->user, false, err);

	return user > 0 && db_short_begin(s->db, who->user, err) < 0 ? -1 : user;
}

int
db_next_row(struct store *s, enum stmt which, int64_t user, int64_t *row, struct err *err)
{
	int64_t number;

	if (stmt_number(s, which, ARGS(user), &number, err) < 0)
		return -1;
	*row = user_lo(user) + (number & user_hi(0));
	return number >= 1 && number <= user_hi(0)
	    ? 0
	    : err_set(err, ERR_DATA, "user has too many records: '%s'", store_path(s));
}

int
db_goes_on(struct store *s, int64_t before, int64_t last, struct err *err)
{
	return last > before
	    ? 0
	    : err_set(err, ERR_IO, "rows are out of order: store is damaged (see mem-check): '%s'",
		  store_path(s));
}

int
store_meta_get(struct store *s, const char *name, char *out, size_t size, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_META_GET, ARGS(name), err);
	int got;

	if ((got = db_row(q, err)) < 0)
		return -1;
	snprintf(out, size, "%s", got ? column_peek(q, 0) : "");
	db_reset(q);
	return 0;
}

int
store_meta_put(struct store *s, const char *name, const char *value, struct err *err)
{
	return stmt_run(s, STMT_META_PUT, ARGS(name, value), err);
}

int
store_features(char *out, size_t size)
{
	return snprintf(out, size, "words %d cards %d", WORDS_VERSION, CARD_VERSION);
}

/*
 * ERR_CONFIG: the index of the store was made by other rules than this program's (allowed for a
 * repair).
 */
static int
check_features(struct store *s, struct err *err)
{
	char have[64], want[64];

	store_features(want, sizeof(want));
	if (store_meta_get(s, "features", have, sizeof(have), err) < 0)
		return -1;
	if (strcmp(have, want) != 0 && s->mode != STORE_REPAIR)
		return err_set(err, ERR_CONFIG,
		    "index was made by another version (%s, now %s): run mem-check --repair: '%s'",
			       have, want, store_path(s));
	return 0;
}

const char *
store_path(const struct store *s)
{
	return db_path(s->db);
}

/* ---- transactions ---- */

static void
end_writing(struct store *s)
{
	writer_close(s);
	s->writing = s->buried = false;
	free(s->writes_for);
	s->writes_for = NULL;
}

static int
begin(struct store *s, const char *user, struct err *err)
{
	if (db_begin(s->db, user, err) < 0)
		return -1;
	s->writing = true;
	s->writes_for = user == NULL ? NULL : xstrdup(user);
	s->logged_step = s->logged_access_user = 0;
	chunks_forget(s);
	if (check_features(s, err) < 0 || writer_open(s, err) < 0) {
		store_rollback(s);
		return -1;
	}
	return 0;
}

int
store_begin(struct store *s, struct err *err)
{
	return begin(s, NULL, err);
}

int
store_begin_user(struct store *s, const char *user, struct err *err)
{
	return begin(s, user, err);
}

void
store_leaving(struct store *s, store_leaving_fn *fn, void *arg)
{
	s->leaving = fn;
	s->leaving_arg = arg;
}

static int
commit(struct store *s, struct err *err)
{
	if (writer_flush(s, err) < 0)
		return -1;
	if (s->buried && s->leaving != NULL)
		s->leaving(s->leaving_arg, s);
	return db_commit(s->db, err);
}

int
store_commit(struct store *s, struct err *err)
{
	if (commit(s, err) < 0) {
		store_rollback(s);
		return -1;
	}
	end_writing(s);
	s->n_commits++;
	return 0;
}

void
store_rollback(struct store *s)
{
	if (!s->writing)
		return;
	db_rollback(s->db);
	end_writing(s);
}

int
store_snapshot(struct store *s, struct err *err)
{
	db_reset_all(s->db);
	db_compare_pages(s->db, true);
	return db_snapshot(s->db, err);
}

void
store_snapshot_end(struct store *s)
{
	db_snapshot_end(s->db);
	db_compare_pages(s->db, false);
}

int
store_gather(struct store *s, bool *own, struct err *err)
{
	*own = false;
	/* the end of a snapshot resets all statements */
	if (db_has_snapshot(s->db) || db_is_busy(s->db))
		return 0;
	if (db_snapshot(s->db, err) < 0)
		return -1;
	*own = true;
	return 0;
}

void
store_gather_end(struct store *s, bool own)
{
	if (!own)
		return;
	db_drop(s->db);
	db_snapshot_end(s->db);
}
