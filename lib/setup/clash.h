/*
 * clash.h: another program that is called 'mem', too.
 */
#ifndef SETUP_CLASH_H
#define SETUP_CLASH_H

#include "base/base.h"

enum clash { CLASH_NONE, CLASH_BEHIND, CLASH_BEFORE };

/*
 * Looks in PATH for a program called 'mem' that is not the file ours, and puts its path into
 * other[size]. CLASH_BEFORE: a shell finds that one.
 */
enum clash clash_of_name(const char *ours, char *other, size_t size);

#endif
