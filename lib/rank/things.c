/*
 * things.c: one pass over the words of a text, each compared with short lists; of the words before
 * it only a few are remembered.
 */
#include "rank/things.h"

#include "base/ascii.h"
#include "text/words.h"

#define WORD_BYTES  16                 /* longer words are cut; none of the lists has any */
#define NEVER       100                /* words ago */
#define DONE_WITHIN 2                  /* words behind I or we: "I just painted" */
#define PLURAL_WITHIN 5                /* words behind which: "what kinds of musical instruments" */
#define LEAST_PLURAL 4                 /* bytes of a plural, of a verb in the past */

/* In lower case, without apostrophes, sorted by strcmp. */
static const char *const numbers[] = {
	"another", "couple", "eight", "few", "five", "four", "nine", "once", "one", "seven",
	"several", "six", "ten", "three", "twice", "two"
};
static const char *const spans[] = {
	"ago", "day", "days", "hour", "hours", "month", "months", "since", "week", "weeks", "year",
	"years"
};
static const char *const place_words[] = {
	"cities", "city", "countries", "country", "location", "locations", "place", "places",
	"state", "states", "where"
};
static const char *const before_place[] = {
	"around", "at", "from", "in", "near", "of", "to", "visit", "visited", "visiting"
};
static const char *const people[] = {
	"aunt", "boss", "boyfriend", "brother", "children", "colleague", "colleagues", "cousin",
	"cousins", "coworker", "coworkers", "dad", "daughter", "family", "father", "friend",
	"friends", "girlfriend", "grandfather", "grandma", "grandmother", "grandpa", "husband",
	"kid", "kids", "mentor", "mentors", "mom", "mother", "mum", "neighbor", "neighbors",
	"neighbour", "neighbours", "partner", "people", "sister", "someone", "son", "team",
	"teammate", "teammates", "uncle", "wife"
};
static const char *const titled[] = {
	"album", "albums", "artist", "artists", "band", "bands", "book", "books", "film", "films",
	"game", "games", "movie", "movies", "novel", "novels", "series", "show", "shows", "song",
	"songs", "title", "titles"
};
static const char *const plan_asked[] = {
	"hope", "hopes", "hoping", "next", "plan", "planned", "planning", "plans", "upcoming",
	"want", "wanted", "wants", "will"
};
static const char *const plan_said[] = {
	"gonna", "hope", "hoping", "ill", "next", "plan", "planned", "planning", "plans", "soon",
	"tomorrow", "well", "will"
};
static const char *const past_asked[] = { "did", "had", "has", "have" };
static const char *const we[] = { "i", "id", "ive", "we", "wed", "weve" };
static const char *const past[] = {
	"ate", "been", "began", "bought", "brought", "built", "came", "caught", "chose", "did",
	"drew", "drove", "felt", "flew", "found", "gave", "got", "grew", "had", "heard", "held",
	"just", "kept", "knew", "left", "lost", "made", "met", "paid", "ran", "read", "sang", "saw",
	"sent", "sold", "spent", "swam", "taught", "told", "took", "was", "went", "were", "won",
	"wore", "wrote"
};
static const char *const no_plurals[] = { "always", "does", "this" };

#define IN(list, w) words_is_listed(list, NELEM(list), (w)->text, (w)->len)

/* A word in lower case, without apostrophes and without 's. */
struct piece {
	char text[WORD_BYTES];
	size_t len;
	bool capital, quoted, digit;           /* quoted: a quotation mark stands before it */
	bool apostrophe;
};

static bool
is_part(const char *text, size_t at, size_t len)
{
	/* of the marks that begin with these bytes none is a letter */
	return ascii_is_alnum(text[at]) ||
	    ((unsigned char)text[at] >= 0x80 &&
		!(len - at >= 3 && memcmp(text + at, "\xe2\x80", 2) == 0));
}

/* Bytes of an apostrophe, ' or ’, between two letters; 0: none. */
static size_t
apostrophe(const char *text, size_t at, size_t len)
{
	size_t n = text[at] == '\''					       ? 1
	    : len - at >= 3 && memcmp(text + at, "\xe2\x80\x99", 3) == 0 ? 3
									       : 0;

	return n > 0 && at + n < len && is_part(text, at + n, len) ? n : 0;
}

static bool
is_quoted(const char *text, size_t at)
{
	return at > 0 && (text[at - 1] == '"' ||
			     (at > 2 && memcmp(text + at - 3, "\xe2\x80\x9c", 3) == 0));
}

/* Reads the next word at *at and steps past it; false when there is none. */
static bool
next_piece(const char *text, size_t len, size_t *at, struct piece *w)
{
	size_t i = *at, n;
	bool owns = false;

	while (i < len && !is_part(text, i, len))
		i += text[i] == '\xe2' && len - i >= 3 ? 3 : 1;
	*w = (struct piece){ .quoted = i < len && is_quoted(text, i) };
	if (i >= len)
		return false;
	w->capital = text[i] >= 'A' && text[i] <= 'Z';
	for (; i < len; i++) {
		if ((n = apostrophe(text, i, len)) > 0) {
			i += n - 1;
			w->apostrophe = true;
			owns = (len - i == 2 || !is_part(text, i + 2, len)) &&
			    ascii_lower(text[i + 1]) == 's';
			continue;
		}
		if (!is_part(text, i, len))
			break;
		w->digit |= ascii_is_digit(text[i]);
		if (w->len < WORD_BYTES)
			w->text[w->len++] = ascii_lower(text[i]);
	}
	w->len -= owns && w->len > 0 && w->len < WORD_BYTES;
	*at = i;
	return true;
}

static bool
is(const struct piece *w, const char *word)
{
	return strlen(word) == w->len && memcmp(w->text, word, w->len) == 0;
}

unsigned
things_asked(const char *text, size_t len)
{
	struct piece w, before = { .len = 0 };
	unsigned found = 0;

	for (size_t at = 0; next_piece(text, len, &at, &w); before = w) {
		if (is(&before, "how"))
			found |= is(&w, "long") ? THING_SPAN
			    : is(&w, "many") || is(&w, "much") || is(&w, "old") || is(&w, "often")
			    ? THING_NUMBER
			    : 0;
		if (IN(place_words, &w))
			found |= THING_PLACE;
		if (is(&w, "who") || is(&w, "whom") || is(&w, "whose"))
			found |= THING_PERSON;
		if (IN(titled, &w))
			found |= THING_TITLE;
		if (IN(plan_asked, &w) || (is(&before, "going") && is(&w, "to")))
			found |= THING_PLAN;
		if (IN(past_asked, &w))
			found |= THING_DONE;
	}
	return found;
}

static bool
is_past(const struct piece *w)
{
	return (w->len >= LEAST_PLURAL && memcmp(w->text + w->len - 2, "ed", 2) == 0) ||
	    IN(past, w);
}

/* Whether two words, one after the other, are about what will be done. */
static bool
is_plan(const struct piece *before, const struct piece *w)
{
	static const char *const pairs[][2] = { { "cant", "wait" }, { "going", "to" },
		{ "looking", "forward" }, { "thinking", "about" }, { "thinking", "of" } };

	for (size_t i = 0; i < NELEM(pairs); i++)
		if (is(before, pairs[i][0]) && is(w, pairs[i][1]))
			return true;
	/* I'll and we'll, not ill and well */
	return IN(plan_said, w) && (w->apostrophe || !(is(w, "ill") || is(w, "well")));
}

unsigned
things_said(const char *text, size_t len)
{
	struct piece w, before = { .len = 0 }, before_the = before;
	unsigned found = 0, since_we = NEVER;

	for (size_t at = 0; next_piece(text, len, &at, &w); before = w) {
		if (w.digit || IN(numbers, &w))
			found |= THING_NUMBER;
		if (IN(spans, &w))
			found |= THING_SPAN;
		if (w.capital && !before.capital && IN(before_place, &before))
			found |= THING_PLACE;
		if (w.capital && is(&before, "the") && IN(before_place, &before_the))
			found |= THING_PLACE;
		if (IN(people, &w))
			found |= THING_PERSON;
		if (w.capital && w.quoted)
			found |= THING_TITLE;
		if (is_plan(&before, &w))
			found |= THING_PLAN;
		if (++since_we <= DONE_WITHIN && is_past(&w))
			found |= THING_DONE;
		if (IN(we, &w))
			since_we = 0;
		before_the = before;
	}
	return found;
}

static bool
is_plural(const struct piece *w)
{
	return w->len >= LEAST_PLURAL && w->text[w->len - 1] == 's' &&
	    w->text[w->len - 2] != 's' && !w->capital && !IN(no_plurals, w);
}

bool
things_several(const char *text, size_t len)
{
	struct piece w, before = { .len = 0 };
	unsigned since_which = NEVER;

	for (size_t at = 0; next_piece(text, len, &at, &w); before = w) {
		if (++since_which <= PLURAL_WITHIN && is_plural(&w))
			return true;
		if ((is(&before, "how") && is(&w, "many")) || is(&w, "all") || is(&w, "list") ||
		    (is(&before, "what") && (is(&w, "has") || is(&w, "have"))) ||
		    (is(&before, "what") && is(&w, "ways")))
			return true;
		if (is(&w, "what") || is(&w, "which"))
			since_which = 0;
	}
	return false;
}
