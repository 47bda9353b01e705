/*
 * said_numbers.c: a number is known by the hash of its digits, without commas, so that it is the
 * same however it is written.
 */
#include "statement/said_numbers.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "text/words.h"

#define SEED 7                             /* of the hash, so that no word has it */

uint64_t
said_number_id(const char *digits, size_t len)
{
	return hash64(digits, len, SEED);
}

uint64_t
said_digits_id(const char *term, size_t len)
{
	char out[WORDS_TERM_BYTES];
	size_t n = 0;

	if (len > 2 && ascii_is_letter(term[len - 1]) && ascii_is_letter(term[len - 2]) &&
	    strchr("tndhr", term[len - 2]) != NULL && strchr("htd", term[len - 1]) != NULL)
		len -= 2;
	if (len > 3 && memcmp(term + len - 3, ":00", 3) == 0)
		len -= 3;
	for (size_t i = 0; i < len; i++) {
		if (ascii_is_letter(term[i]))
			return 0;
		if (term[i] != ',')
			out[n++] = term[i];
	}
	return said_number_id(out, n);
}

uint32_t
said_digits_value(const char *term, size_t len)
{
	uint32_t value = 0;

	if (len == 0 || len > 9)
		return SAID_NO_VALUE;
	for (size_t i = 0; i < len; i++) {
		if (!ascii_is_digit(term[i]))
			return SAID_NO_VALUE;
		value = 10 * value + (uint32_t)(term[i] - '0');
	}
	return value;
}

size_t
said_unit_len(const char *term, size_t len)
{
	static const char *const units[] = { "k", "cm", "mm", "km", "kg", "mg", "g", "ml", "gb",
		"mb", "kb", "tb", "ms", "s", "sec", "secs", "min", "mins", "h", "hr", "hrs", "kw",
		"kwh", "w", "v", "hz", "khz", "mhz", "ghz", "kib", "mib", "gib", "px", "fps", "mph",
		"kmh", "mpg", "eur", "usd", "gbp", "yr", "yrs" };
	size_t n = 0;

	if (len == 0 || !ascii_is_digit(term[0]))
		return 0;
	while (n < len && (ascii_is_digit(term[n]) || term[n] == '.' || term[n] == ','))
		n++;
	for (size_t i = 0; i < NELEM(units); i++)
		if (strlen(units[i]) == len - n && strncasecmp(term + n, units[i], len - n) == 0)
			return len - n;
	return 0;
}

uint64_t
said_thousands_id(const char *term, size_t len, uint32_t *value)
{
	double number = 0, scale = 1000;
	char out[24];
	bool dot = false;

	for (size_t i = 0; i < len; i++) {
		dot |= term[i] == '.';
		if (!ascii_is_digit(term[i]))
			continue;
		number = 10 * number + (term[i] - '0');
		scale /= dot ? 10 : 1;
	}
	number = number * scale < (double)SAID_NO_VALUE ? number * scale : 0;
	*value = (uint32_t)(number + .5);
	return said_number_id(out, (size_t)snprintf(out, sizeof(out), "%u", *value));
}
