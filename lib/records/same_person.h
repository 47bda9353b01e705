/*
 * same_person.h: people who speak under several names, as the user has said: a note with the tag
 * "same-person", whose other tags are the names. So it is synced, shown and taken back as any note.
 */
#ifndef RECORDS_SAME_PERSON_H
#define RECORDS_SAME_PERSON_H

#include "store/names.h"

#define SAME_PERSON_TAG "same-person"

/* Names [n] with the number of whom they are of; main: the name that people see, by that number. */
struct same_people {
	struct same_name { const char *name; size_t of; } *names;
	const char **main;
	size_t n, n_main, cap, cap_main;
};

/* All zeros: nobody has two names. Texts are in the arena. */
int same_people_read(struct store *s, const struct scope *who, struct same_people *out,
	struct arena *a, struct err *err);
void same_people_free(struct same_people *p);

/* Whether the two are names of one person. */
bool same_person(const struct same_people *p, const char *one, const char *other);
/* Puts counts of names of one person into one, which has the name that was given last. */
void same_people_join(const struct same_people *p, struct name_count *all, size_t *n);

#endif
