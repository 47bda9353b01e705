/*
 * passage.h: signals that only a turn's text gives: where in it the question's words stand.
 *
 * The posting lists have no positions, so the best candidates by the other signals are read again
 * and tokenised as the index did it. Cost: 60 MB/s.
 *
 * passage: the share of the question's idf that the best fifty consecutive words of the turn have:
 * for a long turn, what one place in it says.
 *
 * code: whether the turn is program code: one byte in PASSAGE_SIGN or more is one of { } = ; _ $ \
 * &, or a bracket opened behind a letter or a digit, f( or a[. This recognises nearly all functions
 * of nine public sets, half of the commands of a shell, one in seven of an assistant's answers
 * about programs, and next to no other text.
 */
#pragma once

#include "rank/feedback.h"
#include "rank/question.h"

/* occurrences of the question's terms that are looked at, from a turn's start */
#define PASSAGE_HITS    512
#define PASSAGE_WORDS 50         /* words of a passage */
#define PASSAGE_SIGN    64         /* bytes; code has at least one sign in so many */

struct passage {
	const struct question *question;       /* borrowed */
	const float *idf;                      /* [n_terms], borrowed */
	/* hash table: number of a term + 1, or n_terms + number of a form + 1; 0: free */
	uint16_t slots[1024];
	float all_idf;
	struct passage_hit { uint32_t position; uint16_t term; } hits[PASSAGE_HITS];
	size_t n_hits;                         /* occurrences in the turn at hand, in its order */
	/* gets the words of each turn; borrowed; NULL: nobody wants them */
	struct feedback *feedback;
};

/* each 0-1 */
struct passage_signals {
	/* covers is no signal, but how far the turn covers one part */
	float passage, part, bridge, covers;
	bool code /* no signal by itself either */;
	/* how many of the kinds of things that the question asks for it says (things.h) */
	uint8_t things;
	bool cut;                  /* the turn goes on behind what was read of it */
};

/*
 * Prepares for a question. idf [q->n_terms]: the idf of each term; terms with 0 are left out (a
 * speaker's name, a time). q and idf must outlive r.
 */
void passage_open(struct passage *r, const struct question *q, const float *idf);

/* Examines one turn. part, bridge and covers are 0 until rank/feedback.h computes them. */
struct passage_signals passage_look(struct passage *r, const char *text, size_t len);
