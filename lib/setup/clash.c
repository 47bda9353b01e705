/*
 * clash.c: whether two files are the same program is told by their inode, for a link to ours is
 * ours.
 */
#include "setup/clash.h"

#include <sys/stat.h>
#include <unistd.h>

enum clash
clash_of_name(const char *ours, char *other, size_t size)
{
	const char *p = getenv("PATH");
	struct stat is_ours = { 0 }, st;
	bool there = stat(ours, &is_ours) == 0, seen = false;

	for (size_t n; p != NULL; p = *p == ':' ? p + 1 : NULL) {
		n = strcspn(p, ":");
		int full = snprintf(other, size, "%.*s%s/mem", (int)n, p, n == 0 ? "." : "");
		p += n;
		if (full >= (int)size || stat(other, &st) != 0 || !S_ISREG(st.st_mode) ||
		    access(other, X_OK) != 0)
			continue;
		if (!there || st.st_dev != is_ours.st_dev || st.st_ino != is_ours.st_ino)
			return seen ? CLASH_BEHIND : CLASH_BEFORE;
		seen = true;
	}
	return CLASH_NONE;
}
