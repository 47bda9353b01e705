/*
 * slack_export.h: what a Slack export has beside its days of messages.
 *
 *	EXPORT/users.json                  who is called what
 *	EXPORT/channels.json ...           no words
 *	EXPORT/CHANNEL/2024-05-01.json     a day
 */
#ifndef INGEST_SLACK_EXPORT_H
#define INGEST_SLACK_EXPORT_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Whether the file is one of an export's that have no messages: lists of channels and people, what
 * programs were added.
 */
bool slack_is_aside(const char *path);

/* Names of people by their ids, of one export at a time. */
struct slack_people;

struct slack_people *slack_people_new(void);
void slack_people_free(struct slack_people *p);

/*
 * Reads the names of the export that the file is a day of, unless they are at hand; none where
 * there is no export around it. -1: there is a list that cannot be read.
 */
int slack_people_of(struct slack_people *p, const char *path, struct err *err);

/*
 * Those whose ids stand in text [len], as a JSON object, {"U061A5N1G": "Mara Klein"}. Appends;
 * nothing when there are none.
 */
void slack_people_in(const struct slack_people *p, const char *text, size_t len, struct buf *out);

#endif
