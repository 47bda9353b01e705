/*
 * antecedents.c: finds the words of the conversation that belong into a question that leaves
 * something out. Each content word that the question lacks is a candidate; a logistic regression on
 * where and how often it was said, its form, and what the question lacks gives its probability.
 *
 * What tells a person from another name is only what the text gives: a title, a word such as
 * "landlord" before it, that it begins a sentence, a possessive; no article or "in" before it.
 * Its gender is that of the title, or of the pronoun that comes next.
 */
#include "base/span.h"
#include "followup/followup_parts.h"
#include "math/real.h"

#define LONG_ANSWER 25             /* content words */

/* What is known of each term of the conversation; arrays by the number of the term. */
struct known {
	const struct conversation *t;
	const struct conversation_turn *q;
	uint32_t *seen;            /* its candidate + 1; 0: it is none */
	uint32_t *turns, *asked, *answered;    /* turns with it; those of either side */
	uint32_t *newest;          /* the last turn that was counted, + 1 */
	uint32_t most_named;
	float *named, *human, *gender;         /* gender: of a man above 0 */
	/* turns; -1: there is none. topic: the last question that was complete */
	int last, before, first, topic, answer, first_answer;
	float n_questions, n_answers;
	float asks_gender;         /* what the question's pronoun says */
};

static void
find_parts(struct known *k)
{
	size_t n = k->t->n - 1;

	k->last = k->before = k->first = k->topic = k->answer = k->first_answer = -1;
	for (size_t i = 0; i < n; i++) {
		k->n_answers += k->t->turns[i].role == CONVERSATION_OTHER;
		if (k->t->turns[i].role == CONVERSATION_OTHER && k->first_answer < 0)
			k->first_answer = (int)i;
		if (k->t->turns[i].role != CONVERSATION_USER)
			continue;
		k->n_questions++;
		k->before = k->last;
		k->last = (int)i;
		if (k->first < 0)
			k->first = (int)i;
		if (k->t->turns[i].need < FOLLOWUP_NEEDED)
			k->topic = (int)i;
	}
	if (n > 0 && k->t->turns[n - 1].role == CONVERSATION_OTHER)
		k->answer = (int)n - 1;
}

static bool
in_question(const struct conversation_turn *q, uint32_t term)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->words[i].term == term)
			return true;
	return false;
}

/* ---- names ---- */

/* The words from `from` to `to` stand side by side with word i. */
static void
run_of(const struct conversation_turn *turn, size_t i, size_t *from, size_t *to)
{
	for (*from = i; *from > 0 && turn->words[*from - 1].run == turn->words[i].run &&
	     word_is_content(&turn->words[*from - 1]);
	     --*from)
		;
	for (*to = i + 1; *to < turn->n && turn->words[*to].run == turn->words[i].run &&
	     word_is_content(&turn->words[*to]);
	     ++*to)
		;
}

static bool
ends_with(const char *text, size_t len, const char *end)
{
	return len > strlen(end) + 1 && span_ends(text, len, end);
}

static bool
is_name(const struct conversation_turn *turn, const struct conversation_word *w)
{
	if (w->flags & CONVERSATION_HAN)
		return (w->classes & CLASS(SURNAME)) && w->end - w->start >= 6;
	if (!(w->flags & CONVERSATION_LATIN_CAPITAL) || !word_is_content(w) ||
	    (w->classes & (CLASS(KIN) | CLASS(A_DAY) | CLASS(TITLE))))
		return false;
	/* "Report it", "Feed the cat" */
	if ((w->flags & CONVERSATION_FIRST) && w + 1 < turn->words + turn->n && !turn->foreign &&
	    (w[1].classes &
		(CLASS(DETERMINER) | CLASS(IT) | CLASS(THEY) | CLASS(PERSON) | CLASS(PLACE))))
		return false;
	return (w->flags & CONVERSATION_CAPITAL) ||
	    (!(w->classes & (CLASS(LIGHT) | CLASS(VERB) | CLASS(RELATION))) &&
		!ends_with(turn->text + w->start, w->end - w->start, "ing"));
}

/* Whether the run of word i ends in a word such as "street" or "hotel". */
static bool
names_a_place(const struct conversation_turn *turn, size_t i)
{
	size_t from, to;

	run_of(turn, i, &from, &to);
	return (turn->words[to - 1].classes & CLASS(PLACE_END)) != 0;
}

/* How much the place of word i speaks for a person. */
static float
human_at(const struct conversation_turn *turn, size_t i)
{
	const struct conversation_word *w = &turn->words[i], *before = i > 0 ? w - 1 : NULL,
				       *after = i + 1 < turn->n ? w + 1 : NULL;
	float sum = 0;

	if (w->flags & CONVERSATION_HAN)
		return (w->classes & CLASS(NAME_END)) ? 2
		    : (w->classes & (CLASS(MAN) | CLASS(WOMAN))) ? 1.5f
		    : is_name(turn, w)			     ? 1
							     : 0;
	if (names_a_place(turn, i))            /* "King William Island" */
		return 0;
	if (w->classes & (CLASS(KIN) | CLASS(TITLE)))
		return 1;
	if (!is_name(turn, w))
		return 0;
	if (w->classes & CLASSES_NAMES)
		return 2;
	sum += (w->flags & CONVERSATION_FIRST) != 0;
	sum += w->end + 1 < turn->len && turn->text[w->end] != ' ' &&
	    turn->text[w->end] != '.' && after != NULL && after->start == w->end + 3;
	if (w->flags & CONVERSATION_CODE)
		sum -= 2;
	/* in German other things have an article */
	if (turn->german && before != NULL && !word_is_content(before) &&
	    (w->flags & CONVERSATION_CAPITAL) &&
	    !(before->classes & (CLASS(PLACE) | CLASS(DETERMINER))))
		sum += 0.5f;
	if (before != NULL && before->run == w->run && word_is_content(before))
		sum += (before->classes & (CLASS(TITLE) | CLASS(KIN))) ? 2 : 0;
	else if (before != NULL && !(w->flags & CONVERSATION_FIRST))
		sum -= (before->classes & (CLASS(PLACE) | CLASS(DETERMINER))) ? 1 : 0;
	if (after != NULL && (after->flags & CONVERSATION_NUMBER) && after->start == w->end + 1)
		sum -= 1;
	return sum;
}

static float
gender_of(classes c)
{
	return (float)((c & (CLASS(MAN) | CLASS(NAME_MAN))) != 0) -
	    (float)((c & (CLASS(WOMAN) | CLASS(NAME_WOMAN))) != 0);
}

/* Learns who is a person, and of which gender, from all turns before the question. */
static void
look_for_persons(struct known *k)
{
	const struct conversation_word *who = NULL;        /* the last person */

	for (size_t i = 0; i + 1 < k->t->n; i++) {
		const struct conversation_turn *turn = &k->t->turns[i];

		for (size_t j = 0; j < turn->n; j++) {
			const struct conversation_word *w = &turn->words[j];
			float human = human_at(turn, j), gender = gender_of(w->classes);
			bool pronoun = (w->classes & CLASS(PERSON)) && !word_is_content(w);
			/* "Ann drives her": of another gender than Ann, perhaps */
			bool subject = pronoun && (w->classes & CLASS(SUBJECT));

			k->human[w->term] += human;
			/* the first name of a run tells of the others */
			if (human <= 0 && is_name(turn, w) && !names_a_place(turn, j) && j > 0 &&
			    w[-1].run == w->run && word_is_content(&w[-1]) &&
			    k->human[w[-1].term] > 0)
				k->human[w->term] += 1;
			if (is_name(turn, w))
				k->named[w->term]++;
			/* a title's or a pronoun's gender is that of the name beside it */
			if (subject && who != NULL && k->gender[who->term] == 0)
				k->gender[who->term] = gender;
			else if (!pronoun && gender != 0 && word_is_content(w)) {
				k->gender[w->term] = gender;
				if (j + 1 < turn->n && w[1].run == w->run)
					k->gender[w[1].term] = gender;
			}
			if (human > 0 || (is_name(turn, w) && k->human[w->term] > 0))
				who = w;
		}
	}
	for (size_t i = 0; i < k->t->n_terms; i++)
		k->most_named = MAX(k->most_named, (uint32_t)k->named[i]);
}

/* ---- features ---- */

/* Sets the features of a sentence that has word i of the turn. */
static void
look_at_sentence(const struct known *k, const struct conversation_turn *turn, size_t i, float *x)
{
	size_t from = i, to = i + 1;

	while (from > 0 && !(turn->words[from].flags & CONVERSATION_FIRST))
		from--;
	while (to < turn->n && !(turn->words[to].flags & CONVERSATION_FIRST))
		to++;
	for (size_t j = from; j < to && x[TERM_NEAR] == 0; j++)
		if (word_is_content(&turn->words[j]) && !(turn->words[j].classes & CLASS(LIGHT)) &&
		    in_question(k->q, turn->words[j].term))
			x[TERM_NEAR] = 1;
	if (i == from)
		x[TERM_START] = 1;
	if (turn == k->q - 1 && to == turn->n)
		x[TERM_CLOSES] = 1;
	if (turn == k->q - 1 && from == 0 && turn->n_content >= LONG_ANSWER)
		x[TERM_LONG_OPENS] = 1;
}

/* Sets the features of word i of an earlier question, in the run from `from` to `to`. */
static void
look_at_asked(const struct conversation_turn *at, size_t i, size_t from, size_t to, float *x)
{
	if (to == i + 1)
		x[TERM_HEAD] = 1;
	x[TERM_END] = i + 1 == at->n;
	x[TERM_ASKED_RIVALS] = real_logf(1 + (float)at->n_content);
	if (from == 0)
		return;
	x[TERM_AFTER_OF] = conversation_is(at, &at->words[from - 1], LEX_ABOUT_NOUN);
	x[TERM_AFTER_BE] = conversation_is(at, &at->words[from - 1], LEX_BE_OR_DO);
}

/* Sets the features of one place where the word was said. */
static void
look_at_place(const struct known *k, size_t turn, size_t word, float x[N_TERM_FEATURES])
{
	const struct conversation_turn *at = &k->t->turns[turn];
	const struct conversation_word *w = &at->words[word];
	size_t from, to;
	int i = (int)turn;

	run_of(at, word, &from, &to);
	for (size_t j = from; j < to; j++)
		if (j != word && in_question(k->q, at->words[j].term))
			x[TERM_BESIDE] = 1;
	look_at_sentence(k, at, word, x);
	if (is_name(at, w))
		x[TERM_NAME] = 1;
	x[TERM_ALONE] = to - from == 1;
	x[TERM_RUN3] = to - from >= 3;
	x[TERM_RUN_END] = word + 1 == to;
	if (from > 0 && at->words[from - 1].end + 3 > at->words[from].start) {
		if (at->words[from - 1].classes & CLASS(DETERMINER)) {
			x[TERM_AFTER_ARTICLE] = 1;
			if (word + 1 == to)
				x[TERM_STANDING] = 1;
		}
		if (at->words[from - 1].classes & CLASS(PLACE))
			x[TERM_AFTER_PLACE] = 1;
		else if (from > 1 && (at->words[from - 2].classes & CLASS(PLACE)) &&
		    (at->words[from - 1].classes & CLASS(DETERMINER)))
			x[TERM_AFTER_PLACE] = 1;
	}
	if ((w->classes & CLASS(PLACE_END)) && (w->flags & CONVERSATION_HAN || to - from > 1))
		x[TERM_AFTER_PLACE] = 1;
	x[TERM_RIVALS] = real_logf(1 + (float)at->n_content);
	if (w->flags & CONVERSATION_CAPITAL)
		x[TERM_CAPITAL] = 1;
	if (i == k->answer && w->flags & CONVERSATION_CAPITAL)
		x[TERM_ANSWER_CAPITAL] = 1;
	if (i == k->first_answer)
		x[TERM_FIRST_ANSWER] = 1;
	if (at->role == CONVERSATION_USER)
		look_at_asked(at, word, from, to, x);
	if (i == k->answer) {
		x[TERM_ANSWER] = 1;
		x[TERM_LONG] = at->n_content >= LONG_ANSWER;
		x[TERM_ANSWER_SHORT] = at->n <= 8;
		if (word < 8)
			x[TERM_ANSWER_EARLY] = 1;
	}
	if (at->role == CONVERSATION_TITLE)
		x[i == 0 ? TERM_TITLE : TERM_SECTION] = 1;
	if (i == k->last)
		x[TERM_LAST] = 1;
	if (i == k->before)
		x[TERM_BEFORE] = 1;
	if (i == k->first)
		x[TERM_FIRST] = 1;
	if (i == k->topic)
		x[TERM_TOPIC] = 1;
}

/* Sets the features of the word's own form. */
static void
look_at_form(const struct conversation_turn *turn, const struct conversation_word *w,
	float x[N_TERM_FEATURES])
{
	const char *text = turn->text + w->start;
	size_t len = w->end - w->start;

	x[TERM_BIAS] = 1;
	x[TERM_LIGHT] = (w->classes & CLASS(LIGHT)) != 0;
	x[TERM_VERB] = (w->classes & CLASS(VERB)) != 0;
	x[TERM_RELATION] = (w->classes & CLASS(RELATION)) != 0;
	x[TERM_DAY] = (w->classes & CLASS(A_DAY)) != 0;
	x[TERM_NUMBER] = (w->flags & CONVERSATION_NUMBER) != 0;
	x[TERM_HAN] = (w->flags & CONVERSATION_HAN) != 0;
	x[TERM_CODE] = (w->flags & CONVERSATION_CODE) != 0;
	if (w->flags & CONVERSATION_HAN) {
		x[TERM_HAN_SHORT] = len <= 3;
		x[TERM_HAN_LONG] = len >= 12;
		return;
	}
	if (turn->german) {
		x[TERM_NOUN] = (w->flags & CONVERSATION_LATIN_CAPITAL) != 0;
		return;
	}
	if (turn->foreign)
		return;
	x[TERM_ING] = ends_with(text, len, "ing");
	x[TERM_PLURAL] = ends_with(text, len, "s") && !ends_with(text, len, "ss");
	x[TERM_ADVERB] = ends_with(text, len, "ly");
	x[TERM_SHORT] = len <= 3;
	x[TERM_PAST] = ends_with(text, len, "ed") && !(w->flags & CONVERSATION_LATIN_CAPITAL);
}

/*
 * What the question leaves out that the word could be, in this order: a person; several things; one
 * thing; a place or one of several things; nearly everything; something else.
 */
static unsigned
lack_of(const struct conversation_turn *q, const struct lack *l, bool human)
{
	static const classes kinds[] = { CLASS(PERSON), CLASS(THEY),
		CLASS(IT) | CLASS(THIS) | CLASS(THAT),
		CLASS(ONE) | CLASS(THERE) | CLASS(SAME) | CLASS(OTHER) | CLASS(BOTH) |
		    CLASS(ORDER) };

	for (unsigned i = human ? 0 : 1; i < NELEM(kinds); i++)
		if (l->kinds & kinds[i])
			return i;
	return q->n_content <= 1 ? 4 : 5;
}

/* Sets the features that are of a term as a whole, or pairs of features. */
static void
finish(const struct known *k, const struct lack *l, const struct candidate *c, float *x)
{
	static const uint8_t placed[TERM_PLACES] = { TERM_TOPIC, TERM_LAST, TERM_ANSWER, TERM_FIRST,
		TERM_TITLE, TERM_CAPITAL };
	float human = MIN(k->human[c->term], 2), gender = k->gender[c->term] * k->asks_gender;
	unsigned lack = lack_of(k->q, l, human > 0);

	x[TERM_CHAT] = l->chat;
	x[TERM_ASKED_OFTEN] =
	    k->n_questions > 0 ? (float)k->asked[c->term] / k->n_questions : 0;
	x[TERM_ANSWERED_OFTEN] =
	    k->n_answers > 0 ? (float)k->answered[c->term] / k->n_answers : 0;
	x[TERM_OLDER_ANSWER] = k->answered[c->term] > 0 && k->asked[c->term] == 0 &&
	    x[TERM_ANSWER] == 0 && x[TERM_TITLE] == 0;
	x[TERM_NAMED_OFTEN] = k->most_named > 0 ? k->named[c->term] / (float)k->most_named : 0;
	x[TERM_TURNS] = (float)MIN(k->turns[c->term], 4) - 1;
	for (size_t i = 0; i < TERM_PLACES; i++)
		x[TERM_PLACED + lack * TERM_PLACES + i] = x[placed[i]];
	x[TERM_PLURAL_THEY] = lack == 1 && x[TERM_PLURAL] > 0;
	x[TERM_SINGULAR_IT] = lack == 2 && x[TERM_PLURAL] == 0;
	x[TERM_PLACE_THERE] = (l->kinds & CLASS(THERE)) ? x[TERM_AFTER_PLACE] : 0;
	x[lack == 0 ? TERM_HUMAN : TERM_HUMAN_ELSE] = human;
	x[TERM_GENDER] = gender > 0;
	x[TERM_NAMED_TWICE] =
	    k->named[c->term] > 0 && k->asked[c->term] > 0 && k->answered[c->term] > 0;
	x[TERM_NAMED_NONE] = lack > 3 ? x[TERM_NAMED_OFTEN] : 0;
	x[TERM_REPEATED] = x[TERM_FIRST] > 0 && k->turns[c->term] > 1;
	x[TERM_NO_GENDER] = gender < 0;
}

static void
start(struct known *k, const struct conversation *t, const struct lack *l)
{
	size_t n = t->n_terms + 1;
	uint32_t *counts = arena_zalloc(t->arena, 5 * n * sizeof(*counts));
	float *sums = arena_zalloc(t->arena, 3 * n * sizeof(*sums));

	*k = (struct known){ .t = t,
		.q = &t->turns[t->n - 1],
		.seen = counts,
		.turns = counts + n,
		.asked = counts + 2 * n,
		.answered = counts + 3 * n,
		.newest = counts + 4 * n,
		.named = sums,
		.human = sums + n,
		.gender = sums + 2 * n };
	find_parts(k);
	look_for_persons(k);
	for (size_t i = 0; i < l->n; i++)
		if (l->found[i].kind == LEX_PERSON)
			k->asks_gender = gender_of(k->q->words[l->found[i].word].classes);
}

size_t
antecedents_find(const struct conversation *t, const struct lack *l, struct candidate **out)
{
	struct candidate *list = arena_alloc(t->arena, (t->n_terms + 1) * sizeof(*list));
	struct known k;
	size_t n = 0;

	start(&k, t, l);
	for (size_t i = t->n - 1; i-- > 0; ) {
		const struct conversation_turn *turn = &t->turns[i];
		for (size_t j = 0; j < turn->n; j++) {
			uint32_t term = turn->words[j].term;

			if (!word_is_content(&turn->words[j]) || in_question(k.q, term))
				continue;
			if (k.seen[term] == 0) {
				list[n] = (struct candidate){ .term = term,
					.turn = (uint16_t)i,
					.word = (uint16_t)j };
				look_at_form(turn, &turn->words[j], list[n].x);
				list[n].x[TERM_STALE] =
				    turn->role != CONVERSATION_TITLE && (int)i < k.topic;
				list[n].x[TERM_AGE] = real_logf((float)(t->n - 1 - i));
				k.seen[term] = (uint32_t)++n;
			}
			look_at_place(&k, i, j, list[k.seen[term] - 1].x);
			if (k.newest[term] != i + 1) {
				k.newest[term] = (uint32_t)i + 1;
				k.turns[term]++;
				k.asked[term] += turn->role == CONVERSATION_USER;
				k.answered[term] += turn->role == CONVERSATION_OTHER;
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		float sum = 0;

		finish(&k, l, &list[i], list[i].x);
		for (size_t f = 0; f < N_TERM_FEATURES; f++)
			sum += followup_weights.term[l->kind][f] * list[i].x[f];
		list[i].p = 1 / (1 + real_expf(-sum));
	}
	*out = list;
	return n;
}
