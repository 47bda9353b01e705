/*
 * ambiguity.c: English by a table of words and a look at both neighbours; Chinese by the longest
 * word of a table that begins at each character.
 *
 * What is found is only a suspicion: "it" may be explained in the question itself, and a question
 * without any of these words may still leave out what it is about. The weight of each suspicion is
 * learnt (followup/followup_need.c).
 */
#include "base/ascii.h"
#include "text/ambiguity.h"

#include "text/words.h"

const char *const ambiguity_names[N_AMBIGUITIES] = { "it", "they", "person", "this", "that", "one",
	"there", "same", "other", "more", "both", "order", "time" };

#define WORD_MAX 16

struct entry {
	const char *word;
	uint8_t kind;
};

/* Sorted by bytes, for binary search. */
static const struct entry english[] = {
	{ "afterward", AMBIGUITY_TIME }, { "afterwards", AMBIGUITY_TIME }, { "again", AMBIGUITY_MORE }, { "also", AMBIGUITY_MORE },
	{ "another", AMBIGUITY_OTHER }, { "besides", AMBIGUITY_OTHER }, { "both", AMBIGUITY_BOTH }, { "different", AMBIGUITY_OTHER },
	{ "either", AMBIGUITY_BOTH }, { "else", AMBIGUITY_OTHER }, { "former", AMBIGUITY_ORDER }, { "further", AMBIGUITY_MORE },
	{ "he", AMBIGUITY_PERSON }, { "her", AMBIGUITY_PERSON }, { "hers", AMBIGUITY_PERSON }, { "herself", AMBIGUITY_PERSON },
	{ "him", AMBIGUITY_PERSON }, { "himself", AMBIGUITY_PERSON }, { "his", AMBIGUITY_PERSON }, { "instead", AMBIGUITY_OTHER },
	{ "it", AMBIGUITY_IT }, { "its", AMBIGUITY_IT }, { "itself", AMBIGUITY_IT }, { "latter", AMBIGUITY_ORDER },
	{ "more", AMBIGUITY_MORE }, { "neither", AMBIGUITY_BOTH }, { "one", AMBIGUITY_ONE }, { "ones", AMBIGUITY_ONE },
	{ "other", AMBIGUITY_OTHER }, { "others", AMBIGUITY_OTHER }, { "previous", AMBIGUITY_ORDER }, { "same", AMBIGUITY_SAME },
	{ "she", AMBIGUITY_PERSON }, { "similar", AMBIGUITY_SAME }, { "such", AMBIGUITY_SAME }, { "that", AMBIGUITY_THAT },
	{ "their", AMBIGUITY_THEY }, { "theirs", AMBIGUITY_THEY }, { "them", AMBIGUITY_THEY }, { "themselves", AMBIGUITY_THEY },
	{ "then", AMBIGUITY_TIME }, { "there", AMBIGUITY_THERE }, { "these", AMBIGUITY_THIS }, { "they", AMBIGUITY_THEY },
	{ "this", AMBIGUITY_THIS }, { "those", AMBIGUITY_THIS }, { "too", AMBIGUITY_MORE },
};

/* Where one word begins another, the longer one comes first. */
static const struct entry chinese[] = {
	{ "它们", AMBIGUITY_THEY }, { "他们", AMBIGUITY_THEY }, { "她们", AMBIGUITY_THEY }, { "其他", AMBIGUITY_OTHER }, { "其它", AMBIGUITY_OTHER },
	{ "其中", AMBIGUITY_THIS }, { "其次", AMBIGUITY_ORDER }, { "他人", N_AMBIGUITIES }, { "其实", N_AMBIGUITIES }, { "它", AMBIGUITY_IT },
	{ "他", AMBIGUITY_PERSON }, { "她", AMBIGUITY_PERSON }, { "其", AMBIGUITY_IT }, { "这时候", AMBIGUITY_TIME }, { "那时候", AMBIGUITY_TIME },
	{ "这里", AMBIGUITY_THERE }, { "那里", AMBIGUITY_THERE }, { "这儿", AMBIGUITY_THERE }, { "那儿", AMBIGUITY_THERE }, { "这边", AMBIGUITY_THERE },
	{ "那边", AMBIGUITY_THERE }, { "那时", AMBIGUITY_TIME }, { "这么", N_AMBIGUITIES }, { "那么", N_AMBIGUITIES }, { "这样", AMBIGUITY_SAME },
	{ "那样", AMBIGUITY_SAME }, { "这", AMBIGUITY_THIS }, { "那", AMBIGUITY_THIS }, { "该", N_AMBIGUITIES }, { "此", AMBIGUITY_THIS },
	{ "同样", AMBIGUITY_SAME }, { "一样", AMBIGUITY_SAME }, { "别的", AMBIGUITY_OTHER }, { "另外", AMBIGUITY_OTHER }, { "另", AMBIGUITY_OTHER },
	{ "还有", AMBIGUITY_MORE }, { "还", AMBIGUITY_MORE }, { "也", AMBIGUITY_MORE }, { "再", AMBIGUITY_MORE }, { "两个", AMBIGUITY_BOTH },
	{ "两者", AMBIGUITY_BOTH }, { "第一", AMBIGUITY_ORDER }, { "第二", AMBIGUITY_ORDER }, { "第三", AMBIGUITY_ORDER }, { "后者", AMBIGUITY_ORDER },
	{ "前者", AMBIGUITY_ORDER }, { "当时", AMBIGUITY_TIME }, { "后来", AMBIGUITY_TIME }, { "之后", AMBIGUITY_TIME }, { "然后", AMBIGUITY_TIME },
};

struct token {
	/* in lower case, without an apostrophe and what follows it; "" for a longer word */
	char word[WORD_MAX];
	uint32_t start, end;       /* end: of the word up to its apostrophe */
	bool close;                /* only blanks are between it and the previous token */
};

static bool
is_inside(unsigned char c)
{
	return ascii_is_alnum(c) || c == '_' || c >= 0x80;
}

/* Returns the length in bytes of an apostrophe at p, ' or ’; 0 when there is none. */
static size_t
apostrophe(const char *p, const char *end)
{
	if (p < end && *p == '\'')
		return 1;
	return end - p >= 3 && memcmp(p, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

/* Reads the token at or after `at`; false at the end of the text. *next: where to continue. */
static bool
read_token(const char *text, size_t len, size_t at, struct token *t, size_t *next)
{
	const char *end = text + len;
	size_t n = 0, from = at, i, skip;

	while (at < len && !ascii_is_alnum(text[at]))
		at++;
	t->close = true;
	for (i = from; i < at; i++)
		t->close &= text[i] == ' ' || text[i] == '\t';
	if (at == len)
		return false;
	t->start = (uint32_t)at;
	for (i = at; i < len && is_inside((unsigned char)text[i]) && apostrophe(text + i, end) == 0;
	     i++)
		if (n < WORD_MAX)
			t->word[n++] = ascii_lower(text[i]);
	t->word[n < WORD_MAX ? n : 0] = '\0';
	t->end = (uint32_t)i;
	if ((skip = apostrophe(text + i, end)) > 0)
		for (i += skip; i < len && is_inside((unsigned char)text[i]); i++)
			;
	*next = i;
	return true;
}

static int
kind_of(const char *word)
{
	size_t low = 0, high = NELEM(english);

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strcmp(english[mid].word, word);

		if (order == 0)
			return english[mid].kind;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return -1;
}

static bool
is_be(const char *w)
{
	return strcmp(w, "is") == 0 || strcmp(w, "are") == 0 || strcmp(w, "was") == 0 ||
	    strcmp(w, "were") == 0 || strcmp(w, "be") == 0 || strcmp(w, "been") == 0 ||
	    strcmp(w, "isn") == 0 || strcmp(w, "aren") == 0;
}

static bool
is_content(const char *w)
{
	return *w != '\0' && !words_is_stop(w, strlen(w));
}

/* Whether the neighbours suggest that the word refers back. A missing neighbour is "". */
static bool
points_back(int kind, const char *word, const char *before, const char *after, bool contracted)
{
	switch (kind) {
	/* not in "the house that burnt" or "I know that", but in "is that" and "that house" */
	case AMBIGUITY_THAT:
		return !is_content(before);
	case AMBIGUITY_ONE:            /* not in "one of them", "one day", "one million" */
		return strcmp(after, "of") != 0 && !(strcmp(word, "one") == 0 && is_content(after));
	case AMBIGUITY_THERE:          /* not in "is there a", "there are" */
		return !is_be(before) && !is_be(after) && !contracted;
	case AMBIGUITY_MORE:           /* not in "more than", which compares */
		return strcmp(after, "than") != 0 &&
		    !(strcmp(word, "too") == 0 && is_content(after));
	case AMBIGUITY_SAME:           /* not in "such as", which lists */
		return !(strcmp(word, "such") == 0 && strcmp(after, "as") == 0);
	default:
		return true;
	}
}

static size_t
find_english(const char *text, size_t len, struct ambiguity *out, size_t max)
{
	struct token before = { .word = "" }, t, after;
	size_t n = 0, next, later;
	bool is = read_token(text, len, 0, &t, &next);

	while (is) {
		bool more = read_token(text, len, next, &after, &later);
		int kind = kind_of(t.word);

		if (kind >= 0 && n < max &&
		    points_back(kind, t.word, t.close ? before.word : "",
			more && after.close ? after.word : "", next > t.end))
			out[n++] = (struct ambiguity){ (enum ambiguity_kind)kind, t.start, t.end };
		before = t;
		t = after;
		next = later;
		is = more;
	}
	return n;
}

static size_t
find_chinese(const char *text, size_t len, struct ambiguity *out, size_t max)
{
	size_t n = 0, at = 0;

	while (at < len) {
		size_t step = 1;

		for (size_t i = 0; (unsigned char)text[at] >= 0xe0 && i < NELEM(chinese); i++) {
			size_t bytes = strlen(chinese[i].word);

			if (bytes > len - at || memcmp(text + at, chinese[i].word, bytes) != 0)
				continue;
			if (chinese[i].kind < N_AMBIGUITIES && n < max)
				out[n++] = (struct ambiguity){ (enum ambiguity_kind)chinese[i].kind,
					(uint32_t)at, (uint32_t)(at + bytes) };
			step = bytes;
			break;
		}
		at += step;
	}
	return n;
}

static int
by_place(const void *pa, const void *pb)
{
	const struct ambiguity *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

size_t
ambiguity_find(const char *text, size_t len, struct ambiguity *out, size_t max)
{
	size_t n = find_english(text, len, out, max);
	size_t m = find_chinese(text, len, out + n, max - n);

	if (n > 0 && m > 0)
		qsort(out, n + m, sizeof(*out), by_place);
	return n + m;
}
