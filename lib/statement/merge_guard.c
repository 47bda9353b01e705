/*
 * merge_guard.c: the words of the claim, as likeness_words.h reads them, are looked for in the
 * source, a piece at a time; its negations are laid beside those of the quote.
 */
#include "statement/merge_guard.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "statement/likeness.h"
#include "text/words.h"

#define PIECE_BYTES (2 * SAID_WORDS - 20)  /* of the source; a word takes two bytes or more */

/* What the word is, where the source must have it; NULL: it need not. */
static const char *
needs(const struct said_word *w)
{
	return w->number			   ? "numbers"
	    : w->whole				   ? "identifiers"
	    : w->name || (w->first && w->content) ? "names"
						   : NULL;
}

/* Marks the words of s that the source has. */
static void
look_in(const struct said *s, const char *source, size_t len, bool found[SAID_WORDS])
{
	static _Thread_local struct said piece;

	for (size_t at = 0, end; at < len; at = end) {
		end = MIN(at + PIECE_BYTES, len);
		while (end < len && end > at + 1 && !ascii_is_space(source[end]))
			end--;
		if (end == at + 1)                 /* no blank in it: a script without them */
			end = at + utf8_clip(source + at, len - at, PIECE_BYTES);
		said_read(&piece, source + at, end - at);
		for (size_t i = 0; i < s->n; i++)
			found[i] |= said_has(&piece, &s->w[i]);
	}
}

const char *
merge_guard_claim(const char *claim, size_t claim_len, const char *quote, size_t quote_len,
	const char *source, size_t source_len, const char *who)
{
	static _Thread_local struct said c, q;
	bool found[SAID_WORDS] = { false };
	struct likeness like;
	const char *why = NULL;
	size_t n = 0, n_found = 0;

	said_read(&c, claim, claim_len);
	look_in(&c, source, source_len, found);
	look_in(&c, who, strlen(who), found);
	look_in(&c, "user speaker", strlen("user speaker"), found);
	for (size_t i = 0; i < c.n && why == NULL; i++) {
		why = found[i] ? NULL : needs(&c.w[i]);
		n += c.w[i].content;
		n_found += c.w[i].content && found[i];
	}
	if (why == NULL && 2 * n_found < n)
		why = "words";
	said_read(&q, quote, quote_len);
	likeness(&q, &c, &like);
	return why == NULL && like.negated ? "negations" : why;
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
