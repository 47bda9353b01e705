/*
 * fact_items.c: facts stand in the block like turns: "[2024-02-01] fact: Mara eats no hazelnuts".
 * Facts that were superseded or retracted no longer hold and are left out, unless the question asks
 * for what held once: then their names say until when they did.
 */
#include "context/fact_items.h"

#include <math.h>

#include "base/alloc.h"
#include "base/order.h"
#include "facts/subject.h"
#include "search/decided.h"
#include "search/stored.h"
#include "statement/statement.h"
#include "statement/weigh.h"

#define MOST           20          /* of each kind, for one question */
#define LEAST_SCORE    0.3         /* facts with a lower score are not worth their place */
#define PINNED_SHARE   10          /* this and the shares below are percentages of the budget */
#define FACTS_SHARE    15
#define SUMMARY_SHARE  15
#define ADDED_SHARE    30
#define ALONE_SHARE    95
#define LINES          5           /* of a summary */

struct item {
	const struct message *m;
	double score;
	float sim, bm25;                   /* NAN: it was not searched for */
	int64_t row;
	const struct fact *decision;       /* NULL: it is none, or what came of it is told */
	enum context_did did;
};

enum { FACTS, SUMMARIES /* and reflections */, PINNED, ADDED, KINDS };

struct fact_items {
	struct store *store;
	struct scope who;
	const char *bank;                  /* of facts; NULL: any */
	struct facts_search *tiers;
	struct index *index;               /* of what was said later of decisions */
	struct item *items[KINDS];         /* [n] of each kind */
	size_t n[KINDS], cap[KINDS];
	const char *asked;                 /* the last question; NULL: none */
	struct arena arena;
};

struct fact_items *
fact_items_new(struct store *s, const struct scope *who, const char *bank)
{
	struct fact_items *k = xcalloc(1, sizeof(*k));

	k->store = s;
	k->who = *who;
	k->bank = bank;
	k->tiers = facts_search_new(s);
	return k;
}

void
fact_items_free(struct fact_items *k)
{
	if (k == NULL)
		return;
	facts_search_free(k->tiers);
	index_free(k->index);
	for (unsigned i = 0; i < KINDS; i++)
		free(k->items[i]);
	arena_release(&k->arena);
	free(k);
}

static bool
has_item(const struct fact_items *k, unsigned kind, const char *id)
{
	for (size_t i = 0; i < k->n[kind]; i++)
		if (strcmp(k->items[kind][i].m->id, id) == 0)
			return true;
	return false;
}

/* A summary of another session is not about the session asked for. */
static bool
is_of_other_session(const struct fact_items *k, const struct record_head *h)
{
	const char *session = k->who.session;

	return h->type == RECORD_SUMMARY && session != NULL && *session != '\0' &&
	    *h->session != '\0' && strcmp(session, h->session) != 0;
}

/* A copy that lives as long as the arena, of what decided_read reads. */
static const struct fact *
keep_decision(struct fact_items *k, const struct fact *f)
{
	struct fact *kept = arena_alloc(&k->arena, sizeof(*kept));
	struct record_head *h = &kept->head;
	struct record_source *of = arena_alloc(&k->arena, (f->head.n_sources + 1) * sizeof(*of));

	*kept = *f;
	h->content = arena_strndup(&k->arena, h->content, h->content_len);
	h->project = arena_strdup(&k->arena, h->project);
	for (size_t i = 0; i < h->n_sources; i++) {
		of[i] = h->sources[i];
		of[i].id = arena_strdup(&k->arena, of[i].id);
	}
	h->sources = of;
	return kept;
}

/* name: what stands where a turn has its speaker; NULL: the name of the record's type. */
static void
add_item(struct fact_items *k, unsigned kind, const struct fact *f, double score, const char *name)
{
	static const char *const names[] = { "fact", "reflection", "summary" };
	const struct record_head *h = &f->head;
	struct message *m = arena_zalloc(&k->arena, sizeof(*m));
	size_t label = h->type == RECORD_FACT ? statement_label(h->content, h->content_len, NULL)
					      : 0;
	struct fact bare = *f;
	const char *shown;

	if (label > 0 && name == NULL) {       /* "decision: ...", not "fact: Decision: ..." */
		name = fact_kind_names[f->kind];
		bare.head.content += label;
		bare.head.content_len -= label;
	}
	shown = fact_shown_in(&bare, k->who.project != NULL ? k->who.project : "", &k->arena);
	*m = (struct message){ .session = h->type != RECORD_FACT ? "summaries" : "facts",
		.role = ROLE_ASSISTANT,
		.content = shown,
		.content_len = strlen(shown),
		.name = name != NULL		   ? name
		    : h->type == RECORD_FACT	   ? names[0]
		    : h->type == RECORD_REFLECTION ? names[1]
						   : names[2],
		.project = arena_strdup(&k->arena, h->project),
		.time_us = h->time_us,
		.trust = h->trust };
	memcpy(m->id, h->id, sizeof(m->id));
	*xpush(k->items[kind], k->n[kind], k->cap[kind]) =
	    (struct item){ m, score, NAN, NAN, h->row,
		k->store != NULL && f->kind == FACT_DECISION ? keep_decision(k, f) : NULL,
		CONTEXT_FULL };
}

/* The name of a fact that does not hold, which says until or from when it does; NULL: it holds. */
static const char *
name_of_another_time(struct fact_items *k, const struct fact *r)
{
	char day[TIME_TEXT];

	if (r->head.type == RECORD_FACT && r->valid_from_us > clock_now_us())
		return arena_printf(&k->arena, "fact from %s",
		    time_format_day(r->valid_from_us, day));
	if (r->head.type != RECORD_FACT || r->valid_to_us == TIME_NONE ||
	    r->valid_to_us > clock_now_us())
		return NULL;
	return arena_printf(&k->arena, "fact until %s", time_format_day(r->valid_to_us, day));
}

static void
note_asked(struct fact_items *k, const char *text, size_t len)
{
	if (text != NULL)
		k->asked = arena_strndup(&k->arena, text, len);
}

static void
add_found(struct fact_items *k, unsigned kind, const struct tier_hit *h)
{
	add_item(k, kind, h->record, h->score, name_of_another_time(k, h->record));
	struct item *at = &k->items[kind][k->n[kind] - 1];
	at->sim = (float)h->sim;
	at->bm25 = (float)h->bm25;
}

int
fact_items_ask(struct fact_items *k, const char *text, size_t len, bool likely,
	const struct message_filter *f, struct err *err)
{
	struct scope who = k->who;

	who.session = NULL;
	note_asked(k, text, len);
	for (enum tier t = TIER_INSIGHTS; t < TIER_CONVERSATIONS; t++) {
		struct tier_query q = { .text = text, .len = len, .limit = MOST,
			.min_score = LEAST_SCORE, .filter = RECORD_FILTER_ANY(RECORD_FACT) };
		struct tier_hit *hits;
		size_t n;

		q.filter.since_us = f->since_us;
		q.filter.until_us = f->until_us;
		q.filter.min_trust = f->min_trust;
		q.filter.bank = t == TIER_INSIGHTS ? k->bank : NULL;
		if (facts_search_run(k->tiers, &who, t, &q, &k->arena, &hits, &n, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if (!is_of_other_session(k, &hits[i].record->head) &&
			    (!likely || tier_hit_is_likely(&hits[i])) &&
			    !has_item(k, ADDED, hits[i].record->head.id) &&
			    !has_item(k, t == TIER_INSIGHTS ? FACTS : SUMMARIES,
				hits[i].record->head.id))
				add_found(k, t == TIER_INSIGHTS ? FACTS : SUMMARIES, &hits[i]);
	}
	return 0;
}

int
fact_items_stored(struct fact_items *k, const struct scope *who, struct search *search,
	const struct search_query *q, const struct search_result *r,
	bool (*leaves_out)(void *arg, const struct message *m, float p), void *arg,
	struct err *err)
{
	struct record_filter known = RECORD_FILTER_ANY(RECORD_FACT);
	struct tier_hit *hits;
	size_t n;

	note_asked(k, q->text, q->len);
	known.since_us = q->filter.since_us;
	known.until_us = q->filter.until_us;
	known.min_trust = q->filter.min_trust;
	known.bank = k->bank;
	if (stored_find(k->tiers, search, who, q, r, &known, &k->arena, &hits, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		size_t at = k->n[ADDED];

		if (has_item(k, ADDED, hits[i].record->head.id))
			continue;
		add_found(k, ADDED, &hits[i]);
		if (leaves_out != NULL && leaves_out(arg, k->items[ADDED][at].m, (float)hits[i].p))
			k->n[ADDED] = at;
	}
	return 0;
}

ORDER_DOWN_TEXT(by_score, struct item, score, m->id)

/* How many words of the question a line has. */
static size_t
count_asked(const struct said *asked, const char *line, size_t len)
{
	static _Thread_local struct said s;
	size_t n = 0;

	said_read(&s, line, len);
	for (size_t i = 0; i < asked->n; i++)
		n += asked->w[i].content && !asked->w[i].empty && weigh_has(&s, &asked->w[i]);
	return n;
}

/* The first lines of a long summary with most words of the question; all, where none has any. */
static struct message *
best_lines(const struct fact_items *k, const struct message *m, struct arena *a)
{
	static _Thread_local struct said asked;
	struct message *part = arena_alloc(a, sizeof(*part));
	const char *at, *end = m->content + m->content_len, *nl;
	LOCAL(buf) b = buf_of(m->content_len + 1);
	size_t most = 1, n = 0, has;

	*part = *m;
	said_read(&asked, k->asked, strlen(k->asked));
	for (at = m->content; at < end; at = nl + 1) {
		nl = memchr(at, '\n', (size_t)(end - at));
		nl = nl != NULL ? nl : end;
		has = count_asked(&asked, at, (size_t)(nl - at));
		if (has < most || (has == most && n == LINES))
			continue;
		if (has > most) {
			buf_reset(&b);
			n = 0;
			most = has;
		}
		n++;
		buf_add(&b, at, (size_t)(nl - at));
		buf_addc(&b, '\n');
	}
	if (b.len > 0) {
		part->content = arena_strndup(a, b.data, b.len);
		part->content_len = b.len;
	}
	return part;
}

static bool
is_long(const struct message *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->content_len; i++)
		n += m->content[i] == '\n';
	return n >= LINES;
}

/*
 * Puts behind a decision what was said of it later: only of one that is about to be handed out,
 * since each asks for a search.
 */
static void
tell_later(struct fact_items *k, struct item *at)
{
	struct message *m = arena_alloc(&k->arena, sizeof(*m));
	struct err ignored = ERR_INIT;     /* what cannot be read now is left out */
	const char *text = at->m->content;

	decided_add(k->store, &k->index, &k->who, at->decision, &k->arena, &text, &ignored);
	*m = *at->m;
	m->content = text;
	m->content_len = strlen(text);
	at->m = m;
	at->decision = NULL;
}

static void
fill_kind(struct fact_items *k, unsigned kind, unsigned share, struct context *c)
{
	uint64_t budget = (c->quarters + 3) / 4 + c->limits.budget * share / 100;

	if (k->n[kind] > 0)
		qsort(k->items[kind], k->n[kind], sizeof(**k->items), by_score);
	for (size_t i = 0; i < k->n[kind]; i++) {
		struct item *at = &k->items[kind][i];

		if (k->asked != NULL && share != ALONE_SHARE && is_long(at->m) &&
		    strcmp(at->m->name, "summary") == 0)
			at->m = best_lines(k, at->m, &k->arena);
		if (at->decision != NULL && c->quarters / 4 < budget)
			tell_later(k, at);
		at->did = context_add(c,
		    &(struct context_piece){ at->m, 0, at->m->content_len, false, true }, budget);
		if (at->did == CONTEXT_IN && c->limits.max_turns > 0)
			c->limits.max_turns++;
	}
}

void
fact_items_add(struct fact_items *k, const struct fact *r, double score,
	const struct search_query *q)
{
	const struct record_head *h = &r->head;
	const struct message_filter *f = &q->filter;
	bool in_time =
	    (f->since_us == TIME_NONE || (h->time_us != TIME_NONE && h->time_us >= f->since_us)) &&
	    (f->until_us == TIME_NONE || (h->time_us != TIME_NONE && h->time_us < f->until_us));

	if (h->retracted_us != TIME_NONE || !in_time || h->trust < f->min_trust ||
	    is_of_other_session(k, h) || has_item(k, ADDED, h->id))
		return;
	note_asked(k, q->text, q->len);
	add_item(k, ADDED, r, score, name_of_another_time(k, r));
}

void
fact_items_fill(struct fact_items *k, struct context *c, bool alone)
{
	fill_kind(k, ADDED, alone ? ALONE_SHARE : ADDED_SHARE, c);
	fill_kind(k, FACTS, FACTS_SHARE, c);
	fill_kind(k, SUMMARIES, SUMMARY_SHARE, c);
}

static int
on_fact(void *arg, const struct fact *f)
{
	struct fact_items *k = arg;
	struct fact copy = *f;

	copy.head.content = arena_strndup(&k->arena, f->head.content, f->head.content_len);
	add_item(k, PINNED, &copy, f->importance, NULL);
	return 0;
}

int
fact_items_pinned(struct fact_items *k, const struct message_filter *f, struct context *c,
	struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(RECORD_FACT);
	struct scope who = k->who;

	who.session = NULL;
	filter.min_trust = f->min_trust;
	filter.bank = k->bank;
	filter.guarded = true;
	if (records_each(k->store, &who, &filter, on_fact, k, err) < 0)
		return -1;
	fill_kind(k, PINNED, PINNED_SHARE, c);
	return 0;
}

void
fact_items_handed(const struct fact_items *k, const struct context *c, struct handed_list *to)
{
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < k->n[kind]; i++) {
			const struct item *at = &k->items[kind][i];
			bool in = at->did == CONTEXT_IN;

			handed_add(to, &(struct handed){ .row = at->row, .is_record = true,
				.did = context_handed(at->did),
				.rank = kind == PINNED ? 0 : (unsigned)i + 1,
				.tokens = in ? context_tokens(c, at->m) : 0,
				.score = (float)at->score, .p = NAN, .sim = at->sim,
				.bm25 = at->bm25 });
		}
}
