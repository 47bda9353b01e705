/* histories.h: what the agents of this machine have written down. */
#pragma once

#include "ingest/ingest.h"
#include "setup/agent.h"

struct history {
	uint64_t files, sessions, messages;
	uint64_t new;              /* of the messages: stored now, or to be stored */
	uint64_t unread;           /* faults: lines and files that could not be taken */
	int64_t from, to;          /* TIME_NONE: no message has a time */
	char fault[512];           /* the first of them */
};

/*
 * Reads an agent's histories. s NULL, or looks: it only counts; else what is new is stored, and
 * sessions, from and to are those of what is new. Errors are those of the store; an agent without
 * histories has nothing. progress is called now and then.
 */
int history_read(const struct agent *a, struct store *s, bool looks, const char *user,
	void (*progress)(void *arg, const struct ingest_counts *c),
	const volatile sig_atomic_t *stop, struct history *h, struct err *err);
