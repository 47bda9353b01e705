/*
 * task.c: a task has words; of these one may be its verb, the first, or an infinitive at the end.
 * Each clause of a later text that its author vouches for is asked whether it has that verb as
 * done, by its regular forms, by the irregular ones of text/variants.h, or by a row of the table,
 * and the thing in the place of what it was done to.
 */
#include "statement/task.h"

#include "statement/stance.h"
#include "statement/vouch.h"
#include "text/variants.h"
#include "text/words.h"
#include "time/timewords.h"

#define TABLE      "schema/cues/todo.txt"
#define HEDGES     "schema/cues/ends.txt"
#define SPANS_MOST 8
#define NEARLY_ALL 0.75                    /* of its things */
#define SKELETON   24                      /* bytes of a word without vowels */

struct heard {                             /* a text, or a part of it */
	const char *text;
	size_t len, n;
	struct task_word w[TASK_WORDS];
	struct cue_text cues;
};

/* ---- words ---- */

static size_t
read_words(const char *text, size_t len, struct task_word *w)
{
	struct time_span spans[SPANS_MOST];
	size_t n_spans = timewords_find(text, len, 0, spans, NELEM(spans)), n = 0, at = 0;
	struct lex_token t;

	while (n < TASK_WORDS && lex_next(text, len, at, &t)) {
		bool timed = false;

		at = t.end;
		if (t.len == 0)
			continue;
		for (size_t i = 0; i < n_spans; i++)
			timed |= t.start >= spans[i].start && t.start < spans[i].end;
		w[n] = (struct task_word){ .start = t.start, .end = t.end, .len = t.len,
			.number = t.figures, .unspaced = t.unspaced,
			.article = lex_is(&t, LEX_ARTICLE, LEX_ANY, NULL) ||
			    lex_is(&t, LEX_DETERMINER, LEX_ANY, NULL),
			.thing = !timed && !t.figures && (t.len > 1 || t.unspaced) &&
			    ((t.capital && n > 0) || !lex_is(&t, LEX_FUNCTION, LEX_ANY, NULL)) &&
			    !lex_is(&t, LEX_STOP, LEX_ANY, NULL) &&
			    !lex_is(&t, LEX_ALONE, LEX_ANY, NULL) };
		memcpy(w[n].folded, t.folded, t.len);
		memcpy(w[n].stem, t.folded, t.len);
		w[n].n_stem = (uint8_t)words_stem(w[n].stem, t.len);
		n++;
	}
	return n;
}

/* Takes words that are of a cue of the class for none that name something. */
static void
set_aside(struct task_word *w, size_t n, const struct cue_text *cues, const char *class)
{
	for (size_t i = 0; i < cues->n; i++)
		for (size_t k = 0; k < n && cue_text_is(cues, &cues->cues[i], class); k++)
			if (w[k].start >= cues->cues[i].start &&
			    w[k].start < cue_end(&cues->cues[i]))
				w[k].thing = false;
}

static void
hear(struct heard *h, const char *text, size_t len)
{
	static _Thread_local struct cue_text other;

	h->text = text;
	h->len = len;
	h->n = read_words(text, len, h->w);
	cue_text_read(&h->cues, TABLE, text, len);
	cue_text_read(&other, HEDGES, text, len);
	static const char *const classes[] = { "aside", "todo", "off", "moot" };
	set_aside(h->w, h->n, &other, "aside");
	for (size_t i = 0; i < NELEM(classes); i++)
		set_aside(h->w, h->n, &h->cues, classes[i]);
}

/* Whether the verb is of those behind the name of a row. */
static bool
is_row_of(const struct cue_class *row, const struct task_word *verb)
{
	for (const char *p = row->rest; *p != '\0'; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n == verb->len && memcmp(p, verb->folded, n) == 0)
			return true;
		p += n;
	}
	return false;
}

void
task_read(struct task *t, const char *text, size_t len)
{
	static _Thread_local struct cue_text found;
	size_t n_classes;
	const struct cue_class *classes = cues_classes(cues_of(TABLE), &n_classes);
	const struct cue *when;

	cue_text_read(&found, TABLE, text, len);
	when = cue_text_find(&found, "when", 0);
	*t = (struct task){ .text = text,
		.len = when != NULL && when->start > 0 ? when->start : len };
	t->n = read_words(text, t->len, t->w);
	for (size_t i = 0; i < t->n; i++)      /* "machen" is a function word elsewhere */
		for (size_t k = 0; k < n_classes; k++)
			t->w[i].thing |= strncmp(classes[k].name, "did_", 4) == 0 &&
			    is_row_of(&classes[k], &t->w[i]);
	set_aside(t->w, t->n, &found, "todo");
	set_aside(t->w, t->n, &found, "aside");
}

static bool
is_variant(const struct task_word *a, const struct task_word *b)
{
	struct variant v[VARIANTS_MOST];
	size_t n = variants_of(a->stem, a->n_stem, v);

	for (size_t i = 0; i < n; i++)
		if (v[i].len == b->n_stem && memcmp(v[i].term, b->stem, b->n_stem) == 0)
			return true;
	return false;
}

/* Whether both name the same: another ending is none. */
static bool
is_same(const struct task_word *a, const struct task_word *b)
{
	size_t k = 0, most = MAX(a->len, b->len), rest;

	if (a->unspaced || b->unspaced)
		return a->len == b->len && memcmp(a->folded, b->folded, a->len) == 0;
	while (k < a->len && k < b->len && a->folded[k] == b->folded[k])
		k++;
	rest = strspn(a->folded + k, "aeinors") + strspn(b->folded + k, "aeinors");
	return (a->n_stem == b->n_stem && memcmp(a->stem, b->stem, a->n_stem) == 0) ||
	    (k >= 4 && most <= k + 2 && rest == a->len + b->len - 2 * k) || is_variant(a, b);
}

static bool
has(const struct task_word *w, size_t n, const struct task_word *x)
{
	for (size_t i = 0; i < n; i++)
		if (is_same(&w[i], x))
			return true;
	return false;
}

/* ---- the verb, and its forms that say it done ---- */

static bool
ends_in(const struct task_word *w, const char *end)
{
	size_t n = strlen(end);

	return w->len > n + 1 && memcmp(w->folded + w->len - n, end, n) == 0;
}

/*
 * The consonants of a word of German or Dutch, up to the ending of so many bytes, without the "ge"
 * of a participle: those of "schreiben" and "geschrieben" are the same. Returns how many.
 */
static size_t
skeleton(const struct task_word *w, size_t ending, char out[SKELETON])
{
	size_t n = 0, end = w->len - ending;
	bool ge = false;

	for (size_t i = 0; i < end && n < SKELETON; i++) {
		char c = w->folded[i];

		if (!ge && c == 'g' && i + 3 < end && w->folded[i + 1] == 'e' &&
		    (i == 0 || i > 1)) {
			ge = true;
			i++;
			continue;
		}
		c = (char)(c == 'v' ? 'f' : c == 'z' ? 's' : c);
		if (strchr("aeiouhj", c) == NULL && (n == 0 || out[n - 1] != c))
			out[n++] = c;
	}
	return n;
}

/* The next of the endings behind the name of a class of the table; false: there is none. */
static bool
next_ending(const char **p, const char **end, size_t *n)
{
	*p += strspn(*p, " ");
	*end = *p;
	*n = strcspn(*p, " ");
	*p += *n;
	return *n > 0;
}

static const char *
endings(const char *class)
{
	const struct cues *c = cues_of(TABLE);
	size_t n;

	return cues_classes(c, &n)[cues_class(c, class)].rest;
}

static bool
is_germanic(const struct task_word *verb, const struct task_word *w)
{
	char of[SKELETON], is[SKELETON];
	size_t n = skeleton(verb, ends_in(verb, "en") ? 2 : ends_in(verb, "n"), of), k;
	const char *p = endings("ends_past"), *end;

	if ((w->len == verb->len && memcmp(w->folded, verb->folded, w->len) == 0) ||
	    n <= (w->len != verb->len + 1u))
		return false;
	while (next_ending(&p, &end, &k))
		if (w->len > k + 1 && memcmp(w->folded + w->len - k, end, k) == 0 &&
		    skeleton(w, k, is) == n && memcmp(of, is, n) == 0)
			return true;
	return false;
}

/* "reservado", of "reservar"; what has a mark is read as it was written: "reservé". */
static bool
is_romance(const struct task_word *verb, const struct task_word *w, const char *text)
{
	size_t n = verb->len, k;
	const char *p = endings("ends_verb"), *end;

	while (n == verb->len && next_ending(&p, &end, &k))
		n -= n > k && memcmp(verb->folded + n - k, end, k) == 0 ? k : 0;
	if (n < 3 || w->len <= n || memcmp(verb->folded, w->folded, n) != 0)
		return false;
	p = endings("ends_done");
	while (next_ending(&p, &end, &k))
		if (w->len == n + k && memcmp(w->folded + n, end, k) == 0)
			return true;
	p = endings("ends_marked");
	while (next_ending(&p, &end, &k))
		if (w->end - w->start > k && memcmp(text + w->end - k, end, k) == 0)
			return true;
	return false;
}

static bool
is_english(const struct task_word *verb, const struct task_word *w)
{
	bool begins = memcmp(verb->folded, w->folded, MIN(verb->len, w->len)) == 0;

	if (begins && w->len == verb->len + 2u && ends_in(w, "ed"))
		return true;               /* "added" and "add" have other stems */
	if (verb->n_stem == w->n_stem && memcmp(verb->stem, w->stem, w->n_stem) == 0)
		return ends_in(w, "ed") && !ends_in(verb, "ed");
	return is_variant(verb, w) && (!begins || (w->len > verb->len && ends_in(w, "n")));
}

/*
 * Whether a row of the table, of those whose name begins so, has the verb, and what begins at the
 * word as a form of it.
 */
static bool
is_in_row(const struct heard *h, const struct task_word *verb, const struct task_word *w,
	const char *row)
{
	size_t n_classes;
	const struct cue_class *classes = cues_classes(h->cues.of, &n_classes);

	for (size_t i = 0; i < h->cues.n; i++) {
		const struct cue *c = &h->cues.cues[i];
		const struct cue_class *class = &classes[c->class];

		if (c->start != w->start || strncmp(class->name, row, strlen(row)) != 0)
			continue;
		if (is_row_of(class, verb))
			return true;
	}
	return false;
}

/* Whether the word has a cue of a class. */
static bool
is_cue(const struct heard *h, const struct task_word *w, const char *class)
{
	for (size_t i = 0; i < h->cues.n; i++)
		if (h->cues.cues[i].start == w->start &&
		    cue_text_is(&h->cues, &h->cues.cues[i], class))
			return true;
	return false;
}

/* Whether a word in [from, to) has a cue of a class. */
static bool
has_between(const struct heard *h, size_t from, size_t to, const char *class)
{
	for (size_t i = from; i < to; i++)
		if (is_cue(h, &h->w[i], class))
			return true;
	return false;
}

/* Whether nothing stands behind the word that says something else than the verb: 预订, 订. */
static bool
is_last(const struct heard *h, size_t i, const struct task *t)
{
	while (++i < h->n)
		if ((h->w[i].thing || h->w[i].article) &&
		    !(h->w[i].unspaced && has(t->w, t->n, &h->w[i])))
			return false;
	return true;
}

/* A word of Chinese is done with a sign behind it, or where it is already. */
static bool
is_chinese(const struct task_word *verb, const struct heard *h, size_t i)
{
	return verb->unspaced && is_same(verb, &h->w[i]) &&
	    (has_between(h, i + 1, MIN(i + 4, h->n), "le") || has_between(h, 0, i, "already"));
}

/* Whether word i of a clause says the verb done. */
static bool
is_done_form(const struct task *t, const struct task_word *verb, const struct heard *h, size_t i)
{
	const struct task_word *w = &h->w[i];
	bool helped = has_between(h, 0, i, "have") || has_between(h, 0, i, "be");

	if (w->unspaced || verb->unspaced)
		return is_chinese(verb, h, i) || is_in_row(h, verb, w, "did_");
	if (is_in_row(h, verb, w, "did_") || is_english(verb, w) || is_romance(verb, w, h->text))
		return true;
	if (is_germanic(verb, w))          /* else it is a present, or ends a clause of its own */
		return helped || is_last(h, i, t) || (h->w[0].start == w->start);
	return is_cue(h, w, "same") && is_same(verb, w) && i > 0 &&
	    (has_between(h, i - 1, i, "be") || has_between(h, i - 1, i, "i"));
}

/* ---- its things ---- */

struct named {
	bool thing;                /* what stands at the verb: "saw guard", not "for Jonas" */
	bool some;                 /* a word of that */
	size_t n, all;             /* of its things, those that are named */
	bool number;               /* has another number than the task */
	bool other;                /* names something else */
};

static struct named
names(const struct task *t, size_t verb, const struct heard *h)
{
	struct named v = { .thing = true };
	bool run = true, numbers = false, number = false;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < t->n; i++) {
		const struct task_word *w = &t->w[i];
		bool is;

		numbers |= w->number;
		number |= w->number && has(h->w, h->n, w);
		if (i == verb || !w->thing)
			continue;
		is = has(h->w, h->n, w);
		run &= last == SIZE_MAX || last + 1 == i;
		v.thing &= is || !run;
		v.some |= is && run;
		last = i;
		v.n += is;
		v.all++;
	}
	for (size_t i = 0; i < h->n; i++) {
		const struct task_word *w = &h->w[i];

		v.number |= numbers && !number && w->number;
		v.other |= (w->thing || (w->number && !numbers)) && !has(t->w, t->n, w);
	}
	return v;
}

/*
 * The place of the next word that may be its verb, from i on: the first that says something, or an
 * infinitive of German or Dutch; t->n: none.
 */
static size_t
next_verb(const struct task *t, size_t i)
{
	size_t first = 0;

	while (first < t->n && !t->w[first].thing)
		first++;
	if (i <= first)
		return first;
	while (i < t->n && !(t->w[i].thing && t->w[i].len > 4 && ends_in(&t->w[i], "n")))
		i++;
	return i;
}

/*
 * Whether what was done to the thing is told: it stands behind the verb, or before one that is
 * passive or the speaker's ("is booked", "hab ich bestellt"), or both stand alone: "passport
 * renewed". "Mama visited us" is the other way round. A state is the thing's own: "the tap works".
 */
static bool
is_done_to(const struct task *t, size_t verb, const struct heard *h, size_t at)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < at; i++)
		for (size_t k = 0; k < t->n; k++)
			if (k != verb && t->w[k].thing && is_same(&t->w[k], &h->w[i]))
				last = i;
	if (last == SIZE_MAX || has_between(h, last + 1, at, "be") ||
	    has_between(h, last + 1, at, "i") || has_between(h, 0, at, "i_have"))
		return true;
	return h->w[0].thing && has(t->w, t->n, &h->w[0]) && is_last(h, at, t) &&
	    !has_between(h, 0, at, "have") && !is_cue(h, &h->w[at], "mutual");
}

/* ---- what a clause says ---- */

struct asking {
	const struct task *of;
	const char *text;
	size_t len;
	struct voucher voucher;
	enum task_says says;
};

/* Whether the thing, or what stands for it, is the clause's. */
static bool
is_of_thing(const struct task *t, size_t verb, const struct heard *h, const struct asking *v)
{
	static _Thread_local struct heard whole;
	struct named in = names(t, verb, h);

	if (in.number)
		return false;
	if ((double)in.n >= NEARLY_ALL * (double)in.all && in.thing && in.all > 0)
		return in.n == in.all || !in.other;
	if (in.other)
		return false;
	if (in.thing && in.all > 0)
		return true;
	if (in.all > 0 && (in.n > 0 || !has_between(h, 0, h->n, "it")))
		return false;
	hear(&whole, v->text, v->len);
	in = names(t, verb, &whole);
	return in.thing && (double)in.n >= NEARLY_ALL * (double)in.all;
}

/* Whether a clause says the task done, or that it need not be. */
static bool
says_done(const struct task *t, const struct heard *h, const struct asking *v, size_t *at)
{
	for (size_t verb = next_verb(t, 0); verb < t->n; verb = next_verb(t, verb + 1))
		for (size_t i = 0; i < h->n; i++) {
			bool any = is_cue(h, &h->w[i], "done") && i == 0 &&
			    has(h->w, h->n, &t->w[verb]);

			*at = h->w[i].start;
			if ((any || is_cue(h, &h->w[i], "did_it") ||
				is_in_row(h, &t->w[verb], &h->w[i], "now_") ||
				(is_done_form(t, &t->w[verb], h, i) &&
				    is_done_to(t, verb, h, i))) &&
			    is_of_thing(t, verb, h, v))
				return true;
		}
	return false;
}

static bool
needs_not(const struct task *t, const struct heard *h)
{
	const struct cue *off = cue_text_find(&h->cues, "off", 0);
	bool named = false;

	for (size_t verb = next_verb(t, 0); verb < t->n; verb = next_verb(t, verb + 1)) {
		struct named in = names(t, verb, h);

		named |= !in.other && !in.number && in.thing && in.n > 0;
	}
	if (!named)
		return false;
	if (cue_text_find(&h->cues, "moot", 0) != NULL)
		return true;
	for (size_t i = 0; off != NULL && i < h->n && h->w[i].start < off->start; i++)
		if (h->w[i].thing)
			return false;
	return off != NULL;
}

static int
on_clause(void *arg, const struct clause *c)
{
	const unsigned open = STANCE_WANTS | STANCE_TRIES | STANCE_ASKS;
	static _Thread_local struct heard h;
	static _Thread_local struct cue_text hedges;
	struct asking *v = arg;
	enum vouch by = vouch_next(&v->voucher, c);
	const char *sentence = v->text + c->sentence;
	const struct cue *hedge;
	size_t at;

	if ((by != VOUCH_OWN && by != VOUCH_LABELLED) ||
	    (c->flags & (CLAUSE_QUESTION | CLAUSE_QUOTED)) != 0)
		return 0;
	hear(&h, v->text + c->start, c->len);
	if (cue_text_find(&h.cues, "part", 0) != NULL ||
	    cue_text_find(&h.cues, "todo", 0) != NULL ||
	    cue_text_find(&h.cues, "not", 0) != NULL ||
	    (stance_of(sentence, c->sentence_len) & open) != 0)
		return 0;
	if (needs_not(v->of, &h)) {
		v->says = TASK_DONE;
		return 1;
	}
	if (cue_text_find(&h.cues, "deny", 0) != NULL || !says_done(v->of, &h, v, &at))
		return 0;
	cue_text_read(&hedges, HEDGES, sentence, c->sentence_len);
	hedge = cue_text_find(&hedges, "hedge", 0);
	if (hedge == NULL || hedge->start >= c->start - c->sentence + at)
		v->says = TASK_DONE;
	return v->says == TASK_DONE;
}

static bool
is_ticked(const char *line, size_t len)
{
	while (len > 0 && strchr(" \t-*+", *line) != NULL) {
		line++;
		len--;
	}
	return len > 4 && (memcmp(line, "[x] ", 4) == 0 || memcmp(line, "[X] ", 4) == 0);
}

/* Whether a task of a list in the text is ticked and is the same. */
static bool
ticks(const struct task *t, const char *text, size_t len)
{
	static _Thread_local struct heard h;

	for (size_t at = 0, end; at < len; at = end + 1) {
		const char *nl = memchr(text + at, '\n', len - at);

		end = nl != NULL ? (size_t)(nl - text) : len;
		if (!is_ticked(text + at, end - at))
			continue;
		hear(&h, text + at, end - at);
		struct named in = names(t, t->n, &h);
		if (in.n > 0 && (double)in.n >= NEARLY_ALL * (double)in.all && !in.number)
			return true;
	}
	return false;
}

enum task_says
task_heard(const struct task *t, const char *text, size_t len)
{
	static _Thread_local struct heard h;
	struct asking v = { .of = t, .text = text, .len = len };

	vouch_begin(&v.voucher, text, len, "", false);
	clauses_each(text, len, on_clause, &v);
	if (v.says == TASK_DONE || ticks(t, text, len))
		return TASK_DONE;
	hear(&h, text, len);
	for (size_t verb = next_verb(t, 0); verb < t->n; verb = next_verb(t, verb + 1)) {
		struct named in = names(t, verb, &h);

		if (in.all == 0 ? has(h.w, h.n, &t->w[verb])
				: in.some || 2 * in.n > in.all)
			return cue_text_find(&h.cues, "todo", 0) != NULL ? TASK_OPEN : TASK_DOUBT;
	}
	return TASK_NOTHING;
}

bool
task_spoken(const struct task *t, const char *text, size_t len)
{
	static _Thread_local struct heard h;
	size_t verb = next_verb(t, 0);

	hear(&h, text, len);
	for (; verb < t->n; verb = next_verb(t, verb + 1)) {
		struct named in = names(t, verb, &h);

		if (in.thing && in.n > 0 && has(h.w, h.n, &t->w[verb]))
			return true;
	}
	return false;
}
