/*
 * me.c: the setting is read as it is asked for; it is short.
 */
#include "base/me.h"

#include <strings.h>

#include "base/conf.h"

#define BETWEEN ",;"

bool
me_is_known(void)
{
	const char *me = conf_text("me");

	return me[strspn(me, BETWEEN " \t")] != '\0';
}

static bool
is_same(const char *name, size_t len, const char *one, size_t n)
{
	if (len > 0 && *name == '@') {
		name++;
		len--;
	}
	return len == n && strncasecmp(name, one, n) == 0;
}

static bool
names(const char *name, const char *one, size_t n)
{
	const char *open = strrchr(name, '<'), *close = open != NULL ? strchr(open, '>') : NULL;
	size_t len = strlen(name);

	if (is_same(name, len, one, n))
		return true;
	if (close == NULL)
		return false;
	if (is_same(open + 1, (size_t)(close - open - 1), one, n))
		return true;
	for (len = (size_t)(open - name); len > 0 && name[len - 1] == ' ';)
		len--;
	return is_same(name, len, one, n);
}

bool
me_is(const char *name)
{
	const char *p = conf_text("me");

	for (size_t n; *p != '\0'; p += n) {
		size_t len;

		p += strspn(p, BETWEEN " \t@");
		len = n = strcspn(p, BETWEEN);
		while (len > 0 && (p[len - 1] == ' ' || p[len - 1] == '\t'))
			len--;
		if (len > 0 && names(name, p, len))
			return true;
	}
	return false;
}
