/* embeddings.h: gets vectors of texts from a service, by OpenAI's embeddings or Ollama's embed. */
#pragma once

#include "net/call.h"

struct embed_text { const char *text; size_t len; };

struct embed_ask {
	const char *model;
	const struct embed_text *texts;        /* [n] */
	size_t n;
	int64_t n_dims;                        /* the width wanted; 0: the service decides */
};

struct embed_answer {
	/* [n], each [n_dims] of length 1, in the arena; NULL: the text has none */
	float **vecs;
	const char **why;                      /* [n], NULL where there is a vector */
	size_t n_dims, n_failed;
	const char *model;
	int64_t tokens_in;
};

/*
 * Embeds texts. A text that the service refuses is left out alone: the batch is halved until it is
 * found. A text that is too long for the model is halved itself, and the vectors of its parts are
 * averaged by their length. Vectors of different widths, with values that are not numbers, or all
 * zero are NET_REPLY. Returns 0 when at least one text has a vector.
 */
int net_embed(struct net_call *c, const struct embed_ask *q, struct arena *a,
	struct embed_answer *out, struct net_err *e);
