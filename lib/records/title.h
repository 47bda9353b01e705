/*
 * title.h: what a session is called wherever a person reads of it.
 */
#ifndef RECORDS_TITLE_H
#define RECORDS_TITLE_H

#include "store/store.h"

#define TITLE_BYTES 200

/*
 * The title of a session: its own, else how its summary begins, else the first line of its user
 * that has words, else anybody's, else what the first tools that were called did, else its name.
 * One line, in the arena. Cost: a look-up, and the first messages are read.
 */
int session_title(struct store *s, const struct scope *who, const struct session *v,
	struct arena *a, const char **title, struct err *err);

#endif
