/*
 * aider.h: the history that Aider keeps of its chats, .aider.chat.history.md. turns.h is the door
 * to it, and says what these do.
 */
#ifndef FORMATS_AIDER_H
#define FORMATS_AIDER_H

#include "formats/turns.h"

struct aider;

bool aider_detect(const char *bytes, size_t len);
struct aider *aider_new(const char *bytes, size_t len);
void aider_free(struct aider *d);
bool aider_begins(struct aider *d, const char *line, size_t len);
int aider_read(struct aider *d, const char *unit, size_t len, struct arena *a, struct turn *out);

#endif
