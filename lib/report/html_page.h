/*
 * html_page.h: the figures of a memory as one page of HTML: no script, nothing from a network,
 * charts as inline SVG (SPEC 4.10).
 */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "base/buf.h"
#include "store/store.h"

/*
 * Appends the page. since_us: of searches and calls; TIME_NONE: all that are kept. No words of
 * anybody are on it but names: user, banks, models, strategies, programs.
 */
int html_page_write(struct store *s, const struct scope *who, int64_t since_us, struct buf *out,
	struct err *err);

/*
 * The file is whole, or as it was. What is no ordinary file (a pipe, a terminal) is written to.
 * ERR_IO, ERR_PERM.
 */
int html_page_save(const char *path, const char *data, size_t len, struct err *err);

#endif
