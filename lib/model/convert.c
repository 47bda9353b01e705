/*
 * convert.c: writes a model file section by section, then runs the model to measure its constants
 * and adds them.
 *
 * Weights become int8 with one scale for each output channel of a matrix or row of the word
 * embeddings, set by the largest value; clipping and least-squares scales gained nothing (cosine to
 * float32 .9994 in all cases). Query, key and value become one matrix of three times the rows.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "model/calibrate.h"
#include "model/convert.h"
#include "model/format.h"
#include "model/known.h"
#include "model/source.h"

#define ROWS_AT_ONCE 256

struct writer {
	int fd;
	uint64_t at;
	struct sha256 hash;            /* of the section that is being written */
	struct format_header *h;
	char path[4096];               /* a temporary name beside the final one */
};

/* ---- writing ---- */

static int
write_all(struct writer *w, const void *bytes, size_t n, uint64_t at, struct err *err)
{
	const uint8_t *p = bytes;

	while (n > 0) {
		ssize_t did = pwrite(w->fd, p, n, (off_t)at);

		if (did < 0 && errno == EINTR)
			continue;
		if (did <= 0)
			return err_set_errno(err, ERR_IO, "cannot write '%s'", w->path);
		p += did;
		at += (uint64_t)did;
		n -= (size_t)did;
	}
	return 0;
}

static void
section_begin(struct writer *w, enum format_kind kind, unsigned index)
{
	struct format_section *s = &w->h->sections[w->h->n_sections];

	w->at = format_align(w->at);
	s->kind = kind;
	s->index = index;
	s->offset = w->at;
	sha256_init(&w->hash);
}

static int
section_add(struct writer *w, const void *bytes, size_t n, struct err *err)
{
	sha256_add(&w->hash, bytes, n);
	w->at += n;
	return write_all(w, bytes, n, w->at - n, err);
}

static void
section_end(struct writer *w)
{
	struct format_section *s = &w->h->sections[w->h->n_sections++];

	s->n_bytes = w->at - s->offset;
	sha256_end(&w->hash, s->sha256);
}

static int
section_write(struct writer *w, enum format_kind kind, unsigned index, const void *bytes, size_t n,
	struct err *err)
{
	section_begin(w, kind, index);
	if (section_add(w, bytes, n, err) != 0)
		return -1;
	section_end(w);
	return 0;
}

static int
write_header(struct writer *w, struct err *err)
{
	uint8_t page[FORMAT_HEADER_BYTES] = { 0 };

	w->h->n_bytes = w->at;
	memcpy(page, w->h, sizeof(*w->h));
	sha256(page, FORMAT_HASHED_BYTES, page + FORMAT_HASHED_BYTES);
	return write_all(w, page, sizeof(page), 0, err);
}

/* ---- weights ---- */

void
convert_quantise(const float *rows, size_t n_rows, size_t n_columns, int8_t *q, float *scale)
{
	for (size_t r = 0; r < n_rows; r++, rows += n_columns, q += n_columns) {
		float most = 0, inverse;

		for (size_t i = 0; i < n_columns; i++)
			most = MAX(most, fabsf(rows[i]));
		scale[r] = most / 127;
		/* for a row of almost zeros the inverse would be infinite */
		inverse = scale[r] >= 1e-30f ? 1 / scale[r] : 0;
		for (size_t i = 0; i < n_columns; i++)
			q[i] = (int8_t)lrintf(MAX(-127.0f, MIN(127.0f, rows[i] * inverse)));
	}
}

struct part { enum source_tensor weight, bias; };

/*
 * Puts the n parts, one below the other, into the tensors of m, which point into the section's
 * buffer.
 */
static int
fill_matrix(const struct source *s, unsigned layer, const struct part *parts, size_t n,
	const struct weights_matrix *m, struct err *err)
{
	size_t n_rows, n_columns;
	FREED float *rows = xreallocarray(NULL, m->n_out, m->n_in * sizeof(*rows));
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		source_shape(s, parts[i].weight, &n_rows, &n_columns);
		rc = source_read(s, parts[i].weight, layer, 0, n_rows,
		    rows + i * n_rows * n_columns, err);
		if (rc == 0)
			rc = source_read(s, parts[i].bias, layer, 0, 1,
			    (float *)m->bias + i * n_rows, err);
	}
	if (rc == 0 && m->f32 != NULL) {
		memcpy((float *)m->f32, rows, (size_t)m->n_out * m->n_in * sizeof(*rows));
	} else if (rc == 0) {
		int8_t *q = xmalloc((size_t)m->n_out * m->n_in);

		convert_quantise(rows, m->n_out, m->n_in, q, (float *)m->scale);
		gemm_pack(q, m->n_in, m->n_out, (int8_t *)m->packed);
		free(q);
	}
	return rc;
}

static int
fill_norm(const struct source *s, unsigned layer, enum source_tensor weight,
	enum source_tensor bias, const struct weights_norm *norm, struct err *err)
{
	return source_read(s, weight, layer, 0, 1, (float *)norm->weight, err) == 0
	    ? source_read(s, bias, layer, 0, 1, (float *)norm->bias, err)
	    : -1;
}

static int
write_embeddings(struct writer *w, const struct source *s, struct weights *shape, struct err *err)
{
	size_t n = (size_t)format_place_embeddings(shape, NULL);
	FREED uint8_t *bytes = xcalloc(n, 1);
	FREED float *types = xreallocarray(NULL, s->n_types, s->n_dims * sizeof(*types));
	int rc = -1;

	format_place_embeddings(shape, bytes);
	if (source_read(s, SOURCE_TYPE, 0, 0, s->n_types, types, err) == 0 &&
	    fill_norm(s, 0, SOURCE_NORM_WEIGHT, SOURCE_NORM_BIAS, &shape->norm, err) == 0 &&
	    source_read(s, SOURCE_POSITIONS, 0, s->first_position, shape->n_positions,
		(float *)shape->positions, err) == 0) {
		memcpy((float *)shape->type, types, s->n_dims * sizeof(*types));
		rc = section_write(w, FORMAT_EMBEDDINGS, 0, bytes, n, err);
	}
	return rc;
}

static int
write_layer(struct writer *w, const struct source *s, struct weights *shape, unsigned layer,
	struct err *err)
{
	static const struct part qkv[] = { { SOURCE_QUERY, SOURCE_QUERY_BIAS },
		{ SOURCE_KEY, SOURCE_KEY_BIAS }, { SOURCE_VALUE, SOURCE_VALUE_BIAS } };
	static const struct part attention = { SOURCE_ATTENTION, SOURCE_ATTENTION_BIAS },
				 in = { SOURCE_IN, SOURCE_IN_BIAS };
	static const struct part out = { SOURCE_OUT, SOURCE_OUT_BIAS };
	bool quantised = w->h->quantised != 0;
	size_t n = (size_t)format_place_layer(shape, quantised, layer, NULL);
	FREED uint8_t *bytes = xcalloc(n, 1);
	const struct weights_layer *l = &shape->layers[layer];
	int rc = -1;

	format_place_layer(shape, quantised, layer, bytes);
	if (fill_matrix(s, layer, qkv, NELEM(qkv), &l->qkv, err) == 0 &&
	    fill_matrix(s, layer, &attention, 1, &l->attention, err) == 0 &&
	    fill_norm(s, layer, SOURCE_ATTENTION_NORM_WEIGHT, SOURCE_ATTENTION_NORM_BIAS,
		&l->attention_norm, err) == 0 &&
	    fill_matrix(s, layer, &in, 1, &l->in, err) == 0 &&
	    fill_matrix(s, layer, &out, 1, &l->out, err) == 0 &&
	    fill_norm(s, layer, SOURCE_OUT_NORM_WEIGHT, SOURCE_OUT_NORM_BIAS, &l->norm, err) == 0)
		rc = section_write(w, FORMAT_LAYER, layer, bytes, n, err);
	return rc;
}

/*
 * Converts the rows in blocks, and twice: their scales come first in the section, and all rows at
 * once would take 400 MB.
 */
static int
write_words(struct writer *w, const struct source *s, struct err *err)
{
	static const uint8_t zeros[FORMAT_ALIGN];
	size_t n_dims = s->n_dims;
	FREED float *rows = xreallocarray(NULL, ROWS_AT_ONCE, n_dims * sizeof(*rows));
	FREED float *scale = xcalloc(ROWS_AT_ONCE, sizeof(*scale));
	FREED int8_t *q = xmalloc(ROWS_AT_ONCE * n_dims);
	int rc = 0;

	section_begin(w, FORMAT_WORDS, 0);
	for (int pass = w->h->quantised ? 0 : 1; pass < 2 && rc == 0; pass++) {
		for (size_t first = 0, n; first < s->n_vocab && rc == 0; first += n) {
			n = MIN(ROWS_AT_ONCE, s->n_vocab - first);
			rc = source_read(s, SOURCE_WORDS, 0, first, n, rows, err);
			if (rc == 0 && w->h->quantised)
				convert_quantise(rows, n, n_dims, q, scale);
			if (rc == 0)
				rc = pass == 0 ? section_add(w, scale, n * sizeof(*scale), err)
				    : w->h->quantised
				    ? section_add(w, q, n * n_dims, err)
				    : section_add(w, rows, n * n_dims * sizeof(*rows), err);
		}
		if (rc == 0)
			rc = section_add(w, zeros, (size_t)(format_align(w->at) - w->at), err);
	}
	section_end(w);
	return rc;
}

static int
write_sections(struct writer *w, const struct source *s, struct err *err)
{
	FREED struct weights *shape = xcalloc(1, sizeof(*shape));

	format_shapes(w->h, shape);
	w->at = FORMAT_HEADER_BYTES;
	int rc = section_write(w, FORMAT_TOKENIZER, 0, s->tokenizer.data, s->tokenizer.len, err);
	if (rc == 0)
		rc = write_embeddings(w, s, shape, err);
	for (unsigned layer = 0; layer < s->n_layers && rc == 0; layer++)
		rc = write_layer(w, s, shape, layer, err);
	if (rc == 0)
		rc = write_words(w, s, err);
	return rc == 0 ? write_header(w, err) : -1;
}

/* ---- the header ---- */

static int
set_text(char *to, size_t size, const char *text, const char *what, struct err *err)
{
	if (text == NULL)
		return 0;
	if (strlen(text) >= size)
		return err_set(err, ERR_USAGE, "%s is longer than %zu bytes", what, size - 1);
	memset(to, 0, size);
	memcpy(to, text, strlen(text));
	return 0;
}

/* Takes the model's name from a path such as "build/models/NAME.model". */
static int
name_from(const char *out, struct model_info *info, struct err *err)
{
	const char *base = path_base(out), *suffix = ".model";
	size_t len = strlen(base);
	char name[256];

	if (len > strlen(suffix) && strcmp(base + len - strlen(suffix), suffix) == 0)
		len -= strlen(suffix);
	snprintf(name, sizeof(name), "%.*s", (int)len, base);
	return set_text(info->name, sizeof(info->name), name, "the name", err);
}

static int
make_header(struct format_header *h, const struct source *s, const struct model_info *info,
	const struct convert_options *o, struct err *err)
{
	memcpy(h->magic, FORMAT_MAGIC, sizeof(h->magic));
	h->byte_order = FORMAT_BYTE_ORDER;
	h->version = FORMAT_VERSION;
	h->n_dims = s->n_dims;
	h->n_layers = s->n_layers;
	h->n_heads = s->n_heads;
	h->n_inner = s->n_inner;
	h->n_vocab = s->n_vocab;
	h->n_positions = s->n_position_rows - s->first_position;
	h->max_tokens = o->max_tokens != 0 ? o->max_tokens : s->max_tokens;
	h->quantised = !o->float32;
	h->speaker = (uint32_t)(o->speaker >= 0 ? o->speaker : (int)info->speaker);
	h->tokenizer = s->tokenizer_kind;
	h->identifiers = (uint32_t)(o->identifiers >= 0	   ? o->identifiers
		: s->tokenizer_kind == TOKENIZER_WORDPIECE ? IDENTIFIERS_WORDS
							   : IDENTIFIERS_WHOLE);
	h->norm_eps = s->norm_eps;
	memcpy(h->name, info->name, sizeof(h->name));
	memcpy(h->licence, info->licence, sizeof(h->licence));
	memcpy(h->query_prefix, info->query_prefix, sizeof(h->query_prefix));
	memcpy(h->passage_prefix, info->passage_prefix, sizeof(h->passage_prefix));
	memcpy(h->source_sha256, s->sha256, sizeof(h->source_sha256));
	if (h->max_tokens < 3 || h->max_tokens > h->n_positions)
		return err_set(err, ERR_USAGE, "a longest input of %u tokens: 3 to %u",
		    h->max_tokens, h->n_positions);
	return 0;
}

/* ---- the whole file ---- */

static int
add_constants(struct writer *w, struct err *err)
{
	LOCAL(calibration) c = { .centre = NULL };
	struct modelfile f;
	int rc = modelfile_open(&f, w->path, err);

	if (rc == 0) {
		rc = calibrate(&f, &c, err);
		modelfile_close(&f);
	}
	if (rc == 0) {
		w->h->unrelated = c.unrelated;
		if (c.centred)
			rc = section_write(w, FORMAT_CENTRE, 0, c.centre,
			    w->h->n_dims * sizeof(*c.centre), err);
	}
	return rc == 0 ? write_header(w, err) : -1;
}

/* Makes the new name of the file durable. */
static int
sync_directory(const char *path, struct err *err)
{
	char dir[4096];
	char *slash;
	int fd, rc = 0;

	snprintf(dir, sizeof(dir), "%s", path);
	if ((slash = strrchr(dir, '/')) == NULL)
		snprintf(dir, sizeof(dir), ".");
	else
		slash[slash == dir] = '\0';
	if ((fd = open(dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY)) < 0 ||
	    (system_sync(fd) != 0 && errno != EINVAL))
		rc = err_set_errno(err, ERR_IO, "cannot write the directory '%s'", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}

static int
write_file(const char *out, struct format_header *h, const struct source *s, struct err *err)
{
	struct writer w = { .h = h };
	int n = snprintf(w.path, sizeof(w.path), "%s%s.%ld.part",
		strchr(out, '/') != NULL ? "" : "./", out, (long)getpid()),
	    rc;

	if (n < 0 || (size_t)n >= sizeof(w.path))
		return err_set(err, ERR_USAGE, "the path is too long: '%.100s...'", out);
	unlink(w.path);                /* left by a killed process that had our process id */
	if ((w.fd = open(w.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666)) < 0)
		return err_set_errno(err, ERR_IO, "cannot write '%s'", w.path);
	rc = write_sections(&w, s, err);
	if (rc == 0)
		rc = add_constants(&w, err);
	if (rc == 0 && system_sync(w.fd) != 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", w.path);
	if (close(w.fd) != 0 && rc == 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", w.path);
	if (rc == 0 && rename(w.path, out) != 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", out);
	if (rc != 0) {
		unlink(w.path);
		return -1;
	}
	return sync_directory(out, err);
}

int
convert_model(const char *from, const char *out, const struct convert_options *o, struct err *err)
{
	FREED struct format_header *h = xcalloc(1, sizeof(*h));
	struct model_info info;
	FREED struct source *s = xcalloc(1, sizeof(*s));

	memset(&info, 0, sizeof(info));
	if (o->name != NULL ? set_text(info.name, sizeof(info.name), o->name, "the name", err) != 0
			    : name_from(out, &info, err) != 0)
		return -1;
	known_fill(&info);
	if (set_text(info.licence, sizeof(info.licence), o->licence, "the licence", err) != 0 ||
	    set_text(info.query_prefix, sizeof(info.query_prefix), o->query_prefix,
		"the prefix of questions", err) != 0 ||
	    set_text(info.passage_prefix, sizeof(info.passage_prefix), o->passage_prefix,
		"the prefix of passages", err) != 0)
		return -1;
	if (source_open(s, from, err) != 0)
		return -1;
	int rc = make_header(h, s, &info, o, err);
	if (rc == 0)
		rc = write_file(out, h, s, err);
	source_close(s);
	return rc;
}
