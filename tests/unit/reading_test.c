/*
 * reading_test.c: cues, clauses, and what is read from a statement, in several languages.
 */
#include "tap.h"

#include "base/base.h"
#include "statement/clause.h"
#include "statement/cues_parts.h"
#include "statement/reading.h"

/* ---- cues ---- */

static bool
finds(const struct cue *cue, size_t n, int class, size_t start, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if ((int)cue[i].class == class && cue[i].start == start && cue[i].len == len)
			return true;
	return false;
}

static void
test_cues(void)
{
	const struct cues *c = cues_of("schema/cues/ends.txt");
	int whole = cues_class(c, "whole"), instead = cues_class(c, "instead");
	struct cue cue[8];
	unsigned n_words = 0;
	size_t n;

	ok(cues_of("schema/cues/none.txt") == NULL, "a file that is not there has no table");
	is_str(cues_classes(c, &n)[whole].name, "whole", "a class is found by its name");
	is_int(cues_class(c, "house"), -1, "or not at all");
	n = cues_find(c, "We NO  longer, nolonger", 23, cue, NELEM(cue), &n_words);
	ok(finds(cue, n, whole, 3, 10), "two words together are found in any case");
	is_int(n_words, 4, "words are counted");
	n = cues_find(c, "D’abord, c’est au lieu de thé", 34, cue, NELEM(cue), NULL);
	ok(finds(cue, n, instead, 19, 10), "words stand behind other apostrophes");
	n = cues_find(c, "我不再住", 12, cue, NELEM(cue), NULL);
	ok(finds(cue, n, whole, 3, 6), "a cue is found inside Chinese");
	c = cues_of("schema/cues/slots.txt");
	ok(cues_classes(c, &n)[0].rest[0] != '\0', "what stands behind a name is kept");
	ok(cues_hash(c, 1) != cues_hash(cues_of("schema/cues/vouch.txt"), 1),
	    "tables have different hashes");
}

/* What awk folded at build is what is found in a text as it is folded here. */
static void
test_folding(void)
{
	size_t n_missed = 0, n_all = 0;

	for (const struct cues *c = cues_tables; c->name != NULL; c++)
		for (size_t i = 0; i < c->n; i++) {
			struct cue cue[64];
			char text[200];
			size_t len;

			snprintf(text, sizeof(text), "%s", c->texts + c->at[i]);
			len = strlen(text);
			if (text[len - 1] == '*')
				text[len - 1] = 'a';
			if (!finds(cue, cues_find(c, text, len, cue, NELEM(cue), NULL),
				(int)c->class[i], 0, len)) {
				printf("# %s: %s\n", c->name, text);
				n_missed++;
			}
			n_all++;
		}
	ok(n_all > 1000, "the tables have their cues");
	is_int(n_missed, 0, "every cue is found in its own words");
}

/* ---- clauses ---- */

static const char *of;
static char got[2000];
static unsigned flags;

static int
join(void *arg, const struct clause *c)
{
	size_t n = strlen(got);

	(void)arg;
	flags = c->flags;
	snprintf(got + n, sizeof(got) - n, "%s%.*s", n > 0 ? "|" : "", (int)c->len, of + c->start);
	return 0;
}

static void
test_clauses(void)
{
	static const struct { const char *text, *clauses; unsigned flags; } cases[] = {
		{ "Well, I live in Bern, and my sister has a boat.",
			"I live in Bern|my sister has a boat", CLAUSE_HALF },
		{ "He reads and she sings. Dr. Oak came on 3. May.",
			"He reads|she sings|Dr. Oak came on 3. May", 0 },
		{ "Bread, cheese and wine", "Bread, cheese and wine", 0 },
		{ "It is late (I am tired)", "It is late|I am tired", CLAUSE_ASIDE | CLAUSE_HALF },
		{ "Ich wohne in Ulm, aber ich arbeite in Graz", "Ich wohne in Ulm|ich arbeite in Graz",
			CLAUSE_HALF },
		{ "我住在北京，我老婆是护士,我们有猫。", "我住在北京|我老婆是护士|我们有猫", CLAUSE_HALF },
		{ "- use tabs\n- why not?", "use tabs|why not", CLAUSE_LIST | CLAUSE_QUESTION },
		{ "> quoted\n```\nint i;\n```\n| a | b |\nkept", "kept", 0 },
		{ "\"I am a star, I shine\", it says", "\"I am a star, I shine\"|it says", CLAUSE_HALF },
	};

	for (size_t i = 0; i < NELEM(cases); i++) {
		of = cases[i].text;
		got[0] = '\0';
		clauses_each(of, strlen(of), join, NULL);
		is_str(got, cases[i].clauses, "clauses of '%.30s'", of);
		is_int(flags, cases[i].flags, "and the flags of the last");
	}
}

/* ---- reading ---- */

static void
test_reading(void)
{
	static const struct { const char *text, *about, *slot; bool single; int kind; } cases[] = {
		{ "I live in Lisbon", "user", "home", true, READ_FACT },
		{ "Ben drives a small van", "other:Ben", "vehicle", true, READ_FACT },
		{ "My wife Joan is a nurse", "other:Joan", "job", true, READ_FACT },
		{ "我住在上海", "user", "home", true, READ_FACT },
		{ "Ich hasse Kaffee", "user", "drink", false, READ_PREFERENCE },
		{ "Never use tables", "user", "answer_format", true, READ_RULE },
		{ "We decided to use Postgres", "user", "database", true, READ_FACT },
		{ "My mum lives in Rome", "other:mum", "home", true, READ_FACT },
		{ "The nurse came late", "user", "", false, READ_FACT },
		{ "The deadline moved to May", "user", "deadline", false, READ_FACT },
		{ "Mia is allergic to nuts", "other:Mia", "allergy", false, READ_FACT },
		{ "Ruth drinks soy milk", "other:Ruth", "", false, READ_FACT },
		{ "Mia sorella vive a Roma", "other:sorella", "", false, READ_FACT },
		{ "Soy vegana", "user", "diet", true, READ_FACT },
		{ "A Tess mora em Gaia", "other:Tess", "", false, READ_FACT },
		{ "Rosa owns the adapters", "other:Rosa", "owner", false, READ_FACT },
	};
	const struct reading_by by = { "", "", 1763900000000000ll, NULL };
	struct reading r;

	for (size_t i = 0; i < NELEM(cases); i++) {
		const char *text = cases[i].text;

		reading_of(text, strlen(text), &by, &r);
		is_str(r.about, cases[i].about, "whom '%s' is about", text);
		is_str(r.slot, cases[i].slot, "what '%s' sets", text);
		ok(r.single == cases[i].single, "whether what '%s' sets has one value", text);
		is_int(r.kind, cases[i].kind, "the kind of '%s'", text);
	}
}

/* Whose turn it is, and who was spoken of before. */
static void
test_people(void)
{
	char person[READING_NAME] = "";
	const struct reading_by by = { "Ann", "tide", TIME_NONE, person };
	struct reading r;

	reading_of("My sister Zoe came", 18, &by, &r);
	is_str(r.about, "other:Zoe", "a relation with a name");
	reading_of("she is a baker", 14, &by, &r);
	is_str(r.about, "other:Zoe", "she is the sister spoken of");
	reading_of("my dad is a cook", 16, &by, &r);
	reading_of("Ann is ill", 10, &by, &r);
	is_str(r.about, "user", "who speaks of herself");
	reading_of("We use MySQL now", 16, &by, &r);
	is_str(r.slot, "database", "a project has one database");
	reading_of("The build moves to CMake", 24, &by, &r);
	is_str(r.about, "project:tide", "nobody is named");
	is_str(r.slot, "build_tool", "a project has no home");
}

static void
test_times(void)
{
	/* 2025-11-23 */
	const struct reading_by by = { "", "", 1763900000000000ll, NULL };
	struct reading r;
	char day[TIME_TEXT];

	reading_of("We moved to Ulm in March", 24, &by, &r);
	is_str(time_format_day(r.from_us, day), "2025-03-01", "since a month before");
	ok(r.to_us == TIME_NONE && !r.ends, "and still");
	reading_of("I am in Rome until 2 May 2026", 29, &by, &r);
	is_str(time_format_day(r.to_us, day), "2026-05-03", "until a day");
	reading_of("We have got a concert in June", 29, &by, &r);
	is_str(time_format_day(r.from_us, day), "2026-06-01", "a month to come");
	reading_of("Rosa takes over the pumps from 15 January", 41, &by, &r);
	is_str(time_format_day(r.from_us, day), "2026-01-15", "from a day to come");
	reading_of("I live in Ulm from next Monday", 30, &by, &r);
	is_str(time_format_day(r.ahead_us, day), "2025-11-24", "from a weekday to come");
	reading_of("I live in Ulm from August", 25, &by, &r);
	ok(r.ahead_us == TIME_NONE, "a month is the nearer one of its name");
	reading_of("I work from Monday to Friday", 28, &by, &r);
	ok(r.ahead_us == TIME_NONE, "nothing begins with the days of a week");
	reading_of("She still bakes every Sunday", 28, &by, &r);
	ok(r.from_us == TIME_NONE, "a habit begins on no Sunday");
	reading_of("The audit was moved to 9 June", 29, &by, &r);
	ok(r.from_us == TIME_NONE, "what was moved to a day holds before that, too");
	reading_of("I quit smoking", 14, &by, &r);
	ok(r.ends && r.from_us == TIME_NONE, "something that ended");
	reading_of("I did not quit smoking", 22, &by, &r);
	ok(!r.ends, "an end that is denied is none");
	reading_of("I stopped worrying about my job at Bosch", 40, &by, &r);
	ok(!r.ends && *r.slot == '\0', "the end of a worry is no end of what it was about");
	reading_of("I stopped living in Rome", 24, &by, &r);
	ok(r.ends && strcmp(r.slot, "home") == 0, "the end of the living is");
	reading_of("I never stopped loving Ann", 26, &by, &r);
	ok(!r.ends, "an end that never came is none");
	reading_of("我没有离职", strlen("我没有离职"), &by, &r);
	ok(!r.ends, "nor in Chinese");
	reading_of("Ich wohne bis zum 3. Mai in Ulm", 31, &by, &r);
	is_str(time_format_day(r.to_us, day), "2026-05-04", "a day behind \"zum\"");
	reading_of("Je suis à Rome jusqu'au 3 mai 2026", 35, &by, &r);
	is_str(time_format_day(r.to_us, day), "2026-05-04", "an end that is told in French");
	reading_of("Vivo en Roma hasta mayo", 23, &by, &r);
	is_str(time_format_day(r.to_us, day), "2026-06-01", "an end that is told in Spanish");
	reading_of("I have not missed a single day", 30, &by, &r);
	is_str(r.slot, "", "a single day is nobody's marriage");
	reading_of("We moved to Ulm in March", 24, NULL, &r);
	ok(r.from_us == TIME_NONE, "no date when nobody knows when it was said");
}

int
main(void)
{
	test_cues();
	test_folding();
	test_clauses();
	test_reading();
	test_people();
	test_times();
	return tap_done();
}
