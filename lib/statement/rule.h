/*
 * rule.h: whether a clause is a rule by its form (schema/cues/rule.txt): an order or a ban that
 * lasts. Those that a word names one, "our convention is", lasting.h knows.
 */
#pragma once

#include "base/base.h"

enum rule {
	RULE_NOT,
	RULE_ORDER,                /* what to do each time: "Never commit to main" */
	RULE_WORK,                 /* how it is done in this work: "no ORMs in this project" */
	RULE_STAYS                 /* what stays as it is: "we stay on REST, no GraphQL" */
};

/*
 * Of "I always use tabs", "Never mind", "no luck here" and "Don't push yet" it is RULE_NOT. Whose
 * words they are is another question (statement/vouch.h), as is whether they pass. Cost: some
 * microseconds.
 */
enum rule rule_of(const char *text, size_t len);
