/*
 * model.h: the front door of the room: a model by name, texts in, unit vectors out.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <signal.h>

#include "model/modelfile.h"

enum text_role { TEXT_QUERY, TEXT_PASSAGE };

struct model_text {
	const char *text;
	size_t len;
	enum text_role role;               /* which prefix */
	/* who said it, "" or NULL for nobody: used when the model wants it */
	const char *speaker;
};

struct model;

/*
 * name: a path when it has a '/', else NAME.model in, one after the other: the setting models (a
 * directory), $XDG_DATA_HOME/mem/models, DIR/models and DIR/../share/mem/models, DIR being where
 * the running program lies. "": the best of those there: multilingual-e5-small, all-MiniLM-L6-v2,
 * any other by name. ERR_NOINPUT: none found.
 */
int model_open(struct model **out, const char *name, struct err *err);
/*
 * The very model that sha256 is of: by its name, or the one that is set (the setting model). False:
 * neither is it.
 */
bool model_open_same(struct model **out, const char *name, const uint8_t sha256[SHA256_BYTES]);
/* Where that found none: whether one of that name is there, whose vectors are others. */
bool model_has_namesake(const char *name);
void model_close(struct model *m);
const struct model_info *model_info(const struct model *m);
const struct modelfile *model_file(const struct model *m);
const float *model_centre(const struct model *m);              /* [D] or NULL */
const char *model_path(const struct model *m);

/* A worker's scratch: one a thread. */
struct model_worker;
struct model_worker *model_worker_new(const struct model *m);
void model_worker_free(struct model_worker *w);

/*
 * out [n][D] unit vectors of texts [n]. A text longer than the model takes is cut into windows,
 * whose vectors are averaged by length and made unit again. A text without tokens is embedded as
 * what stands around it. The vector of a text does not depend on what stands beside it.
 */
void model_embed(struct model_worker *w, const struct model_text *texts, size_t n, float *out);
/*
 * stop: set by a signal handler or another thread, it ends model_embed within a batch; what it gave
 * out is then not to be used. A text of a megabyte takes seconds.
 */
void model_worker_stop(struct model_worker *w, const volatile sig_atomic_t *stop);
/*
 * The share of the text's tokens that the model does not know, prefix and all: 0 to 1. Near 0 but
 * for texts in writing that it never saw.
 */
float model_unknown_share(struct model_worker *w, const struct model_text *text);
/*
 * Whether the word is one token to the model: a common word, and rightly spelt. Safe in several
 * threads at once.
 */
bool model_is_word(const struct model *m, const char *word, size_t len);

/* (cosine - unrelated) / (1 - unrelated): what users set and see. */
float model_calibrate(const struct model_info *info, float cosine);

#endif
