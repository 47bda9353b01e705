/*
 * named.h: records and sessions as people name them: by the number of a line of the last list, by
 * the end of an id, by how the name of a session begins, by its day, or by words of its title.
 */
#pragma once

#include "base/arena.h"
#include "store/store.h"

#define ID_FIRST 8                         /* an id is known by so many first characters ... */
#define ID_LAST  4                         /* ... or by so many last ones, or more */

/*
 * Sets *id to the id in the user's memory that text means: of "@N" that of the line N of the last
 * list on this terminal, else the only one that begins or ends in text. What is none of these stays
 * as it is, and s may be NULL. ERR_NOINPUT: no line of that number; ERR_DATA: several ids end so,
 * which are named, or one begins or ends so and a session is called so, too. Cost: where none
 * begins so, all ids of the user are read.
 */
int id_named(struct store *s, const struct scope *who, const char *text, struct arena *a,
	const char **id, struct err *err);

/*
 * Sets *out to the session in the scope that name means: the one of that name, that of "@N", else
 * the only one whose name begins so, else of the time that it names ("last tuesday"), else whose
 * title has all its words. NULL: there is none. ERR_DATA: more than one fits, and the newest of
 * them are named.
 */
int session_named(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const struct session **out, struct err *err);

/*
 * Sets the project (project_in) and the session of the scope to those that are meant. That there is
 * nothing of a user that an option names is only told, to no_project; so is that there is no such
 * session, to no_session, with the newest ones that there are.
 */
typedef void scope_told_fn(void *arg, const char *text);
int scope_in(struct store *s, struct scope *who, scope_told_fn *no_project,
	scope_told_fn *no_session, struct arena *a, struct err *err);

/* The ids of a user's messages and records, for ends that are of one alone. */
struct id_ends { char (*ids)[ID_TEXT]; size_t n; bool read; };

/*
 * The end of an id that no other id of the user has, five characters or more, in the id itself; in
 * a memory so large that reading all ids would be waited for, ten, which others hardly have. ends
 * begins as { NULL, 0, false } and is freed by id_ends_free. A store that cannot be read gives the
 * whole id.
 */
const char *id_end(struct id_ends *ends, struct store *s, const struct scope *who, const char *id);
void id_ends_free(struct id_ends *ends);
