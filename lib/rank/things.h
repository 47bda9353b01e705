/*
 * things.h: what kinds of things a question asks for, and which of them a text says. "How many
 * dogs?" is answered by a text with a number, "which book?" by one with a title, "what did she
 * do?" by one in which somebody says what he did. A text that has the question's words but nothing
 * of the kind repeats the question rather than answers it.
 *
 * * langs: the languages that count (lex_counting). Cost: 50 MB/s.
 */
#pragma once

#include "base/base.h"

enum thing {
	THING_NUMBER = 1,                  /* how many: figures, three, twice, a few */
	THING_SPAN = 2,                    /* how long: years, since */
	THING_PLACE = 4,                   /* where, which city: in Lisbon */
	THING_PERSON = 8,                  /* who: my sister, a friend */
	THING_TITLE = 16,                  /* which book: "Dune" */
	THING_PLAN = 32,                   /* what somebody will do: next, going to */
	THING_DONE = 64,                   /* what somebody did: I painted, we just got */
};

/* THING_ flags of what a question, or a clause of it, asks for. */
unsigned things_asked(const char *text, size_t len, unsigned langs);
/* THING_ flags of what a text says. */
unsigned things_said(const char *text, size_t len, unsigned langs);
