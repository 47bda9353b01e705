/*
 * transfer.h: a store's data, exported and imported unchanged, with its ids, its times and the
 * steps that made it. What the importing store has already is never overwritten.
 *
 * The functions *_in_order export, in an order that depends on the data alone. They read a page at
 * a time; nothing is locked while a callback runs, which returns 0 to go on, another value to stop,
 * a negative one for -1. The functions *_give import, in the open transaction. Messages are
 * imported by messages_put, with "given" set.
 */
#pragma once

#include "store/about.h"
#include "store/categories.h"
#include "store/records.h"
#include "store/vectors.h"

enum give_did {
	GIVEN_STORED,
	GIVEN_SAME,                        /* it was there */
	GIVEN_DIFFERS,                     /* something else is there under its id, and stays */
	GIVEN_BURIED                       /* it was removed here for good (store/prune.h) */
};

/* ---- sessions and messages ---- */

/*
 * The user's sessions, ordered by their beginning, then by their names. Those outside the rest of
 * the scope come with all but their id empty. Cost: 8 bytes of memory a session.
 */
typedef int ordered_session_fn(void *arg, const struct session *v, bool in_scope);
int sessions_in_order(struct store *s, const struct scope *who, ordered_session_fn *fn, void *arg,
	struct err *err);
/*
 * Messages of a session (who->session), ordered by the turn that they had in the store where they
 * were first stored; m->turn is that turn. Cost: 40 bytes of memory a turn, in a session to which
 * two stores have added.
 */
int messages_in_order(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err);
/*
 * Makes the session, or adds what is not known of it here. GIVEN_DIFFERS: its title, prompt or
 * metadata is another here. *told: it has no turns yet, and is of the agent and project that v
 * tells.
 */
int sessions_give(struct store *s, const struct scope *who, const struct session *v,
	enum give_did *did, bool *told, struct err *err);

/* ---- steps, and the records that they made ---- */

struct step_given {
	struct step step;                  /* with time_us, did, why and agent */
	char id[ID_TEXT];                  /* the same in every store that knows the step */
	char undoes[ID_TEXT];              /* the step that it took back, "" none */
};

/* record is as the step left it; NULL: the step removed the record of that id. */
typedef int change_fn(void *arg, const struct step_given *st, const char *id,
	const struct fact *record);
/*
 * Steps ordered by their time, then by their ids: for each step, then change for each of its
 * changes.
 */
typedef int step_given_fn(void *arg, const struct step_given *st);
int steps_in_order(struct store *s, const struct scope *who, step_given_fn *step,
	change_fn *change, void *arg, struct err *err);

/*
 * Looks for the user's step of that id. *known: it is there. With make, one that is not there is
 * made. st->step is filled in both cases.
 */
int steps_give(struct store *s, const struct scope *who, struct step_given *st, bool make,
	bool *known, struct err *err);
/*
 * Whether the record of that id was removed here for good. In a transaction and with pruned_return
 * (struct put_options) the store forgets that, and the record may come in.
 */
int records_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err);
/*
 * Turns the ids that the record names into those that this store uses: a turn that both stores have
 * read may have another id here. superseded_by and summarized become "" if they name what was
 * removed here.
 */
int records_resolve(struct store *s, const struct scope *who, struct fact *f, struct arena *a,
	struct err *err);
/*
 * Imports one change of a step: the step left the record of that id as record says, or removed it
 * (NULL). If both stores have changed a record, the later change stands and the other is in its
 * history. *was, in the arena, is what the step left here, for comparison when *did is GIVEN_SAME.
 * ERR_DATA: the id is another user's.
 */
int changes_give(struct store *s, const struct scope *who, const struct step_given *st,
	const char *id, struct fact *record, enum give_did *did, struct arena *a,
	const struct fact **was, struct err *err);

/* ---- the rest, each in order of ids, fields or keys ---- */

struct access_given { char id[ID_TEXT]; int64_t accessed_us, n_accesses; };
typedef int access_fn(void *arg, const struct access_given *v);
int accesses_in_order(struct store *s, const struct scope *who, access_fn *fn, void *arg,
	struct err *err);
/* Keeps the later time and the larger number; does nothing if the record is not here. */
int accesses_give(struct store *s, const struct scope *who, const struct access_given *v,
	enum give_did *did, struct err *err);

/* c->id is kept. GIVEN_BURIED: here its words were removed along with one of its members. */
int categories_give(struct store *s, const struct scope *who, struct category *c,
	enum give_did *did, struct err *err);
struct member_given { char id[ID_TEXT]; enum vector_kind kind; char category[ID_TEXT]; };
typedef int member_given_fn(void *arg, const struct member_given *v);
/* Members that are messages come first. */
int members_in_order(struct store *s, const struct scope *who, member_given_fn *fn, void *arg,
	struct err *err);
/*
 * GIVEN_DIFFERS: the record is in another category here, or that category is not here;
 * GIVEN_BURIED: the record is not here.
 */
int members_give(struct store *s, const struct scope *who, const struct member_given *v,
	enum give_did *did, struct err *err);

/* v->updated_us is kept. */
int about_give(struct store *s, const struct scope *who, const struct about *v, enum give_did *did,
	struct err *err);
int about_give_consent(struct store *s, const struct scope *who, bool yes, int64_t since_us,
	enum give_did *did, struct err *err);

/* ---- vectors of messages, facts, summaries and reflections ---- */

/* Of a record, all of its parts. */
struct vectors_given {
	char id[ID_TEXT];
	enum vector_kind kind;
	uint8_t of[SHA256_BYTES];          /* of the text that they were made of */
	uint8_t model[SHA256_BYTES];
	size_t n_parts, part_bytes;
	/* [n_parts][part_bytes]: a scale, float32, little endian, and D bytes, as stored */
	const uint8_t *parts;
};

/* The vectors of the user that searches use; *out NULL: there are none. Cost: 16 bytes each. */
struct vectors_out;
int vectors_out_open(struct store *s, const struct scope *who, struct vectors_out **out,
	struct err *err);
void vectors_out_close(struct vectors_out *v);
/* Fills model, n_parts and parts, which last until the next call; n_parts 0: it has none. */
int vectors_out_of(struct vectors_out *v, enum vector_kind kind, int64_t row,
	struct vectors_given *out, struct err *err);
/* Calls fn with the model of the vectors that searches use, if there is one. */
int vectors_current(struct store *s, vector_model_fn *fn, void *arg, struct err *err);

/*
 * In the open transaction, for many records of one user and model, whose set is there
 * (vectors_set). Nothing else may be done with vectors until vectors_in_close, which writes the
 * last of them; vectors_in_free without it, where the transaction is rolled back.
 */
struct vectors_in;
int vectors_in_open(struct store *s, const struct scope *who, const uint8_t model[SHA256_BYTES],
	struct vectors_in **out, struct err *err);
/*
 * GIVEN_SAME: it has vectors; GIVEN_DIFFERS: its text is another one here; GIVEN_BURIED: it is not
 * here. ERR_DATA: they are none of this model, or the text is cut otherwise here.
 */
int vectors_in_put(struct vectors_in *v, const struct vectors_given *given, enum give_did *did,
	struct err *err);
int vectors_in_close(struct vectors_in *v, struct err *err);
void vectors_in_free(struct vectors_in *v);

#define TOMBSTONE_BYTES 16
typedef int tombstone_fn(void *arg, const uint8_t key[TOMBSTONE_BYTES]);
int tombstones_in_order(struct store *s, const struct scope *who, tombstone_fn *fn, void *arg,
	struct err *err);
/*
 * Of what a record rests on, *n were removed here for good and are not here. With pruned_return
 * (struct put_options) none counts.
 */
int sources_gone(struct store *s, const struct scope *who, const struct record_head *h, size_t *n,
	struct err *err);
/* What the key names is refused from now on; what is here of it stays. */
int tombstones_give(struct store *s, const struct scope *who, const uint8_t key[TOMBSTONE_BYTES],
	enum give_did *did, struct err *err);
