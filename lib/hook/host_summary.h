/*
 * host_summary.h: what a host's own summary of a shortened conversation says, read from the end of
 * the session's transcript.
 */
#pragma once

#include "base/arena.h"

struct host_summary {
	const uint64_t *words;     /* [n] hashes, sorted */
	size_t n;                  /* 0: there is no summary */
};

/* The last summary in the transcript; what cannot be read has none. Cost: a megabyte is read. */
void host_summary_read(const char *transcript, struct host_summary *out, struct arena *a);

/* Whether the summary has nearly all words of the text, and all its numbers. */
bool host_summary_says(const struct host_summary *s, const char *text, size_t len);
