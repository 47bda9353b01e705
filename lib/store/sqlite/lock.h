/*
 * lock.h: the lock beside the file that puts writers in a queue. Private to lib/store/sqlite.
 */
#ifndef STORE_SQLITE_LOCK_H
#define STORE_SQLITE_LOCK_H

#include "store/sqlite/db.h"

/*
 * Takes flock(LOCK_EX) on FILE.lock, waiting up to the setting "wait" when wait is true. ERR_BUSY when it is not to be had.
 * Taken again by its holder it is counted, and dropped by the last lock_drop.
 * The kernel drops it when the process dies.
 */
int lock_take(struct store *s, bool wait, struct err *err);
void lock_drop(struct store *s);
/* The holder says, to those who give up waiting, why it takes long: the store is being ... ("repaired"); a word of lower-case letters. */
void lock_note(struct store *s, const char *doing);

#endif
