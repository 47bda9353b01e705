/*
 * rules.c: what a person says is looked for by the words of the change, in the posting lists alone;
 * then each of these turns is read, the newest first. Only a user's own words make a rule.
 */
#include "hook/rules.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/me.h"
#include "math/real.h"
#include "math/topk.h"
#include "store/index.h"
#include "store/records.h"
#include "work/against.h"

#define ROLE_OF_USER 0             /* as index/corpus.h packs it */
#define TURN_WORDS   250           /* of a longer turn the rules are not its user's */

struct rules {
	struct store *store;
	const struct recall_want *want;
	struct recalled *r;
	const struct message **of;         /* [n] what users said and stored */
	size_t n;
};

/* Adds what the term weighs to each turn of a user that has it. */
static int
add_term(struct index *x, const struct index_word *w, struct posting_list *list, float *weights,
	struct err *err)
{
	const struct corpus *c = index_corpus(x);
	size_t at = list->n;
	float idf;

	if (index_list(x, w->text, w->len, list, err) < 0)
		return -1;
	idf = real_logf(1 + (float)c->n / (float)(list->n - at + 1));
	for (; at < list->n; at++) {
		uint32_t turn = list->items[at].doc;

		if (corpus_role(c, turn) == ROLE_OF_USER && corpus_words(c, turn) <= TURN_WORDS)
			weights[turn] += idf;
	}
	return 0;
}

/* A record as what its user said. */
static const struct message *
message_of(struct rules *g, const struct record_head *h)
{
	struct message *m = arena_zalloc(&g->r->arena, sizeof(*m));

	*m = (struct message){ .session = h->session, .role = ROLE_USER, .name = "",
		.content = h->content, .content_len = h->content_len, .time_us = h->time_us,
		.trust = h->trust };
	memcpy(m->id, h->id, sizeof(m->id));
	return m;
}

/* Compares places of the best by their turns. */
static int
by_turn(const void *x, const void *y)
{
	const struct topk_item *a = x, *b = y;

	return (a->id > b->id) - (a->id < b->id);
}

/*
 * Keeps those of the best turns that are of the project, as those of others may have the same
 * words. Their cards are read a step at a time.
 */
static int
keep_project(struct index *x, struct topk *best, int64_t project, struct topk *kept,
	struct err *err)
{
	struct card cards[RULES_STEP];
	uint32_t turns[RULES_STEP];

	topk_sort(best);
	for (size_t at = 0, n; at < best->n && kept->n < RULES_TURNS; at += n) {
		struct topk_item *of = best->items + at;

		n = MIN(best->n - at, (size_t)RULES_STEP);
		qsort(of, n, sizeof(*of), by_turn);
		for (size_t i = 0; i < n; i++)
			turns[i] = (uint32_t)of[i].id;
		if (index_cards(x, turns, n, cards, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++)
			if (cards[i].project == project)
				topk_add(kept, of[i].score, of[i].id);
	}
	return 0;
}

static int
find_turns(struct rules *g, const struct index_word *words, size_t n, struct err *err)
{
	const struct scope who = { g->want->who.user, g->want->who.agent, NULL, NULL };
	struct posting_list list = { .n = 0 };
	struct index *x = NULL;
	struct topk best, kept;
	float *weights = NULL;
	int64_t rows[RULES_TURNS], project = 0;
	int rc = index_enter(g->store, &who, &x, err);

	topk_init(&best, RULES_LOOKED);
	topk_init(&kept, RULES_TURNS);
	g->of = arena_alloc(&g->r->arena, RULES_MOST * sizeof(*g->of));
	if (rc == 0)
		rc = index_label(x, 'p', g->want->who.project, &project, err);
	if (rc == 0 && project > 0 && (rc = index_load(x, words, n, err)) == 0)
		weights = xcalloc(index_corpus(x)->n + 1u, sizeof(*weights));
	for (size_t i = 0; weights != NULL && rc == 0 && i < n; i++)
		rc = add_term(x, &words[i], &list, weights, err);
	for (size_t i = 0; rc == 0 && i < list.n; i++) {
		uint32_t turn = list.items[i].doc;

		if (weights[turn] > 0)
			topk_add(&best, weights[turn], turn);
		weights[turn] = 0;
	}
	if (rc == 0)
		rc = keep_project(x, &best, project, &kept, err);
	for (size_t i = 0; i < kept.n; i++)
		rows[i] = corpus_row(index_corpus(x), (uint32_t)kept.items[i].id);
	/* within the snapshot, so that the lock is taken once */
	if (rc == 0 && kept.n > 0)
		rc = messages_by_rows(g->store, &g->want->who, rows, kept.n, &g->r->arena, g->of,
		    err);
	g->n = rc == 0 ? kept.n : 0;
	topk_release(&best);
	topk_release(&kept);
	free(weights);
	posting_list_release(&list);
	index_end(x);
	return rc;
}

/* Adds what the user stored on purpose, for this project or for all, of one type. */
static int
find_records(struct rules *g, enum record_type type, const struct buf *text, struct err *err)
{
	struct record_filter filter = RECORD_FILTER_ANY(type);
	const struct scope who = { g->want->who.user, g->want->who.agent, NULL, NULL };
	struct record_match found[RULES_RECORDS];
	const struct fact *f = NULL;
	size_t n = 0;
	int rc;

	filter.made = MADE_GIVEN;
	filter.as_of_us = clock_now_us();
	rc = records_match(g->store, &who, &filter, text->data, text->len, RULES_RECORDS, found,
	    &n, err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = records_by_row(g->store, &who, found[i].row, TIME_NONE, &g->r->arena, &f, err);
		if (rc == 0 && f != NULL && f->head.origin == ORIGIN_USER &&
		    (*f->head.project == '\0' ||
		     strcmp(f->head.project, g->want->who.project) == 0))
			g->of[g->n++] = message_of(g, &f->head);
	}
	return rc;
}

static int
find_stored(struct rules *g, const struct index_word *words, size_t n, struct err *err)
{
	const struct scope who = { g->want->who.user, g->want->who.agent, NULL, NULL };
	struct buf text;
	bool any;
	int rc = records_given(g->store, &who, &any, err);

	if (rc != 0 || !any)
		return rc;
	buf_init(&text, conf_caps.output_bytes);
	for (size_t i = 0; i < n; i++)
		buf_addf(&text, "%.*s ", (int)words[i].len, words[i].text);
	rc = find_records(g, RECORD_FACT, &text, err);
	if (rc == 0)
		rc = find_records(g, RECORD_REFLECTION, &text, err);
	buf_release(&text);
	return rc;
}

static int
newest_first(const void *x, const void *y)
{
	const struct message *const *p = x, *const *q = y;
	const struct message *a = *p, *b = *q;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? 1 : -1;
	return (a->row < b->row) - (a->row > b->row);
}

/* Only what the user says stays, the newest first. */
static void
sort_turns(struct rules *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct message *m = g->of[i];

		if (m != NULL && me_speaks(m->name))
			g->of[kept++] = m;
	}
	g->n = kept;
	if (kept > 0)
		qsort(g->of, kept, sizeof(*g->of), newest_first);
}

/* Whether something newer than the rule at `at` may say otherwise. */
static bool
is_lifted(const struct rules *g, size_t at, const enum against *is, const struct against_said *said)
{
	const struct against_text older = { g->of[at]->content + said->part, said->part_len };

	for (size_t i = 0; i < at; i++) {
		const struct against_text newer = { g->of[i]->content, g->of[i]->content_len };

		if (against_lifts(&older, &newer, is[i] == AGAINST_FITS))
			return true;
	}
	return false;
}

static void
tell_it(struct rules *g, const struct message *m, const struct against_said *said)
{
	struct message *told = arena_zalloc(&g->r->arena, sizeof(*told));

	*told = *m;
	told->name = "decided by the user";
	told->content = arena_printf(&g->r->arena, "%.*s [%.26s]", (int)said->len,
	    m->content + said->start, m->id);
	told->content_len = strlen(told->content);
	if (!hook_given_has(g->want->given, g->want->session, told))
		context_add(&g->r->block,
		    &(struct context_piece){ told, 0, told->content_len, false, false },
		    UINT64_MAX);
	g->r->why = g->r->block.n > 0 ? "it goes against what was decided" : "it was told before";
}

int
rules_call(struct store *s, const struct recall_want *want, const struct hook_call *said,
	struct recalled *r, struct err *err)
{
	struct rules g = { .store = s, .want = want, .r = r };
	const struct against_change *c;
	const struct against_term *terms;
	struct index_word words[RULES_TERMS];
	enum against is[RULES_MOST];
	size_t n;

	c = against_read(&said->change, want->who.project, &r->arena);
	terms = against_terms(c, RULES_TERMS, &r->arena, &n);
	for (size_t i = 0; i < n; i++)
		words[i] = (struct index_word){ terms[i].text, terms[i].len };
	if (n == 0)
		return 0;
	if (find_turns(&g, words, n, err) != 0 || find_stored(&g, words, n, err) != 0)
		return -1;
	sort_turns(&g);
	for (size_t i = 0; i < g.n; i++) {
		const struct message *m = g.of[i];
		struct against_said at;

		is[i] = against(c, m->content, m->content_len, &at);
		/* the session knows what was said in it, which may end what was said before */
		if (is[i] != AGAINST_GOES || recall_is_running(want, m->session))
			continue;
		if (!is_lifted(&g, i, is, &at))
			tell_it(&g, m, &at);
		break;
	}
	return 0;
}
