/*
 * labelled.h: conversations as plain text or Markdown, where each turn begins with who speaks:
 * "Mara: words", "**User:**", "## Assistant". turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_LABELLED_H
#define FORMATS_LABELLED_H

#include "formats/turns.h"

struct labelled;

/* Both a person and an assistant speak. */
bool labelled_detect(const char *bytes, size_t len);
struct labelled *labelled_new(const char *bytes, size_t len);
void labelled_free(struct labelled *d);
bool labelled_begins(struct labelled *d, const char *line, size_t len);
int labelled_read(struct labelled *d, const char *unit, size_t len, struct arena *a,
	struct turn *out, struct err *err);

#endif
