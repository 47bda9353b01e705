/*
 * service.c: a service has no model file. In place of that file's hash, its vectors are identified
 * by 32 bytes:
 *
 *	offset, bytes
 *	0   8  "service\1"
 *	8   8  hash of the model's name, the two prefixes and the number of dimensions
 *	16  16 signs of the rotated vector of PROBE, 128 or as many as there are dimensions, the rest 0
 *
 * The same model served elsewhere in another precision changes a few signs, so a tenth of them may
 * differ. With another model about half of them do.
 */
#include "embed/service.h"

#include "base/alloc.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/hash.h"
#include "math/vec.h"
#include "model/calibrate.h"

#define PROBE        "The quick brown fox jumps over the lazy dog, and nobody writes it down."
#define SIGNS_AT     16
#define SIGN_BITS    128
#define SIGNS_DIFFER 10            /* one in so many signs may differ */
#define BATCH_MOST   31 /* with the probe, as many texts as mem-llm sends in one request */
#define BATCH_NUMBERS 90000        /* numbers in one answer that mem-llm accepts */
/* every second line is used to calibrate: that is enough, at half the price */
#define LEARN_EVERY  2
#define LINES_MOST   400

struct service {
	struct llm *llm;
	struct calibration calibration;
};

/* ---- identity ---- */

static uint64_t
name_hash(size_t n_dims)
{
	const char *const parts[] = { conf_text("embed_model"), conf_text("embed_query_prefix"),
		conf_text("embed_passage_prefix") };
	uint64_t hash = n_dims;

	for (size_t i = 0; i < NELEM(parts); i++)
		hash = hash64(parts[i], strlen(parts[i]) + 1, hash);
	return hash;
}

static void
make_id(uint8_t id[SHA256_BYTES], size_t n_dims, const uint8_t signs[SIGN_BITS / 8])
{
	uint64_t hash = name_hash(n_dims);

	memcpy(id, VECTORS_SERVICE, VECTORS_SERVICE_BYTES);
	for (unsigned i = 0; i < 8; i++)
		id[VECTORS_SERVICE_BYTES + i] = (uint8_t)(hash >> 8 * i);
	memcpy(id + SIGNS_AT, signs, SIGN_BITS / 8);
}

static void
make_signs(const float *probe, size_t n_dims, uint8_t signs[SIGN_BITS / 8])
{
	FREED float *v = xreallocarray(NULL, n_dims, sizeof(*v));
	FREED uint8_t *code = xcalloc(vec_code_bytes(n_dims), 1);

	memcpy(v, probe, n_dims * sizeof(*v));
	vec_rotate(v, n_dims);
	vec_signs(v, n_dims, code);
	memset(signs, 0, SIGN_BITS / 8);
	memcpy(signs, code, MIN(vec_code_bytes(n_dims), SIGN_BITS / 8));
}

static bool
same_signs(const uint8_t *a, const uint8_t *b, size_t n_dims)
{
	size_t n_differ = 0;

	for (size_t i = 0; i < SIGN_BITS; i++)
		n_differ += ((a[i / 8] ^ b[i / 8]) >> i % 8 & 1) != 0;
	return n_differ <= MIN(n_dims, SIGN_BITS) / SIGNS_DIFFER;
}

bool
service_made(const struct vector_model *of)
{
	return vectors_by_service(of->sha256);
}

bool
service_is(const struct vector_model *of)
{
	static const uint8_t none[SIGN_BITS / 8];
	uint8_t id[SHA256_BYTES];

	make_id(id, of->n_dims, none);
	return llm_embeds() && memcmp(of->sha256, id, SIGNS_AT) == 0 &&
	    (conf_int("embed_dim") == 0 || conf_int("embed_dim") == of->n_dims);
}

struct wanted { struct vector_model *of; float **centre; };

static int
copy_known(void *arg, const struct vector_model *m)
{
	struct wanted *w = arg;

	if (!service_is(m))
		return 0;
	*w->of = *m;
	w->of->centre = NULL;
	if (w->centre != NULL && m->centre != NULL) {
		*w->centre = xreallocarray(NULL, m->n_dims, sizeof(**w->centre));
		memcpy(*w->centre, m->centre, m->n_dims * sizeof(**w->centre));
		w->of->centre = *w->centre;
	}
	return 1;
}

int
service_known(struct store *s, struct vector_model *of, float **centre, struct err *err)
{
	struct wanted w = { of, centre };

	/* Set even when the store has no set of it, so that service_made is true. */
	memcpy(of->sha256, VECTORS_SERVICE, VECTORS_SERVICE_BYTES);
	return vectors_models(s, copy_known, &w, err);
}

const char *
service_why_not(void)
{
	const char *off = off_here();

	return off != NULL ? off
	    : llm_embeds() ? "the settings name another service or model (embed_model)"
			   : "no service that embeds is set (embed_url, embed_model)";
}

struct service *
service_new(struct store *s, const char *user, const volatile sig_atomic_t *stop)
{
	struct service *v = xcalloc(1, sizeof(*v));

	v->llm = llm_new(s, user, "mem-embed", stop);
	return v;
}

void
service_free(struct service *v)
{
	if (v == NULL)
		return;
	llm_free(v->llm);
	calibration_release(&v->calibration);
	free(v);
}

size_t
service_batch(const struct vector_model *of)
{
	return MAX(1, MIN(BATCH_MOST, BATCH_NUMBERS / MAX(of->n_dims, 1) - 1));
}

int64_t
service_patience(void)
{
	return (int64_t)(1000 * conf_real("embed_timeout"));
}

/* ---- requests ---- */

static void
add_prefix(struct arena *a, const struct model_text *t, const char **text, size_t *len)
{
	const char *prefix =
	    conf_text(t->role == TEXT_PASSAGE ? "embed_passage_prefix" : "embed_query_prefix");
	size_t n = strlen(prefix);

	*text = t->text;
	*len = t->len;
	if (n == 0)
		return;
	char *s = arena_alloc(a, n + 1 + t->len);
	memcpy(s, prefix, n);
	s[n] = ' ';
	memcpy(s + n + 1, t->text, t->len);
	*text = s;
	*len = n + 1 + t->len;
}

/* Makes one request; fills vecs and refused of out from index at on. */
static enum service_got
request(struct service *v, const struct vector_model *of, const struct model_text *texts, size_t n,
	size_t at, int64_t timeout_ms, struct arena *a, struct service_vectors *out,
	uint8_t signs[SIGN_BITS / 8])
{
	const char *text[BATCH_MOST + 1] = { PROBE };
	size_t len[BATCH_MOST + 1] = { sizeof(PROBE) - 1 };
	const struct llm_texts q = { text, len, n + 1, timeout_ms };
	struct llm_vectors got;

	for (size_t i = 0; i < n; i++)
		add_prefix(a, &texts[i], &text[i + 1], &len[i + 1]);
	if (llm_embed(v->llm, &q, a, &got) < 0) {
		out->note = got.as.note;
		return got.broken ? SERVICE_BROKEN : SERVICE_NONE;
	}
	if (got.vecs[0] == NULL) {
		out->note = got.refused[0];
		return SERVICE_BROKEN;
	}
	make_signs(got.vecs[0], got.n_dims, signs);
	if (of != NULL &&
	    (got.n_dims != of->n_dims || !same_signs(signs, of->sha256 + SIGNS_AT, of->n_dims))) {
		out->note = arena_printf(a,
		    "it gives other vectors than those in the store: %zu numbers, the store has %u",
		    got.n_dims, of->n_dims);
		if (got.n_dims == of->n_dims)
			out->note = "it gives other vectors than those in the store";
		return SERVICE_OTHER;
	}
	out->n_dims = got.n_dims;
	for (size_t i = 0; i < n; i++) {
		out->vecs[at + i] = got.vecs[i + 1];
		out->refused[at + i] = got.refused[i + 1];
	}
	return SERVICE_OK;
}

static void
init_vectors(struct service_vectors *out, size_t n, struct arena *a)
{
	*out = (struct service_vectors){ .note = "" };
	out->vecs = arena_zalloc(a, (n + 1) * sizeof(*out->vecs));
	out->refused = arena_zalloc(a, (n + 1) * sizeof(*out->refused));
}

enum service_got
service_embed(struct service *v, const struct vector_model *of, const struct model_text *texts,
	size_t n, int64_t timeout_ms, struct arena *a, struct service_vectors *out)
{
	uint8_t signs[SIGN_BITS / 8];
	enum service_got got = SERVICE_OK;

	init_vectors(out, n, a);
	/*
	 * How many texts go into a request depends on the length of the vectors, so ask for the
	 * probe alone.
	 */
	if (of == NULL) {
		if ((got = request(v, NULL, NULL, 0, 0, timeout_ms, a, out, signs)) != SERVICE_OK)
			return got;
		out->found.n_dims = (uint32_t)out->n_dims;
		make_id(out->found.sha256, out->n_dims, signs);
		of = &out->found;
	}
	size_t batch = service_batch(of);
	for (size_t i = 0; i < n && got == SERVICE_OK; i += batch)
		got = request(v, of, texts + i, MIN(batch, n - i), i, timeout_ms, a, out, signs);
	return got;
}

/* ---- calibration ---- */

static size_t
calibration_texts(struct model_text *texts, enum text_role role)
{
	size_t n = 0, line = 0, len;

	for (const char *s = calibrate_line(NULL, &len); s != NULL && n < LINES_MOST;
	     s = calibrate_line(s, &len))
		if (line++ % LEARN_EVERY == 0)
			texts[n++] = (struct model_text){ .text = s, .len = len, .role = role };
	return n;
}

static int
no_vectors(const struct service_vectors *out, struct err *err)
{
	return err_set(err, ERR_UNAVAILABLE, "no vectors of '%.100s': %s", conf_text("embed_model"),
	    out->note);
}

int
service_learn(struct service *v, struct vector_model *of, struct err *err)
{
	struct service_vectors first, query, passage;
	FREED struct model_text *texts = xcalloc(LINES_MOST, sizeof(*texts));
	LOCAL(arena) a = ARENA_INIT;
	uint8_t signs[SIGN_BITS / 8];

	memset(of, 0, sizeof(*of));
	init_vectors(&first, 0, &a);
	if (request(v, NULL, NULL, 0, 0, 0, &a, &first, signs) != SERVICE_OK) {
		no_vectors(&first, err);
		return -1;
	}
	snprintf(of->name, sizeof(of->name), "%s", conf_text("embed_model"));
	of->n_dims = (uint32_t)first.n_dims;
	make_id(of->sha256, first.n_dims, signs);
	size_t n = calibration_texts(texts, TEXT_PASSAGE);
	if (service_embed(v, of, texts, n, 0, &a, &passage) != SERVICE_OK) {
		no_vectors(&passage, err);
		return -1;
	}
	query = passage;
	n = calibration_texts(texts, TEXT_QUERY);
	if (strcmp(conf_text("embed_query_prefix"), conf_text("embed_passage_prefix")) != 0 &&
	    service_embed(v, of, texts, n, 0, &a, &query) != SERVICE_OK) {
		no_vectors(&query, err);
		return -1;
	}
	calibration_release(&v->calibration);
	if (calibrate_vectors((const float *const *)query.vecs, (const float *const *)passage.vecs,
		n, of->n_dims, &v->calibration, err) < 0)
		return -1;
	of->unrelated = MAX(v->calibration.unrelated, -.9f);
	of->centre = v->calibration.centred ? v->calibration.centre : NULL;
	return 0;
}
