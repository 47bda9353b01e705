/*
 * subject.h: who and what a fact is about, so that what one person says of themselves, or of one
 * project, is never taken for news of another. It is told by fields of the record: "project",
 * "about" and "name", who said it. Older facts, and some that programs pipe in, say it in front of
 * their words ("Ann: I am well"): such a label is no word of the fact.
 */
#pragma once

#include "store/records.h"

struct fact_subject {
	/*
	 * the name in "about" ("other:Tess", "project:mem"); of a fact about the user, or without
	 * that key, who spoke the message that it rests on, else who "name" says, "" when that has
	 * no name; of a decision of a project that nobody with a name said, the project. NULL when
	 * the fact rests on no message: it may be about anybody
	 */
	const char *of;
	const char *speaker;       /* who said it, "": nobody knows */
	/* bytes of the content that are its label: who and what it is about, a colon and a blank */
	size_t label;
};

/* Texts are in a. Cost: one message read. */
int fact_subject(struct store *s, const struct scope *who, const struct fact *f, struct arena *a,
	struct fact_subject *out, struct err *err);

/*
 * Declares that fact_subject will be asked for these [n], of which some may be NULL: see
 * store_gather.
 */
int subjects_want(struct store *s, const struct scope *who, const struct fact *const *facts,
	size_t n, struct err *err);

/* Whether both may be about the same; case does not matter. And whether they are. */
bool subjects_agree(const char *a, const char *b);
bool subjects_same(const char *a, const char *b);

/*
 * The bytes in front of a fact's words that only say whose they are: its project or the path of
 * one, a name that the record gives, or speaker, who said it (NULL: nobody knows).
 */
size_t fact_label(const struct fact *f, const char *speaker, struct arena *a);

/* Whether a text begins with a label of that many bytes that is the path of a project. */
bool fact_label_is_path(const char *text, size_t label);

/*
 * The bytes of a text up to its first colon and the blank behind it; 0: it has none, or too far
 * behind to be a label, or one that says what kind of statement it is: "Decision: ...".
 */
size_t fact_label_maybe(const char *text, size_t len);

/* The bytes of a label that both texts begin with, whatever it is: "Deploy: ..."; 0: none. */
size_t fact_label_both(const char *a, size_t a_len, const char *b, size_t b_len);

/*
 * Whose a fact is, as its keys say, in a: "Ann", "Ann, of Tess", "/home/ann/tide", or "". What the
 * words themselves name is left out.
 */
const char *fact_whose(const struct fact *f, struct arena *a);

/*
 * The content for people and agents to read, in a: behind whose it is, where that is not the user
 * and it does not say so itself: "Ann: I am well", "Ann, of Tess: she is well", "/home/ann/tide:
 * the release is on Friday".
 */
const char *fact_shown(const struct fact *f, struct arena *a);
/* Likewise, to who knows that it is of the project. */
const char *fact_shown_in(const struct fact *f, const char *project, struct arena *a);
/* The same for a list that people read: of a directory only its name: "tide: the release ...". */
const char *fact_brief(const struct fact *f, struct arena *a);
