/*
 * salience_test.c: the bounds of pieces and their features, by hand; what is likelier than
 * what.
 */
#include "summary/salience.h"
#include "tap.h"

static char found[1024];
static double last_p;
static bool last_leans;
static float last_x[512];

static int
note(void *arg, const struct salience *s)
{
	const struct salience_turn *t = arg;
	const char *const *names;
	size_t n = strlen(found);

	snprintf(found + n, sizeof(found) - n, "%s%.*s", n > 0 ? "|" : "", (int)s->len,
	    t->text + s->start);
	last_p = s->p;
	last_leans = s->leans;
	memcpy(last_x, s->x, salience_features(&names) * sizeof(*last_x));
	return 0;
}

static double
read_text(const char *text, bool by_user)
{
	struct salience_turn t = { text, strlen(text), 4, 20, by_user, false, false };

	found[0] = '\0';
	salience_each(&t, note, &t);
	return last_p;
}

static float
feature(const char *name)
{
	const char *const *names;
	size_t n = salience_features(&names);

	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return last_x[i];
	return -1;
}

static void
bounds(void)
{
	read_text("Ok, so we met. And Dr. Huber came on the 12. August!\n- one item", true);
	is_str(found, "we met|Dr. Huber came on the 12. August|one item", "lead-ins and bullets");
	read_text("No defaults for that. Now it works.", true);
	is_str(found, "No defaults for that|Now it works", "words that mean something stay");
	read_text("```\nint x;\n```\n> quoted\nHere.", true);
	is_str(found, "Here", "code and quoted lines are left out");
	read_text("好的，我搬到成都了。房租四千。", true);
	is_str(found, "我搬到成都了|房租四千", "Chinese");
	read_text("We ship on Tuesdays, because ops goes home at four, not on Fridays.", true);
	is_str(found, "We ship on Tuesdays|because ops goes home at four, not on Fridays",
	    "a clause is cut at its commas, but not before what limits it");
	read_text("If it rains, we stay, and Bo cooks. She said, she likes it.", true);
	is_str(found, "If it rains, we stay, and Bo cooks|She said, she likes it",
	    "a condition and speech stay whole");
	read_text("We need bread, milk and eggs, and `a, b` too.", true);
	is_str(found, "We need bread, milk and eggs, and `a, b` too",
	    "a list, and code, stay whole");
}

static void
features(void)
{
	read_text("The lease was signed by Dana on 12 August.", true);
	ok(feature("told") == 0 && feature("question") == 0, "who says it, and how");
	ok(feature("names") == 1 && feature("dates") == 1, "names and dates");
	ok(!last_leans, "it stands alone");
	read_text("She signed it.", false);
	ok(!last_leans, "nothing is before it");
	read_text("Dana came. She signed it.", false);
	ok(last_leans, "who is she?");
	read_text("My wrist. I can't draw.", true);
	ok(last_leans, "what it speaks of is named before");
	read_text("We met Dana, the lawyer of my aunt.", true);
	ok(last_leans, "what goes on");
	read_text("She signed it.", false);
	ok(feature("told") == 1 && feature("later") == 0, "an assistant's first sentence");
	read_text("The crash was caused by a race.", false);
	ok(feature("told_cause") == 1, "an assistant says what the cause was");
}

static void
likely(void)
{
	double fact = read_text("We decided to move to Graz on 3 September.", true);

	ok(fact > read_text("We decided to move to Graz on 3 September.", false), "a user knows");
	ok(fact > read_text("Could we move to Graz on 3 September?", true), "more than a question");
	ok(fact > 4 * read_text("Thanks, that is lovely.", true), "much more than thanks");
}

int
main(void)
{
	bounds();
	features();
	likely();
	return tap_done();
}
