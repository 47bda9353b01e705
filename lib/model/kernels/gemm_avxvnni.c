/*
 * gemm_avxvnni.c: AVX-VNNI: vpdpwssd on 256 bits multiplies and adds in one instruction; tiles of
 * six rows by one panel, with their sums in twelve registers; vpdpbusd does the same for bytes.
 */
#include "model/kernels/kernels.h"

#if defined(__x86_64__)
#include "model/kernels/gemm_256.h"

#define VEC_DOT(s, a, w) _mm256_dpwssd_avx_epi32(s, a, w)

#define VEC_QUAD(p)            _mm256_set1_epi32(load_quad(p))
#define VEC_DOT_BYTES(s, u, w) _mm256_dpbusd_avx_epi32(s, u, w)
/*
 * Interleaves two rows of pairs to quads: outputs 0-3 and 8-11 in the even vector, the others in
 * the odd one.
 */
#define VEC_QUADS(p, v) \
	((v) % 2 == 0 ? _mm256_unpacklo_epi16(VEC_LOAD(p), VEC_LOAD((p) + 2 * GEMM_PANEL)) \
		      : _mm256_unpackhi_epi16(VEC_LOAD(p), VEC_LOAD((p) + 2 * GEMM_PANEL)))
#define VEC_ORDERED(s, v) \
	((v) % 2 == 0 ? _mm256_permute2x128_si256((s)[v], (s)[(v) + 1], 0x20) \
		      : _mm256_permute2x128_si256((s)[(v)-1], (s)[v], 0x31))

static inline uint32_t
take_bytes(const int16_t *a, int16_t low, uint8_t *bytes)
{
	const vec least = _mm256_set1_epi16(low), most = _mm256_set1_epi16(GEMM_WINDOW - 1),
		  zero = VEC_ZERO;
	vec lo = _mm256_sub_epi16(VEC_LOAD(a), least),
	    hi = _mm256_sub_epi16(VEC_LOAD(a + 16), least);
	vec in_lo = _mm256_cmpeq_epi16(_mm256_subs_epu16(lo, most), zero),
	    in_hi = _mm256_cmpeq_epi16(_mm256_subs_epu16(hi, most), zero);

	lo = _mm256_packus_epi16(_mm256_and_si256(lo, in_lo), _mm256_and_si256(hi, in_hi));
	VEC_STORE(bytes, _mm256_permute4x64_epi64(lo, 0xd8));
	return ~(uint32_t)_mm256_movemask_epi8(
	    _mm256_permute4x64_epi64(_mm256_packs_epi16(in_lo, in_hi), 0xd8));
}

#include "model/kernels/gemm_tile.h"

static bool
usable(void)
{
	return cpu_has(CPU_AVX2) && cpu_has(CPU_AVXVNNI);
}

const struct gemm_kernel gemm_avxvnni = { "avxvnni", true, 48, usable, product, product16, &STEPS };
#endif
