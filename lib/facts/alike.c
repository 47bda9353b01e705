/*
 * alike.c: candidates come from three sides, each of which misses what another one finds; what they
 * are is judged by statement/likeness.h, where vectors are only one figure among others.
 */
#include "facts/alike.h"

#include <math.h>

#include "base/utf8.h"
#include "facts/subject.h"
#include "statement/likeness.h"
#include "statement/merge_guard.h"
#include "statement/reading.h"
#include "statement/similar.h"
#include "statement/vouch.h"

#define NEAR_MOST  16
#define NEAR_MIN   .2          /* calibrated similarity; below it facts have nothing in common */
#define WORDS_MOST 32          /* facts found by common words */
/* Comparing trigrams of longer texts takes too long: they must have the same words. */
#define LIKE_BYTES (16u << 10)

struct found { int64_t row; bool same, close; double sim; };

struct finding {
	const struct alike_want *w;
	char *plain;                           /* the content as merge_guard_plain writes it */
	size_t plain_len;
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
	f->found[f->n] = (struct found){ .row = row, .sim = (double)NAN };
	return &f->found[f->n++];
}

/* ---- candidates ---- */

static int
compare_letters(void *arg, int64_t row, const char *text, size_t len)
{
	struct finding *f = arg;
	const struct record_head *h = &f->w->fact->head;
	size_t plain_len;
	char *plain = merge_guard_plain(text, len, &plain_len);
	bool same = plain_len == f->plain_len && memcmp(plain, f->plain, plain_len) == 0;
	struct found *v;

	free(plain);
	if (!same &&
	    (h->content_len > LIKE_BYTES || len > LIKE_BYTES ||
		similar_dice(h->content, h->content_len, text, len) < f->w->duplicate_text))
		return 0;
	if ((v = add_found(f, row)) != NULL) {
		v->same = same;
		v->close = true;
	}
	return 0;
}

/*
 * Dice's coefficient of texts with a and b trigrams is at most 2 min(a, b) / (a + b), so only texts
 * of about the same size can reach the threshold.
 */
static int
find_by_letters(struct finding *f, struct err *err)
{
	const struct record_head *h = &f->w->fact->head;
	double min = f->w->duplicate_text, chars = (double)utf8_count(h->content, h->content_len);

	return records_of_size(f->w->store, f->w->who, RECORD_FACT,
	    (size_t)MAX(chars * min / (2 - min) - 3, 0),
	    (size_t)(chars * (2 - min) / MAX(min, .01)) + 3, compare_letters, f, err);
}

static int
find_by_words(struct finding *f, struct err *err)
{
	const struct record_head *h = &f->w->fact->head;
	struct record_filter any = RECORD_FILTER_ANY(RECORD_FACT);
	struct record_match m[WORDS_MOST];
	size_t n;

	any.also = RECORDS_ALL;
	if (records_match(f->w->store, f->w->who, &any, h->content, MIN(h->content_len, LIKE_BYTES),
	    WORDS_MOST, m, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		add_found(f, m[i].row);
	return 0;
}

static int
find_by_vectors(struct finding *f, struct err *err)
{
	struct neighbours_hit near[NEAR_MOST];
	size_t n = 0;

	if (f->w->near_index == NULL)
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
	if (records_want(w->store, w->who, rows, f->n, TIME_NONE, err) < 0)
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		if (records_by_row(w->store, w->who, rows[i], TIME_NONE, a, &out[i], err) < 0)
			return -1;
		if (out[i] != NULL && out[i]->head.type != RECORD_FACT)
			out[i] = NULL;
	}
	return subjects_want(w->store, w->who, out, f->n, err);
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
		const struct found v = f->found[i];
		const char *subject;
		if (facts[i] == NULL)
			continue;
		if (fact_subject(w->store, w->who, facts[i], a, &subject, err) < 0)
			return -1;
		if (!subjects_agree(subject, w->subject))
			continue;
		f->found[*n] = v;
		out[(*n)++] =
		    (struct plan_like){ .row = v.row, .fact = facts[i], .same = v.same };
	}
	f->n = *n;
	return 0;
}

/* Fills the similarities of candidates that were not found by their vectors. */
static int
compare_vectors(struct finding *f, const struct plan_like *like, struct err *err)
{
	struct neighbours_want want[ALIKE_MOST];
	size_t at[ALIKE_MOST], n = 0;

	if (f->w->near_index == NULL)
		return 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct record_head *h = &like[i].fact->head;
		if (!isnan(f->found[i].sim) || f->found[i].same || h->content_len > LIKE_BYTES)
			continue;
		at[n] = i;
		want[n++] = (struct neighbours_want){ h->row, h->content, h->content_len, 0 };
	}
	if (n > 0 &&
	    neighbours_compare(f->w->near_index, f->w->who, VECTOR_FACT, f->w->number, want, n,
		err) < 0)
		return -1;
	for (size_t k = 0; k < n; k++)
		f->found[at[k]].sim = want[k].sim;
	return 0;
}

/* Whether both facts say what one key is set to: the one they have, or the one that is read. */
static bool
is_keyed(const struct reading *r, const struct reading *of_g, const struct fact *f,
	const struct fact *g)
{
	if (*f->key != '\0' && *g->key != '\0')
		return plan_keys_agree(f->key, g->key);
	return *r->key != '\0' && strcmp(r->key, of_g->key) == 0 &&
	    strcmp(r->about, of_g->about) == 0;
}

/*
 * Whether the new one may end the other by what is probable, and not by saying so: both are of one
 * slot or name one thing, and the new one vouches for what holds now.
 */
static bool
may_end(const struct reading *r, const struct reading *of_g, const struct likeness *l)
{
	bool any = *r->slot == '\0' || *of_g->slot == '\0';

	return (any ? l->things > 0 : strcmp(r->slot, of_g->slot) == 0) &&
	    (r->kind == READ_TODO) == (of_g->kind == READ_TODO) &&
	    r->polarity != POLARITY_PAST && r->polarity != POLARITY_WISHED;
}

/* Whether the new one says that what one key is set to is another now. */
static bool
sets_anew(const struct reading *r, const struct reading *of_g, bool keyed)
{
	return keyed && r->changes && r->polarity == POLARITY_HOLDS && !r->ends &&
	    of_g->polarity == POLARITY_HOLDS && *r->slot != '\0' &&
	    strcmp(r->slot, of_g->slot) == 0;
}

static void
judge(const struct finding *f, struct plan_like *like)
{
	static _Thread_local struct said newer, older;
	const struct record_head *h = &f->w->fact->head;

	struct reading r, of_g;
	bool own = vouch_is_own(h->content, h->content_len);

	reading_of(h->content, h->content_len, NULL, &r);
	said_read(&newer, h->content, h->content_len);
	for (size_t i = 0; i < f->n; i++) {
		const struct record_head *g = &like[i].fact->head;
		const struct found *v = &f->found[i];
		struct likeness l;
		bool says, keyed;
		reading_of(g->content, g->content_len, NULL, &of_g);
		said_read(&older, g->content, g->content_len);
		keyed = is_keyed(&r, &of_g, f->w->fact, like[i].fact);
		likeness(&older, &newer, v->sim, keyed, &l);
		like[i].close = v->same ||
		    (l.differs == NULL && (v->close || v->sim >= f->w->duplicate_sim));
		like[i].alike = l.is_same;
		like[i].opposite = l.opposite;
		like[i].sim = v->same ? 1
		    : l.is_same   ? l.same
		    : v->close    ? f->w->duplicate_text
				  : 0;
		says = own && (l.opposite || l.ends);
		like[i].update = (says && l.is_update) ||
			(own && !l.is_same && sets_anew(&r, &of_g, keyed))
		    ? 1
		    : l.is_update && own && may_end(&r, &of_g, &l) ? l.update
							       : 0;
	}
}

int
alike_find(const struct alike_want *w, struct arena *a, struct plan_like *out, size_t *n,
	struct err *err)
{
	const struct record_head *h = &w->fact->head;
	struct finding f = { .w = w };
	int rc = -1;

	f.plain = merge_guard_plain(h->content, h->content_len, &f.plain_len);
	if (find_by_letters(&f, err) == 0 && find_by_vectors(&f, err) == 0 &&
	    find_by_words(&f, err) == 0 && read_found(&f, a, out, n, err) == 0 &&
	    compare_vectors(&f, out, err) == 0) {
		judge(&f, out);
		rc = 0;
	}
	free(f.plain);
	return rc;
}
