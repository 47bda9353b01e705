/*
 * model_path.h: finds model files, and the best of them.
 *
 * A model is the file NAME.model in one of these directories, the first that has it: the setting
 * models, $XDG_DATA_HOME/mem/models, DIR/models and DIR/../share/mem/models, where DIR is the
 * directory of the running program, symbolic links resolved.
 */
#pragma once

#include "base/err.h"

#define MODEL_PATH_BYTES 4096

/*
 * Writes the path of the model called name to path [size]. A name with a '/' is a path already. ""
 * means the best model there is: multilingual-e5-small, then all-MiniLM-L6-v2, then the first by
 * name. ERR_NOINPUT: there is none. Whether the file is a model is checked only when it is opened.
 * Cost of "": usually two calls of access(2) a directory.
 */
int model_find(const char *name, char *path, size_t size, struct err *err);

/* name has no ".model". Return 0 to go on. */
typedef int model_path_fn(void *arg, const char *name, const char *path);

/*
 * Calls fn for every model that model_find finds by name, best first. Returns what fn last
 * returned, 0 when there is no model.
 */
int model_each(model_path_fn *fn, void *arg);
