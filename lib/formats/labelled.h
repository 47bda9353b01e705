/*
 * labelled.h: conversations as plain text or Markdown, where each turn begins with who speaks: "Mara: words", "**User:**", "## Assistant".
 * turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_LABELLED_H
#define FORMATS_LABELLED_H

#include "formats/turns.h"

struct dialog;

/* Both a person and an assistant speak. */
bool dialog_sniff(const char *bytes, size_t len);
struct dialog *dialog_new(const char *bytes, size_t len);
void dialog_free(struct dialog *d);
bool dialog_begins(struct dialog *d, const char *line, size_t len);
int dialog_read(struct dialog *d, const char *unit, size_t len, struct arena *a, struct turn *out, struct err *err);

#endif
