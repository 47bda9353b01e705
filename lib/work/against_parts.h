/* against_parts.h: what the files of against.h share. Private to them. */
#pragma once

#include "calls/calls.h"
#include "statement/cues.h"
#include "work/against.h"

#define AGAINST_WORD 24
#define CUES_MOST    400
#define LINE_BYTES   400
#define WORDS_MOST   160

/* Things of which one has one at a time: who decided for one has decided against the others. */
#define AGAINST_THINGS cues_of("schema/cues/values.txt")

/* The classes of schema/cues/against.txt, in their order there. */
enum says {
	SAYS_NOT, SAYS_DONT, SAYS_BARE, SAYS_LEAD, SAYS_PLEASE, SAYS_USE, SAYS_OUT, SAYS_RULE,
	SAYS_KEEP, SAYS_NOW, SAYS_ONLY, SAYS_MOST, SAYS_LEAST, SAYS_PASSING,
	SAYS_THIRD, SAYS_OTHERS, SAYS_WHERE, SAYS_ASIDE, SAYS_WHY, SAYS_WHEN, SAYS_ALL, SAYS_OR,
	SAYS_LIGHT, SAYS_LOG, SAYS_DEPENDENCY, SAYS_DELETE, SAYS_EDIT, SAYS_TEST, SAYS_SWITCH,
	SAYS_COMMIT, SAYS_VOID, SAYS_LOOK
};
#define SAYS(x) (1u << SAYS_##x)
_Static_assert(SAYS_LOOK < 32, "a bit for each class");
/* what is done, by several names */
#define AGAINST_CONCEPTS (SAYS(LOG) | SAYS(DEPENDENCY) | SAYS(DELETE) | SAYS(EDIT) | SAYS(TEST))

struct against_word {
	uint32_t start, end;       /* bytes of its text */
	unsigned says, begins;     /* SAYS of the cues it is in, or is the first word of */
	char term[AGAINST_WORD + 1];           /* in lower case, stemmed */
	uint8_t n;
	bool number, han;
	bool sign;                 /* written as an identifier */
	bool part;                 /* of the identifier before it */
	bool prose;                /* of a comment or a message */
	bool star;                 /* "*" stands behind it: "select *" is one thing */
	unsigned kind;             /* its class of AGAINST_THINGS and 1 more; 0: none */
};

struct against_words { struct against_word *w; size_t n; };

struct against_line {
	enum change_side side;
	const char *text;
	size_t len;
	struct against_words words;
};

struct against_change {
	const char *path, *command;
	bool looks, prose;
	bool drops;                /* all that it does is to take something out, or to look */
	bool tabs, spaces;         /* that gained lines begin with, and no other */
	const char *const *programs;
	size_t n_programs;
	struct against_words path_words;
	struct against_line *lines;
	size_t n;
};

/* parts: of identifiers, too. In the arena. */
void against_words_read(const char *text, size_t len, bool parts, struct arena *a,
	struct against_words *v);
/* b: a word of a rule. loosely: also of one stem, by how they begin. */
bool against_same(const struct against_word *a, const struct against_word *b, bool loosely);
/* Whether the word has one of SAYS. */
static inline bool
against_says(const struct against_word *w, unsigned says)
{
	return (w->says & says) != 0;
}
/* Whether two words are things of one kind that are not the same: npm, yarn. */
bool against_rivals(const struct against_word *a, const struct against_word *b);

/* What one unit may have of another: seconds, bytes, thousands. */
#define AGAINST_UNITS 9
extern const double against_units[AGAINST_UNITS];
/* Whether two numbers are one, in the same or in another unit. */
bool against_number_is(const struct against_word *a, const struct against_word *b);

/* ---- what stands where in a change ---- */

/* The first of the words that is the same, or NULL. */
const struct against_word *against_word_of(const struct against_words *v,
	const struct against_word *w, bool loosely);
/* Whether the change takes something away, or leaves it: then it is no new one. */
bool against_was_there(const struct against_change *c, const struct against_word *w);
/* What says which files it writes into: its path, or of its command what may; NULL: it does not. */
const char *against_written(const struct against_change *c);
/* Whether a program by itself takes out what is there: "rm". */
bool against_takes_out(const char *program);

/* ---- a part of a sentence ---- */

struct against_sentence {
	const struct against_change *c;
	const char *text;
	struct against_words words;
	unsigned says, turn_says;          /* of all of it; of a short turn that it is in */
	bool rule;                         /* it is one by its form (statement/rule.h) */
};

/* Whether the word says something by itself. */
bool against_is_content(const struct against_word *w);
/*
 * Whether the change does what words [from, to) say is not to be, where the word `at` says so;
 * before: of what stands before it; several: of one thing alone it is in doubt.
 */
bool against_forbidden(const struct against_sentence *j, size_t from, size_t to, size_t at,
	bool before, bool several);
/* Whether the word stands in the path of the change, or in one of its lines. */
bool against_has(const struct against_change *c, const struct against_word *w);
/* Whether it adds one more to things that words [from, to) say are the only ones. */
bool against_one_more(const struct against_sentence *j, size_t from, size_t to);
/* What the change is to a number, another value, or a thing of some kind, at word `at`. */
enum against against_number(const struct against_sentence *j, size_t from, size_t to, size_t at);
enum against against_value(const struct against_sentence *j, size_t from, size_t to, size_t at);
enum against against_kind(const struct against_sentence *j, const struct against_word *rule);
