/*
 * chat_window.h: chats that were marked and copied out of a window: Slack, Discord, Teams,
 * Telegram, Google Chat, Messages. Who speaks and when stands in a line of its own, or two, above
 * the words. turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_CHAT_WINDOW_H
#define FORMATS_CHAT_WINDOW_H

#include "formats/turns.h"

struct chat_window;

bool chat_window_detect(const char *bytes, size_t len);
struct chat_window *chat_window_new(const char *bytes, size_t len, const char *name);
void chat_window_free(struct chat_window *c);
bool chat_window_begins(struct chat_window *c, const char *line, size_t len);
int chat_window_read(struct chat_window *c, const char *unit, size_t len, struct arena *a,
	struct turn *out, struct err *err);

#endif
