/*
 * gemm_bytes.h: products of rows that lie in a window of 256 (gemm.h), for x86 with VNNI; included
 * by gemm_tile.h.
 *
 *	a w  =  low (sum of w)  +  (bytes) w  +  (outliers) w
 *	a = low + byte + outlier; the byte is 0 where the element is an outlier
 *
 * The first term is one number for each output, with which its sums start. The outliers, two or
 * three a row, are multiplied in pairs, as all elements are without a window. When there are too
 * many, the whole product is computed in pairs.
 */
#pragma once

#include "model/kernels/gemm.h"

#ifdef VEC_DOT_BYTES

#define FAR_MAX 1024                   /* most outlier pairs of all rows together */

struct gemm_far {
	uint32_t row, pair;
	int16_t a[2];                  /* minus low; 0 for an element inside the window */
};

static inline __attribute__((always_inline)) void
tile_quads(const struct gemm_call *c, size_t rows, size_t panels)
{
	/* w first holds the initial values of the sums */
	vec sums[ROWS][PANELS * VECS], w[PANELS * VECS], quad;
	const size_t step = 4 * GEMM_PANEL, panel = c->n_pairs * 2 * GEMM_PANEL,
		     n_quads = c->n_pairs / 2, ld = c->ld_bytes;
	int8_t last[PANELS * 4 * GEMM_PANEL];
	size_t i, r, v;

#pragma GCC unroll 8
	for (v = 0; v < panels * VECS; v++)
		w[v] = VEC_LOAD(c->lows + v * (GEMM_PANEL / VECS));
#pragma GCC unroll 16
	for (r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++)
			sums[r][v] = VEC_ORDERED(w, v);
	if (c->n_pairs % 2) /* with an odd number of pairs, half a quad ends each panel */
		for (v = 0; v < panels; v++) {
			memcpy(last + v * step, (const int8_t *)c->w + v * panel + n_quads * step,
			    step / 2);
			memset(last + v * step + step / 2, 0, step / 2);
		}
	for (i = 0; i < n_quads + c->n_pairs % 2; i++) {
		const int8_t *from = i < n_quads ? (const int8_t *)c->w + i * step : last;
		size_t apart = i < n_quads ? panel : step;

#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++) {
			if (v % VECS == 0)
				__builtin_prefetch((const int8_t *)c->w + panels * panel +
				    (panels * i + v / VECS) * step);
			w[v] = VEC_QUADS(from + v / VECS * apart, v % VECS);
		}
#pragma GCC unroll 16
		for (r = 0; r < rows; r++) {
			quad = VEC_QUAD(c->bytes + r * ld + 4 * i);
#pragma GCC unroll 8
			for (v = 0; v < panels * VECS; v++)
				sums[r][v] = VEC_DOT_BYTES(sums[r][v], quad, w[v]);
		}
	}
#pragma GCC unroll 16
	for (r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++)
			VEC_STORE(c->acc + r * c->ld + v * (GEMM_PANEL / VECS),
			    VEC_ORDERED(sums[r], v));
}

#define TILE_bytes(c, rows, panels) tile_quads(c, rows, panels)

TILES(bytes)

/*
 * The initial sums of some panels: the products of a row whose elements are all low, that is low
 * times the products of a row of ones.
 */
static void
make_lows(const int8_t *packed, size_t n_pairs, size_t n_panels, int16_t low, int32_t *to)
{
	const size_t step = 4 * GEMM_PANEL;
	const uint8_t four[4] = { 1, 1, 1, 1 };
	const vec ones = VEC_QUAD(four);
	int8_t last[4 * GEMM_PANEL] = { 0 };
	size_t n, i, v;
	/* four independent sums of quads, so that none waits for the one before it */
	vec sums[4 * VECS], total[VECS];

	for (n = 0; n < n_panels * GEMM_PANEL; n += GEMM_PANEL) {
#pragma GCC unroll 8
		for (v = 0; v < 4 * VECS; v++)
			sums[v] = VEC_ZERO;
		for (i = 0; i + 8 <= n_pairs; i += 8, packed += 4 * step)
#pragma GCC unroll 8
			for (v = 0; v < 4 * VECS; v++)
				sums[v] = VEC_DOT_BYTES(sums[v], ones,
				    VEC_QUADS(packed + v / VECS * step, v % VECS));
		for (; i + 2 <= n_pairs; i += 2, packed += step)
#pragma GCC unroll 2
			for (v = 0; v < VECS; v++)
				sums[v] = VEC_DOT_BYTES(sums[v], ones, VEC_QUADS(packed, v));
		if (i < n_pairs) {                     /* half a quad ends the panel */
			memcpy(last, packed, step / 2);
			packed += step / 2;
#pragma GCC unroll 2
			for (v = 0; v < VECS; v++)
				sums[v] = VEC_DOT_BYTES(sums[v], ones, VEC_QUADS(last, v));
		}
#pragma GCC unroll 2
		for (v = 0; v < VECS; v++)
			total[v] = (vec)(((vi)sums[v] + (vi)sums[v + VECS] +
					     (vi)sums[v + 2 * VECS] + (vi)sums[v + 3 * VECS]) *
			    low);
#pragma GCC unroll 2
		for (v = 0; v < VECS; v++)
			VEC_STORE(to + n + v * (GEMM_PANEL / VECS), VEC_ORDERED(total, v));
	}
}

/*
 * Converts a row to bytes, and writes its outlier pairs to f on; returns how many there are, of
 * which at most room are written.
 */
static size_t
convert_row(const struct gemm_rows *rows, size_t row, size_t n_in, struct gemm_far *f, size_t room)
{
	const int16_t *a = rows->a + row * rows->ld, *from;
	uint8_t *bytes = rows->bytes + row * gemm_row_bytes(n_in);
	int16_t end[32], low = rows->low;
	size_t n = 0, i, k;
	uint32_t bits;

	for (i = 0; i < gemm_row_bytes(n_in); i += 32) {
		from = a + i;
		if (i + 32 > n_in) {
			for (k = 0; k < 32; k++)
				end[k] = i + k < n_in ? a[i + k] : low;
			from = end;
		}
		for (bits = take_bytes(from, low, bytes + i); bits; bits &= ~(3u << k), n++) {
			k = (size_t)__builtin_ctz(bits) & ~(size_t)1;
			if (n < room)
				f[n] = (struct gemm_far){ (uint32_t)row, (uint32_t)(i + k) / 2,
					{ (int16_t)(bits >> k & 1 ? from[k] - low : 0),
					    (int16_t)(bits >> k & 2 ? from[k + 1] - low : 0) } };
		}
	}
	return n;
}

/*
 * Adds the outliers from f to end to the sums of a tile's panels; first is the row at which acc
 * begins.
 */
static inline void
add_far(const struct gemm_call *c, size_t panels, size_t first, const struct gemm_far *f,
	const struct gemm_far *end)
{
	const size_t step = 2 * GEMM_PANEL;

	for (; f < end; f++)
		for (size_t v = 0; v < panels * VECS; v++) {
			int32_t *acc = c->acc + (f->row - first) * c->ld + v * (GEMM_PANEL / VECS);
			VEC_STORE(acc,
			    VEC_DOT(VEC_LOAD(acc), VEC_PAIR(f->a),
				VEC_WIDEN((const int8_t *)c->w +
				    (v / VECS * c->n_pairs + f->pair) * step +
				    v % VECS * (step / VECS))));
		}
}

/* Returns false, with nothing done, when there are too many outliers. */
static bool
multiply_bytes(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out,
	int32_t *acc)
{
	struct gemm_call c = { .ld_bytes = gemm_row_bytes(n_in),
		.n_pairs = gemm_even(n_in) / 2,
		.ld = gemm_padded(n_out) };
	struct gemm_far far[FAR_MAX], *next, *end;
	size_t n_tiles = (rows->n + ROWS - 1) / ROWS, n_far = 0, panels, n, i, t, height;

	for (i = 0; i < rows->n; i++) {
		n_far += convert_row(rows, i, n_in, far + n_far, FAR_MAX - n_far);
		if (n_far > FAR_MAX)
			return false;
	}
	for (n = 0; n < c.ld; n += panels * GEMM_PANEL) {
		panels = c.ld - n < PANELS * GEMM_PANEL ? 1 : PANELS;
		c.w = packed + n * 2 * c.n_pairs;
		c.lows = rows->kept + n;
		/* reading the panel for them also brings it into the cache for the tiles */
		if (!*rows->has_kept)
			make_lows(c.w, c.n_pairs, panels, rows->low, rows->kept + n);
		for (i = t = 0, next = far; t < n_tiles; t++, i += height, next = end) {
			height = tile_rows(rows->n, i, n_tiles - t);
			c.bytes = rows->bytes + i * c.ld_bytes;
			c.acc = acc + i * c.ld + n;
			tiles_bytes[panels - 1][height - 1](&c);
			for (end = next; end < far + n_far && end->row < i + height; end++)
				;
			add_far(&c, panels, i, next, end);
		}
	}
	*rows->has_kept = true;
	return true;
}

static void
product(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	if (!rows->kept || !multiply_bytes(rows, packed, n_in, n_out, acc))
		multiply(rows->a, rows->ld, rows->n, packed, false, n_in, n_out, acc);
}

#endif
