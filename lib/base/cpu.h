/*
 * cpu.h: which instructions this processor has and the system lets us use.
 */
#pragma once

#include <stdbool.h>

enum cpu_feature {
	CPU_SSE41,             /* SSE4.1 and SSSE3 */
	CPU_SHA,
	CPU_AVX2,              /* AVX2 and POPCNT */
	CPU_AVXVNNI,
	CPU_AVX512,            /* AVX-512 F, BW, DQ and VL */
	CPU_AVX512VNNI,
	CPU_AVX512VBMI,
	CPU_AVX512VPOPCNTDQ,
};

/*
 * Whether a feature may be used; false on processors other than x86-64. It costs a few loads where
 * the C library is glibc 2.34 or later.
 */
bool cpu_has(enum cpu_feature);
