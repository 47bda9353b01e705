#include "base/temp_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

int
temp_file(void)
{
	const char *dir = getenv("TMPDIR");
	size_t size;
	char *path;
	int fd;

	dir = dir != NULL && *dir == '/' ? dir : "/tmp";
	size = strlen(dir) + sizeof("/mem.XXXXXX");
	path = xmalloc(size);
	snprintf(path, size, "%s/mem.XXXXXX", dir);
	fd = mkstemp(path);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}
