/*
 * normal.h: one form of all texts that differ in case, in blanks, and in how their letters are
 * composed.
 */
#pragma once

#include "base/buf.h"

/*
 * Appends the text [len] in small letters (Unicode's, of no language), composed (NFC: Unicode
 * Standard Annex 15), with one blank for each run of white space and none at the ends; bytes that
 * are no UTF-8 as U+FFFD. Of a sigma beside rare letters without capitals (IPA and the like) it may
 * take the wrong of two forms. Cost: about 50 ns a character that is not ASCII.
 */
void normal_text(struct buf *out, const char *text, size_t len);
