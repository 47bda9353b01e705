/*
 * identity.c: what a message is known by within its session, and what is known by that: whether it
 * is stored already, whether it was removed for good. Of a message without an id of its source it
 * is the first 16 bytes of a hash of position, time and role, little endian on every machine, and
 * the content's SHA-256.
 */
#include "store/messages/stored.h"

#include "base/conf.h"
#include "store/sql/column.h"
#include "store/write/tombstones.h"

static bool
has_source(const struct message *m)
{
	return m->source_id != NULL && *m->source_id != '\0';
}

static void
hash_place(const struct message *m, uint8_t out[SHA256_BYTES])
{
	const uint64_t head[3] = { m->position, (uint64_t)(m->local ? m->written_us : m->time_us),
		(uint64_t)m->role };
	static const uint8_t none[PLACE_BYTES];
	uint8_t bytes[sizeof(head)];
	struct sha256 h;

	if (memcmp(m->place, none, PLACE_BYTES) != 0) {
		memcpy(out, m->place, PLACE_BYTES);
		return;
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(head[i / 8] >> i % 8 * 8);
	sha256_init(&h);
	sha256_add(&h, bytes, sizeof(bytes));
	sha256_add(&h, m->continues ? m->whole_sha256 : m->sha256, SHA256_BYTES);
	sha256_end(&h, out);
}

struct identity
identity_of(struct message *m)
{
	struct identity k = { .m = m, .own = has_source(m) };

	if (!k.own)
		hash_place(m, k.hash);
	return k;
}

struct db_value
identity_value(const struct identity *k)
{
	return k->own ? value_text(k->m->source_id) : BLOB(k->hash, PLACE_BYTES);
}

uint64_t
identity_note(const struct identity *k, int64_t session)
{
	return k->own ? hash64(k->m->source_id, strlen(k->m->source_id), (uint64_t)session)
		      : hash64(k->hash, PLACE_BYTES, (uint64_t)session);
}

/* ---- what is stored ---- */

int
identity_find(struct store *s, int64_t user, const struct session_state *v,
	const struct identity *k, struct err *err)
{
	bool one_part = v != NULL && v->part == 0;
	struct db_value source = identity_value(k);
	struct message *m = k->m;
	struct db_stmt *q;
	int got;

	if (one_part && v->turns == 0)
		return 0;
	q = one_part ? stmt_start(s, STMT_MESSAGE_DUPLICATE, ARGS(source, v->id), err)
	    : stmt_start(s, STMT_MESSAGE_DUPLICATE_PARTS, ARGS(source, user << SESSION_BITS,
		  ((user + 1) << SESSION_BITS) - 1, user, m->session), err);
	if ((got = db_row(q, err)) <= 0)
		return got;
	m->row = db_column_int(q, 0);
	column_ulid(q, 1, m->id);
	m->stored_us = db_column_int(q, 2);
	m->n_tokens = (unsigned)db_column_int(q, 3);
	m->turn = m->row & (TURNS_MAX - 1);
	m->differs = k->own && !m->id_of_words && !column_is(q, 4, m->sha256, SHA256_BYTES);
	db_reset(q);
	return 1;
}

int
identity_by_calls(struct store *s, const struct scope *who, struct identity *k, struct err *err)
{
	const struct message *m = k->m;
	LOCAL(arena) a = ARENA_INIT;
	const struct message *there = NULL;
	struct sha256 h;

	if (k->own || m->given || m->tool_calls == NULL || *m->tool_calls == '\0')
		return 0;
	if (messages_by_rows(s, who, &m->row, 1, &a, &there, err) < 0)
		return -1;
	int other = there != NULL && strcmp(there->tool_calls, m->tool_calls) != 0;
	if (other) {
		sha256_init(&h);
		sha256_add(&h, k->hash, PLACE_BYTES);
		sha256_add(&h, m->tool_calls, strlen(m->tool_calls));
		sha256_end(&h, k->hash);
	}
	return other;
}

/* ---- what was removed for good ---- */

static const void *
source_of(const struct identity *k, size_t *len)
{
	*len = k->own ? strlen(k->m->source_id) : PLACE_BYTES;
	return k->own ? (const void *)k->m->source_id : k->hash;
}

static void
key_of(const struct identity *k, uint8_t key[TOMBSTONE_BYTES])
{
	size_t len;
	const void *source = source_of(k, &len);

	tombstone_key(k->m->session, source, len, k->own, key);
}

/* The key of the id with which a message comes, if it does. */
static bool
given_key(const struct message *m, uint8_t key[TOMBSTONE_BYTES])
{
	uint8_t ulid[ID_BYTES];

	if (!m->given || id_parse(m->id, strlen(m->id), ulid) < 0)
		return false;
	tombstone_source_key(ulid, key);
	return true;
}

/* What was removed here has another id in a store that read the same transcript for itself. */
static int
bury_given(struct store *s, int64_t user, const struct message *m, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];

	return given_key(m, key) ? tombstone_put(s, user, key, err) : 0;
}

/*
 * Sets *buried where it is a copy of what was removed for good, in whatever session that was. If
 * that may return, its tombstone is removed, in the open transaction.
 */
static int
has_buried_copy(struct store *s, int64_t user, const struct identity *k, bool *buried,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	size_t len;
	const void *source = source_of(k, &len);
	enum tombstone_copy copy = tombstone_copy_key(source, len, k->own, key);
	bool has = false;

	if (copy != COPY_NONE && s->put.pruned_return)
		return tombstone_take(s, user, key, err);
	/* a UUID is sure with a time alone: some write a nil one, or the same for each session */
	if (copy == COPY_SURE && k->m->role != ROLE_DOCUMENT && k->m->time_us == TIME_NONE)
		copy = COPY_LIKELY;
	if ((copy == COPY_SURE || (copy == COPY_LIKELY && k->m->may_be_copy)) &&
	    tombstone_has(s, user, key, &has, err) < 0)
		return -1;
	*buried |= has;
	return 0;
}

/*
 * What is found to be a copy is buried in its own session, too: when its file is read again, that
 * has begun with turns of its own. A UUID needs no such help.
 */
static int
bury_copy(struct store *s, int64_t user, const struct identity *k, bool is_copy, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];

	if (!is_copy || !k->m->may_be_copy)
		return 0;
	key_of(k, key);
	return tombstone_put(s, user, key, err);
}

int
identity_buried(struct store *s, int64_t user, const struct identity *k, bool *buried,
	struct err *err)
{
	const struct message *m = k->m;
	uint8_t key[TOMBSTONE_BYTES];
	bool any, is_part, here;

	*buried = false;
	if (writer_tombstones(s, user, &any, err) < 0)
		return -1;
	if (!any)
		return 0;
	key_of(k, key);
	if (tombstone_has(s, user, key, buried, err) < 0)
		return -1;
	here = *buried;
	if (has_buried_copy(s, user, k, buried, err) < 0)
		return -1;
	if (!s->put.pruned_return)
		return !*buried ? 0 : bury_copy(s, user, k, !here, err) < 0 ||
			bury_given(s, user, m, err) < 0 ? -1 : 0;
	if (*buried && (tombstone_take(s, user, key, err) < 0 ||
	    (given_key(m, key) && tombstone_take(s, user, key, err) < 0)))
		return -1;
	*buried = false;
	/* then its session's title may return, too */
	tombstone_key(m->session, NULL, 0, false, key);
	return tombstone_take(s, user, key, err) < 0
	    ? -1
	    : session_is_part(s, user, m->session, &is_part, err);
}

/* ---- what earlier versions knew ---- */

/* Makes *was the message as earlier versions knew it; false: they knew it as we do. */
static bool
has_before(const struct message *m, struct message *was)
{
	bool own = has_source(m);

	*was = *m;
	was->local = false;
	if (own)
		was->source_id = m->was_source;
	was->was_source = NULL;
	return own ? has_source(was) : m->local && m->written_us != m->time_us;
}

int
identity_as_before(struct store *s, int64_t user, struct message *m, enum put_did *did,
	struct err *err)
{
	struct message was;
	struct session_state *v;
	bool buried;
	int got;

	if (!has_before(m, &was))
		return 0;
	struct identity k = identity_of(&was);
	if (identity_buried(s, user, &k, &buried, err) < 0 ||
	    (!buried && (v = writer_session(s, user, m->session, err)) == NULL))
		return -1;
	*did = buried ? PUT_PRUNED : PUT_DUPLICATE;
	if (buried)
		return 1;
	if ((got = identity_find(s, user, v, &k, err)) <= 0)
		return got;
	m->row = was.row;
	m->turn = was.turn;
	m->stored_us = was.stored_us;
	m->n_tokens = was.n_tokens;
	memcpy(m->id, was.id, sizeof(m->id));
	return 1;
}

int
identity_check(const struct message *m, struct err *err)
{
	if (m->session == NULL || *m->session == '\0')
		return err_set(err, ERR_DATA, "message has no session");
	if (strlen(m->session) > conf_caps.id_bytes ||
	    (m->source_id != NULL && strlen(m->source_id) > conf_caps.id_bytes))
		return err_set(err, ERR_DATA, "session or source id is over %llu bytes",
		    (unsigned long long)conf_caps.id_bytes);
	if (m->content_len > conf_caps.line_bytes)
		return err_set(err, ERR_DATA, "content is over %llu bytes",
		    (unsigned long long)conf_caps.line_bytes);
	return 0;
}

/* ---- without a transaction ---- */

int
messages_known(struct store *s, const struct scope *who, struct message *m, bool *known,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	struct message was = *m;
	int64_t user;

	*known = m->differs = false;
	if (identity_check(m, err) < 0 || (user = user_number(s, who->user, false, err)) < 0)
		return -1;
	if (user == 0)
		return 0;
	sha256(m->content, m->content_len, m->sha256);
	struct identity k = identity_of(m);
	int got = identity_find(s, user, NULL, &k, err);
	if (got > 0 && (got = identity_by_calls(s, who, &k, err)) >= 0)
		got = got == 0 ? 1 : identity_find(s, user, NULL, &k, err);
	if (got < 0)
		return -1;
	*known = got > 0;
	if (*known || s->put.pruned_return)
		return 0;
	key_of(&k, key);
	if (tombstone_has(s, user, key, known, err) < 0 ||
	    has_buried_copy(s, user, &k, known, err) < 0)
		return -1;
	if (*known || !has_before(m, &was))
		return 0;
	return messages_known(s, who, &was, known, err);
}

int
messages_session(struct store *s, const struct scope *who, struct message *m, struct arena *a,
	const char **name, struct err *err)
{
	/* its time may have been read in another zone, whatever the two are */
	const int64_t apart_us = 26 * 3600 * (int64_t)US_PER_S;
	bool timeless = m->time_us == TIME_NONE;
	int64_t user;

	*name = NULL;
	if ((user = user_number(s, who->user, false, err)) <= 0)
		return (int)user;
	sha256(m->content, m->content_len, m->sha256);
	struct identity k = identity_of(m);
	return stmt_text(s, STMT_SESSION_WITH, ARGS(user,
	    timeless ? INT64_MIN : m->time_us + apart_us,
	    timeless ? INT64_MIN : m->time_us - apart_us, identity_value(&k)), a, name,
	    err) < 0 ? -1 : 0;
}
