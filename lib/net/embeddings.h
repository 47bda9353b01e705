/*
 * embeddings.h: vectors of texts from a service: OpenAI's embeddings or Ollama's embed.
 */
#ifndef NET_EMBEDDINGS_H
#define NET_EMBEDDINGS_H

#include "net/call.h"

struct embed_text { const char *text; size_t len; };

struct embed_ask {
	const char *model;
	const struct embed_text *texts;        /* [n] */
	size_t n;
	int64_t n_dims;                        /* the width wanted; 0: as it comes */
};

struct embed_answer {
	/* [n], each [n_dims] of length 1, in the arena; NULL: that text has none */
	float **vecs;
	const char **why;                      /* [n], NULL where there is a vector */
	size_t n_dims, n_failed;
	const char *model;
	int64_t tokens_in;
};

/*
 * A text that the service does not take is left out alone: a batch is halved until it is found. One
 * that is too long for the model is halved itself, and the vectors of its parts averaged by their
 * length. Widths that differ, numbers that are none and vectors of zeros are NET_REPLY. 0 when
 * there is one vector at least.
 */
int net_embed(struct net_call *c, const struct embed_ask *q, struct arena *a,
	struct embed_answer *out, struct net_err *e);

#endif
