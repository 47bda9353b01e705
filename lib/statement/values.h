/*
 * values.h: what a statement sets something to, by types of values: a number, a time, a name, an
 * identifier.
 */
#pragma once

#include "statement/likeness_words.h"

enum value_type { VALUE_NUMBER = 1, VALUE_TIME = 2, VALUE_NAME = 4, VALUE_SIGN = 8 };

/*
 * Of which types but VALUE_TIME those words of s are that the other lacks. inside: s begins within
 * a sentence, so that its first word has a capital of its own.
 */
unsigned values_own(const struct said *s, const struct said *other, bool inside);

/* Reads a text without its words of time: "I left the choir last month" speaks of no month. */
void values_read_untimed(struct said *s, const char *text, size_t len);

/* Whether a text names a time of which the other lacks a word. */
bool values_own_time(const char *text, size_t len, const struct said *other);

/*
 * Whether two statements on one key give it another value of one type; or of two that say the same
 * but for one thing, that thing; or the opposite.
 */
bool values_differ(const struct said *older, const struct said *newer);
