/*
 * reader.h: a reader of text formats, as its file gives it to turns.c, which alone calls it. A new
 * text format is a file here that defines a struct reader, a row of READERS below, and a sample
 * with what it gives in tests/fixtures/from/: detection, reading, --from, the names of files in
 * directories and the fuzz target all go by the rows.
 */
#pragma once

#include "formats/turns.h"

/*
 * The readers in the order in which a file is shown to them: the first that knows the file's
 * format reads it, so those that cannot be wrong stand before those that guess.
 */
#define READERS(ROW) \
	ROW(mail_reader) \
	ROW(captions_reader) \
	ROW(chatml_reader) \
	ROW(chatlog_reader) \
	ROW(table_reader) \
	ROW(aider_reader) \
	ROW(labelled_reader) \
	ROW(chat_window_reader)

#define READER_FORMS 6                     /* of one reader, and an empty one behind them */

struct reader {
	/* the formats that it reads, up to the first without a name */
	struct turns_form forms[READER_FORMS];
	/* the format that these first bytes of a file have, by name; NULL: none of this reader */
	const char *(*detect)(const char *bytes, size_t len);
	/*
	 * Gives what the reader remembers from line to line, which the functions below get as
	 * state. name is the file's. NULL: the reader remembers nothing, and state is NULL.
	 */
	void *(*open)(const char *form, const char *bytes, size_t len, const char *name);
	void (*close)(void *state);        /* NULL: there is nothing to free */
	/* as turns_begins */
	bool (*begins)(void *state, const char *line, size_t len,
		const struct turns_around *around);
	/*
	 * As turns_read. *out is filled in before: a turn of nobody at no time, whose text is the
	 * whole unit. A reader of records sets out->record alone.
	 */
	int (*read)(void *state, const char *unit, size_t len, struct arena *a, struct turn *out,
		struct err *err);
	bool (*in_doubt)(const void *state);       /* as turns_in_doubt; NULL: it never is */
	/* a unit says in which charset it is, so bytes that are not UTF-8 are no fault */
	bool any_charset;
};

#define READER_DECLARE(name) extern const struct reader name;
READERS(READER_DECLARE)
#undef READER_DECLARE
