/*
 * summary_loss.h: what a summary leaves out of what it stands for: names, numbers, dates and decisions.
 */
#ifndef SUMMARY_SUMMARY_LOSS_H
#define SUMMARY_SUMMARY_LOSS_H

#include "base/buf.h"

struct loss;

/* Against a summary, borrowed until loss_free. */
struct loss *loss_new(const char *summary, size_t len);
void loss_free(struct loss *l);

/* What a sentence of its sources says. Each thing counts once. */
void loss_add(struct loss *l, const char *text, size_t len);
/* A decision; it is kept when all its words are in the summary. */
void loss_decision(struct loss *l, const char *text, size_t len);

/*
 * An object: names, numbers, dates and decisions, each an array of the texts left out, in order, LOSS_MOST at most; and left_out, how many there were of each. Nothing when nothing is
 * missing. Returns how many are.
 */
#define LOSS_MOST 40
size_t loss_report(const struct loss *l, struct buf *out);

#endif
