/* command.h: asks a language model by the command of an agent that is installed (base/preset.h). */
#pragma once

#include "net/call.h"

/*
 * Asks once. *out is what it printed, told as the answer of OpenAI's chat would be; it is in a.
 * system may be NULL. -1 with e: NET_CONFIG, NET_CONNECT, NET_TIMEOUT, NET_SERVER, NET_REPLY.
 *
 * It runs in a directory of its own, which is empty and of which nothing is remembered
 * (base/off.h), with memory off, so that no hook of ours tells it anything or stores what it says,
 * and no program of ours that it might start asks a model again.
 */
int net_command(struct net_call *c, const char *model, const char *system, const char *text,
	struct arena *a, const struct json **out, struct net_err *e);
