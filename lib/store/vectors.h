/*
 * vectors.h: the vectors of a user's records: a queue of those that are missing, sets of them by
 * model, and the scans that search needs.
 *
 * A set is all vectors made by one model, which its sha256 names. Searches use the current set. A
 * set of another model is built beside it, and takes its place in one step when nothing is missing
 * in it. A vector is found by its key: a record, and which chunk of it.
 *
 * Of a vector d is stored d - c in int8 with a scale, c being the model's centre, and a code: the
 * signs of R(d - c), R being a fixed rotation (math/vec.h). A slot is a vector's number within its
 * set and user; codes stand in pages of their own, in order of slots. The layout is drawn in
 * lib/store/vectors/slots.h.
 *
 * A message has a vector for each of its chunks (chunks_of), or one if it is not cut yet; a system
 * message, or one without content, has none.
 */
#pragma once

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
	uint16_t part;                     /* which chunk of it */
	uint8_t kind;                      /* enum vector_kind */
};

/* The model of a set. Two models with the same sha256 are one. */
struct vector_model {
	char name[64];
	uint8_t sha256[SHA256_BYTES];
	uint32_t n_dims;
	float unrelated;
	/*
	 * [n_dims] or NULL; stored with the set, so that a search for neighbours needs no model
	 * file
	 */
	const float *centre;
};

/*
 * The sha256 of a model that is a service begins so: texts leave this machine, or may, to be
 * embedded by it. A user's profile never does, so it does not count as missing in such a set.
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
 * In the open transaction: finds the set of a model, or makes it; *set is its number. The first set
 * of a store is current at once.
 */
int vectors_set(struct store *s, const struct vector_model *m, int64_t *set, struct err *err);
/*
 * The user's vectors that are missing in the set: up to limit of them, and the rest of the last
 * message, so that no message is split between calls. Those that failed are left out until they are
 * due. Nothing is locked while fn runs; it returns 0 to go on, another value to stop, negative for
 * -1.
 */
int vectors_missing(struct store *s, const struct scope *who, int64_t set, size_t limit,
	missing_fn *fn, void *arg, struct err *err);
/*
 * In the open transaction: stores vectors v [n][n_dims] (unit, float32, finite), in any order;
 * *n_put were stored. A record is passed over that is gone, has its vectors already, or has parts
 * that are not among the keys, so two processes may do the same work. Cheapest with all that one
 * vectors_missing gave: each one left out in between takes a row. v NULL: the vectors could not be
 * made; they stay missing, and are due again after 60 s, 120 s ... a day. ERR_BUSY: another process
 * has dropped the set.
 */
int vectors_put(struct store *s, const struct scope *who, int64_t set,
	const struct vector_key *keys, const float *v, size_t n, size_t *n_put, struct err *err);
/*
 * One step of sorting the user's vectors of the set into cells, so that searches of a large memory
 * need not read all codes: it finds centroids from a sample, or sorts some 100,000 vectors. *more:
 * call it again. It uses transactions of its own and holds no lock while it computes; when killed,
 * a step is done or not. It does nothing below cells_from vectors, nor for a short tail of vectors
 * without cells, which searches read whole. Cost: n sqrt(n) n_dims in all.
 */
int vectors_sort(struct store *s, const struct scope *who, int64_t set, unsigned n_threads,
	bool *more, struct err *err);
/*
 * In the open transaction: if nothing of any user is missing in the set, except what failed
 * VECTORS_TRIES times, makes it current and drops all others. *switched: it became current now. A
 * role of a database that does not see all users changes nothing.
 */
#define VECTORS_TRIES 5
int vectors_switch(struct store *s, int64_t set, bool *switched, struct err *err);

/* The models of all sets. m lives until fn returns; a value other than 0 stops. */
typedef int vector_model_fn(void *arg, const struct vector_model *m);
int vectors_models(struct store *s, vector_model_fn *fn, void *arg, struct err *err);

struct vectors_look {
	int64_t set;                       /* the model's; 0: there is none, so all is missing */
	bool current;                      /* searches use it */
	int64_t n_vectors, n_missing;      /* the user's in it */
	/* the model whose vectors searches use; "" none */
	char searched[64];
};
/*
 * How many vectors a model has made for the user, and how many are missing. Writes nothing. Cost:
 * linear in what is missing.
 */
int vectors_look(struct store *s, const struct scope *who, const uint8_t sha256[SHA256_BYTES],
	struct vectors_look *out, struct err *err);

/* ---- searching, in one snapshot as in index.h ---- */
struct vectors;
#define VECTORS_PER_PAGE 335
struct vectors_info {
	struct vector_model model;         /* name "" when there is no set */
	int64_t user_base;                 /* for vector_key_unpack */
	uint32_t n;                        /* the user's slots, dead ones too */
	bool exact;                        /* few enough that vectors_cosines is exact */
	uint32_t n_cells;                  /* cells into which they are sorted; 0: none */
	/* of the pages that vectors_cosines reads: slots, VECTORS_PER_PAGE at most, */
	uint32_t per_page;
	size_t page_bytes;                 /* and bytes */
};
/*
 * Opens the user's vectors in the current set, in a snapshot that vectors_close ends, or in the one
 * that the handle has open (index.h), which must then end later. Two handles may be used in two
 * threads.
 */
int vectors_open(struct store *s, const struct scope *who, struct vectors **out, struct err *err);
void vectors_close(struct vectors *v);
const struct vectors_info *vectors_info(const struct vectors *v);

/*
 * Adds offset to all cosines that are given from now on. Questions q [n_dims] are of length 1, or
 * of another one, by which their cosines are multiplied.
 */
void vectors_offset(struct vectors *v, double offset);

/*
 * The key of every slot and its cosine with q [n_dims]: exact (int8) up to VECTORS_EXACT
 * slots, beyond that estimated from the codes. keys [n] are packed (vector_key_unpack), cosines
 * [n]. A slot whose vector is gone has key VECTOR_DEAD and cosine -2.
 */
#define VECTORS_EXACT 50000
#define VECTOR_DEAD   0
int
vectors_cosines(struct vectors *v, const float *q, uint64_t *keys, float *cosines, struct err *err);

/*
 * The same in two halves, so that one thread reads pages while another, which must not touch the
 * store, scores them. vectors_pages gives the pages of all slots in order, each of per_page slots,
 * the last one with the rest: fn gets slots first .. first + n - 1, and returns 0 to go on.
 * vectors_score then scores a page for a question.
 */
struct vectors_question;
typedef int
vectors_page_fn(void *arg, uint32_t first, uint32_t n, const uint8_t *page, size_t bytes);
int vectors_pages(struct vectors *v, vectors_page_fn *fn, void *arg, struct err *err);
/*
 * Declares (store/db.h) that a question will read all pages; where there are cells, which are read
 * instead, it does nothing. Across a network the pages are by far the most that a question reads,
 * so other work should have begun.
 */
int vectors_want(struct vectors *v, struct err *err);
/* v is borrowed, q [n_dims] copied. */
struct vectors_question *
vectors_question_new(const struct vectors *v, const float *q);
void vectors_question_free(struct vectors_question *a);
void vectors_score(const struct vectors_question *a, const uint8_t *page, uint32_t n,
	uint64_t *keys, float *cosines);
/* Which vectors vectors_estimate compares; dead slots are left out. */
enum vectors_which {
	/*
	 * those in the cells nearest to q (setting cells_probed), and those in no cell. Cost:
	 * sqrt(n), of which a tenth or more is the centroids
	 */
	VECTORS_NEAR,
	/*
	 * a sample that does not depend on q: evenly spread pages of codes, a call of fn for each,
	 * in which slots ascend
	 */
	VECTORS_SAMPLE,
	/*
	 * slots [n], ascending, and the one before and after each, which is mostly a neighbouring
	 * turn. Cost: a page read for each
	 */
	VECTORS_AROUND,
	/*
	 * all on the pages that have the codes of messages rows [n], ascending: mostly their
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
/* fn gets them n at a time, in no order. */
typedef void vectors_found_fn(void *arg, uint32_t n, const uint64_t *keys, const float *cosines,
	const uint32_t *slots);
int vectors_estimate(struct vectors *v, const float *q, const struct vectors_some *some,
	vectors_found_fn *fn, void *arg, struct err *err);
/*
 * The exact (int8) cosines of messages rows [n], ascending: that of the best chunk, and its slot;
 * -2 where a message has no vector, or one in no cell. Cost: two pages read for each that stands
 * alone.
 */
int vectors_of_messages(struct vectors *v, const float *q, const int64_t *rows, size_t n,
	float *cosines, uint32_t *slots, struct err *err);

/* The exact (int8) cosines of slots [n], ascending. Cost: a page read for every ten neighbours. */
int vectors_rescore(struct vectors *v, const float *q, const uint32_t *slots, size_t n,
	float *cosines, struct err *err);
/* The vectors of slots [n], ascending: out [n][n_dims] unit. */
int vectors_get(struct vectors *v, const uint32_t *slots, size_t n, float *out, struct err *err);

/*
 * Unpacks a key as the scans give it: kind + 1 << 60 | part (16 bits) << 44 | row within the user
 * (44 bits).
 */
static inline void
vector_key_unpack(uint64_t packed, int64_t user_base, struct vector_key *k)
{
	k->kind = (uint8_t)((packed >> 60) - 1);
	k->part = (uint16_t)(packed >> 44);
	k->row = user_base | (int64_t)(packed & (((uint64_t)1 << 44) - 1));
}
