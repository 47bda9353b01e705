/*
 * personal.c: one pass; an address is found by its "@", a number by its first sign.
 */
#include "text/personal.h"

#include "base/ascii.h"

#define DIGITS_LEAST 8
#define DIGITS_MOST  15

unsigned
personal_parse(const char *words)
{
	unsigned which = 0;

	for (const char *p = words; *p != '\0'; p += strcspn(p, ","), p += *p == ',') {
		p += strspn(p, " ");
		if (strncmp(p, "mail", 4) == 0)
			which |= PERSONAL_MAIL;
		else if (strncmp(p, "phone", 5) == 0)
			which |= PERSONAL_PHONE;
	}
	return which;
}

static bool
is_local(char c)
{
	return ascii_is_alnum(c) || (c != '\0' && strchr("._%+-", c) != NULL);
}

/*
 * The bytes of the address around the "@" at text[at]: *from before it, the length returned. 0:
 * there is none, or it is that of a repository (git@host:path).
 */
static size_t
mail_at(const char *text, size_t len, size_t done, size_t at, size_t *from)
{
	size_t end = at + 1, label = end, n_dots = 0;

	for (*from = at; *from > done && is_local(text[*from - 1]);)
		--*from;
	/* the letter of an escape of JSON within a text is none of the address */
	if (*from > done && text[*from - 1] == '\\')
		*from = MIN(at, *from + (text[*from] == 'u' ? 5 : 1));
	while (*from < at && strchr("._-", text[*from]) != NULL)
		++*from;
	while (end < len && (ascii_is_alnum(text[end]) || text[end] == '-' || text[end] == '.')) {
		if (text[end] == '.') {
			if (end + 1 >= len || !ascii_is_alnum(text[end + 1]))
				break;
			n_dots++;
			label = end + 1;
		}
		end++;
	}
	if (*from == at || n_dots == 0 || end - label < 2 || ascii_is_digit(text[label]) ||
	    (end + 1 < len && text[end] == ':' && text[end + 1] != ' '))
		return 0;
	return end - *from;
}

/* Groups of digits in the number at p: their lengths. Returns its bytes. */
static size_t
read_number(const char *p, size_t len, unsigned groups[8], size_t *n_groups, unsigned *n_digits)
{
	size_t i = *p == '+', end = 0;

	*n_groups = *n_digits = 0;
	while (i < len) {
		unsigned n = 0;
		size_t signs;

		while (i + n < len && ascii_is_digit(p[i + n]))
			n++;
		if (n > 0 && *n_groups < 8)
			groups[(*n_groups)++] = n;
		else if (n > 0)
			return 0;
		*n_digits += n;
		i += n;
		end = n > 0 ? i : end;
		/* one sign between groups, or a bracket and a blank */
		for (signs = 0; i + signs < len && signs < 2 && strchr(" -()/", p[i + signs]) &&
		     p[i + signs] != '\0';)
			signs++;
		if (signs == 0 || (signs == 2 && p[i] != ')' && p[i + 1] != '('))
			break;
		i += signs;
	}
	return end;
}

/* The bytes of a number of a telephone that begins at text[at]; 0: none does. */
static size_t
phone_at(const char *text, size_t len, size_t at)
{
	const char *p = text + at;
	unsigned groups[8], n_digits;
	size_t n_groups, n;
	/* behind "\n" of JSON within a text stands nothing */
	char before = at > 0 && (at < 2 || text[at - 2] != '\\') ? text[at - 1] : ' ';

	if (*p == '+' && (at + 1 >= len || !ascii_is_digit(p[1])))
		return 0;
	if (ascii_is_alnum(before) || (strchr("+-_./:#@$=&?%", before) != NULL &&
	    (*p != '+' || before != ':')))
		return 0;
	n = read_number(p, len - at, groups, &n_groups, &n_digits);
	if (n == 0 || n_digits < DIGITS_LEAST || n_digits > DIGITS_MOST ||
	    (at + n < len && (ascii_is_alnum(p[n]) || strchr("_=@%:", p[n]) != NULL)) ||
	    (at + n + 1 < len && p[n] == '.' && ascii_is_alnum(p[n + 1])))
		return 0;
	if (*p == '+')
		return n;
	/* a code in brackets, or one that begins with 0: no row of numbers, no date */
	if (n_groups > 1 && n_digits >= 9 && (*p == '(' ? p[1 + groups[0]] == ')'
	    : *p == '0' && p[1] != '0' && groups[0] > 1 &&
	    (groups[0] != 2 || groups[1] != 2 || n_groups < 3 || groups[2] != 4)))
		return n;
	return n_groups == 3 && groups[0] == 3 && groups[1] == 3 && groups[2] == 4 ? n : 0;
}

unsigned
personal_redact(const char *text, size_t len, unsigned which, struct buf *out)
{
	unsigned n_found = 0;
	size_t done = 0, from, n;

	buf_reset(out);
	for (size_t i = 0; i < len; i++) {
		bool mail = text[i] == '@';

		n = 0;
		from = i;
		if (mail && which & PERSONAL_MAIL)
			n = mail_at(text, len, done, i, &from);
		else if (which & PERSONAL_PHONE &&
		    (text[i] == '+' || text[i] == '(' || ascii_is_digit(text[i])))
			n = phone_at(text, len, i);
		if (n == 0)
			continue;
		buf_add(out, text + done, from - done);
		buf_adds(out, mail ? "[REDACTED:mail]" : "[REDACTED:phone]");
		done = from + n;
		i = done - 1;
		n_found++;
	}
	if (n_found > 0)
		buf_add(out, text + done, len - done);
	return n_found;
}
