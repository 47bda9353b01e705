/* prog_opts.h: reads the command line for prog.c. Private to lib/cli. */
#pragma once

#include "cli/prog.h"

/*
 * Reads the options of p. It exits itself for -h, --version, --help-json, wrong usage, and
 * --complete where that is the first argument. Returns the index of the first operand.
 */
int prog_parse(const struct prog *p, int argc, char **argv);

/* The setting that an option sets; NULL: it sets none. */
const struct conf_setting *prog_setting(const struct prog_opt *o);
