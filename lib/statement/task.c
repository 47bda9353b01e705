/*
 * task.c: a task has words; of these one may be its verb, the first, or an infinitive at the end.
 * Each clause of a later text that its author vouches for is asked whether it has that verb as done
 * (task_words.c), and the thing in the place of what it was done to.
 */
#include "statement/task_parts.h"

#include "base/ascii.h"
#include "statement/stance.h"
#include "statement/vouch.h"

#define NEARLY_ALL 0.75                    /* of its things */

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
		missing |= w->number && !task_has(h->w, h->n, w);
		if (w == verb || !w->thing)
			continue;
		is = task_has(h->w, h->n, w);
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
		    !task_has(t->w, t->n, w);
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
			if (t->w[k].thing && task_same(&t->w[k], &h->w[i]))
				last = i;
	if (last == SIZE_MAX || task_has_cue(h, last + 1, at, "be") ||
	    task_has_cue(h, last + 1, at, "i") || task_has_cue(h, 0, at, "i_have"))
		return true;
	return h->w[0].thing && task_has(t->w, t->n, &h->w[0]) && task_is_last(h, at, t) &&
	    !task_has_cue(h, 0, at, "have") && !task_has_cue(h, at, at + 1, "mutual");
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
	if (in.other || (in.all > 0 && (in.n > 0 || !task_has_cue(h, 0, h->n, "it"))))
		return false;
	task_hear(&whole, v->text, v->len);
	in = names(t, verb, &whole, NULL);
	return in.thing && (double)in.n >= NEARLY_ALL * (double)in.all;
}

/* Whether word i says that who was to be asked has answered: "Piet answered" of "ask Piet". */
static bool
is_answer(const struct task *t, const struct task_word *verb, const struct heard *h, size_t i)
{
	size_t who = i > 1 && task_has_cue(h, i - 1, i, "have") ? i - 2 : i - 1;

	return i > 0 && i < h->n && task_in_row(h, verb, &h->w[i], "back_") && h->w[who].thing &&
	    task_has(t->w, t->n, &h->w[who]);
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
			if (((i == 0 && task_has_cue(h, 0, 1, "done") &&
				task_has(h->w, h->n, verb)) ||
				task_has_cue(h, i, i + 1, "did_it") ||
				task_in_row(h, verb, w, "now_") ||
				is_answer(t, verb, h, i) ||
				(task_done_form(t, verb, h, i) && is_done_to(t, h, i))) &&
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
		if (w->start >= cue_end(there) ? !task_has_cue(h, i, i + 1, "aside")
		    : w->start < there->start  ? w->thing && !task_has(t->w, t->n, w)
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
	if (up == NULL || !task_has_cue(h, 0, h->n, "self"))
		return false;
	*at = up->start;
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, h, NULL);

		if (task_has(h->w, h->n, verb) && in.n > 0 && in.thing && !in.other && !in.number)
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
	task_hear(&h, v->text + c->start, c->len);
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
	cue_text_read(&hedges, TASK_HEDGES, sentence, c->sentence_len);
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
	return len > 4 && ascii_begins(line, len, "[x] ");
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
		task_hear(&h, text + at, end - at);
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
	task_hear(&h, text, len);
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, &h, NULL);

		if (in.all == 0 ? task_has(h.w, h.n, verb) : in.some || 2 * in.n > in.all)
			return cue_text_find(&h.cues, "todo", 0) != NULL ? TASK_OPEN : TASK_DOUBT;
	}
	return TASK_NOTHING;
}

bool
task_spoken(const struct task *t, const char *text, size_t len)
{
	static _Thread_local struct heard h;

	task_hear(&h, text, len);
	for (size_t k = 0; k < t->n_verbs; k++) {
		const struct task_word *verb = &t->w[t->verbs[k]];
		struct named in = names(t, verb, &h, NULL);

		if (in.thing && in.n > 0 && task_has(h.w, h.n, verb))
			return true;
	}
	return false;
}
