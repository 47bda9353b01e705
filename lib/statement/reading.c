/*
 * reading.c: cues are found once for each of the two tables, and each answer is taken from them:
 * the kind and the person by the classes of schema/cues/statement.txt, what is set by the first
 * slot of schema/cues/slots.txt of which there is a word, the times by time/timewords.h.
 */
#include "statement/reading_parts.h"

#include "lexicon/lex.h"

#define OF_WHO .85                     /* importance of what says who somebody is */

/* The first cue of a class; NULL: there is none. */
const struct cue *
reader_cue(const struct reader *r, const char *class)
{
	return cue_text_find(&r->says, class, 0);
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

/* What else there is, its words say (statement/lasting.h). */
static enum reading_kind
read_kind(const struct reader *r)
{
	bool own = reader_has(r, "first") || reader_has(r, "first_plural");

	if (reader_opens(r, "rule", 2) ||
	    (reader_has(r, "rule") && (!own || reader_has(r, "second"))))
		return READ_RULE;
	return reader_has(r, "like") || reader_has(r, "dislike") ? READ_PREFERENCE : READ_FACT;
}

/* ---- what it sets ---- */

/* Whether a thing is the subject, which may move but has no home: "the deadline moved to". */
static bool
is_thing(const struct reader *r)
{
	struct lex_token t;

	return lex_next(r->text, r->len, 0, &t) && lex_is(&t, LEX_DETERMINER, LEX_ANY, NULL) &&
	    !reader_has(r, "first") && !reader_has(r, "third") && !reader_has(r, "kin") &&
	    !reader_has(r, "people") && !reader_has(r, "pet");
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

/* Whether the slot is set: to what holds, held or holds no longer, or by a rule. */
static bool
sets(const struct reading *out, bool denied)
{
	/* "never use tables" is a rule, "I never lived here" is none */
	if (out->kind == READ_RULE && out->importance < OF_WHO)
		return true;
	return out->polarity != POLARITY_WISHED && (out->polarity != POLARITY_DENIED || denied);
}

static void
read_slot(struct reader *r)
{
	size_t n;
	const struct cue_class *classes = cues_classes(r->slots.of, &n);
	struct reading *out = r->out;
	const struct cue *best = NULL;
	char how[16] = "", bank[32] = "";

	for (size_t i = 0; i < r->slots.n; i++)
		if ((best == NULL || r->slots.cues[i].class < best->class) &&
		    fits(r, &classes[r->slots.cues[i].class]))
			best = &r->slots.cues[i];
	if (best == NULL)
		return;
	sscanf(classes[best->class].rest, "%15s %lf %31s", how, &out->importance, bank);
	out->bank = strstr(classes[best->class].rest, bank);
	out->polarity = polarity_of(r->text, r->len, best->start, best->start + best->len);
	if (!sets(out, strcmp(how, "either") == 0))
		return;
	out->slot = classes[best->class].name;
	out->single = strcmp(how, "many") != 0 && !out->unknown;
}

/* ---- the whole ---- */

void
reading_of(const char *text, size_t len, const struct reading_by *by, struct reading *out)
{
	static const struct reading_by nobody = { .speaker = "", .project = "",
		.time_us = TIME_NONE };
	struct reader r = { .text = text, .len = MIN(len, READING_BYTES), .out = out };

	r.by = by != NULL ? by : &nobody;
	cue_text_read(&r.says, "schema/cues/statement.txt", text, r.len);
	cue_text_read(&r.slots, "schema/cues/slots.txt", text, r.len);
	*out = (struct reading){ .slot = "", .bank = "", .importance = .5 };
	reader_about(&r);
	out->kind = read_kind(&r);
	read_slot(&r);
	reader_times(&r);
}
