/*
 * signals.c: computes the signals. Scores of the posting lists are divided by the question's best,
 * so that 1 is the best that this question reaches.
 */
#include "rank/signals.h"

#include <pthread.h>

#include "base/clock.h"
#include "math/real.h"

#define TINY         1e-6f         /* divisor instead of 0 */
#define CHARS_A_WORD 5.2f          /* mean of English chat, with the space */
/* what texts in another language than the question are too far from it by a model, about */
#define FOREIGN_Z4   0.25f
#define FEW_WORDS    256           /* lengths of turns with fewer words are computed in advance */

void
bm25_best(const struct bm25 *b, struct bm25_best *best)
{
	*best = (struct bm25_best){
		.turn = MAX(b->best_turn, TINY),
		.window = MAX(b->best_window, TINY),
		.head = MAX(b->best_head, TINY),
		.session = MAX(b->best_session, TINY),
		.cover = MAX((float)b->idf_sum, TINY),
		.exact = MAX((float)b->exact_sum, TINY),
	};
}

struct around
around_turn(const struct corpus *c, const struct bm25_scores *at, const struct bm25 *b,
	float expected, const struct dense *dense)
{
	uint32_t turn = at->turn, first = c->session_first[at->session],
		 end = MIN(c->session_first[at->session + 1], turn + AROUND_NEAR + 1);
	float cover = bm25_cover(b, turn - MIN(turn - first, AROUND_BEFORE), turn + 1);
	struct around out = { .cover = MIN(cover / expected, 1) };

	for (uint32_t i = turn - MIN(turn - first, AROUND_NEAR); dense != NULL && i < end; i++)
		out.dense = MAX(out.dense, dense_turn(dense, i));
	return out;
}

/* ---- from the lists ---- */

static float turn(const struct candidate *c) { return c->at->self / c->best->turn; }
static float window(const struct candidate *c) { return c->at->window / c->best->window; }
static float session(const struct candidate *c) { return c->at->of_session / c->best->session; }
static float head(const struct candidate *c) { return c->at->head / c->best->head; }
static float coverage(const struct candidate *c) { return c->at->cover / c->best->cover; }
static float coverage_2(const struct candidate *c) { return coverage(c) * coverage(c); }
static float
coverage_before(const struct candidate *c)
{
	return MAX(c->around.cover, coverage(c));
}

static float code(const struct candidate *c) { return c->at->exact / c->best->exact; }
static float next(const struct candidate *c) { return c->at->next / c->best->turn; }
static float head_next(const struct candidate *c) { return c->at->head_next / c->best->head; }

static float
user(const struct candidate *c)
{
	return corpus_role(c->corpus, c->at->turn) == CORPUS_USER;
}

static float
reply(const struct candidate *c)
{
	/* a score of the previous turn implies that there is one */
	return c->at->previous > 0 && (corpus_flags(c->corpus, c->at->turn - 1) & CORPUS_QUESTION)
	    ? c->at->previous / c->best->turn
	    : 0;
}

static float
question(const struct candidate *c)
{
	return (corpus_flags(c->corpus, c->at->turn) & CORPUS_QUESTION) != 0;
}
static float
numbers(const struct candidate *c)
{
	return (corpus_flags(c->corpus, c->at->turn) & CORPUS_NUMBER) != 0;
}
static float named(const struct candidate *c) { return c->question->names; }

/* ---- from the vectors ---- */

static float
vector_turn(const struct candidate *c)
{
	return c->dense == NULL
	    ? 0
	    : dense_turn_or(c->dense, c->at->turn, DENSE_GUESS(coverage(c)));
}
static float
vector_window(const struct candidate *c)
{
	return c->dense == NULL
	    ? 0
	    : dense_window_or(c->dense, c->at->turn, c->at->session,
		  DENSE_GUESS(coverage(c)));
}

static float
vector_session(const struct candidate *c)
{
	return c->dense != NULL ? dense_session(c->dense, c->at->session) : 0;
}
static float
vector_near(const struct candidate *c)
{
	return c->dense != NULL ? MAX(c->around.dense, vector_turn(c)) : 0;
}
static float
vector_alone(const struct candidate *c)
{
	return c->unsaid > 0 ? c->unsaid * (vector_turn(c) + vector_near(c) / 2) : 0;
}

/* words and meaning partly say the same: where both are high, it is said twice */
static float both(const struct candidate *c) { return coverage(c) * vector_turn(c); }
static float both_window(const struct candidate *c) { return window(c) * vector_window(c); }
static float vector_user(const struct candidate *c) { return user(c) > 0 ? vector_turn(c) : 0; }

/* ---- from the cards ---- */

static float
speaker(const struct candidate *c)
{
	for (size_t i = 0; i < c->question->n_speakers; i++)
		if (c->question->speakers[i] == c->card->speaker)
			return 1;
	return 0;
}

static float
speaker_before(const struct candidate *c)
{
	return speaker(c) * coverage_before(c);
}

static float
project(const struct candidate *c)
{
	for (size_t i = 0; i < c->question->n_projects; i++)
		if (c->question->projects[i] == c->card->project)
			return 1;
	return 0;
}

static float
prompt_speaker(const struct candidate *c)
{
	return c->question->prompt.n > 0 ? speaker(c) : 0;
}

/*
 * How well a time fits one span of the question: 1 for the month, 2 for a day within one; a named
 * year adds .2, and a different year excludes.
 */
static float
fit_of(const struct time_span *s, int64_t us)
{
	struct civil at;
	float fit = 0;

	time_civil(us, &at);
	if (s->year != 0 && s->year != at.year)
		return 0;
	if (s->from_us != TIME_NONE) {
		if (us >= s->from_us && us < s->to_us)
			return s->grain == GRAIN_DAY ? 2 : 1;
		return s->grain == GRAIN_DAY && us >= s->from_us - US_PER_DAY &&
			us < s->to_us + US_PER_DAY
		    ? 2
		    : 0;
	}
	if (s->month != 0 && (at.month - s->month + 12) % 12 < MAX(s->months, 1))
		fit = s->day != 0 && abs(s->day - at.day) <= 1 ? 2 : 1;
	if (s->year != 0)
		fit += 0.2f;
	return fit;
}

static float
date(const struct candidate *c)
{
	float best = 0;

	if (c->card->time_us == TIME_NONE)
		return 0;
	for (size_t i = 0; i < c->question->n_spans; i++)
		best = MAX(best, fit_of(&c->question->spans[i], c->card->time_us));
	return best / 2;
}

/* thousands of candidates are turns of few words, so their lengths are computed once */
static float few_words[FEW_WORDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fill(void)
{
	for (size_t i = 0; i < FEW_WORDS; i++)
		few_words[i] = real_logf(1 + CHARS_A_WORD * (float)i) / 5;
}

static float
length(const struct candidate *c)
{
	if (c->card != NULL)
		return real_logf(1 + (float)c->card->n_chars) / 5;
	pthread_once(&once, fill);
	unsigned words = corpus_words(c->corpus, c->at->turn);
	return words < FEW_WORDS ? few_words[words]
	    : real_logf(1 + CHARS_A_WORD * (float)words) / 5;
}

static float second(const struct candidate *c) { return real_logf(1 + c->card->second); }
static float
when(const struct candidate *c)
{
	return c->question->asks_when && (c->card->flags & CARD_WHEN);
}

static float
who(const struct candidate *c)
{
	return c->question->asks_who ? real_logf(1 + c->card->capitals) : 0;
}

static float strong(const struct candidate *c) { return (c->card->flags & CARD_STRONG) != 0; }

/* Only an assistant is told how to go on: in a note the same words state something. */
static bool
may_instruct(const struct candidate *c)
{
	return !c->question->recalls && c->corpus->kind[c->at->session] == SESSION_ASSISTANT;
}

static float
standing(const struct candidate *c)
{
	return (c->card->flags & CARD_STANDING) && may_instruct(c) ? user(c) : 0;
}
static float capitals(const struct candidate *c) { return real_logf(1 + c->card->capitals); }

static float
prompt_capitals(const struct candidate *c)
{
	return c->question->prompt.n > 0 ? capitals(c) : 0;
}

static float
length_2(const struct candidate *c)
{
	float l = length(c);

	return l * l;
}

/* ---- from the text ---- */

static float passage(const struct candidate *c) { return c->read != NULL ? c->read->passage : 0; }
static float part(const struct candidate *c) { return c->read != NULL ? c->read->part : 0; }
static float things(const struct candidate *c) { return c->read != NULL ? c->read->things : 0; }
static float bridge(const struct candidate *c) { return c->read != NULL ? c->read->bridge : 0; }
static float vector_code(const struct candidate *c) { return c->code * vector_turn(c); }
static float
foreign(const struct candidate *c)
{
	return c->foreign > 0 ? c->foreign * (vector_turn(c) + FOREIGN_Z4) : 0;
}

#define ROW(id, name, value, help) [id] = { name, value, 0, help },
#define LAST(id, name, value, needs, help) [id] = { name, value, needs, help },
const struct signal_row signals[N_SIGNALS] = { SIGNAL_ROWS(ROW, ROW, ROW, LAST) };
#undef ROW
#undef LAST

/*
 * The rows are expanded to calls by name instead of a loop over the table: signals may be computed
 * for tens of thousands of turns, and the compiler can inline all of this.
 */
void
signals_of(const struct candidate *c, float x[N_SIGNALS])
{
	bool has_card = c->card != NULL;

#define NOW(id, name, value, ...) x[id] = value(c);
#define WITH_CARD(id, name, value, ...) x[id] = has_card ? value(c) : 0;
	SIGNAL_ROWS(NOW, WITH_CARD, NOW, WITH_CARD)
#undef NOW
#undef WITH_CARD
}
