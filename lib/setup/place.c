/*
 * place.c: a build directory is one that has the library, which is never installed, or is below
 * one.
 */
#include "setup/place.h"

#include <unistd.h>

#include "base/conf.h"
#include "setup/file.h"

#define IN_BUILD    " in a build directory, which 'make clean' empties: "
#define OTHER_STORE "unset MEM_DB or give another --db"
#define OR_YET      "; --from-build takes them as they are"

const char *
place_store(struct arena *a)
{
	const char *db = conf_db();

	return store_is_file(db) ? file_whole(db, a) : db;
}

/* Whether a directory on the way to path is one that programs are built into. */
static bool
is_built(const char *path, struct arena *a)
{
	char *dir = arena_strdup(a, path), *slash;

	while ((slash = strrchr(dir, '/')) != NULL) {
		*slash = '\0';
		if (access(arena_printf(a, "%s/libmem.a", dir), F_OK) == 0)
			return true;
	}
	return false;
}

int
place_lasts(const struct setup *s, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *db = place_store(&a);
	bool store = store_is_file(db) && is_built(db, &a), programs = is_built(s->program, &a);

	if (store && programs)
		err_set(err, ERR_USAGE, "the store '%s' and these programs are" IN_BUILD
		    "'make install' first, and " OTHER_STORE OR_YET, db);
	else if (store)
		err_set(err, ERR_USAGE, "the store '%s' is" IN_BUILD OTHER_STORE OR_YET, db);
	else if (programs)
		err_set(err, ERR_USAGE,
		    "these programs are" IN_BUILD "'make install' first" OR_YET);
	return store || programs ? -1 : 0;
}
