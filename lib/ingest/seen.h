/*
 * seen.h: a table by hash: what mem-ingest remembers of a session, or that a message was there. At
 * 64 bits two of a million keys are the same once in forty million runs.
 */
#ifndef INGEST_SEEN_H
#define INGEST_SEEN_H

#include "base/base.h"

struct seen_key {
	uint64_t key;              /* 0: empty */
	uint64_t next;             /* of a session: the place of its next message in the input */
	uint32_t input;            /* that next belongs to */
	bool counted;
};

struct seen {
	struct seen_key *slots;       /* open addressing, [cap], a power of two */
	size_t n, cap;
};
#define SEEN_INIT { NULL, 0, 0 }

/* The place of a key, made with all else 0 when there is none. Borrowed until the next call. */
struct seen_key *seen_at(struct seen *p, uint64_t key);
void seen_release(struct seen *p);

#endif
