/*
 * credentials.c: the text is cut at blanks. A word that is mixed as passwords are is one behind
 * "password" and its like; behind "login", "key" or an address it must look more like one; and
 * without any such word only what is long and random is taken for a token. What opens a door is
 * told by two words: by what it opens, and "code" or "opens".
 */
#include "audit/credentials.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/conf.h"
#include "base/id.h"
#include "math/real.h"
#include "text/secrets.h"

#define FILLERS_MOST  6                    /* words between "password" and what it is */
#define PASSWORD_LEAST 6
#define COMPLEX_LEAST 8
#define PIN_LEAST     4
#define PIN_MOST      8
#define TOKEN_LEAST   32
#define WORD_LEAST    6                    /* small letters in a row that no token has */
#define TOKEN_EACH    4                    /* capitals, small letters and digits of a token */
#define TOKEN_BITS    4.2                  /* its entropy, a character */

/* What is announced by the words before. */
enum announced { NOTHING, LOGIN, PIN, PASSWORD };

struct word { const char *text; size_t len; };

/* What a word is made of. */
struct mix { unsigned upper, lower, digits, joints, signs; };

/* ---- words ---- */

/* The word from *at on, without marks around it; len 0: there is none. */
static struct word
next_word(const char *text, size_t len, size_t *at)
{
	static const char open[] = "\"'`([{<*", close[] = "\"'`)]}>,;:.*";
	size_t end;

	while (*at < len && ascii_is_space(text[*at]))
		++*at;
	for (end = *at; end < len && !ascii_is_space(text[end]); end++)
		;
	struct word w = { text + *at, end - *at };
	*at = end;
	while (w.len > 0 && strchr(open, w.text[0]) != NULL) {
		w.text++;
		w.len--;
	}
	while (w.len > 0 && strchr(close, w.text[w.len - 1]) != NULL)
		w.len--;
	return w;
}

/* What a word announces; of SECRET_KEY and db-password its parts do. */
static enum announced
announces(const struct word *w)
{
	static const char *const passwords[] = { "password", "passwort", "passwd", "passphrase",
		"passcode", "pwd", "pw", "contraseña", "密码", "kennwort", "senha", "wachtwoord",
		"lösenord", "пароль" };
	static const char *const pins[] = { "pin", "puk", "pincode" };
	static const char *const logins[] = { "login", "log", "sign", "signin", "key", "token",
		"secret", "credentials", "admin", "root", "ssh", "username", "account", "wifi",
		"wi-fi", "router", "zugang", "webhook" };
	enum announced best = NOTHING;

	for (size_t i = 0; i < w->len;) {
		size_t n = 0;

		while (i + n < w->len && strchr("_=", w->text[i + n]) == NULL)
			n++;
		if (ascii_is_any(w->text + i, n, passwords, NELEM(passwords)))
			best = PASSWORD;
		else if (ascii_is_any(w->text + i, n, pins, NELEM(pins)))
			best = MAX(best, PIN);
		else if (ascii_is_any(w->text + i, n, logins, NELEM(logins)))
			best = MAX(best, LOGIN);
		i += n + 1;
	}
	/* an address is half of a login */
	if (best == NOTHING && memchr(w->text, '@', w->len) != NULL)
		best = LOGIN;
	return best;
}

static struct mix
mix_of(const struct word *w)
{
	struct mix m = { 0, 0, 0, 0, 0 };

	for (size_t i = 0; i < w->len; i++) {
		char c = w->text[i];

		m.upper += c >= 'A' && c <= 'Z';
		m.lower += (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
		m.digits += ascii_is_digit(c);
		m.joints += c == '-' || c == '_' || c == '.';
		m.signs += c != '\0' && strchr("!#$%^&*+?@~=:;|", c) != NULL;
	}
	return m;
}

/* ---- what may be a secret ---- */

/* A path, an address, a date or what was replaced before is none. */
static bool
is_other(const struct word *w)
{
	const char *at = memchr(w->text, '@', w->len);

	return memchr(w->text, '/', w->len) != NULL || memchr(w->text, '[', w->len) != NULL ||
	    memchr(w->text, '(', w->len) != NULL ||
	    (at != NULL && at > w->text &&
		memchr(at, '.', w->len - (size_t)(at - w->text)) != NULL) ||
	    (w->len > 4 && w->text[4] == '-' && ascii_is_digit(w->text[0]) &&
		ascii_is_digit(w->text[3]));
}

static bool
is_password(const struct word *w)
{
	struct mix m = mix_of(w);

	return w->len >= PASSWORD_LEAST && !is_other(w) && m.upper + m.lower > 0 &&
	    (m.signs > 0 || (m.digits > 0 && m.upper + m.joints > 0) ||
		(m.digits > 1 && m.lower > 0));
}

/* behind_slash: it stands as in "admin / ...". */
static bool
is_complex(const struct word *w, bool behind_slash)
{
	struct mix m = mix_of(w);

	return w->len >= COMPLEX_LEAST && !is_other(w) && m.lower > 0 && m.digits > 0 &&
	    ((m.signs > 0 && (behind_slash || m.digits > 1)) ||
		(behind_slash && m.digits > 1 && m.upper + m.joints > 0));
}

static bool
is_pin(const struct word *w)
{
	struct mix m = mix_of(w);

	return m.digits == w->len && w->len >= PIN_LEAST && w->len <= PIN_MOST;
}

/* Shannon's entropy, in bits a character. */
static double
entropy(const struct word *w)
{
	unsigned count[256] = { 0 };
	double sum = 0;

	for (size_t i = 0; i < w->len; i++)
		count[(unsigned char)w->text[i]]++;
	for (size_t i = 0; i < w->len; i++)
		sum -= real_log2((double)count[(unsigned char)w->text[i]] / (double)w->len);
	return sum / (double)w->len;
}

/* Whether it is of the letters, digits and signs of base64, and no path, which has words. */
static bool
is_base64(const struct word *w)
{
	size_t run = 0;

	for (size_t i = 0; i < w->len; i++) {
		run = w->text[i] >= 'a' && w->text[i] <= 'z' ? run + 1 : 0;
		if (run == WORD_LEAST || (!ascii_is_alnum(w->text[i]) &&
		    (w->text[i] == '\0' || strchr("+/=", w->text[i]) == NULL)))
			return false;
	}
	return true;
}

/* login: a key or a login was announced, so that there may be slashes in it. */
static bool
is_token(const struct word *w, bool login)
{
	struct mix m = mix_of(w);

	return w->len >= TOKEN_LEAST && (!is_other(w) || (login && is_base64(w))) &&
	    m.upper >= TOKEN_EACH &&
	    m.lower >= TOKEN_EACH && m.digits >= TOKEN_EACH &&
	    strncasecmp(w->text, "sha", 3) != 0 && entropy(w) >= TOKEN_BITS;
}

/* ---- what opens a door ---- */

/* Whether the text says what opens something: "gate code", "the safe opens with". */
static bool
says_code(const char *text, size_t len)
{
	static const char *const locks[] = { "gate", "door", "entry", "entrance", "alarm", "lock",
		"padlock", "safe", "garage", "keypad", "locker", "shed", "building", "intercom",
		"lockbox", "keybox", "barrier", "vault", "front-door", "bike-lock" };
	static const char *const codes[] = { "code", "codes", "combination", "opens", "open",
		"unlocks", "unlock" };
	bool lock = false, code = false;
	size_t at = 0;

	while (at < len) {
		struct word w = next_word(text, len, &at);

		lock |= ascii_is_any(w.text, w.len, locks, NELEM(locks));
		code |= ascii_is_any(w.text, w.len, codes, NELEM(codes));
	}
	return lock && code;
}

/* Digits, perhaps with capitals among them: "5093", "C4471Y". */
static bool
is_code(const struct word *w)
{
	struct mix m = mix_of(w);

	return w->len >= PIN_LEAST && w->len <= PIN_MOST && m.digits + m.upper == w->len &&
	    m.digits > 1;
}

/* Whether what the code is stands behind the word. */
static bool
leads_to_code(const struct word *w)
{
	static const char *const words[] = { "is", "was", "with", "code", "combination", "=", ":",
		"to", "now" };

	return ascii_is_any(w->text, w->len, words, NELEM(words));
}

/* ---- the whole ---- */

/* Whether the word stands for a secret that was replaced before: "[REDACTED:form]". */
static bool
is_replaced(const char *text, const struct word *w)
{
	return w->len > 9 && w->text > text && w->text[-1] == '[' &&
	    memcmp(w->text, "REDACTED:", 9) == 0;
}

/* Words that may stand between "password" and what it is. */
static bool
is_filler(const struct word *w)
{
	static const char *const words[] = { "", "is", "was", "=", ":", "-", "for", "of", "to",
		"the", "is:", "now", "code", "set", "ist", "lautet", "es", "为", "luidt", "är",
		"card", "bank" };

	return ascii_is_any(w->text, w->len, words, NELEM(words));
}

/* The form of a secret that the word is, where something was announced; NULL: it is none. */
static const char *
form_of(const struct word *w, enum announced near, bool login, bool behind_slash)
{
	if (near == PASSWORD && is_password(w))
		return "password";
	if (near == PIN && is_pin(w))
		return "pin";
	if (login && is_complex(w, behind_slash))
		return "password";
	return (near == LOGIN && id_is_uuid(w->text, w->len)) || is_token(w, login) ? "token"
										     : NULL;
}

/* "NAME=value": the value, where the word is that. */
static struct word
value_of(const struct word *w, enum announced *near)
{
	const char *eq = memchr(w->text, '=', w->len);

	if (eq == NULL || eq == w->text)
		return *w;
	struct word name = { w->text, (size_t)(eq - w->text) };
	struct word value = { eq + 1, w->len - name.len - 1 };
	if (announces(&name) == NOTHING)
		return *w;
	*near = announces(&name);
	while (value.len > 0 && strchr("\"'`", value.text[0]) != NULL) {
		value.text++;
		value.len--;
	}
	return value;
}

/* Writes text with what has no form replaced to out; returns how many there were, at 0 none. */
static unsigned
redact_formless(const char *text, size_t len, struct buf *out)
{
	enum announced near = NOTHING, said;
	unsigned n = 0, fillers = 0;
	bool login = false, slash = false, codes = says_code(text, len), leads = false;
	size_t done = 0, at = 0;

	buf_reset(out);
	while (at < len) {
		struct word w = next_word(text, len, &at), v;
		enum announced here = near;

		v = value_of(&w, &here);
		const char *form = w.len == 0 || is_replaced(text, &w)
		    ? NULL
		    : codes && leads && is_code(&w)
		    ? "pin"
		    : form_of(&v, here, login || here != NOTHING, slash);
		leads = leads_to_code(&w);
		if (form != NULL) {
			buf_add(out, text + done, (size_t)(v.text - text) - done);
			buf_addf(out, "[REDACTED:%s]", form);
			done = (size_t)(v.text - text) + v.len;
			n++;
			near = NOTHING;
			continue;
		}
		slash = w.len == 1 && w.text[0] == '/';
		if ((said = announces(&w)) != NOTHING) {
			login = true;
			near = MAX(said, near);
			fillers = 0;
		} else if (!is_filler(&w) || ++fillers > FILLERS_MOST) {
			near = NOTHING;
		}
	}
	if (n > 0)
		buf_add(out, text + done, len - done);
	return n;
}

const char *
credentials_hide(const char **text, size_t *len, struct arena *a)
{
	unsigned (*const redact[])(const char *, size_t, struct buf *) = { secrets_redact,
		redact_formless };
	bool found = false;

	for (size_t i = 0; i < NELEM(redact); i++) {
		struct buf clean = buf_of(conf_caps.output_bytes);

		if (redact[i](*text, *len, &clean) > 0) {
			*text = arena_strndup(a, clean.data, clean.len);
			*len = clean.len;
			found = true;
		}
		buf_release(&clean);
	}
	return found ? strstr(*text, "[REDACTED:") + strlen("[REDACTED:") : NULL;
}
