/*
 * polarity.h: whether a statement says that something is so, or that it is not ("I don't live in
 * Berlin"), no longer ("I no longer live in Berlin"), was once ("I used to live in Berlin"), or is
 * only wished for ("I want to live in Berlin"). In English, German, Chinese, Spanish, Italian and
 * French, by the words of schema/cues/vouch.txt.
 */
#pragma once

#include "base/base.h"

enum polarity {
	POLARITY_HOLDS,
	POLARITY_DENIED,       /* also when nothing is said of it: "I stopped worrying about it" */
	POLARITY_ENDED,
	POLARITY_PAST,
	POLARITY_WISHED
};

/*
 * Of what the word at bytes [start, end) of the text says: "live" of "I don't live in Berlin".
 * Cost: linear.
 */
enum polarity polarity_of(const char *text, size_t len, size_t start, size_t end);
