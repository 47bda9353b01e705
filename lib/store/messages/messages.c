/*
 * messages.c: stores messages. What was said is never changed; storing the same again finds what is
 * there (identity.c).
 */
#include "base/alloc.h"
#include "base/order.h"
#include "store/messages/stored.h"
#include "store/sql/message_columns.h"
#include "text/tokens.h"

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
 * For a database across a network: whether a message is known to be new, so that it can be put
 * without waiting for an answer. 1: it is; 0: that is not known, as of one that brings an id, which
 * may be another's; 2: it is stored, and m is filled as by identity_find; -1.
 */
static int
is_surely_new(struct store *s, int64_t user, const struct session_state *v,
	const struct identity *k, struct err *err)
{
	if (!db_is_far(s->db) || k->m->given || *k->m->id != '\0' || id_is_seeded())
		return 0;
	bool again = writer_noted(s, identity_note(k, v->id));
	if (v->is_new && v->part == 0 && !again)
		return 1;
	int got = identity_find(s, user, v, k, err);
	return got < 0 ? -1 : got > 0 ? 2 : 1;
}

#define SOME_TEXT(no, name, type) [MESSAGE_##name] = SOME(m->name),

struct labels { int64_t speaker, agent, project; };

/*
 * 1: put; 0: not put, as the session has a message with its source already, or its given id is
 * another message's; -1.
 */
static int
insert(struct store *s, const struct identity *k, bool is_new, const struct prepared *p,
	const struct labels *l, struct err *err)
{
	struct message *m = k->m;
	uint8_t ulid[ID_BYTES];
	bool given = *m->id != '\0' && id_parse(m->id, strlen(m->id), ulid) == 0;
	const struct db_value values[] = {
		[MESSAGE_id] = value_number(m->row),
		[MESSAGE_session] = value_number(m->row >> TURN_BITS),
		[MESSAGE_ulid] = BLOB(ulid, sizeof(ulid)),
		[MESSAGE_source] = identity_value(k),
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
	return chunks_put(s, m->row, p->chunks, p->n_chunks, err) < 0 ? -1 : 1;
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

/* Puts it as a turn of v, with its card and words. Returns as insert. */
static int
put_turn(struct store *s, int64_t user, struct session_state *v, const struct identity *k,
	bool is_new, struct err *err)
{
	struct message *m = k->m;
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
	const struct prepared *p = writer_prepare(s, m, m->sha256);
	m->n_tokens = p->n_tokens;
	if (m->tool_calls != NULL)
		m->n_tokens += tokens_estimate(m->tool_calls, strlen(m->tool_calls));
	if (m->given && n_tokens > 0)
		m->n_tokens = n_tokens;
	if (m->trust < 0)
		m->trust = origin_trust(m->origin);
	if ((got = insert(s, k, is_new, p, &l, err)) <= 0)
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
	int64_t user;
	bool any;

	if (!db_is_far(s->db) || id_is_seeded())
		return 0;
	if ((user = writer_user(s, who->user, err)) < 0 ||
	    writer_tombstones(s, user, &any, err) < 0)
		return -1;
	FREED const char **names = xreallocarray(NULL, n + 1, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = m[i]->session;
	if (writer_expect(s, user, names, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct session_state *v = writer_known(s, user, m[i]->session);

		if (writer_expect_label(s, user, LABEL_SPEAKER, m[i]->name, err) < 0 ||
		    writer_expect_label(s, user, LABEL_AGENT, m[i]->agent, err) < 0 ||
		    writer_expect_label(s, user, LABEL_PROJECT, m[i]->project, err) < 0)
			return -1;
		if (v == NULL || v->part > 0 || v->turns == 0 || m[i]->prepared == NULL)
			continue;
		memcpy(m[i]->sha256, m[i]->prepared->sha256, SHA256_BYTES);
		struct identity k = identity_of(m[i]);
		if (stmt_want_next(s, STMT_MESSAGE_DUPLICATE, ARGS(identity_value(&k), v->id),
		    err) < 0)
			return -1;
	}
	return db_fetch(s->db, err);
}

static int
put_by(struct store *s, int64_t user, const struct identity *k, enum put_did *did, struct err *err)
{
	struct message *m = k->m;
	struct session_state *v;
	bool buried;
	int got, sure;

	if (identity_buried(s, user, k, &buried, err) < 0)
		return -1;
	if (buried) {
		*did = PUT_PRUNED;
		return 0;
	}
	if ((got = identity_as_before(s, user, m, did, err)) != 0)
		return got < 0 ? -1 : 0;
	if ((v = writer_session(s, user, m->session, err)) == NULL)
		return -1;
	*did = PUT_DUPLICATE;
	if ((sure = is_surely_new(s, user, v, k, err)) < 0)
		return -1;
	if (sure == 2)
		return 0;
	/*
	 * A message that was prepared ahead is most likely new: if it is not, putting it tells so
	 * at no cost.
	 */
	if (sure == 0 && (m->prepared == NULL || v->part > 0) &&
	    (got = identity_find(s, user, v, k, err)) != 0)
		return got < 0 ? -1 : 0;
	if ((got = put_turn(s, user, v, k, sure == 1, err)) < 0)
		return -1;
	if (got > 0)
		*did = PUT_STORED;
	else if ((got = identity_find(s, user, v, k, err)) == 0 && m->given)
		*did = PUT_TAKEN;
	else if (got == 0)
		return err_set(err, ERR_IO,
		    "index of messages is " ERR_DAMAGED ": '%s'", store_path(s));
	return got < 0 ? -1 : 0;
}

static int
put_message(struct store *s, const struct scope *who, struct message *m, enum put_did *did,
	struct err *err)
{
	char id[ID_TEXT];
	int64_t user;
	int got = 1;

	if (identity_check(m, err) < 0 || (user = writer_user(s, who->user, err)) < 0)
		return -1;
	m->differs = m->differs_in_time = false;
	if (m->prepared != NULL)
		memcpy(m->sha256, m->prepared->sha256, sizeof(m->sha256));
	else
		sha256(m->content, m->content_len, m->sha256);
	struct identity k = identity_of(m);
	memcpy(id, m->id, sizeof(id));
	for (int n = 0; got > 0 && n < 2; n++) {
		memcpy(m->id, id, sizeof(id));
		if (put_by(s, user, &k, did, err) < 0)
			return -1;
		got = *did == PUT_DUPLICATE ? identity_by_calls(s, who, &k, err) : 0;
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
