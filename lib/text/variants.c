/*
 * variants.c: schema/variants.txt has stems, as the index has them: short forms, then family,
 * British and American, and irregular forms. Left out are short forms that mean something else as
 * often as not (cat for category, dec, oct, sub, win; ate, whose stem is at), and words that
 * stemming changes into another: organize becomes organ and customize custom, and these are found
 * beside organise and customise all the same. A term is searched in it with a blank on both sides;
 * the other terms between the same two bars are its variants.
 */
#include "text/variants.h"

#include "base/embedded.h"
#include "text/words.h"

static bool
is_there(const struct variant *out, size_t n, const char *term, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (out[i].len == len && memcmp(out[i].term, term, len) == 0)
			return true;
	return false;
}

size_t
variants_of(const char *term, size_t len, struct variant out[VARIANTS_MOST])
{
	const char *table = embedded_find("schema/variants.txt")->text;
	char key[WORDS_TERM_BYTES + 3];
	size_t n = 0;

	if (len > WORDS_TERM_BYTES || memchr(term, '|', len) != NULL ||
	    memchr(term, ' ', len) != NULL)
		return 0;
	key[0] = key[len + 1] = ' ';
	memcpy(key + 1, term, len);
	key[len + 2] = '\0';
	for (const char *at = strstr(table, key); at != NULL; at = strstr(at + 1, key)) {
		const char *p = at;
		while (*p != '|')
			p--;
		for (p += 2; *p != '|'; ) {
			size_t k = strcspn(p, " ");
			if ((k != len || memcmp(p, term, len) != 0) && n < VARIANTS_MOST &&
			    !is_there(out, n, p, k))
				out[n++] = (struct variant){ p, (uint8_t)k };
			p += k + 1;
		}
	}
	return n;
}
