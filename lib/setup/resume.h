/* resume.h: the commands by which agents go on with a session of theirs. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#define RESUME_WORDS 6

/*
 * Fills argv with the words of the command of a host, as the metadata of a session names it, NULL
 * last; where the session is a part of a longer one, for all of it. false: the host's documents
 * tell none, or the session is not one that the host has named.
 */
bool resume_words(const char *host, const char *session, struct arena *a,
	const char *argv[RESUME_WORDS]);

/*
 * The same of the command by which a host begins a session with that prompt. false: its documents
 * tell none.
 */
bool resume_begin(const char *host, const char *prompt, const char *argv[RESUME_WORDS]);
/* Appends the names of the hosts that have one, a line each. */
void resume_hosts(struct buf *out);
