/*
 * followup.c: makes a complete question of the two classifiers' answers.
 *
 * Words are chosen one by one and written as phrases: of all places where chosen words stand side
 * by side, the one with the highest sum of probabilities comes first. The first phrase replaces a
 * pronoun ("What are its symptoms?" becomes "What are lung cancer's symptoms?") or follows a
 * missing "of" ("What are the symptoms of lung cancer?"); the other phrases stand in brackets at
 * the end. In Chinese the first phrase replaces the pronoun or stands before the question.
 */
#include "followup/followup.h"

#include "base/buf.h"
#include "base/caps.h"
#include "base/utf8.h"
#include "followup/followup_parts.h"

#define CHOSEN    0.29f            /* a word of this probability or more is chosen */
#define NEIGHBOUR 0.18f            /* the same for a word beside a chosen one */
#define BEST      0.12f /* the same for the best word of all, when no word reaches CHOSEN */
#define PHRASES   4
/*
 * Factor on the probability of a day or month when a person or thing is meant: "Is he coming on
 * Tuesday?" "Did he call?"
 */
#define OF_A_DAY  0.3f
#define THINGS    (1u << AMBIGUITY_IT | 1u << AMBIGUITY_THEY | 1u << AMBIGUITY_PERSON)

struct phrase {
	const struct conversation_turn *turn;
	size_t from, to;           /* range of words in the turn */
	float p;                   /* sum of the words' probabilities */
};

struct maker {
	const struct conversation *t;
	const struct lack *l;
	float *p; /* by term: the probability of a chosen word that is in no phrase yet; else 0 */
	bool *taken;               /* by term: whether it is in a phrase */
	struct phrase phrases[PHRASES];
	size_t n;
};

/* ---- choosing words ---- */

static int
by_p(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	return (a->p < b->p) - (a->p > b->p);
}

static bool
beside_chosen(const struct maker *m, const struct candidate *c)
{
	const struct conversation_turn *turn = &m->t->turns[c->turn];

	for (size_t k = c->word > 0 ? c->word - 1u : 0; k < turn->n && k <= c->word + 1u; k++)
		if (k != c->word && turn->words[k].run == turn->words[c->word].run &&
		    m->p[turn->words[k].term] > 0)
			return true;
	return false;
}

/* Which item of a list the question asks for: 1, 2 ..., -1 for the last, 0 for none. */
static int
wanted_item(const struct conversation_turn *q)
{
	static const struct {
		const char *word;
		int item;
	} ordinals[] = { { "first", 1 }, { "second", 2 }, { "third", 3 }, { "fourth", 4 },
		{ "fifth", 5 }, { "last", -1 }, { "former", 1 }, { "latter", -1 }, { "第一", 1 },
		{ "第二", 2 }, { "第三", 3 }, { "第四", 4 }, { "第五", 5 }, { "最后", -1 } };

	for (size_t at = 0; at < q->len; at++)
		for (size_t i = 0; i < NELEM(ordinals); i++) {
			size_t n = strlen(ordinals[i].word), k = 0;
			bool latin = (unsigned char)ordinals[i].word[0] < 0x80;
			while (k < n && at + k < q->len &&
			    (latin ? q->text[at + k] | 0x20 : q->text[at + k]) ==
				ordinals[i].word[k])
				k++;
			if (k == n &&
			    (!latin ||
				((at == 0 || q->text[at - 1] == ' ') &&
				    (at + n == q->len || strchr(" ?.,", q->text[at + n]) != NULL))))
				return ordinals[i].item;
		}
	return 0;
}

/*
 * "What about the second one?" after an answer with a numbered list means the first words of that
 * item, and nothing else of the answer.
 */
static void
choose_item(const struct maker *m, struct candidate *c, size_t n)
{
	enum { ITEM_WORDS = 4 };
	const struct conversation *t = m->t;
	const struct conversation_turn *answer = t->n >= 2 ? &t->turns[t->n - 2] : NULL;
	int wanted = wanted_item(&t->turns[t->n - 1]), n_items = 0, item = 0;
	size_t from = 0, to = 0;

	if (wanted == 0 || answer == NULL || answer->role != CONVERSATION_OTHER)
		return;
	for (size_t i = 0; i < answer->n; i++)
		n_items += (answer->words[i].flags & CONVERSATION_ITEM) != 0;
	if (n_items < 2 || wanted > n_items)
		return;
	wanted = wanted < 0 ? n_items : wanted;
	for (size_t i = 0; i < answer->n; i++) {
		item += (answer->words[i].flags & CONVERSATION_ITEM) != 0;
		if (item == wanted && (answer->words[i].flags & CONVERSATION_ITEM))
			from = i + 1;
	}
	for (to = from; to < answer->n && to < from + ITEM_WORDS &&
	     !(to > from && answer->words[to].run != answer->words[to - 1].run);
	     to++)
		;
	for (size_t i = 0; i < n; i++) {
		bool inside = false, answered = false;
		for (size_t k = 0; k < answer->n; k++) {
			answered |= answer->words[k].term == c[i].term;
			inside |= k >= from && k < to && answer->words[k].term == c[i].term;
		}
		c[i].p = inside ? MAX(c[i].p, 0.9f) : answered ? 0 : c[i].p;
	}
}

static void
choose(struct maker *m, struct candidate *c, size_t n)
{
	size_t n_chosen = 0;

	choose_item(m, c, n);
	for (size_t i = 0; i < n && (m->l->kinds & THINGS); i++)
		if (m->t->turns[c[i].turn].words[c[i].word].flags & CONVERSATION_DAY)
			c[i].p *= OF_A_DAY;
	qsort(c, n, sizeof(*c), by_p);
	if (n > 0 && c[0].p >= BEST) {
		m->p[c[0].term] = c[0].p;
		n_chosen = 1;
	}
	for (size_t i = n_chosen; i < n && n_chosen < FOLLOWUP_WORDS && c[i].p >= CHOSEN;
	     i++, n_chosen++)
		m->p[c[i].term] = c[i].p;
	for (size_t i = n_chosen;
	     i < n && n_chosen < FOLLOWUP_WORDS && c[i].p >= NEIGHBOUR && !m->l->han; i++)
		if (m->p[c[i].term] == 0 && beside_chosen(m, &c[i])) {
			m->p[c[i].term] = c[i].p;
			n_chosen++;
		}
}

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
				*out = (struct phrase){ turn, from, k + 1, sum };
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

static void
make_phrases(struct maker *m)
{
	struct phrase *f = m->phrases;

	while (m->n < PHRASES && best_stretch(m, f) > 0) {
		bool rival = is_rival(m, f);

		for (size_t k = f->from; k < f->to; k++) {
			m->p[f->turn->words[k].term] = 0;
			m->taken[f->turn->words[k].term] = !rival;
		}
		f += !rival;
		m->n += !rival;
	}
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

static bool
is_one_of(const char *text, const struct ambiguity *a, const char *const *words)
{
	for (; *words != NULL; words++) {
		size_t n = strlen(*words), i = 0;
		while (i < n && a->start + i < a->end && (text[a->start + i] | 0x20) == (*words)[i])
			i++;
		if (i == n && a->end - a->start == n)
			return true;
	}
	return false;
}

/*
 * Finds the pronoun that a phrase can replace; NULL: none. *own: the phrase needs a possessive 's.
 */
static const struct ambiguity *
replaceable(const struct maker *m, const struct conversation_turn *q, bool *own)
{
	static const char *const owns[] = { "its", "their", "his", "theirs", "hers", NULL },
				 *const her[] = { "her", NULL };

	for (size_t i = 0; i < m->l->n; i++) {
		const struct ambiguity *a = &m->l->found[i];
		bool follows = false;              /* by a content word, after a blank */

		if (a->kind > AMBIGUITY_PERSON)
			continue;
		for (size_t k = 0; k < q->n; k++)
			follows |= q->words[k].start == a->end + 1 &&
			    !(q->words[k].flags & CONVERSATION_STOP);
		*own = is_one_of(q->text, a, owns) || (follows && is_one_of(q->text, a, her));
		return a;
	}
	return NULL;
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

static void
put_rest(struct buf *b, const struct maker *m, size_t from)
{
	if (from >= m->n)
		return;
	buf_adds(b, b->len > 0 ? " (" : "(");
	for (size_t i = from; i < m->n; i++) {
		if (i > from)
			buf_adds(b, ", ");
		put_phrase(b, &m->phrases[i]);
	}
	buf_addc(b, ')');
}

static void
write_question(struct buf *b, const struct maker *m)
{
	const struct conversation_turn *q = &m->t->turns[m->t->n - 1];
	size_t end = sentence_end(q->text, q->len), at = 0, used = 0;
	bool own = false;
	const struct ambiguity *a = replaceable(m, q, &own);

	if (a != NULL && a->end <= end) {
		buf_add(b, q->text, a->start);
		put_phrase(b, &m->phrases[0]);
		if (own)
			buf_adds(b, b->data[b->len - 1] == 's' ? "'" : "'s");
		at = a->end;
		used = 1;
	} else if (m->l->han) {
		put_phrase(b, &m->phrases[0]);
		used = 1;
	}
	buf_add(b, q->text + at, end - at);
	if (used == 0 && q->n > 0 && (q->words[q->n - 1].flags & CONVERSATION_RELATION) &&
	    m->l->n == 0) {
		buf_adds(b, " of ");
		put_phrase(b, &m->phrases[0]);
		used = 1;
	}
	put_rest(b, m, used);
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
	unsigned kinds = m->l->kinds & ((1u << AMBIGUITY_SAME) - 1), n = 0;

	for (; kinds != 0; kinds &= kinds - 1)
		n++;
	if (m->n == 0)
		return 0;
	return n <= 1 ? 1 : MIN(1, (double)m->n / n);
}

/* ---- entry points ---- */

void
followup_read(struct conversation *t, struct arena *a, const struct followup_said *said, size_t n,
	const struct followup_weights *w)
{
	size_t skip = 0, n_said = 0;
	struct lack l;

	for (size_t i = 0; i < n; i++)
		n_said += said[i].role != CONVERSATION_TITLE;
	skip = n_said > CONVERSATION_TURNS ? n_said - CONVERSATION_TURNS : 0;
	conversation_start(t, a);
	for (size_t i = 0; i < n; i++) {
		struct conversation_turn *turn;
		if (said[i].role != CONVERSATION_TITLE && skip > 0) {
			skip--;
			continue;
		}
		turn = conversation_add(t, said[i].role, said[i].text, said[i].len);
		if (turn != NULL && turn->role == CONVERSATION_USER)
			turn->need = need_score(t, t->n - 1, w, &l);
	}
}

static void
note_added(struct followup *f, const struct maker *m, const float *p)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct phrase *ph = &m->phrases[i];
		for (size_t k = ph->from; k < ph->to && f->n_added < FOLLOWUP_WORDS; k++) {
			const struct conversation_word *w = &ph->turn->words[k];
			f->added[f->n_added++] = (struct followup_word){ ph->turn->text + w->start,
				w->end - w->start, p[w->term] };
		}
	}
}

void
followup_resolve(struct arena *a, const struct followup_said *said, size_t n, const char *question,
	size_t len, double sure, struct followup *f)
{
	struct conversation t;
	struct lack l;
	struct maker m = { .t = &t, .l = &l };
	struct candidate *c;
	struct buf b;
	float *p;
	size_t n_candidates;

	*f = (struct followup){ .text = question,
		.len = len,
		.reason = "no_context",
		.confidence = 1 };
	if (n == 0)
		return;
	followup_read(&t, a, said, n, &followup_weights);
	if (t.n == 0 || conversation_add(&t, CONVERSATION_USER, question, len) == NULL)
		return;
	f->reason = "whole";
	f->need = need_score(&t, t.n - 1, &followup_weights, &l);
	if (f->need < FOLLOWUP_NEEDED)
		return;
	n_candidates = term_features(&t, &l, &c);
	term_scores(&l, &followup_weights, c, n_candidates);
	m.p = arena_zalloc(a, (t.n_terms + 1) * sizeof(*m.p));
	choose(&m, c, n_candidates);
	m.taken = arena_zalloc(a, t.n_terms + 1);
	p = arena_alloc(a, (t.n_terms + 1) * sizeof(*p));
	memcpy(p, m.p, t.n_terms * sizeof(*p));
	make_phrases(&m);
	f->reason = "unresolved";
	f->confidence = 0;
	if (m.n == 0)
		return;
	buf_init(&b, CAP_OUTPUT_BYTES);
	write_question(&b, &m);
	if (t.turns[t.n - 1].len < len)          /* the part of a long question that was not read */
		buf_add(&b, question + t.turns[t.n - 1].len, len - t.turns[t.n - 1].len);
	f->confidence = 0.7 * share_resolved(&m) +
	    0.3 * followup_length_score(utf8_count(question, len), utf8_count(b.data, b.len));
	f->changed = f->confidence >= sure - 1e-9;
	f->reason = f->changed ? "resolved" : "unsure";
	if (f->changed) {
		f->text = arena_strndup(a, b.data, b.len);
		f->len = b.len;
		note_added(f, &m, p);
	}
	buf_release(&b);
}
