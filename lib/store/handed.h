/*
 * handed.h: what a search handed out, and what it left out and why. It is kept and removed with the
 * search's row of metrics, and holds numbers only. A message or record that is removed for good is
 * removed from it too.
 */
#pragma once

#include "store/store.h"

enum handed_did {
	HANDED_OUT,                        /* a hit, or an item of a block */
	HANDED_BESIDE,                     /* in a block, as the turn that a hit replies to */
	HANDED_FULL,                       /* the block had no room left for it */
	HANDED_TWIN,                       /* the block has it, or nearly the same text, already */
	HANDED_NOTHING,                    /* nothing visible is left of it */
	HANDED_UNLIKELY,                   /* no hit of the question was likely to answer */
	HANDED_REFUSED,                    /* the program that asked did not want it */
	N_HANDED
};
extern const char *const handed_names[N_HANDED];

struct handed {
	int64_t row;
	bool is_record;                    /* a fact, summary or reflection; else a message */
	enum handed_did did;
	unsigned rank;                     /* 0: no question found it */
	unsigned tokens;                   /* that it takes in the block */
	float score, p, sim, bm25;         /* as in struct search_hit; NAN: not known */
	/* [N_SIGNALS], to three digits; NULL: there are none, or they are another version's */
	const float *x;
};

struct handed_list { struct handed *items; size_t n, cap; };
void handed_add(struct handed_list *to, const struct handed *h);
void handed_list_release(struct handed_list *l);

static inline bool
handed_is_out(const struct handed *h)
{
	return h->did <= HANDED_BESIDE;
}

/* One answer: what its row of metrics says of who asked and when, and what was handed out. */
struct handed_answer {
	int64_t time_us;
	const char *program, *path;
	const struct handed *items;        /* [n], in the order of the hits */
	size_t n;
};

/*
 * The user's answers that are still kept, the newest first. fn returns 0 to go on; what it is given
 * lasts for the call. Cost: a pass over the user's rows of metrics.
 */
typedef int handed_fn(void *arg, const struct handed_answer *a);
int handed_each(struct store *s, const struct scope *who, handed_fn *fn, void *arg,
	struct err *err);

/*
 * Which messages and records the bytes of a column "handed" name: for a proof that something is
 * gone.
 */
typedef void handed_bytes_fn(void *arg, bool is_record, int64_t row);
void handed_bytes_each(const void *bytes, size_t len, handed_bytes_fn *fn, void *arg);
