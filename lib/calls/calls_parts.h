/* calls_parts.h: what the files of this room share. */
#pragma once

#include "calls/calls.h"

#define CALL_FILES    64           /* paths of a call that count */
#define CALL_PROGRAMS 32

/* A call being read. */
struct call_reader {
	struct arena *arena;
	const char *dir;                   /* "" or what relative paths start from now */
	struct call_file files[CALL_FILES];
	const char *programs[CALL_PROGRAMS];
	size_t n_files, n_programs;
	struct call_command *commands;     /* [CALL_PROGRAMS]; NULL: they are not wanted */
	size_t n_commands;
	unsigned depth;                    /* of shells within shells */
};

/* Adds a path, or what was done with one that is there. */
void call_file_add(struct call_reader *r, const char *path, size_t len, enum file_did did);
/* Adds a program by its name; false: the word is none. */
bool call_program_add(struct call_reader *r, const char *word);

/* ---- shell.c ---- */
/* Reads a line, or several, of a shell: its programs and files. */
void shell_read(struct call_reader *r, const char *text, size_t len);
/*
 * The same of words [n] that are run without a shell. Which of them names the program; n: none, or
 * it is a shell with a script, whose commands were read.
 */
size_t shell_words(struct call_reader *r, const char *const *words, size_t n);
/* The script in "bash -lc SCRIPT"; NULL: words [n] run no shell. */
const char *shell_script(const char *const *words, size_t n);
