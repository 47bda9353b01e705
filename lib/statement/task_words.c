/*
 * task_words.c: the words of a task and of a text in which it may be said done, and the forms of a
 * verb that say so: regular ones by their endings, irregular ones of text/variants.h, and rows of
 * the table.
 */
#include "statement/task_parts.h"

#include "statement/statement.h"
#include "text/words.h"
#include "time/timewords.h"

#define SPANS_MOST 8
#define SKELETON   24                      /* bytes of a word without vowels */

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

void
task_hear(struct heard *h, const char *text, size_t len)
{
	static _Thread_local struct cue_text other;

	h->text = text;
	h->n = read_words(text, len, h->w);
	cue_text_read(&h->cues, TASK_TABLE, text, len);
	cue_text_read(&other, TASK_HEDGES, text, len);
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
	const struct cue_class *classes = cues_classes(cues_of(TASK_TABLE), &n_classes);
	size_t label = statement_label(text, len, NULL);
	static const char *const behind[] = { "when", "why", "if" };
	size_t end = len;

	cue_text_read(&found, TASK_TABLE, text, len);
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

bool
task_same(const struct task_word *a, const struct task_word *b)
{
	size_t k = 0, most = MAX(a->len, b->len), rest;

	while (k < a->len && k < b->len && a->folded[k] == b->folded[k])
		k++;
	rest = strspn(a->folded + k, "aeinors") + strspn(b->folded + k, "aeinors");
	return (a->n_stem == b->n_stem && memcmp(a->stem, b->stem, a->n_stem) == 0) ||
	    (k >= 4 && most <= k + 2 && rest == a->len + b->len - 2 * k) || is_form(a, b) ||
	    is_form(b, a);
}

bool
task_has(const struct task_word *w, size_t n, const struct task_word *x)
{
	for (size_t i = 0; i < n; i++)
		if (task_same(&w[i], x))
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
	const struct cues *c = cues_of(TASK_TABLE);
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

bool
task_in_row(const struct heard *h, const struct task_word *verb, const struct task_word *w,
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

bool
task_has_cue(const struct heard *h, size_t from, size_t to, const char *class)
{
	for (size_t i = 0; i < h->cues.n && from < to; i++)
		for (size_t k = from; k < to && cue_text_is(&h->cues, &h->cues.cues[i], class); k++)
			if (h->cues.cues[i].start == h->w[k].start)
				return true;
	return false;
}

bool
task_is_last(const struct heard *h, size_t i, const struct task *t)
{
	while (++i < h->n)
		if ((h->w[i].thing || h->w[i].article) &&
		    !(h->w[i].unspaced && task_has(t->w, t->n, &h->w[i])))
			return false;
	return true;
}

bool
task_done_form(const struct task *t, const struct task_word *verb, const struct heard *h, size_t i)
{
	const struct task_word *w = &h->w[i];
	bool helped = task_has_cue(h, 0, i, "have") || task_has_cue(h, 0, i, "be");

	if (w->unspaced)                   /* of Chinese, with a sign behind it, or already */
		return task_same(verb, w) && (task_has_cue(h, i + 1, MIN(i + 4, h->n), "le") ||
		    task_has_cue(h, 0, i, "already"));
	if (task_in_row(h, verb, w, "did_") || is_english(verb, w) || is_romance(verb, w, h->text))
		return true;
	if (is_germanic(verb, w))          /* else it is a present, or ends a clause of its own */
		return helped || task_is_last(h, i, t) || (h->w[0].start == w->start);
	return task_has_cue(h, i, i + 1, "same") && task_same(verb, w) && i > 0 &&
	    (task_has_cue(h, i - 1, i, "be") || task_has_cue(h, i - 1, i, "i"));
}
