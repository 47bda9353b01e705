/*
 * embed_lock.h: lets only one process at a time embed what a user lacks; two would do the same work
 * twice.
 */
#ifndef EMBED_EMBED_LOCK_H
#define EMBED_EMBED_LOCK_H

#include "base/err.h"

struct embed_lock;

/*
 * Opens FILE.embed beside the store's FILE; it is created with mode 0600 and stays empty. ERR_PERM,
 * ERR_IO.
 */
int embed_lock_open(const char *store_path, struct embed_lock **out, struct err *err);
void embed_lock_close(struct embed_lock *l);

/*
 * Takes the lock of a key (a user and a set) without waiting. *taken false: another process has it.
 * The kernel releases it when the process dies.
 */
int embed_lock_take(struct embed_lock *l, uint64_t key, bool *taken, struct err *err);
void embed_lock_drop(struct embed_lock *l);

#endif
