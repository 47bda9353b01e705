/*
 * transfer.c: sessions and messages in an order that depends on nothing but them, and sessions as
 * another store has them.
 *
 * Turns of a session are in the order of their rows, but for a session to which two stores have
 * added: there each turn also has the number that it had where it was said (message_turn), and is
 * sorted by that, then by its id.
 */
#include "store/transfer.h"

#include "base/alloc.h"
#include "base/order.h"
#include "store/sql/column.h"
#include "store/write/tombstones.h"
#include "store/messages/stored.h"
#include "store/write/writer.h"

/* ---- sessions out ---- */

int
sessions_in_order(struct store *s, const struct scope *who, ordered_session_fn *fn, void *arg,
	struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct numbers ids = { NULL, 0, 0 };        /* of the first parts */
	LOCAL(arena) a = ARENA_INIT;
	int rc = user < 0 ? -1 : 0;

	if (user > 0)
		rc = stmt_each_number(s, STMT_SESSIONS_IN_ORDER, ARGS(user), &ids, err);
	for (size_t i = 0; i < ids.n && rc == 0; i++) {
		const struct session *v = NULL;
		/* without a name it has gone meanwhile */
		struct session bare = { .created_us = TIME_NONE, .updated_us = TIME_NONE };

		arena_reset(&a);
		if (stmt_text(s, STMT_SESSION_NAME, ARGS(user, ids.at[i]), &a, &bare.id, err) < 0 ||
		    (bare.id != NULL && sessions_find(s, who, bare.id, &a, &v, err) < 0))
			rc = -1;
		else if (bare.id != NULL)
			rc = fn(arg, v != NULL ? v : &bare, v != NULL);
	}
	free(ids.at);
	return rc < 0 ? -1 : 0;
}

/* ---- messages out ---- */

struct turn { int64_t row, turn; char id[ID_TEXT]; };
struct turns { struct store *s; struct turn *at; size_t n, cap; struct err *err; };

static int
keep_turn(void *arg, const struct message *m)
{
	struct turns *t = arg;
	int64_t turn;

	if (message_turn(t->s, m, &turn, t->err) < 0)
		return -1;
	xgrow(&t->at, &t->cap, t->n + 1, sizeof(*t->at));
	t->at[t->n].row = m->row;
	t->at[t->n].turn = turn;
	memcpy(t->at[t->n++].id, m->id, ID_TEXT);
	return 0;
}

ORDER_BY_TEXT(by_turn, struct turn, turn, id)

static int
sorted_messages(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err)
{
	enum { PAGE = 64 };
	struct turns t = { .s = s, .err = err };
	const struct message *page[PAGE];
	int64_t rows[PAGE];
	LOCAL(arena) a = ARENA_INIT;
	int rc = messages_each(s, who, f, keep_turn, &t, err);

	if (t.n > 0)
		qsort(t.at, t.n, sizeof(*t.at), by_turn);
	for (size_t first = 0; first < t.n && rc == 0; first += PAGE) {
		size_t n = MIN(t.n - first, (size_t)PAGE);

		arena_reset(&a);
		for (size_t i = 0; i < n; i++)
			rows[i] = t.at[first + i].row;
		rc = messages_by_rows(s, who, rows, n, &a, page, err);
		for (size_t i = 0; i < n && rc == 0; i++)
			if (page[i] != NULL) {
				struct message m = *page[i];

				m.turn = t.at[first + i].turn;
				rc = fn(arg, &m);
			}
	}
	free(t.at);
	return rc < 0 ? -1 : 0;
}

/* Whether a turn of the session stands elsewhere than where it was said. */
static int
is_mixed(struct store *s, const struct scope *who, bool *mixed, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	struct session_parts parts;
	int got = 0;

	*mixed = false;
	if (user < 0 || session_parts(s, user, who->session, &parts, err) < 0)
		return -1;
	for (size_t i = 0; i < parts.n && got == 0; i++)
		got = stmt_number(s, STMT_TURNS_ANY, ARGS(session_lo(parts.id[i]),
		    session_hi(parts.id[i])), NULL, err);
	*mixed = got > 0;
	return got < 0 ? -1 : 0;
}

int
messages_in_order(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err)
{
	bool mixed;

	if (is_mixed(s, who, &mixed, err) < 0)
		return -1;
	return mixed ? sorted_messages(s, who, f, fn, arg, err)
		     : messages_each(s, who, f, fn, arg, err);
}

/* ---- sessions in ---- */

struct texts { const char *title, *system_prompt, *metadata; int64_t told_us; };

static int
read_texts(struct store *s, int64_t user, const char *name, struct arena *a, struct texts *out,
	struct err *err)
{
	struct db_stmt *q = stmt_start(s, STMT_SESSION_TEXTS, ARGS(user, name), err);
	int got;

	*out = (struct texts){ "", "", "", TIME_NONE };
	if ((got = db_row(q, err)) > 0)
		*out = (struct texts){ column_text(q, 0, a), column_text(q, 1, a),
			column_text(q, 2, a), column_time(q, 3) };
	db_reset(q);
	return got < 0 ? -1 : 0;
}

/* The session, *made when there is none, and what it is told of here: of one just made, nothing. */
static struct session_state *
state_and_texts(struct store *s, int64_t user, const char *name, struct arena *a,
	struct texts *out, bool *made, struct err *err)
{
	const struct session_state *known = writer_known(s, user, name);
	bool was_there = known != NULL && known->id != 0;
	struct session_state *state = writer_session(s, user, name, err);

	*out = (struct texts){ "", "", "", TIME_NONE };
	*made = state != NULL && !was_there && state->is_new && state->part == 0;
	if (state == NULL || *made)
		return state;
	return read_texts(s, user, name, a, out, err) < 0 ? NULL : state;
}

/* What is to be put: what was given, where nothing is there; "": nothing. */
static const char *
missing_text(const char *have, const char *given, bool *differs)
{
	if (*have != '\0' && given != NULL && *given != '\0')
		*differs |= strcmp(have, given) != 0;
	return *have == '\0' ? given : "";
}

/* Of turns of two agents a session is nobody's. */
static void
share_label(int64_t *have, int64_t given, bool is_new)
{
	if (is_new)
		*have = given;
	else if (*have != given)
		*have = 0;
}

static const char *
greater_text(const char *have, const char *given)
{
	given = given != NULL ? given : "";
	return strcmp(have, given) >= 0 ? have : given;
}

/* Of what two stores were told of a session the later stands; of the same time the greater. */
static int
agree_on_texts(struct store *s, struct session_state *state, const struct texts *have,
	const struct session *v, struct err *err)
{
	struct texts now = { v->title, v->system_prompt, v->metadata, v->told_us };

	if (v->told_us < have->told_us)
		return 0;
	if (v->told_us == have->told_us)
		now = (struct texts){ greater_text(have->title, v->title),
			greater_text(have->system_prompt, v->system_prompt),
			greater_text(have->metadata, v->metadata), v->told_us };
	state->told |= v->told_us > have->told_us || strcmp(now.title, have->title) != 0 ||
	    strcmp(now.system_prompt, have->system_prompt) != 0 ||
	    strcmp(now.metadata, have->metadata) != 0;
	return stmt_run(s, STMT_SESSION_TELL, ARGS(SOME(now.title), SOME(now.system_prompt),
	    SOME(now.metadata), TIME(now.told_us), state->id >> SESSION_BITS, state->id), err);
}

/*
 * What was said of a session after it had been removed, both here and there: it counts where there
 * is something in it again.
 */
static int
give_again(struct store *s, int64_t user, const struct session *v, enum give_did *did,
	struct err *err)
{
	struct session_parts parts;
	struct session_state *state;
	LOCAL(arena) a = ARENA_INIT;
	struct texts have;
	int rc = -1;

	if (session_parts(s, user, v->id, &parts, err) < 0)
		return -1;
	if (parts.n == 0)
		return 0;
	*did = GIVEN_SAME;
	if (read_texts(s, user, v->id, &a, &have, err) == 0 &&
	    (state = writer_session(s, user, v->id, err)) != NULL &&
	    agree_on_texts(s, state, &have, v, err) == 0) {
		state->dirty = true;
		rc = 0;
	}
	return rc;
}

int
sessions_give(struct store *s, const struct scope *who, const struct session *v,
	enum give_did *did, bool *told, struct err *err)
{
	int64_t user = writer_user(s, who->user, err), agent, project, was_agent, was_project;
	uint8_t key[TOMBSTONE_BYTES];
	LOCAL(arena) a = ARENA_INIT;
	struct session_state *state;
	struct session put = *v;
	struct texts have;
	bool buried, differs = false, is_new, is_part, made, was_told;

	*told = false;
	tombstone_key(v->id, NULL, 0, false, key);
	if (user < 0 || (!s->put.pruned_return &&
	    tombstone_has(s, user, key, &buried, err) < 0))
		return -1;
	if (!s->put.pruned_return && buried) {
		*did = GIVEN_BURIED;
		return v->again ? give_again(s, user, v, did, err) : 0;
	}
	if ((agent = writer_label(s, user, LABEL_AGENT, v->agent, err)) < 0 ||
	    (project = writer_label(s, user, LABEL_PROJECT, v->project, err)) < 0 ||
	    session_is_part(s, user, v->id, &is_part, err) < 0 ||
	    (state = state_and_texts(s, user, v->id, &a, &have, &made, err)) == NULL)
		return -1;
	is_new = state->turns == 0 && state->part == 0;
	*told = is_new && !is_part;
	was_told = state->told;
	state->told = made;                    /* or what is given changes it */
	was_agent = state->agent;
	was_project = state->project;
	if (!is_part) {
		share_label(&state->agent, agent, is_new);
		share_label(&state->project, project, is_new);
	}
	state->told |= state->agent != was_agent || state->project != was_project;
	put.agent = put.project = "";
	if (s->from_peer != 0) {
		if (agree_on_texts(s, state, &have, v, err) < 0)
			return -1;
		put.title = put.system_prompt = put.metadata = "";
	} else {
		put.title = missing_text(have.title, v->title, &differs);
		put.system_prompt = missing_text(have.system_prompt, v->system_prompt, &differs);
		put.metadata = missing_text(have.metadata, v->metadata, &differs);
	}
	int rc = sessions_put(s, who, &put, err);
	*did = differs ? GIVEN_DIFFERS : state->told ? GIVEN_STORED : GIVEN_SAME;
	state->told |= was_told;
	return rc;
}
