/* profile.c: the weights, and sums by them. */
#include "rank/profile.h"

#define ROUNDING  1e-3f                    /* summing in another order changes a score by less */
/* bound of a signal without one: more than any score */
#define UNBOUNDED 1e6f

const char *const profile_kind_names[N_PROFILE_KINDS] = {
	"unknown", "chat", "assistant", "unknown+dense", "chat+dense", "assistant+dense",
	"matter", "matter+dense",
};

/*
 * As tests/bench/weights.sh learns them, but for STANDING of logs, learnt 2.41 and 2.64: it counts
 * whatever the question is about, and a large memory has many instructions. At 2 the hits of
 * 100,000 pieces of logs are those of --exact (overlap .98, .93 before), and the logs that it was
 * learnt on lose nothing (nDCG@10 .579 to .581 with MiniLM, .526 to .524 by words).
 *
 * PART and BRIDGE are tried, not learnt: of the sets one alone asks several things at once, and who
 * the first hit is the other weights say. PART was chosen on questions of eight sets joined two by
 * two (nDCG@10 of joined locomo .557 to .578, beam-100k .460 to .474, facts .581 to .602), BRIDGE
 * where it serves texts of several kinds (diaries, abstracts, facts); in chats and logs it gains
 * nothing.
 *
 * THINGS was learnt beside the sum of the others, among the fifty best turns, since of no others
 * the texts are read. With the conversation at hand left out, LoCoMo's nDCG@10, mean of categories,
 * is .008 higher by words, .006 and .001 with MiniLM and e5, and with SEVERAL_BEFORE and
 * SEVERAL_SPEAKER .009, .008 and .004. In logs THINGS gains nothing (+.003 by words, -.004 with
 * MiniLM), and nor do scores of neighbours, likeness to better hits, for or against, or ranks by
 * words and vectors.
 *
 * BOTH, BOTH_WINDOW and SPEAKER_BEFORE are products: what has the words of a question, is near in
 * meaning and is said by whom it names has less for it than the sum of the three. With the
 * conversation at hand left out, nDCG@10 of LoCoMo with vectors, mean of categories, is .007 higher
 * (MiniLM .639 to .647, e5 .642 to .649), where there are two or more pieces of evidence .011 and
 * .014 (187 questions). Of fourteen products these gain most. In logs they gain nothing, by words
 * SPEAKER_BEFORE loses .002 as built.
 *
 * PROMPT_SPEAKER and PROMPT_CAPITALS were learnt beside the sum of the others, on LoCoMo's wrapped
 * questions and long prompts; with vectors PROMPT_CAPITALS is less than half of what is learnt
 * (-.26), which would cost e5 .005 of the long prompts. As built, nDCG@10 of these (120) is .008
 * higher by words, .010 with MiniLM and e5, that of the wrapped ones (2,685) the same, .003 and
 * .001 higher. All weights learnt anew for prompts gain less, and so do words weighed by what the
 * best hits say.
 *
 * Those of questions about a matter are chosen, not fitted. They began as those of unknown
 * kinds. Length and speaker count for little or nothing there, the second person and whether a
 * turn is a question for nothing; the turn itself, what is said before it and meaning count for
 * more. STANDING and USER are for beam-100k, whose users state all that is new. On five
 * stretches of real chats, meetings and agents' sessions no weight alone matters by more than
 * .01 nDCG@10, and by words what is learnt on nine sets, each left out in turn, does no better
 * there. On the five (natural questions, the words forgotten, in a prompt; 132, 99 and 33)
 * nDCG@10 with e5 is .674, .347 and .607; of rrf and hybrid the better has .617, .276 and .557.
 *
 * DENSE_CODE was tried, on sets that were not learnt from: questions about code want more meaning
 * than abstracts and notes do, and nothing of the question itself tells that. At 3 and at 5 the
 * mean of five such sets is the same (nDCG@10 +.003), and cosqa's (+.008, +.009); snippets asked in
 * plain words gain more at 5, Java methods asked by their comments lose less at 3 (.010, .014).
 * With it, the other four of vectors are .8 of those that were learnt.
 */
const struct profile profile_default = { {
	[SESSION_UNKNOWN] = {
		[SIGNAL_TURN] = 0.79f, [SIGNAL_WINDOW] = 1.34f, [SIGNAL_SESSION] = 1.57f, [SIGNAL_COVERAGE] = 0.58f,
		[SIGNAL_COVERAGE_2] = 0.45f, [SIGNAL_ALL] = 0.09f, [SIGNAL_CODE] = 2.00f, [SIGNAL_HEAD] = 1.11f,
		[SIGNAL_REPLY] = 0.36f, [SIGNAL_QUESTION] = -0.26f, [SIGNAL_SPEAKER] = 1.00f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 2.00f,
		[SIGNAL_LENGTH] = -0.27f, [SIGNAL_LENGTH_2] = -0.59f, [SIGNAL_SECOND] = -0.39f,
		[SIGNAL_WHEN] = 0.28f, [SIGNAL_WHO] = 0.28f, [SIGNAL_CLOSE] = 0.52f, [SIGNAL_PASSAGE] = 0.76f,
		[SIGNAL_NAMED] = -1.10f, [SIGNAL_PART] = 2.00f, [SIGNAL_BRIDGE] = 1.50f,
	},
	[SESSION_CHAT] = {
		[SIGNAL_TURN] = 0.47f, [SIGNAL_WINDOW] = 1.44f, [SIGNAL_SESSION] = 2.29f, [SIGNAL_COVERAGE] = 0.35f,
		[SIGNAL_COVERAGE_2] = -0.26f, [SIGNAL_CODE] = 2.00f, [SIGNAL_PREVIOUS] = -0.70f,
		[SIGNAL_HEAD] = 0.57f, [SIGNAL_REPLY] = 1.93f, [SIGNAL_QUESTION] = -0.44f, [SIGNAL_NUMBERS] = 0.77f,
		[SIGNAL_COVERAGE_BEFORE] = 3.78f, [SIGNAL_SEVERAL_BEFORE] = -1.16f, [SIGNAL_SPEAKER] = 1.31f,
		[SIGNAL_SEVERAL_SPEAKER] = 0.48f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 3.42f, [SIGNAL_LENGTH] = 0.55f,
		[SIGNAL_LENGTH_2] = 0.51f, [SIGNAL_FIRST] = 0.16f, [SIGNAL_SECOND] = -0.50f, [SIGNAL_WHEN] = 1.59f,
		[SIGNAL_WHO] = 0.96f, [SIGNAL_CAPITALS] = 0.46f, [SIGNAL_PART] = 2.00f, [SIGNAL_THINGS] = 0.98f,
		[SIGNAL_PROMPT_SPEAKER] = -0.37f,
	},
	[SESSION_ASSISTANT] = {
		[SIGNAL_TURN] = 1.92f, [SIGNAL_WINDOW] = 0.47f, [SIGNAL_SESSION] = 0.82f, [SIGNAL_COVERAGE] = 2.14f,
		[SIGNAL_CODE] = 4.27f, [SIGNAL_NEXT] = 1.07f, [SIGNAL_HEAD] = 1.64f, [SIGNAL_HEAD_NEXT] = 0.76f,
		[SIGNAL_USER] = 0.73f, [SIGNAL_NUMBERS] = 0.44f, [SIGNAL_SPEAKER] = 1.00f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 2.00f,
		[SIGNAL_LENGTH] = -0.68f, [SIGNAL_LENGTH_2] = -0.92f, [SIGNAL_WHO] = 0.16f, [SIGNAL_STRONG] = 0.52f,
		[SIGNAL_STANDING] = 2.00f, [SIGNAL_CLOSE] = 1.44f, [SIGNAL_SPREAD] = -0.60f,
		[SIGNAL_NAMED] = -1.95f, [SIGNAL_PART] = 2.00f,
	},
	[N_SESSION_KINDS + SESSION_UNKNOWN] = {
		[SIGNAL_TURN] = 0.37f, [SIGNAL_WINDOW] = 0.69f, [SIGNAL_SESSION] = 0.59f, [SIGNAL_COVERAGE] = 0.45f,
		[SIGNAL_COVERAGE_2] = 0.43f, [SIGNAL_ALL] = 0.26f, [SIGNAL_CODE] = 2.00f, [SIGNAL_HEAD] = 0.33f,
		[SIGNAL_USER] = 0.17f, [SIGNAL_REPLY] = 0.30f, [SIGNAL_QUESTION] = -0.33f, [SIGNAL_DENSE] = 0.66f,
		[SIGNAL_DENSE_WINDOW] = 0.93f, [SIGNAL_DENSE_SESSION] = 1.23f, [SIGNAL_DENSE_USER] = 0.70f, [SIGNAL_DENSE_CODE] = 5.00f,
		[SIGNAL_SPEAKER] = 1.00f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 2.00f, [SIGNAL_LENGTH] = -0.25f,
		[SIGNAL_LENGTH_2] = -0.51f, [SIGNAL_SECOND] = -0.27f, [SIGNAL_WHEN] = 0.27f, [SIGNAL_WHO] = 0.27f,
		[SIGNAL_CLOSE] = 0.19f, [SIGNAL_PASSAGE] = 0.68f,
		[SIGNAL_NAMED] = -1.65f, [SIGNAL_PART] = 2.00f, [SIGNAL_BRIDGE] = 1.00f,
	},
	[N_SESSION_KINDS + SESSION_CHAT] = {
		[SIGNAL_TURN] = 0.30f, [SIGNAL_WINDOW] = 1.19f, [SIGNAL_SESSION] = 1.04f,
		[SIGNAL_COVERAGE] = 0.09f, [SIGNAL_COVERAGE_2] = 0.84f, [SIGNAL_CODE] = 2.00f,
		[SIGNAL_PREVIOUS] = -0.78f, [SIGNAL_HEAD] = 0.33f, [SIGNAL_REPLY] = 1.70f,
		[SIGNAL_QUESTION] = -0.63f, [SIGNAL_NUMBERS] = 0.82f, [SIGNAL_DENSE] = 1.72f,
		[SIGNAL_DENSE_WINDOW] = 1.23f, [SIGNAL_DENSE_SESSION] = 0.42f, [SIGNAL_COVERAGE_BEFORE] = 3.47f,
		[SIGNAL_DENSE_NEAR] = 2.16f, [SIGNAL_SEVERAL_BEFORE] = -1.02f, [SIGNAL_SPEAKER] = 1.74f,
		[SIGNAL_SEVERAL_SPEAKER] = 0.54f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 3.38f, [SIGNAL_LENGTH] = 0.35f,
		[SIGNAL_LENGTH_2] = 0.32f, [SIGNAL_FIRST] = 0.24f, [SIGNAL_SECOND] = -0.29f, [SIGNAL_WHEN] = 1.65f,
		[SIGNAL_WHO] = 0.95f, [SIGNAL_CAPITALS] = 0.43f, [SIGNAL_PART] = 2.00f, [SIGNAL_THINGS] = 0.90f,
		[SIGNAL_BOTH] = -1.04f, [SIGNAL_BOTH_WINDOW] = -1.03f, [SIGNAL_SPEAKER_BEFORE] = -0.87f,
		[SIGNAL_PROMPT_SPEAKER] = -0.33f, [SIGNAL_PROMPT_CAPITALS] = -0.10f,
	},
	[N_SESSION_KINDS + SESSION_ASSISTANT] = {
		[SIGNAL_TURN] = 1.06f, [SIGNAL_WINDOW] = 0.63f, [SIGNAL_SESSION] = 0.43f, [SIGNAL_COVERAGE] = 1.74f,
		[SIGNAL_CODE] = 4.43f, [SIGNAL_NEXT] = 0.34f, [SIGNAL_HEAD] = 1.18f, [SIGNAL_HEAD_NEXT] = 0.37f,
		[SIGNAL_USER] = 0.46f, [SIGNAL_NUMBERS] = 0.47f, [SIGNAL_DENSE] = 0.97f,
		[SIGNAL_DENSE_WINDOW] = 0.65f, [SIGNAL_DENSE_SESSION] = 0.60f, [SIGNAL_DENSE_USER] = 1.72f,
		[SIGNAL_SPEAKER] = 1.00f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 2.00f, [SIGNAL_LENGTH] = -0.63f,
		[SIGNAL_LENGTH_2] = -0.93f, [SIGNAL_WHO] = 0.09f, [SIGNAL_STRONG] = 0.59f,
		[SIGNAL_STANDING] = 2.20f, [SIGNAL_CLOSE] = 1.18f, [SIGNAL_SPREAD] = -0.40f,
		[SIGNAL_NAMED] = -2.00f, [SIGNAL_PART] = 2.00f,
	},
	[PROFILE_MATTER] = {
		[SIGNAL_TURN] = 1.40f, [SIGNAL_WINDOW] = 1.30f, [SIGNAL_SESSION] = 1.50f, [SIGNAL_COVERAGE] = 0.50f,
		[SIGNAL_COVERAGE_2] = 0.50f, [SIGNAL_CODE] = 2.00f, [SIGNAL_HEAD] = 1.00f, [SIGNAL_USER] = 0.20f, [SIGNAL_REPLY] = 0.30f,
		[SIGNAL_COVERAGE_BEFORE] = 1.00f, [SIGNAL_PROJECT] = 1.00f, [SIGNAL_DATE] = 2.00f,
		[SIGNAL_LENGTH] = -0.20f, [SIGNAL_LENGTH_2] = -0.40f, [SIGNAL_STANDING] = 2.00f, [SIGNAL_CLOSE] = 0.50f,
		[SIGNAL_PASSAGE] = 0.80f, [SIGNAL_PART] = 2.00f, [SIGNAL_THINGS] = 0.50f, [SIGNAL_BRIDGE] = 1.50f,
	},
	[PROFILE_MATTER + 1] = {
		[SIGNAL_TURN] = 1.20f, [SIGNAL_WINDOW] = 0.70f, [SIGNAL_SESSION] = 0.60f, [SIGNAL_COVERAGE] = 0.50f,
		[SIGNAL_COVERAGE_2] = 0.50f, [SIGNAL_CODE] = 2.00f, [SIGNAL_USER] = 0.20f, [SIGNAL_REPLY] = 0.30f, [SIGNAL_DENSE] = 1.00f,
		[SIGNAL_DENSE_WINDOW] = 1.40f, [SIGNAL_DENSE_SESSION] = 1.20f, [SIGNAL_DENSE_USER] = 0.50f, [SIGNAL_DENSE_CODE] = 5.00f,
		[SIGNAL_COVERAGE_BEFORE] = 1.50f, [SIGNAL_DENSE_NEAR] = 1.00f, [SIGNAL_PROJECT] = 1.00f,
		[SIGNAL_DATE] = 2.00f, [SIGNAL_STANDING] = 2.00f, [SIGNAL_CLOSE] = 0.50f, [SIGNAL_PASSAGE] = 1.00f, [SIGNAL_PART] = 2.00f,
		[SIGNAL_THINGS] = 0.50f, [SIGNAL_BRIDGE] = 1.00f,
	},
}, {
	/*
	 * First computed by tests/bench/weights.py, then adjusted to nine memories with sessions of
	 * several kinds (chats among 100,000 lines of others, functions, abstracts, commands,
	 * diaries, logs, by words and with vectors; each left out once). There more turns than the
	 * labelled ones have to do with a question, in a chat as in a log. Means and deviations of
	 * the candidates of the question at hand would serve worse than these constants: that all
	 * turns of a chat are far above the mean is just what shows that the question is about it.
	 * Those of chats were moved when COVERAGE_BEFORE and DENSE_NEAR were added, so that the
	 * first and the tenth hit of a chat's questions score what they did before.
	 */
	[SESSION_UNKNOWN] = { 0.4f, 0.75f }, [SESSION_CHAT] = { 3.4f, 1.58f }, [SESSION_ASSISTANT] = { 1.0f, 1.3f },
	[N_SESSION_KINDS + SESSION_UNKNOWN] = { 0.4f, 1.1f }, [N_SESSION_KINDS + SESSION_CHAT] = { 3.8f, 1.67f }, [N_SESSION_KINDS + SESSION_ASSISTANT] = { -0.1f, 1.35f },
	[PROFILE_MATTER] = { 3.2f, 1.15f }, [PROFILE_MATTER + 1] = { 0.8f, 1.57f },
} };

/* Turns a sum of signals into a z-score. */
static float
among_others(const struct profile *p, unsigned kind, float sum)
{
	return (sum - p->others[kind].mean) / p->others[kind].sd;
}

float
profile_score(const struct profile *p, unsigned kind, const float x[N_SIGNALS])
{
	float sum = 0;

	for (size_t i = 0; i < N_SIGNALS; i++)
		sum += p->weight[kind][i] * x[i];
	return among_others(p, kind, sum);
}

/* The most that a signal adds to a score while the turn features are not read. */
static float
most_of_row(const struct signal_row *row, float weight, const struct candidate *c)
{
	if (weight > 0)
		return weight * (row->most != NULL ? row->most(c) : UNBOUNDED);
	return weight < 0 && row->least != NULL ? weight * row->least(c) : 0;
}

/*
 * Both sums leave out signals that are not known yet. They are computed for thousands of
 * candidates, so which signals these are is settled at compile time: a loop over all costs a third
 * more.
 */
#define NOT_YET(id, ...)
#define KNOWN(id, ...) sum += w[id] * x[id];
#define LIMIT(id, ...) sum += most_of_row(&signals[id], w[id], c);

float
profile_score_of(const struct profile *p, unsigned kind, const struct candidate *c)
{
	const float *w = p->weight[kind];
	float x[N_SIGNALS], sum = 0;

	signals_of(c, x);
	SIGNAL_ROWS(KNOWN, NOT_YET, KNOWN, NOT_YET)
	return among_others(p, kind, sum);
}

float
profile_most(const struct profile *p, unsigned kind, const struct candidate *c)
{
	const float *w = p->weight[kind];
	float x[N_SIGNALS], sum = ROUNDING;

	signals_of(c, x);
	SIGNAL_ROWS(KNOWN, LIMIT, LIMIT, NOT_YET)
	return among_others(p, kind, sum);
}

static float *
weight_of(struct profile *p, const char *kind, const char *signal)
{
	for (size_t k = 0; k < N_PROFILE_KINDS; k++)
		for (size_t i = 0; i < N_SIGNALS; i++)
			if (strcmp(profile_kind_names[k], kind) == 0 &&
			    strcmp(signals[i].name, signal) == 0)
				return &p->weight[k][i];
	return NULL;
}

static int
read_line(struct profile *p, const char *line, size_t len)
{
	const char *comment = memchr(line, '#', len);
	char copy[160], kind[32], signal[32], more;
	float weight, *to;

	if (comment != NULL)
		len = (size_t)(comment - line);
	if (len >= sizeof(copy))
		return -1;
	memcpy(copy, line, len);
	copy[len] = '\0';
	if (strspn(copy, " \t\r") == strlen(copy))
		return 0;
	if (sscanf(copy, " %31s %31s %f %c", kind, signal, &weight, &more) != 3 ||
	    !(weight > -1e6f && weight < 1e6f) || (to = weight_of(p, kind, signal)) == NULL)
		return -1;
	*to = weight;
	return 0;
}

int
profile_read(struct profile *p, const char *text, size_t len, const char *name, struct err *err)
{
	const char *end = text + len;
	unsigned n = 0;

	for (const char *at = text; at < end; n++) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		if (eol == NULL)
			eol = end;
		if (read_line(p, at, (size_t)(eol - at)) < 0)
			return err_set(err, ERR_CONFIG, "%s:%u: not \"KIND SIGNAL WEIGHT\"", name,
			    n + 1);
		at = eol + 1;
	}
	return 0;
}
