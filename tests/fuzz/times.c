/*
 * times: any bytes to time_parse and to what finds words of time; what is a time comes back from
 * its text.
 */
#include "fuzz.h"

#include "time/timewords.h"

static const int64_t now = 1716206400000000;   /* 2024-05-20T12:00:00Z */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct time_span spans[4];
	char *text = text_of(data, size, 0), *nul = text_of(data, size, 1), out[TIME_TEXT];
	int64_t us, end, again;
	struct civil c;
	size_t n;

	if (time_parse(text, size, &us, &end) == 0) {
		PROMISE(end > us);
		time_civil(us, &c);
		PROMISE(c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31);
		time_format(us, out);
		PROMISE(time_parse(out, strlen(out), &again, NULL) == 0 && again == us);
	}
	if (time_parse_relative(nul, now, &us, &end) == 0)
		time_format(us, out);
	n = timewords_find(text, size, now, spans, 4);
	PROMISE(n <= 4);
	for (size_t i = 0; i < n; i++) {
		PROMISE(spans[i].start < spans[i].end && spans[i].end <= size);
		PROMISE((spans[i].from_us == TIME_NONE) == (spans[i].to_us == TIME_NONE));
		PROMISE(spans[i].from_us == TIME_NONE || spans[i].from_us < spans[i].to_us);
	}
	timewords_asks_when(text, size);
	timewords_recalls(text, size);
	timewords_looks_back(text, size);
	free(nul);
	free(text);
	return 0;
}
