/*
 * prog_opts.h: how prog.c has the command line read. Private to lib/cli.
 */
#ifndef CLI_PROG_OPTS_H
#define CLI_PROG_OPTS_H

#include "cli/prog.h"

/*
 * Carries out the options of p; exits itself for -h, --version, --help-json and wrong usage.
 * Returns the index of the first operand.
 */
int prog_parse(const struct prog *p, int argc, char **argv);

#endif
