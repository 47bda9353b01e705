/*
 * sha256.h: the interface between hash.c and the x86 instructions for SHA-256. Private to lib/base.
 */
#pragma once

#include "base/base.h"

extern const uint32_t sha256_k[64];

/* Adds the blocks p [64 * n_blocks] to the state h. */
void sha256_plain_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks);

#if defined(__x86_64__)
bool sha256_x86_usable(void);
void sha256_x86_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks);
#endif
