/*
 * decided.c: the thing of a decision is what its rarest words name. Of the turns behind it that
 * have them the one that has most and the newest are told.
 */
#include "search/decided.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/me.h"
#include "base/utf8.h"
#include "json/json.h"
#include "lexicon/lex.h"
#include "statement/cues.h"
#include "statement/ended.h"
#include "statement/likeness_words.h"
#include "statement/sentence.h"
#include "statement/speech.h"
#include "statement/statement.h"
#include "text/words.h"

#define WORDS       6          /* of the decision */
#define RAREST      4          /* by which turns are found */
#define LOOKED      24         /* turns */
#define REST_BYTES  120
#define PART_BYTES  120
#define END_BYTES   500        /* of a turn, from where it names the thing */

/* What a decision is of: words, and which of them name a thing, a bit each. */
struct thing { struct index_words words; unsigned named; const char *text; };

/* Whether a word stands behind an article, "of" or the like, as a thing does. */
static bool
is_behind_article(const char *text, size_t start)
{
	char folded[WORDS_TERM_BYTES];
	size_t end = start, n;

	while (end > 0 && text[end - 1] == ' ')
		end--;
	for (start = end; start > 0 && !ascii_is_space(text[start - 1]);)
		start--;
	n = end - start < sizeof(folded) / 3 ? words_fold(text + start, end - start, folded) : 0;
	return lex_word(folded, n, LEX_DETERMINER, LEX_ANY, NULL) ||
	    lex_word(folded, n, LEX_NOUN_LINK, LEX_ANY, NULL);
}

/* Adds pairs, and marks a name, an identifier, and what has an article. */
static int
on_word(void *arg, const struct word *w)
{
	struct thing *of = arg;
	size_t i = index_words_place(&of->words, w->term, w->len);

	if (i < of->words.n && (w->kind == WORD_WHOLE ||
	    (w->start > 0 && ascii_is_upper(of->text[w->start])) ||
	    is_behind_article(of->text, w->start)))
		of->named |= 1u << i;
	return w->kind == WORD_PAIR && !index_words_add(&of->words, w->term, w->len);
}

/*
 * Reads the words that say something by themselves, but none of "we decided", nor what fits any
 * matter ("stays", "from May"); of scripts without spaces, pairs.
 */
static void
read_thing(struct thing *of, const char *content, size_t len)
{
	struct index_words *v = &of->words;
	static _Thread_local struct said s;
	static _Thread_local struct cue_text found;
	char *text = arena_strndup(v->a, content, len);
	struct lex_token t;

	cue_text_read(&found, "schema/cues/lasting.txt", text, len);
	for (size_t i = 0; i < found.n; i++)
		if (cue_text_is(&found, &found.cues[i], "decided"))
			memset(text + found.cues[i].start, ' ', found.cues[i].len);
	for (size_t at = 0; lex_next(text, len, at, &t); at = t.end)
		if ((lex_is(&t, LEX_VAGUE, LEX_ANY, NULL) && !(t.capital && t.start > 0)) ||
		    cues_has("schema/cues/statement.txt", "month", text + t.start, t.end - t.start))
			memset(text + t.start, ' ', t.end - t.start);
	said_read(&s, text, len);
	for (size_t i = 0; i < s.n; i++)
		if (s.w[i].content && !s.w[i].empty && !s.w[i].half && s.w[i].len >= 2 &&
		    (s.w[i].marks & SAID_LIGHT) == 0 &&
		    !lex_word(s.w[i].term, s.w[i].len, LEX_FUNCTION, LEX_ANY, NULL))
			index_words_add(v, s.w[i].term, s.w[i].len);
	of->text = content;
	words_each(text, len, on_word, of);
}

struct tie { const struct index_words *words; unsigned shared; };

static int
on_shared(void *arg, const struct word *w)
{
	struct tie *v = arg;
	size_t i = index_words_place(v->words, w->term, w->len);

	v->shared |= i < v->words->n ? 1u << i : 0;
	return 0;
}

/* Which of the words a turn has, a bit each. */
static unsigned
shared(const struct thing *of, const struct message *m)
{
	struct tie v = { &of->words, 0 };

	words_each(m->content, m->content_len, on_shared, &v);
	return v.shared;
}

/* Whether a turn is of the thing: where that is named, one other word ("move") is none of it. */
static bool
is_of(const struct thing *of, const struct message *m)
{
	unsigned has = shared(of, m);

	return of->named == 0 || (has & of->named) != 0 || (has & (has - 1)) != 0;
}

struct place { const struct index_words *words; size_t at; };

static int
on_place(void *arg, const struct word *w)
{
	struct place *v = arg;

	if (index_words_place(v->words, w->term, w->len) == v->words->n)
		return 0;
	v->at = w->start;
	return 1;
}

/* Where the sentence of a turn begins that names the thing; 0: none does. */
static size_t
named_at(const struct index_words *words, const struct message *m)
{
	struct place v = { words, 0 };
	size_t start = 0, next;

	words_each(m->content, m->content_len, on_place, &v);
	while (start < v.at && (next = sentence_end(m->content, start, m->content_len)) <= v.at)
		start = MAX(next, start + 1);
	return start;
}

/* Adds a short turn whole, of a long one what begins with the sentence that names the thing. */
static void
add(struct decided *d, const struct index_words *words, const struct message *m)
{
	size_t start = m->content_len > PART_BYTES ? named_at(words, m) : 0;

	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->later[i].m->id, m->id) == 0)
			return;
	while (start < m->content_len && ascii_is_space(m->content[start]))
		start++;
	d->later[d->n++] = (struct decided_said){ m, m->content + start,
		utf8_clip(m->content + start, m->content_len - start, PART_BYTES) };
}

/* Whether a turn says in so many words that the decision holds no more. */
static bool
is_end(const struct fact *f, const struct index_words *words, const struct message *m)
{
	size_t start = m->content_len > END_BYTES ? named_at(words, m) : 0;
	const char *text = m->content + start;

	return ended_text(f->head.content, f->head.content_len, text,
	    utf8_clip(text, m->content_len - start, END_BYTES));
}

static bool
asks(const struct message *m)
{
	return sentence_asks(m->content, m->content_len);
}

/*
 * Chooses among turns [n], those with most of the words first. Where the newest has most of them,
 * the next that has all of these is told, too: what repeats an end says less than what ended it.
 */
static void
choose(struct decided *d, const struct fact *f, const struct thing *of,
	const struct message *const *found, size_t n)
{
	const struct message *newest = NULL, *most = NULL, *other = NULL;
	unsigned has;

	for (size_t i = 0; i < n && !d->ended; i++) {
		if (!is_of(of, found[i]))
			continue;
		/* who only asks says nothing, unless nobody says more */
		if (most == NULL || (asks(most) && !asks(found[i])))
			most = found[i];
		if (newest == NULL || (asks(newest) && !asks(found[i])) ||
		    (asks(newest) == asks(found[i]) && mention_is_later(newest, found[i])))
			newest = found[i];
		d->ended = is_end(f, &of->words, found[i]);
		if (d->ended)
			most = newest = found[i];
	}
	has = newest != NULL && newest == most && !d->ended ? shared(of, most) : 0;
	for (size_t i = 0; i < n && has != 0 && other == NULL; i++)
		if (found[i] != most && !asks(found[i]) && is_of(of, found[i]) &&
		    (has & ~shared(of, found[i])) == 0)
			other = found[i];
	if (newest != NULL) {
		add(d, &of->words, most);
		if (other != NULL)
			add(d, &of->words, other);
		add(d, &of->words, newest);
	}
}

/* What the turn m that a decision is of goes on with: "we take Hugo. no wait, Eleventy". */
static void
add_rest(struct decided *d, const struct message *m, const struct record_source *of,
	struct arena *a)
{
	size_t at = (size_t)(of->start + of->length), n;

	if (of->length <= 0 || at >= m->content_len)
		return;
	n = utf8_clip(m->content + at, m->content_len - at, REST_BYTES);
	if (speech_takes_back(m->content + at, n)) {
		while (n > 0 && (ascii_is_space(m->content[at]) || m->content[at] == '.')) {
			at++;
			n--;
		}
		d->later[d->n++] = (struct decided_said){ m, m->content + at, n };
	} else {
		d->rest = arena_strndup(a, m->content + at, n);
	}
}

int
decided_read(struct store *s, struct index **index, const struct scope *who,
	const struct fact *f, struct arena *a, struct decided *out, struct err *err)
{
	const struct record_head *h = &f->head;
	const struct message *m = NULL, *next = NULL, *found[LOOKED];
	struct message itself = { .session = "",
		.time_us = h->time_us != TIME_NONE ? h->time_us : h->stored_us };
	struct thing of = { .words = { .most = WORDS, .a = a } };
	size_t label = statement_label(h->content, h->content_len, NULL), n = 0;
	struct mention_want want = { .store = s, .index = index, .who = *who, .own = true,
		.anywhere = true, .after = &itself, .rarest = RAREST, .most = LOOKED };

	*out = (struct decided){ .rest = "" };
	want.who.session = NULL;
	if (h->type != RECORD_FACT || f->kind != FACT_DECISION || h->retracted_us != TIME_NONE ||
	    (f->valid_to_us != TIME_NONE && f->valid_to_us <= clock_now_us()))
		return 0;
	if (*h->project != '\0')
		want.who.project = h->project;
	if (h->n_sources > 0 && messages_find(s, who, h->sources[0].id, a, &m, err) < 0)
		return -1;
	if (m != NULL) {
		want.after = m;
		want.own = me_speaks(m->name);
		if (mention_next(s, who, m, a, &next, err) != 0)
			return -1;
	}
	of.words.of = arena_alloc(a, WORDS * sizeof(*of.words.of));
	read_thing(&of, h->content + label, h->content_len - label);
	want.words = of.words.of;
	want.n = of.words.n;
	if (want.n > 0 && mentions_find(&want, a, found, &n, NULL, err) != 0)
		return -1;
	choose(out, f, &of, found, n);
	if (next != NULL && out->n < DECIDED_LATER)
		add(out, &of.words, next);
	if (m != NULL && !out->ended)
		add_rest(out, m, &h->sources[0], a);
	return 0;
}

const char *
decided_text(const struct decided *d, const char *text, struct arena *a)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct decided_said *s = &d->later[i];
		const char *end = s->m->content + s->m->content_len;
		char day[TIME_TEXT];

		time_format(s->m->time_us, day);
		text = arena_printf(a, "%s [%s %s%.10s: %.*s%s]", text,
		    i == 0 && d->ended ? "ended" : "said", *day != '\0' ? "on " : "later", day,
		    (int)s->len, s->text, s->text + s->len < end ? "..." : "");
	}
	return text;
}

int
decided_add(struct store *s, struct index **index, const struct scope *who, const struct fact *f,
	struct arena *a, const char **text, struct err *err)
{
	struct decided d;

	if (decided_read(s, index, who, f, a, &d, err) != 0)
		return -1;
	*text = decided_text(&d, *text, a);
	return 0;
}

void
decided_write(const struct decided *d, struct buf *out)
{
	if (d->n == 0)
		return;
	json_array_open(out, "said_later");
	for (size_t i = 0; i < d->n; i++) {
		json_object_open(out, NULL);
		json_str(out, "id", d->later[i].m->id);
		json_time(out, "time", d->later[i].m->time_us);
		json_strn(out, "content", d->later[i].text, d->later[i].len);
		if (i == 0 && d->ended)
			json_bool(out, "ends", true);
		json_close(out);
	}
	json_array_close(out);
}
