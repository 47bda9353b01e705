/*
 * beside.c: nothing here fails. A conversation is worth reading without what lies beside it, and
 * whether a file is there, or whole, is up to the agent that writes it.
 */
#include "ingest/beside.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "ingest/json/cut.h"
#include "json/json.h"

#define FILE_BYTES (64u << 10)

/* Appends a name with "%" replaced to the directory of path. */
static void
place(const char *name, const char *path, const char *directory, struct buf *out)
{
	const char *slash = strrchr(path, '/');

	buf_reset(out);
	if (slash != NULL)
		buf_add(out, path, (size_t)(slash + 1 - path));
	for (; *name != '\0'; name++)
		if (*name == '%')
			buf_adds(out, directory);
		else
			buf_addc(out, *name);
}

static bool
read_whole(const char *path, struct buf *out)
{
	/* a pipe of that name would keep us waiting */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	buf_reset(out);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_BYTES)
		while ((n = read(fd, buf_reserve(out, 4096), 4096)) > 0 && out->len <= FILE_BYTES)
			out->len += (size_t)n;
	close(fd);
	return n == 0;
}

/* Appends a member of the object: the file's text. */
static void
put(const char *key, const struct buf *text, struct buf *out)
{
	struct arena a = ARENA_INIT;
	const struct json *v;
	const char *p = text->data;
	size_t len = text->len;

	while (len > 0 && strchr(" \t\r\n", p[len - 1]) != NULL)
		len--;
	for (; len > 0 && strchr(" \t\r\n", *p) != NULL; len--)
		p++;
	if (len > 0 && memchr(p, '\0', len) == NULL && utf8_valid(p, len)) {
		if (out->len == 0)
			json_open(out);
		if (json_parse(p, len, &a, &v, NULL) == 0)
			json_raw(out, key, p, len);
		else
			json_strn(out, key, p, len);
	}
	arena_release(&a);
}

void
beside_read(const char *map, const char *path, const char *directory, struct buf *out)
{
	char *names = json_plan_line(map, "# beside:"), *save = NULL;
	struct buf name, text;

	buf_reset(out);
	if (names == NULL)
		return;
	buf_init(&name, 1u << 16);
	buf_init(&text, FILE_BYTES + 8192);
	for (char *w = strtok_r(names, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
		const char *slash = strrchr(w, '/');

		place(w, path, directory, &name);
		if (!name.full && read_whole(name.data, &text))
			put(slash != NULL ? slash + 1 : w, &text, out);
	}
	if (out->len > 0)
		json_close(out);
	buf_release(&text);
	buf_release(&name);
	free(names);
}
