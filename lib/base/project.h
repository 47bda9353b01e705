/*
 * project.h: the project that a directory belongs to.
 */
#ifndef BASE_PROJECT_H
#define BASE_PROJECT_H

#include "base/buf.h"

/*
 * Sets out to the project of the directory cwd, an absolute path: the root of the repository that
 * it lies in (the nearest directory upwards with a ".git"), else cwd itself, which need not exist.
 * Empty: cwd is no absolute path.
 */
void project_of(const char *cwd, struct buf *out);

#endif
