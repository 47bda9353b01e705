/*
 * forget_verify.c: the proof. A word that only the forgotten had can be left in three ways: in a
 * row of a table, in the vocabulary of the full text, whose pages share the beginnings of terms,
 * and in bytes of a file that no row owns. Each is looked at by itself. What stays has words, too:
 * one that a message, record, session, file name or the store's own words have is no trace.
 */
#include "base/alloc.h"
#include "base/order.h"
#include "facts/forget_parts.h"
#include "json/json.h"
#include "store/about.h"
#include "store/categories.h"
#include "store/handed.h"
#include "store/index.h"
#include "store/records.h"
#include "store/work.h"
#include "text/words.h"

struct proof {
	struct store *s;
	struct forget *f;
	forget_left_fn *fn;
	void *arg;
	struct arena arena;
	/* places where words are left; place is that of the text at hand */
	const char *places[UINT8_MAX + 1];
	uint8_t n_places, place;
	int64_t *gone_records;             /* rows, ascending [n_gone_records] */
	size_t n_gone_records;
};

/* Rows by id: that of a message, a record, or what was made of them. */
static int
look_for_ids(struct proof *p, struct err *err)
{
	const struct forget *f = p->f;
	LOCAL(arena) a = ARENA_INIT;
	const struct message *m;
	const struct session *v;
	const struct fact *r;
	char text[ID_TEXT];
	int rc = 0;

	for (size_t i = 0; i < f->n_messages && rc == 0; i++) {
		arena_reset(&a);
		id_format(f->messages[i].id, text);
		if ((rc = messages_find(p->s, &f->who, text, &a, &m, err)) == 0 && m != NULL)
			p->fn(p->arg, text, "the message is still there");
	}
	for (size_t i = 0; i < f->n_sessions && rc == 0; i++) {
		arena_reset(&a);
		if ((rc = sessions_find(p->s, &f->who, f->sessions[i], &a, &v, err)) == 0 &&
		    v != NULL)
			p->fn(p->arg, f->sessions[i], "the session is still there");
	}
	for (size_t i = 0; i < f->n_records + f->n_made && rc == 0; i++) {
		const char *id = i < f->n_records ? f->records[i].id
						  : f->made[i - f->n_records].id;

		arena_reset(&a);
		if ((rc = records_find(p->s, &f->who, id, &a, &r, err)) == 0 && r != NULL)
			p->fn(p->arg, id, "the record is still there");
	}
	return rc;
}

static int
tell_field(void *arg, const struct about *v)
{
	const struct proof *p = arg;

	p->fn(p->arg, v->value, "a field of the profile");
	return 0;
}

static int
tell_category(void *arg, const struct category *c)
{
	const struct proof *p = arg;

	p->fn(p->arg, c->name, "a category of the user");
	return 0;
}

/* What is of a user alone. */
static int
look_at_user(struct proof *p, struct err *err)
{
	if (!p->f->want->all)
		return 0;
	return about_each(p->s, &p->f->who, tell_field, p, err) < 0 ||
	    categories_each(p->s, &p->f->who, tell_category, p, err) < 0 ? -1 : 0;
}

static void
word_stays(void *arg, struct forget_word *w, enum forget_form form)
{
	(void)arg;
	w->also |= FORGET_BIT(form);
}

/* Names stand in a table of their own: those that a message or record still bears stay. */
static int
names_stay(void *arg, const struct message *m)
{
	struct forget_words *w = arg;

	forget_words_look(w, m->name, strlen(m->name), word_stays, NULL);
	forget_words_look(w, m->agent, strlen(m->agent), word_stays, NULL);
	forget_words_look(w, m->project, strlen(m->project), word_stays, NULL);
	return 0;
}

static int
names_of_record_stay(void *arg, const struct fact *r)
{
	struct forget_words *w = arg;

	forget_words_look(w, r->head.agent, strlen(r->head.agent), word_stays, NULL);
	forget_words_look(w, r->head.project, strlen(r->head.project), word_stays, NULL);
	return 0;
}

static int
names_of_user(struct proof *p, const char *user, struct err *err)
{
	const struct scope who = { user, NULL, NULL, NULL };
	const struct message_filter any = MESSAGE_FILTER_ANY;
	int rc = messages_each(p->s, &who, &any, names_stay, &p->f->words, err);

	for (int type = RECORD_FACT; type <= RECORD_REFLECTION && rc == 0; type++) {
		struct record_filter of = RECORD_FILTER_ANY((enum record_type)type);

		of.also = RECORDS_ALL;
		rc = records_each(p->s, &who, &of, names_of_record_stay, &p->f->words, err);
	}
	return rc;
}

static int
look_at_names(struct proof *p, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **users = NULL;
	size_t n;
	int rc = users_all(p->s, &a, &users, &n, err);

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = names_of_user(p, users[i], err);
	return rc;
}

static void
word_is_left(void *arg, struct forget_word *w, enum forget_form form)
{
	const struct proof *p = arg;

	if (w->where[form] == 0)
		w->where[form] = p->place;
}

/* The number of a place: there are some for each table, and words note them. */
static uint8_t
place_of(struct proof *p, const char *name)
{
	for (uint8_t i = 1; i <= p->n_places; i++)
		if (strcmp(p->places[i], name) == 0)
			return i;
	if (p->n_places < UINT8_MAX)
		p->places[++p->n_places] = arena_strdup(&p->arena, name);
	return p->n_places;
}

/* Whether the words of a column may stay: it holds nothing that is made of messages that went. */
static bool
stays(const char *table, const char *column, const char *text, size_t len)
{
	static const char *const made[] = { "category", "category_member", "label", "fts_leaf",
		"fts_page", "fts_segment", "vector_code", "vector_byte", "chunk" };

	if (text_index(table, made, NELEM(made)) >= 0)
		return false;
	if (strcmp(table, "input") == 0)
		return strcmp(column, "path") == 0 && len > 0 && text[0] == '/';
	return true;
}

static bool
is_page(const char *column)
{
	return strcmp(column, "data") == 0 || strcmp(column, "slots") == 0 ||
	    strcmp(column, "cards") == 0 || strcmp(column, "items") == 0 ||
	    strcmp(column, "handed") == 0;
}

/* The rows of records that went; messages share no number with them. */
static void
gather_rows(struct proof *p)
{
	const struct forget *f = p->f;

	p->gone_records = xreallocarray(NULL, f->n_records + f->n_made + 1,
	    sizeof(*p->gone_records));
	for (size_t i = 0; i < f->n_records; i++)
		p->gone_records[i] = f->records[i].row;
	for (size_t i = 0; i < f->n_made; i++)
		p->gone_records[f->n_records + i] = f->made[i].row;
	p->n_gone_records = f->n_records + f->n_made;
	qsort(p->gone_records, p->n_gone_records, sizeof(*p->gone_records), by_int64);
}

static bool
is_gone(const struct proof *p, const char *table, int64_t id)
{
	static const char *const of_records[] = { "record", "fact", "record_was", "fact_was",
		"step_change", "record_source", "record_source_was" };

	if (strcmp(table, "session") == 0)
		return forget_takes_session(p->f, id);
	if (strcmp(table, "message") == 0)
		return forget_takes_message(p->f, id);
	return text_index(table, of_records, NELEM(of_records)) >= 0 &&
	    bsearch(&id, p->gone_records, p->n_gone_records, sizeof(id), by_int64) != NULL;
}

/* An entry of the lists of work; one of a message that went is told by its row. */
static void
look_at_work(void *arg, int64_t row)
{
	struct proof *p = arg;
	char text[32];

	if (!is_gone(p, "message", row))
		return;
	snprintf(text, sizeof(text), "turn %lld", (long long)(row & ((1 << FORGET_TURN_BITS) - 1)));
	p->fn(p->arg, text, "an entry of it in table work, column items");
}

/* What a search handed out or left out. */
static void
look_at_handed(void *arg, bool is_record, int64_t row)
{
	struct proof *p = arg;

	if (is_gone(p, is_record ? "record" : "message", row))
		p->fn(p->arg, is_record ? "a record" : "a message",
		    "an entry of it in table metric, column handed");
}

/* ---- the state of an input: keys, and some values, are the programs' own words ---- */

static void look_at_json(struct proof *p, const char *text, size_t len);

static void
look_at_value(struct proof *p, const char *key, const struct json *v)
{
	static const char *const own[] = { "from", "mode", "role", "logs", "now" };
	struct forget_words *words = &p->f->words;
	bool ours = false;

	for (size_t i = 0; i < NELEM(own); i++)
		ours |= strcmp(key, own[i]) == 0;
	if (v->kind == JSON_STRING && ours)
		forget_words_look(words, v->u.string, v->len, word_stays, NULL);
	else if (v->kind == JSON_STRING)
		look_at_json(p, v->u.string, v->len);
	for (size_t i = 0; i < v->len && v->kind == JSON_ARRAY; i++)
		look_at_value(p, key, &v->u.items[i]);
	for (size_t i = 0; i < v->len && v->kind == JSON_OBJECT; i++) {
		const struct json_member *m = &v->u.members[i];

		forget_words_look(words, m->key, m->key_len, word_stays, NULL);
		look_at_value(p, m->key, &m->value);
	}
}

/* A text that may be JSON itself, as the state of a map is. */
static void
look_at_json(struct proof *p, const char *text, size_t len)
{
	LOCAL(arena) a = ARENA_INIT;
	struct err err = ERR_INIT;
	const struct json *v;

	if (len > 0 && text[0] == '{' && json_parse(text, len, &a, &v, &err) == 0)
		look_at_value(p, "", v);
	else
		forget_words_look(&p->f->words, text, len, word_is_left, p);
}

static void
look_at_page(struct proof *p, const char *table, int64_t id, const char *column, const char *bytes,
	size_t len)
{
	if (strcmp(table, "work") == 0 && strcmp(column, "items") == 0)
		work_page_each(id, bytes, len, look_at_work, p);
	if (strcmp(table, "metric") == 0 && strcmp(column, "handed") == 0)
		handed_bytes_each(bytes, len, look_at_handed, p);
}

static void
look_at_text(void *arg, const char *table, int64_t id, const char *column, const char *text,
	size_t len)
{
	struct proof *p = arg;
	char place[200];

	if (is_page(column)) {
		look_at_page(p, table, id, column, text, len);
		return;
	}
	if (is_gone(p, table, id)) {
		snprintf(place, sizeof(place), "a row of it in table %s", table);
		p->fn(p->arg, column, place);
		return;
	}
	if (stays(table, column, text, len)) {
		forget_words_look(&p->f->words, text, len, word_stays, NULL);
		return;
	}
	snprintf(place, sizeof(place), "table %s, column %s", table, column);
	p->place = place_of(p, place);
	if (strcmp(table, "input") == 0 && strcmp(column, "state") == 0)
		look_at_json(p, text, len);
	else
		forget_words_look(&p->f->words, text, len, word_is_left, p);
}

static void
look_at_term(void *arg, const char *term, size_t len, uint32_t df)
{
	struct proof *p = arg;
	struct forget_word *e = forget_words_find(&p->f->words, term, len, FORGET_TERM);

	(void)df;
	if (e != NULL)
		word_is_left(p, e, FORGET_TERM);
}

static int
look_at_vocabulary(struct proof *p, struct err *err)
{
	struct index *x = NULL;
	int rc;

	p->place = place_of(p, "the vocabulary of the full text");
	if (index_enter(p->s, &p->f->who, &x, err) < 0)
		return -1;
	rc = index_load(x, NULL, 0, err);
	if (rc == 0)
		rc = index_terms(x, NULL, 0, look_at_term, p, err);
	index_end(x);
	index_free(x);
	return rc;
}

/* Tells words of a form that are left, and counts those that nothing else has. */
static size_t
tell_words(struct proof *p, enum forget_form form)
{
	const struct forget_words *words = &p->f->words;
	struct forget_word *w = NULL;
	size_t n = 0;

	while ((w = forget_words_next(words, w)) != NULL) {
		if ((w->is & FORGET_BIT(form)) == 0 || (w->also & FORGET_BIT(form)) != 0)
			continue;
		n++;
		/* a term that is the word itself is told as that */
		if (w->where[form] != 0 &&
		    !(form == FORGET_TERM && (w->told & FORGET_BIT(FORGET_WORD)) != 0))
			forget_word_tell(w, form, p->places[w->where[form]], p->fn, p->arg);
	}
	return n;
}

int
forget_verify(struct store *s, struct forget *f, forget_left_fn *fn, void *arg, size_t *n_words,
	struct err *err)
{
	struct proof p = { .s = s, .f = f, .fn = fn, .arg = arg, .arena = ARENA_INIT };
	int rc;

	gather_rows(&p);
	rc = look_for_ids(&p, err);
	if (rc == 0)
		rc = look_at_user(&p, err);
	if (rc == 0)
		rc = look_at_names(&p, err);
	if (rc == 0)
		rc = store_texts_each(s, look_at_text, &p, err);
	if (rc == 0)
		rc = look_at_vocabulary(&p, err);
	if (rc == 0) {
		*n_words = tell_words(&p, FORGET_WORD);
		tell_words(&p, FORGET_TERM);
	}
	free(p.gone_records);
	arena_release(&p.arena);
	return rc;
}
