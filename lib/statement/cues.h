/*
 * cues.h: classes of words that tell what kind of sentence one reads ("allergic", "no longer",
 * 搬到), in several languages at once: of a text of schema/cues cues.awk makes a table at build.
 *
 *	# a comment
 *	class first            a name, and behind it whatever the reader of the class wants to know
 *		i me my        words, each with blanks around it
 *		from_now_on    "_" stands for a blank: at most CUE_WORDS words together
 *		wohn*          any ending
 *		我们            Chinese needs no blanks around it
 *
 * Case and accents do not count. Of Chinese cues that overlap, all are found.
 */
#pragma once

#include "base/base.h"

#define CUE_WORDS   5
#define CUE_CLASSES 192

struct cue_class {
	const char *name, *rest;               /* rest: what follows the name on its line, or "" */
};

struct cues;

/* The classes of a file ("schema/cues/statement.txt"); NULL: there is none. */
const struct cues *cues_of(const char *name);
/* Another one when a cue, or what is to be known of a class, is another. */
uint64_t cues_hash(const struct cues *c, uint64_t seed);
/* [*n], in the order of the text. */
const struct cue_class *cues_classes(const struct cues *c, size_t *n);
/* The number of the class of that name; -1: there is none. */
int cues_class(const struct cues *c, const char *name);

/* The i-th word or phrase of a class, folded; NULL: it has no more. Cost: linear in the file. */
const char *cues_word(const struct cues *c, unsigned class, size_t i);

struct cue {
	unsigned class;
	unsigned at;                           /* the word of the text, from 0 */
	size_t start, len;                     /* bytes of the text */
};

static inline size_t
cue_end(const struct cue *cue)
{
	return cue->start + cue->len;
}

/*
 * Finds cues in text [len], in the order of their starts: at most max go to out. Returns how many.
 * *n_words, if not NULL, receives the number of words; a Chinese character counts as one.
 */
size_t cues_find(const struct cues *c, const char *text, size_t len, struct cue *out,
	size_t max, unsigned *n_words);

/* Whether a text has a cue of a class of that file; class NULL: of any. */
bool cues_has(const char *name, const char *class, const char *text, size_t len);

/* The cues of a text, to be asked for by the names of their classes. */
#define CUES_KEPT 192
struct cue_text {
	const struct cues *of;
	struct cue cues[CUES_KEPT];
	size_t n;
};

void cue_text_read(struct cue_text *t, const char *name, const char *text, size_t len);
bool cue_text_is(const struct cue_text *t, const struct cue *cue, const char *class);
/* The first at or behind byte `from`, of those that begin there the longest; NULL: none. */
const struct cue *cue_text_find(const struct cue_text *t, const char *class, size_t from);
