/*
 * postings_text.h: the segment of one large text, in memory that does not grow with its number of
 * distinct terms.
 */
#ifndef INDEX_POSTINGS_TEXT_H
#define INDEX_POSTINGS_TEXT_H

#include "index/postings.h"
#include "index/turn_features.h"

/* A text of more bytes than this is indexed by itself. */
#define LARGE_TEXT_BYTES (256u << 10)

struct postings_text;

/*
 * Reads text [len], which is borrowed and ends in NUL. at_once: how many bytes of terms are held at
 * a time, about; 0: 24 MB, or half of len when that is more. Cost: one pass over the words.
 */
struct postings_text *postings_text_read(const char *text, size_t len, size_t at_once);
void postings_text_free(struct postings_text *t);
/* What the text says of it; the rest is 0. */
const struct card *postings_text_card(const struct postings_text *t);
/*
 * Writes the segment, the same as postings_finish would of this text alone. Cost: a further pass
 * over the words for each at_once bytes of distinct terms (some forty each); none when there are
 * fewer. Called once.
 */
int postings_text_finish(struct postings_text *t, int64_t row, unsigned flags, unsigned role,
	uint8_t kind, const struct postings_sink *to, struct postings_meta *meta, struct err *err);

#endif
