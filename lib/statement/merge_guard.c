/*
 * merge_guard.c: reads the texts as lists of words and compares these by kinds of word. A word is
 * known by its term (stemmed as in the index, so that inflections are equal) and by its letters in
 * lower case, which tell whether it is a number or a negation.
 */
#include "statement/merge_guard.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "lexicon/unicode.h"
#include "text/words.h"

#define PLAIN_BYTES 32

struct token {
	char term[WORDS_TERM_BYTES];
	/* in lower case without apostrophes; "" for a longer word or one that is not ASCII */
	char plain[PLAIN_BYTES];
	uint8_t len, kind;
	bool capital, digits, stop;
	bool half;                             /* "am" or "pm" behind a number */
};

struct tokens { struct token *items; size_t n, cap; const char *text; };

/* Sorted by bytes, for bsearch. */
static const char *const negations[] = { "aint", "anymore", "arent", "avoid", "avoided", "avoids",
	"barely", "cancelled", "cannot", "cant", "couldnt", "didnt", "dislike", "disliked",
	"dislikes", "doesnt", "dont", "ex", "except", "fail", "failed", "fails", "former",
	"formerly", "hadnt", "hardly", "hasnt", "hate", "hated", "hates", "havent", "isnt", "lack",
	"lacks", "mightnt", "mustnt", "neednt", "neither", "never", "no", "nobody", "none", "nor",
	"not", "nothing", "nowhere", "previously", "quit", "rarely", "refuse", "refused", "refuses",
	"rejected", "seldom", "shouldnt", "stopped", "unable", "unlike", "wasnt", "werent",
	"without", "wont", "wouldnt" };

static const struct { const char *word, *digits; } numbers[] = {
	{ "billion", "1000000000" }, { "double", "2" }, { "dozen", "12" }, { "eight", "8" }, { "eighteen", "18" }, { "eighth", "8" }, { "eighty", "80" },
	{ "eleven", "11" }, { "fifteen", "15" }, { "fifth", "5" }, { "fifty", "50" }, { "first", "1" }, { "five", "5" }, { "forty", "40" }, { "four", "4" },
	{ "fourteen", "14" }, { "fourth", "4" }, { "half", ".5" }, { "hundred", "100" }, { "million", "1000000" }, { "nine", "9" }, { "nineteen", "19" },
	{ "ninety", "90" }, { "ninth", "9" }, { "once", "1" }, { "one", "1" }, { "second", "2" }, { "seven", "7" }, { "seventeen", "17" }, { "seventh", "7" },
	{ "seventy", "70" }, { "six", "6" }, { "sixteen", "16" }, { "sixth", "6" }, { "sixty", "60" }, { "ten", "10" }, { "tenth", "10" }, { "third", "3" },
	{ "thirteen", "13" }, { "thirty", "30" }, { "thousand", "1000" }, { "three", "3" }, { "triple", "3" }, { "twelve", "12" }, { "twenty", "20" },
	{ "twice", "2" }, { "two", "2" }, { "zero", "0" } };

static const char chinese_negations[] = "不没沒無无未非别別莫勿否";
static const char chinese_numbers[] = "零一二三四五六七八九十百千万萬亿億两兩半";

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, *(const char *const *)b);
}

static bool
is_in(const char *word, const char *const list[], size_t n)
{
	return *word != '\0' && bsearch(word, list, n, sizeof(*list), by_text) != NULL;
}

static int
by_word(const void *a, const void *b)
{
	return strcmp(a, *(const char *const *)b);     /* word is the first member of the row */
}

/* Whether the term is one of a list of UTF-8 characters. */
static bool
is_char_of(const char *term, size_t len, const char *list)
{
	for (const char *p = list; *p != '\0'; p += 3)         /* each of them has three bytes */
		if (len == 3 && memcmp(p, term, 3) == 0)
			return true;
	return false;
}

/* ---- reading ---- */

static void
plain_of(const char *p, const char *end, char out[PLAIN_BYTES])
{
	size_t n = 0;

	for (; p < end; p++) {
		if (*p == '\'')
			continue;
		if (end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0) {
			p += 2;
			continue;
		}
		if ((unsigned char)*p >= 0x80 || n == PLAIN_BYTES - 1) {
			n = 0;
			break;
		}
		out[n++] = ascii_lower(*p);
	}
	out[n] = '\0';
}

static int
add_token(void *arg, const struct word *w)
{
	struct tokens *t = arg;
	const char *p = t->text + w->start, *end = t->text + w->end;
	enum unicode_class cls;
	struct token *v;
	uint32_t cp;

	if (w->kind == WORD_PAIR)              /* its characters are handed out as well */
		return 0;
	xgrow(&t->items, &t->cap, t->n + 1, sizeof(*t->items));
	v = &t->items[t->n++];
	*v = (struct token){ .len = (uint8_t)w->len, .kind = w->kind, .stop = w->stop };
	memcpy(v->term, w->term, w->len);
	plain_of(p, end, v->plain);
	unicode_next(p, end, &cp, &cls);
	v->capital = cls == UNICODE_UPPER;
	for (size_t i = 0; i < w->len; i++)
		v->digits |= ascii_is_digit(w->term[i]);
	return 0;
}

static bool
same(const struct token *a, const struct token *b)
{
	return a->len == b->len && memcmp(a->term, b->term, a->len) == 0;
}

/* ---- what counts as what ---- */

static bool
is_negation(const struct token *v)
{
	return v->kind == WORD_CHAR ? is_char_of(v->term, v->len, chinese_negations)
				    : is_in(v->plain, negations, NELEM(negations));
}

/* Returns the number as digits, NULL when the word is no number. */
static const char *
number_of(const struct token *v, size_t *len)
{
	const char *const *found;

	*len = v->len;
	if (v->digits || v->half || v->kind == WORD_NUMBER ||
	    (v->kind == WORD_CHAR && is_char_of(v->term, v->len, chinese_numbers)))
		return v->term;
	if (v->plain[0] == '\0' ||
	    (found = bsearch(v->plain, numbers, NELEM(numbers), sizeof(*numbers), by_word)) == NULL)
		return NULL;
	*len = strlen(found[1]);
	return found[1];
}

/*
 * Marks "am" and "pm" behind a number as part of it, although "am" is a stop word and "pm" is not.
 */
static void
mark_halves(struct tokens *t)
{
	for (size_t i = 1; i < t->n; i++) {
		struct token *v = &t->items[i];
		size_t len;

		v->half = v->len == 2 && (v->term[0] == 'a' || v->term[0] == 'p') &&
		    v->term[1] == 'm' && number_of(v - 1, &len) != NULL;
	}
}

static void
read_tokens(struct tokens *t, const char *text, size_t len)
{
	*t = (struct tokens){ .text = text };
	words_each(text, len, add_token, t);
	mark_halves(t);
}

static size_t
count_number(const struct tokens *t, const char *digits, size_t len)
{
	size_t n = 0, k;

	for (size_t i = 0; i < t->n; i++) {
		const char *d = number_of(&t->items[i], &k);
		n += d != NULL && k == len && memcmp(d, digits, len) == 0;
	}
	return n;
}

static bool
has_term(const struct tokens *t, const struct token *v)
{
	for (size_t i = 0; i < t->n; i++)
		if (same(&t->items[i], v))
			return true;
	return false;
}

static bool
has_wholes(const struct tokens *a, const struct tokens *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->items[i].kind == WORD_WHOLE && !has_term(b, &a->items[i]))
			return false;
	return true;
}

static bool
has_names(const struct tokens *a, const struct tokens *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->items[i].capital && !a->items[i].stop && !has_term(b, &a->items[i]))
			return false;
	return true;
}

static size_t
count_negations(const struct tokens *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += is_negation(&t->items[i]);
	return n;
}

/* Whether the source has every number of the claim; how often does not matter. */
static bool
says_numbers(const struct tokens *claim, const struct tokens *source)
{
	for (size_t i = 0; i < claim->n; i++) {
		size_t len;
		const char *d = number_of(&claim->items[i], &len);
		if (d != NULL && count_number(source, d, len) == 0)
			return false;
	}
	return true;
}

static void
drop_who(struct tokens *t, const char *who)
{
	static const char *const users[] = { "user", "users", "speaker" };
	struct tokens name;
	size_t n = 0;

	read_tokens(&name, who, strlen(who));
	for (size_t i = 0; i < t->n; i++) {
		bool drop = has_term(&name, &t->items[i]);
		for (size_t k = 0; k < NELEM(users); k++)
			drop |= strcmp(t->items[i].plain, users[k]) == 0;
		if (!drop)
			t->items[n++] = t->items[i];
	}
	t->n = n;
	free(name.items);
}

const char *
merge_guard_claim(const char *claim, size_t claim_len, const char *quote, size_t quote_len,
	const char *source, size_t source_len, const char *who)
{
	struct tokens c, q, s;
	const char *why = NULL;

	read_tokens(&c, claim, claim_len);
	read_tokens(&q, quote, quote_len);
	read_tokens(&s, source, source_len);
	drop_who(&c, who);
	if (!says_numbers(&c, &s))
		why = "numbers";
	else if (!has_wholes(&c, &s))
		why = "identifiers";
	else if (count_negations(&c) != count_negations(&q))
		why = "negations";
	else if (!has_names(&c, &s))
		why = "names";
	free(c.items);
	free(q.items);
	free(s.items);
	return why;
}

char *
merge_guard_plain(const char *text, size_t len, size_t *out_len)
{
	static const char *const ends[] = { ".", "!", ",", ";", "。", "！", "，" };
	char *out = xmalloc(3 * len + 1);
	size_t n = 0, k = words_fold(text, len, out);
	bool again = true;

	for (size_t i = 0; i < k; i++) {
		bool blank = ascii_is_space(out[i]);
		if (!blank)
			out[n++] = out[i];
		else if (n > 0 && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	while (again) {
		again = n > 0 && out[n - 1] == ' ';
		n -= again;
		for (size_t i = 0; i < NELEM(ends) && !again; i++) {
			size_t e = strlen(ends[i]);
			again = n > e && memcmp(out + n - e, ends[i], e) == 0;
			n -= again ? e : 0;
		}
	}
	out[n] = '\0';
	*out_len = n;
	return out;
}
