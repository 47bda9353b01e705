/*
 * cpu.c: glibc has queried the processor before main, so we ask glibc. Querying again is expensive:
 * a virtual machine traps each CPUID (16 us on one), and libgcc's __builtin_cpu_supports() adds a
 * constructor to every program that queries nine times, used or not. So that is only for other C
 * libraries.
 */
#include "base/cpu.h"

#include <limits.h>                            /* says which C library this is */

#if !defined(__x86_64__) || !defined(__GNUC__)

bool
cpu_has(enum cpu_feature feature)
{
	(void)feature;
	return false;
}

#elif defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
#include <sys/platform/x86.h>

/*
 * Does what CPU_FEATURE_ACTIVE() does, which would shift a bit into the sign: a register has 32
 * bits, a leaf four registers.
 */
static bool
active(unsigned index)
{
	const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(index / 128);

	return (leaf->active_array[index / 32 % 4] >> index % 32 & 1) != 0;
}

bool
cpu_has(enum cpu_feature feature)
{
	switch (feature) {
	case CPU_SSE41:
		return active(x86_cpu_SSE4_1) && active(x86_cpu_SSSE3);
	case CPU_SHA:
		return active(x86_cpu_SHA);
	case CPU_AVX2:
		return active(x86_cpu_AVX2) && active(x86_cpu_POPCNT);
	case CPU_AVXVNNI:
		return active(x86_cpu_AVX_VNNI);
	case CPU_AVX512:
		return active(x86_cpu_AVX512F) && active(x86_cpu_AVX512BW) &&
		    active(x86_cpu_AVX512DQ) && active(x86_cpu_AVX512VL);
	case CPU_AVX512VNNI:
		return active(x86_cpu_AVX512_VNNI);
	case CPU_AVX512VBMI:
		return active(x86_cpu_AVX512_VBMI);
	case CPU_AVX512VPOPCNTDQ:
		return active(x86_cpu_AVX512_VPOPCNTDQ);
	}
	return false;
}

#else
#include <cpuid.h>

/*
 * Reads leaf 7 by hand, because clang 14 has no names for these two features. AVX2 shows that the
 * system saves the registers; SHA needs only those of SSE.
 */
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

	return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
	    (a >> 4 & 1) != 0;
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
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
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
