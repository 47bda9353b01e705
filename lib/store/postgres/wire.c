/*
 * wire.c: values in binary form, as the server takes and gives them. A number is big endian. An
 * array has its number of dimensions, whether there are nulls, the type of its elements, their
 * number, and the number of the first, 32 bits each; then of each its length, or -1 for null, and
 * its bytes.
 */
#include "store/postgres/postgres.h"

#define ARRAY_MAX ((size_t)1 << 30)            /* the most that PostgreSQL takes in one value */
#define COUNT_AT  12

uint64_t
pg_get(const char *p, int n)
{
	uint64_t v = 0;

	for (int i = 0; i < n; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

void
pg_put(char *to, int n, uint64_t v)
{
	for (int i = 0; i < n; i++)
		to[i] = (char)(v >> (8 * (n - 1 - i)));
}

const char *
pg_bytes(const struct value *v)
{
	return v->type == 0 ? NULL : v->type == PG_INT8 || v->type == PG_FLOAT8 ? v->number
										: v->bytes;
}

static void
add_32(struct buf *b, uint32_t v)
{
	char bytes[4];

	pg_put(bytes, 4, v);
	buf_add(b, bytes, 4);
}

void
pg_array_begin(struct buf *out, unsigned element)
{
	buf_init(out, ARRAY_MAX);
	add_32(out, 1);
	add_32(out, 1);
	add_32(out, element);
	add_32(out, 0);
	add_32(out, 1);
}

void
pg_array_add(struct buf *out, const struct value *v)
{
	add_32(out, v->type == 0 ? UINT32_MAX : (uint32_t)v->len);
	if (v->type != 0)
		buf_add(out, pg_bytes(v), (size_t)v->len);
}

void
pg_array_end(struct buf *out, size_t n)
{
	pg_put(out->data + COUNT_AT, 4, n);
}

unsigned
pg_array_of(unsigned element)
{
	return element == PG_INT8 ? PG_INT8_ARRAY : element == PG_FLOAT8 ? PG_FLOAT8_ARRAY :
		element == PG_TEXT ? PG_TEXT_ARRAY : PG_BYTEA_ARRAY;
}
