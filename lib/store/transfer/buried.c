/*
 * buried.c: finds what this store still has of what another store has removed. A tombstone is a
 * hash of what identifies a message, session or record. So that is hashed for all that is here,
 * from one index, and looked for among the keys.
 */
#include "store/sync.h"

#include "base/alloc.h"
#include "store/prune.h"
#include "store/sql/column.h"
#include "store/write/tombstones.h"
#include "store/index/segments.h"

struct keys { uint8_t (*at)[TOMBSTONE_BYTES]; size_t n; };

static int
by_key(const void *x, const void *y)
{
	return memcmp(x, y, TOMBSTONE_BYTES);
}

static struct keys
sorted(const uint8_t (*keys)[TOMBSTONE_BYTES], size_t n)
{
	struct keys k = { xreallocarray(NULL, n + 1, sizeof(*k.at)), n };

	memcpy(k.at, keys, n * sizeof(*k.at));
	if (n > 0)
		qsort(k.at, n, sizeof(*k.at), by_key);
	return k;
}

static bool
has(const struct keys *k, const uint8_t key[TOMBSTONE_BYTES])
{
	return k->n > 0 && bsearch(key, k->at, k->n, sizeof(*k->at), by_key) != NULL;
}

struct found { char id[ID_TEXT]; char *session; };
struct finder {
	struct store *s;
	int64_t user;
	struct keys keys;
	struct found *at;
	size_t n, cap;
	int64_t *rows;                     /* of messages [n_rows] */
	size_t n_rows, cap_rows;
	struct err *err;
};

static struct found *
add(struct finder *f)
{
	xgrow(&f->at, &f->cap, f->n + 1, sizeof(*f->at));
	f->at[f->n] = (struct found){ "", NULL };
	return &f->at[f->n++];
}

/* ---- turns ---- */

static int
find_turns(struct finder *f)
{
	struct db_stmt *q = stmt_start(f->s, STMT_MESSAGE_KEYS, ARGS(ROWS_OF(f->user)), f->err);
	uint8_t key[TOMBSTONE_BYTES];
	LOCAL(arena) a = ARENA_INIT;
	const char *name = "";
	int64_t session = -1;
	int got;

	while ((got = db_row(q, f->err)) > 0) {
		bool is_text = db_column_type(q, 1) == DB_TEXT;
		const void *source = db_column_blob(q, 1);

		if (db_column_int(q, 0) != session) {
			session = db_column_int(q, 0);
			arena_reset(&a);
			name = "";
			if ((got = stmt_text(f->s, STMT_SESSION_NAME, ARGS(f->user, session), &a,
			    &name, f->err)) < 0)
				break;
		}
		tombstone_key(name, source == NULL ? "" : source, (size_t)db_column_bytes(q, 1),
		    is_text, key);
		if (!has(&f->keys, key))
			continue;
		*xpush(f->rows, f->n_rows, f->cap_rows) = db_column_int(q, 2);
	}
	db_reset(q);
	return got < 0 ? -1 : 0;
}

static int
name_turns(struct finder *f, const struct scope *who)
{
	enum { PAGE = 64 };
	const struct message *page[PAGE];
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;

	for (size_t first = 0; first < f->n_rows && rc == 0; first += PAGE) {
		size_t n = MIN(f->n_rows - first, (size_t)PAGE);

		arena_reset(&a);
		rc = messages_by_rows(f->s, who, f->rows + first, n, &a, page, f->err);
		for (size_t i = 0; i < n && rc == 0; i++)
			if (page[i] != NULL)
				memcpy(add(f)->id, page[i]->id, ID_TEXT);
	}
	return rc;
}

/* ---- records, sessions ---- */

static int
find_records(struct finder *f)
{
	struct db_stmt *q = stmt_start(f->s, STMT_RECORD_IDS, ARGS(ROWS_OF(f->user)), f->err);
	uint8_t ulid[ID_BYTES], key[TOMBSTONE_BYTES];
	int got;

	while ((got = db_row(q, f->err)) > 0) {
		if (db_column_bytes(q, 0) != ID_BYTES)
			continue;
		memcpy(ulid, db_column_blob(q, 0), ID_BYTES);
		tombstone_record_key(ulid, key);
		if (has(&f->keys, key))
			id_format(ulid, add(f)->id);
	}
	return got < 0 ? -1 : 0;
}

/* Sessions with turns, or without, that were removed; or of which a part was (is_part). */
static int
find_sessions(struct finder *f, bool with_turns, bool is_part)
{
	struct db_stmt *q = stmt_start(f->s, STMT_SESSION_NAMES, ARGS(f->user), f->err);
	uint8_t key[TOMBSTONE_BYTES];
	int got;

	while ((got = db_row(q, f->err)) > 0) {
		const char *name = column_peek(q, 0);

		if (is_part)
			tombstone_part_key(name, key);
		else
			tombstone_key(name, NULL, 0, false, key);
		if ((db_column_int(q, 1) != 0) == with_turns && has(&f->keys, key))
			add(f)->session = xstrdup(column_peek(q, 0));
	}
	return got < 0 ? -1 : 0;
}

static void
release(struct finder *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->at[i].session);
	free(f->at);
	free(f->rows);
	free(f->keys.at);
}

int
buried_each(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, buried_fn *fn, void *arg, struct err *err)
{
	struct finder f = { .s = s, .user = user_number(s, who->user, false, err), .err = err };

	if (f.user <= 0)
		return f.user < 0 ? -1 : 0;
	f.keys = sorted(keys, n_keys);
	int rc = find_turns(&f) < 0 || name_turns(&f, who) < 0 || find_records(&f) < 0 ||
		find_sessions(&f, false, false) < 0
	    ? -1
	    : 0;
	for (size_t i = 0; i < f.n && rc == 0; i++)
		rc = fn(arg, f.at[i].session == NULL ? f.at[i].id : NULL, f.at[i].session);
	release(&f);
	return rc < 0 ? -1 : 0;
}

int
buried_bare(struct store *s, const struct scope *who, const uint8_t (*keys)[TOMBSTONE_BYTES],
	size_t n_keys, struct err *err)
{
	struct finder f = { .s = s, .user = user_number(s, who->user, false, err), .err = err };
	size_t n_bare = 0;
	int rc;

	if (f.user <= 0)
		return f.user < 0 ? -1 : 0;
	f.keys = sorted(keys, n_keys);
	if ((rc = find_sessions(&f, true, false)) == 0) {
		n_bare = f.n;
		rc = find_sessions(&f, true, true);
	}
	for (size_t i = 0; i < f.n && rc == 0; i++) {
		if (i < n_bare)
			rc = stmt_run(s, STMT_SESSION_BARE, ARGS(f.user, f.at[i].session), err);
		if (rc == 0)
			rc = session_span(s, f.user, f.at[i].session, err);
	}
	release(&f);
	return rc;
}

/* ---- what was removed here ---- */

int
gone_any(struct store *s, const struct scope *who, bool *any, struct err *err)
{
	*any = false;
	/* a transaction for one user removes nothing of others */
	if (s->writes_for != NULL && strcmp(s->writes_for, who->user) != 0)
		return 0;
	int64_t user = user_number(s, who->user, false, err);
	return user <= 0 ? (int)user : tombstones_any(s, user, any, err);
}

int
session_is_gone(struct store *s, const struct scope *who, const char *name, bool *is,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	uint8_t key[TOMBSTONE_BYTES];
	struct session_parts parts;

	*is = false;
	if (user <= 0)
		return (int)user;
	tombstone_key(name, NULL, 0, false, key);
	if (tombstone_has(s, user, key, is, err) < 0 ||
	    (*is && session_parts(s, user, name, &parts, err) < 0))
		return -1;
	*is = *is && parts.n == 0;
	return 0;
}

int
id_is_gone(struct store *s, const struct scope *who, const char *id, bool *is, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	uint8_t ulid[ID_BYTES], key[TOMBSTONE_BYTES];

	*is = false;
	if (user <= 0 || id_parse(id, strlen(id), ulid) != 0)
		return MIN((int)user, 0);
	tombstone_record_key(ulid, key);
	if (tombstone_has(s, user, key, is, err) < 0)
		return -1;
	tombstone_source_key(ulid, key);
	return *is ? 0 : tombstone_has(s, user, key, is, err);
}
