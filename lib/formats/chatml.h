/*
 * chatml.h: text in which marks of a program say where a turn begins: ChatML ("<|im_start|>user"), and what Claude Code's /export writes. turns.h is
 * the door to it.
 */
#ifndef FORMATS_CHATML_H
#define FORMATS_CHATML_H

#include "formats/turns.h"

struct marked;

/* "chatml" or "claude-text", as turns_sniff; NULL: neither. */
const char *marked_sniff(const char *bytes, size_t len);
/* NULL: form is none of these. */
struct marked *marked_new(const char *form);
void marked_free(struct marked *m);
bool marked_begins(struct marked *m, const char *line, size_t len);
int marked_read(struct marked *m, const char *unit, size_t len, struct arena *a, struct turn *out);

#endif
