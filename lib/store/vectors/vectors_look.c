/* vectors_look.c: which models have vectors, and how many a user has of one. */
#include "store/vectors/slots.h"

int
vectors_models(struct store *s, vector_model_fn *fn, void *arg, struct err *err)
{
	struct vset v = { .no = 0 };
	int got, rc;

	while ((got = vset_next(s, &v, err)) > 0)
		if ((rc = fn(arg, &v.model)) != 0)
			return rc < 0 ? -1 : 0;
	return got;
}

static int
look(struct store *s, const struct scope *who, const uint8_t sha256[SHA256_BYTES],
	struct vectors_look *out, struct err *err)
{
	int64_t user = user_number(s, who->user, false, err);
	uint32_t n, n_dead;
	struct vset v;
	int got;

	memset(out, 0, sizeof(*out));
	if (user < 0 ||
	    (got = vset_read(stmt_start(s, STMT_VSET_CURRENT, NO_ARGS, err), &v, err)) < 0)
		return -1;
	if (got > 0)
		snprintf(out->searched, sizeof(out->searched), "%s", v.model.name);
	if ((got = vset_read(stmt_start(s, STMT_VSET_BY_SHA256, ARGS(BLOB(sha256, SHA256_BYTES)),
	    err), &v, err)) < 0)
		return -1;
	if (got > 0) {
		out->set = v.no;
		out->current = v.current;
	}
	if (user == 0)
		return 0;
	if (slots_count(s, out->set, user, &n, &n_dead, err) < 0)
		return -1;
	out->n_vectors = n - n_dead;
	return count_missing(s, out->set, vectors_by_service(sha256), user, user, INT64_MAX,
	    &out->n_missing, err);
}

int
vectors_look(struct store *s, const struct scope *who, const uint8_t sha256[SHA256_BYTES],
	struct vectors_look *out, struct err *err)
{
	bool own;
	int rc = store_gather(s, &own, err);

	if (rc == 0)
		rc = look(s, who, sha256, out, err);
	store_gather_end(s, own);
	return rc;
}
