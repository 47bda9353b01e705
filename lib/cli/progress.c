/*
 * progress.c: writes the line over itself: carriage return, text, erase to the end of the line
 * (ECMA-48 EL).
 */
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/progress.h"

#define EVERY_US (US_PER_S / 10)

static int64_t next_us;
static bool shown;

void
progress_show(int64_t done, int64_t all, const char *what)
{
	int64_t now_us;
	struct buf line;

	if (next_us == INT64_MAX)
		return;
	now_us = clock_mono_us();
	if (next_us == 0)
		next_us =
		    prog_common.quiet || !isatty(STDERR_FILENO) ? INT64_MAX : now_us + US_PER_S;
	if (now_us < next_us)
		return;
	next_us = now_us + EVERY_US;
	buf_init(&line, 1024);
	buf_addc(&line, '\r');
	print_count(&line, done);
	if (all > 0) {
		buf_adds(&line, " of ");
		print_count(&line, all);
	}
	buf_addf(&line, " %s\033[K", what);
	if (write(STDERR_FILENO, line.data, line.len) < 0)
		next_us = INT64_MAX;           /* nobody reads it any more */
	buf_release(&line);
	shown = true;
}

void
progress_clear(void)
{
	if (shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		next_us = INT64_MAX;
	shown = false;
}
