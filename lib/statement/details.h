/*
 * details.h: finds what a shortened text must not lose: names, numbers and dates. Also sets of
 * words, to test what another text has.
 */
#pragma once

#include "base/base.h"

enum detail_kind { DETAIL_NAME, DETAIL_NUMBER, DETAIL_DATE };

/* start and len are bytes of the text */
struct detail { enum detail_kind kind; size_t start, len; };

/*
 * Finds details in order. Names are consecutive capitalised words inside a sentence, and
 * identifiers; numbers are words with a digit, with their currency sign; dates are what timewords.h
 * finds. A name that only ever begins sentences is missed, since it looks like any word. fn returns
 * 0 to continue; any other value stops.
 */
typedef int detail_fn(void *arg, const struct detail *d);
void details_each(const char *text, size_t len, detail_fn *fn, void *arg);

/* ---- words of texts, as search has them ---- */
struct term_set { uint64_t *hashes; size_t n, cap; };          /* all zeros: an empty set */
void term_set_add(struct term_set *t, const char *text, size_t len);
/*
 * Whether the set has all words of text; stop words count only where there are no others. True for
 * a text without words.
 */
bool term_set_has(const struct term_set *t, const char *text, size_t len);
/* Adds a hash; true when it was not in the set. */
bool term_set_first(struct term_set *t, uint64_t hash);
void term_set_release(struct term_set *t);
