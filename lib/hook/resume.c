/*
 * resume.c: a word that is part of no cue, and no stop word, names the work.
 */
#include "hook/resume.h"

#include "statement/cues.h"
#include "text/words.h"

#define CUES_MOST 64

struct covered { const struct cue *cues; size_t n; };

static int
names_work(void *arg, const struct word *w)
{
	const struct covered *v = arg;

	if (w->stop || w->kind == WORD_PAIR)
		return 0;
	for (size_t i = 0; i < v->n; i++)
		if (w->start >= v->cues[i].start && w->end <= v->cues[i].start + v->cues[i].len)
			return 0;
	return 1;
}

enum resume
resume_asked(const char *prompt, size_t len)
{
	const struct cues *cues = cues_of("schema/cues/resume.txt");
	struct cue found[CUES_MOST];
	struct covered v = { .cues = found };
	int resume = cues == NULL ? -1 : cues_class(cues, "resume");
	bool asked = false;

	if (resume < 0)
		return RESUME_NOT;
	v.n = MIN(cues_find(cues, prompt, len, found, CUES_MOST, NULL), (size_t)CUES_MOST);
	for (size_t i = 0; i < v.n; i++)
		asked |= found[i].class == (unsigned)resume;
	return !asked ? RESUME_NOT
	    : words_each(prompt, len, names_work, &v) != 0 ? RESUME_NAMED
							    : RESUME_LAST;
}
