/*
 * show.c: finds the records that mem-show prints. Ids come as operands, as lines, or inside the
 * records that another program printed, so that "mem-search ... | mem-show" needs nothing in
 * between.
 */
#include <strings.h>

#include "json/json.h"
#include "json/ndjson.h"
#include "records/named.h"
#include "records/show.h"

#define SOURCE      "source:"

/* What an id names: the first of these that exists; all NULL: nothing. */
struct found {
	const struct message *message;
	const struct fact *record;
	const struct category *category;
	const struct session *session;
};

/* The message of a chunk, whose id is "MESSAGE.INDEX"; NULL: this is no id of a chunk. */
static const char *
message_of_chunk(const char *id, struct arena *a)
{
	uint8_t bytes[ID_BYTES];

	if (strlen(id) < ID_TEXT + 1 || id[ID_TEXT - 1] != '.' ||
	    id_parse(id, ID_TEXT - 1, bytes) != 0)
		return NULL;
	return id[ID_TEXT + strspn(id + ID_TEXT, "0123456789")] == '\0'
	    ? arena_strndup(a, id, ID_TEXT - 1)
	    : NULL;
}

/*
 * A source id is unique in a session, but not in a memory: if a session is given, it is looked up
 * there.
 */
struct by_source { const char *source_id; int64_t row; };

static int
is_source(void *arg, const struct message *m)
{
	struct by_source *b = arg;

	if (m->source_id == NULL || strcmp(m->source_id, b->source_id) != 0)
		return 0;
	b->row = m->row;
	return 1;
}

static int
find_in_session(const struct show_want *want, const char *source_id, struct arena *a,
	const struct message **out, struct err *err)
{
	struct message_filter any = MESSAGE_FILTER_ANY;
	struct by_source b = { source_id, -1 };

	if (messages_each(want->s, &want->who, &any, is_source, &b, err) != 0)
		return -1;
	return b.row < 0 ? 0 : messages_by_rows(want->s, &want->who, &b.row, 1, a, out, err);
}

struct by_id { const char *id; size_t len, n; struct category *found; struct arena *a; };

static int
is_category(void *arg, const struct category *c)
{
	struct by_id *b = arg;

	if (strncasecmp(c->id, b->id, b->len) != 0 || b->n++ > 0)
		return 0;
	b->found = arena_alloc(b->a, sizeof(*b->found));
	*b->found = *c;
	b->found->name = arena_strdup(b->a, c->name);
	b->found->keywords = arena_strdup(b->a, c->keywords);
	return 0;
}

/*
 * Finds a category like records_find: by its whole id, or by its first 8 characters or more if only
 * one category has these.
 */
static int
find_category(const struct show_want *want, const char *id, struct arena *a,
	const struct category **out, struct err *err)
{
	struct by_id b = { id, strlen(id), 0, NULL, a };

	if (b.len < ID_FIRST || b.len >= ID_TEXT)
		return 0;
	if (categories_each(want->s, &want->who, is_category, &b, err) != 0)
		return -1;
	if (b.n > 1)
		return err_set(err, ERR_DATA, "more than one record is '%.100s'", id);
	*out = b.found;
	return 0;
}

/* Finds what an id names. ERR_DATA: more than one record fits. */
static int
find_by_id(const struct show_want *want, struct id_given given, struct arena *a,
	struct found *out, struct err *err)
{
	const char *id = given.text, *message = message_of_chunk(id, a),
		   *session = want->who.session;
	bool narrow = session != NULL && session[0] != '\0';

	*out = (struct found){ NULL, NULL, NULL, NULL };
	if (want->s == NULL)
		return 0;
	/* its whole name goes before a part of an id */
	if ((given.of_session || (!narrow && !id_is_whole(id))) &&
	    sessions_find(want->s, &want->who, id, a, &out->session, err) != 0)
		return -1;
	if (given.of_session || out->session != NULL)
		return 0;
	if (message == NULL && id_named(want->s, &want->who, id, a, &id, err) != 0)
		return -1;
	if (narrow && strncmp(id, SOURCE, strlen(SOURCE)) == 0)
		return find_in_session(want, id + strlen(SOURCE), a, &out->message, err);
	if (messages_find(want->s, &want->who, message != NULL ? message : id, a, &out->message,
		err) != 0)
		return -1;
	if (out->message != NULL) {
		if (narrow && strcmp(out->message->session, session) != 0)
			out->message = NULL;
		return 0;
	}
	if (records_find(want->s, &want->who, id, a, &out->record, err) != 0)
		return -1;
	if (out->record != NULL)
		return 0;
	if (find_category(want, id, a, &out->category, err) != 0)
		return -1;
	if (out->category != NULL)
		return 0;
	if (sessions_find(want->s, &want->who, id, a, &out->session, err) != 0)
		return -1;
	return out->session == NULL && want->loosely
	    ? session_named(want->s, &want->who, id, a, &out->session, err)
	    : 0;
}

/* Passes the neighbours of a message on to fn->message. */
struct around { const struct show_fn *fn; const struct message *asked; bool stop; };

static int
relay_message(void *arg, const struct message *m)
{
	struct around *r = arg;

	r->stop = r->fn->message(r->fn->arg, m, m->row == r->asked->row ? NULL : r->asked->id) != 0;
	return r->stop;
}

static void
report_missed(const struct show_fn *fn, int code, const char *where, const char *why)
{
	char text[1400];

	snprintf(text, sizeof(text), "%s%s", where, why);
	fn->missed(fn->arg, code, text);
}

static int
show_found(const struct show_want *want, const struct show_fn *fn, const struct message *m,
	struct err *err)
{
	struct around r = { fn, m, false };

	if (want->n_around == 0)
		return fn->message(fn->arg, m, NULL) != 0;
	if (messages_around(want->s, &want->who, m->row, want->n_around, want->n_around,
		relay_message, &r, err) != 0)
		return -1;
	return r.stop;
}

/* Whether the id may be a part of one of ours, but too short a one. */
static bool
is_cut_short(const char *id)
{
	size_t len = strlen(id);

	return len > 0 && len < ID_FIRST &&
	    strspn(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz") == len;
}

int
show_one(const struct show_want *want, const struct show_fn *fn, struct id_given given,
	const char *where, struct err *err)
{
	const char *id = given.text;
	LOCAL(arena) a = ARENA_INIT;
	struct found found;
	int rc = 0;

	if (find_by_id(want, given, &a, &found, err) != 0) {
		rc = -1;
		if (err->code == ERR_DATA) {           /* the fault is of this id only */
			report_missed(fn, ERR_DATA, where, err->msg);
			err_clear(err);
			rc = 0;
		}
	} else if (found.message != NULL) {
		rc = show_found(want, fn, found.message, err);
	} else if (found.record != NULL) {
		rc = fn->record(fn->arg, found.record) != 0;
	} else if (found.category != NULL) {
		rc = fn->category(fn->arg, found.category) != 0;
	} else if (found.session != NULL) {
		struct session counted = *found.session;

		rc = sessions_count(want->s, &want->who, counted.id, &counted.n_messages, err);
		if (rc == 0)
			rc = fn->session(fn->arg, &counted) != 0;
	} else {
		const char *why = "";

		if (strspn(id, "0123456789") == strlen(id))
			why = ", and the last search on this terminal has no hit of that number";
		else if (is_cut_short(id))
			why = " (of an id, at least the first 8 characters or the last 4 are "
			      "needed)";
		err_set(err, ERR_NOINPUT, "no record '%.100s'%s", id, why);
		report_missed(fn, ERR_NOINPUT, where, err->msg);
		err_clear(err);
	}
	return rc;
}

struct shown_lines {
	const struct show_want *want;
	const struct show_fn *fn;
};

static void
format_place(const struct ndjson_line *l, char *out, size_t size)
{
	snprintf(out, size, "%.200s:%llu: ", l->name, (unsigned long long)l->number);
}

static int
show_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct shown_lines *s = arg;
	FREED struct id_given *ids = NULL;
	size_t n;
	char where[256];
	int rc = ids_of_line(l->text, l->len, l->arena, &ids, &n, err);

	format_place(l, where, sizeof(where));
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = show_one(s->want, s->fn, ids[i], where, err);
	return rc;
}

static void
show_bad(void *arg, const struct ndjson_line *l, const char *why)
{
	struct shown_lines *s = arg;
	char where[256];

	format_place(l, where, sizeof(where));
	report_missed(s->fn, ERR_DATA, where, why);
}

static int
show_idle(void *arg, struct err *err)
{
	struct shown_lines *s = arg;

	(void)err;
	return s->fn->idle(s->fn->arg);
}

int
show_lines(const struct show_want *want, const struct show_fn *fn, const char *path,
	struct err *err)
{
	struct shown_lines s = { want, fn };

	return ndjson_each(path, &(struct ndjson_fn){ &s, show_line, show_bad, show_idle }, err);
}
