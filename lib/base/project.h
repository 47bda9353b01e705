/*
 * project.h: the project that a directory belongs to.
 */
#pragma once

#include "base/buf.h"

/*
 * Sets out to the project of the directory cwd, an absolute path: the root of the repository that
 * it lies in (the nearest directory upwards with a ".git", and of a linked work tree the root of
 * the tree that it was made from), else cwd itself, which need not exist. A path of Windows gets
 * slashes. Empty: cwd is no absolute path.
 */
void project_of(const char *cwd, struct buf *out);
