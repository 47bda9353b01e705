/*
 * profile.h: the weights of the signals for each kind of session, without vectors and with them,
 * learnt by mem-eval --grid; a file may replace them (setting weights).
 *
 * They hold for questions about a person: about the asker, or somebody who speaks in the memory.
 * Other questions, about a matter, have weights that are the same for every kind of session, few
 * and near those of plain formulas: what is learnt on chats and logs does not carry over to them.
 *
 * Each kind's weights are learnt among turns of that kind alone, so the scores of unrelated turns
 * differ from kind to kind in mean and deviation. Where a memory holds sessions of all kinds their
 * sums could not be compared: a chat's turn without a word of the question would rank before the
 * note that answers it. So a score is a z-score: the sum minus the mean of unrelated turns of its
 * kind, divided by their deviation. The first hit of a question has about 5, whatever its kind.
 * Where the question names somebody who speaks in the memory, turns of logs and notes lose 1.5
 * (SIGNAL_NAMED): the name is not searched as a word, so they would otherwise seem to have all that
 * is asked.
 *
 * The file: lines "KIND SIGNAL WEIGHT"; kinds are unknown, chat, assistant, matter, and, for
 * memories with vectors, unknown+dense, chat+dense, assistant+dense, matter+dense; "#" starts a
 * comment.
 */
#pragma once

#include "base/err.h"
#include "rank/signals.h"

/* a kind of session; + N_SESSION_KINDS with vectors; then a question about a matter, the same */
enum { PROFILE_MATTER = 2 * N_SESSION_KINDS, N_PROFILE_KINDS = PROFILE_MATTER + 2 };

struct profile {
	float weight[N_PROFILE_KINDS][N_SIGNALS];
	/* mean and deviation of the sums of turns that do not answer */
	struct profile_others { float mean, sd; } others[N_PROFILE_KINDS];
};

extern const struct profile profile_default;
extern const char *const profile_kind_names[N_PROFILE_KINDS];

static inline unsigned
profile_kind(unsigned session_kind, bool dense)
{
	return session_kind + (dense ? (unsigned)N_SESSION_KINDS : 0);
}

static inline unsigned
profile_matter(bool dense)
{
	return dense ? PROFILE_MATTER + 1 : PROFILE_MATTER;
}

/* Replaces the weights that text gives. name is used in messages. ERR_CONFIG names the line. */
int
profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err);

/*
 * A session of no known kind in which people talk (index/corpus.h) is scored as a chat by the share
 * talk, and as one of no known kind by the rest.
 */
static inline float
profile_mix(float unknown, float chat, float talk)
{
	return unknown + talk * (chat - unknown);
}

/*
 * The weighted sum of a turn's signals as a z-score among turns of its kind that do not answer, so
 * that scores of different kinds can be compared.
 */
float profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS]);
/* What profile_score gives of signals_of for a candidate whose turn features are not read. */
float profile_score_of(const struct profile *p, unsigned kind, const struct candidate *c);
