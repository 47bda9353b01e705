/*
 * stance.h: whether a statement speaks of what is, was or will be, of what ended, or of what is
 * only wanted, tried or asked (schema/cues/stance.txt). "I have a dog", "I had a dog", "I lost a
 * dog" and "I want a dog" are about one thing, and none says the same as another.
 */
#pragma once

#include "base/base.h"

enum stance {
	STANCE_PAST = 1 << 0,
	STANCE_MAYBE_PAST = 1 << 1,            /* may be of the past: explains it in the other */
	STANCE_FUTURE = 1 << 2,
	STANCE_MAYBE_FUTURE = 1 << 3,
	STANCE_ENDED = 1 << 4,
	STANCE_HAPPENED = 1 << 5,              /* an event: found, crashed */
	STANCE_WANTS = 1 << 6,
	STANCE_TRIES = 1 << 7,
	STANCE_KIN = 1 << 8,                   /* said of somebody near the speaker */
	STANCE_SELF = 1 << 9,                  /* names the speaker */
	STANCE_ASKS = 1 << 10
};

/* The set of enum stance of a text. Cost: linear. For threads too. */
unsigned stance_of(const char *text, size_t len);

/* Whether two sets forbid taking their statements for the same. */
bool stances_differ(unsigned a, unsigned b);
