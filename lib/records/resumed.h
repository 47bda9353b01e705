/*
 * resumed.h: the session to go on with where nobody names one.
 */
#pragma once

#include "base/arena.h"
#include "store/store.h"

/* What the session's metadata has under key: "host", "cwd"; "": nothing, or it cannot be read. */
const char *session_told(const struct session *v, const char *key, struct arena *a);

/*
 * Fills found with the newest sessions, *n at most, and sets *n to how many there are: those that
 * agents held in the project, else that anybody did, as what people said to each other is nobody's
 * work; where the project has none, or there is no project ("", NULL), the same of all that the
 * scope has. No documents. Whoever goes on without being told with what asks this.
 */
int sessions_to_resume(struct store *s, const struct scope *who, const char *project,
	const struct session **found, size_t *n, struct arena *a, struct err *err);
