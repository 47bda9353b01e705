/*
 * memories_parts.h: texts with a record a line, for memories.c. Private to lib/audit.
 */
#pragma once

#include "audit/memories.h"

/*
 * Adds a record for each item of a list in Markdown text [len], else for each line of it that is no
 * heading; of a file that the agent host keeps for itself, for each item and each paragraph, with
 * what it is under. host NULL: nobody's; name: of the file.
 */
void memories_notes(struct memories *m, const char *host, const char *name, const char *text,
	size_t len);

/*
 * Adds a record for each line of r->content that is no heading; its id is r's with the number of
 * the line among those that are not blank.
 */
void memories_lines(struct memories *m, const struct memory_item *r);
