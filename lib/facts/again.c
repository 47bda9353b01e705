/*
 * again.c: what a turn gives depends on those before it in its session, so sessions are extracted
 * as a whole, and what comes out is matched with the facts by turn and quote.
 */
#include "facts/again.h"

#include <math.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/order.h"
#include "facts/extract.h"
#include "facts/made.h"
#include "json/json.h"
#include "records/record.h"

struct old { const struct fact *f; const struct message *m; bool matched; };

struct all_again {
	struct store *store;
	const struct scope *who;
	bool all;
	again_fn *fn;
	void *arg;
	size_t n_unknown;
	struct arena arena;                    /* of the facts and their messages */
	int64_t *rows;                         /* of facts made by rules [n] */
	size_t n, cap;
	struct extract *extract;
	struct old *olds;                      /* [n_olds], by message row */
	size_t n_olds;
	struct arena turn;                     /* of one turn; emptied after it */
	int rc;                                /* what fn returned */
	struct err *err;
};

/* ---- which facts ---- */

static int
take_fact(void *arg, const struct fact *f)
{
	struct all_again *g = arg;
	const char *made;

	if (f->head.origin != ORIGIN_DERIVED)
		return 0;
	made = made_of(&f->head, &g->turn);
	if (*made == '\0')
		g->n_unknown++;
	if (made_is_rules(made) && f->head.n_sources > 0)
		*xpush(g->rows, g->n, g->cap) = f->head.row;
	arena_reset(&g->turn);
	return 0;
}

static int
note_step(void *arg, const struct step *v)
{
	/* the steps of programs that make records; people's have other reasons, or none */
	static const char *const made[] = { AGAIN_WHY, "summed up facts", "summed up a session" };
	bool by_hand = v->did == STEP_EDIT && v->undone == 0;

	for (size_t i = 0; i < NELEM(made) && by_hand; i++)
		by_hand = strcmp(v->why, made[i]) != 0;
	*(bool *)arg |= by_hand;
	return 0;
}

int
again_by_hand(struct store *s, const struct scope *who, int64_t row, bool *by_hand,
	struct err *err)
{
	*by_hand = false;
	return steps_each(s, who, row, note_step, by_hand, err);
}

static int
tell(struct all_again *g, const struct fact *was, const struct fact *now, const char *why)
{
	g->rc = g->fn(g->arg, &(struct again){ was, now, why });
	return g->rc;
}

/*
 * Finds the turns of all facts; what rests on none is told at once. What was said twice rests on
 * the other turn, when the one that it was made of is gone.
 */
static int
find_turns(struct all_again *g)
{
	struct store *s = g->store;
	char made[MADE_TEXT];

	made_by_rules(made);
	g->olds = xcalloc(g->n + 1, sizeof(*g->olds));
	for (size_t i = 0; i < g->n; i++) {
		const struct fact *f;
		const struct message *m;
		bool by_hand, others = false;

		if (records_by_row(s, g->who, g->rows[i], TIME_NONE, &g->arena, &f, g->err) != 0 ||
		    again_by_hand(s, g->who, g->rows[i], &by_hand, g->err) != 0)
			return -1;
		if (f == NULL || by_hand)
			continue;
		if (messages_find(s, g->who, f->head.sources[0].id, &g->arena, &m, g->err) != 0)
			return -1;
		for (size_t k = 1; m == NULL && !others && k < f->head.n_sources; k++) {
			const struct message *other;

			if (messages_find(s, g->who, f->head.sources[k].id, &g->arena, &other,
				g->err) != 0)
				return -1;
			others = other != NULL;
		}
		if (m == NULL && !others &&
		    tell(g, f, NULL, "the turn that it rests on is gone") != 0)
			return 0;
		if (m == NULL || (!g->all && strcmp(made_of(&f->head, &g->arena), made) == 0))
			continue;
		g->olds[g->n_olds++] = (struct old){ f, m, false };
	}
	return 0;
}

ORDER_OF(by_turn, struct old,
	a->m->row != b->m->row ? ORDER_UP(m->row) : ORDER_UP(f->head.row))

/* ---- what comes out today ---- */

/* The first field that differs, in words; NULL: none does. */
static const char *
difference(const struct fact *a, const struct fact *b)
{
	if (a->head.content_len != b->head.content_len ||
	    memcmp(a->head.content, b->head.content, a->head.content_len) != 0)
		return "today's rules give other words";
	if (strcmp(a->key, b->key) != 0)
		return "today's rules give another key";
	if (strcmp(a->bank, b->bank) != 0 || a->category != b->category)
		return "today's rules file it elsewhere";
	if (a->kind != b->kind)
		return "today's rules give another kind";
	/* what was said more than once has the highest of these */
	if (a->head.n_sources == 1 && (fabs(a->importance - b->importance) > 1e-6 ||
	    fabs(a->confidence - b->confidence) > 1e-6))
		return "today's rules weigh it otherwise";
	return NULL;
}

/* Whether both rest on the same words of the turn, or overlapping ones. */
static bool
on_same_words(const struct record_source *a, const struct record_source *b)
{
	return a->start < b->start + b->length && b->start < a->start + a->length;
}

/* A fact of the turn that is read: it belongs to the old one with the same words. */
static int
take_extracted(void *arg, const struct fact *f, const char *const *quotes)
{
	struct all_again *g = arg;
	struct old *best = NULL;

	(void)quotes;
	for (size_t i = 0; i < g->n_olds; i++) {
		struct old *o = &g->olds[i];
		const struct record_source *s = &o->f->head.sources[0];
		bool exact = f->head.n_sources > 0 && s->start == f->head.sources[0].start &&
		    s->length == f->head.sources[0].length;

		if (o->matched || f->head.n_sources == 0 ||
		    strcmp(o->m->id, f->head.sources[0].id) != 0 ||
		    !on_same_words(s, &f->head.sources[0]))
			continue;
		if (best == NULL || exact)
			best = o;
		if (exact)
			break;
	}
	if (best != NULL) {
		const char *why = difference(best->f, f);

		best->matched = true;
		if (why != NULL)
			return tell(g, best->f, f, why);
	}
	return 0;
}

static int
read_turn(void *arg, const struct message *m)
{
	struct all_again *g = arg;
	const struct json *v;
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	int rc = -1;

	record_message(&b, g->who->user, m);
	if (json_parse(b.data, b.len, &g->turn, &v, g->err) == 0)
		rc = extract_message(g->extract, v, g->err);
	arena_reset(&g->turn);
	return rc;
}

static int
read_session(struct all_again *g, const struct message *last)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope in = *g->who;

	in.session = last->session;
	return messages_each(g->store, &in, &f, read_turn, g, g->err);
}

static int
read_sessions(struct all_again *g)
{
	const char *session = NULL;
	size_t i;

	for (i = 0; i < g->n_olds && g->rc == 0; i++) {
		if (session != NULL && strcmp(session, g->olds[i].m->session) == 0)
			continue;
		session = g->olds[i].m->session;
		if (read_session(g, g->olds[i].m) != 0)
			return -1;
	}
	if (g->rc == 0)
		extract_flush(g->extract);
	for (i = 0; i < g->n_olds && g->rc == 0; i++)
		if (!g->olds[i].matched)
			tell(g, g->olds[i].f, NULL, "today's rules do not find it");
	return 0;
}

int
facts_again(struct store *s, const struct scope *who, bool all, again_fn *fn, void *arg,
	size_t *n_unknown, struct err *err)
{
	struct all_again g = { .store = s, .who = who, .all = all, .fn = fn, .arg = arg,
		.err = err };
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	int rc = -1;

	g.extract = extract_new(who->user, NULL, take_extracted, &g);
	if (records_each(s, who, &f, take_fact, &g, err) == 0 && find_turns(&g) == 0) {
		if (g.n_olds > 1)
			qsort(g.olds, g.n_olds, sizeof(*g.olds), by_turn);
		rc = g.rc != 0 ? 0 : read_sessions(&g);
	}
	if (n_unknown != NULL)
		*n_unknown = g.n_unknown;
	extract_free(g.extract);
	free(g.rows);
	free(g.olds);
	arena_release(&g.arena);
	arena_release(&g.turn);
	return g.rc < 0 ? -1 : rc;
}
