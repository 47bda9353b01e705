/* stop.c: stop words, which are the class "stop" of the lexicon. */
#include "lexicon/lex.h"
#include "text/words.h"

/* Compares like strcmp with a word that is not NUL-terminated. */
static int
compare(const char *listed, const char *word, size_t len)
{
	size_t i = 0;

	while (i < len && listed[i] == word[i])
		i++;
	return (unsigned char)listed[i] - (i < len ? (unsigned char)word[i] : 0);
}

bool
words_is_listed(const char *const *list, size_t n, const char *word, size_t len)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = compare(list[mid], word, len);

		if (order == 0)
			return true;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool
words_is_stop(const char *word, size_t len)
{
	return lex_word(word, len, LEX_STOP, LEX_ANY, NULL);
}
