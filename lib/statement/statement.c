/*
 * statement.c: the words of a clause decide (statement/lasting.h): of 549 facts of real histories a
 * head that was learnt found none that they did not.
 */
#include "statement/statement.h"

#include "base/ascii.h"
#include "base/span.h"
#include "base/utf8.h"
#include "statement/cues.h"
#include "statement/ended.h"
#include "statement/lasting.h"
#include "statement/rule.h"
#include "statement/sentence.h"
#include "statement/speech.h"

#define TABLE "schema/cues/lasting.txt"
#define TODOS "schema/cues/todo.txt"

enum { SHORTEST = 4, SHORT_CHARACTERS = 60, CUES_MOST = 64 };
/* words that stand alone: "we decided" and "Todo: Ann" do not */
enum { ALONE = 4, LABELLED = 3 };
enum { SLOT_FAR = 6 };                     /* words: "I've got a dodgy left knee" */
enum { LABEL_BYTES = 60, LABEL_WORDS = 1, LABEL_GAP = 4 };
enum { BOX = 4 };                          /* bytes of "[ ] " */
enum { DONE_BYTES = 200 };                 /* behind a todo, in which it is said to be done */
enum { TAG_WORDS = 2 };                    /* of "isn't it?" */
enum { QUESTION_MARK = 4 };                /* of "?" or "？" and a blank before it */

/* Whether the clause itself asks; "I live in Rome, is that far?" does not in its first half. */
static bool
is_question(const struct statement_turn *t, const struct clause *c)
{
	const struct cues *table = cues_of("schema/cues/statement.txt");
	int ask = cues_class(table, "ask"), inverted = cues_class(table, "inverted");
	struct cue cues[CUES_MOST];
	size_t n;

	if ((c->flags & CLAUSE_QUESTION) == 0)
		return false;
	n = cues_find(table, t->text + c->start, c->len, cues, CUES_MOST, NULL);
	for (size_t i = 0; i < n; i++)
		if (cues[i].at == 0 &&
		    ((int)cues[i].class == ask || (int)cues[i].class == inverted))
			return true;
	return false;
}

/*
 * Whether the clause asks: its question mark is its own, and all of it asks ("Is that so from now
 * on?"), or of a rule more than "ok?" behind the last comma ("Ann, would you do it from now on?").
 * What people ask each other to do is no rule of theirs without a mark either.
 */
static bool
asks(const struct statement_turn *t, const struct clause *c, enum reading_kind kind)
{
	const char *text = t->text + c->start;
	size_t rest = c->sentence + c->sentence_len - (c->start + c->len), at = c->len;
	unsigned n_words = 0;

	if (kind == READ_RULE && (t->talk || t->unheard) &&
	    cues_has("schema/cues/statement.txt", "would_you", text, c->len))
		return true;
	if ((c->flags & CLAUSE_QUESTION) == 0 || rest > QUESTION_MARK)
		return false;
	while (at > 0 && text[at - 1] != ',')
		at--;
	if (kind == READ_RULE)
		cues_find(cues_of(TABLE), text + at, c->len - at, NULL, 0, &n_words);
	return at == 0 || n_words > TAG_WORDS;
}

/*
 * Reads the next clause of the text that v was begun with, whose words behind a label begin at
 * `from`. Returns whether its author vouches for it, so that it may be kept.
 */
static bool
read_clause(const struct statement_turn *t, const struct clause *c, size_t from, struct voucher *v,
	const struct reading_by *by, struct reading *out)
{
	enum vouch by_author = vouch_next(v, c);

	reading_of(t->text + from, c->start + c->len - from, by, out);
	if (is_question(t, c) || !speech_stands(t->text + c->start, c->len))
		return false;
	if (by_author == VOUCH_SUPPOSED)       /* "if tests fail, never push" is a rule */
		return out->kind == READ_RULE && !vouch_is_first(t->text + c->start, c->len);
	if (by_author == VOUCH_CONDITION)
		return !out->single || out->kind == READ_RULE;
	return by_author == VOUCH_OWN;
}

/* Whether it opens with what is or has who says it, and soon names of what that is one. */
static bool
says_own(const char *text, size_t len)
{
	static _Thread_local struct cue_text c;
	const struct cue *state;

	cue_text_read(&c, TABLE, text, len);
	state = cue_text_find(&c, "state", 0);
	if (state == NULL || state->at > 0)
		return false;
	cue_text_read(&c, "schema/cues/slots.txt", text, len);
	return c.n > 0 && c.cues[0].at <= SLOT_FAR;
}

/*
 * How many words a statement must have to be kept; 0: it is not. Its words must say that it lasts;
 * what is wanted counts where somebody tells it to an assistant, as people ask each other for much.
 * What they tell it of themselves counts where it names a property of theirs
 * (schema/cues/slots.txt), too.
 */
static unsigned
words_needed(const struct statement_turn *t, struct statement *s)
{
	size_t len = s->len;
	const char *text = t->text + s->start, *about = s->read.about;
	bool told = !t->talk && !t->unheard, work = t->project || t->talk, kept = false;
	enum rule rule = t->talk ? RULE_NOT : rule_of(text, len);
	enum lasting lasting;

	lasting = lasting_of(text, len, &s->read.kind);
	if (rule == RULE_ORDER ||
	    (rule != RULE_NOT && told && t->project && lasting != LASTING_NOT)) {
		s->read.kind = rule == RULE_STAYS ? READ_DECISION : READ_RULE;
		s->decided = told && t->project;
		return rule == RULE_ORDER ? 1 : LABELLED;
	}
	if (lasting != LASTING_NOT && lasting != LASTING_UNSAID && speech_hangs(text, len))
		return 0;
	switch (lasting) {
	case LASTING_SAID:
		s->decided = told && t->project && s->read.kind == READ_RULE;
		if (t->talk && s->read.kind == READ_TODO)
			return 0;              /* "don't forget to rest" is said to another one */
		return ALONE;
	case LASTING_ORDER:
		return told && t->project ? ALONE : 0;
	case LASTING_ERRAND:                   /* in work much has to be done, and is at once */
		return t->project || sentence_asks(text, MIN(len + 1, t->len - s->start)) ||
		    cues_has(TODOS, "not", text, len) || cues_has(TODOS, "if", text, len)
		    ? 0
		    : ALONE;
	case LASTING_TOLD:
		kept = told;
		break;
	case LASTING_OWN:
		if (strncmp(about, "project:", 8) == 0)
			snprintf(s->read.about, sizeof(s->read.about), "user");
		return 1;
	case LASTING_LIFE:
		kept = !s->read.unknown && strncmp(about, "project:", 8) != 0;
		break;
	case LASTING_LIKED:
		kept = !work && utf8_count(text, len) <= SHORT_CHARACTERS;
		break;
	case LASTING_UNSAID:
		kept = !work && *s->read.slot != '\0' && says_own(text, len);
		if (told && t->project && ended_names(text, len)) {
			s->read.kind = READ_DECISION;
			return 1;
		}
		kept |= told && ended_moves(text, len);
		break;
	case LASTING_NOT:
		break;
	}
	return kept ? 1 : 0;
}

/* ---- what a colon leads to ---- */

/* Behind blanks and marks of bold. */
static size_t
skip_marks(const struct statement_turn *t, size_t at)
{
	while (at < t->len && strchr(" *_\r", t->text[at]) != NULL)
		at++;
	return at;
}

/*
 * "We decided:" says what stands behind the colon in its line, and takes that; false: there is
 * nothing, as what a list below says is not known to be all of it.
 */
static bool
take_told(const struct statement_turn *t, struct statement *s)
{
	size_t at = skip_marks(t, s->start + s->len), end,
	       n = sentence_mark(t->text + at, t->len - at, ": ：");

	if (n == 0)
		return true;
	at = skip_marks(t, at + n);
	if (at >= t->len || t->text[at] == '\n')
		return false;
	end = sentence_end(t->text, at, span_line_end(t->text, t->len, at));
	while (end > at && strchr(" .\r\n", t->text[end - 1]) != NULL)
		end--;
	/* what leads to more is nothing yet, and what is too long stays away */
	if (t->text[end - 1] != ':' && end - s->start <= STATEMENT_BYTES)
		s->len = end - s->start;
	return true;
}

/* ---- labels ---- */

/* "Decided:" and the like, which says what kind of statement stands behind it. */
struct label {
	size_t start, end;                     /* its bytes; end 0: there is none */
	enum reading_kind kind;
	bool denied;                           /* "not decided:" */
};

struct taking {
	const struct statement_turn *turn;
	const struct reading_by *by;
	struct voucher v;
	struct label label;                    /* the clause before; end 0: that was none */
	size_t taken;                          /* what stands before this byte is part of one */
	statement_fn *fn;
	void *arg;
};

/* The colon at p, perhaps behind a blank of any width, as French has one; NULL: there is none. */
static const char *
colon_at(const char *p)
{
	p += *p == ' '                      ? 1
	    : strncmp(p, "\u00a0", 2) == 0 ? 2
	    : strncmp(p, "\u202f", 3) == 0 ? 3
					   : 0;
	return *p == ':' || strncmp(p, "：", 3) == 0 ? p : NULL;
}

/* What a label of this class is of; false: it is none. */
static bool
is_label(unsigned class, enum reading_kind *kind)
{
	static const struct { const char *class; enum reading_kind kind; } labels[] = {
		{ "label_decision", READ_DECISION }, { "label_todo", READ_TODO },
		{ "label_rule", READ_RULE }, { "label_fact", READ_FACT } };

	for (size_t i = 0; i < NELEM(labels); i++)
		if ((int)class == cues_class(cues_of(TABLE), labels[i].class)) {
			*kind = labels[i].kind;
			return true;
		}
	return false;
}

/* Finds one in the first words of the clause. */
static bool
find_label(const char *text, const struct clause *c, struct label *out)
{
	const struct cues *table = cues_of(TABLE);
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text + c->start, MIN(c->len, LABEL_BYTES), cues, CUES_MOST,
		NULL);

	for (size_t i = 0; i < n; i++) {
		const char *end = colon_at(text + c->start + cue_end(&cues[i]));
		bool denied = lasting_denies(table, cues, i, cues[i].at);

		enum reading_kind kind;

		if (end == NULL || (cues[i].at > LABEL_WORDS && !denied) ||
		    !is_label(cues[i].class, &kind))
			continue;
		*out = (struct label){ c->start, (size_t)(end - text), kind, denied };
		return true;
	}
	return false;
}

size_t
statement_label(const char *text, size_t len, enum reading_kind *kind)
{
	struct label l;

	if (!find_label(text, &(struct clause){ .len = len }, &l) || l.denied)
		return 0;
	for (l.end += text[l.end] == ':' ? 1 : 3; l.end < len && text[l.end] == ' ';)
		l.end++;
	if (kind != NULL)
		*kind = l.kind;
	return MIN(l.end, len);
}

size_t
statement_head(const char *text, size_t len, enum reading_kind *kind)
{
	static _Thread_local struct cue_text found;
	size_t at = statement_label(text, len, kind);
	const struct cue *cue;

	cue_text_read(&found, TABLE, text, len);
	if ((cue = cue_text_find(&found, "decided", 0)) == NULL)
		return at;
	if (kind != NULL)
		*kind = READ_DECISION;
	at = MAX(at, cue_end(cue));
	if ((cue = cue_text_find(&found, "decided_to", at)) != NULL && cue->start <= at + 2)
		at = cue_end(cue);
	while (at < len && strchr(", ", text[at]) != NULL)
		at++;
	return at < len ? at : statement_label(text, len, NULL);
}

/* Whether all its words say that there is nothing: "none yet", "TBD", "see above". */
static bool
says_nothing(const char *text, size_t len)
{
	const struct cues *table = cues_of(TABLE);
	int classes[] = { cues_class(table, "empty"), cues_class(table, "denied") };
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text, len, cues, CUES_MOST, NULL), k = 0;

	for (size_t i = 0; i < len; i++) {
		while (k < n && (cues[k].start + cues[k].len <= i ||
		    ((int)cues[k].class != classes[0] && (int)cues[k].class != classes[1])))
			k++;
		if ((k == n || i < cues[k].start) &&
		    (ascii_is_alnum(text[i]) || (unsigned char)text[i] >= 0x80))
			return false;
	}
	return true;
}

/* Hands out a statement of at least so many words, with what it leads to. */
static int
take(struct taking *k, struct statement *s, unsigned least)
{
	size_t end = s->start + s->len;
	unsigned n_words;

	if (!take_told(k->turn, s))
		return 0;
	if (s->read.kind == READ_TODO && least == ALONE &&
	    cues_has("schema/cues/rule.txt", "standing", k->turn->text + s->start, s->len))
		return 0;                      /* "note to self: never ..." is a rule */
	cues_find(cues_of(TABLE), k->turn->text + s->start, s->len, NULL, 0, &n_words);
	if (n_words < least)
		return 0;
	if (s->start + s->len > end)
		k->taken = s->start + s->len;
	return k->fn(k->arg, s);
}

/* Where the words of a clause begin: behind a label's colon. */
static size_t
behind_label(const char *text, const struct clause *c, const struct label *l)
{
	return MIN(c->start + c->len, MAX(c->start, l->end + (text[l->end] == ':' ? 1 : 3)));
}

/*
 * Whether it is said behind what is to be done, or in parentheses at the end of it, that it is:
 * "(done already)", "edit: done".
 */
static bool
is_done_behind(const struct statement_turn *t, size_t start, size_t end)
{
	static _Thread_local struct cue_text c;
	size_t at = end, stop = span_line_end(t->text, t->len, end);
	const struct cue *edit;

	if (end > start && (t->text[end - 1] == ')' || t->text[end - 1] == ']'))
		while (--at > start && t->text[at] != '(' && t->text[at] != '[')
			;
	while (at < stop && strchr(".!; ", t->text[at]) != NULL)
		at++;
	cue_text_read(&c, TODOS, t->text + at, MIN(stop - at, (size_t)DONE_BYTES));
	edit = cue_text_find(&c, "edit", 0);
	return cue_text_find(&c, "done", 0) != NULL && (t->text[at] == '(' || t->text[at] == '[' ||
		(edit != NULL && edit->start == 0 && t->text[at + edit->len] == ':')) &&
	    cue_text_find(&c, "not", 0) == NULL && cue_text_find(&c, "deny", 0) == NULL &&
	    cue_text_find(&c, "part", 0) == NULL;
}

/*
 * Where what is labelled a decision ends, which somebody meant to be kept: with the sentence, "nom
 * is out, we write the parser by hand", but before another label.
 */
static size_t
decision_end(const char *text, const struct clause *c)
{
	size_t from = c->start + c->len, end = c->sentence + c->sentence_len;
	struct cue cues[CUES_MOST];
	size_t n = MIN(cues_find(cues_of(TABLE), text + from, end - from, cues, CUES_MOST, NULL),
		(size_t)CUES_MOST);
	enum reading_kind kind;

	for (size_t i = n; i-- > 0;)
		if (is_label(cues[i].class, &kind) &&
		    colon_at(text + from + cue_end(&cues[i])) != NULL)
			end = from + cues[i].start;
	for (size_t n_mark = 1; n_mark > 0 && end > from; end -= n_mark)
		n_mark = strchr(" \t\r\n,;:.-!*_", text[end - 1]) != NULL
		    ? 1
		    : end - from >= 3 ? sentence_mark(text + end - 3, 3, "。 ！ … ， ； ：") : 0;
	return end;
}

/* A statement with a label: the label's kind, and its words before it. */
static int
take_labelled(struct taking *k, const struct clause *c, const struct label *l,
	struct statement *s)
{
	const char *text = k->turn->text;
	size_t end = s->start + s->len, start = behind_label(text, c, l);

	if (l->denied || (c->flags & CLAUSE_QUESTION) != 0 ||
	    says_nothing(text + start, end - start) ||
	    (l->kind == READ_TODO && is_done_behind(k->turn, start, end)))
		return 0;
	s->read.kind = l->kind;
	s->decided = l->kind == READ_RULE && k->turn->project && !k->turn->talk;
	s->start = l->start;
	if (l->kind == READ_DECISION) {
		start = decision_end(text, c);
		end = start - l->start <= STATEMENT_BYTES ? start : end;
		k->taken = end;
	}
	s->len = end - l->start;
	return take(k, s, LABELLED);
}

/* Whether the clause is an item of a person's list of tasks that is not ticked: "[ ] call Ann". */
static bool
is_unticked(const struct statement_turn *t, const struct clause *c)
{
	return !t->told && c->len > BOX + SHORTEST && c->start == c->sentence &&
	    strncmp(t->text + c->start, "[ ] ", BOX) == 0;
}

/* Takes such an item as a whole; the box says that its author vouches for it. */
static int
take_task(struct taking *k, const struct clause *c)
{
	const char *text = k->turn->text;
	size_t start = c->start + BOX, end = c->sentence + c->sentence_len;
	struct statement s;

	while (end > start && strchr(".: \r\n", text[end - 1]) != NULL)
		end--;
	s = (struct statement){ .start = start, .len = end - start };
	vouch_next(&k->v, c);
	if (s.len > STATEMENT_BYTES || says_nothing(text + start, s.len))
		return 0;
	reading_of(text + start, s.len, k->by, &s.read);
	s.read.kind = READ_TODO;
	take_told(k->turn, &s);                /* it is one, whatever follows */
	k->taken = s.start + s.len;
	return k->fn(k->arg, &s);
}

static int
take_clause(void *arg, const struct clause *c)
{
	struct taking *k = arg;
	struct statement s = { .start = c->start, .len = c->len };
	struct label l = k->label;
	unsigned least;
	bool labelled = l.end > 0 && c->start <= l.end + LABEL_GAP;
	size_t first = l.start;

	k->label.end = 0;
	if (c->start < k->taken) {
		vouch_next(&k->v, c);
		return 0;
	}
	if (find_label(k->turn->text, c, &l)) {
		l.start = labelled ? first : l.start;
		if (l.end >= c->start + c->len) {
			k->label = l;
			return 0;
		}
		labelled = true;
	}
	if (is_unticked(k->turn, c))
		return take_task(k, c);
	if (c->len < SHORTEST || c->len > STATEMENT_BYTES ||
	    !read_clause(k->turn, c, labelled ? behind_label(k->turn->text, c, &l) : c->start,
		&k->v, k->by, &s.read))
		return 0;
	if (labelled)
		return take_labelled(k, c, &l, &s);
	if (k->turn->nobody ||                 /* or whose words they are is known */
	    (k->turn->talk && *k->by->speaker != '\0' && strcmp(s.read.slot, "name") == 0))
		return 0;
	least = words_needed(k->turn, &s);
	if (least == 0 || (s.read.kind >= READ_DECISION && asks(k->turn, c, s.read.kind)))
		return 0;
	return take(k, &s, least);
}

/* Whether it has two headings of Markdown: what an assistant gets to read is not told it. */
static bool
is_document(const struct statement_turn *t)
{
	unsigned headings = 0;
	bool code = false;                     /* where "# " begins a comment */

	for (size_t at = 0, n; at < t->len; at = span_line_end(t->text, t->len, at) + 1) {
		const char *p = t->text + at;

		code ^= strncmp(p, "```", 3) == 0 || strncmp(p, "~~~", 3) == 0;
		n = strspn(p, "#");
		headings += !code && n > 0 && n <= 6 && p[n] == ' ';
	}
	return headings > 1;
}

void
statements_of(const struct statement_turn *t, const struct reading_by *by, statement_fn *fn,
	void *arg)
{
	static const struct reading_by nobody = { .speaker = "", .project = "",
		.time_us = TIME_NONE };
	struct taking k = { .turn = t, .by = by != NULL ? by : &nobody, .fn = fn, .arg = arg };

	if (!t->told && !t->talk && !t->unheard && is_document(t))
		return;
	vouch_begin(&k.v, t->text, t->len, k.by->speaker,
	    t->played != NULL && *t->played);
	k.v.taken_back = t->taken_back;
	clauses_each(t->text, t->len, take_clause, &k);
	if (t->played != NULL)
		*t->played = k.v.played;
}

void
statements_each(const char *text, size_t len, statement_fn *fn, void *arg)
{
	statements_of(&(struct statement_turn){ .text = text, .len = len }, NULL, fn, arg);
}

/* ---- preferences ---- */

/* Whether a word of liking is there behind a subject, or opens the text, or ends with an s. */
static bool
has_liking(const char *text, size_t len)
{
	const struct cues *table = cues_of("schema/cues/statement.txt");
	int likes[] = { cues_class(table, "like"), cues_class(table, "dislike") };
	int subject = cues_class(table, "pronoun"), first = cues_class(table, "first");
	struct cue cues[CUES_MOST];
	size_t n = cues_find(table, text, len, cues, CUES_MOST, NULL);
	bool own = false;

	for (size_t i = 0; i < n; i++) {
		own |= (int)cues[i].class == subject || (int)cues[i].class == first;
		if (((int)cues[i].class == likes[0] || (int)cues[i].class == likes[1]) &&
		    (own || cues[i].at < 2 || text[cues[i].start + cues[i].len - 1] == 's'))
			return true;
	}
	return false;
}

struct alone { struct clause clause; size_t n; };

static int
count_clause(void *arg, const struct clause *c)
{
	struct alone *a = arg;

	a->clause = *c;
	return ++a->n > 1;
}

bool
statement_is_short(const char *text, size_t len, const struct reading_by *by,
	struct statement *out)
{
	struct alone a = { .n = 0 };
	enum reading_kind kind = READ_FACT;

	if (utf8_count(text, len) > SHORT_CHARACTERS)
		return false;
	clauses_each(text, len, count_clause, &a);
	*out = (struct statement){ .start = a.clause.start, .len = a.clause.len };
	if (a.n != 1 || (a.clause.flags & (CLAUSE_QUESTION | CLAUSE_QUOTED)) != 0 ||
	    lasting_of(text + out->start, out->len, &kind) == LASTING_NOT ||
	    kind != READ_PREFERENCE ||
	    !speech_stands(text + out->start, out->len) || !vouch_is_own(text, len))
		return false;
	reading_of(text + out->start, out->len, by, &out->read);
	out->read.kind = kind;
	return true;
}

bool
statement_is_preference(const char *text, size_t len)
{
	return len <= STATEMENT_BYTES && has_liking(text, len);
}
