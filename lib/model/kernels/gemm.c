/*
 * gemm.c: how weights are packed in memory, and the choice of the kernel that multiplies by them.
 *
 * Every instruction set can multiply pairs of int16 and add both products to an int32 (vpmaddwd,
 * vpdpwssd). So weights are packed in pairs of inputs, for sixteen outputs side by side, and a
 * panel of sixteen outputs is read from one end to the other:
 *
 *	panel p, pair i, 32 bytes:
 *	    w[16p][2i] w[16p][2i+1]  w[16p+1][2i] w[16p+1][2i+1]  ...  w[16p+15][2i] w[16p+15][2i+1]
 *	then pair i+1, to the last of the n_in inputs (a zero where n_in is odd);
 *	then panel p+1 (zeros where n_out is no multiple of 16)
 *
 * 32 bytes widen to one register of 512 bits, two of 256 or four of 128, in the order in which they
 * stand. Where bytes are multiplied in quads (vpdpbusd), shuffling two such rows brings the four
 * weights of an output together. No kernel repacks weights, so the model file is used where it is
 * mapped.
 */
#include <limits.h>

#include "model/kernels/gemm.h"
#include "model/kernels/kernels.h"

const struct gemm_kernel *const gemm_kernels[] = {
	&gemm_scalar,
#if defined(__x86_64__)
	&gemm_avx2,
	&gemm_avxvnni,
	&gemm_avx512,
	&gemm_avx512vbmi,
#elif defined(__aarch64__)
	&gemm_neon,
#endif
	NULL
};

const struct gemm_kernel *
gemm_kernel(void)
{
	/* every thread would store the same value, so no lock is needed */
	static const struct gemm_kernel *chosen;
	const struct gemm_kernel *best = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
	const char *name = getenv("MEM_KERNEL");

	if (best != NULL)
		return best;
	best = gemm_kernels[0];
	for (size_t i = 0; gemm_kernels[i]; i++) {
		if (!gemm_kernels[i]->usable())
			continue;
		best = gemm_kernels[i];
		if (name && strcmp(name, best->name) == 0)
			break;
	}
	__atomic_store_n(&chosen, best, __ATOMIC_RELAXED);
	return best;
}

int32_t
gemm_activation_max(size_t n_in)
{
	return MIN(GEMM_ACTIVATION_MAX, INT32_MAX / 127 / (int32_t)MAX(MIN(n_in, GEMM_IN_MAX), 1));
}

size_t
gemm_packed_bytes(size_t n_in, size_t n_out)
{
	return gemm_even(n_in) * gemm_padded(n_out);
}

void
gemm_pack(const int8_t *w, size_t n_in, size_t n_out, int8_t *packed)
{
	for (size_t panel = 0; panel < gemm_padded(n_out); panel += GEMM_PANEL)
		for (size_t k = 0; k < gemm_even(n_in); k += 2)
			for (size_t j = 0; j < 2 * GEMM_PANEL; j++) {
				size_t n = panel + j / 2;
				*packed++ =
				    n < n_out && k + j % 2 < n_in ? w[n * n_in + k + j % 2] : 0;
			}
}
