/*
 * followup_parts.h: what followup.c is made of: whether a question needs the conversation before
 * it, and how likely each word of the conversation is meant. Private to lib/followup and to the
 * tool that measures, tests/bench/followup_tool.c.
 */
#pragma once

#include "followup/followup.h"
#include "followup/references.h"

/* ---- does the question need the conversation? ---- */

#define NEED_FEATURES(X) \
	X(BIAS, "bias") X(IT, "it") X(THEY, "they") X(PERSON, "person") X(THIS, "this") \
	X(THAT, "that") X(ONE, "one") X(THERE, "there") X(SAME, "same") X(OTHER, "other") \
	X(MORE, "more") X(BOTH, "both") X(ORDER, "order") X(TIME, "time") /* as classes */ \
	X(POINTS, "any pronoun") X(LATE, "pronoun behind two content words") \
	X(LATE_ANY, "pronoun behind one") X(ABOUT, "how about") \
	X(JOINED, "starts with and, or, but, so") X(WHAT_IS, "starts with what is") \
	X(ME, "i, my") X(YOU, "you") X(POLITE, "thanks") X(SINGLE, "one content word") \
	X(PAIR, "two") X(MANY, "four or more") X(RUN, "longest run, ln") X(WORDS, "words, ln") \
	X(OLD, "share of its words that were said") X(NEW, "no word that was said") \
	X(CAPITAL, "a capital inside") X(LIGHT, "share of light words") \
	X(OF, "of, before a content word") X(TURNS, "turns, ln") \
	X(FIRST, "the first question") X(ANSWERED, "somebody answers") \
	X(WHY, "why") \
	X(QUESTION, "question mark") X(NO_TOPIC, "no word with a topic") X(TOPIC_1, "one") \
	X(TOPIC_LENGTH, "letters of the longest new one") \
	X(PARTLY, "part of a name that was said") \
	X(RELATION_END, "ends in a word that wants an of") \
	X(THE_RELATION, "the, before such a word")

enum need_feature {
#define X(id, name) NEED_##id,
	NEED_FEATURES(X)
#undef X
	N_NEEDS
};

/*
 * Each kind of talk has weights of its own: questions alone; scripts without spaces; chats, where
 * the user also tells things.
 */
enum followup_kind { FOLLOWUP_PLAIN, FOLLOWUP_HAN, FOLLOWUP_CHAT, N_FOLLOWUP_KINDS };

/* What the last turn of a conversation leaves out. */
struct lack {
	struct reference found[REFERENCES];
	size_t n;
	classes kinds;             /* of found */
	bool han;                  /* in a script without spaces */
	bool bare;                 /* no word of it names a topic */
	bool chat;                 /* the user also tells things, and somebody answers */
	enum followup_kind kind;
};

/* Computes the features of the question that is turn at of t; later turns are ignored. */
void need_features(const struct conversation *t, size_t at, struct lack *l, float x[N_NEEDS]);

/* Whether question `at` of t is complete whatever was said before; see whole.c. */
bool question_is_whole(const struct conversation *t, size_t at, const struct lack *l);

/* The probability that question at of t needs the turns before it; 0 for the first turn. */
float need_score(const struct conversation *t, size_t at, struct lack *l);

/* ---- which words does it need? ---- */

#define TERM_FEATURES(X) \
	X(BIAS, "bias") X(CHAT, "in a chat") X(HAN, "Chinese") X(LAST, "in the last question") \
	X(BEFORE, "in the one before") X(FIRST, "in the first question") \
	X(ANSWER, "in the last answer") X(OLDER_ANSWER, "only in older answers") \
	X(TITLE, "in the title") X(SECTION, "in a later title") \
	X(TOPIC, "in the last whole question") X(ASKED_OFTEN, "share of questions") \
	X(ANSWERED_OFTEN, "share of answers") X(AGE, "turns since, ln") \
	X(STALE, "not since the last whole question") X(TURNS, "turns with it") \
	X(RIVALS, "content words of its turn, ln") \
	X(LONG, "in a last answer of 25 content words or more") \
	X(LONG_OPENS, "in its first sentence") X(CLOSES, "in the last sentence said") \
	X(ANSWER_EARLY, "early in the last answer") \
	X(ANSWER_SHORT, "in a last answer of few words") X(LIGHT, "light") X(VERB, "verb") \
	X(RELATION, "wants an of") X(NUMBER, "number") X(NOUN, "capital in German") \
	X(ING, "ends in ing") X(PLURAL, "ends in s") X(SHORT, "three letters or fewer") \
	X(ADVERB, "ends in ly") X(HAN_SHORT, "one character") X(HAN_LONG, "four or more") \
	X(NAME, "name") X(NAMED_OFTEN, "times named, by the most of any") \
	X(ALONE, "its run is one word") X(RUN3, "its run is three or more") \
	X(AFTER_ARTICLE, "its run is behind an article") X(AFTER_PLACE, "behind in, at, from") \
	X(START, "first of its sentence") X(BESIDE, "beside a word of the question") \
	X(NEAR, "in a sentence with a word of the question") \
	X(PLURAL_THEY, "plural, and they") X(SINGULAR_IT, "singular, and it") \
	X(PLACE_THERE, "behind in, at, from, and there") \
	X(HUMAN, "like a person, and he or she") X(HUMAN_ELSE, "the same, else") \
	X(GENDER, "of the gender asked for") X(NO_GENDER, "of another gender") \
	X(DAY, "day or month") X(CAPITAL, "capital inside a sentence") \
	X(ANSWER_CAPITAL, "capital in the last answer") \
	X(AFTER_OF, "after of, about, for, in") X(AFTER_BE, "after is, are, does, did") \
	X(FIRST_ANSWER, "in the first answer") X(NAMED_TWICE, "a name said by both") \
	X(NAMED_NONE, "named, and neither") X(REPEATED, "in the first and in a later turn") \
	X(END, "last of its turn") X(HEAD, "last of its run, in a question") \
	X(ASKED_RIVALS, "content words of its question, ln") \
	X(CODE, "an identifier, a path") X(PAST, "ends in ed, no capital") \
	X(RUN_END, "last of its run") X(STANDING, "behind an article, last of its run")

/* One weight for each pair of where a term stands and what the question leaves out. */
enum { TERM_PLACES = 6, TERM_LACKS = 6 };

enum term_feature {
#define X(id, name) TERM_##id,
	TERM_FEATURES(X)
#undef X
	TERM_PLACED,                                           /* [TERM_LACKS][TERM_PLACES] */
	N_TERM_FEATURES = TERM_PLACED + TERM_LACKS * TERM_PLACES
};

struct candidate {
	uint32_t term;             /* number in the conversation */
	uint16_t turn, word;       /* its newest place */
	float x[N_TERM_FEATURES];
	float p;                   /* probability that it belongs into the question */
};

/*
 * Collects the content words of the earlier turns that the last turn lacks, with their features
 * and probabilities; in the arena of t. Returns how many.
 */
size_t antecedents_find(const struct conversation *t, const struct lack *l,
	struct candidate **out);

/* Words of a turn: an item of a list that was said. */
struct followup_item { size_t turn, from, to; };
#define FOLLOWUP_ITEMS 8
struct followup_list { struct followup_item items[FOLLOWUP_ITEMS]; size_t n; };

/* Finds the list that is talked about most. Returns which item is meant, from 1; 0: none. */
size_t lists_wanted(const struct conversation *t, const struct lack *l,
	struct followup_list *list);

/* Whether a comma stands before word k of the turn. */
bool conversation_comma(const struct conversation_turn *turn, size_t k);

enum { CHOSEN_HUMAN = 1, CHOSEN_PLACE = 2, CHOSEN_ITEM = 4 };

/*
 * Chooses words: the likeliest ones; of several persons, places, or items of a list, the one that
 * is asked for. Sets p [t->n_terms] of each chosen term to its probability, and leaves the others;
 * what [t->n_terms]: what each candidate is.
 */
void antecedents_choose(const struct conversation *t, const struct lack *l, struct candidate *c,
	size_t n, float *p, uint8_t *what);

/* ---- a phrase in place of another ---- */

/*
 * The words from new_from to new_to of the last turn take the place of those from `from` to `to` of
 * an earlier one; from == to: they go to its end.
 */
struct ellipsis { size_t turn, from, to, new_from, new_to; };

/* False: the last turn is no "and X?", or the one before it has no phrase that is like X. */
bool ellipsis_find(const struct conversation *t, const struct lack *l, struct ellipsis *e);

struct followup_weights {
	float need[N_FOLLOWUP_KINDS][N_NEEDS], term[N_FOLLOWUP_KINDS][N_TERM_FEATURES];
};
/* schema/heads/followup.txt */
extern const struct followup_weights followup_weights;

/* Reads the turns, and computes the need of each question among them. */
void followup_read(struct conversation *t, struct arena *a, const struct followup_said *said,
	size_t n);
