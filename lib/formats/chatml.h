/*
 * chatml.h: text in which marks of a program say where a turn begins: ChatML ("<|im_start|>user"),
 * and what Claude Code's /export writes. turns.h is the door to it.
 */
#ifndef FORMATS_CHATML_H
#define FORMATS_CHATML_H

#include "formats/turns.h"

struct chatml;

/* "chatml" or "claude-text", as turns_detect; NULL: neither. */
const char *chatml_detect(const char *bytes, size_t len);
/* NULL: form is none of these. */
struct chatml *chatml_new(const char *form);
void chatml_free(struct chatml *m);
bool chatml_begins(struct chatml *m, const char *line, size_t len);
int chatml_read(struct chatml *m, const char *unit, size_t len, struct arena *a, struct turn *out);

#endif
