/*
 * followup_parts.h: the two classifiers behind followup.c and their features: whether a question
 * needs the conversation before it, and which words of it. Private to followup*.c and to the tool
 * that learns the weights, tests/bench/followup_tool.c.
 */
#ifndef FOLLOWUP_FOLLOWUP_PARTS_H
#define FOLLOWUP_FOLLOWUP_PARTS_H

#include "followup/conversation_terms.h"
#include "followup/followup.h"
#include "text/ambiguity.h"

#define FOLLOWUP_AMBIGUITIES 16    /* ambiguous words of one question; further ones are ignored */
#define FOLLOWUP_LONG        25    /* content words of a long answer */

/* ---- first classifier: does the question need the conversation? ---- */
#define NEED_FEATURES(X) \
	X(BIAS, "bias") \
	X(IT, "it") \
	X(THEY, "they") X(PERSON, "person") X(THIS, "this") X(THAT, "that") X(ONE, "one") \
	    X(THERE, "there") X(SAME, "same") X(OTHER, "other") X(MORE, "more") X(BOTH, "both") \
		X(ORDER, "order") X(TIME, "time") /* the order of enum ambiguity_kind */ \
	    X(ANY, "any pronoun") X(LATE, "pronoun behind two content words") X(LATE_ANY, \
		"pronoun behind one content word") X(ABOUT, "how about") X(JOINED, \
		"starts with and, or, but, so") X(WHY, "why") X(HOW, "how") X(WHAT, "what") X(WHO, \
		"who") X(WHEN, "when or where") X(YES, "starts with yes, no, ok") X(AUX, \
		"starts with is, are, did") X(TELL, "starts with tell, describe") X(I, "i") X(MY, \
		"my") X(YOU, "you") X(THANKS, "thanks") X(WHAT_IS, "starts with what is") X(LETS, \
		"starts otherwise") X(WORDS, "words, ln") X(NONE, "no content word") X(SINGLE, \
		"one content word") X(PAIR, "two content words") X(MANY, "four or more") X(OLD, \
		"share of its words that were said") X(OLD_LAST, "share that the last turn has") \
		X(NEW, "no word that was said") X(CAPITAL, "a capital inside") X(NUMBER, \
		    "a number") X(LIGHT, "share of light words") X(NO_WEIGHT, "light words alone") \
		    X(THE, "the") X(THE_BARE, "the, and nothing to say of what") X(THE_OLD, \
			"the, before a word that was said") X(A, "a or some") X(OF, \
			"of, before a content word") X(IN, \
			"in, on, at, from, for, with, before a content word") X(END, \
			"ends in a preposition or verb of state") X(ASKED, "the last turn asks") \
			X(TURNS, "turns, ln") X(FIRST, "the first question") X(QUESTION, \
			    "question mark") X(ANSWERED, "somebody answers") X(RUN, \
			    "longest run, ln") X(COMMA, "more than one sentence") X(RELATION, \
			    "share of words that want an of") X(NO_TOPIC, \
			    "no word with a topic of its own") X(TOPIC_1, "one") X(TOPIC_2, "two") \
			    X(TOPIC_MANY, "more") X(TOPIC_NEW, "one that was not said") \
				X(TOPIC_LENGTH, "letters of the longest new one") \
				    X(PARTLY, "part of a name that was said") \
					X(DEFINE, "what is, and no the") \
					    X(DEFINE_NEW, "what is, no the, all new") \
						X(RELATION_END, "ends in a word that wants an of") \
						    X(THE_RELATION, "the, before such a word") \
							X(OF_TOPIC, "of, and a topic behind it")

enum need_feature {
#define X(id, name) NEED_##id,
	NEED_FEATURES(X)
#undef X
	N_NEEDS
};

/* ---- second classifier: which words does it need? ---- */
#define TERM_FEATURES(X) \
	X(BIAS, "bias") \
	X(LAST, "in the last question") X(BEFORE, "in the one before") X(FIRST, \
	    "in the first question") X(ANSWER, "in the last answer") X(OLDER_ANSWER, \
	    "only in older answers") X(TITLE, "in the title") X(SECTION, \
	    "in a later title") X(TOPIC, "in the last whole question") X(ASKED_OFTEN, \
	    "share of questions") X(ANSWERED_OFTEN, "share of answers") X(AGE, \
	    "turns since, ln") X(CAPITAL, "capital inside a sentence") X(LIGHT, "light") X(NUMBER, \
	    "number") X(ING, "ends in ing") X(ED, "ends in ed") X(PLURAL, "ends in s") X(SHORT, \
	    "three letters or fewer") X(LONG, "eight letters or more") X(ADVERB, \
	    "ends in ly") X(HEAD, "last of its run") X(ALONE, "its run is one word") X(RUN3, \
	    "its run is three or more") X(BESIDE, "beside a word of the question") X(AFTER_OF, \
	    "after of, about, for, in") X(AFTER_THE, "after the") X(AFTER_A, \
	    "after a") X(AFTER_BE, "after is, are, does, did") X(START, \
	    "first of its turn") X(END, "last of its turn") X(RIVALS, \
	    "candidates in its turn, ln") X(SPREAD, "turns with it") X(REPEATED, \
	    "in the first and in a later turn") X(PLURAL_THEY, "plural, and they") X(SINGULAR_IT, \
	    "singular, and it") X(CAPITAL_PERSON, "capital, and he or she") X(CAPITAL_REST, \
	    "capital, else") X(ANSWER_EARLY, "early in the last answer") X(ANSWER_CAPITAL, \
	    "capital in the last answer") X(ANSWER_SHORT, "in a last answer of few words") \
	    X(STALE, "not since the last whole question") X(NAMED, \
		"times with a capital, by the most that any has") X(NAMED_MOST, "the most") \
		X(NAMED_PERSON, "the same, and he or she") X(NAMED_THING, \
		    "the same, and it or they") X(NAMED_NONE, "the same, and neither") \
		    X(NAMED_TWICE, "a name said by both") X(FIRST_ANSWER, "in the first answer") \
			X(HAN_SHORT, "one character") X(HAN_LONG, \
			    "four characters or more") /* the rest only behind a long answer */ \
	    X(LONG_TIMES, "times in it, ln") X(LONG_MOST, "the most there") X(LONG_ASKED, \
		"in it and in a question") X(LONG_ANSWERED, "in it and in an older answer") \
		X(LONG_NEAR, "near a word of the question there") \
		    X(LONG_OPENS, "in its first sentence") X(LONG_CLOSES, "in its last sentence") \
			X(LONG_RUN, "beside another content word there")

/* One weight for each pair of where a term stands and what the question leaves out. */
enum { TERM_PLACES = 6, TERM_LACKS = 6 };

enum term_feature {
#define X(id, name) TERM_##id,
	TERM_FEATURES(X)
#undef X
	TERM_PLACED,                                           /* [TERM_LACKS][TERM_PLACES] */
	N_TERM_FEATURES = TERM_PLACED + TERM_LACKS * TERM_PLACES
};

/* What the question t->turns[t->n - 1] leaves out: its ambiguous words. */
struct lack {
	struct ambiguity found[FOLLOWUP_AMBIGUITIES];
	size_t n;
	unsigned kinds;            /* 1 << enum ambiguity_kind */
	bool han;                  /* in a script without spaces */
	bool lengthy;              /* the turn before it is a long answer */
};

/* Computes the features of the question that is turn at of t; later turns are ignored. */
void need_features(const struct conversation *t, size_t at, struct lack *l, float x[N_NEEDS]);

struct candidate {
	uint32_t term;             /* number in the conversation */
	uint16_t turn, word;       /* its newest place */
	float x[N_TERM_FEATURES];
	float p; /* probability that it belongs into the question, set by term_scores */
};

/*
 * Collects the content words of the earlier turns that the last turn lacks, with their features; in
 * the arena of t. Returns how many.
 */
size_t term_features(const struct conversation *t, const struct lack *l, struct candidate **out);

/*
 * Each kind has weights of its own: scripts with spaces; scripts without; and scripts with spaces
 * after a long answer, which has most of the words that are meant.
 */
enum followup_kind { FOLLOWUP_SPACED, FOLLOWUP_HAN, FOLLOWUP_LENGTHY, N_FOLLOWUP_KINDS };
struct followup_weights {
	float need[2][N_NEEDS];                                /* LENGTHY uses those of SPACED */
	float term[N_FOLLOWUP_KINDS][N_TERM_FEATURES];
};

enum followup_kind followup_kind(const struct lack *l);
/* learnt by tests/bench/followup_tool.c */
extern const struct followup_weights followup_weights;

/* Reads the turns, and computes the need of each question among them. */
void followup_read(struct conversation *t, struct arena *a, const struct followup_said *said,
	size_t n, const struct followup_weights *w);

/* The probability that question at of t needs the turns before it; 0 for the first turn. */
float need_score(const struct conversation *t, size_t at, const struct followup_weights *w,
	struct lack *l);

/* Sets p of each candidate. */
void
term_scores(const struct lack *l, const struct followup_weights *w, struct candidate *c, size_t n);

#endif
