#include "base/write.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

int
temp_file(void)
{
	const char *dir = getenv("TMPDIR");

	dir = dir != NULL && *dir == '/' ? dir : "/tmp";
	FREED char *path = xformat("%s/mem.XXXXXX", dir);
	int fd = mkstemp(path);
	if (fd >= 0)
		unlink(path);
	return fd;
}
