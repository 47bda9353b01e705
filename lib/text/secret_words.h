/*
 * secret_words.h: words by which somebody says what a password or a PIN is, a row each, and the
 * three bytes of each by which the pass of secrets.c finds it: their last is that at which
 * secret_said is called. What most languages share is in secret_said.c; of others a row has what
 * stands for "is", and that alone is understood behind its word.
 */
#pragma once

#include "base/base.h"
#include "gen/secrets_rows.h"

/* Of letters of ASCII, in any case. */
#define SECRET_TAILS(X) \
	X('s', 's', 'w') X('s', 's', 'e') X('s', 's', 'p') X('s', 's', 'c') X('s', 's', 'o') \
	X('n', 'h', 'a') X('n', 'n', 'w') X('h', 't', 'w') X('p', 'i', 'n') X('r', 'o', 'l') \
	X('s', 'l', 'o') X('l', 's', 'z') X('a', 's', 'a') X('d', 'g', 'a') X('i', 'f', 'r') \
	X('o', 'z', 'i') X('n', 'y', 'a') X('c', 'o', 'd')
/* Of others; each has another last byte. */
#define SECRET_BYTE_TAILS(X) \
	X('l', 0xc3, 0xb6) X(0xe3, 0x83, 0xaf) X(0xeb, 0xb0, 0x80) X(0xe8, 0xa8, 0xbc) \
	X('e', 0xc3, 0xb1) X(0xaf, 0x86, 0xe7) X(0xbb, 0xd1, 0x8c) X('s', 0xc5, 0x82) \
	X(0xbb, 0xd0, 0xb0)

/*
 * LOCK: a code that is a PIN beside the word for what it opens. is: what says what it is, words
 * with a blank around each; NULL: what secret_said.c has.
 */
enum secret_kind { SECRET_PASSWORD, SECRET_PIN, SECRET_LOCK };
static const struct secret_word {
	const char *word;
	size_t at;                 /* of its byte */
	enum secret_kind kind;
	const char *is;
} secret_words[] = { SECRETS_WORDS };
