/*
 * timeasks.c: whether a question asks when, refers to earlier sessions, or asks what was said:
 * words and phrases of the lexicon. For "when" and "before" their neighbours decide.
 */
#include "base/ascii.h"
#include "time/timetoken.h"

/* The words of a text with what they begin, and a look at the one behind. */
struct words {
	const char *text;
	size_t len;
	struct lex_token t;
	struct lex_match found[LEX_MATCHES];
	size_t n;
};

static bool
next_word(struct words *w)
{
	if (!lex_next(w->text, w->len, w->t.end, &w->t))
		return false;
	w->n = w->t.senses != NULL || w->t.more > 1 ? lex_matches(w->text, w->len, &w->t, w->found)
						    : 0;
	return true;
}

/* Where the longest phrase of the class that begins here ends; 0: none does. */
static size_t
is_at(const struct words *w, enum lex class)
{
	return lex_match(w->found, w->n, class, LEX_ANY, NULL);
}

/* Whether the "when" here asks for a time. */
static bool
when_asks(const struct words *w)
{
	struct words next = *w;
	bool mark = w->text[w->len - 1] == '?' ||
	    (w->len >= 3 && memcmp(w->text + w->len - 3, "\xef\xbc\x9f", 3) == 0);
	size_t at = w->t.end;

	while (at < w->len && w->text[at] == ' ')
		at++;
	if (w->t.owns || at == w->len || w->text[at] == '?')
		return true;
	if (next_word(&next) && next.t.start == at && is_at(&next, LEX_WHEN_AUXILIARY) > 0)
		return true;
	/* "When John has met Jane?" */
	return (w->t.start <= 2 && mark && memchr(w->text, ',', w->len) == NULL) ||
	    timetoken_ends_in(w->text, w->t.start, LEX_WHEN_ASKER, LEX_ANY);
}

bool
timewords_asks_when(const char *text, size_t len)
{
	struct words w = { .text = text, .len = len };

	while (next_word(&w))
		if (is_at(&w, LEX_DATE_QUESTION) > 0 ||
		    (is_at(&w, LEX_WHEN) > 0 && when_asks(&w)))
			return true;
	return false;
}

/*
 * Whether the "before" here looks back: at the end of its clause, as in "Did I mention it before?",
 * but not in "before we left".
 */
static bool
ends_clause(const struct words *w, size_t next)
{
	while (next < w->len && w->text[next] == ' ')
		next++;
	return next == w->len ||
	    (!ascii_is_alnum(w->text[next]) && (unsigned char)w->text[next] < 0x80 &&
		w->text[next] != '"' && w->text[next] != '(');
}

static bool
looks_back(const struct words *w)
{
	struct lex_token than;
	size_t end = is_at(w, LEX_LOOKS_BACK);

	if (end > 0 &&
	    !(lex_next(w->text, w->len, end, &than) && lex_is(&than, LEX_THAN, LEX_ANY, NULL)))
		return true;
	return (end = is_at(w, LEX_BEFORE_END)) > 0 && ends_clause(w, end);
}

bool
timewords_looks_back(const char *text, size_t len)
{
	struct words w = { .text = text, .len = len };

	while (next_word(&w))
		if (looks_back(&w))
			return true;
	return false;
}

/* Of the words that a question about earlier conversations is built of, the part of this one. */
static enum lex
part_at(const struct words *w)
{
	for (enum lex class = LEX_TALKER; class <= LEX_RECALL; class++)
		if (is_at(w, class) > 0)
			return class;
	return LEX_STOP;
}

bool
timewords_recalls(const char *text, size_t len)
{
	struct words w = { .text = text, .len = len };
	enum lex part, last = LEX_STOP, before = LEX_STOP;

	for (; next_word(&w); before = last, last = part) {
		part = part_at(&w);
		if (part == LEX_RECALL || looks_back(&w))
			return true;
		if ((part == LEX_TALKER && (last == LEX_DID || last == LEX_HAVE)) ||
		    (part == LEX_OUR && last == LEX_DID))
			return true;
		if (part == LEX_SAID &&
		    (last == LEX_TALKER || (last == LEX_HAVE && before == LEX_TALKER)))
			return true;
		if (part == LEX_TALK && (last == LEX_OUR || last == LEX_ACROSS))
			return true;
	}
	return false;
}

bool
timewords_asks_now(const char *text, size_t len)
{
	struct words w = { .text = text, .len = len };

	while (next_word(&w))
		if (is_at(&w, LEX_NOW) > 0)
			return true;
	return false;
}
