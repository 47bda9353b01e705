/*
 * messages.c: stores messages and sessions. What was said is never changed; storing the same again
 * finds what is there.
 */
#include "store/write/changes.h"
#include "store/sql/column.h"
#include "store/write/tombstones.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/order.h"
#include "store/sql/message_columns.h"
#include "store/vectors/slots.h"
#include "text/tokens.h"
#include "store/messages/stored.h"
#include "store/write/writer.h"

#define TAKEN_MOST (1 << 20)                   /* ids tried before giving up */

const char *const role_names[N_ROLES] = { "user", "assistant", "system", "tool", "other",
	"document" };
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
		{ "document", ROLE_DOCUMENT },
	};

	for (size_t i = 0; i < NELEM(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].role;
	return ROLE_OTHER;
}

int
origin_parse(const char *name)
{
	return text_index(name, origin_names, NELEM(origin_names));
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

/* ---- messages ---- */

/*
 * A message without a source_id is identified by its place and content: the first 16 bytes of a
 * hash of position, time and role, little endian on every machine, and the content's SHA-256.
 */
static void
source_hash(const struct message *m, uint8_t out[SHA256_BYTES])
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

static struct db_value
source_value(const struct message *m, const uint8_t hash[SHA256_BYTES])
{
	return m->source_id != NULL && *m->source_id ? value_text(m->source_id)
						     : BLOB(hash, PLACE_BYTES);
}

/* 1: it is stored already, and m is filled; 0; -1. v NULL: looks in all parts of the session. */
static int
find_duplicate(struct store *s, int64_t user, const struct session_state *v, struct message *m,
	const uint8_t *hash, struct err *err)
{
	bool one_part = v != NULL && v->part == 0;
	struct db_value source = source_value(m, hash);
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
	m->differs = m->source_id != NULL && *m->source_id != '\0' && !m->id_of_words &&
	    !column_is(q, 4, m->sha256, SHA256_BYTES);
	db_reset(q);
	return 1;
}

/*
 * Two messages that differ in their calls of tools alone have one place where they came in separate
 * runs. 1: the one that is stored at m->row is such another, and the hash is now that of the place
 * and the calls, by which this one is identified; 0: it is the same; -1.
 */
static int
is_other_by_calls(struct store *s, const struct scope *who, const struct message *m,
	uint8_t hash[SHA256_BYTES], struct err *err)
{
	bool own = m->source_id != NULL && *m->source_id != '\0';
	struct arena a = ARENA_INIT;
	const struct message *there = NULL;
	struct sha256 h;
	int other;

	if (own || m->given || m->tool_calls == NULL || *m->tool_calls == '\0')
		return 0;
	if (messages_by_rows(s, who, &m->row, 1, &a, &there, err) < 0)
		return -1;
	other = there != NULL && strcmp(there->tool_calls, m->tool_calls) != 0;
	if (other) {
		sha256_init(&h);
		sha256_add(&h, hash, PLACE_BYTES);
		sha256_add(&h, m->tool_calls, strlen(m->tool_calls));
		sha256_end(&h, hash);
	}
	arena_release(&a);
	return other;
}

/* A hash of what identifies a message in its session; two messages may have the same. */
static uint64_t
note_of(const struct session_state *v, const struct message *m, const uint8_t *hash)
{
	bool own = m->source_id != NULL && *m->source_id != '\0';

	return own ? hash64(m->source_id, strlen(m->source_id), (uint64_t)v->id)
		   : hash64(hash, PLACE_BYTES, (uint64_t)v->id);
}

/*
 * For a database across a network: whether a message is known to be new, so that it can be put
 * without waiting for an answer. 1: it is; 0: that is not known, as of one that brings an id, which
 * may be another's; 2: it is stored, and m is filled as by find_duplicate; -1.
 */
static int
is_surely_new(struct store *s, int64_t user, const struct session_state *v, struct message *m,
	const uint8_t *hash, struct err *err)
{
	bool again;
	int got;

	if (!db_is_far(s->db) || m->given || *m->id != '\0' || id_is_seeded())
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
 * Sets *buried where it is a section of a document, and its words were removed for good, wherever
 * they stood. If they may return, their tombstone is removed, in the open transaction.
 */
static int
has_buried_words(struct store *s, int64_t user, const struct message *m, bool *buried,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	bool has = false;

	if (m->role != ROLE_DOCUMENT || m->source_id == NULL ||
	    !tombstone_words_key(m->source_id, key))
		return 0;
	if (s->put.pruned_return)
		return tombstone_take(s, user, key, err);
	if (tombstone_has(s, user, key, &has, err) < 0)
		return -1;
	*buried |= has;
	return 0;
}

/*
 * In the open transaction: whether it was removed for good. If it may return, its tombstone is
 * removed.
 */
static int
stays_buried(struct store *s, int64_t user, const struct message *m, const uint8_t *hash,
	bool *buried, struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	bool any, is_part;

	*buried = false;
	if (writer_tombstones(s, user, &any, err) < 0)
		return -1;
	if (!any)
		return 0;
	message_key(m, hash, key);
	if (tombstone_has(s, user, key, buried, err) < 0 ||
	    has_buried_words(s, user, m, buried, err) < 0)
		return -1;
	if (!s->put.pruned_return)
		return *buried ? bury_given(s, user, m, err) : 0;
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

#define SOME_TEXT(no, name, type) [MESSAGE_##name] = SOME(m->name),

struct labels { int64_t speaker, agent, project; };

/*
 * 1: put; 0: not put, as the session has a message with its source already, or its given id is
 * another message's; -1.
 */
static int
insert(struct store *s, struct message *m, bool is_new, const struct prepared *p,
	const struct labels *l, const uint8_t *hash, struct err *err)
{
	uint8_t ulid[ID_BYTES];
	bool given = *m->id != '\0' && id_parse(m->id, strlen(m->id), ulid) == 0;
	const struct db_value values[] = {
		[MESSAGE_id] = value_number(m->row),
		[MESSAGE_session] = value_number(m->row >> TURN_BITS),
		[MESSAGE_ulid] = BLOB(ulid, sizeof(ulid)),
		[MESSAGE_source] = source_value(m, hash),
		[MESSAGE_role] = value_number(m->role),
		[MESSAGE_speaker] = LABEL(l->speaker),
		[MESSAGE_agent] = LABEL(l->agent),
		[MESSAGE_project] = LABEL(l->project),
		[MESSAGE_time] = TIME(m->time_us),
		[MESSAGE_stored] = value_number(m->stored_us),
		[MESSAGE_origin] = value_number(m->origin),
		[MESSAGE_trust] = value_number(m->trust),
		[MESSAGE_tokens] = value_number(m->n_tokens),
		[MESSAGE_chunks] = s->put.no_chunks ? NONE : value_number((int64_t)p->n_chunks),
		[MESSAGE_sha256] = BLOB(m->sha256, SHA256_BYTES),
		[MESSAGE_content] = TEXT(m->content, m->content_len),
		MESSAGE_TEXTS(SOME_TEXT)
	};
	enum stmt put = is_new ? STMT_MESSAGE_PUT_NEW : STMT_MESSAGE_PUT;
	size_t n_chunks;

	if (!given)
		id_make(ulid);
	/*
	 * An id may be taken: one from an import by another user's copy of the same record, one of
	 * ours by an earlier process with the same MEM_SEED and MEM_NOW. Ids count up, so a free
	 * one is found.
	 */
	for (int n = 0; stmt_run(s, put, values, NELEM(values), err) < 0; n++) {
		if (!db_was_taken(s->db) || n == TAKEN_MOST)
			return -1;
		err_clear(err);
		if (m->given && given)
			return 0;
		id_make(ulid);
	}
	if (!is_new && db_changes(s->db) == 0)
		return 0;
	id_format(ulid, m->id);
	if (s->put.no_chunks)
		return 1;
	if (p->large
		? chunks_cut(s, m->row, m->content, m->content_len, &n_chunks, err) < 0
		: chunks_put(s, m->row, p->chunks, p->n_chunks, err) < 0)
		return -1;
	return 1;
}

/*
 * Counts the message in its session. A session belongs to an agent or a project as long as all its
 * turns do, so those who may see none of its turns do not see that it exists.
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
 * Chooses the row of a message. A given turn gets the row of its turn if no later turn is stored,
 * so a session that is imported has the gaps that it had; else it comes last, and its turn is to be
 * noted (*noted, -1: not).
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

/* Puts m as a turn of v, with its card and words. Returns as insert. */
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
	if (noted >= 0 && message_note_turn(s, m->row, noted, err) < 0)
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

		if (writer_expect_label(s, user, LABEL_SPEAKER, m[i]->name, err) < 0 ||
		    writer_expect_label(s, user, LABEL_AGENT, m[i]->agent, err) < 0 ||
		    writer_expect_label(s, user, LABEL_PROJECT, m[i]->project, err) < 0)
			goto out;
		if (v == NULL || v->part > 0 || v->turns == 0 || m[i]->prepared == NULL)
			continue;
		memcpy(m[i]->sha256, m[i]->prepared->sha256, SHA256_BYTES);
		source_hash(m[i], hash);
		if (stmt_want_next(s, STMT_MESSAGE_DUPLICATE, ARGS(source_value(m[i], hash),
		    v->id), err) < 0)
			goto out;
	}
	rc = db_fetch(s->db, err);
out:
	free(names);
	return rc;
}

/* Makes *was the message as earlier versions knew it; false: they knew it as we do. */
static bool
has_before(const struct message *m, struct message *was)
{
	bool own = m->source_id != NULL && *m->source_id != '\0';

	*was = *m;
	was->local = false;
	if (own)
		was->source_id = m->was_source;
	return m->local && m->written_us != m->time_us &&
	    (!own || (m->was_source != NULL && *m->was_source != '\0'));
}

/*
 * A message whose time has no zone, as earlier versions knew it: 1: it is stored, or was removed,
 * so by that; *did says which, and m is filled; 0; -1.
 */
static int
known_as_before(struct store *s, int64_t user, struct message *m, enum put_did *did,
	struct err *err)
{
	struct message was;
	uint8_t hash[SHA256_BYTES] = { 0 };
	struct session_state *v;
	bool buried;
	int got;

	if (!has_before(m, &was))
		return 0;
	if (was.source_id == NULL || *was.source_id == '\0')
		source_hash(&was, hash);
	if (stays_buried(s, user, &was, hash, &buried, err) < 0 ||
	    (!buried && (v = writer_session(s, user, m->session, err)) == NULL))
		return -1;
	*did = buried ? PUT_PRUNED : PUT_DUPLICATE;
	if (buried)
		return 1;
	if ((got = find_duplicate(s, user, v, &was, hash, err)) <= 0)
		return got;
	m->row = was.row;
	m->turn = was.turn;
	m->stored_us = was.stored_us;
	m->n_tokens = was.n_tokens;
	memcpy(m->id, was.id, sizeof(m->id));
	return 1;
}

/* Puts it, identified by its source id or the hash. */
static int
put_by(struct store *s, int64_t user, struct message *m, const uint8_t *hash, enum put_did *did,
	struct err *err)
{
	struct session_state *v;
	bool buried;
	int got, sure;

	if (stays_buried(s, user, m, hash, &buried, err) < 0)
		return -1;
	if (buried) {
		*did = PUT_PRUNED;
		return 0;
	}
	if ((got = known_as_before(s, user, m, did, err)) != 0)
		return got < 0 ? -1 : 0;
	if ((v = writer_session(s, user, m->session, err)) == NULL)
		return -1;
	*did = PUT_DUPLICATE;
	if ((sure = is_surely_new(s, user, v, m, hash, err)) < 0)
		return -1;
	if (sure == 2)
		return 0;
	/*
	 * A message that was prepared ahead is most likely new: if it is not, putting it tells so
	 * at no cost.
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

static int
put_message(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err)
{
	uint8_t hash[SHA256_BYTES] = { 0 };
	char id[ID_TEXT];
	int64_t user;
	int got = 1;

	if (check_message(m, err) < 0 || (user = writer_user(s, who->user, err)) < 0)
		return -1;
	m->differs = false;
	if (m->prepared != NULL)
		memcpy(m->sha256, m->prepared->sha256, sizeof(m->sha256));
	else
		sha256(m->content, m->content_len, m->sha256);
	if (m->source_id == NULL || *m->source_id == '\0')
		source_hash(m, hash);
	memcpy(id, m->id, sizeof(id));
	for (int n = 0; got > 0 && n < 2; n++) {
		memcpy(m->id, id, sizeof(id));
		if (put_by(s, user, m, hash, did, err) < 0)
			return -1;
		got = *did == PUT_DUPLICATE ? is_other_by_calls(s, who, m, hash, err) : 0;
	}
	return MIN(got, 0);
}

int
messages_put(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err)
{
	const struct message given = *m;

	if (put_message(s, who, m, did, err) < 0)
		return -1;
	if (*did != PUT_DUPLICATE || !given.given)
		return 0;
	return s->from_peer != 0 ? message_agree(s, who, m, &given, err)
				 : message_compare(s, who, m, &given, err);
}

int
messages_known(struct store *s, const struct scope *who, struct message *m, bool *known,
	struct err *err)
{
	uint8_t hash[SHA256_BYTES] = { 0 }, key[TOMBSTONE_BYTES];
	struct message was = *m;
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
	got = find_duplicate(s, user, NULL, m, hash, err);
	if (got > 0 && (got = is_other_by_calls(s, who, m, hash, err)) >= 0)
		got = got == 0 ? 1 : find_duplicate(s, user, NULL, m, hash, err);
	if (got < 0)
		return -1;
	*known = got > 0;
	if (*known || s->put.pruned_return)
		return 0;
	message_key(m, hash, key);
	if (tombstone_has(s, user, key, known, err) < 0 ||
	    has_buried_words(s, user, m, known, err) < 0)
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
	uint8_t hash[SHA256_BYTES] = { 0 };
	int64_t user;

	*name = NULL;
	if ((user = user_number(s, who->user, false, err)) <= 0)
		return (int)user;
	sha256(m->content, m->content_len, m->sha256);
	source_hash(m, hash);
	return stmt_text(s, STMT_SESSION_WITH, ARGS(user,
	    timeless ? INT64_MIN : m->time_us + apart_us,
	    timeless ? INT64_MIN : m->time_us - apart_us, source_value(m, hash)), a, name,
	    err) < 0 ? -1 : 0;
}

static bool
is_empty(const char *text)
{
	return text == NULL || *text == '\0';
}

int
sessions_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err)
{
	uint8_t key[TOMBSTONE_BYTES];
	int64_t user = user_number(s, who->user, false, err);

	*buried = false;
	if (user <= 0 || s->put.pruned_return)
		return (int)MIN(user, 0);
	tombstone_key(id, NULL, 0, false, key);
	return tombstone_has(s, user, key, buried, err);
}

int
sessions_put(struct store *s, const struct scope *who, const struct session *v, struct err *err)
{
	int64_t user, agent, project;
	struct session_state *state, was;
	struct session_parts parts = { .n = 0 };
	uint8_t key[TOMBSTONE_BYTES];
	bool any, buried = false, is_part;

	if (v->id == NULL || *v->id == '\0' || strlen(v->id) > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "session has no id, or one over %llu bytes",
		    (unsigned long long)conf_caps.id_bytes);
	if ((user = writer_user(s, who->user, err)) < 0 ||
	    writer_tombstones(s, user, &any, err) < 0)
		return -1;
	tombstone_key(v->id, NULL, 0, false, key);
	/* that it returns is news: else its tombstone takes it away from the next store */
	if (any && (s->put.pruned_return ? tombstone_take(s, user, key, err)
			: tombstone_has(s, user, key, &buried, err)) < 0)
		return -1;
	/* nothing is stored of a removed session unless it has turns again */
	if (buried && (session_parts(s, user, v->id, &parts, err) < 0 || parts.n == 0))
		return parts.n == 0 ? 0 : -1;
	if ((agent = writer_label(s, user, LABEL_AGENT, v->agent, err)) < 0 ||
	    (project = writer_label(s, user, LABEL_PROJECT, v->project, err)) < 0 ||
	    session_is_part(s, user, v->id, &is_part, err) < 0 ||
	    (state = writer_session(s, user, v->id, err)) == NULL)
		return -1;
	was = *state;
	if (buried || is_part) /* its turns alone say when it was, and whose it is */
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
	if (is_empty(v->title) && is_empty(v->system_prompt) && is_empty(v->metadata))
		return 0;
	if (stmt_run(s, STMT_SESSION_ABOUT, ARGS(SOME(v->title), SOME(v->system_prompt),
	    SOME(v->metadata), clock_now_us(), user, state->id), err) < 0)
		return -1;
	state->told |= db_changes(s->db) > 0;
	return 0;
}
