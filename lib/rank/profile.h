/*
 * profile.h: the weights of the signals for each kind of session, without vectors and with them,
 * learnt by mem-eval --grid; a file may replace them (setting weights).
 *
 * Each kind's weights are learnt apart, among turns of its own: what a turn gets that has nothing
 * to do with the question is another number for each, and so is how far it varies. A memory may
 * hold sessions of all kinds, and there the sums would not compare: a chat's turn without a word of
 * the question would stand before the note that answers it. So a score is the sum less the mean of
 * turns of its kind that do not answer, over their deviation: the first hit of a question has about
 * 5, whatever its kind. Where the question names somebody who speaks in the memory, turns of logs
 * and notes have 1.5 less (SIGNAL_NAMED): his name is no word of theirs, so they would have all
 * that is asked without it.
 *
 * The file: lines "KIND SIGNAL WEIGHT", kinds unknown, chat, assistant, and unknown+dense,
 * chat+dense, assistant+dense, which rule where there are vectors; "#" starts a comment.
 */
#ifndef RANK_PROFILE_H
#define RANK_PROFILE_H

#include "base/err.h"
#include "rank/signals.h"

/* a kind of session, + N_SESSION_KINDS with vectors */
enum { N_PROFILE_KINDS = 2 * N_SESSION_KINDS };

struct profile {
	float weight[N_PROFILE_KINDS][N_SIGNALS];
	/* of the sums of turns that do not answer */
	struct profile_others { float mean, sd; } others[N_PROFILE_KINDS];
};

extern const struct profile profile_default;
extern const char *const profile_kind_names[N_PROFILE_KINDS];

static inline unsigned
profile_kind(unsigned session_kind, bool dense)
{
	return session_kind + (dense ? (unsigned)N_SESSION_KINDS : 0);
}

/* Replaces the weights that text names. name is for messages. ERR_CONFIG names the line. */
int
profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err);

/*
 * A session of no known kind where people talk (index/corpus.h) is scored as a chat by that share,
 * and as one of no known kind by the rest.
 */
static inline float
profile_mix(float unknown, float chat, float talk)
{
	return unknown + talk * (chat - unknown);
}

/*
 * The weighted sum of a turn's signals, less what turns of its kind that do not answer have, in
 * their deviations: scores of kinds compare.
 */
float profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS]);
/*
 * Of a candidate without a card: what profile_score gives of signals_of; and what its score is
 * hardly ever above, whatever its card says.
 */
float profile_score_of(const struct profile *p, unsigned kind, const struct candidate *c);
float profile_most(const struct profile *p, unsigned kind, const struct candidate *c);

#endif
