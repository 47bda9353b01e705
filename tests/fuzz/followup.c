/*
 * followup: any bytes as a talk, a turn a line, and the last line as the question; what a line
 * starts with says who speaks. And any two of its words as a misspelt one and a term.
 */
#include "fuzz.h"

#include "followup/followup.h"
#include "followup/references.h"
#include "text/spelling.h"

#define TURNS 64

static void
spell(const char *text, size_t size)
{
	struct spelling s;
	size_t half = size / 2;
	float likeness;

	spelling_start(&s, text, half);
	likeness = spelling_likeness(&s, text + half, size - half);
	PROMISE(likeness >= 0 && likeness <= 1);
	spelling_try(&s, text + half, size - half, 1);
	spelling_try(&s, text, half, 7);
	spelling_end(&s);
	PROMISE(s.n_found <= 2);
}

static int
stands_in(const char *text, size_t len, const char *word, size_t word_len)
{
	for (size_t i = 0; i + word_len <= len; i++)
		if (memcmp(text + i, word, word_len) == 0)
			return 1;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct followup_said said[TURNS];
	struct arena arena = ARENA_INIT;
	struct followup f;
	char *text = text_of(data, size, 0);
	size_t n = 0, from = 0;

	for (size_t i = 0; i < size && n < TURNS; i++)
		if (text[i] == '\n') {
			said[n++] = (struct followup_said){ text[from] == '#' ? CONVERSATION_TITLE
				    : text[from] == '-'			      ? CONVERSATION_OTHER
									      : CONVERSATION_USER,
				text + from, i - from };
			from = i + 1;
		}
	PROMISE(references_count(text + from, size - from) <= REFERENCES);
	followup_resolve(&arena, said, n, text + from, size - from, 0.7, false, &f);
	PROMISE(f.n_added <= FOLLOWUP_WORDS && f.confidence >= 0 && f.confidence <= 1 &&
	    f.need >= 0 && f.need <= 1);
	PROMISE(f.changed || (f.text == text + from && f.len == size - from));
	PROMISE(f.changed || f.n_added == 0);
	for (size_t i = 0; i < f.n_added; i++)
		PROMISE(stands_in(f.text, f.len, f.added[i].text, f.added[i].len));
	spell(text, size < 60 ? size : 60);
	arena_release(&arena);
	free(text);
	return 0;
}
