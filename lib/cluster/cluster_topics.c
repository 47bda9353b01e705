/*
 * cluster_topics.c: the signs of topics, sorted by term, and the parts of compounds in a list.
 */
#include "cluster/cluster_topics.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "text/words.h"

/* Shorter parts stand in too many words by chance. */
#define PART_BYTES 4

struct sign { const char *text; uint8_t topic, lang; };

struct cluster_topics {
	struct arena texts;
	struct sign *signs, *parts;
	size_t n_signs, n_parts, cap_signs, cap_parts;
};

static int
sign_cmp(const void *pa, const void *pb)
{
	const struct sign *a = pa, *b = pb;
	int order = strcmp(a->text, b->text);

	return order != 0 ? order : (a->topic > b->topic) - (a->topic < b->topic);
}

/* The last term that a sign gives is its stem, or the pair of two Chinese characters. */
static int
keep_term(void *arg, const struct word *w)
{
	char *term = arg;

	memcpy(term, w->term, w->len);
	term[w->len] = '\0';
	return w->kind == WORD_PAIR;
}

static void
add_sign(void *arg, const char *word, size_t len, unsigned lang, int topic)
{
	struct cluster_topics *t = arg;
	char term[WORDS_TERM_BYTES + 1] = "";

	words_each(word, len, keep_term, term);
	xgrow(&t->signs, &t->cap_signs, t->n_signs + 1, sizeof(*t->signs));
	t->signs[t->n_signs++] = (struct sign){ arena_strdup(&t->texts, term), (uint8_t)topic,
		(uint8_t)lang };
}

static void
add_part(void *arg, const char *word, size_t len, unsigned lang, int topic)
{
	struct cluster_topics *t = arg;

	xgrow(&t->parts, &t->cap_parts, t->n_parts + 1, sizeof(*t->parts));
	t->parts[t->n_parts++] =
	    (struct sign){ arena_strndup(&t->texts, word, len), (uint8_t)topic,
		(uint8_t)lang };
	add_sign(arg, word, len, lang, topic);
}

struct cluster_topics *
cluster_topics_new(void)
{
	struct cluster_topics *t = xcalloc(1, sizeof(*t));

	lex_each(LEX_TOPIC, add_sign, t);
	lex_each(LEX_TOPIC_PART, add_part, t);
	if (t->n_parts > 0)
		qsort(t->parts, t->n_parts, sizeof(*t->parts), sign_cmp);
	qsort(t->signs, t->n_signs, sizeof(*t->signs), sign_cmp);
	return t;
}

void
cluster_topics_free(struct cluster_topics *t)
{
	if (t == NULL)
		return;
	arena_release(&t->texts);
	free(t->signs);
	free(t->parts);
	free(t);
}

const char *
cluster_topics_name(int topic, unsigned lang)
{
	const char *name = lex_label(LEX_TOPIC_NAME, lang, topic);

	return name != NULL ? name : lex_label(LEX_TOPIC_NAME, LEX_EN, topic);
}

static size_t
add_topic(uint8_t *topics, size_t n, uint8_t topic)
{
	for (size_t i = 0; i < n; i++)
		if (topics[i] == topic)
			return n;
	if (n < CLUSTER_TOPICS_OF_WORD)
		topics[n++] = topic;
	return n;
}

size_t
cluster_topics_of(const struct cluster_topics *t, const char *term, size_t len,
	const char *folded, unsigned langs, uint8_t out[CLUSTER_TOPICS_OF_WORD])
{
	char text[WORDS_TERM_BYTES + 1];
	struct sign key = { text, 0, 0 };
	size_t low = 0, high = t->n_signs, n = 0;

	snprintf(text, sizeof(text), "%.*s", (int)len, term);
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (sign_cmp(&t->signs[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < t->n_signs && strcmp(t->signs[low].text, text) == 0; low++)
		if (langs >> t->signs[low].lang & 1)
			n = add_topic(out, n, t->signs[low].topic);
	for (size_t i = 0; i < t->n_parts && strlen(folded) > PART_BYTES; i++)
		if (strlen(t->parts[i].text) >= PART_BYTES && (langs >> t->parts[i].lang & 1) &&
		    strstr(folded, t->parts[i].text) != NULL)
			n = add_topic(out, n, t->parts[i].topic);
	return n;
}
