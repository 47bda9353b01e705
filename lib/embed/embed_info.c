/*
 * embed_info.c: the model's record, as mem-model prints it, followed by how much of a store it has
 * embedded.
 */
#include "base/conf.h"
#include "embed/embed_info.h"
#include "embed/model_record.h"
#include "embed/service.h"
#include "json/json.h"
#include "model/kernels/gemm.h"

static int
look_at_store(struct embed_info *v, struct store *s, struct err *err)
{
	struct scope who = { v->user, NULL, NULL, NULL };

	if (v->file == NULL && service_known(s, &v->of, NULL, err) < 0)
		return -1;
	return vectors_look(s, &who, v->file != NULL ? v->file->info.sha256 : v->of.sha256,
	    &v->look, err);
}

int
embed_info(const struct model *m, const char *db, const char *user, struct embed_info *v,
	struct err *err)
{
	struct store *s;

	memset(v, 0, sizeof(*v));
	v->user = user;
	if (m != NULL) {
		v->file = model_file(m);
		v->path = model_path(m);
		v->kernel = v->file->info.quantised ? gemm_kernel()->name : "float32";
	} else {
		snprintf(v->of.name, sizeof(v->of.name), "%s", conf_text("embed_model"));
	}
	if (store_open(db, STORE_READ, &s, err) != 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		err_clear(err);
		return 0;
	}
	int rc = look_at_store(v, s, err);
	store_close(s);
	return rc;
}

static void
service_keys(struct buf *out, const struct vector_model *of)
{
	json_str(out, "type", "model");
	json_str(out, "name", of->name);
	json_bool(out, "service", true);
	if (of->n_dims == 0)
		return;
	json_int(out, "dimensions", of->n_dims);
	json_num(out, "unrelated", (double)of->unrelated);
}

void
embed_info_record(struct buf *out, const struct embed_info *v)
{
	json_open(out);
	if (v->file != NULL)
		model_record_keys(out, v->file, v->path);
	else
		service_keys(out, &v->of);
	json_str(out, "kernel", v->kernel);
	json_str(out, "user", v->user);
	json_int(out, "vectors", v->look.n_vectors);
	json_int(out, "missing", v->look.n_missing);
	json_str(out, "searched", v->look.searched[0] != '\0' ? v->look.searched : NULL);
	json_end(out);
}
