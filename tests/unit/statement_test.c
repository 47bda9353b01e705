/*
 * statement_test.c: what the shipped head takes by words, the features of a clause, and a fake
 * encoder that decides alone.
 */
#include "tap.h"

#include "base/base.h"
#include "statement/statement.h"

static char got[500];
static size_t n_embedded;

static int
join(void *arg, const struct statement *s)
{
	const char *text = arg;
	size_t n = strlen(got);

	snprintf(got + n, sizeof(got) - n, "%s%.*s", n > 0 ? "|" : "", (int)s->len,
	    text + s->start);
	return 0;
}

static const char *
found(const char *text)
{
	got[0] = '\0';
	statements_each(text, strlen(text), join, (void *)text);
	return got;
}

static void
test_words(void)
{
	is_str(found("Hi there! I live in Lisbon, and my sister lives in Rome. Is it far?"),
	    "I live in Lisbon|my sister lives in Rome", "two statements and a question");
	is_str(found("If I lived in Rome I would eat pizza."), "", "a condition");
	is_str(found("我住在北京,我老婆是护士。你呢？"), "我住在北京|我老婆是护士", "half-width commas");
	is_str(found("Ich wohne in Ulm. Kannst du mir helfen?"), "Ich wohne in Ulm", "German");
	ok(statement_head("no such model") == NULL, "a model of which nothing was learnt");
	ok(statement_head("all-MiniLM-L6-v2")->n_dims == 384, "and one of which something was");
}

static bool
has(const float *x, const char *name)
{
	size_t n;
	const char *const *names = statement_feature_names(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return x[i] == 1;
	return false;
}

static void
test_features(void)
{
	const char *text = "Please never write to my sister before 9";
	const struct clause c = { 0, strlen(text), 0, strlen(text), CLAUSE_QUESTION };
	const struct statement_turn t = { .text = text, .len = strlen(text), .project = true };
	float x[STATEMENT_FEATURES_MAX];

	statement_features(&t, &c, NULL, x);
	ok(has(x, "rule") && has(x, "^rule") && has(x, "kin"), "classes of words");
	ok(!has(x, "^kin"), "and which of them open it");
	ok(has(x, "question") && has(x, "digits") && has(x, "project") && has(x, "opens_turn") &&
		has(x, "own_kin"), "form");
	ok(!has(x, "asked") && !has(x, "quoted") && !has(x, "han"), "and not what is not there");
	static const struct { size_t n; const char *is; } lengths[] = { { 1, "words_3" },
		{ 3, "words_3" }, { 4, "words_6" }, { 6, "words_6" }, { 7, "words_15" },
		{ 15, "words_15" }, { 16, "words_30" }, { 30, "words_30" }, { 31, "words_more" } };
	const char *words = "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f";
	for (size_t i = 0; i < NELEM(lengths); i++) {
		const struct clause of = { 0, 2 * lengths[i].n - 1, 0, 2 * lengths[i].n - 1, 0 };
		const struct statement_turn in = { .text = words, .len = strlen(words) };
		statement_features(&in, &of, NULL, x);
		ok(has(x, lengths[i].is) && has(x, "words_3") + has(x, "words_6") +
			has(x, "words_15") + has(x, "words_30") + has(x, "words_more") == 1,
		    "%zu words are %s and nothing else", lengths[i].n, lengths[i].is);
	}
}

static const float *
embed(void *arg, const char *text, const struct clause *c, size_t n)
{
	static float v[8];

	(void)arg;
	for (size_t i = 0; i < n; i++) {
		const char *rome = strstr(text + c[i].start, "Rome");
		v[i] = rome != NULL && rome < text + c[i].start + c[i].len ? 1 : -1;
	}
	n_embedded += n;
	return v;
}

static void
test_encoder(void)
{
	const char *text = "I live in Oslo, my brother lives in Rome, thanks";
	const struct statement_turn t = { .text = text, .len = strlen(text) };
	double weights[STATEMENT_FEATURES_MAX] = { 0 };
	float vector[] = { 5 };
	struct head h = { .threshold = .5, .weights = weights, .vector = vector, .n_dims = 1 };
	const struct statement_encoder encoder = { &h, embed, NULL };

	statement_feature_names(&h.n_features);
	got[0] = '\0';
	statements_of(&t, NULL, &encoder, join, (void *)text);
	is_str(got, "my brother lives in Rome, thanks", "the vector decides");
	is_int(n_embedded, 2, "both were embedded");
	got[0] = '\0';
	text = "What is it? I live in Rome";
	n_embedded = 0;
	statements_of(&(struct statement_turn){ .text = text, .len = strlen(text) }, NULL, &encoder,
	    join, (void *)text);
	is_str(got, "I live in Rome", "one of two");
	is_int(n_embedded, 1, "no vector is made of what is hopeless by its words");
}

int
main(void)
{
	test_words();
	test_features();
	test_encoder();
	return tap_done();
}
