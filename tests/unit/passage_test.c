/*
 * passage_test.c: what a text tells, by hand: passages as sums of idf, and whether it is code.
 */
#include <math.h>

#include "tap.h"

#include "rank/passage.h"

static struct question q;
static struct passage r;
static float idf[QUESTION_TERMS];
static char asked[2000];

/* idf of the terms in their order: a digit each. */
static void
ask(const char *text, const char *worth)
{
	snprintf(asked, sizeof(asked), "%s", text);
	question_read(&q, asked, strlen(asked), TIME_NONE, CAP_QUERY_TERMS);
	for (size_t i = 0; i < NELEM(idf); i++)
		idf[i] = i < strlen(worth) ? (float)(worth[i] - '0') : 0;
	passage_open(&r, &q, idf);
}

static void
reads(const char *text, double passage, const char *what)
{
	struct passage_signals s = passage_look(&r, text, strlen(text));

	if (!ok(fabs((double)s.passage - passage) < 1e-5, "%s", what))
		tap_note("got %g; want %g", (double)s.passage, passage);
}

static void
test_words(void)
{
	ask("red cat dances", "214");
	is_int((int)q.n_terms, 3, "three terms");
	reads("The red cat and the dog dances.", 1, "all of them");
	reads("a cat, red", 3 / 7., "in the other order; one of them is not there");
	reads("", 0, "nothing said");
	reads("somebody else", 0, "nothing of it");
	ask("database config", "34");
	reads("the cfg of the db", 1, "in other forms");
	reads("one database, one db", 3 / 7., "a word in two forms is one word");
	ask("tell Ines", "11");
	reads("I will tell Inês", 1, "a name with the stem of a function word");
	reads("somebody in the street", 0, "that function word is no form of the name");
	ask("in", "1");
	reads("in the street", 1, "where a function word is asked it is found");
	ask("getUserName failed", "311111");
	reads("it failed in getUserName", (double)r.all_idf > 0 ? 1 : 0, "an identifier");
}

static void
test_passage(void)
{
	char text[400];
	size_t n = 0;

	ask("red cat dances", "214");
	for (int i = 0; i < 49; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, i == 0 ? "red " : "x ");
	snprintf(text + n, sizeof(text) - n, "dances");
	reads(text, 6 / 7., "fifty words are one passage");
	snprintf(text + n, sizeof(text) - n, "x dances");
	reads(text, 4 / 7., "fifty-one are not");
	snprintf(text + n, sizeof(text) - n, "x dances x red dances");
	reads(text, 6 / 7., "a word that left comes back");
}

static void
code_is(const char *text, bool want, const char *what)
{
	ok(passage_look(&r, text, strlen(text)).code == want, "%s", what);
}

static void
test_code(void)
{
	char text[2 * PASSAGE_SIGN + 2];

	ask("red cat", "21");
	code_is("", false, "code: nothing is none");
	code_is("def load(path):\n\twith open(path) as f:\n\t\treturn json.loads(f.read())", true,
	    "a function");
	code_is("find . -name '*.c' | xargs grep -l main", false,
	    "a command has the signs of prose");
	code_is("for f in *.c; do echo \"$f\"; done", true, "a script");
	code_is("The cat (a red one) sleeps [1]; see [the page](https://example.org/cats).", false,
	    "brackets behind a space are prose's");
	code_is("see load_all", false, "one sign is none");
	code_is("load_all()", true, "two are in so few bytes");
	memset(text, 'x', sizeof(text));
	text[3] = '=';
	text[9] = ';';
	text[2 * PASSAGE_SIGN] = '\0';
	code_is(text, true, "code: one byte in PASSAGE_SIGN");
	text[2 * PASSAGE_SIGN] = 'x';
	text[2 * PASSAGE_SIGN + 1] = '\0';
	code_is(text, false, "one less is not enough");
}

static void
test_worth(void)
{
	ask("red cat dances", "204");
	reads("cat", 0, "what is worth nothing is not there");
	ask("red cat dances", "000");
	reads("red cat dances", 0, "all are worth nothing");
	ask("", "");
	reads("red", 0, "nothing asked");
}

/* Pairs of characters count, too. */
static void
test_characters(void)
{
	ask("\xe5\x8c\x97\xe4\xba\xac\xe8\xb7\xaf", "12121");
	is_int((int)q.n_terms, 5, "three characters, two pairs");
	reads("\xe5\x8c\x97\xe4\xba\xac", 4 / 7., "the first two");
	reads("\xe5\x8c\x97\xe4\xba\xac\xe8\xb7\xaf", 1, "all three");
	reads("\xe8\xb7\xaf\xe5\x8c\x97\xe4\xba\xac", 5 / 7., "in another order");
}

/* More than is looked at. */
static void
test_long(void)
{
	static char text[9 * PASSAGE_HITS];
	size_t n = 0;

	ask("red cat dances", "214");
	for (int i = 0; i < PASSAGE_HITS; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "cat x ");
	snprintf(text + n, sizeof(text) - n, "red cat");
	reads(text, 1 / 7., "what stands behind too many hits is not read");
}

int
main(void)
{
	test_words();
	test_passage();
	test_code();
	test_worth();
	test_characters();
	test_long();
	return tap_done();
}
