/*
 * vectors.h: the vectors of a user's records in the store: a queue of what is missing, sets by model, and the scans that search asks for.
 *
 * A set is all vectors made by one model (its sha256). Searches use the current set; another one is built beside it and takes its place in one step
 * when nothing is missing in it. A vector belongs to a key: a record and which of its chunks.
 *
 * What is stored of a vector d, with c the model's centre: a sign code of R(d - c), R a fixed rotation by Hadamard transforms (drawn in vectors.c), and d - c in int8 with a scale. Codes
 * stand in pages of their own, in order of slots; a slot is a vector's number within (set, user).
 */
#ifndef STORE_VECTORS_H
#define STORE_VECTORS_H

#include "store/store.h"

enum vector_kind { VECTOR_MESSAGE, VECTOR_FACT, VECTOR_SUMMARY, VECTOR_REFLECTION, VECTOR_CATEGORY, VECTOR_PROFILE };

struct vector_key {
	int64_t row;                       /* the store's number of the record (struct message.row) */
	uint16_t part;                     /* chunk of it */
	uint8_t kind;                      /* enum vector_kind */
};

/* What a set knows of its model; the same sha256 is the same set. */
struct vector_model {
	char name[64];
	uint8_t sha256[SHA256_BYTES];
	uint32_t n_dims;
	float unrelated;
	const float *centre;               /* [D] or NULL; kept in the set, so that a search for neighbours needs no model file */
};

/* ---- filling: what is missing, oldest first ---- */
struct vector_missing {
	struct vector_key key;
	const char *text;                  /* the chunk */
	size_t len;
	const char *speaker;               /* who said it, "" */
};
typedef int missing_fn(void *arg, const struct vector_missing *m);

/* The set of a model, made when there is none. In the open transaction. *set its number. */
int vectors_set(struct store *s, const struct vector_model *m, int64_t *set, struct err *err);
/* Up to limit missing vectors of the user in the set, messages with all their chunks; nothing is locked. Fewer: there are no more now. */
int vectors_missing(struct store *s, const struct scope *who, int64_t set, size_t limit, missing_fn *fn, void *arg, struct err *err);
int vectors_count_missing(struct store *s, const struct scope *who, int64_t set, int64_t *n, struct err *err);
/*
 * Stores vectors v [n][D] (unit, float32) in the open transaction. A record that is gone, or that has its vectors already, is passed over, so two processes that did the same work
 * harm nothing. *n_put those that were stored.
 */
int vectors_put(struct store *s, const struct scope *who, int64_t set, const struct vector_key *keys, const float *v, size_t n, size_t *n_put, struct err *err);
/* Makes a set the current one when nothing of any user is missing in it and drops the others; *switched. In the open transaction. */
int vectors_switch(struct store *s, int64_t set, bool *switched, struct err *err);

typedef int user_fn(void *arg, const char *user);
int users_each(struct store *s, user_fn *fn, void *arg, struct err *err);      /* for programs that keep the whole store: no content is shown */

/* ---- asking: one snapshot, as index.h ---- */
struct vectors;
struct vectors_info {
	struct vector_model model;         /* name "" when there is no set */
	uint32_t n;                        /* slots of the user, dead ones too */
	bool exact;                        /* few enough that vectors_cosines is exact */
};
/* The current set of the user. Opens a read snapshot on the handle; vectors_close ends it. */
int vectors_open(struct store *s, const struct scope *who, struct vectors **out, struct err *err);
void vectors_close(struct vectors *v);
const struct vectors_info *vectors_info(const struct vectors *v);

/*
 * Of every slot its key and the cosine with q [D] (unit): exact int8 up to VECTORS_EXACT slots, beyond that an estimate from the codes. keys [n] packed (vector_key_pack), cosines [n];
 * a dead slot has key VECTOR_DEAD and cosine -2.
 */
#define VECTORS_EXACT 50000
#define VECTOR_DEAD   0
int vectors_cosines(struct vectors *v, const float *q, uint64_t *keys, float *cosines, struct err *err);
/* The exact (int8) cosines of slots [n], ascending. Cost: a page read for every ten neighbours. */
int vectors_rescore(struct vectors *v, const float *q, const uint32_t *slots, size_t n, float *cosines, struct err *err);
/* The vectors of slots [n], ascending: out [n][D] unit. */
int vectors_get(struct vectors *v, const uint32_t *slots, size_t n, float *out, struct err *err);

uint64_t vector_key_pack(const struct vector_key *k);  /* kind + 1 << 60 | part (16 bits) << 44 | row within the user (44 bits) */
void vector_key_unpack(uint64_t packed, int64_t user_base, struct vector_key *k);

#endif
