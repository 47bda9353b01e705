/*
 * ambiguity.h: finds words that mean nothing without what was said before: pronouns,
 * demonstratives, "the second one", "there", "what else", 他, 那个.
 */
#ifndef TEXT_AMBIGUITY_H
#define TEXT_AMBIGUITY_H

#include "base/base.h"

enum ambiguity_kind {
	AMBIGUITY_IT,              /* it, its, 它 */
	AMBIGUITY_THEY,            /* they, them, their, 它们, 他们 */
	AMBIGUITY_PERSON,          /* he, she, his, her, 他, 她 */
	AMBIGUITY_THIS,            /* this, these, those, 这, 这个, 那些 */
	AMBIGUITY_THAT,            /* that, but not "the house that burnt" */
	AMBIGUITY_ONE,             /* one, ones, but not "one of" or a number */
	AMBIGUITY_THERE,           /* there, but not "there is"; 那里, 这儿 */
	AMBIGUITY_SAME,            /* same, such, similar, 同样 */
	AMBIGUITY_OTHER,           /* other, else, another, instead, 别的, 其他 */
	AMBIGUITY_MORE,            /* more, also, too, 还有, 也 */
	AMBIGUITY_BOTH,            /* both, either, neither, 两个 */
	AMBIGUITY_ORDER,           /* former, latter, previous, the first, the second, 第一个, 后者 */
	AMBIGUITY_TIME,            /* then, afterwards, before that, 当时, 后来 */
	N_AMBIGUITIES
};

extern const char *const ambiguity_names[N_AMBIGUITIES];       /* "it", "they" ... */

struct ambiguity {
	enum ambiguity_kind kind;
	uint32_t start, end;       /* bytes of the text */
};

/*
 * Finds these words in the order of the text, at most max; returns how many. Cost: linear; one
 * look-up in a table for each word.
 */
size_t ambiguity_find(const char *text, size_t len, struct ambiguity *out, size_t max);

#endif
