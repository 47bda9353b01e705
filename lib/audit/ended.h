/*
 * ended.h: whether a sentence that was said later tells that what a claim says holds no longer: "we
 * dropped Redis", "the choir is no more", "she has left the team", "we moved off AWS".
 */
#ifndef AUDIT_ENDED_H
#define AUDIT_ENDED_H

#include "audit/claim.h"

/*
 * claim: the words of c. A question ends nothing, and is not to be given. Cost: some 50
 * microseconds a sentence.
 */
bool ended_by(const struct claim *c, const struct said *claim, const char *sentence, size_t len);

/* The next part of a sentence: up to a comma, a colon, a semicolon, "and" or "but". */
struct ended_part { const char *text; size_t len; };
struct ended_part ended_next_part(const char **at, const char *end);

/* Reads a text without its words of time: "I left the choir last month" speaks of no month. */
void ended_read_untimed(struct said *s, const char *text, size_t len);

#endif
