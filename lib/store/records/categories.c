/*
 * categories.c: categories and their members. When a record is removed for good (records.c,
 * prune.c), its category loses its name too, as that may have had a word of the record; one that a
 * person gave it, with the last member.
 *
 * Keywords are stored as a JSON array; where a person had a hand in it, as the only member of an
 * object that says which: {"named":["chess","club"]}.
 */
#include "store/categories.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "store/sql/column.h"
#include "store/sql/handle.h"
#include "store/records/rows.h"
#include "store/write/writer.h"

const char *const category_hands[] = { "", "kept", "named", "dropped" };

/* Takes the keywords apart as they are stored; of an object that is damaged there are none. */
static void
read_keywords(struct category *c, struct arena *a)
{
	const char *stored = c->keywords;
	size_t len = strlen(stored);

	if (*stored != '{')
		return;
	c->keywords = "[]";
	for (enum category_hand i = HAND_KEPT; i < N_HANDS; i++) {
		size_t n = strlen(category_hands[i]) + strlen("{\"\":");

		if (len < n + strlen("[]}") || strcmp(stored + len - 2, "]}") != 0 ||
		    strncmp(stored + 2, category_hands[i], n - 4) != 0 || stored[n] != '[')
			continue;
		c->hand = i;
		c->keywords = arena_strndup(a, stored + n, len - n - 1);
	}
}

/* Returns the keywords as they are stored; they live as long as b. */
static const char *
stored_keywords(const struct category *c, struct buf *b)
{
	if (c->hand == HAND_NONE)
		return c->keywords;
	buf_addf(b, "{\"%s\":%s}", category_hands[c->hand], c->keywords);
	return b->data;
}

int
categories_each(struct store *s, const struct scope *who, category_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	LOCAL(arena) a = ARENA_INIT;
	FREED struct category *all = NULL;
	size_t n = 0, cap = 0;
	int got;

	if (user <= 0)
		return user < 0 ? -1 : 0;
	struct db_stmt *q = stmt_start(s, STMT_CATEGORIES, ARGS(ROWS_OF(user)), err);
	while ((got = db_row(q, err)) > 0) {
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
		read_keywords(&all[n], &a);
		column_ulid(q, 2, all[n++].id);
	}
	for (size_t i = 0; got == 0 && i < n; i++)
		got = fn(arg, &all[i]);
	return got < 0 ? -1 : 0;
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
	q = stmt_start(s, category == 0 ? STMT_MEMBERS : STMT_MEMBERS_OF, ARGS(ROWS_OF(user),
	    category), err);
	while ((got = db_row(q, err)) > 0)
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
	int64_t v[2] = { 0, 0 };
	int got = user < 0 ? -1
	    : stmt_numbers(s, STMT_CATEGORY_RUNS, ARGS(user), v, NELEM(v), err);

	*out = (struct category_runs){ got > 0 ? v[0] : TIME_NONE, v[1] };
	return got < 0 ? -1 : 0;
}

/* ---- writing ---- */

int
category_add(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], struct category *c,
	struct err *err)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	return db_next_row(s, STMT_CATEGORY_NEXT, user, &c->row, err) < 0
	    ? -1
	    : stmt_run(s, STMT_CATEGORY_PUT, ARGS(c->row, c->root, c->created_us, c->updated_us,
		  BLOB(ulid, ID_BYTES), c->name, stored_keywords(c, &b)), err);
}

int
category_put(struct store *s, const struct scope *who, struct category *c, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	uint8_t ulid[ID_BYTES];

	if (user < 0)
		return -1;
	if (c->row == 0) {
		id_make(ulid);
		id_format(ulid, c->id);
		return category_add(s, user, ulid, c, err);
	}
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	return stmt_run(s, STMT_CATEGORY_CHANGE, ARGS(c->row, ROWS_OF(user), c->updated_us,
	    c->name, stored_keywords(c, &b)), err);
}

int
category_remove(struct store *s, const struct scope *who, int64_t row, struct err *err)
{
	static const enum stmt all[] = { STMT_MEMBERS_DROP, STMT_CATEGORY_DROP };
	int64_t user = writer_user(s, who->user, err);

	return user < 0 ? -1 : stmts_run(s, all, NELEM(all), ARGS(row, ROWS_OF(user)), err);
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
			  "store is " ERR_DAMAGED ": a member of another user: '%s'",
			  store_path(s));
	return category == 0 ? stmt_run(s, STMT_MEMBER_DROP, ARGS(row, kind), err)
			     : stmt_run(s, STMT_MEMBER_PUT, ARGS(row, kind, category), err);
}

int
categories_ran(struct store *s, const struct scope *who, int64_t time_us, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);

	return user < 0 ? -1 : stmt_run(s, STMT_CATEGORY_RAN, ARGS(user, time_us), err);
}

int
members_forget(struct store *s, int64_t lo, int64_t hi, struct err *err)
{
	static const enum stmt all[] = { STMT_MESSAGES_UNNAME, STMT_MESSAGES_LEAVE };

	return stmts_run(s, all, NELEM(all), ARGS(lo, hi), err) < 0
	    ? -1
	    : stmt_run(s, STMT_CATEGORIES_EMPTIED, ARGS(ROWS_OF(lo >> USER_SHIFT)), err);
}
