/*
 * made.h: by what a fact was made, kept beside its own keys as "made": "rules:1-5f3a9c21" by rules,
 * or "model:NAME" by a language model. The number after "rules:" is raised when the code gives
 * other facts, the hash is that of the files of rules, so that facts of other rules than today's
 * are told apart.
 */
#pragma once

#include "store/records.h"

#define MADE_TEXT 128

/* Today's rules. */
void made_by_rules(char out[MADE_TEXT]);

/* What the record says, in a; "" when it does not say. */
const char *made_of(const struct record_head *h, struct arena *a);

/* Whether it says that rules made it. */
bool made_is_rules(const char *made);

/* Whether the record's key, if it has one, was read from its words by rules: that is a guess. */
bool made_key_guessed(const struct record_head *h, struct arena *a);
