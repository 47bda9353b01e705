/*
 * begun.c: whether a file of text goes on with a session that is known. An export that was made
 * again has another name, and begins with the turns that the first one has: these are looked for in
 * the sessions of their time.
 */
#include "ingest/ingest_parts.h"

#define TURNS_MOST 4                       /* as many first turns are looked for */
/* without a time, so many bytes of words tell that turns are the same */
#define WORDS_LEAST 80

struct first {
	struct message m[TURNS_MOST];
	size_t n, n_bytes;
	uint64_t places;                   /* as many places of the session are taken */
	size_t n_gone, n_bytes_gone;       /* were forgotten, in this session or another */
	size_t n_known;                    /* the session at hand has, or had */
	const char *part;                  /* of the file, whose turns they are */
	bool timeless;
};

/* Adds the turn in a unit, as it would be stored. */
static void
add_first(struct ingest *g, struct turns *t, struct record_reader *reader, const struct buf *unit,
	struct first *f, struct err *err)
{
	struct json_member members[TURN_MEMBERS];
	struct json v = { JSON_OBJECT, 0, { .members = members } };
	struct turn turn;
	struct record r;
	int got = turns_read(t, unit->data, unit->len, &g->arena, &turn, err);

	if (got > 0 && turn.record == NULL) {
		ingest_turn_record(g, &turn, &v);
		got = record_read(reader, &v, false, &g->rules, &g->arena, &r, err) == 0 ? 1 : -1;
	}
	err_clear(err);
	if (got <= 0 || turn.record != NULL || (f->n > 0 && strcmp(turn.part, f->part) != 0))
		return;
	r.message.position = f->places++;
	if (r.kind != RECORD_MESSAGE)
		return;
	ingest_turn_place(&turn, &r.message);
	f->part = turn.part;
	f->m[f->n++] = r.message;
	f->n_bytes += r.message.content_len;
	f->timeless |= r.message.time_us == TIME_NONE;
}

/* Gathers the first turns as the input does; the last one may go on behind the bytes. */
static void
read_first(struct ingest *g, const char *bytes, size_t len, bool whole, struct first *f)
{
	struct turns *t = turns_open(g->from->name, bytes, len, ndjson_name(g->in->lines));
	struct record_reader *reader = record_reader_new();
	struct turns_around around = { .after_blank = false };
	struct err ignored = ERR_INIT;
	const char *p = bytes, *line;
	size_t n, blank = 0;
	LOCAL(buf) unit = buf_of(len + 1);

	while (f->n < TURNS_MOST && (line = turns_line(&p, bytes + len, &n)) != NULL) {
		if (n == 0) {
			blank++;
			continue;
		}
		around.after_blank = blank > 0;
		if (turns_begins(t, line, n, &around) && unit.len > 0) {
			add_first(g, t, reader, &unit, f, &ignored);
			buf_reset(&unit);
		}
		for (blank += unit.len > 0; unit.len > 0 && blank > 0; blank--)
			buf_addc(&unit, '\n');
		blank = 0;
		buf_add(&unit, line, n);
	}
	if (whole && f->n < TURNS_MOST && unit.len > 0)
		add_first(g, t, reader, &unit, f, &ignored);
	record_reader_free(reader);
	turns_close(t);
}

/*
 * Counts the turns that were forgotten. All of a session may have been, so that none can be asked
 * whether it has the turns.
 */
static int
count_gone(struct ingest *g, struct first *f, struct err *err)
{
	struct scope who = { g->o->user, NULL, NULL, NULL };

	for (size_t i = 0; i < f->n; i++) {
		struct message m = f->m[i];
		bool known;

		m.may_be_copy = true;
		if (messages_known(g->s, &who, &m, &known, err) != 0)
			return -1;
		if (known && m.id[0] == '\0') {
			f->n_gone++;
			f->n_bytes_gone += m.content_len;
		}
	}
	return 0;
}

/*
 * Whether the session has the turns, or had them: the first is in it, and the second, where both
 * have one. Without times it has all that were looked at, and they have some words.
 */
static int
is_begun(struct ingest *g, struct first *f, const char *session, bool *is, struct err *err)
{
	struct scope who = { g->o->user, NULL, NULL, NULL };
	int64_t turns;

	f->n_known = 0;
	for (size_t i = 0; i < f->n; i++) {
		bool known;

		f->m[i].session = session;
		if (messages_known(g->s, &who, &f->m[i], &known, err) != 0)
			return -1;
		f->n_known += known;
	}
	if (sessions_count(g->s, &who, session, &turns, err) != 0)
		return -1;
	if (f->timeless)
		*is = f->n_known == f->n && f->n > 1 &&
		    (f->n_gone > 0 || f->n_bytes >= WORDS_LEAST);
	else
		*is = f->n_known > 1 || (f->n_known == 1 && (f->n == 1 || turns == 1));
	return 0;
}

int
begun_session(struct ingest *g, const char *bytes, size_t len, bool whole, struct err *err)
{
	struct scope who = { g->o->user, NULL, NULL, NULL };
	struct first f = { .n = 0 };
	const char *name = NULL;
	bool any = true, is = false;

	if (g->s == NULL || g->from->kind != FROM_TURNS || g->o->session[0] != '\0' ||
	    strcmp(g->place.name, "-") == 0)
		return 0;
	if (sessions_called(g->s, &who, g->rules.session, &any, err) != 0)
		return -1;
	arena_reset(&g->arena);
	if (!any)
		read_first(g, bytes, len, whole, &f);
	/* the file before may hold the session, so what was read is stored first */
	if (f.n == 0)
		return 0;
	if (batch_commit(g->batch, err) != 0) {
		g->fatal = true;
		return -1;
	}
	if (count_gone(g, &f, err) != 0)
		return -1;
	for (size_t i = 0; i < (f.n_gone > 0 ? f.n : 1) && !is; i++)
		if (messages_session(g->s, &who, &f.m[i], &g->arena, &name, err) != 0 ||
		    (name != NULL && is_begun(g, &f, name, &is, err) != 0))
			return -1;
	if (!is) {
		g->may_be_copy = f.timeless
		    ? (f.n_gone > 1 && (f.n_gone + 1 >= f.n || f.n_bytes_gone >= WORDS_LEAST)) ||
			(f.n_gone == 1 && f.n == 1 && f.n_bytes >= WORDS_LEAST)
		    : f.n_gone > 0;
		return 0;
	}
	/* a part is called by the file's name and its own */
	size_t len_name = strlen(name);
	size_t len_part = strlen(f.part) + (f.part[0] != '\0');
	if (len_part >= len_name || strcmp(name + len_name - strlen(f.part), f.part) != 0)
		return 0;
	g->rules.session = g->place.session =
	    arena_strndup(&g->begun, name, len_name - len_part);
	return 0;
}
