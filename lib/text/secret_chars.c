/*
 * secret_chars.c: what both finders of secrets ask of characters and of short texts.
 */
#include "text/secret_find.h"

#include "base/ascii.h"
#include "math/real.h"

unsigned
secret_class(char c)
{
	if (c >= 'a' && c <= 'z')
		return SECRET_LOWER | (c <= 'f' ? SECRET_HEX : 0);
	if (c >= 'A' && c <= 'Z')
		return SECRET_UPPER;
	if (ascii_is_digit(c))
		return SECRET_DIGIT | SECRET_HEX;
	if (c == '-' || c == '_')
		return SECRET_DASH;
	if (c == '.')
		return SECRET_DOT;
	return c == '+' || c == '/' || c == '=' ? SECRET_BASE64 : 0;
}

size_t
secret_span(const struct secret_finder *f, size_t at, unsigned alphabet, size_t max)
{
	size_t end = at;

	while (end < f->len && end - at < max && (secret_class(f->text[end]) & alphabet))
		end++;
	return end;
}

bool
secret_starts(const struct secret_finder *f, size_t at, const char *s)
{
	size_t n = strlen(s);

	return f->len - at >= n && memcmp(f->text + at, s, n) == 0;
}

bool
secret_follows(const struct secret_finder *f, size_t at, const char *s)
{
	size_t n = strlen(s);

	if (at < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(f->text[at - n + i]) != s[i])
			return false;
	return true;
}

double
secret_entropy(const char *p, size_t len)
{
	unsigned count[256] = { 0 };
	double sum = 0;

	for (size_t i = 0; i < len; i++)
		count[(unsigned char)p[i]]++;
	for (size_t i = 0; i < len; i++)
		sum -= real_log2((double)count[(unsigned char)p[i]] / (double)len);
	return len > 0 ? sum / (double)len : 0;
}

bool
secret_is_placeholder(const char *p, size_t len)
{
	for (const char *const *w = secret_placeholders; *w != NULL; w++) {
		size_t n = strlen(*w);

		/* a short word also occurs by chance in a long random value */
		if (n * 10 > len * (n > 3 ? 1 : 2) && ascii_has(p, len, *w))
			return true;
	}
	return false;
}

unsigned
secret_classes(const char *p, size_t len)
{
	unsigned all = 0;

	for (size_t i = 0; i < len; i++)
		all |= secret_class(p[i]) & SECRET_ALNUM;
	return all;
}

bool
secret_is_mixed(const char *p, size_t len)
{
	unsigned all = secret_classes(p, len);

	return (all & SECRET_DIGIT) || (all & SECRET_LETTERS) == SECRET_LETTERS;
}

bool
secret_found(struct secret_finder *f, const char *name, size_t start, size_t end)
{
	f->m = (struct secret_match){ name, start, end };
	return true;
}
