/*
 * ended.h: whether a statement says that what an older one says holds no longer, and names what
 * ended: "we dropped Redis", "the choir is no more", "I don't drive any more", "stand-up moved to
 * 9:15" (schema/cues/ends.txt, in seven languages).
 *
 * Nothing is ended by a guess: "I moved to Berlin" and "my new address is near Tempelhof" may both
 * hold. This is the one place that says so, for what is remembered and for what is audited.
 */
#pragma once

#include "base/base.h"

/*
 * Whether the newer text ends the older one. Both must be their author's own words and about the
 * same one, the newer one must ask and wish for nothing, and the older one must say little else.
 * A label, as of a decision, is none of their words.
 * Cost: some 50 microseconds a sentence; less where the newer one has no word of an end.
 */
bool ended_text(const char *older, size_t older_len, const char *newer, size_t newer_len);
/* Whether a text says that "we" use something no longer, by its name: "we dropped Redis". */
bool ended_names(const char *text, size_t len);

/*
 * Whether a text says that something was moved to another time: "the launch was moved to 9 June".
 * Cost: some microseconds.
 */
bool ended_moves(const char *text, size_t len);
