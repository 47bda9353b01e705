/*
 * gemm_tile.h: the products for x86, written once: a file for one instruction set defines the
 * macros below, then includes this.
 *
 *	ROWS           rows of a tile
 *	PANELS         panels of a tile
 *	VECS           vectors of a panel
 *	vec            int32 lanes
 *	VEC_ZERO       vec of zeros
 *	VEC_STORE(p, v)
 *	VEC_PAIR(p)    the two int16 at p in every lane
 *	VEC_WIDEN(p)   int8 at p, widened to pairs of int16
 *	VEC_LOAD(p)    int16 at p
 *	VEC_DOT(s, a, w)  s + the products of both pairs
 *
 * and, for kernels that multiply bytes (gemm_bytes.h):
 *
 *	VEC_QUAD(p)    the four bytes at p in every lane
 *	VEC_DOT_BYTES(s, u, w)  s + the products of both quads, u unsigned
 *	VEC_QUADS(p, v)         vector v of a panel: two rows of pairs at p, shuffled so that the four
 *	                        weights of each output are together; outputs may be in any order
 *	VEC_ORDERED(s, v)       vector v of sums s by such weights, with the outputs in their own
 *	                        order; it is its own inverse
 *	take_bytes(a, low, bytes)  writes 32 bytes a - low, 0 where that is no byte; returns a
 *	                        bit for each of these outliers
 *
 * A tile's sums stay in registers while its inputs are read: at each pair or quad of inputs, ROWS
 * broadcasts are multiplied with PANELS * VECS vectors of weights. Meanwhile the weights of the
 * next tile's panels are prefetched, which gains 3 % at 128 tokens. (Widening a panel once for all
 * its tiles was tried: 5 to 15 % slower.)
 */
#pragma once

#include "model/kernels/gemm.h"

#ifdef VEC_DOT

struct gemm_call {
	const int16_t *a;
	size_t lda;
	const uint8_t *bytes;
	size_t ld_bytes;
	const int32_t *lows;           /* initial sums of the tile's outputs (gemm_bytes.h) */
	const void *w;                 /* packed weights of the tile's first panel */
	size_t n_pairs;
	int32_t *acc;
	size_t ld;
};

/*
 * Every caller passes constants for is_wide, rows and panels, so that loops are unrolled and sums
 * live in registers.
 */
static inline __attribute__((always_inline)) void
tile_pairs(const struct gemm_call *c, bool is_wide, size_t rows, size_t panels)
{
	vec sums[ROWS][PANELS * VECS], w[PANELS * VECS], pair;
	const size_t step = 2 * GEMM_PANEL, lda = c->lda, n_pairs = c->n_pairs;
	const int16_t *a = c->a;
	size_t i, r, v;

#pragma GCC unroll 16
	for (r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++)
			sums[r][v] = VEC_ZERO;
	for (i = 0; i < n_pairs; i++) {
#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++) {
			size_t at = (v / VECS * n_pairs + i) * step + v % VECS * (step / VECS);

			if (!is_wide && v % VECS == 0)
				__builtin_prefetch((const int8_t *)c->w +
				    (panels * (n_pairs + i) + v / VECS) * step);
			w[v] = is_wide ? VEC_LOAD((const int16_t *)c->w + at)
				       : VEC_WIDEN((const int8_t *)c->w + at);
		}
#pragma GCC unroll 16
		for (r = 0; r < rows; r++) {
			pair = VEC_PAIR(a + r * lda + 2 * i);
#pragma GCC unroll 8
			for (v = 0; v < panels * VECS; v++)
				sums[r][v] = VEC_DOT(sums[r][v], pair, w[v]);
		}
	}
#pragma GCC unroll 16
	for (r = 0; r < rows; r++)
#pragma GCC unroll 8
		for (v = 0; v < panels * VECS; v++)
			VEC_STORE(c->acc + r * c->ld + v * (GEMM_PANEL / VECS), sums[r][v]);
}

#define TILE_narrow(c, rows, panels) tile_pairs(c, false, rows, panels)
#define TILE_wide(c, rows, panels)   tile_pairs(c, true, rows, panels)

#define TILE(kind, rows, panels) \
	static __attribute__((noinline)) void tile_##kind##_##rows##_##panels( \
	    const struct gemm_call *c) \
	{ \
		TILE_##kind(c, rows, panels); \
	}
#define TILES_LOW(kind, panels) \
	TILE(kind, 1, panels) \
	TILE(kind, 2, panels) TILE(kind, 3, panels) TILE(kind, 4, panels) TILE(kind, 5, panels) \
	    TILE(kind, 6, panels)
#define TILES_TALL(kind, panels) \
	TILE(kind, 7, panels) \
	TILE(kind, 8, panels) TILE(kind, 9, panels) TILE(kind, 10, panels) TILE(kind, 11, panels) \
	    TILE(kind, 12, panels)
#define NAMES_LOW(kind, panels) \
	tile_##kind##_1_##panels, tile_##kind##_2_##panels, tile_##kind##_3_##panels, \
	    tile_##kind##_4_##panels, tile_##kind##_5_##panels, tile_##kind##_6_##panels
#define NAMES_TALL(kind, panels) \
	tile_##kind##_7_##panels, tile_##kind##_8_##panels, tile_##kind##_9_##panels, \
	    tile_##kind##_10_##panels, tile_##kind##_11_##panels, tile_##kind##_12_##panels

/* The tiles of a kind, and a table of them: tiles_KIND [panels - 1][rows - 1]. */
#if PANELS > 1
#define TILES(kind) \
	TILES_LOW(kind, 1) TILES_TALL(kind, 1) TILES_LOW(kind, 2) TILES_TALL(kind, 2) \
	static void (*const tiles_##kind[PANELS][ROWS])(const struct gemm_call *) = { \
		{ NAMES_LOW(kind, 1), NAMES_TALL(kind, 1) }, { NAMES_LOW(kind, 2), NAMES_TALL(kind, 2) } };
#else
#define TILES(kind) \
	TILES_LOW(kind, 1) \
	static void (*const tiles_##kind[PANELS][ROWS])( \
	    const struct gemm_call *) = { { NAMES_LOW(kind, 1) } };
#endif

TILES(narrow)
TILES(wide)

/*
 * How many of m rows the next tile takes, from row i on, when n_tiles are left: tiles of about the
 * same height, since each tile widens the weights again.
 */
static inline size_t
tile_rows(size_t m, size_t i, size_t n_tiles)
{
	return (m - i + n_tiles - 1) / n_tiles;
}

static inline void
multiply(const int16_t *a, size_t lda, size_t m, const void *packed, bool is_wide, size_t n_in,
	size_t n_out, int32_t *acc)
{
	struct gemm_call c = { .lda = lda,
		.n_pairs = gemm_even(n_in) / 2,
		.ld = gemm_padded(n_out) };
	size_t n_tiles = (m + ROWS - 1) / ROWS, panels, n, i, t, rows;

	for (n = 0; n < c.ld; n += panels * GEMM_PANEL) {
		panels = c.ld - n < PANELS * GEMM_PANEL ? 1 : PANELS;
		c.w = (const char *)packed + n * 2 * c.n_pairs * (is_wide ? 2 : 1);
		for (i = t = 0; t < n_tiles; t++, i += rows) {
			rows = tile_rows(m, i, n_tiles - t);
			c.a = a + i * lda;
			c.acc = acc + i * c.ld + n;
			if (is_wide)
				tiles_wide[panels - 1][rows - 1](&c);
			else
				tiles_narrow[panels - 1][rows - 1](&c);
		}
	}
}

#ifdef VEC_DOT_BYTES
#include "model/kernels/gemm_bytes.h"
#endif

static void
product16(const int16_t *a, size_t lda, size_t m, const int16_t *packed, size_t n_in, size_t n_out,
	int32_t *acc)
{
	multiply(a, lda, m, packed, true, n_in, n_out, acc);
}

#endif
