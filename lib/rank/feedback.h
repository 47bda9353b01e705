/*
 * feedback.h: signals that the best texts give about one another when they are read together.
 *
 * part: a question may ask several things in as many sentences ("What is my flat called? And where
 * does Ana work?"). Turns that answer the one with more or rarer words then push back those that
 * answer the other. So what a turn has of each sentence is divided by the most that any turn has of
 * it, half of it by what its session has, and the best of its sentences counts: about 1 for the
 * first hit of each.
 *
 * bridge: an answer need not have the question's words: "When was the one from Taiyuan born?" finds
 * "My uncle comes from Taiyuan", and the answer mentions only the uncle. So a turn gains by the
 * words that it shares with the first hit and that the question lacks, by their idf among these
 * texts, less when it is long; the first hit itself has 1. With several sentences each has its
 * first hit, and the best value counts. (V. Lavrenko and W. Croft, "Relevance-Based Language
 * Models", 2001, add words of many texts to the question; here one text gives a signal.)
 *
 * Cost: 8 bytes a word; two passes over all words for each first hit, some 10 ns a word.
 */
#pragma once

#include "rank/question.h"

#define FEEDBACK_MOST 64            /* texts at most */

struct feedback {
	size_t n;                              /* texts that are complete */
	bool bridges;                          /* words are kept, for the signal bridge */
	const struct question *question;       /* borrowed */
	const float *idf;                      /* [n_terms], borrowed */
	/* private */
	struct feedback_text {
		uint32_t session;
		size_t first, n;               /* its words are words [first .. first + n - 1] */
		float has[QUESTION_PARTS];     /* idf of each part's terms that the text has */
	} texts[FEEDBACK_MOST + 1];
	/* [n_words] hashes: those of the question, then those of each text in turn */
	uint64_t *words;
	size_t n_words, cap_words, n_asked;
	uint8_t seen[QUESTION_TERMS];          /* each term's last text, counted from 1 */
	float part_idf[QUESTION_PARTS];
	/* words of a first hit; cap_slots is a power of two */
	struct feedback_slot *slots;
	size_t cap_slots;
};

/*
 * Begins a question, as question_read read it from text [len]; idf as for passage_open. All but
 * text must outlive c. c must be zeroed or have been open before. bridges: feedback_bridge will be
 * called.
 */
void feedback_open(struct feedback *c, const struct question *q, const float *idf, const char *text,
	size_t len, bool bridges);
void feedback_close(struct feedback *c);

/*
 * Adds a text: feedback_word for each of its words, in any order, with the word's number among the
 * question's terms + 1, or 0; then feedback_end with the number of its session. At most
 * FEEDBACK_MOST texts.
 */
void feedback_word(struct feedback *c, const struct word *w, uint16_t term);
void feedback_end(struct feedback *c, uint32_t session);

/* part [n], 0-1; all 0 when the question asks only one thing. */
void feedback_part(const struct feedback *c, float *part);

/*
 * covers [n], 0-1: the largest share of a part's idf that the text itself has; all 0 when the
 * question asks only one thing.
 */
void feedback_covers(const struct feedback *c, float *covers);

/* bridge [n], 0-1. scores [n] tell which text is the first hit. */
void feedback_bridge(struct feedback *c, const float *scores, float *bridge);
