/*
 * programs.c: lists the programs. No program is run for this: the names and jobs of ours are
 * embedded ("mem-search TAB job" on a line, from .Nd in the man pages).
 */
#include <dirent.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/embedded.h"
#include "base/system.h"
#include "cli/prog.h"
#include "cli/programs.h"

static struct program *programs;
static size_t n_programs, cap_programs;

/* Adds a program. The name is copied, the job is not. */
static void
add_program(const char *name, const char *job)
{
	for (size_t i = 0; i < n_programs; i++)
		if (strcmp(programs[i].name, name) == 0)
			return;
	*xpush(programs, n_programs, cap_programs) = (struct program){ xstrdup(name), job };
}

static void
add_built_in(void)
{
	char *p = xstrdup(embedded_find("programs.txt")->text), *tab, *end;

	while ((tab = strchr(p, '\t')) != NULL && (end = strchr(tab, '\n')) != NULL) {
		*tab = *end = '\0';
		add_program(p, tab + 1);
		p = end + 1;
	}
}

bool
programs_ours(const char *name)
{
	const char *line = embedded_find("programs.txt")->text;
	size_t n = strlen(name);

	for (; *line != '\0'; line += strcspn(line, "\n") + 1)
		if (strncmp(line, name, n) == 0 && line[n] == '\t')
			return true;
	return false;
}

static void
add_directory(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	if (dir == NULL)
		return;
	while ((e = readdir(dir)) != NULL) {
		char file[4096];
		int n = snprintf(file, sizeof(file), "%s/%s", path, e->d_name);

		if (strncmp(e->d_name, "mem-", 4) == 0 && strchr(e->d_name, '.') == NULL &&
		    n < (int)sizeof(file) && access(file, X_OK) == 0)
			add_program(e->d_name, "(in PATH)");
	}
	closedir(dir);
}

size_t
programs_all(const struct program **list)
{
	if (n_programs == 0) {
		const char *env = getenv("PATH");
		char *path = xstrdup(env != NULL ? env : ""), *p, *next;

		add_built_in();
		for (p = path; p != NULL; p = next) {
			next = strchr(p, ':');
			if (next != NULL)
				*next++ = '\0';
			add_directory(p);
		}
		free(path);
	}
	*list = programs;
	return n_programs;
}

bool
programs_has(const char *name)
{
	const struct program *list;
	size_t n = programs_all(&list), i;

	for (i = 0; i < n; i++)
		if (strcmp(list[i].name, name) == 0)
			return true;
	return false;
}

const char *
programs_hint(const char *verb, char *out, size_t size)
{
	struct prog_guess g = { NULL, 0 };
	const struct program *list;
	size_t n = programs_all(&list), i;

	prog_nearest(verb, "completion", &g);
	prog_nearest(verb, "config", &g);
	prog_nearest(verb, "help", &g);
	for (i = 0; i < n; i++)
		if (strncmp(list[i].name, "mem-", 4) == 0)
			prog_nearest(verb, list[i].name + 4, &g);
	if (g.word != NULL)
		snprintf(out, size, ", did you mean '%s'?", g.word);
	else
		snprintf(out, size, " ('mem help' lists them)");
	return out;
}

char *
programs_dir(char *dir, size_t size, const char *argv0)
{
	if (system_program_dir(dir, size))
		return dir;
	snprintf(dir, size, "%s", argv0);
	char *slash = strrchr(dir, '/');
	if (slash != NULL)
		*slash = '\0';
	else
		snprintf(dir, size, ".");
	return dir;
}
