/*
 * apart.h: whether two texts that differ in a number or in a negation may both hold: "about 30",
 * "per person", "the second one", "after noon", "when it is full", a date in another form.
 */
#ifndef AUDIT_APART_H
#define AUDIT_APART_H

#include "base/base.h"

/* number: they differ in one; denied: one denies the other. In doubt they may. Cost: linear. */
struct apart { const char *text; size_t len; };
bool apart_may_be(const struct apart *a, const struct apart *b, bool number, bool denied);

#endif
