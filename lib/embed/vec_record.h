/*
 * vec_record.h: records that may carry a vector, as mem-embed --filter makes them.
 */
#ifndef EMBED_VEC_RECORD_H
#define EMBED_VEC_RECORD_H

#include "json/json.h"

struct vec_record {
	/* the record; without its vec where that was cut off before */
	const struct json *v;
	const char *text;                  /* of "text", "content" or "query"; NULL none */
	size_t text_len;
	const char *speaker;               /* of a message, NULL none */
	bool is_query;
	bool has_vec;
	/* of vec; 0: it is no vector of 1 to VEC_MAX_DIMS finite numbers that are not all zero */
	size_t n_dims;
};

/*
 * Reads a line: r, and its vector, made unit, to vec [VEC_MAX_DIMS]. ERR_DATA: not a JSON object.
 * Cost: a vector at the line's end, where mem-embed puts it, is read by itself, 2 ns a byte;
 * elsewhere as the rest.
 */
int vec_record_read(const char *line, size_t len, struct arena *a, struct vec_record *r, float *vec,
	struct err *err);

/*
 * Fills text, speaker and is_query of a record r->v that was parsed elsewhere; it is zero
 * otherwise.
 */
void vec_record_text(struct vec_record *r);

#endif
