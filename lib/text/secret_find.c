/*
 * secret_find.c: decides whether there is a secret at a place.
 *
 * - In a run of 16 or more letters, digits and - _ . each start of a word is compared with the
 *   table of forms (prefix, alphabet, length and entropy of what follows); then come forms without
 *   a prefix: web tokens of three parts, and what follows "Bearer".
 * - At "=" and ":" there may be NAME=value or NAME: "value", when the name ends in a word for a
 *   secret and the value looks random; or a bot's digits:token.
 * - At "://" there may be a password before the host, or an address that lets anyone post. At
 *   "-----BEGIN" there may be a private key.
 *
 * A value made of words, a placeholder ("your-key-here", "xxxx"), a hash, a UUID or a picture in
 * base64 is no secret. What makes a secret is a known form, or a name that says so. Entropy is
 * Shannon's, in bits a character, over the characters of the value itself.
 */
#include "text/secret_find.h"

#include <pthread.h>

#include "base/ascii.h"

#define NAME_BYTES 64
/* the least of a token before a line was broken in it */
#define WRAPPED_BYTES 8
/* longest mark before a line, with blanks and numbers */
#define MARK_BYTES 16

/* ---- shapes ---- */

/*
 * The end of what begins at body and reaches to end, where a line may have been broken: then the
 * rest stands alone on the next.
 */
static size_t
wrapped_end(const struct secret_finder *f, const struct secret_form *r, size_t body, size_t end)
{
	size_t next = end, stop;

	if (end - body < WRAPPED_BYTES || end - body >= r->min)
		return end;
	next += next < f->len && f->text[next] == '\r';
	if (next == f->len || f->text[next++] != '\n')
		return end;
	stop = secret_span(f, next, r->alphabet & ~(unsigned)SECRET_DOT, r->max);
	return stop - next + end - body >= r->min && stop - next + end - body <= r->max &&
	    secret_is_mixed(f->text + next, stop - next) &&
	    (stop == f->len || !(secret_class(f->text[stop]) & SECRET_URLSAFE)) ? stop : end;
}

static bool
find_form(struct secret_finder *f, size_t at)
{
	for (const struct secret_form *r = secret_forms; r < secret_forms + secret_n_forms; r++) {
		if (ascii_lower(r->prefix[0]) > ascii_lower(f->text[at]))
			break;
		if (r->prefix[0] != f->text[at] || !secret_starts(f, at, r->prefix))
			continue;
		size_t body = at + strlen(r->prefix);
		size_t end = wrapped_end(f, r, body, secret_span(f, body, r->alphabet, r->max + 1));
		if (r->alphabet & SECRET_DOT)
			/* full stops at the end belong to the sentence */
			while (end > body && f->text[end - 1] == '.')
				end--;
		if (end - body < r->min || end - body > r->max ||
		    (end < f->len && (secret_class(f->text[end]) & SECRET_ALNUM)))
			continue;
		if (secret_entropy(f->text + body, end - body) < r->entropy ||
		    ((r->alphabet & SECRET_LOWER) && !secret_is_mixed(f->text + body, end - body)))
			continue;
		if (end - body < 40 &&
		    (ascii_has(f->text + body, end - body, "example") ||
			ascii_has(f->text + body, end - body, "your") ||
			ascii_has(f->text + body, end - body, "xxxx")))
			continue;
		return secret_found(f, r->name, at, end);
	}
	return false;
}

/*
 * Finds tokens of three parts with dots between: a JSON web token (two parts are JSON in base64),
 * or a chat bot's token (lengths 24-28, 6-7, 27-45).
 */
static bool
find_parts(struct secret_finder *f, size_t at, size_t end)
{
	size_t part[4], n = 0;

	part[n++] = at;
	for (size_t i = at; i < end && n < 4; i++)
		if (f->text[i] == '.')
			part[n++] = i + 1;
	if (n != 3)
		return false;
	if (secret_starts(f, at, "eyJ") && part[1] - at >= 14 && end - part[2] >= 10 &&
	    part[2] - part[1] >= 14 && secret_starts(f, part[1], "eyJ"))
		return secret_found(f, "jwt", at, end);
	if (secret_starts(f, part[1], "atlasv1.") && part[1] - at >= 10 && end - part[2] >= 40)
		return secret_found(f, "terraform-token", at, end);
	if (part[1] - at - 1 >= 24 && part[1] - at - 1 <= 28 && part[2] - part[1] - 1 >= 6 &&
	    part[2] - part[1] - 1 <= 7 && end - part[2] >= 27 && end - part[2] <= 45 &&
	    strchr("MNO", f->text[at]) != NULL && secret_entropy(f->text + at, end - at) >= 4.0)
		return secret_found(f, "discord-token", at, end);
	return false;
}

/* Finds what follows "Bearer ", or "Authorization: Basic ". */
static bool
find_bearer(struct secret_finder *f, size_t at)
{
	if (!secret_may_follow_scheme(f->text, at))
		return false;
	bool bearer = secret_follows(f, at, "bearer ");
	if (!bearer && !secret_follows(f, at, "authorization: basic ") &&
	    !secret_follows(f, at, "authorization\": \"basic "))
		return false;
	size_t end = secret_span(f, at, SECRET_RUN | SECRET_BASE64, f->len);
	size_t n = end - at;
	if (bearer) {
		while (n > 0 && f->text[at + n - 1] == '.')
			n--;
		if (n >= 20 && secret_is_mixed(f->text + at, n) &&
		    secret_entropy(f->text + at, n) >= 3.0 &&
		    !secret_is_placeholder(f->text + at, n))
			return secret_found(f, "bearer-token", at, at + n);
	}
	return !bearer && n >= SECRET_RUN_BYTES && secret_is_mixed(f->text + at, n) &&
	    secret_found(f, "basic-auth", at, end);
}

/* Finds secrets in the run [at, end) of SECRET_RUN_BYTES or more. */
static bool
find_in_run(struct secret_finder *f, size_t at, size_t end)
{
	size_t last = end;

	for (size_t p = at; p + SECRET_RUN_BYTES <= end; p++) {
		bool start = p == at || (secret_class(f->text[p - 1]) & (SECRET_DASH | SECRET_DOT));

		if (start && f->text[p] != '-' && f->text[p] != '.' && find_form(f, p))
			return true;
	}
	while (last > at && f->text[last - 1] == '.')
		last--;
	return find_parts(f, at, last) || secret_in_long_run(f, at, last) ||
	    secret_called(f, at, last);
}

static bool
is_key_block(const struct secret_finder *f, size_t at, size_t *label_end)
{
	size_t p = at + strlen("-----BEGIN "), dash = p;

	if (!secret_starts(f, at, "-----BEGIN "))
		return false;
	while (dash < f->len && dash - p < 60 && f->text[dash] != '-' && f->text[dash] != '\n')
		dash++;
	*label_end = dash + 5;
	return secret_starts(f, dash, "-----") &&
	    ascii_has(f->text + p, dash - p, "private key");
}

/*
 * Whether the character may precede a line that is quoted, commented out, marked as changed, or
 * numbered: "> ", "Mara> ", "&gt; ", "# ", " * ", "| ", or bytes of an arrow or a bar.
 */
static bool
is_line_mark(char c)
{
	return (unsigned char)c >= 0x80 || (c != '\0' && strchr(">|#*;%!&", c) != NULL);
}

/*
 * Finds a private key: up to its END line, or, without one, as far as there is base64 and white
 * space. Its lines may have marks before them.
 */
static bool
find_key_block(struct secret_finder *f, size_t at)
{
	size_t body, end, n = 0, line;

	if (!is_key_block(f, at, &body))
		return false;
	for (line = end = body; end < f->len && !secret_starts(f, end, "-----END"); end++) {
		char c = f->text[end];

		if (c == '\n' || (c == 'n' && f->text[end - 1] == '\\'))
			line = end + 1;
		/* a header ("Proc-Type: 4,ENCRYPTED"), or the two characters \n inside a string */
		if (!(secret_class(c) & (SECRET_ALNUM | SECRET_BASE64)) && !ascii_is_space(c) &&
		    strchr(":,-\\\"'", c) == NULL &&
		    !(line > body && end - line < MARK_BYTES && is_line_mark(c)))
			break;
		n += (secret_class(c) & (SECRET_ALNUM | SECRET_BASE64)) != 0;
	}
	/* a mark of three bytes may have begun where marks are not looked for: it stays whole */
	while (end > body && end < f->len && ((unsigned char)f->text[end] & 0xc0) == 0x80)
		end--;
	if (n < 40)                                            /* "..." between the lines */
		return false;
	if (secret_starts(f, end, "-----END")) {
		end += 8;
		while (end < f->len && f->text[end] != '-' && f->text[end] != '\n')
			end++;
		end = secret_span(f, end, SECRET_DASH, 5);
	}
	return secret_found(f, "private-key", at, end);
}

/* Whether the user of an address is a token instead, as in https://TOKEN@host. */
static bool
is_url_token(const char *p, size_t len)
{
	return len >= 20 && (secret_classes(p, len) & SECRET_DIGIT) &&
	    secret_entropy(p, len) >= 3.0 && !secret_is_placeholder(p, len) &&
	    memchr(p, '.', len) == NULL;
}

/* Finds the password in scheme://user:password@host, and webhooks. The colon is at `at`. */
static bool
find_in_url(struct secret_finder *f, size_t at)
{
	size_t host = at + 3, colon = 0, p;

	for (const struct secret_form *w = secret_webhooks; w < secret_webhooks + secret_n_webhooks;
	     w++) {
		size_t body = host + strlen(w->prefix), end;

		if (!secret_starts(f, host, w->prefix))
			continue;
		end = secret_span(f, body, w->alphabet, w->max);
		if (end - body >= w->min &&
		    secret_entropy(f->text + body, end - body) >= w->entropy)
			return secret_found(f, w->name, body, end);
	}
	for (p = host; p < f->len && p - host < 200 && !ascii_is_space(f->text[p]) &&
	     strchr("/?#<>{}[]$\"`", f->text[p]) == NULL;
	     p++) {
		if (f->text[p] == ':' && colon == 0)
			colon = p + 1;
		if (f->text[p] == '@' && colon == 0)
			return is_url_token(f->text + host, p - host) &&
			    secret_found(f, "url-password", host, p);
		if (f->text[p] == '@' && p >= colon + 4 &&
		    !secret_is_placeholder(f->text + colon, p - colon) &&
		    !ascii_has(f->text + colon, p - colon, "pass") &&
		    !ascii_has(f->text + colon, p - colon, "pwd"))
			return secret_found(f, "url-password", colon, p);
	}
	return false;
}

/* Finds digits:token, as chat bots have it. The colon is at `at`. */
static bool
find_bot(struct secret_finder *f, size_t at)
{
	size_t start = at, end;

	while (start > f->done && ascii_is_digit(f->text[start - 1]))
		start--;
	if (at - start < 8 || at - start > 10)
		return false;
	end = secret_span(f, at + 1, SECRET_URLSAFE, 64);
	if (end - at - 1 != 35 || secret_entropy(f->text + at + 1, 35) < 3.5)
		return false;
	return secret_found(f, "telegram-token", start, end);
}

/* ---- assignments ---- */

/* Reads the name that ends at p: in lower case, without - and _. */
static size_t
read_name(const struct secret_finder *f, size_t p, char out[NAME_BYTES])
{
	static const char marker[] = "[REDACTED:";
	size_t start, n = 0;

	for (start = p;
	     start > f->done && p - start < NAME_BYTES &&
	     (secret_class(f->text[start - 1]) & SECRET_RUN);)
		start--;
	if (start - f->done >= sizeof(marker) - 1 &&
	    memcmp(f->text + start - (sizeof(marker) - 1), marker, sizeof(marker) - 1) == 0)
		/* the ] of "[REDACTED:password]: ...", which was redacted before */
		return 0;
	for (; start < p; start++)
		if (!(secret_class(f->text[start]) & SECRET_DASH))
			out[n++] = ascii_lower(f->text[start]);
	while (n > 0 && ascii_is_digit(out[n - 1]))
		n--;
	return n;
}

static bool
ends_in(const char *name, size_t len, const struct secret_name *list)
{
	for (; list->len > 0; list++)
		if (len >= list->len && name[len - 1] == list->text[list->len - 1] &&
		    memcmp(name + len - list->len, list->text, list->len) == 0)
			return true;
	return false;
}

/* for each last letter of a name in the lists, the letters that precede it, one bit each */
static uint32_t endings[26];
static pthread_once_t endings_once = PTHREAD_ONCE_INIT;

static void
learn_endings(void)
{
	for (const struct secret_name *n = secret_key_names; n->len > 0; n++)
		endings[n->text[n->len - 1] - 'a'] |= 1u << (n->text[n->len - 2] - 'a');
	for (const struct secret_name *n = secret_password_names; n->len > 0; n++)
		endings[n->text[n->len - 1] - 'a'] |= 1u << (n->text[n->len - 2] - 'a');
}

/* Returns where the name before the sign at `at` ends. */
static size_t
name_end(const struct secret_finder *f, size_t at)
{
	size_t p = at;

	while (p > f->done &&
	    (ascii_is_space(f->text[p - 1]) || strchr("\"'`])=:>*", f->text[p - 1]) != NULL) &&
	    at - p < 6)
		p--;
	return p;
}

/*
 * Whether the last two letters of the name that ends at p are those of a name in the lists; rejects
 * most names.
 */
static bool
may_be_named(const struct secret_finder *f, size_t p)
{
	char last, before;

	while (p > f->done && (secret_class(f->text[p - 1]) & (SECRET_DASH | SECRET_DIGIT)))
		p--;
	if (p == f->done || !(secret_class(last = f->text[--p]) & SECRET_LETTERS))
		return false;
	while (p > f->done && (secret_class(f->text[p - 1]) & SECRET_DASH))
		p--;
	if (p == f->done || !(secret_class(before = f->text[--p]) & SECRET_LETTERS))
		return false;
	pthread_once(&endings_once, learn_endings);
	return endings[(last | 32) - 'a'] >> ((before | 32) - 'a') & 1;
}

/* Reads the value: in quotes up to the quote, else up to a space or a closing sign. */
static bool
read_value(const struct secret_finder *f, size_t at, size_t *start, size_t *end, bool *quoted)
{
	size_t p = at + 1, q;

	while (p < f->len && (f->text[p] == ' ' || f->text[p] == '\t' || f->text[p] == '>') &&
	    p - at < 4)
		p++;
	if (p == f->len)
		return false;
	*quoted = f->text[p] == '"' || f->text[p] == '\'' || f->text[p] == '`';
	*start = p + *quoted;
	for (q = *start; q < f->len && q - *start < 512; q++) {
		char c = f->text[q];

		if (*quoted ? c == f->text[p] || c == '\n'
			    : ascii_is_space(c) || strchr(",;)\"'`<>]}&", c) != NULL)
			break;
	}
	*end = q;
	return q > *start && (!*quoted || (q < f->len && f->text[q] == f->text[p]));
}

static bool
is_random_key(const char *p, size_t len, bool quoted)
{
	unsigned digits = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned c = secret_class(p[i]);

		if (c == 0 || (c == SECRET_DOT && !quoted))           /* then it is an expression */
			return false;
		digits += (c & SECRET_DIGIT) != 0;
	}
	return len >= 16 && digits >= (quoted ? 1 : 2) &&
	    (secret_classes(p, len) & SECRET_LETTERS) &&
	    secret_entropy(p, len) >= 3.0 && !secret_is_placeholder(p, len);
}

static bool
is_password(const char *p, size_t len, bool quoted)
{
	bool symbol = false, letter = false;
	unsigned rises = 0;

	for (size_t i = 0; i < len; i++) {
		if (ascii_is_space(p[i]) || (unsigned char)p[i] < ' ' ||
		    strchr(quoted ? "<>{}" : "<>{}()[]$./\\", p[i]) != NULL)
			return false;
		letter = letter || (secret_class(p[i]) & SECRET_LETTERS);
		symbol = symbol ||
		    !(secret_class(p[i]) & (SECRET_LETTERS | SECRET_DASH | SECRET_DOT));
		rises += i > 0 && (secret_class(p[i]) & SECRET_UPPER) &&
		    !(secret_class(p[i - 1]) & SECRET_UPPER);
	}
	return len >= 8 && len <= 128 && letter && (symbol || (rises >= 2 && len >= 12)) &&
	    secret_entropy(p, len) >= 2.5 && !secret_is_placeholder(p, len);
}

/* Finds an assignment; "=" or ":" is at `at`. */
static bool
find_assignment(struct secret_finder *f, size_t at)
{
	char name[NAME_BYTES];
	size_t start, end, n, p = name_end(f, at);
	bool quoted, key, password;

	if (!may_be_named(f, p))
		return false;
	n = read_name(f, p, name);
	key = ends_in(name, n, secret_key_names);
	password = ends_in(name, n, secret_password_names);
	if ((!key && !password) || !read_value(f, at, &start, &end, &quoted))
		return false;
	if (key && is_random_key(f->text + start, end - start, quoted))
		return secret_found(f, "secret", start, end);
	return password && is_password(f->text + start, end - start, quoted) &&
	    secret_found(f, "password", start, end);
}

/* ---- the doors ---- */

const char *
secret_named(const char *name, size_t name_len, const char *value, size_t len)
{
	struct secret_finder f = { .text = name, .len = name_len };
	char folded[NAME_BYTES];

	if (!may_be_named(&f, name_len))
		return NULL;
	size_t n = read_name(&f, name_len, folded);
	if (ends_in(folded, n, secret_key_names) && is_random_key(value, len, true))
		return "secret";
	return ends_in(folded, n, secret_password_names) && is_password(value, len, true)
	    ? "password" : NULL;
}

bool
secret_in_run(struct secret_finder *f, size_t at, size_t end)
{
	if (f->text[at] == '-' && (find_key_block(f, at) || secret_at_option(f, at)))
		return true;
	if (find_bearer(f, at))
		return true;
	return end - at >= SECRET_RUN_BYTES && find_in_run(f, at, end);
}

bool
secret_at_sign(struct secret_finder *f, size_t at)
{
	switch (f->text[at]) {
	case ':':
		if (secret_starts(f, at, "://") ? find_in_url(f, at)
						: find_bot(f, at) || secret_at_colon(f, at))
			return true;
		return find_assignment(f, at);
	case '=':
		return find_assignment(f, at) || secret_in_query(f, at);
	case '-':
		return secret_at_option(f, at);
	case ' ':
		return secret_in_groups(f, at);
	case '/':
		/* "1//..." */
		if (at > f->done && f->text[at - 1] == '1' && find_form(f, at - 1))
			return true;
		return find_bearer(f, at);
	case '+':
		return find_bearer(f, at);
	default:
		return secret_said(f, at);
	}
}
