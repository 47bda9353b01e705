/*
 * cpu.h: what this processor can do, and the system lets us use.
 */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <stdbool.h>

enum cpu_feature {
	CPU_SSE41,             /* and SSSE3 */
	CPU_SHA,
	CPU_AVX2,              /* and POPCNT */
	CPU_AVXVNNI,
	CPU_AVX512,            /* F, BW, DQ and VL */
	CPU_AVX512VNNI,
	CPU_AVX512VBMI,
	CPU_AVX512VPOPCNTDQ,
};

/*
 * False for each on other processors than x86-64. Cost: a few loads where the C library is glibc
 * 2.34 or later.
 */
bool cpu_has(enum cpu_feature);

#endif
