/*
 * changes.c: the log of what came to be known here, and the other stores that read it.
 *
 *	here    1   2   3   4   5        there
 *	        own own own of  own      got 3: it asks for (3, 5], and has 4 itself
 *	                    it
 *
 * A number is given in the transaction that makes what it names, under the lock of writers, so who
 * reads up to a number misses nothing before it.
 *
 * A store that is far away is shared by its machines already: it keeps no log, and has no id.
 */
#include "store/write/tombstones.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "store/sql/column.h"
#include "store/sync.h"
#include "store/write/writer.h"

/* ---- the log ---- */

/* A statement with all but "what" bound, which is parameter 3. */
static int
put_change(struct store *s, int64_t user, enum change_kind kind, struct db_value what, int64_t n,
	int64_t *no, struct err *err)
{
	uint64_t tag;

	if (db_is_far(s->db))
		return 0;
	id_noise((uint8_t *)&tag, sizeof(tag));
	return stmt_number(s, STMT_CHANGE_LOG, ARGS(user, kind, what, n, LABEL(s->from_peer),
	    tag >> 1), no, err) < 0 ? -1 : 0;
}

int
change_log(struct store *s, int64_t user, enum change_kind kind, int64_t what, int64_t n,
	int64_t *no, struct err *err)
{
	return put_change(s, user, kind, value_number(what), n, no, err);
}

int
change_log_key(struct store *s, int64_t user, const uint8_t *key, size_t len, struct err *err)
{
	return put_change(s, user, CHANGE_TOMBSTONE, BLOB(key, len), 0, NULL, err);
}

int
change_log_step(struct store *s, int64_t step, struct err *err)
{
	if (s->logged_step == step)
		return 0;
	s->logged_step = step;
	return change_log(s, step >> USER_SHIFT, CHANGE_STEP, step, 0, NULL, err);
}

/* ---- marks ---- */

char *
mark_format(const struct mark *m, char out[MARK_TEXT])
{
	snprintf(out, MARK_TEXT, "%" PRId64 ":%016" PRIx64, m->no, (uint64_t)m->tag);
	return out;
}

int
mark_parse(const char *text, size_t len, struct mark *out)
{
	char copy[MARK_TEXT], *end;

	if (len >= sizeof(copy))
		return -1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (copy[0] < '0' || copy[0] > '9' || strchr(copy, ':') == NULL)
		return -1;
	out->no = strtoll(copy, &end, 10);
	if (*end != ':' || strspn(end + 1, "0123456789abcdef") != 16 || end[17] != '\0')
		return -1;
	out->tag = (int64_t)(strtoull(end + 1, NULL, 16) & INT64_MAX);
	return 0;
}

/* A number of the user's, or its last with no 0; what->no 0: there is none. */
static int
find_mark(struct store *s, const char *user_name, int64_t no, struct mark *out, struct err *err)
{
	int64_t user = user_number(s, user_name, false, err);
	int64_t v[2];

	*out = (struct mark){ 0, 0 };
	if (user <= 0)
		return user < 0 ? -1 : 0;
	if (stmt_numbers(s, no == 0 ? STMT_CHANGE_LAST : STMT_CHANGE_TAG, ARGS(user, no), v,
	    NELEM(v), err) < 0)
		return -1;
	*out = (struct mark){ v[0], v[1] };
	return 0;
}

int
marks_last(struct store *s, const struct scope *who, struct mark *out, struct err *err)
{
	return find_mark(s, who->user, 0, out, err);
}

int
marks_known(struct store *s, const struct scope *who, const struct mark *m, bool *known,
	struct err *err)
{
	struct mark have;

	*known = m->no == 0;
	if (m->no <= 0)
		return 0;
	if (find_mark(s, who->user, m->no, &have, err) < 0)
		return -1;
	*known = have.no == m->no && have.tag == m->tag;
	return 0;
}

/* ---- this store ---- */

static int
need_log(struct store *s, struct err *err)
{
	return !db_is_far(s->db)
	    ? 0
	    : err_set(err, ERR_CONFIG, "a store on a server is not brought together with "
		  "others: mem-export and mem-import move what it has: '%s'", store_path(s));
}

int
store_id(struct store *s, char id[ID_TEXT], struct err *err)
{
	id[0] = '\0';
	if (need_log(s, err) != 0)
		return -1;
	struct db_stmt *q = stmt_start(s, STMT_STORE_ID, NO_ARGS, err);
	int got = db_row(q, err);
	if (got > 0)
		column_ulid(q, 0, id);
	db_reset(q);
	return got < 0 ? -1
	    : *id != '\0' ? 0
	    : err_set(err, ERR_IO, "store has no id: it is " ERR_DAMAGED ": '%s'",
		  store_path(s));
}

int
store_new_id(struct store *s, struct err *err)
{
	int64_t ms = clock_now_us() / 1000;
	uint8_t ulid[ID_BYTES];

	if (need_log(s, err) != 0)
		return -1;
	id_noise(ulid, sizeof(ulid));
	for (int i = 0; i < 6; i++)
		ulid[i] = (uint8_t)(ms >> (40 - 8 * i));
	return stmt_run(s, STMT_STORE_ID_PUT, ARGS(BLOB(ulid, sizeof(ulid))), err);
}

/* ---- other stores ---- */

static int
read_peers(struct store *s, int64_t user, struct arena *a, struct peer **out, size_t *n,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_PEERS, ARGS(user), err);
	size_t cap = 0;
	int got;

	*out = NULL;
	*n = 0;
	while ((got = db_row(q, err)) > 0) {
		struct peer *v = xpush(*out, *n, cap);

		v->no = db_column_int(q, 0);
		column_ulid(q, 1, v->id);
		v->name = column_text(q, 2, a);
		v->got = (struct mark){ db_column_int(q, 3), db_column_int(q, 4) };
		v->sent = db_column_int(q, 5);
	}
	return got;
}

int
peers_each(struct store *s, const struct scope *who, peer_fn *fn, void *arg, struct err *err)
{
	int64_t user = need_log(s, err) != 0 ? -1 : user_number(s, who->user, false, err);
	LOCAL(arena) a = ARENA_INIT;
	FREED struct peer *all = NULL;
	size_t n = 0;
	int rc = user > 0 ? read_peers(s, user, &a, &all, &n, err) : (int)user;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = fn(arg, &all[i]);
	return rc < 0 ? -1 : 0;
}

struct sought { const char *name; struct arena *arena; struct peer *found; bool twice; };

static int
note_peer(void *arg, const struct peer *v)
{
	struct sought *w = arg;
	bool by_id = strcmp(v->id, w->name) == 0;

	if (!by_id && strcmp(v->name, w->name) != 0)
		return 0;
	w->twice = w->found != NULL;
	w->found = arena_zalloc(w->arena, sizeof(*w->found));
	*w->found = *v;
	w->found->name = arena_strdup(w->arena, v->name);
	return by_id;
}

int
peers_find(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const struct peer **out, struct err *err)
{
	struct sought w = { name, a, NULL, false };

	*out = NULL;
	if (peers_each(s, who, note_peer, &w, err) < 0)
		return -1;
	if (w.twice && strcmp(w.found->id, name) != 0)
		return err_set(err, ERR_DATA,
		    "two stores are called '%.100s': name one by its id (mem-sync --peers)", name);
	*out = w.found;
	return 0;
}

int
peers_meet(struct store *s, const struct scope *who, const char *id, const char *name,
	struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	uint8_t ulid[ID_BYTES];
	char own[ID_TEXT];

	s->from_peer = 0;
	if (user < 0 || store_id(s, own, err) < 0)
		return -1;
	if (id_parse(id, strlen(id), ulid) < 0 || strlen(name) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "a store without an id");
	if (strcmp(own, id) == 0)
		return err_set(err, ERR_DATA,
		    "it comes from this very store, or from a copy of it, which 'mem-sync "
		    "--new-id' makes one of its own");
	return stmt_number(s, STMT_PEER_MEET, ARGS(user, BLOB(ulid, sizeof(ulid)), name),
	    &s->from_peer, err) < 0 ? -1 : 0;
}

void
peers_leave(struct store *s)
{
	s->from_peer = 0;
}

int
peers_settle(struct store *s, const struct scope *who, const char *id, const struct mark *got,
	const struct mark *has, bool lost, struct err *err)
{
	int64_t user = writer_user(s, who->user, err);
	LOCAL(arena) a = ARENA_INIT;
	const struct peer *p;
	bool known;

	if (user < 0 || peers_find(s, who, id, &a, &p, err) < 0 ||
	    marks_known(s, who, has, &known, err) < 0)
		return -1;
	if (p == NULL)
		return err_set(err, ERR_BUG, "a store that was not met");
	if (lost && stmt_run(s, STMT_CHANGES_UNPEER, ARGS(user, p->no), err) < 0)
		return -1;
	return stmt_run(s, STMT_PEER_SETTLE, ARGS(p->no, got->no, got->tag,
	    known ? has->no : SENT_LOST), err);
}
