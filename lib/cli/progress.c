/*
 * progress.c: writes the line over itself: carriage return, text, erase to the end of the line
 * (ECMA-48 EL).
 */
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "cli/prog.h"
#include "cli/progress.h"

#define EVERY_US (US_PER_S / 10)

#define RATE_US  (3 * US_PER_S)            /* a rate of less time tells little */

static int64_t next_us;
/* when it was called first, and how much was done then */
static int64_t began_us, began;
static bool shown;

/* How many a second, and how long the rest takes if it goes on so. */
static void
add_rate(struct buf *b, int64_t now_us, int64_t done, int64_t all)
{
	double per_s = (double)(done - began) * US_PER_S / (double)(now_us - began_us), left;

	if (now_us - began_us < RATE_US || per_s <= 0)
		return;
	left = (double)(all - done) / per_s;
	buf_addf(b, per_s < 10 ? ", %.1f a second" : ", %.0f a second", per_s);
	if (left >= 5400)
		buf_addf(b, ", %.1f hours left", left / 3600);
	else if (left >= 90)
		buf_addf(b, ", %.0f minutes left", left / 60);
	else if (left >= 1)
		buf_addf(b, ", %.0f seconds left", left);
}

void
progress_show(int64_t done, int64_t all, const char *what)
{
	if (next_us == INT64_MAX)
		return;
	int64_t now_us = clock_mono_us();
	if (next_us == 0) {
		began_us = now_us;
		began = done;
	}
	if (next_us == 0)
		next_us =
		    prog_common.quiet || !isatty(STDERR_FILENO) ? INT64_MAX : now_us + US_PER_S;
	if (now_us < next_us)
		return;
	next_us = now_us + EVERY_US;
	LOCAL(buf) line = buf_of(1024);
	buf_addc(&line, '\r');
	buf_add_count(&line, done);
	if (all > 0) {
		buf_adds(&line, " of ");
		buf_add_count(&line, all);
	}
	buf_addf(&line, " %s", what);
	if (all > done)
		add_rate(&line, now_us, done, all);
	buf_adds(&line, "\033[K");
	if (write(STDERR_FILENO, line.data, line.len) < 0)
		next_us = INT64_MAX;           /* nobody reads it any more */
	shown = true;
}

void
progress_clear(void)
{
	if (shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		next_us = INT64_MAX;
	shown = false;
}
