/*
 * summary.c: the extractive summary, made of statements, and what is reported with a summary of
 * either kind: the structured part and what was left out.
 *
 *    - Caroline Ruiz: I went to a LGBTQ support group yesterday. It was so powerful.
 *    - Melanie: I met Ana there.
 *    - Caroline: She moves to Graz in May.
 *
 * A line holds what was chosen of one turn, with who said it where that changes, by the first name
 * from the second time on. It is chosen in pieces (summary/salience.h); those that follow each
 * other in a sentence are written as it has them, and are one source with its byte span. A piece is
 * worth how likely it is to be missed times the words that it adds (rank/digest.h). A fact is one
 * piece on a line of its own.
 */
#include "summary/summary.h"

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "json/json.h"
#include "rank/digest.h"
#include "statement/details.h"
#include "statement/reading.h"
#include "summary/salience.h"
#include "summary/summary_loss.h"
#include "summary/summary_parts.h"
#include "text/tokens.h"
#include "text/words.h"

#define LISTED_MOST   20               /* entries of each list of the structured part */
#define PIECE_BYTES   600
#define PIECES_MOST   40000
#define OUT_BYTES     (1u << 20)
#define CHOSEN        .07              /* probability from which a piece may be chosen */
#define LINE_QUARTERS 3                /* "- " and the newline */
#define LEAST_WORDS   2                /* content words of a piece that says something */
#define BESIDE        .15              /* what the probability of a neighbour in its turn adds */

/* ---- pieces ---- */

struct piece {
	uint32_t said;
	size_t start, len, clause, clause_len, sentence, sentence_len, words;
	double p;
	bool sure, leans, asks, open;
};

struct pieces {
	const struct summary_said *said;
	size_t n_said;
	uint32_t at;
	struct piece *items;
	size_t n, cap;
};

static int
add_piece(void *arg, const struct salience *s)
{
	struct pieces *v = arg;

	xgrow(&v->items, &v->cap, v->n + 1, sizeof(*v->items));
	v->items[v->n++] = (struct piece){ v->at, s->start, s->len, s->clause, s->clause_len,
		s->sentence, s->sentence_len, s->words, s->p, s->sure, s->leans, s->asks, s->open };
	return v->n == PIECES_MOST;
}

static bool
is_question(const struct summary_said *v)
{
	return memchr(v->text, '?', v->len) != NULL || strstr(v->text, "？") != NULL;
}

static void
find_pieces(struct pieces *v, enum summary_of of)
{
	for (v->at = 0; v->at < v->n_said && v->n < PIECES_MOST; v->at++) {
		const struct summary_said *t = &v->said[v->at];
		const struct salience fact = { .len = t->len, .clause_len = t->len,
			.sentence_len = t->len, .words = LEAST_WORDS, .p = 1, .sure = true };
		const struct salience_turn turn = { t->text, t->len, v->at, v->n_said, t->is_user,
			v->at > 0 && is_question(t - 1), t->of_project };
		if (of == SUMMARY_OF_FACTS)
			add_piece(v, &fact);
		else
			salience_each(&turn, add_piece, v);
	}
}

/* A clause or a sentence: bytes of what was said, and what is known of its pieces. */
struct stretch { const char *text; size_t len, next; double p; bool sure, open; };

/* The clause, or the sentence, that begins with piece i; next is the first piece behind it. */
static struct stretch
stretch_of(const struct pieces *v, size_t i, bool sentence)
{
	const struct piece *s = &v->items[i];
	struct stretch out = { v->said[s->said].text + (sentence ? s->sentence : s->clause),
		sentence ? s->sentence_len : s->clause_len, i, 0, false, s->open };

	for (; out.next < v->n; out.next++) {
		const struct piece *t = &v->items[out.next];
		if (t->said != s->said || t->sentence != s->sentence ||
		    (!sentence && t->clause != s->clause))
			break;
		out.p = MAX(out.p, t->p);
		out.sure |= t->sure;
	}
	return out;
}

static enum reading_kind
kind_of(const struct stretch *s)
{
	struct reading r;

	reading_of(s->text, s->len, NULL, &r);
	return r.kind;
}

/* Whether it is something for the lists: what is asked or only possible is no fact or decision. */
static bool
states(const struct stretch *s)
{
	return s->sure && (!s->open || kind_of(s) == READ_RULE || kind_of(s) == READ_PREFERENCE);
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

/* ---- the text ---- */

/* Whether text [len] begins with a word of small letters, which a sentence may begin with. */
static bool
begins_small(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] >= 'a' && text[n] <= 'z')
		n++;
	return n > 0 && (n == len || strchr(" ,'!?", text[n]) != NULL);
}

/* Whether a stop ends the text, perhaps in quotation marks or parentheses. */
static bool
is_stopped(const char *text, size_t len)
{
	static const char *const marks[] = { "。", "！", "？", "…", "”", "」" };
	size_t k = 4;

	if (len > 1 && strchr("\"')", text[len - 1]) != NULL)
		len--;
	else if (len > 3 &&
	    (memcmp(text + len - 3, marks[4], 3) == 0 || memcmp(text + len - 3, marks[5], 3) == 0))
		len -= 3;
	while (k > 0 && (len < 3 || memcmp(text + len - 3, marks[k - 1], 3) != 0))
		k--;
	return k > 0 || (len > 0 && strchr(".!?", text[len - 1]) != NULL);
}

static bool
has_han(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] >= 0xe3 && (unsigned char)text[i] <= 0xe9)
			return true;
	return false;
}

/* Writes a sentence in one line, with a capital and a full stop or a question mark. */
static void
write_sentence(struct buf *b, enum summary_of of, const char *text, size_t len, bool asks)
{
	size_t from = b->len;

	while (of == SUMMARY_OF_SESSION && len > 0 && strchr(",;:", text[len - 1]) != NULL)
		len--;
	for (size_t i = 0; i < len; i++)
		buf_addc(b, text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i]);
	if (of == SUMMARY_OF_FACTS || len == 0)
		return;
	if (begins_small(text, len))
		b->data[from] = (char)(b->data[from] - 'a' + 'A');
	if (is_stopped(text, len))
		return;
	if (has_han(text, len))
		buf_adds(b, asks ? "？" : "。");
	else
		buf_addc(b, asks ? '?' : '.');
}

/* Pieces that follow each other in a sentence, as bytes of what was said. */
struct run { uint32_t said; size_t start, len; bool asks; };

static size_t
make_runs(const struct pieces *v, const uint32_t *picked, size_t n, struct run *out)
{
	size_t n_runs = 0;

	for (size_t i = 0; i < n; i++) {
		const struct piece *s = &v->items[picked[i]];
		if (i > 0 && picked[i] == picked[i - 1] + 1 && s[-1].said == s->said &&
		    s[-1].sentence == s->sentence)
			out[n_runs - 1].len = s->start + s->len - out[n_runs - 1].start;
		else
			out[n_runs++] = (struct run){ s->said, s->start, s->len, false };
		out[n_runs - 1].asks = s->asks;
	}
	return n_runs;
}

/* The bytes of the first name of a speaker, if nobody else has it; else of the whole name. */
static size_t
first_name(const struct pieces *v, const char *name)
{
	size_t n = strcspn(name, " ");

	for (size_t i = 0; i < v->n_said; i++)
		if (strncmp(v->said[i].speaker, name, n) == 0 &&
		    strcmp(v->said[i].speaker, name) != 0)
			return strlen(name);
	return n;
}

static void
write_text(const struct pieces *v, enum summary_of of, const struct run *runs, size_t n,
	struct buf *b)
{
	const char *speaker = "";

	for (size_t i = 0; i < n; i++) {
		const struct summary_said *t = &v->said[runs[i].said];
		bool named = false;
		if (i > 0 && runs[i - 1].said == runs[i].said) {
			buf_addc(b, ' ');
		} else {
			for (size_t k = 0; k < i && !named; k++)
				named = strcmp(v->said[runs[k].said].speaker, t->speaker) == 0;
			buf_adds(b, i > 0 ? "\n- " : "- ");
			if (strcmp(t->speaker, speaker) != 0)
				buf_addf(b, "%.*s: ",
				    (int)(named ? first_name(v, t->speaker) : strlen(t->speaker)),
				    t->speaker);
			speaker = t->speaker;
		}
		write_sentence(b, of, t->text + runs[i].start, runs[i].len, runs[i].asks);
	}
}

/*
 * What a piece is worth. What one says on a matter often takes two, so that a neighbour counts too;
 * those that say nothing are worth nothing. The square keeps short pieces that are hardly missed
 * from filling the room.
 */
static double
value_of(const struct pieces *v, size_t i)
{
	const struct piece *s = &v->items[i];
	double value = s->p;

	if (s->p < CHOSEN || s->len > PIECE_BYTES || s->words < LEAST_WORDS)
		return 0;
	if (i > 0 && s[-1].said == s->said)
		value += BESIDE * s[-1].p;
	if (i + 1 < v->n && s[1].said == s->said)
		value += BESIDE * s[1].p;
	return value * value;
}

/* What the digest is to choose from. */
static struct digest_unit *
make_units(const struct pieces *v)
{
	struct digest_unit *units = xcalloc(v->n + 1, sizeof(*units));
	size_t best = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct piece *s = &v->items[i];
		units[i] = (struct digest_unit){ v->said[s->said].text + s->start, s->len, s->said,
			LINE_QUARTERS, (float)value_of(v, i), s->leans };
		if (s->p > v->items[best].p)
			best = i;
	}
	if (v->n > 0)                          /* a summary is never empty */
		units[best].value = (float)v->items[best].p;
	return units;
}

/* Makes content and sources by choosing pieces; false: there are none. */
static bool
by_rules(enum summary_of of, const struct pieces *v, struct summary_room room, struct arena *a,
	struct summary_made *out)
{
	struct digest_unit *units = make_units(v);
	uint32_t *picked = xreallocarray(NULL, v->n + 1, sizeof(*picked));
	struct run *runs = xcalloc(v->n + 1, sizeof(*runs));
	struct record_source *sources;
	struct buf b, speakers;
	size_t n;

	buf_init(&b, OUT_BYTES);
	buf_init(&speakers, OUT_BYTES);
	for (size_t i = 0; i < v->n_said; i++)
		if (i < 2 || strcmp(v->said[i].speaker, v->said[i - 1].speaker) != 0)
			buf_addf(&speakers, "%s\n", v->said[i].speaker);
	/*
	 * How often the speaker changes, and the number of words, is known only after writing, so
	 * the room shrinks until it fits.
	 */
	for (uint64_t most = (uint64_t)room.tokens * 4, quarters = most;;) {
		uint64_t took;
		buf_reset(&b);
		n = digest_pick(units, v->n, speakers.data, speakers.len, quarters, picked);
		n = MIN(make_runs(v, picked, n, runs), RECORD_SOURCES_MAX);
		write_text(v, of, runs, n, &b);
		took = tokens_quarters(b.data, b.len);
		if (n == 0 || (took <= most && summary_words(b.data, b.len) <= room.words))
			break;
		quarters = took > most ? quarters - MIN(took - most, quarters) : quarters * 7 / 8;
	}
	sources = arena_alloc(a, (n + 1) * sizeof(*sources));
	out->trust = 3;
	for (size_t i = 0; i < n; i++) {
		const struct summary_said *t = &v->said[runs[i].said];
		sources[i] = (struct record_source){ t->id, (int64_t)runs[i].start,
			(int64_t)runs[i].len };
		out->trust = MIN(out->trust, t->trust);
	}
	out->content = arena_strndup(a, b.data, b.len);
	out->len = b.len;
	out->sources = sources;
	out->n_sources = n;
	buf_release(&b);
	buf_release(&speakers);
	free(picked);
	free(runs);
	free(units);
	return n > 0;
}

/* ---- the structured part ---- */

enum { FACTS, PREFERENCES, DECISIONS, TODOS, ENTITIES, N_PARTS = SUMMARY_PARTS };
const char *const summary_part_names[N_PARTS] = { "facts", "preferences", "decisions", "todos",
	"entities" };
static const int part_of[] = { [READ_FACT] = FACTS, [READ_PREFERENCE] = PREFERENCES,
	[READ_DECISION] = DECISIONS, [READ_TODO] = TODOS, [READ_RULE] = PREFERENCES,
	[READ_SKILL] = FACTS };

struct structure {
	struct buf parts[N_PARTS];
	size_t n[N_PARTS];
	struct term_set seen;
	const char *text;                      /* of the current sentence */
};

static void
add_entry(struct structure *v, int part, const char *text, size_t len)
{
	if (v->n[part] == LISTED_MOST ||
	    !term_set_first(&v->seen, hash64(text, len, (uint64_t)part)))
		return;
	v->n[part]++;
	json_item(&v->parts[part], text, len);
}

/* Adds a name: a letter or two are none, and ".Err" is a word of some notation. */
static int
add_name(void *arg, const struct detail *d)
{
	struct structure *v = arg;
	const char *name = v->text + d->start;

	if (d->kind == DETAIL_NAME && d->len > 2 &&
	    ((unsigned char)name[0] >= 0x80 || ascii_is_letter(name[0])) &&
	    (d->start == 0 || strchr(" \n(\"*", name[-1]) != NULL))
		add_entry(v, ENTITIES, name, d->len);
	return 0;
}

static const char *
write_structure(const struct pieces *s, struct arena *a)
{
	struct structure v = { .seen = { NULL, 0, 0 } };
	const char *text;
	struct buf b;

	buf_init(&b, OUT_BYTES);
	for (size_t i = 0; i < N_PARTS; i++)
		buf_init(&v.parts[i], OUT_BYTES);
	for (size_t i = 0; i < s->n_said; i++)
		if (s->said[i].speaker[0] != '\0' && role_parse(s->said[i].speaker) == ROLE_OTHER)
			add_entry(&v, ENTITIES, s->said[i].speaker, strlen(s->said[i].speaker));
	for (size_t i = 0; i < s->n;) {
		struct stretch c = stretch_of(s, i, false);
		if (states(&c))
			add_entry(&v, part_of[kind_of(&c)], c.text, c.len);
		i = c.next;
	}
	for (size_t i = 0; i < s->n;) {
		struct stretch c = stretch_of(s, i, true);
		v.text = c.text;
		if (c.p >= CHOSEN)
			details_each(c.text, c.len, add_name, &v);
		i = c.next;
	}
	json_open(&b);
	for (size_t i = 0; i < N_PARTS; i++) {
		json_array(&b, summary_part_names[i], &v.parts[i]);
		buf_release(&v.parts[i]);
	}
	json_close(&b);
	term_set_release(&v.seen);
	text = arena_strndup(a, b.data, b.len);
	buf_release(&b);
	return text;
}

/* ---- what was left out ---- */

static void
report_loss(const struct pieces *v, struct arena *a, struct summary_made *out)
{
	struct summary_loss *loss = summary_loss_new(out->content, out->len);
	struct buf lost, b;

	buf_init(&lost, OUT_BYTES);
	buf_init(&b, OUT_BYTES);
	for (size_t i = 0; i < v->n;) {
		struct stretch c = stretch_of(v, i, true);
		summary_loss_add(loss, c.text, c.len);
		i = c.next;
	}
	for (size_t i = 0; i < v->n;) {
		struct stretch c = stretch_of(v, i, false);
		if (states(&c) && kind_of(&c) == READ_DECISION)
			summary_loss_decision(loss, c.text, c.len);
		i = c.next;
	}
	out->n_lost = summary_loss_report(loss, &lost);
	json_open(&b);
	if (out->n_lost > 0)
		json_raw(&b, "lost", lost.data, lost.len);
	if (out->n_dropped > 0)
		json_int(&b, "dropped", (int64_t)out->n_dropped);
	json_str(&b, "note", out->note[0] != '\0' ? out->note : NULL);
	json_close(&b);
	out->extra = arena_strndup(a, b.data, b.len);
	summary_loss_free(loss);
	buf_release(&lost);
	buf_release(&b);
}

bool
summary_make(enum summary_of of, const struct summary_said *said, size_t n,
	struct summary_room room, struct llm *l, struct arena *a, struct summary_made *out)
{
	struct pieces v = { .said = said, .n_said = n };
	bool made;

	*out = (struct summary_made){ .content = "",
		.structured = "",
		.extra = "",
		.model = "",
		.note = "",
		.trust = 3 };
	find_pieces(&v, of);
	made = n > 0 && l != NULL && summary_by_model(of, said, n, room, l, a, out);
	if (!made && (made = by_rules(of, &v, room, a, out)) && of == SUMMARY_OF_SESSION)
		out->structured = write_structure(&v, a);
	if (made)
		report_loss(&v, a, out);
	free(v.items);
	return made;
}
