/*
 * html.h: turns HTML into plain text.
 */
#ifndef CLEAN_HTML_H
#define CLEAN_HTML_H

#include "base/buf.h"

/*
 * Decodes an entity such as "&amp;" or "&#8217;" at s, which begins with "&": appends its meaning
 * and returns its length; 0: it is no entity.
 */
size_t html_entity(struct buf *out, const char *s, size_t len);

/*
 * Appends an assistant's answer: paragraphs, "- " before items, "#" before headings, fences around
 * code, " | " behind cells. White space stays, blank paragraphs go. It takes one pass, and the
 * output is at most 3 times as long as s.
 */
void html_answer(struct buf *out, const char *s, size_t len);

#endif
