/*
 * service.h: vectors made by the service at embed_url, asked by way of mem-llm (llm/llm.h), and how
 * to recognise a store's vectors as made by it.
 *
 * A service may change its model from one day to the next under the same name. So each request
 * begins with a fixed text, the probe, whose vector must point where it pointed when the store's
 * first vectors were made: vectors of two models are never stored or compared as if they were of
 * one.
 */
#pragma once

#include "llm/llm.h"
#include "model/model.h"
#include "store/vectors.h"

/*
 * service_made: these vectors were made by some service. service_is: they were made by the
 * configured one; its model name, prefixes and number of dimensions are theirs.
 */
bool service_made(const struct vector_model *of);
bool service_is(const struct vector_model *of);

/*
 * Looks for the set of the configured service in the store. If there is one, *of describes it, and
 * unless centre is NULL, *centre receives a copy of its centre, which the caller frees and
 * of->centre points to. Otherwise only of->sha256 is set, to mark it as a service's.
 */
int service_known(struct store *s, struct vector_model *of, float **centre, struct err *err);

/*
 * Why vectors of a service cannot be compared with anything while service_is is false, as a
 * sentence.
 */
const char *service_why_not(void);

struct service;

/*
 * S serves the guard and the ledger of calls (llm/llm.h), under the name mem-embed; NULL: none. s,
 * user and stop are borrowed. Sends no request yet.
 */
struct service *service_new(struct store *s, const char *user, const volatile sig_atomic_t *stop);
void service_free(struct service *v);

enum service_got {
	SERVICE_OK,
	SERVICE_NONE,                          /* it did not answer, or must not be asked now */
	/* its answer is of no use, perhaps because of these texts */
	SERVICE_BROKEN,
	SERVICE_OTHER                          /* its vectors are not of the model asked for */
};

struct service_vectors {
	/* [n] vectors of n_dims numbers and length 1; NULL: the text was refused */
	float **vecs;
	const char **refused; /* [n] why a text was refused; NULL where there is a vector */
	size_t n_dims;
	const char *note;                      /* why there are no vectors; "" when there are */
	/* when the model was not given: which one answered, for the next call; its name is "" */
	struct vector_model found;
};

/*
 * Embeds texts [n] by as many requests as it takes; vectors are allocated in a. of: the model that
 * must have made them; NULL: whichever answers the first request. timeout_ms is for each request;
 * 0: the setting llm_timeout. The speakers of texts are not used.
 */
enum service_got service_embed(struct service *v, const struct vector_model *of,
	const struct model_text *texts, size_t n, int64_t timeout_ms, struct arena *a,
	struct service_vectors *out);
/* The number of texts in one request. */
size_t service_batch(const struct vector_model *of);

/* The setting embed_timeout, in milliseconds. */
int64_t service_patience(void);

/*
 * Measures the model's centre and its mean cosine of unrelated texts, which make its similarities
 * comparable (model/calibrate.h): embeds some 180 short texts, once for a store. of->centre points
 * into v. ERR_UNAVAILABLE, ERR_DATA.
 */
int service_learn(struct service *v, struct vector_model *of, struct err *err);
