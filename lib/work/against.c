/*
 * against.c: a rule is read sentence by sentence, and each part of one by itself: what is not to be
 * (against_not.c), and what is (against_value.c).
 */
#include "work/against.h"

#include "base/ascii.h"
#include "statement/rule.h"
#include "statement/sentence.h"
#include "statement/speech.h"
#include "statement/vouch.h"
#include "text/words.h"
#include "work/against_parts.h"

#define TURN_BYTES    1500         /* of what was said */
#define SENTENCE_MOST 300
#define SHORT_TURN    40           /* words of a turn that says one thing */

bool
against_is_content(const struct against_word *w)
{
	const unsigned small = SAYS(LIGHT) | SAYS(NOT) | SAYS(OUT) | SAYS(OR) | SAYS(WHERE) |
	    SAYS(ASIDE) | SAYS(WHY) | SAYS(WHEN);

	if (w->han || w->part)
		return false;
	if (w->sign || w->number)
		return true;
	return !against_says(w, small) && !words_is_stop(w->term, w->n);
}

/* Whether the sentence begins as "use this". */
static bool
is_use(const struct against_sentence *j)
{
	size_t first = 0;

	while (first + 1 < j->words.n && against_says(&j->words.w[first], SAYS(LEAD)))
		first++;
	return (j->words.w[first].begins & SAYS(USE)) != 0;
}

/* "There is no file", "I'm not on board": says what is so. */
static bool
is_report(const struct against_sentence *j, size_t from, size_t at)
{
	if (!against_says(&j->words.w[at], SAYS(BARE)) ||
	    !(j->words.w[at].begins & SAYS(NOT)) || is_use(j))
		return false;
	for (size_t i = from; i < at; i++)
		if (!against_says(&j->words.w[i], SAYS(LEAD)))
			return !against_says(&j->words.w[at - 1], SAYS(LEAD));
	return false;
}

/* "SameSite=Strict": what is written so is meant so. */
static bool
is_set(const struct against_sentence *j, size_t at)
{
	return at > 0 && j->words.w[at].start > 0 && j->text[j->words.w[at].start - 1] == '=';
}

/* "Don't use it", "please don't run it", "use this, not that": it is said to whoever works. */
static bool
is_order(const struct against_sentence *j, size_t from, size_t at)
{
	if (at > 1 && is_use(j))
		return true;
	for (size_t i = from; i < at; i++)
		if (!against_says(&j->words.w[i], SAYS(LEAD)))
			return false;
	return (j->words.w[at].begins &
	    (SAYS(DONT) | (j->says & SAYS(PLEASE) ? SAYS(BARE) : 0))) != 0;
}

/*
 * Whether it is said of a place that the change does not name: "in the other shop we use pnpm".
 * What stands behind "for" and the like says more often what it is used for.
 */
static bool
is_elsewhere(const struct against_sentence *j, size_t at)
{
	bool behind = false;

	for (size_t i = 0; i < j->words.n; i++) {
		const struct against_word *w = &j->words.w[i];

		if (against_says(w, SAYS(RULE) | SAYS(DONT)) || i == at) {
			behind = false;
		} else if (w->begins & (SAYS(WHERE) | (i < at ? SAYS(ASIDE) : 0))) {
			behind = true;
		} else if (behind && !w->number && (w->han || against_is_content(w))) {
			if (!against_says(w, SAYS(ALL)) && !against_has(j->c, w))
				return true;
			behind = false;
		}
	}
	return false;
}

/* What the word at `at` says is to be, in a part that has no word of what is not. */
static enum against
judge_value(const struct against_sentence *j, size_t from, size_t to, size_t at)
{
	const struct against_word *w = &j->words.w[at];
	bool rule = (j->says & SAYS(RULE)) != 0, lasts = rule || (j->says & SAYS(KEEP)) != 0,
	     name = w->sign || against_says(w, SAYS(SWITCH)) ||
	    (at > 0 && ascii_is_upper(j->text[w->start]));

	if ((w->number || w->kind != 0 || against_is_content(w)) && is_elsewhere(j, at))
		return AGAINST_NOT;
	if (w->number)
		return lasts || against_says(w + (at + 1 < to), SAYS(NOW))
		    ? against_number(j, from, to, at) : AGAINST_NOT;
	if (w->kind != 0 && rule)
		return MAX(against_kind(j, w), against_value(j, from, to, at));
	return against_is_content(w) && (rule || (lasts && name) || is_set(j, at))
	    ? against_value(j, from, to, at) : AGAINST_NOT;
}

/* Whether most of what stands before a ban says where: "in dbt staging models no select *". */
static bool
is_there(const struct against_sentence *j, size_t from, size_t at)
{
	size_t n = 0, has = 0;

	for (size_t i = from; i < at; i++) {
		const struct against_word *w = &j->words.w[i];

		if (against_is_content(w) && !against_says(w, SAYS(LEAD) | SAYS(ALL))) {
			n++;
			has += against_has(j->c, w);
		}
	}
	return 2 * has > n || n == 0;
}

static enum against
judge_part(const struct against_sentence *j, size_t from, size_t to)
{
	bool rule = ((j->says | j->turn_says) & SAYS(RULE)) != 0 || j->rule, forbids = false,
	     keeps = false;
	enum against all = AGAINST_NOT;

	for (size_t i = from; i < to; i++) {
		keeps |= against_says(&j->words.w[i], SAYS(KEEP));
		/* "we use it no longer": what is named is not what is to be */
		forbids |= against_says(&j->words.w[i], SAYS(VOID));
		if (against_says(&j->words.w[i], SAYS(PASSING) | SAYS(WHEN)))
			return AGAINST_NOT;
	}
	if ((j->says & SAYS(ONLY)) && against_one_more(j, from, to))
		return AGAINST_GOES;
	for (size_t i = from; i < to; i++) {
		const struct against_word *w = &j->words.w[i];
		bool out = (w->begins & SAYS(OUT)) != 0;

		if (!(w->begins & (SAYS(NOT) | SAYS(OUT))) ||
		    (is_report(j, from, i) && !(j->rule && is_there(j, from, i))) ||
		    (i > from && against_says(w - 1, SAYS(THIRD))))
			continue;
		forbids |= !out || i > from;
		if ((rule || is_order(j, from, i)) && against_forbidden(j, from, to, i, out,
		    !rule && !(w->begins & SAYS(DONT)) && !is_use(j)))
			return AGAINST_GOES;
	}
	/* "never more than 3" forbids, and says a number */
	for (size_t i = from; i < to && (!forbids || keeps) && all != AGAINST_GOES; i++) {
		enum against one = forbids && !j->words.w[i].number ? AGAINST_NOT
		    : judge_value(j, from, to, i);

		all = MAX(all, one);
	}
	return all;
}

/* Whether a part of the sentence ends behind word i. */
static bool
is_end(const struct against_sentence *j, size_t i)
{
	const struct against_words *v = &j->words;

	if (i + 1 >= v->n)
		return true;
	for (size_t p = v->w[i].end; p < v->w[i + 1].start; p++) {
		const char *t = j->text + p;

		if (strchr(",;()", *t) != NULL || (*t == ':' && t[1] == ' ') ||
		    (*t == '-' && t[1] == ' ' && p > v->w[i].end) ||
		    sentence_mark(t, v->w[i + 1].start - p, "， ； ： 、 — – …") > 0)
			return true;
	}
	return false;
}

static enum against
judge_sentence(const struct against_sentence *j, struct against_said *said)
{
	enum against all = AGAINST_NOT;

	if (j->words.n == 0 || (j->says & SAYS(OTHERS)))
		return AGAINST_NOT;
	for (size_t from = 0, to; from < j->words.n; from = to) {
		for (to = from; !is_end(j, to); to++)
			continue;
		to++;
		enum against one = judge_part(j, from, to);
		all = MAX(all, one);
		if (one != AGAINST_GOES)
			continue;
		said->part = j->words.w[from].start;
		said->part_len = j->words.w[to - 1].end - said->part;
		break;
	}
	return all;
}

/* ---- what is the user's own ---- */

struct vetting {
	struct voucher voucher;
	const struct against_said *said;
	bool seen, own;
};

/* Whether he vouches for a clause, and has not only pasted, quoted or asked it. */
static int
on_clause(void *arg, const struct clause *c)
{
	struct vetting *v = arg;
	enum vouch vouch = vouch_next(&v->voucher, c);

	if (c->start + c->len <= v->said->start || c->start >= v->said->start + v->said->len)
		return 0;
	v->seen = true;
	v->own &= vouch == VOUCH_OWN && !(c->flags & (CLAUSE_QUESTION | CLAUSE_QUOTED));
	return 0;
}

static bool
is_own(const char *text, size_t len, const struct against_said *said)
{
	struct vetting v = { .said = said, .own = true };

	vouch_begin(&v.voucher, text, len, "", false);
	clauses_each(text, len, on_clause, &v);
	return v.seen && v.own;
}

/* Whether a line of a chat is shown, or a bullet or line of a terminal. */
static bool
is_shown(const char *p, size_t n)
{
	static const char *const begins[] = { "User:", "Assistant:", "Human:", "AI:", "System:",
		"+", "\xe2" };

	for (size_t i = 0; i < NELEM(begins); i++)
		if (n > strlen(begins[i]) && memcmp(p, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

/* Where what stands within the tag that begins a line is over; `at`: it has none. */
static size_t
tagged_end(const char *text, size_t len, size_t at, size_t end)
{
	size_t n = 0;

	while (at + 1 + n < end && (ascii_is_alnum(text[at + 1 + n]) ||
	    strchr("_-", text[at + 1 + n]) != NULL))
		n++;
	for (size_t i = end; text[at] == '<' && n > 0 && i + n + 2 <= len; i++)
		if (text[i] == '<' && text[i + 1] == '/' &&
		    memcmp(text + i + 2, text + at + 1, n) == 0)
			return i;
	return at;
}

/* The sentences of a line [start, end) of the text. */
static enum against
judge_line(struct against_sentence *j, const char *text, size_t start, size_t end,
	struct arena *a, struct against_said *said)
{
	enum against all = AGAINST_NOT, one;

	for (size_t stop; start < end && all != AGAINST_GOES; start = stop) {
		stop = sentence_end(text, start, end);
		if (stop <= start)
			break;
		if (stop - start > SENTENCE_MOST)
			continue;
		j->text = text + start;
		against_words_read(j->text, stop - start, false, a, &j->words);
		j->rule = rule_of(j->text, stop - start) != RULE_NOT;
		for (size_t i = j->says = 0; i < j->words.n; i++)
			j->says |= j->words.w[i].says;
		one = judge_sentence(j, said);
		if (one == AGAINST_GOES)
			*said = (struct against_said){ start, stop - start, start + said->part,
				said->part_len };
		all = MAX(all, one);
	}
	return all;
}

enum against
against(const struct against_change *c, const char *text, size_t len, struct against_said *said)
{
	LOCAL(arena) a = ARENA_INIT;
	struct against_sentence j = { .c = c };
	const unsigned rules = SAYS(NOT) | SAYS(OUT) | SAYS(RULE) | SAYS(KEEP) | SAYS(NOW);
	enum against all = AGAINST_NOT, one;

	len = MIN(len, (size_t)TURN_BYTES);
	against_words_read(text, len, false, &a, &j.words);
	for (size_t i = 0; i < j.words.n; i++)
		j.turn_says |= j.words.w[i].says;
	/* most turns have no word of a rule */
	if (!(j.turn_says & rules) && j.words.n < WORDS_MOST && memchr(text, '=', len) == NULL &&
	    !cues_has("schema/cues/rule.txt", "ban", text, len))
		len = 0;
	if (j.words.n > SHORT_TURN)
		j.turn_says = 0;
	for (size_t start = 0, end, tagged; start < len && all != AGAINST_GOES; start = end + 1) {
		end = (size_t)(ascii_line_end(text + start, text + len) - text);
		if ((tagged = tagged_end(text, len, start, end)) > start) {
			end = tagged;
			continue;
		}
		if (is_shown(text + start, end - start) ||
		    speech_of_line(text, len, start, end) != SPEECH_OWN)
			continue;
		one = judge_line(&j, text, start, end, &a, said);
		if (one == AGAINST_GOES && !is_own(text, len, said))
			one = AGAINST_NOT;
		all = MAX(all, one);
	}
	return all;
}
