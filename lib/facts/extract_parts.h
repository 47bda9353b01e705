/*
 * extract_parts.h: what extract.c (messages, and facts by rules) and extract_model.c (facts that a
 * language model, or an agent, says are in them) share.
 */
#pragma once

#include "clean/clean_text.h"
#include "facts/extract.h"
#include "facts/made.h"
#include "statement/statement.h"

/* A message that a user said. What it points at is in the arena. */
struct extract_turn {
	struct fact base;                      /* fields that all its facts share */
	const char *name;                      /* the speaker, "" when unknown */
	const char *text, *said;               /* as stored; without mem's context blocks */
	size_t text_len, said_len;
	/* where the next quote is looked for first: they mostly come in the order of the text */
	size_t from;
	bool talk;                             /* people talk with each other */
	bool unheard;                          /* no assistant hears it */
	bool nobody;                           /* no person says it */
	bool is_short;                         /* it needs no model */
	bool taken_back;                       /* in the speaker's next turn */
};

struct extract {
	const char *user;
	struct llm *llm;
	bool estimates;                        /* counts what a model would be asked */
	extract_fn *fn;
	void *arg;
	struct cleaner cleaner;
	struct arena arena;                    /* reset when no turn waits */
	struct extract_counts counts;
	char note[200];
	/* the session so far, and who "she" is in it */
	char session[READING_NAME], person[READING_NAME];
	char read[READING_NAME];               /* the session that the rules read last */
	/*
	 * who spoke first in the session; whether another did, an assistant, the owner of the
	 * memory; a part is played
	 */
	char first[READING_NAME];
	bool another, assisted, owner, played;
	unsigned unanswered;                   /* turns of the session before an assistant's */
	/* turns that wait for the next, and until there are enough for a question to the model */
	struct extract_turn *waiting;          /* [n_waiting] of cap_waiting, owned */
	size_t n_waiting, cap_waiting;
	int64_t waiting_tokens;
	bool stop;
	char made[MADE_TEXT];                  /* what facts by rules are made by */
};

/*
 * Hands out f with its quote and the quote's place in the turn. A fact whose quote is not there is
 * dropped.
 */
void extract_hand_out(struct extract *e, struct extract_turn *t, struct fact *f, const char *quote,
	size_t quote_len);
/*
 * Keys that a fact keeps beside ours: who says it, whom or what it is about, where that is not who
 * says it, and what it was made by.
 */
const char *extract_extra(struct extract *e, const struct extract_turn *t, const char *about,
	const char *made);
/* Where a text has some bytes; NULL: nowhere, or they are none. */
const char *extract_find(const char *text, size_t len, const char *what, size_t n);
/* What a quote says, in one line and without marks of Markdown (statement/plain.h). */
const char *extract_plain(struct extract *e, const char *quote, size_t len);
/* What the rules find in the turn. */
void extract_by_rules(struct extract *e, struct extract_turn *t);
/* Hands out the fact v, which a model or an agent says is in the turn, as far as it is there. */
void extract_claim(struct extract *e, struct extract_turn *t, const struct json *v,
	const char *made);
/* Asks the model what is in turns [n], or leaves it to the rules. */
void extract_by_model(struct extract *e, struct extract_turn *turns, size_t n);
