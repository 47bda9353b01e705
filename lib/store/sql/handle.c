/*
 * handle.c: what a handle of the store keeps beside its connection: its statements, prepared when
 * they are first needed; numbers of new rows; settings of the store itself.
 */
#include "base/alloc.h"
#include "index/turn_features.h"
#include "store/sql/column.h"
#include "text/words.h"

int
store_still_known(int64_t version, const char *path, struct err *err)
{
	if (version <= STORE_VERSION)
		return 0;
	return err_set(err, ERR_CONFIG, "a newer mem has brought the store to version %lld, this "
	    "program knows %d: start it again: '%s'", (long long)version, STORE_VERSION, path);
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
	}
	if (*q != NULL)
		db_bind(*q, args, n);
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
		*xpush(out->at, out->n, out->cap) = db_column_int(q, 0);
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
	    : err_set(err, ERR_IO, "rows are out of order: store is " ERR_DAMAGED ": '%s'",
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
