/*
 * markdown.h: a memory, or a part of it, to be read by people: for mem-import it is nothing.
 */
#ifndef TRANSFER_MARKDOWN_H
#define TRANSFER_MARKDOWN_H

#include "transfer/export.h"

/*
 * As export_lines, of one user: a heading for each session, who spoke, when, and what was said as a
 * quotation; then the facts, notes and summaries that hold now, a line each.
 */
int export_markdown(struct store *s, const struct export_options *o, struct buf *out,
	int (*ended)(void *arg), void *arg, struct err *err);

#endif
