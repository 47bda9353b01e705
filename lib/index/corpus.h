/*
 * corpus.h: a user's indexed turns as dense arrays, on which ranking works. The store fills them;
 * ranking only reads.
 *
 * Turns are numbered 0 .. n-1 in the order of session and turn, so the turns of a session are
 * contiguous and the neighbours of turn i in it are i - 1 and i + 1. A turn takes two bytes and a
 * session some twenty: ten million turns take 20 MB.
 */
#pragma once

#include "index/postings.h"

enum session_kind {
	SESSION_UNKNOWN,                   /* notes of one voice, documents, code */
	SESSION_CHAT,                      /* two or more named speakers */
	SESSION_ASSISTANT,                 /* user and assistant */
	N_SESSION_KINDS
};

enum corpus_flag {
	CORPUS_QUESTION = 1 /* the turn ends in a question mark */,
	CORPUS_NUMBER = 2 /* the turn has a number */
};

/* of a turn, as two bits have it: documents and others are one */
enum corpus_role { CORPUS_USER, CORPUS_ASSISTANT, CORPUS_TOOL, CORPUS_OTHER };

#define CORPUS_NO_SESSION UINT32_MAX
#define CORPUS_HEAD_WORDS 60

/* turns first .. first+n-1 are rows row .. row+n-1 */
struct corpus_run { int64_t row; uint32_t first, n; };

struct corpus {
	uint32_t n, n_sessions, n_runs;
	struct corpus_run *runs;           /* [n_runs], ascending */
	/* [n] words, flags and role, packed as index/postings.h says */
	uint16_t *info;
	uint8_t *kind;                     /* [n_sessions] enum session_kind */
	uint32_t *session_words;           /* [n_sessions] */
	uint32_t *session_first;           /* [n_sessions + 1] the first turn of each */
	/*
	 * [n_sessions] 0-1, how far people talk in a SESSION_UNKNOWN; 0 for the other kinds; NULL:
	 * not wanted
	 */
	float *talk;
	size_t n_big;                      /* size of info's block, which xbig allocated */
	struct corpus_mean {               /* for each kind of session */
		uint32_t n, n_sessions;
		double turn, window, head, session;            /* mean lengths in words */
	} mean[N_SESSION_KINDS];
};

/*
 * How far people talk in a session of no known kind: they ask each other and get answers, in few
 * words. Among pairs of neighbouring turns, the share whose first ends in a question mark and whose
 * second does not is .10 to .30 in chats, and .00 to .02 in notes, documents and code. Of the share
 * is taken off that whose second is another question: .00 to .13 in chats, but .36 to .52 where
 * somebody asks an assistant whose answers are not there. A session with few pairs tells little, so
 * CORPUS_TALK_PAIRS pairs with the mean share of all such sessions are added to it. An assistant is
 * asked and answers too, but in many words.
 */
#define CORPUS_TALK_PAIRS 32
/* up to a share of CORPUS_TALK_LEAST nobody talks, from CORPUS_TALK_MOST on people do */
#define CORPUS_TALK_LEAST 0.02f
#define CORPUS_TALK_MOST  0.05f
/* turns of CORPUS_TALK_SHORT words or fewer, in the mean, may be talk; of CORPUS_TALK_LONG not */
#define CORPUS_TALK_SHORT 60.0f
#define CORPUS_TALK_LONG  120.0f
/* answered and pairs may be expected values; words: mean words of a turn. Returns 0 to 1. */
float corpus_talk_by(double answered, double pairs, double words);

/* weight of the previous turn in a window; CORPUS_NEXT is that of the next */
#define CORPUS_PREVIOUS 0.5f
#define CORPUS_NEXT     0.4f

/* Computes sums, means and talk from info, session_first and kind. */
void corpus_measure(struct corpus *c);

int64_t corpus_row(const struct corpus *c, uint32_t turn);
/*
 * The same as corpus_row, faster for turns in nearly ascending order. *run, 0 at first, remembers
 * where the last one was.
 */
int64_t corpus_row_near(const struct corpus *c, uint32_t turn, uint32_t *run);
/* Returns the turn of a row; c->n when the row is not indexed. */
uint32_t corpus_turn(const struct corpus *c, int64_t row);
/*
 * The same, faster for rows in nearly ascending order. *run, 0 at first, remembers where the last
 * one was.
 */
uint32_t corpus_turn_of_run(const struct corpus *c, int64_t row, uint32_t *run);
static inline uint32_t
corpus_turn_near(const struct corpus *c, int64_t row, uint32_t *run)
{
	const struct corpus_run *r = *run < c->n_runs ? &c->runs[*run] : NULL;

	if (r == NULL || row < r->row || row >= r->row + r->n)
		return corpus_turn_of_run(c, row, run);
	return r->first + (uint32_t)(row - r->row);
}

/*
 * Counts bits. Written out because compilers call a function for it unless they are told to require
 * a newer processor.
 */
static inline uint32_t
bits_count(uint64_t x)
{
	x -= x >> 1 & 0x5555555555555555u;
	x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
	return (uint32_t)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static inline float
corpus_talk(const struct corpus *c, uint32_t session)
{
	return c->talk != NULL ? c->talk[session] : 0;
}
static inline unsigned
corpus_words(const struct corpus *c, uint32_t turn)
{
	return postings_words(c->info[turn]);
}
static inline unsigned
corpus_flags(const struct corpus *c, uint32_t turn)
{
	return postings_flags(c->info[turn]);
}
static inline enum corpus_role
corpus_role(const struct corpus *c, uint32_t turn)
{
	return (enum corpus_role)postings_role(c->info[turn]);
}
