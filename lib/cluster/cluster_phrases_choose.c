/*
 * cluster_phrases_choose.c: the phrases of a cluster are counted, in at most SAMPLE of its texts;
 * of those that are frequent there it is counted how many other texts have them; and the best are
 * taken one by one, each by the texts that have none of the former.
 */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/order.h"
#include "cluster/cluster_phrases_parts.h"
#include "lexicon/lex.h"
#include "math/kmeans.h"
#include "math/real.h"
#include "text/words.h"

#define SAMPLE     4096
#define CANDIDATES 512
#define FINALISTS  64
/* what a second and a third word add to the weight of a phrase, as it says more; and a name */
#define SECOND     1.
#define THIRD      .3
#define NAME       .6
/* what each other phrase of a name must say beside the first */
#define BESIDE     .35

struct phrase {
	uint64_t key;
	uint32_t words[PHRASE_TOKENS], votes, cluster, last, n_noun, n_any, n_outside;
	uint8_t n;
	double units, weight;
};

struct phrase_table { struct phrase *of; size_t n, cap; struct keyed places; };

/* ---- counting ---- */

/* Keys are hashes, of which clusters have the same. */
static uint64_t
key_in(uint64_t key, uint32_t cluster)
{
	return hash64_mix(key) + cluster;
}

static struct phrase *
find(const struct phrase_table *t, uint64_t key, uint32_t cluster)
{
	uint64_t place = keyed_value(&t->places, key_in(key, cluster));

	return place > 0 ? &t->of[place - 1] : NULL;
}

static void
place_all(struct phrase_table *t)
{
	keyed_clear(&t->places);
	for (size_t i = 0; i < t->n; i++)
		keyed_at(&t->places, key_in(t->of[i].key, t->of[i].cluster))->value = i + 1;
}

struct counting {
	const struct cluster_phrases *p;
	struct phrase_table counted, *chosen;
	uint32_t cluster, text;
	const uint8_t *groups;                 /* [k] of the clusters */
	const uint32_t *of;
	size_t k;
	uint64_t *masks;                       /* [n] finalists that a text has */
};

/* How a phrase is written is found by vote. */
static void
count_inside(void *arg, uint64_t key, const uint32_t *words, size_t n, double units, bool noun)
{
	struct counting *c = arg;
	struct phrase_table *t = &c->counted;
	struct keyed_slot *at = keyed_at(&t->places, key_in(key, c->cluster));

	if (at->value == 0) {
		*xpush(t->of, t->n, t->cap) = (struct phrase){ .key = key,
			.cluster = c->cluster, .n = (uint8_t)n, .units = units };
		at->value = t->n;
	}
	struct phrase *f = &t->of[at->value - 1];
	if (f->n == n && memcmp(f->words, words, n * sizeof(*words)) == 0) {
		f->votes++;
	} else if (f->votes-- == 0) {
		memcpy(f->words, words, n * sizeof(*words));
		f->n = (uint8_t)n;
		f->votes = 1;
	}
	f->n_any += f->last != 2 * c->text + 1 && f->last != 2 * c->text + 2;
	f->n_noun += noun && f->last != 2 * c->text + 2;
	if (noun || f->last != 2 * c->text + 2)
		f->last = 2 * c->text + 1 + noun;
}

static void
count_outside(void *arg, uint64_t key, const uint32_t *words, size_t n, double units, bool noun)
{
	struct counting *c = arg;
	uint32_t own = c->of[c->text];

	(void)words, (void)n, (void)units, (void)noun;
	for (uint32_t j = 0; j < c->k; j++) {
		struct phrase *f = j == own || c->groups[j] != c->p->groups[c->text]
		    ? NULL : find(c->chosen, key, j);
		if (f == NULL)
			continue;
		f->n_outside += f->last != c->text + 1;
		f->last = c->text + 1;
	}
}

static void
mark(void *arg, uint64_t key, const uint32_t *words, size_t n, double units, bool noun)
{
	struct counting *c = arg;
	const struct phrase *f = find(c->chosen, key, c->cluster);

	(void)words, (void)n, (void)units, (void)noun;
	if (f != NULL)
		c->masks[c->text] |= 1ull << (f - c->chosen->of);
}

/* ---- choosing ---- */

ORDER_DOWN_BY(heavier_first, struct phrase, weight, key)

/* Keeps the n heaviest, and of these what weighs anything. */
static void
keep_heaviest(struct phrase_table *t, size_t n)
{
	if (t->n > 0)
		qsort(t->of, t->n, sizeof(*t->of), heavier_first);
	t->n = MIN(t->n, n);
	while (t->n > 0 && t->of[t->n - 1].weight <= 0)
		t->n--;
	for (size_t i = 0; i < t->n; i++)
		t->of[i].last = 0;
	place_all(t);
}

static bool
overlap(const struct cluster_phrases *p, const struct phrase *a, const struct phrase *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < b->n; j++)
			if (a->words[i] == b->words[j] ||
			    p->words[a->words[i] - SAID_WORD].stem ==
				p->words[b->words[j] - SAID_WORD].stem)
				return true;
	return false;
}

static const char *
written(struct cluster_phrases *p, const struct phrase *f)
{
	bool was_unspaced = true;
	LOCAL(buf) b = buf_of(CLUSTER_NAME_BYTES);

	for (size_t i = 0; i < f->n; i++) {
		const struct phrase_word *w = &p->words[f->words[i] - SAID_WORD];
		if (!was_unspaced && !w->unspaced)
			buf_addc(&b, ' ');
		buf_add(&b, w->text, w->len);
		was_unspaced = w->unspaced;
	}
	const char *text = arena_strndup(&p->shown, b.data, b.len);
	return text;
}

/* The finalists of a cluster one by one: each by its texts that no former one is in. */
static void
take_best(struct counting *c, const uint32_t *texts, size_t n_texts, struct cluster_phrases *p,
	struct cluster_phrases_best *out)
{
	struct phrase_table *t = c->chosen;
	const struct phrase *taken[CLUSTER_PHRASES_MOST];
	uint64_t out_of_it = 0, covered = 0;
	double first = 0;

	for (size_t i = 0; i < n_texts; i++) {
		c->text = texts[i];
		c->masks[c->text] = 0;
		cluster_phrases_each(p, c->text, mark, c);
	}
	for (*out = (struct cluster_phrases_best){ .n = 0 }; out->n < CLUSTER_PHRASES_MOST;) {
		size_t best = t->n;
		double most = 0;
		for (size_t i = 0; i < t->n; i++) {
			size_t all = 0, left = 0;
			if (out_of_it >> i & 1)
				continue;
			for (size_t j = 0; j < n_texts; j++) {
				bool has = c->masks[texts[j]] >> i & 1;
				all += has;
				left += has && (c->masks[texts[j]] & covered) == 0;
			}
			if (all > 0 && t->of[i].weight * (double)left / (double)all > most) {
				most = t->of[i].weight * (double)left / (double)all;
				best = i;
			}
		}
		if (best == t->n)
			break;
		if (out->n == 0)
			first = most;
		if (out->n_telling == out->n && most > BESIDE * first)
			out->n_telling++;
		taken[out->n] = &t->of[best];
		out->phrases[out->n++] = written(p, &t->of[best]);
		covered |= 1ull << best;
		for (size_t i = 0; i < t->n; i++)
			if (overlap(p, taken[out->n - 1], &t->of[i]))
				out_of_it |= 1ull << i;
	}
}

struct members { uint32_t *texts; size_t *ends; size_t *n_group; };

/* Texts by their cluster; of a large one some, evenly spread. */
static size_t
sample(const struct members *m, size_t cluster, uint32_t out[SAMPLE])
{
	size_t first = cluster > 0 ? m->ends[cluster - 1] : 0, n = m->ends[cluster] - first,
	       n_out = MIN(n, (size_t)SAMPLE);

	for (size_t i = 0; i < n_out; i++)
		out[i] = m->texts[first + i * n / n_out];
	return n_out;
}

/* Two characters that are a word which fits any topic. */
static bool
is_vague_pair(const struct phrase_word *a, const struct phrase_word *b)
{
	char pair[2 * WORDS_TERM_BYTES + 1];
	int len = snprintf(pair, sizeof(pair), "%s%s", a->text, b->text);

	return lex_word(pair, (size_t)len, LEX_VAGUE, LEX_ANY, NULL);
}

/* How much more a phrase says than a common word. */
static double
worth(const struct cluster_phrases *p, const struct phrase *f)
{
	const struct phrase_word *w = &p->words[f->words[0] - SAID_WORD];
	double more = f->units - 1;

	if (f->n == 2 && w->unspaced && is_vague_pair(w, &p->words[f->words[1] - SAID_WORD]))
		return 0;
	if (f->n == 1)
		return w->len < 3 ? .3 : w->acronym || w->capital ? 1 + NAME : 1;
	return (w->unspaced && f->units <= 1 ? .6 : 1) + SECOND * MIN(more, 1) +
	    THIRD * MAX(more - 1, 0);
}

static void
count_cluster(struct counting *c, const uint32_t *texts, size_t n, struct phrase_table *all)
{
	uint32_t least = n > 3 ? 2 : 1;

	c->counted.n = 0;
	keyed_clear(&c->counted.places);
	for (size_t i = 0; i < n; i++) {
		c->text = texts[i];
		cluster_phrases_each(c->p, texts[i], count_inside, c);
	}
	for (size_t i = 0; i < c->counted.n; i++) {
		struct phrase *f = &c->counted.of[i];
		f->weight = f->n_noun < least ? 0 : f->n_noun * worth(c->p, f);
	}
	keep_heaviest(&c->counted, CANDIDATES);
	for (size_t i = 0; i < c->counted.n; i++)
		*xpush(all->of, all->n, all->cap) = c->counted.of[i];
}

/* What a phrase says of its cluster: its share of the divergence between it and the others. */
static double
weigh(const struct cluster_phrases *p, const struct phrase *f, size_t n_sample, size_t n_others)
{
	double in = (double)f->n_noun / (double)n_sample;
	double any = (double)f->n_any / (double)n_sample;
	double other = (f->n_outside + .5) / ((double)n_others + 1);

	return any > other ? in * real_log(any / other) * worth(p, f) : 0;
}

static void
sort_members(const struct cluster_phrases *p, const uint32_t *of, size_t k, struct members *m,
	uint8_t *groups)
{
	m->texts = xreallocarray(NULL, p->n + 1, sizeof(*m->texts));
	m->ends = xcalloc(k + 2, sizeof(*m->ends));
	m->n_group = xcalloc(UINT8_MAX + 1, sizeof(*m->n_group));
	for (size_t i = 0; i < p->n; i++) {
		m->n_group[p->groups[i]]++;
		if (of[i] == KMEANS_NONE)
			continue;
		m->ends[of[i] + 1]++;
		groups[of[i]] = p->groups[i];
	}
	for (size_t j = 0; j < k; j++)
		m->ends[j + 1] += m->ends[j];
	for (size_t i = 0; i < p->n; i++)
		if (of[i] != KMEANS_NONE)
			m->texts[m->ends[of[i]]++] = (uint32_t)i;
}

static bool
has_stem(const uint32_t *stems, size_t n, uint32_t stem)
{
	return n > 0 && bsearch(&stem, stems, n, sizeof(*stems), by_uint32) != NULL;
}

/* "Art" may be short for "Arthur", "art" is not. */
static void
mark_names(struct cluster_phrases *p)
{
	if (p->n_names > 0)
		qsort(p->names, p->n_names, sizeof(*p->names), by_uint32);
	if (p->n_shorts > 0)
		qsort(p->shorts, p->n_shorts, sizeof(*p->shorts), by_uint32);
	for (size_t i = 0; i < p->n_words; i++) {
		struct phrase_word *w = &p->words[i];

		w->name = has_stem(p->names, p->n_names, w->stem) ||
		    (w->capital && has_stem(p->shorts, p->n_shorts, w->stem));
	}
}

void
cluster_phrases_choose(struct cluster_phrases *p, const uint32_t *of, size_t k,
	struct cluster_phrases_best *out)
{
	struct phrase_table all = { .n = 0 }, own = { .n = 0 };
	FREED uint8_t *groups = xcalloc(k + 1, sizeof(*groups));
	struct counting c = { .p = p, .groups = groups, .of = of, .k = k, .chosen = &all,
		.masks = xcalloc(p->n + 1, sizeof(*c.masks)) };
	FREED uint32_t *texts = xreallocarray(NULL, SAMPLE, sizeof(*texts));
	struct members m;

	mark_names(p);
	sort_members(p, of, k, &m, groups);
	for (c.cluster = 0; c.cluster < k; c.cluster++)
		count_cluster(&c, texts, sample(&m, c.cluster, texts), &all);
	place_all(&all);
	for (c.text = 0; c.text < p->n; c.text++)
		cluster_phrases_each(p, c.text, count_outside, &c);
	c.chosen = &own;
	for (c.cluster = 0; c.cluster < k; c.cluster++) {
		size_t n = sample(&m, c.cluster, texts),
		       first = c.cluster > 0 ? m.ends[c.cluster - 1] : 0;
		own.n = 0;
		for (size_t i = 0; i < all.n; i++)
			if (all.of[i].cluster == c.cluster) {
				xgrow(&own.of, &own.cap, own.n + 1, sizeof(*own.of));
				own.of[own.n] = all.of[i];
				own.of[own.n].weight = weigh(p, &all.of[i], n,
				    m.n_group[groups[c.cluster]] - (m.ends[c.cluster] - first));
				own.n++;
			}
		keep_heaviest(&own, FINALISTS);
		take_best(&c, texts, n, p, &out[c.cluster]);
	}
	free(all.of);
	keyed_release(&all.places);
	free(own.of);
	keyed_release(&own.places);
	free(c.counted.of);
	keyed_release(&c.counted.places);
	free(c.masks);
	free(m.texts);
	free(m.ends);
	free(m.n_group);
}

char *
cluster_phrases_name(const struct cluster_phrases_best *b, size_t most,
	char out[CLUSTER_NAME_BYTES])
{
	LOCAL(buf) name = buf_of(CLUSTER_NAME_BYTES - 1);

	for (size_t i = 0; i < MIN(b->n_telling, most); i++)
		buf_addf(&name, "%s%s", i > 0 ? ", " : "", b->phrases[i]);
	snprintf(out, CLUSTER_NAME_BYTES, "%s", name.len > 0 ? name.data : "");
	return out;
}
