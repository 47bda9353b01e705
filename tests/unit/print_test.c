/*
 * print_test.c: stored text on a terminal. The wanted texts are written by hand.
 */
#include "base/utf8.h"
#include "cli/print.h"

#include "tap.h"

static struct buf b;

static const char *
safe(const char *text, size_t len)
{
	buf_reset(&b);
	print_safe(&b, text, len);
	return b.data;
}

static const char *
line(const char *text, int columns)
{
	buf_reset(&b);
	print_line(&b, text, strlen(text), columns);
	return b.data;
}

static const char *
wrapped(const char *text, int columns, int indent)
{
	buf_reset(&b);
	print_wrapped(&b, text, strlen(text), columns, indent);
	return b.data;
}

static const char *
hanging(const char *head, const char *text, int columns)
{
	buf_reset(&b);
	buf_adds(&b, head);
	print_hanging(&b, text, strlen(text), columns, (int)strlen(head));
	return b.data;
}

static const char *
marked(const char *text, int columns, const uint16_t (*marks)[2], size_t n)
{
	buf_reset(&b);
	print_marked(&b, text, strlen(text), columns, 1, marks, n);
	return b.data;
}

static const char *
cell(const char *text, int columns, int gap)
{
	buf_reset(&b);
	print_cell(&b, text, strlen(text), columns, gap);
	return b.data;
}

static const char *
count(int64_t n)
{
	buf_reset(&b);
	buf_add_count(&b, n);
	return b.data;
}

static const char *
bytes(int64_t n)
{
	buf_reset(&b);
	buf_add_size(&b, n);
	return b.data;
}

static void
test_safe(void)
{
#define SAFE(text, want) is_str(safe(text, sizeof(text) - 1), want, "safe: %s", #text)
	SAFE("", "");
	SAFE("plain ~ text", "plain ~ text");
	SAFE("a\tb\nc", "a\tb\nc");
	SAFE("\033[2J", "\\x1b[2J");
	SAFE("a\0b", "a\\x00b");
	SAFE("\007\010\177", "\\x07\\x08\\x7f");
	SAFE("a\rb", "a\\x0db");
	SAFE("a\r\nb\r\n", "a\nb\n");
	SAFE("a\r\r\n", "a\\x0d\n");
	SAFE("a\r", "a\\x0d");
	SAFE("\302\233" "31m", "\\u009b31m");             /* CSI as one C1 character */
	SAFE("\302\205", "\\u0085");
	SAFE("\342\200\256abc", "\\u202eabc");             /* right-to-left override */
	SAFE("\342\201\246\342\201\251", "\\u2066\\u2069");
	SAFE("a\342\200\213b", "a\\u200bb");               /* zero width space */
	SAFE("\357\273\277", "\\ufeff");
	SAFE("\342\200\250", "\\u2028");
	SAFE("\363\240\201\201", "\\U000e0041");           /* tag A */
	SAFE("\363\240\204\200", "\\U000e0100");           /* variation selector 17 */
	SAFE("na\303\257ve \344\270\255 \360\237\230\200",
	    "na\303\257ve \344\270\255 \360\237\230\200");
	SAFE("\342\235\244\357\270\217", "\342\235\244\357\270\217");  /* heart, emoji form */
	SAFE("\377\376", "\\xff\\xfe");
	SAFE("\344\270", "\\xe4\\xb8");                    /* cut short */
	SAFE("\300\200", "\\xc0\\x80");                    /* overlong */
	SAFE("\355\240\200", "\\xed\\xa0\\x80");           /* surrogate */
	/* C1 as a bare byte, which is no UTF-8 */
	SAFE("a\233b", "a\\x9bb");
}

static void
test_line(void)
{
	is_str(line("", 10), "", "line: nothing");
	is_str(line("  a \n\t b\r\n c  ", 20), "a b c", "line: white space is one space");
	is_str(line("abcde", 5), "abcde", "line: just fits");
	is_str(line("abcdef", 5), "abcd\342\200\246", "line: one too many");
	is_str(line("abc def", 4), "abc\342\200\246", "line: cut at a space");
	is_str(line("abcd   ", 4), "abcd", "line: white space at the end is no reason to cut");
	is_str(line("ab\344\270\255\344\270\255x", 5), "ab\344\270\255\342\200\246",
	    "line: a wide character takes two");
	is_str(line("abc\344\270\255\344\270\255", 5), "abc\342\200\246",
	    "line: half a wide character does not fit");
	is_str(line("e\314\201e\314\201e\314\201", 2), "e\314\201\342\200\246",
	    "line: a mark stays with its letter");
	is_str(line("e\314\201e\314\201", 2), "e\314\201e\314\201", "line: marks take no column");
	is_str(line("\033\033", 5), "\\x1b\342\200\246", "line: an escape takes its columns");
	is_str(line("abc", 1), "\342\200\246", "line: one column");
	is_str(line("abc", 0), "", "line: no column");
}

static void
test_marked(void)
{
	static const uint16_t m[][2] = { { 0, 3 }, { 8, 13 } };

	is_str(marked("one two three", 80, m, 2), " \x1b[1mone\x1b[0m two \x1b[1mthree\x1b[0m\n",
	    "marked: in bold");
	is_str(marked("one two three", 80, m, 0), " one two three\n", "marked: nothing");
	is_str(marked("onetwo  abcde", 4, m, 2),
	    " \x1b[1mone\x1b[0m\n two\n \x1b[1mabc\x1b[0m\n \x1b[1mde\x1b[0m\n",
	    "marked: no line begins or ends in bold");
	is_str(marked("a\x1b[31mb", 80, m, 1), " \x1b[1ma\\x1b[\x1b[0m31mb\n",
	    "marked: what is not safe");
}

static void
test_wrapped(void)
{
	is_str(hanging("a: ", "one two three", 10), "a: one two\n   three\n",
	    "hanging: the first line behind what is there");
	is_str(hanging("a: ", "one", 10), "a: one\n", "hanging: one line");
	is_str(wrapped("one two three", 8, 0), "one two\nthree\n", "wrapped: at a space");
	is_str(wrapped("one two three", 9, 2), "  one two\n  three\n", "wrapped: indented");
	is_str(wrapped("abcdefgh", 3, 0), "abc\ndef\ngh\n", "wrapped: a long word is broken");
	is_str(wrapped("a\n\nb\r\n", 9, 1), " a\n\n b\n", "wrapped: lines of the text stay");
	is_str(wrapped("    x = 1;\n", 20, 2), "      x = 1;\n",
	    "wrapped: blanks at the start of a line stay");
	is_str(wrapped("\344\270\255\346\226\207\345\255\227\347\254\246", 5, 0),
	    "\344\270\255\346\226\207\n\345\255\227\347\254\246\n",
	    "wrapped: anywhere between wide characters");
	is_str(wrapped("ab \033", 4, 0), "ab\n\\x1b\n", "wrapped: an escape is not split");
	is_str(wrapped("a", 1, 5), "     a\n", "wrapped: more indent than columns");
}

static void
test_numbers(void)
{
	is_str(count(0), "0", "count: 0");
	is_str(count(999), "999", "count: 999");
	is_str(count(1000), "1,000", "count: 1000");
	is_str(count(-1234567), "-1,234,567", "count: negative");
	is_str(count(INT64_MAX), "9,223,372,036,854,775,807", "count: largest");
	is_str(count(INT64_MIN), "-9,223,372,036,854,775,808", "count: smallest");
	is_str(bytes(0), "0 B", "bytes: 0");
	is_str(bytes(999), "999 B", "bytes: 999");
	is_str(bytes(1000), "1.0 kB", "bytes: 1000");
	is_str(bytes(3400000), "3.4 MB", "bytes: 3.4 MB");
	is_str(bytes(999949), "999.9 kB", "bytes: rounds down");
	is_str(bytes(999950), "1.0 MB", "bytes: rounds up into the next unit");
	is_str(bytes(INT64_MAX), "9.2 EB", "bytes: largest");
}

/*
 * Whatever the bytes, what comes out has no control characters and is UTF-8, and a line keeps to
 * its columns.
 */
static void
test_any_bytes(void)
{
	uint32_t seed = 1;
	int bad = 0, wide = 0, round, i;

	for (round = 0; round < 20000; round++) {
		char text[24];
		int columns = round % 17, used = 0;
		const char *p;
		uint32_t cp;

		for (i = 0; i < (int)sizeof(text); i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = (char)(round % 2
				? (int)(seed >> 24)
				: "\342\200\256\033\n\302\233a \344\270\255"[(seed >> 16) % 13]);
		}
		buf_reset(&b);
		print_line(&b, text, sizeof(text), columns);
		for (p = b.data; p < b.data + b.len; p += utf8_encode(cp, (char[4]){ 0 })) {
			if (utf8_decode(p, b.data + b.len, &cp) == 0 || cp < 0x20 ||
			    (cp >= 0x7f && cp < 0xa0) || (cp >= 0x202a && cp <= 0x202e)) {
				bad++;
				break;
			}
			used += utf8_columns(cp);
		}
		wide += used > columns;
		print_wrapped(&b, text, sizeof(text), columns, 2);
		bad += !utf8_valid(b.data, b.len);
	}
	is_int(bad, 0, "any bytes: nothing but UTF-8 without controls comes out");
	is_int(wide, 0, "any bytes: a line keeps to its columns");
}

static void
test_cell(void)
{
	is_str(cell("ab", 4, 2), "ab    ", "cell: filled up, and the gap");
	is_str(cell("", 2, 0), "  ", "cell: nothing");
	is_str(cell("abcdef", 4, 1), "abc\342\200\246 ", "cell: cut, and the gap");
	is_str(cell("\344\270\255", 4, 1), "\344\270\255   ", "cell: a wide character is two");
	is_str(cell("e\314\201", 2, 0), "e\314\201 ", "cell: a mark is none");
	is_int(print_columns(&b, 0), 2, "columns of it");
}

int
main(void)
{
	buf_init(&b, 1 << 20);
	test_safe();
	test_line();
	test_wrapped();
	test_marked();
	test_cell();
	test_numbers();
	test_any_bytes();
	buf_release(&b);
	return tap_done();
}
