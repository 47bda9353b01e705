/*
 * writer_parts.h: what a write transaction keeps in memory until it is written out. Private to
 * lib/store/write: write.c has the cards and the full text, sessions_write.c the sessions.
 */
#pragma once

#include "base/hash.h"
#include "base/keyed.h"
#include "store/write/writer.h"

/* sessions held at once; one that needs the slot of another writes that one out */
#define SESSION_SLOTS 512
#define CARD_SLOTS    256
#define BUILDERS_MAX  8                        /* users indexed side by side in one batch */
#define LABEL_SLOTS   256                      /* names; a power of two */
#define LABEL_SLOTS_FAR 4096                   /* where asking again costs a round trip */

/* All that there may be take a megabyte, of which only those in use are touched. */
struct card_page {
	int64_t id;                            /* 0: empty */
	size_t n;                              /* cards */
	struct card *cards;                    /* [CARDS_A_PAGE] */
};

struct session_slot {
	int64_t user;
	char *name;                            /* NULL: empty */
	struct session_state state;
};

struct builder_slot {
	int64_t user;
	const struct lexicon *lexicon;
	struct postings_builder *builder;
	uint64_t used;
};

struct label_slot {
	int64_t user, no;
	enum label_kind kind;
	char *text;                            /* NULL: empty */
};

struct writer {
	char *user;                            /* the last one asked for */
	int64_t user_no;
	struct label_slot *labels;             /* [n_labels] */
	size_t n_labels;
	struct session_slot sessions[SESSION_SLOTS];
	struct card_page pages[CARD_SLOTS];
	struct builder_slot builders[BUILDERS_MAX];
	uint64_t clock;
	/* for messages that are not prepared; NULL until there is one */
	struct preparer *preparer;
	struct arena prepared;                 /* what was prepared of the last message */
	/* the user whose tombstones were looked up last, 0: none yet; whether there are any */
	int64_t buried_user;
	bool buried_any;
	/* the user and number of the last session that was made; the next gets the next number */
	int64_t made_user, made_last;
	/* keys of the messages that were put, a hash table [a power of two]; 0 is empty */
	struct keyed noted;
};

/* ---- sessions_write.c ---- */
/* Writes what is known of a session into its row, and logs what is new of it. */
int session_write(struct store *s, struct session_state *v, struct err *err);
