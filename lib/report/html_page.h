/*
 * html_page.h: the figures of a memory as one HTML page without scripts or network resources; its
 * charts are inline SVG.
 */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "base/buf.h"
#include "store/store.h"

/*
 * Appends the page. since_us limits searches and calls; TIME_NONE: all that are kept. The page
 * holds no text that anybody wrote, only names: of the user, banks, models, strategies and
 * programs.
 */
int html_page_write(struct store *s, const struct scope *who, int64_t since_us, struct buf *out,
	struct err *err);

/*
 * Writes the file so that it is either complete or as it was before. A pipe or terminal is written
 * to directly. ERR_IO, ERR_PERM.
 */
int html_page_save(const char *path, const char *data, size_t len, struct err *err);

#endif
