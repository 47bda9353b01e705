/*
 * off.c: the transcripts are listed in a file, a path a line, as what was said while nothing was to
 * be remembered stays on the disk of the agent, where the next run of mem-ingest would find it.
 */
#include "base/off.h"

#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/conf_value.h"

#define LIST      "mem/off"
#define LIST_MOST (16u << 20)

static struct buf list;                    /* "\npath\npath\n" */
static bool has_list;

/*
 * Whether name is the place or a directory above it: a path that begins with '/', or the last
 * parts of one, as of a project, where letters of either case are the same.
 */
static bool
holds(const char *name, const char *place)
{
	bool is_path = *name == '/';
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	for (const char *p = place; len > 0 && p != NULL;) {
		if ((is_path ? strncmp(name, p, len) : strncasecmp(name, p, len)) == 0 &&
		    (p[len] == '\0' || p[len] == '/' || name[len - 1] == '/'))
			return true;
		p = is_path ? NULL : strchr(p, '/');
		p += p != NULL;
	}
	return false;
}

/* The path with links followed; itself where it is none, or is not there. */
static const char *
followed(const char *path, struct arena *a)
{
	char *real = *path == '/' ? realpath(path, NULL) : NULL;

	if (real != NULL)
		path = arena_strdup(a, real);
	free(real);
	return path;
}

static bool
is_listed(const char *names, const char *place, const char *real, struct arena *a)
{
	for (const char *p = names, *end; *p != '\0'; p = end + (*end == ',')) {
		size_t len;

		end = p + strcspn(p, ",");
		p += strspn(p, " \t");
		for (len = end > p ? (size_t)(end - p) : 0; len > 0 && p[len - 1] == ' '; len--)
			;
		const char *name = conf_expand_home(arena_strndup(a, p, len), a);
		if (holds(name, place) || holds(name, real))
			return true;
		name = followed(name, a);
		if (holds(name, place) || holds(name, real))
			return true;
	}
	return false;
}

/* Whether there is a file ".mem-off" in the directory or in one above it. */
static bool
is_marked(const char *place, struct arena *a)
{
	struct stat st;

	if (*place != '/')
		return false;
	for (size_t len = strlen(place);; len--) {
		if (place[len] != '/' && place[len] != '\0')
			continue;
		if (stat(arena_printf(a, "%.*s/.mem-off", (int)len, place), &st) == 0)
			return true;
		if (len == 0)
			return false;
	}
}

/* Whether the time of the setting off_until, which conf has checked, is to come. */
static bool
is_for_now(void)
{
	const char *until = conf_text("off_until");
	int64_t us;

	return *until != '\0' && time_parse(until, strlen(until), &us, NULL) == 0 &&
	    clock_now_us() < us;
}

const char *
off_why(const char *place)
{
	struct arena a = ARENA_INIT;
	const char *why = NULL, *real = followed(place, &a);

	if (!conf_bool("memory"))
		why = "memory is off (setting memory)";
	else if (is_for_now())
		why = "memory is off for now (setting off_until)";
	else if (is_listed(conf_text("off_projects"), place, real, &a))
		why = "memory is off in this project (setting off_projects)";
	else if (is_marked(place, &a) || is_marked(real, &a))
		why = "memory is off in this directory (.mem-off)";
	arena_release(&a);
	return why;
}

/* ---- transcripts ---- */

static void
read_list(void)
{
	int fd = open(conf_state_path(LIST), O_RDONLY | O_CLOEXEC);
	char bytes[4096];
	ssize_t n;

	if (has_list)
		return;
	has_list = true;
	buf_init(&list, LIST_MOST + sizeof(bytes));
	buf_addc(&list, '\n');
	while (fd >= 0 && list.len < LIST_MOST && (n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(&list, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
}

/* "\nPATH\n", links followed; NULL: it is no path of one line. */
static char *
as_line(const char *path, struct arena *a)
{
	char *real = realpath(path, NULL), *line = NULL;

	if (strchr(real != NULL ? real : path, '\n') == NULL)
		line = arena_printf(a, "\n%s\n", real != NULL ? real : path);
	free(real);
	return line;
}

bool
off_has(const char *path)
{
	struct arena a = ARENA_INIT;
	const char *line;
	bool has = false;

	read_list();
	if (list.len > 1 && (line = as_line(path, &a)) != NULL)
		has = strstr(list.data, line) != NULL;
	arena_release(&a);
	return has;
}

int
off_transcript(const char *path, struct err *err)
{
	const char *file = conf_state_path(LIST), *line;
	struct arena a = ARENA_INIT;
	int fd, rc = 0;

	if (*path == '\0' || off_has(path) || (line = as_line(path, &a)) == NULL)
		goto out;
	conf_make_parents(file);
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, line + 1, strlen(line + 1)) < 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", file);
	if (fd >= 0)
		close(fd);
	has_list = false;
	buf_release(&list);
out:
	arena_release(&a);
	return rc;
}
