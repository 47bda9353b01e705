/*
 * model.h: the interface of lib/model: opens a model by name and embeds texts to unit vectors.
 */
#pragma once

#include <signal.h>

#include "model/modelfile.h"

enum text_role {
	TEXT_QUERY,
	TEXT_PASSAGE,
	/* with the prefix of a question, by the published weights: for what was learnt on them */
	TEXT_PLAIN
};
#define TEXT_ROLES 3

struct model_text {
	const char *text;
	size_t len;
	/* decides the prefix, and by which corrected weights it is read (adapter.h) */
	enum text_role role;
	/* The speaker, "" or NULL for none; used when the model wants it. */
	const char *speaker;
};

struct model;

/*
 * With a vector of TEXT_QUERY, scale * cosine + offset is the cosine that model_calibrate takes. 1
 * and 0 where the weights are the published ones.
 */
struct model_line { float scale, offset; };

/*
 * name: a path when it has a '/', otherwise NAME.model is looked for in the setting models (a
 * directory), $XDG_DATA_HOME/mem/models, DIR/models and DIR/../share/mem/models, in this order,
 * where DIR is the directory of the running program. "": the best model there:
 * multilingual-e5-small, all-MiniLM-L6-v2, then any other by name. ERR_NOINPUT: none was found.
 */
int model_open(struct model **out, const char *name, struct err *err);
/*
 * Opens the very model with this sha256: by its name, or the configured one (setting model).
 * Returns false when neither is it.
 */
bool model_open_same(struct model **out, const char *name, const uint8_t sha256[SHA256_BYTES]);
/*
 * After model_open_same failed: whether there is another model of this name, whose vectors differ.
 */
bool model_has_namesake(const char *name);
void model_close(struct model *m);
const struct model_info *model_info(const struct model *m);
const struct modelfile *model_file(const struct model *m);
const float *model_centre(const struct model *m);              /* [D] or NULL */
struct model_line model_query_line(const struct model *m);
const char *model_path(const struct model *m);

/* Scratch memory; one for each thread. */
struct model_worker;
struct model_worker *model_worker_new(const struct model *m);
void model_worker_free(struct model_worker *w);

/*
 * Out [n][D]: vectors of length 1 of texts [n]. A text longer than the model's input is divided
 * into windows, whose vectors are averaged, weighted by length, and scaled to length 1 again. A
 * text without tokens is embedded as prefix and special tokens alone. The vector of a text does not
 * depend on the other texts.
 */
void model_embed(struct model_worker *w, const struct model_text *texts, size_t n, float *out);
/*
 * Stop is set by a signal handler or another thread; it ends model_embed within one batch, and its
 * results are then not to be used. Without it, a text of a megabyte takes seconds.
 */
void model_worker_stop(struct model_worker *w, const volatile sig_atomic_t *stop);
/*
 * The share of the text's tokens, prefix included, that the model does not know: 0 to 1. It is near
 * 0 except for scripts the model never saw.
 */
float model_unknown_share(struct model_worker *w, const struct model_text *text);
/*
 * Whether the word is a single token of the model, so that it is a common word and correctly spelt.
 * Threads may call it at the same time.
 */
bool model_is_word(const struct model *m, const char *word, size_t len);

/* The calibrated similarity, (cosine - unrelated) / (1 - unrelated), which users set and see. */
float model_calibrate(const struct model_info *info, float cosine);
