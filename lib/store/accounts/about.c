/*
 * about.c: profiles. The queue of vectors sees a profile's fields only with consent. It takes all
 * rows up to the last one that it has seen for done, so the fields get new rows when consent comes
 * back. Removed values are overwritten in their page (secure_delete), and the pages of their
 * vectors are written anew without them.
 */
#include "store/about.h"

#include "base/order.h"
#include "store/write/tombstones.h"
#include "store/sql/column.h"
#include "store/vectors/slots.h"
#include "store/transfer.h"
#include "store/write/writer.h"

const char *const about_fields[] = { "style", "languages", "frameworks", "goals", "domain",
	"constraints", "notes", NULL };
const char *const about_meanings[] = { "coding style", "languages", "frameworks", "goals", "domain",
	"constraints", "notes", NULL };

int
about_field_parse(const char *s)
{
	return text_index(s, about_fields, N_ABOUT_FIELDS);
}

/* ---- reading ---- */

struct kept { struct arena arena; struct about items[N_ABOUT_FIELDS]; bool has[N_ABOUT_FIELDS]; };

static int
read_all(struct store *s, int64_t user, struct kept *k, struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_PROFILE, ARGS(ROWS_OF(user)), err);
	int got, field;

	while ((got = db_row(q, err)) > 0)
		if ((field = about_field_parse(column_peek(q, 1))) >= 0) {
			k->items[field] = (struct about){ field, column_text(q, 2, &k->arena),
				db_column_int(q, 3), db_column_int(q, 0) };
			k->has[field] = true;
		}
	return got;
}

int
about_each(struct store *s, const struct scope *who, about_fn *fn, void *arg, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct kept k = { .arena = ARENA_INIT };
	int rc = user > 0 ? read_all(s, user, &k, err) : (int)user;

	for (size_t i = 0; rc == 0 && i < N_ABOUT_FIELDS; i++)
		if (k.has[i])
			rc = fn(arg, &k.items[i]);
	arena_release(&k.arena);
	return rc < 0 ? -1 : 0;
}

int
about_consent(struct store *s, const struct scope *who, bool *yes, int64_t *since_us,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	int64_t v[2];

	*yes = false;
	*since_us = TIME_NONE;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	int got = stmt_numbers(s, STMT_PROFILE_CONSENT, ARGS(user), v, NELEM(v), err);
	if (got > 0) {
		*yes = v[0] != 0;
		*since_us = v[1];
	}
	return got < 0 ? -1 : 0;
}

/* ---- writing ---- */


/*
 * The row is removed before its vector: a vector that is removed from a row that is still there is
 * queued again.
 */
static int
drop(struct store *s, const struct scope *who, int64_t user, int64_t row, struct err *err)
{
	return stmt_run(s, STMT_PROFILE_DELETE, ARGS(row, ROWS_OF(user)), err) < 0
	    ? -1
	    : vectors_remove(s, who, VECTOR_PROFILE, &row, 1, err);
}

static int
store_field(struct store *s, int64_t user, int field, const char *value, int64_t updated_us,
	struct err *err)
{
	int64_t row;

	return db_next_row(s, STMT_PROFILE_NEXT, user, &row, err) < 0
	    ? -1
	    : stmt_run(s, STMT_PROFILE_PUT, ARGS(row, updated_us, about_fields[field], value),
		  err);
}

int
about_put(struct store *s, const struct scope *who, int field, const char *value, struct err *err)
{
	int64_t user = user_number(s, who->user, true, err);
	struct kept k = { .arena = ARENA_INIT };
	int rc = -1;

	if (strlen(value) > ABOUT_BYTES)
		return err_set(err, ERR_DATA, "over %d bytes", ABOUT_BYTES);
	if (user < 0 || read_all(s, user, &k, err) < 0)
		goto out;
	if (k.has[field] && strcmp(k.items[field].value, value) == 0)
		rc = 0;
	else if (!k.has[field] || drop(s, who, user, k.items[field].row, err) == 0)
		rc = *value == '\0' ? 0 : store_field(s, user, field, value, clock_now_us(), err);
out:
	arena_release(&k.arena);
	return rc;
}

static int
put_consent(struct store *s, int64_t user, bool yes, int64_t since_us, struct err *err)
{
	return stmt_run(s, STMT_PROFILE_SET_CONSENT, ARGS(user, yes, since_us), err) < 0
	    ? -1
	    : change_log(s, user, CHANGE_CONSENT, 0, 0, NULL, err);
}

static int
change_consent(struct store *s, const struct scope *who, int64_t user, bool yes, int64_t since_us,
	struct err *err)
{
	struct kept k = { .arena = ARENA_INIT };
	int rc = -1;

	if (put_consent(s, user, yes, since_us, err) < 0 || read_all(s, user, &k, err) < 0)
		goto out;
	rc = 0;
	for (int i = 0; i < N_ABOUT_FIELDS && rc == 0; i++)
		if (k.has[i] && (rc = drop(s, who, user, k.items[i].row, err)) == 0)
			rc = store_field(s, user, i, k.items[i].value, k.items[i].updated_us, err);
out:
	arena_release(&k.arena);
	return rc;
}

/* Now, and later than what is known: another store's clock may be ahead. */
static int64_t
after(int64_t known_us)
{
	int64_t now_us = clock_now_us();

	return known_us == TIME_NONE || known_us < now_us ? now_us : known_us + 1;
}

int
about_set_consent(struct store *s, const struct scope *who, bool yes, struct err *err)
{
	int64_t user = user_number(s, who->user, true, err), since_us;
	bool was;

	if (user < 0 || about_consent(s, who, &was, &since_us, err) < 0)
		return -1;
	return was == yes && since_us != TIME_NONE
	    ? 0
	    : change_consent(s, who, user, yes, after(since_us), err);
}

int
about_revoke(struct store *s, const struct scope *who, size_t *n, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err), since_us;
	struct kept k = { .arena = ARENA_INIT };
	bool was;

	*n = 0;
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (about_consent(s, who, &was, &since_us, err) < 0)
		return -1;
	int rc = read_all(s, user, &k, err);
	for (size_t i = 0; i < N_ABOUT_FIELDS && rc == 0; i++)
		if (k.has[i]) {
			rc = drop(s, who, user, k.items[i].row, err);
			++*n;
		}
	if (rc == 0)
		rc = put_consent(s, user, false, after(since_us), err);
	arena_release(&k.arena);
	return rc;
}

/* ---- from another store ---- */

int
about_give(struct store *s, const struct scope *who, const struct about *v, enum give_did *did,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	struct kept k = { .arena = ARENA_INIT };
	int rc = -1;

	if (strlen(v->value) > ABOUT_BYTES || *v->value == '\0')
		return err_set(err, ERR_DATA, "a profile's field is empty, or over %d bytes",
		    ABOUT_BYTES);
	if (user < 0 || read_all(s, user, &k, err) < 0)
		goto out;
	*did = !k.has[v->field]					     ? GIVEN_STORED
	    : strcmp(k.items[v->field].value, v->value) == 0 ? GIVEN_SAME
								     : GIVEN_DIFFERS;
	rc = *did == GIVEN_STORED ? store_field(s, user, v->field, v->value, v->updated_us, err)
				  : 0;
out:
	arena_release(&k.arena);
	return rc;
}

int
about_give_consent(struct store *s, const struct scope *who, bool yes, int64_t since_us,
	enum give_did *did, struct err *err)
{
	int64_t user = writer_user(s, who->user, err), have_us;
	bool was;

	if (user < 0 || about_consent(s, who, &was, &have_us, err) < 0)
		return -1;
	if (s->from_peer != 0) {
		/* The later one stands; of two at the same time, "no". */
		*did = have_us == TIME_NONE || since_us > have_us ||
			(since_us == have_us && was && !yes)
		    ? GIVEN_STORED
		    : GIVEN_SAME;
		return *did == GIVEN_SAME ? 0 : change_consent(s, who, user, yes, since_us, err);
	}
	*did = have_us == TIME_NONE || have_us == 0 ? GIVEN_STORED
	    : was == yes			    ? GIVEN_SAME
						    : GIVEN_DIFFERS;
	return *did == GIVEN_STORED ? put_consent(s, user, yes, since_us, err) : 0;
}
