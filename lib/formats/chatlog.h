/*
 * chatlog.h: what chat programs write down, a line a turn or the beginning of one, with its time
 * and its speaker: IRC's logs, the exports of WhatsApp, LINE and KakaoTalk, the chat of a meeting
 * in Zoom. turns.h is the door to it, and says what these do.
 */
#ifndef FORMATS_CHATLOG_H
#define FORMATS_CHATLOG_H

#include "formats/turns.h"

struct chatlog;

/* "irc", "whatsapp", "line", "kakaotalk" or "zoom", as turns_detect; NULL: none of them. */
const char *chatlog_detect(const char *bytes, size_t len);
/* NULL: form is none of these. */
struct chatlog *chatlog_new(const char *form, const char *bytes, size_t len, const char *name);
void chatlog_free(struct chatlog *l);
bool chatlog_in_doubt(const struct chatlog *l);
bool chatlog_begins(struct chatlog *l, const char *line, size_t len);
int chatlog_read(struct chatlog *l, const char *unit, size_t len, struct arena *a, struct turn *out,
	struct err *err);

#endif
