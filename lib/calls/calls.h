/*
 * calls.h: what calls of tools say, in the forms of all agents that mem-ingest reads: which files a
 * call reads or changes, and which commands it runs. Nothing is guessed: of a file that only stands
 * in a command it is known that it was named.
 */
#pragma once

#include "base/arena.h"

enum file_did { FILE_NAMED, FILE_READ, FILE_CHANGED };

struct call_file {
	/* clean (path_join); absolute where it or the directory of the call is */
	const char *path;
	enum file_did did;
	int64_t written;                   /* bytes of all that it has then; -1: not known */
};

struct call {
	const char *id;                    /* "" for none */
	const char *tool;                  /* "" for none */
	/* the line that a shell was given, without the shell around it; NULL: none */
	const char *command;
	const char *dir;                   /* where it was run; "": not said */
	const char *const *programs;       /* [n_programs] that the line runs, by name */
	const struct call_file *files;     /* [n_files], each path once */
	size_t n_programs, n_files;
};

/*
 * Reads the tool_calls of a message, JSON text. dir: what relative paths start from where the call
 * does not say, or "". *out [*n] in the arena; what is no call of a known form is passed over.
 * Cost: some microseconds a call, and 2 ns a byte.
 */
void calls_read(const char *json, size_t len, const char *dir, struct arena *a,
	const struct call **out, size_t *n);

/* The names of the programs that a line of a shell runs; how many these are. In the arena. */
size_t calls_programs(const char *line, struct arena *a, const char *const **out);

/* A command of a line that runs a program. */
struct call_command {
	const char *program;               /* by name */
	const char *text;                  /* to its last word: redirections behind it are not in */
	const char *const *words;          /* [n_words] behind the program, without their quotes */
	size_t n_words;
};
/* All of them in order, those of one program, too; how many these are. In the arena. */
size_t calls_commands(const char *line, struct arena *a, const struct call_command **out);

/* Whether an argument of this name is what a file gets (1) or loses (-1); 0: neither. */
int calls_side(const char *key);

/*
 * How many of lines [n], without blanks at both ends, the calls, JSON text, put into a file: they
 * stand in what a file gets, and not in what it loses.
 */
size_t calls_wrote(const char *json, size_t len, const char *const *lines, size_t n,
	struct arena *a);

/*
 * What the calls did, in a line of at most so many bytes: "$ make test; changed lib/x.c"; "" where
 * there are none. In the arena.
 */
const char *calls_said(const char *json, size_t most, struct arena *a);
/* Whether a turn of this content and these tool_calls says nothing but its calls. */
bool calls_alone(const char *content, size_t len, const char *json);

/*
 * The path with "." and ".." resolved, one slash between its parts and none at the end, behind dir
 * when it is relative. A path of Windows, with its drive, gets slashes, too.
 */
const char *path_join(const char *dir, const char *path, size_t len, struct arena *a);
bool path_is_absolute(const char *path);
/*
 * Whether path, which is clean, is the file that end, clean too, means: the same, or one whose last
 * parts are those of end when end is relative, or end's those of a relative path.
 */
bool path_ends(const char *path, const char *end);
