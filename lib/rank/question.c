/* question.c: reads a question by the tokenizer of the index and sets function words aside. */
#include "rank/question.h"

#include <strings.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "rank/things.h"
#include "text/chunk.h"
#include "text/particles.h"
#include "text/variants.h"
#include "gen/question_rows.h"

/*
 * weight of words with which one asks about the past: decide, mention, remember ...; and of where
 * one looks for the answer: conversation, paper
 */
#define ASKING_WEIGHT 0.4f
#define PART_WEIGHT 0.7f           /* weight of a part of an identifier, relative to the whole */
/*
 * weight of a pair of characters of which one belongs to a function word; with 1, nDCG@10 of
 * Chinese memories and chats is .013 and .008 lower
 */
#define EDGE_WEIGHT 0.3f

/*
 * Of a prompt: the least weight of a clause whose words are searched, and of one whose times count.
 */
#define ASKED_WORDS    0.05f
#define ASKED_TIMES    0.2f

#define JOIN_WORDS  4              /* up to so many neighbouring words may form an identifier */
#define JOIN_BYTES  40

/* Follows a text without spaces while its characters and pairs pass. */
struct unspaced {
	const char *text;
	size_t len, end;                   /* the function word at hand */
};

struct reader {
	struct question *q;
	struct unspaced unspaced;
	/* in halves of a word, since a Chinese word has two characters on average */
	size_t max, n_counted;
	unsigned n_stop;
	const char *text;
	uint32_t part_start[QUESTION_PARTS], part_end[QUESTION_PARTS];
	/* the last words as they are written, for joining */
	struct piece { uint32_t start, end, position; bool stop; } pieces[JOIN_WORDS];
	size_t n_pieces;
};

size_t
question_term_at(const struct question *q, const char *word, size_t len)
{
	size_t i = 0;

	while (
	    i < q->n_terms && (q->terms[i].len != len || memcmp(q->terms[i].text, word, len) != 0))
		i++;
	return i;
}

static int
on_name(void *arg, const struct word *w)
{
	const struct question *q = arg;
	size_t i = question_term_at(q, w->term, w->len);

	return i < q->n_terms && q->terms[i].name;
}

bool
question_has_name(const struct question *q, const char *text, size_t len)
{
	return words_each(text, len, on_name, (void *)q) != 0;
}

/*
 * Joins the pieces from i on into a possible identifier; only where plain letters and digits stand
 * between them.
 */
static void
join(struct reader *r, size_t i)
{
	struct question *q = r->q;
	char text[WORDS_TERM_BYTES];
	size_t n = 0, first = i;

	for (; i < r->n_pieces; i++)
		for (uint32_t k = r->pieces[i].start; k < r->pieces[i].end; k++) {
			char c = r->text[k];
			c = ascii_lower(c);
			if (!((c >= 'a' && c <= 'z') || ascii_is_digit(c)) || n == JOIN_BYTES)
				return;
			text[n++] = c;
		}
	if (q->n_joined == QUESTION_JOINED)
		return;
	memcpy(q->joined[q->n_joined].text, text, n);
	q->joined[q->n_joined].start = r->pieces[first].start;
	q->joined[q->n_joined].end = r->pieces[r->n_pieces - 1].end;
	q->joined[q->n_joined++].len = (uint8_t)n;
}

/*
 * Joins two, three or four neighbours of which w is the last. Neither the first nor the last may be
 * a function word.
 */
static void
join_words(struct reader *r, const struct word *w)
{
	if (r->n_pieces > 0 && r->pieces[r->n_pieces - 1].position + 1 != w->position)
		r->n_pieces = 0;
	if (r->n_pieces == JOIN_WORDS)
		memmove(r->pieces, r->pieces + 1, --r->n_pieces * sizeof(*r->pieces));
	r->pieces[r->n_pieces++] = (struct piece){ w->start, w->end, w->position, w->stop };
	for (size_t i = 0; !w->stop && i + 1 < r->n_pieces; i++)
		if (!r->pieces[i].stop)
			join(r, i);
}

static bool
asks_who(const struct word *w)
{
	return lex_word(w->term, w->len, LEX_ASK_WHO, LEX_ANY, NULL);
}

/*
 * Compares stems, as the tokenizer makes them; conversion and Converse share the stem of
 * conversation and are told apart by their spelling.
 */
static bool
is_asking(const struct word *w, const char *text)
{
	static const char *const stems[] = { QUESTION_ASKING };

	/* "wie hoch", "wie lange", "wie heisst" */
	if (w->start >= 4 && strncasecmp(text + w->start - 4, "wie ", 4) == 0)
		return true;
	for (size_t i = 0; i < NELEM(stems); i++)
		if (strlen(stems[i]) == w->len && memcmp(stems[i], w->term, w->len) == 0)
			return strcmp(stems[i], "convers") != 0 ||
			    (w->end - w->start > 8 &&
				strncasecmp(text + w->start, "conversa", 8) == 0);
	return false;
}

/*
 * Returns the weight of a word at its place in a text without spaces; 0: it is, or is part of, a
 * function word. A pair comes after its first character.
 */
static float
weigh(struct unspaced *u, const struct word *w)
{
	uint32_t cp;

	if (w->stop)
		return 0;
	if (w->kind != WORD_CHAR && w->kind != WORD_PAIR)
		return w->kind == WORD_PART ? PART_WEIGHT
		    : is_asking(w, u->text) ? ASKING_WEIGHT
					    : 1;
	if (w->start >= u->end)
		u->end = w->start + particle_at(u->text, u->len, w->start);
	bool first = w->start < u->end;
	if (w->kind == WORD_CHAR)
		return !first;
	size_t at = w->start + MAX(utf8_decode(u->text + w->start, u->text + w->end, &cp), 1u);
	bool second = at < u->end || particle_at(u->text, u->len, at) > 0;
	return first && second ? 0 : first || second ? EDGE_WEIGHT : 1;
}

/*
 * Returns the offset behind the first question mark from `at` on; 0 when there is none before end.
 * A mark inside a word, as in an address, does not count.
 */
static size_t
after_question_mark(const char *text, size_t at, size_t end, size_t len)
{
	for (; at < end; at++) {
		if (text[at] == '?' && (at + 1 == len || !ascii_is_alnum(text[at + 1])))
			return at + 1;
		if (end - at >= 3 && memcmp(text + at, "\xef\xbc\x9f", 3) == 0)
			return at + 3;
	}
	return 0;
}

/* Finds sentences that ask, as in "My flat, what is it called? And where does Ana live?". */
static void
find_parts(struct reader *r, size_t len)
{
	size_t n = 0;

	for (size_t at = 0, end, mark; at < len && n < QUESTION_PARTS; at = end) {
		end = chunk_sentence_end(r->text, at, len);
		if ((mark = after_question_mark(r->text, at, end, len)) == 0 ||
		    prompt_weight(&r->q->prompt, mark - 1) < PROMPT_ASKS)
			continue;
		end = mark;
		r->part_start[n] = (uint32_t)at;
		r->part_end[n++] = (uint32_t)end;
	}
	r->q->n_parts = n > 1 ? n : 0;
}

static uint8_t
parts_at(const struct reader *r, uint32_t at)
{
	for (size_t i = 0; i < r->q->n_parts; i++)
		if (at >= r->part_start[i] && at < r->part_end[i])
			return (uint8_t)(1u << i);
	return 0;
}

/* Handles a term that occurs again: its greatest weight counts. */
static void
repeat(struct reader *r, struct question_term *t, float weight)
{
	if (weight == 0 || (!t->stop && weight <= t->weight))
		return;
	r->n_stop -= t->stop;
	t->stop = false;
	t->weight = weight;
}

/* Of the question's language, where that is not English. */
static bool
is_function_word(const struct reader *r, const struct word *w)
{
	char word[WORDS_TERM_BYTES];

	if (r->q->language == LEX_EN || w->kind != WORD_PLAIN)
		return false;
	size_t len = language_fold(r->q->language, r->text + w->start, w->end - w->start, word);
	return len > 0 && language_is_stop(r->q->language, word, len);
}

static int
read_word(void *arg, const struct word *w)
{
	struct reader *r = arg;
	struct question *q = r->q;
	float asked = prompt_weight(&q->prompt, w->start),
	      counts = prompt_words(&q->prompt, w->start),
	      weight = is_function_word(r, w) ? 0 : weigh(&r->unspaced, w) * counts;

	/* with a capital it may still be the name of a speaker */
	if (counts < ASKED_WORDS && !(r->text[w->start] >= 'A' && r->text[w->start] <= 'Z'))
		return 0;
	q->asks_who |= asked >= PROMPT_ASKS && asks_who(w);
	if (r->n_pieces == 0 || r->pieces[r->n_pieces - 1].position != w->position)
		join_words(r, w);
	q->has_code |= w->kind == WORD_WHOLE;
	size_t i = question_term_at(q, w->term, w->len);
	if (i < q->n_terms) {
		repeat(r, &q->terms[i], weight);
		q->terms[i].parts |= parts_at(r, w->start);
		return 0;
	}
	r->n_counted += weight == 0 || w->kind == WORD_PAIR || w->kind == WORD_PART ? 0
	    : w->kind == WORD_CHAR						    ? 1
										    : 2;
	if (r->n_counted > 2 * r->max || q->n_terms == QUESTION_TERMS) {
		q->cut = true;
		return 0;
	}
	struct question_term *t = &q->terms[q->n_terms++];
	memset(t, 0, sizeof(*t));
	memcpy(t->text, w->term, w->len);
	t->len = (uint8_t)w->len;
	t->kind = w->kind;
	t->stop = weight == 0;
	t->start = w->start;
	t->end = w->end;
	t->weight = t->stop ? 1 : weight;
	t->parts = parts_at(r, w->start);
	r->n_stop += t->stop;
	return 0;
}

/*
 * Drops function words, unless the question has nothing else. "may" the verb is a function word,
 * but not where it is a month.
 */
static void
drop_stop_words(struct question *q, unsigned n_stop)
{
	size_t n = 0;

	if (n_stop == q->n_terms)
		return;
	for (size_t i = 0; i < q->n_terms; i++)
		if (!q->terms[i].stop)
			q->terms[n++] = q->terms[i];
	q->n_terms = n;
}

/* ---- other forms ---- */

/* Returns the number of a form, n_forms when there is none. */
static size_t
form_at(const struct question *q, const char *word, size_t len)
{
	size_t k = 0;

	while (
	    k < q->n_forms && (q->forms[k].len != len || memcmp(q->forms[k].text, word, len) != 0))
		k++;
	return k;
}

size_t
question_term_of(const struct question *q, const char *word, size_t len)
{
	size_t i = question_term_at(q, word, len), k;

	if (i == q->n_terms && (k = form_at(q, word, len)) < q->n_forms)
		i = q->forms[k].term;
	return i;
}

bool
question_form(struct question *q, size_t i, const char *form, size_t len)
{
	if (q->n_forms == QUESTION_FORMS || question_term_of(q, form, len) < q->n_terms)
		return false;
	q->forms[q->n_forms++] = (struct question_form){ form, (uint8_t)len, (uint16_t)i };
	return true;
}

/* Adds other ways to write term i, which are English. */
static void
add_forms(struct question *q, size_t i)
{
	const struct question_term *t = &q->terms[i];
	struct variant v[VARIANTS_MOST];
	size_t n = 0;

	if (q->language == LEX_EN && (t->kind == WORD_PLAIN || t->kind == WORD_PART))
		n = variants_of(t->text, t->len, v);
	for (size_t k = 0; k < n; k++)
		question_form(q, i, v[k].term, v[k].len);
}

void
question_drop_form(struct question *q, size_t k)
{
	memmove(q->forms + k, q->forms + k + 1, (--q->n_forms - k) * sizeof(*q->forms));
}

/* ---- the whole ---- */

static void
find_times(struct question *q, const char *text, size_t len, int64_t now_us)
{
	size_t n = timewords_find(text, len, now_us, q->spans, QUESTION_SPANS);

	for (size_t i = 0; i < n; i++)
		if (prompt_weight(&q->prompt, q->spans[i].start) >= ASKED_TIMES)
			q->spans[q->n_spans++] = q->spans[i];
}

struct spoken { unsigned language; const char *text; };

/* Whether a word of the text is of the first person; as it was written, since a term is stemmed. */
static int
is_self(void *arg, const struct word *w)
{
	const struct spoken *s = arg;
	char folded[WORDS_TERM_BYTES];
	size_t n = language_fold(s->language, s->text + w->start, w->end - w->start, folded);

	return lex_word(folded, n, LEX_SELF,
	    w->kind == WORD_CHAR ? LEX_ANY : LEX_IN(s->language), NULL);
}

static void
find_kinds(struct question *q, const char *text, size_t len)
{
	struct spoken spoken = { q->language, text };

	q->about_person |= words_each(text, len, is_self, &spoken) != 0;
	q->asks_when |= timewords_asks_when(text, len);
	q->things |= things_asked(text, len, lex_counting(q->language));
}

/* Finds what it asks for: of a prompt, what the clauses ask for that ask. */
static void
find_asked(struct question *q, const char *text, size_t len)
{
	if (q->prompt.n == 0)
		find_kinds(q, text, len);
	for (size_t i = 0; i < q->prompt.n; i++) {
		const struct prompt_clause *c = &q->prompt.clauses[i];
		if (c->weight >= PROMPT_ASKS)
			find_kinds(q, text + c->start, c->end - c->start);
	}
}

void
question_read(struct question *q, const char *text, size_t len, int64_t now_us, size_t max_terms)
{
	struct reader r = { .q = q,
		.unspaced = { text, len, 0 },
		.max = MIN(max_terms, (size_t)CAP_QUERY_TERMS),
		.text = text };

	memset(q, 0, sizeof(*q));
	q->language = lex_language_of(text, len);
	prompt_read(&q->prompt, text, len);
	find_parts(&r, len);
	words_each(text, len, read_word, &r);
	drop_stop_words(q, r.n_stop);
	for (size_t i = 0; i < q->n_terms; i++)
		add_forms(q, i);
	if (now_us != TIME_NONE)
		find_times(q, text, len, now_us);
	for (size_t i = 0; i < q->n_terms; i++)
		for (size_t k = 0; k < q->n_spans; k++)
			q->terms[i].time |= q->terms[i].start >= q->spans[k].start &&
			    q->terms[i].end <= q->spans[k].end &&
			    !(q->terms[i].start >= q->spans[k].name_start &&
				q->terms[i].end <= q->spans[k].name_end);
	find_asked(q, text, len);
	q->recalls = timewords_recalls(text, len);
	q->asks_now = timewords_asks_now(text, len);
}

float
question_share(const struct question *q, const float *idf, uint32_t start, uint32_t end)
{
	float all = 0, there = 0;

	for (size_t i = 0; i < q->n_terms; i++) {
		all += idf[i];
		there += q->terms[i].start >= start && q->terms[i].end <= end ? idf[i] : 0;
	}
	return all > 0 ? there / all : 0;
}

/* ---- words from elsewhere ---- */

struct weighing {
	struct question *q;
	const char *text;
	size_t len;
	float weight;
	const struct word *looking;        /* for this word */
	struct unspaced unspaced;
};

static int
on_kept(void *arg, const struct word *w)
{
	const struct weighing *v = arg;

	return w->len == v->looking->len && memcmp(w->term, v->looking->term, w->len) == 0;
}

static int
on_weighed(void *arg, const struct word *w)
{
	struct weighing *v = arg;

	v->looking = w;
	if (v->text != NULL && words_each(v->text, v->len, on_kept, v) != 0)
		return 0;
	size_t i = question_term_at(v->q, w->term, w->len);
	if (i < v->q->n_terms)
		v->q->terms[i].weight *= v->weight;
	return 0;
}

void
question_weigh(struct question *q, const char *text, size_t len, const char *keep, size_t keep_len,
	float weight)
{
	struct weighing v = { .q = q, .text = keep, .len = keep_len, .weight = weight };

	words_each(text, len, on_weighed, &v);
}

static int
on_missing(void *arg, const struct word *w)
{
	struct weighing *v = arg;
	struct question *q = v->q;
	float weight = weigh(&v->unspaced, w);
	size_t k;

	if (weight == 0 || q->n_terms == QUESTION_TERMS ||
	    question_term_at(q, w->term, w->len) < q->n_terms)
		return 0;
	/* the form is a term now, and its list must be read only once */
	if ((k = form_at(q, w->term, w->len)) < q->n_forms)
		question_drop_form(q, k);
	struct question_term *t = &q->terms[q->n_terms++];
	memset(t, 0, sizeof(*t));
	memcpy(t->text, w->term, w->len);
	t->len = (uint8_t)w->len;
	t->kind = w->kind;
	t->weight = v->weight * weight;
	add_forms(q, q->n_terms - 1);
	return 0;
}

void
question_add(struct question *q, const char *text, size_t len, float weight)
{
	struct weighing v = { .q = q, .weight = weight, .unspaced = { text, len, 0 } };

	words_each(text, len, on_missing, &v);
}

struct question_term *
question_guess(struct question *q, size_t i, const char *term, size_t len, float weight)
{
	if (q->n_terms == QUESTION_TERMS || len > WORDS_TERM_BYTES ||
	    question_term_of(q, term, len) < q->n_terms)
		return NULL;
	struct question_term *t = &q->terms[q->n_terms++];
	*t = q->terms[i];
	memcpy(t->text, term, len);
	t->len = (uint8_t)len;
	t->weight *= weight;
	t->guessed = true;
	return t;
}
