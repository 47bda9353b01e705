/*
 * relevance.c: the mean vector of the last messages is compared with all vectors in one scan. Where
 * facts have no vectors, the words of these messages stand in for it.
 */
#include "facts/relevance.h"

#include "base/alloc.h"
#include "base/order.h"
#include "math/vec.h"
#include "store/vectors.h"
#include "text/words.h"

#define NEAREST 1. /* the relevance of a fact that has no vector yet: it is new */

struct near { int64_t row; float cosine; };

struct relevance {
	struct near *facts;                    /* [n_facts] by row */
	size_t n_facts, cap_facts;
	/* [n_words] hashes of stems, ascending; used when n_facts is 0 */
	uint64_t *words;
	size_t n_words, cap_words;
	int64_t rows[RELEVANCE_MESSAGES];
	size_t n_rows;
};

ORDER_BY(near_cmp, struct near, row)

/* ---- words ---- */

static int
add_word(void *arg, const struct word *w)
{
	struct relevance *r = arg;

	if (w->stop)
		return 0;
	*xpush(r->words, r->n_words, r->cap_words) = hash64(w->term, w->len, 0);
	return 0;
}

struct share { const struct relevance *r; size_t n, n_in; };

static int
count_word(void *arg, const struct word *w)
{
	struct share *s = arg;
	uint64_t h = hash64(w->term, w->len, 0);

	if (w->stop)
		return 0;
	s->n++;
	s->n_in += bsearch(&h, s->r->words, s->r->n_words, sizeof(h), by_uint64) != NULL;
	return 0;
}

double
relevance_of(const struct relevance *r, int64_t row, const char *content, size_t len)
{
	const struct near key = { row, 0 }, *at;
	struct share s = { r, 0, 0 };

	if (r->n_facts > 0) {
		at = bsearch(&key, r->facts, r->n_facts, sizeof(key), near_cmp);
		return at != NULL ? (double)at->cosine : NEAREST;
	}
	if (r->n_words > 0)
		words_each(content, len, count_word, &s);
	return s.n > 0 ? (double)s.n_in / (double)s.n : 0;
}

static int
keep_message(void *arg, const struct message *m)
{
	struct relevance *r = arg;

	r->rows[r->n_rows++] = m->row;
	return words_each(m->content, m->content_len, add_word, r);
}

/* ---- vectors ---- */

static bool
is_message(const struct relevance *r, const struct vector_key *k)
{
	for (size_t i = 0; i < r->n_rows; i++)
		if (k->kind == VECTOR_MESSAGE && k->row == r->rows[i])
			return true;
	return false;
}

/*
 * Puts the normalised sum of the messages' vectors into q [D]; *any is false when they have none.
 */
static int
mean_vector(struct relevance *r, struct vectors *v, const uint64_t *keys, float *q, bool *any,
	struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	float one[VEC_MAX_DIMS];

	memset(q, 0, info->model.n_dims * sizeof(*q));
	for (uint32_t i = 0; i < info->n; i++) {
		struct vector_key k;
		vector_key_unpack(keys[i], info->user_base, &k);
		if (keys[i] == VECTOR_DEAD || !is_message(r, &k))
			continue;
		if (vectors_get(v, &i, 1, one, err) < 0)
			return -1;
		for (uint32_t d = 0; d < info->model.n_dims; d++)
			q[d] += one[d];
	}
	*any = vec_unit(q, info->model.n_dims);
	return 0;
}

/* Collects the facts of the set and their slots, both ascending. */
static size_t
fact_slots(struct relevance *r, const struct vectors_info *info, const uint64_t *keys,
	uint32_t *slots)
{
	size_t n = 0;

	for (uint32_t i = 0; i < info->n; i++) {
		struct vector_key k;
		vector_key_unpack(keys[i], info->user_base, &k);
		if (keys[i] == VECTOR_DEAD || k.kind != VECTOR_FACT)
			continue;
		xgrow(&r->facts, &r->cap_facts, n + 1, sizeof(*r->facts));
		r->facts[n] = (struct near){ k.row, 0 };
		slots[n++] = i;
	}
	return n;
}

static int
compare_facts(struct relevance *r, struct vectors *v, struct err *err)
{
	const struct vectors_info *info = vectors_info(v);
	FREED uint64_t *keys = xreallocarray(NULL, (size_t)info->n + 1, sizeof(*keys));
	FREED uint32_t *slots = xreallocarray(NULL, (size_t)info->n + 1, sizeof(*slots));
	FREED float *cosines = xreallocarray(NULL, (size_t)info->n + 1, sizeof(*cosines));
	float q[VEC_MAX_DIMS] = { 1 };
	size_t n = 0;
	bool any = false;

	if (vectors_cosines(v, q, keys, cosines, err) < 0 ||
	    mean_vector(r, v, keys, q, &any, err) < 0)
		return -1;
	if (any && (n = fact_slots(r, info, keys, slots)) > 0 &&
	    vectors_rescore(v, q, slots, n, cosines, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		r->facts[i].cosine = cosines[i];
	r->n_facts = n;
	if (n > 0)
		qsort(r->facts, n, sizeof(*r->facts), near_cmp);
	return 0;
}

int
relevance_open(struct store *s, const struct scope *who, struct relevance **out, struct err *err)
{
	struct relevance *r = *out = xcalloc(1, sizeof(*r));
	struct message_filter last = MESSAGE_FILTER_ANY;
	struct scope all = { who->user, NULL, NULL, NULL };
	struct vectors *v = NULL;
	int rc;

	last.role = ROLE_USER;
	last.newest_first = true;
	last.limit = RELEVANCE_MESSAGES;
	rc = messages_each(s, &all, &last, keep_message, r, err);
	if (r->n_words > 0)
		qsort(r->words, r->n_words, sizeof(*r->words), by_uint64);
	if (rc == 0 && r->n_rows > 0 && (rc = vectors_open(s, &all, &v, err)) == 0 &&
	    vectors_info(v)->n > 0)
		rc = compare_facts(r, v, err);
	vectors_close(v);
	if (rc == 0)
		return 0;
	relevance_close(r);
	*out = NULL;
	return -1;
}

void
relevance_close(struct relevance *r)
{
	if (r == NULL)
		return;
	free(r->facts);
	free(r->words);
	free(r);
}
