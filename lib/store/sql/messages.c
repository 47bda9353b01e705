/*
 * messages.c: messages and sessions in. What was said is never changed; storing the same again
 * finds what is there.
 */
#include "store/sql/changes.h"
#include "store/sql/column.h"
#include "store/sql/tombstones.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "store/sql/read.h"
#include "store/sql/slots.h"
#include "text/tokens.h"

#define TAKEN_MOST (1 << 20)                   /* ids tried before giving up */

const char *const role_names[] = { "user", "assistant", "system", "tool", "other" };
const char *const origin_names[] = { "user", "assistant", "tool", "web", "import", "derived" };

enum role
role_parse(const char *name)
{
	static const struct { const char *name; enum role role; } known[] = {
		{ "user", ROLE_USER }, { "human", ROLE_USER },
		{ "assistant", ROLE_ASSISTANT }, { "gpt", ROLE_ASSISTANT }, { "model", ROLE_ASSISTANT }, { "ai", ROLE_ASSISTANT },
		{ "bot", ROLE_ASSISTANT }, { "gemini", ROLE_ASSISTANT }, { "agent", ROLE_ASSISTANT }, { "chatbot", ROLE_ASSISTANT },
		{ "llm", ROLE_ASSISTANT }, { "chatgpt", ROLE_ASSISTANT }, { "copilot", ROLE_ASSISTANT },
		{ "customer", ROLE_USER }, { "prompter", ROLE_USER }, { "you", ROLE_USER },
		{ "system", ROLE_SYSTEM }, { "developer", ROLE_SYSTEM },
		{ "tool", ROLE_TOOL }, { "function", ROLE_TOOL }, { "observation", ROLE_TOOL },
	};

	for (size_t i = 0; i < NELEM(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].role;
	return ROLE_OTHER;
}

int
origin_parse(const char *name)
{
	for (size_t i = 0; i < NELEM(origin_names); i++)
		if (strcmp(origin_names[i], name) == 0)
			return (int)i;
	return -1;
}

int
origin_trust(enum origin origin)
{
	static const int by_origin[] = {
		[ORIGIN_USER] = 3, [ORIGIN_ASSISTANT] = 2, [ORIGIN_TOOL] = 1, [ORIGIN_WEB] = 0, [ORIGIN_IMPORT] = 2, [ORIGIN_DERIVED] = 0 };

	return by_origin[origin];
}

void
messages_set_options(struct store *s, struct put_options o)
{
	s->put = o;
}

/* ---- chunks ---- */

static int
put_chunk(struct store *s, int64_t row, size_t no, const struct chunk *c, struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_CHUNK_PUT, err);

	if (q == NULL)
		return -1;
	db_bind_int(q, 1, row);
	db_bind_int(q, 2, (int64_t)no);
	db_bind_int(q, 3, c->kind);
	db_bind_text(q, 4, c->language, -1);
	db_bind_int(q, 5, (int64_t)c->start);
	db_bind_int(q, 6, (int64_t)c->len);
	db_bind_int(q, 7, c->n_tokens);
	return db_done(s->db, q, err, "write chunk");
}

/* A message that is one piece of prose has no row. */
static int
put_chunks(struct store *s, int64_t row, const struct chunk *chunks, size_t n, struct err *err)
{
	if (n == 1 && chunks[0].kind == CHUNK_PROSE)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (put_chunk(s, row, i, &chunks[i], err) < 0)
			return -1;
	return 0;
}

/* first: waits until it is known whether there is a second. */
struct cutting { struct store *s; int64_t row; size_t n; struct chunk first; struct err *err; };

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct cutting *t = arg;

	if (t->n == 0)
		t->first = *c;
	else if ((t->n == 1 && put_chunk(t->s, t->row, 0, &t->first, t->err) < 0) ||
	    put_chunk(t->s, t->row, t->n, c, t->err) < 0)
		return -1;
	t->n++;
	return 0;
}

/* Cuts a text and puts its chunks [*n] one by one: of a large text there may be a million. */
static int
cut(struct store *s, int64_t row, const char *text, size_t len, size_t *n, struct err *err)
{
	struct cutting t = { .s = s, .row = row, .err = err };

	if (chunk_each(text, len, on_chunk, &t) < 0)
		return -1;
	*n = t.n;
	return t.n == 1 ? put_chunks(s, row, &t.first, 1, err) : 0;
}

int
message_chunk(struct store *s, int64_t row, const char *text, size_t len, size_t *n,
	struct err *err)
{
	int64_t user = row >> USER_SHIFT;
	struct db_stmt *q;

	if (cut(s, row, text, len, n, err) < 0 || (q = stmt_of(s, STMT_CHUNKS_SET, err)) == NULL)
		return -1;
	db_bind_int(q, 1, (int64_t)*n);
	db_bind_int(q, 2, row);
	db_bind_int(q, 3, user_lo(user));
	db_bind_int(q, 4, user_hi(user));
	if (db_done(s->db, q, err, "write message") < 0)
		return -1;
	/*
	 * read by a walk and not found by its number: who goes on until all are cut would never end
	 */
	return db_changes(s->db) == 1
	    ? 0
	    : err_set(err, ERR_IO, "rows are out of order: store is damaged (see mem-check): '%s'",
		  store_path(s));
}

int
chunks_backfill(struct store *s, const struct scope *who, unsigned limit, unsigned *n_done,
	struct err *err)
{
	struct scope_numbers n;
	struct message *uncut = NULL;
	struct arena a = ARENA_INIT;
	size_t n_uncut = 0, n_recut = 0, n_bytes = 0, cap = 0;
	int64_t *recut = NULL;
	struct db_stmt *q;
	int got, rc = -1;

	*n_done = 0;
	if (scope_numbers(s, who, &n, err) < 0 ||
	    (q = stmt_of(s, STMT_CHUNKS_MISSING, err)) == NULL)
		return -1;
	db_bind_int(q, 1, user_lo(n.user));
	db_bind_int(q, 2, user_hi(n.user));
	db_bind_int(q, 3, limit);
	while (n_bytes < BATCH_TEXT_BYTES && (got = db_row(s->db, q, err, "read message")) > 0) {
		xgrow(&uncut, &cap, n_uncut + 1, sizeof(*uncut));
		uncut[n_uncut].row = db_column_int(q, 0);
		uncut[n_uncut].content = column_text(q, 1, &a);
		n_bytes += uncut[n_uncut++].content_len = (size_t)db_column_bytes(q, 1);
	}
	db_reset(q);
	if (got < 0)
		goto out;
	/* one that is in pieces now may have the vector of the whole */
	recut = xreallocarray(NULL, n_uncut + 1, sizeof(*recut));
	for (size_t i = 0; i < n_uncut; i++) {
		size_t n_chunks;

		if (message_chunk(s, uncut[i].row, uncut[i].content, uncut[i].content_len,
			&n_chunks, err) < 0)
			goto out;
		if (n_chunks != 1)
			recut[n_recut++] = uncut[i].row;
	}
	if (vectors_remove(s, who, VECTOR_MESSAGE, recut, n_recut, err) < 0)
		goto out;
	*n_done = (unsigned)n_uncut;
	rc = 0;
out:
	arena_release(&a);
	free(recut);
	free(uncut);
	return rc;
}

/* ---- messages ---- */

/*
 * Without an id of its own a message is known by its place and content: 16 bytes of a hash of
 * position, time and role, little endian on every machine, and SHA-256.
 */
static void
source_hash(const struct message *m, uint8_t out[SHA256_BYTES])
{
	const uint64_t head[3] = { m->position, (uint64_t)m->time_us, (uint64_t)m->role };
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

static void
bind_source(struct db_stmt *q, int at, const struct message *m, const uint8_t hash[SHA256_BYTES])
{
	if (m->source_id != NULL && *m->source_id)
		db_bind_text(q, at, m->source_id, -1);
	else
		db_bind_blob(q, at, hash, PLACE_BYTES);
}

/* 1 and m filled when it is stored already; v NULL: in whatever part of the session. */
static int
find_duplicate(struct store *s, int64_t user, const struct session_state *v, struct message *m,
	const uint8_t *hash, struct err *err)
{
	bool one_part = v != NULL && v->part == 0;
	struct db_stmt *q;
	int got;

	if (one_part && v->turns == 0)
		return 0;
	if ((q = stmt_of(s, one_part ? STMT_MESSAGE_DUPLICATE : STMT_MESSAGE_DUPLICATE_PARTS,
		 err)) == NULL)
		return -1;
	bind_source(q, 1, m, hash);
	if (one_part) {
		db_bind_int(q, 2, v->id);
	} else {
		db_bind_int(q, 2, user << SESSION_BITS);
		db_bind_int(q, 3, ((user + 1) << SESSION_BITS) - 1);
		db_bind_int(q, 4, user);
		db_bind_text(q, 5, m->session, -1);
	}
	if ((got = db_row(s->db, q, err, "read message")) <= 0)
		return got;
	m->row = db_column_int(q, 0);
	column_ulid(q, 1, m->id);
	m->stored_us = db_column_int(q, 2);
	m->n_tokens = (unsigned)db_column_int(q, 3);
	m->turn = m->row & (TURNS_MAX - 1);
	m->differs = m->source_id != NULL && *m->source_id != '\0' && !m->id_of_words &&
	    (db_column_bytes(q, 4) != SHA256_BYTES ||
		memcmp(db_column_blob(q, 4), m->sha256, SHA256_BYTES) != 0);
	db_reset(q);
	return 1;
}

/* What a message is known by, in its session, as one number: of two messages it may be the same. */
static uint64_t
note_of(const struct session_state *v, const struct message *m, const uint8_t *hash)
{
	bool own = m->source_id != NULL && *m->source_id != '\0';

	return own ? hash64(m->source_id, strlen(m->source_id), (uint64_t)v->id)
		   : hash64(hash, PLACE_BYTES, (uint64_t)v->id);
}

/*
 * Where an answer costs a way through a network: whether a message is known to be new, so that it
 * can be put without asking whether it was. 1: it is; 0: it may be there, or nobody knows; or m is
 * filled, as find_duplicate does: 2.
 */
static int
is_surely_new(struct store *s, int64_t user, const struct session_state *v, struct message *m,
	const uint8_t *hash, struct err *err)
{
	bool again;
	int got;

	if (!db_is_far(s->db) || m->given || id_is_seeded())
		return 0;
	again = writer_noted(s, note_of(v, m, hash));
	if (v->is_new && v->part == 0 && !again)
		return 1;
	got = find_duplicate(s, user, v, m, hash, err);
	return got < 0 ? -1 : got > 0 ? 2 : 1;
}

static void
message_key(const struct message *m, const uint8_t *hash, uint8_t key[TOMBSTONE_BYTES])
{
	bool own = m->source_id != NULL && *m->source_id != '\0';

	tombstone_key(m->session, own ? (const void *)m->source_id : hash,
	    own ? strlen(m->source_id) : PLACE_BYTES, own, key);
}

/* Whether it was pruned and stays away; what may return is dug up. In the open transaction. */
static int
stays_buried(struct store *s, int64_t user, const struct message *m, const uint8_t *hash,
	bool *buried, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	bool any;

	*buried = false;
	if (writer_tombstones(s, user, &any, err) < 0)
		return -1;
	if (!any)
		return 0;
	message_key(m, hash, key);
	if (tombstone_has(s, user, key, buried, err) < 0)
		return -1;
	if (!s->put.pruned_return)
		return 0;
	if (*buried && tombstone_take(s, user, key, err) < 0)
		return -1;
	*buried = false;
	/* and the session's title may */
	tombstone_key(m->session, NULL, 0, false, key);
	return tombstone_take(s, user, key, err);
}

static void
bind_optional(struct db_stmt *q, int at, const char *text)
{
	if (text == NULL || *text == '\0')
		db_bind_null(q, at);
	else
		db_bind_text(q, at, text, -1);
}

struct labels { int64_t speaker, agent, project; };

/*
 * 1; 0: what it is known by is in the session already, or a given id is another message's, and
 * nothing was put.
 */
static int
insert(struct store *s, struct message *m, bool is_new, const struct prepared *p,
	const struct labels *l, const uint8_t *hash, struct err *err)
{
	uint8_t ulid[ID_BYTES];
	bool given = *m->id != '\0' && id_parse(m->id, strlen(m->id), ulid) == 0;
	struct db_stmt *q;
	size_t n_chunks;

	if (!given)
		id_make(ulid);
	if ((q = stmt_of(s, is_new ? STMT_MESSAGE_PUT_NEW : STMT_MESSAGE_PUT, err)) == NULL)
		return -1;
	db_bind_int(q, 1, m->row);
	db_bind_int(q, 2, m->row >> TURN_BITS);
	db_bind_blob(q, 3, ulid, sizeof(ulid));
	bind_source(q, 4, m, hash);
	db_bind_int(q, 5, m->role);
	bind_label(q, 6, l->speaker);
	bind_label(q, 7, l->agent);
	bind_label(q, 8, l->project);
	column_bind_time(q, 9, m->time_us);
	db_bind_int(q, 10, m->stored_us);
	db_bind_int(q, 11, m->origin);
	db_bind_int(q, 12, m->trust);
	db_bind_int(q, 13, m->n_tokens);
	if (s->put.no_chunks)
		db_bind_null(q, 14);
	else
		db_bind_int(q, 14, (int64_t)p->n_chunks);
	db_bind_blob(q, 15, m->sha256, SHA256_BYTES);
	db_bind_text(q, 16, m->content, (int)m->content_len);
	bind_optional(q, 17, m->tool_calls);
	bind_optional(q, 18, m->tool_call_id);
	bind_optional(q, 19, m->extra);
	/*
	 * An id may be taken: one that an import brought, by another user's copy of the same
	 * record; one of ours, by a process before that had the same MEM_SEED and MEM_NOW. Ids
	 * count up, so the next free one is found.
	 */
	for (int n = 0; db_done(s->db, q, err, "write message") < 0; n++) {
		if (!db_was_taken(s->db) || n == TAKEN_MOST)
			return -1;
		err_clear(err);
		if (m->given && given)
			return 0;
		id_make(ulid);
		db_bind_blob(q, 3, ulid, sizeof(ulid));
	}
	if (!is_new && db_changes(s->db) == 0)
		return 0;
	id_format(ulid, m->id);
	if (s->put.no_chunks)
		return 1;
	if (p->large)
		return cut(s, m->row, m->content, m->content_len, &n_chunks, err) < 0 ? -1 : 1;
	return put_chunks(s, m->row, p->chunks, p->n_chunks, err) < 0 ? -1 : 1;
}

/*
 * Counts the message in its session. The session is an agent's or a project's while all its turns
 * are: so who may not see one of them does not see that it exists.
 */
static void
count_message(struct session_state *v, const struct message *m, const struct labels *l)
{
	bool first = v->turns == 0 && v->part == 0 && !m->in_given_session;

	v->turns = (m->row & (TURNS_MAX - 1)) + 1;
	session_saw(v, m->role, l->speaker);
	v->agent = first || v->agent == l->agent ? l->agent : 0;
	v->project = first || v->project == l->project ? l->project : 0;
	if (m->time_us != TIME_NONE) {
		if (v->created == TIME_NONE || m->time_us < v->created)
			v->created = m->time_us;
		if (v->updated == TIME_NONE || m->time_us > v->updated)
			v->updated = m->time_us;
	}
}

static int
check_message(const struct message *m, struct err *err)
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

/*
 * A given turn keeps its place where nothing has passed it, and else is noted: a session that is
 * filled again has the gaps that it had.
 */
static int
place_turn(struct store *s, const struct session_state *v, const struct message *m, int64_t *row,
	int64_t *noted, struct err *err)
{
	int64_t here = m->turn - v->part * TURNS_MAX;

	*noted = -1;
	*row = session_lo(v->id) + v->turns;
	if (!m->given || here == v->turns)
		return 0;
	if (here > v->turns && here < TURNS_MAX)
		*row = session_lo(v->id) + here;
	else
		*noted = m->turn;
	return m->turn < 0 ? err_set(err, ERR_DATA, "a turn below 0: '%s'", store_path(s)) : 0;
}

static int
note_turn(struct store *s, int64_t row, int64_t turn, struct err *err)
{
	struct db_stmt *q = stmt_bound(s, STMT_TURN_PUT, row, turn, 0, 0, err);

	return q == NULL ? -1 : db_done(s->db, q, err, "write message");
}

/* Puts it behind the last turn of v: as insert. */
static int
put_turn(struct store *s, int64_t user, struct session_state *v, struct message *m, bool is_new,
	const uint8_t *hash, struct err *err)
{
	const struct prepared *p;
	unsigned n_tokens = m->n_tokens;
	int64_t noted;
	struct labels l;
	int got;

	if ((l.speaker = writer_label(s, user, LABEL_SPEAKER, m->name, err)) < 0 ||
	    (l.agent = writer_label(s, user, LABEL_AGENT, m->agent, err)) < 0 ||
	    (l.project = writer_label(s, user, LABEL_PROJECT, m->project, err)) < 0)
		return -1;
	if (place_turn(s, v, m, &m->row, &noted, err) < 0)
		return -1;
	if (noted < 0)
		m->turn = v->part * TURNS_MAX + (m->row & (TURNS_MAX - 1));
	p = writer_prepare(s, m, m->sha256);
	m->n_tokens = p->n_tokens;
	if (m->tool_calls != NULL)
		m->n_tokens += tokens_estimate(m->tool_calls, strlen(m->tool_calls));
	if (m->given && n_tokens > 0)
		m->n_tokens = n_tokens;
	if (m->trust < 0)
		m->trust = origin_trust(m->origin);
	if ((got = insert(s, m, is_new, p, &l, hash, err)) <= 0)
		return got;
	if (noted >= 0 && note_turn(s, m->row, noted, err) < 0)
		return -1;
	count_message(v, m, &l);
	if (work_add(s, m, err) < 0)
		return -1;
	return writer_index(s, m, p, l.speaker, l.agent, l.project, err) < 0 ? -1 : 1;
}

int
messages_expect(struct store *s, const struct scope *who, struct message *const *m, size_t n,
	struct err *err)
{
	const char **names;
	int64_t user;
	bool any;
	int rc = -1;

	if (!db_is_far(s->db) || id_is_seeded())
		return 0;
	if ((user = writer_user(s, who->user, err)) < 0 ||
	    writer_tombstones(s, user, &any, err) < 0)
		return -1;
	names = xreallocarray(NULL, n + 1, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = m[i]->session;
	if (writer_expect(s, user, names, n, err) < 0)
		goto out;
	for (size_t i = 0; i < n; i++) {
		const struct session_state *v = writer_known(s, user, m[i]->session);
		uint8_t hash[SHA256_BYTES] = { 0 };
		struct db_stmt *q;

		if (v == NULL || v->part > 0 || v->turns == 0 || m[i]->prepared == NULL)
			continue;
		memcpy(m[i]->sha256, m[i]->prepared->sha256, SHA256_BYTES);
		source_hash(m[i], hash);
		if ((q = stmt_of(s, STMT_MESSAGE_DUPLICATE, err)) == NULL)
			goto out;
		bind_source(q, 1, m[i], hash);
		db_bind_int(q, 2, v->id);
		db_want(s->db, q);
	}
	rc = db_fetch(s->db, err);
out:
	free(names);
	return rc;
}

/* ---- a turn that two stores have read from one transcript ---- */

/* The turn that it had where it was said. */
static int
note_turn_said(struct store *s, const struct message *m, int64_t turn, struct err *err)
{
	int64_t user = m->row >> USER_SHIFT, have = m->turn;
	struct db_stmt *q =
	    stmt_bound(s, STMT_TURN_OF, m->row, user_lo(user), user_hi(user), 0, err);
	int got = q == NULL ? -1 : db_row(s->db, q, err, "read message");

	if (got > 0)
		have = db_column_int(q, 0);
	db_reset(q);
	return got < 0 ? -1 : have == turn ? 0 : note_turn(s, m->row, turn, err);
}

/* Whether all but what a store makes for itself is the same. */
static bool
is_same_turn(const struct message *a, const struct message *b)
{
	const char *texts[][2] = { { a->name, b->name }, { a->agent, b->agent },
		{ a->project, b->project }, { a->tool_calls, b->tool_calls },
		{ a->tool_call_id, b->tool_call_id }, { a->extra, b->extra } };

	for (size_t i = 0; i < NELEM(texts); i++)
		if (strcmp(texts[i][0] != NULL ? texts[i][0] : "",
		    texts[i][1] != NULL ? texts[i][1] : "") != 0)
			return false;
	return a->role == b->role && a->time_us == b->time_us && a->origin == b->origin &&
	    a->trust == b->trust;
}

static int
put_alias(struct store *s, const uint8_t ulid[ID_BYTES], int64_t row, struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_ALIAS_PUT, err);

	if (q == NULL)
		return -1;
	db_bind_blob(q, 1, ulid, ID_BYTES);
	db_bind_int(q, 2, row);
	return db_done(s->db, q, err, "write message");
}

/* The turn at row is called "to" from now on, and so is it where it is a source. */
static int
rename_turn(struct store *s, const struct message *m, const uint8_t from[ID_BYTES],
	const uint8_t to[ID_BYTES], int64_t stored_us, bool *taken, struct err *err)
{
	static const enum stmt sources[] = { STMT_SOURCES_RENAME, STMT_SOURCES_WAS_RENAME };
	int64_t user = m->row >> USER_SHIFT;
	struct db_stmt *q = stmt_of(s, STMT_MESSAGE_RENAME, err);

	*taken = false;
	if (q == NULL)
		return -1;
	db_bind_blob(q, 1, to, ID_BYTES);
	db_bind_int(q, 2, stored_us);
	db_bind_int(q, 3, m->row);
	db_bind_int(q, 4, user_lo(user));
	db_bind_int(q, 5, user_hi(user));
	if (db_done(s->db, q, err, "write message") < 0) {
		if (!db_was_taken(s->db))
			return -1;
		err_clear(err);
		*taken = true;
		return 0;
	}
	for (size_t i = 0; i < NELEM(sources); i++) {
		if ((q = stmt_of(s, sources[i], err)) == NULL)
			return -1;
		db_bind_blob(q, 1, to, ID_BYTES);
		db_bind_blob(q, 2, from, ID_BYTES);
		db_bind_int(q, 3, user_lo(user));
		db_bind_int(q, 4, user_hi(user));
		if (db_done(s->db, q, err, "write record") < 0)
			return -1;
	}
	return put_alias(s, from, m->row, err) < 0
	    ? -1
	    : change_log(s, user, CHANGE_TURNS, m->row, 1, NULL, err);
}

/*
 * m was found here, given is it as the other store has it: of two ids the smaller is the turn's in
 * both, with the turn and the time of storing that belong to it, and the other one is remembered.
 */
static int
agree_on_id(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err)
{
	uint8_t have[ID_BYTES], other[ID_BYTES];
	struct arena a = ARENA_INIT;
	const struct message *here = NULL;
	bool taken = false;
	int rc = -1;

	if (m->differs || strcmp(m->id, given->id) == 0 ||
	    id_parse(m->id, strlen(m->id), have) < 0 ||
	    id_parse(given->id, strlen(given->id), other) < 0)
		return 0;
	if (messages_by_rows(s, who, &m->row, 1, &a, &here, err) < 0)
		goto out;
	if (here == NULL) {
		err_set(err, ERR_IO, "a message is not at its place: store is damaged: '%s'",
		    store_path(s));
		goto out;
	}
	m->differs = !is_same_turn(here, given);
	if (memcmp(other, have, ID_BYTES) > 0) {
		rc = put_alias(s, other, m->row, err);
		goto out;
	}
	if (rename_turn(s, m, have, other, given->stored_us, &taken, err) < 0)
		goto out;
	m->differs |= taken;
	rc = taken ? 0 : note_turn_said(s, m, given->turn, err);
out:
	arena_release(&a);
	return rc;
}

static int
put_message(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err)
{
	uint8_t hash[SHA256_BYTES] = { 0 };
	struct session_state *v;
	int64_t user;
	bool buried;
	int got, sure;

	if (check_message(m, err) < 0 || (user = writer_user(s, who->user, err)) < 0)
		return -1;
	m->differs = false;
	if (m->prepared != NULL)
		memcpy(m->sha256, m->prepared->sha256, sizeof(m->sha256));
	else
		sha256(m->content, m->content_len, m->sha256);
	if (m->source_id == NULL || *m->source_id == '\0')
		source_hash(m, hash);
	if (stays_buried(s, user, m, hash, &buried, err) < 0)
		return -1;
	if (buried) {
		*did = PUT_PRUNED;
		return 0;
	}
	if ((v = writer_session(s, user, m->session, err)) == NULL)
		return -1;
	*did = PUT_DUPLICATE;
	if ((sure = is_surely_new(s, user, v, m, hash, err)) < 0)
		return -1;
	if (sure == 2)
		return 0;
	/*
	 * what was prepared ahead is most likely new: that it is not is seen as it is put, at no
	 * cost
	 */
	if (sure == 0 && (m->prepared == NULL || v->part > 0) &&
	    (got = find_duplicate(s, user, v, m, hash, err)) != 0)
		return got < 0 ? -1 : 0;
	if ((got = put_turn(s, user, v, m, sure == 1, hash, err)) < 0)
		return -1;
	if (got > 0)
		*did = PUT_STORED;
	else if ((got = find_duplicate(s, user, v, m, hash, err)) == 0 && m->given)
		*did = PUT_TAKEN;
	else if (got == 0)
		return err_set(err, ERR_IO,
		    "index of messages is damaged (see mem-check): '%s'", store_path(s));
	return got < 0 ? -1 : 0;
}

int
messages_put(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err)
{
	const struct message given = *m;

	if (put_message(s, who, m, did, err) < 0)
		return -1;
	return *did == PUT_DUPLICATE && given.given && s->from_peer != 0
	    ? agree_on_id(s, who, m, &given, err)
	    : 0;
}

int
messages_known(struct store *s, const struct scope *who, struct message *m, bool *known,
	struct err *err)
{
	uint8_t hash[SHA256_BYTES] = { 0 }, key[TOMBSTONE_BYTES];
	int64_t user;
	int got;

	*known = m->differs = false;
	if (check_message(m, err) < 0 || (user = user_number(s, who->user, false, err)) < 0)
		return -1;
	if (user == 0)
		return 0;
	sha256(m->content, m->content_len, m->sha256);
	if (m->source_id == NULL || *m->source_id == '\0')
		source_hash(m, hash);
	if ((got = find_duplicate(s, user, NULL, m, hash, err)) < 0)
		return -1;
	*known = got > 0;
	if (*known || s->put.pruned_return)
		return 0;
	message_key(m, hash, key);
	return tombstone_has(s, user, key, known, err);
}

int
sessions_put(struct store *s, const struct scope *who, const struct session *v, struct err *err)
{
	int64_t user, agent, project;
	struct session_state *state, was;
	struct session_parts parts = { .n = 0 };
	uint8_t key[TOMBSTONE_BYTES];
	bool any, buried = false;
	struct db_stmt *q;

	if (v->id == NULL || *v->id == '\0' || strlen(v->id) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "session has no id, or one over %llu bytes",
		    (unsigned long long)conf_caps.id_bytes);
	if ((user = writer_user(s, who->user, err)) < 0 ||
	    writer_tombstones(s, user, &any, err) < 0)
		return -1;
	tombstone_key(v->id, NULL, 0, false, key);
	if (any && !s->put.pruned_return && tombstone_has(s, user, key, &buried, err) < 0)
		return -1;
	/* what is said of it counts again when there is something in it again */
	if (buried && (session_parts(s, user, v->id, &parts, err) < 0 || parts.n == 0))
		return parts.n == 0 ? 0 : -1;
	if ((agent = writer_label(s, user, LABEL_AGENT, v->agent, err)) < 0 ||
	    (project = writer_label(s, user, LABEL_PROJECT, v->project, err)) < 0 ||
	    (state = writer_session(s, user, v->id, err)) == NULL)
		return -1;
	was = *state;
	if (buried)                            /* its turns say when it was, and whose it is */
		goto texts;
	if (v->created_us != TIME_NONE &&
	    (state->created == TIME_NONE || v->created_us < state->created))
		state->created = v->created_us;
	if (v->updated_us != TIME_NONE &&
	    (state->updated == TIME_NONE || v->updated_us > state->updated))
		state->updated = v->updated_us;
	if (agent != 0 && state->turns == 0)
		state->agent = agent;
	if (project != 0 && state->turns == 0)
		state->project = project;
texts:
	state->dirty = true;
	state->told |= state->created != was.created || state->updated != was.updated ||
	    state->agent != was.agent || state->project != was.project;
	if ((q = stmt_of(s, STMT_SESSION_ABOUT, err)) == NULL)
		return -1;
	bind_optional(q, 1, v->title);
	bind_optional(q, 2, v->system_prompt);
	bind_optional(q, 3, v->metadata);
	db_bind_int(q, 4, clock_now_us());
	db_bind_int(q, 5, user);
	db_bind_int(q, 6, state->id);
	if (db_done(s->db, q, err, "write session") < 0)
		return -1;
	state->told |= db_changes(s->db) > 0;
	return 0;
}
