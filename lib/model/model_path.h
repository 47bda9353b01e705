/*
 * model_path.h: where model files lie, and which is the best of those there.
 *
 * A model is NAME.model in one of these directories, the first that has it: the setting models,
 * $XDG_DATA_HOME/mem/models, DIR/models and DIR/../share/mem/models, DIR being where the running
 * program lies, links followed.
 */
#ifndef MODEL_MODEL_PATH_H
#define MODEL_MODEL_PATH_H

#include "base/err.h"

#define MODEL_PATH_BYTES 4096

/*
 * Writes the path of the model called name to path [size]. A name with a '/' is a path already. "":
 * the best there is: multilingual-e5-small, then all-MiniLM-L6-v2, then the first by name.
 * ERR_NOINPUT: there is none; whether the file is a model shows when it is opened. Cost of "": two
 * calls of access(2) a directory in the usual case.
 */
int model_find(const char *name, char *path, size_t size, struct err *err);

/* name: without ".model". Returns 0 to go on. */
typedef int model_path_fn(void *arg, const char *name, const char *path);

/*
 * Every model that model_find can find by its name, best first. Returns what fn returned last, 0
 * when there is none.
 */
int model_each(model_path_fn *fn, void *arg);

#endif
