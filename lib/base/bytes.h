/*
 * bytes.h: numbers as bytes, whatever the order of the machine: little endian (le), as we write
 * them, and big endian (be). Written out, as compilers make one load of it.
 */
#pragma once

#include <stdint.h>
#include <string.h>

static inline unsigned
get_le16(const uint8_t *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t
get_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline float
float_of_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline float
get_le_float(const uint8_t *p)
{
	return float_of_bits(get_le32(p));
}

static inline uint64_t
get_le64(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	    (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	    (uint64_t)p[7] << 56;
}

static inline void
put_le(uint8_t *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static inline void
put_le_float(uint8_t *p, float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	put_le(p, bits, 4);
}

static inline uint32_t
get_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
