/*
 * about_item.h: what the user wrote about themselves, as an item of a context block.
 */
#ifndef CONTEXT_ABOUT_ITEM_H
#define CONTEXT_ABOUT_ITEM_H

#include "context/context.h"

/*
 * Puts it in front of all others, where the user agrees to its use (store/about.h), in a tenth of
 * the budget: the fields that fit. To be called first. What is in the block is in the arena.
 */
int about_item(struct store *s, const struct scope *who, struct context *c, struct arena *a,
	struct err *err);

#endif
