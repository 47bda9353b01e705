/*
 * clause.c: first lines, then sentences, then clauses.
 *
 * A sentence (statement/sentence.h) is cut before a word where a new statement begins. Behind a
 * semicolon or a dash that is always so, at a parenthesis where a statement is in it. Behind a
 * comma it is so when a subject follows ("he", "my", "it's", a name with a verb), perhaps after a
 * conjunction; without a comma, when a conjunction and a pronoun follow ("and she"). The words are
 * classes of schema/cues/statement.txt: joint, subject, pronoun, finite, lead.
 */
#include "statement/clause.h"

#include "base/ascii.h"
#include "base/span.h"
#include "statement/cues.h"
#include "statement/rule.h"
#include "statement/sentence.h"
#include "statement/speech.h"

#define QUOTES "\" “ ” „ « » 「 」 『 』"

enum { ASIDE_WORDS = 5, CUES_MOST = 512, CUTS_MOST = 64, SENTENCE_MOST = 2000 };

struct cutting {
	const char *text;
	size_t len;
	clause_fn *fn;
	void *arg;
	bool list, colon, stop;    /* of the line; of what came before; fn wants no more */
	int joint, subject, pronoun, finite, never, lead, oh;
};

/* ---- characters ---- */

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
word_end(const char *text, size_t at, size_t end)
{
	while (at < end && !ascii_is_space(text[at]) && strchr(",;:.!?()\"", text[at]) == NULL)
		at++;
	return at;
}

/* Whether a finite verb is one of the words at and behind `at`. */
static bool
is_verb_near(const struct cutting *c, const struct sentence *s, size_t at, unsigned words)
{
	for (unsigned k = 0; k < words; k++) {
		at = ascii_skip(c->text, word_end(c->text, at, s->end), s->end);
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

/* Whether what begins at `at` belongs to what is said before it: "ids are text, never int". */
static bool
is_rest(const struct cutting *c, const struct sentence *s, size_t at)
{
	return cue_at(s, at, c->never) > 0 && has_subject(c, s, at) &&
	    rule_of(c->text + at, s->end - at) != RULE_ORDER;
}

/* Whether a statement of its own begins at `at`, which is behind a comma or not. */
static bool
begins_statement(const struct cutting *c, const struct sentence *s, size_t at, bool comma)
{
	size_t n, joints = 0, begin = at;

	while ((n = cue_at(s, at, c->joint)) > 0 && joints++ < 3)
		at = ascii_skip(c->text, at + n, s->end);
	if (cue_at(s, at, c->pronoun) > 0)     /* but "Ann and I are", "Da wollen Ann und ich" */
		return comma || (joints > 0 && has_subject(c, s, begin));
	if (!comma && joints > 0)              /* "I live here and my sister has a boat" */
		return cue_at(s, at, c->subject) > 0 && is_verb_near(c, s, at, 3) &&
		    has_subject(c, s, begin);
	return comma && ((cue_at(s, at, c->subject) > 0 && !is_rest(c, s, at)) ||
	    is_name_and_verb(c, s, at));
}

/*
 * Whether what begins at `at`, in parentheses, says something of its own: "(she is a nurse)", but
 * not "(8)", "(CEO of ACME, Inc.)". *close: where the parentheses end.
 */
static bool
is_aside(const struct cutting *c, const struct sentence *s, size_t at, size_t *close)
{
	size_t words = 0, n = 0, han = 0;
	bool says = false;

	for (; at < s->end && (n = sentence_mark(c->text + at, s->end - at, ") ）")) == 0; at++) {
		words += !ascii_is_space(c->text[at]) && ascii_is_space(c->text[at - 1]);
		han += sentence_han_before(c->text, at);
		says |= cue_at(s, at, c->pronoun) > 0 || cue_at(s, at, c->finite) > 0;
	}
	*close = at;
	return says || words + 1 > ASIDE_WORDS || han > 3 * ASIDE_WORDS;
}

/* The bytes of hyphens between blanks, which are a dash; but not of "npm test -- --watch". */
static size_t
hyphens_at(const struct cutting *c, const struct sentence *s, size_t at)
{
	const char *text = c->text;
	size_t n = 0, next;

	while (at + n < s->end && text[at + n] == '-')
		n++;
	if (n == 0 || at == s->start || !ascii_is_space(text[at - 1]) ||
	    (at + n < s->end && !ascii_is_space(text[at + n])))
		return 0;
	next = ascii_skip(text, at + n, s->end);
	return n == 2 && next < s->end && text[next] == '-' ? 0 : n;
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
	size_t close;

	s->n_cuts = 0;
	add_cut(s, s->start, false);
	for (size_t i = s->start, n; i < s->end; i++) {
		const char *p = c->text + i;
		size_t left = s->end - i;
		code ^= *p == '`';
		if (code)
			continue;
		if (sentence_mark(p, left, QUOTES) > 0)
			quoted = !quoted;
		if (quoted)
			continue;
		if ((n = sentence_mark(p, left, "( （")) > 0 && !is_aside(c, s, i + n, &close)) {
			i = close;
		} else if (n > 0) {
			aside = true;
			add_cut(s, i + n, true);
		} else if (aside && (n = sentence_mark(p, left, ") ）")) > 0) {
			aside = false;
			add_cut(s, i + n, false);
		} else if ((n = sentence_mark(p, left, "； — –")) > 0 ||
		    (*p == ';' && (n = 1) > 0 && (left == 1 || ascii_is_space(p[1]) ||
			sentence_han_before(c->text, i))) ||
		    (n = hyphens_at(c, s, i)) > 0) {
			add_cut(s, i + n, aside);
		} else if ((n = sentence_mark(p, left, ", ， : ：")) > 0) {
			size_t next = ascii_skip(c->text, i + n, s->end);
			if (next > i + n || n == 3 || sentence_han_before(c->text, i))
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
		if ((n = sentence_mark(text + i, end - i, QUOTES)) > 0)
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
	if (sentence_mark(c->text + next, end - next, ", ， . ! : ： 、 ; - — – …") > 0)
		return n;
	next = ascii_skip(c->text, next, end);
	return next > at + n && lead_len(c, s, next, end) > 0 ? n : 0;
}

/* The bytes of a blank or a mark that no clause begins with; ".env" and "--force" are words. */
static size_t
mark_before(const char *p, size_t len)
{
	size_t n = 0;

	while (n + 1 < len && *p == '-' && p[n] == '-')
		n++;
	if (n == 2 || (n == 1 && len > 2 && ascii_is_space(p[2])) || (*p == '.' && len > 1))
		if (ascii_is_letter(p[MAX(n, 1)]))
			return 0;
	return strchr(" \t\r\n,;:.-!?*_)", *p) != NULL ? 1
	    : sentence_mark(p, len, "。 ！ ？ … ， ； ： 、 ) ） （ — – →");
}

/* The bytes of a blank or a mark at the end of text[start, end) that belongs to no word of it. */
static size_t
mark_behind(const char *text, size_t start, size_t end)
{
	size_t n = strchr(" \t\r\n,;:.-!?*_()", text[end - 1]) != NULL, open = 0, shut = 0, k;

	if (n == 0 && end - start >= 3 &&
	    sentence_mark(text + end - 3, 3, "。 ！ ？ … ， ； ： 、 （ ） — –") == 3)
		n = 3;
	if (n == 0 || sentence_mark(text + end - n, n, ") ）") == 0)
		return n;
	for (size_t i = start; i < end; i += MAX(k, 1)) {      /* "(8)" stays whole */
		if ((k = sentence_mark(text + i, end - i, "( （")) > 0)
			open++;
		else if ((k = sentence_mark(text + i, end - i, ") ）")) > 0)
			shut++;
	}
	return open >= shut ? 0 : n;
}

static void
hand_out(struct cutting *c, const struct sentence *s, size_t k, unsigned flags)
{
	size_t start = s->cuts[k].at, n, end = k + 1 < s->n_cuts ? s->cuts[k + 1].at : s->end;
	struct clause out;

	while (start < end && ((n = lead_len(c, s, start, end)) > 0 ||
		(n = mark_before(c->text + start, end - start)) > 0))
		start += n;
	while (end > start && (n = mark_behind(c->text, start, end)) > 0)
		end -= n;
	if (end <= start)
		return;
	flags |= s->cuts[k].aside ? CLAUSE_ASIDE : 0;
	flags |= k > 0 ? CLAUSE_HALF : 0;
	if (is_quoted(c->text, s->start, start, end))
		flags |= sentence_mark(c->text + start, end - start, QUOTES) > 0
		    ? CLAUSE_QUOTED | CLAUSE_CITED : CLAUSE_QUOTED;
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
	    (ascii_is_space(c->text[last - 1]) || strchr("\")*_", c->text[last - 1]) != NULL))
		last--;
	if (last > start && c->text[last - 1] == '?')
		flags |= CLAUSE_QUESTION;
	if (last > start && c->text[last - 1] == '!')
		flags |= CLAUSE_EXCLAIM;
	if (last >= start + 3 && span_begins(c->text + last - 3, 3, "？"))
		flags |= CLAUSE_QUESTION;
	if (last >= start + 3 && span_begins(c->text + last - 3, 3, "！"))
		flags |= CLAUSE_EXCLAIM;
	s.n_cues = cues_find(cues_of("schema/cues/statement.txt"), c->text + start,
	    MIN(end - start, SENTENCE_MOST), s.cues, CUES_MOST, NULL);
	find_cuts(c, &s);
	for (size_t k = 0; k < s.n_cuts && !c->stop; k++)
		hand_out(c, &s, k, flags);
	c->colon = last > start && c->text[last - 1] == ':';
}

/* ---- lines ---- */

size_t
clause_marker(const char *p, size_t len)
{
	size_t n = 0;

	if (len >= 2 && (*p == '-' || *p == '*' || *p == '+') && p[1] == ' ')
		return 2;
	if (span_begins(p, len, "• ") || span_begins(p, len, "·"))
		return sentence_mark(p, len, "• ·");
	while (n < len && n < 3 && ascii_is_digit(p[n]))
		n++;
	return n > 0 && n + 1 < len && (p[n] == '.' || p[n] == ')') &&
	    (p[n + 1] == ' ' || p[n + 1] == '\t') ? n + 2 : 0;
}

static void
cut_line(struct cutting *c, size_t start, size_t end)
{
	size_t marker;

	start = ascii_skip(c->text, start, end);
	marker = clause_marker(c->text + start, end - start);
	c->list = marker > 0;
	for (start += marker; start < end && !c->stop;) {
		size_t stop = sentence_end(c->text, start, end);
		cut_sentence(c, start, stop);
		start = ascii_skip(c->text, stop, end);
	}
}

/* The mark of a line that opens or closes code; NUL: it is none. */
static char
fence(const char *p, size_t len)
{
	while (len > 0 && *p == ' ')
		p++, len--;
	return span_begins(p, len, "```") || span_begins(p, len, "~~~") ? *p : '\0';
}

/*
 * Where lines that stand in quotation marks together end: the first, [start, end), begins with the
 * mark that opens them, the last ends with the one that closes them; `end`: there are none.
 */
static size_t
quote_end(const char *text, size_t len, size_t start, size_t end)
{
	static const char *const pairs[][2] = { { "\"", "\"" }, { "“", "”" }, { "„", "“" },
		{ "«", "»" }, { "「", "」" }, { "『", "』" } };
	size_t at = ascii_skip(text, start, end), most = MIN(len, end + SENTENCE_MOST), n;

	for (size_t i = 0; i < NELEM(pairs); i++) {
		if ((n = sentence_mark(text + at, end - at, pairs[i][0])) == 0)
			continue;
		for (at += n; at < most && sentence_mark(text + at, most - at, pairs[i][1]) == 0;)
			at++;
		if (at >= most || at < end)
			return end;
		for (at += strlen(pairs[i][1]); at < len && strchr(" .,!?\r", text[at]) != NULL;)
			at++;
		return at >= len || text[at] == '\n' ? at : end;
	}
	return end;
}

void
clauses_each(const char *text, size_t len, clause_fn *fn, void *arg)
{
	const struct cues *cues = cues_of("schema/cues/statement.txt");
	struct cutting c = { .text = text, .len = len, .fn = fn, .arg = arg,
		.joint = cues_class(cues, "joint"), .subject = cues_class(cues, "subject"),
		.pronoun = cues_class(cues, "pronoun"), .finite = cues_class(cues, "finite"),
		.never = cues_class(cues, "never"),
		.lead = cues_class(cues, "lead"), .oh = cues_class(cues, "oh") };
	enum speech speech;
	char code = '\0', mark;                 /* the mark of the fence that is open */

	for (size_t i = 0, end, from; i < len && !c.stop; i = end + 1) {
		for (end = i; end < len && text[end] != '\n'; end++)
			;
		if ((mark = fence(text + i, end - i)) != '\0' && (code == '\0' || code == mark)) {
			code = code == '\0' ? mark : '\0';
			continue;
		}
		if (code != '\0' || i == end || strchr(">|\t", text[i]) != NULL ||
		    span_begins(text + i, end - i, "    ") || span_begins(text + i, end - i, "$ "))
			continue;
		if ((speech = speech_of_line(text, len, i, end)) == SPEECH_OVER)
			break;
		if ((from = quote_end(text, len, i, end)) > end || speech == SPEECH_NONE) {
			end = from;
			continue;
		}
		for (from = i; speech_goes_on(text, len, from, end);) {
			from = end + 1;
			while (++end < len && text[end] != '\n')
				;
		}
		cut_line(&c, i, end);
	}
}
