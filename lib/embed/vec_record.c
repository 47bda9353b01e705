/* vec_record.c: reads the vector and the text of a record. */
#include "embed/vec_record.h"

#include <math.h>

#include "math/vec.h"

static size_t
vec_of_value(const struct json *v, float *vec)
{
	if (v->kind != JSON_ARRAY || v->len > VEC_MAX_DIMS)
		return 0;
	for (size_t i = 0; i < v->len; i++) {
		if (v->u.items[i].kind != JSON_NUMBER)
			return 0;
		vec[i] = (float)v->u.items[i].u.number;
	}
	return v->len;
}

void
vec_record_text(struct vec_record *r)
{
	static const char *const keys[] = { "text", "content", "query" };
	const char *type = json_get_string(r->v, "type", NULL);

	for (size_t i = 0; i < NELEM(keys) && r->text == NULL; i++) {
		r->text = json_get_string(r->v, keys[i], &r->text_len);
		r->is_query = strcmp(keys[i], "query") == 0;
	}
	if (type != NULL ? strcmp(type, "message") == 0
			 : json_get_string(r->v, "role", NULL) != NULL)
		r->speaker = json_get_string(r->v, "name", NULL);
}

int
vec_record_read(const char *line, size_t len, struct arena *a, struct vec_record *r, float *vec,
	struct err *err)
{
	*r = (struct vec_record){ .n_dims = 0 };
	if (json_parse(line, len, a, &r->v, err) != 0)
		return -1;
	if (r->v->kind != JSON_OBJECT)
		return err_set(err, ERR_DATA, "not a JSON object");
	const struct json *value = json_get(r->v, "vec");
	r->has_vec = value != NULL;
	r->n_dims = value != NULL ? vec_of_value(value, vec) : 0;
	for (size_t i = 0; i < r->n_dims; i++)
		if (!isfinite(vec[i]))
			r->n_dims = 0;
	if (r->n_dims > 0 && !vec_unit(vec, r->n_dims))
		r->n_dims = 0;
	vec_record_text(r);
	return 0;
}
