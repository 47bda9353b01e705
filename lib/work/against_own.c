/*
 * against_own.c: what of a turn is its user's own: files, logs and chats are pasted into it, and
 * others are quoted. In doubt it is somebody else's, as nobody decided what was only shown.
 */
#include "base/ascii.h"
#include "statement/sentence.h"
#include "statement/speech.h"
#include "work/against_parts.h"

#define INDENT 4                   /* blanks before a line that is shown, not said */
#define FIRST_NEAR 2               /* words in which "I" stands before "said" */

static bool
begins(const char *p, size_t len, const char *what)
{
	size_t n = strlen(what);

	return len >= n && memcmp(p, what, n) == 0;
}

/* Where the tag at p of a line to `end` is closed; len: it stands alone, and is not. 0: no tag. */
static size_t
tag_end(const char *text, size_t len, size_t p, size_t end)
{
	size_t n = 0;

	while (p + 1 + n < len && (ascii_is_alnum(text[p + 1 + n]) ||
	    strchr("_-", text[p + 1 + n]) != NULL))
		n++;
	for (size_t i = p + 1 + n; n > 0 && i + n + 2 <= len; i++)
		if (text[i] == '<' && text[i + 1] == '/' &&
		    memcmp(text + i + 2, text + p + 1, n) == 0)
			return i;
	return n > 0 && text[end - 1] == '>' ? len : 0;
}

/* Whether a line begins as of a table, a terminal, a patch or somebody's who is named in it. */
static bool
is_shown(const char *p, size_t n)
{
	static const char *const roles[] = { "User:", "Assistant:", "Human:", "AI:", "System:" };

	for (size_t i = 0; i < NELEM(roles); i++)
		if (begins(p, n, roles[i]))
			return true;
	return strchr(">|<`\t+", *p) != NULL || memchr(p, '{', n) != NULL ||
	    (unsigned char)*p == 0xe2 ||           /* a bullet or line of a terminal */
	    (*p == '[' && n > 1 && ascii_is_digit(p[1]));
}

bool
against_own_line(struct against_own *o, const char *text, size_t len, size_t start, size_t end)
{
	const char *p = text + start;
	size_t n = end - start, blanks = 0;

	while (blanks < n && ascii_is_space(p[blanks]))
		blanks++;
	if (blanks == n || start < o->until)
		return false;
	p += blanks;
	n -= blanks;
	if (begins(p, n, "```") || begins(p, n, "~~~")) {
		if (o->fence == '\0' || o->fence == *p)
			o->fence = o->fence == '\0' ? *p : '\0';
		return false;
	}
	if (begins(p, n, "diff --git ") || begins(p, n, "@@ "))
		o->until = len;
	if (*p == '<' && o->fence == '\0')
		o->until = tag_end(text, len, (size_t)(p - text), end);
	return o->fence == '\0' && blanks < INDENT && !is_shown(text + start, end - start) &&
	    !is_shown(p, n) && o->until != len &&
	    speech_of_line(text, len, start, end) == SPEECH_OWN;
}

/* Takes what they say from the words of a sentence that stand in quotation marks. */
static void
mute_quoted(const char *line, size_t at, struct against_words *v)
{
	bool quoted = false;
	size_t i = 0;

	for (size_t k = 0; k < v->n; k++) {
		for (size_t to = at + v->w[k].start; i < to; i++)
			quoted ^= line[i] == '"' ||
			    sentence_mark(line + i, to - i, "“ ” „ « » 「 」") > 0;
		if (quoted)
			v->w[k].says = v->w[k].begins = 0;
	}
}

/* Whether a word says that another speaks: "he said", but not "I said". */
static bool
is_of_others(const struct against_words *v)
{
	for (size_t i = 0; i < v->n; i++) {
		bool first = false;

		for (size_t k = i; k > 0 && k + FIRST_NEAR > i; k--)
			first |= against_says(&v->w[k - 1], SAYS(FIRST));
		if ((v->w[i].begins & SAYS(OTHERS)) && !first)
			return true;
	}
	return false;
}

bool
against_own_sentence(struct against_own *o, const char *line, size_t line_len, size_t at,
	struct against_words *v)
{
	mute_quoted(line, at, v);
	if (!is_of_others(v))
		return true;
	/* what a colon leads to is theirs to the end */
	if (line[line_len - 1] == ':')
		o->until = SIZE_MAX;
	return false;
}
