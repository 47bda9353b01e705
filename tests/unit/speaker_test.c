/*
 * speaker_test.c: what is a name beside a stamp, in a caption, before a colon in a chat and in any
 * text; the sides of a chat.
 */
#include "clean/speaker.h"
#include "tap.h"

/* By what of the five it is a name, a letter each. */
static const char *
names(const char *s)
{
	static char by[6];

	for (int i = SPEAKER_STAMP; i <= SPEAKER_PARAGRAPH; i++)
		by[i] = speaker_is_name(s, strlen(s), (enum speaker_by)i) ? "slchp"[i] : '-';
	return by;
}

static void
test_names(void)
{
	static const struct { const char *name, *by; } t[] = {
		{ "Mara Klein-Berg", "slchp" }, { "\xc3\x89lodie", "slchp" }, { "mara", "s----" }, { "_x", "s----" }, { "+49 170", "s----" }, { "7", "s----" },
		{ "-x", "-----" }, { "\xc2\xa7 x", "s----" }, { "Klein, Mara", "s----" }, { "Mara / Sales", "s----" }, { "A:b", "s----" }, { "A: b", "-----" },
		{ "A:", "-----" }, { "Speaker #2", "slc--" }, { "R&D", "slc--" }, { "Mara (off)", "slch-" }, { "Mara [off]", "-----" }, { "Why?", "-----" },
		{ "One two three", "slchp" }, { "One two three four", "slch-" }, { "One two three four five", "sl---" }, { "One two three four five six", "sl---" },
		{ "One two three four five six seven", "-----" }, { "Mara K.", "sl-hp" }, { "Sammy Davis Jr.", "-l-hp" }, { "Mara \xe2\x80\x94 x", "-----" }, { "", "-----" },
	};
	char longest[SPEAKER_BYTES + 2];

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		is_str(names(t[i].name), t[i].by, "\"%s\"", t[i].name);
	memset(longest, 'X', sizeof(longest));
	ok(speaker_is_name(longest, SPEAKER_BYTES, SPEAKER_PARAGRAPH), "as long as a name may be");
	ok(!speaker_is_name(longest, SPEAKER_BYTES + 1, SPEAKER_STAMP), "longer");
	ok(!speaker_is_name("Ma\0ra", 5, SPEAKER_STAMP), "a NUL");
}

static void
test_sides(void)
{
	is_str(speaker_side("You said", 8, NULL), "user", "a side, whatever its capitals");
	is_str(speaker_side_of_nick("ChatGPT", 7), "assistant", "a word that nobody is called by");
	is_str(speaker_side_of_nick("system", 6), "system", "the last of these");
	ok(speaker_side_of_nick("me", 2) == NULL, "one that may be a nick");
	ok(speaker_side("user\0x", 6, NULL) == NULL && speaker_side("use", 3, NULL) == NULL &&
		speaker_side("users", 5, NULL) == NULL,
	    "more and less than a side");
	ok(speaker_is_nobody("Warning", 7) && !speaker_is_nobody("Mara", 4) &&
		!speaker_is_nobody("Warnings", 8),
	    "words before colons");
}

int
main(void)
{
	test_names();
	test_sides();
	return tap_done();
}
