/*
 * message_alias.c: one turn, two ids. Two stores that read the same transcript give a turn an id
 * each. When they are brought together, both call it by the smaller one, and remember the other as
 * an alias, so that what cites it is still understood.
 */
#include "store/write/tombstones.h"

#include "store/sql/handle.h"
#include "store/sql/message_columns.h"
#include "store/messages/stored.h"

int
message_turn(struct store *s, const struct message *m, int64_t *turn, struct err *err)
{
	int got = stmt_number(s, STMT_TURN_OF, ARGS(m->row, ROWS_OF(m->row >> USER_SHIFT)), turn,
	    err);

	if (got == 0)
		*turn = m->turn;
	return got < 0 ? -1 : 0;
}

int
message_note_turn(struct store *s, int64_t row, int64_t turn, struct err *err)
{
	return stmt_run(s, STMT_TURN_PUT, ARGS(row, turn), err);
}

/* Notes which turn it was where it was said, if another one is known. */
static int
note_turn_said(struct store *s, const struct message *m, int64_t turn, struct err *err)
{
	int64_t have;

	return message_turn(s, m, &have, err) < 0 ? -1
	    : have == turn ? 0 : message_note_turn(s, m->row, turn, err);
}

#define BOTH(no, text, type) { a->text, b->text },

/* Whether two names are one project, which may have been moved here. */
static bool
is_same_project(struct store *s, int64_t user, const char *a, const char *b)
{
	struct err ignored = ERR_INIT;
	int64_t no;

	a = a != NULL ? a : "";
	b = b != NULL ? b : "";
	return strcmp(a, b) == 0 ||
	    ((no = label_number(s, user, LABEL_PROJECT, a, false, &ignored)) > 0 &&
		no == label_number(s, user, LABEL_PROJECT, b, false, &ignored));
}

/* Whether two messages are the same in all but their time that a store does not make itself. */
static bool
is_same_but_time(struct store *s, const struct message *a, const struct message *b)
{
	const char *texts[][2] = { { a->name, b->name }, { a->agent, b->agent },
		MESSAGE_TEXTS(BOTH) };

	for (size_t i = 0; i < NELEM(texts); i++)
		if (strcmp(texts[i][0] != NULL ? texts[i][0] : "",
		    texts[i][1] != NULL ? texts[i][1] : "") != 0)
			return false;
	return a->role == b->role && a->origin == b->origin && a->trust == b->trust &&
	    is_same_project(s, a->row >> USER_SHIFT, a->project, b->project);
}

/* Notes whether m, which is here, is another one than what is given; of its words same tells it. */
static void
note_differs(struct store *s, struct message *m, const struct message *here,
	const struct message *given, bool same)
{
	bool in_time = here->time_us != given->time_us;

	same = same && is_same_but_time(s, here, given);
	m->differs_in_time = !m->differs && same && in_time;
	m->differs |= !same || in_time;
}

static int
put_alias(struct store *s, const uint8_t ulid[ID_BYTES], int64_t row, struct err *err)
{
	return stmt_run(s, STMT_ALIAS_PUT, ARGS(BLOB(ulid, ID_BYTES), row), err);
}

/*
 * Changes the id of the turn at m->row, also where it is a record's source. *taken: the id is
 * another message's, and nothing is changed.
 */
static int
rename_turn(struct store *s, const struct message *m, const uint8_t from[ID_BYTES],
	const uint8_t to[ID_BYTES], int64_t stored_us, bool *taken, struct err *err)
{
	static const enum stmt sources[] = { STMT_SOURCES_RENAME, STMT_SOURCES_WAS_RENAME };
	int64_t user = m->row >> USER_SHIFT;

	*taken = false;
	if (stmt_run(s, STMT_MESSAGE_RENAME, ARGS(BLOB(to, ID_BYTES), stored_us, m->row,
	    ROWS_OF(user)), err) < 0) {
		if (!db_was_taken(s->db))
			return -1;
		err_clear(err);
		*taken = true;
		return 0;
	}
	return stmts_run(s, sources, NELEM(sources), ARGS(BLOB(to, ID_BYTES),
		   BLOB(from, ID_BYTES), ROWS_OF(user)), err) < 0 ||
		put_alias(s, from, m->row, err) < 0
	    ? -1
	    : change_log(s, user, CHANGE_TURNS, m->row, 1, NULL, err);
}

/* Reads the message at m->row. */
static int
read_here(struct store *s, const struct scope *who, const struct message *m, struct arena *a,
	const struct message **here, struct err *err)
{
	if (messages_by_rows(s, who, &m->row, 1, a, here, err) < 0)
		return -1;
	return *here != NULL
	    ? 0
	    : err_set(err, ERR_IO, "a message is not at its place: store is damaged: '%s'",
		  store_path(s));
}

int
message_compare(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct message *here = NULL;
	int rc = read_here(s, who, m, &a, &here, err);

	if (rc == 0)
		note_differs(s, m, here, given, here->content_len == given->content_len &&
		    memcmp(here->content, given->content, here->content_len) == 0);
	return rc;
}

int
message_agree(struct store *s, const struct scope *who, struct message *m,
	const struct message *given, struct err *err)
{
	uint8_t have[ID_BYTES], other[ID_BYTES];
	LOCAL(arena) a = ARENA_INIT;
	const struct message *here = NULL;
	bool taken = false;

	if (m->differs || strcmp(m->id, given->id) == 0 ||
	    id_parse(m->id, strlen(m->id), have) < 0 ||
	    id_parse(given->id, strlen(given->id), other) < 0)
		return 0;
	if (read_here(s, who, m, &a, &here, err) < 0)
		return -1;
	note_differs(s, m, here, given, true);
	if (memcmp(other, have, ID_BYTES) > 0)
		return put_alias(s, other, m->row, err);
	if (rename_turn(s, m, have, other, given->stored_us, &taken, err) < 0)
		return -1;
	m->differs |= taken;
	m->differs_in_time &= !taken;
	return taken ? 0 : note_turn_said(s, m, given->turn, err);
}
