/*
 * transfer.h: what leaves a store as it is, in an order that depends on nothing else, and comes
 * into another one as it was: with its ids, its times and the steps that made it. What is there
 * already is never written over.
 *
 * Messages come in by messages_put, with "given" set. What is called "in order" is read a page at a
 * time, and nothing is locked while a callback runs, which returns 0 to go on, another value to
 * stop, a negative one for -1.
 */
#ifndef STORE_TRANSFER_H
#define STORE_TRANSFER_H

#include "store/about.h"
#include "store/categories.h"
#include "store/records.h"

enum give_did {
	GIVEN_STORED,
	GIVEN_SAME,                        /* it was there */
	GIVEN_DIFFERS,                     /* something else is there under its id, and stays */
	GIVEN_BURIED                       /* it was removed here (store/prune.h), and stays away */
};

/* ---- sessions and messages ---- */

/*
 * Sessions in order of their beginning, then of their names, of the user; those that the rest of
 * the scope leaves out come with title and all else but the id empty. Cost: 8 bytes a session.
 */
typedef int ordered_session_fn(void *arg, const struct session *v, bool in_scope);
int sessions_in_order(struct store *s, const struct scope *who, ordered_session_fn *fn, void *arg,
	struct err *err);
/*
 * Messages of a session (who->session) in order of the turns that they had where they were first
 * said, which is in m->turn. Cost: 40 bytes a turn, of a session to which two stores have added.
 */
int messages_in_order(struct store *s, const struct scope *who, const struct message_filter *f,
	message_fn *fn, void *arg, struct err *err);
/*
 * In the open transaction: makes the session, or adds to it what is not known of it. GIVEN_DIFFERS:
 * it has another title, prompt or other metadata here.
 */
int sessions_give(struct store *s, const struct scope *who, const struct session *v,
	enum give_did *did, struct err *err);

/* ---- steps, and the records that they made ---- */

struct step_given {
	struct step step;                  /* time_us, did, why and agent */
	char id[ID_TEXT];                  /* the same in every store that knows the step */
	char undoes[ID_TEXT];              /* the step that it took back, "" none */
};

/* record: as the step left it; NULL: it is gone, and came from id. */
typedef int change_fn(void *arg, const struct step_given *st, const char *id,
	const struct fact *record);
/* step: called before the changes of each. Steps in order of their time, then of their ids. */
typedef int step_given_fn(void *arg, const struct step_given *st);
int steps_in_order(struct store *s, const struct scope *who, step_given_fn *step,
	change_fn *change, void *arg, struct err *err);

/*
 * In the open transaction: the user's step of that id; *known: it is there. With make it is made
 * when it is not, and st->step filled either way.
 */
int steps_give(struct store *s, const struct scope *who, struct step_given *st, bool make,
	bool *known, struct err *err);
/*
 * In the open transaction: whether the record of that id was removed here and stays away. What may
 * return (struct put_options) is dug up.
 */
int records_buried(struct store *s, const struct scope *who, const char *id, bool *buried,
	struct err *err);
/*
 * In the open transaction: what the record says of others becomes what they are called here: of
 * turns that were read here, too, the ids, and nothing of what was removed.
 */
int records_resolve(struct store *s, const struct scope *who, struct fact *f, struct arena *a,
	struct err *err);
/*
 * In the open transaction: the step left the record of that id as record says, NULL: took it away.
 * Of what two stores have made of a record the later stands, and the other is in its history.
 * *was, in the arena, is what the step left of it here; it is to be compared when *did is
 * GIVEN_SAME. ERR_DATA: the id is another user's.
 */
int changes_give(struct store *s, const struct scope *who, const struct step_given *st,
	const char *id, struct fact *record, enum give_did *did, struct arena *a,
	const struct fact **was, struct err *err);

/* ---- the rest, each in order of ids, fields or keys ---- */

struct access_given { char id[ID_TEXT]; int64_t accessed_us, n_accesses; };
typedef int access_fn(void *arg, const struct access_given *v);
int accesses_in_order(struct store *s, const struct scope *who, access_fn *fn, void *arg,
	struct err *err);
/* The later and the more of both; of a record that is not there nothing. */
int accesses_give(struct store *s, const struct scope *who, const struct access_given *v,
	enum give_did *did, struct err *err);

/* By root, then by id. */
int categories_in_order(struct store *s, const struct scope *who, category_fn *fn, void *arg,
	struct err *err);
/* c->id is kept. GIVEN_BURIED: here its words have gone with a member of it. */
int categories_give(struct store *s, const struct scope *who, struct category *c,
	enum give_did *did, struct err *err);
struct member_given { char id[ID_TEXT]; enum vector_kind kind; char category[ID_TEXT]; };
typedef int member_given_fn(void *arg, const struct member_given *v);
/* Messages first. */
int members_in_order(struct store *s, const struct scope *who, member_given_fn *fn, void *arg,
	struct err *err);
/* GIVEN_DIFFERS: it is in another category, or that is not there; GIVEN_BURIED: it is not there. */
int members_give(struct store *s, const struct scope *who, const struct member_given *v,
	enum give_did *did, struct err *err);

/* updated_us is kept. */
int about_give(struct store *s, const struct scope *who, const struct about *v, enum give_did *did,
	struct err *err);
int about_give_consent(struct store *s, const struct scope *who, bool yes, int64_t since_us,
	enum give_did *did, struct err *err);

#define TOMBSTONE_BYTES 16
typedef int tombstone_fn(void *arg, const uint8_t key[TOMBSTONE_BYTES]);
int tombstones_in_order(struct store *s, const struct scope *who, tombstone_fn *fn, void *arg,
	struct err *err);
/* From now on what it names stays away; what is here of it stays. */
int tombstones_give(struct store *s, const struct scope *who, const uint8_t key[TOMBSTONE_BYTES],
	enum give_did *did, struct err *err);

#endif
