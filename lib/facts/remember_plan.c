/*
 * remember_plan.c: the rules of remembering. A statement is about a time. One that says what held
 * before does not end what holds now; one that repeats a fact that has ended since is old news; and
 * the same words said after that end are true again.
 */
#include "facts/remember_plan.h"

#include "base/utf8.h"
#include "statement/likeness_words.h"
#include "statement/reading.h"
#include "statement/statement.h"

#define EXEMPT_CHARS 100

const char *const plan_words[] = { "stored", "duplicate", "superseded", "conflict" };

/* When a fact begins to hold: valid_from, else when it was said, else now. */
static int64_t
begin_of(const struct fact *f, int64_t now_us)
{
	return f->valid_from_us != TIME_NONE ? f->valid_from_us
	    : f->head.time_us != TIME_NONE   ? f->head.time_us
					     : now_us;
}

/*
 * A preference may be too short for similarity to tell it from another: "I love tea", "I love
 * tears".
 */
static bool
is_exempt(const struct fact *f)
{
	return (f->kind == FACT_PREFERENCE ||
		   statement_is_preference(f->head.content, f->head.content_len)) &&
	    utf8_count(f->head.content, f->head.content_len) <= EXEMPT_CHARS;
}

/* Whether g was retracted or ended before the new fact was said. */
static bool
is_past(const struct fact *f, int64_t begin)
{
	return (f->head.retracted_us != TIME_NONE && f->head.retracted_us < begin) ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us <= begin);
}

bool
plan_keys_agree(const char *a, const char *b)
{
	const char *x = strrchr(a, ':'), *y = strrchr(b, ':');

	if ((x == NULL) == (y == NULL))
		return strcmp(a, b) == 0;
	return strcmp(x != NULL ? x + 1 : a, y != NULL ? y + 1 : b) == 0;
}

static bool
on_other_key(const struct fact *f, const struct fact *g)
{
	return *f->key != '\0' && *g->key != '\0' && !plan_keys_agree(f->key, g->key);
}

static const struct plan_like *
find_same(const struct fact *f, int64_t begin, const struct plan_like *like, size_t n)
{
	const struct plan_like *best = NULL;
	bool exempt = is_exempt(f);

	for (size_t i = 0; i < n; i++) {
		const struct fact *g = like[i].fact;
		bool says = like[i].alike || (like[i].close && !exempt && !is_exempt(g));
		if (is_past(g, begin) || (!like[i].same && (!says || on_other_key(f, g))))
			continue;
		if (best == NULL || like[i].same > best->same ||
		    (like[i].same == best->same && like[i].sim > best->sim))
			best = &like[i];
	}
	return best;
}

/* ---- duplicates ---- */

static bool
has_source(const struct record_head *h, const struct record_source *s)
{
	for (size_t i = 0; i < h->n_sources; i++)
		if (strcmp(h->sources[i].id, s->id) == 0 && h->sources[i].start == s->start &&
		    h->sources[i].length == s->length)
			return true;
	return false;
}

static bool
add_sources(struct record_head *to, const struct record_head *from, struct arena *a)
{
	struct record_source *all =
	    arena_alloc(a, (to->n_sources + from->n_sources + 1) * sizeof(*all));
	size_t n = to->n_sources, had = n;

	if (n > 0)
		memcpy(all, to->sources, n * sizeof(*all));
	for (size_t i = 0; i < from->n_sources && n < RECORD_SOURCES_MAX; i++)
		if (!has_source(to, &from->sources[i]))
			all[n++] = from->sources[i];
	to->sources = all;
	to->n_sources = n;
	return n > had;
}

/*
 * Merges a duplicate into the fact that is there: sources, the higher weights, and fields that the
 * stored fact lacks.
 */
static void
merge(const struct fact *there, const struct fact *f, struct arena *a, struct plan *p)
{
	struct fact *m = &p->merged;

	*m = *there;
	p->changes = add_sources(&m->head, &f->head, a);
	if (f->importance > m->importance || f->confidence > m->confidence ||
	    f->head.trust > m->head.trust || (f->head.guarded && !m->head.guarded) ||
	    (*m->key == '\0' && *f->key != '\0') ||
	    (*m->head.tags == '\0' && *f->head.tags != '\0'))
		p->changes = true;
	m->importance = MAX(m->importance, f->importance);
	m->confidence = MAX(m->confidence, f->confidence);
	m->head.trust = MAX(m->head.trust, f->head.trust);
	m->head.guarded |= f->head.guarded;
	if (*m->key == '\0')
		m->key = f->key;
	if (*m->head.tags == '\0')
		m->head.tags = f->head.tags;
}

/* ---- facts on one key ---- */

/* Whether f is of what was over when it was said. */
static bool
is_over(const struct fact *f, const struct reading *r, int64_t begin)
{
	int64_t said = f->head.time_us != TIME_NONE ? f->head.time_us : begin;

	return r->polarity == POLARITY_PAST ||
	    (f->valid_from_us == TIME_NONE && f->valid_to_us != TIME_NONE &&
		f->valid_to_us <= said);
}

/*
 * Whether f only says that something ended and g was said beside it: "I take the job at B. My last
 * day at A is Friday." Then it is not g that has ended.
 */
static bool
is_end_beside(const struct fact *f, const struct fact *g)
{
	struct reading r;

	if (f->head.n_sources == 0 || g->head.n_sources == 0 ||
	    strcmp(f->head.sources[0].id, g->head.sources[0].id) != 0)
		return false;
	reading_of(f->head.content, f->head.content_len, NULL, &r);
	return r.ends;
}

static void
end_earlier(struct plan *p, const struct fact *g, int64_t begin, const char *why)
{
	p->ended[p->n_ended] = *g;
	p->ended[p->n_ended++].valid_to_us = begin;
	p->verdict = p->verdict == PLAN_CONFLICT ? PLAN_CONFLICT : PLAN_SUPERSEDED;
	p->did = STEP_SUPERSEDE;
	if (*p->of == '\0') {
		p->of = g->head.id;
		p->why = why;
	}
}

static void
stand_beside(struct plan *p, const struct fact *g)
{
	p->verdict = PLAN_CONFLICT;
	p->of = g->head.id;
	p->why = g->head.guarded ? "the fact that it would end is protected: both stand"
				 : "the fact that it would end deserves more trust: both stand";
}

static void
end_or_stand(struct fact *f, const struct fact *g, int64_t begin, const char *why, struct plan *p)
{
	if (g->head.guarded || f->head.trust < g->head.trust)
		stand_beside(p, g);
	else
		end_earlier(p, g, begin, why);
}

/*
 * Whether f, which says of something that it holds no more, may speak of what g says: it names
 * nothing, or something that g names, too.
 */
static bool
speaks_of(const struct fact *f, const struct reading *r, const struct fact *g)
{
	static _Thread_local struct said value, of_g;
	unsigned n = 0, n_common = 0;

	said_read(&value, f->head.content + r->value_start, r->value_len);
	said_read(&of_g, g->head.content, g->head.content_len);
	for (size_t i = 0; i < value.n; i++) {
		const struct said_word *w = &value.w[i];
		if (!w->name && !(w->first && r->value_start > 0) && !(w->half && w->content))
			continue;
		n++;
		n_common += said_has(&of_g, w);
	}
	return n == 0 || (n_common > 0 && 2 * n_common >= (value.han ? n : 1));
}

static void
settle_key(struct fact *f, const struct reading *r, const struct fact *g, int64_t begin,
	int64_t now_us, struct plan *p)
{
	int64_t other = begin_of(g, now_us);
	bool once = is_over(f, r, begin), ended = r->polarity == POLARITY_ENDED;

	if (once)
		return;
	if (ended && !is_past(g, begin) && !speaks_of(f, r, g)) {
		f->key = "";                   /* what it ends is not known: it sets nothing */
		return;
	}
	if (is_end_beside(f, g) || is_past(g, begin) || g->head.retracted_us != TIME_NONE ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us <= other))
		return;
	if (other > begin) {
		if (f->valid_to_us == TIME_NONE || f->valid_to_us > other) {
			f->valid_to_us = other;
			f->superseded_by = g->head.id;
			p->of = g->head.id;
			p->why = "older than the fact on the same key";
		}
	} else {
		end_or_stand(f, g, begin, "a newer fact on the same key", p);
	}
}

/* ---- facts of which the new one says that they hold no more ---- */

/*
 * Ends the fact that it most probably speaks of. A fact on another key is about something else, and
 * one that is said to begin later is the newer.
 */
static void
settle_update(struct fact *f, const struct reading *r, int64_t begin, int64_t now_us,
	const struct plan_like *like, size_t n, struct plan *p)
{
	const struct plan_like *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct fact *g = like[i].fact;
		bool settled = !is_over(f, r, begin) && *f->key != '\0' &&
		    strcmp(f->key, g->key) == 0;
		if (like[i].update > 0 && !settled && !on_other_key(f, g) && !is_past(g, begin) &&
		    g->head.retracted_us == TIME_NONE && begin_of(g, now_us) <= begin &&
		    (r->polarity != POLARITY_ENDED || speaks_of(f, r, g)) &&
		    (best == NULL || like[i].update > best->update))
			best = &like[i];
	}
	if (best != NULL)
		end_or_stand(f, best->fact, begin,
		    best->opposite ? "it says the opposite" : "it says that this holds no more", p);
}

void
plan_fact(struct fact *f, int64_t now_us, const struct plan_like *like, size_t n_like,
	const struct fact *const *on_key, size_t n_on_key, struct arena *a, struct plan *p)
{
	int64_t begin = begin_of(f, now_us);
	const struct plan_like *same = find_same(f, begin, like, n_like);
	struct reading r;
	bool once;

	*p = (struct plan){ .verdict = PLAN_STORED, .did = STEP_STORE, .of = "", .why = "" };
	if (same != NULL) {
		p->verdict = PLAN_DUPLICATE;
		p->did = STEP_MERGE;
		p->of = same->fact->head.id;
		p->why = same->fact->head.retracted_us != TIME_NONE
		    ? "the same, which was retracted"
		    : same->same ? "the same words"
				 : "says the same";
		merge(same->fact, f, a, p);
		return;
	}
	p->ended = arena_alloc(a, (n_on_key + 2) * sizeof(*p->ended));
	reading_of(f->head.content, f->head.content_len, NULL, &r);
	once = is_over(f, &r, begin);
	for (size_t i = 0; i < n_on_key; i++)
		settle_key(f, &r, on_key[i], begin, now_us, p);
	settle_update(f, &r, begin, now_us, like, n_like, p);
	if (once && f->valid_to_us == TIME_NONE)
		f->valid_to_us = f->head.time_us != TIME_NONE ? f->head.time_us : now_us;
	if (f->valid_from_us == TIME_NONE && !once &&
	    (f->head.time_us != TIME_NONE || *f->key != '\0' || p->n_ended > 0))
		f->valid_from_us = begin;
}
