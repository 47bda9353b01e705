/*
 * mail_text.c: turns the bytes of a mail back into what was written. Nothing here fails: broken
 * input is read as what it most likely was.
 */
#include <errno.h>
#include <iconv.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/span.h"
#include "base/utf8.h"
#include "formats/mail_text.h"
#include "gen/mail_rows.h"

#define REPLACEMENT "\xef\xbf\xbd"
/*
 * the longest encoded word: RFC 2047 allows 75 bytes, programs write more, but a line of RFC 5322
 * is no longer than this
 */
#define WORD_MOST   998

/* ---- codings ---- */

static int
hex(char c)
{
	return ascii_is_digit(c)   ? c - '0'
	    : c >= 'A' && c <= 'F' ? c - 'A' + 10
	    : c >= 'a' && c <= 'f' ? c - 'a' + 10
				   : -1;
}

static void
decode_quoted(struct buf *out, const char *s, size_t len, bool header)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '=' && i + 2 < len && hex(s[i + 1]) >= 0 && hex(s[i + 2]) >= 0) {
			buf_addc(out, (char)(hex(s[i + 1]) * 16 + hex(s[i + 2])));
			i += 2;
		} else if (s[i] == '=' && !header) {
			/*
			 * a soft break: it ends with the line, and blanks may stand before that end
			 */
			while (i + 1 < len &&
			    (s[i + 1] == ' ' || s[i + 1] == '\t' || s[i + 1] == '\r'))
				i++;
			i += i + 1 < len && s[i + 1] == '\n';
		} else {
			buf_addc(out, header && s[i] == '_' ? ' ' : s[i]);
		}
	}
}

static int
sextet(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A'
	    : c >= 'a' && c <= 'z'  ? c - 'a' + 26
	    : ascii_is_digit(c)	    ? c - '0' + 52
	    : c == '+'		    ? 62
	    : c == '/'		    ? 63
				    : -1;
}

static void
decode_base64(struct buf *out, const char *s, size_t len)
{
	unsigned bits = 0, n = 0;

	for (size_t i = 0; i < len && s[i] != '='; i++) {
		int v = sextet(s[i]);

		if (v < 0)
			continue;
		bits = (bits << 6 | (unsigned)v) & 0xffffff;
		if ((n += 6) < 8)
			continue;
		n -= 8;
		buf_addc(out, (char)(bits >> n & 0xff));
	}
}

void
mail_decode(struct buf *out, const char *coding, const char *s, size_t len)
{
	if (strcasecmp(coding, "base64") == 0)
		decode_base64(out, s, len);
	else if (strcasecmp(coding, "quoted-printable") == 0)
		decode_quoted(out, s, len, false);
	else
		buf_add(out, s, len);
}

/* ---- charsets ---- */

static void
convert(struct buf *out, iconv_t how, const char *s, size_t len)
{
	FREED char *in = xmalloc(len + 1);
	char *at = in;

	memcpy(in, s, len);
	for (bool more = true; more; ) {
		char part[1024], *to = part;
		size_t room = sizeof(part);

		/*
		 * iconv may hold a letter back, in case an accent follows it; the last call,
		 * without input, makes it write that letter
		 */
		more = len > 0;
		if (iconv(how, more ? &at : NULL, &len, &to, &room) == (size_t)-1 &&
		    errno != E2BIG && more) {
			buf_add(out, part, sizeof(part) - room);
			buf_adds(out, REPLACEMENT);
			at++;
			len--;
			continue;
		}
		buf_add(out, part, sizeof(part) - room);
	}
}

/* Appends text that should be UTF-8; each byte that is not is replaced by U+FFFD. */
static void
add_valid(struct buf *out, const char *s, size_t len)
{
	for (;;) {
		size_t good = utf8_bad_at(s, len);

		buf_add(out, s, good);
		if (good == len)
			return;
		buf_adds(out, REPLACEMENT);
		s += good + 1;
		len -= good + 1;
	}
}

/*
 * The charset that mail means by a name, which mostly has more letters than the one so called: the
 * table of labels of the WHATWG's Encoding Standard. "": it names none.
 */
static const char *
charset_meant(const char *label)
{
	static const struct { const char *labels, *charset; } meant[] = { MAIL_CHARSETS };
	char word[64];
	int n = snprintf(word, sizeof(word), " %s ", label);

	for (int i = 0; i < n && i < (int)sizeof(word); i++)
		word[i] = ascii_lower(word[i]);
	for (size_t i = 0; n < (int)sizeof(word) && i < NELEM(meant); i++)
		if (strstr(meant[i].labels, word) != NULL)
			return meant[i].charset;
	return label;
}

void
mail_to_utf8(struct buf *out, const char *charset, const char *s, size_t len)
{
	const char *meant = charset_meant(charset);
	iconv_t how;

	if (*meant == '\0' && !utf8_valid(s, len))
		meant = "WINDOWS-1252";
	if (*meant == '\0' || strcmp(meant, "UTF-8") == 0) {
		add_valid(out, s, len);
		return;
	}
	if ((how = iconv_open("UTF-8", meant)) == (iconv_t)-1)
		how = iconv_open("UTF-8", charset);
	if (how == (iconv_t)-1) {
		add_valid(out, s, len);
		return;
	}
	convert(out, how, s, len);
	iconv_close(how);
}

/* ---- headers ---- */

/* Encoded words of one charset that follow each other: a letter may be cut between two. */
struct words { char charset[48]; struct buf bytes; };

static void
flush_words(struct buf *out, struct words *w)
{
	if (w->bytes.len > 0)
		mail_to_utf8(out, w->charset, w->bytes.data, w->bytes.len);
	buf_reset(&w->bytes);
}

/*
 * Decodes the encoded word "=?CHARSET?Q?WORDS?=" at s. Returns its length in bytes; 0: there is
 * none.
 */
static size_t
encoded_word(struct buf *out, struct words *w, const char *s, size_t len)
{
	const char *end = s + MIN(len, WORD_MOST), *charset = s + 2, *coding, *words, *close;
	char name[sizeof(w->charset)];
	size_t n;

	if (len < 8 || memcmp(s, "=?", 2) != 0 ||
	    (coding = memchr(charset, '?', (size_t)(end - charset))) == NULL || end - coding < 4 ||
	    coding[2] != '?')
		return 0;
	words = coding + 3;
	for (close = words; close + 1 < end && !(close[0] == '?' && close[1] == '='); close++)
		;
	n = strcspn(charset, "*?");            /* in "utf-8*en" the language follows the star */
	if (close + 1 >= end || n >= sizeof(name))
		return 0;
	memcpy(name, charset, n);
	name[n] = '\0';
	if (strcasecmp(name, w->charset) != 0)
		flush_words(out, w);
	memcpy(w->charset, name, n + 1);
	if ((coding[1] | 0x20) == 'b')
		decode_base64(&w->bytes, words, (size_t)(close - words));
	else
		decode_quoted(&w->bytes, words, (size_t)(close - words), true);
	return (size_t)(close + 2 - s);
}

void
mail_header_words(struct buf *out, const char *s, size_t len)
{
	size_t start = out->len, kept = start;
	bool encoded = false;
	struct words words = { .charset = "" };
	LOCAL(buf) plain = buf_of(len + 1);

	buf_init(&words.bytes, len + 1);
	for (size_t i = 0; i < len; ) {
		size_t n = s[i] == '=' ? encoded_word(out, &words, s + i, len - i) : 0, blanks = 0;

		if (n > 0) {
			i += n;
			encoded = true;
			continue;
		}
		/* blanks between two encoded words do not count (RFC 2047) */
		while (encoded && i + blanks < len && ascii_is_space(s[i + blanks]))
			blanks++;
		encoded = false;
		if (blanks > 0 && len - i - blanks >= 2 && memcmp(s + i + blanks, "=?", 2) == 0) {
			i += blanks;
			continue;
		}
		flush_words(out, &words);
		for (n = 1; i + n < len && s[i + n] != '='; n++)
			;
		buf_reset(&plain);
		buf_add(&plain, s + i, n);
		mail_to_utf8(out, "", plain.data, plain.len);
		i += n;
	}
	flush_words(out, &words);
	buf_release(&words.bytes);
	for (size_t i = start; i < out->len; i++)
		if (out->data[i] != '\0')
			out->data[kept++] = out->data[i];
	out->len = kept;
	out->data[kept] = '\0';
}

/* ---- words ---- */

/* Whether a line looks like a header within quoted mail: "From: Mara", "Gesendet: ..." */
static bool
is_header(const char *s, size_t len)
{
	const char *colon = memchr(s, ':', MIN(len, 24));

	if (colon == NULL || colon == s || *s == ' ' || *s == '>')
		return false;
	for (const char *p = s; p < colon; p++)
		if (!(ascii_is_letter(*p) || (unsigned char)*p >= 0x80 || *p == ' ' || *p == '-' ||
			*p == '*'))
			return false;
	return true;
}

static bool
begins_with(const char *s, size_t len, const char *const *words)
{
	for (; *words != NULL; words++)
		if (span_begins(s, len, *words))
			return true;
	return false;
}

/*
 * Whether this line begins what Outlook quotes: it sets no marks, but puts a rule, or the headers
 * of the quoted mail, above it.
 */
static bool
begins_quote(const char *s, size_t len, const char *end)
{
	static const char *const from[] = { "From:", "*From:*",
		"Von:", "De :", "De:", "Da:", "Van:", "\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba:",
		"\xe5\xb7\xae\xe5\x87\xba\xe4\xba\xba:", NULL };
	static const char *const sent[] = { "Sent:", "*Sent:*", "Date:", "*Date:*",
		"Gesendet:", "Envoy\xc3\xa9 :", "Enviado:", "Enviada em:", "Inviato:", "Verzonden:",
		"\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4:",
		"\xe9\x80\x81\xe4\xbf\xa1\xe6\x97\xa5\xe6\x99\x82:", NULL };
	const char *next = s + len;
	size_t n = 0, bar = 0;

	/* without this test each of many blank lines would look through all that follow it */
	if (ascii_is_space(*s))
		return false;
	while (next < end && ascii_is_space(*next))
		next++;
	while (next + n < end && next[n] != '\n')
		n++;
	if (!is_header(next, n))
		return false;
	while (bar < len && s[bar] == '_')
		bar++;
	if (bar >= 10 && bar == len)
		return true;
	if (len > 12 && memcmp(s, "-----", 5) == 0 && memcmp(s + len - 5, "-----", 5) == 0)
		return strspn(s, "-") < len;
	return begins_with(s, len, from) && begins_with(next, n, sent);
}

void
mail_own_words(struct buf *out, const char *s, size_t len, bool reply, bool wrapped)
{
	const char *end = s + len;
	/* offsets in out: the beginning of the last paragraph, and of the last line */
	size_t lead = out->len, last = out->len;
	bool quoted = false, cut = false;
	/*
	 * some own words came first; without any, what looks like a quote is all there is, and
	 * stays
	 */
	bool said = false;

	for (const char *nl; s < end; s = nl + 1) {
		size_t n, marks = 0;

		nl = ascii_line_end(s, end);
		n = (size_t)(nl - s);
		n -= n > 0 && s[n - 1] == '\r';
		bool begins = reply && n > 0 &&
		    (begins_quote(s, n, end) || span_is(s, n, MAIL_QUOTED));
		if ((n == 3 && memcmp(s, "-- ", 3) == 0) || (begins && said))
			break;
		if (reply && span_is(s, n, MAIL_QUOTED))
			continue;
		if (reply && n > 0 && *s == '>') {
			size_t to = out->len;

			/*
			 * "Mara wrote:" stands before the first quoted line, on two lines at most,
			 * and goes too
			 */
			while (!quoted && to > lead && ascii_is_space(out->data[to - 1]))
				to--;
			if (!quoted && to > last && out->data[to - 1] == ':') {
				out->len = wrapped && to - lead < 200 ? lead : last;
				out->data[out->len] = '\0';
			}
			quoted = cut = true;
			continue;
		}
		/* where a quote was taken out, one blank line is left */
		if (cut && n == 0 &&
		    (out->len < 2 || memcmp(out->data + out->len - 2, "\n\n", 2) == 0))
			continue;
		quoted &= n == 0;
		cut &= n == 0;
		if (n > 0 &&
		    (out->len == 0 ||
			(out->len > 1 && out->data[out->len - 1] == '\n' &&
			    out->data[out->len - 2] == '\n')))
			lead = out->len;
		if (n > 0)
			last = out->len;
		said |= n > 0 && !begins;
		/* an mbox has ">" before lines that begin with "From " */
		while (marks < n && s[marks] == '>')
			marks++;
		if (marks > 0 && n - marks >= 5 && memcmp(s + marks, "From ", 5) == 0) {
			s++;
			n--;
		}
		for (size_t i = 0; i < n; i++)
			if (s[i] != '\0')
				buf_addc(out, s[i]);
		buf_addc(out, '\n');
	}
}
