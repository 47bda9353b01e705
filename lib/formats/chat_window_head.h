/*
 * chat_window_head.h: the line, or the two or three, that name who speaks and when in a
 * conversation copied out of a program's window. Private to copied.c.
 */
#ifndef FORMATS_CHAT_WINDOW_HEAD_H
#define FORMATS_CHAT_WINDOW_HEAD_H

#include "clean/speaker.h"

#define CHAT_WINDOW_LINE_BYTES 160              /* a longer line is no head */

enum chat_window_form { BRACKET, DASH, BEFORE, ABOVE, BELOW_HALF, BELOW, BESIDE, N_FORMS };
enum chat_window_day { NO_DAY, BASE, BEFORE_BASE, WEEKDAY, WRITTEN };

struct chat_window_stamp {
	enum chat_window_day sort;
	int weekday;
	char day[CHAT_WINDOW_LINE_BYTES + 1], clock[40];
	/* am or pm: a time of day, and not one since something began */
	bool half;
};

struct chat_window_head {
	char name[SPEAKER_BYTES + 1];      /* "": goes on with who spoke before */
	struct chat_window_stamp stamp;
	size_t words;                      /* in the line; its end, mostly */
};

/* Whether the stamp is in a line below the name. */
bool chat_window_is_below(enum chat_window_form form);

/* Whether a line is a head, or of those over several lines the one that may begin a turn. */
bool chat_window_head_begins(enum chat_window_form form, const char *line, size_t len,
	struct chat_window_head *h);

/*
 * Whether a head stands at this line, whole; what it has of the lines behind it is taken from
 * *behind on, which moves to what is behind them.
 */
bool chat_window_head(enum chat_window_form form, const char *line, size_t len, const char **behind,
	const char *end, struct chat_window_head *h);

/* A line between days: "Sunday, March 1st", "----- March 1, 2026 -----" */
bool chat_window_day(const char *line, size_t len, char day[CHAT_WINDOW_LINE_BYTES + 1]);

#endif
