/*
 * silence.h: turns that say nothing of any matter: "ok", "go on", and a tool's line that a file was
 * updated. They share a word with many questions, and answer none.
 */
#pragma once

#include "base/base.h"

#define SILENCE_WORDS 5            /* of somebody's turn that says nothing, at most */
#define SILENCE_COMES 24           /* of a service's that somebody has joined, at most */
#define SILENCE_BYTES 240          /* of a tool's line */

/* Whether a tool's result is a number alone, or one line that says that something was done. */
bool silence_of_tool(const char *text, size_t len);

/*
 * Whether a short turn has no word of content: no number, name or word but those that a language
 * has for grammar, for courtesy, or that fit any matter, in whatever language. "I stopped" has one.
 * So says what a service tells of who comes and goes.
 */
bool silence_of_talk(const char *text, size_t len);

/*
 * The same of an answer to a question. What has all of its words was looked for by them. order: a
 * short turn says nothing, either, that begins with a word of the question that orders something to
 * be done, and has no other of content that stands there: "run the tests" to "when do I run?"
 */
bool silence_to(const char *question, size_t question_len, const char *text, size_t len,
	bool order);

/*
 * Whether a text has words of a question, but of those that name something none: "a new image" of
 * "my new address".
 */
bool silence_shares(const char *question, size_t question_len, const char *text, size_t len);
