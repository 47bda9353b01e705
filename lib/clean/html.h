/*
 * html.h: text in HTML as plain text.
 */
#ifndef CLEAN_HTML_H
#define CLEAN_HTML_H

#include "base/buf.h"

/*
 * "&amp;", "&#8217;" at s, which begins with "&": appends what it means, and returns the bytes that
 * it takes; 0: it is none.
 */
size_t html_entity(struct buf *out, const char *s, size_t len);

/*
 * An assistant's answer: paragraphs, "- " before items, "#" before headings, fences around code, "
 * | " behind cells; white space stays, blank paragraphs go. Appends. One pass, the output is at
 * most 3 times as long as s.
 */
void html_answer(struct buf *out, const char *s, size_t len);

#endif
