/*
 * rule.c: a rule opens with a word of "always", "never" or "no" and what it is of, perhaps behind
 * "please" or "we". What so many sentences open with needs a word of where it holds besides.
 */
#include "statement/rule.h"

#include "base/ascii.h"
#include "statement/cues.h"

#define PLACE_FAR  4                       /* words from "in" to a place: "in our library code" */
#define BAN_FAR    6                       /* words before a ban: "in all staging models no ..." */
#define CAPITALS   2                       /* of a name: "UTC", "TypeScript" */
#define ENDING     2

struct rule_text {
	const char *text;
	size_t len;
	struct cue_text c;
	unsigned n_words;
};

static const struct cue *
find(const struct rule_text *r, const char *class, size_t from)
{
	return cue_text_find(&r->c, class, from);
}

/* Whether nothing but "please" and the like stands before the cue. */
static bool
opens(const struct rule_text *r, const struct cue *cue)
{
	const struct cue *polite = find(r, "polite", 0);

	return cue != NULL && (cue->at == 0 ||
	    (cue->at == 1 && polite != NULL && polite->at == 0));
}

/* Where the next word behind a cue begins; len: there is none. */
static size_t
behind(const struct rule_text *r, const struct cue *cue)
{
	size_t at = cue_end(cue);

	while (at < r->len && strchr(" ,:", r->text[at]) != NULL)
		at++;
	return at;
}

static size_t
word_len(const struct rule_text *r, size_t at)
{
	size_t n = 0;

	while (at + n < r->len && strchr(" ,:.!?;", r->text[at + n]) == NULL)
		n++;
	return n;
}

/* Whether one of the class begins at that byte. */
static bool
is_at(const struct rule_text *r, const char *class, size_t at)
{
	const struct cue *cue = find(r, class, at);

	return cue != NULL && cue->start == at;
}

static bool
ends_in(const struct rule_text *r, size_t at, const char *end)
{
	size_t n = word_len(r, at), k = strlen(end);

	return n > k + ENDING && memcmp(r->text + at + n - k, end, k) == 0;
}

/* Whether the word may be a verb of an order: neither "seen" nor "worked", "works", "working". */
static bool
is_verb(const struct rule_text *r, size_t at)
{
	return word_len(r, at) > ENDING && !is_at(r, "no_verb", at) && !ends_in(r, at, "ed") &&
	    !ends_in(r, at, "ing") && (!ends_in(r, at, "s") || ends_in(r, at, "ss"));
}

/* Whether it says where it holds, or that it does each time. */
static bool
has_scope(const struct rule_text *r, size_t from)
{
	if (find(r, "scope", from) != NULL)
		return true;
	for (size_t i = 0; i < r->c.n; i++) {
		const struct cue *in = &r->c.cues[i], *place = find(r, "place", cue_end(in));

		if (in->start >= from && cue_text_is(&r->c, in, "in") && place != NULL &&
		    place->at <= in->at + PLACE_FAR)
			return true;
	}
	return false;
}

/* Whether it ends so: "no jQuery here", "no default exports, named ones only" */
static bool
ends_so(const struct rule_text *r)
{
	for (size_t i = 0; i < r->c.n; i++) {
		const struct cue *c = &r->c.cues[i];

		if (cue_end(c) == r->len && (cue_text_is(&r->c, c, "here") ||
		    (cue_text_is(&r->c, c, "only") && memchr(r->text, ',', c->start) != NULL)))
			return true;
	}
	return false;
}

/* "Never commit to main", "Benutze nie Emojis", "nooit direct naar main pushen" */
static bool
is_order(const struct rule_text *r)
{
	const struct cue *order = find(r, "order", 0), *word = find(r, "standing", 0),
			 *last = find(r, "order_last", 0), *we = find(r, "we", 0);

	if (word != NULL && word->at == 0 && last != NULL && cue_end(last) == r->len)
		return true;
	if (word == NULL && (word = find(r, "standing_not", 0)) != NULL &&
	    !has_scope(r, 0) && find(r, "unless", 0) == NULL)
		word = NULL;
	if (order == NULL || word == NULL)
		return false;
	if (word->start > order->start) {
		const struct cue *first = order;

		order = word;
		word = first;
	}
	return behind(r, word) == order->start && !is_at(r, "no_verb", order->start) &&
	    (opens(r, word) || (word->at == 1 && we != NULL && we->at == 0));
}

/* "We don't deploy on Fridays", "on ne pousse jamais sur main", "nie używamy tu pandas" */
static bool
is_our_way(const struct rule_text *r)
{
	static const char *const ends[] = { "my", "mos", "iamo" };
	const struct cue *we = find(r, "we_not", 0), *not = find(r, "not_we", 0);
	size_t verb;
	bool ours = false;

	if (opens(r, we)) {
		verb = behind(r, we);
		ours = !is_at(r, "no_verb", verb);
	} else if (opens(r, not)) {
		verb = behind(r, not);
		for (size_t i = 0; i < NELEM(ends); i++)
			ours |= ends_in(r, verb, ends[i]) && !is_at(r, "no_verb", verb);
	}
	return ours && find(r, "says_so", verb) == NULL &&
	    (has_scope(r, verb) || ends_so(r) || find(r, "never", we != NULL ? verb : 0) != NULL);
}

/* "No ORMs in this project", "in staging models no select" */
static bool
is_ban(const struct rule_text *r)
{
	const struct cue *ban = find(r, "ban", 0), *in = find(r, "in", 0),
			 *place = find(r, "place", 0);
	bool placed = ban != NULL && ban->at <= BAN_FAR && in != NULL && in->at < 2 &&
	    place != NULL && place->start > in->start && place->start < ban->start;

	return ban != NULL &&
	    (placed || (opens(r, ban) && (has_scope(r, cue_end(ban)) || ends_so(r)))) &&
	    behind(r, ban) < r->len && find(r, "no_thing", behind(r, ban)) == NULL &&
	    find(r, "says_so", 0) == NULL && !is_at(r, "who", behind(r, ban));
}

/* "Ids are always text, never int", "outputs must go to silver, not bronze" */
static bool
is_always_so(const struct rule_text *r, const char *always, const char *never)
{
	const struct cue *is = find(r, always, 0), *who = find(r, "who", 0),
			 *not = is == NULL ? NULL : find(r, never, cue_end(is));

	return not != NULL && is->at > 0 && (who == NULL || who->start > is->start) &&
	    r->text[not->start - 2] == ',' && r->text[cue_end(not)] == ' ';
}

/* "UTC everywhere in storage" */
static bool
is_everywhere(const struct rule_text *r)
{
	const struct cue *all = find(r, "everywhere", 0);
	size_t capitals = 0;

	for (size_t i = 0; i < r->len && r->text[i] != ' '; i++)
		capitals += ascii_is_upper(r->text[i]);
	return all != NULL && all->at == 1 && capitals >= CAPITALS &&
	    find(r, "says_so", 0) == NULL;
}

enum rule
rule_of(const char *text, size_t len)
{
	static _Thread_local struct rule_text r;
	const struct cue *off, *stay, *any;

	r.text = text;
	r.len = len;
	cue_text_read(&r.c, "schema/cues/rule.txt", text, len);
	if (r.c.n == 0)
		return RULE_NOT;
	if (is_order(&r))
		return RULE_ORDER;
	off = find(&r, "off", 0);
	any = find(&r, "any_verb", 0);
	if ((opens(&r, off) && behind(&r, off) < len && find(&r, "says_so", 0) == NULL) ||
	    (opens(&r, any) && is_verb(&r, behind(&r, any))) || is_our_way(&r) || is_ban(&r) ||
	    is_always_so(&r, "is_always", "never") ||
	    is_always_so(&r, "must", "contrast") || is_everywhere(&r))
		return RULE_WORK;
	stay = find(&r, "stay", 0);
	return opens(&r, stay) && find(&r, "contrast", cue_end(stay)) != NULL ? RULE_STAYS
										: RULE_NOT;
}
