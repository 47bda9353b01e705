/*
 * feedback_test.c: parts and bridges of a few texts, by hand.
 */
#include <math.h>

#include "tap.h"

#include "rank/feedback.h"
#include "rank/passage.h"

static struct question q;
static struct feedback c;
static struct passage r;
static float idf[QUESTION_TERMS], got[FEEDBACK_MOST];
static char asked[200];

/* idf of the terms in their order: a digit each. */
static void
ask(const char *text, const char *worth, bool bridges)
{
	snprintf(asked, sizeof(asked), "%s", text);
	question_read(&q, asked, strlen(asked), TIME_NONE, CAP_QUERY_TERMS);
	is_int((int)q.n_terms, (int)strlen(worth), "terms of the question");
	for (size_t i = 0; i < NELEM(idf); i++)
		idf[i] = i < strlen(worth) ? (float)(worth[i] - '0') : 0;
	passage_open(&r, &q, idf);
	feedback_open(&c, &q, idf, asked, strlen(asked), bridges);
	r.feedback = &c;
}

static void
reads(const char *text, uint32_t session)
{
	passage_look(&r, text, strlen(text));
	feedback_end(&c, session);
}

static void
is_all(const double *want, size_t n, const char *what)
{
	bool same = c.n == n;

	for (size_t i = 0; i < n && same; i++)
		same = fabs((double)got[i] - want[i]) < 1e-5;
	if (!ok(same, "%s", what))
		for (size_t i = 0; i < n; i++)
			tap_note("%zu: got %g, want %g", i, (double)got[i], want[i]);
}

static void
parts_are(const double *want, size_t n, const char *what)
{
	feedback_part(&c, got);
	is_all(want, n, what);
}

static void
covers_are(const double *want, size_t n, const char *what)
{
	feedback_covers(&c, got);
	is_all(want, n, what);
}

static void
bridges_are(const float *scores, const double *want, size_t n, const char *what)
{
	feedback_bridge(&c, scores, got);
	is_all(want, n, what);
}

/* red 2 and cat 1 are the first part, dog 4 the second: the most of them 3 and 4. */
static void
test_parts(void)
{
	ask("Where is the red cat? And who has the dog?", "214", false);
	reads("red cat", 7);
	reads("cat and dog, dog", 8);
	reads("a red one", 8);
	reads("nothing of it", 9);
	parts_are((double[]){ 1, 1, 2 / 3., 0 }, 4,
	    "half by the text, half by the best of its session: of the third (2 + 2) / 2 of 3");
	covers_are((double[]){ 1, 1, 2 / 3., 0 }, 4,
	    "red 2 of 3, whatever its session has; cat 1 of 3 and dog 4 of 4");
	ask("Where is the red cat and the dog?", "214", false);
	reads("red cat", 7);
	parts_are((double[]){ 0 }, 1, "one thing is asked");
	covers_are((double[]){ 0 }, 1, "and no part covered");
	ask("Sure? Where does the red cat sleep?", "1444", false);
	reads("I am sure", 1);
	reads("red cat", 2);
	parts_are((double[]){ 0, 1 }, 2,
	    "a sentence worth less than a fifth of the weightiest asks for nothing");
	covers_are((double[]){ 0, 2 / 3. }, 2, "nor can it be covered; two words of three");
	ask("Where is the red cat? And who has the dog?", "200", false);
	reads("dog", 1);
	reads("red", 2);
	parts_are((double[]){ 0, 1 }, 2, "nor one whose words are worth nothing");
	ask("Where is the red cat? And who has the dog?", "214", false);
	parts_are(NULL, 0, "no text");
	reads("", 1);
	parts_are((double[]){ 0 }, 1, "an empty one");
	ask("Where is the red cat? And who has the dog?", "214", false);
	reads("cat", 1);
	reads("red", 1);
	covers_are((double[]){ 1 / 3., 2 / 3. }, 2,
	    "of what no text has all of, the share, not against the best");
}

/*
 * Of four texts: uncle is in three, ln(1 + 1.5 / 3.5) = .356675, tall in two, ln 2 = .693147;
 * lengths 3, 2, 4, 1, their mean 2.5.
 */
static void
test_bridges(void)
{
	const float scores[] = { 3, 2, 1, 0 }, others[] = { 0, 1, 2, 3 };

	ask("red cat", "11", true);
	reads("The red uncle is tall.", 1);
	reads("uncle born", 1);
	reads("a tall uncle born born", 1);
	reads("cat", 1);
	bridges_are(scores, (double[]){ 1, 0.377498, 0.769231, 0 }, 4,
	    "what the first hit says beyond the question, by idf and length");
	bridges_are(others, (double[]){ 0, 0, 0, 1 }, 4, "a first hit that says no more");
	bridges_are(scores, (double[]){ 1, 0.377498, 0.769231, 0 }, 4, "asked again");
	ask("red cat", "11", true);
	reads("red boat", 1);
	reads("uncle", 1);
	bridges_are(scores, (double[]){ 1, 0 }, 2, "what only the first hit says is worth nothing");
	ask("red cat", "11", false);
	reads("red uncle", 1);
	reads("uncle", 1);
	bridges_are(scores, (double[]){ 0, 0 }, 2, "not asked for");
	ask("red cat", "11", true);
	bridges_are(scores, NULL, 0, "no text");
}

static void
test_bridges_of_parts(void)
{
	const float scores[] = { 9, 1, 0, 0 };

	ask("Where is the red cat? Who has the dog?", "214", true);
	reads("red cat uncle", 1);
	reads("dog boat", 1);
	reads("boat", 1);
	reads("uncle", 1);
	bridges_are(scores, (double[]){ 1, 1, 1, 1 }, 4,
	    "each sentence has its first hit, no more than 1");
	ask("Where is the red cat, and the dog?", "214", true);
	reads("red cat uncle", 1);
	reads("dog boat", 1);
	reads("boat", 1);
	reads("uncle", 1);
	bridges_are(scores, (double[]){ 1, 0, 0, 1 }, 4, "one sentence has one");
}

/* Characters and pairs: 我 and the function words of the question do not lead on, 叔叔 does. */
static void
test_characters(void)
{
	const float scores[] = { 3, 2, 1 };

	snprintf(asked, sizeof(asked), "%s", "谁在山西？");
	question_read(&q, asked, strlen(asked), TIME_NONE, CAP_QUERY_TERMS);
	for (size_t i = 0; i < NELEM(idf); i++)
		idf[i] = 1;
	passage_open(&r, &q, idf);
	feedback_open(&c, &q, idf, asked, strlen(asked), true);
	r.feedback = &c;
	reads("叔叔在山西", 1);
	reads("叔叔写书", 1);
	reads("在写书", 1);
	feedback_bridge(&c, scores, got);
	ok(got[1] > 0.9f && got[2] < 1e-6f, "the uncle's turn, not the other: %g, %g",
	    (double)got[1], (double)got[2]);
}

/* As many as there is room for, of as many words as make the table grow. */
static void
test_many(void)
{
	static char text[4000];
	float scores[FEEDBACK_MOST];

	ask("red cat", "11", true);
	for (size_t i = 0; i < FEEDBACK_MOST; i++) {
		size_t n = 0;
		for (size_t k = 0; k <= 8 * i; k++)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "w%c%c ",
			    (int)('a' + k / 26), (int)('a' + k % 26));
		reads(text, (uint32_t)i);
		scores[i] = (float)i;
	}
	feedback_bridge(&c, scores, got);
	ok(got[FEEDBACK_MOST - 1] > 0.99f && got[0] > 0 && got[0] < 0.01f && got[50] > got[10],
	    "the last has all words, the first one of them");
	scores[0] = FEEDBACK_MOST;
	feedback_bridge(&c, scores, got);
	ok(got[0] > 0.99f && got[1] > got[FEEDBACK_MOST - 1],
	    "the shorter ones have the first's one word as much, and are shorter");
}

int
main(void)
{
	test_parts();
	test_bridges();
	test_bridges_of_parts();
	test_characters();
	test_many();
	feedback_close(&c);
	return tap_done();
}
