/*
 * fuzz.h: what a fuzz target is: a function that takes any bytes and may neither crash nor break a
 * promise. 'make fuzz' links it with libFuzzer, 'make check' with replay.c.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise; breaking it is a finding like a crash. */
#define PROMISE(cond) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond); \
			abort(); \
		} \
	} while (0)

/*
 * The bytes as text in memory of exactly their size, so that a look beyond them is seen; one NUL
 * after them when asked for.
 */
static inline char *
text_of(const uint8_t *data, size_t size, int nul)
{
	char *text = malloc(size + 1 - (size_t)!nul + (size == 0));

	if (text == NULL)
		abort();
	memcpy(text, data, size);
	if (nul)
		text[size] = '\0';
	return text;
}

/*
 * A number that the bytes decide, for options: so any file is an input as it is, and a fixture of
 * the tests a seed.
 */
static inline unsigned
number_of(const uint8_t *data, size_t size)
{
	unsigned h = 2166136261u;

	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 16777619u;
	return h ^ h >> 15;
}

/* The bytes as a file of that name in the working directory. */
static inline void
file_of(const char *name, const uint8_t *data, size_t size)
{
	FILE *f = fopen(name, "wb");

	if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0)
		abort();
}
