/*
 * profile.h: the weights of the signals for each kind of session, without vectors and with them, learnt by mem-eval --grid; a file may replace them (setting weights).
 *
 * The file: lines "KIND SIGNAL WEIGHT", kinds unknown, chat, assistant, and unknown+dense, chat+dense, assistant+dense, which rule where there are vectors; "#" starts a comment.
 */
#ifndef RANK_PROFILE_H
#define RANK_PROFILE_H

#include "base/err.h"
#include "rank/signals.h"

enum { N_PROFILE_KINDS = 2 * N_SESSION_KINDS };                /* a kind of session, + N_SESSION_KINDS with vectors */

struct profile { float weight[N_PROFILE_KINDS][N_SIGNALS]; };

extern const struct profile profile_default;
extern const char *const profile_kind_names[N_PROFILE_KINDS];

static inline unsigned profile_kind(unsigned session_kind, bool dense) { return session_kind + (dense ? (unsigned)N_SESSION_KINDS : 0); }

/* Replaces the weights that text names. name is for messages. ERR_CONFIG names the line. */
int profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err);

float profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS]);
/* Of a candidate without a card: what profile_score gives of signals_of; and what its score is hardly ever above, whatever its card says. */
float profile_score_of(const struct profile *p, unsigned kind, const struct candidate *c);
float profile_most(const struct profile *p, unsigned kind, const struct candidate *c);

#endif
