/*
 * remember_plan.c: the rules of remembering. A fact is ended only by one on the same key that was
 * given, or by one that says what has ended; what merely cannot hold beside it is a conflict, which
 * a person decides. A statement is about a time. One that says what held before does not end what
 * holds now; one that repeats a fact that has ended since is old news; and the same words said
 * after that end, or after something that speaks against them, are true again.
 *
 * Statements come in any order: sessions are imported, synced and extracted as they are found. So
 * each is put at its time among what is known: what was said behind it may have ended it, and what
 * was said once more behind what it ends is parted from that.
 */
#include "facts/remember_plan.h"

#include "base/conf.h"
#include "base/utf8.h"
#include "statement/reading.h"
#include "statement/statement.h"

#define EXEMPT_CHARS 100

const char *const plan_words[] = { "stored", "duplicate", "superseded", "conflict" };

int64_t
plan_begin(const struct fact *f, int64_t now_us)
{
	return f->valid_from_us != TIME_NONE ? f->valid_from_us
	    : f->head.time_us != TIME_NONE   ? f->head.time_us
					     : now_us;
}

void
plan_read_begin(struct fact *f, int64_t now_us)
{
	const struct reading_by by = { "", f->head.project, plan_begin(f, now_us), NULL };
	struct reading r;

	if (f->valid_from_us != TIME_NONE || f->kind == FACT_TODO)
		return;
	reading_of(f->head.content, f->head.content_len, &by, &r);
	if ((*f->key != '\0' || r.single) && r.ahead_us != TIME_NONE &&
	    (f->valid_to_us == TIME_NONE || f->valid_to_us > r.ahead_us))
		f->valid_from_us = time_from_local(r.ahead_us);
}

int64_t
plan_said_behind(const struct plan_like *like, int64_t at_us, int64_t now_us)
{
	int64_t begin = plan_begin(like->fact, now_us), first = begin > at_us ? begin : TIME_NONE;

	for (size_t i = 0; i < like->n_again; i++)
		if (like->again[i] > at_us && (first == TIME_NONE || like->again[i] < first))
			first = like->again[i];
	return first;
}

/* When it was said last, not behind a time; TIME_NONE: only behind it. */
static int64_t
said_before(const struct plan_like *like, int64_t at_us, int64_t now_us)
{
	int64_t begin = plan_begin(like->fact, now_us), last = begin <= at_us ? begin : TIME_NONE;

	for (size_t i = 0; i < like->n_again; i++)
		if (like->again[i] <= at_us)
			last = MAX(last, like->again[i]);
	return last;
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

/* A new fact, with what is known of those that it is compared with. */
struct planning {
	struct fact *f;
	const struct plan_known *known;
	int64_t begin, now_us;
	struct plan *p;
};

/* A place among statements: what was said at one time stands as it was stored. */
struct place { int64_t us, row; };

static bool
is_behind(struct place a, struct place b)
{
	return a.us != b.us ? a.us > b.us : a.row > b.row;
}

/* Whether it was said between two places. */
static bool
was_said(const struct plan_like *like, struct place from, struct place to, int64_t now_us)
{
	struct place at = { plan_begin(like->fact, now_us), like->fact->head.row };

	for (size_t i = 0;; at.us = like->again[i++]) {
		if (is_behind(at, from) && is_behind(to, at))
			return true;
		if (i == like->n_again)
			return false;
	}
}

/*
 * Whether something that speaks against both was said between the new fact and one that says the
 * same: then the later of them is no repetition.
 */
static bool
is_parted(const struct planning *v, const struct plan_like *g)
{
	const struct plan_known *k = v->known;
	struct place from = { said_before(g, v->begin, v->now_us), g->fact->head.row },
		     to = { v->begin, INT64_MAX };

	if (from.us == TIME_NONE) {
		from = to;
		to = (struct place){ plan_said_behind(g, v->begin, v->now_us), g->fact->head.row };
	}
	for (size_t i = 0; i < k->n_like + k->n_on_key; i++) {
		const struct plan_like *x =
		    i < k->n_like ? &k->like[i] : &k->on_key[i - k->n_like];
		bool of_key = i >= k->n_like && (k->given || x->differs);

		if (x->fact->head.retracted_us == TIME_NONE &&
		    (x->by.ends || x->by.against != NULL || of_key) &&
		    was_said(x, from, to, v->now_us))
			return true;
	}
	return false;
}

static const struct plan_like *
find_same(const struct planning *v)
{
	const struct plan_like *best = NULL, *like = v->known->like;
	const struct fact *f = v->f;
	bool exempt = is_exempt(f);

	for (size_t i = 0; i < v->known->n_like; i++) {
		const struct fact *g = like[i].fact;
		bool says = like[i].alike || (like[i].close && !exempt && !is_exempt(g));
		int64_t begin = plan_begin(g, v->now_us);
		bool over = v->begin < begin && f->valid_to_us != TIME_NONE &&
		    f->valid_to_us <= begin;

		if (over || is_past(g, v->begin) ||
		    (!like[i].same && (!says || on_other_key(f, g))) || is_parted(v, &like[i]))
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

void
plan_earlier(struct fact *m, const struct fact *f, struct arena *a)
{
	struct record_head *to = &m->head, h = f->head;

	add_sources(&h, to, a);
	to->sources = h.sources;
	to->n_sources = h.n_sources;
	to->time_us = h.time_us;
	to->session = h.session;
	m->valid_from_us = f->valid_from_us != TIME_NONE ? f->valid_from_us : h.time_us;
	if (m->valid_to_us == TIME_NONE ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us < m->valid_to_us))
		m->valid_to_us = f->valid_to_us;
	if (h.origin != to->origin || to->guarded)
		return;
	to->content = h.content;
	to->content_len = h.content_len;
	to->extra = h.extra;
	m->bank = f->bank;
	m->category = f->category;
	m->kind = f->kind;
}

/*
 * Merges a duplicate into the fact that is there: sources, the higher weights, and fields that the
 * stored fact lacks.
 */
static void
merge(const struct fact *there, const struct planning *v, struct arena *a)
{
	struct plan *p = v->p;
	struct fact *m = &p->merged;
	const struct fact *f = v->f;

	*m = *there;
	p->changes = add_sources(&m->head, &f->head, a);
	p->known = !p->changes;
	p->earlier = (p->changes || f->head.n_sources == 0) && f->head.time_us != TIME_NONE &&
	    v->begin < plan_begin(there, v->now_us);
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

	return (r->polarity == POLARITY_PAST && f->kind != FACT_TODO) ||
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

/* Why a later statement does not end an earlier one that it would end; NULL: it does. */
static const char *
forbidden(const struct fact *later, const struct fact *earlier)
{
	return earlier->head.guarded
	    ? "the fact that it would end is protected: both stand"
	    : later->head.trust < earlier->head.trust
	    ? "the fact that it would end deserves more trust: both stand"
	    : NULL;
}

/* Notes that a stored fact ends here, or is parted from what was said of it behind. */
static void
cut(struct plan *p, const struct fact *g, bool ends)
{
	size_t i = 0;

	while (i < p->n_ended && p->ended[i].fact->head.row != g->head.row)
		i++;
	if (i == p->n_ended)
		p->ended[p->n_ended++] = (struct plan_ended){ g, false };
	p->ended[i].ends |= ends;
}

static void
end_or_stand(const struct planning *v, const struct fact *g, const char *why)
{
	const char *not = forbidden(v->f, g);
	struct plan *p = v->p;

	if (not != NULL) {
		stand_beside(p, g, not);
		return;
	}
	cut(p, g, true);
	p->did = STEP_SUPERSEDE;
	if (p->verdict == PLAN_CONFLICT)
		return;
	p->verdict = PLAN_SUPERSEDED;
	if (*p->of == '\0') {
		p->of = g->head.id;
		p->why = why;
	}
}

/* The new fact is the earlier one: it ends where the stored one was said behind it. */
static void
end_before(const struct planning *v, const struct plan_like *like, const char *why)
{
	const struct fact *g = like->fact;
	int64_t at = plan_said_behind(like, v->begin, v->now_us);
	const char *not = forbidden(g, v->f);
	struct fact *f = v->f;

	if (at == TIME_NONE || (f->valid_to_us != TIME_NONE && f->valid_to_us <= at))
		return;
	if (not != NULL) {
		stand_beside(v->p, g, not);
		return;
	}
	f->valid_to_us = at;
	f->superseded_by = g->head.id;
	v->p->of = g->head.id;
	v->p->why = why;
}

static void
settle_key(const struct planning *v, const struct plan_like *like)
{
	const struct fact *g = like->fact, *f = v->f;
	int64_t other = plan_begin(g, v->now_us);
	bool given = v->known->given;

	if (is_end_beside(f, g) || is_past(g, v->begin) || g->head.retracted_us != TIME_NONE ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us <= other))
		return;
	if (!given && !like->differs && !like->of.ends && !like->by.ends) {
		stand_beside(v->p, g, "on the same key, but no other value of it: both stand");
		return;
	}
	end_before(v, like, "older than the fact on the same key");
	if (other <= v->begin)
		end_or_stand(v, g, "a newer fact on the same key");
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
settle_like(const struct planning *v, const struct plan_like *like)
{
	const struct fact *g = like->fact, *f = v->f;
	int64_t behind = plan_said_behind(like, v->begin, v->now_us);

	if (like->by.against != NULL && behind != TIME_NONE &&
	    (f->valid_to_us == TIME_NONE || behind < f->valid_to_us))
		stand_beside(v->p, g, like->by.against);
	if (is_past(g, v->begin) || plan_begin(g, v->now_us) > v->begin)
		return;
	if (like->of.ends)
		end_or_stand(v, g, "it says that this holds no more");
	else if (like->of.against != NULL && v->known->given && *g->key != '\0')
		end_or_stand(v, g, "a newer fact on the same key");
	else if (like->of.against != NULL)
		stand_beside(v->p, g, like->of.against);
	if (like->of.against != NULL && behind != TIME_NONE)
		cut(v->p, g, false);
}

/* Whether a stored fact may say something of the new one, or that of it. */
static bool
may_settle(const struct planning *v, const struct plan_like *like)
{
	return !on_other_key(v->f, like->fact) && like->fact->head.retracted_us == TIME_NONE &&
	    !is_on_key(v->known, like->fact);
}

static void
settle(const struct planning *v, bool once, int64_t but)
{
	const struct plan_known *k = v->known;

	for (size_t i = 0; i < k->n_like; i++)
		if (k->like[i].by.ends && may_settle(v, &k->like[i]))
			end_before(v, &k->like[i], "older than what says that it holds no more");
	for (size_t i = 0; i < k->n_on_key && !once; i++)
		if (k->on_key[i].fact->head.row != but)
			settle_key(v, &k->on_key[i]);
	for (size_t i = 0; i < k->n_like; i++)
		if (k->like[i].fact->head.row != but && may_settle(v, &k->like[i]))
			settle_like(v, &k->like[i]);
}

void
plan_fact(struct fact *f, int64_t now_us, const struct plan_known *known, struct arena *a,
	struct plan *p)
{
	struct planning v = { f, known, plan_begin(f, now_us), now_us, p };
	const struct plan_like *same;
	struct fact repeated;
	struct reading r;
	bool once;

	*p = (struct plan){ .verdict = PLAN_STORED, .did = STEP_STORE, .of = "", .why = "",
		.cut_us = v.begin };
	p->ended = arena_alloc(a, (known->n_on_key + known->n_like + 1) * sizeof(*p->ended));
	reading_of(f->head.content, f->head.content_len, NULL, &r);
	once = is_over(f, &r, v.begin);
	if (once && f->valid_to_us == TIME_NONE)
		f->valid_to_us = f->head.time_us != TIME_NONE ? f->head.time_us : now_us;
	same = conf_bool("merge_facts") ? find_same(&v) : NULL;
	if (same != NULL) {
		merge(same->fact, &v, a);
		repeated = *f;
		v.f = &repeated;
		if (f->head.n_sources > 0)     /* else nothing tells when it was said again */
			settle(&v, once, same->fact->head.row);
		p->verdict = PLAN_DUPLICATE;
		p->did = p->n_ended > 0 ? STEP_SUPERSEDE : STEP_MERGE;
		p->of = same->fact->head.id;
		p->why = same->fact->head.retracted_us != TIME_NONE
		    ? "the same, which was retracted"
		    : same->same ? "the same words"
				 : "says the same";
		return;
	}
	settle(&v, once, 0);
	if (f->valid_from_us == TIME_NONE && !once &&
	    (f->head.time_us != TIME_NONE || *f->key != '\0' || p->n_ended > 0))
		f->valid_from_us = v.begin;
}
