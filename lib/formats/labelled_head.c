/*
 * labelled_head.c: a head is a name with what may stand around it: marks of Markdown, emoji, a time
 * before it, a model or a time in brackets behind it.
 */
#include "base/ascii.h"
#include "base/hash.h"
#include "formats/labelled_head.h"

static bool
is_mark(char c)
{
	return c == '*' || c == '_' || c == '#' || c == '>' || c == '`' || c == '[' || c == ']';
}

/* Skips blanks, marks of Markdown and emoji before a name. */
static size_t
skip_marks(const char *s, size_t len, bool *marked)
{
	size_t i = 0;

	*marked = false;
	while (i < len) {
		if (s[i] == ' ') {
			i++;
		} else if (is_mark(s[i])) {
			*marked = true;
			i++;
		} else if (len - i >= 4 && memcmp(s + i, "\xf0\x9f", 2) == 0) {
			i += 4;
		} else if (len - i >= 3 &&
		    (memcmp(s + i, "\xef\xb8\x8f", 3) == 0 ||
			memcmp(s + i, "\xe2\x80\x8d", 3) == 0)) {
			i += 3;
		} else {
			break;
		}
	}
	return i;
}

/*
 * Skips a time before a name: "2026-03-01 10:05:00 ", "10:05] ". Returns where the name begins; 0:
 * there is no time.
 */
static size_t
skip_time(const char *s, size_t len, size_t from, struct labelled_head *h)
{
	size_t i = from;
	bool clock = false;

	for (; i < len && strchr("0123456789:./-,TZ+ ])", s[i]) != NULL; i++)
		clock |= s[i] == ':' && i > from && ascii_is_digit(s[i - 1]) && i + 1 < len &&
		    ascii_is_digit(s[i + 1]);
	if (!clock || i == len || i == from || strchr(" ])", s[i - 1]) == NULL)
		return 0;
	h->said_at = s + from;
	h->said_at_len = i - from;
	while (h->said_at_len > 0 && strchr(" ,])", h->said_at[h->said_at_len - 1]) != NULL)
		h->said_at_len--;
	return i;
}

/* The marks that stand before a name, without blanks, brackets and emoji, as a number. */
static uint32_t
style_of(const char *s, size_t len, bool alone)
{
	uint64_t style = alone;

	for (size_t i = 0; i < len; i++)
		if (strchr("*_#>`", s[i]) != NULL)
			style = hash64(s + i, 1, style);
	return (uint32_t)style;
}

/* Whether it is the name of an account, such as "anaq" or "ben_ode.2". */
static bool
is_account(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!((s[i] >= 'a' && s[i] <= 'z') || ascii_is_digit(s[i]) ||
			(i > 0 && strchr("_-.", s[i]) != NULL)))
			return false;
	return true;
}

/* Whether a line looks like a head. Whether the name in it speaks here, the caller decides. */
bool
labelled_head(const char *s, size_t len, struct labelled_head *h)
{
	size_t whole = len;
	bool marked;

	/* Markdown breaks a line at blanks behind it */
	while (len > 0 && s[len - 1] == ' ')
		len--;
	size_t start = skip_marks(s, len, &marked), end, n;
	h->said_at = NULL;
	if (start < len && ascii_is_digit(s[start]) && (n = skip_time(s, len, start, h)) > 0) {
		bool more;

		start = n + skip_marks(s + n, len - n, &more);
		marked |= more;
	}
	for (end = start; end < len && end - start <= SPEAKER_BYTES + 30; end++)
		if (s[end] == ':' || is_mark(s[end]) || s[end] == '(' ||
		    (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0))
			break;
	for (n = end - start; n > 0 && s[start + n - 1] == ' '; n--)
		;
	if (n == 0 || n > SPEAKER_BYTES)
		return false;
	/* skips "(10:05)" or "(the model) (10:05)", then marks and the colon in any order */
	while (end + 1 < len && (s[end] == '(' || (s[end] == '[' && ascii_is_digit(s[end + 1])))) {
		const char *close = memchr(s + end, s[end] == '(' ? ')' : ']', len - end);

		if (close == NULL)
			return false;
		h->said_at = s + end + 1;
		h->said_at_len = (size_t)(close - h->said_at);
		end = (size_t)(close + 1 - s);
		end += end + 1 < len && s[end] == ' ' && s[end + 1] == '(';
	}
	h->alone = true;
	for (; end < len; end++) {
		if (s[end] == ':')
			h->alone = false;
		else if (len - end >= 3 && memcmp(s + end, "\xef\xbc\x9a", 3) == 0 && h->alone)
			h->alone = false, end += 2;
		else if (!(is_mark(s[end]) || (s[end] == ' ' && !h->alone) ||
			     (s[end] == ' ' && end + 1 == len)))
			break;
		if (!h->alone && end + 1 < len && s[end + 1] == ' ') {
			end += 2;
			break;
		}
	}
	/* a colon in the middle of something, as in "10:05" or "http://", makes no head */
	if (!h->alone && end < len && end > 0 && s[end - 1] == ':' && s[end] != ' ')
		return false;
	if (h->alone && (end < len || !marked))
		return false;
	h->role = speaker_side(s + start, n, &h->sure);
	memcpy(h->name, s + start, n);
	h->name[n] = '\0';
	h->words = end < len ? end : whole;
	h->style = style_of(s, start, h->alone);
	h->account = is_account(s + start, n);
	return h->role != NULL ||
	    (!speaker_is_nobody(s + start, n) &&
		(h->account || speaker_is_name(s + start, n, SPEAKER_HEAD)));
}

void
labelled_head_fence(const char *line, size_t len, const struct labelled_head *h,
	struct turns_fence *fence)
{
	size_t at = MIN(h->words, len);

	turns_fence_see(fence, line + at, len - at);
}
