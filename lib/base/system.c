/* system.c: where a program lies is asked of each system in another way. */
#include "base/system.h"

#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#elif defined(__FreeBSD__)
#include <sys/types.h>
#include <sys/sysctl.h>
#endif

/* The path of the running program, not always ended; its length, or 0. */
static size_t
own_path(char *path, size_t size)
{
#ifdef __APPLE__
	uint32_t n = (uint32_t)size;
	char *real = _NSGetExecutablePath(path, &n) == 0 ? realpath(path, NULL) : NULL;
	size_t len = real != NULL ? strlen(real) : 0;

	if (len >= size)
		len = 0;
	memcpy(path, real != NULL ? real : "", len);
	free(real);
	return len;
#elif defined(__FreeBSD__)
	const int name[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };

	return sysctl(name, 4, path, &size, NULL, 0) == 0 && size > 0 ? size - 1 : 0;
#else
	ssize_t n = readlink("/proc/self/exe", path, size);

	return n > 0 && (size_t)n < size ? (size_t)n : 0;
#endif
}

bool
system_program_dir(char *dir, size_t size)
{
	size_t n = own_path(dir, size);

	while (n > 0 && dir[n - 1] != '/')
		n--;
	if (n == 0)
		return false;
	dir[n - 1] = '\0';
	return true;
}
