/*
 * important.h: marks messages as important. A message is never changed: the mark is a note that
 * rests on it, with the tag "important", protected from being pruned; taking the note back takes
 * the mark back.
 */
#pragma once

#include "facts/fact_record.h"

#define IMPORTANT_TAG "important"

/* Whether a record, taken back or not, is the mark of a message that it rests on. */
bool important_is_mark(const struct fact *f);

/*
 * Marks the messages ids [n] (in any form that messages_find accepts), if all are there, and
 * calls fn with the note of each after the commit; of one that is marked already, with the note
 * that it has. ERR_NOINPUT: there is no such message.
 */
int important_mark(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	bool keep_secrets, fact_fn *fn, void *arg, struct err *err);
