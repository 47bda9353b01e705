/*
 * alike.c: candidates come from three sides, each of which misses what another one finds; what they
 * are is told by statement/judge.h, by their words.
 */
#include "facts/alike.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "facts/made.h"
#include "statement/ended.h"
#include "statement/judge.h"
#include "statement/merge_guard.h"
#include "statement/similar.h"
#include "statement/values.h"

#define NEAR_MOST  16
#define NEAR_MIN   .2          /* calibrated similarity; below it facts have nothing in common */
#define WORDS_MOST 32          /* facts found by common words */
/* A longer text says more than one thing: it is the same as another only when its words are. */
#define LIKE_BYTES 1200

/* sim: of their vectors; below 0: it was not found by them */
struct found { int64_t row; bool same, close; double sim; struct fact_subject subject; };

struct finding {
	const struct alike_want *w;
	char *plain;                           /* the content as merge_guard_plain writes it */
	size_t plain_len;
	uint64_t plain_hash;
	struct found found[ALIKE_MOST];
	size_t n;
};

/* NULL: there is no room for one more. */
static struct found *
add_found(struct finding *f, int64_t row)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->found[i].row == row)
			return &f->found[i];
	if (f->n == ALIKE_MOST)
		return NULL;
	f->found[f->n] = (struct found){ .row = row, .sim = -1 };
	return &f->found[f->n++];
}

/* ---- the texts of all facts ---- */

struct alike_text {
	int64_t row;
	const char *text;
	size_t len, chars;
	uint64_t plain;                        /* a hash of its text as merge_guard_plain has it */
	struct similar_mark mark;
};

struct alike_texts {
	struct alike_text *items;
	size_t n, cap;
	struct word_pool *words;
	struct arena arena;
	bool read;
};

struct alike_texts *
alike_texts_new(void)
{
	struct alike_texts *t = xcalloc(1, sizeof(*t));

	t->words = word_pool_new();
	return t;
}

void
alike_texts_reset(struct alike_texts *t)
{
	word_pool_free(t->words);
	t->words = word_pool_new();
	arena_reset(&t->arena);
	t->n = 0;
	t->read = false;
}

void
alike_texts_free(struct alike_texts *t)
{
	if (t == NULL)
		return;
	word_pool_free(t->words);
	arena_release(&t->arena);
	free(t->items);
	free(t);
}

static int
add_text(void *arg, int64_t row, const char *text, size_t len)
{
	struct alike_texts *t = arg;
	struct alike_text *v;
	size_t plain_len;
	FREED char *plain = merge_guard_plain(text, len, &plain_len);

	v = xpush(t->items, t->n, t->cap);
	*v = (struct alike_text){ row, arena_strndup(&t->arena, text, len), len,
		utf8_count(text, len), hash64(plain, plain_len, 0), { { 0 }, 0 } };
	if (len <= LIKE_BYTES)
		similar_mark(text, len, &v->mark);
	word_pool_add(t->words, row, text, len);
	return 0;
}

void
alike_texts_add(struct alike_texts *t, const struct fact *f)
{
	if (t->read && f->head.type == RECORD_FACT)
		add_text(t, f->head.row, f->head.content, f->head.content_len);
}

static int
read_texts(const struct alike_want *w, struct err *err)
{
	if (w->texts->read)
		return 0;
	alike_texts_reset(w->texts);
	w->texts->read = true;
	return records_of_size(w->store, w->who, RECORD_FACT, 0, INT32_MAX, add_text, w->texts,
	    err);
}

/* ---- candidates ---- */

/* Whether both have the same words; a hash may be that of another text, too. */
static bool
says_same(const struct finding *f, const struct alike_text *v)
{
	size_t len;
	FREED char *plain = NULL;

	if (v->plain != f->plain_hash)
		return false;
	plain = merge_guard_plain(v->text, v->len, &len);
	return len == f->plain_len && memcmp(plain, f->plain, len) == 0;
}

static void
compare_letters(struct finding *f, const struct alike_text *v, const struct similar_mark *mark)
{
	const struct record_head *h = &f->w->fact->head;
	bool same = says_same(f, v);
	struct found *to;

	if (!same &&
	    (h->content_len > LIKE_BYTES || v->len > LIKE_BYTES ||
		!similar_may(mark, &v->mark, f->w->duplicate_text) ||
		similar_dice(h->content, h->content_len, v->text, v->len) < f->w->duplicate_text))
		return;
	if ((to = add_found(f, v->row)) != NULL) {
		to->same = same;
		to->close = true;
	}
}

/*
 * Dice's coefficient of texts with a and b trigrams is at most 2 min(a, b) / (a + b), so only texts
 * of about the same size can reach the threshold.
 */
static void
find_by_letters(struct finding *f)
{
	const struct record_head *h = &f->w->fact->head;
	double min = f->w->duplicate_text, chars = (double)utf8_count(h->content, h->content_len);
	double least = MAX(chars * min / (2 - min) - 3, 0),
	       most = chars * (2 - min) / MAX(min, .01) + 3;
	struct similar_mark mark = { { 0 }, 0 };

	if (h->content_len <= LIKE_BYTES)
		similar_mark(h->content, h->content_len, &mark);
	for (size_t i = 0; i < f->w->texts->n; i++) {
		const struct alike_text *v = &f->w->texts->items[i];

		if ((double)v->chars >= least && (double)v->chars <= most)
			compare_letters(f, v, &mark);
	}
}

static void
find_by_words(struct finding *f)
{
	const struct record_head *h = &f->w->fact->head;
	struct record_match m[WORDS_MOST];
	size_t n;

	if (h->content_len > LIKE_BYTES)
		return;
	word_pool_match(f->w->texts->words, h->content, h->content_len, WORDS_MOST, m, &n);
	for (size_t i = 0; i < n; i++)
		add_found(f, m[i].row);
}

static int
find_by_vectors(struct finding *f, struct err *err)
{
	struct neighbours_hit near[NEAR_MOST];
	size_t n = 0;

	if (f->w->near_index == NULL || f->w->fact->head.content_len > LIKE_BYTES)
		return 0;
	if (neighbours_find(f->w->near_index, f->w->who, VECTOR_FACT, f->w->number,
	    MIN(NEAR_MIN, f->w->duplicate_sim), NEAR_MOST, near, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct found *v = add_found(f, near[i].row);
		if (v != NULL)
			v->sim = near[i].sim;
	}
	return 0;
}

/* ---- judging ---- */

/* Reads the facts [f->n] of the candidates; NULL: it is gone. */
static int
read_facts(const struct finding *f, struct arena *a, const struct fact **out, struct err *err)
{
	const struct alike_want *w = f->w;
	int64_t rows[ALIKE_MOST];

	for (size_t i = 0; i < f->n; i++)
		rows[i] = f->found[i].row;
	if (records_by_rows(w->store, w->who, rows, f->n, TIME_NONE, a, out, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++)
		if (out[i] != NULL && out[i]->head.type != RECORD_FACT)
			out[i] = NULL;
	return subjects_want(w->store, w->who, out, f->n, err);
}

/* The project that a fact is of: its own, else the path in front of its words; *len its bytes. */
static const char *
project_of(const struct fact *f, size_t label, size_t *len)
{
	bool path = *f->head.project == '\0' && fact_label_is_path(f->head.content, label);

	*len = path ? label - 2 : strlen(f->head.project);
	return path ? f->head.content : f->head.project;
}

bool
alike_may_concern(const struct fact *f, const struct fact_subject *of_f, const struct fact *g,
	const struct fact_subject *of_g)
{
	size_t n, m;
	const char *x = project_of(f, of_f->label, &n), *y = project_of(g, of_g->label, &m);

	return subjects_agree(of_f->of, of_g->of) &&
	    (n == 0 || m == 0 || (n == m && memcmp(x, y, n) == 0));
}

/* Reads the candidates; those about others, or gone, are left out. */
static int
read_found(struct finding *f, struct arena *a, struct plan_like *out, size_t *n, struct err *err)
{
	const struct alike_want *w = f->w;
	const struct fact *facts[ALIKE_MOST];

	*n = 0;
	if (read_facts(f, a, facts, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		struct found v = f->found[i];

		if (facts[i] == NULL)
			continue;
		if (fact_subject(w->store, w->who, facts[i], a, &v.subject, err) < 0)
			return -1;
		if (!alike_may_concern(w->fact, &w->subject, facts[i], &v.subject))
			continue;
		f->found[*n] = v;
		out[(*n)++] =
		    (struct plan_like){ .row = v.row, .fact = facts[i], .same = v.same };
	}
	f->n = *n;
	return 0;
}

/* The words of both, without the labels in front of them. */
struct texts { const char *a, *b; size_t a_len, b_len; };

static struct texts
texts_of(const struct fact *f, size_t f_label, const struct fact *g, size_t g_label)
{
	const struct record_head *x = &f->head, *y = &g->head;
	size_t both = fact_label_both(x->content, x->content_len, y->content, y->content_len);

	f_label = MAX(f_label, both);
	g_label = MAX(g_label, both);
	return (struct texts){ x->content + f_label, y->content + g_label,
		x->content_len - f_label, y->content_len - g_label };
}

static bool
say_same_words(const struct texts *t)
{
	size_t n, m;
	FREED char *a = merge_guard_plain(t->a, t->a_len, &n);
	FREED char *b = merge_guard_plain(t->b, t->b_len, &m);

	return n == m && memcmp(a, b, n) == 0;
}

/* Both as they are compared; the words of f and g are the newest and an older fact's. */
struct sides { struct texts t; struct said newer, older; struct judge_side f, g; };

/* false: one of them is too long for that. */
static bool
read_sides(struct sides *s, const struct alike_want *w, const struct found *v, const struct fact *g)
{
	struct texts *t = &s->t;

	*t = texts_of(w->fact, w->subject.label, g, v->subject.label);
	if (MAX(t->a_len, t->b_len) > LIKE_BYTES)
		return false;
	said_read(&s->newer, t->a, t->a_len);
	said_read(&s->older, t->b, t->b_len);
	s->f = judge_side(t->a, t->a_len, &s->newer);
	s->g = judge_side(t->b, t->b_len, &s->older);
	return true;
}

/* What one says of another; of whom nobody knows whether they are one, nothing ends. */
static struct plan_said
say_of(const struct alike_want *w, const struct found *v, const struct judged *j)
{
	return subjects_same(w->subject.of, v->subject.of)
	    ? (struct plan_said){ j->ends, j->against }
	    : (struct plan_said){ false, NULL };
}

static void
judge_one(const struct alike_want *w, const struct found *v, struct plan_like *like)
{
	static _Thread_local struct sides s;
	struct judged j;
	int64_t begin = plan_begin(w->fact, w->now_us);
	bool fits = read_sides(&s, w, v, like->fact);

	like->same |= say_same_words(&s.t);
	if (!fits) {
		like->close = like->same;
		like->sim = like->same;
		return;
	}
	if (plan_said_behind(like, begin, w->now_us) != TIME_NONE) {
		judge(&s.f, &s.g, &j);
		like->by = say_of(w, v, &j);
	}
	if (plan_begin(like->fact, w->now_us) <= begin) {
		judge(&s.g, &s.f, &j);
		like->of = say_of(w, v, &j);
	}
	like->close = like->same ||
	    (j.like.differs == NULL && (v->close || v->sim >= w->duplicate_sim));
	like->alike = j.like.is_same;
	like->sim = like->same ? 1
	    : like->alike      ? j.like.dice
	    : v->close	       ? w->duplicate_text
			       : 0;
	like->differs = values_differ(&s.older, &s.newer);
}

/* Adds what those say of the new one that were said between it and one that says the same. */
static void
judge_between(const struct alike_want *w, const struct found *found, struct plan_like *like,
	size_t n)
{
	static _Thread_local struct sides s;
	int64_t begin = plan_begin(w->fact, w->now_us), first = begin;

	for (size_t i = 0; i < n; i++)
		if (like[i].same || like[i].alike || like[i].close)
			first = MIN(first, plan_begin(like[i].fact, w->now_us));
	for (size_t i = 0; i < n && first < begin; i++) {
		struct judged j;

		if (like[i].same || plan_said_behind(&like[i], first - 1, w->now_us) == TIME_NONE ||
		    plan_said_behind(&like[i], begin, w->now_us) != TIME_NONE ||
		    !read_sides(&s, w, &found[i], like[i].fact))
			continue;
		judge(&s.f, &s.g, &j);
		like[i].by = say_of(w, &found[i], &j);
	}
}

/* When a fact that rests on several messages was said once more. */
static int
read_again(const struct alike_want *w, struct arena *a, struct plan_like *like, struct err *err)
{
	const struct record_head *h = &like->fact->head;
	int64_t *again = arena_alloc(a, (h->n_sources + 1) * sizeof(*again));
	const struct message *m;

	for (size_t i = 1; i < h->n_sources; i++) {
		if (messages_find(w->store, w->who, h->sources[i].id, a, &m, err) < 0)
			return -1;
		if (m != NULL && m->time_us != TIME_NONE)
			again[like->n_again++] = m->time_us;
	}
	like->again = again;
	return 0;
}

bool
alike_replaces(const struct fact *newer, const struct fact *older, struct arena *a)
{
	static _Thread_local struct said x, y;
	struct texts t = texts_of(newer, fact_label(newer, NULL, a), older,
	    fact_label(older, NULL, a));

	said_read(&x, t.b, t.b_len);
	said_read(&y, t.a, t.a_len);
	if (*newer->key != '\0' && strcmp(newer->key, older->key) == 0 &&
	    !made_key_guessed(&newer->head, a) && !made_key_guessed(&older->head, a) &&
	    values_differ(&x, &y))
		return true;
	return ended_text(t.b, t.b_len, t.a, t.a_len);
}

int
alike_judge(const struct alike_want *w, const struct fact *g, const struct fact_subject *of_g,
	struct arena *a, struct plan_like *out, struct err *err)
{
	const struct found v = { .row = g->head.row, .sim = -1, .subject = *of_g };

	*out = (struct plan_like){ .row = v.row, .fact = g };
	if (read_again(w, a, out, err) < 0)
		return -1;
	judge_one(w, &v, out);
	return 0;
}

int
alike_find(const struct alike_want *w, struct arena *a, struct plan_like *out, size_t *n,
	struct err *err)
{
	const struct record_head *h = &w->fact->head;
	struct finding f = { .w = w };
	int rc = -1;

	f.plain = merge_guard_plain(h->content, h->content_len, &f.plain_len);
	f.plain_hash = hash64(f.plain, f.plain_len, 0);
	if (read_texts(w, err) != 0)
		goto out;
	find_by_letters(&f);
	if (find_by_vectors(&f, err) != 0)
		goto out;
	find_by_words(&f);
	rc = read_found(&f, a, out, n, err);
	for (size_t i = 0; i < f.n && rc == 0; i++)
		if ((rc = read_again(w, a, &out[i], err)) == 0)
			judge_one(w, &f.found[i], &out[i]);
	if (rc == 0)
		judge_between(w, f.found, out, f.n);
out:
	free(f.plain);
	return rc;
}
