/*
 * json_loose.c: finds the JSON in what a model wrote. These are tried in order of certainty: the
 * text as it stands, a fenced block, the span from the first bracket to the last. What is found is
 * parsed like any other text, so half a value counts as none.
 */
#include "base/ascii.h"
#include "json/json_schema.h"

static const char *
find(const char *s, const char *end, const char *what)
{
	size_t n = strlen(what);

	for (;
	     (size_t)(end - s) >= n && (s = memchr(s, what[0], (size_t)(end - s) - n + 1)) != NULL;
	     s++)
		if (memcmp(s, what, n) == 0)
			return s;
	return NULL;
}

const char *
json_after_thoughts(const char *s, size_t *len)
{
	static const char open[] = "<think>", close[] = "</think>";
	const char *end, *at;

	s = ascii_trim(s, len);
	end = s + *len;
	/*
	 * a template may put the opening tag into the prompt, so that only the closing one is in
	 * the answer
	 */
	if ((at = find(s, end, close)) != NULL &&
	    (strncmp(s, open, sizeof(open) - 1) == 0 || find(s, at, open) == NULL))
		s = at + sizeof(close) - 1;
	else if (strncmp(s, open, sizeof(open) - 1) == 0)
		s = end;                       /* the thoughts never ended */
	*len = (size_t)(end - s);
	return ascii_trim(s, len);
}

/* What stands in the first fenced block; NULL: there is none. */
static const char *
fenced(const char *s, const char *end, size_t *len)
{
	const char *open = find(s, end, "```"), *close;

	if (open == NULL || (open = memchr(open, '\n', (size_t)(end - open))) == NULL ||
	    (close = find(open, end, "```")) == NULL)
		return NULL;
	*len = (size_t)(close - open);
	return open;
}

static const char *
bracketed(const char *s, const char *end, size_t *len)
{
	while (s < end && *s != '{' && *s != '[')
		s++;
	while (end > s && end[-1] != '}' && end[-1] != ']')
		end--;
	*len = (size_t)(end - s);
	return s;
}

static bool
parse_compound(const char *s, size_t len, struct arena *a, const struct json **out)
{
	return json_parse(s, len, a, out, NULL) == 0 &&
	    ((*out)->kind == JSON_OBJECT || (*out)->kind == JSON_ARRAY);
}

int
json_in_text(const char *s, size_t len, struct arena *a, const struct json **out, struct err *err)
{
	const char *p, *end;
	size_t n;

	if (json_parse(s, len, a, out, NULL) == 0)
		return 0;
	s = json_after_thoughts(s, &len);
	end = s + len;
	if (json_parse(s, len, a, out, NULL) == 0)
		return 0;
	if ((p = fenced(s, end, &n)) != NULL && parse_compound(p, n, a, out))
		return 0;
	p = bracketed(s, end, &n);
	if (n > 1 && parse_compound(p, n, a, out))
		return 0;
	*out = NULL;
	return err_set(err, ERR_DATA, "no JSON in the text");
}
