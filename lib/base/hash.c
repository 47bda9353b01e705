/*
 * hash.c: SHA-256 as in FIPS 180-4 (on x86 with its own instructions: sha256_x86.c), and a 64-bit
 * hash for tables.
 *
 * hash64 takes eight bytes a step, as a little-endian word. Each word is multiplied apart from the
 * chain, then folded into the state by xor, rotation and a second multiplication (about 5 cycles a
 * word); the end mixes in the length and runs the splitmix64 finalizer. It does not stop anyone who
 * wants collisions: it is for tables, sketches and seeds.
 */
#include "base/hash.h"

#include "base/bytes.h"
#include "base/sha256.h"

const uint32_t sha256_k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2,
};

static uint32_t
rotr32(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* One round; n is the number of rounds before it, modulo 8. */
static inline void
sha256_step(uint32_t v[8], unsigned n, uint32_t add)
{
	uint32_t a = v[(0 - n) & 7], b = v[(1 - n) & 7], c = v[(2 - n) & 7];
	uint32_t e = v[(4 - n) & 7], f = v[(5 - n) & 7], g = v[(6 - n) & 7];
	uint32_t s1 = rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25);
	uint32_t s0 = rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22);
	uint32_t t1 = v[(7 - n) & 7] + s1 + ((e & f) ^ (~e & g)) + add;

	v[(3 - n) & 7] += t1;
	v[(7 - n) & 7] = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
}

static void
sha256_block(uint32_t h[8], const uint8_t *p)
{
	uint32_t w[64], v[8];

	for (int i = 0; i < 16; i++, p += 4)
		w[i] = get_be32(p);
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];
		uint32_t s0 = rotr32(a, 7) ^ rotr32(a, 18) ^ a >> 3;
		uint32_t s1 = rotr32(b, 17) ^ rotr32(b, 19) ^ b >> 10;

		w[i] = w[i - 16] + s0 + w[i - 7] + s1;
	}
	/*
	 * each round moves the eight variables on by one place: after eight rounds they are back,
	 * and nothing was copied
	 */
	for (int i = 0; i < 8; i++)
		v[i] = h[i];
	for (int i = 0; i < 64; i += 8) {
		sha256_step(v, 0, sha256_k[i] + w[i]);
		sha256_step(v, 1, sha256_k[i + 1] + w[i + 1]);
		sha256_step(v, 2, sha256_k[i + 2] + w[i + 2]);
		sha256_step(v, 3, sha256_k[i + 3] + w[i + 3]);
		sha256_step(v, 4, sha256_k[i + 4] + w[i + 4]);
		sha256_step(v, 5, sha256_k[i + 5] + w[i + 5]);
		sha256_step(v, 6, sha256_k[i + 6] + w[i + 6]);
		sha256_step(v, 7, sha256_k[i + 7] + w[i + 7]);
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void
sha256_plain_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks)
{
	for (; n_blocks > 0; n_blocks--, p += 64)
		sha256_block(h, p);
}

static void
sha256_blocks(uint32_t h[8], const uint8_t *p, size_t n_blocks)
{
#if defined(__x86_64__)
	static _Atomic int usable;                             /* 0: not asked yet; 1: no; 2: yes */

	if (usable == 0)
		usable = sha256_x86_usable() ? 2 : 1;
	if (usable == 2) {
		sha256_x86_blocks(h, p, n_blocks);
		return;
	}
#endif
	sha256_plain_blocks(h, p, n_blocks);
}

void
sha256_init(struct sha256 *s)
{
	static const uint32_t start[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19,
	};

	memcpy(s->h, start, sizeof(start));
	s->n_bytes = 0;
}

void
sha256_add(struct sha256 *s, const void *p, size_t n)
{
	const uint8_t *bytes = p;
	size_t held = s->n_bytes % 64;

	s->n_bytes += n;
	if (held > 0 && n > 0) {
		size_t part = MIN(n, 64 - held);

		memcpy(s->block + held, bytes, part);
		bytes += part;
		n -= part;
		if (held + part < 64)
			return;
		sha256_blocks(s->h, s->block, 1);
	}
	sha256_blocks(s->h, bytes, n / 64);
	bytes += n / 64 * 64;
	n %= 64;
	if (n > 0)
		memcpy(s->block, bytes, n);
}

void
sha256_end(struct sha256 *s, uint8_t out[SHA256_BYTES])
{
	uint64_t bits = s->n_bytes * 8;
	size_t held = s->n_bytes % 64;

	s->block[held++] = 0x80;
	if (held > 56) {
		memset(s->block + held, 0, 64 - held);
		sha256_blocks(s->h, s->block, 1);
		held = 0;
	}
	memset(s->block + held, 0, 56 - held);
	for (int i = 0; i < 8; i++)
		s->block[56 + i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_blocks(s->h, s->block, 1);
	for (int i = 0; i < SHA256_BYTES; i++)
		out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void
sha256(const void *p, size_t n, uint8_t out[SHA256_BYTES])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_add(&s, p, n);
	sha256_end(&s, out);
}

char *
hex_format(const uint8_t *p, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		out[2 * i] = digits[p[i] >> 4];
		out[2 * i + 1] = digits[p[i] & 15];
	}
	out[2 * n] = '\0';
	return out;
}

void
sha256_digits(const char *text, size_t n, char *out)
{
	uint8_t sum[SHA256_BYTES];

	sha256(text, strlen(text), sum);
	hex_format(sum, n / 2, out);
}

uint64_t
hash64_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t
fold(uint64_t h, uint64_t word)
{
	h ^= word * 0x9e3779b97f4a7c15u;
	return (h << 29 | h >> 35) * 0xd6e8feb86659fd93u;
}

uint64_t
hash64(const void *p, size_t n, uint64_t seed)
{
	const uint8_t *bytes = p;
	uint64_t h = (seed + 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
	uint64_t last = 0;
	size_t left = n;

	for (; left >= 8; left -= 8, bytes += 8)
		h = fold(h, get_le64(bytes));
	for (size_t i = 0; i < left; i++)
		last |= (uint64_t)bytes[i] << (8 * i);
	if (left > 0)
		h = fold(h, last);
	return hash64_mix(h ^ (uint64_t)n);
}

/*
 * Four chains side by side, a word in turn for each, do not wait for each other; hash64 takes them
 * and what is left over.
 */
uint64_t
hash64_long(const void *p, size_t n, uint64_t seed)
{
	const uint8_t *bytes = p;
	uint64_t a = 1, b = 2, c = 3, d = 4;
	size_t left = n;

	for (; left >= 32; left -= 32, bytes += 32) {
		a = fold(a, get_le64(bytes));
		b = fold(b, get_le64(bytes + 8));
		c = fold(c, get_le64(bytes + 16));
		d = fold(d, get_le64(bytes + 24));
	}
	a = fold(fold(a, b), fold(c, d));
	return hash64(bytes, left, hash64_mix(a ^ seed) + n);
}
