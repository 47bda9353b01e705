/* hook_forget.h: what was removed for good is not named in the log of mem-hook either. */
#pragma once

#include "store/prune.h"

/* Lines of a user that go besides: of a project by any of its names [n], or all. */
struct hook_besides { const char *user, **names; size_t n; bool all; };

/*
 * Blanks the lines of the log that name a session which was removed from the store for good and is
 * not here again, and those that say that anything which was removed was given, for the hash of its
 * text stands beside it; of all users, whoever removed it and when: another program, one that was
 * killed, or, of a store on a server, one on another machine. besides: NULL none. *n: so many
 * lines; may be NULL. ERR_IO. Cost: the log is read, 2 MB at most.
 */
int hook_forget(struct store *s, const struct hook_besides *besides, size_t *n, struct err *err);

/*
 * The same at the end of a program that has no store open, for what was removed while it ran, or
 * before by a program that was killed. What cannot be done now is done by the next one.
 */
void hook_forget_late(const char *db);

/*
 * The same from now on before each commit of the store in which something was removed for good, so
 * that a kill leaves nothing in the log. What cannot be written then is left to hook_forget, which
 * is to be called behind the commit, too: a hook may have told what it read before it. besides:
 * borrowed.
 */
void hook_forget_with(struct store *s, const struct hook_besides *besides);
