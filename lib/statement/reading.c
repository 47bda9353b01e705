/*
 * reading.c: cues are found once for each of the two tables, and each answer is taken from them:
 * the kind and the person by the classes of schema/cues/statement.txt, the key by the first slot of
 * schema/cues/slots.txt of which there is a word, the times by time/timewords.h.
 */
#include "statement/reading_parts.h"

#include "base/utf8.h"
#include "text/words.h"

#define OF_WHO .85                     /* importance of what says who somebody is */

/* The first cue of a class; NULL: there is none. */
const struct cue *
reader_cue(const struct reader *r, const char *class)
{
	int c = cues_class(r->says, class);

	for (size_t i = 0; i < r->n_cues; i++)
		if ((int)r->cues[i].class == c)
			return &r->cues[i];
	return NULL;
}

bool
reader_has(const struct reader *r, const char *class)
{
	return reader_cue(r, class) != NULL;
}

/* Whether a cue of the class is one of the first words. */
bool
reader_opens(const struct reader *r, const char *class, unsigned words)
{
	const struct cue *c = reader_cue(r, class);

	return c != NULL && c->at < words;
}

/* ---- kind ---- */

static enum reading_kind
read_kind(const struct reader *r)
{
	bool own = reader_has(r, "first") || reader_has(r, "first_plural");

	/* what one person must do by a day is no rule */
	if ((strncmp(r->out->about, "other:", 6) == 0 || reader_opens(r, "third", 1)) &&
	    reader_has(r, "todo") && reader_has(r, "deadline"))
		return READ_TODO;
	if (reader_opens(r, "rule", 2) && !reader_opens(r, "first", 2))
		return READ_RULE;
	if (reader_has(r, "todo") &&
	    (own || reader_opens(r, "todo", 2) || reader_has(r, "deadline")))
		return READ_TODO;
	if (reader_has(r, "rule") &&
	    (!own || reader_opens(r, "rule", 2) || reader_has(r, "second")))
		return READ_RULE;
	if (reader_has(r, "decide"))
		return READ_DECISION;
	if (reader_has(r, "like") || reader_has(r, "dislike"))
		return READ_PREFERENCE;
	if (reader_has(r, "learn") && own)
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
	for (size_t s = reader_next(r, behind ? at : 0), e; s < r->len; s = reader_next(r, e)) {
		e = reader_word_end(r, s);
		if (!behind && s >= at)
			break;
		e = behind ? e : MIN(e, at);
		if (e - s < 3 || reader_is_stop(r, s, e) || reader_is_cue(r, s, e)) {
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

/* Whether the word is one behind which a phrase is over: "my favourite film is", "... of all". */
static bool
is_break(const struct reader *r, size_t start, size_t end)
{
	int be = cues_class(r->says, "be"), it = cues_class(r->says, "it");

	for (size_t i = 0; i < r->n_cues; i++)
		if (r->cues[i].start == start && r->cues[i].start + r->cues[i].len == end &&
		    ((int)r->cues[i].class == be || (int)r->cues[i].class == it))
			return true;
	return reader_is_stop(r, start, end);
}

/*
 * What a favourite is one of: the noun of "favourite board game", "Lieblingsfarbe", "color
 * favorito", 最喜欢的颜色. cue: of the word itself.
 */
static bool
favored_thing(const struct reader *r, const struct cue *cue, size_t *start, size_t *end)
{
	static const size_t lieblings = sizeof("lieblings") - 1;
	size_t at = cue->start + cue->len, next = reader_next(r, at), stop;

	*start = *end = 0;
	if (cue->len > lieblings && (r->text[cue->start] | 0x20) == 'l') {
		*start = cue->start + lieblings + (r->text[cue->start + lieblings] == '-');
		*end = at;
		return true;
	}
	if ((unsigned char)r->text[cue->start] >= 0xe3) {
		for (stop = at; stop + 3 <= r->len && (unsigned char)r->text[stop] >= 0xe3 &&
		    strncmp(r->text + stop, "是", 3) != 0 && strncmp(r->text + stop, "，", 3) != 0;)
			stop += 3;
		*start = at;
		*end = stop;
		return stop > at && stop - at <= 12;
	}
	for (size_t s = next; s < r->len && s - at <= 1; s = reader_next(r, at)) {
		if (is_break(r, s, reader_word_end(r, s)))
			break;
		*start = s;
		*end = at = reader_word_end(r, s);
	}
	if (*end == 0)                         /* "mi color favorito es" */
		for (size_t s = reader_next(r, 0), e; s < cue->start; s = reader_next(r, e)) {
			e = reader_word_end(r, s);
			if (e + 1 == cue->start && !is_break(r, s, e) && !reader_is_cue(r, s, e)) {
				*start = s;
				*end = e;
			}
		}
	return *end > 0;
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

/* Whether a thing is the subject, which may move but has no home: "the deadline moved to". */
static bool
is_thing(const struct reader *r)
{
	static const char *const articles[] = { "the ", "der ", "die ", "das ", "this ", "our " };
	char folded[32];
	size_t n = words_fold(r->text, utf8_clip(r->text, MIN(r->len, 8), 8), folded);

	for (size_t i = 0; i < NELEM(articles); i++)
		if (n >= strlen(articles[i]) &&
		    memcmp(folded, articles[i], strlen(articles[i])) == 0)
			return !reader_has(r, "first") && !reader_has(r, "third") &&
			    !reader_has(r, "kin") && !reader_has(r, "people") &&
			    !reader_has(r, "pet");
	return false;
}

/*
 * Whether the slot can be meant: what is a person's is none of a project's, and a word for a job is
 * not yet somebody's job.
 */
static bool
fits(const struct reader *r, const struct cue_class *slot)
{
	bool personal = strstr(slot->rest, "Work") == NULL && strstr(slot->rest, "Rules") == NULL;

	if (strncmp(slot->rest, "role", 4) == 0 && !reader_has(r, "be") && !reader_has(r, "as"))
		return false;
	if (strcmp(slot->name, "home") == 0 && is_thing(r))
		return false;
	return !personal || *r->out->about != 'p';
}

/* Whether what it is of stands behind it: "the deadline for the report". */
static bool
is_of_thing(const struct reader *r, size_t at)
{
	static const char *const of[] = { " for ", " of ", " für ", " von ", " des ", " der " };

	for (size_t i = 0; i < NELEM(of); i++)
		if (at + strlen(of[i]) <= r->len &&
		    memcmp(r->text + at, of[i], strlen(of[i])) == 0)
			return true;
	return false;
}

/* Whether a word names the slot itself, so that it needs no thing: "the deadline is on Friday". */
static bool
is_named_alone(const struct reader *r, const struct cue *cue)
{
	static const char *const names[] = { "deadline", "frist", "截止" };
	char folded[3 * READING_NAME + 1];
	size_t n = words_fold(r->text + cue->start, MIN(cue->len, READING_NAME), folded);

	for (size_t i = 0; i < NELEM(names); i++)
		if (strlen(names[i]) == n && memcmp(folded, names[i], n) == 0)
			return true;
	return false;
}

/* Whether the slot is set: to what holds, held or holds no longer, or by a rule. */
static bool
sets(const struct reading *out, const char *how)
{
	/* "never use tables" is a rule, "I never lived here" is none */
	if ((out->kind == READ_RULE && out->importance < OF_WHO) || strcmp(how, "word") == 0)
		return true;
	return out->polarity != POLARITY_WISHED &&
	    (out->polarity != POLARITY_DENIED || strcmp(how, "either") == 0);
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
	out->value_start = MIN(reader_next(r, best->start + best->len), r->len);
	out->value_len = r->len - out->value_start;
	if (out->value_len == 0) {
		out->value_start = 0;
		out->value_len = r->len;
	}
	out->polarity = polarity_of(r->text, r->len, best->start, best->start + best->len);
	if (!sets(out, how))
		out->slot = "";
	if (strcmp(how, "many") == 0 || *out->slot == '\0' || out->unknown)
		return;
	thing = strcmp(how, "before") == 0 || strcmp(how, "after") == 0 ||
	    strcmp(how, "maybe") == 0;
	name = strchr(out->about, ':');
	name = name != NULL ? name + 1 : "";
	/* the owner of a thing is not the thing's name: "owner_adapters", not "rosa:owner_..." */
	if (strcmp(how, "project") == 0 || (thing && strcmp(out->bank, "Work") == 0))
		name = r->by->project;
	else if (strcmp(out->slot, "partner") == 0 &&
	    (reader_has(r, "first") || reader_has(r, "first_plural")))
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
		behind |= !behind && is_of_thing(r, best->start + best->len);
		if (thing_beside(r, behind ? best->start + best->len : best->start, behind, &start,
			&end))
			add_to_key(out, r->text + start, end - start);
		else if (strcmp(how, "maybe") != 0 || !is_named_alone(r, best))
			out->key[0] = '\0';
	} else if (strcmp(how, "thing") == 0) {
		if (favored_thing(r, best, &start, &end))
			add_to_key(out, r->text + start, end - start);
		else
			out->key[0] = '\0';
	}
}

/* ---- the whole ---- */

void
reading_of(const char *text, size_t len, const struct reading_by *by, struct reading *out)
{
	static const struct reading_by nobody = { .speaker = "", .project = "",
		.time_us = TIME_NONE };
	struct reader r = { .text = text, .len = MIN(len, READING_BYTES), .out = out };

	r.by = by != NULL ? by : &nobody;
	r.says = cues_of("schema/cues/statement.txt");
	r.slots = cues_of("schema/cues/slots.txt");
	r.n_cues = cues_find(r.says, text, r.len, r.cues, READING_CUES, NULL);
	r.n_found = cues_find(r.slots, text, r.len, r.found, READING_CUES, NULL);
	*out = (struct reading){ .slot = "", .bank = "", .value_len = len, .importance = .5 };
	reader_about(&r);
	out->kind = read_kind(&r);
	read_key(&r);
	reader_times(&r);
}
