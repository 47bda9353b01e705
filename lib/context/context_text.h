/*
 * context_text.h: makes stored text safe to stand in a block for a prompt: no hidden characters, no
 * terminal sequences, no fence of ours or of a host, and no line that could pass for another item.
 */
#pragma once

#include "base/buf.h"
#include "text/words.h"

enum context_lines {
	CONTEXT_ONE_LINE,          /* every run of white space becomes one space; for names */
	CONTEXT_PROSE,             /* blank lines are removed */
	CONTEXT_CODE               /* lines stay as they are */
};

/*
 * Appends text, trimmed. Drops characters that are unsafe (base/utf8.h), variation selectors, and
 * terminal colours (ESC "[" ... letter) as a whole. Each line but the first is indented by one
 * space more, so that none begins where an item does. Fences are made harmless
 * (clean/context_fences.h). scratch is overwritten.
 */
void context_clean(struct buf *out, const char *text, size_t len, enum context_lines lines,
	struct buf *scratch);

/*
 * Finds the excerpt of text, at most max_chars code points and cut at words, that holds the most
 * weight of different terms among places [n] (byte offsets, ascending); it begins a little before
 * the first of them. Without places it is the beginning of the text.
 */
void context_excerpt(const char *text, size_t len, const struct word_place *places, size_t n,
	size_t max_chars, size_t *start, size_t *n_bytes);

/* Returns where the end of text begins: at most max_chars code points, from the start of a word. */
size_t context_tail(const char *text, size_t len, size_t max_chars);
