/*
 * people.h: who is meant by --name, --mine and --role user.
 */
#pragma once

#include "lexicon/lex.h"
#include "records/filter.h"
#include "records/named.h"
#include "store/names.h"

/*
 * Completes a filter that filter_parse read, with the names of who has spoken in this memory. A
 * name is that of one person; where nobody is called exactly so, letters of either case count as
 * the same and part of a name will do, from the beginning of a word on, and all whom it fits are
 * meant, with the other names that they have (same_people). Where the setting "me" says
 * who the owner is, role user is what the owner said, and the owner also said what a user without a
 * name did. no_person is told that nobody is called so, and who there is; note, who is meant where
 * that is not who was named. ERR_USAGE: --mine, and the setting is empty.
 */
int filter_people(struct store *s, const struct scope *who, const struct filter_words *w,
	struct message_filter *f, scope_told_fn *no_person, scope_told_fn *note, struct arena *a,
	struct err *err);
/* ERR_NOINPUT, with those whom the name may mean: nobody who ever spoke is called exactly so. */
int person_named(struct store *s, const struct scope *who, const char *name, struct arena *a,
	struct err *err);

/*
 * The parts of a name by which people call somebody: its words but titles, kin and function words,
 * so "Birgit" of "Tante Birgit"; all of them where no other is left. Of a name in a script without
 * spaces it is the whole, of an address what stands before the "@".
 */
#define PERSON_PARTS 8
struct person_parts {
	char text[PERSON_PARTS][LEX_BYTES];    /* folded; whole: as it is written, [len] */
	uint8_t len[PERSON_PARTS];
	size_t n;
	bool whole;
};

void person_parts_of(const char *name, struct person_parts *out);
/* Whether a text has one of them as a word, or with an "s" behind it. Cost: 100 ns a word. */
bool person_parts_in(const struct person_parts *p, const char *text, size_t len);

/*
 * People who speak under several names, as the user has said: a note with this tag, whose other
 * tags are the names. So it is synced, shown and taken back as any note.
 */
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
void same_people_release(struct same_people *p);

/* Whether the two are names of one person. */
bool same_person(const struct same_people *p, const char *one, const char *other);
/* The name that people see of whom has this one; name itself where it is nobody's of several. */
const char *same_people_main(const struct same_people *p, const char *name);
/* Puts counts of names of one person into one, which has the name that was given last. */
void same_people_join(const struct same_people *p, struct name_count *all, size_t *n);
