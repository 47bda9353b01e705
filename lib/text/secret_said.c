/*
 * secret_said.c: a value that somebody calls a password is less strictly looked at than one that is
 * only found: a digit among letters is enough. Words of a language are none, since most sentences
 * with "password is" tell what is wrong with it.
 */
#include "base/ascii.h"
#include "text/secret_find.h"
#include "text/secret_words.h"

#define LINE_FAR  160          /* how near to a word something is said to be set */
#define WORDS_MAX 6            /* "password for the guest wifi is" */
#define VALUE_MAX 256

/* ---- headers, files and addresses ---- */

static bool
is_random(const char *p, size_t len)
{
	unsigned n_digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (!(secret_class(p[i]) & (SECRET_RUN | SECRET_BASE64)) && p[i] != '%')
			return false;
		n_digits += ascii_is_digit(p[i]);
	}
	return len >= 16 && n_digits >= 2 && (secret_classes(p, len) & SECRET_LETTERS) &&
	    secret_entropy(p, len) >= 3.0 && !secret_is_placeholder(p, len);
}

/* "Cookie: a=b; c=d", of which one looks random: all of it. */
static bool
find_cookies(struct secret_finder *f, size_t at)
{
	size_t start = at + 1, end, value = 0;
	bool random = false;

	if (!secret_follows(f, at, "cookie"))
		return false;
	while (start < f->len && f->text[start] == ' ')
		start++;
	for (end = start; end <= f->len; end++) {
		bool ends = end == f->len || strchr(" \n\r\"'\\`)", f->text[end]) != NULL;

		if (ends || f->text[end] == ';') {
			random |= value > 0 && is_random(f->text + value, end - value);
			value = 0;
		} else if (f->text[end] == '=' && value == 0) {
			value = end + 1;
		}
		if (ends && (end == f->len || f->text[end] != ' ' || f->text[end - 1] != ';'))
			break;
	}
	return random && secret_found(f, "cookie", start, end);
}

/* "NAME:$apr1$SALT$HASH", a line of a file of passwords. */
static bool
find_crypt(struct secret_finder *f, size_t at)
{
	size_t end = at + 1;
	unsigned n = 0;

	if (end == f->len || f->text[end] != '$' || at == 0 ||
	    !(secret_class(f->text[at - 1]) & SECRET_ALNUM))
		return false;
	for (; end < f->len && ((secret_class(f->text[end]) & (SECRET_RUN | SECRET_BASE64)) ||
	    strchr("$,", f->text[end]) != NULL); end++)
		n += f->text[end] == '$';
	return n >= 3 && end - at >= 25 && !ascii_has(f->text + at, end - at, "...") &&
	    secret_found(f, "password-hash", at + 1, end);
}

/* "PIN: 1234" */
static bool
find_pin(struct secret_finder *f, size_t at)
{
	size_t start = at + 1, end;

	if (at < 3 || memcmp(f->text + at - 3, "PIN", 3) != 0 ||
	    (at > 3 && (secret_class(f->text[at - 4]) & SECRET_URLSAFE)))
		return false;
	start += start < f->len && f->text[start] == ' ';
	end = secret_span(f, start, SECRET_DIGIT, 9);
	return end - start >= 4 && end - start <= 8 &&
	    (end == f->len || !(secret_class(f->text[end]) & SECRET_URLSAFE)) &&
	    secret_found(f, "pin", start, end);
}

bool
secret_at_colon(struct secret_finder *f, size_t at)
{
	if (at == 0 || at + 1 >= f->len)
		return false;
	char before = f->text[at - 1];
	char next = f->text[at + 1];
	return (next == '$' ? find_crypt(f, at) : next != ' ' && secret_login(f, at)) ||
	    ((before == 'e' || before == 'E') && find_cookies(f, at)) ||
	    (before == 'N' && find_pin(f, at));
}

bool
secret_in_query(struct secret_finder *f, size_t at)
{
	static const char *const names[] = { "sig", "signature", "x-amz-signature",
		"x-goog-signature", "x-amz-security-token", "key", "auth", "jwt", "ticket",
		"assertion", "access_token", "code" };
	size_t name = at, end;

	if (at == 0 || strchr("geyhtdn", ascii_lower(f->text[at - 1])) == NULL)
		return false;
	while (name > f->done && at - name < 24 &&
	    (secret_class(f->text[name - 1]) & SECRET_URLSAFE))
		name--;
	if (name == 0 || name == at || strchr("?&", f->text[name - 1]) == NULL)
		return false;
	for (size_t i = 0; i < NELEM(names); i++)
		if (strlen(names[i]) == at - name && secret_follows(f, at, names[i])) {
			for (end = at + 1; end < f->len &&
			    ((secret_class(f->text[end]) & (SECRET_RUN | SECRET_BASE64)) ||
				f->text[end] == '%'); end++)
				;
			return is_random(f->text + at + 1, end - at - 1) &&
			    secret_found(f, "url-token", at + 1, end);
		}
	return false;
}

/* ---- sentences ---- */

/* What makes of "pin" a word that stands for nothing else: "pincode", "PIN number". */
static const char *const pin_ends[] = { SECRETS_PIN_ENDS NULL };

/* What says what it is. */
static const char *const is_words[] = { SECRETS_IS_WORDS NULL };
/* What says so beside a word for a change: "set the password to"; others may lead to a place. */
static const char *const to_words[] = { "to", "zu", NULL };
static const char *const at_words[] = { SECRETS_AT_WORDS NULL };
static const char *const set_stems[] = { SECRETS_SET_STEMS NULL };
/* What may stand right behind it before those: "the password field" is another thing. */
static const char *const open_words[] = { SECRETS_OPEN_WORDS NULL };
/* And what may stand behind "is": "is now set to", "ist ab heute". */
static const char *const since_words[] = { SECRETS_SINCE_WORDS NULL };
#define SINCE_MAX 4
/* In Chinese: any of the first, then one of the others, perhaps with the last behind it. */
static const char *const sign_parts[] = { SECRETS_SIGN_PARTS NULL };
static const char *const is_signs[] = { SECRETS_IS_SIGNS NULL };
#define DONE_SIGN "\xe4\xba\x86"

static size_t
skip_blanks(const struct secret_finder *f, size_t p)
{
	while (p < f->len && (f->text[p] == ' ' || f->text[p] == '\t'))
		p++;
	return p;
}

/* Whether the word [word, end) is one of the list, in any case. */
static bool
is_of(const struct secret_finder *f, size_t word, size_t end, const char *const *list)
{
	while (*list != NULL && (end - word != strlen(*list) || !secret_follows(f, end, *list)))
		list++;
	return *list != NULL;
}

/* The bytes of the first of these signs that stands at p; 0: none does. */
static size_t
sign_at(const struct secret_finder *f, size_t p, const char *const *list)
{
	while (*list != NULL && !secret_starts(f, p, *list))
		list++;
	return *list != NULL ? strlen(*list) : 0;
}

/* Passes over words of since_words, and a colon behind them. */
static size_t
skip_since(const struct secret_finder *f, size_t p)
{
	for (unsigned n = 0; n < SINCE_MAX; n++) {
		size_t word = skip_blanks(f, p), end = word;

		while (end < f->len && !ascii_is_space(f->text[end]) && f->text[end] != ':')
			end++;
		if (!is_of(f, word, end, since_words))
			break;
		p = end;
	}
	return p;
}

/* Whether something is said to be set near `at`, in the same line. */
static bool
is_set_near(const struct secret_finder *f, size_t at)
{
	size_t from = at, end = at;

	while (from > f->done && at - from < LINE_FAR && f->text[from - 1] != '\n')
		from--;
	while (end < f->len && end - at < LINE_FAR && f->text[end] != '\n')
		end++;
	for (const char *const *stem = set_stems; *stem != NULL; stem++)
		if (ascii_has(f->text + from, end - from, *stem))
			return true;
	return false;
}

/* A name with its version, "Server2". */
static bool
is_version(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && (secret_class(p[n]) & SECRET_LETTERS))
		n++;
	return len - n <= 3 && secret_span(&(struct secret_finder){ .text = p, .len = len }, n,
	    SECRET_DIGIT, len) == len;
}

/* Letters, digits and signs, as behind "password:" no word and no name is: "Maple!77". */
static bool
is_marked(const char *p, size_t len)
{
	unsigned n_signs = 0;

	for (size_t i = 0; i < len; i++)
		n_signs += strchr("!@#$%^&*+~?", p[i]) != NULL;
	return n_signs > 0 && memchr(p, '=', len) == NULL &&
	    (secret_classes(p, len) & SECRET_DIGIT) && secret_is_said(p, len);
}

static bool
is_pin(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!ascii_is_digit(p[i]))
			return false;
	return len >= 4 && len <= 8;
}

/* Letters of both cases and digits, as no name with a version is: "Maple-77-chalk". */
static bool
is_mixed(const char *p, size_t len)
{
	unsigned all = SECRET_UPPER | SECRET_LOWER | SECRET_DIGIT;

	return len >= 10 && (secret_classes(p, len) & all) == all && secret_is_said(p, len) &&
	    !is_version(p, len);
}

/* Behind the number of a lock, which no noun follows: "4471 and", not "4471 lines". */
static const char *const behind_code[] = { "and", "or", "but", "since", "until", "und", "et", "si",
	"\xc8\x99i", NULL };

static bool
ends_code(const struct secret_finder *f, size_t end)
{
	size_t word = end + 1, last = word;

	while (last < f->len && !ascii_is_space(f->text[last]) && f->text[last] != ',')
		last++;
	return end >= f->len || f->text[end] != ' ' || is_of(f, word, last, behind_code) ||
	    is_of(f, word, last, open_words) || is_of(f, word, last, since_words);
}

/*
 * What the value must look like; BESIDE: right behind the word, and the end of its clause; MIXED:
 * the word, or what stands for "is", may mean something else.
 */
enum looks { SAID, BEHIND_SIGN, PIN, CODE, BESIDE, MIXED };

/* Takes the value that begins at or behind `at`, where it looks like one. */
static bool
take_value(struct secret_finder *f, size_t at, enum looks looks, bool place)
{
	size_t value = skip_since(f, at), end, len;

	while (value < f->len && strchr("\"'`*: \t", f->text[value]) != NULL)
		value++;
	for (end = value; end < f->len && end - value < VALUE_MAX; end++)
		if (ascii_is_space(f->text[end]) || strchr("\"'`,;)<>", f->text[end]) != NULL ||
		    (unsigned char)f->text[end] >= 0x80)
			break;
	while (end > value && strchr(".:*", f->text[end - 1]) != NULL)
		end--;
	len = end - value;
	const char *v = f->text + value;
	return (looks == PIN ? is_pin(v, len)
		: looks == CODE ? is_pin(v, len) && ends_code(f, end)
		: looks == SAID ? secret_is_said(v, len)
		: looks == MIXED && is_mixed(v, len) ? true
		: looks == BESIDE ? is_mixed(v, len) && (end == f->len || f->text[end] != ' ')
		: is_marked(v, len) ||
		    (secret_is_jumbled(v, len) && !secret_is_expression(v, len))) &&
	    !(place && is_version(v, len)) &&
	    secret_found(f, looks == PIN || looks == CODE ? "pin" : "password", value, end);
}

/* Whether [word, end) stands for "is" behind the word of a password. */
static bool
says_is(const struct secret_finder *f, size_t word, size_t end, const struct secret_word *w)
{
	size_t len = end - word;

	if (w->is == NULL)
		return is_of(f, word, end, is_words);
	for (const char *p = w->is; strlen(p) > len + 1; p++) {
		size_t n = 0;

		while (p[0] == ' ' && n < len && ascii_lower(f->text[word + n]) == p[1 + n])
			n++;
		if (n > 0 && n == len && p[1 + n] == ' ')
			return true;
	}
	return false;
}

/* Takes what the word ending at p is said to be: behind "is" or "to", after a few words. */
static bool
take_said(struct secret_finder *f, size_t p, const struct secret_word *w)
{
	static const enum looks by_kind[] = { SAID, PIN, CODE };
	enum looks looks = by_kind[w->kind];
	enum looks unsure = w->kind != SECRET_PASSWORD ? looks
	    : w->is != NULL			   ? MIXED
						   : BEHIND_SIGN;
	bool opens = w->is != NULL;
	size_t n;

	for (size_t sign = p; sign < f->len; sign += n)
		if ((n = sign_at(f, sign, is_signs)) > 0) {
			sign += n;
			n = secret_starts(f, sign, DONE_SIGN) ? strlen(DONE_SIGN) : 0;
			return take_value(f, sign + n, looks, false);
		} else if ((n = sign_at(f, sign, sign_parts)) == 0) {
			break;
		}
	while (p < f->len && strchr("\"'`*", f->text[p]) != NULL)
		p++;
	if (p < f->len && f->text[p] == ':')
		return take_value(f, p + 1, unsure, false);
	for (n = 0; n < WORDS_MAX; n++) {
		size_t word = p = skip_blanks(f, p);

		while (p < f->len && !ascii_is_space(f->text[p]) && p - word < 24 &&
		    strchr(",.;!?()\"", f->text[p]) == NULL)
			p++;
		if (p == word || p == f->len || f->text[p] != ' ')
			return false;
		if (f->text[p - 1] == ':')
			return take_value(f, p, w->is != NULL ? unsure : looks, false);
		bool is = says_is(f, word, p, w);
		bool place = is_of(f, word, p, at_words);
		bool to = place || is_of(f, word, p, to_words);
		opens |= n == 0 && (is || to || is_of(f, word, p, open_words));
		if (opens && (is || (to && is_set_near(f, p))) &&
		    take_value(f, p, w->is != NULL && p - word == 1 ? unsure : looks, place))
			return true;
	}
	return false;
}

/*
 * Takes what the word for a PIN in [from, p) is said to be. Six digits right behind "pin code" are
 * a place in India; "pin: 1234" may be one of a chip, "PIN: 1234" is find_pin's.
 */
static bool
take_pin(struct secret_finder *f, size_t from, size_t p, const struct secret_word *w)
{
	size_t end = p + (p < f->len && strchr(" -", f->text[p]) != NULL), n = 0;

	if (from > 0 && (secret_class(f->text[from - 1]) & SECRET_ALNUM))
		return false;
	for (const char *const *word = pin_ends; *word != NULL && n == 0; word++)
		if (end + strlen(*word) <= f->len &&
		    secret_follows(f, end + strlen(*word), *word))
			n = strlen(*word);
	if (n == 0)
		return p < f->len && f->text[p] != ':' && take_said(f, p, w);
	if (take_said(f, end + n, w))
		return true;
	return take_value(f, end + n, PIN, false) && f->m.end - f->m.start != 6;
}

/* What a code of digits opens; an alarm also within a word. */
static const char *const locks[] = { "alarm", "door", "gate", "garage", "keypad", "lockbox",
	"padlock", "t\xc3\xbcr", "haust\xc3\xbcr", "portail", "interphone", "interfon", NULL };
/* A number of these is no secret: "the error code of the gate is 1002". */
static const char *const no_locks[] = { "error", "exit", "status", "fault", "return", "event",
	NULL };

static bool
is_behind(const struct secret_finder *f, size_t at, const char *const *list)
{
	for (; *list != NULL; list++) {
		size_t len = strlen(*list);

		if (secret_follows(f, at, *list) && (at == len ||
		    !(secret_class(f->text[at - len - 1]) & SECRET_ALNUM)))
			return true;
	}
	return false;
}

/* Whether the code [from, p) is one that opens something, as the words around it tell. */
static bool
is_of_lock(const struct secret_finder *f, size_t from, size_t p)
{
	while (from > f->done && strchr(" -", f->text[from - 1]) != NULL)
		from--;
	if (is_behind(f, from, no_locks))
		return false;
	if (is_behind(f, from, locks))
		return true;
	for (unsigned n = 0; n < WORDS_MAX && p < f->len && f->text[p] == ' '; n++) {
		size_t word = ++p;

		while (p < f->len && !ascii_is_space(f->text[p]))
			p++;
		if (is_of(f, word, p, is_words))
			return false;
		if (is_of(f, word, p, locks) || ascii_has(f->text + word, p - word, "alarm"))
			return true;
	}
	return false;
}

bool
secret_said(struct secret_finder *f, size_t at)
{
	const struct secret_word *w = NULL;
	size_t start = 0, from = 0;

	for (size_t i = 0; i < NELEM(secret_words) && w == NULL; i++) {
		size_t len = strlen(secret_words[i].word);

		from = at - secret_words[i].at;
		if (at >= f->done + secret_words[i].at && from + len <= f->len &&
		    secret_follows(f, from + len, secret_words[i].word)) {
			w = &secret_words[i];
			start = from + len;
		}
	}
	if (w == NULL)
		return false;
	if (w->kind == SECRET_PIN)
		return take_pin(f, from, start, w);
	if (start == f->len || (secret_class(f->text[start]) & SECRET_URLSAFE))
		return false;
	if (w->kind == SECRET_LOCK)
		return is_of_lock(f, from, start) && take_said(f, start, w);
	if (secret_operand(f, start))
		return true;
	/* a line of netrc: "machine HOST login NAME password VALUE" */
	if (f->text[start] == ' ' && secret_line_has(f, start, "machine ") &&
	    secret_line_has(f, start, "login ")) {
		size_t value = start + 1, end = secret_token(f, &value);

		return secret_is_given(f->text + value, end - value) &&
		    secret_found(f, "password", value, end);
	}
	return take_said(f, start, w) ||
	    (f->text[start] == ' ' && take_value(f, start, w->is != NULL ? MIXED : BESIDE, false));
}

/* Of what a sentence says that it is a run of letters and digits. */
static const char *const called[] = { "token", "api key", "api-key", "apikey", "access key",
	"secret key", "private key", "api-schl\xc3\xbcssel", "cl\xc3\xa9 api", "clave de api",
	"clave api", "chiave api", "chave api", "chave de api", "api\xe5\xaf\x86\xe9\x92\xa5" };

bool
secret_called(struct secret_finder *f, size_t at, size_t end)
{
	size_t word = at, behind;

	if (!is_random(f->text + at, end - at))
		return false;
	while (word > f->done && strchr("\"'`*: \t", f->text[word - 1]) != NULL)
		word--;
	bool colon = memchr(f->text + word, ':', at - word) != NULL;
	behind = word;
	while (word > f->done && !ascii_is_space(f->text[word - 1]) && behind - word < 24)
		word--;
	bool is = is_of(f, word, behind, is_words);
	if (secret_follows(f, behind, DONE_SIGN))
		behind -= strlen(DONE_SIGN);
	for (size_t i = 0; is_signs[i] != NULL && !is; i++)
		is = secret_follows(f, behind, is_signs[i]);
	for (size_t i = 0; i < NELEM(called); i++)
		if (is ? secret_line_has(f, at, called[i])
		       : colon && secret_follows(f, behind, called[i]))
			return secret_found(f, "secret", at, end);
	return false;
}
