/*
 * details.h: what a shorter text must not lose: names, numbers and dates; and sets of words, to see
 * what another text has.
 */
#ifndef TEXT_DETAILS_H
#define TEXT_DETAILS_H

#include "base/base.h"

enum detail_kind { DETAIL_NAME, DETAIL_NUMBER, DETAIL_DATE };

struct detail { enum detail_kind kind; size_t start, len; };   /* bytes of the text */

/*
 * In order: names are capitalised words inside a sentence, one after the other, and identifiers;
 * numbers words with a digit, with their sign of money; dates what timewords.h finds. A name that
 * only begins sentences is not told from a word. fn returns 0 to go on; anything else stops.
 */
typedef int detail_fn(void *arg, const struct detail *d);
void details_each(const char *text, size_t len, detail_fn *fn, void *arg);

/* ---- words of texts, as search has them ---- */
struct term_set { uint64_t *hashes; size_t n, cap; };          /* zeros: empty */
void term_set_add(struct term_set *t, const char *text, size_t len);
/*
 * All words of text are in it; stop words count only where there are no others. Text without words:
 * true.
 */
bool term_set_has(const struct term_set *t, const char *text, size_t len);
/* One thing by its hash: true the first time. */
bool term_set_first(struct term_set *t, uint64_t hash);
void term_set_release(struct term_set *t);

#endif
