/*
 * sodium.h: what is used of libsodium, which is loaded when the first bytes are sealed or opened,
 * and by mem-seal alone.
 */
#pragma once

#include "base/err.h"

#define SODIUM_KEY_BYTES    32     /* of a public key, a secret one, and that of a stream */
#define SODIUM_SEALED_BYTES (SODIUM_KEY_BYTES + 48)
#define SODIUM_HEADER_BYTES 24
#define SODIUM_EXTRA_BYTES  17     /* of each piece of a stream */
#define SODIUM_LAST         3      /* the tag of the last piece */

/* crypto_secretstream_xchacha20poly1305_state */
struct sodium_state { _Alignas(16) uint8_t bytes[64]; };

#define SODIUM_FUNCTIONS(F) \
	F(int, sodium_init, (void)) \
	F(int, crypto_box_keypair, (uint8_t *public, uint8_t *secret)) \
	F(int, crypto_scalarmult_base, (uint8_t *public, const uint8_t *secret)) \
	F(int, crypto_box_seal, (uint8_t *out, const uint8_t *m, unsigned long long len, \
	    const uint8_t *public)) \
	F(int, crypto_box_seal_open, (uint8_t *out, const uint8_t *c, unsigned long long len, \
	    const uint8_t *public, const uint8_t *secret)) \
	F(void, crypto_secretstream_xchacha20poly1305_keygen, (uint8_t *key)) \
	F(int, crypto_secretstream_xchacha20poly1305_init_push, (struct sodium_state *s, \
	    uint8_t *header, const uint8_t *key)) \
	F(int, crypto_secretstream_xchacha20poly1305_push, (struct sodium_state *s, uint8_t *out, \
	    unsigned long long *n_out, const uint8_t *m, unsigned long long len, \
	    const uint8_t *ad, unsigned long long n_ad, unsigned char tag)) \
	F(int, crypto_secretstream_xchacha20poly1305_init_pull, (struct sodium_state *s, \
	    const uint8_t *header, const uint8_t *key)) \
	F(int, crypto_secretstream_xchacha20poly1305_pull, (struct sodium_state *s, uint8_t *out, \
	    unsigned long long *n_out, unsigned char *tag, const uint8_t *c, \
	    unsigned long long len, const uint8_t *ad, unsigned long long n_ad)) \
	F(size_t, crypto_secretstream_xchacha20poly1305_statebytes, (void))

struct sodium {
#define SODIUM_POINTER(result, name, arguments) result (*name) arguments;
	SODIUM_FUNCTIONS(SODIUM_POINTER)
#undef SODIUM_POINTER
};

/* NULL: ERR_CONFIG, it is not installed. */
const struct sodium *sodium_load(struct err *err);
