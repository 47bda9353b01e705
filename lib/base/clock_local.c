/*
 * clock_local.c: the zone that TZ or the machine says. Records are in UTC; this is for terminals,
 * and for what a person means by "today".
 */
#define _DEFAULT_SOURCE                    /* tm_gmtoff */

#include <time.h>

#include "base/clock.h"

/* Seconds that the zone is ahead of UTC at a time; 0 where the time has no text. */
static int64_t
ahead(int64_t us)
{
	static bool read;
	time_t s = (time_t)(us / US_PER_S - (us % US_PER_S < 0));
	struct tm tm;

	if (!read)
		tzset();
	read = true;
	return time_has_text(us) && localtime_r(&s, &tm) != NULL ? (int64_t)tm.tm_gmtoff : 0;
}

int64_t
time_to_local(int64_t us)
{
	return us == TIME_NONE ? us : us + ahead(us) * US_PER_S;
}

int64_t
time_from_local(int64_t local_us)
{
	if (local_us == TIME_NONE)
		return local_us;
	/* near a change of the clocks the offset of the guess is that of the other side */
	int64_t guess = local_us - ahead(local_us) * US_PER_S;
	return local_us - ahead(guess) * US_PER_S;
}

char *
time_format_local(int64_t us, char out[TIME_TEXT])
{
	int64_t minutes = us == TIME_NONE ? 0 : ahead(us) / 60;
	int64_t m = minutes < 0 ? -minutes : minutes;

	time_format_second(us == TIME_NONE ? us : us + minutes * 60 * US_PER_S, out);
	size_t len = strlen(out);
	if (minutes != 0 && len > 0)
		snprintf(out + len - 1, TIME_TEXT - (len - 1), "%c%02d:%02d",
		    minutes < 0 ? '-' : '+', (int)(m / 60 % 100), (int)(m % 60));
	return out;
}

char *
time_format_day_local(int64_t us, char out[TIME_TEXT])
{
	return time_format_day(time_to_local(us), out);
}
