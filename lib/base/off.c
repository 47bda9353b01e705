/*
 * off.c: what was said while nothing was to be remembered stays on the disk of the agent, where the
 * next run of mem-ingest would find it; so its session and its transcript are listed in a file, a
 * line each. A path begins with a slash, and a session with "session ".
 */
#include "base/off.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/conf_value.h"
#include "base/normal.h"
#include "base/project.h"
#include "base/write.h"

#define LIST      "mem/off"
#define LIST_MOST (16u << 20)

static struct buf list;                    /* "\npath\nsession name\n" */
static bool has_list;

/* In small letters, and composed, as a file system may hand it out taken apart. */
static const char *
normal(const char *text, struct arena *a)
{
	LOCAL(buf) b = buf_of(SIZE_MAX / 4);

	normal_text(&b, text, strlen(text));
	text = arena_strndup(a, b.data, b.len);
	return text;
}

/*
 * Whether name is the place or a directory above it: a path that begins with '/', or the last
 * parts of one, as of a project; both are normal then.
 */
static bool
holds(const char *name, const char *place)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	for (const char *p = place; len > 0 && p != NULL;) {
		if (strncmp(name, p, len) == 0 &&
		    (p[len] == '\0' || p[len] == '/' || name[len - 1] == '/'))
			return true;
		p = strchr(p, '/');    /* no path begins behind one */
		p += p != NULL;
	}
	return false;
}

/* The path with links followed; itself where it is not there. */
static const char *
real_path(const char *path, struct arena *a)
{
	FREED char *real = realpath(path, NULL);

	if (real != NULL)
		path = arena_strdup(a, real);
	return path;
}

static bool
is_listed(const char *names, const char *place, const char *real, struct arena *a)
{
	const char *places[] = { place, real }, *normals[] = { normal(place, a), normal(real, a) };

	for (const char *p = names, *end; *p != '\0'; p = end + (*end == ',')) {
		size_t len;

		end = p + strcspn(p, ",");
		p += strspn(p, " \t");
		for (len = end > p ? (size_t)(end - p) : 0; len > 0 && p[len - 1] == ' '; len--)
			;
		const char *name = conf_expand_home(arena_strndup(a, p, len), a);
		bool path = *name == '/';
		const char *named = path ? real_path(name, a) : normal(name, a);

		for (size_t i = 0; i < NELEM(places); i++)
			if ((path && holds(name, places[i])) ||
			    holds(named, path ? places[i] : normals[i]))
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

/* Why it is off at a place, for that place alone; NULL: it is not. */
static const char *
off_at(const char *place, struct arena *a)
{
	const char *real = *place == '/' ? real_path(place, a) : place;

	if (is_listed(conf_text("off_projects"), place, real, a))
		return "memory is off in this project (setting off_projects)";
	if (is_marked(place, a) || is_marked(real, a))
		return "memory is off in this directory (.mem-off)";
	return NULL;
}

const char *
off_why(const char *place)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *why = NULL;

	place = place != NULL ? place : "";
	LOCAL(buf) project = buf_of(SIZE_MAX / 4);
	if (conf_refresh_off(NULL) != 0)
		why = "memory is off while the settings cannot be read";
	else if (!conf_bool("memory"))
		why = "memory is off (setting memory)";
	else if (is_for_now())
		why = "memory is off for now (setting off_until)";
	else if ((why = off_at(place, &a)) == NULL && *place == '/') {
		project_of(place, &project);
		why = off_at(project.data, &a);
	}
	return why;
}

const char *
off_here(void)
{
	char here[4096];

	return off_why(getcwd(here, sizeof(here)));
}

/* ---- sessions ---- */

static void
read_list(void)
{
	char bytes[4096];
	ssize_t n;

	if (has_list)
		return;
	int fd = open(conf_state_path(LIST), O_RDONLY | O_CLOEXEC);
	has_list = true;
	buf_init(&list, LIST_MOST + sizeof(bytes));
	buf_addc(&list, '\n');
	while (fd >= 0 && list.len < LIST_MOST && (n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(&list, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
}

/* "\nKIND NAME\n"; NULL: it is no name of one line. */
static char *
as_line(const char *kind, const char *name, struct arena *a)
{
	return *name == '\0' || strchr(name, '\n') != NULL ? NULL
	    : arena_printf(a, "\n%s%s\n", kind, name);
}

/* The line of a transcript, with links followed: of its directory, where it is not there yet. */
static char *
path_line(const char *path, struct arena *a)
{
	const char *real = real_path(path, a), *slash = strrchr(path, '/');

	if (real == path && slash != NULL && slash > path)
		real = arena_printf(a, "%s%s",
		    real_path(arena_strndup(a, path, (size_t)(slash - path)), a), slash);
	return as_line("", real, a);
}

static bool
has_line(const char *line)
{
	read_list();
	return line != NULL && list.len > 1 && strstr(list.data, line) != NULL;
}

bool
off_has_file(const char *path)
{
	LOCAL(arena) a = ARENA_INIT;

	return has_line(path_line(path, &a));
}

bool
off_has_session(const char *name)
{
	LOCAL(arena) a = ARENA_INIT;

	return has_line(as_line("session ", name, &a));
}

int
off_keep(const char *session, const char *transcript, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *const lines[] = { as_line("session ", session, &a), path_line(transcript, &a) };
	const char *file = conf_state_path(LIST);
	int fd = -1, rc = 0;

	for (size_t i = 0; i < NELEM(lines) && rc == 0; i++) {
		if (lines[i] == NULL || has_line(lines[i]))
			continue;
		if (fd < 0) {
			conf_make_parents(file);
			fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		}
		if (fd < 0 || write_whole(fd, lines[i] + 1, strlen(lines[i] + 1)) < 0)
			rc = err_set_errno(err, ERR_IO, "cannot write '%s'", file);
	}
	if (fd >= 0) {
		close(fd);
		has_list = false;
		buf_release(&list);
	}
	return rc;
}
