/*
 * section.h: the section of ours in a text of the user's. Pure: text in, text out.
 *
 *	<mem-context section="9f86d081884c7d65.60303ae22b998861.1" note="...">
 *
 *	- We use pnpm here.
 *
 *	</mem-context>
 *
 * It is one of the blocks that all that reads for mem leaves out (clean/context_guard.h), so it is
 * never taken for somebody's words. Its first line has the hash of what stands in it, by which one
 * is told that somebody has edited; the hash of whose it is; and how many ends of lines were put
 * before it. Where lines end with "\r\n" in the text, those of the section do.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct section {
	size_t start, end;         /* bytes of the text; start == end: there is none */
	uint64_t of;               /* whose it is */
	unsigned n_before;         /* ends of lines that are ours before it */
	bool edited;
};

/* ERR_DATA: one has no end, or there are two. */
int section_find(const char *text, size_t len, struct section *out, struct err *err);

/* Appends the text with a section of that body, lines, in place of the one that was found in it. */
void section_put(const char *text, size_t len, const struct section *was, const char *body,
	uint64_t of, struct buf *out);

/* Appends the text without the section: as it was before, where nothing else changed. */
void section_take(const char *text, size_t len, const struct section *s, struct buf *out);
