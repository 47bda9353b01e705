/*
 * adapter_test.c: corrections for a model are read for that model alone; a damaged file is none.
 *
 * The model is a tiny one (tiny_model.h), the file for it is written here.
 */
#include "base/alloc.h"
#include "model/adapter.h"
#include "model/convert.h"
#include "model/encoder.h"

#include "tap.h"
#include "tiny_model.h"
#include "tmpdir.h"

static struct modelfile file;

static void
encode(const struct weights *w, float *out)
{
	static const uint32_t ids[] = { 2, 9, 11, 7, 3 }, n = NELEM(ids);
	struct encoder *e = encoder_new(w);

	encoder_run(e, ids, &n, 1, out);
	encoder_free(e);
}

static bool
is_refused(const char *bytes, size_t n)
{
	struct adapter *a = adapter_read(&file, bytes, n);

	adapter_free(a);
	return a == NULL;
}

static void
test_damaged(struct buf *b)
{
	/* magic, SHA-256, layers, first layer, ranks */
	static const size_t bytes[] = { 0, 8, 8 + 2 * SHA256_BYTES, 12 + 2 * SHA256_BYTES,
		16 + 2 * SHA256_BYTES, 20 + 2 * SHA256_BYTES };
	size_t n_taken = 0;

	for (size_t n = 0; n < b->len; n++) {
		char *cut = xmalloc(n + 1);
		memcpy(cut, b->data, n);
		n_taken += !is_refused(cut, n);
		free(cut);
	}
	is_int((int64_t)n_taken, 0, "a file that ends too early is refused, wherever it ends");
	buf_addc(b, 0);
	ok(is_refused(b->data, b->len), "one with a byte behind its end is refused");
	b->len--;
	for (size_t i = 0; i < NELEM(bytes); i++) {
		b->data[bytes[i]] ^= 64;
		ok(is_refused(b->data, b->len), "one with another byte %zu is refused", bytes[i]);
		b->data[bytes[i]] ^= 64;
	}
}

/* A file without corrections of passages leaves these, and the model's identity, as they are. */
static void
test_questions_alone(struct buf *b)
{
	static const char none[4];
	struct modelfile as_was = file;
	struct adapter *a;

	b->len = TINY_HEAD_BYTES + TINY_LOW_BYTES;
	memcpy(b->data + 20 + 2 * SHA256_BYTES, none, sizeof(none));
	a = adapter_read(&file, b->data, b->len);
	if (!ok(a != NULL, "corrections of questions alone are read"))
		return;
	ok(adapter_weights(a, TEXT_QUERY)->layers[1].qkv.low != NULL &&
		adapter_weights(a, TEXT_PASSAGE)->layers[1].qkv.low == NULL,
	    "a passage then has none");
	adapter_identify(a, &file);
	ok(memcmp(&as_was, &file, sizeof(file)) == 0, "the model's vectors stay the same");
	adapter_free(a);
}

/* Those that are built in fit the shape of the models that they are for; only layers differ. */
static void
test_built_in(void)
{
	static struct modelfile model;

	model.weights = (struct weights){ .n_dims = 384, .n_inner = 1536 };
	for (size_t i = 0; i < 12; i++) {
		struct weights_layer *l = &model.weights.layers[i];
		l->qkv = (struct weights_matrix){ .n_in = 384, .n_out = 3 * 384 };
		l->attention = (struct weights_matrix){ .n_in = 384, .n_out = 384 };
		l->in = (struct weights_matrix){ .n_in = 384, .n_out = 1536 };
		l->out = (struct weights_matrix){ .n_in = 1536, .n_out = 384 };
	}
	ok(adapter_files[0].name != NULL, "there is an adapter");
	for (const struct embedded *f = adapter_files; f->name != NULL; f++) {
		uint32_t n_layers = (uint8_t)f->text[8 + 2 * SHA256_BYTES];
		struct adapter *a;
		memcpy(model.info.source_sha256, f->text + 8, SHA256_BYTES);
		model.weights.n_layers = n_layers;
		a = adapter_new(&model);
		ok(a != NULL &&
			adapter_weights(a, TEXT_QUERY)->layers[n_layers - 1].out.low != NULL,
		    "%s is whole", f->name);
		adapter_free(a);
	}
}

int
main(void)
{
	struct convert_options o = { .passage_prefix = "", .query_prefix = "" };
	struct err err = ERR_INIT;
	float plain[TINY_D], other[TINY_D], passage[TINY_D];
	struct adapter *a;
	struct buf b;

	tmpdir_make();
	tiny_directory("tiny", TINY_F32);
	if (!ok(convert_model("tiny", "tiny.model", &o, &err) == 0 &&
		    modelfile_open(&file, "tiny.model", &err) == 0,
		"a model to test with: %s", err.msg))
		return tap_done();
	ok(adapter_new(&file) == NULL, "none is built in for it");
	encode(&file.weights, plain);
	buf_init(&b, 1u << 16);
	tiny_adapter(&b, file.info.source_sha256, 0);
	a = adapter_read(&file, b.data, b.len);
	if (ok(a != NULL, "one for it is read")) {
		for (enum text_role role = TEXT_QUERY; role <= TEXT_PASSAGE; role++) {
			encode(adapter_weights(a, role), other);
			ok(memcmp(plain, other, sizeof(plain)) == 0,
			    "corrections of 0 change nothing, role %d", (int)role);
		}
	}
	adapter_free(a);
	tiny_adapter(&b, file.info.source_sha256, .01f);
	a = adapter_read(&file, b.data, b.len);
	if (ok(a != NULL, "one with other scales is read, too")) {
		encode(adapter_weights(a, TEXT_QUERY), other);
		ok(memcmp(plain, other, sizeof(plain)) != 0, "its corrections change a question");
		encode(adapter_weights(a, TEXT_PASSAGE), passage);
		ok(memcmp(plain, passage, sizeof(plain)) != 0 &&
			memcmp(other, passage, sizeof(other)) != 0,
		    "a passage has corrections of its own");
		ok(adapter_line(a).scale == .5f && adapter_line(a).offset == .25f,
		    "the level of its cosines");
		ok(file.weights.layers[1].qkv.low == NULL, "the model stays as it is");
		ok(adapter_weights(a, TEXT_QUERY)->layers[0].qkv.low == NULL &&
			adapter_weights(a, TEXT_QUERY)->layers[1].qkv.low->rank == TINY_RANK,
		    "from the first layer on that it names");
	}
	adapter_free(a);
	test_questions_alone(&b);
	tiny_adapter(&b, file.info.source_sha256, .01f);
	test_damaged(&b);
	test_built_in();
	buf_release(&b);
	modelfile_close(&file);
	unlink("tiny.model");
	return tap_done();
}
