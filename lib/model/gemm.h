/*
 * gemm.h: the matrix products of the encoder: 14-bit activations by 8-bit weights, summed in int32, the same bits by every kernel.
 *
 * |activation| <= GEMM_ACTIVATION_MAX, |weight| <= 127: sums of up to GEMM_IN_MAX products fit in int32, so their order does not matter; the float epilogue is
 * the encoder's own, in one fixed order without fused multiply-add.
 */
#ifndef MODEL_GEMM_H
#define MODEL_GEMM_H

#include "base/base.h"

#define GEMM_ACTIVATION_MAX 8191
#define GEMM_IN_MAX         2064       /* 2^31 / (8191 * 127) */

struct gemm_kernel {
	const char *name;              /* "scalar", "avx2", "avxvnni", "avx512vnni", "neon" */
	bool (*usable)(void);          /* on this processor */
	/* acc [m][n_out] = a [m][n_in] w, all in int32; a is padded with zeros to an even n_in */
	void (*product)(const int16_t *a, size_t m, const int8_t *packed, size_t n_in, size_t n_out, int32_t *acc);
	/* more functions as measured: see gemm.c */
};

/* All kernels compiled in, best last, NULL at the end. */
extern const struct gemm_kernel *const gemm_kernels[];

/* The best usable one, or the one that the environment's MEM_KERNEL names when it is usable. Chosen once a process. */
const struct gemm_kernel *gemm_kernel(void);

size_t gemm_packed_bytes(size_t n_in, size_t n_out);
/* w [n_out][n_in] int8 into the order that all kernels read. */
void gemm_pack(const int8_t *w, size_t n_in, size_t n_out, int8_t *packed);

#endif
