/*
 * model: any bytes as a model's file. One that is opened makes vectors that are numbers.
 */
#include "fuzz.h"

#include <math.h>

#include "model/model.h"
#include "model/modelfile.h"

static void
use(struct model *m)
{
	static const char *const texts[] = { "hello world the battery", "getUserName gr\xc3\xbc\xc3"
		"\x9f" "e \xe6\xb8\xaf", "" };
	const struct model_info *info = model_info(m);
	struct model_worker *w;
	float *out;

	/* one that is large takes long, and finds nothing else */
	if (info->n_layers > 4 || info->n_dims > 1024 || info->n_inner > 4096)
		return;
	w = model_worker_new(m);
	out = calloc(info->n_dims, sizeof(*out));
	if (out == NULL)
		abort();
	for (size_t i = 0; i < 3; i++) {
		struct model_text t = { texts[i], strlen(texts[i]), i & 1 ? TEXT_QUERY :
			TEXT_PASSAGE, NULL };
		float share = model_unknown_share(w, &t);

		model_embed(w, &t, 1, out);
		PROMISE(share >= 0 && share <= 1);
	}
	model_is_word(m, "hello", 5);
	free(out);
	model_worker_free(w);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct model *m = NULL;
	struct err err = ERR_INIT;

	file_of("fuzz-in.model", data, size);
	if (model_open(&m, "./fuzz-in.model", &err) != 0) {
		PROMISE(*err.msg != '\0');
		PROMISE(err.code != ERR_BUG);
	} else {
		use(m);
		model_close(m);
	}
	remove("fuzz-in.model");
	return 0;
}
