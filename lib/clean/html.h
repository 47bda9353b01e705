/* html.h: turns HTML into plain text. */
#pragma once

#include "base/buf.h"

/*
 * Decodes an entity such as "&amp;" or "&#8217;" at s, which begins with "&": appends its meaning
 * and returns its length; 0: it is no entity.
 */
size_t html_entity(struct buf *out, const char *s, size_t len);

/* Whether the tag at s, behind its "<", has that name. */
bool html_tag_is(const char *s, size_t len, const char *name);
/*
 * Where the element ends whose tag begins at s, if its text is never shown, as of a script; 0: its
 * text is shown.
 */
size_t html_hidden(const char *s, size_t len);

/*
 * Appends a page as html_answer does, without scripts, styles, comments and the white space of its
 * source. title is set to the page's, if it has one, and true is returned.
 */
bool html_page(struct buf *out, const char *s, size_t len, struct buf *title);

/*
 * Appends an assistant's answer: paragraphs, "- " before items, "#" before headings, fences around
 * code, " | " behind cells. White space stays, blank paragraphs go. It takes one pass, and the
 * output is at most 3 times as long as s.
 */
void html_answer(struct buf *out, const char *s, size_t len);
