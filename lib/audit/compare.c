/*
 * compare.c: which claims are worth comparing is told by postings of their words, in memory; what
 * they are to each other by statement/likeness.h, by keys, and by what one has beyond the other.
 */
#include "audit/compare.h"

#include <math.h>
#include <strings.h>

#include "base/alloc.h"
#include "math/vec.h"
#include "statement/likeness.h"
#include "statement/merge_guard.h"

#define COMMON_MOST   400                  /* claims of a word; a more frequent one leads nowhere */
#define NEAR_MIN      .55                  /* calibrated similarity of vectors */
/*
 * statement/likeness.h judges the few statements that are nearest; here all are compared, and of
 * long ones many are alike somehow, so that they must have this share of their words in common as
 * well.
 */
#define SAME_SHARE     .65
#define SAME_SHARE_SIM .5                  /* when their vectors are nearer than SAME_SIM */
#define SAME_SIM       .75
#define OPPOSITE_SHARE .5
#define UPDATE_SHARE   .7
#define FRAME_SHARE    .6                  /* of those that differ in a number */
#define PART_WORDS    2                    /* content words that a shorter claim must have */
#define FRAME_WORDS   2                    /* common words of two that differ in one name */
#define FRAME_MIN     .7                   /* ... and their likeness */
#define NUMBERS_MIN   .84                  /* likeness of claims that differ in numbers alone */

struct posting { uint64_t word; uint32_t claim; };

struct comparing {
	const struct memories *m;
	const struct claims *c;
	const struct claim_vectors *v;
	struct compared_list *out;
	struct posting *postings;
	size_t n, cap;
	uint32_t *seen;                    /* [c->n]: the claim that it was compared with last */
	bool *repeats;                     /* [m->n]: the record repeats an earlier one */
	/* words that are names within claims, sorted: what begins a claim may be one of them */
	uint64_t *names;
	size_t n_names, cap_names;
};

/* ---- postings ---- */

static void
add_posting(struct comparing *k, uint64_t word, size_t claim)
{
	xgrow(&k->postings, &k->cap, k->n + 1, sizeof(*k->postings));
	k->postings[k->n++] = (struct posting){ word, (uint32_t)claim };
}

static int
by_word(const void *x, const void *y)
{
	const struct posting *a = x, *b = y;

	return a->word != b->word ? (a->word < b->word ? -1 : 1)
				  : (a->claim > b->claim) - (a->claim < b->claim);
}

static int
by_id(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

static void
add_name(struct comparing *k, const struct said_word *w)
{
	if (!w->name || w->first || w->person || !w->content)
		return;
	xgrow(&k->names, &k->cap_names, k->n_names + 1, sizeof(*k->names));
	k->names[k->n_names++] = w->id;
}

static void
index_claims(struct comparing *k)
{
	static _Thread_local struct said s;

	for (size_t i = 0; i < k->c->n; i++) {
		const struct claim *c = &k->c->c[i];

		said_read(&s, c->said, c->said_len);
		for (size_t w = 0; w < s.n; w++) {
			add_name(k, &s.w[w]);
			if (s.w[w].content && !s.w[w].empty)
				add_posting(k, s.w[w].id, i);
		}
		for (size_t w = 0; w < c->n_keys; w++)
			add_posting(k, hash64(c->keys[w].key, strlen(c->keys[w].key), 1), i);
	}
	if (k->n > 0)
		qsort(k->postings, k->n, sizeof(*k->postings), by_word);
	if (k->n_names > 0)
		qsort(k->names, k->n_names, sizeof(*k->names), by_id);
}

/* ---- judging ---- */

int
compare_times(const struct memories *m, const struct claim *a, const struct claim *b)
{
	int64_t x = m->items[a->record].time_us, y = m->items[b->record].time_us;

	return x == TIME_NONE || y == TIME_NONE ? 0 : (x > y) - (x < y);
}

bool
compare_keys(const struct claim_key *a, size_t n_a, const struct claim_key *b, size_t n_b)
{
	bool differ = false;

	for (size_t i = 0; i < n_a; i++)
		for (size_t j = 0; j < n_b; j++)
			if (claim_keys_agree(&a[i], &b[j])) {
				if (claim_values_agree(&a[i], &b[j]))
					return false;
				differ = true;
			}
	return differ;
}

static bool
have_key(const struct claim *a, const struct claim *b)
{
	for (size_t i = 0; i < a->n_keys; i++)
		for (size_t j = 0; j < b->n_keys; j++)
			if (claim_keys_agree(&a->keys[i], &b->keys[j]))
				return true;
	return false;
}

static bool
is_same_text(const struct claim *a, const struct claim *b)
{
	size_t n, m;
	char *x = merge_guard_plain(a->said, a->said_len, &n);
	char *y = merge_guard_plain(b->said, b->said_len, &m);
	bool same = n == m && memcmp(x, y, n) == 0;

	free(x);
	free(y);
	return same;
}

/* "A cat called Pixel" says no more than "a cat named Pixel" or "the cat Pixel". */
static bool
says_nothing(const struct said_word *w)
{
	static const char *const words[] = { "call", "name" };

	for (size_t i = 0; i < NELEM(words); i++)
		if (w->len == strlen(words[i]) && memcmp(w->term, words[i], w->len) == 0)
			return true;
	return !w->content || w->empty || w->person;
}

/* The content words of a, and of these those that b has too. */
static size_t
count_words(const struct said *a, const struct said *b, size_t *common)
{
	size_t n = 0;

	*common = 0;
	for (size_t i = 0; i < a->n; i++) {
		if (says_nothing(&a->w[i]))
			continue;
		n++;
		for (size_t j = 0; j < b->n; j++)
			if (said_same(&a->w[i], &b->w[j])) {
				++*common;
				break;
			}
	}
	return n;
}

/* Whether it says what or where something is, which is one thing at a time. */
static bool
says_state(const struct said *s)
{
	static const char *const words[] = { "work", "live", "run", "host", "base", "locat" };

	for (size_t i = 0; i < s->n; i++) {
		if (s->w[i].copula)
			return true;
		for (size_t k = 0; k < NELEM(words); k++)
			if (s->w[i].len == strlen(words[k]) &&
			    memcmp(s->w[i].term, words[k], s->w[i].len) == 0)
				return true;
	}
	return false;
}

/* How many names a has that b has not; *others: how many other content words. */
static size_t
count_own(const struct said *a, const struct said *b, size_t *others)
{
	size_t names = 0;

	*others = 0;
	for (size_t i = 0; i < a->n; i++) {
		const struct said_word *w = &a->w[i];
		bool common = says_nothing(w);

		for (size_t j = 0; j < b->n && !common; j++)
			common = said_same(w, &b->w[j]);
		if (common)
			continue;
		if (w->name || w->whole)
			names++;
		else
			++*others;
	}
	return names;
}

/* Whether they say of one thing what or where it is, and name another thing or place. */
static bool
is_replaced(const struct said *a, const struct said *b)
{
	size_t common, more_a, more_b;

	count_words(a, b, &common);
	return common >= FRAME_WORDS && says_state(a) && says_state(b) &&
	    count_own(a, b, &more_a) == 1 && count_own(b, a, &more_b) == 1 && more_a + more_b <= 1;
}

/* Words, stemmed, of which a habit or a date has one: the class, from 1 on; 0: it is none. */
static unsigned
time_class(const struct said_word *w)
{
	static const char *const classes[][16] = {
		{ "monda", "tuesda", "wednesda", "thursda", "frida", "saturda", "sunda" },
		{ "morn", "afternoon", "even", "night", "noon", "midday" },
		{ "january", "february", "march", "april", "june", "july", "august", "september",
		    "october", "november", "december" },
		{ "hour", "day", "daili", "week", "fortnight", "month", "quarter", "year" },
		{ "spring", "summer", "autumn", "winter" }
	};

	for (unsigned i = 0; i < NELEM(classes); i++)
		for (size_t k = 0; k < NELEM(classes[i]) && classes[i][k] != NULL; k++) {
			size_t n = strlen(classes[i][k]);

			if (w->len >= n && w->len <= n + 2 &&
			    memcmp(w->term, classes[i][k], n) == 0)
				return i + 1;
		}
	return 0;
}

/*
 * The class of the one time that a names and b does not; 0: there is none, or a has other words of
 * its own.
 */
static unsigned
own_time(const struct said *a, const struct said *b)
{
	unsigned class = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct said_word *w = &a->w[i];
		bool common = says_nothing(w) || w->number;

		for (size_t j = 0; j < b->n && !common; j++)
			common = said_same(w, &b->w[j]);
		if (common)
			continue;
		if (class != 0 || (class = time_class(w)) == 0)
			return 0;
	}
	return class;
}

/* Whether they say the same, but each of another day of the week, time of the day or the like. */
static bool
is_at_another_time(const struct said *a, const struct said *b)
{
	unsigned class = own_time(a, b);
	size_t common;

	count_words(a, b, &common);
	return common > 0 && class != 0 && class == own_time(b, a);
}

/* Whether a has no content word, but for numbers, that b has not. */
static bool
has_no_other(const struct said *a, const struct said *b)
{
	for (size_t i = 0; i < a->n; i++) {
		bool common = says_nothing(&a->w[i]) || a->w[i].number;

		for (size_t j = 0; j < b->n && !common; j++)
			common = said_same(&a->w[i], &b->w[j]);
		if (!common)
			return false;
	}
	return true;
}

/* Whether it says what is so again and again: "on Fridays", "every Friday". */
static bool
is_habit(const struct claim *c)
{
	static const char *const words[] = { "days", "every", "each" };

	for (size_t i = 0; i < c->said_len; i++)
		for (size_t k = 0; k < NELEM(words); k++) {
			size_t n = strlen(words[k]);

			if (n <= c->said_len - i && strncasecmp(c->said + i, words[k], n) == 0)
				return true;
		}
	return false;
}

/* Whether a has a number that b has not. */
static bool
has_own_number(const struct said *a, const struct said *b)
{
	for (size_t i = 0; i < a->n; i++) {
		bool common = !a->w[i].number;

		for (size_t j = 0; j < b->n && !common; j++)
			common = said_same(&a->w[i], &b->w[j]);
		if (!common)
			return true;
	}
	return false;
}

/* Dice's coefficient of the words of both that say something. */
static double
share_common(const struct said *a, const struct said *b)
{
	size_t of_a, of_b, n = count_words(a, b, &of_a), m = count_words(b, a, &of_b);

	return n + m > 0 ? (double)(of_a + of_b) / (double)(n + m) : 0;
}

/* Whether one says all that the other says, and perhaps more. */
static bool
is_part(const struct said *a, const struct said *b, bool opposed)
{
	size_t of_a, of_b, n = count_words(a, b, &of_a), m = count_words(b, a, &of_b);

	return !opposed &&
	    ((n >= PART_WORDS && of_a == n) || (m >= PART_WORDS && of_b == m));
}

static double
sim_of(const struct comparing *k, size_t a, size_t b)
{
	const struct claim_vectors *v = k->v;
	double cosine;

	if (v == NULL)
		return (double)NAN;
	cosine = vec_dot(v->vectors + a * v->n_dims, v->vectors + b * v->n_dims, v->n_dims);
	return (cosine - (double)v->unrelated) / (1 - (double)v->unrelated);
}

/* Whether they name different times: what was so then, and what is so later, may both be true. */
static bool
are_apart(const struct claim *a, const struct claim *b)
{
	return a->from_us != TIME_NONE && b->from_us != TIME_NONE &&
	    (a->to_us <= b->from_us || b->to_us <= a->from_us);
}

static bool
begins_with_name(const struct comparing *k, const struct said *s)
{
	return s->n > 0 && k->n_names > 0 && bsearch(&s->w[0].id, k->names, k->n_names,
	    sizeof(*k->names), by_id) != NULL;
}

/* Whether each begins with the name of somebody or something else. */
static bool
are_of_others(const struct comparing *k, const struct said *a, const struct said *b)
{
	return begins_with_name(k, a) && begins_with_name(k, b) && a->w[0].id != b->w[0].id;
}

static bool
judge(const struct comparing *k, size_t older, size_t newer, struct compared *out)
{
	static _Thread_local struct said x, y;
	const struct claim *a = &k->c->c[older], *b = &k->c->c[newer];
	double sim = sim_of(k, older, newer), share;
	struct likeness l;

	*out = (struct compared){ .a = older, .b = newer, .same = true, .p = 1 };
	if (is_same_text(a, b)) {
		out->why = "the same words";
		return true;
	}
	said_read(&x, a->said, a->said_len);
	said_read(&y, b->said, b->said_len);
	likeness(&x, &y, sim, have_key(a, b), &l);
	share = share_common(&x, &y);
	out->p = l.near;
	if (strcasecmp(a->about, b->about) != 0 || are_of_others(k, &x, &y))
		return false;
	if (l.is_near && share < (sim >= SAME_SIM ? SAME_SHARE_SIM : SAME_SHARE))
		l.is_near = false;
	if (l.is_near || is_part(&x, &y, claim_opposed(&x, &y))) {
		out->why = l.is_near ? "says the same" : "one says all that the other says";
		return true;
	}
	out->same = false;
	out->p = l.update;
	if (a->done || (are_apart(a, b) && !(is_habit(a) && is_habit(b))))
		return false;
	if (l.opposite && share >= OPPOSITE_SHARE)
		out->why = "one says the opposite of the other";
	else if (compare_keys(a->keys, a->n_keys, b->keys, b->n_keys))
		out->why = "of one thing that has one value, each gives another";
	else if (l.is_update && share >= UPDATE_SHARE)
		out->why = "the later one says that the other holds no more";
	else if (share >= FRAME_SHARE && l.differs != NULL && strcmp(l.differs, "numbers") == 0 &&
	    (l.near >= NUMBERS_MIN || (has_no_other(&x, &y) && has_no_other(&y, &x))) &&
	    has_own_number(&x, &y) && has_own_number(&y, &x))
		out->why = "the same, but for a number";
	else if (is_at_another_time(&x, &y))
		out->why = "the same, but for a time";
	else if (l.differs != NULL && l.near >= FRAME_MIN && is_replaced(&x, &y))
		out->why = "the same, but for a name";
	return out->why != NULL;
}

static void
compare_two(struct comparing *k, size_t i, size_t j)
{
	const struct claim *a = &k->c->c[i], *b = &k->c->c[j];
	struct compared found;
	bool turned = compare_times(k->m, a, b) > 0;

	if (a->record == b->record || k->seen[j] == i + 1 || k->repeats[a->record] ||
	    k->repeats[b->record])
		return;
	k->seen[j] = (uint32_t)i + 1;
	if (!judge(k, turned ? j : i, turned ? i : j, &found))
		return;
	for (size_t p = k->out->n; p > 0; p--) {
		const struct compared *q = &k->out->pairs[p - 1];

		if (k->c->c[q->a].record + k->c->c[q->b].record == a->record + b->record &&
		    (k->c->c[q->a].record == a->record || k->c->c[q->b].record == a->record))
			return;
	}
	if (found.same)
		k->repeats[b->record] = true;
	xgrow(&k->out->pairs, &k->out->cap, k->out->n + 1, sizeof(*k->out->pairs));
	k->out->pairs[k->out->n++] = found;
}

/* Compares claim i with the later ones that share a word or key with it. */
static void
compare_sharing(struct comparing *k, size_t i, const size_t *of_claim, const size_t *starts)
{
	for (size_t w = starts[i]; w < starts[i + 1]; w++) {
		size_t p = of_claim[w], from = p, end = p;

		while (from > 0 && p - from <= COMMON_MOST &&
		    k->postings[from - 1].word == k->postings[p].word)
			from--;
		while (end < k->n && end - from <= COMMON_MOST &&
		    k->postings[end].word == k->postings[p].word)
			end++;
		if (end - from > COMMON_MOST)
			continue;
		for (size_t q = p + 1; q < end; q++)
			if (k->postings[q].claim > i)
				compare_two(k, i, k->postings[q].claim);
	}
}

/* The postings of each claim: of_claim[starts[i]] .. [starts[i + 1] - 1] are those of claim i. */
static void
postings_of_claims(const struct comparing *k, size_t *of_claim, size_t *starts)
{
	size_t *next;

	for (size_t p = 0; p < k->n; p++)
		starts[k->postings[p].claim + 1]++;
	for (size_t i = 0; i < k->c->n; i++)
		starts[i + 1] += starts[i];
	next = xmemdup(starts, (k->c->n + 1) * sizeof(*starts));
	for (size_t p = 0; p < k->n; p++)
		of_claim[next[k->postings[p].claim]++] = p;
	free(next);
}

void
compare_claims(const struct memories *m, const struct claims *c, const struct claim_vectors *v,
	struct compared_list *out)
{
	struct comparing k = { .m = m, .c = c, .v = v, .out = out };
	size_t *of_claim, *starts = xcalloc(c->n + 1, sizeof(*starts));

	k.seen = xcalloc(c->n + 1, sizeof(*k.seen));
	k.repeats = xcalloc(m->n + 1, sizeof(*k.repeats));
	index_claims(&k);
	of_claim = xcalloc(k.n + 1, sizeof(*of_claim));
	postings_of_claims(&k, of_claim, starts);
	for (size_t i = 0; i < c->n; i++) {
		compare_sharing(&k, i, of_claim, starts);
		for (size_t j = i + 1; v != NULL && j < c->n; j++)
			if (sim_of(&k, i, j) >= NEAR_MIN)
				compare_two(&k, i, j);
	}
	free(of_claim);
	free(starts);
	free(k.postings);
	free(k.seen);
	free(k.repeats);
	free(k.names);
}
