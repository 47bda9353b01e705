/*
 * people.h: who is meant by --name, --mine and --role user.
 */
#ifndef RECORDS_PEOPLE_H
#define RECORDS_PEOPLE_H

#include "records/filter.h"
#include "records/named.h"

/*
 * Completes a filter that filter_parse read, with the names of who has spoken in this memory. A
 * name is that of one person; where nobody is called exactly so, letters of either case count as
 * the same and part of a name will do, from the beginning of a word on, and all whom it fits are
 * meant. Where the setting "me" says who the owner is, role user is what the owner said, and the
 * owner also said what a user without a name did. no_person is told that nobody is called so, and
 * who there is; note, who is meant where that is not who was named. ERR_USAGE: --mine, and the
 * setting is empty.
 */
int filter_people(struct store *s, const struct scope *who, const struct filter_words *w,
	struct message_filter *f, scope_told_fn *no_person, scope_told_fn *note, struct arena *a,
	struct err *err);
/* ERR_NOINPUT, with those whom the name may mean: nobody who ever spoke is called exactly so. */
int person_named(struct store *s, const struct scope *who, const char *name, struct arena *a,
	struct err *err);

#endif
