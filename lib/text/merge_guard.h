/*
 * merge_guard.h: guards against merging two texts that a similarity of vectors or letters takes for
 * the same, although they differ in a number, a name, a negation or the like.
 */
#ifndef TEXT_MERGE_GUARD_H
#define TEXT_MERGE_GUARD_H

#include "base/base.h"

/*
 * Returns NULL when nothing forbids merging, else what differs:
 *
 *	"numbers"      digits, number words; hours before and after noon differ
 *	"identifiers"
 *	"negations"    not, never, formerly, 不 ...
 *	"names"        capitalised words
 *	"words"        each text has a word that the other lacks, other than a misspelt one;
 *	               function words count where they are opposites: before and after, he and she
 *	"order"        the words that both have are in another order, or only one has "by": who
 *	               does what to whom, from where to where. A phrase that may stand in front
 *	               or behind may move, and so may both sides of an "is".
 *
 * A text that merely has additional words does not differ. Cost: linear, plus a look-up of each
 * word in the other text.
 */
const char *merge_guard(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * Returns NULL when the source supports the claim as far as this can be checked: it has every
 * number, identifier and capitalised word of the claim, except those of who ("" or a name), and the
 * claim has as many negations as the quote. Else what differs, as above.
 */
const char *merge_guard_claim(const char *claim, size_t claim_len, const char *quote,
	size_t quote_len, const char *source, size_t source_len, const char *who);

/*
 * Returns the text in the form used for keys and for comparing: folded, with single spaces, without
 * white space or sentence end around it. The caller frees it.
 */
char *merge_guard_plain(const char *text, size_t len, size_t *out_len);

#endif
