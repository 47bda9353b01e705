/*
 * service.h: vectors from the service at embed_url, by way of mem-llm (llm/llm.h), and which
 * vectors of a store are its.
 *
 * What such a service runs may change from one day to the next under the same name. So each request
 * has one known text in front, whose vector must point where it pointed when the first vectors of
 * the store were made: vectors of two models are never stored, nor compared, as if they were of
 * one.
 */
#ifndef EMBED_SERVICE_H
#define EMBED_SERVICE_H

#include "llm/llm.h"
#include "model/model.h"
#include "store/vectors.h"

/*
 * Are these vectors of a service, whichever? And of the one that is set: its model, its prefixes
 * and its number of dimensions?
 */
bool service_made(const struct vector_model *of);
bool service_is(const struct vector_model *of);

/*
 * The set of the one that is set, as the store knows it, into *of, and its centre, for the caller
 * to free, into *centre, which of->centre then is; centre NULL: none is wanted. Where the store
 * knows none, *of stays.
 */
int service_known(struct store *s, struct vector_model *of, float **centre, struct err *err);

/* Why vectors that a service made cannot be compared with anything when service_is is false. */
const char *service_why_not(void);

struct service;

/*
 * s: for guard and ledger (llm/llm.h), under the name mem-embed; NULL: none. Borrowed, as user and
 * stop are. Asks nothing yet.
 */
struct service *service_new(struct store *s, const char *user, const volatile sig_atomic_t *stop);
void service_free(struct service *v);

enum service_got {
	SERVICE_OK,
	SERVICE_NONE,                          /* no answer, or none may be asked for */
	/* an answer that is no use, perhaps for what is in these texts */
	SERVICE_BROKEN,
	SERVICE_OTHER                          /* it is another model than of */
};

struct service_vectors {
	/* [n], each [n_dims] unit; NULL: the text was refused */
	float **vecs;
	const char **refused;                  /* [n] why; NULL where there is a vector */
	size_t n_dims;
	const char *note;                      /* why there are none, "" */
	/* where of was NULL: which model it is, for the next call; its name is "" */
	struct vector_model found;
};

/*
 * Vectors of texts [n], in the arena, by as many requests as it takes. of: the model that they have
 * to be of; NULL: the one that the first request finds. timeout_ms: of each request; 0: the setting
 * llm_timeout. The speaker of a text is not used.
 */
enum service_got service_embed(struct service *v, const struct vector_model *of,
	const struct model_text *texts, size_t n, int64_t timeout_ms, struct arena *a,
	struct service_vectors *out);
/* Texts that go into one request of it. */
size_t service_batch(const struct vector_model *of);

/* The setting embed_timeout in ms. */
int64_t service_patience(void);

/*
 * Finds out what makes its vectors comparable (model/calibrate.h): some 180 short texts, once for a
 * store. of->centre is the service's until it is freed. ERR_UNAVAILABLE, ERR_DATA.
 */
int service_learn(struct service *v, struct vector_model *of, struct err *err);

#endif
