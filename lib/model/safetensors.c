/*
 * safetensors.c: a file is the length of a header (u64), the header in JSON, and the tensors' data.
 *
 *	{"NAME": {"dtype": "F32", "shape": [30522, 384], "data_offsets": [BEGIN, END]}, ...}
 *
 * Offsets count from the end of the header. The types F32, F16 and BF16 are read; tensors that the
 * encoder does not use may have any type. Names of tensors may begin with that of the class or
 * module that holds the encoder.
 */
#include "json/json.h"
#include "model/safetensors.h"

#define HEADER_MAX (16u << 20)

/* %u stands for the layer. */
static const char *const names[N_SOURCE_TENSORS] = {
	"embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight",
	"embeddings.token_type_embeddings.weight", "embeddings.LayerNorm.weight",
	"embeddings.LayerNorm.bias", "attention.self.query.weight", "attention.self.query.bias",
	"attention.self.key.weight", "attention.self.key.bias", "attention.self.value.weight",
	"attention.self.value.bias", "attention.output.dense.weight", "attention.output.dense.bias",
	"attention.output.LayerNorm.weight", "attention.output.LayerNorm.bias",
	"intermediate.dense.weight", "intermediate.dense.bias", "output.dense.weight",
	"output.dense.bias", "output.LayerNorm.weight", "output.LayerNorm.bias",
};
static const char *const prefixes[] = { "", "bert.", "roberta.", "model.", "0.auto_model." };

static const struct json *
item(const struct json *v, size_t i)
{
	return v != NULL && v->kind == JSON_ARRAY && i < v->len ? &v->u.items[i] : NULL;
}

/* A whole number that is not negative; UINT64_MAX when v is none. */
static uint64_t
whole_number(const struct json *v)
{
	double x = v != NULL && v->kind == JSON_NUMBER ? v->u.number : -1;

	return x >= 0 && x <= 9007199254740992.0 && (double)(uint64_t)x == x ? (uint64_t)x
									     : UINT64_MAX;
}

static bool
has_shape(const struct json *shape, size_t n_rows, size_t n_columns)
{
	if (shape != NULL && shape->kind == JSON_ARRAY && shape->len == 1)
		return n_rows == 1 && whole_number(item(shape, 0)) == n_columns;
	return shape != NULL && shape->kind == JSON_ARRAY && shape->len == 2 &&
	    whole_number(item(shape, 0)) == n_rows && whole_number(item(shape, 1)) == n_columns;
}

static int
find_tensor(struct source *s, const struct json *header, const uint8_t *data, uint64_t n_data,
	const char *prefix, enum source_tensor t, unsigned layer, struct err *err)
{
	static const char *const types[] = { "F32", "F16", "BF16" };
	struct source_place *place = source_place(s, t, layer);
	const struct json *entry, *offsets;
	size_t n_rows, n_columns, i = 0;
	char name[128];

	if (t < SOURCE_FIRST_OF_LAYER)
		snprintf(name, sizeof(name), "%s%s", prefix, names[t]);
	else
		snprintf(name, sizeof(name), "%sencoder.layer.%u.%s", prefix, layer, names[t]);
	if ((entry = json_get(header, name)) == NULL)
		return err_set(err, ERR_DATA, "there is no tensor '%s'", name);
	source_shape(s, t, &n_rows, &n_columns);
	if (!has_shape(json_get(entry, "shape"), n_rows, n_columns))
		return err_set(err, ERR_DATA, "tensor '%s' is not of shape [%zu, %zu]", name,
		    n_rows, n_columns);
	const char *type = json_get_string(entry, "dtype", NULL);
	while (type != NULL && i < NELEM(types) && strcmp(type, types[i]) != 0)
		i++;
	if (type == NULL || i == NELEM(types))
		return err_set(err, ERR_DATA,
		    "tensor '%s' is of a type other than F32, F16 and BF16", name);
	place->type = i == 0 ? SOURCE_F32 : i == 1 ? SOURCE_F16 : SOURCE_BF16;
	offsets = json_get(entry, "data_offsets");
	uint64_t begin = whole_number(item(offsets, 0));
	uint64_t end = whole_number(item(offsets, 1));
	if (begin > end || end > n_data ||
	    end - begin != source_bytes(place->type, (uint64_t)n_rows * n_columns))
		return err_set(err, ERR_DATA, "tensor '%s' is not where it should be", name);
	place->data = data + begin;
	return 0;
}

static int
find_tensors(struct source *s, const struct json *header, const uint8_t *data, uint64_t n_data,
	struct err *err)
{
	const char *prefix = prefixes[0];

	for (size_t i = 0; i < NELEM(prefixes); i++) {
		char name[128];

		snprintf(name, sizeof(name), "%s%s", prefixes[i], names[SOURCE_WORDS]);
		if (json_get(header, name) != NULL)
			prefix = prefixes[i];
	}
	for (unsigned layer = 0; layer < s->n_layers; layer++)
		for (int i = layer == 0 ? 0 : SOURCE_FIRST_OF_LAYER; i < N_SOURCE_TENSORS; i++)
			if (find_tensor(s, header, data, n_data, prefix, (enum source_tensor)i,
				layer, err) != 0)
				return -1;
	return 0;
}

int
safetensors_open(struct source *s, const char *path, struct err *err)
{
	const struct json *header;
	struct arena arena = ARENA_INIT;
	struct err why = ERR_INIT;
	uint64_t n = 0;

	if (source_map(s, path, err) != 0)
		return -1;
	for (unsigned i = 0; i < 8 && i < s->n_map; i++)
		n |= (uint64_t)s->map[i] << 8 * i;
	if (s->n_map < 8 || n > s->n_map - 8 || n > HEADER_MAX)
		return err_set(err, ERR_DATA, "'%s' is no file of safetensors, or cut short", path);
	int rc = json_parse((const char *)s->map + 8, (size_t)n, &arena, &header, &why);
	if (rc == 0)
		rc = find_tensors(s, header, s->map + 8 + n, s->n_map - 8 - n, &why);
	if (rc != 0)
		err_set(err, ERR_DATA, "'%s': %s", path, why.msg);
	arena_release(&arena);
	return rc;
}
