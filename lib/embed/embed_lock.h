/*
 * embed_lock.h: one process at a time embeds what a user lacks; two would only do the same work
 * twice.
 */
#ifndef EMBED_EMBED_LOCK_H
#define EMBED_EMBED_LOCK_H

#include "base/err.h"

struct embed_lock;

/* On FILE.embed beside the store's FILE, made 0600; it holds nothing. ERR_PERM, ERR_IO. */
int embed_lock_open(const char *store_path, struct embed_lock **out, struct err *err);
void embed_lock_close(struct embed_lock *l);

/*
 * Takes the lock of a key (a user and a set). *taken false: another process has it. The kernel
 * drops it when the process dies.
 */
int embed_lock_take(struct embed_lock *l, uint64_t key, bool *taken, struct err *err);
void embed_lock_drop(struct embed_lock *l);

#endif
