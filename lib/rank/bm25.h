/*
 * bm25.h: BM25 of every turn, of its window and of its session, in one pass over each term's list.
 *
 *   idf(t)   = ln(1 + (N - df + .5) / (df + .5))                          N, df: the user's own turns
 *   score(d) = sum over t of idf(t) tf / (tf + k1 (1 - b + b len / mean len))      (the constant factor k1 + 1 left out)
 * (S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.)
 *
 * A window is a turn with .5 of the turn before and .4 of the turn after; a session is all its turns: their term frequencies and lengths are the
 * weighted sums of their turns', so no text is indexed twice. The head is a turn's first 60 words. b belongs to the kind of session: length matters little among short chat turns, much
 * among an assistant's replies.
 */
#ifndef RANK_BM25_H
#define RANK_BM25_H

#include "rank/corpus.h"
#include "text/postings.h"

struct bm25_shape { float k1, turn_b, window_b, session_b, head_b; };      /* of one kind of session */

extern const struct bm25_shape bm25_shapes[N_SESSION_KINDS];

struct bm25 {
	const struct corpus *corpus;       /* borrowed */
	float *turn, *window, *head;       /* [n] */
	float *cover;                      /* [n] idf of the terms that the turn has */
	float *exact;                      /* [n] the same of whole identifiers alone; NULL until there is one */
	float *session, *session_user;     /* [n_sessions] */
	double idf_sum, exact_sum;         /* of all terms added, found or not */
	float best_turn, best_window, best_head;       /* of any turn so far */
	void *big;                         /* one block for the arrays of turns */
	size_t n_big;
	/* scratch: zero between terms */
	uint16_t *tf;                      /* [n], with a sentinel at both ends */
	uint32_t *session_tf, *session_user_tf, *touched;      /* [n_sessions] */
	float (*norm)[5][2];               /* [kind][what]: k1 (1 - b), k1 b / mean */
};

void bm25_open(struct bm25 *b, const struct corpus *c, const struct bm25_shape shapes[N_SESSION_KINDS]);
void bm25_close(struct bm25 *b);
void bm25_reset(struct bm25 *b);                               /* for the next question; cost: linear in n */

double bm25_idf(uint32_t n, uint32_t df);

/* Adds a term: its postings by turn, each turn once, any order. weight scales its idf; whole: it is an identifier as it stands. Cost: 10-20 ns a posting. */
void bm25_add(struct bm25 *b, const struct posting *p, size_t n, float weight, bool whole);

/* Adds a whole identifier that the question may mean but does not spell (its words closed up): counts for exact alone, and only when found. */
void bm25_add_exact(struct bm25 *b, const struct posting *p, size_t n);

#endif
