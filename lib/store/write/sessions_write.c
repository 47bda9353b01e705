/*
 * sessions_write.c: sessions in a write transaction. Those that it touches are held in a table by
 * the hash of their names, and written out when the transaction ends or another one needs the slot.
 */
#include "store/write/writer_parts.h"

#include "base/alloc.h"
#include "store/write/tombstones.h"
#include "store/sql/column.h"


/* Logs what is new of a session for other stores. */
static int
log_session(struct store *s, struct session_state *v, struct err *err)
{
	int64_t from = v->logged_turns;

	if (!v->told && v->turns <= from)
		return 0;
	v->told = false;
	v->logged_turns = v->turns;
	return change_log(s, v->id >> SESSION_BITS, CHANGE_TURNS, session_lo(v->id) + from,
	    v->turns - from, NULL, err);
}

int
session_write(struct store *s, struct session_state *v, struct err *err)
{
	return log_session(s, v, err) < 0 ? -1 : stmt_run(s, STMT_SESSION_COUNTS, ARGS(v->turns,
	    v->assistants, v->speaker, v->speakers, TIME(v->created), TIME(v->updated),
	    LABEL(v->agent), LABEL(v->project), v->id >> SESSION_BITS, v->id), err);
}

static void
read_session(struct db_stmt *q, struct session_state *v)
{
	*v = (struct session_state){
		.id = db_column_int(q, 0),
		.turns = db_column_int(q, 1),
		.assistants = db_column_int(q, 2),
		.speaker = db_column_int(q, 3),
		.speakers = db_column_int(q, 4),
		.created = column_time(q, 5),
		.updated = column_time(q, 6),
		.part = db_column_int(q, 7),
		.agent = db_column_int(q, 8),
		.project = db_column_int(q, 9),
		.logged_turns = db_column_int(q, 1),
	};
}

/*
 * The number of a new session. The database is asked once in a transaction, as nobody else makes
 * sessions meanwhile.
 */
static int
next_session(struct store *s, int64_t user, int64_t *id, struct err *err)
{
	struct writer *w = s->writer;
	int64_t next;

	if (w->made_user != user) {
		if (stmt_number(s, STMT_SESSION_NEXT, ARGS(user), &next, err) < 0)
			return -1;
		w->made_last = next - 1;
		w->made_user = user;
	}
	*id = ++w->made_last;
	return 0;
}

static int
make_session(struct store *s, int64_t user, const char *name, int64_t part, struct session_state *v,
	struct err *err)
{
	int64_t id;

	if (next_session(s, user, &id, err) < 0)
		return -1;
	*v = (struct session_state){ .id = id,
		.part = part,
		.created = TIME_NONE,
		.updated = TIME_NONE,
		.is_new = true,
		.told = true };
	if (v->id >> SESSION_BITS != user)
		return err_set(err, ERR_DATA, "user has more than %d sessions",
		    (1 << SESSION_BITS) - 1);
	return stmt_run(s, STMT_SESSION_PUT, ARGS(v->id, user, name, part), err);
}

static struct session_slot *
slot_of(struct writer *w, int64_t user, const char *name)
{
	return &w->sessions[hash64(name, strlen(name), (uint64_t)user) & (SESSION_SLOTS - 1)];
}

static bool
is_in(const struct session_slot *slot, int64_t user, const char *name)
{
	return slot->name != NULL && slot->user == user && strcmp(slot->name, name) == 0;
}

static int
clear_slot(struct store *s, struct session_slot *slot, struct err *err)
{
	if (slot->name != NULL && slot->state.dirty && session_write(s, &slot->state, err) < 0)
		return -1;
	free(slot->name);
	slot->name = NULL;
	return 0;
}

struct session_state *
writer_session(struct store *s, int64_t user, const char *name, struct err *err)
{
	struct session_slot *slot = slot_of(s->writer, user, name);
	bool known = is_in(slot, user, name);
	int64_t part = 0;
	int got;

	if (known && slot->state.id == 0)
		return make_session(s, user, name, 0, &slot->state, err) < 0 ? NULL : &slot->state;
	if (known && slot->state.turns < TURNS_MAX)
		return &slot->state;
	if (clear_slot(s, slot, err) < 0)
		return NULL;
	struct db_stmt *q = stmt_start(s, STMT_SESSION_LAST, ARGS(user, name), err);
	if ((got = db_row(q, err)) < 0)
		return NULL;
	if (got > 0) {
		read_session(q, &slot->state);
		part = slot->state.part + 1;
		db_reset(q);
	}
	if ((got == 0 || slot->state.turns >= TURNS_MAX) &&
	    make_session(s, user, name, part, &slot->state, err) < 0)
		return NULL;
	slot->user = user;
	slot->name = xstrdup(name);
	return &slot->state;
}

const struct session_state *
writer_known(struct store *s, int64_t user, const char *name)
{
	struct session_slot *slot = slot_of(s->writer, user, name);

	return is_in(slot, user, name) ? &slot->state : NULL;
}


/* A session that is not in the store gets the number 0 in its slot until it is made. */
int
writer_expect(struct store *s, int64_t user, const char *const *names, size_t n, struct err *err)
{
	int got;

	for (size_t i = 0; i < n; i++)
		if (writer_known(s, user, names[i]) == NULL && stmt_want_next(s,
		    STMT_SESSION_LAST, ARGS(user, names[i]), err) < 0)
			return -1;
	for (size_t i = 0; i < n; i++) {
		struct session_slot *slot = slot_of(s->writer, user, names[i]);
		/*
		 * a slot in use is left alone: its second session is looked for when it is needed
		 */
		if (slot->name != NULL)
			continue;
		struct db_stmt *q = stmt_start(s, STMT_SESSION_LAST, ARGS(user, names[i]), err);
		if ((got = db_row(q, err)) < 0)
			return -1;
		slot->state = (struct session_state){ .id = 0 };
		if (got > 0)
			read_session(q, &slot->state);
		db_reset(q);
		slot->user = user;
		slot->name = xstrdup(names[i]);
	}
	return 0;
}

bool
writer_noted(struct store *s, uint64_t key)
{
	return keyed_at(&s->writer->noted, key)->value++ > 0;
}

struct session_state *
writer_session_by_id(struct store *s, int64_t id, struct err *err)
{
	char name[32];
	int64_t user = id >> SESSION_BITS;
	int got;

	/*
	 * A rebuild asks by number. The slot gets a name that no session has, so that the two kinds
	 * of key are not mixed.
	 */
	snprintf(name, sizeof(name), "\x01%lld", (long long)id);
	struct session_slot *slot = slot_of(s->writer, user, name);
	if (slot->name != NULL && slot->user == user && strcmp(slot->name, name) == 0)
		return &slot->state;
	if (clear_slot(s, slot, err) < 0)
		return NULL;
	struct db_stmt *q = stmt_start(s, STMT_SESSION_BY_ID, ARGS(user, id), err);
	if ((got = db_row(q, err)) <= 0) {
		if (got == 0)
			err_set(err, ERR_IO, "store is damaged: a message has no session");
		return NULL;
	}
	read_session(q, &slot->state);
	db_reset(q);
	slot->user = user;
	slot->name = xstrdup(name);
	return &slot->state;
}

void
session_saw(struct session_state *v, enum role role, int64_t speaker)
{
	v->assistants += role == ROLE_ASSISTANT;
	if (speaker != 0 && v->speakers == 0) {
		v->speaker = speaker;
		v->speakers = 1;
	} else if (speaker != 0 && speaker != v->speaker) {
		v->speakers = 2;
	}
	v->dirty = true;
}
