/*
 * convert.h: converts a published model to a model file.
 */
#pragma once

#include "model/modelfile.h"

/* Raised when the same weights would give another file; "make model" then converts again. */
#define CONVERT_VERSION 2

/* NULL, -1 or 0 means: what schema/models.txt says, or the model itself. */
struct convert_options {
	const char *name;              /* NULL: the file's name without ".model" */
	const char *licence, *query_prefix, *passage_prefix;
	int speaker;                   /* enum model_speaker */
	/* enum model_identifiers; -1: IDENTIFIERS_WORDS when the tokenizer ignores case */
	int identifiers;
	uint32_t max_tokens;
	bool float32;                  /* keeps float32 weights: the reference form */
};

/*
 * Converts from (see source_open) to out. Writes beside out and renames at the end, so that out is
 * always complete; the same source gives the same bytes. ERR_NOINPUT, ERR_DATA, ERR_USAGE (a name
 * or prefix that does not fit), ERR_IO.
 */
int
convert_model(const char *from, const char *out, const struct convert_options *o, struct err *err);

/*
 * Quantises rows [n_rows][n_columns] to q [n_rows][n_columns] and scale [n_rows]: w ~ scale q,
 * where the largest |w| of a row becomes 127.
 */
void convert_quantise(const float *rows, size_t n_rows, size_t n_columns, int8_t *q, float *scale);
