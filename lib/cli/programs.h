/*
 * programs.h: lists the programs: ours, from the table made at build time, then all others in PATH
 * whose name begins with "mem-".
 */
#pragma once

#include "base/base.h"

struct program {
	const char *name;          /* "mem-search" */
	const char *job;           /* one line */
};

/* All programs, read once and kept. Returns how many. */
size_t programs_all(const struct program **list);
bool programs_has(const char *name);
/* Whether it came with this one. */
bool programs_ours(const char *name);

/* Writes ", did you mean 'search'?", or where to look when no verb is near. Returns out. */
const char *programs_hint(const char *verb, char *out, size_t size);

/* The directory of this program, with links followed. Returns dir. */
char *programs_dir(char *dir, size_t size, const char *argv0);
