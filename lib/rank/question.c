/*
 * question.c: a question through the tokenizer of the index, function words set aside.
 */
#include "rank/question.h"

#define CHAR_WEIGHT 0.4f           /* a single Han character tells less than a pair */
#define PART_WEIGHT 0.7f           /* a part of an identifier, beside the whole */

struct reader { struct question *q; size_t max; unsigned n_stop; };

static bool
asks_who(const struct word *w)
{
	static const char *const words[] = { "who", "whom", "whose", "where", "which", "name", "谁", "哪里", "哪儿", "哪个" };

	for (size_t i = 0; i < NELEM(words); i++)
		if (strlen(words[i]) == w->len && memcmp(words[i], w->term, w->len) == 0)
			return true;
	return false;
}

static int
on_word(void *arg, const struct word *w)
{
	struct reader *r = arg;
	struct question *q = r->q;
	struct question_term *t;

	q->asks_who |= asks_who(w);
	q->has_code |= w->kind == WORD_WHOLE;
	for (size_t i = 0; i < q->n_terms; i++)
		if (q->terms[i].len == w->len && memcmp(q->terms[i].text, w->term, w->len) == 0)
			return 0;
	if (q->n_terms == r->max) {
		q->cut = true;
		return 0;
	}
	t = &q->terms[q->n_terms++];
	memset(t, 0, sizeof(*t));
	memcpy(t->text, w->term, w->len);
	t->len = (uint8_t)w->len;
	t->kind = w->kind;
	t->stop = w->stop;
	t->weight = w->kind == WORD_CHAR ? CHAR_WEIGHT : w->kind == WORD_PART ? PART_WEIGHT : 1;
	r->n_stop += w->stop;
	return 0;
}

/* "may" the verb is a function word unless the question uses it as a month; a question of function words alone keeps them. */
static void
drop_stop_words(struct question *q, unsigned n_stop)
{
	size_t n = 0;

	if (n_stop == q->n_terms)
		return;
	for (size_t i = 0; i < q->n_terms; i++)
		if (!q->terms[i].stop)
			q->terms[n++] = q->terms[i];
	q->n_terms = n;
}

void
question_read(struct question *q, const char *text, size_t len, int64_t now_us, size_t max_terms)
{
	struct reader r = { q, MIN(max_terms, (size_t)CAP_QUERY_TERMS), 0 };

	memset(q, 0, sizeof(*q));
	words_each(text, len, on_word, &r);
	drop_stop_words(q, r.n_stop);
	if (now_us != TIME_NONE)
		q->n_spans = timewords_find(text, len, now_us, q->spans, QUESTION_SPANS);
	q->asks_when = timewords_asks_when(text, len);
}

/* ---- speakers ---- */

struct name { struct question *q; size_t n_words, n_found; bool first_found; };

static int
on_name(void *arg, const struct word *w)
{
	struct name *m = arg;
	bool found = false;

	for (size_t i = 0; i < m->q->n_terms; i++) {
		const struct question_term *t = &m->q->terms[i];
		found |= t->len == w->len && memcmp(t->text, w->term, w->len) == 0;
	}
	m->first_found |= m->n_words == 0 && found;
	m->n_words++;
	m->n_found += found;
	return 0;
}

static int
mark_name(void *arg, const struct word *w)
{
	struct question *q = arg;

	for (size_t i = 0; i < q->n_terms; i++)
		if (q->terms[i].len == w->len && memcmp(q->terms[i].text, w->term, w->len) == 0)
			q->terms[i].name = true;
	return 0;
}

void
question_find_speakers(struct question *q, const char *const *names, size_t n)
{
	size_t n_named = 0;

	for (size_t i = 0; i < n && i < UINT16_MAX; i++) {
		struct name m = { q, 0, 0, false };
		size_t len = strlen(names[i]);
		words_each(names[i], len, on_name, &m);
		if (m.n_words == 0 || (m.n_found < m.n_words && !m.first_found))
			continue;
		words_each(names[i], len, mark_name, q);
		n_named++;
		if (q->n_speakers < QUESTION_SPEAKERS)
			q->speakers[q->n_speakers++] = (uint16_t)(i + 1);
	}
	if (n_named == n || n_named > QUESTION_SPEAKERS)
		q->n_speakers = 0;
}
