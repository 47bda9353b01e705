/*
 * replay: feeds a fuzz target the files of its corpus, as they are and changed at random. usage:
 * replay CHANGES FILE ...
 *
 * SEED in the environment picks the changes. Before each input its bytes are in the file "last", so
 * that a crash can be had again.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <unistd.h>

static uint64_t state = 1;

static uint32_t
chance(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % n);
}

static uint8_t *
slurp(const char *name, size_t *size)
{
	FILE *f = fopen(name, "rb");
	uint8_t *p = malloc(1 << 20);

	if (f == NULL || p == NULL)
		abort();
	*size = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

/* A few changes in place or nearly: bytes, cuts, pieces doubled, things that parsers trip over. */
static size_t
change(uint8_t *p, size_t n, size_t cap)
{
	static const char *const odd[] = { "\"", "\\", "{", "[", "\xff", "\xed\xa0\x80",
		"\xe2\x80\x8b", "```", "<private>", "0", "-", "9999999999999999999", "\n",
		"\\u0000", "\xf0\x9f\x9a\xa2", "\xe6\xb8\xaf" };

	for (uint32_t k = 1 + chance(6); k > 0 && n > 0; k--) {
		uint32_t at = chance((uint32_t)n), len = 1 + chance((uint32_t)(n - at));
		const char *s = odd[chance(sizeof(odd) / sizeof(odd[0]))];
		switch (chance(6)) {
		case 0: p[at] = (uint8_t)chance(256); break;
		case 1: p[at] ^= (uint8_t)(1u << chance(8)); break;
		case 2: memmove(p + at, p + at + len, n - at - len); n -= len; break;
		case 3: n = at; break;
		case 4:
			if (n + len <= cap) {
				memmove(p + at + len, p + at, n - at);
				n += len;
			}
			break;
		default:
			len = (uint32_t)strlen(s);
			if (n + len <= cap) {
				memmove(p + at + len, p + at, n - at);
				memcpy(p + at, s, len);
				n += len;
			}
		}
	}
	return n;
}

/*
 * One descriptor for all: making the file anew for each input took a hundred times as long as the
 * input.
 */
static void
feed(const uint8_t *p, size_t n)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("last", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (pwrite(fd, p, n, 0) != (ssize_t)n || ftruncate(fd, (off_t)n) < 0)
		abort();
	LLVMFuzzerTestOneInput(p, n);
}

int
main(int argc, char **argv)
{
	long changes = argc > 1 ? strtol(argv[1], NULL, 10) : 0, n = 0;
	const char *seed = getenv("SEED");

	if (seed != NULL && *seed != '\0')
		state = strtoull(seed, NULL, 10) * 0x9e3779b97f4a7c15u + 1;
	feed((const uint8_t *)"", 0);
	for (int i = 2; i < argc; i++) {
		size_t size;
		uint8_t *p = slurp(argv[i], &size), *q = malloc(2 * size + 64);
		if (q == NULL)
			abort();
		feed(p, size);
		for (long k = 0; k < changes; k++, n++) {
			memcpy(q, p, size);
			feed(q, change(q, size, 2 * size + 64));
		}
		free(p);
		free(q);
	}
	printf("%d files, %ld changes\n", argc - 2, n);
	return 0;
}
