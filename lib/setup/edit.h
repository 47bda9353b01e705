/*
 * edit.h: adds pieces to the text of a configuration file, and takes them out again, in place:
 * every other byte stays. Each is pure; a text of length 0 is an empty file.
 *
 * What cannot be read, or cannot take a piece, is an error (ERR_DATA) and nothing is changed: JSON
 * that does not parse, a list where a mapping should be, TOML with the table in another form, YAML
 * beyond a plain mapping, a server "mem" that is somebody else's.
 */
#pragma once

#include "setup/agent.h"
#include "setup/pieces.h"

/* The text from before we touched the file; what is in it is the user's. */
struct edit_original { const char *text; size_t len; };

/*
 * Sets out to the text with all pieces in it: the same text, if they are there, from us or from the
 * user; else without older ones of ours, and with these. What is then taken out again is the text
 * from before: that is checked.
 */
int edit_add(enum wire_form form, const char *text, size_t len,
	const struct edit_original *original, const struct pieces *p, struct buf *out,
	struct err *err);

/*
 * Sets out to the text without our pieces: all that call our programs in their places, but for what
 * the original has.
 */
int edit_remove(enum wire_form form, const char *text, size_t len,
	const struct edit_original *original, const struct pieces *p, struct buf *out,
	struct err *err);

/* Sets *n to how many of the pieces the text has. */
int edit_count(enum wire_form form, const char *text, size_t len,
	const struct edit_original *original, const struct pieces *p, size_t *n, struct err *err);
