/*
 * ingest_notices.h: what is told of messages as they were stored, or were not. Private to
 * lib/ingest/ingest_*.c.
 */
#pragma once

#include "ingest/ingest_load.h"

/* Those of one input. */
struct notice { struct buf input, lines; uint64_t n; };
struct notices {
	const struct ingest_out *out;
	struct notice differing, timeless;
};

void notices_init(struct notices *n, const struct ingest_out *out);
void notices_release(struct notices *n);
/* It is stored with other words. */
void notices_differ(struct notices *n, const struct item *it);
/* It has no time, as its date is none. */
void notices_timeless(struct notices *n, const struct item *it);
/* Tells what is still to be told. */
void notices_end(struct notices *n);
/* Tells of one alone. */
void notice_of(const struct ingest_out *out, const struct item *it, const char *why);
