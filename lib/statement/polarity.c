/*
 * polarity.c: what denies or wishes for anything is taken for what the word says; that it has ended
 * or is past only what stands near it, as "I no longer mind living here" ends no living.
 */
#include "statement/polarity.h"

#include "base/ascii.h"
#include "statement/cues.h"

enum { CUES_MOST = 192, NEAR = 4 };

struct around {
	const char *text;
	size_t len, start, end;
	unsigned at;                           /* which word of the text it begins with */
	bool han;
	struct cue cues[CUES_MOST];
	size_t n;
};

static bool
is_of(const struct cue *cue, const char *class)
{
	return (int)cue->class == cues_class(cues_of("schema/cues/vouch.txt"), class);
}

/* Whether a cue of the class covers that one. */
static bool
is_within(const struct around *a, const struct cue *cue, const char *class)
{
	for (size_t i = 0; i < a->n; i++)
		if (is_of(&a->cues[i], class) && a->cues[i].start <= cue->start &&
		    a->cues[i].start + a->cues[i].len >= cue->start + cue->len)
			return true;
	return false;
}

static bool
has_between(const struct around *a, const char *class, size_t from, size_t to)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->cues[i].start >= from && a->cues[i].start < to && is_of(&a->cues[i], class))
			return true;
	return false;
}

static bool
has(const struct around *a, const char *class)
{
	return has_between(a, class, 0, a->len);
}

/* Whether a comma or another mark parts the bytes. */
static bool
is_parted(const struct around *a, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (strchr(",;:()", a->text[i]) != NULL ||
		    (to - i >= 3 && memcmp(a->text + i, "，", 3) == 0))
			return true;
	return false;
}

/* ---- denied ---- */

/* Whether anything is denied: in doubt it is what the word says. */
static bool
is_denied(const struct around *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (is_of(&a->cues[i], "no") || is_of(&a->cues[i], "not_be") ||
		    (is_of(&a->cues[i], "not") && !is_within(a, &a->cues[i], "yet")))
			return true;
	return false;
}

/* ---- ended ---- */

static bool
ends_with_le(const struct around *a)
{
	for (size_t i = a->n; i-- > 0 && a->cues[i].start + 3 >= a->len; )
		if (is_of(&a->cues[i], "le") && a->cues[i].start + a->cues[i].len == a->len)
			return true;
	return false;
}

static bool
is_ended(const struct around *a, bool denied)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct cue *cue = &a->cues[i];
		size_t end = cue->start + cue->len;
		/* "I no longer mind living here" ends the minding */
		if (is_of(cue, "no_more") && !is_within(a, cue, "more_than") &&
		    (end > a->start || !has_between(a, "feel", end, a->start)) &&
		    !is_parted(a, MIN(cue->start, a->end), MAX(cue->start, a->start)))
			return true;
	}
	return denied && a->han && ends_with_le(a);
}

/*
 * Whether another verb in front of the word ends, as in "I stopped worrying about my job", which
 * says nothing of the job.
 */
static bool
ends_another(const struct around *a)
{
	for (size_t i = 0; i < a->n; i++) {
		size_t verb = a->cues[i].start + a->cues[i].len + 1, end = verb;
		while (end < a->start && ascii_is_letter(a->text[end]))
			end++;
		if (is_of(&a->cues[i], "ceases") && end < a->start && end > verb + 3 &&
		    memcmp(a->text + end - 3, "ing", 3) == 0 && !is_parted(a, end, a->start))
			return true;
	}
	return false;
}

/* ---- past ---- */

/* 以前 stands behind its subject; behind a verb it means "before". */
static bool
is_once(const struct around *a, const struct cue *cue)
{
	return is_of(cue, "used") && !is_within(a, cue, "used_by") &&
	    (!a->han || cue->at <= 2 || cue->start + cue->len == a->start);
}

/* Whether the word itself is a verb of the past, and no perfect tense that lasts. */
static bool
is_lived(const struct around *a)
{
	bool lasts = has(a, "always") ||
	    (has(a, "since") && has_between(a, "perfect", 0, a->start));

	for (size_t i = 0; i < a->n; i++) {
		const struct cue *cue = &a->cues[i];
		if (is_of(cue, "lived") && cue->start < a->end && cue->start + cue->len > a->start)
			return !lasts;
	}
	return false;
}

static bool
was_once(const struct around *a)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct cue *cue = &a->cues[i];
		if (is_once(a, cue))
			return true;
		if (is_of(cue, "was") && cue->start + cue->len <= a->start &&
		    cue->at + NEAR >= a->at && !is_parted(a, cue->start, a->start) &&
		    !has_between(a, "happened", cue->start, a->len))
			return true;
	}
	return is_lived(a);
}

/* ---- the whole ---- */

enum polarity
polarity_of(const char *text, size_t len, size_t start, size_t end)
{
	static _Thread_local struct around a;
	bool denied;

	a = (struct around){ .text = text, .len = len, .start = start, .end = end };
	a.han = start < len && (unsigned char)text[start] >= 0xe3;
	cues_find(cues_of("schema/cues/vouch.txt"), text, start, a.cues, CUES_MOST, &a.at);
	a.n = cues_find(cues_of("schema/cues/vouch.txt"), text, len, a.cues, CUES_MOST, NULL);
	denied = is_denied(&a) || ends_another(&a);
	if (is_ended(&a, denied))
		return POLARITY_ENDED;
	if (denied)
		return POLARITY_DENIED;
	if (was_once(&a))
		return POLARITY_PAST;
	return has(&a, "wish") ? POLARITY_WISHED : POLARITY_HOLDS;
}
