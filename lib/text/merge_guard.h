/*
 * merge_guard.h: what keeps two texts that look alike from being one: they differ in something that
 * a likeness does not weigh.
 */
#ifndef TEXT_MERGE_GUARD_H
#define TEXT_MERGE_GUARD_H

#include "base/base.h"

/*
 * NULL: nothing speaks against it. Else what differs, in a word: "numbers" (digits, number words),
 * "identifiers", "negations" (not, never, formerly, 不 ...), "names" (capitalised words), "words"
 * (each text has a word that the other lacks, other than as a slip of spelling; function words
 * count where they are opposites: before and after, he and she). "order" (the words that both have
 * stand in another order, or "by" in one alone: who does what to whom, from where to where; unless
 * only a part that may stand in front or behind has moved, or both sides of an "is" have changed
 * places). Hours before and after noon are numbers. A text that only has words besides is no other
 * one. Cost: linear, but for a look-up of each word in the other text.
 */
const char *merge_guard(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * NULL: what the claim says is in the source, as far as machines see: every number, identifier and
 * capitalised word of it stands there (who, "" or a name, may stand in the claim besides), and it
 * has as many negations as the quote. Else what does not, as above.
 */
const char *merge_guard_claim(const char *claim, size_t claim_len, const char *quote,
	size_t quote_len, const char *source, size_t source_len, const char *who);

/*
 * A whole that stands for text in keys and tests of sameness: folded, white space as one space, no
 * white space or sentence end around it. The caller frees.
 */
char *merge_guard_plain(const char *text, size_t len, size_t *out_len);

#endif
