/*
 * cpu.c: glibc has asked the processor before main, and tells. Asking again costs: a virtual machine traps each CPUID (16 us on one), and libgcc's
 * __builtin_cpu_supports() brings a constructor that asks nine times in every program, used or not. So that is for other C libraries.
 */
#include "base/cpu.h"

#if !defined(__x86_64__) || !defined(__GNUC__)

bool
cpu_has(enum cpu_feature feature)
{
	(void)feature;
	return false;
}

#elif __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

bool
cpu_has(enum cpu_feature feature)
{
	switch (feature) {
	case CPU_SSE41:
		return CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSSE3);
	case CPU_SHA:
		return CPU_FEATURE_ACTIVE(SHA);
	case CPU_AVX2:
		return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(POPCNT);
	case CPU_AVXVNNI:
		return CPU_FEATURE_ACTIVE(AVX_VNNI);
	case CPU_AVX512:
		return CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512VL);
	case CPU_AVX512VNNI:
		return CPU_FEATURE_ACTIVE(AVX512_VNNI);
	case CPU_AVX512VBMI:
		return CPU_FEATURE_ACTIVE(AVX512_VBMI);
	case CPU_AVX512VPOPCNTDQ:
		return CPU_FEATURE_ACTIVE(AVX512_VPOPCNTDQ);
	}
	return false;
}

#else
#include <cpuid.h>

/* Leaf 7, by hand: clang 14 does not know these two by name. AVX2 says that the system saves the registers; SHA needs none but SSE's. */
static bool
has_sha(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) != 0;
}

static bool
has_avxvnni(void)
{
	unsigned a, b, c, d;

	return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1) != 0;
}

bool
cpu_has(enum cpu_feature feature)
{
	switch (feature) {
	case CPU_SSE41:
		return __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("ssse3");
	case CPU_SHA:
		return has_sha();
	case CPU_AVX2:
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
	case CPU_AVXVNNI:
		return has_avxvnni();
	case CPU_AVX512:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
		    __builtin_cpu_supports("avx512vl");
	case CPU_AVX512VNNI:
		return __builtin_cpu_supports("avx512vnni");
	case CPU_AVX512VBMI:
		return __builtin_cpu_supports("avx512vbmi");
	case CPU_AVX512VPOPCNTDQ:
		return __builtin_cpu_supports("avx512vpopcntdq");
	}
	return false;
}

#endif
