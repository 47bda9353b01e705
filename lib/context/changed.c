/*
 * changed.c: nothing is ended here. Both turns are told, and who reads them sees which is the newer
 * one; so a word for a change in a sentence about the same is enough.
 */
#include "context/changed.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "context/excerpt.h"
#include "search/ask.h"
#include "statement/cues.h"
#include "statement/sentence.h"
#include "statement/statement.h"
#include "text/words.h"

#define CHANGES_MOST 2         /* of an item */
#define TABLE      "schema/cues/ends.txt"
#define WORDS_MOST 200         /* of a text that are read */
#define CUES_MOST  64
#define ASKED      160         /* bytes of a span that are searched for */
#define LOOKED     20          /* hits */
#define READ_BYTES 8192        /* of a hit */
#define SHARED     2           /* words of the same matter, */
#define SHARE      0.25        /* and their share of the sentence, or of the earlier text */
#define COVERAGE   0.2F        /* of the words of the earlier text, by what they tell */
#define ITEMS      2           /* of a block that are looked at */
#define BETWEEN    4           /* words between "from" and "to" */

/* The sentence that says so, a span of its turn. */
struct change { const struct message *turn; size_t start, len; };
struct changes { struct change of[CHANGES_MOST]; size_t n; };

struct term { uint64_t hash; uint32_t position, start; bool content; };
struct terms { struct term t[WORDS_MOST]; size_t n; };

static int
on_word(void *arg, const struct word *w)
{
	struct terms *v = arg;

	if (w->kind == WORD_PART || w->kind == WORD_CHAR)
		return 0;
	v->t[v->n] = (struct term){ w->hash, w->position, w->start, !w->stop };
	return ++v->n == WORDS_MOST;
}

static void
read_terms(struct terms *v, const char *text, size_t len)
{
	v->n = 0;
	words_each(text, len, on_word, v);
}

static bool
has(const struct terms *v, uint64_t hash)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->t[i].hash == hash)
			return true;
	return false;
}

/* How many words a text has, each once, and how many of them the other has, too. */
static size_t
count_words(const struct terms *v, const struct terms *other, size_t *shared)
{
	size_t n = 0;
	uint32_t next = 0, next_shared = 0;

	*shared = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct term *t = &v->t[i];
		size_t seen = 0;

		while (v->t[seen].hash != t->hash)
			seen++;
		if (!t->content || seen < i)
			continue;
		/* pairs of characters overlap: the next one begins behind both */
		if (t->position >= next) {
			n++;
			next = t->position + 1;
		}
		if (t->position >= next_shared && has(other, t->hash)) {
			(*shared)++;
			next_shared = t->position + 1;
		}
	}
	return n;
}

/*
 * Whether the sentence is about what the earlier text says; *much becomes true where it has much of
 * that.
 */
static bool
is_of_it(const struct terms *earlier, const struct terms *sentence, bool *much)
{
	size_t shared, of_earlier;
	size_t n = count_words(sentence, earlier, &shared);

	if (shared < SHARED || (double)shared < SHARE * (double)n)
		return false;
	n = count_words(earlier, sentence, &of_earlier);
	*much |= (double)of_earlier >= SHARE * (double)n;
	return true;
}

/* The first term that begins at a byte or behind it; NULL: there is none. */
static const struct term *
term_at(const struct terms *v, size_t start)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->t[i].start >= start)
			return &v->t[i];
	return NULL;
}

/* "From X to Y", where the earlier text has X and not Y. */
static bool
goes_from(const struct cue *from, const struct cue *to, const struct terms *earlier,
	const struct terms *sentence)
{
	const struct term *old = term_at(sentence, from->start + from->len),
			  *new = term_at(sentence, to->start + to->len);

	return to->at > from->at && to->at - from->at <= BETWEEN && old != NULL && new != NULL &&
	    has(earlier, old->hash) && !has(earlier, new->hash);
}

/*
 * Whether the sentence says that something is otherwise than before. much: it has much of what the
 * earlier text says; else it must name the old value.
 */
static bool
says_change(const char *text, size_t len, const struct terms *earlier,
	const struct terms *sentence, bool much)
{
	static const char *const classes[] = { "otherwise", "moved", "moves", "instead",
		"whole", "cancel", "end" };
	const struct cues *cues = cues_of(TABLE);
	struct cue found[CUES_MOST];
	size_t n = cues == NULL ? 0 : cues_find(cues, text, len, found, CUES_MOST, NULL);

	n = MIN(n, (size_t)CUES_MOST);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; much && k < NELEM(classes); k++)
			if ((int)found[i].class == cues_class(cues, classes[k]))
				return true;
		if ((int)found[i].class != cues_class(cues, "from"))
			continue;
		for (size_t k = 0; k < n; k++)
			if ((int)found[k].class == cues_class(cues, "to") &&
			    goes_from(&found[i], &found[k], earlier, sentence))
				return true;
	}
	return false;
}

/* The sentence of the text that changes the earlier one; false: none does. */
static bool
change_in(const struct terms *earlier, const char *text, size_t len, bool much, size_t *start,
	size_t *size)
{
	static _Thread_local struct terms sentence;
	const char *line = text, *end = text + MIN(len, (size_t)READ_BYTES);

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		size_t line_len = (size_t)((stop != NULL ? stop : end) - line), at = 0;

		while (at < line_len) {
			size_t next = sentence_end(line, at, line_len);

			bool enough = much;

			read_terms(&sentence, line + at, next - at);
			if (is_of_it(earlier, &sentence, &enough) &&
			    !sentence_asks(line + at, next - at) &&
			    says_change(line + at, next - at, earlier, &sentence, enough)) {
				*start = (size_t)(line - text) + at;
				*size = next - at;
				return true;
			}
			at = MAX(next, at + 1);
		}
		line += line_len + 1;
	}
	return false;
}

static bool
is_earlier(const struct message *a, const struct message *b)
{
	return a->time_us != TIME_NONE && b->time_us != TIME_NONE && a->time_us != b->time_us
	    ? a->time_us < b->time_us
	    : a->row > 0 && strcmp(a->session, b->session) == 0 && a->row < b->row;
}

/* Finds what changes the text of m, the best first. */
static int
changes_find(struct search *s, const struct scope *who, const struct message *m, const char *text,
	size_t len, struct arena *a, struct changes *out, struct err *err)
{
	static _Thread_local struct terms earlier;
	const struct scope all = { who->user, who->agent, who->project, NULL };
	struct filter_words none = { .role = NULL };
	struct search_query q;
	struct search_result r;

	out->n = 0;
	if (ask_options(who, "bm25", &none, &q, err) != 0)
		return -1;
	q.text = text;
	q.len = utf8_clip(text, len, ASKED);
	q.limit = LOOKED;
	q.scope = SEARCH_USER;
	q.min_score = 0;
	q.filter.since_us = m->time_us;
	/* an assistant speaks of what it changes in files all the time, and seldom decides */
	q.filter.role = ROLE_USER;
	read_terms(&earlier, q.text, q.len);
	if (search_run(s, &all, &q, &r, err) < 0)
		return -1;
	for (size_t i = 0; i < r.n && out->n < CHANGES_MOST; i++) {
		const struct message *later = r.hits[i].message;
		struct change c;

		if (!is_earlier(m, later) ||
		    !change_in(&earlier, later->content, later->content_len,
			r.hits[i].coverage >= COVERAGE, &c.start, &c.len))
			continue;
		c.turn = context_keep(later, a);
		out->of[out->n++] = c;
	}
	return 0;
}

static void
add_change(const struct changes_want *w, struct context *block, const struct change *change)
{
	const struct message *m = change->turn;
	struct excerpt s = excerpt_opening(m);

	if (context_has(block, m) || (w->leaves_out != NULL && w->leaves_out(w->arg, m)))
		return;
	if (s.len < m->content_len)
		s = (struct excerpt){ .start = change->start, .len = change->len };
	context_add(block, &(struct context_piece){ m, s.start, s.len, s.code, false }, UINT64_MAX);
}

static int
is_statement(void *arg, const struct statement *s)
{
	(void)s;
	*(bool *)arg = true;
	return 1;
}

/* Whether some clause of the text states what lasts, and so may be changed later. */
static bool
states(const char *text, size_t len)
{
	bool any = false;

	statements_each(text, len, is_statement, &any);
	return any;
}

static bool
has_figure(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (ascii_is_digit((unsigned char)text[i]))
			return true;
	return false;
}

int
changes_add(const struct changes_want *w, struct context *block, size_t from, struct err *err)
{
	size_t n = block->n, looked = 0;

	for (size_t i = from; i < n && looked < ITEMS; i++) {
		const struct message *m = context_item(block, i);
		struct changes found;
		size_t len;
		const char *text = context_item_text(block, i, &len);

		if (m->role == ROLE_TOOL || sentence_asks(text, len))
			continue;
		/* a search costs as much as the question's; the first hit is worth one */
		if ((from > 0 || looked > 0) && !(looked == 0 && has_figure(text, len)) &&
		    !states(text, len))
			continue;
		looked++;
		text = arena_strndup(w->arena, text, len);
		if (changes_find(w->search, &w->who, m, text, len, w->arena, &found, err) < 0)
			return -1;
		for (size_t k = 0; k < found.n; k++)
			add_change(w, block, &found.of[k]);
	}
	return 0;
}
