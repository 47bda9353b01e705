/*
 * gemm_avx2.c: AVX2 without VNNI. Pairs of int16 take vpmaddwd on 256 bits and an addition; tiles
 * of six rows by one panel have their sums in twelve registers.
 *
 * Where rows lie in a window (gemm.h), most elements are bytes. vpmaddubsw multiplies twice as many
 * at once, but adds two products in 16 bits and saturates. So weights become unsigned, w + 128, and
 * outliers (far) are taken out:
 *
 *	a w  =  (bytes) (w + 128)  -  128 (sum of bytes)  +  (outliers) w
 *	a = byte + outlier; both bytes of a pair are 0 where the pair is an outlier
 *
 * - Two products fit into 16 bits, at most 128 * 255, when both bytes have different signs or add
 *   up to no more than 128. Any other pair is an outlier.
 * - Of a group of sixteen inputs, the products of the first pairs of its four quads are summed in
 *   16 bits, and so are those of the second pairs; each sum starts with -128 times the sum of its
 *   bytes. So each is, modulo 65536, a sum of eight byte times w. By the Cauchy-Schwarz inequality
 *   it fits into 16 bits when |bytes| |w|, the product of their Euclidean lengths, is at most 32767
 *   for the longest such w of all outputs (limits, computed once). When a row's bytes are too long
 *   for that, the longest pair becomes an outlier.
 * - Then one vpmaddwd by ones and one addition in 32 bits complete 128 products: ten instructions
 *   instead of sixteen.
 *
 * Eight or nine of 192 pairs are outliers; after GELU, 22 of 768. With that many inputs groups are
 * two parts and sums are of sixteen products, a tenth faster; with fewer it would make 25 more of
 * 192 pairs outliers.
 */
#include "model/kernels/kernels.h"

#if defined(__x86_64__)
#include "model/kernels/gemm_256.h"

#define VEC_DOT(s, a, w) _mm256_add_epi32(s, _mm256_madd_epi16(a, w))

#include "model/kernels/gemm_tile.h"

#define PART      16                   /* inputs of a part: eight pairs, four quads */
#define WIDE_IN   1024                 /* from so many inputs on, a group is two parts, else one */
/* rows of a tile: its sums and intermediate sums fill twelve registers */
#define GROUP_ROWS 3
#define LENGTHS   4                    /* limits of each group */
#define FAR_MAX   4096                 /* most outlier pairs of all rows together */
/*
 * The outliers of a row are filled up to a multiple of this, so that the processor predicts their
 * number.
 */
#define FAR_STEP  4
#define ROWS_MIN  8                    /* with fewer rows, reordering the weights does not pay */
/* with fewer rows in all, as for a single question, computing limits does not pay */
#define ROWS_ONCE 48
#define IN_MAX    4096                 /* for more inputs the memory is not worth it */

struct far_pair {
	int16_t a[2];
	uint32_t at;                   /* offset of its weights in a panel */
};

/* The rows as bytes, and one panel reordered for them. */
struct bytes_room {
	/*
	 * [n_groups][parts][four quads][GEMM_PANEL] weights + 128; of each quad outputs 0-3 and
	 * 8-11 come first, then the others
	 */
	uint8_t *panel;
	uint8_t *bytes;                /* [rows] that are ld bytes apart */
	int16_t *starts;               /* [rows][n_groups][2] -128 times the sums of bytes */
	int32_t *far;                  /* [rows][GEMM_PANEL] the products of outliers */
	size_t ld, n_groups, parts;
	struct far_pair pairs[FAR_MAX];
	uint32_t *ends;                /* [rows] where the outliers of each row end in pairs */
	size_t n_far;
};

/* ---- the rows ---- */

/*
 * Sums the even pairs (0, 2, 4, 6) and the odd pairs (1, 3, 5, 7) of sums; then the same of
 * squares.
 */
static inline __m128i
add_pairs(vec sums, vec squares)
{
	vec both = _mm256_add_epi32(_mm256_unpacklo_epi64(sums, squares),
	    _mm256_unpackhi_epi64(sums, squares));

	return _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
}

/* Returns the pair with the largest squares among those of the same parity as first. */
static unsigned
longest_pair(const int16_t *a, size_t parts, unsigned first)
{
	unsigned best = first, k;
	int32_t top = -1, now;

	for (k = first; k < parts * PART / 2; k += 2) {
		now = a[2 * k] * a[2 * k] + a[2 * k + 1] * a[2 * k + 1];
		if (now > top)
			top = now, best = k;
	}
	return best;
}

/*
 * Converts a group of a row, from [parts][PART], to bytes, and computes its starts; limits
 * [LENGTHS]. far receives for each part a bit for each pair that is an outlier.
 */
static inline __attribute__((always_inline)) void
convert_group(const int16_t *from, size_t parts, const int32_t *limits, uint8_t *bytes,
	int16_t *starts, uint8_t *far)
{
	const vec ones = _mm256_set1_epi16(1), top = _mm256_set1_epi16(127),
		  most_pair = _mm256_set1_epi32(128);
	vec a[2], sums, squares, beyond, is_far;
	int16_t all[2 * PART];
	unsigned odd, k;
	__m128i lengths;
	size_t p;

#pragma GCC unroll 2
	for (p = 0; p < parts; p++) {
		a[p] = VEC_LOAD(from + p * PART);
		/*
		 * -1 for each element that is no byte; shifted, this exceeds what any pair may have
		 */
		beyond =
		    _mm256_slli_epi32(_mm256_madd_epi16(_mm256_cmpgt_epi16(_mm256_abs_epi16(a[p]),
							    top),
					  ones),
			8);
		is_far = _mm256_cmpgt_epi32(_mm256_sub_epi32(_mm256_abs_epi32(
								 _mm256_madd_epi16(a[p], ones)),
						beyond),
		    most_pair);
		far[p] = (uint8_t)_mm256_movemask_ps((__m256)is_far);
		a[p] = _mm256_andnot_si256(is_far, a[p]);
	}
	for (;;) {
		sums = _mm256_madd_epi16(a[0], ones);
		squares = _mm256_madd_epi16(a[0], a[0]);
		if (parts > 1) {
			sums = VEC_DOT(sums, a[1], ones);
			squares = VEC_DOT(squares, a[1], a[1]);
		}
		lengths = add_pairs(sums, squares);
		odd = (unsigned)_mm_movemask_ps((__m128)_mm_cmpgt_epi32(lengths,
		    _mm_loadu_si128((const __m128i *)(const void *)limits)));
		if (__builtin_expect(odd == 0, 1))
			break;
		for (p = 0; p < parts; p++)
			VEC_STORE(all + p * PART, a[p]);
		k = longest_pair(all, parts, odd >> 2 & 1 ? 0 : 1);
		all[2 * k] = all[2 * k + 1] = 0;
		far[k / (PART / 2)] |= (uint8_t)(1u << k % (PART / 2));
		for (p = 0; p < parts; p++)
			a[p] = VEC_LOAD(all + p * PART);
	}
#pragma GCC unroll 2
	for (p = 0; p < parts; p++)
		_mm_storeu_si128((__m128i *)(void *)(bytes + p * PART),
		    _mm_packs_epi16(_mm256_castsi256_si128(a[p]),
			_mm256_extracti128_si256(a[p], 1)));
	starts[0] = (int16_t)(-128 * _mm_cvtsi128_si32(lengths));
	starts[1] = (int16_t)(-128 * _mm_extract_epi32(lengths, 1));
}

/* Converts a row group by group. Every caller passes a constant for parts. */
static inline __attribute__((always_inline)) void
convert_row_groups(const int16_t *a, size_t n_in, size_t parts, const int32_t *limits,
	uint8_t *bytes, int16_t *starts, uint8_t *far)
{
	const size_t step = parts * PART;
	int16_t end[2 * PART] = { 0 };
	size_t i;

	for (i = 0; i + step <= n_in; i += step, limits += LENGTHS, starts += 2, far += parts)
		convert_group(a + i, parts, limits, bytes + i, starts, far);
	if (i < n_in) {
		memcpy(end, a + i, (n_in - i) * sizeof *end);
		convert_group(end, parts, limits, bytes + i, starts, far);
	}
}

/* Converts the next row. Returns false when there is no room for its outliers. */
static bool
convert_row(struct bytes_room *room, const int16_t *a, size_t n_in, const int32_t *limits,
	uint8_t *bytes, int16_t *starts)
{
	uint64_t far[IN_MAX / 2 / 64 + 1];
	size_t word, n_masks = room->n_groups * room->parts, n = room->n_far;
	uint32_t pair;

	far[n_masks / 8] = 0;
	if (room->parts == 1)
		convert_row_groups(a, n_in, 1, limits, bytes, starts, (uint8_t *)far);
	else
		convert_row_groups(a, n_in, 2, limits, bytes, starts, (uint8_t *)far);
	for (word = 0; word < (n_masks + 7) / 8; word++)
		for (; far[word]; far[word] &= far[word] - 1, n++) {
			if (n == FAR_MAX - FAR_STEP)
				return false;
			pair = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(far[word]);
			room->pairs[n] = (struct far_pair){ { a[2 * pair], a[2 * pair + 1] },
				pair * 2 * GEMM_PANEL };
		}
	for (; n % FAR_STEP > 0; n++)
		room->pairs[n] = (struct far_pair){ { 0, 0 }, 0 };
	room->n_far = n;
	return true;
}

/* ---- the weights ---- */

/*
 * For each group, the limits of sums and of squares of a row's even and odd pairs: sums have none;
 * squares are limited by the longest weights of all outputs.
 */
static void
make_limits(const int8_t *packed, size_t n_pairs, size_t parts, size_t n_out_padded,
	int32_t *limits)
{
	const int32_t whole = INT16_MAX * INT16_MAX;
	const size_t step = parts * PART / 2;
	size_t i, p, k, j;
	vec most[2][2], w[2];
	int32_t lanes[2][16], longest;

	for (i = 0; i < n_pairs; i += step, limits += LENGTHS) {
		memset(most, 0, sizeof most);
		for (p = 0; p < n_out_padded / GEMM_PANEL; p++) {
			vec squares[2][2] = { { VEC_ZERO, VEC_ZERO }, { VEC_ZERO, VEC_ZERO } };

			for (k = i; k < MIN(i + step, n_pairs); k++)
				for (j = 0; j < 2; j++) {
					w[j] = VEC_WIDEN(packed +
					    (p * n_pairs + k) * 2 * GEMM_PANEL + j * GEMM_PANEL);
					squares[k % 2][j] = VEC_DOT(squares[k % 2][j], w[j], w[j]);
				}
			for (k = 0; k < 2; k++)
				for (j = 0; j < 2; j++)
					most[k][j] = _mm256_max_epi32(most[k][j], squares[k][j]);
		}
		limits[0] = limits[1] = INT32_MAX;
		memcpy(lanes, most, sizeof lanes);
		for (k = 0; k < 2; k++) {
			for (longest = 1, j = 0; j < 16; j++)
				longest = MAX(longest, lanes[k][j]);
			limits[2 + k] = whole / longest;
		}
	}
}

/* Reorders a panel as the tiles read it. */
static void
reorder_panel(const int8_t *w, size_t n_pairs, size_t n_parts, uint8_t *to)
{
	const vec middle = _mm256_set1_epi8(-128);
	const size_t step = 2 * GEMM_PANEL;
	vec even, odd;

	for (size_t i = 0; i < n_parts * PART / 2; i += 2, w += 2 * step, to += 2 * step) {
		even = i < n_pairs ? VEC_LOAD(w) : VEC_ZERO;
		odd = i + 1 < n_pairs ? VEC_LOAD(w + step) : VEC_ZERO;
		VEC_STORE(to, _mm256_xor_si256(_mm256_unpacklo_epi16(even, odd), middle));
		VEC_STORE(to + step, _mm256_xor_si256(_mm256_unpackhi_epi16(even, odd), middle));
	}
}

/* ---- the products ---- */

/* Every caller passes constants for rows and parts. */
static inline __attribute__((always_inline)) void
tile_groups(const struct bytes_room *c, size_t first, size_t rows, size_t parts, int32_t *acc,
	size_t ld)
{
	const vec ones = _mm256_set1_epi16(1);
	vec sums[GROUP_ROWS][2], part[GROUP_ROWS][2], quad, w[2];
	const uint8_t *panel = c->panel, *bytes = c->bytes + first * c->ld;
	const int16_t *starts = c->starts + first * 2 * c->n_groups;
	size_t g, q, r;

#pragma GCC unroll 3
	for (r = 0; r < rows; r++)
		sums[r][0] = sums[r][1] = VEC_ZERO;
	for (g = 0; g < c->n_groups; g++, bytes += parts * PART, starts += 2) {
#pragma GCC unroll 3
		for (r = 0; r < rows; r++)
			part[r][0] = part[r][1] = VEC_PAIR(starts + r * 2 * c->n_groups);
#pragma GCC unroll 8
		for (q = 0; q < 4 * parts; q++, panel += 4 * GEMM_PANEL) {
			w[0] = VEC_LOAD(panel);
			w[1] = VEC_LOAD(panel + 2 * GEMM_PANEL);
#pragma GCC unroll 3
			for (r = 0; r < rows; r++) {
				quad = _mm256_set1_epi32(load_quad(bytes + r * c->ld + 4 * q));
				part[r][0] =
				    _mm256_add_epi16(part[r][0], _mm256_maddubs_epi16(w[0], quad));
				part[r][1] =
				    _mm256_add_epi16(part[r][1], _mm256_maddubs_epi16(w[1], quad));
				__asm__("" : "+x"(part[r][0]), "+x"(part[r][1]));
			}
		}
#pragma GCC unroll 3
		for (r = 0; r < rows; r++) {
			sums[r][0] = VEC_DOT(sums[r][0], part[r][0], ones);
			sums[r][1] = VEC_DOT(sums[r][1], part[r][1], ones);
		}
	}
#pragma GCC unroll 3
	for (r = 0; r < rows; r++) {
		const int32_t *far = c->far + (first + r) * GEMM_PANEL;

		VEC_STORE(acc + r * ld,
		    _mm256_add_epi32(_mm256_permute2x128_si256(sums[r][0], sums[r][1], 0x20),
			VEC_LOAD(far)));
		VEC_STORE(acc + r * ld + 8,
		    _mm256_add_epi32(_mm256_permute2x128_si256(sums[r][0], sums[r][1], 0x31),
			VEC_LOAD(far + 8)));
	}
}

#define TILE_GROUPS(rows, parts) \
	static __attribute__(( \
	    noinline)) void tile_groups_##rows##_##parts(const struct bytes_room *c, size_t first, \
	    int32_t *acc, size_t ld) \
	{ \
		tile_groups(c, first, rows, parts, acc, ld); \
	}
TILE_GROUPS(2, 1) TILE_GROUPS(3, 1) TILE_GROUPS(2, 2) TILE_GROUPS(3, 2)

/* Multiplies the outliers of n_rows by a panel. */
static void
multiply_far(const struct bytes_room *room, const int8_t *w, size_t n_rows)
{
	const struct far_pair *f = room->pairs, *end;
	vec sums[2], pair;
	size_t r, i;

	for (r = 0; r < n_rows; r++) {
		sums[0] = sums[1] = VEC_ZERO;
		for (end = room->pairs + room->ends[r]; f < end; f += FAR_STEP)
#pragma GCC unroll 4
			for (i = 0; i < FAR_STEP; i++) {
				pair = VEC_PAIR(f[i].a);
				sums[0] = VEC_DOT(sums[0], pair, VEC_WIDEN(w + f[i].at));
				sums[1] =
				    VEC_DOT(sums[1], pair, VEC_WIDEN(w + f[i].at + GEMM_PANEL));
			}
		VEC_STORE(room->far + r * GEMM_PANEL, sums[0]);
		VEC_STORE(room->far + r * GEMM_PANEL + 8, sums[1]);
	}
}

/*
 * Multiplies all rows, two or more, by the reordered panel; rows of outputs are ld apart. Meanwhile
 * prefetches the next panel, of so many bytes, some lines with each tile.
 */
static void
multiply_tiles(const struct bytes_room *room, size_t n_rows, int32_t *acc, size_t ld,
	const int8_t *next, size_t bytes)
{
	const size_t n_tiles = (n_rows + GROUP_ROWS - 1) / GROUP_ROWS,
		     lines = (bytes / 64 + n_tiles - 1) / n_tiles;
	size_t left, rows, k;

	for (left = n_rows; left > 0; left -= rows, acc += rows * ld) {
		for (k = 0; k < lines; k++, next += 64)
			__builtin_prefetch(next);
		/* never a single row, which would be slow */
		rows = left == 2 || left == 4 ? 2 : GROUP_ROWS;
		if (room->parts == 1)
			(rows == 2 ? tile_groups_2_1 : tile_groups_3_1)(room, n_rows - left, acc,
			    ld);
		else
			(rows == 2 ? tile_groups_2_2 : tile_groups_3_2)(room, n_rows - left, acc,
			    ld);
	}
}

/* Returns false, with nothing done, when there are too many outliers or too few rows. */
static bool
multiply_bytes(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out,
	int32_t *acc)
{
	const size_t n_pairs = gemm_even(n_in) / 2, panel_bytes = 2 * GEMM_PANEL * n_pairs,
		     ld = gemm_padded(n_out);
	struct bytes_room room;

	room.ld = gemm_row_bytes(n_in);
	room.parts = n_in < WIDE_IN ? 1 : 2;
	room.n_groups = (n_in + room.parts * PART - 1) / (room.parts * PART);
	room.n_far = 0;
	room.panel = rows->bytes + -(uintptr_t)rows->bytes % GEMM_ALIGN;
	room.far = (int32_t *)(void *)(room.panel + GEMM_PANEL * room.ld);
	room.bytes = (uint8_t *)(room.far + rows->n * GEMM_PANEL);
	room.starts = (int16_t *)(void *)(room.bytes + rows->n * room.ld);
	room.ends = (uint32_t *)(void *)(room.starts + rows->n * 2 * room.n_groups);
	if (!*rows->has_kept) {
		if (rows->n < ROWS_ONCE && (rows->kept[0] += (int32_t)rows->n) < ROWS_ONCE)
			return false;
		make_limits(packed, n_pairs, room.parts, ld, rows->kept);
		*rows->has_kept = true;
	}
	for (size_t i = 0; i < rows->n; i++) {
		if (!convert_row(&room, rows->a + i * rows->ld, n_in, rows->kept,
			room.bytes + i * room.ld, room.starts + i * 2 * room.n_groups))
			return false;
		room.ends[i] = (uint32_t)room.n_far;
	}
	for (size_t n = 0; n < ld; n += GEMM_PANEL, packed += panel_bytes) {
		reorder_panel(packed, n_pairs, room.n_groups * room.parts, room.panel);
		multiply_far(&room, packed, rows->n);
		multiply_tiles(&room, rows->n, acc + n, ld, packed + panel_bytes, panel_bytes);
	}
	return true;
}

static void
product(const struct gemm_rows *rows, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc)
{
	if (!rows->kept || rows->n < ROWS_MIN || n_in > IN_MAX ||
	    !multiply_bytes(rows, packed, n_in, n_out, acc))
		multiply(rows->a, rows->ld, rows->n, packed, false, n_in, n_out, acc);
}

static bool
usable(void)
{
	return cpu_has(CPU_AVX2);
}

const struct gemm_kernel gemm_avx2 = { "avx2", true, 64, usable, product, product16, &STEPS };
#endif
