/*
 * claim.h: the statements that a memory's records make, put as the user would say them
 * (first_person.h), so that they can be compared with each other and with what was said.
 */
#pragma once

#include "audit/memories.h"
#include "statement/likeness_words.h"
#include "statement/reading.h"

struct claim {
	size_t record;             /* whose statement it is, in memories.items */
	const char *text;          /* as the record has it */
	size_t text_len;
	const char *said;          /* as the user would say it */
	size_t said_len;
	const struct said *words;  /* of it */
	uint64_t plain;            /* the same of two whose words are the same, as written */
	uint64_t slot;             /* the same of two that set what has one value; 0: it does not */
	const char *about;         /* "user", "other:Tess" (statement/reading.h) */
	bool user;                 /* it is about the user */
	bool done;                 /* some clause says that something holds no longer, or is past */
	int64_t from_us, to_us;    /* the first and last time that it names; TIME_NONE: none */
};

struct claims {
	struct claim *c;           /* [n], by record */
	size_t n, cap;
};

/*
 * Cuts all records into claims; texts are in m's arena. owner: what the user is called, or "";
 * labels: what stands before a colon of several may be who says it, or a project.
 */
void claims_read(struct claims *out, struct memories *m, const char *owner, bool labels);
