/*
 * chat_window.h: chats that were marked and copied out of a window: Slack, Discord, Teams, Telegram, Google Chat, Messages. Who speaks and when stands in a line of its
 * own, or two, above the words. turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_CHAT_WINDOW_H
#define FORMATS_CHAT_WINDOW_H

#include "formats/turns.h"

struct copied;

bool copied_sniff(const char *bytes, size_t len);
struct copied *copied_new(const char *bytes, size_t len, const char *name);
void copied_free(struct copied *c);
bool copied_begins(struct copied *c, const char *line, size_t len);
int copied_read(struct copied *c, const char *unit, size_t len, struct arena *a, struct turn *out, struct err *err);

#endif
