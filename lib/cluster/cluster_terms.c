/*
 * cluster_terms.c: a vocabulary, and for each text which words of it, how often:
 *
 *	starts: n + 1 places in uses	uses: times << 24 | word, each word of a text once
 *
 * A word is a stem; how it is shown is the spelling that most texts have, found by vote: each
 * spelling strengthens itself or weakens what holds the place.
 */
#include "cluster/cluster_terms.h"

#include <math.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "cluster/cluster_words.h"
#include "math/kmeans.h"
#include "math/lsa.h"
#include "math/real.h"
#include "math/vec.h"
#include "text/words.h"

#define WORDS_MAX  (1u << 24)
#define TIMES_MAX  255u
#define SLOTS_MIN  4096
/* weight of an identifier, or of what is written in capitals */
#define TECHNICAL  2.

struct term {
	const char *stem, *shown;
	/* last: the last text + 1 that has it, at: where in uses */
	uint32_t votes, df, last, at;
	uint16_t len, shown_len;
	uint8_t kind;
	bool stop, technical;
};

struct cluster_terms {
	struct arena texts, joined;
	struct term *words;
	uint32_t *slots;                       /* hash table: number of a word + 1 */
	uint32_t *starts, *uses;
	size_t n_words, cap_words, n_slots, n, cap_starts, n_uses, cap_uses;
	const char *text;                      /* being read */
};

struct cluster_terms *
cluster_terms_new(void)
{
	struct cluster_terms *t = xcalloc(1, sizeof(*t));

	t->n_slots = SLOTS_MIN;
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	xgrow(&t->starts, &t->cap_starts, 1, sizeof(*t->starts));
	t->starts[0] = 0;
	return t;
}

void
cluster_terms_free(struct cluster_terms *t)
{
	if (t == NULL)
		return;
	arena_release(&t->texts);
	arena_release(&t->joined);
	free(t->words);
	free(t->slots);
	free(t->starts);
	free(t->uses);
	free(t);
}

/* ---- reading ---- */

static size_t
slot_of(const struct cluster_terms *t, const char *stem, size_t len)
{
	size_t at = (size_t)hash64(stem, len, 0) & (t->n_slots - 1);

	while (t->slots[at] != 0) {
		const struct term *w = &t->words[t->slots[at] - 1];
		if (w->len == len && memcmp(w->stem, stem, len) == 0)
			break;
		at = (at + 1) & (t->n_slots - 1);
	}
	return at;
}

static void
grow_slots(struct cluster_terms *t)
{
	free(t->slots);
	t->n_slots *= 2;
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	for (size_t i = 0; i < t->n_words; i++)
		t->slots[slot_of(t, t->words[i].stem, t->words[i].len)] = (uint32_t)i + 1;
}

static enum cluster_word
class_of(const char *shown, size_t len)
{
	char folded[3 * WORDS_TERM_BYTES + 1];

	return cluster_word_of(folded, words_fold(shown, MIN(len, WORDS_TERM_BYTES), folded));
}

/* NULL when the vocabulary is full. */
static struct term *
find_word(struct cluster_terms *t, const struct word *w)
{
	size_t at = slot_of(t, w->term, w->len);

	if (t->slots[at] != 0)
		return &t->words[t->slots[at] - 1];
	if (t->n_words == WORDS_MAX - 1)
		return NULL;
	if (2 * t->n_words >= t->n_slots) {
		grow_slots(t);
		at = slot_of(t, w->term, w->len);
	}
	xgrow(&t->words, &t->cap_words, t->n_words + 1, sizeof(*t->words));
	t->words[t->n_words] = (struct term){ .stem = arena_strndup(&t->texts, w->term, w->len),
		.len = w->len,
		.kind = w->kind,
		.stop = w->stop ||
		    class_of(t->text + w->start, w->end - w->start) == CLUSTER_WORD_STOP };
	t->slots[at] = (uint32_t)++t->n_words;
	return &t->words[t->n_words - 1];
}

/* Two capitals or more and no small letter. */
static bool
is_capitals(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] >= 'a' && s[i] <= 'z')
			return false;
		n += s[i] >= 'A' && s[i] <= 'Z';
	}
	return n >= 2;
}

/* The length of a word without its genitive: "mother's", with either apostrophe, is "mother". */
static size_t
without_genitive(const char *s, size_t len)
{
	if (len < 3 || (s[len - 1] != 's' && s[len - 1] != 'S'))
		return len;
	if (s[len - 2] == '\'')
		return len - 2;
	return len > 4 && memcmp(s + len - 4, "\xe2\x80\x99", 3) == 0 ? len - 4 : len;
}

static void
vote(struct cluster_terms *t, struct term *word, const struct word *w)
{
	const char *shown = t->text + w->start;
	size_t len = without_genitive(shown, utf8_clip(shown, w->end - w->start, WORDS_TERM_BYTES));

	if (word->shown_len == len && memcmp(word->shown, shown, len) == 0) {
		word->votes++;
	} else if (word->votes > 0) {
		word->votes--;
	} else {
		word->shown = arena_strndup(&t->texts, shown, len);
		word->shown_len = (uint16_t)len;
		word->votes = 1;
		word->technical = w->kind == WORD_WHOLE || is_capitals(shown, len);
	}
}

static int
take_word(void *arg, const struct word *w)
{
	struct cluster_terms *t = arg;
	struct term *word = find_word(t, w);
	uint32_t *use;

	if (word == NULL)
		return 0;
	if (w->kind != WORD_PART)
		vote(t, word, w);
	if (word->last != t->n + 1) {
		word->last = (uint32_t)t->n + 1;
		word->at = (uint32_t)t->n_uses;
		word->df++;
		xgrow(&t->uses, &t->cap_uses, t->n_uses + 1, sizeof(*t->uses));
		t->uses[t->n_uses++] = (uint32_t)(word - t->words);
	}
	use = &t->uses[word->at];
	if (*use >> 24 < TIMES_MAX)
		*use += 1u << 24;
	return 0;
}

void
cluster_terms_add(struct cluster_terms *t, const char *text, size_t len)
{
	t->text = text;
	words_each(text, MIN(len, CLUSTER_TERMS_TEXT_BYTES), take_word, t);
	t->n++;
	xgrow(&t->starts, &t->cap_starts, t->n + 1, sizeof(*t->starts));
	t->starts[t->n] = (uint32_t)t->n_uses;
}

/* ---- vectors ---- */

/*
 * Words of two texts at least, of the most frequent ones: columns [n_words] a number or UINT32_MAX;
 * how many there are.
 */
static size_t
choose_columns(const struct cluster_terms *t, uint32_t *columns)
{
	size_t *by_df = xcalloc(t->n + 2, sizeof(*by_df)), n = 0, least = t->n + 1,
	       room = CLUSTER_TERMS_COLUMNS;

	for (size_t i = 0; i < t->n_words; i++)
		if (!t->words[i].stop)
			by_df[t->words[i].df]++;
	while (least > 2 && by_df[least - 1] <= room)
		room -= by_df[--least];
	for (size_t i = 0; i < t->n_words; i++)
		columns[i] =
		    !t->words[i].stop && t->words[i].df >= least ? (uint32_t)n++ : UINT32_MAX;
	free(by_df);
	return n;
}

static void
weigh_row(const struct cluster_terms *t, size_t text, const uint32_t *columns, uint32_t *out,
	float *values, uint32_t *n)
{
	double square = 0;
	uint32_t from = *n;

	for (uint32_t at = t->starts[text]; at < t->starts[text + 1]; at++) {
		uint32_t word = t->uses[at] & (WORDS_MAX - 1), times = t->uses[at] >> 24;
		if (columns[word] == UINT32_MAX)
			continue;
		out[*n] = columns[word];
		values[*n] = (float)(real_log(1 + times) *
		    real_log((double)t->n / t->words[word].df));
		square += (double)values[*n] * (double)values[*n];
		++*n;
	}
	for (uint32_t at = from; at < *n && square > 0; at++)
		values[at] = (float)((double)values[at] / sqrt(square));
}

void
cluster_terms_vectors(const struct cluster_terms *t, float *v)
{
	uint32_t *columns = xreallocarray(NULL, t->n_words + 1, sizeof(*columns)),
		 *starts = xreallocarray(NULL, t->n + 1, sizeof(*starts));
	uint32_t *of = xreallocarray(NULL, t->n_uses + 1, sizeof(*of)), n = 0;
	float *values = xreallocarray(NULL, t->n_uses + 1, sizeof(*values));
	struct sparse a = { starts, of, values, t->n, choose_columns(t, columns) };

	for (size_t i = 0; i < t->n; i++) {
		starts[i] = n;
		weigh_row(t, i, columns, of, values, &n);
	}
	starts[t->n] = n;
	lsa_reduce(&a, CLUSTER_TERMS_DIMS, v);
	for (size_t i = 0; i < t->n; i++)
		vec_unit(v + i * CLUSTER_TERMS_DIMS, CLUSTER_TERMS_DIMS);
	free(columns);
	free(starts);
	free(of);
	free(values);
}

/* ---- words that set apart ---- */

struct counting {
	const struct cluster_terms *t;
	/* [n_words] texts of the cluster at hand that have the word */
	uint32_t *in;
	uint32_t *seen;                        /* words with in > 0 */
	size_t n_seen, n_texts;
	uint32_t least;                        /* texts of the cluster that must have a word */
	struct arena *joined;                  /* words put together of pairs */
};

static bool
can_name(const struct term *w)
{
	return !w->stop && w->shown != NULL && w->kind != WORD_NUMBER && w->kind != WORD_CHAR &&
	    w->kind != WORD_SYMBOL && (w->shown_len > 1 || w->kind == WORD_PAIR) &&
	    class_of(w->shown, w->shown_len) == CLUSTER_WORD_PLAIN;
}

/*
 * What the word says of the cluster: its share of the divergence between the cluster's texts and
 * all others.
 */
static double
weight(const struct counting *c, uint32_t word)
{
	const struct term *w = &c->t->words[word];
	double p = (double)c->in[word] / (double)c->n_texts;
	double q = (w->df - c->in[word] + .5) / ((double)(c->t->n - c->n_texts) + 1);

	if (!can_name(w) || (c->in[word] < c->least && c->n_texts > 3) || p <= q)
		return 0;
	return p * real_log(p / q) * (w->technical ? TECHNICAL : 1);
}

/* Bytes by which the end of a is the beginning of b: a character that both pairs have, or 0. */
static size_t
shared_character(const char *a, const char *b)
{
	size_t n = strlen(a), i = n;

	while (i > 0 && ((unsigned char)a[--i] & 0xc0) == 0x80)
		;
	return strncmp(a + i, b, n - i) == 0 ? n - i : 0;
}

/*
 * Words of Chinese longer than two characters are known by their pairs. Pairs of which the second
 * begins as the first ends, and that as many texts have, are taken for one word.
 */
static void
join_pairs(const struct counting *c, const uint32_t *words, struct cluster_terms_keywords *out)
{
	bool gone[CLUSTER_TERMS_KEYWORDS] = { false };
	size_t n = 0, same;

	for (size_t i = 0; i < out->n; i++)
		out->words[i] = c->t->words[words[i]].shown;
	for (size_t i = 0; i < out->n; i++)
		for (size_t j = 0; j < out->n && !gone[i]; j++) {
			const struct term *a = &c->t->words[words[i]], *b = &c->t->words[words[j]];
			if (i == j || gone[j] || a->kind != WORD_PAIR || b->kind != WORD_PAIR ||
			    c->in[words[i]] != c->in[words[j]] || a->df != b->df ||
			    (same = shared_character(out->words[i], out->words[j])) == 0)
				continue;
			out->words[i] = arena_printf(c->joined, "%s%s", out->words[i],
			    out->words[j] + same);
			gone[j] = true;
			j = (size_t)-1;        /* what it ends with now may begin another */
		}
	for (size_t i = 0; i < out->n; i++)
		if (!gone[i])
			out->words[n++] = out->words[i];
	out->n = n;
}

static void
keep_best(const struct counting *c, struct cluster_terms_keywords *out)
{
	double weights[CLUSTER_TERMS_KEYWORDS];
	uint32_t words[CLUSTER_TERMS_KEYWORDS];

	out->n = 0;
	for (size_t i = 0; i < c->n_seen; i++) {
		double x = weight(c, c->seen[i]);
		size_t at = out->n;
		if (x <= 0 || (at == CLUSTER_TERMS_KEYWORDS && x <= weights[at - 1]))
			continue;
		at = MIN(at, CLUSTER_TERMS_KEYWORDS - 1);
		out->n = at + 1;
		for (; at > 0 && weights[at - 1] < x; at--) {
			weights[at] = weights[at - 1];
			words[at] = words[at - 1];
		}
		weights[at] = x;
		words[at] = c->seen[i];
	}
	join_pairs(c, words, out);
}

/* The same word in other letters, "jQuery" and "jquery", says nothing new. */
static void
drop_same(struct cluster_terms_keywords *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++) {
		bool same = false;
		for (size_t j = 0; j < n && !same; j++)
			same = strcasecmp(k->words[i], k->words[j]) == 0;
		if (!same)
			k->words[n++] = k->words[i];
	}
	k->n = n;
}

static void
count_text(struct counting *c, size_t text)
{
	for (uint32_t at = c->t->starts[text]; at < c->t->starts[text + 1]; at++) {
		uint32_t word = c->t->uses[at] & (WORDS_MAX - 1);
		if (c->in[word]++ == 0)
			c->seen[c->n_seen++] = word;
	}
	c->n_texts++;
}

void
cluster_terms_distinctive(struct cluster_terms *t, const uint32_t *of, size_t k,
	struct cluster_terms_keywords *out)
{
	struct counting c = { .t = t,
		.joined = &t->joined,
		.in = xcalloc(t->n_words + 1, sizeof(*c.in)),
		.seen = xcalloc(t->n_words + 1, sizeof(*c.seen)) };
	size_t *ends = xcalloc(k + 1, sizeof(*ends)), at = 0;
	uint32_t *order = xreallocarray(NULL, t->n + 1, sizeof(*order));

	for (size_t i = 0; i < t->n; i++)
		if (of[i] != KMEANS_NONE)
			ends[of[i] + 1]++;
	for (size_t j = 0; j < k; j++)
		ends[j + 1] += ends[j];
	for (size_t i = 0; i < t->n; i++)
		if (of[i] != KMEANS_NONE)
			order[ends[of[i]]++] = (uint32_t)i;
	for (size_t j = 0; j < k; j++) {
		while (at < ends[j])
			count_text(&c, order[at++]);
		/* a cluster whose words are all different is still named */
		c.least = 2;
		keep_best(&c, &out[j]);
		if (out[j].n == 0) {
			c.least = 1;
			keep_best(&c, &out[j]);
		}
		drop_same(&out[j]);
		while (c.n_seen > 0)
			c.in[c.seen[--c.n_seen]] = 0;
		c.n_texts = 0;
	}
	free(c.in);
	free(c.seen);
	free(ends);
	free(order);
}

char *
cluster_terms_name(const struct cluster_terms_keywords *k, char out[CLUSTER_TERMS_NAME_BYTES])
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < MIN(k->n, CLUSTER_TERMS_NAME_WORDS); i++)
		len += (size_t)snprintf(out + len, CLUSTER_TERMS_NAME_BYTES - len, "%s%s",
		    i > 0 ? ", " : "", k->words[i]);
	return out;
}
