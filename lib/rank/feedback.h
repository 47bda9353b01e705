/*
 * feedback.h: what the best texts tell of one another, when they are read together.
 *
 * part: a question may ask several things in as many sentences ("What is my flat called? And where
 * does Ana work?"), and the turns that answer the one with more or rarer words push those that
 *        answer the other back. So what a turn has of a sentence is divided by the most that any turn has of it, half of it by what its session has, and the best of its sentences counts: about 1
 *        for the first of each.
 * bridge: what answers need not have the question's words: "When was the one from Taiyuan born?"
 * finds "My uncle comes from Taiyuan", and the answer speaks of the uncle alone. So of the words
 *        that the first hit has beyond the question, a turn counts those that it has, too, by their idf among these texts, less when it is long; the first hit itself has all. With several
 *        sentences each has its first hit, and the best counts. (Feedback from one text, as a signal of its own: V. Lavrenko and W. Croft, "Relevance-Based Language Models", 2001, add words of many
 *        to the question.)
 *
 * Cost: 8 bytes a word; two passes over all words for each first hit, some 10 ns a word.
 */
#ifndef RANK_FEEDBACK_H
#define RANK_FEEDBACK_H

#include "rank/question.h"

#define FEEDBACK_MOST 64            /* texts */

struct feedback {
	size_t n;                              /* texts that are done */
	bool bridges;                          /* words are kept */
	const struct question *question;       /* borrowed */
	const float *idf;                      /* [n_terms], borrowed */
	/* private */
	struct feedback_text {
		uint32_t session;
		size_t first, n;               /* its words */
		float has[QUESTION_PARTS];     /* idf of each part's terms */
	} texts[FEEDBACK_MOST + 1];
	/* [n_words] hashes: of the question, then of each text, as they come */
	uint64_t *words;
	size_t n_words, cap_words, n_asked;
	uint8_t seen[QUESTION_TERMS];          /* in text - 1 last */
	float part_idf[QUESTION_PARTS];
	/* of a first hit's words; [cap_slots] a power of two */
	struct feedback_slot *slots;
	size_t cap_slots;
};

/*
 * For a question as question_read took it from text [len]; idf as for reading_open. All but text
 * must live as long as c, which is zeros, or was open before. bridges: whether that is asked for.
 */
void feedback_open(struct feedback *c, const struct question *q, const float *idf, const char *text,
	size_t len, bool bridges);
void feedback_close(struct feedback *c);

/*
 * A text: its words in any order, each with its number among the question's terms + 1, or 0. Then
 * its end, and the number of its session. No more than FEEDBACK_MOST.
 */
void feedback_word(struct feedback *c, const struct word *w, uint16_t term);
void feedback_end(struct feedback *c, uint32_t session);

/* part [n], 0-1; 0 for all when the question asks one thing. */
void feedback_part(const struct feedback *c, float *part);

/*
 * covers [n], 0-1: the largest share of a part's idf that the text has itself; 0 for all when the
 * question asks one thing.
 */
void feedback_covers(const struct feedback *c, float *covers);

/* bridge [n], 0-1. scores [n]: who is the first hit. */
void feedback_bridge(struct feedback *c, const float *scores, float *bridge);

#endif
