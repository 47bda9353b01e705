/*
 * words: any bytes to words_each, words_fold, chunk_each, the estimates of tokens and the likeness
 * of texts.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "rank/question.h"
#include "statement/similar.h"
#include "text/chunk.h"
#include "text/tokens.h"
#include "text/words.h"

struct seen { const char *text; size_t len; uint32_t position, words; size_t end; };

static int
on_word(void *arg, const struct word *w)
{
	struct seen *s = arg;

	PROMISE(w->len > 0 && w->len <= WORDS_TERM_BYTES);
	PROMISE(w->start < w->end && w->end <= s->len);
	PROMISE(s->words == 0 || w->position >= s->position);
	PROMISE(memchr(w->term, '\0', w->len) == NULL);
	s->position = w->position;
	s->words++;
	return 0;
}

static void
only_space(const struct seen *s, size_t from, size_t to)
{
	for (; from < to; from++)
		PROMISE(memchr(" \t\n\r\f\v", s->text[from], 6) != NULL);
}

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct seen *s = arg;

	PROMISE(c->start >= s->end && c->len > 0 && c->start + c->len <= s->len);
	PROMISE(memchr(c->language, '\0', sizeof(c->language)) != NULL);
	only_space(s, s->end, c->start);
	s->end = c->start + c->len;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct question q;
	char *text = text_of(data, size, 0), *fold = malloc(3 * size + 1);
	struct seen s = { text, size, 0, 0, 0 };
	size_t half = size / 2;

	PROMISE(fold != NULL);
	words_each(text, size, on_word, &s);
	PROMISE(words_fold(text, size, fold) <= 3 * size);
	tokens_quarters(text, size);
	PROMISE(tokens_clip(text, size, 10) <= size);
	similar_dice(text, half, text + half, size - half);
	if (utf8_valid(text, size)) {
		chunk_each(text, size, on_chunk, &s);
		only_space(&s, s.end, size);
	}
	question_read(&q, text, size, 1700000000000000, 64);
	PROMISE(q.n_terms <= QUESTION_TERMS && q.n_joined <= QUESTION_JOINED &&
	    q.n_spans <= QUESTION_SPANS);
	free(fold);
	free(text);
	return 0;
}
