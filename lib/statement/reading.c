/*
 * reading.c: cues are found once for each of the two tables, and each answer is taken from them:
 * the kind and the person by the classes of schema/cues/statement.txt, the key by the first slot of
 * schema/cues/slots.txt of which there is a word, the times by time/timewords.h.
 */
#include "statement/reading.h"

#include "base/utf8.h"
#include "statement/cues.h"
#include "text/unicode.h"
#include "text/words.h"
#include "time/timewords.h"

enum { CUES_MOST = 192, SPANS_MOST = 8 };

struct reader {
	const char *text;
	size_t len;
	const struct reading_by *by;
	const struct cues *says, *slots;
	struct cue cues[CUES_MOST], found[CUES_MOST];
	size_t n_cues, n_found;
	struct reading *out;
};

/* The first cue of a class; NULL: there is none. */
static const struct cue *
cue_of(const struct reader *r, const char *class)
{
	int c = cues_class(r->says, class);

	for (size_t i = 0; i < r->n_cues; i++)
		if ((int)r->cues[i].class == c)
			return &r->cues[i];
	return NULL;
}

static bool
has(const struct reader *r, const char *class)
{
	return cue_of(r, class) != NULL;
}

/* Whether a cue of the class is one of the first words. */
static bool
opens(const struct reader *r, const char *class, unsigned words)
{
	const struct cue *c = cue_of(r, class);

	return c != NULL && c->at < words;
}

/* ---- words ---- */

/* The bytes of the character at `at`; *letter: whether it belongs to a word. */
static size_t
character(const struct reader *r, size_t at, bool *letter)
{
	enum unicode_class cls;
	uint32_t cp;
	size_t n = unicode_next(r->text + at, r->text + r->len, &cp, &cls);

	*letter = (cls != UNICODE_SEP && cls != UNICODE_EMOJI) || cp == '-' || cp == '\'' ||
	    cp == '_' || cp == 0x2019;
	return n;
}

static size_t
word_end(const struct reader *r, size_t at)
{
	bool letter;

	while (at < r->len) {
		size_t n = character(r, at, &letter);
		if (!letter)
			break;
		at += n;
	}
	return at;
}

static size_t
next_start(const struct reader *r, size_t at)
{
	bool letter;

	while (at < r->len) {
		size_t n = character(r, at, &letter);
		if (letter)
			break;
		at += n;
	}
	return at;
}

static bool
is_stop(const struct reader *r, size_t start, size_t end)
{
	char folded[3 * READING_NAME + 1];
	const char *word = r->text + start;

	return words_is_stop(folded,
	    words_fold(word, utf8_clip(word, end - start, READING_NAME), folded));
}

/* Whether some cue stands exactly on these bytes: then the word is no name. */
static bool
is_cue(const struct reader *r, size_t start, size_t end)
{
	for (size_t i = 0; i < r->n_cues; i++)
		if (r->cues[i].start == start && r->cues[i].start + r->cues[i].len == end)
			return true;
	return false;
}

/* Whether a name begins at `at`: a capital, and no word that the tables know. */
static bool
is_name(const struct reader *r, size_t at, size_t end)
{
	const unsigned char *p = (const unsigned char *)r->text + at;
	bool upper = at < r->len && ((*p >= 'A' && *p <= 'Z') || (*p == 0xc3 && p[1] < 0xa0));

	return upper && end - at >= 2 && !is_cue(r, at, end) && !is_stop(r, at, end);
}

/* Whether the word is a verb of the third person, as far as its ending tells. */
static bool
is_verb(const struct reader *r, size_t start, size_t end)
{
	const char *last = r->text + end;

	return end - start > 3 && !is_name(r, start, end) &&
	    (last[-1] == 's' || memcmp(last - 2, "ed", 2) == 0);
}

static void
copy_name(const struct reader *r, size_t start, size_t end, char out[READING_NAME])
{
	size_t n = end - start;

	if (n > 2 && memcmp(r->text + end - 2, "'s", 2) == 0)
		n -= 2;
	else if (n > 4 && memcmp(r->text + end - 4, "\xe2\x80\x99s", 4) == 0)
		n -= 4;
	snprintf(out, READING_NAME, "%.*s", (int)utf8_clip(r->text + start, n, READING_NAME - 1),
	    r->text + start);
}

/* ---- who ---- */

/* Whether a person is known by a word for their relation: "mum", 爸. */
static bool
is_relation(const struct reader *r, const char *name)
{
	int kin = cues_class(r->says, "kin"), people = cues_class(r->says, "people");
	struct cue cues[8];
	size_t n = cues_find(r->says, name, strlen(name), cues, NELEM(cues), NULL);

	while (n-- > 0)
		if (((int)cues[n].class == kin || (int)cues[n].class == people) &&
		    cues[n].len == strlen(name))
			return true;
	return false;
}

/* The person behind "my wife": the name that follows, else the word itself. */
static void
read_kin(const struct reader *r, const struct cue *kin, char out[READING_NAME])
{
	size_t start = next_start(r, kin->start + kin->len), end = word_end(r, start);

	if (start < r->len && start - (kin->start + kin->len) <= 2 && is_name(r, start, end))
		copy_name(r, start, end, out);
	else
		copy_name(r, kin->start, kin->start + kin->len, out);
}

static void
set_person(const struct reader *r, const char *name)
{
	if (r->by->person != NULL)
		snprintf(r->by->person, READING_NAME, "%s", name);
}

/* Says that it is about that person or project. */
static void
set_about(const struct reader *r, const char *what, const char *name)
{
	snprintf(r->out->about, sizeof(r->out->about), "%s%.*s", what,
	    (int)utf8_clip(name, strlen(name), READING_NAME - 1), name);
}

static void
read_about(struct reader *r)
{
	const struct cue *first = cue_of(r, "first"), *we = cue_of(r, "first_plural"),
			 *kin = cue_of(r, "kin"), *third = cue_of(r, "third"), *own;
	size_t start = next_start(r, 0), end = word_end(r, start);
	char name[READING_NAME] = "";
	const char *about = r->out->about;
	bool subject = kin != NULL && kin->at <= 2 && kin->start == start;
	size_t next = next_start(r, end);

	kin = kin != NULL ? kin : cue_of(r, "people");
	own = first != NULL && (we == NULL || first->at <= we->at) ? first : we;
	if (kin != NULL)
		read_kin(r, kin, name);
	if (kin != NULL && own != NULL && own->at <= 1 && own->start < kin->start &&
	    kin->at <= own->at + 2 && strchr("IiWw", r->text[own->start]) == NULL)
		set_about(r, "other:", name);
	else if (own != NULL && own->at <= 3)
		set_about(r, "user", "");
	else if (subject)
		set_about(r, "other:", name);
	else if (third != NULL && third->at <= 1 && r->by->person != NULL && *r->by->person != '\0')
		set_about(r, "other:", r->by->person);
	else if (is_name(r, start, end) &&
	    (opens(r, "finite", 3) || is_verb(r, next, word_end(r, next)))) {
		copy_name(r, start, end, name);
		if (strcmp(name, r->by->speaker) == 0)
			set_about(r, "user", "");
		else
			set_about(r, "other:", name);
	} else if ((own == NULL || own->at > 3) && *r->by->project != '\0')
		set_about(r, "project:", r->by->project);
	else
		set_about(r, "user", "");
	r->out->relation = strncmp(about, "other:", 6) == 0 && is_relation(r, about + 6);
	if (kin != NULL || strncmp(about, "other:", 6) == 0)
		set_person(r, strncmp(about, "other:", 6) == 0 ? about + 6 : name);
}

/* ---- kind ---- */

static enum reading_kind
read_kind(const struct reader *r)
{
	bool own = has(r, "first") || has(r, "first_plural");

	/* what one person must do by a day is no rule */
	if ((strncmp(r->out->about, "other:", 6) == 0 || opens(r, "third", 1)) && has(r, "todo") &&
	    has(r, "deadline"))
		return READ_TODO;
	if (opens(r, "rule", 2) && !opens(r, "first", 2))
		return READ_RULE;
	if (has(r, "todo") && (own || opens(r, "todo", 2) || has(r, "deadline")))
		return READ_TODO;
	if (has(r, "rule") && (!own || opens(r, "rule", 2) || has(r, "second")))
		return READ_RULE;
	if (has(r, "decide"))
		return READ_DECISION;
	if (has(r, "like") || has(r, "dislike"))
		return READ_PREFERENCE;
	if (has(r, "learn") && own)
		return READ_SKILL;
	return READ_FACT;
}

/* ---- key ---- */

/* The last word before `at`, or the last of the phrase behind it, that is not a mere helper. */
static bool
thing_beside(const struct reader *r, size_t at, bool behind, size_t *start, size_t *end)
{
	bool found = false;

	*start = *end = 0;
	for (size_t s = next_start(r, behind ? at : 0), e; s < r->len; s = next_start(r, e)) {
		e = word_end(r, s);
		if (!behind && s >= at)
			break;
		e = behind ? e : MIN(e, at);
		if (e - s < 3 || is_stop(r, s, e) || is_cue(r, s, e)) {
			if (behind && found)
				break;
			continue;
		}
		*start = s;
		*end = e;
		found = true;
	}
	return found;
}

static void
add_to_key(struct reading *out, const char *text, size_t len)
{
	char folded[3 * READING_NAME + 1];
	size_t n = words_fold(text, utf8_clip(text, len, READING_NAME), folded),
	       k = strlen(out->key);

	folded[n] = '\0';
	for (char *p = folded; *p != '\0'; p++)
		if (*p == ' ' || *p == ':')
			*p = '_';
	snprintf(out->key + k, sizeof(out->key) - k, "_%s", folded);
	out->key[utf8_clip(out->key, strlen(out->key), READING_KEY - 16)] = '\0';
}

/*
 * Whether the slot can be meant: what is a person's is none of a project's, and a word for a job is
 * not yet somebody's job.
 */
static bool
fits(const struct reader *r, const struct cue_class *slot)
{
	bool personal = strstr(slot->rest, "Work") == NULL && strstr(slot->rest, "Rules") == NULL;

	if (strncmp(slot->rest, "role", 4) == 0 && !has(r, "be") && !has(r, "as"))
		return false;
	return !personal || *r->out->about != 'p';
}

static void
read_key(struct reader *r)
{
	size_t n, start, end;
	const struct cue_class *classes = cues_classes(r->slots, &n);
	struct reading *out = r->out;
	const struct cue *best = NULL;
	const char *name;
	char how[16] = "", bank[32] = "";
	bool thing;

	out->slot = out->bank = "";
	for (size_t i = 0; i < r->n_found; i++)
		if ((best == NULL || r->found[i].class < best->class) &&
		    fits(r, &classes[r->found[i].class]))
			best = &r->found[i];
	if (best == NULL)
		return;
	out->slot = classes[best->class].name;
	sscanf(classes[best->class].rest, "%15s %lf %31s", how, &out->importance, bank);
	out->bank = strstr(classes[best->class].rest, bank);
	out->value_start = MIN(next_start(r, best->start + best->len), r->len);
	out->value_len = r->len - out->value_start;
	if (out->value_len == 0) {
		out->value_start = 0;
		out->value_len = r->len;
	}
	if (strcmp(how, "many") == 0)
		return;
	thing = strcmp(how, "before") == 0 || strcmp(how, "after") == 0;
	name = strchr(out->about, ':');
	name = name != NULL ? name + 1 : "";
	/* the owner of a thing is not the thing's name: "owner_adapters", not "rosa:owner_..." */
	if (strcmp(how, "project") == 0 || (thing && strcmp(out->bank, "Work") == 0))
		name = r->by->project;
	else if (strcmp(out->slot, "partner") == 0 && (has(r, "first") || has(r, "first_plural")))
		name = "";
	if (*name != '\0') {
		add_to_key(out, name, strlen(name));
		memmove(out->key, out->key + 1, strlen(out->key));
		snprintf(out->key + strlen(out->key), 2, ":");
	}
	snprintf(out->key + strlen(out->key), sizeof(out->key) - strlen(out->key), "%s", out->slot);
	if (strcmp(how, "word") == 0)
		add_to_key(out, r->text + best->start, best->len);
	if (thing) {
		bool behind = strcmp(how, "after") == 0;
		if (thing_beside(r, behind ? best->start + best->len : best->start, behind, &start,
			&end))
			add_to_key(out, r->text + start, end - start);
		else
			out->key[0] = '\0';
	}
}

/* ---- times ---- */

static bool
holds(const char *text, size_t len, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = strlen(words[i]);
		for (size_t at = 0; at + k <= len; at++)
			if (memcmp(text + at, words[i], k) == 0)
				return true;
	}
	return false;
}

/*
 * Gives a month or a day of any year the year that is meant: the last one of something that has
 * happened, else the next.
 */
static void
choose_year(const struct reader *r, struct time_span *s)
{
	static const char *const from[] = { "from ", "starting ", "ab ", "从" };
	size_t before = s->start > 12 ? s->start - 12 : 0;
	int64_t now = r->by->time_us;
	struct civil c;
	/* "we have got a concert in June" is to come */
	bool past = has(r, "past") || has(r, "since") ||
	    (has(r, "ended") && !holds(r->text + before, s->start - before, from, NELEM(from))) ||
	    (has(r, "began") && !has(r, "have"));

	time_civil(now, &c);
	for (int year = c.year + 1; year >= c.year - 1; year--) {
		int months = MAX(s->months, 1);
		s->from_us = time_from_civil(year, s->month, MAX(s->day, 1));
		s->to_us = s->day > 0 ? s->from_us + US_PER_DAY
				      : time_from_civil(year, s->month + months, 1);
		if (past ? s->from_us <= now
			 : s->to_us > now && time_from_civil(year - 1, s->month, s->day) <= now)
			return;
	}
}

/*
 * What lasts until Friday lasts until the next one, and a time in the text is the last one of its
 * name. TIME_NONE: an end that is over says nothing of what is told as present.
 */
static int64_t
end_of(const struct reader *r, const struct time_span *s)
{
	static const char *const over[] = { "yesterday", "gestern", "last ", "letzte", "昨", "上" };
	int64_t now = r->by->time_us, week = 7 * US_PER_DAY;

	if (s->to_us > now || has(r, "past") || has(r, "ended") ||
	    holds(r->text + s->start, s->end - s->start, over, NELEM(over)))
		return s->to_us;
	return now - s->to_us < week ? s->to_us + week : TIME_NONE;
}

static void
read_times(struct reader *r)
{
	static const char *const until[] = { "until ", "till ", "through ", "bis ", "直到", "一直到" };
	struct time_span spans[SPANS_MOST];
	struct reading *out = r->out;
	size_t n;

	out->from_us = out->to_us = TIME_NONE;
	out->ends = has(r, "ended");
	if (r->by->time_us == TIME_NONE)
		return;
	n = timewords_find(r->text, r->len, r->by->time_us, spans, NELEM(spans));
	for (size_t i = 0; i < n; i++) {
		size_t before = spans[i].start > 12 ? spans[i].start - 12 : 0;
		if (spans[i].from_us == TIME_NONE && spans[i].month == 0)
			continue;
		if (spans[i].from_us == TIME_NONE)
			choose_year(r, &spans[i]);
		if (holds(r->text + before, spans[i].start - before, until, NELEM(until)))
			out->to_us = end_of(r, &spans[i]);
		else if (out->from_us == TIME_NONE && (has(r, "since") || !has(r, "habit")) &&
		    (has(r, "changed") || has(r, "began") || out->ends))
			out->from_us = spans[i].from_us;
	}
}

void
reading_of(const char *text, size_t len, const struct reading_by *by, struct reading *out)
{
	static const struct reading_by nobody = { "", "", TIME_NONE, NULL };
	struct reader r = { .text = text, .len = MIN(len, READING_BYTES), .out = out };

	r.by = by != NULL ? by : &nobody;
	r.says = cues_of("schema/cues/statement.txt");
	r.slots = cues_of("schema/cues/slots.txt");
	r.n_cues = cues_find(r.says, text, r.len, r.cues, CUES_MOST, NULL);
	r.n_found = cues_find(r.slots, text, r.len, r.found, CUES_MOST, NULL);
	*out = (struct reading){ .slot = "", .bank = "", .value_len = len, .importance = .5 };
	read_about(&r);
	out->kind = read_kind(&r);
	read_key(&r);
	read_times(&r);
}
