/*
 * particles.c: takes the longest stop word of two characters or more, else one of the few
 * characters that are function words nearly everywhere.
 *
 * Other stop words of one character are not taken, as they are parts of too many words.
 */
#include "text/particles.h"

#include "lexicon/lex.h"

size_t
particle_at(const char *text, size_t len, size_t at)
{
	struct lex_token t;

	if (at >= len || (unsigned char)text[at] < 0xe3 || !lex_next(text, len, at, &t) ||
	    t.start != at)
		return 0;
	size_t end = lex_phrase(text, len, &t, LEX_STOP, LEX_ANY, NULL);
	return end > t.end || lex_is(&t, LEX_ALONE, LEX_ANY, NULL) ? MAX(end, t.end) - at : 0;
}
