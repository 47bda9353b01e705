/*
 * chunks_again.h: messages cut into chunks again, and compared with the chunks that are stored.
 */
#pragma once

#include "store/store.h"

/*
 * Calls fn with each message of the scope whose stored chunks are others than today's; *n receives
 * how many messages were cut. Cost: reads all messages.
 */
int chunks_again(struct store *s, const struct scope *who, message_fn *fn, void *arg, size_t *n,
	struct err *err);
