/*
 * normal_test.c: one form of texts. What is expected is Python's: unicodedata.normalize("NFC",
 * text.lower()), and " ".join() of its split().
 */
#include "tap.h"
#include "base/normal.h"

static void
is_normal(const char *text, const char *want, const char *name)
{
	struct buf b;

	buf_init(&b, 1000);
	normal_text(&b, text, strlen(text));
	is_str(b.data, want, "%s", name);
	buf_release(&b);
}

int
main(void)
{
	is_normal("", "", "no text has no form");
	is_normal(" \t Ann\n\n  BEE ", "ann bee", "small letters, and one blank for many");
	is_normal("\xc2\xa0""A\xe3\x80\x80""B\xe2\x80\x83", "a b", "blanks that are not ASCII");
	is_normal("Cafe\xcc\x81", "caf\xc3\xa9", "a letter and its mark are composed");
	is_normal("CAF\xc3\x89", "caf\xc3\xa9", "a capital with a mark");
	is_normal("\xc4\xb0zmir", "i\xcc\x87zmir", "a capital I with a dot keeps it as a mark");
	is_normal("\xce\x9f\xce\x94\xce\x9f\xce\xa3 \xce\xa3",
	    "\xce\xbf\xce\xb4\xce\xbf\xcf\x82 \xcf\x83",
	    "a sigma at the end of a word, and one alone");
	is_normal("\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "\xea\xb0\x81",
	    "Korean letters are a syllable");
	is_normal("s\xcc\x87\xcc\xa3", "\xe1\xb9\xa9",
	    "marks are put in order before they are composed");
	is_normal("\xe2\x84\xab", "\xc3\xa5", "a sign that is a letter");
	is_normal("a\xff" "b", "a\xef\xbf\xbd" "b", "a byte that is no UTF-8");
	return tap_done();
}
