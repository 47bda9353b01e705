/*
 * secret_numbers.c: what a checksum or a neighbour gives away: cards, accounts, tokens that are
 * hidden behind characters of no width, and the second half of a key that was found.
 */
#include "text/secret_find.h"

#include "base/ascii.h"

/* the secret half of a key of AWS, and how far behind the first half it may end */
#define HALF_BYTES 40
#define HALF_FAR   160

/* ---- numbers ---- */

/* The checksum of cards (Luhn). */
static bool
is_card(const char *digits)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 16; i++) {
		unsigned d = (unsigned)(digits[i] - '0') * (2 - i % 2);

		sum += d / 10 + d % 10;
	}
	return sum % 10 == 0 && digits[0] >= '3' && digits[0] <= '6';
}

/* The checksum of an IBAN (ISO 13616): the number that it is, modulo 97. */
static bool
is_iban(const char *p, size_t n)
{
	unsigned rest = 0;

	if (n < 15 || n > 34)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = p[(i + 4) % n];

		rest = ascii_is_digit(c) ? (rest * 10 + (unsigned)(c - '0')) % 97
					 : (rest * 100 + (unsigned)(c - 'A' + 10)) % 97;
	}
	return rest == 1;
}

bool
secret_in_groups(struct secret_finder *f, size_t at)
{
	const unsigned all = SECRET_UPPER | SECRET_DIGIT;
	char number[40];
	size_t p, n = 0, end = at;

	if (at < f->done + 4)
		return false;
	p = at - 4;
	if (at + 1 >= f->len || !(secret_class(f->text[at + 1]) & all) ||
	    secret_span(f, p, all, 4) != at ||
	    (p > 0 && (secret_class(f->text[p - 1]) & SECRET_RUN)))
		return false;
	bool letters_first = secret_span(f, p, SECRET_UPPER, 4) == p + 2 &&
	    secret_span(f, p + 2, SECRET_DIGIT, 2) == at;
	if (!letters_first && secret_span(f, p, SECRET_DIGIT, 4) != at)
		return false;
	/* groups of four, the last of an IBAN of fewer */
	while (n + 4 < sizeof(number)) {
		size_t stop = secret_span(f, p, all, 5), len = stop - p;

		if (len == 0 || len > 4 ||
		    (!letters_first && secret_span(f, p, SECRET_DIGIT, 4) != stop))
			break;
		memcpy(number + n, f->text + p, len);
		n += len;
		end = stop;
		if (!letters_first && n == 16)
			break;
		if (len < 4 || stop + 1 >= f->len || f->text[stop] != ' ')
			break;
		p = stop + 1;
	}
	if (end < f->len && (secret_class(f->text[end]) & SECRET_URLSAFE))
		return false;
	if (letters_first)
		return is_iban(number, n) && secret_found(f, "iban", at - 4, end);
	return n == 16 && is_card(number) && secret_found(f, "card-number", at - 4, end);
}

/* The bytes of a character before `at` that hides a token: of no width, or a wide letter; or 0. */
static size_t
hidden_before(const struct secret_finder *f, size_t at)
{
	const unsigned char *t = (const unsigned char *)f->text;

	if (at >= f->done + 2 && t[at - 2] == 0xc2 && t[at - 1] == 0xad)
		return 2;
	if (at < f->done + 3)
		return 0;
	t += at - 3;
	if ((t[0] == 0xe2 && ((t[1] == 0x80 && t[2] >= 0x8b && t[2] <= 0x8f) ||
		(t[1] == 0x81 && t[2] == 0xa0))) || (t[0] == 0xef && t[1] == 0xbb && t[2] == 0xbf))
		return 3;
	return t[0] == 0xef && ((t[1] == 0xbc && t[2] >= 0x90 && t[2] <= 0xba) ||
		(t[1] == 0xbd && t[2] >= 0x81 && t[2] <= 0x9a)) ? 3 : 0;
}

bool
secret_in_long_run(struct secret_finder *f, size_t at, size_t end)
{
	const char *p = f->text + at;
	size_t n = end - at, start = at, hidden;

	if (n >= 15 && n <= 34 && secret_span(f, at, SECRET_UPPER, 4) == at + 2 &&
	    secret_span(f, at + 2, SECRET_DIGIT, 2) == at + 4 &&
	    secret_span(f, at, SECRET_UPPER | SECRET_DIGIT, n) == end && is_iban(p, n))
		return secret_found(f, "iban", at, end);
	if (n == 19 && p[4] == '-' && p[9] == '-' && p[14] == '-') {
		char digits[16];

		for (size_t i = 0; i < 16; i++)
			digits[i] = p[i + i / 4];
		for (size_t i = 0; i < 16; i++)
			if (!ascii_is_digit(digits[i]))
				return false;
		return is_card(digits) && secret_found(f, "card-number", at, end);
	}
	if (at == f->done || (unsigned char)p[-1] < 0x80 || hidden_before(f, at) == 0 || n < 20 ||
	    secret_classes(p, n) != SECRET_ALNUM + 0u || secret_entropy(p, n) < 3.5)
		return false;
	for (;;) {
		if ((hidden = hidden_before(f, start)) > 0)
			start -= hidden;
		else if (start > f->done && (secret_class(f->text[start - 1]) & SECRET_URLSAFE))
			start--;
		else
			break;
	}
	return secret_found(f, "token", start, end);
}

/* ---- the other half ---- */

bool
secret_other_half(struct secret_finder *f)
{
	size_t at = f->done, stop = MIN(f->len, f->done + HALF_FAR), end;

	if (strcmp(f->m.name, "aws-key") != 0)
		return false;
	for (; at < stop; at = end + 1) {
		end = secret_span(f, at, SECRET_ALNUM | SECRET_BASE64, f->len);
		/* "KEY / SECRET" */
		while (at < end && !(secret_class(f->text[at]) & SECRET_ALNUM))
			at++;
		if (end - at >= SECRET_RUN_BYTES)
			break;
	}
	/* "secret=..." */
	for (size_t i = at; at < stop && i < end; i++)
		if (f->text[i] == '=' && end - i == HALF_BYTES + 1)
			at = i + 1;
	return at < stop && end - at == HALF_BYTES &&
	    (secret_classes(f->text + at, HALF_BYTES) & SECRET_LETTERS) == SECRET_LETTERS &&
	    secret_entropy(f->text + at, HALF_BYTES) >= 3.5 &&
	    secret_found(f, "aws-secret", at, end);
}
