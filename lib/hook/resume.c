/* resume.c: a word that is part of no cue, and no stop word, names the work. */
#include "hook/resume.h"

#include "statement/cues.h"
#include "text/words.h"

#define CUES_MOST 64

struct covered { struct cue cues[CUES_MOST]; size_t n; };

static void
cover(struct covered *v, const struct cues *cues, const char *prompt, size_t len)
{
	v->n = MIN(cues_find(cues, prompt, len, v->cues, CUES_MOST, NULL), (size_t)CUES_MOST);
}

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

static bool
has_class(const struct covered *v, const struct cues *cues, const char *name)
{
	int class = cues_class(cues, name);

	for (size_t i = 0; i < v->n; i++)
		if (class >= 0 && v->cues[i].class == (unsigned)class)
			return true;
	return false;
}

enum resume
resume_asked(const char *prompt, size_t len)
{
	const struct cues *cues = cues_of("schema/cues/resume.txt");
	struct covered v;
	bool named;

	if (cues == NULL)
		return RESUME_NOT;
	cover(&v, cues, prompt, len);
	named = words_each(prompt, len, names_work, &v) != 0;
	if (has_class(&v, cues, "resume"))
		return named ? RESUME_NAMED : RESUME_LAST;
	if (!has_class(&v, cues, "open"))
		return RESUME_NOT;
	return !named ? RESUME_OPEN : has_class(&v, cues, "to_do") ? RESUME_TODO : RESUME_NOT;
}

/* ---- whether a text is of the work ---- */

struct shared { struct covered covered; const char *text; size_t len, n, has; uint64_t hash; };

static int
is_word(void *arg, const struct word *w)
{
	const struct shared *v = arg;

	return w->hash == v->hash;
}

static int
count_name(void *arg, const struct word *w)
{
	struct shared *v = arg;

	if (names_work(&v->covered, w) == 0)
		return 0;
	v->n++;
	v->hash = w->hash;
	v->has += words_each(v->text, v->len, is_word, v) != 0;
	return 0;
}

size_t
resume_names(const char *prompt, size_t prompt_len, const char *text, size_t len, size_t *n)
{
	const struct cues *cues = cues_of("schema/cues/resume.txt");
	struct shared v = { .text = text, .len = len };

	if (cues != NULL) {
		cover(&v.covered, cues, prompt, prompt_len);
		words_each(prompt, prompt_len, count_name, &v);
	}
	*n = v.n;
	return v.has;
}
