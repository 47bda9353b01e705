/*
 * ids.h: reads ids from lines, which are ids or records that another program printed, so that
 * "mem-search ... | mem-show" needs nothing in between.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

/* An id, or the name of a session: of_session where a record said that it is that. */
struct id_given { const char *text; bool of_session; };

/*
 * The ids that a line holds: one as plain text or as a JSON string, or those of a record: its own,
 * of a chunk its message's, of a verdict that stored nothing the one there is, of a block its
 * items', of what a hook did those it told, of a finding those it is about, of a step its number,
 * and where it has none its session. Blanks around it are dropped. An empty line, and the end of an
 * answer, have none. The caller frees *ids [*n]. ERR_DATA, also for a
 * finding about a memory of another form, whose ids are not those of this store.
 */
int ids_of_line(const char *line, size_t len, struct arena *a, struct id_given **ids, size_t *n,
	struct err *err);

/*
 * Reads all lines of path; "-": stdin. The caller frees *ids [*n], also after a fault; the ids
 * themselves are in a. ERR_DATA names the first line that is no id.
 */
int ids_read(const char *path, struct arena *a, struct id_given **ids, size_t *n,
	struct err *err);

/* The same of operands: they are the ids, borrowed, or "-" alone: those on stdin. */
int ids_given(char **args, int n_args, struct arena *a, struct id_given **ids, size_t *n,
	struct err *err);

/* Whether the text is a whole id of ours, or "source:ID", which goes before a session's name. */
bool id_is_whole(const char *text);

/* What an id of the user's memory is: whole, and the session that it is or is of, or "". */
struct id_found { const char *id, *session; };
/*
 * Finds a message or record as messages_find does, or a session, whose whole name goes before a
 * part of an id. out->id NULL: there is none.
 */
int ids_find(struct store *s, const struct scope *who, struct id_given id, struct arena *a,
	struct id_found *out, struct err *err);
