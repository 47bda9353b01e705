/*
 * postings_text.h: makes the segment of one large text, in memory that does not grow with its
 * number of distinct terms.
 */
#ifndef INDEX_POSTINGS_TEXT_H
#define INDEX_POSTINGS_TEXT_H

#include "index/postings.h"
#include "index/turn_features.h"

/* A text of more bytes than this is indexed by itself. */
#define LARGE_TEXT_BYTES (256u << 10)

struct postings_text;

/*
 * Reads text [len], which is borrowed and ends in NUL. at_once is about how many bytes of terms are
 * held at a time; 0: 24 MB, or half of len when that is more. Cost: one pass over the words.
 */
struct postings_text *postings_text_read(const char *text, size_t len, size_t at_once);
void postings_text_free(struct postings_text *t);
/* The card of the text: the fields that depend on it; the others are 0. */
const struct card *postings_text_card(const struct postings_text *t);
/*
 * Writes the segment, with the same bytes as postings_finish for this text alone. To be called
 * once. Cost: a further pass over the words for each at_once bytes of distinct terms (some forty
 * each), or none if there are fewer.
 */
int postings_text_finish(struct postings_text *t, int64_t row, unsigned flags, unsigned role,
	uint8_t kind, const struct postings_sink *to, struct postings_meta *meta, struct err *err);

#endif
