/*
 * sha256_x86.c: SHA-256 by the processor's own instructions: two of them do four rounds, and two
 * more make four words of the schedule. The eight variables lie in two vectors, { a b e f } and { c
 * d g h } from the top, as sha256rnds2 needs them.
 */
#include "base/sha256.h"

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>

bool
sha256_x86_usable(void)
{
	return cpu_has(CPU_SHA) && cpu_has(CPU_SSE41);
}

static inline __m128i
load_words(const uint8_t *p)
{
	const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), big_endian);
}

/* The four words of the schedule after the sixteen in w[0] .. w[3], the oldest first. */
static inline __m128i
next_words(const __m128i w[4])
{
	__m128i sum =
	    _mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), _mm_alignr_epi8(w[3], w[2], 4));

	return _mm_sha256msg2_epu32(sum, w[3]);
}

void
sha256_x86_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks)
{
	__m128i low = _mm_loadu_si128((const __m128i *)(const void *)h),
		high = _mm_loadu_si128((const __m128i *)(const void *)(h + 4));
	__m128i abef, cdgh, was_abef, was_cdgh, w[4], sum;

	low = _mm_shuffle_epi32(low, 0xb1);                    /* c d a b */
	high = _mm_shuffle_epi32(high, 0x1b);                  /* e f g h */
	abef = _mm_alignr_epi8(low, high, 8);
	cdgh = _mm_blend_epi16(high, low, 0xf0);
	for (; n_blocks > 0; n_blocks--, p += 64) {
		was_abef = abef;
		was_cdgh = cdgh;
		for (int i = 0; i < 4; i++)
			w[i] = load_words(p + 16 * i);
		for (int i = 0; i < 16; i++) {
			sum = _mm_add_epi32(w[0],
			    _mm_loadu_si128((const __m128i *)(const void *)(sha256_k + 4 * i)));
			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
			abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
			sum = next_words(w);
			w[0] = w[1];
			w[1] = w[2];
			w[2] = w[3];
			w[3] = sum;
		}
		abef = _mm_add_epi32(abef, was_abef);
		cdgh = _mm_add_epi32(cdgh, was_cdgh);
	}
	low = _mm_shuffle_epi32(abef, 0x1b);                   /* f e b a */
	high = _mm_shuffle_epi32(cdgh, 0xb1);                  /* d c h g */
	_mm_storeu_si128((__m128i *)(void *)h, _mm_blend_epi16(low, high, 0xf0));
	_mm_storeu_si128((__m128i *)(void *)(h + 4), _mm_alignr_epi8(high, low, 8));
}
#endif
