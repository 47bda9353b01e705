/*
 * ingest_record.c: finds the fields of a record by its keys (record_keys.h), and of several keys
 * with the same meaning leaves the others among those that we do not know. Then the text is cleaned
 * of, in this order: HTML, a model's thinking, what programs put there, private spans, secrets.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "clean/clean_text.h"
#include "clean/html.h"
#include "clean/thinking.h"
#include "ingest/ingest_record.h"
#include "ingest/record_keys.h"
#include "records/fields.h"

/* Our records that are not messages: other programs read them. */
static const char *const other_types[] = {
	"chunk", "summary", "fact", "reflection", "category", "profile", "query", "hit", "context",
	"score", "metric", "verdict", "stat", "check", "model", "error", "setting",
};

#define SHOWN_BYTES  100                   /* shown of a value, in a warning */
/* keys of one record; no message has as many */
#define MEMBERS_MOST 4096

struct record_reader {
	struct cleaner cleaner;
	const struct json_member *of[N_FIELDS];
	/* the value that stands where a time may, but is none */
	const struct json *no_time;
	uint8_t rank[N_FIELDS];
	struct record_keys *keys;
};

struct record_reader *
record_reader_new(void)
{
	struct record_reader *r = xcalloc(1, sizeof(*r));

	cleaner_init(&r->cleaner);
	r->keys = record_keys_new();
	return r;
}

void
record_reader_free(struct record_reader *r)
{
	if (r == NULL)
		return;
	cleaner_release(&r->cleaner);
	record_keys_free(r->keys);
	free(r);
}

unsigned
record_reader_redacted(const struct record_reader *r)
{
	return r->cleaner.n_redacted;
}

static const struct json *
field_value(const struct record_reader *r, enum input_field f)
{
	const struct json_member *m = r->of[f];

	return m != NULL && m->value.kind != JSON_NULL ? &m->value : NULL;
}

/* ---- single fields ---- */

/* Reads a name or an id: a string, or a number as its digits. "" when there is none. */
static int
read_name(const struct record_reader *r, enum input_field f, struct arena *a, const char **out,
	struct err *err)
{
	const struct json *v = field_value(r, f);

	*out = "";
	if (v == NULL)
		return 0;
	if (v->kind == JSON_NUMBER) {
		LOCAL(buf) b = buf_of(64);
		json_write_number(&b, v->u.number);
		*out = arena_strndup(a, b.data, b.len);
		return 0;
	}
	if (v->kind != JSON_STRING)
		return field_not_a(err, r->of[f]->key, "a string");
	if (v->len > conf_caps.id_bytes)
		return err_set(err, ERR_DATA, "\"%s\" is over %zu bytes", r->of[f]->key,
		    conf_caps.id_bytes);
	*out = v->u.string;
	return 0;
}

/*
 * Reads seconds, milliseconds, microseconds or nanoseconds, told apart by size as in time_parse;
 * years 1971 to 2286.
 */
static int
time_of_number(double v, int64_t *us)
{
	static const double scale[] = { 1e6, 1e3, 1, 1e-3 };
	double most = 1e11;

	for (size_t i = 0; i < NELEM(scale); i++, most *= 1e3) {
		if (v > -most && v < most) {
			v *= scale[i];
			*us = (int64_t)(v < 0 ? v - .5 : v + .5);
			return time_has_text(*us) ? 0 : -1;
		}
	}
	return -1;
}

static int
time_of(const struct json *v, int64_t *us)
{
	if (v->kind == JSON_NUMBER)
		return time_of_number(v->u.number, us);
	if (v->kind != JSON_STRING)
		return -1;
	return time_parse(v->u.string, v->len, us, NULL) == 0 ||
		time_parse_written(v->u.string, v->len, us) == 0
	    ? 0
	    : -1;
}

/* The time in a field; TIME_NONE: there is none, or it cannot be read. */
static int64_t
read_time(const struct record_reader *r, enum input_field f)
{
	const struct json *v = field_value(r, f);
	int64_t us;

	return v != NULL && time_of(v, &us) == 0 ? us : TIME_NONE;
}

/* The text that a warning shows of a value that is no time. */
static const char *
shown_text(const struct json *v, struct arena *a)
{
	if (v->kind == JSON_STRING)
		return v->u.string;
	LOCAL(buf) b = buf_of(SHOWN_BYTES);
	json_write(&b, v);
	return arena_strndup(a, b.data, b.len);
}

static bool
is_role_word(const struct json *v)
{
	return v->kind == JSON_STRING && role_parse(v->u.string) != ROLE_OTHER;
}

/* ---- records ---- */

static bool
is_null(const struct json_member *m)
{
	return m->value.kind == JSON_NULL;
}

static bool
is_flag(const struct json_member *m)
{
	return m->value.kind == JSON_TRUE || m->value.kind == JSON_FALSE;
}

/*
 * Whether a value that is not a time seems to be meant as one. Under a key that has other uses,
 * too, only a text or a number does.
 */
static bool
is_meant_as_time(const struct record_key *k, const struct json *v)
{
	if (v->kind == JSON_STRING)
		return v->len > 0;
	return v->kind == JSON_NUMBER || k->rank == 0;
}

/*
 * Fills of[], and marks in left [v->len] the members that have no field. A time that cannot be read
 * does not count: another key may hold one, and the message is stored without. Under our own key
 * "time" it is dropped, as unknown keys are printed beside ours, which would then hold "time"
 * twice.
 */
static void
sort_members(struct record_reader *r, const struct json *v, unsigned where, bool mapped, bool *left)
{
	memset(r->of, 0, sizeof(r->of));
	r->no_time = NULL;
	for (size_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];
		const struct record_key *k = record_key(r->keys, m->key, where);
		int64_t us;

		left[i] = true;
		if (k == NULL || ((k->where & MAPS) && !(mapped && is_flag(m))))
			continue;
		/* a key that only may mean a field must have a value that looks like one */
		if (k->field == F_TIME && m->value.kind != JSON_NULL &&
		    time_of(&m->value, &us) != 0) {
			left[i] = k->rank > 0;
			if (is_meant_as_time(k, &m->value))
				r->no_time = &m->value;
			continue;
		}
		if (k->rank > 0 &&
		    ((k->field == F_CONTENT && k->rank > 1 && m->value.kind != JSON_STRING) ||
			(k->field != F_TIME && k->field != F_CONTENT &&
			    m->value.kind != JSON_STRING && m->value.kind != JSON_NUMBER)))
			continue;
		if (r->of[k->field] != NULL &&
		    (is_null(r->of[k->field]) == is_null(m) ? r->rank[k->field] < k->rank
							    : is_null(m)))
			continue;
		if (r->of[k->field] != NULL)
			left[r->of[k->field] - v->u.members] = r->rank[k->field] > 0;
		r->of[k->field] = m;
		r->rank[k->field] = k->rank;
		left[i] = false;
	}
}

static int
read_user(const struct record_reader *r, const struct record_rules *rules, struct arena *a,
	struct record *out, struct err *err)
{
	const char *user;

	if (read_name(r, F_USER, a, &user, err) != 0)
		return -1;
	out->user = user[0] != '\0' && rules->multi_user ? user : rules->user;
	if (user[0] == '\0' || rules->multi_user || strcmp(user, rules->user) == 0)
		return 0;
	return err_set(err, ERR_DATA,
	    ERR_OTHER_USER " (--multi-user takes all; where it is who speaks: "
			   "--map '.name = .user | del(.user)')",
	    user, rules->user);
}

static int
read_whose(struct record_reader *r, const struct record_rules *rules, struct arena *a,
	const char **agent, const char **project,
	struct err *err)
{
	if (read_name(r, F_AGENT, a, agent, err) != 0 ||
	    read_name(r, F_PROJECT, a, project, err) != 0)
		return -1;
	if ((*agent)[0] == '\0')
		*agent = rules->agent;
	if ((*project)[0] == '\0')
		*project = rules->project;
	*agent = clean_id(&r->cleaner, *agent, a);
	*project = clean_id(&r->cleaner, *project, a);
	return 0;
}

/* Reads who speaks. A role that is a name, and a name that is a role, change places. */
static int
read_speaker(struct record_reader *r, const struct json *v, const char *type, struct arena *a,
	struct message *m, struct err *err)
{
	const struct json *role = field_value(r, F_ROLE), *name = field_value(r, F_NAME);
	const char *word;

	if (role != NULL && role->kind != JSON_STRING)
		return field_not_a(err, "role", "a string");
	if (read_name(r, F_ROLE, a, &word, err) != 0 || read_name(r, F_NAME, a, &m->name, err) != 0)
		return -1;
	if (role != NULL && word[0] != '\0') {
		m->role = role_parse(word);
		if (m->role == ROLE_OTHER && m->name[0] == '\0' &&
		    strcmp(word, role_names[ROLE_OTHER]) != 0)
			m->name = word;
	} else if (name != NULL && is_role_word(name)) {
		m->role = role_parse(m->name);
		m->name = "";
	} else if (type != NULL && role_parse(type) != ROLE_OTHER) {
		m->role = role_parse(type);
	} else {
		const char *source = json_get_string(v, "source", NULL);

		m->role = source != NULL && name == NULL && role_parse(source) != ROLE_OTHER
		    ? role_parse(source)
		    : ROLE_USER;
	}
	/* in formats with two roles the results of tools stand in the user's turns */
	if ((m->role == ROLE_USER || m->role == ROLE_TOOL) &&
	    content_is_result(field_value(r, F_CONTENT), &m->tool_call_id))
		m->role = ROLE_TOOL;
	size_t len = strlen(m->name);
	m->name = clean_secrets(&r->cleaner, m->name, &len, a);
	return 0;
}

/* Reads the id of the call that a result belongs to: beside the content, else inside it. */
static int
read_call_id(struct record_reader *r, struct arena *a, struct message *m, struct err *err)
{
	const char *inside = m->tool_call_id != NULL ? m->tool_call_id : "";

	if (read_name(r, F_CALL_ID, a, &m->tool_call_id, err) != 0)
		return -1;
	if (m->tool_call_id[0] == '\0')
		m->tool_call_id = inside;
	size_t len = strlen(m->tool_call_id);
	/* cleaned like the id in the call itself, so that both stay equal */
	m->tool_call_id = clean_secrets(&r->cleaner, m->tool_call_id, &len, a);
	return 0;
}

/*
 * Reads origin and trust. Each origin has a highest trust: a record may ask for less, but not for
 * more.
 */
static int
read_trust(const struct record_reader *r, struct arena *a, struct message *m, struct err *err)
{
	static const enum origin of_role[] = { [ROLE_USER] = ORIGIN_USER,
		[ROLE_ASSISTANT] = ORIGIN_ASSISTANT, [ROLE_SYSTEM] = ORIGIN_IMPORT,
		[ROLE_TOOL] = ORIGIN_TOOL, [ROLE_OTHER] = ORIGIN_IMPORT,
		[ROLE_DOCUMENT] = ORIGIN_IMPORT };
	const struct json *trust = field_value(r, F_TRUST);
	const char *word;

	if (read_name(r, F_ORIGIN, a, &word, err) != 0)
		return -1;
	int origin = word[0] != '\0' ? origin_parse(word) : (int)of_role[m->role];
	if (origin < 0)
		return field_not_a(err, "origin", "an origin");
	m->origin = (enum origin)origin;
	m->trust = origin_trust(m->origin);
	if (trust == NULL)
		return 0;
	if (trust->kind != JSON_NUMBER || !(trust->u.number >= 0 && trust->u.number <= 3))
		return field_not_a(err, "trust", "0 to 3");
	m->trust = MIN(m->trust, (int)trust->u.number);
	return 0;
}

static int
read_ids(const struct record_reader *r, struct arena *a, struct record *out, struct err *err)
{
	struct message *m = &out->message;
	const struct json *turn = field_value(r, F_TURN);
	uint8_t ulid[ID_BYTES];
	const char *id;

	if (read_name(r, F_ID, a, &id, err) != 0 ||
	    read_name(r, F_SOURCE, a, &m->source_id, err) != 0)
		return -1;
	m->id[0] = '\0';
	if (id_parse(id, strlen(id), ulid) == 0)
		id_format(ulid, m->id);
	else if (m->source_id[0] == '\0')
		m->source_id = id;
	if (turn != NULL && turn->kind == JSON_NUMBER && turn->u.number >= 0 &&
	    turn->u.number < 1e15) {
		out->has_turn = true;
		out->turn = (uint64_t)turn->u.number;
	}
	return 0;
}

/* Whether a map set this flag. */
static bool
flag_is_set(const struct record_reader *r, enum input_field f)
{
	return field_value(r, f) != NULL && field_value(r, f)->kind == JSON_TRUE;
}

static int
read_text(struct record_reader *r, bool mapped, struct arena *a, struct record *out,
	struct err *err)
{
	struct message *m = &out->message;
	const struct json *content = field_value(r, F_CONTENT);

	if (content_text(&r->cleaner, content, a, &m->content, &m->content_len) != 0) {
		if (m->role != ROLE_TOOL)
			return field_not_a(err, r->of[F_CONTENT]->key, "text");
		/* the result of a tool may be any JSON */
		buf_reset(&r->cleaner.text);
		json_write(&r->cleaner.text, content);
		m->content = cleaner_keep(&r->cleaner, &r->cleaner.text, &m->content_len, a);
	}
	out->blank = ascii_is_blank(m->content, m->content_len);
	if (mapped && flag_is_set(r, F_HTML)) {
		buf_reset(&r->cleaner.clean);
		html_answer(&r->cleaner.clean, m->content, m->content_len);
		m->content = cleaner_keep(&r->cleaner, &r->cleaner.clean, &m->content_len, a);
	}
	if (m->role == ROLE_ASSISTANT &&
	    thinking_drop(m->content, m->content_len, &r->cleaner.clean) > 0)
		m->content = cleaner_keep(&r->cleaner, &r->cleaner.clean, &m->content_len, a);
	m->content = clean_content(&r->cleaner, m->content, &m->content_len,
	    mapped && flag_is_set(r, F_STRIP), a);
	if (m->content_len > conf_caps.line_bytes)
		return err_set(err, ERR_DATA, "content is over %zu bytes", conf_caps.line_bytes);
	m->tool_calls = content_calls(&r->cleaner, field_value(r, F_CALLS), content, a);
	if (m->tool_calls[0] == '\0' && ascii_is_blank(m->content, m->content_len))
		out->kind = RECORD_EMPTY;
	return 0;
}

/*
 * Refuses a record of which a cap cut a text: if it were stored, the whole text could never be
 * stored under its id.
 */
static int
check_whole(const struct record_reader *r, struct err *err)
{
	return r->cleaner.cut ? err_set(err, ERR_DATA,
	    "a text is over %zu bytes (setting output_bytes)", conf_caps.output_bytes) : 0;
}

static int
read_message(struct record_reader *r, const struct json *v, const char *type, bool mapped,
	const struct record_rules *rules, struct arena *a, struct record *out, struct err *err)
{
	struct message *m = &out->message;
	bool *left = arena_alloc(a, v->len + 1);

	sort_members(r, v, MESSAGES, mapped, left);
	if (r->of[F_CONTENT] == NULL && r->of[F_CALLS] == NULL)
		return err_set(err, ERR_DATA, "no key 'content' with a text");
	out->kind = RECORD_MESSAGE;
	if (read_user(r, rules, a, out, err) != 0 ||
	    read_whose(r, rules, a, &m->agent, &m->project, err) != 0 ||
	    read_name(r, F_SESSION, a, &m->session, err) != 0 ||
	    read_speaker(r, v, type, a, m, err) != 0 || read_trust(r, a, m, err) != 0 ||
	    read_ids(r, a, out, err) != 0 || read_call_id(r, a, m, err) != 0 ||
	    read_text(r, mapped, a, out, err) != 0)
		return -1;
	m->time_us = read_time(r, F_TIME);
	out->no_time =
	    m->time_us == TIME_NONE && r->no_time != NULL ? shown_text(r->no_time, a) : NULL;
	m->session = clean_id(&r->cleaner, m->session[0] != '\0' ? m->session : rules->session, a);
	m->source_id = clean_id(&r->cleaner, m->source_id, a);
	m->extra = clean_members(&r->cleaner, v, left, a);
	return check_whole(r, err);
}

static const char *
session_text(struct record_reader *r, enum input_field f, struct arena *a)
{
	const struct json *v = field_value(r, f);
	size_t len = v != NULL ? v->len : 0;

	return v != NULL && v->kind == JSON_STRING
	    ? clean_content(&r->cleaner, v->u.string, &len, false, a)
	    : "";
}

static int
read_session(struct record_reader *r, const struct json *v, bool mapped,
	const struct record_rules *rules, struct arena *a, struct record *out, struct err *err)
{
	struct session *s = &out->session;
	size_t len;

	sort_members(r, v, SESSIONS, mapped, arena_alloc(a, v->len + 1));
	out->kind = RECORD_SESSION;
	if (read_user(r, rules, a, out, err) != 0 ||
	    read_whose(r, rules, a, &s->agent, &s->project, err) != 0 ||
	    read_name(r, F_SESSION, a, &s->id, err) != 0 ||
	    (s->id[0] == '\0' && read_name(r, F_ID, a, &s->id, err) != 0))
		return -1;
	s->created_us = read_time(r, F_CREATED);
	s->updated_us = read_time(r, F_UPDATED);
	if (s->id[0] == '\0')
		return err_set(err, ERR_DATA, "a session without \"session\"");
	s->id = clean_id(&r->cleaner, s->id, a);
	s->title = session_text(r, F_TITLE, a);
	s->system_prompt = session_text(r, F_PROMPT, a);
	s->metadata = "";
	const struct json *meta = field_value(r, F_METADATA);
	if (meta != NULL && meta->kind == JSON_OBJECT && meta->len > 0) {
		buf_reset(&r->cleaner.json);
		clean_json(&r->cleaner, meta, a);
		s->metadata = cleaner_keep(&r->cleaner, &r->cleaner.json, &len, a);
	}
	return check_whole(r, err);
}

int
record_read(struct record_reader *r, const struct json *v, bool mapped,
	const struct record_rules *rules, struct arena *a, struct record *out, struct err *err)
{
	static const struct { const char *type; enum record_kind kind; } of_maps[] = {
		{ "state", RECORD_STATE }, { "aside", RECORD_ASIDE }, { "unread", RECORD_UNREAD } };
	const char *type = json_get_string(v, "type", NULL);

	memset(out, 0, sizeof(*out));
	r->cleaner.keep_secrets = rules->keep_secrets;
	r->cleaner.cut = false;
	if (v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA,
		    mapped ? "what the map gives is no object" : "not a JSON object");
	if (v->len > MEMBERS_MOST)
		return err_set(err, ERR_DATA, "more than %d keys", MEMBERS_MOST);
	if (type != NULL && strcmp(type, "session") == 0)
		return read_session(r, v, mapped, rules, a, out, err);
	for (size_t i = 0; type != NULL && mapped && i < NELEM(of_maps); i++)
		if (strcmp(type, of_maps[i].type) == 0) {
			out->kind = of_maps[i].kind;
			out->unread = json_get_string(v, "kind", NULL);
			return 0;
		}
	for (size_t i = 0; type != NULL && i < NELEM(other_types); i++)
		if (type[0] == other_types[i][0] && strcmp(type, other_types[i]) == 0 &&
		    json_get(v, "role") == NULL)
			return err_set(err, ERR_DATA, "a record of type '%s' is no message", type);
	if (type != NULL && strcmp(type, "export") == 0 && json_get(v, "content") == NULL)
		return err_set(err, ERR_DATA, "what mem-export wrote: mem-import stores all of it");
	return read_message(r, v, type, mapped, rules, a, out, err);
}

int
record_clean(struct record_reader *r, struct buf *text, const struct record_rules *rules,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	size_t len = text->len;

	r->cleaner.keep_secrets = rules->keep_secrets;
	r->cleaner.cut = false;
	const char *clean = clean_content(&r->cleaner, text->data, &len, false, &a);
	if (clean != text->data) {
		buf_reset(text);
		buf_add(text, clean, len);
	}
	return check_whole(r, err);
}

bool
record_is_positional(const struct record *r)
{
	return r->kind == RECORD_MESSAGE && r->message.source_id[0] == '\0' &&
	    !(r->message.id[0] != '\0' && r->has_turn);
}
