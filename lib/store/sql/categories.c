/*
 * categories.c: categories and their members. When a record is removed for good (records.c,
 * prune.c), its category loses its name too, as that may have had a word of the record.
 */
#include "store/categories.h"

#include "base/alloc.h"
#include "store/sql/column.h"
#include "store/sql/slots.h"

int
categories_each(struct store *s, const struct scope *who, category_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct arena a = ARENA_INIT;
	struct category *all = NULL;
	size_t n = 0, cap = 0;
	struct db_stmt *q;
	int got, rc = -1;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	if ((q = stmt_bound(s, STMT_CATEGORIES, user_lo(user), user_hi(user), 0, 0, err)) == NULL)
		return -1;
	while ((got = db_row(s->db, q, err, "read category")) > 0) {
		xgrow(&all, &cap, n + 1, sizeof(*all));
		all[n] = (struct category){
			.row = db_column_int(q, 0),
			.root = (enum fact_root)column_within(q, 1, N_FACT_ROOTS),
			.name = column_text(q, 3, &a),
			.keywords = column_text(q, 4, &a),
			.created_us = db_column_int(q, 5),
			.updated_us = db_column_int(q, 6),
			.n_members = db_column_int(q, 7),
		};
		column_ulid(q, 2, all[n++].id);
	}
	if (got < 0)
		goto out;
	for (size_t i = 0; i < n; i++)
		if ((got = fn(arg, &all[i])) != 0) {
			rc = got < 0 ? -1 : 0;
			goto out;
		}
	rc = 0;
out:
	arena_release(&a);
	free(all);
	return rc;
}

int
members_each(struct store *s, const struct scope *who, int64_t category, member_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q;
	int got;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	if ((q = stmt_bound(s, category == 0 ? STMT_MEMBERS : STMT_MEMBERS_OF, user_lo(user),
		 user_hi(user), category, 0, err)) == NULL)
		return -1;
	while ((got = db_row(s->db, q, err, "read category")) > 0)
		if ((got = fn(arg, (enum vector_kind)db_column_int(q, 1), db_column_int(q, 0),
			 db_column_int(q, 2))) != 0)
			break;
	db_reset(q);
	return got < 0 ? -1 : 0;
}

int
categories_runs(struct store *s, const struct scope *who, struct category_runs *out,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct db_stmt *q = user < 0 ? NULL : stmt_bound(s, STMT_CATEGORY_RUNS, user, 0, 0, 0, err);
	int got = q == NULL ? -1 : db_row(s->db, q, err, "read category");

	*out = (struct category_runs){ TIME_NONE, 0 };
	if (got > 0) {
		out->time_us = db_column_int(q, 0);
		out->n = db_column_int(q, 1);
		db_reset(q);
	}
	return got < 0 ? -1 : 0;
}

/* ---- writing ---- */

int
category_add(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], struct category *c,
	struct err *err)
{
	struct db_stmt *q;

	if (db_next_row(s, STMT_CATEGORY_NEXT, user, &c->row, err) < 0 ||
	    (q = stmt_bound(s, STMT_CATEGORY_PUT, c->row, c->root, c->created_us, c->updated_us,
		 err)) == NULL)
		return -1;
	db_bind_copy(q, 5, ulid, ID_BYTES);
	db_bind_text(q, 6, c->name, -1);
	db_bind_text(q, 7, c->keywords, -1);
	return db_done(s->db, q, err, "write category");
}

int
category_put(struct store *s, const struct scope *who, struct category *c, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	uint8_t ulid[ID_BYTES];
	struct db_stmt *q;

	if (user < 0)
		return -1;
	if (c->row == 0) {
		id_make(ulid);
		id_format(ulid, c->id);
		return category_add(s, user, ulid, c, err);
	}
	if ((q = stmt_bound(s, STMT_CATEGORY_CHANGE, c->row, user_lo(user), user_hi(user),
		 c->updated_us, err)) == NULL)
		return -1;
	db_bind_text(q, 5, c->name, -1);
	db_bind_text(q, 6, c->keywords, -1);
	return db_done(s->db, q, err, "write category");
}

static int
run(struct store *s, enum stmt which, int64_t a, int64_t b, int64_t c, int64_t d, struct err *err)
{
	struct db_stmt *q = stmt_bound(s, which, a, b, c, d, err);

	return q == NULL ? -1 : db_done(s->db, q, err, "write category");
}

int
category_remove(struct store *s, const struct scope *who, int64_t row, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);

	return user < 0 || run(s, STMT_MEMBERS_DROP, row, user_lo(user), user_hi(user), 0, err) < 0
	    ? -1
	    : run(s, STMT_CATEGORY_DROP, row, user_lo(user), user_hi(user), 0, err);
}

int
member_put(struct store *s, const struct scope *who, enum vector_kind kind, int64_t row,
	int64_t category, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);

	if (user < 0 || row >> USER_SHIFT != user ||
	    (category != 0 && category >> USER_SHIFT != user))
		return user < 0
		    ? -1
		    : err_set(err, ERR_IO,
			  "store is damaged (see mem-check): a member of another user: '%s'",
			  store_path(s));
	return category == 0 ? run(s, STMT_MEMBER_DROP, row, kind, 0, 0, err)
			     : run(s, STMT_MEMBER_PUT, row, kind, category, 0, err);
}

int
categories_ran(struct store *s, const struct scope *who, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);

	return user < 0 ? -1 : run(s, STMT_CATEGORY_RAN, user, clock_now_us(), 0, 0, err);
}

int
members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err)
{
	return run(s, STMT_MESSAGES_UNNAME, lo, hi, 0, 0, err) < 0
	    ? -1
	    : run(s, STMT_MESSAGES_LEAVE, lo, hi, 0, 0, err);
}
