/*
 * seen.h: a hash table of what mem-ingest has met: sessions, with the place of their next message,
 * or messages. With keys of 64 bits two of a million are equal once in forty million runs.
 */
#ifndef INGEST_SEEN_H
#define INGEST_SEEN_H

#include "base/base.h"

struct seen_key {
	uint64_t key;              /* 0: empty */
	uint64_t next;             /* of a session: the place of its next message in the input */
	uint32_t input;            /* the input that next belongs to */
	bool counted;
};

struct seen {
	struct seen_key *slots;       /* [cap], a power of two */
	size_t n, cap;
};
#define SEEN_INIT { NULL, 0, 0 }

/* The entry of a key, made with all else 0 when there is none. Borrowed until the next call. */
struct seen_key *seen_at(struct seen *p, uint64_t key);
void seen_release(struct seen *p);

#endif
