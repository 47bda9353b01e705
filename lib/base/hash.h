/*
 * hash.h: SHA-256 (FIPS 180-4), which proves content, and a fast 64-bit hash for tables.
 */
#pragma once

#include "base/base.h"

#define SHA256_BYTES 32
#define SHA256_TEXT  65

struct sha256 {
	uint32_t h[8];
	uint64_t n_bytes;
	uint8_t block[64];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *p, size_t n);
void sha256_end(struct sha256 *s, uint8_t out[SHA256_BYTES]);
void sha256(const void *p, size_t n, uint8_t out[SHA256_BYTES]);
/* Writes the first n digits (an even number) of the hash of a text in hexadecimal, and a NUL. */
void sha256_digits(const char *text, size_t n, char *out);
char *hex_format(const uint8_t *p, size_t n, char *out /* [2n+1] */);

/*
 * A well mixed hash that is not cryptographic and is the same on every machine. It takes about 1 ns
 * a word for short keys.
 */
uint64_t hash64(const void *p, size_t n, uint64_t seed);
/*
 * As hash64, with other values, and three times as fast from some hundred bytes on. A change of one
 * word always changes it.
 */
uint64_t hash64_long(const void *p, size_t n, uint64_t seed);
/* a bijection, the finalizer of splitmix64 */
uint64_t hash64_mix(uint64_t x);
