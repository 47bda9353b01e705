/*
 * native.h: the memories that agents keep themselves, and the rules that their users gave them:
 * read as facts, and what is surely current written back as one section of a file.
 *
 * A record's id is made of the store's id, the project and the words. So what stands in two files
 * is one record, what was forgotten stays forgotten, and what is ended when its line is gone holds
 * again when the line is back.
 */
#pragma once

#include "audit/audit.h"
#include "facts/remember.h"
#include "setup/agent.h"

struct native_file {
	const char *host, *path;
	size_t from, n;            /* its items in memories */
	size_t n_new;              /* of them, those that say what no record says */
	size_t n_ended;            /* records whose line is gone from it */
	/* all of it was read, and it is there to be read again: what is gone from it is told */
	bool whole;
};

struct native {
	const char *user, *project;            /* project: its root */
	struct memories memories;
	struct native_file *files;             /* [n] */
	size_t n, cap;
	/* ids of records: to end, and to let hold again */
	const char **ended, **back;
	size_t n_ended, cap_ended, n_back, cap_back;
	bool *is_new;                          /* [memories.n] */
	size_t *of_new;                        /* those that are compared: indexes of items */
	struct arena arena;
};

/*
 * Reads the files of all agents in the project and in the home, each file once, and then paths [n]
 * of other memories as memories.h knows them. bad: as of memories_input.
 */
int native_read(struct native *v, const char *const *paths, size_t n,
	const struct memories_input *how, struct err *err);
void native_release(struct native *v);

/* Sets *out to the path as a whole one, from the directory at hand on. ERR_NOINPUT: it is gone. */
int native_path(const char *path, struct arena *a, const char **out, struct err *err);

/* Finds what is new, gone and back; s NULL: all is new. */
int native_compare(struct native *v, struct store *s, struct err *err);
/*
 * Stores it; dry: only finds out what would be stored. From then on what says the same as a record,
 * or was forgotten, is not new. A record that is refused counts as bad.
 */
int native_store(struct native *v, struct store *s, bool dry, const struct memories_sink *bad,
	struct err *err);

/*
 * Tells pairs of what was read that cannot both hold and stand in files of two agents; of what is
 * said of a part of the files alone, or under a heading that takes it back, nothing is told.
 */
int native_differences(struct native *v, finding_fn *fn, void *arg, struct err *err);

/*
 * Sets body to the lines of a section: what the user stored on purpose for the project and what
 * holds now, the newest where not all has room in the tokens, oldest first; of two that cannot both
 * hold neither. project "": what is of no project. *n_left: how many were left out.
 */
int native_section(struct native *v, struct store *s, const char *project, unsigned tokens,
	struct buf *body, size_t *n_left, struct err *err);

/*
 * Whose section a file at path is to have: "" where the file is of an agent in the home, else the
 * root of the project in which it lies, links followed: one that was cloned leads anywhere.
 */
const char *native_owner(const char *path, struct arena *a);

/*
 * Takes out of the sections that stand in files, of any project, what was forgotten in the store
 * and is told there in the same words. left: a file that somebody has edited, which is not written.
 */
int native_sections_forget(struct store *s, const char *user,
	void (*left)(const char *path, const char *why), struct err *err);
