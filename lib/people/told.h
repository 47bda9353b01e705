/* told.h: one message, session, record or category as people see it on a terminal, whole. */
#pragma once

#include "search/handed_hits.h"
#include "store/categories.h"
#include "store/records.h"

/*
 * asked: the message itself was asked for, not one that stands near it; importance: of 1, and
 * because of what; 0: nothing is told of it.
 */
void told_message(const struct message *m, bool asked, double importance, const char *because);
/* Prints what a session is; title: as named, or by its words. */
void told_session(const struct session *v, const char *title);
/* Prints what was handed out: the search, and the rank. */
void told_answer(const struct why *w);
/*
 * Prints the same, with the reasons for the rank and how what else there was begins, which is read
 * from s; a: room to read it.
 */
void told_why(struct store *s, const struct scope *who, const struct why *w, struct arena *a);
/*
 * Prints a fact, note or summary; quotes: [n_sources] what it quotes of each, or NULL; n_stale: how
 * much was said since; later: what was said later of a decision, or "".
 */
void told_known(const struct fact *f, const char *later, const char *const *quotes,
	int64_t n_stale);
/* Prints a step in the history of a record, and how the record was worded before. */
void told_step(const struct step *v);
void told_before(const char *said);
void told_category(const struct category *c);
