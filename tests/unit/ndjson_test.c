/*
 * ndjson_test.c: lines and where they stand: ends of line, blanks, BOM, RS, caps, seeks, peeks, and
 * what a pipe that is slow gets.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "json/ndjson.h"

#include "tap.h"
#include "tmpdir.h"

static struct buf report;

/* Every line as "number@offset:kind:text", kind L, T or P; or "!message". */
static const char *
lines(struct ndjson *r)
{
	struct err e = ERR_INIT;
	const char *line;
	size_t len;
	int got;

	buf_reset(&report);
	while ((got = ndjson_next(r, &line, &len, &e)) > 0) {
		buf_addf(&report, "%" PRIu64 "@%" PRIu64 ":%c:", ndjson_line(r), ndjson_offset(r),
		    "?LTP"[got]);
		buf_add(&report, line, len);
		buf_adds(&report, line[len] == '\0' ? "|" : "no NUL|");
	}
	if (got < 0)
		buf_addf(&report, "!%s", e.msg);
	else if (ndjson_next(r, &line, &len, &e) != NDJSON_END)
		buf_adds(&report, "more after the end");
	return report.data;
}

static const char *
lines_of(const char *bytes, size_t n, size_t max)
{
	struct ndjson *r;

	tmpdir_write("f", bytes, n);
	if (ndjson_open("f", max, &r, NULL) != 0)
		return "!";
	const char *got = lines(r);
	ndjson_close(r);
	return got;
}

static void
test_lines(void)
{
	static const struct { const char *bytes; size_t n; const char *want;
	} cases[] = {
#define CASE(s, want) { s, sizeof(s) - 1, want }
		CASE("", ""),
		CASE("\n", ""),
		CASE("\n\r\n \t\n", ""),
		CASE("a\n", "1@2:L:a|"),
		CASE("a", "1@1:P:a|"),
		CASE("a\nb", "1@2:L:a|2@3:P:b|"),
		CASE("a\r\nb\r\n", "1@3:L:a|2@6:L:b|"),
		CASE("a\r", "1@2:P:a\r|"),
		CASE("a\r\r\n", "1@4:L:a\r|"),
		CASE(" a \n", "1@4:L: a |"),
		CASE("a\n\n\nb\n", "1@2:L:a|4@6:L:b|"),
		CASE("\n  ", ""),
		CASE("\xef\xbb\xbf"
		     "a\n",
		    "1@5:L:a|"),
		CASE("\xef\xbb\xbf", ""),
		CASE("\xef\xbb\n", "1@3:L:\xef\xbb|"),
		CASE("\xef\xbb", "1@2:P:\xef\xbb|"),
		CASE("a\n\xef\xbb\xbf"
		     "b\n",
		    "1@2:L:a|2@7:L:\xef\xbb\xbf"
		    "b|"),
		CASE("\xef\xbb\xbf\xef\xbb\xbf"
		     "a\n",
		    "1@8:L:a|"),
		CASE("\x1e"
		     "a\n\x1e"
		     "b\n",
		    "1@3:L:a|2@6:L:b|"),
		CASE("\x1e\n\x1e\x1e"
		     "c\n",
		    "2@6:L:c|"),
		CASE("a\x1e"
		     "b\n",
		    "1@4:L:a\x1e"
		    "b|"),
		CASE("1234567890\n12345678901\nx\n",
		    "1@11:L:1234567890|2@23:T:12345678901|3@25:L:x|"),
		CASE("12345678901", "1@11:T:12345678901|"),
		CASE("1234567890", "1@10:P:1234567890|"),
#undef CASE
	};

	for (size_t i = 0; i < NELEM(cases); i++)
		is_str(lines_of(cases[i].bytes, cases[i].n, 10), cases[i].want, "lines, case %zu",
		    i);
	lines_of("a\0b\nc", 5, 0);
	ok(report.len == 18 && memcmp(report.data, "1@4:L:a\0b|2@5:P:c|", 18) == 0,
	    "NUL bytes are handed on");
}

/* Lines around the size of the buffer, each a repetition of a letter. */
static void
test_long(void)
{
	static const size_t sizes[] = { 1, 262143, 262144, 262145, 5, 700000, 0, 1000000, 1000001,
		3000000, 2 };
	struct err e = ERR_INIT;
	const char *line;
	uint64_t offset = 0;
	struct ndjson *r;
	size_t len;

	FILE *f = fopen("f", "w");
	for (size_t i = 0; i < NELEM(sizes); i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			fputc('a' + (int)i, f);
		fputc('\n', f);
	}
	fclose(f);
	ndjson_open("f", 1000000, &r, &e);
	for (size_t i = 0; i < NELEM(sizes); i++) {
		offset += sizes[i] + 1;
		if (sizes[i] == 0)
			continue;
		bool too_long = sizes[i] > 1000000;
		is_int(ndjson_next(r, &line, &len, &e), too_long ? NDJSON_TOO_LONG : NDJSON_LINE,
		    "a line of %zu bytes", sizes[i]);
		is_int(len, too_long ? 256 : sizes[i], "its length");
		ok(line[0] == 'a' + (int)i && line[len - 1] == line[0] && line[len] == '\0',
		    "its letters");
		is_int(ndjson_line(r), i + 1, "its number");
		is_int(ndjson_offset(r), offset, "where it ends");
	}
	is_int(ndjson_next(r, &line, &len, &e), NDJSON_END, "the end");
	ndjson_close(r);
}

static void
test_many(void)
{
	const char *line;
	struct ndjson *r;
	bool same = true;
	char want[40];
	size_t len;
	int n = 0;

	FILE *f = fopen("f", "w");
	for (int i = 0; i < 200000; i++)
		fprintf(f, "{\"n\":%d}\n", i);
	fclose(f);
	ndjson_open("f", 0, &r, NULL);
	for (; ndjson_next(r, &line, &len, NULL) == NDJSON_LINE; n++) {
		snprintf(want, sizeof(want), "{\"n\":%d}", n);
		same = same && strcmp(line, want) == 0;
	}
	ok(same && n == 200000, "200,000 lines");
	ndjson_close(r);
}

static void
test_seek(void)
{
	struct err e = ERR_INIT;
	struct ndjson *r;

	tmpdir_write("f", "\xef\xbb\xbf" "one\ntwo\nthree\n", 17);
	ndjson_open("f", 0, &r, &e);
	is_int(ndjson_seek(r, 7, 1, &e), 0, "seek");
	is_str(lines(r), "2@11:L:two|3@17:L:three|", "lines from there");
	is_int(ndjson_seek(r, 0, 0, &e), -1, "not after a read");
	is_int(e.code, ERR_BUG, "which is a bug");
	ndjson_close(r);
	ndjson_open("f", 0, &r, &e);
	ndjson_seek(r, 0, 0, &e);
	is_str(lines(r), "1@7:L:one|2@11:L:two|3@17:L:three|",
	    "seek to the start, where a BOM is one");
	ndjson_close(r);
	ndjson_open("f", 0, &r, &e);
	is_int(ndjson_seek(r, 17, 3, &e), 0, "seek to the end");
	is_str(lines(r), "", "no lines");
	ndjson_close(r);
	ndjson_open("f", 0, &r, &e);
	is_int(ndjson_seek(r, 18, 3, &e), -1, "seek past the end");
	is_str(e.msg, "shorter than 18 bytes: 'f'", "why");
	ndjson_close(r);
}

static void
test_peek_rest(void)
{
	struct err e = ERR_INIT;
	const char *bytes;
	struct ndjson *r;
	size_t len;

	tmpdir_write("f", "\xef\xbb\xbf" "one\ntwo", 10);
	ndjson_open("f", 0, &r, &e);
	ok(ndjson_peek(r, &bytes, &len, &e) == 0 && len == 7 && memcmp(bytes, "one\ntwo", 7) == 0,
	    "peek, without the BOM");
	ok(ndjson_peek(r, &bytes, &len, &e) == 0 && len == 7, "and again");
	ok(ndjson_next(r, &bytes, &len, &e) == NDJSON_LINE && strcmp(bytes, "one") == 0,
	    "nothing was consumed");
	ok(ndjson_peek(r, &bytes, &len, &e) == 0 && len == 3, "peek in the middle");
	ok(ndjson_rest(r, 3, &bytes, &len, &e) == 0 && len == 3 && strcmp(bytes, "two") == 0,
	    "the rest");
	is_int(ndjson_offset(r), 10, "all consumed");
	is_int(ndjson_next(r, &bytes, &len, &e), NDJSON_END, "the end");
	is_str(ndjson_name(r), "f", "name");
	ok(!ndjson_is_packed(r) && ndjson_fd(r) > 2, "a plain file");
	ndjson_close(r);
	ndjson_open("f", 0, &r, &e);
	is_int(ndjson_rest(r, 6, &bytes, &len, &e), -1, "the rest is over the cap");
	is_str(e.msg, "over 6 bytes: 'f'", "why");
	ndjson_close(r);

	FILE *f = fopen("f", "w");
	for (int i = 0; i < 1000000; i++)
		fputc("xyz\n"[i % 4], f);
	fclose(f);
	ndjson_open("f", 0, &r, &e);
	ok(ndjson_peek(r, &bytes, &len, &e) == 0 && len == 65536, "at most 64 KiB are shown");
	ok(ndjson_rest(r, 1000000, &bytes, &len, &e) == 0 && len == 1000000 &&
		bytes[999998] == 'z' && bytes[len] == '\0',
	    "a large rest");
	ndjson_close(r);
	is_int(ndjson_open("none", 0, &r, &e), -1, "a missing file");
	is_int(e.code, ERR_NOINPUT, "exit status 66");
}

/* A pipe that this process fills itself, read as stdin. */
static void
test_pipe(void)
{
	struct err e = ERR_INIT;
	const char *line;
	struct ndjson *r;
	int fds[2], saved = dup(0);
	size_t len;

	if (pipe(fds) != 0)
		return;
	dup2(fds[0], 0);
	close(fds[0]);
	ndjson_open("-", 0, &r, &e);
	is_str(ndjson_name(r), "stdin", "name");
	ok(ndjson_would_block(r), "nothing there yet");
	ok(write(fds[1], "a\nb\nc", 5) == 5 && !ndjson_would_block(r), "something there");
	ok(ndjson_peek(r, &line, &len, &e) == 0 && len == 5,
	    "a peek takes what is there and does not wait for more");
	ok(ndjson_next(r, &line, &len, &e) == NDJSON_LINE && *line == 'a', "first line");
	ok(!ndjson_would_block(r), "the second is held");
	ok(ndjson_next(r, &line, &len, &e) == NDJSON_LINE && *line == 'b', "second line");
	ok(ndjson_would_block(r), "half a line is not one");
	ok(write(fds[1], "c\n", 2) == 2 && ndjson_next(r, &line, &len, &e) == NDJSON_LINE &&
		strcmp(line, "cc") == 0,
	    "its other half");
	ok(ndjson_would_block(r), "nothing more");
	close(fds[1]);
	ok(!ndjson_would_block(r), "the end does not block");
	is_int(ndjson_next(r, &line, &len, &e), NDJSON_END, "the end");
	ok(!ndjson_would_block(r), "nor afterwards");
	ndjson_close(r);
	dup2(saved, 0);
	close(saved);
}

static void
test_packed(void)
{
	struct err e = ERR_INIT;
	const char *bytes;
	struct ndjson *r;
	size_t len;

	tmpdir_write("f", "one\ntwo\nthree\n", 14);
	if (system("gzip -c f > f.gz") != 0) {
		skip("no gzip program");
		return;
	}
	ndjson_open("f.gz", 0, &r, &e);
	ok(ndjson_is_packed(r), "packed");
	is_int(ndjson_seek(r, 4, 1, &e), 0, "seek");
	is_str(lines(r), "2@8:L:two|3@14:L:three|", "offsets are those of the unpacked bytes");
	ndjson_close(r);
	if (system("printf 'junk' >> f.gz") == 0) {
		ndjson_open("f.gz", 0, &r, &e);
		is_str(lines(r),
		    "1@4:L:one|2@8:L:two|3@14:L:three|!bytes that are not gzip after the gzip "
		    "data: 'f.gz'",
		    "what came before the junk");
		ndjson_close(r);
		ndjson_open("f.gz", 0, &r, &e);
		ok(ndjson_peek(r, &bytes, &len, &e) == 0 && len == 14, "a peek at it");
		ndjson_close(r);
	}
	if (system("printf 'one\ntwo' | gzip -c > f.gz && printf 'junk' >> f.gz") == 0) {
		ndjson_open("f.gz", 0, &r, &e);
		is_str(lines(r),
		    "1@4:L:one|2@7:P:two|!bytes that are not gzip after the gzip data: 'f.gz'",
		    "its last line is whole");
		ndjson_close(r);
	}
	if (system("gzip -c f > f.gz") == 0 && truncate("f.gz", 34) == 0) {
		ndjson_open("f.gz", 0, &r, &e);
		ok(strstr(lines(r), "!unexpected end of gzip data: 'f.gz'") != NULL,
		    "cut in the trailer");
		ndjson_close(r);
	}
	if (truncate("f.gz", 20) == 0) {
		ndjson_open("f.gz", 0, &r, &e);
		ok(strstr(lines(r), "!unexpected end of gzip data: 'f.gz'") != NULL, "cut short");
		ndjson_close(r);
	}
}

int
main(void)
{
	static const char *const left[] = { "f", "f.gz", NULL };

	buf_init(&report, 1 << 24);
	tmpdir_make();
	test_lines();
	test_long();
	test_many();
	test_seek();
	test_peek_rest();
	test_pipe();
	test_packed();
	tmpdir_remove(left);
	buf_release(&report);
	return tap_done();
}
