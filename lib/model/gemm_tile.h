/*
 * gemm_tile.h: the products for x86, written once: a file for one instruction set defines the macros below, then includes this.
 *
 *	ROWS           rows of a tile; PANELS panels of a tile; VECS vectors of a panel
 *	vec            int32 lanes
 *	VEC_ZERO       vec of zeros
 *	VEC_STORE(p, v)
 *	VEC_PAIR(p)    the two int16 at p in every lane
 *	VEC_WIDEN(p)   int8 at p, widened to pairs of int16
 *	VEC_LOAD(p)    int16 at p
 *	VEC_DOT(s, a, w)  s + the products of both pairs
 *
 * A tile's sums stay in registers while its inputs go by: ROWS broadcasts meet PANELS * VECS vectors of weights at each pair of inputs. Meanwhile the weights of
 * the next tile's panels are fetched: 3 % at 128 tokens. (Widening a panel once for all its tiles was tried: 5 to 15 % slower.)
 */
#ifndef MODEL_GEMM_TILE_H
#define MODEL_GEMM_TILE_H

#include "model/gemm.h"

#ifdef VEC_DOT

struct gemm_call {
	const int16_t *a;
	size_t lda;
	const void *w;                 /* of the tile's first panel */
	size_t n_pairs;
	int32_t *acc;
	size_t ld;
};

/* is_wide, rows and panels are constants wherever this is called, so that loops unroll and sums live in registers. */
static inline __attribute__((always_inline)) void
tile(const struct gemm_call *c, bool is_wide, size_t rows, size_t panels)
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
				__builtin_prefetch((const int8_t *)c->w + (panels * (n_pairs + i) + v / VECS) * step);
			w[v] = is_wide ? VEC_LOAD((const int16_t *)c->w + at) : VEC_WIDEN((const int8_t *)c->w + at);
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

#define TILE(wide, rows, panels) \
static __attribute__((noinline)) void tile_##wide##_##rows##_##panels(const struct gemm_call *c) { tile(c, wide, rows, panels); }
#define TILES(wide, panels) \
	TILE(wide, 1, panels) TILE(wide, 2, panels) TILE(wide, 3, panels) TILE(wide, 4, panels) TILE(wide, 5, panels) TILE(wide, 6, panels)
#define TILES_TALL(wide, panels) \
	TILE(wide, 7, panels) TILE(wide, 8, panels) TILE(wide, 9, panels) TILE(wide, 10, panels) TILE(wide, 11, panels) TILE(wide, 12, panels)
#define NAMES(wide, panels) \
	tile_##wide##_1_##panels, tile_##wide##_2_##panels, tile_##wide##_3_##panels, tile_##wide##_4_##panels, tile_##wide##_5_##panels, \
	tile_##wide##_6_##panels
#define NAMES_TALL(wide, panels) \
	tile_##wide##_7_##panels, tile_##wide##_8_##panels, tile_##wide##_9_##panels, tile_##wide##_10_##panels, tile_##wide##_11_##panels, \
	tile_##wide##_12_##panels

TILES(0, 1) TILES(1, 1)
#if ROWS > 6
TILES_TALL(0, 1) TILES_TALL(1, 1)
#endif
#if PANELS > 1
TILES(0, 2) TILES(1, 2)
#if ROWS > 6
TILES_TALL(0, 2) TILES_TALL(1, 2)
#endif
#endif

/* [wide][panels - 1][rows - 1] */
static void (*const tiles[2][PANELS][ROWS])(const struct gemm_call *) = {
#if PANELS > 1
	{ { NAMES(0, 1), NAMES_TALL(0, 1) }, { NAMES(0, 2), NAMES_TALL(0, 2) } }, { { NAMES(1, 1), NAMES_TALL(1, 1) }, { NAMES(1, 2), NAMES_TALL(1, 2) } }
#else
	{ { NAMES(0, 1) } }, { { NAMES(1, 1) } }
#endif
};

static inline void
multiply(const int16_t *a, size_t lda, size_t m, const void *packed, bool is_wide, size_t n_in, size_t n_out, int32_t *acc)
{
	struct gemm_call c = { NULL, lda, NULL, gemm_even(n_in) / 2, NULL, gemm_padded(n_out) };
	size_t n_tiles = (m + ROWS - 1) / ROWS, panels, n, i, t, rows;

	for (n = 0; n < c.ld; n += panels * GEMM_PANEL) {
		panels = MIN(PANELS, (c.ld - n) / GEMM_PANEL);
		c.w = (const char *)packed + n * 2 * c.n_pairs * (is_wide ? 2 : 1);
		/* the rows in tiles of about the same height, since weights are widened again for each */
		for (i = t = 0; t < n_tiles; t++, i += rows) {
			rows = (m - i + n_tiles - t - 1) / (n_tiles - t);
			c.a = a + i * lda;
			c.acc = acc + i * c.ld + n;
			tiles[is_wide][panels - 1][rows - 1](&c);
		}
	}
}

static void
product(const int16_t *a, size_t lda, size_t m, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	multiply(a, lda, m, packed, false, n_in, n_out, acc);
}

static void
product16(const int16_t *a, size_t lda, size_t m, const int16_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	multiply(a, lda, m, packed, true, n_in, n_out, acc);
}

#endif
#endif
