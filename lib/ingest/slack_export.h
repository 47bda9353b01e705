/*
 * slack_export.h: the files of a Slack export beside the days of messages.
 *
 *	EXPORT/users.json                  the names of people
 *	EXPORT/channels.json ...           no messages
 *	EXPORT/CHANNEL/2024-05-01.json     a day of messages
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/*
 * Whether the file is one of an export that holds no messages, such as the lists of channels,
 * people and installed programs.
 */
bool slack_is_aside(const char *path);

/* The names of people by their ids, of one export at a time. */
struct slack_people;

struct slack_people *slack_people_new(void);
void slack_people_free(struct slack_people *p);

/*
 * Loads the people of the export that the file is a day of, unless they are loaded; none when the
 * file lies in no export. -1: a list cannot be read.
 */
int slack_people_of(struct slack_people *p, const char *path, struct err *err);

/* What tells the loaded export's workspace from others; "": nothing in it does. */
const char *slack_space(const struct slack_people *p);

/*
 * Appends the people whose ids occur in a message [len] as a JSON object,
 * {"U061A5N1G": "Mara Klein"}; nothing when there are none. Who a message names is known from there
 * on.
 */
void slack_people_in(struct slack_people *p, const char *text, size_t len, struct buf *out);
