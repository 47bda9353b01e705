/*
 * place.h: what does not last: programs and stores in a build directory, which 'make clean'
 * empties.
 */
#pragma once

#include "setup/setup.h"

/* The path of the store, whole where it is a file; in a. */
const char *place_store(struct arena *a);

/* 0: both last. Else -1, and ERR_USAGE says which does not, and what to do. */
int place_lasts(const struct setup *s, struct err *err);
