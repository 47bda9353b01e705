/*
 * summary_topics.h: what a talk of several people is about, in phrases of its own: people begin a
 * meeting with greetings, so its first line is no title (records/title.h).
 */
#pragma once

#include "summary/summary.h"

struct summary_topics;

/* S is borrowed. */
struct summary_topics *summary_topics_new(struct store *s, const struct scope *who);
void summary_topics_free(struct summary_topics *v);

/*
 * Adds topics to the extra of what was made of said [n], messages of a session: the phrases that
 * many of its messages have and few others that the user stored last, where two people or more
 * speak in it by their names and there are at least two such phrases. Cost: 20 ms; a talk of an
 * agent and its user nothing.
 */
int summary_topics_find(struct summary_topics *v, const char *session,
	const struct summary_said *said, size_t n, struct arena *a, struct summary_made *made,
	struct err *err);

/* Adds those of an older summary's that said [n] still has, word for word. */
void summary_topics_keep(const char *older_extra, const struct summary_said *said, size_t n,
	struct arena *a, struct summary_made *made);
