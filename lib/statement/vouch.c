/*
 * vouch.c: what is found in a clause holds for it, and is carried to the clauses behind it as far
 * as it reaches: a condition and what somebody says to the end of the sentence, a scene that is set
 * and a speaker's label to the end of the line, a task to the end of the paragraph.
 */
#include "statement/vouch.h"

#include "base/ascii.h"
#include "statement/cues.h"
#include "lexicon/unicode.h"
#include "statement/sentence.h"

enum { OPENING_BYTES = 40, LABEL_BYTES = 40, LABEL_WORDS = 3, OPENING = 2, OPENING_HAN = 3 };

/* Cues of a span of the text, with their places in bytes of the text. */
struct look {
	const char *text;
	size_t start, end, len;                /* len: of the text */
	struct cue_text found;
};

static void
look_at(struct look *l, const char *text, size_t len, size_t start, size_t end)
{
	*l = (struct look){ .text = text, .start = start, .end = end, .len = len };
	cue_text_read(&l->found, "schema/cues/vouch.txt", text + start, end - start);
	for (size_t i = 0; i < l->found.n; i++)
		l->found.cues[i].start += start;
}

static bool
is_of(const struct look *l, const struct cue *cue, const char *class)
{
	return cue_text_is(&l->found, cue, class);
}

/* The first cue of the class at or behind byte `from`; NULL: there is none. */
static const struct cue *
find(const struct look *l, const char *class, size_t from)
{
	return cue_text_find(&l->found, class, from);
}

/* Whether the text goes on at `at` with one of marks, a list with blanks between. */
static bool
goes_on(const struct look *l, size_t at, const char *marks)
{
	for (const char *m = marks; *m != '\0';) {
		size_t n = strcspn(m, " ");
		if (at + n <= l->len && memcmp(l->text + at, m, n) == 0)
			return true;
		m += n + (m[n] == ' ');
	}
	return false;
}

static bool
is_han(const struct look *l, size_t at)
{
	return at < l->len && (unsigned char)l->text[at] >= 0xe3;
}

/* Whether a cue is one of the words that open the clause. */
static bool
opens(const struct look *l, const struct cue *cue)
{
	return cue != NULL && cue->at < (is_han(l, cue->start) ? OPENING_HAN : OPENING);
}

/* ---- conditions ---- */

/* "Suppose I live in Oslo"; but "I suppose", and an "imagine that!" that sets no scene. */
static bool
sets_scene(const struct look *l)
{
	const struct cue *cue = find(l, "scene", l->start), *own = find(l, "own", l->start);

	if (!opens(l, cue) || (own != NULL && own->start < cue->start))
		return false;
	return l->end - (cue->start + cue->len) > 6 || goes_on(l, l->end, ", : ， ：");
}

/* "Sí, vivo en Madrid" sets no condition. */
static enum vouch
judge_condition(const struct look *l)
{
	const struct cue *cue = find(l, "if", l->start);

	while (cue != NULL && cue->len < sizeof("sí") && goes_on(l, cue->start + cue->len, ","))
		cue = find(l, "if", cue->start + 1);
	if (cue == NULL)
		return VOUCH_OWN;
	return opens(l, cue) || find(l, "unreal", l->start) != NULL ? VOUCH_SUPPOSED
								     : VOUCH_CONDITION;
}

/* ---- texts to work on ---- */

/* The end of the paragraph that goes on at `at`, or begins behind it; known within a task. */
static size_t
paragraph_end(const struct voucher *v, size_t at)
{
	if (at < v->task_end)
		return v->task_end;
	at = ascii_skip(v->text, at, v->len);
	while (at < v->len &&
	    !(v->text[at] == '\n' && at + 1 < v->len && v->text[at + 1] == '\n'))
		at++;
	return at;
}

/* A task is no task when its author speaks of what they do: "I translate novels". */
static bool
is_told(const struct look *l, const struct cue *cue)
{
	const struct cue *own = find(l, "first", l->start), *ask = find(l, "request", l->start);

	return own != NULL && own->start < cue->start && (ask == NULL || ask->start > cue->start);
}

/* Nor is it one in a note of what is to be done: "Todo: translate the page". */
static bool
is_noted(const struct look *l, const struct cue *task)
{
	static _Thread_local struct cue_text labels;
	const struct cue *label;

	cue_text_read(&labels, "schema/cues/lasting.txt", l->text + l->start,
	    task->start - l->start);
	label = cue_text_find(&labels, "label_todo", 0);
	return label != NULL && label->at < OPENING;
}

/*
 * A text is made or worked on: "Translate: ...", "Write a story about ...". Where a colon follows,
 * what stands behind it is that text.
 */
static bool
judge_task(struct voucher *v, const struct look *l, const struct clause *c)
{
	const struct cue *task = find(l, "translate", l->start), *write, *text = NULL;
	bool made = task != NULL;
	size_t end = c->sentence + c->sentence_len;

	if (task == NULL && (write = find(l, "write", l->start)) != NULL) {
		text = find(l, "text", write->start + write->len);
		task = text != NULL ? write : NULL;
		made = text != NULL && find(l, "made", write->start + write->len) != NULL;
	}
	if (task == NULL || is_told(l, task))
		return false;
	for (size_t i = task->start + task->len; i < end; i++)
		if (goes_on(l, i, ": ：")) {
			v->task_end = paragraph_end(v, i + 1);
			return true;
		}
	if (text == NULL && is_noted(l, task))
		return false;
	return made && (opens(l, task) || find(l, "request", l->start) != NULL);
}

/* Whether a sentence begins with a paper and a colon, which its author calls so: "Bio: ...". */
static bool
is_field(const struct look *l, const struct cue *paper, size_t colon)
{
	const struct cue *label = find(l, "label", l->start);
	size_t end = cue_end(paper);

	while (end < colon && strchr("*_ ", l->text[end]) != NULL)
		end++;
	return label != NULL && label->start == paper->start && paper->at == 0 && end == colon;
}

/*
 * A text of another hand follows: "[forwarded]", "Shorten this" and a line's end or a colon hand
 * over all that is left, "Lyrics:" its paragraph, or all below its line. "Bob's sister here" needs
 * neither. l: of the sentence.
 */
static void
hand_over(struct voucher *v, const struct look *l)
{
	const struct cue *handed = find(l, "handed", l->start), *paper = find(l, "paper", l->start);
	const struct cue *here = find(l, "here", l->start), *own = find(l, "first", l->start);
	size_t colon = l->start, behind;

	while (colon < l->end && !(goes_on(l, colon, "：") || (l->text[colon] == ':' &&
	    (colon + 1 == l->len || ascii_is_space(l->text[colon + 1])))))
		colon++;
	behind = ascii_skip(l->text, l->end, l->len);
	if ((here != NULL && here->at > 0 && (own == NULL || own->start > here->start)) ||
	    (handed != NULL && handed->start < colon && !is_noted(l, handed) &&
	    (own == NULL || own->at + 1 != handed->at) && (colon < l->end ||
		goes_on(l, cue_end(handed), "]") ||
		memchr(l->text + l->end, '\n', behind - l->end) != NULL)))
		v->task_end = v->len;
	else if (paper != NULL && paper->start < colon && colon < l->end && !is_noted(l, paper) &&
	    !is_field(l, paper, colon) && (own == NULL || own->start > paper->start))
		v->task_end = ascii_skip(l->text, colon + 1, l->end) < l->end
		    ? MAX(v->task_end, paragraph_end(v, colon + 1))
		    : v->len;
}

/* ---- what others say ---- */

/* Whether a statement may begin behind a Chinese word of saying, which is part of many others. */
static bool
is_speech(const struct look *l, const struct cue *says)
{
	size_t at = says->start + says->len;

	if (!is_han(l, says->start))
		return true;
	for (size_t i = 0; i < l->found.n; i++)      /* 要说, 听说, 小说 are other words */
		if (l->found.cues[i].start + l->found.cues[i].len == says->start &&
		    is_of(l, &l->found.cues[i], "other_say"))
			return false;
	for (size_t i = 0; i < l->found.n; i++)
		if (l->found.cues[i].start == at && is_of(l, &l->found.cues[i], "say_who"))
			return true;
	return at >= l->end || goes_on(l, at, ": ： \" “ ，");
}

/* Whether the one who says it is the author: "I said", 我说. */
static bool
is_own_speech(const struct look *l, const struct cue *says)
{
	for (size_t i = 0; i < l->found.n; i++) {
		const struct cue *own = &l->found.cues[i];
		if (is_of(l, own, "own") && own->start < says->start &&
		    own->at + (is_han(l, says->start) ? 1 : 2) >= says->at)
			return true;
	}
	return false;
}

/* Whether a clause has "X says ...". */
static bool
has_saying(const struct look *l)
{
	for (size_t i = 0; i < l->found.n; i++) {
		const struct cue *says = &l->found.cues[i];
		if (is_of(l, says, "says") && says->at > 0 &&
		    !is_own_speech(l, says) && is_speech(l, says))
			return true;
	}
	return false;
}

bool
vouch_is_first(const char *text, size_t len)
{
	static _Thread_local struct look l;
	const struct cue *first;

	look_at(&l, text, len, 0, len);
	first = find(&l, "first", 0);
	return first != NULL && first->at < 4;
}

/* ---- labels ---- */

/* The bytes of a time in brackets or digits at the start of a line, with what closes it. */
static size_t
stamp_len(const char *p, size_t len)
{
	size_t n = 0;

	if (len > 0 && *p == '[') {
		while (n < len && p[n] != ']' && p[n] != '\n')
			n++;
		return n < len && p[n] == ']' ? n + 1 : 0;
	}
	while (n < len && (ascii_is_digit(p[n]) || strchr(".:/,- ", p[n]) != NULL))
		n++;
	return n;
}

/*
 * Whether a span is a name: up to three words that begin with a capital, or two to four Chinese
 * characters, none of them a word that stands before a colon for something else.
 */
static bool
is_name(const struct voucher *v, size_t start, size_t end)
{
	static const char *const others[] = { "label", "first", "translate", "write" };
	static _Thread_local struct look l;
	size_t n_words = 0;

	if (end - start < 2 || end - start > LABEL_BYTES)
		return false;
	look_at(&l, v->text, v->len, start, end);
	for (size_t i = 0; i < NELEM(others); i++) {
		const struct cue *cue = find(&l, others[i], 0);

		if (cue != NULL && cue->at == 0)
			return false;
	}
	if (cues_has("schema/cues/lasting.txt", NULL, v->text + start, end - start))
		return false;                  /* "Next step: " */
	for (size_t i = start; i < end; n_words++) {
		enum unicode_class cls;
		uint32_t cp;
		if (is_han(&l, i))
			return n_words == 0 && (end - start) % 3 == 0 && end - start <= 12 &&
			    end - start >= 6;
		unicode_next(v->text + i, v->text + end, &cp, &cls);
		if (cls != UNICODE_UPPER)
			return false;
		while (i < end && !ascii_is_space(v->text[i]) &&
		    strchr(",;!?\"", v->text[i]) == NULL)
			i++;
		if (i < end && !ascii_is_space(v->text[i]))
			return false;
		i = ascii_skip(v->text, i, end);
	}
	return n_words > 0 && n_words <= LABEL_WORDS;
}

/* Whether a speaker stands before a colon in the line from start: "Tom: ", "[10:32] Tom: ". */
static bool
has_label(const struct voucher *v, size_t start)
{
	size_t end = start, n;

	start += stamp_len(v->text + start, v->len - start);
	start = ascii_skip(v->text, start, v->len);
	while (start < v->len && strchr("*-<", v->text[start]) != NULL)
		start = ascii_skip(v->text, start + 1, v->len);
	for (end = start; end < v->len && end - start <= LABEL_BYTES; end++)
		if (strchr(":\n(>*", v->text[end]) != NULL ||
		    (v->len - end >= 3 && memcmp(v->text + end, "：", 3) == 0))
			break;
	if (end >= v->len || end - start > LABEL_BYTES || v->text[end] == '\n')
		return false;
	if (v->text[end] == '(') {             /* "Tom (10:32): " */
		for (n = end; n < v->len && v->text[n] != ')' && v->text[n] != '\n'; n++)
			;
		if (n + 1 >= v->len || v->text[n + 1] != ':')
			return false;
	}
	while (end > start && ascii_is_space(v->text[end - 1]))
		end--;
	return is_name(v, start, end) &&
	    !(strlen(v->speaker) == end - start &&
		memcmp(v->speaker, v->text + start, end - start) == 0);
}

/* Whether b is the next word behind a. */
static bool
is_next(const struct look *l, const struct cue *a, const struct cue *b)
{
	size_t at = a->start + a->len;

	while (at < b->start && (l->text[at] == ' ' || l->text[at] == ','))
		at++;
	return at == b->start;
}

/*
 * Whether a cue takes something back: by a joke, or by what has a mark behind it ("forget that,",
 * but "forget that file"); not "don't forget that", while "no, es broma" does.
 */
static bool
takes_back(const struct look *l, const struct cue *cue)
{
	static const char *const denials[] = { "not", "no" };

	if (!is_of(l, cue, "joke") && !(is_of(l, cue, "undo") && (cue_end(cue) == l->len ||
	    goes_on(l, cue_end(cue), ", . ; : ! ) \n \r – —") ||
	    goes_on(l, cue_end(cue) + 1, "- – —"))))
		return false;
	for (size_t i = 0; i < NELEM(denials); i++) {
		const struct cue *no = find(l, denials[i], l->start);

		if (no != NULL && no->start < cue->start && is_next(l, no, cue) &&
		    l->text[cue_end(no)] != ',')
			return false;
	}
	return true;
}

bool
vouch_takes_back(const char *text, size_t len)
{
	static _Thread_local struct look l;

	look_at(&l, text, len, 0, MIN(len, (size_t)OPENING_BYTES));
	for (size_t i = 0; i < l.found.n && l.found.cues[i].at < OPENING; i++)
		if (takes_back(&l, &l.found.cues[i]))
			return true;
	return false;
}

/* Whether the sentence takes it back, or what follows it: "We always use uv. Just kidding!" */
static bool
is_joke(const struct voucher *v, const struct look *l)
{
	size_t at = l->end;

	for (size_t i = 0; i < l->found.n; i++) {
		const struct cue *cue = &l->found.cues[i];

		if (is_of(l, cue, "laugh") || (takes_back(l, cue) && (is_of(l, cue, "joke") ||
		    (cue->at >= OPENING && strchr(",;(-", l->text[cue->start - 2]) != NULL))))
			return true;
	}
	while (at < v->len && strchr(".!?;:) \n", v->text[at]) != NULL)
		at++;
	return vouch_takes_back(v->text + at, v->len - at) || (v->taken_back && (at == v->len ||
	    (sentence_end(v->text, at, v->len) == v->len &&
		sentence_asks(v->text + at, v->len - at))));
}

/* What changes where a clause begins another line. */
static void
begin_line(struct voucher *v, const struct clause *c)
{
	size_t line = c->sentence;
	bool label;

	while (line > 0 && v->text[line - 1] != '\n')
		if (line-- == v->sentence)
			return;                /* the sentence before stands in it, too */
	if (line == v->line)
		return;
	v->line = line;
	v->scene = false;
	label = has_label(v, line);
	v->n_labels += label;
	if (label || v->n_labels < 2 || (line >= 2 && v->text[line - 2] == '\n'))
		v->label = label;
}

/* ---- the whole ---- */

void
vouch_begin(struct voucher *v, const char *text, size_t len, const char *speaker, bool played)
{
	*v = (struct voucher){ .text = text, .len = len, .speaker = speaker, .line = SIZE_MAX,
		.sentence = SIZE_MAX, .played = played };
}

static void
begin_sentence(struct voucher *v, const struct clause *c)
{
	static _Thread_local struct look l;

	look_at(&l, v->text, v->len, c->sentence, c->sentence + c->sentence_len);
	if (find(&l, "part_me", l.start) != NULL && find(&l, "part_you", l.start) != NULL)
		v->played = true;              /* "I'm the patient, you're the nurse" */
	hand_over(v, &l);
	v->scene = v->scene && !v->asked;
	v->sentence = c->sentence;
	v->carried = is_joke(v, &l) ? VOUCH_INVENTED : v->scene ? VOUCH_SUPPOSED : VOUCH_OWN;
}

static enum vouch
judge_clause(struct voucher *v, const struct clause *c, const struct look *l)
{
	const struct cue *play = find(l, "play", l->start), *stop = find(l, "stop", l->start);
	enum vouch by = judge_condition(l);

	if (v->played && opens(l, stop)) {
		v->played = false;
		return VOUCH_INVENTED;         /* "stop, good questions" is no fact either */
	}
	if (sets_scene(l)) {
		by = VOUCH_SUPPOSED;
		v->scene = true;
	}
	if (play != NULL && !is_told(l, play))
		v->played = true;
	if (judge_task(v, l, c) || find(l, "tale", l->start) || c->start < v->task_end || v->played)
		by = VOUCH_INVENTED;
	else if (by <= VOUCH_CONDITION && has_saying(l))
		by = VOUCH_REPORTED;
	if (by > VOUCH_CONDITION)
		v->carried = by;
	else if ((c->flags & CLAUSE_CITED) != 0)
		by = VOUCH_REPORTED;
	else if ((c->flags & CLAUSE_QUOTED) != 0 && find(l, "first", l->start) != NULL &&
	    find(l, "says", l->start) == NULL)
		by = VOUCH_SUPPOSED;
	return by;
}

enum vouch
vouch_next(struct voucher *v, const struct clause *c)
{
	static _Thread_local struct look l;
	enum vouch by;

	look_at(&l, v->text, v->len, c->start, c->start + c->len);
	begin_line(v, c);
	if (c->sentence != v->sentence)
		begin_sentence(v, c);
	by = v->carried;
	if (by < VOUCH_SUPPOSED)
		by = judge_clause(v, c, &l);
	if (by < VOUCH_SUPPOSED && v->label)
		by = VOUCH_LABELLED;
	v->asked = (c->flags & CLAUSE_QUESTION) != 0;
	return by;
}

struct all_own { struct voucher v; bool own; };

static int
is_clause_own(void *arg, const struct clause *c)
{
	struct all_own *a = arg;
	enum vouch by = vouch_next(&a->v, c);

	a->own &= by == VOUCH_OWN || by == VOUCH_LABELLED;
	return 0;
}

bool
vouch_is_own(const char *text, size_t len)
{
	struct all_own a = { .own = true };

	vouch_begin(&a.v, text, len, "", false);
	clauses_each(text, len, is_clause_own, &a);
	return a.own;
}
