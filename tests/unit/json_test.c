/*
 * json_test.c: what is JSON and what is not (each case by RFC 8259 and by hand), trees, writing,
 * and jq programs.
 */
#include <math.h>

#include "base/clock.h"
#include "base/conf.h"
#include "json/json.h"

#include "tap.h"

static struct arena arena = ARENA_INIT;

static const struct json *
parse(const char *s)
{
	const struct json *v = NULL;
	struct err e = ERR_INIT;

	/* a copy of exactly its size: reading past the end is seen by the address sanitizer */
	size_t len = strlen(s);
	char *copy = malloc(len > 0 ? len : 1);
	memcpy(copy, s, len);
	if (json_parse(copy, len, &arena, &v, &e) != 0)
		tap_note("%s: %s", s, e.msg);
	free(copy);
	return v;
}

/* The text after a parse and a write. */
static const char *
again(const char *s)
{
	const struct json *v = parse(s);
	struct buf b;

	if (v == NULL)
		return NULL;
	buf_init(&b, 1 << 20);
	json_write(&b, v);
	const char *out = arena_strndup(&arena, b.data, b.len);
	buf_release(&b);
	return out;
}

/* Names that come again, among few and among many: the first one's place, the last one's value. */
static void
test_same_names(void)
{
	struct buf in, out;
	unsigned bad = 0;

	for (unsigned n = 1; n < 300; n += n < 40 ? 1 : 37) {
		buf_init(&in, 1 << 20);
		buf_init(&out, 1 << 20);
		for (unsigned i = 0; i < 3 * n; i++)
			buf_addf(&in, "%s\"k%u\":[%u,{\"k1\":2}]", i == 0 ? "{" : ", ", i * 7 % n,
			    i);
		buf_addc(&in, '}');
		for (unsigned i = 0; i < 3 * n; i++) {
			bool first = true;
			unsigned last = i;
			for (unsigned k = 0; k < 3 * n; k++)
				if (k * 7 % n == i * 7 % n) {
					first &= k >= i;
					last = MAX(last, k);
				}
			if (first)
				buf_addf(&out, "%s\"k%u\":[%u,{\"k1\":2}]", i == 0 ? "{" : ",",
				    i * 7 % n, last);
		}
		buf_addc(&out, '}');
		const char *got = again(in.data);
		bad += got == NULL || strcmp(got, out.data) != 0;
		buf_release(&in);
		buf_release(&out);
	}
	is_int(bad, 0, "a name that comes again, in objects of all sizes");
}

/* What is answered although some of its characters are none; the rest stays as it is. */
static void
test_mended(void)
{
	static const struct { const char *in; size_t len; const char *out; } cases[] = {
		{ "[1]", 3, "[1]" },
		{ "\"a\\ud83d b\"", 11, "\"a\xef\xbf\xbd b\"" },
		{ "\"\\ude00\\ud83d\\ude00\"", 20, "\"\xef\xbf\xbd\xf0\x9f\x98\x80\"" },
		{ "\"\\\\ud83d \\ud83d\"", 16, "\"\\\\ud83d \xef\xbf\xbd\"" },
		{ "\"\\uD83D\\uD83D\\uDE00\"", 20, "\"\xef\xbf\xbd\xf0\x9f\x98\x80\"" },
		{ "\"\\u0000\0\xff\xc3\"", 11, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "\"\\ud83d", 7, NULL },
		{ "\"\\ud83d\\", 8, NULL },
		{ "\"\\ud8", 5, NULL },
		{ "{\"a\":\"\\udfff\"", 13, NULL },
	};
	const struct json *v;
	struct err e = ERR_INIT;
	struct buf b;

	buf_init(&b, 1000);
	for (size_t i = 0; i < NELEM(cases); i++) {
		char *copy = malloc(cases[i].len);

		memcpy(copy, cases[i].in, cases[i].len);
		buf_reset(&b);
		if (json_parse_mended(copy, cases[i].len, &arena, &v, &e) == 0)
			json_write(&b, v);
		is_str(b.len > 0 ? b.data : NULL, cases[i].out, "mended: %s", cases[i].in);
		free(copy);
	}
	buf_release(&b);
	e = (struct err)ERR_INIT;
	json_parse_mended("[\"\\ud83d\", tru]", 15, &arena, &v, &e);
	is_str(e.msg, "lone surrogate at byte 3", "the error is that of the text as it came");
}

static void
test_good(void)
{
	static const struct { const char *in, *out;
	} cases[] = {
		{ "null", "null" },
		{ " true ", "true" },
		{ "\tfalse\r\n", "false" },
		{ "0", "0" },
		{ "-0", "0" },
		{ "17", "17" },
		{ "-1.5", "-1.5" },
		{ "1e3", "1000" },
		{ "1E-2", "0.01" },
		{ "0.1", "0.1" },
		{ "1.0", "1" },
		{ "123456789.123", "123456789.123" },
		{ "1716206400.123456", "1716206400.123456" },
		{ "0.30000000000000004", "0.30000000000000004" },
		{ "57434992627494344.0", "57434992627494344.0" },
		{ "2e+0", "2" },
		{ "9007199254740992", "9007199254740992" },
		{ "-9007199254740992", "-9007199254740992" },
		{ "9007199254740993", "\"9007199254740993\"" },
		{ "-9007199254740993", "\"-9007199254740993\"" },
		{ "123456789012345678901234567890", "\"123456789012345678901234567890\"" },
		{ "[9007199254740993,\"9007199254740993\",1,-18446744073709551616]",
		    "[\"9007199254740993\",\"9007199254740993\",1,\"-18446744073709551616\"]" },
		{ "{\"a 12345678901234567890\":12345678901234567890}",
		    "{\"a 12345678901234567890\":\"12345678901234567890\"}" },
		{ "1.7976931348623157e308", "1.7976931348623157e+308" },
		{ "1e308", "1e+308" },
		{ "1e-400", "0" },
		{ "0e999999999999", "0" },
		{ "0.0000001e314", "1e+307" },
		{ "1e000000000000000000001", "10" },
		{ "\"\"", "\"\"" },
		{ "\"abc\"", "\"abc\"" },
		{ "\"a\\\"b\\\\c\\/d\"", "\"a\\\"b\\\\c/d\"" },
		{ "\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\"" },
		{ "\"\\u0041\\u00e9\\u20AC\"", "\"A\xc3\xa9\xe2\x82\xac\"" },
		{ "\"\\ud83d\\ude00\"", "\"\xf0\x9f\x98\x80\"" },
		{ "\"\\u0001\\u001f\\u007f\\u0085\"", "\"\\u0001\\u001f\\u007f\\u0085\"" },
		{ "\"\x7f\"", "\"\\u007f\"" },
		{ "\"\xc2\x80\"", "\"\\u0080\"" },
		{ "\"\xc2\xa0\xe4\xbd\xa0\"", "\"\xc2\xa0\xe4\xbd\xa0\"" },
		{ "\"\\uffff\xef\xbf\xbe\"", "\"\xef\xbf\xbf\xef\xbf\xbe\"" },
		{ "\"1234567\\\"89012345678\xc3\xa9\"", "\"1234567\\\"89012345678\xc3\xa9\"" },
		{ "[]", "[]" },
		{ "[ ]", "[]" },
		{ "{}", "{}" },
		{ "{ }", "{}" },
		{ "[1, [2, [3]], {}]", "[1,[2,[3]],{}]" },
		{ "{\"z\":1,\"a\":2,\"m\":{\"y\":[],\"b\":null}}",
		    "{\"z\":1,\"a\":2,\"m\":{\"y\":[],\"b\":null}}" },
		{ "{\"h\":1,\"g\":1,\"f\":1,\"e\":1,\"d\":1,\"c\":1,\"b\":1,\"a\":1,\"9\":1,\"8\":"
		  "1,\"7\":1,\"6\":1,\"5\":1,\"4\":1,\"3\":1,\"2\":1,\"1\":1}",
		    "{\"h\":1,\"g\":1,\"f\":1,\"e\":1,\"d\":1,\"c\":1,\"b\":1,\"a\":1,\"9\":1,"
		    "\"8\":1,\"7\":1,\"6\":1,\"5\":1,\"4\":1,\"3\":1,\"2\":1,\"1\":1}" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}" },
		{ "{\"\":0}", "{\"\":0}" },
		{ "{\"\\u0061\" : 1 , \"b\" : [ 1 ] }", "{\"a\":1,\"b\":[1]}" },
	};

	for (size_t i = 0; i < NELEM(cases); i++)
		is_str(again(cases[i].in), cases[i].out, "JSON: %s", cases[i].out);
}

static void
test_bad(void)
{
	static const struct { const char *text; size_t len; const char *msg;
	} cases[] = {
#define CASE(s, m) { s, sizeof(s) - 1, m }
		CASE("", "invalid JSON (cut short) at byte 1"),
		CASE("  ", "invalid JSON (cut short) at byte 3"),
		CASE("x", "invalid JSON at byte 1"),
		CASE("nul", "invalid JSON at byte 1"),
		CASE("nullx", "more than one JSON value at byte 5"),
		CASE("NaN", "invalid JSON at byte 1"),
		CASE("nan", "invalid JSON at byte 1"),
		CASE("Infinity", "invalid JSON at byte 1"),
		CASE("True", "invalid JSON at byte 1"),
		CASE("+1", "invalid JSON at byte 1"),
		CASE(".5", "invalid JSON at byte 1"),
		CASE("1.", "invalid number at byte 3"),
		CASE("1.e3", "invalid number at byte 3"),
		CASE("1e", "invalid number at byte 3"),
		CASE("1e+", "invalid number at byte 4"),
		CASE("-", "invalid number at byte 2"),
		CASE("--1", "invalid number at byte 2"),
		CASE("0123", "number with a leading zero at byte 1"),
		CASE("[-01]", "number with a leading zero at byte 2"),
		CASE("0x10", "more than one JSON value at byte 2"),
		CASE("1e1000", "number too large at byte 1"),
		CASE("-1e309", "number too large at byte 1"),
		CASE("[1.7976931348623159e308]", "number too large at byte 2"),
		CASE("0.1e310", "number too large at byte 1"),
		CASE("\"abc", "invalid JSON (cut short) at byte 5"),
		CASE("\"a\nb\"", "control character in a string at byte 3"),
		CASE("\"a\tb\"", "control character in a string at byte 3"),
		CASE("\"\\x41\"", "invalid escape at byte 3"),
		CASE("\"\\", "invalid JSON (cut short) at byte 3"),
		CASE("\"\\u12\"", "invalid JSON (cut short) at byte 4"),
		CASE("\"\\u12g4\"", "invalid \\u escape at byte 4"),
		CASE("\"\\u0000\"", "\\u0000 in a string at byte 2"),
		CASE("\"ab\\ud83d\"", "lone surrogate at byte 4"),
		CASE("\"\\ude00\"", "lone surrogate at byte 2"),
		CASE("\"\\ud83d\\u0041\"", "lone surrogate at byte 2"),
		CASE("\"\\ud83dx\\ude00\"", "lone surrogate at byte 2"),
		CASE("\"12345678\xff\"", "invalid UTF-8 at byte 10"),
		CASE("\"\xed\xa0\x80\"", "invalid UTF-8 at byte 2"),
		CASE("\"\xc3\"", "invalid UTF-8 at byte 2"),
		CASE("\"a\0b\"", "NUL byte at byte 3"),
		CASE("1\0", "NUL byte at byte 2"),
		CASE("[1\0]", "NUL byte at byte 3"),
		CASE("\0", "NUL byte at byte 1"),
		CASE("[",
		    "invalid JSON (cut short) at byte 2: a value takes one line, as \"jq -c\" "
		    "writes it"),
		CASE("[1", "invalid JSON (cut short) at byte 3"),
		CASE("[1,", "invalid JSON (cut short) at byte 4"),
		CASE("[1,]", "invalid JSON at byte 4"),
		CASE("[,1]", "invalid JSON at byte 2"),
		CASE("[1 2]", "invalid JSON at byte 4"),
		CASE("[1}", "invalid JSON at byte 3"),
		CASE("]", "invalid JSON at byte 1"),
		CASE("{",
		    "invalid JSON (cut short) at byte 2: a value takes one line, as \"jq -c\" "
		    "writes it"),
		CASE("{1:2}", "invalid JSON at byte 2"),
		CASE("{\"a\"}", "invalid JSON at byte 5"),
		CASE("{\"a\":}", "invalid JSON at byte 6"),
		CASE("{\"a\":1,}", "invalid JSON at byte 8"),
		CASE("{\"a\":1 \"b\":2}", "invalid JSON at byte 8"),
		CASE("{\"a\":1]", "invalid JSON at byte 7"),
		CASE("{'a':1}", "invalid JSON at byte 2"),
		CASE("{\"a\":1}{\"b\":2}", "more than one JSON value at byte 8"),
		CASE("1 2", "more than one JSON value at byte 3"),
		CASE("// x\n1", "invalid JSON at byte 1"),
		CASE("\xef\xbb\xbf"
		     "1",
		    "invalid JSON at byte 1"),
		CASE("\x0c"
		     "1",
		    "invalid JSON at byte 1"),
		CASE("\xc2\xa0"
		     "1",
		    "invalid JSON at byte 1"),
#undef CASE
	};
	const struct json *v;
	struct err e;

	for (size_t i = 0; i < NELEM(cases); i++) {
		char *copy = malloc(cases[i].len + 1);

		memcpy(copy, cases[i].text, cases[i].len);
		copy = realloc(copy, cases[i].len > 0 ? cases[i].len : 1);
		err_clear(&e);
		v = NULL;
		int rc = json_parse(copy, cases[i].len, &arena, &v, &e);
		ok(rc == -1 && v == NULL && e.code == ERR_DATA, "refused, case %zu", i);
		is_str(e.msg, cases[i].msg, "why");
		free(copy);
	}
}

/* n arrays in one another, or objects. */
static int
parse_deep(int n, bool objects)
{
	struct buf b;
	const struct json *v;

	buf_init(&b, 1 << 20);
	for (int i = 0; i < n; i++)
		buf_adds(&b, objects ? "{\"a\":" : "[");
	buf_adds(&b, "1");
	for (int i = 0; i < n; i++)
		buf_adds(&b, objects ? "}" : "]");
	int rc = json_parse(b.data, b.len, &arena, &v, NULL);
	buf_release(&b);
	return rc;
}

static void
test_limits(void)
{
	struct err e = ERR_INIT;
	const struct json *v;
	struct buf b;

	is_int(parse_deep(128, false), 0, "128 arrays deep");
	is_int(parse_deep(129, false), -1, "129 are too many");
	is_int(parse_deep(128, true), 0, "128 objects deep");
	is_int(parse_deep(129, true), -1, "129 are too many");
	is_int(parse_deep(100000, false), -1, "100,000 do not crash");
	conf_set("depth", "3", &e);
	is_int(parse_deep(3, true), 0, "3 objects deep, when set so");
	is_int(parse_deep(4, true), -1, "4 are too many");
	is_int(conf_set("depth", "129", &e), -1, "libjq 1.6 takes no more than 128");
	conf_set("depth", "128", &e);

	conf_set("json_values", "100", &e);
	buf_init(&b, 1 << 20);
	buf_addc(&b, '[');
	for (int i = 0; i < 98; i++)
		buf_adds(&b, "1,");
	buf_adds(&b, "1]");
	is_int(json_parse(b.data, b.len, &arena, &v, &e), 0,
	    "100 values, when so many are allowed");
	b.data[b.len - 1] = ',';
	buf_adds(&b, "1]");
	is_int(json_parse(b.data, b.len, &arena, &v, &e), -1, "101 are too many");
	conf_set("json_values", "250000", &e);
	buf_release(&b);

	buf_init(&b, 1 << 20);
	buf_adds(&b, "0.");
	for (int i = 0; i < 1022; i++)
		buf_addc(&b, '3');
	is_int(json_parse(b.data, b.len, &arena, &v, &e), 0, "a number of 1,024 bytes");
	buf_addc(&b, '3');
	is_int(json_parse(b.data, b.len, &arena, &v, &e), -1, "one more");
	is_str(e.msg, "number of too many digits at byte 1", "why");
	buf_reset(&b);
	for (int i = 0; i < 5000; i++)
		buf_addc(&b, '7');
	ok(json_parse(b.data, b.len, &arena, &v, &e) == 0 && v->kind == JSON_STRING &&
		v->len == 5000,
	    "an integer of any length is text");
	buf_release(&b);
}

static void
test_get(void)
{
	const struct json *v = parse("{\"s\":\"a\\u0041\",\"n\":2.5,\"t\":true,\"o\":{\"x\":1},"
				     "\"a\":[1,\"two\"],\"s2\":\"z\"}");
	size_t len = 0;

	is_int(v->kind, JSON_OBJECT, "an object");
	is_int(v->len, 6, "of six");
	is_str(v->u.members[0].key, "s", "first key");
	is_int(v->u.members[0].key_len, 1, "its length");
	is_str(json_get_string(v, "s", &len), "aA", "string");
	is_int(len, 2, "its length");
	is_str(json_get_string(v, "s2", NULL), "z", "no length asked for");
	ok(json_get_string(v, "n", &len) == NULL, "a number is no string");
	ok(json_get_number(v, "n", 0) == 2.5, "number");
	ok(json_get_number(v, "s", -1) == -1, "a string is no number");
	ok(json_get(v, "none") == NULL, "no such member");
	ok(json_get(json_get(v, "o"), "x")->u.number == 1, "a member's member");
	ok(json_get(json_get(v, "none"), "x") == NULL, "of nothing, nothing");
	ok(json_get(json_get(v, "a"), "x") == NULL, "of an array, nothing");
	is_str(json_get(v, "a")->u.items[1].u.string, "two", "item");
	is_int(json_get(v, "t")->kind, JSON_TRUE, "true");
}

static void
test_write(void)
{
	struct buf b;

	buf_init(&b, 1 << 16);
	json_open(&b);
	json_str(&b, "type", "x{");
	json_str(&b, "none", NULL);
	json_strn(&b, "part", "abcdef", 3);
	json_int(&b, "int", INT64_MIN);
	json_num(&b, "num", 0.1);
	json_num(&b, "nan", NAN);
	json_bool(&b, "yes", true);
	json_raw(&b, "raw", "{}", 2);
	json_raw(&b, "no_raw", NULL, 0);
	json_time(&b, "time", 0);
	json_time(&b, "never", TIME_NONE);
	json_key(&b, "o\"");
	json_open(&b);
	json_bool(&b, "no", false);
	json_close(&b);
	json_close(&b);
	is_str(b.data,
	    "{\"type\":\"x{\",\"part\":\"abc\",\"int\":-9223372036854775808,\"num\":0.1,\"nan\":"
	    "null,\"yes\":true,\"raw\":{},"
	    "\"time\":\"1970-01-01T00:00:00Z\",\"never\":null,\"o\\\"\":{\"no\":false}}",
	    "an object");

	static const struct { double v; const char *text; } numbers[] = {
		{ 0, "0" }, { -0.0, "0" }, { 1e15, "1000000000000000" }, { 1e16, "1e+16" }, { 9007199254740992.0, "9007199254740992" }, { -5, "-5" },
		{ 1.0 / 3, "0.333333333" }, { 1e-7, "1e-07" }, { INFINITY, "null" }, { -INFINITY, "null" }, { NAN, "null" }, { 1e300, "1e+300" },
	};
	for (size_t i = 0; i < NELEM(numbers); i++) {
		buf_reset(&b);
		json_write_number(&b, numbers[i].v);
		is_str(b.data, numbers[i].text, "number %s", numbers[i].text);
	}

	static const struct { const char *s; size_t len; const char *text; } strings[] = {
		{ "a\0b", 3, "\"a\\u0000b\"" }, { "\x1b[31m", 5, "\"\\u001b[31m\"" }, { "\xff", 1, "\"\xef\xbf\xbd\"" },
		{ "a\xe2\x82z", 4, "\"a\xef\xbf\xbd\xef\xbf\xbdz\"" }, { "\xc3", 1, "\"\xef\xbf\xbd\"" }, { "\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
		{ "</script>", 9, "\"</script>\"" }, { "\xc2\x9f\xc2\xa0", 4, "\"\\u009f\xc2\xa0\"" }, { "\xe2\x80\xa8", 3, "\"\xe2\x80\xa8\"" },
	};
	for (size_t i = 0; i < NELEM(strings); i++) {
		buf_reset(&b);
		json_write_string(&b, strings[i].s, strings[i].len);
		is_str(b.data, strings[i].text, "string %s", strings[i].text);
	}
	buf_release(&b);
}

/*
 * One byte of each value at each place of 40, so that it stands in a block, at its end and in what
 * is left; and into too little room, which cuts the text and nothing else.
 */
static void
test_write_places(void)
{
	static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyz{|}~";
	bool same = true, cut = true;
	struct buf b, small;

	buf_init(&b, 1 << 10);
	for (unsigned c = 0; c < 0x80; c++) {
		char escape[8];

		if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
			snprintf(escape, sizeof(escape), "%c", (int)c);
		else
			snprintf(escape, sizeof(escape),
			    strchr("\b\f\n\r\t\"\\", (int)c) && c != 0 ? "\\%c" : "\\u%04x",
			    c == '\b'	    ? 'b'
				: c == '\f' ? 'f'
				: c == '\n' ? 'n'
				: c == '\r' ? 'r'
				: c == '\t' ? 't'
					    : c);
		for (size_t at = 0; at < 40; at++) {
			char text[40], want[60];

			memcpy(text, plain, 40);
			text[at] = (char)c;
			snprintf(want, sizeof(want), "\"%.*s%s%s\"", (int)at, plain, escape,
			    plain + at + 1);
			buf_reset(&b);
			json_write_string(&b, text, 40);
			same = same && strcmp(b.data, want) == 0;
			for (size_t max = 0; max < 50; max += 7) {
				buf_init(&small, max);
				json_write_string(&small, text, 40);
				cut = cut && small.full == (strlen(want) > max) &&
				    small.len == MIN(strlen(want), max) &&
				    strncmp(small.data, want, small.len) == 0 &&
				    small.data[small.len] == '\0';
				buf_release(&small);
			}
		}
	}
	ok(same, "each byte at each place is written as it is to be");
	ok(cut, "what has no room is a prefix of that");
	buf_release(&b);
}

/* Every code point through the writer and back; what was written is one line of plain JSON. */
static void
test_round_trip(void)
{
	bool same = true;
	struct buf in, out;

	buf_init(&in, 1 << 16);
	buf_init(&out, 1 << 16);
	for (unsigned block = 0; block < 0x110000 / 256; block++) {
		const struct json *v;

		buf_reset(&in);
		buf_reset(&out);
		for (unsigned c = block * 256; c < block * 256 + 256; c++) {
			if (c == 0 || (c >= 0xd800 && c <= 0xdfff))
				continue;
			if (c < 0x80)
				buf_addc(&in, (char)c);
			else if (c < 0x800)
				buf_addf(&in, "%c%c", 0xc0 | c >> 6, 0x80 | (c & 63));
			else if (c < 0x10000)
				buf_addf(&in, "%c%c%c", 0xe0 | c >> 12, 0x80 | (c >> 6 & 63),
				    0x80 | (c & 63));
			else
				buf_addf(&in, "%c%c%c%c", 0xf0 | c >> 18, 0x80 | (c >> 12 & 63),
				    0x80 | (c >> 6 & 63), 0x80 | (c & 63));
		}
		json_write_string(&out, in.data, in.len);
		same = same && strchr(out.data, '\n') == NULL &&
		    json_parse(out.data, out.len, &arena, &v, NULL) == 0 && v->len == in.len &&
		    memcmp(v->u.string, in.data, in.len) == 0 && v->u.string[v->len] == '\0';
		arena_reset(&arena);
	}
	ok(same, "1,112,063 code points written and read");
	buf_release(&in);
	buf_release(&out);
}

/* ---- jq ---- */

static int
collect(void *arg, const struct json *value)
{
	struct buf *b = arg;

	if (b->len > 0)
		buf_addc(b, ' ');
	json_write(b, value);
	return 0;
}

static int
stop_at_two(void *arg, const struct json *value)
{
	int *left = arg;

	(void)value;
	return --*left > 0 ? 0 : 1;
}

static int
fail(void *arg, const struct json *value)
{
	(void)arg;
	(void)value;
	return -1;
}

/* The results of a program, or the message with "!" before it. */
static const char *
jq(const char *source, const char *input, const struct json *args)
{
	static struct buf b;
	struct jq_program *p = NULL;
	struct err e = ERR_INIT;

	if (b.data == NULL)
		buf_init(&b, 1 << 16);
	buf_reset(&b);
	if (jq_compile_text(source, "map", args, &p, &e) != 0) {
		buf_addf(&b, "!%d %s", e.code, e.msg);
		return b.data;
	}
	if (jq_run(p, input, strlen(input), &arena, collect, &b, &e) != 0)
		buf_addf(&b, "!%d %s", e.code, e.msg);
	jq_free(p);
	return b.data;
}

static void
test_jq(void)
{
	const struct json *args =
	    parse("{\"who\":\"me\",\"list\":[1,{\"a\":null}],\"flag\":false}");
	struct err e = ERR_INIT;
	struct jq_program *p;
	int left = 2;

	is_str(jq(".a, .b", "{\"b\":2,\"a\":1}", NULL), "1 2", "two results");
	is_str(jq("empty", "{}", NULL), "", "none");
	is_str(jq("{z: .a, b: 1, a: [.a]}", "{\"a\":\"x\"}", NULL),
	    "{\"z\":\"x\",\"b\":1,\"a\":[\"x\"]}", "members in the program's order");
	is_str(jq("$who, $list, $flag", "1", args), "\"me\" [1,{\"a\":null}] false",
	    "named arguments");
	is_str(jq(".x", "{\"x\":12345678901234567890}", NULL), "\"12345678901234567890\"",
	    "large integers are text to it");
	setenv("MEM_TEST_SECRET", "hunter2", 1);
	is_str(jq("$ENV, env", "1", NULL), "{} {}", "no environment");
	is_str(getenv("MEM_TEST_SECRET"), "hunter2", "which is back afterwards");
	ok(strncmp(jq(".[", "1", NULL), "!78 map: syntax error", 21) == 0, "does not compile");
	ok(strncmp(jq("$nope", "1", NULL), "!78 map: $nope is not defined", 29) == 0,
	    "unknown variable");
	ok(strncmp(jq("nope", "1", NULL), "!78 map: nope/0 is not defined", 30) == 0,
	    "unknown function");
	is_str(jq("import \"a\" as a; .", "1", NULL), "!78 map: no modules: 'import'", "import");
	is_str(jq(" # x\n include \"a\"; .", "1", NULL), "!78 map: no modules: 'include'",
	    "include behind a comment");
	is_str(jq(".include", "{\"include\":1}", NULL), "1", "a member of that name");
	is_str(jq("error(\"my\\n words\")", "1", NULL), "!65 map: my words", "error()");
	is_str(jq("error({a:1})", "1", NULL), "!65 map: {\"a\":1}", "error() of an object");
	is_str(jq("1, (\"x\"|error), 2", "1", NULL), "1!65 map: x", "results before the error");
	is_str(jq("1, halt, 2", "1", NULL), "1", "halt ends it");
	is_str(jq("\"over\\n\"|halt_error", "1", NULL), "!65 map: over",
	    "halt_error is an error, not an exit");
	is_str(jq("debug", "1", NULL), "1", "debug says nothing");
	is_str(jq("input", "1", NULL), "!65 map: there is no other input", "input");
	is_str(jq("[inputs]", "1", NULL), "!65 map: there is no other input", "inputs");
	ok(strncmp(jq(".", "{\"a\":tru}", NULL), "!65 invalid JSON at byte 6", 26) == 0,
	    "bad JSON");
	is_str(jq("reduce range(300) as $i (0; [.])", "1", NULL),
	    "!65 map: a result is nested too deep", "a result too deep");
	is_str(jq("{a: [\"x\\u0000y\"]}", "1", NULL),
	    "!65 map: a result is a text with a NUL character in it", "a NUL in a result");
	is_str(jq("{\"\\u0000\": 1}", "1", NULL),
	    "!65 map: a result is a text with a NUL character in it", "a NUL in its key");
	is_str(jq("nan, infinite, -infinite", "1", NULL), "null null null",
	    "what is no number of JSON");

	is_int(jq_compile_text(".[]", "map", NULL, &p, &e), 0, "compile once");
	for (int i = 0; i < 3; i++) {
		left = 2;
		is_int(jq_run(p, "[1,2,3,4]", 9, &arena, stop_at_two, &left, &e), 0,
		    "stopped by the caller");
		is_int(left, 0, "after two");
		is_int(jq_run(p, "[1,2]", 5, &arena, fail, NULL, &e), -1, "failed by the caller");
		is_int(jq_run(p, "5", 1, &arena, collect, NULL, &e), -1, "failed by itself");
		is_str(e.msg, "map: Cannot iterate over number (5)", "in jq's words");
	}
	jq_free(p);
	jq_free(NULL);
}

/*
 * Strings are read in blocks: an escape, a wide character or a fault at each place of one, with and
 * without text behind the string.
 */
static void
test_places(void)
{
	static const struct { const char *written, *means; } bits[] = {
		{ "", "" }, { "\\n", "\n" }, { "\\\"", "\"" }, { "\\\\", "\\" }, { "\\u00e9\\/", "\xc3\xa9/" }, { "\xe4\xb8\xad", "\xe4\xb8\xad" },
		{ "\x01", NULL }, { "\xff", NULL }, { "\\x", NULL },
	};
	char text[200], want[200];
	unsigned bad = 0;

	for (unsigned n = 0; n < 50; n++) {
		for (size_t i = 0; i < 2 * NELEM(bits); i++) {
			const char *plain =
			    "abcdefghijklmnopqrstuvwxyz 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ";
			unsigned after = n * 7 % 50;
			struct err e = ERR_INIT;
			const struct json *v;
			size_t len;

			snprintf(text, sizeof(text), "[\"%.*s%s%.*s\"%s]", (int)n, plain,
			    bits[i / 2].written, (int)after, plain,
			    i % 2 ? "" : ", \"\\t\\t, and so on\"");
			snprintf(want, sizeof(want), "%.*s%s%.*s", (int)n, plain,
			    bits[i / 2].means ? bits[i / 2].means : "", (int)after, plain);
			len = strlen(text);
			char *copy = malloc(len);
			memcpy(copy, text, len);
			if (json_parse(copy, len, &arena, &v, &e) == 0)
				bad += bits[i / 2].means == NULL ||
				    v->u.items[0].len != strlen(want) ||
				    strcmp(v->u.items[0].u.string, want) != 0;
			else
				bad += bits[i / 2].means != NULL;
			free(copy);
		}
	}
	is_int(bad, 0, "each place in a block");
}

/* In each row the first two are the same, and the third is another. */
static void
test_same(void)
{
	static const char *const rows[][3] = {
		{ "null", "null", "false" }, { "true", "true", "false" },
		{ "1", "1.0", "2" }, { "\"a\"", "\"\\u0061\"", "\"b\"" }, { "\"a\"", "\"a\"", "\"ab\"" },
		{ "[]", "[ ]", "{}" }, { "[1, 2]", "[1,2]", "[2, 1]" }, { "[1, [2]]", "[1, [2]]", "[1, [3]]" },
		{ "[1]", "[1]", "[1, 2]" }, { "[1]", "[1]", "[]" },
		{ "{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}", "{\"a\": 1, \"c\": 2}" },
		{ "{\"a\": [1]}", "{\"a\": [1]}", "{\"a\": [2]}" },
		{ "{\"a\": 1}", "{\"a\": 1}", "{\"a\": 1, \"b\": 1}" } };

	for (size_t i = 0; i < NELEM(rows); i++) {
		const struct json *a = parse(rows[i][0]), *b = parse(rows[i][1]),
				  *c = parse(rows[i][2]);

		ok(json_same(a, b) && json_same(b, a), "%s is the same as %s", rows[i][0],
		    rows[i][1]);
		ok(!json_same(a, c) && !json_same(c, a), "%s is not %s", rows[i][0], rows[i][2]);
	}
}

int
main(void)
{
	test_good();
	test_places();
	test_same_names();
	test_mended();
	test_bad();
	test_limits();
	test_get();
	test_same();
	test_write();
	test_write_places();
	test_round_trip();
	test_jq();
	arena_release(&arena);
	return tap_done();
}
