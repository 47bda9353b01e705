/* lex_parts.h: the table that lex.awk makes. Private to lib/lexicon. */
#pragma once

#include "lexicon/lex.h"

/*
 * A word stands in the pool at a multiple of four bytes:
 *
 *	| length | more | senses | the word | class, language, value | ...
 *
 * and its place, divided by four, in the slot of its hash or in the next free one; 0: it is empty.
 */
extern const unsigned char lex_pool[];
extern const uint16_t lex_slots[];
extern const uint32_t lex_n_slots;

struct lex_label { uint8_t class, lang, value; char text[37]; };
/* the last one's text is empty */
extern const struct lex_label lex_labels[];
extern const char lex_codes[][3];
extern const unsigned lex_n_langs;
