/*
 * query_vector_test.c: a search compares questions by corrected weights (model/adapter.h), and what
 * it calls similar is at the level of the published model, when a question is asked again, too.
 */
#include <math.h>

#include "storing.h"

#include "base/conf.h"
#include "math/vec.h"
#include "model/adapter.h"
#include "model/convert.h"
#include "search/search.h"
#include "store/vectors.h"
#include "tiny_model.h"

#define QUESTION "the cat and the dog"

/* Corrections for the tiny model stand in the place of those that are built in. */
static char adapter[TINY_ADAPTER_BYTES];
const struct embedded adapter_files[] = { { "tiny", adapter, sizeof(adapter) },
	{ NULL, NULL, 0 } };

static const char *const said[] = { "a cat sings", "the dog", "cats and dogs sing", "the" };
static struct vector_key keys[NELEM(said)];
static float passages[NELEM(said)][TINY_D];
static struct model_worker *worker;
static size_t n_keys;

static void
write_adapter(void)
{
	struct modelfile file;
	struct buf b;

	buf_init(&b, sizeof(adapter));
	must(modelfile_open(&file, "tiny.model", &err), "open the model's file");
	tiny_adapter(&b, file.info.source_sha256, .01f);
	memcpy(adapter, b.data, sizeof(adapter));
	modelfile_close(&file);
	buf_release(&b);
}

static int
embed_missing(void *arg, const struct vector_missing *m)
{
	(void)arg;
	keys[n_keys] = m->key;
	model_embed(worker, &(struct model_text){ m->text, m->len, TEXT_PASSAGE, NULL }, 1,
	    passages[n_keys++]);
	return 0;
}

static void
fill(struct model *m)
{
	const struct model_info *info = model_info(m);
	struct vector_model of = { .n_dims = info->n_dims,
		.unrelated = info->unrelated,
		.centre = model_centre(m) };
	int64_t set;
	size_t n_put;

	snprintf(of.name, sizeof(of.name), "%s", info->name);
	memcpy(of.sha256, info->sha256, sizeof(of.sha256));
	must(store_begin(st, &err), "begin");
	must(vectors_set(st, &of, &set, &err), "set");
	for (size_t i = 0; i < NELEM(said); i++) {
		struct message one = message("s", said[i]);
		one.position = i + 1;
		put(&ann, &one);
	}
	must(store_commit(st, &err), "commit");
	must(vectors_missing(st, &ann, set, NELEM(said), embed_missing, NULL, &err), "missing");
	must(store_begin(st, &err), "begin");
	must(vectors_put(st, &ann, set, keys, passages[0], n_keys, &n_put, &err), "put");
	must(store_commit(st, &err), "commit");
}

/* How far the similarities of the hits are from what the vectors say; 9: there are other hits. */
static double
far_off(struct search *search, const struct model_info *info, const float *asked)
{
	const struct search_query q = { .text = QUESTION,
		.len = strlen(QUESTION),
		.strategy = "fused",
		.limit = 10,
		.filter = MESSAGE_FILTER_ANY };
	struct search_result r;
	double far = 0;

	must(search_run(search, &ann, &q, &r, &err), "search");
	if (r.n != NELEM(said))
		return 9;
	for (size_t i = 0; i < r.n; i++) {
		size_t k = 0;
		while (k < n_keys && keys[k].row != r.hits[i].row)
			k++;
		if (k == n_keys)
			return 9;
		double cosine = .5 * vec_dot(asked, passages[k], TINY_D) + .25;
		far = fmax(far, fabs(model_calibrate(info, (float)cosine) - r.hits[i].sim));
	}
	return far;
}

int
main(void)
{
	static const char *const left[] = { "tiny/config.json", "tiny/sentence_bert_config.json",
		"tiny/vocab.txt", "tiny/model.safetensors", PATH, PATH "-wal", PATH "-shm",
		PATH ".lock", "tiny.model", NULL };
	struct convert_options o = { .name = "tiny", .speaker = SPEAKER_NONE };
	float asked[TINY_D];
	struct search *search;
	struct model *m;

	tmpdir_make();
	tiny_directory("tiny", TINY_F32);
	must(convert_model("tiny", "tiny.model", &o, &err), "convert");
	write_adapter();
	must(conf_set("model", "./tiny.model", &err), "model");
	must(model_open(&m, "./tiny.model", &err), "open the model");
	worker = model_worker_new(m);
	must(store_open(PATH, STORE_CREATE, &st, &err), "create");
	fill(m);
	model_embed(worker, &(struct model_text){ QUESTION, strlen(QUESTION), TEXT_QUERY, NULL }, 1,
	    asked);
	must(search_open(st, &search, &err), "open the search");
	double far = far_off(search, model_info(m), asked);
	ok(far < .01, "similar is what corrected weights say: %g off", far);
	far = far_off(search, model_info(m), asked);
	ok(far < .01, "the same question asked again: %g off", far);
	search_close(search);
	store_close(st);
	model_worker_free(worker);
	model_close(m);
	arena_release(&arena);
	for (size_t i = 0; i < 4; i++)
		unlink(left[i]);
	rmdir("tiny");
	tmpdir_remove(left);
	return tap_done();
}
