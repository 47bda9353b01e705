/* silence.c: words of content are those that the lexicon has in no class of words without any. */
#include "statement/silence.h"

#include "base/ascii.h"
#include "lexicon/lex.h"
#include "statement/cues.h"
#include "statement/speech.h"
#include "text/language.h"
#include "text/words.h"

#define ASK_WORDS 64               /* of a question that a turn may share */

bool
silence_of_tool(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && !ascii_is_letter(text[n]) && (unsigned char)text[n] < 0x80)
		n++;
	return n == len || (len <= SILENCE_BYTES && memchr(text, '\n', len) == NULL &&
		cues_has("schema/cues/acknowledged.txt", NULL, text, len));
}

static bool
has_any(const struct lex_token *t, const enum lex *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (lex_is(t, of[i], LEX_ANY, NULL))
			return true;
	return false;
}

/*
 * Whether a word says something of a matter. vague: so do words that fit any, as in "I stopped". A
 * part of the day that begins a turn is a greeting.
 */
static bool
is_content(const struct lex_token *t, bool first, bool vague)
{
	static const enum lex times[] = { LEX_WEEKDAY, LEX_MONTH, LEX_DAY, LEX_NUMERAL };
	static const enum lex none[] = { LEX_STOP, LEX_FUNCTION, LEX_ASIDE, LEX_POLITE, LEX_REPLY,
		LEX_TALK_WORD };

	if (t->figures || t->unspaced || has_any(t, times, NELEM(times)) ||
	    (!first && lex_is(t, LEX_DAYPART, LEX_ANY, NULL)))
		return true;
	return !has_any(t, none, NELEM(none)) && (vague || !lex_is(t, LEX_VAGUE, LEX_ANY, NULL));
}

bool
silence_of_talk(const char *text, size_t len)
{
	bool doer = false;
	struct lex_token t;
	size_t n = 0;

	if (speech_own(text, len) == 0)
		return true;
	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end) {
		if (++n > SILENCE_WORDS || is_content(&t, n == 1, doer))
			return false;
		doer |= lex_is(&t, LEX_DOER, LEX_ANY, NULL);
	}
	return true;
}

static bool
has_word(const char *text, size_t len, const struct lex_token *word)
{
	struct lex_token t;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		if (t.len == word->len && memcmp(t.folded, word->folded, t.len) == 0)
			return true;
	return false;
}

static bool
is_order(const char *text, size_t len, const char *question, size_t question_len)
{
	struct lex_token t;
	size_t n = 0;

	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end) {
		bool asked = has_word(question, question_len, &t);

		if (++n > SILENCE_WORDS || t.figures || t.unspaced)
			return false;
		if (n == 1 ? !asked || !lex_is(&t, LEX_ACT, LEX_ANY, NULL)
			   : asked && is_content(&t, false, false))
			return false;
	}
	return n > 0;
}

bool
silence_to(const char *question, size_t question_len, const char *text, size_t len, bool order)
{
	bool has_all = true;
	struct lex_token t;

	for (size_t at = 0; has_all && lex_next(question, question_len, at, &t); at = t.end)
		has_all = has_word(text, len, &t);
	return !has_all && (silence_of_talk(text, len) ||
		(order && is_order(text, len, question, question_len)));
}

/* ---- words that a turn shares with a question ---- */

/* The words of a question, and whether each names something or may be said of anything. */
struct asked {
	const char *text;
	bool names;
	size_t n;
	struct { uint64_t hash; bool names; } words[ASK_WORDS];
	bool shared;               /* one that names nothing is in the other text, too */
};

static int
on_asked(void *arg, const struct word *w)
{
	struct asked *a = arg;
	char folded[WORDS_TERM_BYTES];
	size_t n;

	if (w->stop)
		return 0;
	n = language_fold(LEX_EN, a->text + w->start, w->end - w->start, folded);
	a->words[a->n].hash = w->hash;
	a->words[a->n].names = !lex_word(folded, n, LEX_VAGUE, LEX_ANY, NULL) &&
	    !lex_word(folded, n, LEX_FUNCTION, LEX_ANY, NULL);
	a->names |= a->words[a->n++].names;
	return a->n == ASK_WORDS;
}

/* Stops at a word of the question that names something. */
static int
on_shared(void *arg, const struct word *w)
{
	struct asked *a = arg;

	for (size_t i = 0; i < a->n; i++) {
		if (a->words[i].hash != w->hash)
			continue;
		if (a->words[i].names)
			return 1;
		a->shared = true;
	}
	return 0;
}

bool
silence_shares(const char *question, size_t question_len, const char *text, size_t len)
{
	struct asked a = { .text = question };

	words_each(question, question_len, on_asked, &a);
	return a.names && words_each(text, len, on_shared, &a) == 0 && a.shared;
}
