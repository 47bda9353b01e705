/*
 * transcripts.c: a claim is searched for like a question, and each sentence found is held against
 * it word by word.
 */
#include "audit/transcripts.h"

#include "audit/credentials.h"
#include "audit/hearing.h"
#include "base/alloc.h"
#include "base/conf.h"
#include "math/vec.h"
#include "search/later.h"
#include "search/search.h"
#include "statement/clause.h"
#include "statement/values.h"
#include "store/records.h"

#define HITS         12
#define STRICT_HITS  30
#define STRICT_RECORDS 100         /* that have most of the claim's words */
/*
 * A turn supports a claim by points: the probability that it answers the claim as a question
 * (rank/answer_probability.h), the share of the claim's words in its best sentence, and with a
 * model the similarity of the nearest sentence. Weights and the least that is asked come from a
 * logistic regression on 240 notes that rest on a chat and 720 that rest on other chats.
 */
#define SHARE_POINTS 1.5
#define SIM_POINTS   1.4
#define SUPPORT_MIN  .85
#define SUPPORT_SIM_MIN 1.35
#define SUPPORT_SURE 1.6                   /* whatever the similarity is */
#define QUOTE_BYTES  400
#define SENTENCES_MOST 24                  /* that are embedded for one claim */

struct transcripts {
	struct store *store;
	const struct scope *who;
	struct search *search;
	struct index *index;               /* NULL until turns are sought by words alone */
	struct search_query query;
	struct arena arena;
	struct heard_turns *turns;         /* that were read */
	struct model_worker *worker;       /* NULL: there is no model */
	const struct model_info *info;
	bool strict;
	struct message *records;           /* heard besides, as if a user said them */
	struct word_pool *words;           /* of them, by their places; NULL: there are none */
};

int
transcripts_open(struct store *s, const struct scope *who, const struct model *model,
	struct transcripts **out, struct err *err)
{
	struct transcripts *t = xcalloc(1, sizeof(*t));

	t->store = s;
	t->who = who;
	t->turns = heard_turns_new();
	if (model != NULL) {
		t->worker = model_worker_new(model);
		t->info = model_info(model);
	}
	t->query = (struct search_query){ .strategy = model == NULL ? "lexical" : "fused",
		.limit = HITS, .scope = SEARCH_USER, .filter = MESSAGE_FILTER_ANY,
		.now_us = clock_now_us() };
	if (search_open(s, &t->search, err) != 0) {
		transcripts_close(t);
		return -1;
	}
	*out = t;
	return 0;
}

void
transcripts_close(struct transcripts *t)
{
	if (t == NULL)
		return;
	search_close(t->search);
	index_free(t->index);
	model_worker_free(t->worker);
	heard_turns_free(t->turns);
	word_pool_free(t->words);
	free(t->records);
	arena_release(&t->arena);
	free(t);
}

void
transcripts_be_strict(struct transcripts *t, const struct memory_item *items, size_t n)
{
	t->strict = true;
	t->query.limit = STRICT_HITS;
	t->records = xcalloc(n + 1, sizeof(*t->records));
	t->words = word_pool_new();
	for (size_t i = 0; i < n; i++) {
		struct message *m = &t->records[i];

		*m = (struct message){ .session = "", .turn = -1, .role = ROLE_USER, .name = "",
			.content = items[i].content, .content_len = items[i].len,
			.time_us = items[i].time_us, .row = -(int64_t)i - 1 };
		snprintf(m->id, sizeof(m->id), "%s", items[i].id);
		word_pool_add(t->words, (int64_t)i, m->content, m->content_len);
	}
}

/* ---- evidence ---- */

static void
set_evidence(struct evidence *e, const struct message *m, size_t start, size_t len,
	struct arena *a)
{
	e->id = arena_strdup(a, m->id);
	e->session = arena_strdup(a, m->session);
	e->turn = m->turn;
	e->time_us = m->time_us;
	e->quote = arena_strndup(a, m->content + start, len);
	e->len = len;
	credentials_hide(&e->quote, &e->len, a);
	e->len = MIN(e->len, (size_t)QUOTE_BYTES);
}

/* Whether nothing in a turn that was heard is against the claim; an exact one says its values. */
static bool
may_be_cited(const struct hearing *h)
{
	return !h->against && (!h->exact || h->share > 0);
}

/* ---- sentences that say it in other words ---- */

static double
sim_of(const struct model_info *info, const float *a, const float *b)
{
	double cosine = vec_dot(a, b, info->n_dims), unrelated = (double)info->unrelated;

	return (cosine - unrelated) / (1 - unrelated);
}

/* Adds the sentences of a turn, but for questions, to texts; returns how many there are. */
static size_t
add_texts(struct transcripts *t, const struct message *m, struct model_text *texts, size_t n)
{
	const struct heard_turn *turn = heard_turns_read(t->turns, m);

	for (size_t k = 0; k < turn->n && n < SENTENCES_MOST; k++)
		if (!turn->sentences[k].question)
			texts[n++] = (struct model_text){ m->content + turn->sentences[k].start,
				MIN(turn->sentences[k].len, (size_t)QUOTE_BYTES), TEXT_PASSAGE,
				NULL };
	return n;
}

/*
 * The similarity of a claim and the sentence that is nearest to it, of the users' turns; *by is
 * that turn, and its best sentence. 0 where there is none.
 */
static double
nearest_sentence(struct transcripts *t, struct hearing *heard, size_t n, struct hearing **by)
{
	struct model_text texts[SENTENCES_MOST + 1];
	struct hearing *of[SENTENCES_MOST];
	size_t n_texts = 0, n_dims = t->info->n_dims;
	FREED float *vectors = xreallocarray(NULL, (SENTENCES_MOST + 1) * n_dims, sizeof(*vectors));
	const struct claim *c = heard[0].c;
	double best = 0;

	for (size_t i = 0; i < n; i++) {
		size_t from = n_texts;

		if (heard[i].m->role == ROLE_USER && may_be_cited(&heard[i]))
			n_texts = add_texts(t, heard[i].m, texts, n_texts);
		while (from < n_texts)
			of[from++] = &heard[i];
	}
	texts[n_texts] = (struct model_text){ c->said, c->said_len, TEXT_PASSAGE, NULL };
	model_embed(t->worker, texts, n_texts + 1, vectors);
	for (size_t k = 0; k < n_texts; k++) {
		double sim = sim_of(t->info, vectors + k * n_dims, vectors + n_texts * n_dims);

		if (sim <= best)
			continue;
		best = sim;
		*by = of[k];
		of[k]->start = (size_t)(texts[k].text - of[k]->m->content);
		of[k]->len = texts[k].len;
	}
	return best;
}

/* ---- a claim ---- */

static bool
is_later(int64_t a, int64_t b)
{
	return a != TIME_NONE && b != TIME_NONE && a > b;
}

/*
 * Whether a turn that says otherwise comes behind all that is known of the claim: what a record of
 * ours rests on is known better than what was found.
 */
static bool
ends_it(const struct testimony *out, int64_t claim_us, int64_t turn_us, bool ended)
{
	if (out->supported)
		return is_later(turn_us, out->for_it.time_us);
	return (ended && claim_us == TIME_NONE) || is_later(turn_us, claim_us);
}

static int
search_turns(struct transcripts *t, const struct claim *c, struct search_result *r,
	struct err *err)
{
	t->query.text = c->said;
	t->query.len = MIN(c->said_len, conf_caps.query_bytes);
	if (search_run(t->search, t->who, &t->query, r, err) != 0)
		return -1;
	/* what meaning alone does not find would be called unsupported */
	return r->words_down == NULL ? 0 : err_set(err, ERR_IO, "%s", r->words_down);
}

/* What the turns that were found say for a claim. */
struct support {
	struct hearing *by;        /* the best of them; NULL: none */
	double points, share;      /* of it */
};

/* Hears a turn that answers the claim with probability p. */
static void
hear_hit(struct transcripts *t, struct hearing *h, double p, struct support *s)
{
	hearing_take(h, heard_turns_read(t->turns, h->m));
	double points = SHARE_POINTS * h->share + p;
	if (hearing_may_support(h->c, h->m) && may_be_cited(h) &&
	    (points > s->points || (points >= SUPPORT_MIN && h->share > s->share))) {
		s->points = points;
		s->share = h->share;
		s->by = h;
	}
}

/* Decides by heard [n] whether the claim is supported, and by what. */
static void
find_support(struct transcripts *t, struct hearing *heard, size_t n, struct support *s,
	struct arena *a, struct testimony *out)
{
	bool model = t->worker != NULL;

	if (s->by != NULL && model && s->points < SUPPORT_SURE)
		s->points += SIM_POINTS * nearest_sentence(t, heard, n, &s->by);
	if (s->by != NULL && s->points >= (model ? SUPPORT_SIM_MIN : SUPPORT_MIN))
		set_evidence(&out->for_it, s->by->m, s->by->start, s->by->len, a);
	out->supported = out->for_it.id != NULL;
}

/* Of what was heard the sentence with most words of the claim that clashes with it. */
static void
find_clash(const struct hearing *heard, size_t n, struct arena *a, struct testimony *out)
{
	const struct hearing *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (heard[i].clash != NULL && heard[i].m->role != ROLE_SYSTEM &&
		    (best == NULL || heard[i].clash_shared > best->clash_shared))
			best = &heard[i];
	if (best == NULL)
		return;
	out->clash_why = best->clash;
	set_evidence(&out->clash, best->m, best->clash_start, best->clash_len, a);
}

/*
 * Of what users said behind the turn that supports a claim, the turn that shares most with it;
 * whether that ends the claim no word tells. Who says the same again lets all before it go.
 */
static int
find_named(struct transcripts *t, const struct hearing *by, struct arena *a,
	struct testimony *out, struct err *err)
{
	const struct later_want want = { .store = t->store, .index = &t->index, .who = *t->who,
		.after = by->m, .text = out->for_it.quote, .len = out->for_it.len, .arena = a };
	const struct later *best = NULL;
	const struct message *again = by->m;
	struct later found[LATER_MOST];
	size_t n;

	if (later_find(&want, found, &n, err) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct hearing h = { .c = by->c, .untimed = by->untimed, .known = by->known,
			.m = found[i].m, .exact = true };

		hearing_take(&h, heard_turns_read(t->turns, h.m));
		if (may_be_cited(&h) && mention_is_later(again, h.m))
			again = h.m;
	}
	for (size_t i = 0; i < n && best == NULL; i++)
		if (found[i].m != again && mention_is_later(again, found[i].m))
			best = &found[i];
	if (best != NULL)
		set_evidence(&out->named, best->m, 0, best->m->content_len, a);
	return 0;
}

int
transcripts_hear(struct transcripts *t, const struct claim *c, const struct evidence *source,
	int64_t time_us, const char *about, struct arena *a, struct testimony *out, struct err *err)
{
	static _Thread_local struct said untimed, known;
	struct hearing heard[STRICT_HITS + STRICT_RECORDS];
	struct record_match records[STRICT_RECORDS];
	struct support s = { .points = -1 };
	struct search_result r;
	size_t n = 0;

	*out = (struct testimony){ .for_it = { .time_us = TIME_NONE } };
	if (search_turns(t, c, &r, err) != 0)
		return -1;
	if (t->words != NULL)
		word_pool_match(t->words, c->said, c->said_len, STRICT_RECORDS, records, &n);
	n += r.n;
	values_read_untimed(&untimed, c->said, c->said_len);
	for (size_t i = 0; i < n; i++) {
		const struct message *m = i < r.n ? r.hits[i].message
		    : &t->records[records[i - r.n].row];
		const char *names = arena_printf(a, "%s %s", m->name, about);

		said_read(&known, names, strlen(names));
		heard[i] = (struct hearing){ .c = c, .untimed = &untimed, .known = &known, .m = m,
			.exact = t->strict };
		hear_hit(t, &heard[i], i < r.n ? (double)r.hits[i].p : 0, &s);
	}
	if (source->id == NULL)
		find_support(t, heard, n, &s, a, out);
	else
		*out = (struct testimony){ .supported = true, .for_it = *source };
	if (!out->supported)
		find_clash(heard, n, a, out);
	for (size_t i = 0; i < n; i++) {
		const struct hearing *h = &heard[i];

		if (h->against && h->m->role == ROLE_USER &&
		    ends_it(out, time_us, h->m->time_us, h->ended) &&
		    (out->against.id == NULL || is_later(h->m->time_us, out->against.time_us)))
			set_evidence(&out->against, h->m, h->against_start, h->against_len, a);
	}
	return t->strict && out->supported && out->against.id == NULL
	    ? find_named(t, s.by, a, out, err)
	    : 0;
}

int
transcripts_source(struct transcripts *t, const struct memory_item *r, struct arena *a,
	struct evidence *out, struct err *err)
{
	const struct message *m;

	*out = (struct evidence){ .time_us = TIME_NONE };
	for (size_t i = 0; i < r->n_sources; i++) {
		const struct record_source *s = &r->sources[i];

		if (messages_find(t->store, t->who, s->id, a, &m, err) != 0)
			return -1;
		if (m == NULL || (out->id != NULL && !is_later(m->time_us, out->time_us)))
			continue;
		size_t start = MIN((size_t)MAX(s->start, 0), m->content_len);
		size_t len = s->length > 0 ? (size_t)s->length : m->content_len;
		set_evidence(out, m, start, MIN(len, m->content_len - start), a);
	}
	return 0;
}
