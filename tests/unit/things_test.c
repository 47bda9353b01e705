/* things_test.c: the kinds of things that questions ask for, and that texts say. */
#include "tap.h"

#include "lexicon/lex.h"
#include "rank/things.h"

struct example { const char *text; unsigned things; };

static void
check(unsigned (*of)(const char *, size_t, unsigned), const struct example *e)
{
	for (; e->text != NULL; e++) {
		unsigned got = of(e->text, strlen(e->text),
		    lex_counting(lex_language_of(e->text, strlen(e->text))));
		if (!ok(got == e->things, "%s", e->text))
			tap_note("got %u, want %u", got, e->things);
	}
}

static void
test_asked(void)
{
	static const struct example asked[] = {
		{ "How many boats does Tom own?", THING_NUMBER },
		{ "how long is the ferry ride", THING_SPAN },
		{ "Where did Ana live?", THING_PLACE | THING_DONE },
		{ "Who has the key?", THING_PERSON | THING_DONE },
		{ "Which book is on the desk?", THING_TITLE },
		{ "What are Tom's plans?", THING_PLAN },
		{ "What is Tom going to paint?", THING_PLAN },
		{ "Is the goose going home?", 0 },
		{ "the whole placebo", 0 },
		{ "我们在哪里买了水壶？", THING_PLACE },
		{ "Wie viele Boote hat Tom, und wo sind sie?",
		    THING_NUMBER | THING_PLACE | THING_DONE },
		{ "Combien de temps dure la traversée ?", THING_NUMBER | THING_SPAN },
		{ "¿Quién tiene la llave y dónde está?", THING_PERSON | THING_PLACE },
		{ "Quanti anni ha il fratello?", THING_NUMBER | THING_DONE },
		{ "Qual é o título do livro que ela quer?", THING_TITLE | THING_PLAN },
		{ "Hoe lang duurt het en wie komt er mee?", THING_SPAN | THING_PERSON },
		{ "谁有钥匙？", THING_PERSON },
		{ "", 0 },
		{ NULL, 0 },
	};

	check(things_asked, asked);
}

static void
test_said(void)
{
	static const struct example said[] = {
		{ "He has two.", THING_NUMBER },
		{ "He has 14 of them", THING_NUMBER },
		{ "It is open since noon", THING_SPAN },
		{ "a ship from Lisbon", THING_PLACE },
		{ "a ship from the Azores", THING_PLACE },
		{ "Ships near The Hague", THING_PLACE },
		{ "a ship from home", 0 },
		{ "My sister's kite", THING_PERSON },
		{ "\"Dune\" is long", THING_TITLE },
		{ "\xe2\x80\x9c" "Dune\xe2\x80\x9d is long", THING_TITLE },
		{ "the \"dune\" is long", 0 },
		{ "I'll paint it", THING_PLAN },
		{ "I\xe2\x80\x99ll paint it", THING_PLAN },
		{ "he is ill, all is well", 0 },
		{ "can't wait to swim", THING_PLAN },
		{ "We really painted it", THING_DONE },
		{ "I've been there", THING_DONE },
		{ "I am what he painted", 0 },
		{ "they painted it", 0 },
		{ "Wir haben es mit der Schwester gemalt", THING_DONE | THING_PERSON },
		{ "Elle est à Lisbonne depuis trois jours", THING_NUMBER | THING_SPAN | THING_PLACE },
		{ "Voy a pintar la barca con mi hermana", THING_PLAN | THING_PERSON },
		{ "\xff\xe2\x80", 0 },
		{ "'", 0 },
		{ NULL, 0 },
	};

	check(things_said, said);
}

int
main(void)
{
	test_asked();
	test_said();
	return tap_done();
}
