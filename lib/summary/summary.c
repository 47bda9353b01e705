/*
 * summary.c: the extractive summary, made of whole sentences, and what is reported with a summary
 * of either kind: the structured part and what was left out.
 *
 *    - Caroline: I went to a LGBTQ support group yesterday. It was so powerful.
 *
 * A line holds the chosen sentences of one turn; each sentence is a source with its byte span. A
 * fact is one sentence on a line of its own.
 */
#include "summary/summary.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "json/json.h"
#include "rank/digest.h"
#include "summary/summary_loss.h"
#include "summary/summary_parts.h"
#include "text/chunk.h"
#include "text/details.h"
#include "text/statement.h"
#include "text/tokens.h"
#include "text/words.h"

#define LISTED_MOST   20               /* entries of each list of the structured part */
#define SENTENCE_BYTES 600
#define UNITS_MOST    20000
#define OUT_BYTES     (1u << 20)
#define DECIDED       1.6f
#define LASTING       1.3f

/* ---- sentences ---- */

/*
 * Called with each sentence of a text that has a letter or digit, without bullets and surrounding
 * blanks; code is left out. Return 0 to go on.
 */
typedef int sentence_fn(void *arg, size_t start, size_t len);
struct sentences { const char *text; sentence_fn *fn; void *arg; };

static bool
is_edge(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '*' || c == '-' ||
	    c == '#' || c == '>' || c == '|' || c == '+';
}

static int
on_chunk(void *arg, const struct chunk *c)
{
	struct sentences *v = arg;
	size_t at = c->start, end = c->start + c->len;

	while (c->kind == CHUNK_PROSE && at < end) {
		size_t next = chunk_sentence_end(v->text, at, end), to = next;
		bool says = false;
		while (at < to && is_edge(v->text[at]))
			at++;
		while (to > at && (is_edge(v->text[to - 1])))
			to--;
		for (size_t i = at; i < to && !says; i++)
			says = (unsigned char)v->text[i] >= 0x80 || ascii_is_alnum(v->text[i]);
		if (says && v->fn(v->arg, at, to - at) != 0)
			return 1;
		at = next;
	}
	return 0;
}

static void
sentences_each(const char *text, size_t len, sentence_fn *fn, void *arg)
{
	struct sentences v = { text, fn, arg };

	chunk_each(text, len, on_chunk, &v);
}

static int
count_word(void *arg, const struct word *w)
{
	*(size_t *)arg += w->kind != WORD_PAIR && w->kind != WORD_PART;
	return 0;
}

size_t
summary_words(const char *text, size_t len)
{
	size_t n = 0;

	words_each(text, len, count_word, &n);
	return n;
}

/* ---- extraction ---- */

struct unit { uint32_t said; size_t start, len; };

struct extract {
	const struct summary_said *said;
	uint32_t at;
	struct digest_unit *units;
	struct unit *places;
	size_t n, cap_units, cap_places;
};

static uint32_t
head_quarters(const struct summary_said *v)
{
	/* for "- ", ": " and the newline */
	return (uint32_t)(tokens_quarters(v->speaker, strlen(v->speaker)) + 5);
}

static int
add_unit(void *arg, size_t start, size_t len)
{
	struct extract *x = arg;
	const struct summary_said *v = &x->said[x->at];

	if (len > SENTENCE_BYTES || x->n == UNITS_MOST)
		return x->n == UNITS_MOST;
	xgrow(&x->units, &x->cap_units, x->n + 1, sizeof(*x->units));
	xgrow(&x->places, &x->cap_places, x->n + 1, sizeof(*x->places));
	x->units[x->n] =
	    (struct digest_unit){ v->text + start, len, x->at, head_quarters(v), v->near, 1 };
	x->places[x->n++] = (struct unit){ x->at, start, len };
	return 0;
}

struct weighing { struct extract *x; size_t from; bool is_user; };

/* Raises the weight of a sentence that states something lasting. */
static int
raise_weights(void *arg, const struct statement *s)
{
	struct weighing *w = arg;

	for (size_t i = w->from; i < w->x->n; i++) {
		const struct unit *u = &w->x->places[i];
		if (s->start < u->start + u->len && u->start < s->start + s->len) {
			if (s->read.kind == READ_DECISION || s->read.kind == READ_TODO)
				w->x->units[i].weight = DECIDED;
			else if (w->is_user)
				w->x->units[i].weight = MAX(w->x->units[i].weight, LASTING);
		}
	}
	return 0;
}

static void
collect_sentences(struct extract *x, enum summary_of of, const struct summary_said *said, size_t n)
{
	x->said = said;
	for (x->at = 0; x->at < n; x->at++) {
		struct weighing w = { x, x->n, said[x->at].is_user };
		if (of == SUMMARY_OF_FACTS) {              /* a fact is not divided */
			add_unit(x, 0, said[x->at].len);
			continue;
		}
		sentences_each(said[x->at].text, said[x->at].len, add_unit, x);
		statements_each(said[x->at].text, said[x->at].len, raise_weights, &w);
	}
}

static void
add_line(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_addc(b, text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i]);
}

static void
write_units(const struct extract *x, const uint32_t *picked, size_t n, struct buf *b)
{
	for (size_t i = 0; i < n; i++) {
		const struct unit *u = &x->places[picked[i]];
		const struct summary_said *v = &x->said[u->said];
		if (i > 0 && x->places[picked[i - 1]].said == u->said) {
			buf_addc(b, ' ');
		} else {
			buf_adds(b, i > 0 ? "\n- " : "- ");
			if (v->speaker[0] != '\0')
				buf_addf(b, "%s: ", v->speaker);
		}
		add_line(b, v->text + u->start, u->len);
	}
}

/* Makes content and sources by choosing sentences; false: there are none. */
static bool
by_rules(enum summary_of of, const struct summary_said *said, size_t n, struct summary_room room,
	struct arena *a, struct summary_made *out)
{
	struct extract x = { .said = NULL };
	struct record_source *sources;
	uint32_t *picked;
	size_t n_picked;
	struct buf b, speakers;

	buf_init(&b, OUT_BYTES);
	collect_sentences(&x, of, said, n);
	picked = xreallocarray(NULL, x.n + 1, sizeof(*picked));
	buf_init(&speakers, OUT_BYTES);
	for (size_t i = 0; i < n; i++)
		if (i < 2 || strcmp(said[i].speaker, said[i - 1].speaker) != 0)
			buf_addf(&speakers, "%s\n", said[i].speaker);
	/* The number of words is known only after writing, so the room shrinks until they fit. */
	for (uint64_t quarters = (uint64_t)room.tokens * 4;; quarters = quarters * 7 / 8) {
		buf_reset(&b);
		n_picked =
		    MIN(digest_pick(x.units, x.n, speakers.data, speakers.len, quarters, picked),
			RECORD_SOURCES_MAX);
		write_units(&x, picked, n_picked, &b);
		if (n_picked == 0 || summary_words(b.data, b.len) <= room.words)
			break;
	}
	sources = arena_alloc(a, (n_picked + 1) * sizeof(*sources));
	out->trust = 3;
	for (size_t i = 0; i < n_picked; i++) {
		const struct unit *u = &x.places[picked[i]];
		sources[i] =
		    (struct record_source){ said[u->said].id, (int64_t)u->start, (int64_t)u->len };
		out->trust = MIN(out->trust, said[u->said].trust);
	}
	out->content = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	out->sources = sources;
	out->n_sources = n_picked;
	buf_release(&b);
	buf_release(&speakers);
	free(picked);
	free(x.units);
	free(x.places);
	return n_picked > 0;
}

/* ---- the structured part ---- */

enum { FACTS, PREFERENCES, DECISIONS, TODOS, ENTITIES, N_PARTS = SUMMARY_PARTS };
const char *const summary_part_names[N_PARTS] = { "facts", "preferences", "decisions", "todos",
	"entities" };

struct structure {
	struct buf parts[N_PARTS];
	size_t n[N_PARTS];
	struct term_set seen;
	const struct summary_said *at;
};

static void
add_entry(struct structure *v, size_t part, const char *text, size_t len)
{
	struct buf *b = &v->parts[part];

	if (v->n[part] == LISTED_MOST || !term_set_first(&v->seen, hash64(text, len, part)))
		return;
	if (v->n[part]++ > 0)
		buf_addc(b, ',');
	json_write_string(b, text, len);
}

static int
add_statement(void *arg, const struct statement *s)
{
	struct structure *v = arg;
	size_t part = s->read.kind == READ_DECISION ? DECISIONS
	    : s->read.kind == READ_TODO	       ? TODOS
	    : s->read.kind == READ_PREFERENCE       ? PREFERENCES
					       : FACTS;

	if (v->at->is_user || part == DECISIONS)
		add_entry(v, part, v->at->text + s->start, s->len);
	return 0;
}

static int
add_name(void *arg, const struct detail *d)
{
	struct structure *v = arg;

	if (d->kind == DETAIL_NAME)
		add_entry(v, ENTITIES, v->at->text + d->start, d->len);
	return 0;
}

static const char *
write_structure(const struct summary_said *said, size_t n, struct arena *a)
{
	struct structure v = { .seen = { NULL, 0, 0 } };
	const char *text;
	struct buf b;

	buf_init(&b, OUT_BYTES);
	for (size_t i = 0; i < N_PARTS; i++)
		buf_init(&v.parts[i], OUT_BYTES);
	for (size_t i = 0; i < n; i++) {
		v.at = &said[i];
		if (said[i].speaker[0] != '\0' && role_parse(said[i].speaker) == ROLE_OTHER)
			add_entry(&v, ENTITIES, said[i].speaker, strlen(said[i].speaker));
		statements_each(said[i].text, said[i].len, add_statement, &v);
		details_each(said[i].text, said[i].len, add_name, &v);
	}
	json_open(&b);
	for (size_t i = 0; i < N_PARTS; i++) {
		json_key(&b, summary_part_names[i]);
		buf_addc(&b, '[');
		buf_add(&b, v.parts[i].data, v.parts[i].len);
		buf_addc(&b, ']');
		buf_release(&v.parts[i]);
	}
	json_close(&b);
	term_set_release(&v.seen);
	text = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return text;
}

/* ---- what was left out ---- */

struct losing { struct summary_loss *loss; const struct summary_said *at; };

static int
lose_sentence(void *arg, size_t start, size_t len)
{
	struct losing *v = arg;

	summary_loss_add(v->loss, v->at->text + start, len);
	return 0;
}

static int
lose_decision(void *arg, const struct statement *s)
{
	struct losing *v = arg;

	if (s->read.kind == READ_DECISION)
		summary_loss_decision(v->loss, v->at->text + s->start, s->len);
	return 0;
}

static void
report_loss(const struct summary_said *said, size_t n, struct arena *a, struct summary_made *out)
{
	struct losing v = { summary_loss_new(out->content, out->len), NULL };
	struct buf lost, b;

	buf_init(&lost, OUT_BYTES);
	buf_init(&b, OUT_BYTES);
	for (size_t i = 0; i < n; i++) {
		v.at = &said[i];
		sentences_each(said[i].text, said[i].len, lose_sentence, &v);
		statements_each(said[i].text, said[i].len, lose_decision, &v);
	}
	out->n_lost = summary_loss_report(v.loss, &lost);
	json_open(&b);
	if (out->n_lost > 0)
		json_raw(&b, "lost", lost.data, lost.len);
	if (out->n_dropped > 0)
		json_int(&b, "dropped", (int64_t)out->n_dropped);
	json_str(&b, "note", out->note[0] != '\0' ? out->note : NULL);
	json_close(&b);
	out->extra = arena_strndup(a, b.data, b.len);
	summary_loss_free(v.loss);
	buf_release(&lost);
	buf_release(&b);
}

bool
summary_make(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out)
{
	*out = (struct summary_made){ .content = "",
		.structured = "",
		.extra = "",
		.model = "",
		.note = "",
		.trust = 3 };
	if (n == 0)
		return false;
	if (l == NULL || !summary_by_model(of, said, n, room, l, a, out)) {
		if (!by_rules(of, said, n, room, a, out))
			return false;
		out->structured = of == SUMMARY_OF_SESSION ? write_structure(said, n, a) : "";
	}
	report_loss(said, n, a, out);
	return true;
}
