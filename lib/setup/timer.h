/*
 * timer.h: what runs mem-upkeep every hour: a timer of the user's systemd, an agent of macOS'
 * launchd, else a line of the crontab.
 */
#pragma once

#include "setup/agent.h"
#include "setup/journal.h"
#include "setup/pieces.h"

enum timer_kind { TIMER_NONE, TIMER_SYSTEMD, TIMER_LAUNCHD, TIMER_CRON };
extern const char *const timer_names[];        /* "", "systemd", "launchd", "crontab" */

/*
 * What it runs: the words of a command, of which the environment of this run is part, as it tells
 * where histories are.
 */
void timer_command(const char *program, const struct commands *c, struct places *words);

/* Which there is on this machine. Cost: it runs systemctl, launchctl, crontab. */
enum timer_kind timer_find(void);

/* Whether it is set up and runs as this program would set it up. 1, 0, -1 with err. */
int timer_is_on(enum timer_kind kind, const struct places *words, struct err *err);
/* Sets it up; *changed: it was not yet. The journal is locked. */
int timer_put(enum timer_kind kind, const struct places *words, struct journal *j, bool *changed,
	struct err *err);
/* Takes back what the journal says of it; nothing where it says nothing. */
int timer_undo(struct journal *j, const struct commands *c, struct err *err);
