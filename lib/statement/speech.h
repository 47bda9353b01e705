/*
 * speech.h: what of a text is nobody's own statement: headers of mails and what is quoted below
 * them, a service's messages, addresses, code and output of programs, and clauses that are torn or
 * cannot be understood without what stands before them.
 */
#pragma once

#include "base/base.h"

enum speech {
	SPEECH_OWN,                /* what somebody says */
	SPEECH_NONE,               /* a header, a greeting, a service's message, output */
	SPEECH_OVER                /* from here on a mail that is answered, or a signature */
};

/*
 * What the line of text [len] from start to end is; both are its bytes, without the newline. Cost:
 * linear in the line and the three behind it.
 */
enum speech speech_of_line(const char *text, size_t len, size_t start, size_t end);

/*
 * The bytes of a text before its signature, what a list adds below a mail, and what a service says
 * of who comes and goes at its end; 0: it only says that, or nothing. Cost: linear.
 */
size_t speech_own(const char *text, size_t len);

/* Whether the line from start to end goes on in the next one, as those of mails do. */
bool speech_goes_on(const char *text, size_t len, size_t start, size_t end);

/* Whether a clause says something that can be understood alone, in words. Cost: linear. */
bool speech_stands(const char *clause, size_t len);

/*
 * Whether a word of it stands for what was said before, and hardly another says anything: "we
 * decided to drop it". In "I sign the form and send it" the clause itself has the thing.
 */
bool speech_hangs(const char *clause, size_t len);

/* Whether a text begins by taking back what was said before it: "No, ...", "forget that". */
bool speech_takes_back(const char *text, size_t len);
