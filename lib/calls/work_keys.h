/*
 * work_keys.h: what a message is found by in the lists of work: numbers made of the last part of
 * each path, the name of each program and each error, so that the lists hold no words. What is
 * found by one is read again: numbers of 48 bits may be equal by chance.
 */
#pragma once

#include "base/arena.h"

enum work_kind { WORK_FILE = 1, WORK_COMMAND, WORK_ERROR };

#define WORK_KEYS_MOST 64          /* of one message */
#define WORK_HASH_BITS 48

/* The number of a path's last part, a program's name, or an error as error_norm gives it. */
uint64_t work_key(enum work_kind kind, const char *text);
static inline enum work_kind
work_key_kind(uint64_t key)
{
	return (enum work_kind)(key >> WORK_HASH_BITS);
}

/*
 * Those of a message, each once; *n of at most WORK_KEYS_MOST. calls: its tool_calls, or NULL.
 * is_result: its text is what a tool gave; then extra is as of outcome_read. The arena is for what
 * is read on the way.
 */
struct work_text { const char *calls, *text, *extra; size_t text_len; bool is_result; };
void work_keys_read(const struct work_text *m, struct arena *a, uint64_t *keys, size_t *n);
