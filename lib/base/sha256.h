/*
 * sha256.h: what hash.c and the kernel for x86 share. Private to lib/base.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/base.h"

extern const uint32_t sha256_k[64];

/* h takes in p [64 * n_blocks]. */
void sha256_plain_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks);

#if defined(__x86_64__)
bool sha256_x86_usable(void);
void sha256_x86_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks);
#endif

#endif
