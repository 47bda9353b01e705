/*
 * first_person.h: statements about the user, put as the user would say them: "The user lives in
 * Porto", or with the user's name, as "I live in Porto". Tables of cues and the words of
 * transcripts are about "I".
 */
#pragma once

#include "audit/memories.h"

struct first_person {
	const char *owner;         /* what the user is called, or "" */
	bool goes_on;              /* what stands before was about the user: "She lives in Porto" */
};

/*
 * Puts text [len] into the first person; *said [*said_len] is in a. Returns whether it begins with
 * the user; the user is put as "me" or "my" elsewhere.
 */
bool first_person(const struct first_person *how, const char *text, size_t len, struct arena *a,
	const char **said, size_t *said_len);

/*
 * Finds the name that stands for the user in records that name them so: that which says "name is",
 * or begins many statements. Returns it in m's arena, or "".
 */
const char *first_person_owner(struct memories *m);
