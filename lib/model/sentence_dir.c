/*
 * sentence_dir.c: reads a directory in the sentence-transformers layout: kind of model, longest
 * input, tokenizer.
 *
 * Only models that the encoder computes correctly are accepted: BERT and XLM-R with absolute
 * positions, GELU by erf, and the mean of all tokens. Anything else is an error that names it,
 * because a model computed wrongly would seem to work.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "json/json.h"
#include "model/source.h"

#define JSON_FILE_MAX (256u << 20)

/* ---- tensors in a file of the safetensors format ---- */

/*
 * A file is the length of a header (u64), the header in JSON, and the tensors' data.
 *
 *	{"NAME": {"dtype": "F32", "shape": [30522, 384], "data_offsets": [BEGIN, END]}, ...}
 *
 * Offsets count from the end of the header. The types F32, F16 and BF16 are read; tensors that the
 * encoder does not use may have any type. Names of tensors may begin with that of the class or
 * module that holds the encoder.
 */

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

/*
 * Maps path into s, whose shapes are set and checked, and finds every tensor; each must have its
 * expected shape. ERR_NOINPUT, ERR_DATA.
 */
static int
safetensors_open(struct source *s, const char *path, struct err *err)
{
	const struct json *header;
	LOCAL(arena) arena = ARENA_INIT;
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
	return rc;
}

/*
 * Reads the file name of dir into b. Where there is not NULL, a missing file is no error and sets
 * *there to false.
 */
static int
read_file(const char *dir, const char *name, struct buf *b, bool *there, struct err *err)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/%s", dir, name), fd, rc = 0;

	buf_reset(b);
	if (there != NULL)
		*there = false;
	if (n < 0 || (size_t)n >= sizeof(path))
		return err_set(err, ERR_NOINPUT, "the path of '%s' is too long", name);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) < 0) {
		if (there != NULL && errno == ENOENT)
			return 0;
		return err_set_errno(err, ERR_NOINPUT, "cannot open '%s'", path);
	}
	for (;;) {
		char *room = buf_reserve(b, 65536);
		ssize_t got = room != NULL ? read(fd, room, 65536) : 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			rc = err_set_errno(err, ERR_NOINPUT, "cannot read '%s'", path);
		else if (room == NULL)
			rc = err_set(err, ERR_DATA, "'%s' is too long", path);
		if (got <= 0)
			break;
		b->len += (size_t)got;
	}
	close(fd);
	if (there != NULL)
		*there = true;
	return rc;
}

/* Reads and parses a JSON file. *out is NULL when it is missing and not needed. */
static int
read_json(const char *dir, const char *name, bool needed, struct arena *a, const struct json **out,
	struct err *err)
{
	struct err why = ERR_INIT;
	bool there = true;

	*out = NULL;
	LOCAL(buf) b = buf_of(JSON_FILE_MAX);
	int rc = read_file(dir, name, &b, needed ? NULL : &there, err);
	if (rc == 0 && there && json_parse(b.data, b.len, a, out, &why) != 0)
		rc = err_set(err, ERR_DATA, "'%s/%s': %s", dir, name, why.msg);
	return rc;
}

/* ---- configuration, pooling, longest input ---- */

static uint32_t
count(const struct json *v, const char *key, uint32_t otherwise)
{
	double x = json_get_number(v, key, otherwise);

	return x >= 0 && x <= UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static int
read_config(struct source *s, const struct json *config, struct err *err)
{
	const char *kind = json_get_string(config, "model_type", NULL),
		   *act = json_get_string(config, "hidden_act", NULL);
	const char *position = json_get_string(config, "position_embedding_type", NULL);

	if (kind == NULL || (strcmp(kind, "bert") != 0 && strcmp(kind, "xlm-roberta") != 0))
		return err_set(err, ERR_DATA,
		    "a model of type '%.60s': the encoder runs bert and xlm-roberta",
		    kind != NULL ? kind : "");
	if (act == NULL || strcmp(act, "gelu") != 0)
		return err_set(err, ERR_DATA, "activation '%.60s': the encoder has gelu",
		    act != NULL ? act : "");
	if (position != NULL && strcmp(position, "absolute") != 0)
		return err_set(err, ERR_DATA, "positions '%.60s': the encoder has absolute ones",
		    position);
	s->n_dims = count(config, "hidden_size", 0);
	s->n_layers = count(config, "num_hidden_layers", 0);
	s->n_heads = count(config, "num_attention_heads", 0);
	s->n_inner = count(config, "intermediate_size", 0);
	s->n_vocab = count(config, "vocab_size", 0);
	s->n_types = count(config, "type_vocab_size", 2);
	s->n_position_rows = count(config, "max_position_embeddings", 0);
	s->norm_eps = (float)json_get_number(config, "layer_norm_eps", 1e-12);
	/* XLM-R numbers positions from the one after that of the padding token. */
	s->first_position = strcmp(kind, "xlm-roberta") == 0
	    ? MIN(count(config, "pad_token_id", 1), 1u << 16) + 1
	    : 0;
	return source_check_shapes(s, err);
}

static int
check_pooling(const struct json *pooling, struct err *err)
{
	static const char *const others[] = { "pooling_mode_cls_token", "pooling_mode_max_tokens",
		"pooling_mode_mean_sqrt_len_tokens", "pooling_mode_weightedmean_tokens",
		"pooling_mode_lasttoken" };
	const struct json *mean = json_get(pooling, "pooling_mode_mean_tokens");

	for (size_t i = 0; i < NELEM(others); i++) {
		const struct json *v = json_get(pooling, others[i]);

		if (v != NULL && v->kind == JSON_TRUE)
			return err_set(err, ERR_DATA,
			    "pooling '%s': the encoder takes the mean of all tokens",
			    others[i] + strlen("pooling_mode_"));
	}
	return mean != NULL && mean->kind == JSON_TRUE
	    ? 0
	    : err_set(err, ERR_DATA, "pooling is not the mean of all tokens");
}

static int
check_modules(const char *dir, struct arena *a, struct err *err)
{
	static const char *const known[] = { "Transformer", "Pooling", "Normalize" };
	const struct json *modules, *pooling;

	if (read_json(dir, "modules.json", false, a, &modules, err) != 0)
		return -1;
	for (size_t i = 0; modules != NULL && modules->kind == JSON_ARRAY && i < modules->len;
	     i++) {
		const char *type = json_get_string(&modules->u.items[i], "type", NULL),
			   *dot = type != NULL ? strrchr(type, '.') : NULL;
		size_t k = 0;

		while (k < NELEM(known) && (dot == NULL || strcmp(dot + 1, known[k]) != 0))
			k++;
		if (k == NELEM(known))
			return err_set(err, ERR_DATA,
			    "a step '%.100s' after the encoder: only the mean and the norm are "
			    "known",
			    type != NULL ? type : "");
	}
	if (read_json(dir, "1_Pooling/config.json", false, a, &pooling, err) != 0)
		return -1;
	return pooling != NULL ? check_pooling(pooling, err) : 0;
}

/*
 * The longest input of sentence_bert_config.json counts; the truncation in tokenizer.json is for
 * batching.
 */
static int
read_longest(struct source *s, const char *dir, struct arena *a, struct err *err)
{
	uint32_t most = s->n_position_rows - s->first_position;
	const struct json *bert, *tokenizer;

	if (read_json(dir, "sentence_bert_config.json", false, a, &bert, err) != 0 ||
	    read_json(dir, "tokenizer_config.json", false, a, &tokenizer, err) != 0)
		return -1;
	s->max_tokens =
	    MIN(count(bert, "max_seq_length", count(tokenizer, "model_max_length", most)), most);
	return 0;
}

/* ---- tokenizers ---- */

static int
check_uncased(const char *dir, struct arena *a, struct err *err)
{
	const struct json *config, *lower;

	if (read_json(dir, "tokenizer_config.json", false, a, &config, err) != 0)
		return -1;
	lower = json_get(config, "do_lower_case");
	return lower != NULL && lower->kind == JSON_FALSE
	    ? err_set(err, ERR_DATA, "a cased WordPiece tokenizer: only the uncased one is known")
	    : 0;
}

/* Writes the vocabulary {TOKEN: ID} as lines in the order of ids. */
static int
wordpiece_from_json(struct source *s, const struct json *vocab, struct err *err)
{
	FREED const char **tokens = NULL;
	int rc = 0;

	if (vocab == NULL || vocab->kind != JSON_OBJECT || vocab->len == 0 ||
	    vocab->len > s->n_vocab)
		return err_set(err, ERR_DATA, "its vocabulary does not fit the model's");
	tokens = xcalloc(vocab->len, sizeof(*tokens));
	LOCAL(buf) lines = buf_of(JSON_FILE_MAX);
	for (size_t i = 0; i < vocab->len && rc == 0; i++) {
		const struct json_member *m = &vocab->u.members[i];
		double id = m->value.kind == JSON_NUMBER ? m->value.u.number : -1;

		if (!(id >= 0 && id < (double)vocab->len) || strchr(m->key, '\n') != NULL ||
		    tokens[(size_t)id] != NULL)
			rc = err_set(err, ERR_DATA, "token '%.60s' has no id of its own", m->key);
		else
			tokens[(size_t)id] = m->key;
	}
	for (size_t i = 0; i < vocab->len && rc == 0; i++)
		buf_addf(&lines, "%s\n", tokens[i]);
	if (rc == 0)
		rc = wordpiece_build(lines.data, lines.len, &s->tokenizer, err);
	return rc;
}

static int
unigram_from_json(struct source *s, const struct json *model, struct err *err)
{
	static const char *const special[] = { "<s>", "</s>", "<pad>" };
	const struct json *vocab = json_get(model, "vocab");
	uint32_t ids[NELEM(special)] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	struct unigram_source from = { .unknown = count(model, "unk_id", UINT32_MAX) };
	FREED const char **pieces = NULL;
	FREED float *scores = NULL;
	int rc = 0;

	if (vocab == NULL || vocab->kind != JSON_ARRAY || vocab->len == 0 ||
	    vocab->len > s->n_vocab)
		return err_set(err, ERR_DATA, "its vocabulary does not fit the model's");
	pieces = xcalloc(vocab->len, sizeof(*pieces));
	scores = xcalloc(vocab->len, sizeof(*scores));
	for (size_t i = 0; i < vocab->len && rc == 0; i++) {
		const struct json *v = &vocab->u.items[i];

		if (v->kind != JSON_ARRAY || v->len != 2 || v->u.items[0].kind != JSON_STRING ||
		    v->u.items[1].kind != JSON_NUMBER) {
			rc = err_set(err, ERR_DATA, "piece %zu is not [TEXT, SCORE]", i);
			break;
		}
		pieces[i] = v->u.items[0].u.string;
		scores[i] = (float)v->u.items[1].u.number;
		for (size_t k = 0; k < NELEM(special); k++)
			if (strcmp(pieces[i], special[k]) == 0)
				ids[k] = (uint32_t)i;
	}
	from.n_pieces = (uint32_t)vocab->len;
	from.pieces = pieces;
	from.scores = scores;
	from.first = ids[0], from.last = ids[1], from.pad = ids[2];
	if (rc == 0 &&
	    (MAX(MAX(from.first, from.last), MAX(from.pad, from.unknown)) >= from.n_pieces))
		rc = err_set(err, ERR_DATA, "there is no <s>, </s>, <pad> or unknown piece");
	if (rc == 0)
		rc = unigram_build(&from, &s->tokenizer, err);
	return rc;
}

static int
read_tokenizer_json(struct source *s, const char *dir, struct arena *a, struct err *err)
{
	const struct json *all, *model, *lower;
	struct err why = ERR_INIT;
	int rc;

	if (read_json(dir, "tokenizer.json", true, a, &all, err) != 0)
		return -1;
	model = json_get(all, "model");
	lower = json_get(json_get(all, "normalizer"), "lowercase");
	if (json_is(model, "type", "WordPiece")) {
		s->tokenizer_kind = TOKENIZER_WORDPIECE;
		if (lower == NULL || lower->kind != JSON_TRUE)
			return err_set(err, ERR_DATA,
			    "a cased WordPiece tokenizer: only the uncased one is known");
		rc = wordpiece_from_json(s, json_get(model, "vocab"), &why);
	} else if (json_is(model, "type", "Unigram")) {
		s->tokenizer_kind = TOKENIZER_UNIGRAM;
		rc = unigram_from_json(s, model, &why);
	} else {
		const char *type = json_get_string(model, "type", NULL);

		return err_set(err, ERR_DATA,
		    "a tokenizer of type '%.60s': WordPiece and Unigram are known",
		    type != NULL ? type : "");
	}
	return rc == 0 ? 0 : err_set(err, ERR_DATA, "'%s/tokenizer.json': %s", dir, why.msg);
}

static int
read_tokenizer(struct source *s, const char *dir, struct arena *a, struct err *err)
{
	struct err why = ERR_INIT;
	bool there = true;
	LOCAL(buf) vocab = buf_of(JSON_FILE_MAX);
	int rc = read_file(dir, "vocab.txt", &vocab, &there, err);

	if (rc == 0 && there) {
		s->tokenizer_kind = TOKENIZER_WORDPIECE;
		rc = check_uncased(dir, a, err);
		if (rc == 0 && wordpiece_build(vocab.data, vocab.len, &s->tokenizer, &why) != 0)
			rc = err_set(err, ERR_DATA, "'%s/vocab.txt': %s", dir, why.msg);
	} else if (rc == 0) {
		rc = read_tokenizer_json(s, dir, a, err);
	}
	return rc;
}

int
source_open_directory(struct source *s, const char *dir, struct err *err)
{
	LOCAL(arena) arena = ARENA_INIT;
	struct err why = ERR_INIT;
	const struct json *config;
	char path[4096];
	int rc = read_json(dir, "config.json", true, &arena, &config, err);

	if (rc == 0 && (read_config(s, config, &why) != 0 || check_modules(dir, &arena, &why) != 0))
		rc = err_set(err, why.code, "'%s': %s", dir, why.msg);
	if (rc == 0)
		rc = read_longest(s, dir, &arena, err);
	if (rc == 0)
		rc = read_tokenizer(s, dir, &arena, err);
	snprintf(path, sizeof(path), "%s/model.safetensors", dir);
	if (rc == 0)
		rc = safetensors_open(s, path, err);
	return rc;
}
