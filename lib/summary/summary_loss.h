/*
 * summary_loss.h: what a summary leaves out of what it stands for: names, numbers, dates and
 * decisions.
 */
#ifndef SUMMARY_SUMMARY_LOSS_H
#define SUMMARY_SUMMARY_LOSS_H

#include "base/buf.h"

struct summary_loss;

/* Against a summary, borrowed until summary_loss_free. */
struct summary_loss *summary_loss_new(const char *summary, size_t len);
void summary_loss_free(struct summary_loss *l);

/* What a sentence of its sources says. Each thing counts once. */
void summary_loss_add(struct summary_loss *l, const char *text, size_t len);
/* A decision; it is kept when all its words are in the summary. */
void summary_loss_decision(struct summary_loss *l, const char *text, size_t len);

/*
 * An object: names, numbers, dates and decisions, each an array of the texts left out, in order,
 * SUMMARY_LOSS_MOST at most; and left_out, how many there were of each. Nothing when nothing is
 * missing. Returns how many are.
 */
#define SUMMARY_LOSS_MOST 40
size_t summary_loss_report(const struct summary_loss *l, struct buf *out);

#endif
