/*
 * task.c: a task has words; of these one may be its verb, the first, or an infinitive at the end.
 * Each clause of a later text that its author vouches for is asked whether it has that verb as
 * done, by its regular forms, by the irregular ones of text/variants.h, or by a row of the table,
 * and the thing in the place of what it was done to.
 */
#include "statement/task.h"

#include <strings.h>

#include "statement/stance.h"
#include "statement/statement.h"
#include "statement/vouch.h"
#include "text/words.h"
#include "time/timewords.h"

#define TABLE      "schema/cues/todo.txt"
#define HEDGES     "schema/cues/ends.txt"
#define SPANS_MOST 8
#define NEARLY_ALL 0.75                    /* of its things */
#define SKELETON   24                      /* bytes of a word without vowels */

struct heard {                             /* a text, or a part of it */
	const char *text;
	size_t n;
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
			.article = lex_is(&t, LEX_DETERMINER, LEX_ANY, NULL),
			.thing = !timed && !t.figures &&
			    (t.capital || !lex_is(&t, LEX_FUNCTION, LEX_ANY, NULL)) &&
			    !lex_is(&t, LEX_STOP, LEX_ANY, NULL) };
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
	h->n = read_words(text, len, h->w);
	cue_text_read(&h->cues, TABLE, text, len);
	cue_text_read(&other, HEDGES, text, len);
	static const char *const classes[] = { "aside", "off", "moot" };
	set_aside(h->w, h->n, &other, "aside");
	for (size_t i = 0; i < NELEM(classes); i++)
		set_aside(h->w, h->n, &h->cues, classes[i]);
}

/* The next of the words or endings behind the name of a class; false: there is none. */
static bool
next_of(const char **p, const char **word, size_t *len)
{
	*word = *p + strspn(*p, " ");
	*len = strcspn(*word, " ");
	*p = *word + *len;
	return *len > 0;
}

static bool
ends_in(const struct task_word *w, const char *end, size_t n)
{
	return w->len > n && memcmp(w->folded + w->len - n, end, n) == 0;
}

/* Whether the verb is of those behind the name of a row. */
static bool
is_row_of(const struct cue_class *row, const struct task_word *verb)
{
	const char *p = row->rest, *of;
	size_t n;

	while (next_of(&p, &of, &n))
		if (n == verb->len && memcmp(of, verb->folded, n) == 0)
			return true;
	return false;
}

void
task_read(struct task *t, const char *text, size_t len)
{
	static _Thread_local struct cue_text found;
	size_t n_classes;
	const struct cue_class *classes = cues_classes(cues_of(TABLE), &n_classes);
	size_t label = statement_label(text, len, NULL);
	static const char *const behind[] = { "when", "why", "if" };
	size_t end = len;

	cue_text_read(&found, TABLE, text, len);
	for (size_t i = 0; i < NELEM(behind); i++) {
		const struct cue *c = cue_text_find(&found, behind[i], 0);
		if (c != NULL && c->start > label)
			end = MIN(end, c->start);
	}
	*t = (struct task){ .n = 0 };
	t->n = read_words(text, end, t->w);
	for (size_t i = 0; i < t->n; i++)      /* "machen" is a function word elsewhere */
		for (size_t k = 0; k < n_classes; k++)
			t->w[i].thing |= strncmp(classes[k].name, "did_", 4) == 0 &&
			    is_row_of(&classes[k], &t->w[i]);
	set_aside(t->w, t->n, &found, "todo");
	set_aside(t->w, t->n, &found, "aside");
	for (size_t i = 0; i < t->n && t->w[i].start < label; i++)
		t->w[i].thing = false;
	for (size_t i = 0; i < t->n; i++) {
		struct task_word *w = &t->w[i];

		w->n_forms = (uint8_t)variants_of(w->stem, w->n_stem, w->forms);
		/* the first that says something, or an infinitive of German or Dutch */
		if (w->thing && (t->n_verbs == 0 || ends_in(w, "n", 1)))
			t->verbs[t->n_verbs++] = (uint8_t)i;
	}
}

/* Whether a word of a text is another form of the task's. */
static bool
is_form(const struct task_word *of, const struct task_word *w)
{
	for (size_t i = 0; i < of->n_forms; i++)
		if (of->forms[i].len == w->n_stem &&
		    memcmp(of->forms[i].term, w->stem, w->n_stem) == 0)
			return true;
	return false;
}

/* Whether both name the same: another ending is none. */
static bool
is_same(const struct task_word *a, const struct task_word *b)
{
	size_t k = 0, most = MAX(a->len, b->len), rest;

	while (k < a->len && k < b->len && a->folded[k] == b->folded[k])
		k++;
	rest = strspn(a->folded + k, "aeinors") + strspn(b->folded + k, "aeinors");
	return (a->n_stem == b->n_stem && memcmp(a->stem, b->stem, a->n_stem) == 0) ||
	    (k >= 4 && most <= k + 2 && rest == a->len + b->len - 2 * k) || is_form(a, b) ||
	    is_form(b, a);
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

/*
 * The consonants of a word of German or Dutch, up to the ending of so many bytes, without the "ge"
 * of a participle: those of "schreiben" and "geschrieben" are the same. Returns how many.
 */
static size_t
skeleton(const struct task_word *w, size_t ending, char out[SKELETON])
{
	size_t n = 0, end = w->len - ending;

	for (size_t i = 0; i < end && n < SKELETON; i++) {
		bool ge = i + 3 < end && memcmp(w->folded + i, "ge", 2) == 0;
		char c = w->folded[i];

		c = (char)(ge ? 'e' : c == 'v' ? 'f' : c == 'z' ? 's' : c);
		if (strchr("aeiouhj", c) == NULL && (n == 0 || out[n - 1] != c))
			out[n++] = c;
	}
	return n;
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
	size_t n = skeleton(verb, ends_in(verb, "en", 2) ? 2 : ends_in(verb, "n", 1), of), k;
	const char *p = endings("ends_past"), *end;

	if ((w->len == verb->len && memcmp(w->folded, verb->folded, w->len) == 0) ||
	    n <= (w->len != verb->len + 1u))
		return false;
	while (next_of(&p, &end, &k))
		if (ends_in(w, end, k) && skeleton(w, k, is) == n && memcmp(of, is, n) == 0)
			return true;
	return false;
}

/* "reservado", of "reservar"; what has a mark is read as it was written: "reservé". */
static bool
is_romance(const struct task_word *verb, const struct task_word *w, const char *text)
{
	size_t n = verb->len, k, soft;
	const char *p = endings("ends_verb"), *end;

	while (n == verb->len && next_of(&p, &end, &k))
		n -= n > k && memcmp(verb->folded + n - k, end, k) == 0 ? k : 0;
	soft = n > 0 && verb->folded[n - 1] == 'c' && w->folded[n - 1] == 'q';   /* "busquei" */
	if (n < 3 || memcmp(verb->folded, w->folded, n - soft) != 0)
		return false;
	p = endings("ends_done");
	while (next_of(&p, &end, &k))
		if (w->len == n + soft + k && memcmp(w->folded + n + soft, end, k) == 0)
			return true;
	p = endings("ends_marked");
	while (next_of(&p, &end, &k))
		if (w->end - w->start > k && memcmp(text + w->end - k, end, k) == 0)
			return true;
	return false;
}

static bool
is_english(const struct task_word *verb, const struct task_word *w)
{
	bool begins = memcmp(verb->folded, w->folded, MIN(verb->len, w->len)) == 0;

	if (begins && w->len == verb->len + 2u && ends_in(w, "ed", 2))
		return true;               /* "added" and "add" have other stems */
	if (verb->n_stem == w->n_stem && memcmp(verb->stem, w->stem, w->n_stem) == 0)
		return ends_in(w, "ed", 2) && !ends_in(verb, "ed", 2);
	if (w->len + 2u < verb->len)
		return false;              /* a short form, "docs", and no irregular one */
	return is_form(verb, w) && (!begins || ends_in(w, "n", 1));
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

		if (c->start == w->start && strncmp(class->name, row, strlen(row)) == 0 &&
		    is_row_of(class, verb))
			return true;
	}
	return false;
}

/* Whether a word in [from, to) has a cue of a class. */
static bool
has_cue(const struct heard *h, size_t from, size_t to, const char *class)
{
	for (size_t i = 0; i < h->cues.n && from < to; i++)
		for (size_t k = from; k < to && cue_text_is(&h->cues, &h->cues.cues[i], class); k++)
			if (h->cues.cues[i].start == h->w[k].start)
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

/* Whether word i of a clause says the verb done. */
static bool
is_done_form(const struct task *t, const struct task_word *verb, const struct heard *h, size_t i)
{
	const struct task_word *w = &h->w[i];
	bool helped = has_cue(h, 0, i, "have") || has_cue(h, 0, i, "be");

	if (w->unspaced)                   /* of Chinese, with a sign behind it, or already */
		return is_same(verb, w) && (has_cue(h, i + 1, MIN(i + 4, h->n), "le") ||
		    has_cue(h, 0, i, "already"));
	if (is_in_row(h, verb, w, "did_") || is_english(verb, w) || is_romance(verb, w, h->text))
		return true;
	if (is_germanic(verb, w))          /* else it is a present, or ends a clause of its own */
		return helped || is_last(h, i, t) || (h->w[0].start == w->start);
	return has_cue(h, i, i + 1, "same") && is_same(verb, w) && i > 0 &&
	    (has_cue(h, i - 1, i, "be") || has_cue(h, i - 1, i, "i"));
}

/* ---- its things ---- */

struct named {
	bool thing;                /* what stands at the verb: "saw guard", not "for Jonas" */
	bool some;                 /* a word of that */
	size_t n, all;             /* of its things, those that are named */
	bool number;               /* has another number than the task */
	bool other;                /* names something else */
};

/* said: the word of h that says the verb, and names nothing; NULL: none does. */
static struct named
names(const struct task *t, const struct task_word *verb, const struct heard *h,
	const struct task_word *said)
{
	struct named v = { .thing = true };
	bool run = true, numbers = false, missing = false;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < t->n; i++) {
		const struct task_word *w = &t->w[i];
		bool is;

		numbers |= w->number;
		missing |= w->number && !has(h->w, h->n, w);
		if (w == verb || !w->thing)
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

		v.number |= missing && w->number;
		v.other |= w != said && (w->thing || (w->number && !numbers)) &&
		    !has(t->w, t->n, w);
	}
	return v;
}

/*
 * Whether what was done to the thing is told: it stands behind the verb, or before one that is
 * passive or the speaker's ("is booked", "hab ich bestellt"), or both stand alone: "passport
 * renewed". "Mama visited us" is the other way round. A state is the thing's own: "the tap works".
 */
static bool
is_done_to(const struct task *t, const struct heard *h, size_t at)
{
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < at; i++)
		for (size_t k = 0; k < t->n; k++)
			if (t->w[k].thing && is_same(&t->w[k], &h->w[i]))
				last = i;
	if (last == SIZE_MAX || has_cue(h, last + 1, at, "be") ||
	    has_cue(h, last + 1, at, "i") || has_cue(h, 0, at, "i_have"))
		return true;
	return h->w[0].thing && has(t->w, t->n, &h->w[0]) && is_last(h, at, t) &&
	    !has_cue(h, 0, at, "have") && !has_cue(h, at, at + 1, "mutual");
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
is_of_thing(const struct task *t, const struct task_word *verb, const struct heard *h,
	const struct task_word *said, const struct asking *v)
{
	static _Thread_local struct heard whole;
	struct named in = names(t, verb, h, said);

	if (in.number)
		return false;
	if (in.thing && in.all > 0)
		return in.n == in.all || !in.other;
	if (in.other || (in.all > 0 && (in.n > 0 || !has_cue(h, 0, h->n, "it"))))
		return false;
	hear(&whole, v->text, v->len);
	in = names(t, verb, &whole, NULL);
	return in.thing && (double)in.n >= NEARLY_ALL * (double)in.all;
}

/* Whether word i says that who was to be asked has answered: "Piet answered" of "ask Piet". */
static bool
is_answer(const struct task *t, const struct task_word *verb, const struct heard *h, size_t i)
{
	size_t who = i > 1 && has_cue(h, i - 1, i, "have") ? i - 2 : i - 1;

	return i > 0 && i < h->n && is_in_row(h, verb, &h->w[i], "back_") && h->w[who].thing &&
	    has(t->w, t->n, &h->w[who]);
}

static bool
begins_answer(const struct task *t, const struct heard *h)
{
	bool any = false;

	for (size_t k = 0; k < t->n_verbs; k++)
		any |= is_answer(t, &t->w[t->verbs[k]], h, 1);
	return h->n > 1 && any;
}

/* Whether a clause says the task done; *at: where. */
static bool
says_done(const struct task *t, const struct heard *h, const struct asking *v, size_t *at)
{
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];

		for (size_t i = 0; i < h->n; i++) {
			const struct task_word *w = &h->w[i];

			*at = w->start;
			if (((i == 0 && has_cue(h, 0, 1, "done") && has(h->w, h->n, verb)) ||
				has_cue(h, i, i + 1, "did_it") || is_in_row(h, verb, w, "now_") ||
				is_answer(t, verb, h, i) ||
				(is_done_form(t, verb, h, i) && is_done_to(t, h, i))) &&
			    is_of_thing(t, verb, h, w, v))
				return true;
		}
	}
	return false;
}

/*
 * Whether it says of the words of a task, all of them and nothing else, that it is there now: "the
 * README badges are in". So a task says it that has no verb. *at: where.
 */
static bool
is_there(const struct task *t, const struct heard *h, size_t *at)
{
	const struct cue *there = cue_text_find(&h->cues, "there", 0);
	struct named in = names(t, NULL, h, NULL);

	if (there == NULL || in.n < 2 || in.n < in.all || in.number)
		return false;
	*at = there->start;
	for (size_t i = 0; i < h->n; i++) {
		const struct task_word *w = &h->w[i];
		/* behind it "now" at most: "the party is in May" */
		if (w->start >= cue_end(there) ? !has_cue(h, i, i + 1, "aside")
		    : w->start < there->start  ? w->thing && !has(t->w, t->n, w)
					       : false)
			return false;
	}
	return true;
}

/* Whether the speaker gives it up: "I will not call Anna after all"; *at: where. */
static bool
is_given_up(const struct task *t, const struct heard *h, size_t *at)
{
	const struct cue *up = cue_text_find(&h->cues, "given_up", 0),
			 *all = cue_text_find(&h->cues, "after_all", 0),
			 *not = cue_text_find(&h->cues, "i_will_not", 0);

	if (up == NULL && all != NULL)
		up = not;
	if (up == NULL || !has_cue(h, 0, h->n, "self"))
		return false;
	*at = up->start;
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, h, NULL);

		if (has(h->w, h->n, verb) && in.n > 0 && in.thing && !in.other && !in.number)
			return true;
	}
	return false;
}

/* Whether it says that the task need not be done; *at: where. */
static bool
needs_not(const struct task *t, const struct heard *h, size_t *at)
{
	const struct cue *moot = cue_text_find(&h->cues, "moot", 0),
			 *off = cue_text_find(&h->cues, "off", 0);
	bool named = false;

	if (moot == NULL && off == NULL)
		return false;
	*at = moot != NULL ? moot->start : off->start;
	for (size_t i = 0; moot == NULL && i < h->n && h->w[i].start < off->start; i++)
		if (h->w[i].thing)
			return false;
	for (size_t k = 0; k < t->n_verbs; k++) {
		struct named in = names(t, &t->w[t->verbs[k]], h, NULL);

		named |= !in.other && !in.number && in.thing && in.n > 0;
	}
	return named;
}

/* Whether what stands at that place is only supposed: "once the volumes are deleted". */
static bool
waits(const struct heard *h, size_t at)
{
	static const char *const before[] = { "when", "after", "if" };
	const struct cue *c;

	for (size_t i = 0; i < NELEM(before); i++)
		if ((c = cue_text_find(&h->cues, before[i], 0)) != NULL && c->start <= at)
			return true;
	return false;
}

static int
on_clause(void *arg, const struct clause *c)
{
	static _Thread_local struct heard h;
	static _Thread_local struct cue_text hedges;
	struct asking *v = arg;
	enum vouch by = vouch_next(&v->voucher, c);
	const char *sentence = v->text + c->sentence;
	const struct cue *hedge;
	bool given_up;
	size_t at;

	if ((by != VOUCH_OWN && by != VOUCH_LABELLED && by != VOUCH_REPORTED) ||
	    (c->flags & CLAUSE_QUOTED) != 0)
		return 0;
	hear(&h, v->text + c->start, c->len);
	/* what is reported is another's, but not that he reports it */
	if (by == VOUCH_REPORTED && !begins_answer(v->of, &h))
		return 0;
	given_up = is_given_up(v->of, &h, &at);
	if (cue_text_find(&h.cues, "part", 0) != NULL ||
	    cue_text_find(&h.cues, "todo", 0) != NULL ||
	    (!given_up && (cue_text_find(&h.cues, "not", 0) != NULL ||
		(!needs_not(v->of, &h, &at) && (cue_text_find(&h.cues, "deny", 0) != NULL ||
		    (!says_done(v->of, &h, v, &at) && !is_there(v->of, &h, &at)))))) ||
	    (stance_of(sentence, c->sentence_len) & (STANCE_WANTS | STANCE_ASKS)) != 0)
		return 0;
	if (waits(&h, at))
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
	return len > 4 && strncasecmp(line, "[x] ", 4) == 0;
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
		struct named in = names(t, NULL, &h, NULL);
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
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, &h, NULL);

		if (in.all == 0 ? has(h.w, h.n, verb) : in.some || 2 * in.n > in.all)
			return cue_text_find(&h.cues, "todo", 0) != NULL ? TASK_OPEN : TASK_DOUBT;
	}
	return TASK_NOTHING;
}

bool
task_spoken(const struct task *t, const char *text, size_t len)
{
	static _Thread_local struct heard h;

	hear(&h, text, len);
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, &h, NULL);

		if (in.thing && in.n > 0 && has(h.w, h.n, verb))
			return true;
	}
	return false;
}
