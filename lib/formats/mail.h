/*
 * mail.h: mail as files of messages, mbox (RFC 4155, with ">From " for what looks like a beginning)
 * or one message (.eml). turns.h is the door to it.
 */
#ifndef FORMATS_MAIL_H
#define FORMATS_MAIL_H

#include "base/arena.h"
#include "json/json.h"

/*
 * It begins as an mbox does, or with headers of which one is From with an address, and another of
 * mail.
 */
bool mail_detect(const char *bytes, size_t len);

/* Whether a message of an mbox begins with this line. */
bool mail_begins(const char *line, size_t len);

/*
 * A message as a record: content (its text, without what it quotes), name, time, source_id, session
 * (the first message of its thread), subject, to. 1: *out, in the arena, its content "" when there
 * are no words in it; -1: ERR_DATA, none of a mail's headers is there.
 */
int
mail_read(const char *unit, size_t len, struct arena *a, const struct json **out, struct err *err);

#endif
