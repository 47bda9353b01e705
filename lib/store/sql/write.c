/*
 * write.c: what a write transaction carries with it: the sessions it touches, the card pages it
 * fills, and for each user the batch being indexed.
 *
 * All of it goes into the database when the transaction commits, so a message and its index are
 * durable in one step.
 */
#include "store/sql/store_parts.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "store/sql/changes.h"
#include "store/sql/column.h"
#include "store/sql/tombstones.h"

/* sessions held at once; a collision writes the older one out */
#define SESSION_SLOTS 512
#define CARD_SLOTS    256
#define BUILDERS_MAX  8                        /* users indexed side by side in one batch */
#define LABEL_SLOTS   256

/* A megabyte for all that there may be: only those that are used are touched. */
struct card_page {
	int64_t id;                            /* 0: empty */
	size_t n;                              /* cards */
	struct card *cards;                    /* [CARDS_A_PAGE] */
};

struct session_slot {
	int64_t user;
	char *name;                            /* NULL: empty */
	struct session_state state;
};

struct builder_slot {
	int64_t user;
	const struct lexicon *lexicon;
	struct postings_builder *builder;
	uint64_t used;
};

struct label_slot {
	int64_t user, no;
	enum label_kind kind;
	char *text;                            /* NULL: empty */
};

struct writer {
	char *user;                            /* the last one asked for */
	int64_t user_no;
	struct label_slot labels[LABEL_SLOTS];
	struct session_slot sessions[SESSION_SLOTS];
	struct card_page pages[CARD_SLOTS];
	struct builder_slot builders[BUILDERS_MAX];
	uint64_t clock;
	/* for messages that are not prepared; NULL until there is one */
	struct preparer *preparer;
	struct arena prepared;                 /* of the message at hand */
	int64_t buried_user;                   /* the last one asked for; 0: none yet */
	bool buried_any;
	/* the last session that was made, and whose: the next has the next number */
	int64_t made_user, made_last;
	/* what messages were put under, hashed; [a power of two], 0 is empty */
	uint64_t *noted;
	size_t n_noted, cap_noted;
};

int
writer_open(struct store *s, struct err *err)
{
	(void)err;
	s->writer = xcalloc(1, sizeof(*s->writer));
	return 0;
}

void
writer_close(struct store *s)
{
	struct writer *w = s->writer;

	work_close(s);
	if (w == NULL)
		return;
	free(w->user);
	free(w->noted);
	for (size_t i = 0; i < LABEL_SLOTS; i++)
		free(w->labels[i].text);
	for (size_t i = 0; i < SESSION_SLOTS; i++)
		free(w->sessions[i].name);
	for (size_t i = 0; i < BUILDERS_MAX; i++)
		postings_builder_free(w->builders[i].builder);
	preparer_free(w->preparer);
	arena_release(&w->prepared);
	for (size_t i = 0; i < CARD_SLOTS; i++)
		free(w->pages[i].cards);
	free(w);
	s->writer = NULL;
}

/* ---- names ---- */

int64_t
writer_user(struct store *s, const char *name, struct err *err)
{
	struct writer *w = s->writer;
	int64_t no;

	if (w->user != NULL && name != NULL && strcmp(w->user, name) == 0)
		return w->user_no;
	if ((no = user_number(s, name, true, err)) < 0)
		return -1;
	free(w->user);
	w->user = xstrdup(name);
	w->user_no = no;
	return no;
}

int
writer_tombstones(struct store *s, int64_t user, bool *any, struct err *err)
{
	struct writer *w = s->writer;

	if (w->buried_user != user && tombstones_any(s, user, &w->buried_any, err) < 0)
		return -1;
	w->buried_user = user;
	*any = w->buried_any;
	return 0;
}

int64_t
writer_label(struct store *s, int64_t user, enum label_kind kind, const char *text, struct err *err)
{
	struct label_slot *slot;
	int64_t no;

	if (text == NULL || *text == '\0')
		return 0;
	slot = &s->writer->labels[hash64(text, strlen(text), (uint64_t)user * 4 + kind) &
	    (LABEL_SLOTS - 1)];
	if (slot->text != NULL && slot->user == user && slot->kind == kind &&
	    strcmp(slot->text, text) == 0)
		return slot->no;
	if ((no = label_number(s, user, kind, text, true, err)) < 0)
		return -1;
	free(slot->text);
	*slot = (struct label_slot){ user, no, kind, xstrdup(text) };
	return no;
}

/* ---- sessions ---- */

void
bind_label(struct db_stmt *q, int at, int64_t no)
{
	if (no == 0)
		db_bind_null(q, at);
	else
		db_bind_int(q, at, no);
}

/* What other stores want to know of it. */
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

static int
write_session(struct store *s, struct session_state *v, struct err *err)
{
	struct db_stmt *q;

	if (log_session(s, v, err) < 0 || (q = stmt_of(s, STMT_SESSION_COUNTS, err)) == NULL)
		return -1;
	db_bind_int(q, 1, v->turns);
	db_bind_int(q, 2, v->assistants);
	db_bind_int(q, 3, v->speaker);
	db_bind_int(q, 4, v->speakers);
	column_bind_time(q, 5, v->created);
	column_bind_time(q, 6, v->updated);
	bind_label(q, 7, v->agent);
	bind_label(q, 8, v->project);
	db_bind_int(q, 9, v->id >> SESSION_BITS);
	db_bind_int(q, 10, v->id);
	return db_done(s->db, q, err, "write session");
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

/* Nobody else makes sessions meanwhile: the database is asked for the first of a transaction. */
static int
next_session(struct store *s, int64_t user, int64_t *id, struct err *err)
{
	struct writer *w = s->writer;
	struct db_stmt *q;

	if (w->made_user != user) {
		if ((q = stmt_of(s, STMT_SESSION_NEXT, err)) == NULL)
			return -1;
		db_bind_int(q, 1, user);
		if (db_row(s->db, q, err, "new session") < 0)
			return -1;
		w->made_last = db_column_int(q, 0) - 1;
		w->made_user = user;
		db_reset(q);
	}
	*id = ++w->made_last;
	return 0;
}

static int
make_session(struct store *s, int64_t user, const char *name, int64_t part, struct session_state *v,
	struct err *err)
{
	struct db_stmt *q;
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
	if ((q = stmt_of(s, STMT_SESSION_PUT, err)) == NULL)
		return -1;
	db_bind_int(q, 1, v->id);
	db_bind_int(q, 2, user);
	db_bind_text(q, 3, name, -1);
	db_bind_int(q, 4, part);
	return db_done(s->db, q, err, "new session");
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
	if (slot->name != NULL && slot->state.dirty && write_session(s, &slot->state, err) < 0)
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
	struct db_stmt *q;
	int got;

	if (known && slot->state.id == 0)
		return make_session(s, user, name, 0, &slot->state, err) < 0 ? NULL : &slot->state;
	if (known && slot->state.turns < TURNS_MAX)
		return &slot->state;
	if (clear_slot(s, slot, err) < 0 || (q = stmt_of(s, STMT_SESSION_LAST, err)) == NULL)
		return NULL;
	db_bind_int(q, 1, user);
	db_bind_text(q, 2, name, -1);
	if ((got = db_row(s->db, q, err, "read session")) < 0)
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

static struct db_stmt *
last_part(struct store *s, int64_t user, const char *name, struct err *err)
{
	struct db_stmt *q = stmt_of(s, STMT_SESSION_LAST, err);

	if (q != NULL) {
		db_bind_int(q, 1, user);
		db_bind_text(q, 2, name, -1);
	}
	return q;
}

/* A session that is not there has the number 0 until it is made. */
int
writer_expect(struct store *s, int64_t user, const char *const *names, size_t n, struct err *err)
{
	struct session_slot *slot;
	struct db_stmt *q;
	int got;

	for (size_t i = 0; i < n; i++) {
		if (writer_known(s, user, names[i]) != NULL)
			continue;
		if ((q = last_part(s, user, names[i], err)) == NULL)
			return -1;
		db_want(s->db, q);
	}
	for (size_t i = 0; i < n; i++) {
		slot = slot_of(s->writer, user, names[i]);
		/* of two in one slot the second is looked for when it is needed */
		if (slot->name != NULL)
			continue;
		if ((q = last_part(s, user, names[i], err)) == NULL ||
		    (got = db_row(s->db, q, err, "read session")) < 0)
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
	struct writer *w = s->writer;
	size_t i;

	if (2 * (w->n_noted + 1) > w->cap_noted) {
		size_t cap = w->cap_noted == 0 ? 1024 : 2 * w->cap_noted;
		uint64_t *grown = xcalloc(cap, sizeof(*grown));

		for (size_t k = 0; k < w->cap_noted; k++) {
			if (w->noted[k] == 0)
				continue;
			for (i = w->noted[k] & (cap - 1); grown[i] != 0; i = (i + 1) & (cap - 1))
				;
			grown[i] = w->noted[k];
		}
		free(w->noted);
		w->noted = grown;
		w->cap_noted = cap;
	}
	key |= 1;
	for (i = key & (w->cap_noted - 1); w->noted[i] != 0; i = (i + 1) & (w->cap_noted - 1))
		if (w->noted[i] == key)
			return true;
	w->noted[i] = key;
	w->n_noted++;
	return false;
}

struct session_state *
writer_session_by_id(struct store *s, int64_t id, struct err *err)
{
	char name[32];
	int64_t user = id >> SESSION_BITS;
	struct session_slot *slot;
	struct db_stmt *q;
	int got;

	/* Rebuilding goes by number; a name no session has keeps the two kinds of key apart. */
	snprintf(name, sizeof(name), "\x01%lld", (long long)id);
	slot = slot_of(s->writer, user, name);
	if (slot->name != NULL && slot->user == user && strcmp(slot->name, name) == 0)
		return &slot->state;
	if (clear_slot(s, slot, err) < 0 || (q = stmt_of(s, STMT_SESSION_BY_ID, err)) == NULL)
		return NULL;
	db_bind_int(q, 1, user);
	db_bind_int(q, 2, id);
	if ((got = db_row(s->db, q, err, "read session")) <= 0) {
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

/* ---- cards ---- */

static int
write_page(struct store *s, struct card_page *p, struct err *err)
{
	int64_t id = p->id;

	p->id = 0;
	return id == 0 ? 0 : cards_put(s, id, p->cards, p->n, err);
}

static int
put_card(struct store *s, int64_t row, const struct card *c, struct err *err)
{
	int64_t turn = row & (TURNS_MAX - 1), id = row - turn + turn / CARDS_A_PAGE;
	struct card_page *p = &s->writer->pages[hash64_mix((uint64_t)id) & (CARD_SLOTS - 1)];
	size_t at = (size_t)(turn % CARDS_A_PAGE);
	struct cards have;

	if (p->id != id) {
		/* the first of a page has none before it there */
		have.n = 0;
		if (write_page(s, p, err) < 0 || (at > 0 && cards_page(s, id, &have, err) < 0))
			return -1;
		if (p->cards == NULL)
			p->cards = xcalloc(CARDS_A_PAGE, sizeof(*p->cards));
		for (p->n = 0; p->n < have.n; p->n++)
			cards_get(&have, p->n, &p->cards[p->n]);
		p->id = id;
	}
	/* what is not indexed has none */
	for (; p->n <= at; p->n++)
		p->cards[p->n] = (struct card){ .time_us = TIME_NONE };
	p->cards[at] = *c;
	return 0;
}

/* ---- full text ---- */

struct kind_of { struct store *store; struct err *err; };

/* The kind of a row's session, by what is known of it at the end of the batch. */
static uint8_t
kind_of_row(void *arg, int64_t row)
{
	struct kind_of *k = arg;
	int64_t id = row >> TURN_BITS;
	const struct session_state *v = NULL;

	for (size_t i = 0; i < SESSION_SLOTS && v == NULL; i++)
		if (k->store->writer->sessions[i].name != NULL &&
		    k->store->writer->sessions[i].state.id == id)
			v = &k->store->writer->sessions[i].state;
	if (v == NULL && (v = writer_session_by_id(k->store, id, k->err)) == NULL)
		return SESSION_UNKNOWN;
	return v->assistants > 0 ? SESSION_ASSISTANT
	    : v->speakers > 1	 ? SESSION_CHAT
				 : SESSION_UNKNOWN;
}

static int
flush_builder(struct store *s, struct builder_slot *b, struct err *err)
{
	struct kind_of k = { s, err };

	if (b->builder == NULL || postings_builder_docs(b->builder) == 0)
		return 0;
	return fulltext_add(s, b->user, b->builder, kind_of_row, &k, err);
}

static struct postings_builder *
builder_of(struct store *s, int64_t user, const struct lexicon *lexicon, struct err *err)
{
	struct builder_slot *b = s->writer->builders, *oldest = b;

	for (size_t i = 0; i < BUILDERS_MAX; i++) {
		if (b[i].user == user && b[i].lexicon == lexicon) {
			b[i].used = ++s->writer->clock;
			return b[i].builder;
		}
		if (b[i].used < oldest->used)
			oldest = &b[i];
	}
	if (flush_builder(s, oldest, err) < 0)
		return NULL;
	if (oldest->lexicon != lexicon) {
		postings_builder_free(oldest->builder);
		oldest->builder = postings_builder_new(lexicon);
	}
	oldest->lexicon = lexicon;
	oldest->user = user;
	oldest->used = ++s->writer->clock;
	return oldest->builder;
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

const struct prepared *
writer_prepare(struct store *s, const struct message *m, const uint8_t sha256[SHA256_BYTES])
{
	struct writer *w = s->writer;

	if (m->prepared != NULL)
		return m->prepared;
	if (w->preparer == NULL)
		w->preparer = preparer_new();
	arena_reset(&w->prepared);
	return prepare(w->preparer, m->content, m->content_len, sha256, &w->prepared);
}

/* A text that is indexed by itself, and says only then what its card is. */
static int
index_large(struct store *s, const struct message *m, struct card *c, struct err *err)
{
	struct postings_text *t = postings_text_read(m->content, m->content_len, 0);
	struct kind_of k = { s, err };
	int rc;

	*c = *postings_text_card(t);
	rc = fulltext_add_text(s, m->row, t, index_flags(c), index_role(m->role),
	    kind_of_row(&k, m->row), err);
	postings_text_free(t);
	return rc;
}

/*
 * Writes out what is indexed of messages that were not prepared when it has many terms, and forgets
 * the terms: of a batch of 8 MB whose words are all distinct there are a million.
 */
static int
bound_terms(struct store *s, struct err *err)
{
	struct writer *w = s->writer;

	if (w->preparer == NULL || preparer_n_terms(w->preparer) < BATCH_TERMS)
		return 0;
	for (size_t i = 0; i < BUILDERS_MAX; i++)
		if (flush_builder(s, &w->builders[i], err) < 0)
			return -1;
	preparer_clear(w->preparer);
	return 0;
}

static int
index_words(struct store *s, const struct message *m, const struct prepared *p, struct err *err)
{
	const struct card *c = &p->card;
	struct postings_builder *to = builder_of(s, m->row >> USER_SHIFT, p->lexicon, err);

	if (to == NULL)
		return -1;
	if (p->index != NULL)
		postings_doc_of(to, m->row, p->index, p->no, c->n_words, index_flags(c),
		    index_role(m->role));
	else
		postings_doc(to, m->row, p->terms, p->n_terms, c->n_words, index_flags(c),
		    index_role(m->role));
	return bound_terms(s, err);
}

int
writer_index(struct store *s, const struct message *m, const struct prepared *p, int64_t speaker,
	int64_t agent, int64_t project, struct err *err)
{
	struct card c = p->card;

	if (!role_is_indexed(m->role))
		return 0;
	if ((p->large ? index_large(s, m, &c, err) : index_words(s, m, p, err)) < 0)
		return -1;
	c.time_us = m->time_us;
	c.speaker = (uint16_t)(speaker <= UINT16_MAX ? speaker : 0);
	c.agent = (uint16_t)agent;
	c.project = (uint16_t)project;
	c.role = (uint8_t)m->role;
	c.trust = (uint8_t)m->trust;
	return put_card(s, m->row, &c, err);
}

int
writer_flush(struct store *s, struct err *err)
{
	struct writer *w = s->writer;

	if (work_flush(s, err) < 0)
		return -1;
	for (size_t i = 0; i < BUILDERS_MAX; i++)
		if (flush_builder(s, &w->builders[i], err) < 0)
			return -1;
	for (size_t i = 0; i < CARD_SLOTS; i++)
		if (write_page(s, &w->pages[i], err) < 0)
			return -1;
	for (size_t i = 0; i < SESSION_SLOTS; i++) {
		struct session_slot *slot = &w->sessions[i];
		if (slot->name != NULL && slot->state.dirty &&
		    write_session(s, &slot->state, err) < 0)
			return -1;
		slot->state.dirty = false;
	}
	return 0;
}
