/*
 * ingest_unit.c: makes records of one unit of an input (a line, an element of an array, a
 * paragraph, or a turn of a log) by the input's format, and adds each to the batch.
 */
#include "base/ascii.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "clean/clean_text.h"
#include "ingest/ingest_parts.h"
#include "json/json.h"

/* ---- records in a line that is none ---- */

/* An object is followed from its bracket to that which closes it, by strings and nesting. */

enum torn_got { TORN_END, TORN_WHOLE, TORN_BROKEN };

#define TRIES_MOST 64                      /* as many brackets of a line are tried */

static bool
is_between(char c)
{
	return ascii_is_space(c) || c == '\0' || c == ',' || c == 0x1e;
}

/* The length of the object at s; 0: it does not end. */
static size_t
object_at(const char *s, size_t len)
{
	struct json_scan scan = { .depth = 0 };
	bool ended;
	size_t n = json_scan(&scan, s, len, &ended);

	return ended ? n : 0;
}

/* The length of the opening of an object up to its first key: {"type" */
static size_t
opening(const char *s, size_t len)
{
	size_t i = 0;

	if (len == 0 || *s != '{')
		return 0;
	for (i = 1; i < len && ascii_is_space(s[i]); i++)
		;
	if (i == len || s[i] != '"')
		return i;
	for (i++; i < len && s[i] != '"'; i++)
		;
	return MIN(i + 1, len);
}

/* Whether a record may begin here, behind one that was broken off. */
static bool
begins_anew(const char *line, size_t at, size_t from, size_t len)
{
	size_t n = opening(line + from, len - from), had = opening(line + at, from - at);
	char before = from > at ? line[from - 1] : ' ';

	for (size_t i = from; i > at && ascii_is_space(before); i--)
		before = line[i - 1];
	return n > 2 && strchr(":,[", before) == NULL &&
	    memcmp(line + at, line + from, MIN(n, had)) == 0;
}

/*
 * The next piece of the line from *at on, which moves behind it: a whole object, or what was broken
 * off before the next. An object counts only where it begins with the key that the line begins
 * with: what lies within the broken record begins otherwise.
 */
static enum torn_got
torn_next(const char *line, size_t len, size_t *at, const char **piece, size_t *piece_len)
{
	size_t from = *at, n;
	int tries = 0;

	while (from < len && is_between(line[from]))
		from++;
	*piece = line + from;
	*at = len;
	*piece_len = len - from;
	if (from == len)
		return TORN_END;
	if (line[from] == '{' && (n = object_at(line + from, len - from)) > 0 &&
	    (from + n == len || is_between(line[from + n]) || line[from + n] == '{')) {
		*piece_len = n;
		*at = from + n;
		return TORN_WHOLE;
	}
	for (size_t i = from + 1; i < len && tries < TRIES_MOST; i++) {
		if (line[i] != '{' || !begins_anew(line, from, i, len))
			continue;
		tries++;
		if (object_at(line + i, len - i) == 0)
			continue;
		*piece_len = i - from;
		*at = i;
		break;
	}
	return TORN_BROKEN;
}

/*
 * Whether the session has the name that the file gives it, or that with a number: "chat", "chat:2".
 */
static bool
is_named_by_file(const struct ingest *g, const char *session)
{
	size_t len = strlen(g->place.session);

	return strncmp(session, g->place.session, len) == 0 &&
	    (session[len] == '\0' || session[len] == ':');
}

/*
 * Keeps of the file's last turn only what was added since the file was last read: what is stored
 * stays as it is, and the rest becomes a turn of its own, which is known by the hash of the whole.
 */
static void
keep_only_new_text(struct ingest *g, struct message *m)
{
	size_t had = growing_turn(g->grown, g->in->number, m->content, m->content_len);

	if (had == 0)
		return;
	sha256(m->content, m->content_len, m->whole_sha256);
	m->continues = true;
	while (had < m->content_len && strchr(" \t\r\n", m->content[had]) != NULL)
		had++;
	m->content += had;
	m->content_len -= had;
}

void
ingest_turn_place(const struct turn *t, struct message *m)
{
	m->id_of_words = t->id[0] != '\0';
	m->was_source = t->was_id;
	m->local = t->local;
	m->written_us = t->written_us;
}

/* A part of the unit is not read: it counts as one that is, and is told when the input ends. */
static void
note_unread(struct ingest *g, const char *kind)
{
	g->unit_unread = true;
	unread_add(&g->unread, kind, g->in->number);
	ingest_not_read(g);
}

/*
 * A map that answers for its units gave nothing for the one at hand, or only messages without any
 * words: it is not read. Where it may be a turn, that is as bad as a line that is no JSON.
 */
static void
settle_unit(struct ingest *g, const char *unit, size_t len)
{
	const char *places = g->from->kinds;
	const struct json *v;

	if (places == NULL || g->unit_said || g->unit_unread || g->restart ||
	    (g->unit_given && !g->unit_blank) ||
	    json_parse(unit, len, &g->arena, &v, NULL) != 0)
		return;
	if (g->unit_blank && !unread_has_words(v))
		return;
	if (unread_judge(&g->unread, v, places, g->in->number))
		ingest_not_read(g);
}

static void
begin_unit(struct ingest *g)
{
	g->unit_given = g->unit_said = g->unit_blank = g->unit_unread = false;
}

/*
 * Adds a record to the batch. Returns 0 also for a bad record, which is reported; -1 when reading
 * cannot go on.
 */
static int
add_record(struct ingest *g, const struct json *v, bool mapped, struct err *err)
{
	struct record r;

	if (g->held) {
		g->restart = true;
		return 0;
	}
	g->n_records++;
	if (record_read(g->reader, v, mapped, &g->rules, &g->arena, &r, err) != 0) {
		if (err->code != ERR_DATA)
			return -1;
		ingest_bad_line(g, err->msg);
		err_clear(err);
		batch_add_bad(g->batch);
		return 0;
	}
	g->unit_given = true;
	g->unit_said |= r.kind == RECORD_MESSAGE || r.kind == RECORD_ASIDE;
	g->unit_blank |= r.kind == RECORD_EMPTY && r.blank;
	if (r.kind == RECORD_ASIDE || r.kind == RECORD_UNREAD) {
		g->n_records--;
		if (r.kind == RECORD_UNREAD)
			note_unread(g, r.unread != NULL ? r.unread : "none");
		return 0;
	}
	/*
	 * a record without words from a map may mean that the map did not find them, so it does not
	 * count
	 */
	if (r.kind == RECORD_STATE || (r.kind == RECORD_EMPTY && mapped))
		g->n_records--;
	g->n_empty += r.kind == RECORD_EMPTY;
	if (r.kind == RECORD_STATE) {
		buf_reset(&g->place.state);
		json_write(&g->place.state, v);
		return 0;
	}
	if (g->grown->resumes && record_is_positional(&r)) {
		g->restart = true;
		return 0;
	}
	g->positional |= record_is_positional(&r);
	g->some |= r.kind == RECORD_MESSAGE;
	belonging_record(&g->belonging, &r, mapped, g->grown->resumes, g->in->number);
	if (r.kind == RECORD_MESSAGE && (g->mode == INPUT_TURNS || g->mode == INPUT_PARAGRAPHS)) {
		if (r.message.time_us == TIME_NONE && g->turn.no_time != NULL)
			r.no_time = g->turn.no_time;
		ingest_turn_place(&g->turn, &r.message);
		r.message.may_be_copy = g->may_be_copy;
		keep_only_new_text(g, &r.message);
	}
	if (belonging_is_off(&g->belonging, &r)) {
		g->counts->off += r.kind == RECORD_MESSAGE;
		return 0;
	}
	if (r.kind == RECORD_MESSAGE && is_named_by_file(g, r.message.session))
		source_names_claim(g->naming, g->batch);
	batch_add(g->batch, &r, g->in->number);
	/*
	 * the batch may be full within a unit; how far the file was read is noted only between
	 * units
	 */
	return batch_is_full(g->batch) ? ingest_hand_over(g, err) : 0;
}

struct mapped { struct ingest *g; struct err *err; bool failed; };

static int
add_mapped_record(void *arg, const struct json *v)
{
	struct mapped *m = arg;

	if (add_record(m->g, v, true, m->err) == 0)
		return m->g->restart;
	m->failed = true;
	return -1;
}

/* Reads a text as JSON, mended where it is none for its characters alone. */
static int
read_mended(struct ingest *g, const char *text, size_t len, const struct json **v, struct err *err)
{
	struct err own = ERR_INIT;
	size_t n;
	int rc = json_parse(text, len, &g->arena, v, &own);

	if (rc == 0)
		return 0;
	LOCAL(buf) b = buf_of(3 * len + 16);
	if ((n = json_mend(text, len, &b)) > 0)
		rc = json_parse(b.data, b.len, &g->arena, v, NULL);
	if (rc != 0)
		*err = own;
	else
		g->n_mended += n;
	return rc;
}

/*
 * Runs the map on a text. Where that is no JSON for its characters alone (json_mend), it is run on
 * the text with these replaced.
 */
static int
run_map(struct mapped *m, const char *text, size_t len)
{
	struct ingest *g = m->g;
	const struct json *v;
	size_t n;
	int rc = from_run(g->from, &g->place, text, len, &g->arena, add_mapped_record, m, m->err);

	if (rc == 0 || m->failed || m->err->code != ERR_DATA ||
	    json_parse(text, len, &g->arena, &v, NULL) == 0)
		return rc;
	LOCAL(buf) b = buf_of(3 * len + 16);
	if ((n = json_mend(text, len, &b)) > 0 &&
	    json_parse(b.data, b.len, &g->arena, &v, NULL) == 0) {
		err_clear(m->err);
		rc = from_run(g->from, &g->place, b.data, b.len, &g->arena, add_mapped_record, m,
		    m->err);
		g->n_mended += n;
	}
	return rc;
}

/* Adds a paragraph as a record, with its speaker if it names one. */
static int
add_paragraph(struct ingest *g, const char *text, size_t len, struct err *err)
{
	const char *name;
	size_t start = paragraph_speaker(text, len, &g->arena, &name);
	struct json_member members[2];
	struct json v = { JSON_OBJECT, 0, { .members = members } };

	json_put_text(&v, "content", text + start, len - start);
	json_put_text(&v, "name", name, strlen(name));
	if (utf8_valid(text, len) && memchr(text, '\0', len) == NULL)
		return add_record(g, &v, false, err);
	ingest_bad_line(g, utf8_valid(text, len) ? "a NUL in it" : "not UTF-8");
	batch_add_bad(g->batch);
	return 0;
}

void
ingest_turn_record(struct ingest *g, const struct turn *t, struct json *v)
{
	char time[TIME_TEXT] = "", session[600] = "";

	if (t->time_us != TIME_NONE)
		time_format(t->time_us, time);
	if (t->part[0] != '\0')
		snprintf(session, sizeof(session), "%s:%s", g->rules.session, t->part);
	json_put_text(v, "content", arena_strndup(&g->arena, t->text, t->len), t->len);
	json_put_text(v, "role", t->role, strlen(t->role));
	json_put_text(v, "name", t->name, strlen(t->name));
	json_put_text(v, "time", arena_strdup(&g->arena, time), strlen(time));
	json_put_text(v, "source_id", t->id, strlen(t->id));
	json_put_text(v, "session", arena_strdup(&g->arena, session), strlen(session));
}

/* Adds a turn of a text format as a record. */
static int
add_turn(struct ingest *g, const char *text, size_t len, struct err *err)
{
	struct json_member members[TURN_MEMBERS];
	struct json v = { JSON_OBJECT, 0, { .members = members } };
	struct turn t;
	int got = turns_read(g->turns, text, len, &g->arena, &t, err);

	if (got < 0) {
		ingest_bad_line(g, err->msg);
		err_clear(err);
		batch_add_bad(g->batch);
		g->n_records++;
	}
	if (got <= 0)
		return 0;
	g->turn = t;
	if (t.record != NULL)
		return add_record(g, t.record, false, err);
	ingest_turn_record(g, &t, &v);
	return add_record(g, &v, false, err);
}

/* Runs the map on a piece of a document. What is wrong with it concerns no other piece. */
static int
add_piece(void *arg, const struct json_piece *piece, struct err *err)
{
	struct mapped *m = arg;
	struct ingest *g = m->g;

	g->n_pieces++;
	g->place.piece = piece;
	g->unit_bad = false;
	arena_reset(&g->arena);
	begin_unit(g);
	batch_unit(g->batch, piece->text, piece->len, true);
	int rc = run_map(m, piece->text, piece->len);
	g->place.piece = NULL;
	if (rc == 0)
		settle_unit(g, piece->text, piece->len);
	if (rc != 0) {
		if (m->failed || err->code != ERR_DATA)
			return -1;
		if (g->unsure && g->n_records == 0) {
			g->held = true;
			err_clear(err);
			return 0;
		}
		ingest_bad_line(g, err->msg);
		err_clear(err);
		batch_add_bad(g->batch);
		g->n_records++;
	}
	if (g->unit_bad && ingest_reject(g, piece->text, piece->len, err) != 0)
		return -1;
	g->unit_bad = false;
	return g->restart || g->stopped;
}

/*
 * Cuts a document and adds its pieces. Returns as json_cut; where that found fault with it, *whole
 * tells whether nothing of it was added.
 */
static int
add_pieces(struct ingest *g, struct long_text *t, bool *whole, struct err *err)
{
	struct mapped m = { g, err, false };
	uint64_t before = g->n_pieces;

	g->place.line = g->in->number;
	buf_reset(&g->place.people);
	int rc = json_cut(g->from->plan, t, conf_caps.line_bytes, add_piece, &m, err);
	*whole = g->n_pieces == before;
	return m.failed && rc >= 0 ? -1 : rc;
}

/* Whether a document of len bytes is cut: of a tree it always is, to have its nodes in order. */
static bool
is_cut(const struct ingest *g, size_t len)
{
	const struct json_plan *plan = g->from->plan;

	return plan != NULL && (len > json_piece_bytes || json_plan_is_tree(plan));
}

int
ingest_long_unit(struct ingest *g, struct long_text *t, bool *json, struct err *err)
{
	bool whole, fits = t->len <= conf_caps.line_bytes;
	int rc = add_pieces(g, t, &whole, err);

	if (rc > 0 || (rc < 0 && err->code != ERR_DATA))
		return rc < 0 ? -1 : 0;
	*json = rc == 0 && fits;
	if (rc < 0)
		return 0;
	if (!fits) {
		err_set(err, ERR_DATA, "an item is too long (setting line_bytes)");
		return 0;
	}
	LOCAL(buf) b = buf_of(conf_caps.line_bytes);
	rc = long_text_copy(t, 0, t->len, &b, err);
	if (rc == 0)
		rc = ingest_unit(g, b.data, b.len, json, err);
	return rc;
}

int
ingest_unit(struct ingest *g, const char *unit, size_t len, bool *json, struct err *err)
{
	struct mapped m = { g, err, false };
	const struct json *v;
	struct long_text t = long_text_of(unit, len);
	bool whole;
	int rc;

	g->turn = (struct turn){ .id = "", .was_id = "" };
	*json = true;
	begin_unit(g);
	switch (g->from->kind) {
	case FROM_TEXT:
		return add_paragraph(g, unit, len, err);
	case FROM_TURNS:
		return add_turn(g, unit, len, err);
	case FROM_RECORDS:
		rc = read_mended(g, unit, len, &v, err);
		if (rc == 0)
			return add_record(g, v, false, err);
		break;
	default:
		if (is_cut(g, len)) {
			if ((rc = add_pieces(g, &t, &whole, err)) > 0)
				return 0;
			if (rc < 0 && (err->code != ERR_DATA || !whole))
				break;
			err_clear(err);
		}
		g->place.line = g->in->number;
		buf_reset(&g->place.people);
		if (strcmp(g->from->name, "slack") == 0)
			slack_people_in(g->people, unit, len, &g->place.people);
		rc = run_map(&m, unit, len);
		if (rc == 0) {
			settle_unit(g, unit, len);
			return 0;
		}
		break;
	}
	if (m.failed || err->code != ERR_DATA)
		return -1;
	*json = false;
	return 0;
}

int
ingest_torn_line(struct ingest *g, const char *line, size_t len, struct err *err)
{
	struct err why = *err;
	const char *piece;
	size_t at = 0, n;
	enum torn_got got;
	bool some = false, json;

	for (size_t look = 0; (got = torn_next(line, len, &look, &piece, &n)) != TORN_END; )
		some |= got == TORN_WHOLE && n < len;
	if (!some)
		return 0;
	while ((got = torn_next(line, len, &at, &piece, &n)) != TORN_END) {
		json = got == TORN_WHOLE;
		*err = why;
		if (json) {
			err_clear(err);
			if (ingest_unit(g, piece, n, &json, err) != 0)
				return -1;
			g->place.in_line++;
		}
		if (json)
			continue;
		ingest_bad_line(g, err->msg);
		err_clear(err);
		batch_add_bad(g->batch);
		g->n_records++;
	}
	g->place.in_line = 0;
	return 1;
}

int
ingest_unit_end(struct ingest *g, struct err *err)
{
	struct mapped m = { g, err, false };
	const struct json *state, *held;

	arena_reset(&g->arena);
	if (g->from->kind != FROM_MAP ||
	    json_parse(g->place.state.data, g->place.state.len, &g->arena, &state, NULL) != 0 ||
	    (held = json_get(state, "held")) == NULL || held->kind != JSON_ARRAY || held->len == 0)
		return 0;
	return from_run(g->from, &g->place, "null", 4, &g->arena, add_mapped_record, &m, err);
}
