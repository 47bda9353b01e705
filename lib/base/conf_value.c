/*
 * conf_value.c: parses the text of a setting by its kind, more strictly than strtod.
 */
#include <math.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/conf_value.h"
#include "base/utf8.h"

static int
parse_bool(const char *s, double *v)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };

	for (size_t i = 0; i < NELEM(words); i++)
		if (strcmp(s, words[i]) == 0) {
			*v = (double)(i % 2);
			return 0;
		}
	return -1;
}

static int
parse_number(const char *s, enum conf_kind kind, double *v)
{
	static const char units[] = "kmgt";
	const char *digits = s + (*s == '-' || *s == '+');
	char *end;

	/* strtod would take "nan", "inf", "0x10" and leading blanks */
	if (digits[strspn(digits, kind == CONF_REAL ? "0123456789.eE+-" : "0123456789")] != '\0' &&
	    kind != CONF_BYTES)
		return -1;
	if (!ascii_is_digit(*digits) && *digits != '.')
		return -1;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return -1;
	double x = strtod(s, &end);
	if (kind == CONF_BYTES && *end != '\0') {
		const char *unit = strchr(units, ascii_lower(*end));

		if (unit == NULL || end[1] != '\0')
			return -1;
		x = ldexp(x, 10 * (int)(unit - units + 1));
	}
	if ((*end != '\0' && kind != CONF_BYTES) || !isfinite(x))
		return -1;
	if (kind != CONF_REAL && (x != floor(x) || fabs(x) > CONF_WHOLE_MOST))
		return -1;
	*v = x;
	return 0;
}

const char *
conf_expand_home(const char *s, struct arena *a)
{
	const char *home = getenv("HOME");

	if (strncmp(s, "~/", 2) != 0 || home == NULL || *home == '\0')
		return arena_strdup(a, s);
	return arena_printf(a, "%s/%s", home, s + 2);
}

static const char *
kind_words(enum conf_kind kind)
{
	switch (kind) {
	case CONF_BOOL:
		return "yes or no";
	case CONF_BYTES:
		return "a size such as 64K or 16M";
	case CONF_REAL:
		return "a number";
	default:
		return "a whole number";
	}
}

static bool
is_choice(const char *choices, size_t len, const char *text)
{
	size_t n;

	for (const char *p = choices; *p != '\0'; p += n + (p[n] == ' ')) {
		n = strcspn(p, " ");
		if (n == len && memcmp(p, text, n) == 0)
			return true;
	}
	return false;
}

/* Whether each word between commas is one of the choices. */
static bool
are_choices(const char *choices, const char *text)
{
	for (const char *p = text; *p != '\0'; p += *p == ',') {
		p += strspn(p, " ");
		size_t len = strcspn(p, ", ");
		if (len > 0 && !is_choice(choices, len, p))
			return false;
		p += len;
		p += strspn(p, " ");
		if (*p != ',' && *p != '\0')
			return false;
	}
	return true;
}

int
conf_value_parse(const struct conf_setting *s, const char *text, const char *where, struct arena *a,
	struct conf_value *v, struct err *err)
{
	int64_t us;

	v->number = 0;
	v->text = s->kind == CONF_PATH ? conf_expand_home(text, a) : arena_strdup(a, text);
	if (!utf8_valid(text, strlen(text)) && s->kind != CONF_PATH)
		return err_set(err, ERR_CONFIG, "%s: value of '%s' is not UTF-8", where, s->name);
	if (s->kind == CONF_TEXT || s->kind == CONF_PATH) {
		if ((strcmp(s->name, "now") == 0 || strcmp(s->name, "off_until") == 0) &&
		    *text != '\0' &&
		    time_parse(text, strlen(text), &us, NULL) != 0)
			return err_set(err, ERR_CONFIG, "%s: '%s' is not a time: '%s', as "
			    "2026-05-01T18:00:00+02:00 is one", where, s->name, text);
		if (*text == '\0' && s->min > 0)
			return err_set(err, ERR_CONFIG, "%s: '%s' must not be empty", where,
			    s->name);
		if (s->choices != NULL && *s->choices == ',' ? !are_choices(s->choices + 1, text)
			: s->choices != NULL && !is_choice(s->choices, strlen(text), text))
			return err_set(err, ERR_CONFIG, "%s: '%s' must be one of %s: '%s'", where,
			    s->name, s->choices + (*s->choices == ','), text);
		return 0;
	}
	if (*text == '\0' && *s->def == '\0')
		return 0;
	if (s->kind == CONF_BOOL ? parse_bool(text, &v->number) != 0
				 : parse_number(text, s->kind, &v->number) != 0)
		return err_set(err, ERR_CONFIG, "%s: '%s' must be %s: '%s'", where, s->name,
		    kind_words(s->kind), text);
	if (s->min < s->max && (v->number < s->min || v->number > s->max))
		return err_set(err, ERR_CONFIG, "%s: '%s' must be from %.16g to %.16g: '%s'", where,
		    s->name, s->min, s->max, text);
	return 0;
}
