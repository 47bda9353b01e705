/*
 * progress.h: one line on stderr that says how far a long run is.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "base/base.h"

/*
 * Shows "12,345 of 99,999 messages", without "of ..." when all is 0. Only on a terminal, without
 * -q, from one second after the first call on, and ten times a second at most: so call it as often
 * as you like (30 ns when there is nothing to show).
 */
void progress_show(int64_t done, int64_t all, const char *what);

/* Takes the line off the screen. prog_warn, prog_note and prog_end do it themselves. */
void progress_clear(void);

#endif
