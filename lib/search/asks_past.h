/* asks_past.h: whether a question is of what was once. */
#ifndef SEARCH_ASKS_PAST_H
#define SEARCH_ASKS_PAST_H

#include "base/base.h"

/* By its words: "used to", "vorher", "last week". Cost: some 100 microseconds. */
bool asks_past(const char *text, size_t len);

#endif
