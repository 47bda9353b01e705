/*
 * transfer_rest.c: what else leaves a store and comes into another: when records were looked at,
 * categories and who is in them, and what was removed and is to stay away.
 */
#include "store/transfer.h"

#include "store/sql/column.h"
#include "store/write/tombstones.h"
#include "store/records/rows.h"
#include "store/write/writer.h"

enum { PAGE = 128 };

/* ---- when records were looked at ---- */

int
accesses_in_order(struct store *s, const struct scope *who, access_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	uint8_t after[ID_BYTES] = { 0 };
	struct access_given page[PAGE];
	size_t n = PAGE;
	int rc = user < 0 ? -1 : 0;

	while (rc == 0 && user > 0 && n == PAGE) {
		struct db_stmt *q = stmt_start(s, STMT_ACCESS_IN_ORDER, ARGS(BLOB(after, ID_BYTES),
		    ROWS_OF(user), PAGE), err);

		for (n = 0; (rc = db_row(q, err)) > 0; n++) {
			column_copy(q, 0, after, ID_BYTES);
			id_format(after, page[n].id);
			page[n].accessed_us = db_column_int(q, 1);
			page[n].n_accesses = db_column_int(q, 2);
		}
		for (size_t i = 0; i < n && rc == 0; i++)
			rc = fn(arg, &page[i]);
	}
	return rc < 0 ? -1 : 0;
}

/*
 * The change that an access is of. Where the store knows more in part, what it has then is neither
 * its own nor the other's, which must be told as well: that change is made here.
 */
static int
log_access(struct store *s, int64_t user, bool is_more, int64_t *change, struct err *err)
{
	int64_t from = s->from_peer;

	*change = s->logged_access;
	if (!is_more && s->logged_access_user == user)
		return 0;
	if (is_more)
		s->from_peer = 0;
	int rc = change_log(s, user, CHANGE_ACCESS, 0, 0, change, err);
	s->from_peer = from;
	if (rc < 0 || is_more)
		return rc;
	s->logged_access = *change;
	s->logged_access_user = user;
	return 0;
}

int
accesses_give(struct store *s, const struct scope *who, const struct access_given *v,
	enum give_did *did, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	uint8_t ulid[ID_BYTES];
	int64_t change, is_more;
	int got;

	*did = GIVEN_SAME;
	if (user < 0 || id_parse(v->id, strlen(v->id), ulid) < 0)
		return user < 0 ? -1 : err_set(err, ERR_DATA, "an access without an id");
	if ((got = stmt_number(s, STMT_ACCESS_LESS, ARGS(BLOB(ulid, ID_BYTES), v->accessed_us,
	    v->n_accesses, ROWS_OF(user)), &is_more, err)) <= 0)
		return got;
	*did = GIVEN_STORED;
	return log_access(s, user, is_more != 0, &change, err) < 0
	    ? -1
	    : stmt_run(s, STMT_ACCESS_PUT, ARGS(BLOB(ulid, ID_BYTES), v->accessed_us,
		  v->n_accesses, ROWS_OF(user), change), err);
}

/* ---- categories ---- */

/* A category's row by its id; 0: there is none. */
static int
find_category(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], int64_t *row,
	struct err *err)
{
	return stmt_number(s, STMT_CATEGORY_ROW, ARGS(BLOB(ulid, ID_BYTES), ROWS_OF(user)), row,
	    err) < 0 ? -1 : 0;
}

struct same_category { const struct category *given; bool same, bare; };

static int
compare_category(void *arg, const struct category *c)
{
	struct same_category *v = arg;

	if (strcmp(c->id, v->given->id) != 0)
		return 0;
	v->bare = *c->name == '\0';
	v->same = c->root == v->given->root && c->hand == v->given->hand &&
	    strcmp(c->name, v->given->name) == 0 &&
	    strcmp(c->keywords, v->given->keywords) == 0 &&
	    c->updated_us == v->given->updated_us && c->created_us == v->given->created_us;
	return 1;
}

int
categories_give(struct store *s, const struct scope *who, struct category *c, enum give_did *did,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	struct same_category v = { c, false, false };
	uint8_t ulid[ID_BYTES];

	if (user < 0 || id_parse(c->id, strlen(c->id), ulid) < 0)
		return user < 0 ? -1 : err_set(err, ERR_DATA, "a category without an id");
	if (find_category(s, user, ulid, &c->row, err) < 0)
		return -1;
	if (c->row != 0) {
		if (categories_each(s, who, compare_category, &v, err) < 0)
			return -1;
		*did = v.same ? GIVEN_SAME : v.bare ? GIVEN_BURIED : GIVEN_DIFFERS;
		return 0;
	}
	*did = GIVEN_STORED;
	return category_add(s, user, ulid, c, err);
}

static int
members_of_table(struct store *s, enum stmt which, int64_t user, member_given_fn *fn, void *arg,
	struct err *err)
{
	uint8_t after[ID_BYTES] = { 0 };
	struct member_given page[PAGE];
	size_t n = PAGE;
	int rc = 0;

	while (rc == 0 && n == PAGE) {
		struct db_stmt *q = stmt_start(s, which, ARGS(BLOB(after, ID_BYTES), ROWS_OF(user),
		    PAGE), err);

		for (n = 0; (rc = db_row(q, err)) > 0; n++) {
			column_copy(q, 0, after, ID_BYTES);
			id_format(after, page[n].id);
			page[n].kind = (enum vector_kind)db_column_int(q, 1);
			column_ulid(q, 2, page[n].category);
		}
		for (size_t i = 0; i < n && rc == 0; i++)
			rc = fn(arg, &page[i]);
	}
	return rc;
}

int
members_in_order(struct store *s, const struct scope *who, member_given_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	int rc = (int)MIN(user, 0);

	if (user > 0)
		rc = members_of_table(s, STMT_MEMBER_MESSAGES, user, fn, arg, err);
	if (user > 0 && rc == 0)
		rc = members_of_table(s, STMT_MEMBER_RECORDS, user, fn, arg, err);
	return rc < 0 ? -1 : 0;
}

/* The row of a message or record of the user by its id; 0: there is none. */
static int
find_member(struct store *s, int64_t user, enum vector_kind kind, const uint8_t ulid[ID_BYTES],
	int64_t *row, struct err *err)
{
	int got = stmt_number(s, kind == VECTOR_MESSAGE ? STMT_MESSAGE_ROW : STMT_RECORD_ROW,
	    ARGS(BLOB(ulid, ID_BYTES)), row, err);

	if (*row >> USER_SHIFT != user)
		*row = 0;
	return got < 0 ? -1 : 0;
}

int
members_give(struct store *s, const struct scope *who, const struct member_given *v,
	enum give_did *did, struct err *err)
{
	int64_t user = writer_user(s, who->user, err), row, category, is_in;
	uint8_t record[ID_BYTES], ulid[ID_BYTES];

	if (user < 0 || id_parse(v->id, strlen(v->id), record) < 0 ||
	    id_parse(v->category, strlen(v->category), ulid) < 0)
		return user < 0 ? -1 : err_set(err, ERR_DATA, "a member without an id");
	if (find_member(s, user, v->kind, record, &row, err) < 0 ||
	    find_category(s, user, ulid, &category, err) < 0)
		return -1;
	/* a record that is not here was removed, or did not come */
	*did = row == 0 ? GIVEN_BURIED : GIVEN_DIFFERS;
	if (row == 0 || category == 0)
		return 0;
	if (stmt_number(s, STMT_MEMBER_OF, ARGS(row, v->kind), &is_in, err) < 0)
		return -1;
	if (is_in != 0) {
		*did = is_in == category ? GIVEN_SAME : GIVEN_DIFFERS;
		return 0;
	}
	*did = GIVEN_STORED;
	return member_put(s, who, v->kind, row, category, err);
}

/* ---- what was removed ---- */

int
tombstones_in_order(struct store *s, const struct scope *who, tombstone_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	uint8_t page[PAGE][TOMBSTONE_BYTES], after[TOMBSTONE_BYTES] = { 0 };
	size_t n = PAGE, n_after = 0;
	int rc = user < 0 ? -1 : 0;

	while (rc == 0 && user > 0 && n == PAGE) {
		struct db_stmt *q = stmt_start(s, STMT_TOMBSTONES, ARGS(user, BLOB(after,
		    n_after), PAGE), err);

		for (n = 0; (rc = db_row(q, err)) > 0; )
			n += column_copy(q, 0, page[n], TOMBSTONE_BYTES);
		for (size_t i = 0; i < n && rc == 0; i++)
			rc = fn(arg, page[i]);
		if (n > 0)
			memcpy(after, page[n - 1], n_after = TOMBSTONE_BYTES);
	}
	return rc < 0 ? -1 : 0;
}

int
tombstones_give(struct store *s, const struct scope *who, const uint8_t key[TOMBSTONE_BYTES],
	enum give_did *did, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	bool has;

	if (user < 0 || tombstone_has(s, user, key, &has, err) < 0)
		return -1;
	*did = has ? GIVEN_SAME : GIVEN_STORED;
	return has ? 0 : tombstone_put(s, user, key, err);
}

/* Whether a message of that id was removed, and has not come back. */
static int
is_gone(struct store *s, int64_t user, const uint8_t ulid[ID_BYTES], bool *gone, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	int64_t row;

	tombstone_source_key(ulid, key);
	if (tombstone_has(s, user, key, gone, err) < 0)
		return -1;
	if (*gone && find_member(s, user, VECTOR_MESSAGE, ulid, &row, err) < 0)
		return -1;
	*gone = *gone && row == 0;
	return 0;
}

int
sources_gone(struct store *s, const struct scope *who, const struct record_head *h, size_t *n,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	bool any, gone;

	*n = 0;
	if (user < 0 || writer_tombstones(s, user, &any, err) < 0)
		return -1;
	for (size_t i = 0; i < h->n_sources && any && !s->put.pruned_return; i++) {
		const char *id = h->sources[i].id;
		uint8_t ulid[ID_BYTES];

		if (id_parse(id, strlen(id), ulid) < 0)
			continue;
		if (is_gone(s, user, ulid, &gone, err) < 0)
			return -1;
		*n += gone;
	}
	return 0;
}
