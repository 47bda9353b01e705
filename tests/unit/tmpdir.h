/*
 * tmpdir.h: a directory of its own for a test that needs files; gone at the end.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char tmpdir_name[] = "/tmp/mem-test-XXXXXX";

static inline void
tmpdir_make(void)
{
	if (mkdtemp(tmpdir_name) == NULL || chdir(tmpdir_name) != 0) {
		printf("Bail out! no directory for files\n");
		exit(1);
	}
}

/* What the tests left must be plain files in it, named here, NULL last. */
static inline void
tmpdir_remove(const char *const *names)
{
	for (; *names != NULL; names++)
		unlink(*names);
	if (chdir("/") != 0 || rmdir(tmpdir_name) != 0)
		printf("# %s is left\n", tmpdir_name);
}

static inline void
tmpdir_write(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(name, "wb");

	if (f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
		printf("Bail out! cannot write %s\n", name);
		exit(1);
	}
}
