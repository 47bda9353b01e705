/*
 * followup.c: makes a complete question of the words that are meant.
 *
 * Words are chosen one by one (choose.c) and written as phrases: of all places where chosen words
 * stand side by side, the one with the highest sum of probabilities comes first. A phrase replaces
 * what refers to it: a person "she", a thing "it", a place "there", an item "the second one" ("What
 * are its symptoms?" becomes "What are lung cancer's symptoms?"); or it follows a missing "of"
 * ("What are the symptoms of lung cancer?"). Other phrases stand in brackets at the end; in Chinese
 * the first one stands before the question.
 *
 * "And in Boston?" is the question before with another phrase in it (ellipsis.c).
 *
 * In a chat, where the user tells things and asks now and then, the questions before are completed
 * first, so that "the other one" is the one that the last question did not mean.
 */
#include "followup/followup.h"

#include "base/buf.h"
#include "base/caps.h"
#include "base/utf8.h"
#include "followup/followup_parts.h"

/* newest turns among which a question of a chat is completed before what comes after it is read */
#define COMPLETED 6
#define PHRASES   4
#define REST_WORDS 3               /* of a thing, behind "of" or "from" */
#define ASKED_AGAIN 0.8f           /* probability of the words of the question asked again */
struct phrase {
	const struct conversation_turn *turn;
	size_t from, to;           /* range of words in the turn */
	float p;                   /* sum of the words' probabilities */
	unsigned what;             /* CHOSEN_HUMAN ... */
	bool used;                 /* it has replaced a word of the question */
};

struct maker {
	const struct conversation *t;
	const struct lack *l;
	float *p; /* by term: the probability of a chosen word that is in no phrase yet; else 0 */
	bool *taken;               /* by term: whether it is in a phrase */
	uint8_t *what;             /* by term: CHOSEN_HUMAN ... */
	struct phrase phrases[PHRASES];
	size_t n;
};

/* ---- phrases ---- */

/*
 * Finds the run of chosen words with the highest sum of probabilities. Words that are in a phrase
 * already count 0. Returns the sum, or 0 when there is none.
 */
static float
best_stretch(const struct maker *m, struct phrase *out)
{
	float best = 0;

	for (size_t i = m->t->n - 1; i-- > 0; ) {
		const struct conversation_turn *turn = &m->t->turns[i];
		float sum = 0;
		size_t from = 0;
		for (size_t k = 0; k < turn->n; k++) {
			bool chosen = m->p[turn->words[k].term] > 0 &&
			    !(turn->words[k].flags & CONVERSATION_STOP);
			if (!chosen || (k > from && turn->words[k].run != turn->words[k - 1].run))
				sum = 0;
			if (!chosen)
				continue;
			if (sum == 0)
				from = k;
			sum += m->p[turn->words[k].term];
			if (sum > best + 1e-4f) {
				best = sum;
				*out = (struct phrase){ turn, from, k + 1, sum, 0, false };
			}
		}
	}
	return best;
}

/*
 * Whether the phrase stands beside a word that another phrase has: "throat" of "throat cancer",
 * once "lung cancer" is chosen.
 */
static bool
is_rival(const struct maker *m, const struct phrase *f)
{
	const struct conversation_word *w = f->turn->words;

	return (f->from > 0 && w[f->from - 1].run == w[f->from].run &&
		   m->taken[w[f->from - 1].term]) ||
	    (f->to < f->turn->n && w[f->to].run == w[f->from].run && m->taken[w[f->to].term]);
}

/*
 * Cuts verbs and the like off both ends: "Felix failed", "check impeller". A phrase of nothing else
 * stays.
 */
static void
cut_ends(struct phrase *f)
{
	const struct conversation_word *w = f->turn->words;
	size_t from = f->from, to = f->to;
	const classes weak = CLASS(VERB) | CLASS(LIGHT);
	/* verbs are known in English and German */
	bool person = (f->what & CHOSEN_HUMAN) && ((w[from].flags & CONVERSATION_CAPITAL) ||
		(w[from].classes & CLASSES_NAMES) || (f->turn->foreign && !f->turn->german));

	while (from < to && (w[from].classes & weak) && !(w[from].flags & CONVERSATION_CAPITAL))
		from++;
	while (to > from && !(w[to - 1].flags & (CONVERSATION_LATIN_CAPITAL | CONVERSATION_HAN)) &&
	    (person || (w[to - 1].classes & weak)))
		to--;
	if (from < to) {
		f->from = from;
		f->to = to;
	}
}

/*
 * Takes in what says more of a thing: "the cupboard under the stairs", "Lack von Brillux". Of a
 * person that is another thing.
 */
static void
add_rest(struct phrase *f)
{
	const struct conversation_turn *turn = f->turn;
	const struct conversation_word *w = turn->words;
	size_t k = f->to;

	if ((f->what & CHOSEN_HUMAN) || k >= turn->n || !conversation_is(turn, &w[k], LEX_LINK) ||
	    w[k].start != w[k - 1].end + 1)
		return;
	k++;
	while (k < turn->n && (w[k].classes & CLASS(DETERMINER)) && w[k].start == w[k - 1].end + 1)
		k++;
	if (k == turn->n || (w[k].flags & (CONVERSATION_STOP | CONVERSATION_NUMBER)) ||
	    (w[k].classes & CLASS(VERB)) ||
	    w[k].start != w[k - 1].end + 1)
		return;
	for (f->to = k + 1; f->to < turn->n && w[f->to].run == w[k].run &&
		!(w[f->to].flags & CONVERSATION_STOP) && f->to < k + REST_WORDS; f->to++)
		;
}

static void
make_phrases(struct maker *m)
{
	struct phrase *f = m->phrases;

	while (m->n < PHRASES && best_stretch(m, f) > 0) {
		bool rival = is_rival(m, f);

		for (size_t k = f->from; k < f->to; k++) {
			m->p[f->turn->words[k].term] = 0;
			m->taken[f->turn->words[k].term] = !rival;
			f->what |= m->what[f->turn->words[k].term];
		}
		cut_ends(f);
		if (!rival && m->l->chat)
			add_rest(f);
		f += !rival;
		m->n += !rival;
	}
}

/* Writes the article of a phrase that takes the place of a pronoun: "the rate limiter". */
static void
put_article(struct buf *b, const struct phrase *f)
{
	const struct conversation_word *w = &f->turn->words[f->from];

	if (f->from > 0 && !f->turn->foreign && conversation_is(f->turn, w - 1, LEX_AN_ARTICLE) &&
	    w[-1].end + 1 == w->start)
		buf_adds(b, "the ");
}

/*
 * Writes the phrase from its first byte to its last, as the words of an identifier are not in the
 * order of their places.
 */
static void
put_phrase(struct buf *b, const struct phrase *f)
{
	const struct conversation_word *w = f->turn->words;
	uint32_t start = w[f->from].start, end = w[f->from].end;

	for (size_t k = f->from + 1; k < f->to; k++) {
		start = MIN(start, w[k].start);
		end = MAX(end, w[k].end);
	}
	buf_add(b, f->turn->text + start, end - start);
}

/* ---- writing the question ---- */

/* The phrase that can stand for the reference; NULL: none. */
static struct phrase *
phrase_for(struct maker *m, const struct conversation_turn *q, const struct reference *r)
{
	const struct conversation_word *w = &q->words[r->word],
				       *after = r->word + 1 < q->n ? w + 1 : NULL;
	bool han = (w->flags & CONVERSATION_HAN) != 0,
	     bare = after == NULL || (after->flags & CONVERSATION_STOP);
	unsigned want = r->kind == LEX_PERSON		       ? CHOSEN_HUMAN
	    : r->kind == LEX_THERE			       ? CHOSEN_PLACE
	    : r->kind == LEX_ORDER || r->kind == LEX_OTHER ? CHOSEN_ITEM
							       : 0;

	/* "do it" is no thing */
	if (r->kind == LEX_IT && bare && r->word > 0 && conversation_is(q, w - 1, LEX_DO_IT))
		return NULL;
	/* "how far is it from there": not "it"; nouns of other languages would want an article */
	if ((r->kind > LEX_PERSON && want == 0 && !(han && bare && r->kind <= LEX_THAT)) ||
	    (r->kind == LEX_IT && after != NULL && (after->classes & CLASS(PLACE)) &&
		r->word + 2 < q->n) ||
	    (q->foreign && !(want & CHOSEN_HUMAN)))
		return NULL;
	if (r->kind == LEX_THERE && !han && (r->word == 0 || !(w[-1].classes & CLASS(PLACE))))
		return NULL;
	for (size_t i = 0; i < m->n; i++)
		if (!m->phrases[i].used &&
		    (want != 0 ? (m->phrases[i].what & want) != 0
			       : !(m->phrases[i].what & CHOSEN_HUMAN) || r->kind == LEX_THEY))
			return &m->phrases[i];
	return want == 0 && m->n == 1 && !m->phrases[0].used ? &m->phrases[0] : NULL;
}

/* Whether the pronoun says whose something is, so that a phrase in its place needs an 's. */
static bool
is_possessive(const struct conversation_turn *q, const struct reference *r)
{
	const struct conversation_word *w = &q->words[r->word];
	bool follows = r->word + 1 < q->n && w[1].start == w->end + 1 &&
	    !(w[1].flags & CONVERSATION_STOP);

	return conversation_is(q, w, LEX_OWNS) ||
	    (follows && conversation_is(q, w, LEX_OWNS_BEFORE));
}

/* The words that go with the reference, as "the" and "one" in "the second one". */
static void
widen(const struct conversation_turn *q, const struct reference *r, size_t *from, size_t *to)
{
	const classes around = CLASS(DETERMINER) | CLASS(ONE) | CLASS(OTHER) | CLASSES_ITEMS;

	*from = r->word;
	*to = r->word + 1;
	if (r->kind != LEX_ORDER && r->kind != LEX_OTHER)
		return;
	while (*from > 0 && (q->words[*from - 1].classes & around) &&
	    q->words[*from - 1].end + 1 == q->words[*from].start)
		--*from;
	while (*to < q->n &&
	    ((q->words[*to].classes & around) ||
		conversation_is(q, &q->words[*to], LEX_THING_WORD)) &&
	    q->words[*to - 1].end + 1 == q->words[*to].start)
		++*to;
}

/* Returns where the sentence ends: before its question mark, full stop and blanks. */
static size_t
sentence_end(const char *text, size_t len)
{
	while (len > 0 && strchr("?.! \t\r\n", text[len - 1]) != NULL)
		len--;
	while (len >= 3 &&
	    (memcmp(text + len - 3, "\xef\xbc\x9f", 3) == 0 ||
		memcmp(text + len - 3, "\xe3\x80\x82", 3) == 0))
		len -= 3;
	return len;
}

/* Puts the phrases that have replaced nothing in brackets. */
static void
put_rest(struct buf *b, const struct maker *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->phrases[i].used)
			continue;
		buf_adds(b, n++ > 0 ? ", " : b->len > 0 ? " (" : "(");
		put_phrase(b, &m->phrases[i]);
	}
	if (n > 0)
		buf_addc(b, ')');
}

static void
write_question(struct buf *b, struct maker *m)
{
	const struct conversation_turn *q = &m->t->turns[m->t->n - 1];
	size_t end = sentence_end(q->text, q->len), at = 0, from, to, n_used = 0;

	for (size_t i = 0; i < m->l->n; i++) {
		struct phrase *f = phrase_for(m, q, &m->l->found[i]);

		widen(q, &m->l->found[i], &from, &to);
		if (f == NULL || q->words[to - 1].end > end || q->words[from].start < at)
			continue;
		buf_add(b, q->text + at, q->words[from].start - at);
		put_article(b, f);
		put_phrase(b, f);
		if (is_possessive(q, &m->l->found[i]))
			buf_adds(b, b->data[b->len - 1] == 's' ? "'" : "'s");
		at = q->words[to - 1].end;
		f->used = true;
		n_used++;
	}
	if (n_used == 0 && m->l->han) {
		put_phrase(b, &m->phrases[0]);
		m->phrases[0].used = true;
	}
	buf_add(b, q->text + at, end - at);
	if (n_used == 0 && m->l->n == 0 && !m->l->han && q->n > 0 &&
	    (q->words[q->n - 1].classes & CLASS(RELATION))) {
		buf_adds(b, " of ");
		put_phrase(b, &m->phrases[0]);
		m->phrases[0].used = true;
	}
	put_rest(b, m);
	buf_add(b, q->text + end, q->len - end);
}

/* ---- confidence ---- */

double
followup_length_score(size_t before, size_t after)
{
	double ratio = before > 0 ? (double)after / (double)before : 6;

	if (ratio < 1)
		return MAX(0, (ratio - 0.5) / 0.5);
	return ratio <= 3 ? 1 : MAX(0, (6 - ratio) / 3);
}

/*
 * The share of the question's kinds of ambiguous words for which there is a phrase; 1 when it has
 * at most one kind, 0 when there is no phrase.
 */
static double
share_resolved(const struct maker *m)
{
	const classes one = CLASS(IT) | CLASS(PERSON) | CLASS(THIS) | CLASS(THAT) | CLASS(ONE);
	classes kinds = m->l->kinds & (CLASS(SAME) - 1);
	unsigned n = 0;

	/* "the last one, who reads it?" */
	if (m->l->kinds & (CLASS(ORDER) | CLASS(OTHER)))
		kinds &= ~one;
	else if (kinds & CLASS(PERSON))        /* "the one from the hospital, does she" */
		kinds &= ~CLASS(ONE);

	for (; kinds != 0; kinds &= kinds - 1)
		n++;
	if (m->n == 0)
		return 0;
	return n <= 1 ? 1 : MIN(1, (double)m->n / n);
}

/* ---- entry points ---- */

static void
note_added(struct followup *f, const struct maker *m, const float *p)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct phrase *ph = &m->phrases[i];
		for (size_t k = ph->from; k < ph->to && f->n_added < FOLLOWUP_WORDS; k++) {
			const struct conversation_word *w = &ph->turn->words[k];
			if (w->flags & CONVERSATION_STOP)
				continue;
			f->added[f->n_added++] = (struct followup_word){ ph->turn->text + w->start,
				w->end - w->start, p[w->term] };
		}
	}
}

/* Makes b the completed question when the confidence is enough. */
static void
settle(struct conversation *t, struct followup *f, const struct buf *b, double confidence,
	double sure)
{
	f->confidence = confidence;
	f->changed = confidence >= sure - 1e-9;
	f->reason = f->changed ? "resolved" : "unsure";
	if (!f->changed)
		return;
	f->text = arena_strndup(t->arena, b->data, b->len);
	f->len = b->len;
}

/* Writes the turn before with the new phrase in it; its other words were added. */
static void
ask_again(struct conversation *t, const struct ellipsis *e, double sure, struct followup *f)
{
	const struct conversation_turn *q = &t->turns[t->n - 1], *turn = &t->turns[e->turn];
	size_t end = sentence_end(turn->text, turn->len),
	       cut = e->from < turn->n ? turn->words[e->from].start : end,
	       on = e->to > e->from ? turn->words[e->to - 1].end : end,
	       start = q->words[e->new_from].start, stop = q->words[e->new_to - 1].end;
	LOCAL(buf) b = buf_of(CAP_OUTPUT_BYTES);

	buf_add(&b, turn->text, cut);
	if (cut == end)
		buf_addc(&b, ' ');
	buf_add(&b, q->text + start, stop - start);
	buf_add(&b, turn->text + MIN(on, end), turn->len - MIN(on, end));
	settle(t, f, &b, 0.7 + 0.3 * followup_length_score(utf8_count(q->text, q->len),
		utf8_count(b.data, b.len)), sure);
	for (size_t k = 0; f->changed && k < turn->n && f->n_added < FOLLOWUP_WORDS; k++) {
		const struct conversation_word *w = &turn->words[k];

		/* words may cross, so one beside the old phrase may have a part of it */
		if (!(w->flags & CONVERSATION_STOP) && (w->end <= cut || w->start >= MIN(on, end)))
			f->added[f->n_added++] = (struct followup_word){ turn->text + w->start,
				w->end - w->start, ASKED_AGAIN };
	}
}

/* Completes the last turn of the conversation, the question. */
static void
complete(struct conversation *t, struct lack *l, const char *question, size_t len, double sure,
	struct followup *f)
{
	struct maker m = { .t = t, .l = l };
	struct candidate *c;
	float *p;
	struct ellipsis e;

	if (ellipsis_find(t, l, &e)) {
		ask_again(t, &e, sure, f);
		return;
	}
	size_t n_candidates = antecedents_find(t, l, &c);

	m.p = arena_zalloc(t->arena, (t->n_terms + 1) * sizeof(*m.p));
	m.what = arena_zalloc(t->arena, t->n_terms + 1);
	antecedents_choose(t, l, c, n_candidates, m.p, m.what);
	m.taken = arena_zalloc(t->arena, t->n_terms + 1);
	p = arena_alloc(t->arena, (t->n_terms + 1) * sizeof(*p));
	memcpy(p, m.p, t->n_terms * sizeof(*p));
	make_phrases(&m);
	f->reason = "unresolved";
	f->confidence = 0;
	if (m.n == 0)
		return;
	LOCAL(buf) b = buf_of(CAP_OUTPUT_BYTES);
	write_question(&b, &m);
	if (t->turns[t->n - 1].len < len)        /* the part of a long question that was not read */
		buf_add(&b, question + t->turns[t->n - 1].len, len - t->turns[t->n - 1].len);
	settle(t, f, &b, 0.7 * share_resolved(&m) +
		0.3 * followup_length_score(utf8_count(question, len), utf8_count(b.data, b.len)),
	    sure);
	if (f->changed)
		note_added(f, &m, p);
}

void
followup_read(struct conversation *t, struct arena *a, const struct followup_said *said, size_t n)
{
	size_t skip = 0, n_said = 0;
	struct ellipsis e;
	struct lack l;

	for (size_t i = 0; i < n; i++)
		n_said += said[i].role != CONVERSATION_TITLE;
	skip = n_said > CONVERSATION_TURNS ? n_said - CONVERSATION_TURNS : 0;
	conversation_start(t, a);
	for (size_t i = 0; i < n; i++) {
		struct conversation_turn *turn;
		struct followup f = { .changed = false };

		if (said[i].role != CONVERSATION_TITLE && skip > 0) {
			skip--;
			continue;
		}
		turn = conversation_add(t, said[i].role, said[i].text, said[i].len);
		if (turn == NULL || turn->role != CONVERSATION_USER)
			continue;
		turn->need = need_score(t, t->n - 1, &l);
		if (turn->need < FOLLOWUP_NEEDED || i + COMPLETED < n ||
		    (!l.chat && !ellipsis_find(t, &l, &e)))
			continue;
		complete(t, &l, said[i].text, said[i].len, 0, &f);
		if (!f.changed)
			continue;
		t->n--;
		conversation_add(t, CONVERSATION_USER, f.text, f.len)->need = turn->need;
	}
}

void
followup_resolve(struct arena *a, const struct followup_said *said, size_t n, const char *question,
	size_t len, double sure, bool forced, struct followup *f)
{
	struct conversation t;
	struct lack l;

	*f = (struct followup){ .text = question,
		.len = len,
		.reason = "no_context",
		.confidence = 1 };
	if (n == 0)
		return;
	followup_read(&t, a, said, n);
	if (t.n == 0 || conversation_add(&t, CONVERSATION_USER, question, len) == NULL)
		return;
	f->reason = "whole";
	f->need = need_score(&t, t.n - 1, &l);
	f->bare = l.bare;
	if (forced)
		f->need = MAX(f->need, FOLLOWUP_NEEDED);
	if (f->need >= FOLLOWUP_NEEDED)
		complete(&t, &l, question, len, sure, f);
}
