/*
 * context_text.h: stored text made fit to stand in a block for a prompt: nothing hidden, nothing
 * that drives a terminal, no fence of ours, and no line of it that could pass for another item.
 */
#ifndef CONTEXT_CONTEXT_TEXT_H
#define CONTEXT_CONTEXT_TEXT_H

#include "base/buf.h"

enum context_lines {
	CONTEXT_ONE_LINE,          /* white space runs become one space: names */
	CONTEXT_PROSE,             /* blank lines go */
	CONTEXT_CODE               /* lines stay as they are */
};

/*
 * Appends text, trimmed. Characters that are unsafe (base/utf8.h) and variation selectors are
 * dropped, terminal colours (ESC "[" ... letter) whole; each line but the first starts with a space
 * more, so that none begins where an item does. The "<" of <mem-context and </mem-context, in any
 * case, with blanks or signs between the letters, and of their lookalikes, becomes "&lt;". scratch
 * is overwritten.
 */
void context_clean(struct buf *out, const char *text, size_t len, enum context_lines lines,
	struct buf *scratch);

/*
 * A stretch of text of at most max_chars code points, cut at words, that has most of the places [n]
 * (byte offsets, ascending, with weights) in it; begun a little before the first of them. No
 * places: the beginning.
 */
struct context_place { uint32_t at; uint16_t term; float weight; };
void context_excerpt(const char *text, size_t len, const struct context_place *places, size_t n,
	size_t max_chars, size_t *start, size_t *n_bytes);

/* The end of text, at most max_chars code points, begun at a word. Returns where it starts. */
size_t context_tail(const char *text, size_t len, size_t max_chars);

#endif
