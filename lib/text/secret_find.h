/*
 * secret_find.h: what the halves of redaction share: secrets.c, which scans the text, and those
 * that decide whether there is a secret at one place: secret_find.c what has a form, secret_given.c
 * what a command is given, secret_said.c what stands where somebody says so.
 */
#pragma once

#include "base/base.h"

/* a secret that is not named is at least this long, with its prefix */
#define SECRET_RUN_BYTES 16

struct secret_match {
	const char *name;          /* name of its form; static */
	size_t start, end;
};

struct secret_finder {
	const char *text;          /* borrowed */
	size_t len;
	/* the end of the last match; what precedes it is not examined again */
	size_t done;
	struct secret_match m;     /* the last match */
};

/*
 * Whether a secret begins in the run [at, end) of letters, digits and - _ . or directly behind it;
 * if so it is in f->m. Cost: at each start of a word, a comparison with the forms that begin with
 * its first letter.
 */
bool secret_in_run(struct secret_finder *f, size_t at, size_t end);
/*
 * The same for the sign at `at`: one of : = + /, a dash behind a blank, a blank behind a digit, or
 * a byte of a word for a password (secret_said).
 */
bool secret_at_sign(struct secret_finder *f, size_t at);

/*
 * Whether the match that ends at f->done is a key of which the other half stands near behind it, in
 * whatever words; if so that is in f->m.
 */
bool secret_other_half(struct secret_finder *f);

/*
 * Returns the form of the secret that value [len] is, if it stands in quotes under this name, as in
 * a JSON object; NULL: the name does not announce a secret, or the value is none.
 */
const char *secret_named(const char *name, size_t name_len, const char *value, size_t len);

/* A quick test whether the text at `at` may follow "bearer " or "basic "; rejects most words. */
static inline bool
secret_may_follow_scheme(const char *text, size_t at)
{
	return at >= 7 && text[at - 1] == ' ' &&
	    ((text[at - 2] | 0x20) == 'r' || (text[at - 2] | 0x20) == 'c');
}

/* ---- secret_forms.c: tables ---- */
/* Alphabets, as bits; HEX is in lower case. */
enum {
	SECRET_LOWER = 1,
	SECRET_UPPER = 2,
	SECRET_DIGIT = 4,
	SECRET_DASH = 8 /* - and _ */,
	SECRET_DOT = 16,
	SECRET_BASE64 = 32 /* + / = */,
	SECRET_HEX = 64
};

struct secret_form {
	const char *prefix, *name;
	unsigned alphabet;
	unsigned min, max;         /* number of characters behind the prefix */
	double entropy;            /* their least entropy, in bits a character */
};

extern const struct secret_form secret_forms[], secret_webhooks[];
extern const size_t secret_n_forms, secret_n_webhooks;

/* Ends of names, in lower case, without _ and -; the last row has length 0. */
struct secret_name { size_t len; const char *text; };

extern const struct secret_name secret_key_names[], secret_password_names[];

extern const char *const secret_placeholders[];        /* NULL-terminated */

/* ---- secret_chars.c ---- */
#define SECRET_ALNUM   (SECRET_LOWER | SECRET_UPPER | SECRET_DIGIT)
#define SECRET_LETTERS (SECRET_LOWER | SECRET_UPPER)
#define SECRET_URLSAFE (SECRET_ALNUM | SECRET_DASH)
#define SECRET_RUN     (SECRET_URLSAFE | SECRET_DOT)

/* The alphabets that the character belongs to. */
unsigned secret_class(char c);
/* Returns the end of the characters of the alphabet from `at` on, at most max of them. */
size_t secret_span(const struct secret_finder *f, size_t at, unsigned alphabet, size_t max);
bool secret_starts(const struct secret_finder *f, size_t at, const char *s);
/* Whether s, in lower case, directly precedes `at`, in any case. */
bool secret_follows(const struct secret_finder *f, size_t at, const char *s);
/* Shannon's, in bits a character. */
double secret_entropy(const char *p, size_t len);
bool secret_is_placeholder(const char *p, size_t len);
/* The alphabets of letters and digits that occur. */
unsigned secret_classes(const char *p, size_t len);
/* Whether there are letters in both cases, or a digit, which words joined by dashes lack. */
bool secret_is_mixed(const char *p, size_t len);
/* Sets the match; true. */
bool secret_found(struct secret_finder *f, const char *name, size_t start, size_t end);

/* ---- secret_given.c ---- */
/* Whether letters and digits change as often as by chance, and not as in words: "jAvQwiRmNN". */
bool secret_is_jumbled(const char *p, size_t len);
/* Whether it is code, or stands for a password: "$PW", "<password>". */
bool secret_is_expression(const char *p, size_t len);
/* What a sentence may call a password. */
bool secret_is_said(const char *p, size_t len);
/* What a command is given as one: also a word. */
bool secret_is_given(const char *p, size_t len);

/* The token at *start, without quotes around it; returns its end. */
size_t secret_token(const struct secret_finder *f, size_t *start);
/* Whether the word is on the line, not far before `at`. */
bool secret_line_has(const struct secret_finder *f, size_t at, const char *word);

/* Whether it stands behind the option that begins at `at`, a dash behind a blank. */
bool secret_at_option(struct secret_finder *f, size_t at);
/* Whether it stands behind the name of a command that ends at `at`; if so it is in f->m. */
bool secret_operand(struct secret_finder *f, size_t at);
/* "curl -u NAME:PASSWORD"; the colon is at `at`. */
bool secret_login(struct secret_finder *f, size_t at);

/* ---- secret_said.c; secret_numbers.c: what a checksum gives away ---- */
/* Whether a secret begins behind the sign at `at`; if so it is in f->m. */
bool secret_at_colon(struct secret_finder *f, size_t at);
bool secret_in_query(struct secret_finder *f, size_t at);        /* = */
bool secret_in_groups(struct secret_finder *f, size_t at);       /* a blank behind a digit */
/* The same for a run of SECRET_RUN_BYTES or more. */
bool secret_in_long_run(struct secret_finder *f, size_t at, size_t end);
/*
 * The same behind a word for a password, of which `at` is a byte where few other words have the
 * same three: the w of "password", the e of "passe".
 */
bool secret_said(struct secret_finder *f, size_t at);
/* The same for a run that looks like chance, behind words that call it a token or a key. */
bool secret_called(struct secret_finder *f, size_t at, size_t end);
