/*
 * against_words.c: reads what is said and what is changed as words that can be compared: an
 * identifier as it is written and in its parts, in any case.
 */
#include "base/ascii.h"
#include "text/words.h"
#include "work/against_parts.h"

/* ---- cues ---- */

_Static_assert(N_SAYS <= 32, "a set of them is a word");
static const char *const class_names[N_SAYS] = {
	[SAYS_NOT] = "not", [SAYS_DONT] = "dont", [SAYS_BARE] = "bare", [SAYS_LEAD] = "lead",
	[SAYS_PLEASE] = "please", [SAYS_USE] = "use", [SAYS_WITHOUT] = "without",
	[SAYS_OUT] = "out", [SAYS_RULE] = "rule", [SAYS_LIFTS] = "lifts", [SAYS_KEEP] = "keep",
	[SAYS_NOW] = "now", [SAYS_MOST] = "most", [SAYS_LEAST] = "least",
	[SAYS_PASSING] = "passing", [SAYS_WHERE] = "where", [SAYS_ASIDE] = "aside", [SAYS_WHY] = "why",
	[SAYS_WHEN] = "when", [SAYS_EXCEPT] = "except", [SAYS_ALL] = "all",
	[SAYS_LIGHT] = "light", [SAYS_OR] = "or", [SAYS_LOG] = "=log",
	[SAYS_DEPENDENCY] = "=dependency", [SAYS_DELETE] = "=delete", [SAYS_EDIT] = "=edit",
	[SAYS_TEST] = "=test", [SAYS_SWITCH] = "switch",
	[SAYS_FIRST] = "first", [SAYS_THIRD] = "third", [SAYS_OTHERS] = "others"
};

unsigned
against_says_of(const struct cue_class *class, size_t no)
{
	static uint8_t known[CUE_CLASSES];     /* says and 1 more; 0: not found yet */
	unsigned says = 0;

	if (known[no] == 0) {
		while (says < N_SAYS && strcmp(class_names[says], class->name) != 0)
			says++;
		known[no] = (uint8_t)(says + 1);
	}
	return known[no] - 1u;
}

/* Marks each word with the classes of the cues that it is in. */
static void
mark(const char *text, size_t len, struct against_words *v)
{
	const struct cues *cues = cues_of("schema/cues/against.txt");
	struct cue found[CUES_MOST];
	size_t n = cues == NULL ? 0 : MIN(cues_find(cues, text, len, found, CUES_MOST, NULL),
	    (size_t)CUES_MOST), n_classes, at = 0;
	const struct cue_class *classes = cues == NULL ? NULL : cues_classes(cues, &n_classes);

	for (size_t i = 0; i < n; i++) {
		const struct cue_class *class = &classes[found[i].class];
		unsigned says = against_says_of(class, found[i].class);

		while (at < v->n && v->w[at].end <= found[i].start)
			at++;
		for (size_t k = at; k < v->n && v->w[k].start < found[i].start + found[i].len;
		    k++) {
			if (says == N_SAYS)
				v->w[k].kind = class;
			else
				v->w[k].says |= 1u << says;
		}
		if (at < v->n && says < N_SAYS)
			v->w[at].begins |= 1u << says;
	}
}

/* ---- words ---- */

static bool
is_letter(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool
is_han(const char *p)
{
	unsigned char c = (unsigned char)*p;

	return c >= 0xe3 && c <= 0xed;
}

/* Punctuation of Chinese and Japanese: U+3000 to U+303F, U+FF00 to U+FF0F and the like. */
static bool
is_mark(const char *p, const char *end)
{
	unsigned char c = (unsigned char)*p;

	return end - p >= 3 && ((c == 0xe3 && (unsigned char)p[1] == 0x80) ||
	    (c == 0xef && (unsigned char)p[1] == 0xbc) ||
	    (c == 0xe2 && (unsigned char)p[1] == 0x80));
}

static struct against_word *
add(struct against_words *v, const char *text, size_t start, size_t end)
{
	struct against_word *w;
	bool letters = true;

	if (v->n == WORDS_MOST)
		return NULL;
	w = &v->w[v->n++];
	*w = (struct against_word){ .start = (uint32_t)start, .end = (uint32_t)end };
	for (size_t i = start; i < end && w->n < AGAINST_WORD; i++) {
		letters &= ascii_is_letter((unsigned char)text[i]);
		if (text[i] != '_')
			w->term[w->n++] = (char)ascii_lower((unsigned char)text[i]);
	}
	w->number = ascii_is_digit(text[start]);
	if (!w->number && letters)
		w->n = (uint8_t)words_stem(w->term, w->n);
	return w;
}

/* The parts of an identifier, behind the whole: page_size, pageSize. */
static void
add_parts(struct against_words *v, const char *text, size_t start, size_t end)
{
	for (size_t i = start, from = start; i <= end; i++) {
		bool hump = i > from && i < end && ascii_is_upper(text[i]) &&
		    (!ascii_is_upper(text[i - 1]) ||
		     (i + 1 < end && text[i + 1] >= 'a' && text[i + 1] <= 'z')),
		     cut = i == end || text[i] == '_' || hump;

		if (!cut)
			continue;
		if (i > from && i - from < end - start) {
			struct against_word *w = add(v, text, from, i);

			if (w != NULL)
				w->part = true;
		}
		from = i + (i < end && text[i] == '_');
	}
}

static size_t
number_end(const char *text, size_t len, size_t at)
{
	while (at < len && (ascii_is_digit(text[at]) || ((text[at] == '.' || text[at] == '_') &&
	    at + 1 < len && ascii_is_digit(text[at + 1]))))
		at++;
	return at;
}

/* A number is no part of a name: not the 1 of "eu-central-1". */
static bool
stands_alone(const char *text, size_t at, bool code)
{
	if (at < 2 || !ascii_is_alnum(text[at - 2]))
		return true;
	return strchr("-_", text[at - 1]) == NULL &&
	    (code || text[at - 1] != ':' || !ascii_is_letter(text[at - 2]));
}

static bool
is_sign(const char *text, size_t len, size_t start, size_t end)
{
	bool digit = false, letter = false;

	for (size_t i = start; i < end; i++) {
		if (text[i] == '_' || (i > start && ascii_is_upper(text[i])))
			return true;
		digit |= ascii_is_digit(text[i]);
		letter |= ascii_is_letter(text[i]);
	}
	return (digit && letter) || (start > 0 && text[start - 1] == '`') ||
	    (start > 1 && text[start - 1] == '.' && ascii_is_letter(text[start - 2])) ||
	    (end + 1 < len && text[end] == '.' && ascii_is_letter(text[end + 1])) ||
	    (end + 1 < len && text[end] == '(' && text[end + 1] == ')');
}

void
against_words_read(const char *text, size_t len, bool parts, struct arena *a,
	struct against_words *v)
{
	const char *end = text + len;
	struct against_word room[WORDS_MOST];

	*v = (struct against_words){ .w = room };
	for (size_t i = 0, start; i < len; ) {
		struct against_word *w;

		start = i;
		if (!is_letter(text[i]) || is_mark(text + i, end)) {
			i += (unsigned char)text[i] >= 0x80 ? 3 : 1;
			continue;
		}
		if (ascii_is_digit(text[i])) {
			size_t stop = number_end(text, len, i);

			w = add(v, text, i, stop);
			if (w == NULL)
				break;
			w->number = stands_alone(text, i, parts);
			i = stop;
			continue;
		}
		if (is_han(text + i)) {
			while (i < len && is_han(text + i) && !is_mark(text + i, end))
				i += 3;
			if ((w = add(v, text, start, MIN(i, len))) != NULL)
				w->han = true;
			continue;
		}
		while (i < len && is_letter(text[i]) && !is_han(text + i) &&
		    !is_mark(text + i, end))
			i++;
		if ((w = add(v, text, start, i)) == NULL)
			break;
		w->sign = is_sign(text, len, start, i);
		if (parts)
			add_parts(v, text, start, i);
	}
	v->w = memcpy(arena_alloc(a, (v->n + 1) * sizeof(room[0])), room, v->n * sizeof(room[0]));
	mark(text, len, v);
}

bool
against_same(const struct against_word *a, const struct against_word *b, bool loosely)
{
	const unsigned concepts = SAYS(LOG) | SAYS(DEPENDENCY) | SAYS(DELETE) | SAYS(EDIT) |
	    SAYS(TEST);
	size_t n = MIN(a->n, b->n), more = MAX(a->n, b->n) - n;

	/* console.log is one thing, and log many */
	if ((a->says & b->says & concepts) && !b->sign)
		return true;
	if (a->han && b->han)          /* nothing parts its words */
		return strstr(a->term, b->term) != NULL || strstr(b->term, a->term) != NULL;
	if (memcmp(a->term, b->term, n) != 0 || a->number != b->number)
		return false;
	/* float64 is float, retryable is what one retries */
	return more == 0 || (n >= 4 && !a->number && (loosely ? more <= 5
	    : ascii_is_digit((a->n > n ? a : b)->term[n])));
}

bool
against_rivals(const struct cue_class *a, const struct cue_class *b)
{
	size_t n = a == NULL ? 0 : strcspn(a->name, "/") + 1;

	return n > 0 && b != NULL && a != b && strncmp(a->name, b->name, n) == 0;
}
