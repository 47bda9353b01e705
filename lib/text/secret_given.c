/*
 * secret_given.c: passwords that a command is given, and what a value looks like to be taken for
 * one. Where an option announces it a word is enough, where a sentence does it is not.
 */
#include "base/ascii.h"
#include "text/secret_find.h"

#define LINE_FAR  160          /* how far before an option its command is looked for */
#define TOKEN_MAX 256

/* ---- values ---- */

bool
secret_is_jumbled(const char *p, size_t len)
{
	unsigned changes = 0;

	for (size_t i = 1; i < len; i++) {
		unsigned a = secret_class(p[i - 1]) & SECRET_ALNUM,
			 b = secret_class(p[i]) & SECRET_ALNUM;
		changes += a != b;
	}
	return len >= 8 && 2 * changes >= len;
}

bool
secret_is_expression(const char *p, size_t len)
{
	static const char *const others[] = { "sha", "base64", "md5", "crypt", "utf", "http", "://",
		"encod", "hash", "argon" };

	if (strchr("$%<{(*[-", p[0]) != NULL)
		return true;
	for (size_t i = 0; i < len; i++)
		if (strchr("<>{}()[]\\`\"'", p[i]) != NULL || (unsigned char)p[i] < '!' ||
		    (unsigned char)p[i] >= 0x80)
			return true;
	for (size_t i = 0; i < NELEM(others); i++)
		if (ascii_has(p, len, others[i]))
			return true;
	return secret_is_placeholder(p, len);
}

bool
secret_is_said(const char *p, size_t len)
{
	unsigned all = secret_classes(p, len), n_digits = 0;
	bool symbol = false, dot = false;

	if (len < 6 || len > 64 || secret_is_expression(p, len))
		return false;
	for (size_t i = 0; i < len; i++) {
		symbol |= i > 0 && strchr("!@#$%^&*+=~?", p[i]) != NULL;
		dot |= p[i] == '.' || p[i] == '/';
		n_digits += ascii_is_digit(p[i]);
	}
	if (dot)
		return false;
	return n_digits == len || ((all & SECRET_DIGIT) && (all & SECRET_LETTERS)) ||
	    secret_is_jumbled(p, len) || (symbol && (all & SECRET_LETTERS));
}

bool
secret_is_given(const char *p, size_t len)
{
	return len >= 4 && len <= TOKEN_MAX && !secret_is_expression(p, len) &&
	    ((secret_classes(p, len) & SECRET_LETTERS) || len >= 8);
}

size_t
secret_token(const struct secret_finder *f, size_t *start)
{
	size_t end;
	char quote = '\0';

	if (*start < f->len && strchr("\"'`", f->text[*start]) != NULL)
		quote = f->text[(*start)++];
	for (end = *start; end < f->len && end - *start < TOKEN_MAX; end++)
		if (quote != '\0' ? f->text[end] == quote || f->text[end] == '\n'
				  : ascii_is_space(f->text[end]) ||
			strchr("\"'`|;<>", f->text[end]) != NULL)
			break;
	while (quote == '\0' && end > *start && strchr(").,:", f->text[end - 1]) != NULL)
		end--;
	return end;
}

/* ---- commands ---- */

bool
secret_line_has(const struct secret_finder *f, size_t at, const char *word)
{
	size_t from = at;

	while (from > f->done && at - from < LINE_FAR && f->text[from - 1] != '\n')
		from--;
	return ascii_has(f->text + from, at - from, word);
}

/* Options of one letter. apart: the value is the next word; else it follows the letter. */
static const struct { const char *command; char letter; bool apart; } letters[] = {
	{ "sshpass", 'p', true }, { "sshpass", 'p', false }, { "mysql", 'p', false },
	{ "mariadb", 'p', false }, { "login", 'p', true }, { "mongo", 'p', true },
	{ "redis-cli", 'a', true }, { "ldap", 'w', true }, { "zip", 'P', true },
	{ "7z", 'p', false },
};

static const char *const long_options[] = { "password", "passwd", "passphrase", "pass", "token",
	"secret", "api-key", "apikey", "access-key", "secret-key", "auth-token", "access-token",
	"api-token", "client-secret" };

static bool
is_long_option(const char *p, size_t len)
{
	for (size_t i = 0; i < NELEM(long_options); i++)
		if (len == strlen(long_options[i]) && memcmp(p, long_options[i], len) == 0)
			return true;
	return false;
}

bool
secret_at_option(struct secret_finder *f, size_t at)
{
	size_t p = at + 1, end;

	if (at == 0 || f->text[at - 1] != ' ' || p + 4 >= f->len)
		return false;
	if (f->text[p] == '-') {
		size_t name = ++p;

		p = secret_span(f, p, SECRET_LOWER | SECRET_DASH, 20);
		if (p == f->len || f->text[p] != ' ' || !is_long_option(f->text + name, p - name))
			return false;
		p++;
		end = secret_token(f, &p);
		return secret_is_said(f->text + p, end - p) && secret_found(f, "password", p, end);
	}
	for (size_t i = 0; i < NELEM(letters); i++) {
		size_t value = p + 1;

		if (f->text[p] != letters[i].letter || (f->text[value] == ' ') != letters[i].apart)
			continue;
		value += letters[i].apart;
		end = secret_token(f, &value);
		if (secret_is_given(f->text + value, end - value) &&
		    secret_line_has(f, at, letters[i].command))
			return secret_found(f, "password", value, end);
	}
	return false;
}

/*
 * Commands whose last operand is a password: the operand that it is, and the option without which
 * it is asked for. Of htpasswd -n leaves out the file before it, and -C and -r have a value.
 */
static const struct { const char *command; char option; unsigned operand; } operands[] = {
	{ "htpasswd", 'b', 3 }, { "mosquitto_passwd", 'b', 3 }, { "wpa_passphrase", '\0', 2 },
};

/* The password among what a command is given, whose name ends at p. */
static bool
take_operand(struct secret_finder *f, size_t p, char option, unsigned operand)
{
	bool has = option == '\0';
	unsigned n = 0;

	while (p < f->len && f->text[p] == ' ') {
		size_t start = p + 1, end = secret_token(f, &start);
		bool is_option = end > start + 1 && f->text[start] == '-' && start == p + 1;

		p = end + (start > p + 1);                 /* behind a quote, too */
		if (end == start)
			return false;
		if (!is_option && ++n == operand)
			return has && secret_is_given(f->text + start, end - start) &&
			    secret_found(f, "password", start, end);
		if (!is_option)
			continue;
		has |= memchr(f->text + start, option, end - start) != NULL;
		operand -= memchr(f->text + start, 'n', end - start) != NULL;
		operand += f->text[end - 1] == 'C' || f->text[end - 1] == 'r';
	}
	return false;
}

bool
secret_operand(struct secret_finder *f, size_t at)
{
	for (size_t i = 0; i < NELEM(operands); i++)
		if (secret_follows(f, at, operands[i].command))
			return take_operand(f, at, operands[i].option, operands[i].operand);
	return false;
}

bool
secret_login(struct secret_finder *f, size_t at)
{
	static const char *const options[] = { " -u ", " --user ", " -u", " --user=",
		" --proxy-user ", " -a " };
	size_t name = at, value = at + 1, end;
	bool is_option = false;

	while (name > f->done && at - name < 64 &&
	    ((secret_class(f->text[name - 1]) & SECRET_RUN) || f->text[name - 1] == '@'))
		name--;
	if (name == at)
		return false;
	name -= name > f->done && strchr("\"'", f->text[name - 1]) != NULL;
	for (size_t i = 0; i < NELEM(options) && !is_option; i++)
		is_option = secret_follows(f, name, options[i]);
	if (!is_option || (!secret_line_has(f, name, "curl") && !secret_line_has(f, name, "http")))
		return false;
	end = secret_token(f, &value);
	return secret_is_given(f->text + value, end - value) &&
	    secret_found(f, "password", value, end);
}
