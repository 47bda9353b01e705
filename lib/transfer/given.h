/*
 * given.h: reads the lines that an export has. As another store wrote them they are what they say:
 * nothing is cleaned, guessed or put in its place.
 */
#pragma once

#include "json/json.h"
#include "store/transfer.h"
#include "transfer/lines.h"

enum given_kind {
	GIVEN_HEAD,                        /* number: the version */
	GIVEN_END,                         /* number, and sha256 */
	GIVEN_SESSION,
	GIVEN_MESSAGE,
	GIVEN_STEP,
	GIVEN_RECORD,                      /* fact; step.id "" none: it is without history */
	GIVEN_GONE,                        /* fact.head.id and step.id */
	GIVEN_ACCESS,
	GIVEN_CATEGORY,
	GIVEN_MEMBER,
	GIVEN_PROFILE,
	GIVEN_CONSENT,                     /* number: 1 yes, and time_us */
	GIVEN_MODEL,                       /* of all users */
	GIVEN_VECTORS,
	GIVEN_TOMBSTONE
};

struct given {
	enum given_kind kind;
	const char *user;                  /* "" none: as of a head */
	int64_t number, time_us;
	uint8_t sha256[SHA256_BYTES];
	bool has_sha256;                   /* of a message, too: its content's, as it says */
	/* what the kind says of these */
	struct session session;
	struct message message;
	struct step_given step;
	struct fact fact;
	struct access_given access;
	struct category category;
	struct member_given member;
	struct about about;
	struct vector_model model;
	struct vectors_given vectors;
	uint8_t key[TOMBSTONE_BYTES];
	struct news_head news;             /* of a head; news.store "": of a whole memory */
};

/* Whether a record of that kind is of no user. */
static inline bool
given_is_of_all(enum given_kind kind)
{
	return kind == GIVEN_HEAD || kind == GIVEN_END || kind == GIVEN_MODEL;
}

/* out borrows from v and a. ERR_DATA: it is none of these, and why. */
int given_read(const struct json *v, struct arena *a, struct given *out, struct err *err);
