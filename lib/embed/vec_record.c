/*
 * vec_record.c: nearly all bytes of a record with a vector are the vector's numbers. When the
 * vector stands at the end of the line, which is found by searching back from there, its numbers
 * are read without making a JSON value of each; what stands before it is parsed as usual.
 */
#include "embed/vec_record.h"

#include <math.h>

#include "base/ascii.h"
#include "math/vec.h"

#define DIGITS_MAX 17                          /* more digits do not change a float */

#define TEN_MOST   22 /* 10^22 is the greatest power of ten that a double holds exactly */

static double
times_ten_to(double x, int e)
{
	static const double tens[TEN_MOST + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

	for (; e > TEN_MOST; e -= TEN_MOST)
		x *= tens[TEN_MOST];
	for (; e < -TEN_MOST; e += TEN_MOST)
		x /= tens[TEN_MOST];
	return e >= 0 ? x * tens[e] : x / tens[-e];
}

/* Reads the JSON number at p; returns the byte after it, or NULL when there is none. */
static const char *
read_number(const char *p, const char *end, float *out)
{
	bool minus = p < end && *p == '-', below = false;
	const char *first = p + minus;
	int exponent = 0, digits = 0, e = 0, sign = 1;
	uint64_t whole = 0;

	for (p = first; p < end && (ascii_is_digit(*p) || (*p == '.' && !below && p > first));
	     p++) {
		if (*p == '.') {
			below = true;
			continue;
		}
		if (digits < DIGITS_MAX) {
			whole = whole * 10 + (uint64_t)(*p - '0');
			digits += whole > 0;
			exponent -= below;
		} else {
			exponent += !below;
		}
	}
	if (p == first || p[-1] == '.' || (*first == '0' && p > first + 1 && first[1] != '.'))
		return NULL;
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '-' || *p == '+'))
			sign = *p++ == '-' ? -1 : 1;
		if (p == end || *p < '0' || *p > '9')
			return NULL;
		for (; p < end && ascii_is_digit(*p); p++)
			e = MIN(e * 10 + (*p - '0'), 9999);
	}
	*out = (float)times_ten_to(minus ? -(double)whole : (double)whole, exponent + sign * e);
	return p;
}

/*
 * Reads "vec":[...]} at the end of the line. Returns where its key begins, after the comma or brace
 * before it; NULL when it does not stand there, or holds anything but plain numbers.
 */
static const char *
vec_at_end(const char *line, size_t len, float *vec, size_t *n)
{
	static const char key[] = "\"vec\":[";
	const char *p = line + len, *end;

	*n = 0;
	if (len < sizeof(key) + 3 || p[-1] != '}' || p[-2] != ']')
		return NULL;
	end = p -= 2;
	while (p > line && p[-1] != '[')
		p--;
	if ((size_t)(p - line) < sizeof(key) ||
	    memcmp(p - sizeof(key) + 1, key, sizeof(key) - 1) != 0)
		return NULL;
	line = p - sizeof(key) + 1;
	if (line[-1] != ',' && line[-1] != '{')
		return NULL;
	for (;;) {
		if (*n == VEC_MAX_DIMS || (p = read_number(p, end, &vec[*n])) == NULL)
			return NULL;
		++*n;
		if (p == end)
			return line;
		if (*p++ != ',')
			return NULL;
	}
}

static size_t
vec_of_value(const struct json *v, float *vec)
{
	if (v->kind != JSON_ARRAY || v->len > VEC_MAX_DIMS)
		return 0;
	for (size_t i = 0; i < v->len; i++) {
		if (v->u.items[i].kind != JSON_NUMBER)
			return 0;
		vec[i] = (float)v->u.items[i].u.number;
	}
	return v->len;
}

void
vec_record_text(struct vec_record *r)
{
	static const char *const keys[] = { "text", "content", "query" };
	const char *type = json_get_string(r->v, "type", NULL);

	for (size_t i = 0; i < NELEM(keys) && r->text == NULL; i++) {
		r->text = json_get_string(r->v, keys[i], &r->text_len);
		r->is_query = strcmp(keys[i], "query") == 0;
	}
	if (type != NULL ? strcmp(type, "message") == 0
			 : json_get_string(r->v, "role", NULL) != NULL)
		r->speaker = json_get_string(r->v, "name", NULL);
}

int
vec_record_read(const char *line, size_t len, struct arena *a, struct vec_record *r, float *vec,
	struct err *err)
{
	struct err ignored = ERR_INIT;
	const char *key = vec_at_end(line, len, vec, &r->n_dims);
	const struct json *value;

	*r = (struct vec_record){ .n_dims = r->n_dims };
	if (key != NULL) {
		size_t n = (size_t)(key - line) - (key[-1] == ',');
		char *rest = arena_strndup(a, line, n + 1);
		rest[n] = '}';
		r->has_vec = json_parse(rest, n + 1, a, &r->v, &ignored) == 0;
	}
	if (!r->has_vec && json_parse(line, len, a, &r->v, err) != 0)
		return -1;
	if (r->v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	if (!r->has_vec) {
		value = json_get(r->v, "vec");
		r->has_vec = value != NULL;
		r->n_dims = value != NULL ? vec_of_value(value, vec) : 0;
	}
	for (size_t i = 0; i < r->n_dims; i++)
		if (!isfinite(vec[i]))
			r->n_dims = 0;
	if (r->n_dims > 0 && !vec_unit(vec, r->n_dims))
		r->n_dims = 0;
	vec_record_text(r);
	return 0;
}
