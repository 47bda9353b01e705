/*
 * embed_info.c: the model's record, as mem-model prints it, and what of the store it has made.
 */
#include "base/json.h"
#include "model/gemm.h"
#include "verb/embed_info.h"
#include "verb/model_record.h"

int
embed_info(const struct model *m, const char *db, const char *user, struct embed_info *v, struct err *err)
{
	struct scope who = { user, NULL, NULL, NULL };
	struct store *s;
	int rc;

	memset(v, 0, sizeof(*v));
	v->file = model_file(m);
	v->path = model_path(m);
	v->kernel = v->file->info.quantised ? gemm_kernel()->name : "float32";
	v->user = user;
	if (store_open(db, STORE_READ, &s, err) != 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		err_clear(err);
		return 0;
	}
	rc = vectors_look(s, &who, v->file->info.sha256, &v->look, err);
	store_close(s);
	return rc;
}

void
embed_info_record(struct buf *out, const struct embed_info *v)
{
	json_open(out);
	model_record_keys(out, v->file, v->path);
	json_str(out, "kernel", v->kernel);
	json_str(out, "user", v->user);
	json_int(out, "vectors", v->look.n_vectors);
	json_int(out, "missing", v->look.n_missing);
	json_str(out, "searched", v->look.searched[0] != '\0' ? v->look.searched : NULL);
	json_close(out);
	buf_addc(out, '\n');
}
