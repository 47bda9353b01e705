/* progress.h: one line on stderr that shows how far a long run is. */
#pragma once

#include "base/base.h"

/*
 * Shows "12,345 of 99,999 messages", without "of ..." when all is 0. It does so only on a terminal,
 * without -q, from one second after the first call on, and at most ten times a second, so it may be
 * called often (30 ns when there is nothing to show). Of what has an end the rate and how long the
 * rest takes is shown, too.
 */
void progress_show(int64_t done, int64_t all, const char *what);

/* Removes the line from the screen. prog_warn, prog_note and prog_end do that themselves. */
void progress_clear(void);
