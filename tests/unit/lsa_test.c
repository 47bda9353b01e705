/*
 * lsa_test.c: products of reduced rows against those of the whole rows, where the matrix has no
 * more dimensions than are kept; and against the best that a smaller rank can do, by hand.
 */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "math/lsa.h"
#include "tap.h"

#define ROWS 40
#define COLUMNS 60

static uint32_t starts[ROWS + 1], columns[ROWS * COLUMNS];
static float values[ROWS * COLUMNS], dense[ROWS][COLUMNS], out[ROWS * 16];

/* Rows that are mixtures of rank others. */
static struct sparse
mixture(size_t rank)
{
	struct sparse a = { starts, columns, values, ROWS, COLUMNS };
	uint32_t n = 0;

	for (size_t i = 0; i < ROWS; i++) {
		starts[i] = n;
		for (size_t c = 0; c < COLUMNS; c++) {
			dense[i][c] = 0;
			for (size_t r = 0; r < rank; r++)
				if (hash64_mix(c * 100 + r) % 3 == 0)
					dense[i][c] += (float)(hash64_mix(i * 31 + r + 9999) % 5);
			if (dense[i][c] != 0) {
				columns[n] = (uint32_t)c;
				values[n++] = dense[i][c];
			}
		}
	}
	starts[ROWS] = n;
	return a;
}

/* The largest difference of a product of two rows, as a share of the largest product. */
static double
worst(size_t rank)
{
	double most = 0, largest = 0;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < ROWS; j++) {
			double whole = 0, reduced = 0;
			for (size_t c = 0; c < COLUMNS; c++)
				whole += (double)dense[i][c] * (double)dense[j][c];
			for (size_t k = 0; k < rank; k++)
				reduced += (double)out[i * rank + k] * (double)out[j * rank + k];
			most = fmax(most, fabs(whole - reduced));
			largest = fmax(largest, fabs(whole));
		}
	return most / largest;
}

int
main(void)
{
	struct sparse a = mixture(5);
	float *first;
	uint32_t diagonal[] = { 0, 1, 2, 3 }, own[] = { 0, 1, 2 };
	float weights[] = { 3, 2, .01f };
	struct sparse b = { diagonal, own, weights, 3, 3 };

	lsa_reduce(&a, 5, out);
	ok(worst(5) < 1e-4, "rank 5 of rank 5: products are kept");
	lsa_reduce(&a, 12, out);
	ok(worst(12) < 1e-4, "room for more than there is: the rest is zeros");
	first = malloc(sizeof(out));
	memcpy(first, out, sizeof(out));
	lsa_reduce(&a, 12, out);
	ok(memcmp(first, out, sizeof(out)) == 0, "the same again");
	free(first);
	lsa_reduce(&a, 4, out);
	ok(worst(4) > 1e-4 && worst(4) < .3, "rank 4 of rank 5: something is lost, not much");
	/* the two largest of three directions; the third row is all but lost */
	lsa_reduce(&b, 2, out);
	ok(fabs(hypot((double)out[0], (double)out[1]) - 3) < 1e-3 &&
		fabs(hypot((double)out[2], (double)out[3]) - 2) < 1e-3 &&
		hypot((double)out[4], (double)out[5]) < 1e-3,
	    "the largest directions are kept");
	b.n = 0;
	lsa_reduce(&b, 2, out);
	b.n_columns = 0;
	lsa_reduce(&b, 2, out);
	ok(true, "nothing at all is no crash");
	return tap_done();
}
