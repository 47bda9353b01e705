/* about_item.h: what the user wrote about themselves, as one item of a context block. */
#pragma once

#include "context/context.h"

/*
 * Adds it in front of all other items, where the user has consented to its use (store/about.h),
 * with as many fields as fit into a tenth of the budget. To be called before anything else is
 * added. Its texts are allocated in a.
 */
int about_item(struct store *s, const struct scope *who, struct context *c, struct arena *a,
	struct err *err);
