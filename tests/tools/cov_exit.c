/*
 * cov_exit.c: linked into the programs of 'make cov' alone, in the place of _exit: gcov writes its
 * counts where a process ends by exit, and a hook, or a child without exec, does not. No allocation
 * may fail then (torture/alloc.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void
__wrap__exit(int status)
{
	void (*end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "alloc_end");

	if (end != NULL)
		end();
	__gcov_dump();
	__real__exit(status);
}
