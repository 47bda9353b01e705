/*
 * json.c: reads JSON text into a tree. json_check.c has checked the text before, so the reader only
 * builds: it cannot meet a fault, and looks for the ends of things. Members and items are pushed on
 * one stack as they are read; when their object or array ends they are copied into the arena, and
 * those of nested values have left the stack by then.
 */
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "json/json.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "json/json_check.h"

/* up to so many members of an object are compared with each other; more are looked up by hash */
#define FEW_MEMBERS 16

struct reader {
	const char *p, *end;
	struct arena *a;
	struct json_member *stack;         /* members; for an array only their values are used */
	size_t n, cap;
};

static void read_value(struct reader *r, struct json *out);

static char
skip_space(struct reader *r)
{
	while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')
		r->p++;
	return *r->p;
}

/* ---- strings ---- */

static uint32_t
hex4(const char *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 4 | (uint32_t)ascii_hex(p[i]);
	return v;
}

/* Reads the escape at a backslash, and writes what it stands for at out. */
static size_t
read_escape(struct reader *r, char *out)
{
	static const char letters[] = "bfnrt", means[] = "\b\f\n\r\t";
	char c = r->p[1];

	r->p += 2;
	if (c != 'u') {
		const char *which = strchr(letters, c);
		*out = which != NULL ? means[which - letters] : c;
		return 1;
	}
	uint32_t cp = hex4(r->p);
	r->p += 4;
	if (cp >= 0xd800 && cp <= 0xdbff) {
		cp = 0x10000 + ((cp - 0xd800) << 10) + (hex4(r->p + 2) - 0xdc00);
		r->p += 6;
	}
	return utf8_encode(cp, out);
}

/*
 * The quote that ends the string at start: the first with an even number of backslashes before it.
 */
static const char *
end_of_string(const char *start, const char *end)
{
	const char *quote = start - 1, *p;

	do {
		quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
		for (p = quote; p > start && p[-1] == '\\';)
			p--;
	} while ((quote - p) % 2 != 0);
	return quote;
}

#define BLOCK 16

/*
 * Copies up to the next backslash, where r->p then stands, or up to the quote. Up to BLOCK bytes
 * after the copy are written, too.
 */
static char *
copy_plain(struct reader *r, const char *quote, char *o)
{
	const char *p = r->p;
	size_t n;

#if defined(__SSE2__)
	for (; r->end - p >= BLOCK && p < quote; p += BLOCK, o += BLOCK) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		unsigned stop = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));

		_mm_storeu_si128((__m128i *)(void *)o, v);
		n = stop != 0 ? (size_t)__builtin_ctz(stop) : BLOCK;
		n = MIN(n, (size_t)(quote - p));
		if (n < BLOCK) {
			r->p = p + n;
			return o + n;
		}
	}
#endif
	r->p = p < quote ? memchr(p, '\\', (size_t)(quote - p)) : NULL;
	if (r->p == NULL)
		r->p = quote;
	n = (size_t)(r->p - p);
	memcpy(o, p, n);
	return o + n;
}

/* Reads the string at an opening quote. */
static const char *
read_string(struct reader *r, size_t *len)
{
	const char *start = ++r->p, *quote = end_of_string(start, r->end);
	char *out, *o;

	out = o = arena_alloc(r->a, (size_t)(quote - start) + 1 + BLOCK);
	while ((o = copy_plain(r, quote, o)), r->p < quote)
		o += read_escape(r, o);
	*o = '\0';
	r->p = quote + 1;
	*len = (size_t)(o - out);
	return out;
}

/* ---- numbers ---- */

static void
read_number(struct reader *r, struct json *out)
{
	const char *start = r->p, *digits = start + (*start == '-');
	char copy[JSON_NUMBER_BYTES + 1];
	uint64_t v = 0;
	size_t n;

	for (r->p = digits; r->p < r->end && ascii_is_digit(*r->p); r->p++)
		v = v * 10 + (uint64_t)(*r->p - '0');
	out->kind = JSON_NUMBER;
	if (r->p == r->end || (*r->p != '.' && (*r->p | 32) != 'e')) {
		n = (size_t)(r->p - start);
		if (json_is_big(digits, (size_t)(r->p - digits))) {
			out->kind = JSON_STRING;
			out->len = n;
			out->u.string = arena_strndup(r->a, start, n);
		} else {
			out->u.number = digits > start ? -(double)v : (double)v;
		}
		return;
	}
	while (r->p < r->end && (ascii_is_digit(*r->p) || strchr("+-.eE", *r->p) != NULL))
		r->p++;
	n = MIN((size_t)(r->p - start), (size_t)JSON_NUMBER_BYTES);
	memcpy(copy, start, n);
	copy[n] = '\0';
	out->u.number = strtod(copy, NULL);
}

/* ---- objects and arrays ---- */

/* A hash table of the members of one object, once there are many. */
struct names { uint32_t *slots; size_t n_slots; };

static uint32_t *
slot_of(const struct names *t, const struct json_member *members, const struct json_member *m)
{
	size_t at = hash64(m->key, m->key_len, 0) & (t->n_slots - 1);

	for (; t->slots[at] != 0; at = (at + 1) & (t->n_slots - 1)) {
		const struct json_member *other = &members[t->slots[at] - 1];
		if (other->key_len == m->key_len && memcmp(other->key, m->key, m->key_len) == 0)
			break;
	}
	return &t->slots[at];
}

static void
grow_names(struct names *t, const struct json_member *members, size_t n)
{
	free(t->slots);
	t->n_slots = t->n_slots == 0 ? 8 * FEW_MEMBERS : 2 * t->n_slots;
	t->slots = xcalloc(t->n_slots, sizeof(*t->slots));
	for (size_t i = 0; i < n; i++)
		*slot_of(t, members, &members[i]) = (uint32_t)i + 1;
}

/* Keys of one length mostly differ in the first byte (of an empty one its NUL), without a call. */
static bool
is_key(const struct json_member *m, const char *key, size_t len)
{
	return m->key_len == len && m->key[0] == key[0] && memcmp(m->key, key, len) == 0;
}

/* The member of that name among the n read before; NULL: there is none. */
static struct json_member *
find_member(struct names *t, struct json_member *members, size_t n, const struct json_member *m)
{
	if (n < FEW_MEMBERS) {
		for (size_t i = 0; i < n; i++)
			if (is_key(&members[i], m->key, m->key_len))
				return &members[i];
		return NULL;
	}
	if (n * 2 >= t->n_slots)
		grow_names(t, members, n);
	uint32_t *slot = slot_of(t, members, m);
	if (*slot != 0)
		return &members[*slot - 1];
	*slot = (uint32_t)n + 1;
	return NULL;
}

static void
push(struct reader *r, const struct json_member *m)
{
	*xpush(r->stack, r->n, r->cap) = *m;
}

/* Reads an object. A name that comes again keeps its place and gets the new value. */
static void
read_object(struct reader *r, struct json *out)
{
	struct names names = { NULL, 0 };
	size_t first = r->n;
	struct json_member m, *members, *before;

	for (r->p++; skip_space(r) != '}'; r->p += *r->p == ',') {
		skip_space(r);
		m.key = read_string(r, &m.key_len);
		skip_space(r);
		r->p++;
		read_value(r, &m.value);
		skip_space(r);
		/* before the first member there is no stack to point into */
		if (r->n > first &&
		    (before = find_member(&names, r->stack + first, r->n - first, &m)) != NULL)
			before->value = m.value;
		else
			push(r, &m);
	}
	r->p++;
	free(names.slots);
	out->kind = JSON_OBJECT;
	out->len = r->n - first;
	members = arena_alloc(r->a, out->len * sizeof(*members));
	if (out->len > 0)
		memcpy(members, r->stack + first, out->len * sizeof(*members));
	out->u.members = members;
	r->n = first;
}

static void
read_array(struct reader *r, struct json *out)
{
	size_t first = r->n;
	struct json_member m = { NULL, 0, { .kind = JSON_NULL } };
	struct json *items;

	for (r->p++; skip_space(r) != ']'; r->p += *r->p == ',') {
		read_value(r, &m.value);
		push(r, &m);
		skip_space(r);
	}
	r->p++;
	out->kind = JSON_ARRAY;
	out->len = r->n - first;
	items = arena_alloc(r->a, out->len * sizeof(*items));
	for (size_t i = 0; i < out->len; i++)
		items[i] = r->stack[first + i].value;
	out->u.items = items;
	r->n = first;
}

static void
read_value(struct reader *r, struct json *out)
{
	out->len = 0;
	switch (skip_space(r)) {
	case '"':
		out->kind = JSON_STRING;
		out->u.string = read_string(r, &out->len);
		break;
	case '{':
		read_object(r, out);
		break;
	case '[':
		read_array(r, out);
		break;
	case 't':
		out->kind = JSON_TRUE;
		r->p += 4;
		break;
	case 'f':
		out->kind = JSON_FALSE;
		r->p += 5;
		break;
	case 'n':
		out->kind = JSON_NULL;
		r->p += 4;
		break;
	default:
		read_number(r, out);
	}
}

int
json_parse(const char *s, size_t len, struct arena *a, const struct json **out, struct err *err)
{
	struct reader r = { .a = a };
	struct json *tree;

	if (len > INT32_MAX / 2)
		return err_set(err, ERR_DATA, "JSON text of %zu bytes is too long", len);
	if (json_check(s, len, conf_caps.depth, conf_caps.json_values, &r.p, &r.end, err) != 0)
		return -1;
	tree = arena_alloc(a, sizeof(*tree));
	read_value(&r, tree);
	free(r.stack);
	*out = tree;
	return 0;
}

size_t
json_scan(struct json_scan *s, const char *p, size_t n, bool *ended)
{
	unsigned depth = s->depth;
	bool in_string = s->in_string, escaped = s->escaped;
	size_t i;

	*ended = false;
	for (i = 0; i < n && !*ended; i++) {
		char c = p[i];

		if (escaped) {
			escaped = false;
		} else if (in_string) {
			escaped = c == '\\';
			in_string = c != '"';
			*ended = !in_string && depth == 0;
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			*ended = --depth == 0;
		}
	}
	*s = (struct json_scan){ depth, in_string, escaped };
	return i;
}

const struct json *
json_get(const struct json *v, const char *key)
{
	size_t len = strlen(key);

	if (v == NULL || v->kind != JSON_OBJECT)
		return NULL;
	for (size_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->u.members[i];

		if (is_key(m, key, len))
			return &m->value;
	}
	return NULL;
}

const char *
json_get_string(const struct json *v, const char *key, size_t *len)
{
	const struct json *m = json_get(v, key);

	if (m == NULL || m->kind != JSON_STRING)
		return NULL;
	if (len != NULL)
		*len = m->len;
	return m->u.string;
}

const char *
json_text(const struct json *v, const char *key)
{
	const char *s = json_get_string(v, key, NULL);

	return s != NULL ? s : "";
}

bool
json_is(const struct json *v, const char *key, const char *text)
{
	const char *s = json_get_string(v, key, NULL);

	return s != NULL && strcmp(s, text) == 0;
}

double
json_get_number(const struct json *v, const char *key, double otherwise)
{
	const struct json *m = json_get(v, key);

	return m != NULL && m->kind == JSON_NUMBER ? m->u.number : otherwise;
}

bool
json_same(const struct json *a, const struct json *b)
{
	if (a->kind != b->kind || (a->kind != JSON_NUMBER && a->len != b->len))
		return false;
	switch (a->kind) {
	case JSON_NUMBER:
		return a->u.number == b->u.number;
	case JSON_STRING:
		return memcmp(a->u.string, b->u.string, a->len) == 0;
	case JSON_ARRAY:
		for (size_t i = 0; i < a->len; i++)
			if (!json_same(&a->u.items[i], &b->u.items[i]))
				return false;
		return true;
	case JSON_OBJECT:
		for (size_t i = 0; i < a->len; i++) {
			const struct json *other = json_get(b, a->u.members[i].key);
			if (other == NULL || !json_same(&a->u.members[i].value, other))
				return false;
		}
		return true;
	default:
		return true;
	}
}

void
json_put_text(struct json *object, const char *key, const char *s, size_t len)
{
	/* whoever makes an object may change its members */
	struct json_member *members = (struct json_member *)(uintptr_t)object->u.members;

	if (len > 0)
		members[object->len++] = (struct json_member){ key, strlen(key),
			{ JSON_STRING, len, { .string = s } } };
}
