/*
 * vec_record.h: reads records that may carry a vector, as mem-embed --filter writes them.
 */
#pragma once

#include "json/json.h"

struct vec_record {
	const struct json *v;              /* the record */
	const char *text; /* the value of "text", "content" or "query"; NULL: none */
	size_t text_len;
	const char *speaker;               /* of a message; NULL: none */
	bool is_query;
	bool has_vec;
	/* of the vector; 0: not 1 to VEC_MAX_DIMS finite numbers, or all are zero */
	size_t n_dims;
};

/*
 * Reads a line into r and its vector, scaled to length 1, into vec [VEC_MAX_DIMS]. ERR_DATA: it is
 * no JSON object.
 */
int vec_record_read(const char *line, size_t len, struct arena *a, struct vec_record *r, float *vec,
	struct err *err);

/*
 * Fills in text, speaker and is_query of a record whose r->v was parsed elsewhere; all else of r
 * must be zero.
 */
void vec_record_text(struct vec_record *r);
