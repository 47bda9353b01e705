/*
 * owner.c: of git's file only "name" and "email" under "[user]" are read, as it is written by hand
 * or by git config; what includes other files is not followed.
 */
#include "base/ascii.h"
#include "setup/owner.h"

#include <strings.h>

#include "base/conf.h"
#include "base/me.h"
#include "setup/file.h"
#include "store/names.h"

struct owner { const char *name, *email; };

/* The value behind "key =" in a line, without quotes and what a comment says; NULL: another key. */
static const char *
value_of(const char *line, const char *end, const char *key, struct arena *a)
{
	size_t n = strlen(key);

	if ((size_t)(end - line) <= n || strncasecmp(line, key, n) != 0)
		return NULL;
	for (line += n; line < end && (*line == ' ' || *line == '\t');)
		line++;
	if (line == end || *line++ != '=')
		return NULL;
	while (line < end && (*line == ' ' || *line == '\t' || *line == '"'))
		line++;
	for (const char *p = line; p < end; p++)
		if (*p == '#' || *p == ';' || *p == '"')
			end = p;
	while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return arena_strndup(a, line, (size_t)(end - line));
}

static void
read_git(const char *path, struct arena *a, struct owner *o)
{
	struct err none = ERR_INIT;
	const char *found, *end;
	bool of_user = false;
	LOCAL(file) f = { 0 };

	if (file_read(path, &f, &none) == 0)
		for (const char *p = f.text.data, *stop = p + f.text.len; p < stop; p = end + 1) {
			end = ascii_line_end(p, stop);
			while (p < end && (*p == ' ' || *p == '\t'))
				p++;
			if (p < end && *p == '[')
				of_user = end - p >= 6 && strncasecmp(p, "[user]", 6) == 0;
			else if (of_user && (found = value_of(p, end, "name", a)) != NULL)
				o->name = found;
			else if (of_user && (found = value_of(p, end, "email", a)) != NULL)
				o->email = found;
		}
}

/* Appends a name, unless a comma in it would make two of it. */
static void
add(struct buf *b, const char *name)
{
	if (*name != '\0' && strpbrk(name, ",;\n") == NULL)
		buf_addf(b, "%s%s", b->len > 0 ? "," : "", name);
}

/* Appends those in the store who are called as the address's first part. */
static void
add_handles(struct buf *b, const char *email, struct arena *a)
{
	const struct scope who = { conf_text("user"), NULL, NULL, NULL };
	size_t len = strcspn(email, "@"), n = 0;
	FREED const char **names = NULL;
	struct store *s = NULL;

	if (len > 0 && store_open(conf_db(), STORE_READ, &s, NULL) == 0 &&
	    names_of_people(s, &who, a, &names, &n, NULL) == 0)
		for (size_t i = 0; i < n; i++) {
			const char *name = names[i] + (*names[i] == '@');

			if (ascii_is(email, len, name))
				add(b, name);
		}
	store_close(s);
}

const char *
owner_proposed(struct arena *a)
{
	const char *home = getenv("HOME"), *dir = getenv("XDG_CONFIG_HOME"), *out;
	struct owner o = { "", "" };

	if (me_is_known() || home == NULL || *home != '/')
		return "";
	dir = dir != NULL && *dir == '/' ? dir : arena_printf(a, "%s/.config", home);
	read_git(arena_printf(a, "%s/git/config", dir), a, &o);
	read_git(arena_printf(a, "%s/.gitconfig", home), a, &o);
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);
	add(&b, o.name);
	add(&b, o.email);
	add_handles(&b, o.email, a);
	out = b.len > 0 ? arena_strndup(a, b.data, b.len) : "";
	return out;
}
