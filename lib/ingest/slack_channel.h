/*
 * slack_channel.h: sessions of Slack's exports. Two workspaces may have channels of one name, which
 * are two sessions.
 */
#pragma once

#include "ingest/ingest_batch.h"

struct slack_channels;

struct slack_channels *slack_channels_new(struct store *s, const struct ingest_options *o);
void slack_channels_free(struct slack_channels *c);

/*
 * Sets *session to that of a channel of the workspace space ("": not known), of whose messages the
 * first bytes are given: the channel's name, or "SPACE/CHANNEL" where another workspace has that
 * name already. Which has it is put into the batch. Borrowed until the next call.
 */
int slack_channels_of(struct slack_channels *c, const char *space, const char *channel,
	const char *bytes, size_t len, struct batch *b, const char **session, struct err *err);
