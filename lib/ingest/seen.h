/*
 * seen.h: a table by hash: what mem-ingest remembers of a session, or that a message was there. At 64 bits two of a million keys are the
 * same once in forty million runs.
 */
#ifndef INGEST_SEEN_H
#define INGEST_SEEN_H

#include "base/base.h"

struct place {
	uint64_t key;              /* 0: empty */
	uint64_t next;             /* of a session: the place of its next message in the input */
	uint32_t input;            /* that next belongs to */
	bool counted;
};

struct places {
	struct place *slots;       /* open addressing, [cap], a power of two */
	size_t n, cap;
};
#define PLACES_INIT { NULL, 0, 0 }

/* The place of a key, made with all else 0 when there is none. Borrowed until the next call. */
struct place *places_at(struct places *p, uint64_t key);
void places_release(struct places *p);

#endif
