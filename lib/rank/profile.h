/*
 * profile.h: the weights of the signals for each kind of session, learnt by mem-eval --grid; a file may replace them (setting weights).
 *
 * The file: lines "KIND SIGNAL WEIGHT", kinds unknown, chat, assistant; "#" starts a comment.
 */
#ifndef RANK_PROFILE_H
#define RANK_PROFILE_H

#include "base/err.h"
#include "rank/signals.h"

struct profile { float weight[N_SESSION_KINDS][N_SIGNALS]; };

extern const struct profile profile_default;
extern const char *const session_kind_names[N_SESSION_KINDS];

/* Replaces the weights that text names. name is for messages. ERR_CONFIG names the line. */
int profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err);

float profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS]);

#endif
