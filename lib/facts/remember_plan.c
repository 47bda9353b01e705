/*
 * remember_plan.c: the rules of remembering. A fact is ended only by one on the same key that was
 * given, or by one that says what has ended; what merely cannot hold beside it is a conflict, which
 * a person decides. A statement is about a time. One that says what held before does not end what
 * holds now; one that repeats a fact that has ended since is old news; and the same words said
 * after that end are true again.
 */
#include "facts/remember_plan.h"

#include "base/conf.h"
#include "base/utf8.h"
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

/*
 * Whether keys may be one: they are the same, or one of them does not say of whom it is ("home",
 * "tess:home").
 */
static bool
keys_agree(const char *a, const char *b)
{
	const char *x = strrchr(a, ':'), *y = strrchr(b, ':');

	if ((x == NULL) == (y == NULL))
		return strcmp(a, b) == 0;
	return strcmp(x != NULL ? x + 1 : a, y != NULL ? y + 1 : b) == 0;
}

static bool
on_other_key(const struct fact *f, const struct fact *g)
{
	return *f->key != '\0' && *g->key != '\0' && !keys_agree(f->key, g->key);
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
stand_beside(struct plan *p, const struct fact *g, const char *why)
{
	p->verdict = PLAN_CONFLICT;
	if (*p->of == '\0' || p->n_ended > 0) {
		p->of = g->head.id;
		p->why = why;
	}
}

static void
end_or_stand(const struct fact *f, const struct fact *g, int64_t begin, const char *why,
	struct plan *p)
{
	if (g->head.guarded) {
		stand_beside(p, g, "the fact that it would end is protected: both stand");
		return;
	}
	if (f->head.trust < g->head.trust) {
		stand_beside(p, g, "the fact that it would end deserves more trust: both stand");
		return;
	}
	for (size_t i = 0; i < p->n_ended; i++)
		if (p->ended[i].head.row == g->head.row)
			return;
	p->ended[p->n_ended] = *g;
	p->ended[p->n_ended++].valid_to_us = begin;
	p->did = STEP_SUPERSEDE;
	if (p->verdict == PLAN_CONFLICT)
		return;
	p->verdict = PLAN_SUPERSEDED;
	if (*p->of == '\0') {
		p->of = g->head.id;
		p->why = why;
	}
}

static void
settle_key(struct fact *f, const struct plan_like *like, bool given, int64_t begin,
	int64_t now_us, struct plan *p)
{
	const struct fact *g = like->fact;
	int64_t other = begin_of(g, now_us);

	if (is_end_beside(f, g) || is_past(g, begin) || g->head.retracted_us != TIME_NONE ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us <= other))
		return;
	if (!given && !like->differs && !like->ends) {
		stand_beside(p, g, "on the same key, but no other value of it: both stand");
	} else if (other <= begin) {
		end_or_stand(f, g, begin, "a newer fact on the same key", p);
	} else if (f->valid_to_us == TIME_NONE || f->valid_to_us > other) {
		f->valid_to_us = other;
		f->superseded_by = g->head.id;
		p->of = g->head.id;
		p->why = "older than the fact on the same key";
	}
}

/* ---- facts of which the new one says that they hold no more ---- */

static bool
is_on_key(const struct plan_known *known, const struct fact *g)
{
	for (size_t i = 0; i < known->n_on_key; i++)
		if (known->on_key[i].fact->head.row == g->head.row)
			return true;
	return false;
}

/*
 * A fact on another key is about something else, and one that is said to begin later is the newer.
 * Where a person names the key for which rules read another value, it is decided.
 */
static void
settle_like(struct fact *f, const struct plan_like *like, bool given, int64_t begin,
	int64_t now_us, struct plan *p)
{
	const struct fact *g = like->fact;

	if (on_other_key(f, g) || is_past(g, begin) || g->head.retracted_us != TIME_NONE ||
	    begin_of(g, now_us) > begin)
		return;
	if (like->ends)
		end_or_stand(f, g, begin, "it says that this holds no more", p);
	else if (like->against != NULL && given && *g->key != '\0')
		end_or_stand(f, g, begin, "a newer fact on the same key", p);
	else if (like->against != NULL)
		stand_beside(p, g, like->against);
}

void
plan_fact(struct fact *f, int64_t now_us, const struct plan_known *known, struct arena *a,
	struct plan *p)
{
	int64_t begin = begin_of(f, now_us);
	const struct plan_like *same = conf_bool("merge_facts")
	    ? find_same(f, begin, known->like, known->n_like) : NULL;
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
	p->ended = arena_alloc(a, (known->n_on_key + known->n_like + 1) * sizeof(*p->ended));
	reading_of(f->head.content, f->head.content_len, NULL, &r);
	once = is_over(f, &r, begin);
	for (size_t i = 0; i < known->n_on_key && !once; i++)
		settle_key(f, &known->on_key[i], known->given, begin, now_us, p);
	for (size_t i = 0; i < known->n_like; i++)
		if (!is_on_key(known, known->like[i].fact))
			settle_like(f, &known->like[i], known->given, begin, now_us, p);
	if (once && f->valid_to_us == TIME_NONE)
		f->valid_to_us = f->head.time_us != TIME_NONE ? f->head.time_us : now_us;
	if (f->valid_from_us == TIME_NONE && !once &&
	    (f->head.time_us != TIME_NONE || *f->key != '\0' || p->n_ended > 0))
		f->valid_from_us = begin;
}
