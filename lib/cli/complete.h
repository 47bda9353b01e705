/* complete.h: what may follow on a command line, for the completion of shells. */
#pragma once

#include "cli/prog.h"

/* Appends the words of one option that only its program knows, a line each. */
typedef void complete_fn(struct buf *words);
/* Called before prog_start: names the words that the option --NAME of this program takes. */
void complete_option(const char *name, complete_fn *words);

/*
 * "PROGRAM --complete WORD ..." prints what the last word may become, a line each: the word, and
 * where there is something to say a tab and an explanation. A line of a tab and "files"
 * leaves it to the shell to list these. Names of the store's sessions, projects,
 * agents and users, and of models, come from mem-list and mem-model, which are given two seconds.
 * Where nothing is known nothing is printed. all is the table of p and the options that every
 * program has, which end with a row without a name.
 */
void complete_words(const struct prog *p, const struct prog_opt *const *all, char **words, int n);

/* Prints the script of "bash", "zsh" or "fish". ERR_USAGE: there is none for this shell. */
int complete_script(const char *shell, struct err *err);
