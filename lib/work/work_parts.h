/* work_parts.h: what the files that search for work share. Private to lib/work. */
#pragma once

#include "calls/calls.h"
#include "work/work.h"

/* messages looked at, of those that the lists name: the newest */
#define WORK_MESSAGES 1000
/* turns after a call in which its result is looked for */
#define WORK_RESULT_TURNS 40
#define LINES_OF 16                /* of a result that are compared */

struct work_search {
	struct store *s;
	const struct work_want *want;
	struct arena *a;
	struct work *items;                /* [n], in no order; free() */
	size_t n, cap;
	const struct session *session;     /* the last one asked for; NULL: none */
	const char *session_dir;
};

/* Finds s->items of one kind, with all that their order needs. */
int work_files(struct work_search *s, struct err *err);
int work_commands(struct work_search *s, struct err *err);
int work_errors(struct work_search *s, struct err *err);
/* Adds the last decision before message w->id in its session. */
int work_last_decision(struct work_search *s, struct work *w, struct err *err);
/* What else is told of one that is handed out. */
int work_file_tell(struct work_search *s, struct work *w, struct err *err);

/*
 * Messages of the scope that one of keys [n] names (keys NULL: all of the kind), those of the
 * newest sessions first. m lives until fn returns, which is 0 to go on, 1 to stop or -1 with err.
 */
typedef int work_message_fn(struct work_search *s, void *arg, const struct message *m,
	struct err *err);
int work_each(struct work_search *s, const uint64_t *keys, size_t n, work_message_fn *fn, void *arg,
	struct err *err);
/* The same of rows [n] as work_rows gives them, which are changed. */
int work_each_row(struct work_search *s, struct work_row *rows, size_t n, work_message_fn *fn,
	void *arg, struct err *err);

/* What is known of a session: s->session, s->session_dir ("" where it is not said). */
int work_session(struct work_search *s, const char *id, struct err *err);

/* A new item, for the message. */
struct work *work_item(struct work_search *s, const struct message *m);
/* Adds a note while there is room; text is clipped, and copied. */
void work_note(struct work_search *s, struct work *w, const char *what, const struct message *m,
	const char *text, size_t len, const struct outcome *o);

/* Reads what followed the error in message w->id, and which call gave it, into w. */
int work_around(struct work_search *s, struct work *w, struct err *err);
/*
 * Whether another line was run in place of that which gave the error w: it has all words of it but
 * options and the program that is missing, of those that the error names one much the same, uses
 * no force that the first does not, and hides no failure that it would show.
 */
bool work_is_instead(const char *line, const char *other, const struct work *w);
/* Whether a text names something that the other line has, and the line has not. */
bool work_is_asked(const char *line, const char *other, const char *text);
/* Whether the note is a command that may have cured the error. */
bool work_is_step(const struct work *w, const struct work_note *n);
/*
 * Whether a line has words by which a command gets its way, or takes something away, that the other
 * line has not: what a person did then is no advice.
 */
bool work_uses_force(const char *line, const char *but);
/* Whether it is as programs print errors: "TypeError: x is not a function". */
bool work_is_printed(const struct error_line *l);
/* Whether a line of a result, with the exit status, says of a program that it is not there. */
bool work_is_missing(const char *text, size_t len, int status, const char *program);
/* Blanks at both ends cut off. */
const char *work_trimmed(struct work_search *s, const char *line);

/* What came of the call with this id in the message: its outcome, time and text, in the arena. */
struct work_result {
	bool found;
	int64_t time_us, row;
	struct outcome outcome;
	const char *text;
	size_t len;
};
int work_result(struct work_search *s, const struct message *m, const char *call_id,
	struct work_result *out, struct err *err);
