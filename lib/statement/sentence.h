/*
 * sentence.h: where a sentence of a line ends. A stop ends none behind an abbreviation ("z. B.",
 * "Hauptstr. 5", "Dr. Smith"), an initial or an ordinal, in a file name, an address or code, and
 * in quotation marks or parentheses that the sentence goes on behind.
 *
 * English, German, Spanish and Chinese; other languages by their punctuation alone.
 */
#pragma once

#include "base/base.h"

/*
 * The end of the sentence that begins at start in a line of text that ends at `end`, its stops and
 * closing marks included; `end` where no stop is. Cost: linear but for what stands in marks, which
 * is looked at up to SENTENCE_INSIDE bytes ahead.
 */
#define SENTENCE_INSIDE 300
size_t sentence_end(const char *text, size_t start, size_t end);

/* The bytes of the first of marks, a list with blanks between, that stands at p; 0: none does. */
size_t sentence_mark(const char *p, size_t len, const char *marks);
/* Whether the text ends in a question mark; blanks, quotation marks and the like may follow it. */
bool sentence_asks(const char *text, size_t len);
/* Whether the character before `at` is Chinese. */
bool sentence_han_before(const char *text, size_t at);
