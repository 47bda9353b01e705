/*
 * forget_parts.h: what forget.c, forget_texts.c and forget_kept.c (the plan), forget_remove.c,
 * forget_traces.c, forget_verify.c and forget_scan.c (the proof: what is looked for, in rows and in
 * files) share.
 */
#pragma once

#include "base/hash.h"
#include "facts/forget.h"
#include "store/records.h"

#define FORGET_TURN_BITS 20   /* a row is its session's number, and below it the turn */

/* A word as it is written, ASCII letters in lower case, and what the tokenizer makes of it. */
enum forget_form { FORGET_WORD, FORGET_TERM };
#define FORGET_BIT(form) ((uint8_t)(1u << (form)))

/* There is one for each word that goes, so it takes no more than it must. */
struct forget_word {
	uint8_t last;                      /* its length less one: a word is cut at 256 bytes */
	/* bits of forms: what it is; what something else has, too; what was told */
	uint8_t is, also, told;
	uint8_t where[2];                  /* by form, a place that should not have it; 0: none */
	char text[];                       /* [last + 1], and a NUL */
};

#define FORGET_ALIGN 4     /* words begin at multiples of it, so that 32 bits reach 16 GB */

/* Words, each once, one behind the other, and where they are, by their hashes. */
struct forget_words {
	char *bytes;                       /* [len] */
	size_t len, cap_bytes;
	uint32_t *slots;                   /* [cap], with open addressing; 0: free */
	size_t n, cap;
};

void forget_words_add(struct forget_words *w, const char *text, size_t len);
/* Calls fn with each word of the text that is in the table; it must not add any. */
typedef void forget_word_fn(void *arg, struct forget_word *word, enum forget_form form);
void forget_words_look(struct forget_words *w, const char *text, size_t len, forget_word_fn *fn,
	void *arg);
/* The word of that form; NULL: it is not in the table. */
struct forget_word *forget_words_find(const struct forget_words *w, const char *text, size_t len,
	enum forget_form form);
/* The word behind e, of NULL the first; NULL: there is none. They are as they were added. */
struct forget_word *forget_words_next(const struct forget_words *w, const struct forget_word *e);
/* Calls fn, once for a word of a form. */
void forget_word_tell(struct forget_word *w, enum forget_form form, const char *where,
	forget_left_fn *fn, void *arg);
void forget_words_release(struct forget_words *w);

/* A message that goes alone; its session by its place in names. */
struct forget_message { int64_t row; uint8_t id[ID_BYTES]; uint32_t session; };

/* Rows of messages of one whole session, from the first to the last. */
struct forget_range { int64_t lo, hi; };

/* A session that loses single messages. */
struct forget_part {
	const char *name, *title;          /* title NULL: none */
	bool untitle;                      /* it has words of what goes */
};

/* A place of a vector: its key, and the hash of the len bytes that stand behind it. */
struct forget_vector { uint64_t key, hash; uint32_t len; };

struct forget {
	const struct forget_want *want;
	struct scope who;
	struct arena arena;
	const char **sessions;             /* whole ones [n_sessions] */
	size_t n_named;                    /* the first of them were asked for by name */
	struct forget_part *parts;         /* [n_parts] */
	const char **names;                /* of sessions that messages have [n_names] */
	struct forget_message *messages;   /* single ones, by row */
	struct made_record *records, *made;
	struct made_record *guarded;       /* [n_guarded] rest on what goes, and are protected */
	size_t n_guarded;
	size_t n_sessions, n_parts, n_names, n_messages, n_records, n_made;
	size_t cap_sessions, cap_parts, cap_names, cap_messages, cap_records, cap_made;
	struct forget_range *ranges;       /* of messages of the whole ones, ascending */
	size_t n_ranges, cap_ranges;
	size_t n_in_sessions;              /* how many these are */
	struct forget_vector *vectors;     /* by key */
	size_t n_vectors, cap_vectors;
	struct forget_words words;         /* of all that goes, for the proof alone */
	/* words of what may go, too: also those that messages or sessions that go have */
	struct forget_words sought;
	size_t n_looked;                   /* of sought, that all of it was looked through for */
};

/*
 * What was planned, with rows of messages and of records, these and then those made of what goes;
 * the caller frees both.
 */
struct going forget_going(const struct forget *f, int64_t **rows, int64_t **records);

/* Finds what is made of what goes, into made, when its words and records are known. */
int forget_find_made(struct forget *f, struct store *s, struct err *err);
/* Calls fn with a record as it is, and as it was before each step that changed it. */
int forget_versions_each(struct forget *f, struct store *s, int64_t row, fact_fn *fn, void *arg,
	struct err *err);
/* Cost: log n comparisons. */
bool forget_takes_message(const struct forget *f, int64_t row);
/* Whether a whole session has that number. */
bool forget_takes_session(const struct forget *f, int64_t number);
/* Cost: linear in the records that go. */
bool forget_takes_record(const struct forget *f, int64_t row);

/*
 * Calls fn with each text of the messages and sessions that go, and with ids with the ids of all
 * messages. Cost: they are read, with all of the sessions that lose single messages.
 */
typedef void forget_text_fn(void *arg, const char *text, size_t len);
int forget_texts_each(struct forget *f, struct store *s, bool ids, forget_text_fn *fn, void *arg,
	struct err *err);
/* Notes what the proof looks for. */
int forget_note_traces(struct forget *f, struct store *s, struct err *err);
/* Finds what of sought these texts have. Cost: where sought has grown, they are read. */
int forget_seek(struct forget *f, struct store *s, struct err *err);
