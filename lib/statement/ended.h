/*
 * ended.h: whether a statement says that what an older one says holds no longer, and names what
 * ended: "we dropped Redis", "the choir is no more", "I don't drive any more", "stand-up moved to
 * 9:15" (schema/cues/ends.txt, in seven languages).
 *
 * Nothing is ended by a guess: "I moved to Berlin" and "my new address is near Tempelhof" may both
 * hold. This is the one place that says so, for what is remembered and for what is audited.
 */
#ifndef STATEMENT_ENDED_H
#define STATEMENT_ENDED_H

#include "statement/likeness_words.h"

/*
 * Whether a sentence, or several, that one and the same person says later ends the older one. Of
 * what is supposed or denied nothing ends. It is for a finding that a person looks at: whether both
 * are about the same is for the caller to know. claim: the older one, read of text. Cost: some 50
 * microseconds a sentence.
 */
bool ended_by(const struct said *claim, const char *text, size_t text_len, const char *sentence,
	size_t len);

/*
 * The same of two texts of which nothing else is known, and for good: both must be their author's
 * own words and about the same, the newer one must ask and wish for nothing, and the older one must
 * say little else.
 */
bool ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len);

/* The next part of a sentence: up to a comma, a colon, a semicolon, "and" or "but". */
struct ended_part { const char *text; size_t len; };
struct ended_part ended_next_part(const char **at, const char *end);

#endif
