/*
 * forget_words_test.c: the table of words that go: what is in it and what is not, also when it has
 * grown, and when it went through a file in parts.
 */
#include "facts/forget_parts.h"
#include "tap.h"

#define N 3000

static struct forget_words words;
static size_t n_looked;

static const char *
word(unsigned i)
{
	static char text[32];

	snprintf(text, sizeof(text), "kettle%ux", i);
	return text;
}

static bool
has(const char *text, enum forget_form form)
{
	const struct forget_word *e = forget_words_find(&words, text, strlen(text), form);

	return e != NULL && strcmp(e->text, text) == 0;
}

static void
on_word(void *arg, struct forget_word *w, enum forget_form form)
{
	(void)arg;
	n_looked += form == FORGET_WORD && strcmp(w->text, "kettle7x") == 0;
}

/* How many of the words are there, and how many of as many others. */
static unsigned
count(unsigned *others)
{
	unsigned n = 0;

	*others = 0;
	for (unsigned i = 0; i < N; i++) {
		n += has(word(i), FORGET_WORD);
		*others += has(word(N + i), FORGET_WORD);
	}
	return n;
}

int
main(void)
{
	unsigned others, n = 0;
	struct forget_word *e = NULL;

	ok(!has("kettle0x", FORGET_WORD), "an empty table has no word");
	forget_words_add(&words, "Boilers, and an ox", 18);
	ok(has("boilers", FORGET_WORD) && has("boiler", FORGET_TERM),
	    "the first word, in two forms");
	ok(!has("boilers", FORGET_TERM), "a word is not there in a form that it does not have");
	ok(!has("and", FORGET_WORD) && !has("ox", FORGET_WORD), "no word of under four letters");
	for (unsigned i = 0; i < N; i++)
		forget_words_add(&words, word(i), strlen(word(i)));
	is_int(count(&others), N, "each word that was added is found when the table has grown");
	is_int(others, 0, "no word that was not added is found");
	forget_words_add(&words, word(1), strlen(word(1)));
	while ((e = forget_words_next(&words, e)) != NULL)
		n += strcmp(e->text, "kettle1x") == 0;
	is_int(n, 1, "a word that comes twice stands there once");
	forget_words_look(&words, "the KETTLE7X and kettle9999x", 28, on_word, NULL);
	is_int(n_looked, 1, "a text is looked at by the words that it has");
	forget_words_release(&words);
	return tap_done();
}
