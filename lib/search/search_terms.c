/*
 * search_terms.c: reads the posting lists of a question's terms and scores them. A word that the
 * store does not know may be misspelt or cut short: the words of its vocabulary that are most
 * similar are searched instead, with less weight.
 *
 * The unknown word still counts as a term that no turn has, because a hit found by a guess is less
 * likely to be the answer. (Questions of LoCoMo asked of another conversation, by words alone, AUC
 * of p: .784; with guesses in the word's place .759, without guesses .772.) Where no word of the
 * question is known, somebody has typed a word or two to find something they know is there: then
 * only as much counts as unknown as the word differs from the best guess.
 *
 * A word that is written in several ways (variants.h) is one term with the lists of all forms.
 * nDCG@10 by words alone: cosqa .371 to .392, the mean of six other sets of code .412 to .425,
 * LoCoMo .666 to .675, its five other conversations .636 to .647 (775 questions).
 *
 * First the part of the vocabulary with the same first letter is compared. When nothing in it is
 * very similar, a small store compares the whole vocabulary; a large one only the terms that begin
 * with the word's second letter, which finds a first letter that is superfluous or exchanged with
 * the second. A question whose words are all known costs nothing. Measured at 100,000 chat lines,
 * 69,000 terms in 9 segments, processor time of one core: 2 ms for a letter, 4 to 7 ms for all.
 * With as many messages of 540 bytes a search that compares all reads 1,180 pages more than one
 * that compares two letters, and takes 5 ms more (p50, of 16).
 */
#include "search/search_run.h"

#include "text/language.h"
#include "text/spelling.h"

/* turns; a store with more does not compare its whole vocabulary */
#define ALL_TURNS    30000u
#define WORDS_MOST   8                     /* unknown words for which similar ones are sought */
#define GUESS_WEIGHT 0.9f                  /* weight of a guess relative to the word itself */
#define SPEAKERS_MOST 1000                 /* speakers that a misspelt name is compared with */
#define NAME_LIKENESS 0.7f                 /* the least likeness of a name misspelt */
#define GUESSES      3                     /* guesses for each word */
/* a guess is dropped when its worth is below the best one's by more than this */
#define WORTH_GAP    0.04f
/* a turn that has only another form of the word gets this share of the word's score */
#define FORM_SHARE   0.6f
/* the same of an inflected form (inflections.c); .8 is .01 nDCG@10 worse in the languages tried */
#define INFLECTION_SHARE 1.0f

/* The parameters that BM25 has in most other programs, for comparison. */
static const struct bm25_shape plain_shapes[N_SESSION_KINDS] = {
	{ 1.2f, 0.75f, 0.75f, 0.75f, 0.75f }, { 1.2f, 0.75f, 0.75f, 0.75f, 0.75f }, { 1.2f, 0.75f, 0.75f, 0.75f, 0.75f } };

/* ---- words that the store does not know ---- */

struct unknown {
	struct spelling words[WORDS_MOST];
	uint16_t terms[WORDS_MOST];
	bool compared[WORDS_MOST];            /* words that the terms at hand are compared with */
	char first;                        /* only terms that start with this; 0: all */
	size_t n;
};

static void
on_term(void *arg, const char *term, size_t len, uint32_t df)
{
	struct unknown *u = arg;

	if (u->first != 0 && term[0] != u->first)
		return;
	for (size_t i = 0; i < u->n; i++)
		if (u->compared[i])
			spelling_try(&u->words[i], term, len, df);
}

static bool
has_good_guess(const struct spelling *s)
{
	for (size_t i = 0; i < s->n_found; i++)
		if (s->found[i].likeness >= SPELLING_GOOD)
			return true;
	return false;
}

/*
 * Compares the wanted words with all terms that start with their character number `at`; each
 * letter's terms are read only once.
 */
static int
compare_letter(struct unknown *u, struct index *x, size_t at, const bool *wanted, struct err *err)
{
	bool done[WORDS_MOST];
	char firsts[WORDS_MOST];
	struct index_word prefixes[WORDS_MOST];
	struct index_wants wants = { .prefixes = prefixes };

	for (size_t i = 0; i < u->n; i++) {
		done[i] = !wanted[i] || u->words[i].points[at] >= 0x80;
		if (done[i])
			continue;
		firsts[i] = (char)u->words[i].points[at];
		prefixes[wants.n_prefixes++] = (struct index_word){ &firsts[i], 1 };
	}
	if (index_want(x, &wants, err) < 0)
		return -1;
	for (size_t i = 0; i < u->n; i++) {
		if (done[i])
			continue;
		for (size_t k = 0; k < u->n; k++)
			u->compared[k] =
			    wanted[k] && u->words[k].points[at] == u->words[i].points[at];
		u->first = (char)u->words[i].points[at];
		if (index_terms(x, &u->first, 1, on_term, u, err) < 0)
			return -1;
		for (size_t k = 0; k < u->n; k++)
			done[k] |= u->compared[k];
	}
	return 0;
}

static int
find_similar(struct unknown *u, struct index *x, struct err *err)
{
	bool large = index_corpus(x)->n > ALL_TURNS, wanted[WORDS_MOST], any = false;
	const struct index_wants all = { .prefixes = &(struct index_word){ "", 0 },
		.n_prefixes = 1 };

	for (size_t i = 0; i < u->n; i++)
		wanted[i] = true;
	if (compare_letter(u, x, 0, wanted, err) < 0)
		return -1;
	for (size_t i = 0; i < u->n; i++) {
		struct spelling *w = &u->words[i];

		wanted[i] = !has_good_guess(w) && !(large && w->points[1] == w->points[0]);
		if (wanted[i] && !large)
			w->n_found = 0;                /* the same terms will be compared again */
		u->compared[i] = wanted[i];
		any |= wanted[i];
	}
	if (large)
		return compare_letter(u, x, 1, wanted, err);
	u->first = 0;
	return any && (index_want(x, &all, err) < 0 ||
	    index_terms(x, NULL, 0, on_term, u, err) < 0) ? -1 : 0;
}

static bool
may_be_misspelt(const struct question_term *t)
{
	return (t->kind == WORD_PLAIN || t->kind == WORD_PART ||
	    (t->kind == WORD_WHOLE && spelling_is_hash(t->text, t->len))) && !t->stop;
}

/* Begins with the word as it was written, or with the term if it has no place in the question. */
static bool
start_spelling(struct spelling *s, const struct question_term *t, const struct search_query *q)
{
	if (t->end > t->start && t->end <= q->len && t->kind == WORD_PLAIN)
		return spelling_start(s, q->text + t->start, t->end - t->start);
	return spelling_start(s, t->text, t->len);
}

/*
 * A word that the vectors' model knows is spelt correctly: it merely never occurs in this memory,
 * and the vectors take care of its meaning.
 */
static bool
is_spelt_right(const struct run *r, const struct question_term *t)
{
	return r->asked && t->end > t->start && t->end <= r->q->len &&
	    query_vector_is_word(r->s->query_vector, r->q->text + t->start, t->end - t->start);
}

/* The guesses of a word that count. */
static size_t
n_guesses(const struct spelling *w)
{
	size_t n = 0;

	while (n < MIN(w->n_found, GUESSES) && w->found[n].worth >= w->found[0].worth - WORTH_GAP)
		n++;
	return n;
}

/* The guesses of all words in their order, the best first, and that their lists will be read. */
static int
end_guesses(struct unknown *u, struct index *x, struct err *err)
{
	struct index_word words[WORDS_MOST * GUESSES];
	struct index_wants wants = { .words = words };

	for (size_t i = 0; i < u->n; i++) {
		spelling_end(&u->words[i]);
		for (size_t k = 0; k < n_guesses(&u->words[i]); k++)
			words[wants.n_words++] = (struct index_word){ u->words[i].found[k].term,
			    u->words[i].found[k].len };
	}
	return index_want(x, &wants, err);
}

/*
 * Scores the best guesses for a word. *in_doubt, 0-1: how far the best guess differs from the word.
 */
static int
add_guesses(struct run *r, struct spelling *w, size_t term, float *in_doubt, struct err *err)
{
	struct search *s = r->s;
	size_t n = n_guesses(w), df;

	*in_doubt = 1;
	for (size_t i = 0; i < n; i++) {
		const struct spelling_found *f = &w->found[i];
		const struct question_term *t;

		/* "noch" is no misspelt "hoch" */
		if (s->question.language != LEX_EN &&
		    language_is_stop(s->question.language, f->term, f->len))
			continue;
		t = question_guess(&s->question, term, f->term, f->len,
		    GUESS_WEIGHT * f->likeness / (float)n);

		if (t == NULL)
			continue;
		if (index_list(s->index, t->text, t->len, &s->bm25.list, err) < 0)
			return -1;
		df = bm25_add(&s->bm25, t->weight, false);
		s->idf[t - s->question.terms] =
		    t->weight * (float)bm25_idf(r->corpus->n, (uint32_t)df);
		*in_doubt = MIN(*in_doubt, 1 - f->likeness);
		if (df > 0)
			r->by_card = false;
	}
	return 0;
}

/*
 * Scores terms [n], by number, which the store does not have: as unknown, and by guesses, which are
 * added to the question. alone: no other term is known.
 */
static int
score_unknown(struct run *r, const uint16_t *unknown, size_t n, bool alone, struct err *err)
{
	struct search *s = r->s;
	struct unknown u = { .n = 0 };
	float in_doubt;

	for (size_t i = 0; i < n && u.n < WORDS_MOST && r->strategy != BM25 && !r->q->as_written;
	     i++) {
		const struct question_term *t = &s->question.terms[unknown[i]];
		if (may_be_misspelt(t) && !is_spelt_right(r, t) &&
		    start_spelling(&u.words[u.n], t, r->q))
			u.terms[u.n++] = unknown[i];
	}
	if (u.n > 0 &&
	    (find_similar(&u, s->index, err) < 0 || end_guesses(&u, s->index, err) < 0))
		return -1;
	for (size_t i = 0, k = 0; i < n; i++) {
		in_doubt = 1;
		if (k < u.n && u.terms[k] == unknown[i] &&
		    add_guesses(r, &u.words[k++], unknown[i], &in_doubt, err) < 0)
			return -1;
		if (!alone)
			in_doubt = 1;
		s->idf[unknown[i]] *= in_doubt;
		bm25_add(&s->bm25, in_doubt * s->question.terms[unknown[i]].weight, false);
	}
	return 0;
}

/* ---- names that are nearly a speaker's ---- */

/* How much the word is like the first word of a name, 0-1. */
struct likeness { const struct spelling *word; float best; };

static int
on_name(void *arg, const struct word *w)
{
	struct likeness *l = arg;

	l->best = spelling_likeness(l->word, w->term, w->len);
	return 1;
}

/*
 * Whether term i, which the memory does not have, is nearly the name of one speaker, and of no
 * other as much: "Muhamed" of Muhammad. It then names that speaker.
 */
static int
name_nearly(struct run *r, size_t i, bool *names, struct err *err)
{
	struct question *q = &r->s->question;
	struct question_term *t = &q->terms[i];
	struct spelling word;
	struct index_speaker *all;
	size_t n, best = 0;
	float most = 0, second = 0;

	*names = false;
	if (t->kind != WORD_PLAIN || t->end > r->q->len || t->end == t->start ||
	    r->q->text[t->start] < 'A' || r->q->text[t->start] > 'Z' ||
	    !spelling_start(&word, r->q->text + t->start, t->end - t->start))
		return 0;
	if (index_labels(r->s->index, 's', SPEAKERS_MOST, &r->s->arena, &all, &n, err) < 0)
		return -1;
	for (size_t k = 0; k < n; k++) {
		struct likeness l = { &word, 0 };
		words_each(all[k].name, strlen(all[k].name), on_name, &l);
		second = l.best > most ? most : MAX(second, l.best);
		best = l.best > most ? k : best;
		most = MAX(most, l.best);
	}
	if (most < NAME_LIKENESS || second >= most)
		return 0;
	*names = t->name = q->about_person = true;
	if (n > 1 && q->n_speakers < QUESTION_SPEAKERS) {
		q->speakers[q->n_speakers++] = all[best].no;
		q->names = true;
	}
	return 0;
}

/* ---- all of them ---- */

/* Opens bm25 for the corpus at hand, or only resets it when the corpus is the same. */
static void
prepare_bm25(struct search *s, const struct corpus *c, bool renewed, bool plain)
{
	if (s->scored != NULL && !renewed && s->plain == plain) {
		bm25_reset(&s->bm25);
		return;
	}
	if (s->scored != NULL)
		bm25_close(&s->bm25);
	bm25_open(&s->bm25, c, plain ? plain_shapes : bm25_shapes, BM25_SLICE);
	s->scored = c;
	s->plain = plain;
}

/* Appends the posting lists of other forms of term i to its own. */
static int
list_forms(struct run *r, size_t i, struct err *err)
{
	const struct question *q = &r->s->question;

	for (size_t k = 0; k < q->n_forms; k++)
		if (q->forms[k].term == i &&
		    index_list(r->s->index, q->forms[k].text, q->forms[k].len, &r->s->bm25.list,
			err) < 0)
			return -1;
	return 0;
}

/*
 * Of a question that says nothing the memory knows but names: those are words, too, so that what
 * is said about somebody is found beside what they said.
 */
static int
score_names(struct run *r, struct err *err)
{
	struct search *s = r->s;

	for (size_t i = 0; i < s->question.n_terms; i++) {
		const struct question_term *t = &s->question.terms[i];
		size_t listed = s->bm25.list.n;

		if (!t->name)
			continue;
		if (index_list(s->index, t->text, t->len, &s->bm25.list, err) < 0)
			return -1;
		if (s->bm25.list.n == listed)
			continue;
		s->idf[i] = t->weight * (float)bm25_idf(r->corpus->n,
		    (uint32_t)bm25_add(&s->bm25, t->weight, false));
	}
	return 0;
}

static int
score_terms(struct run *r, struct err *err)
{
	struct search *s = r->s;
	struct question *q = &s->question;
	bool times = q->n_spans > 0 && !r->times_missed,
	     fields = q->n_speakers > 0 || q->asks_last || times;
	uint16_t unknown[QUESTION_TERMS];
	size_t n_unknown = 0, n_known = 0, listed, n_own, df;

	memset(s->idf, 0, sizeof(s->idf));
	r->by_card = fields && r->strategy != BM25;
	r->or_words = false;
	if (r->n_times > 0)
		return 0;
	if (r->strategy != BM25 && !r->q->as_written && search_inflections(r, err) < 0)
		return -1;
	for (size_t i = 0; i < q->n_terms; i++)
		fields |= !q->terms[i].name && !(q->terms[i].time && !r->times_missed);
	for (size_t i = 0; i < q->n_terms; i++) {
		const struct question_term *t = &q->terms[i];
		/*
		 * speaker and time are fields, not words of the text, unless the question has
		 * nothing else and names neither a known speaker nor a span (and see score_names)
		 */
		if ((t->name || (t->time && times)) && fields && r->strategy != BM25)
			continue;
		listed = s->bm25.list.n;
		if (index_list(s->index, t->text, t->len, &s->bm25.list, err) < 0)
			return -1;
		n_own = s->bm25.list.n - listed;
		if (list_forms(r, i, err) < 0)
			return -1;
		if (s->bm25.list.n == listed && r->strategy != BM25 && !r->q->as_written) {
			bool names;
			if (name_nearly(r, i, &names, err) < 0)
				return -1;
			if (names)
				continue;
		}
		if (s->bm25.list.n == listed) {
			unknown[n_unknown++] = (uint16_t)i;
			s->idf[i] = t->weight * (float)bm25_idf(r->corpus->n, 0);
			continue;
		}
		n_known += !t->stop;
		df = s->bm25.list.n > listed + n_own
		    ? bm25_add_forms(&s->bm25, n_own, t->weight,
			q->language == LEX_EN ? FORM_SHARE : INFLECTION_SHARE)
		    : bm25_add(&s->bm25, t->weight, t->kind == WORD_WHOLE);
		s->idf[i] = t->weight * (float)bm25_idf(r->corpus->n, (uint32_t)df);
		r->by_card = false;
	}
	r->or_words = r->by_card && candidates_by_signals(r) && q->n_speakers > 0 &&
	    !q->asks_last && !times;
	if (r->or_words && score_names(r, err) < 0)
		return -1;
	if (n_unknown > 0 && score_unknown(r, unknown, n_unknown, n_known == 0, err) < 0)
		return -1;
	for (size_t i = 0; i < q->n_joined && r->strategy != BM25; i++) {
		if (index_list(s->index, q->joined[i].text, q->joined[i].len, &s->bm25.list, err) <
		    0)
			return -1;
		/*
		 * in a longer question, neighbouring words that happen to form an identifier mostly
		 * stand beside each other by chance, so they count only by their share of the
		 * question
		 */
		bm25_add_exact(&s->bm25,
		    question_share(q, s->idf, q->joined[i].start, q->joined[i].end));
	}
	return 0;
}

int
search_terms(struct run *r, bool renewed, struct err *err)
{
	prepare_bm25(r->s, r->corpus, renewed, r->strategy == BM25);
	return score_terms(r, err);
}
