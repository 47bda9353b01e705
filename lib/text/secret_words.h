/*
 * secret_words.h: words by which somebody says what a password or a PIN is, a row each, and the
 * three bytes of each by which the pass of secrets.c finds it: their last is that at which
 * secret_said is called. What most languages share is in secret_said.c; of others a row has what
 * stands for "is", and that alone is understood behind its word.
 */
#pragma once

#include "base/base.h"

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
} secret_words[] = {
	{ "password", 4, SECRET_PASSWORD, NULL }, { "passwort", 4, SECRET_PASSWORD, NULL },
	{ "passwd", 4, SECRET_PASSWORD, NULL }, { "passphrase", 4, SECRET_PASSWORD, NULL },
	{ "passcode", 4, SECRET_PASSWORD, NULL }, { "kennwort", 4, SECRET_PASSWORD, NULL },
	{ "mot de passe", 11, SECRET_PASSWORD, NULL },
	{ "palavra-passe", 12, SECRET_PASSWORD, NULL }, { "senha", 4, SECRET_PASSWORD, NULL },
	{ "contrase\xc3\xb1" "a", 9, SECRET_PASSWORD, NULL },
	{ "contrasenya", 10, SECRET_PASSWORD, NULL },
	{ "wachtwoord", 5, SECRET_PASSWORD, NULL },
	{ "l\xc3\xb6senordet", 2, SECRET_PASSWORD, NULL },
	{ "l\xc3\xb6senord", 2, SECRET_PASSWORD, NULL },
	{ "\xe5\xaf\x86\xe7\xa0\x81", 3, SECRET_PASSWORD, NULL },
	{ "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c", 11, SECRET_PASSWORD, NULL },
	{ "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd0\xb0\xd1\x82\xd0\xb0", 11, SECRET_PASSWORD,
	    " \xd0\xb5 " },
	{ "\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd0\xb0", 11, SECRET_PASSWORD, " \xd0\xb5 " },
	{ "\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89", 8, SECRET_PASSWORD, NULL },
	{ "\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8", 5, SECRET_PASSWORD, NULL },
	{ "parolas\xc4\xb1", 4, SECRET_PASSWORD, " " },
	{ "parola", 4, SECRET_PASSWORD, " este e " },
	{ "parol\xc4\x83", 4, SECRET_PASSWORD, " este e " },
	{ "has\xc5\x82o", 4, SECRET_PASSWORD, " to jest brzmi " },
	{ "heslo", 4, SECRET_PASSWORD, " je " }, { "geslo", 4, SECRET_PASSWORD, " je " },
	{ "lozinka", 3, SECRET_PASSWORD, " je " }, { "jelsz\xc3\xb3", 4, SECRET_PASSWORD, " a " },
	{ "salasana", 5, SECRET_PASSWORD, " on " },
	{ "adgangskoden", 3, SECRET_PASSWORD, " er " },
	{ "adgangskode", 3, SECRET_PASSWORD, " er " },
	{ "passordet", 4, SECRET_PASSWORD, " er " }, { "passord", 4, SECRET_PASSWORD, " er " },
	{ "\xc5\x9fifresi", 4, SECRET_PASSWORD, " " }, { "\xc5\x9fifre", 4, SECRET_PASSWORD, " " },
	{ "\xe6\x9a\x97\xe8\xa8\xbc\xe7\x95\xaa\xe5\x8f\xb7", 5, SECRET_PIN, NULL },
	{ "pin", 2, SECRET_PIN, NULL }, { "code", 2, SECRET_LOCK, NULL },
	{ "codul", 2, SECRET_LOCK, " este e " }, { "codice", 2, SECRET_LOCK, NULL },
};
