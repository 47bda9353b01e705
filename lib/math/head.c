/*
 * head.c: the text is read line by line; only the lines of the wanted section are looked at
 * closely.
 */
#include "math/head.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/span.h"
#include "math/real.h"

struct reading {
	struct head *h;
	const char *const *names;
	size_t cap;                            /* of h->vector */
	unsigned line;
	struct err *err;
};

/* Takes the next word of a line off *p; returns its length, 0 at the end. */
static size_t
next_word(const char **p, const char *end, const char **word)
{
	while (*p < end && ascii_is_space(**p))
		(*p)++;
	for (*word = *p; *p < end && !ascii_is_space(**p); (*p)++)
		;
	return (size_t)(*p - *word);
}

static bool
number(struct reading *r, const char *word, size_t len, double *out)
{
	char copy[40], *rest;

	snprintf(copy, sizeof(copy), "%.*s", (int)MIN(len, sizeof(copy) - 1), word);
	*out = strtod(copy, &rest);
	if (len > 0 && *rest == '\0' && *out > -1e6 && *out < 1e6)
		return true;
	err_set(r->err, ERR_DATA, "line %u: '%s' is no number", r->line, copy);
	return false;
}

static bool
read_vector(struct reading *r, const char *p, const char *end)
{
	const char *word;
	size_t len;
	double x;

	while ((len = next_word(&p, end, &word)) > 0) {
		if (!number(r, word, len, &x))
			return false;
		if (r->h->n_dims == HEAD_DIMS_MAX) {
			err_set(r->err, ERR_DATA, "line %u: more than %d dimensions", r->line,
			    HEAD_DIMS_MAX);
			return false;
		}
		*xpush(r->h->vector, r->h->n_dims, r->cap) = (float)x;
	}
	return true;
}

static bool
read_line(struct reading *r, const char *p, const char *end)
{
	const char *key, *word;
	size_t key_len = next_word(&p, end, &key), len;

	if (span_is(key, key_len, "vector"))
		return read_vector(r, p, end);
	len = next_word(&p, end, &word);
	if (span_is(key, key_len, "threshold"))
		return number(r, word, len, &r->h->threshold);
	if (span_is(key, key_len, "bias"))
		return number(r, word, len, &r->h->bias);
	if (span_is(key, key_len, "weight"))
		for (size_t i = 0; i < r->h->n_features; i++)
			if (span_is(word, len, r->names[i])) {
				len = next_word(&p, end, &word);
				return number(r, word, len, &r->h->weights[i]);
			}
	err_set(r->err, ERR_DATA, "line %u: '%.*s %.*s' means nothing here", r->line,
	    (int)MIN(key_len, 40), key, (int)MIN(len, 40), word);
	return false;
}

bool
head_read(struct head *h, const char *text, size_t len, const char *section,
	const char *const *names, size_t n_names, struct err *err)
{
	struct reading r = { .h = h, .names = names, .err = err };
	bool inside = false, found = false;

	*h = (struct head){ .threshold = .5, .n_features = n_names };
	h->weights = xcalloc(MAX(n_names, 1), sizeof(*h->weights));
	for (const char *p = text, *end = text + len; p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p)), *line = p, *word;
		stop = stop == NULL ? end : stop;
		p = stop + 1;
		r.line++;
		size_t n = next_word(&line, stop, &word);
		if (n == 0 || *word == '#')
			continue;
		if (span_is(word, n, "section")) {
			n = next_word(&line, stop, &word);
			inside = span_is(word, n, section);
			found |= inside;
		} else if (inside && !read_line(&r, word, stop)) {
			found = false;
			break;
		}
	}
	if (!found)
		head_release(h);
	return found;
}

void
head_release(struct head *h)
{
	free(h->weights);
	free(h->vector);
	*h = (struct head){ 0 };
}

double
head_probability(const struct head *h, const float *x, const float *v)
{
	double sum = h->bias;

	for (size_t i = 0; i < h->n_features; i++)
		sum += h->weights[i] * (double)x[i];
	for (size_t i = 0; i < h->n_dims; i++)
		sum += (double)h->vector[i] * (double)v[i];
	return 1 / (1 + real_exp(-sum));
}
