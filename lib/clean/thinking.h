/*
 * thinking.h: what a model thought, which hosts and services leave at the beginning of its answer.
 */
#pragma once

#include "base/buf.h"

/*
 * Writes to out an answer without its thinking: what stands in "<think>...</think>" and the like at
 * its beginning, and then also at the beginning of later lines. A tag that is not closed, and tags
 * that stand within words, stay. Returns the bytes that are left out; 0: none, and out is empty.
 */
size_t thinking_drop(const char *s, size_t len, struct buf *out);
