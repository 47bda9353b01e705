/*
 * plain.h: what a text says, in one line and without the marks of Markdown: those of bold and
 * italic words, of headings and lists, of code around all of it, and addresses of links. Boxes
 * stay, as they tell what is done.
 */
#pragma once

#include "base/buf.h"

/* Adds it; items of a list behind each other with semicolons between. Cost: linear. */
void plain_add(struct buf *out, const char *text, size_t len);
