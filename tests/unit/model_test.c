/*
 * model_test.c: texts become the windows that the page says, and a vector is the same whatever
 * stands beside its text.
 *
 * The model is a tiny one (tiny_model.h: 40 tokens at most, "cat" one token). What the encoder
 * should have been given is written out by hand here.
 */
#include <math.h>
#include <pthread.h>

#include "base/alloc.h"
#include "model/adapter.h"
#include "model/convert.h"
#include "model/encoder.h"
#include "model/model.h"

#include "tap.h"
#include "tiny_model.h"
#include "tmpdir.h"

#define N_TEXTS 300

/* Corrections for the tiny model stand in the place of those that are built in. */
static char adapter[TINY_ADAPTER_BYTES];
const struct embedded adapter_files[] = { { "tiny", adapter, sizeof(adapter) },
	{ NULL, NULL, 0 } };

static struct model *m;
static struct modelfile file;              /* the same, opened beside it */
static struct model_worker *worker;
static struct encoder *encoder;
static size_t n_dims;

static void
embed_one(enum text_role role, const char *speaker, const char *text, float *out)
{
	model_embed(worker, &(struct model_text){ text, strlen(text), role, speaker }, 1, out);
}

/* The vector of [first] ids of words [last]. */
static void
expect(const char *words, float *out)
{
	struct token_list ids = { NULL, 0, 0 };
	uint32_t all[64], n;

	tokenizer_encode(&file.tokenizer, words, strlen(words), &ids);
	n = (uint32_t)ids.n + 2;
	all[0] = file.tokenizer.first;
	if (ids.n > 0)
		memcpy(all + 1, ids.ids, ids.n * sizeof(*all));
	all[n - 1] = file.tokenizer.last;
	encoder_run(encoder, all, &n, 1, out);
	free(ids.ids);
}

static bool
same(const float *a, const float *b)
{
	return memcmp(a, b, n_dims * sizeof(*a)) == 0;
}

static double
dot(const float *a, const float *b)
{
	double sum = 0;

	for (size_t d = 0; d < n_dims; d++)
		sum += (double)a[d] * (double)b[d];
	return sum;
}

static bool
is_unit(const float *v)
{
	return fabs(dot(v, v) - 1) < 1e-5;
}

/* head and n times "cat " */
static const char *
cats(const char *head, unsigned n)
{
	static char text[1u << 12];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", head);

	while (n-- > 0)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "cat ");
	return text;
}

static void
add(float *sum, const float *v, float n)
{
	for (size_t d = 0; d < n_dims; d++)
		sum[d] += n * v[d];
}

static void
test_prefixes(void)
{
	float a[TINY_D], b[TINY_D];

	embed_one(TEXT_PASSAGE, NULL, "the cats sing", a);
	expect("the: the cats sing", b);
	ok(same(a, b), "a passage has its prefix");
	embed_one(TEXT_PASSAGE, "", "the cats sing", a);
	ok(same(a, b), "a speaker without a name is none");
	embed_one(TEXT_QUERY, "ann", "the cats sing", a);
	expect("and: the cats sing", b);
	ok(same(a, b), "a question has its own, and no speaker");
	embed_one(TEXT_PASSAGE, "ann", "the cats sing", a);
	expect("the: ann said, \"the cats sing\"", b);
	ok(same(a, b), "who said it");
	embed_one(TEXT_PASSAGE, NULL, "", a);
	expect("the: ", b);
	ok(same(a, b), "no text: what stands around it");
	ok(model_is_word(m, "cat", 3) && model_is_word(m, "CAT", 3), "a word");
	ok(!model_is_word(m, "cats", 4) && !model_is_word(m, "the cat", 7) &&
		!model_is_word(m, "zzz", 3) && !model_is_word(m, "", 0),
	    "no word");
	ok(model_unknown_share(worker, &(struct model_text){ "cat cat", 7, TEXT_QUERY, NULL }) == 0,
	    "all are known");
	ok(model_unknown_share(worker,
	       &(struct model_text){ "\u96e8 \u96ea", 7, TEXT_QUERY, NULL }) == 0.5f,
	    "two of four are not");
}

static void
test_windows(void)
{
	float got[TINY_D], v[TINY_D], want[TINY_D] = { 0 };
	char long_text[500];

	/* 40 tokens: two around, two of the prefix ("the" and ":"), 36 of the text */
	embed_one(TEXT_PASSAGE, NULL, cats("", 36), got);
	expect(cats("the: ", 36), want);
	ok(same(got, want), "as long as the model takes: one window");

	embed_one(TEXT_PASSAGE, NULL, cats("", 37), got);
	memset(want, 0, sizeof(want));
	expect(cats("the: ", 18), v);
	add(want, v, 18);
	expect(cats("the: ", 19), v);
	add(want, v, 19);
	ok(is_unit(got) && dot(got, want) / sqrt(dot(want, want)) > 1 - 1e-6,
	    "one more: two windows, about equal, each with the prefix");

	/* "dog" is d, ##o, ##g: 102 tokens */
	embed_one(TEXT_PASSAGE, NULL, cats("the dog ! ", 97), got);
	memset(want, 0, sizeof(want));
	expect(cats("the: the dog ! ", 29), v);
	add(want, v, 34);
	expect(cats("the: ", 34), v);
	add(want, v, 68);
	ok(dot(got, want) / sqrt(dot(want, want)) > 1 - 1e-6,
	    "three windows, weighted by their tokens");
	snprintf(long_text, sizeof(long_text), "%s \u96e8", cats("", 99));
	ok(model_unknown_share(worker,
	       &(struct model_text){ long_text, strlen(long_text), TEXT_PASSAGE, NULL }) ==
		1.f / 102,
	    "one of the 102 tokens of a long text is not known");
}

/* Texts of all lengths and scripts, long ones among them. */
static char *texts_text[N_TEXTS];
static struct model_text texts[N_TEXTS];

static void
make_texts(void)
{
	static const char *const words[] = { "cat ", "the ", "sing. ", "caf\xc3\xa9 ",
		"\xe7\x8c\xab", "\xf0\x9f\x90\x88 ", "x9 ", "\n", "\x01", "\xff", "it's " };
	static const char *const names[] = { NULL, "", "ann", "\xe7\x8c\xab" };

	for (uint64_t i = 0; i < N_TEXTS; i++) {
		uint64_t n = hash64_mix(i) % (i % 10 == 0 ? 900 : 30);
		struct buf b;

		buf_init(&b, 1u << 20);
		for (uint64_t k = 0; k < n; k++)
			buf_adds(&b, words[hash64_mix(i << 20 | k) % NELEM(words)]);
		texts[i] = (struct model_text){ NULL, b.len, i % 7 == 0 ? TEXT_QUERY : TEXT_PASSAGE,
			names[i % NELEM(names)] };
		texts[i].text = texts_text[i] = buf_detach(&b);
		buf_release(&b);
	}
}

struct half { size_t from, to; float *out; };

static void *
embed_half(void *arg)
{
	struct half *h = arg;
	struct model_worker *w = model_worker_new(m);

	for (size_t i = h->from; i < h->to; i += 7)
		model_embed(w, texts + i, MIN(7, h->to - i), h->out + i * n_dims);
	model_worker_free(w);
	return NULL;
}

static void
test_neighbours(void)
{
	size_t n = N_TEXTS * n_dims;
	float *all = xcalloc(n, sizeof(*all)), *other = xcalloc(n, sizeof(*other)), one[TINY_D];
	struct half halves[2] = { { 0, N_TEXTS / 2, other }, { N_TEXTS / 2, N_TEXTS, other } };
	pthread_t threads[2];
	unsigned n_same = 0, n_unit = 0;

	model_embed(worker, texts, N_TEXTS, all);
	for (size_t i = N_TEXTS; i-- > 0; ) {
		model_embed(worker, &texts[i], 1, one);
		n_same += same(one, all + i * n_dims);
		n_unit += is_unit(one);
	}
	is_int(n_same, N_TEXTS, "alone as among others, bit for bit");
	is_int(n_unit, N_TEXTS, "unit vectors");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, embed_half, &halves[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ok(memcmp(all, other, n * sizeof(*all)) == 0, "two threads, seven at a time");
	free(all);
	free(other);
}

static void
test_large(void)
{
	size_t len = 1u << 20;
	char *text = xmalloc(len), name[3000];
	float a[TINY_D], b[TINY_D];
	volatile sig_atomic_t stop = 1;

	memset(text, 'x', len);
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, NULL }, 1, a);
	ok(is_unit(a), "a megabyte without a blank");
	for (size_t i = 0; i < len; i++)
		text[i] = "cat the dog\n"[i % 12];
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, "ann" }, 1, a);
	model_embed(worker, &(struct model_text){ text, len - 12 * 1000, TEXT_PASSAGE, "ann" }, 1,
	    b);
	ok(is_unit(a) && dot(a, b) > .999,
	    "a megabyte of words is near to a little less of it (%.5f)", dot(a, b));
	memset(text, 0xff, len);
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, NULL }, 1, a);
	ok(is_unit(a), "a megabyte that is no UTF-8");
	for (size_t i = 0; i + 4 <= len; i += 4)
		memcpy(text + i, "\xf0\x9f\x90\x88", 4);
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, NULL }, 1, a);
	ok(is_unit(a), "a megabyte of emoji");
	memset(text, 1, len);
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, NULL }, 1, a);
	embed_one(TEXT_PASSAGE, NULL, "", b);
	ok(is_unit(a) && dot(a, b) > .9999, "a megabyte of control characters is as nothing");
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	embed_one(TEXT_PASSAGE, name, "cat", a);
	ok(is_unit(a), "a name that is longer than a window");
	model_worker_stop(worker, &stop);
	model_embed(worker, &(struct model_text){ text, len, TEXT_PASSAGE, NULL }, 1, a);
	model_worker_stop(worker, NULL);
	free(text);
}

/* 95 bytes */
#define LONG \
	"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz" \
	"zzzzzzz"

/* A model that reads identifiers as their words: the vector of text is that of words. */
static void
test_identifiers(void)
{
	static const struct { const char *text, *words, *what; } read[] = {
		{ "theCatsSing", "the Cats Sing", "a capital behind a small letter" },
		{ "theCATSings", "the CAT Sings", "the last capital of several is the next word's" },
		{ "some CATs", "some CATs", "a plural" },
		{ "CATsOfDogs", "CATs Of Dogs", "and what is behind it" },
		{ "DogCat, (DogCat) DogCat. .DogCat", "DogCat, (DogCat) DogCat. .DogCat", "a name in a sentence" },
		{ "dCat DoCaT", "dCat DoCaT", "one letter before it, or two behind a capital" },
		{ "toCat", "to Cat", "two" },
		{ "DogCat() a.DogCat", "Dog Cat() a.Dog Cat", "a name in code" },
		{ "DogCat< DogCat[ DogCat::a", "Dog Cat< Dog Cat[ Dog Cat::a", "of a type" },
		{ "DogCat_a a_DogCat DogCat.a", "Dog Cat_a a_Dog Cat Dog Cat.a", "and joined" },
		{ "DogCat: DogCat.", "DogCat: DogCat.", "before a colon and at the end" },
		{ "cAt", "cat", "a word that is known stays whole" },
		{ "cAt dogCat", "cat dog Cat", "each word by itself" },
		{ "c4Cat 4cats Cat4 CAT cats", "c4 Cat 4cats Cat4 CAT cats", "a capital with small letters behind a digit" },
		{ "Of\303\251Cat,theDog(aCat)", "Of\303\251Cat,the Dog(aCat)", "letters beyond ASCII end a word" },
		{ LONG "theCat", LONG "theCat", "a word of more than 100 bytes is none" },
		{ "", "", "nothing" } };
	struct convert_options o = { .identifiers = IDENTIFIERS_WORDS };
	struct model *words = NULL;
	struct model_worker *whole = worker;
	struct err err = ERR_INIT;
	float a[TINY_D], b[TINY_D];

	if (!ok(convert_model("tiny", "words.model", &o, &err) == 0 &&
		    model_open(&words, "./words.model", &err) == 0,
		"a model that does: %s", err.msg))
		return;
	worker = model_worker_new(words);
	for (size_t i = 0; i < NELEM(read); i++) {
		embed_one(i % 2 ? TEXT_QUERY : TEXT_PASSAGE, NULL, read[i].text, a);
		expect(read[i].words, b);
		ok(same(a, b), "%s", read[i].what);
	}
	embed_one(TEXT_PASSAGE, NULL, LONG "toCat", a);
	embed_one(TEXT_PASSAGE, NULL, LONG "to Cat", b);
	ok(same(a, b), "one of 100 is");
	model_worker_free(worker);
	model_close(words);
	worker = whole;
	embed_one(TEXT_PASSAGE, NULL, "theCatsSing", a);
	expect("the: theCatsSing", b);
	ok(same(a, b), "another model reads them whole");
}

/* Questions and passages, one after the other, go through the weights that are for them. */
static void
test_corrected(void)
{
	struct model_text both[] = { { "the cats sing", 13, TEXT_QUERY, NULL },
		{ "the cats sing", 13, TEXT_PASSAGE, NULL },
		{ "the cats sing", 13, TEXT_PASSAGE, NULL },
		{ "the cats sing", 13, TEXT_QUERY, NULL } };
	static const char *const with_prefix[] = { "and: the cats sing", "the: the cats sing" };
	float plain[TINY_D], want[2][TINY_D], got[4][TINY_D];
	struct adapter *a = adapter_new(&file);
	struct encoder *published = encoder;

	if (!ok(a != NULL, "there are corrections for the model"))
		return;
	for (enum text_role role = TEXT_QUERY; role <= TEXT_PASSAGE; role++) {
		expect(with_prefix[role], plain);
		encoder = encoder_new(adapter_weights(a, role));
		expect(with_prefix[role], want[role]);
		encoder_free(encoder);
		encoder = published;
		ok(!same(plain, want[role]), "those of role %d change a vector", (int)role);
	}
	adapter_free(a);
	model_embed(worker, both, NELEM(both), got[0]);
	ok(same(got[0], want[TEXT_QUERY]) && same(got[3], want[TEXT_QUERY]),
	    "a question goes through the weights for questions");
	ok(same(got[1], want[TEXT_PASSAGE]) && same(got[2], want[TEXT_PASSAGE]),
	    "a passage goes through the weights for passages");
	embed_one(TEXT_PLAIN, NULL, "the cats sing", got[0]);
	expect(with_prefix[TEXT_QUERY], plain);
	ok(same(got[0], plain), "a plain question goes through the published weights");
}

/* The same model opened again, now that there are corrections for it. */
static void
test_with_corrections(void)
{
	const uint8_t *published = file.info.sha256;
	struct model_worker *without = worker;
	struct err err = ERR_INIT;
	struct model *corrected;
	struct buf b;

	buf_init(&b, sizeof(adapter));
	tiny_adapter(&b, file.info.source_sha256, .01f);
	is_int((int64_t)b.len, sizeof(adapter), "corrections for it have the bytes that they say");
	memcpy(adapter, b.data, sizeof(adapter));
	buf_release(&b);
	if (!ok(model_open(&corrected, "./tiny.model", &err) == 0, "it opens: %s", err.msg))
		return;
	worker = model_worker_new(corrected);
	test_corrected();
	model_worker_free(worker);
	worker = without;
	ok(memcmp(model_info(m)->sha256, published, SHA256_BYTES) == 0 &&
		memcmp(model_info(corrected)->sha256, published, SHA256_BYTES) != 0,
	    "a model with corrected passages has a SHA-256 of its own");
	ok(model_info(corrected)->unrelated == .125f, "unrelated is what the corrections say");
	ok(model_centre(corrected) != NULL && model_centre(corrected)[8] == 8.0f / 256,
	    "the centre is that of the corrections");
	model_close(corrected);
}

int
main(void)
{
	static const char *const files[] = { "tiny/config.json", "tiny/sentence_bert_config.json",
		"tiny/vocab.txt", "tiny/model.safetensors", "tiny.model", "words.model", NULL };
	struct convert_options o = { .passage_prefix = "the: ",
		.query_prefix = "and: ",
		.speaker = SPEAKER_SAID };
	struct model_info info = { .unrelated = 0.75f };
	struct err err = ERR_INIT;

	tmpdir_make();
	tiny_directory("tiny", TINY_F32);
	if (!ok(convert_model("tiny", "tiny.model", &o, &err) == 0 &&
		    modelfile_open(&file, "tiny.model", &err) == 0,
		"a model to test with: %s", err.msg))
		return tap_done();
	if (!ok(model_open(&m, "./tiny.model", &err) == 0, "it opens: %s", err.msg))
		return tap_done();
	n_dims = model_info(m)->n_dims;
	worker = model_worker_new(m);
	encoder = encoder_new(&file.weights);
	is_str(model_info(m)->name, "tiny", "its name");
	is_str(model_path(m), "./tiny.model", "its path");
	ok(fabsf(model_calibrate(&info, 0.75f)) < 1e-6f &&
		fabsf(model_calibrate(&info, 1) - 1) < 1e-6f &&
		fabsf(model_calibrate(&info, 0.8f) - 0.2f) < 1e-6f,
	    "calibration: unrelated is 0, the same is 1");
	test_prefixes();
	test_identifiers();
	test_windows();
	make_texts();
	test_neighbours();
	test_large();
	test_with_corrections();
	for (size_t i = 0; i < N_TEXTS; i++)
		free(texts_text[i]);
	model_worker_free(worker);
	encoder_free(encoder);
	modelfile_close(&file);
	model_close(m);
	is_int(model_open(&m, "./none.model", &err), -1, "no such file");
	is_int(err.code, ERR_NOINPUT, "and says so");
	model_close(NULL);
	model_worker_free(NULL);
	for (const char *const *f = files; *f != NULL; f++)
		unlink(*f);
	rmdir("tiny");
	tmpdir_remove((const char *const[]){ NULL });
	return tap_done();
}
