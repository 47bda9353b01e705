/*
 * one.c: all programs in one file, for archives in which each would bring the same libraries again.
 * It is called by the names of the programs, which are links to it, or as 'mem VERB'.
 *
 * packaging/static compiles it with PROGRAMS(X), which has X(name, main of that program) for each.
 */
#include <string.h>

#define DECLARE(name, fn) int fn(int argc, char **argv);
PROGRAMS(DECLARE)

static const struct { const char *name; int (*run)(int argc, char **argv); } programs[] = {
#define ROW(name, fn) { name, fn },
	PROGRAMS(ROW)
};

int
main(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *name = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "mem";
	size_t own = 0;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		if (strcmp(programs[i].name, "mem") == 0)
			own = i;
		else if (strcmp(name, programs[i].name) == 0)
			return programs[i].run(argc, argv);
	}
	for (size_t i = 0; argc > 1 && i < sizeof(programs) / sizeof(*programs); i++)
		if (strncmp(programs[i].name, "mem-", 4) == 0 &&
		    strcmp(argv[1], programs[i].name + 4) == 0)
			return programs[i].run(argc - 1, argv + 1);
	return programs[own].run(argc, argv);
}
