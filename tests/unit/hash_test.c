/*
 * hash_test.c: SHA-256 against Python's hashlib, hash64 against the same formula in Python's long
 * integers.
 */
#include "base/hash.h"

#include "base/sha256.h"

#include "tap.h"

static void
test_sha256(void)
{
	/* of n times 'x': around the ends of blocks and of the padding */
	static const struct { size_t n; const char *hex; } cases[] = {
		{ 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ 1, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" },
		{ 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072" },
		{ 56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e" },
		{ 63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2" },
		{ 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c" },
		{ 65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9" },
		{ 119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c" },
		{ 120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98" },
		{ 1000, "44f8354494a5ba03ba1792a8d3e9c534c47a9181980fde7a3f44b06ef2ae7c7f" },
	};
	uint8_t digest[SHA256_BYTES];
	char text[SHA256_TEXT], data[1000];

	memset(data, 'x', sizeof(data));
	for (size_t i = 0; i < NELEM(cases); i++) {
		struct sha256 s;
		bool same = true;

		sha256(data, cases[i].n, digest);
		is_str(hex_format(digest, sizeof(digest), text), cases[i].hex,
		    "SHA-256 of %zu bytes", cases[i].n);
		for (size_t step = 1; step < 130; step += 7) {
			sha256_init(&s);
			for (size_t at = 0; at < cases[i].n; at += step)
				sha256_add(&s, data + at, MIN(step, cases[i].n - at));
			sha256_add(&s, data, 0);
			sha256_end(&s, digest);
			same = same &&
			    strcmp(hex_format(digest, sizeof(digest), text), cases[i].hex) == 0;
		}
		ok(same, "and in pieces of 1 to 127");
	}
	sha256("abc", 3, digest);
	is_str(hex_format(digest, 32, text),
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	    "the standard's example");
}

/* What is not in use on this machine is held to what is. */
static void
test_sha256_kernels(void)
{
#if defined(__x86_64__)
	uint8_t blocks[7 * 64];
	uint32_t plain[8], x86[8];
	uint64_t seed = 5;

	if (!sha256_x86_usable()) {
		ok(true, "no instructions for SHA-256 here");
		return;
	}
	for (size_t i = 0; i < sizeof(blocks); i++)
		blocks[i] = (uint8_t)(seed = hash64_mix(seed + i));
	for (int i = 0; i < 8; i++)
		plain[i] = x86[i] = (uint32_t)hash64_mix((uint64_t)i);
	sha256_plain_blocks(plain, blocks, 7);
	sha256_x86_blocks(x86, blocks, 3);
	sha256_x86_blocks(x86, blocks + 3 * 64, 4);
	ok(memcmp(plain, x86, sizeof(plain)) == 0, "both kernels say the same of seven blocks");
#endif
}

static int
bits(uint64_t x)
{
	int n = 0;

	for (; x != 0; x &= x - 1)
		n++;
	return n;
}

static void
test_hash64(void)
{
	char data[101];
	int least = 64, most = 0;

	for (int i = 0; i < 101; i++)
		data[i] = (char)i;
	ok(hash64("", 0, 0) == 0x6ae4947ecd406822u, "of nothing");
	ok(hash64("a", 1, 0) == 0x624fddd434cac587u, "of a byte");
	ok(hash64("memory", 6, 1) == 0x2b3607b491152cbeu, "with a seed");
	ok(hash64("abcdefgh", 8, 0) == 0xb3541cf27ca928adu, "of a word");
	ok(hash64("abcdefghi", 9, 7) == 0xd126e2f6056f1753u, "of a word and a byte");
	ok(hash64(data, 100, 42) == 0x071c0d7d882f852au, "of 100 bytes");
	memmove(data + 1, data, 100);
	ok(hash64(data + 1, 100, 42) == 0x071c0d7d882f852au, "wherever it lies");
	ok(hash64("a", 1, 0) != hash64("a\0", 2, 0), "a NUL more is another key");
	uint64_t whole = hash64(data, 100, 0);
	for (int i = 0; i < 800; i++) {
		data[i / 8] = (char)(data[i / 8] ^ 1 << i % 8);
		int n = bits(whole ^ hash64(data, 100, 0));
		data[i / 8] = (char)(data[i / 8] ^ 1 << i % 8);
		least = MIN(least, n);
		most = MAX(most, n);
	}
	ok(least >= 14 && most <= 50,
	    "one bit of the key changes about half of the hash (%d to %d of 64)", least, most);
	ok(hash64_mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu,
	    "first number of splitmix64 with seed 0");
	ok(hash64_mix(1) == 0x5692161d100b05e5u, "hash64_mix(1)");
}

static void
test_hash64_long(void)
{
	uint8_t data[200];
	bool differs = true;

	for (int i = 0; i < 200; i++)
		data[i] = (uint8_t)i;
	ok(hash64_long("", 0, 0) == 0x86461b9faf659918u, "of nothing");
	ok(hash64_long("memory", 6, 1) == 0x9973a06a5dc3ef14u, "of less than a round");
	ok(hash64_long(data, 200, 7) == 0xe075a948eae20120u, "of six rounds and a word");
	for (int i = 0; i < 1600; i++) {
		data[i / 8] = (uint8_t)(data[i / 8] ^ 1 << i % 8);
		differs &= hash64_long(data, 200, 7) != 0xe075a948eae20120u;
		data[i / 8] = (uint8_t)(data[i / 8] ^ 1 << i % 8);
	}
	ok(differs, "one bit changes it");
}

int
main(void)
{
	test_sha256();
	test_sha256_kernels();
	test_hash64();
	test_hash64_long();
	return tap_done();
}
