/*
 * clause.c: first lines, then sentences, then clauses.
 *
 * A sentence is cut before a word where a new statement begins. Behind a semicolon, a dash or a
 * parenthesis that is always so. Behind a comma it is so when a subject follows ("he", "my",
 * "it's", a name with a verb), perhaps after a conjunction; without a comma, when a conjunction and
 * a pronoun follow ("and she"). The words are classes of schema/cues/statement.txt: joint, subject,
 * pronoun, finite, lead.
 */
#include "statement/clause.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "text/unicode.h"

enum { CUES_MOST = 512, CUTS_MOST = 64, SENTENCE_MOST = 2000 };

struct cutting {
	const char *text;
	size_t len;
	clause_fn *fn;
	void *arg;
	bool list, colon, stop;    /* of the line; of what came before; fn wants no more */
	int joint, subject, pronoun, finite, lead, oh, month;
};

/* ---- characters ---- */

static bool
at_text(const char *p, size_t len, const char *what)
{
	size_t n = strlen(what);

	return len >= n && memcmp(p, what, n) == 0;
}

/* The bytes of the first of marks, a list with blanks between, that stands at p; 0: none does. */
static size_t
mark_at(const char *p, size_t len, const char *marks)
{
	for (const char *m = marks; *m != '\0';) {
		size_t n = strcspn(m, " ");
		if (len >= n && memcmp(p, m, n) == 0)
			return n;
		m += n + (m[n] == ' ');
	}
	return 0;
}

static bool
is_han_before(const char *text, size_t at)
{
	uint32_t cp;
	enum unicode_class cls;

	if (at < 3)
		return false;
	unicode_next(text + at - 3, text + at, &cp, &cls);
	return cls == UNICODE_CJK;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- sentences ---- */

/*
 * Whether the full stop at p ends no sentence: behind a title or abbreviation ("Mr.", "z.B."), or
 * between a day and its month ("12. April").
 */
static bool
is_inner_stop(const struct cutting *c, size_t start, size_t at)
{
	static const char *const short_forms =
	    " mr mrs ms dr st prof fr hr bzw ca usw vgl nr no vs eg ie etc inc ltd approx e.g i.e "
	    "z.b d.h u.a p.m a.m ";
	char word[16] = " ";
	size_t from = at, n = 1, next = at + 1;
	bool digits = true;

	while (from > start && !is_blank(c->text[from - 1]) && c->text[from - 1] != '(')
		from--;
	if (at - from > 5 || at == from)
		return false;
	for (size_t i = from; i < at; i++) {
		digits &= ascii_is_digit(c->text[i]);
		word[n++] = ascii_lower(c->text[i]);
	}
	word[n++] = ' ';
	word[n] = '\0';
	if (strstr(short_forms, word) != NULL)
		return next < c->len;
	if (at - from == 1 && c->text[from] >= 'A' && c->text[from] <= 'Z' && c->text[from] != 'I')
		return true;                   /* an initial */
	while (next < c->len && c->text[next] == ' ')
		next++;
	if (!digits || at - from > 2 || next >= c->len)
		return false;
	if (c->text[next] >= 'a' && c->text[next] <= 'z')
		return true;
	for (size_t i = next;; i++)
		if (i == c->len || !(ascii_is_letter(c->text[i]) || c->text[i] < 0)) {
			struct cue cue[8];
			size_t k = cues_find(cues_of("schema/cues/statement.txt"), c->text + next,
			    i - next, cue, NELEM(cue), NULL);
			while (k > 0)
				if ((int)cue[--k].class == c->month)
					return true;
			return false;
		}
}

/* The end of the sentence that begins at start, its stops and closing marks included. */
static size_t
sentence_end(const struct cutting *c, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++) {
		size_t left = end - i, n = mark_at(c->text + i, left, "。 ！ ？ … .. ! ? .");
		size_t next = i + n;
		const char *close = c->text[i] == '`'
		    ? memchr(c->text + i + 1, '`', left - 1) : NULL;
		if (close != NULL)             /* stops in code end no sentence */
			i = (size_t)(close - c->text);
		if (n == 0)
			continue;
		while (next < end && (n = mark_at(c->text + next, end - next, "。 ！ ？ … ! ? .")) > 0)
			next += n;
		while (next < end &&
		    (n = mark_at(c->text + next, end - next, "\" ” ’ ) ） 」 * _")) > 0)
			next += n;
		if ((c->text[i] == '.' || c->text[i] == '!' || c->text[i] == '?') && next < end &&
		    !is_blank(c->text[next]) && !is_han_before(c->text, i)) {
			i = next - 1;
			continue;
		}
		if (c->text[i] == '.' && next == i + 1 && is_inner_stop(c, start, i))
			continue;
		return next;
	}
	return end;
}

/* ---- clauses ---- */

struct cut {
	size_t at;
	bool aside;                            /* what begins here stands in parentheses */
};

struct sentence {
	size_t start, end;
	struct cue cues[CUES_MOST];
	size_t n_cues;
	struct cut cuts[CUTS_MOST];
	size_t n_cuts;
};

/* The length of a cue of this class that begins at `at`; 0: none does. */
static size_t
cue_at(const struct sentence *s, size_t at, int class)
{
	size_t best = 0;

	for (size_t i = 0; i < s->n_cues && s->start + s->cues[i].start <= at; i++)
		if (s->start + s->cues[i].start == at && (int)s->cues[i].class == class)
			best = MAX(best, s->cues[i].len);
	return best;
}

static size_t
skip_blanks(const char *text, size_t at, size_t end)
{
	while (at < end && is_blank(text[at]))
		at++;
	return at;
}

static size_t
word_end(const char *text, size_t at, size_t end)
{
	while (at < end && !is_blank(text[at]) && strchr(",;:.!?()\"", text[at]) == NULL)
		at++;
	return at;
}

/* Whether a finite verb is one of the words at and behind `at`. */
static bool
is_verb_near(const struct cutting *c, const struct sentence *s, size_t at, unsigned words)
{
	for (unsigned k = 0; k < words; k++) {
		at = skip_blanks(c->text, word_end(c->text, at, s->end), s->end);
		if (cue_at(s, at, c->finite) > 0)
			return true;
	}
	return false;
}

/* Whether a name and a finite verb begin at `at`: "Joel does", "Tess already lives". */
static bool
is_name_and_verb(const struct cutting *c, const struct sentence *s, size_t at)
{
	return at < s->end && c->text[at] >= 'A' && c->text[at] <= 'Z' &&
	    is_verb_near(c, s, at, 3);
}

/* Whether the clause that has been read so far, up to `at`, has a subject or a verb. */
static bool
has_subject(const struct cutting *c, const struct sentence *s, size_t at)
{
	for (size_t i = 0; i < s->n_cues && s->start + s->cues[i].start < at; i++)
		if (s->start + s->cues[i].start >= s->cuts[s->n_cuts - 1].at &&
		    ((int)s->cues[i].class == c->pronoun || (int)s->cues[i].class == c->finite))
			return true;
	return false;
}

/* Whether a statement of its own begins at `at`, which is behind a comma or not. */
static bool
begins_statement(const struct cutting *c, const struct sentence *s, size_t at, bool comma)
{
	size_t n, joints = 0, begin = at;

	while ((n = cue_at(s, at, c->joint)) > 0 && joints++ < 3)
		at = skip_blanks(c->text, at + n, s->end);
	if (cue_at(s, at, c->pronoun) > 0)     /* but "Ann and I are", "Da wollen Ann und ich" */
		return comma || (joints > 0 && has_subject(c, s, begin));
	if (!comma && joints > 0)              /* "I live here and my sister has a boat" */
		return cue_at(s, at, c->subject) > 0 && is_verb_near(c, s, at, 3) &&
		    has_subject(c, s, begin);
	return comma && (cue_at(s, at, c->subject) > 0 || is_name_and_verb(c, s, at));
}

static void
add_cut(struct sentence *s, size_t at, bool aside)
{
	if (s->n_cuts == CUTS_MOST)
		return;
	if (s->n_cuts > 0 && s->cuts[s->n_cuts - 1].at == at)
		s->cuts[s->n_cuts - 1].aside |= aside;
	else
		s->cuts[s->n_cuts++] = (struct cut){ at, aside };
}

static void
find_cuts(const struct cutting *c, struct sentence *s)
{
	bool quoted = false, code = false, aside = false;

	s->n_cuts = 0;
	add_cut(s, s->start, false);
	for (size_t i = s->start, n; i < s->end; i++) {
		const char *p = c->text + i;
		size_t left = s->end - i;
		code ^= *p == '`';
		if (code)
			continue;
		if (mark_at(p, left, "\" “ ” „ 「 」") > 0)
			quoted = !quoted;
		if (quoted)
			continue;
		if ((n = mark_at(p, left, "( （")) > 0) {
			aside = true;
			add_cut(s, i + n, true);
		} else if ((n = mark_at(p, left, ") ）")) > 0) {
			aside = false;
			add_cut(s, i + n, false);
		} else if ((n = mark_at(p, left, "; ； — –")) > 0 ||
		    (i > s->start && p[-1] == ' ' && (n = mark_at(p, left, "- ")) > 0)) {
			add_cut(s, i + n, aside);
		} else if ((n = mark_at(p, left, ", ， :")) > 0 || (n = mark_at(p, left, "：")) > 0) {
			size_t next = skip_blanks(c->text, i + n, s->end);
			if (next > i + n || n == 3 || is_han_before(c->text, i))
				if (begins_statement(c, s, next, true))
					add_cut(s, next, aside);
		} else if (*p == ' ' && cue_at(s, i + 1, c->joint) > 0 &&
		    begins_statement(c, s, i + 1, false)) {
			add_cut(s, i + 1, aside);
		}
	}
}

/* The share of text[start, end) that stands in quotation marks is more than half. */
static bool
is_quoted(const char *text, size_t from, size_t start, size_t end)
{
	size_t inside = 0, n;
	bool open = false;

	for (size_t i = from; i < end; i++) {
		if ((n = mark_at(text + i, end - i, "\" “ ” „ 「 」")) > 0)
			open = !open;
		inside += open && i >= start;
	}
	return 2 * inside > end - start;
}

/*
 * The bytes of a word at `at` that only leads in: "anyway,", "oh", "and". Words that mean something
 * where no comma is behind them ("no milk", "now it runs") lead in only with one.
 */
static size_t
lead_len(const struct cutting *c, const struct sentence *s, size_t at, size_t end)
{
	size_t n = MAX(cue_at(s, at, c->lead), cue_at(s, at, c->oh)), next = at + n;

	if (n == 0 || next >= end)
		return 0;
	if (cue_at(s, at, c->joint) >= n || cue_at(s, at, c->oh) >= n)
		return n;
	if (mark_at(c->text + next, end - next, ", ， . ! : ： 、 ; - — – …") > 0)
		return n;
	next = skip_blanks(c->text, next, end);
	return next > at + n && lead_len(c, s, next, end) > 0 ? n : 0;
}

static void
hand_out(struct cutting *c, const struct sentence *s, size_t k, unsigned flags)
{
	static const char *const stops = " 。 ！ ？ … ， ； ： 、 ) ） ( ， — –";
	size_t start = s->cuts[k].at, n, end = k + 1 < s->n_cuts ? s->cuts[k + 1].at : s->end;
	struct clause out;

	for (bool more = true; more && start < end;) {
		n = lead_len(c, s, start, end);
		more = n > 0;
		start += n;
		while (start < end && strchr(" \t\r\n,;:.-!?*_)(", c->text[start]) != NULL) {
			start++;
			more = true;
		}
		if ((n = mark_at(c->text + start, end - start, stops + 1)) > 0) {
			start += n;
			more = true;
		}
	}
	while (end > start) {
		if (strchr(" \t\r\n,;:.-!?*_()", c->text[end - 1]) != NULL)
			end--;
		else if (end - start >= 3 && mark_at(c->text + end - 3, 3, stops + 1) == 3)
			end -= 3;
		else
			break;
	}
	if (end <= start)
		return;
	flags |= s->cuts[k].aside ? CLAUSE_ASIDE : 0;
	flags |= k > 0 ? CLAUSE_HALF : 0;
	flags |= is_quoted(c->text, s->start, start, end) ? CLAUSE_QUOTED : 0;
	flags |= c->colon ? CLAUSE_COLON : 0;
	out = (struct clause){ start, end - start, s->start, s->end - s->start, flags };
	c->stop |= c->fn(c->arg, &out) != 0;
	c->colon = false;
}

static void
cut_sentence(struct cutting *c, size_t start, size_t end)
{
	struct sentence s = { .start = start, .end = end };
	unsigned flags = c->list ? CLAUSE_LIST : 0;
	size_t last = end;

	while (last > start &&
	    (is_blank(c->text[last - 1]) || strchr("\")*_", c->text[last - 1]) != NULL))
		last--;
	if (last > start && c->text[last - 1] == '?')
		flags |= CLAUSE_QUESTION;
	if (last > start && c->text[last - 1] == '!')
		flags |= CLAUSE_EXCLAIM;
	if (last >= start + 3 && at_text(c->text + last - 3, 3, "？"))
		flags |= CLAUSE_QUESTION;
	if (last >= start + 3 && at_text(c->text + last - 3, 3, "！"))
		flags |= CLAUSE_EXCLAIM;
	s.n_cues = cues_find(cues_of("schema/cues/statement.txt"), c->text + start,
	    MIN(end - start, SENTENCE_MOST), s.cues, CUES_MOST, NULL);
	find_cuts(c, &s);
	for (size_t k = 0; k < s.n_cuts && !c->stop; k++)
		hand_out(c, &s, k, flags);
	c->colon = last > start && c->text[last - 1] == ':';
}

/* ---- lines ---- */

/* The bytes of a list's marker at the start of a line: "- ", "* ", "12. ", "3) ". */
static size_t
list_marker(const char *p, size_t len)
{
	size_t n = 0;

	if (len >= 2 && (*p == '-' || *p == '*' || *p == '+') && p[1] == ' ')
		return 2;
	if (at_text(p, len, "• ") || at_text(p, len, "·"))
		return mark_at(p, len, "• ·");
	while (n < len && n < 3 && ascii_is_digit(p[n]))
		n++;
	return n > 0 && n + 1 < len && (p[n] == '.' || p[n] == ')') && p[n + 1] == ' ' ? n + 2 : 0;
}

static void
cut_line(struct cutting *c, size_t start, size_t end)
{
	size_t marker;

	start = skip_blanks(c->text, start, end);
	marker = list_marker(c->text + start, end - start);
	c->list = marker > 0;
	for (start += marker; start < end && !c->stop;) {
		size_t stop = sentence_end(c, start, end);
		cut_sentence(c, start, stop);
		start = skip_blanks(c->text, stop, end);
	}
}

void
clauses_each(const char *text, size_t len, clause_fn *fn, void *arg)
{
	const struct cues *cues = cues_of("schema/cues/statement.txt");
	struct cutting c = { .text = text, .len = len, .fn = fn, .arg = arg,
		.joint = cues_class(cues, "joint"), .subject = cues_class(cues, "subject"),
		.pronoun = cues_class(cues, "pronoun"), .finite = cues_class(cues, "finite"),
		.lead = cues_class(cues, "lead"), .oh = cues_class(cues, "oh"),
		.month = cues_class(cues, "month") };
	bool code = false;

	for (size_t i = 0, end; i < len && !c.stop; i = end + 1) {
		for (end = i; end < len && text[end] != '\n'; end++)
			;
		if (at_text(text + i, end - i, "```")) {
			code = !code;
			continue;
		}
		if (code || i == end || text[i] == '>' || text[i] == '|' || text[i] == '\t' ||
		    at_text(text + i, end - i, "    ") || at_text(text + i, end - i, "$ "))
			continue;
		cut_line(&c, i, end);
	}
}
