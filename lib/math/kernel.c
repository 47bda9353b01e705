/* kernel.c: one table of instruction sets, weakest first; each includes those before it. */
#include "math/kernel.h"

#include "base/cpu.h"

static bool
always(void)
{
	return true;
}

#if defined(__x86_64__) && defined(__GNUC__)

static bool
has_avx2(void)
{
	return cpu_has(CPU_AVX2);
}

static bool
has_avx512(void)
{
	return has_avx2() && cpu_has(CPU_AVX512);
}

static bool
has_vpopcnt(void)
{
	return has_avx512() && cpu_has(CPU_AVX512VPOPCNTDQ);
}

#endif

static const struct kernel table[] = {
	{ "scalar", always, vec_kernel_dot, vec_kernel_differ, kmeans_kernel_products },
#if defined(__x86_64__) && defined(__GNUC__)
	{ "avx2", has_avx2, vec_kernel_dot_avx2, vec_kernel_differ_popcnt, kmeans_kernel_products_avx2 },
	{ "avx512", has_avx512, vec_kernel_dot_avx2, vec_kernel_differ_popcnt, kmeans_kernel_products_avx512 },
	{ "vpopcnt", has_vpopcnt, vec_kernel_dot_avx2, vec_kernel_differ_avx512, kmeans_kernel_products_avx512 },
#endif
};

static const struct kernel *forced;            /* set by tests */

const struct kernel *
kernel(void)
{
	size_t i = 0;

	if (forced != NULL)
		return forced;
	while (i + 1 < NELEM(table) && table[i + 1].usable())
		i++;
	return &table[i];
}

const char *const *
kernel_names(void)
{
	static const char *names[NELEM(table) + 1];

	for (size_t i = 0; i < NELEM(table) && table[i].usable(); i++)
		names[i] = table[i].name;
	return names;
}

bool
kernel_use(const char *name)
{
	forced = NULL;
	for (size_t i = 0; i < NELEM(table); i++)
		if (strcmp(table[i].name, name) == 0 && table[i].usable())
			forced = &table[i];
	return forced != NULL;
}
