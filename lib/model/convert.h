/*
 * convert.h: a published model in, a model file out.
 */
#ifndef MODEL_CONVERT_H
#define MODEL_CONVERT_H

#include "model/modelfile.h"

/* raised when the same weights would give another file; 'make model' converts again then */
#define CONVERT_VERSION 2

/* NULL, -1 or 0: as schema/models.txt says, or the model itself */
struct convert_options {
	const char *name;              /* NULL: that of the file without ".model" */
	const char *licence, *query_prefix, *passage_prefix;
	int speaker;                   /* enum model_speaker */
	/* enum model_identifiers; -1: words where the tokenizer does not know capitals */
	int identifiers;
	uint32_t max_tokens;
	bool float32;                  /* the reference form */
};

/*
 * from: what source_open takes. Writes beside out and renames at the end, so that out is always
 * whole; the same source gives the same bytes. ERR_NOINPUT, ERR_DATA, ERR_USAGE (a name or prefix
 * that does not fit), ERR_IO.
 */
int
convert_model(const char *from, const char *out, const struct convert_options *o, struct err *err);

/*
 * q [n_rows][n_columns] and scale [n_rows] of rows [n_rows][n_columns]: w = scale q, the largest
 * |w| of a row becomes 127.
 */
void convert_quantise(const float *rows, size_t n_rows, size_t n_columns, int8_t *q, float *scale);

#endif
