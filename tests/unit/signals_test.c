/*
 * signals_test.c: each signal of one turn, by hand. Two sessions: turns 0, 1, 2 and turn 3 alone.
 */
#include <math.h>

#include "tap.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "rank/profile.h"

static uint16_t info[4];
static uint32_t session_first[] = { 0, 3, 4 };
static uint8_t kind[2];
static uint32_t session_words[2];
static struct corpus corpus = { .n = 4,
	.n_sessions = 2,
	.info = info,
	.kind = kind,
	.session_words = session_words,
	.session_first = session_first };
static const struct bm25_scores scores[] = {
	{ .turn = 0,
	    .self = 1,
	    .window = 3,
	    .head = 0.5f,
	    .cover = 3,
	    .next = 4,
	    .head_next = 1,
	    .of_session = 6 },
	{ .turn = 1,
	    .self = 4,
	    .window = 5,
	    .head = 1,
	    .cover = 6,
	    .exact = 2,
	    .previous = 1,
	    .next = 2,
	    .head_next = 2,
	    .of_session = 6 },
	{ .turn = 2,
	    .self = 2,
	    .window = 10,
	    .head = 2,
	    .cover = 12,
	    .exact = 8,
	    .previous = 4,
	    .of_session = 6 },
	{ .turn = 3, .session = 1, .of_session = 8 },
};
static struct bm25 bm25 = { .corpus = &corpus,
	.idf_sum = 12,
	.exact_sum = 16,
	.best_turn = 4,
	.best_window = 10,
	.best_head = 2,
	.best_session = 8 };
static struct bm25_best best;
static struct question q;
static struct card card;

static uint16_t
pack(unsigned words, unsigned flags, unsigned role)
{
	return (uint16_t)(words | flags << 12 | role << 14);
}

static double
signal_of(enum signal which, uint32_t turn)
{
	struct candidate c = { .corpus = &corpus,
		.question = &q,
		.best = &best,
		.at = &scores[turn],
		.card = &card };
	float x[N_SIGNALS];

	signals_of(&c, x);
	return (double)x[which];
}

static void
is_near(double got, double want, const char *what)
{
	if (!ok(fabs(got - want) < 1e-5, "%s", what))
		tap_note("got %g, want %g", got, want);
}

static void
test_lists(void)
{
	is_near(signal_of(SIGNAL_TURN, 2), 0.5, "turn: 2 of 4");
	is_near(signal_of(SIGNAL_WINDOW, 1), 0.5, "window: 5 of 10");
	is_near(signal_of(SIGNAL_HEAD, 1), 0.5, "head: 1 of 2");
	is_near(signal_of(SIGNAL_SESSION, 0), 0.75, "session: 6 of 8");
	is_near(signal_of(SIGNAL_SESSION, 3), 1, "session: the best");
	is_near(signal_of(SIGNAL_COVERAGE, 1), 0.5, "coverage: 6 of 12");
	is_near(signal_of(SIGNAL_COVERAGE_2, 1), 0.25, "coverage_2");
	is_near(signal_of(SIGNAL_COVERAGE_BEFORE, 1), 0.5,
	    "coverage_before: coverage, until the search has looked there");
	is_near(signal_of(SIGNAL_CODE, 2), 0.5, "code: 8 of 16");
	is_near(signal_of(SIGNAL_NEXT, 1), 0.5, "next: 2 of 4");
	is_near(signal_of(SIGNAL_NEXT, 2), 0, "next: of another session");
	is_near(signal_of(SIGNAL_HEAD_NEXT, 1), 1, "head_next");
	is_near(signal_of(SIGNAL_HEAD_NEXT, 3), 0, "head_next: none");
	is_near(signal_of(SIGNAL_USER, 0), 1, "user");
	is_near(signal_of(SIGNAL_USER, 1), 0, "user: the assistant");
	is_near(signal_of(SIGNAL_REPLY, 1), 0.25, "reply: to a question, 1 of 4");
	is_near(signal_of(SIGNAL_REPLY, 2), 0, "reply: to none");
	is_near(signal_of(SIGNAL_REPLY, 0), 0, "reply: the first turn");
	is_near(signal_of(SIGNAL_QUESTION, 0), 1, "question");
	is_near(signal_of(SIGNAL_QUESTION, 1), 0, "question: none");
	is_near(signal_of(SIGNAL_NUMBERS, 1), 1, "numbers");
	is_near(signal_of(SIGNAL_NUMBERS, 0), 0, "numbers: none");
	is_near(signal_of(SIGNAL_NAMED, 0), 0, "named: nobody");
	q.names = true;
	is_near(signal_of(SIGNAL_NAMED, 0) + signal_of(SIGNAL_NAMED, 3), 2, "named: of any turn");
	q.names = false;
}

static void
test_cards(void)
{
	card = (struct card){ .time_us = TIME_NONE,
		.n_chars = 99,
		.speaker = 7,
		.project = 3,
		.second = 1,
		.capitals = 9,
		.flags = CARD_WHEN | CARD_STRONG };
	q.speakers[0] = 5;
	q.speakers[1] = 7;
	q.n_speakers = 1;
	is_near(signal_of(SIGNAL_SPEAKER, 0), 0, "speaker: another");
	q.n_speakers = 2;
	is_near(signal_of(SIGNAL_SPEAKER, 0), 1, "speaker");
	is_near(signal_of(SIGNAL_PROJECT, 0), 0, "project: none is named");
	q.projects[0] = 3;
	q.n_projects = 1;
	is_near(signal_of(SIGNAL_PROJECT, 0), 1, "project");
	is_near(signal_of(SIGNAL_SPEAKER_BEFORE, 1), 0.5, "speaker_before: coverage_before");
	q.n_speakers = 1;
	is_near(signal_of(SIGNAL_SPEAKER_BEFORE, 1), 0, "speaker_before: another speaks");
	q.n_speakers = 2;
	is_near(signal_of(SIGNAL_PROMPT_SPEAKER, 0) + signal_of(SIGNAL_PROMPT_CAPITALS, 0), 0,
	    "prompt_speaker, prompt_capitals: a bare question");
	q.prompt.n = 2;
	is_near(signal_of(SIGNAL_PROMPT_SPEAKER, 0), 1, "prompt_speaker: a question in a prompt");
	is_near(signal_of(SIGNAL_PROMPT_CAPITALS, 0), 2.302585, "prompt_capitals: the same");
	q.prompt.n = 0;
	is_near(signal_of(SIGNAL_LENGTH, 0), 0.921034, "length: ln 100 / 5");
	is_near(signal_of(SIGNAL_LENGTH_2, 0), 0.848304, "length_2");
	is_near(signal_of(SIGNAL_SECOND, 0), 0.693147, "second: ln 2");
	is_near(signal_of(SIGNAL_CAPITALS, 0), 2.302585, "capitals: ln 10");
	is_near(signal_of(SIGNAL_WHO, 0), 0, "who: not asked");
	is_near(signal_of(SIGNAL_WHEN, 0), 0, "when: not asked");
	q.asks_who = q.asks_when = true;
	is_near(signal_of(SIGNAL_WHO, 0), 2.302585, "who: asked");
	is_near(signal_of(SIGNAL_WHEN, 0), 1, "when: asked and said");
	is_near(signal_of(SIGNAL_STRONG, 0), 1, "strong");
	is_near(signal_of(SIGNAL_STANDING, 0), 0, "standing: not so");
	card.flags = CARD_STANDING;
	is_near(signal_of(SIGNAL_STANDING, 0), 0, "standing: a note tells nobody how to go on");
	kind[0] = SESSION_ASSISTANT;
	is_near(signal_of(SIGNAL_STANDING, 0), 1, "standing");
	is_near(signal_of(SIGNAL_STANDING, 1), 0, "standing: the assistant asks for nothing");
	q.recalls = true;
	is_near(signal_of(SIGNAL_STANDING, 0), 0, "standing: not for what was said");
	q.recalls = false;
	kind[0] = SESSION_UNKNOWN;
	is_near(signal_of(SIGNAL_STRONG, 0), 0, "strong: not so");
	is_near(signal_of(SIGNAL_WHEN, 0), 0, "when: asked and not said");
}

/* What the text tells, and the better hits. */
static void
test_text(void)
{
	const struct passage_signals read = { 0.5f, 0.75f, 0.125f, 0, true, 2, false };
	struct candidate c = { .corpus = &corpus,
		.question = &q,
		.best = &best,
		.at = &scores[0],
		.card = &card };
	float x[N_SIGNALS];

	signals_of(&c, x);
	ok(x[SIGNAL_PASSAGE] == 0 && x[SIGNAL_PART] == 0 &&
		x[SIGNAL_BRIDGE] == 0 && x[SIGNAL_THINGS] == 0,
	    "not read");
	c.read = &read;
	signals_of(&c, x);
	is_near((double)x[SIGNAL_PASSAGE], 0.5, "passage");
	is_near((double)x[SIGNAL_PART], 0.75, "part");
	is_near((double)x[SIGNAL_BRIDGE], 0.125, "bridge");
	is_near((double)x[SIGNAL_THINGS], 2, "things: of two kinds");
}

/* Of four turns only the first three have a vector. */
static void
test_vectors(void)
{
	float cosine[] = { 0.5f, 0.3f, 0.1f, DENSE_NONE }, session[] = { 0.5f, DENSE_NONE };
	const struct dense_spread spread = { 0.3f, 0.1f };
	struct dense d = { .corpus = &corpus,
		.cosine = cosine,
		.session = session,
		.turns = spread,
		.windows = spread,
		.sessions = spread,
		.length = { 1, 1.2f, 1.4f },
		.n = 4,
		.n_known = 3 };
	struct candidate c = { .corpus = &corpus,
		.question = &q,
		.best = &best,
		.dense = &d,
		.card = &card };
	float x[N_SIGNALS];

	c.at = &scores[0];
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE], 0.5, "dense: two deviations above the mean, by four");
	is_near((double)x[SIGNAL_DENSE_USER], 0.5, "dense_user: the user's");
	is_near((double)x[SIGNAL_DENSE_SESSION], 0.5, "dense_session: its best window, as high");
	is_near((double)x[SIGNAL_BOTH_WINDOW],
	    (double)x[SIGNAL_WINDOW] * (double)x[SIGNAL_DENSE_WINDOW],
	    "both_window: window times dense_window");
	c.at = &scores[2];
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE], -0.5, "dense: below");
	is_near((double)x[SIGNAL_DENSE_USER], corpus_role(&corpus, 2) == 0 ? -0.5 : 0,
	    "dense_user: as dense for the user, else 0");
	is_near((double)x[SIGNAL_DENSE_CODE], 0, "dense_code: where it is not code");
	c.code = 0.5f;
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE_CODE], -0.25, "dense_code: dense, as far as it is");
	is_near((double)x[SIGNAL_DENSE], -0.5, "dense stays what it is");
	c.at = &scores[1];
	cosine[1] = 0.4f;
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE], 0.25, "dense: of the assistant");
	is_near((double)x[SIGNAL_DENSE_USER], 0, "dense_user: not of the assistant");
	cosine[1] = DENSE_NONE;
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE], (double)DENSE_GUESS(0.5f),
	    "dense: without a vector what half of the words let expect");
	is_near((double)x[SIGNAL_DENSE_WINDOW], (double)DENSE_GUESS(0.5f),
	    "dense_window: the same without a vector");
	c.at = &scores[3];
	signals_of(&c, x);
	is_near((double)x[SIGNAL_DENSE], 0, "dense: the mean, with neither vector nor words");
}

/*
 * Nine turns of a session and one of the next. Each of the question's three words is in one of the
 * turns 2, 4 and 9.
 */
static void
test_around(void)
{
	static const uint32_t said[] = { 2, 4, 9 };
	static uint16_t words[10];
	static uint32_t first_turn[] = { 0, 9, 10 }, n_words[2];
	static uint8_t kinds[2];
	const struct corpus c = { .n = 10,
		.n_sessions = 2,
		.info = words,
		.kind = kinds,
		.session_words = n_words,
		.session_first = first_turn };
	float cosine[] = { 0.6f, 0.3f, 0.1f, 0.2f, 0.3f, 0.1f, 0.4f, 0.5f, 0.2f, 0.9f },
	      of_session[] = { DENSE_NONE, DENSE_NONE };
	const struct dense d = { .corpus = &c,
		.cosine = cosine,
		.session = of_session,
		.turns = { 0.3f, 0.1f },
		.windows = { 0.3f, 0.1f },
		.sessions = { 0.3f, 0.1f },
		.n = 10,
		.n_known = 10 };
	struct bm25 b = { 0 };
	struct bm25_scores at = { .turn = 4, .cover = 3 };
	struct candidate of = { .corpus = &c,
		.question = &q,
		.best = &best,
		.at = &at,
		.card = &card };
	struct around a;
	float all, x[N_SIGNALS];

	bm25_open(&b, &c, bm25_shapes, 10);
	for (size_t i = 0; i < NELEM(said); i++) {
		xgrow(&b.list.items, &b.list.cap, b.list.n + 1, sizeof(*b.list.items));
		b.list.items[b.list.n++] = (struct posting){ .doc = said[i], .tf = 1 };
		bm25_add(&b, 1, false);
	}
	while (bm25_next(&b))
		;
	all = (float)b.idf_sum;
	a = around_turn(&c, &at, &b, all, NULL);
	is_near((double)a.cover, 2. / 3, "around: its words and those of the two turns before it");
	is_near((double)a.dense, 0, "around: no vectors");
	is_near((double)around_turn(&c, &at, &b, all / 3, NULL).cover, 1, "around: 1 at most");
	a = around_turn(&c, &at, &b, all, &d);
	is_near((double)a.dense, 0.75, "around: the best vector within five turns");
	of.around = a;
	signals_of(&of, x);
	is_near((double)x[SIGNAL_COVERAGE_BEFORE], 2. / 3, "coverage_before: what was seen there");
	is_near((double)x[SIGNAL_COVERAGE], 0.25, "coverage stays what it is");
	is_near((double)x[SIGNAL_DENSE_NEAR], 0, "dense_near: there are no vectors");
	is_near((double)(x[SIGNAL_BOTH] + x[SIGNAL_BOTH_WINDOW]), 0, "both: nor here");
	of.dense = &d;
	signals_of(&of, x);
	is_near((double)x[SIGNAL_BOTH],
	    (double)x[SIGNAL_COVERAGE] * (double)x[SIGNAL_DENSE], "both: coverage times dense");
	is_near((double)x[SIGNAL_DENSE_NEAR], 0.75, "dense_near: what was seen there");
	is_near((double)x[SIGNAL_DENSE_ALONE], 0, "dense_alone: a turn has the words");
	of.unsaid = 0.5f;
	signals_of(&of, x);
	is_near((double)x[SIGNAL_DENSE_ALONE], ((double)x[SIGNAL_DENSE] + 0.375) / 2,
	    "dense_alone: dense and half of dense_near, where half of the words are unsaid");
	of.around = (struct around){ 0, 0 };
	at.turn = 7;
	signals_of(&of, x);
	is_near((double)x[SIGNAL_DENSE_NEAR], 0.5, "dense_near: dense, until then");
	at.turn = 5;
	a = around_turn(&c, &at, &b, all, &d);
	is_near((double)a.cover, 1. / 3, "around: not the third before it");
	at = (struct bm25_scores){ .turn = 9, .session = 1 };
	a = around_turn(&c, &at, &b, all, &d);
	is_near((double)a.cover, 1. / 3, "around: not of another session");
	at = (struct bm25_scores){ .turn = 8 };
	a = around_turn(&c, &at, &b, all, &d);
	is_near((double)a.dense, 0.5, "around: of vectors neither, and none of six turns away");
	bm25_close(&b);
}

static void
date_is(int year, int month, int day, double want, const char *what)
{
	card.time_us = time_from_civil(year, month, day) + 43200 * US_PER_S;
	is_near(signal_of(SIGNAL_DATE, 0), want, what);
}

static void
test_dates(void)
{
	card.time_us = time_from_civil(2023, 5, 3);
	q.n_spans = 0;
	is_near(signal_of(SIGNAL_DATE, 0), 0, "date: no time asked");

	q.n_spans = 1;
	q.spans[0] = (struct time_span){ .from_us = TIME_NONE,
		.to_us = TIME_NONE,
		.month = 5,
		.grain = GRAIN_MONTH };
	date_is(2023, 5, 31, 0.5, "May of any year");
	date_is(2019, 5, 1, 0.5, "May of another");
	date_is(2023, 6, 1, 0, "June");
	q.spans[0].day = 3;
	q.spans[0].grain = GRAIN_DAY;
	date_is(2021, 5, 3, 1, "3 May of any year");
	date_is(2021, 5, 4, 1, "the day after");
	date_is(2021, 5, 5, 0.5, "the month");
	date_is(2021, 4, 3, 0, "another month");
	q.spans[0] = (struct time_span){ .from_us = TIME_NONE,
		.to_us = TIME_NONE,
		.month = 12,
		.months = 3,
		.grain = GRAIN_MONTH };
	date_is(2021, 12, 1, 0.5, "the first month of a winter");
	date_is(2022, 2, 28, 0.5, "the last");
	date_is(2022, 3, 1, 0, "the spring behind it");
	date_is(2022, 11, 30, 0, "the autumn before");

	q.spans[0] = (struct time_span){ .from_us = time_from_civil(2023, 5, 3),
		.to_us = time_from_civil(2023, 5, 4),
		.grain = GRAIN_DAY };
	date_is(2023, 5, 3, 1, "a day");
	date_is(2023, 5, 2, 1, "the day before");
	date_is(2023, 5, 4, 1, "the day after");
	date_is(2023, 5, 5, 0, "two days after");
	q.spans[0] = (struct time_span){ .from_us = time_from_civil(2023, 5, 1),
		.to_us = time_from_civil(2023, 5, 8),
		.grain = GRAIN_WEEK };
	date_is(2023, 5, 7, 0.5, "a week");
	date_is(2023, 5, 8, 0, "the week after");
	q.spans[0] = (struct time_span){ .from_us = time_from_civil(2023, 1, 1),
		.to_us = time_from_civil(2024, 1, 1),
		.year = 2023,
		.grain = GRAIN_YEAR };
	date_is(2023, 12, 31, 0.5, "a year");
	date_is(2024, 1, 1, 0, "another year");
	q.n_spans = 2;
	q.spans[1] = (struct time_span){ .from_us = TIME_NONE,
		.to_us = TIME_NONE,
		.month = 12,
		.day = 31,
		.grain = GRAIN_DAY };
	date_is(2023, 12, 31, 1, "the better of two");
	date_is(2024, 3, 1, 0, "neither of two");
	card.time_us = TIME_NONE;
	is_near(signal_of(SIGNAL_DATE, 0), 0, "date: no time known");
	q.n_spans = 0;
}

/* When each signal becomes known (signal_rows.h). */
enum stage { LISTS, CARDS, GUESS, LAST };
#define OF_LISTS(id, ...) [id] = LISTS,
#define OF_CARDS(id, ...) [id] = CARDS,
#define OF_GUESS(id, ...) [id] = GUESS,
#define OF_LAST(id, ...) [id] = LAST,
static const enum stage stages[N_SIGNALS] = { SIGNAL_ROWS(OF_LISTS, OF_CARDS, OF_GUESS, OF_LAST) };

static void
test_without_card(void)
{
	struct candidate c = { .corpus = &corpus, .question = &q, .best = &best, .at = &scores[2] };
	float x[N_SIGNALS];
	unsigned n = 0;

	for (size_t i = 0; i < N_SIGNALS; i++)
		x[i] = 7;
	signals_of(&c, x);
	is_near((double)x[SIGNAL_TURN], 0.5, "without a card: the lists");
	is_near((double)x[SIGNAL_LENGTH], 0.794058, "length by words: ln(1 + 5.2 * 10) / 5");
	for (size_t i = 0; i < N_SIGNALS; i++)
		n += (stages[i] == CARDS || stages[i] == LAST) &&
		    x[i] != 0;
	is_int(n, 0, "the others are 0");
	is_near((double)profile_score_of(&profile_default, SESSION_CHAT, &c),
	    (double)profile_score(&profile_default, SESSION_CHAT, x),
	    "the score without a card is that of the signals without a card");
}

/* The best of a real question is the most of each array, and stays so after a reset. */
static void
test_best(void)
{
	static const struct posting all[] = { { 0, 3, 2 }, { 1, 1, 0 }, { 3, 9, 9 } },
				    few[] = { { 2, 1, 1 } };
	struct bm25_best b;
	struct bm25_scores at;
	struct bm25 s;

	corpus_measure(&corpus);
	bm25_open(&s, &corpus, bm25_shapes, BM25_SLICE);
	for (int round = 0; round < 2; round++) {
		float most[4] = { 0 };
		xgrow(&s.list.items, &s.list.cap, 4, sizeof(*all));
		s.list.items[s.list.n++] = few[0];
		bm25_add(&s, 1, true);
		for (int i = 0; round == 0 && i < 3; i++)
			s.list.items[s.list.n++] = all[i];
		bm25_add(&s, 0.5f, false);
		while (bm25_next(&s))
			for (uint32_t i = s.from; i < s.to; i++) {
				bm25_at(&s, i, &at);
				most[0] = MAX(most[0], at.self);
				most[1] = MAX(most[1], at.window);
				most[2] = MAX(most[2], at.head);
				most[3] = MAX(most[3], at.of_session);
			}
		bm25_best(&s, &b);
		is_near((double)b.turn, (double)most[0], "best turn");
		is_near((double)b.window, (double)most[1], "best window");
		is_near((double)b.head, (double)most[2], "best head");
		is_near((double)b.session, (double)most[3], "best session");
		is_near((double)b.cover, s.idf_sum, "most to cover");
		is_near((double)b.exact, s.exact_sum, "most identifiers");
		bm25_reset(&s);
	}
	bm25_best(&s, &b);
	ok(b.turn > 0 && b.window > 0 && b.head > 0 && b.session > 0 &&
		b.cover > 0 && b.exact > 0 && b.turn < 1e-3f && b.cover < 1e-3f,
	    "nothing found: something to divide by");
	bm25_close(&s);
}

/* Those that are asked for by name are those of the table. */
static void
test_table(void)
{
	float cosine[] = { 0.1f, 0.7f, 0.3f, DENSE_NONE }, of_session[] = { 0.5f, DENSE_NONE };
	struct dense dense = { .corpus = &corpus,
		.cosine = cosine,
		.session = of_session,
		.turns = { 0.2f, 0.1f },
		.windows = { 0.3f, 0.2f },
		.sessions = { 0.4f, 0.1f },
		.length = { 1, 1.2f, 1.4f },
		.n = 4,
		.n_known = 3 };
	unsigned n_other = 0, n_zero = 0;
	bool seen[N_SIGNALS] = { false };
	float x[N_SIGNALS];

	q.names = true;
	for (uint32_t turn = 0; turn < 4; turn++) {
		struct candidate c = { .corpus = &corpus,
			.question = &q,
			.best = &best,
			.at = &scores[turn],
			.dense = &dense,
			.unsaid = 0.5f,
			.card = &card };
		signals_of(&c, x);
		for (size_t i = 0; i < N_SIGNALS; i++) {
			float want = signals[i].value(&c);
			n_other += x[i] < want || x[i] > want;
			seen[i] |= want > 0 || want < 0;
		}
	}
	for (size_t i = 0; i < N_SIGNALS; i++)
		n_zero += stages[i] == LISTS && !seen[i];
	ok(n_other == 0, "all are those of the table (%u are not)", n_other);
	ok(n_zero == 0, "and none was nothing throughout (%u were)", n_zero);
}

/* What every row must have; a signal of the last stage is 0 until what it needs is there. */
static void
test_rows(void)
{
	struct candidate c = { .corpus = &corpus,
		.question = &q,
		.best = &best,
		.at = &scores[1],
		.card = &card };

	for (size_t i = 0; i < N_SIGNALS; i++) {
		const struct signal_row *row = &signals[i];
		unsigned n_same = 0;
		for (size_t k = 0; k < N_SIGNALS; k++)
			n_same += strcmp(row->name, signals[k].name) == 0;
		ok(n_same == 1 && row->value != NULL && row->help[0] != '\0',
		    "%s: a name of its own, a function, a line of help", row->name);
		ok(row->needs == 0 || stages[i] == LAST, "%s: needs only in the last stage",
		    row->name);
		ok(stages[i] != LAST || row->value(&c) == 0, "%s: 0 before the last stage",
		    row->name);
	}
}

int
main(void)
{
	info[0] = pack(20, CORPUS_QUESTION, 0);
	info[1] = pack(5, CORPUS_NUMBER, 1);
	info[2] = pack(10, 0, 2);
	info[3] = pack(100, CORPUS_QUESTION | CORPUS_NUMBER, 0);
	bm25_best(&bm25, &best);
	test_lists();
	test_cards();
	test_text();
	test_vectors();
	test_around();
	test_dates();
	test_without_card();
	test_best();
	test_table();
	test_rows();
	return tap_done();
}
