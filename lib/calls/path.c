/* path.c: paths as texts. No file is looked at: the machine may be another one. */
#include "base/ascii.h"
#include "calls/calls.h"

static bool
has_drive(const char *p, size_t len)
{
	return len >= 3 && ascii_is_letter(p[0]) && p[1] == ':' && (p[2] == '\\' || p[2] == '/');
}

bool
path_is_absolute(const char *path)
{
	return path[0] == '/' || path[0] == '~' || has_drive(path, strlen(path));
}

/*
 * Appends the parts of p to out [n], which is clean; a ".." takes one away, but not another, and no
 * "~ann": where a home is nobody knows.
 */
static size_t
add_parts(char *out, size_t n, const char *p, size_t len, bool backslashes)
{
	size_t at = 0;

	while (at < len) {
		size_t end = at;
		const char *part = p + at;

		while (end < len && p[end] != '/' && !(backslashes && p[end] == '\\'))
			end++;
		if (end - at == 2 && memcmp(part, "..", 2) == 0) {
			size_t cut = n;

			while (cut > 0 && out[cut - 1] != '/')
				cut--;
			if (n > 0 && !(n - cut == 2 && memcmp(out + cut, "..", 2) == 0) &&
			    !(cut == 0 && out[0] == '~')) {
				n = cut > 1 ? cut - 1 : cut;
				at = end + 1;
				continue;
			}
		}
		if (end > at && !(end - at == 1 && *part == '.')) {
			if (n > 0 && out[n - 1] != '/')
				out[n++] = '/';
			memcpy(out + n, part, end - at);
			n += end - at;
		}
		at = end + 1;
	}
	return n;
}

const char *
path_join(const char *dir, const char *path, size_t len, struct arena *a)
{
	bool drive = has_drive(path, len), root = len > 0 && path[0] == '/',
	    backslashes = drive || memchr(path, '/', len) == NULL;
	size_t dir_len = drive || root || (len > 0 && path[0] == '~') ? 0 : strlen(dir), n = 0;
	char *out = arena_alloc(a, dir_len + len + 3);

	if (root || (dir_len > 0 && dir[0] == '/'))
		out[n++] = '/';
	n = add_parts(out, n, dir, dir_len, has_drive(dir, dir_len));
	n = add_parts(out, n, path, len, backslashes);
	out[n] = '\0';
	/* of "a/../c\\d" no slash is left that told what a backslash is */
	if (!backslashes && memchr(out, '\\', n) != NULL &&
	    (has_drive(out, n) || memchr(out, '/', n) == NULL))
		return path_join("", out, n, a);
	return out;
}

/* Whether text ends with end, at the beginning of a part. */
static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return m > 0 && m <= n && memcmp(text + n - m, end, m) == 0 &&
	    (n == m || text[n - m - 1] == '/');
}

bool
path_ends(const char *path, const char *end)
{
	if (path_is_absolute(end))
		return path_is_absolute(path) ? strcmp(path, end) == 0 : ends_with(end, path);
	return ends_with(path, end) || (!path_is_absolute(path) && ends_with(end, path));
}
