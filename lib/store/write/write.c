/*
 * write.c: what a write transaction keeps in memory: the sessions that it touches
 * (sessions_write.c), the pages of cards that it fills, and for each user the batch that is being
 * indexed.
 *
 * All of it is written into the database before the transaction commits, so a message and its index
 * become durable together.
 */
#include "store/write/writer_parts.h"

#include "base/alloc.h"
#include "store/write/tombstones.h"
#include "store/index/segments.h"

int
writer_open(struct store *s, struct err *err)
{
	struct writer *w = s->writer = xcalloc(1, sizeof(*s->writer));

	(void)err;
	w->n_labels = db_is_far(s->db) ? LABEL_SLOTS_FAR : LABEL_SLOTS;
	w->labels = xcalloc(w->n_labels, sizeof(*w->labels));
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
	keyed_release(&w->noted);
	for (size_t i = 0; i < w->n_labels; i++)
		free(w->labels[i].text);
	free(w->labels);
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

void
writer_buried(struct store *s, int64_t user)
{
	if (s->writer != NULL && s->writer->buried_user == user)
		s->writer->buried_any = true;
}

/* The slot of a name; *has: the name is in it. */
static struct label_slot *
label_slot(struct store *s, int64_t user, enum label_kind kind, const char *text, bool *has)
{
	struct writer *w = s->writer;
	struct label_slot *slot = &w->labels[hash64(text, strlen(text),
	    (uint64_t)user * LABEL_KINDS + kind) & (w->n_labels - 1)];

	*has = slot->text != NULL && slot->user == user && slot->kind == kind &&
	    strcmp(slot->text, text) == 0;
	return slot;
}

int
writer_expect_label(struct store *s, int64_t user, enum label_kind kind, const char *text,
	struct err *err)
{
	bool has;

	if (text == NULL || *text == '\0')
		return 0;
	label_slot(s, user, kind, text, &has);
	return has ? 0 : stmt_want_next(s, STMT_LABEL_GET, ARGS(user, kind, text), err);
}

int64_t
writer_label(struct store *s, int64_t user, enum label_kind kind, const char *text, struct err *err)
{
	int64_t no;
	bool has;

	if (text == NULL || *text == '\0')
		return 0;
	struct label_slot *slot = label_slot(s, user, kind, text, &has);
	if (has)
		return slot->no;
	if ((no = label_number(s, user, kind, text, true, err)) < 0)
		return -1;
	free(slot->text);
	*slot = (struct label_slot){ user, no, kind, xstrdup(text) };
	return no;
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
		/* the first card of a page needs none that are stored */
		have.n = 0;
		if (write_page(s, p, err) < 0 || (at > 0 && cards_page(s, id, &have, err) < 0))
			return -1;
		if (p->cards == NULL)
			p->cards = xcalloc(CARDS_A_PAGE, sizeof(*p->cards));
		for (p->n = 0; p->n < have.n; p->n++)
			cards_get(&have, p->n, &p->cards[p->n]);
		p->id = id;
	}
	/* turns that are not indexed have an empty card */
	for (; p->n <= at; p->n++)
		p->cards[p->n] = (struct card){ .time_us = TIME_NONE };
	p->cards[at] = *c;
	return 0;
}

/* ---- full text ---- */

struct kind_of { struct store *store; struct err *err; };

/* The kind of a row's session, as it is at the end of the batch. */
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
	return session_kind(v->assistants, v->speakers);
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

/*
 * Bounds memory: when messages that were not prepared have brought many distinct terms, writes out
 * what is indexed and forgets the terms. A batch of 8 MB of distinct words has a million.
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
	if (index_words(s, m, p, err) < 0)
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
		    session_write(s, &slot->state, err) < 0)
			return -1;
		slot->state.dirty = false;
	}
	return 0;
}
