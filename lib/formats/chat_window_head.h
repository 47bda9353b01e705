/*
 * chat_window_head.h: the one to three lines that name who speaks and when, in a conversation that
 * was copied out of a program's window. Private to chat_window.c.
 */
#pragma once

#include "clean/speaker.h"

#define CHAT_WINDOW_LINE_BYTES 160              /* a longer line is no head */

enum chat_window_form { BRACKET, DASH, BEFORE, ABOVE, BELOW_HALF, BELOW, BESIDE, N_FORMS };
enum chat_window_day { NO_DAY, BASE, BEFORE_BASE, WEEKDAY, WRITTEN };

struct chat_window_stamp {
	enum chat_window_day sort;
	int weekday;
	char day[CHAT_WINDOW_LINE_BYTES + 1], clock[40];
	/* it says am or pm, so it is a time of day and not the time since a recording began */
	bool half;
};

struct chat_window_head {
	char name[SPEAKER_BYTES + 1];      /* "": the speaker before goes on */
	struct chat_window_stamp stamp;
	size_t words;                      /* where in the line the words begin; mostly its end */
};

/* Whether heads of this form have their stamp in a line below the name. */
bool chat_window_is_below(enum chat_window_form form);

/* Whether a line is a head, or the first line of a head that may have more. */
bool chat_window_head_begins(enum chat_window_form form, const char *line, size_t len,
	struct chat_window_head *h);

/*
 * Whether a whole head begins with this line. Its further lines are read from *behind, which moves
 * behind them.
 */
bool chat_window_head(enum chat_window_form form, const char *line, size_t len, const char **behind,
	const char *end, struct chat_window_head *h);

/*
 * Whether a line only names the day of what follows: "Sunday, March 1st", "----- March 1, 2026
 * -----"
 */
bool chat_window_day(const char *line, size_t len, char day[CHAT_WINDOW_LINE_BYTES + 1]);
