/*
 * belonging.h: what is known of a session besides what is said in it: the project that it belongs
 * to, the program in which it was held, and whether memory is off there.
 */
#pragma once

#include "base/buf.h"
#include "base/keyed.h"
#include "ingest/ingest_batch.h"
#include "ingest/ingest_from.h"

struct belonging {
	struct store *s;
	const struct ingest_options *o;
	struct batch *batch;
	struct arena *unit;                /* what the unit at hand needs */
	/* the last session that told its working directory, and the project of that; empty: none */
	struct buf session, project;
	/* the project and the session, with a NUL between, that off_why was asked for last */
	struct buf off_place;
	bool is_off;                       /* and what it said */
	const char *host;                  /* of the input; NULL: none */
	struct keyed hosted;               /* sessions of which the host was told, in this run */
	/* directories whose sessions are of a project with another name, once one was gone */
	struct known_project { const char *cwd, *project; } *known;
	size_t n_known, cap_known;
	bool knows;
	struct arena names;
};

void belonging_init(struct belonging *a, struct store *s, const struct ingest_options *o,
	struct batch *b, struct arena *unit);
void belonging_release(struct belonging *a);

/* Its file and format (NULL: a map of the user's) tell the host. */
void belonging_host(struct belonging *a, const struct from *from, const char *path);
/*
 * What Aider, SpecStory and Crush write lies in the directory that it is about, so a record of it
 * belongs to the project of that, unless an option names another. true: a->project is it.
 */
bool belonging_own_project(struct belonging *a, const struct from *from, const char *path);

/*
 * Sets what a record does not say: the project, where its session told its directory (mapped: a map
 * gives it), and the host. resumed: reading goes on in the middle of a file, where metadata may
 * have been given before.
 */
void belonging_record(struct belonging *a, struct record *r, bool mapped, bool resumed,
	uint64_t line);
/* Whether nothing is remembered of the record's project, or of its session. */
bool belonging_is_off(struct belonging *a, const struct record *r);
