/*
 * seal.h: bytes sealed to recipients, so that only who has the secret key of one can open them, and
 * nobody can change them unseen.
 */
#pragma once

#include "base/buf.h"
#include "seal/sodium.h"

#define SEAL_RECIPIENTS_MOST 64

struct seal_public { uint8_t bytes[SODIUM_KEY_BYTES]; };
struct seal_secret { uint8_t bytes[SODIUM_KEY_BYTES]; };

int seal_keys_new(struct seal_public *public, struct seal_secret *secret, struct err *err);
/* The public key of a secret one. */
int seal_public_of(const struct seal_secret *secret, struct seal_public *out, struct err *err);

/* Keys as text: "mem-public-..." and "mem-secret-...". */
void seal_write_public(struct buf *out, const struct seal_public *public);
void seal_write_secret(struct buf *out, const struct seal_secret *secret);
/*
 * Reads a key from a text of which any other lines begin with "#"; name is its source, for
 * ERR_DATA: there is none in it.
 */
int seal_read_public(const char *text, size_t len, const char *name, struct seal_public *out,
	struct err *err);
int seal_read_secret(const char *text, size_t len, const char *name, struct seal_secret *out,
	struct err *err);

/* Overwrites what must not stay in memory. */
void seal_wipe(void *p, size_t n);
/* Whether the file at path is sealed. */
bool seal_is(const char *path);

/* Seals all of the descriptor in to the n recipients, and writes it to out. */
int seal_stream(int in, int out, const struct seal_public *to, size_t n, struct err *err);
/*
 * Opens what is sealed. Nothing is written that was not sealed so. ERR_DATA: it is not sealed, was
 * changed, or is cut short: what came before was written; ERR_PERM: the key is none of its
 * recipients', and nothing was written.
 */
int seal_open(int in, int out, const struct seal_secret *secret, struct err *err);
