/*
 * utf8_test.c: every code point both ways, the ill-formed sequences of RFC 3629 and of Unicode's
 * table 3-8, cuts, columns.
 */
#include "base/utf8.h"

#include "tap.h"

static void
test_all(void)
{
	bool same = true, cut = true, refused = true;
	char s[4];
	uint32_t cp;

	for (uint32_t c = 0; c < 0x110000; c++) {
		size_t n = utf8_encode(c, s);

		if (c >= 0xd800 && c <= 0xdfff) {
			same = same && n == 3 && memcmp(s, "\xef\xbf\xbd", 3) == 0;
			s[0] = '\xed';
			s[1] = (char)(0x80 | (c >> 6 & 0x3f));
			s[2] = (char)(0x80 | (c & 0x3f));
			refused = refused && utf8_decode(s, s + 3, &cp) == 0 && !utf8_valid(s, 3);
			continue;
		}
		same = same && n == (c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
		same = same && utf8_decode(s, s + n, &cp) == n && cp == c && utf8_valid(s, n) &&
		    utf8_count(s, n) == 1;
		cut = cut &&
		    (n == 1 ||
			(utf8_decode(s, s + n - 1, &cp) == 0 && utf8_clip(s, n, n - 1) == 0));
	}
	ok(same, "1,112,064 code points and back");
	ok(cut, "each cut short is refused, and clipped away");
	ok(refused, "2,048 surrogates are refused");
	is_int(utf8_encode(0x110000, s), 3, "beyond Unicode: U+FFFD");
}

static void
test_bad(void)
{
	static const struct { const char *s; size_t len, at; } cases[] = {
		{ "\x80", 1, 0 }, { "\xbf", 1, 0 }, { "\xc0\x80", 2, 0 }, { "\xc1\xbf", 2, 0 }, { "\xe0\x80\x80", 3, 0 }, { "\xe0\x9f\xbf", 3, 0 },
		{ "\xf0\x80\x80\x80", 4, 0 }, { "\xf0\x8f\xbf\xbf", 4, 0 }, { "\xf4\x90\x80\x80", 4, 0 }, { "\xf5\x80\x80\x80", 4, 0 },
		{ "\xfe", 1, 0 }, { "\xff", 1, 0 }, { "abc\xc3", 4, 3 }, { "abc\xc3(", 5, 3 }, { "12345678\xe2\x82", 10, 8 },
		{ "\xe2\x82\xac\xe2\x28\xa1", 6, 3 }, { "1234567890123456\xff" "abcdefgh", 25, 16 }, { "\xf0\x9f\x98", 3, 0 },
	};

	for (size_t i = 0; i < NELEM(cases); i++) {
		is_int(utf8_bad_at(cases[i].s, cases[i].len), cases[i].at,
		    "ill-formed sequence %zu", i);
		ok(!utf8_valid(cases[i].s, cases[i].len), "is refused");
	}
	is_int(utf8_bad_at("a\0b", 3), 3, "NUL is a character");
	is_int(utf8_bad_at("", 0), 0, "nothing is well-formed");
	const char *mixed =
	    "h\xc3\xa9llo w\xc3\xb6rld \xe4\xbd\xa0\xe5\xa5\xbd \xf0\x9f\x98\x80 and ASCII behind";
	ok(utf8_valid(mixed, strlen(mixed)), "mixed text");
}

static void
test_clip(void)
{
	const char *s = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";      /* 1 + 2 + 3 + 4 + 1 */
	static const size_t want[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11 };

	for (size_t i = 0; i < NELEM(want); i++)
		is_int(utf8_clip(s, 11, i), want[i], "clipped to %zu bytes", i);
	is_int(utf8_clip(s, 9, 20), 6, "the text itself ends in half a character");
	is_int(utf8_clip("\x80\x80\x80\x80\x80\x80", 6, 4), 4, "no UTF-8: cut where asked");
	is_int(utf8_count(s, 11), 5, "five code points");
}

static void
test_columns(void)
{
	static const struct { uint32_t cp; int columns; } cases[] = {
		{ 0, 0 }, { '\n', 0 }, { 0x1b, 0 }, { ' ', 1 }, { 'a', 1 }, { 0x7f, 0 }, { 0x85, 0 }, { 0xa0, 1 }, { 0xad, 1 }, { 0xe9, 1 },
		{ 0x2ff, 1 }, { 0x300, 0 }, { 0x36f, 0 }, { 0x370, 1 }, { 0x5d0, 1 }, { 0x64b, 0 }, { 0x1100, 2 }, { 0x1160, 0 }, { 0x200b, 0 },
		{ 0x200d, 0 }, { 0x202e, 0 }, { 0x20ac, 1 }, { 0x3000, 2 }, { 0x3042, 2 }, { 0x4e00, 2 }, { 0xac00, 2 }, { 0xfe0f, 0 },
		{ 0xff21, 2 }, { 0xff61, 1 }, { 0x1f600, 2 }, { 0x1f1e6, 1 }, { 0x20000, 2 }, { 0xe0001, 0 }, { 0x10ffff, 1 },
	};

	for (size_t i = 0; i < NELEM(cases); i++)
		is_int(utf8_columns(cases[i].cp), cases[i].columns, "columns of U+%04X",
		    (unsigned)cases[i].cp);
}

int
main(void)
{
	test_all();
	test_bad();
	test_clip();
	test_columns();
	return tap_done();
}
