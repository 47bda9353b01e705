/*
 * trial.h: whether what is wired works: the hook is called as the agent would call it, the server
 * asked what it offers.
 */
#pragma once

#include "setup/agent.h"
#include "setup/pieces.h"

/* The session under which the hook is tried, in its log. */
#define TRIAL_SESSION "mem-setup"

/* Sets why to what was seen, also when it works. -1: it does not. */
int trial_hook(const struct agent *a, const struct commands *c, char *why, size_t size);
int trial_server(const struct commands *c, char *why, size_t size);
