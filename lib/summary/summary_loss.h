/*
 * summary_loss.h: finds which names, numbers, dates and decisions of the originals a summary leaves
 * out.
 */
#pragma once

#include "base/buf.h"

struct summary_loss;

/* Compares with summary, which is borrowed until summary_loss_free. */
struct summary_loss *summary_loss_new(const char *summary, size_t len);
void summary_loss_free(struct summary_loss *l);

/* Adds a sentence of the originals. The same detail counts once. */
void summary_loss_add(struct summary_loss *l, const char *text, size_t len);
/* Adds a decision; it is kept when all its words are in the summary. */
void summary_loss_decision(struct summary_loss *l, const char *text, size_t len);

/*
 * Writes an object: names, numbers, dates and decisions, each an array of the texts left out, in
 * order of appearance, at most SUMMARY_LOSS_MOST; and left_out, the number of each. Writes nothing
 * when nothing is left out. Returns the number of details left out.
 */
#define SUMMARY_LOSS_MOST 40
size_t summary_loss_report(const struct summary_loss *l, struct buf *out);
