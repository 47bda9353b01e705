/*
 * end_part.h: the parts of a sentence with their words of an end (schema/cues/ends.txt), and the
 * things that they name. For ended.c.
 */
#pragma once

#include "statement/cues.h"
#include "statement/likeness_words.h"

#define END_TABLE "schema/cues/ends.txt"

struct end_span { const char *text; size_t len; };

/* A part of a sentence with the words of the table that are in it. */
struct end_part {
	struct end_span at;
	struct cue_text found;
};

/* The part at *at, which is moved behind it. */
struct end_span end_part_next(const char **at, const char *end);
void end_part_read(struct end_part *p, struct end_span at);
/* Whether its words may say that something ends, drops or moves: most texts have none. */
bool end_part_may_end(const struct end_part *p);
/* The first word of the class at or behind byte `from` of the part; NULL: it has none. */
const struct cue *end_part_find(const struct end_part *p, const char *class, size_t from);
/* Whether the end is only supposed, asked for or denied: such a word stands before it. */
bool end_part_hedged(const struct end_part *p, const struct cue *cue);
/* Reads bytes of the part, without the words of an end, and times. */
void end_part_named(const struct end_part *p, size_t from, size_t to, struct said *s);
/* Reads a claim as words without times, and how often or when of a day: "in the mornings". */
void end_part_habit(const char *text, size_t len, struct said *s);
/* Where what begins at a byte of the part is over: "for 300 euros", "because". */
size_t end_part_bound(const struct end_part *p, size_t from);
/* What stands before a place of which alone a part is: "on staging"; NULL: nothing, or a time. */
const struct cue *end_part_scope(const struct end_part *p);
/* Reads what the things of each part of a text are for: "for the queue". */
void end_aims(const char *text, size_t len, struct said *s);
/* Whether a part says "no more", by one word or two that belong together: "keinen Kaffee mehr". */
bool end_part_no_more(const struct end_part *p);

/* A word that names something; "no", "more" and verbs that go with everything do not. */
bool end_is_thing(const struct said_word *w);
/* How many things a statement names; of them, if other is not NULL, those that it has or lacks. */
size_t end_things(const struct said *s, const struct said *other, bool has);
/* Whether a statement is of what holds: an end, a wish or a question is not ended once more. */
bool end_is_standing(const struct said *claim);
