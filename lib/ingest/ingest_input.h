/*
 * ingest_input.h: one input of mem-ingest, cut into units: lines, elements of a document,
 * paragraphs, or turns.
 */
#ifndef INGEST_INGEST_INPUT_H
#define INGEST_INGEST_INPUT_H

#include <signal.h>

#include "formats/turns.h"
#include "ingest/long_text.h"

struct input;

enum input_mode { INPUT_LINES, INPUT_ELEMENTS, INPUT_PARAGRAPHS, INPUT_TURNS };

enum input_got {
	INPUT_END = 0,
	INPUT_UNIT = 1,
	INPUT_TOO_LONG = 2,        /* longer than its cap; *text is its beginning */
	INPUT_PARTIAL = 3,         /* a last line without a newline, which may be half written */
	/* the document ends inside this element or, with *len 0, before its array is closed */
	INPUT_CUT = 4,
	INPUT_LONG = 5,            /* an element too long for memory: input_long has it */
};

/*
 * Called when the input has nothing to read and wait_ms, the time that may still be waited, is
 * over.
 */
struct input_idle {
	int (*idle)(void *arg, struct err *err);
	int64_t (*wait_ms)(void *arg);
	void *arg;
	const volatile sig_atomic_t *stop;         /* ends a wait, and with it the input */
};

int
input_open(const char *path, const struct input_idle *idle, struct input **out, struct err *err);
void input_close(struct input *in);

int input_peek(struct input *in, const char **bytes, size_t *len, struct err *err);
/* Goes on where reading ended the last time; called before anything else. */
int input_resume(struct input *in, uint64_t offset, uint64_t line, struct err *err);
void input_set_mode(struct input *in, enum input_mode mode);
/*
 * Like INPUT_ELEMENTS, where elements over in_memory bytes are not too long, but INPUT_LONG. Called
 * before input_set_mode.
 */
void input_take_long(struct input *in, size_t in_memory);
/* The element that was INPUT_LONG, borrowed until the next is read. */
struct long_text *input_long(struct input *in);
/*
 * For INPUT_TURNS: whether a turn begins with a line; called in order for each line that is not
 * blank.
 */
typedef bool input_begins_fn(void *arg, const char *line, size_t len,
	const struct turns_around *around);
void input_set_turns(struct input *in, input_begins_fn *begins, void *arg);
/*
 * For text: what is no character of UTF-8 becomes U+FFFD, and NULs at the ends of lines are
 * dropped.
 */
void input_mend(struct input *in);
/* How many characters were replaced so far. */
uint64_t input_mended(const struct input *in);
/*
 * Reads the next unit. Returns enum input_got, or -1. *text is borrowed until the next call, and a
 * NUL follows it.
 */
int input_next(struct input *in, const char **text, size_t *len, struct err *err);

const char *input_name(const struct input *in);
void input_set_name(struct input *in, const char *name);       /* for messages; copied */
/* the first line of the unit, or the element's place, from 1 */
uint64_t input_number(const struct input *in);
uint64_t input_line(const struct input *in);       /* lines read so far */
uint64_t input_offset(const struct input *in);     /* bytes read so far */
/* the unit was too long, and may go on when the file has grown */
bool input_is_unended(const struct input *in);
/* all bytes were read, though not all units were returned */
bool input_is_read(const struct input *in);
bool input_is_packed(const struct input *in);

#endif
