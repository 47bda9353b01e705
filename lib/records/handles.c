/*
 * handles.c: a terminal is told by the session that its processes are in. Another terminal may get
 * that number later, so a list holds for a day only.
 *
 * The first line of a file is "store TAB user", each other one "rank TAB id".
 */
#include "records/handles.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/conf.h"

#define HOLDS_S    86400
#define LIST_BYTES (1u << 20)
#define HEAD_BYTES 8192            /* of the first line, and of the last id */
#define DIGITS     4               /* of a rank */

void
handles_add(struct buf *list, size_t rank, const char *id)
{
	if (rank < 10000 && list->len < LIST_BYTES - HEAD_BYTES && strpbrk(id, "\t\n") == NULL)
		buf_addf(list, "%zu\t%s\n", rank, id);
}

/* The file of this terminal; "": there is none. */
static const char *
file_of(struct arena *a)
{
	pid_t sid = getsid(0);
	const char *dir = conf_state_path("mem/hits");

	return sid > 0 && *dir == '/' ? arena_printf(a, "%s/%ld", dir, (long)sid) : "";
}

void
handles_keep(const struct buf *list, const char *user)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *file = isatty(STDOUT_FILENO) ? file_of(&a) : "";
	const char *new = arena_printf(&a, "%s.new", file),
		   *head = arena_printf(&a, "%s\t%s\n", conf_db(), user);
	size_t n = strlen(head);
	bool kept = false;

	if (*file != '\0') {
		conf_make_parents(file);
		unlink(new);
		int fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0) {
			kept = write(fd, head, n) == (ssize_t)n &&
			    write(fd, list->data, list->len) == (ssize_t)list->len;
			close(fd);
		}
		/* better no numbers than those of a list that is no longer on the screen */
		if (!kept || rename(new, file) != 0) {
			unlink(new);
			unlink(file);
		}
	}
}

/* Reads the whole file, if it is of today; an empty text where there is none. */
static void
read_list(const char *file, struct buf *b)
{
	struct stat st;
	char *to;
	ssize_t n;
	int fd = *file != '\0' ? open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && time(NULL) - st.st_mtime < HOLDS_S)
		while ((to = buf_reserve(b, 4096)) != NULL && (n = read(fd, to, 4095)) > 0)
			b->len += (size_t)n;
	if (b->len > 0)
		b->data[b->len] = '\0';
	close(fd);
}

const char *
handles_find(const char *number, const char *user, struct arena *a)
{
	size_t len = strlen(number);
	const char *head, *id = NULL, *line;

	if (len == 0 || len > DIGITS || strspn(number, "0123456789") != len)
		return NULL;
	LOCAL(buf) list = buf_of(LIST_BYTES);
	read_list(file_of(a), &list);
	head = arena_printf(a, "%s\t%s\n", conf_db(), user);
	line = list.len > 0 && strncmp(list.data, head, strlen(head)) == 0
	    ? list.data + strlen(head)
	    : "";
	for (; *line != '\0' && id == NULL; line += strcspn(line, "\n") + 1) {
		if (strchr(line, '\n') == NULL)
			break;
		if (strncmp(line, number, len) == 0 && line[len] == '\t')
			id = arena_strndup(a, line + len + 1, strcspn(line + len + 1, "\n"));
	}
	return id;
}
