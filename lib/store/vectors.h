/*
 * vectors.h: the vectors of a user's records in the store: a queue of what is missing, sets by
 * model, and the scans that search asks for.
 *
 * A set is all vectors made by one model (its sha256). Searches use the current set; another one
 * is built beside it and takes its place in one step when nothing is missing in it. A vector
 * belongs to a key: a record and which of its chunks.
 *
 * What is stored of a vector d, with c the model's centre: d - c in int8 with a scale, and a sign
 * code of R(d - c), R a fixed rotation (math/vec.h). Codes stand in pages of their own, in order
 * of slots; a slot is a vector's number within (set, user). The layout is drawn in
 * lib/store/sql/slots.h.
 *
 * A message has a vector for each of its chunks (chunks_of); one that is not cut counts as one
 * piece; a system message, or one without content, has none.
 */
#ifndef STORE_VECTORS_H
#define STORE_VECTORS_H

#include "store/store.h"

enum vector_kind {
	VECTOR_MESSAGE,
	VECTOR_FACT,
	VECTOR_SUMMARY,
	VECTOR_REFLECTION,
	VECTOR_CATEGORY,
	VECTOR_PROFILE
};

struct vector_key {
	/* the store's number of the record (struct message.row) */
	int64_t row;
	uint16_t part;                     /* chunk of it */
	uint8_t kind;                      /* enum vector_kind */
};

/* What a set knows of its model; the same sha256 is the same set. */
struct vector_model {
	char name[64];
	uint8_t sha256[SHA256_BYTES];
	uint32_t n_dims;
	float unrelated;
	/* [D] or NULL; kept in the set, so that a search for neighbours needs no model file */
	const float *centre;
};

/*
 * A model whose sha256 begins so is a service: texts leave this machine for it, or may. The profile
 * never does, so that it is not missing in a set of such a model.
 */
#define VECTORS_SERVICE       "service\1"
#define VECTORS_SERVICE_BYTES 8
static inline bool
vectors_by_service(const uint8_t sha256[SHA256_BYTES])
{
	return memcmp(sha256, VECTORS_SERVICE, VECTORS_SERVICE_BYTES) == 0;
}

/* ---- filling: what is missing, oldest first ---- */
struct vector_missing {
	struct vector_key key;
	const char *text;                  /* the chunk */
	size_t len;
	const char *speaker;               /* who said it, "" */
};
typedef int missing_fn(void *arg, const struct vector_missing *m);

/*
 * The set of a model, made when there is none; the first one is current at once. In the open
 * transaction. *set its number.
 */
int vectors_set(struct store *s, const struct vector_model *m, int64_t *set, struct err *err);
/*
 * Missing vectors of the user in the set: limit of them, and the rest of the last message, so
 * that a message is never in two calls; fewer when there are no more now. Those that failed wait
 * for their time. Nothing is locked while fn runs; it returns 0 to go on, another value to stop,
 * negative for -1.
 */
int vectors_missing(struct store *s, const struct scope *who, int64_t set, size_t limit,
	missing_fn *fn, void *arg, struct err *err);
/*
 * Stores vectors v [n][D] (unit, float32, finite) in the open transaction; the order does not
 * matter. A record of which not all parts are among them, that is gone, or that has its vectors
 * already is passed over, so two processes that did the same work harm nothing. *n_put those that
 * were stored. Cheapest with all of what one vectors_missing gave: what is left out of the middle
 * is remembered one by one. ERR_BUSY: another process has dropped the set. v NULL: these could
 * not be made; they are missing still, and asked for again after 60 s, 120 s ... a day.
 */
int vectors_put(struct store *s, const struct scope *who, int64_t set,
	const struct vector_key *keys, const float *v, size_t n, size_t *n_put, struct err *err);
/*
 * A step of sorting the user's vectors of the set into cells, so that searches of a large memory
 * need not read all codes: centroids from a sample, or some 100,000 vectors. *more: there is more
 * to do. In transactions of its own, no lock is held while it computes; a kill leaves a step or
 * nothing of it. Nothing is done below cells_from vectors, nor for a short tail that is not in
 * cells yet: searches read it whole. Cost: n sqrt(n) D in all.
 */
int vectors_sort(struct store *s, const struct scope *who, int64_t set, unsigned n_threads,
	bool *more, struct err *err);
/*
 * Makes a set the current one when nothing of any user is missing in it, but what failed
 * VECTORS_TRIES times, and drops the others. *switched: it was not current, and is. In the open
 * transaction.
 */
#define VECTORS_TRIES 5
int vectors_switch(struct store *s, int64_t set, bool *switched, struct err *err);

/*
 * The models that there are vectors of; m is gone when fn returns, which stops with a value other
 * than 0.
 */
typedef int vector_model_fn(void *arg, const struct vector_model *m);
int vectors_models(struct store *s, vector_model_fn *fn, void *arg, struct err *err);

struct vectors_look {
	int64_t set;                       /* of the model; 0: there is none, all is missing */
	bool current;                      /* searches use it */
	int64_t n_vectors, n_missing;      /* of the user in it */
	/* name of the model whose vectors searches use; "" none */
	char searched[64];
};
/* How far a model has come. Writes nothing. Cost: linear in what is missing. */
int vectors_look(struct store *s, const struct scope *who, const uint8_t sha256[SHA256_BYTES],
	struct vectors_look *out, struct err *err);

/* ---- asking: one snapshot, as index.h ---- */
struct vectors;
#define VECTORS_PER_PAGE 335
struct vectors_info {
	struct vector_model model;         /* name "" when there is no set */
	int64_t user_base;                 /* for vector_key_unpack */
	uint32_t n;                        /* slots of the user, dead ones too */
	bool exact;                        /* few enough that vectors_cosines is exact */
	uint32_t n_cells;                  /* that they are sorted into; 0: none */
	/* slots a page that vectors_cosines reads, VECTORS_PER_PAGE at most, and */
	uint32_t per_page;
	size_t page_bytes;                 /* its bytes */
};
/*
 * The current set of the user. Opens a read snapshot on the handle, and vectors_close ends it; on
 * a handle that has one open (index.h), it is that one, and must end later. Two handles may be
 * used in two threads.
 */
int vectors_open(struct store *s, const struct scope *who, struct vectors **out, struct err *err);
void vectors_close(struct vectors *v);
/*
 * The same vectors for another thread: on a connection of its own, which is opened when *again is
 * NULL, and is the caller's to close, in a snapshot of its own. False, and *out NULL: that is not
 * to be had, or somebody has changed vectors meanwhile; v alone tells then. Slots are those of v.
 * v is only read.
 */
bool vectors_again(const struct vectors *v, struct store **again, struct vectors **out);
const struct vectors_info *vectors_info(const struct vectors *v);

/*
 * Of every slot its key and the cosine with q [D] (unit): exact int8 up to VECTORS_EXACT slots,
 * beyond that an estimate from the codes. keys [n] packed (vector_key_pack), cosines [n]; a dead
 * slot has key VECTOR_DEAD and cosine -2.
 */
#define VECTORS_EXACT 50000
#define VECTOR_DEAD   0
int
vectors_cosines(struct vectors *v, const float *q, uint64_t *keys, float *cosines, struct err *err);

/*
 * The same in two halves, so that who has the store reads while another thread works out, which
 * may not touch the store: the pages of all slots in order, each of per_page slots, the last one
 * of what is left; and what a page is to a question. fn gets slots first .. first + n - 1, bytes
 * in all, and returns 0 to go on.
 */
struct vectors_question;
typedef int
vectors_page_fn(void *arg, uint32_t first, uint32_t n, const uint8_t *page, size_t bytes);
int vectors_pages(struct vectors *v, vectors_page_fn *fn, void *arg, struct err *err);
/* v is borrowed */
struct vectors_question *
vectors_question_new(const struct vectors *v, const float *q /* [D] copied */);
void vectors_question_free(struct vectors_question *a);
void vectors_score(const struct vectors_question *a, const uint8_t *page, uint32_t n,
	uint64_t *keys, float *cosines);
/* Some of the vectors, whose cosines are estimated from their codes; the dead are left out. */
enum vectors_which {
	/*
	 * of a memory that is sorted into cells those in the cells nearest to q (setting
	 * cells_probed), and the tail. Cost: sqrt(n), of which a tenth or more is the centroids
	 */
	VECTORS_NEAR,
	/*
	 * a sample that does not depend on q: pages of codes, evenly spread, each as one call;
	 * slots within it ascend
	 */
	VECTORS_SAMPLE,
	/*
	 * slots [n], ascending, and those before and behind each: mostly the turns beside them.
	 * Cost: a page read for each
	 */
	VECTORS_AROUND,
	/*
	 * all that stands on the pages of codes of messages rows [n], ascending: mostly their
	 * sessions. Cost: a page read for every 67 that stand together, and one for 512 rows
	 */
	VECTORS_BESIDE
};
struct vectors_some {
	enum vectors_which which;
	const uint32_t *slots;
	const int64_t *rows;
	size_t n;
};
/* fn gets them n at a time, in order of nothing. */
typedef void vectors_found_fn(void *arg, uint32_t n, const uint64_t *keys, const float *cosines,
	const uint32_t *slots);
int vectors_estimate(struct vectors *v, const float *q, const struct vectors_some *some,
	vectors_found_fn *fn, void *arg, struct err *err);
/*
 * The exact (int8) cosines of messages rows [n], ascending: of the best of their chunks, and
 * where it stands; -2 where there is none, or it is in no cell. Cost: two pages read for each
 * that stands alone.
 */
int vectors_of_messages(struct vectors *v, const float *q, const int64_t *rows, size_t n,
	float *cosines, uint32_t *slots, struct err *err);

/* The exact (int8) cosines of slots [n], ascending. Cost: a page read for every ten neighbours. */
int vectors_rescore(struct vectors *v, const float *q, const uint32_t *slots, size_t n,
	float *cosines, struct err *err);
/* The vectors of slots [n], ascending: out [n][D] unit. */
int vectors_get(struct vectors *v, const uint32_t *slots, size_t n, float *out, struct err *err);

/*
 * A key as the scans give it: kind + 1 << 60 | part (16 bits) << 44 | row within the user (44
 * bits).
 */
static inline void
vector_key_unpack(uint64_t packed, int64_t user_base, struct vector_key *k)
{
	k->kind = (uint8_t)((packed >> 60) - 1);
	k->part = (uint16_t)(packed >> 44);
	k->row = user_base | (int64_t)(packed & (((uint64_t)1 << 44) - 1));
}

#endif
