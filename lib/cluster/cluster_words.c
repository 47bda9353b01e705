/* cluster_words.c: words that say what nothing is about: classes of the lexicon. */
#include "cluster/cluster_words.h"

#include "base/utf8.h"
#include "lexicon/lex.h"
#include "text/words.h"

/* Japanese writes endings and particles in Hiragana, and what a text is about in other signs. */
static bool
is_hiragana(const char *text, size_t len)
{
	const char *end = text + len;
	uint32_t cp;

	while (text < end) {
		text += utf8_next(text, end, &cp);
		if (cp < 0x3041 || cp > 0x309f)
			return false;
	}
	return len > 0;
}

enum cluster_word
cluster_word_of(const char *folded, size_t len, unsigned lang)
{
	/* English and German have lists of their own for this */
	unsigned own = lang == LEX_EN || lang == lex_language("de") ? 0 : LEX_IN(lang);

	if (is_hiragana(folded, len) || lex_word(folded, len, LEX_TOPIC_STOP, LEX_ANY, NULL) ||
	    lex_word(folded, len, LEX_FUNCTION, own, NULL))
		return CLUSTER_WORD_STOP;
	if (lex_word(folded, len, LEX_TALK_WORD, LEX_ANY, NULL) ||
	    lex_classes(folded, len, LEX_POLITE, LEX_REPLY, own) != 0)
		return CLUSTER_WORD_TALK;
	/* times and numbers */
	if (lex_word(folded, len, LEX_VAGUE, LEX_ANY, NULL) ||
	    lex_classes(folded, len, LEX_MONTH, LEX_DAYPART, own) != 0)
		return CLUSTER_WORD_VAGUE;
	return CLUSTER_WORD_PLAIN;
}

struct talk { const char *text; unsigned lang; };

static int
take_word(void *arg, const struct word *w)
{
	const struct talk *t = arg;
	char folded[3 * WORDS_TERM_BYTES + 1];
	size_t len;

	/* Single characters of Chinese and emoji tell little beside the pairs and words. */
	if (w->stop || w->kind == WORD_CHAR || w->kind == WORD_SYMBOL)
		return 0;
	len = words_fold(t->text + w->start, MIN(w->end - w->start, WORDS_TERM_BYTES), folded);
	enum cluster_word is = cluster_word_of(folded, len, t->lang);
	return is == CLUSTER_WORD_PLAIN || is == CLUSTER_WORD_VAGUE;
}

bool
cluster_is_talk(const char *text, size_t len)
{
	struct talk t = { text, lex_language_of(text, len) };

	return words_each(text, len, take_word, &t) == 0;
}
