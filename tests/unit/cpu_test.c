/*
 * cpu_test.c: what the system says in /proc/cpuinfo is the reference; where there is none, nothing
 * is compared. Nor on other processors: an emulator may show the file of the machine it runs on.
 */
#include "base/base.h"
#include "base/cpu.h"

#include "tap.h"

static char flags[1 << 14];

static bool
read_flags(void)
{
#ifdef __x86_64__
	FILE *f = fopen("/proc/cpuinfo", "r");
#else
	FILE *f = NULL;
#endif

	while (f != NULL && fgets(flags, sizeof(flags) - 1, f) != NULL)
		if (strncmp(flags, "flags", 5) == 0) {
			flags[strcspn(flags, "\n")] = ' ';
			fclose(f);
			return true;
		}
	if (f != NULL)
		fclose(f);
	return false;
}

/* All of the words, separated by spaces, are among the flags. */
static bool
all_there(const char *words)
{
	char word[64];

	for (; *words; words += strspn(words, " ")) {
		size_t n = strcspn(words, " ");
		snprintf(word, sizeof(word), " %.*s ", (int)n, words);
		if (strstr(flags, word) == NULL)
			return false;
		words += n;
	}
	return true;
}

int
main(void)
{
	static const struct { enum cpu_feature feature; const char *words; } table[] = {
		{ CPU_SSE41, "sse4_1 ssse3" },
		{ CPU_SHA, "sha_ni" },
		{ CPU_AVX2, "avx2 popcnt" },
		{ CPU_AVXVNNI, "avx_vnni" },
		{ CPU_AVX512, "avx512f avx512bw avx512dq avx512vl" },
		{ CPU_AVX512VNNI, "avx512_vnni" },
		{ CPU_AVX512VBMI, "avx512vbmi" },
		{ CPU_AVX512VPOPCNTDQ, "avx512_vpopcntdq" },
	};

	if (!read_flags()) {
		skip("no flags of an x86 processor in /proc/cpuinfo");
		return tap_done();
	}
	for (size_t i = 0; i < NELEM(table); i++)
		is_int(cpu_has(table[i].feature), all_there(table[i].words), "%s", table[i].words);
	return tap_done();
}
