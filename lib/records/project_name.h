/*
 * project_name.h: projects by the last parts of their paths, as people say them: "shop-api" for
 * /srv/work/shop-api.
 */
#pragma once

#include "base/arena.h"
#include "store/store.h"

/*
 * Sets *out to the project in the scope's memory that name means: the one of that name, else the
 * only one whose path ends in its parts. Both "" and NULL mean none, and so does all where s is
 * NULL. ERR_USAGE: several end so, which are named; ERR_NOINPUT: none does, and what there is is
 * named, or of a directory the projects of that last part whose directories are gone, as it may
 * have been one of them. Cost: of a name that is not exact, all sessions, facts and notes are read.
 */
int project_find(struct store *s, const struct scope *who, const char *name, struct arena *a,
	const char **out, struct err *err);

/*
 * The same for who->project, which it sets. That there is none is only told, to warn, and of an
 * absolute path only where it may have been moved: nothing may have been stored of it yet.
 */
int project_in(struct store *s, struct scope *who, void (*warn)(void *arg, const char *text),
	struct arena *a, struct err *err);

/*
 * The same for a program that stores: a name that is none that is known, nor the end of exactly
 * one, is left as it is, as of a new project.
 */
int project_of_new(struct store *s, struct scope *who, struct arena *a, struct err *err);
