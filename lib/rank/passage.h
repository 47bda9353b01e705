/*
 * passage.h: what only a turn's text tells of how well it answers: where in it the question's words
 * stand.
 *
 * The lists of the index have no places, so the best candidates by the other signals are read
 * again, tokenised as the index did it. Cost: 60 MB/s.
 *
 * close: words that stand side by side in the question (function words between them do not count)
 * stand side by side in the turn, or at least within eight words of each other; each pair of them
 *        weighs as much as the rarer of the two is worth at least, and counts 1 / distance. (After T. Tao and C. Zhai, "An Exploration of Proximity Measures in Information Retrieval", 2007.)
 * passage: the share of the question's idf that the best fifty words of the turn have: of a long
 * turn, what one place of it says. code: one byte in PASSAGE_SIGN or more is a sign of code: one of
 * { } = ; _ $ \ &, or a bracket that is opened behind a letter or a digit, f( or a[. Nearly all
 * functions of nine public sets
 *       are told by that, half of the commands of a shell, one in seven of an assistant's answers about programs, next to no other text.
 */
#ifndef RANK_PASSAGE_H
#define RANK_PASSAGE_H

#include "rank/feedback.h"
#include "rank/question.h"

#define PASSAGE_PAIRS   64         /* of neighbours in a question */
#define PASSAGE_HITS    512        /* places of a turn that are looked at, from its start */
#define PASSAGE_NEAR    8          /* words */
#define PASSAGE_WORDS 50         /* words */
#define PASSAGE_SIGN    64         /* bytes */

struct passage {
	const struct question *question;       /* borrowed */
	const float *idf;                      /* [n_terms], borrowed */
	/* by hash: number of a term + 1, n_terms + number of a form + 1; 0: none */
	uint16_t slots[1024];
	float all_idf, pairs_idf;
	struct passage_pair { uint16_t a, b; float idf; } pairs[PASSAGE_PAIRS];
	size_t n_pairs;
	uint16_t last;                         /* term + 1 before, while the question is read */
	struct passage_hit { uint32_t position; uint16_t term; } hits[PASSAGE_HITS];
	size_t n_hits;                         /* of the turn at hand, in its order */
	struct feedback *company;               /* gets the words of each turn; NULL; borrowed */
};

/* 0-1 */
struct passage_signals {
	float close, passage, part, bridge, covers /* of one part: no signal */;
	bool code /* nor is this */;
};

/*
 * For a question as question_read took it from text [len]. idf [q->n_terms]: what each term is
 * worth; one that is worth 0 is left out (a speaker's name, a time). All of it must live as long as
 * r.
 */
void passage_open(struct passage *r, const struct question *q, const float *idf, const char *text,
	size_t len);

/*
 * One turn; part, bridge and covers are 0 until its company says what they are (rank/feedback.h).
 */
struct passage_signals passage_look(struct passage *r, const char *text, size_t len);

#endif
