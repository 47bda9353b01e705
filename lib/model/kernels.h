/*
 * kernels.h: the kernels by name, one a file; which of them are there is the compiler's target.
 */
#ifndef MODEL_KERNELS_H
#define MODEL_KERNELS_H

#include "model/gemm.h"

extern const struct gemm_kernel gemm_scalar, gemm_avx2, gemm_avxvnni, gemm_avx512, gemm_avx512vbmi, gemm_neon;

#endif
