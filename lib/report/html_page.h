/*
 * html_page.h: a memory as one HTML page without network resources, to be read, and as a picture
 * for a profile page. The one script searches the page; without it the page is whole.
 */
#pragma once

#include "base/buf.h"
#include "store/store.h"

/*
 * Appends the page. since_us limits searches, recalls and calls; TIME_NONE: all that are kept. The
 * page holds names (of people, agents, projects, topics), titles of sessions and facts; with_text:
 * turns and what was told, too. Cost: that of page_read, triggers_each and of an audit of the
 * newest facts, some 100 ms; at most some 300 kB without texts.
 */
int html_page_write(struct store *s, const struct scope *who, int64_t since_us, bool with_text,
	struct buf *out, struct err *err);

/* Appends the picture, as SVG: counts and the year, no name but the user's and of programs. */
int html_card_write(struct store *s, const struct scope *who, struct buf *out, struct err *err);

/*
 * Writes the file so that it is either complete or as it was before. A pipe or terminal is written
 * to directly. ERR_IO, ERR_PERM.
 */
int html_page_save(const char *path, const char *data, size_t len, struct err *err);
