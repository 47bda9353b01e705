/*
 * tap.h: checks for the unit tests, reported in the Test Anything Protocol: a line a check, the
 * plan at the end.
 *
 *	ok(n == 3, "three of them");          is_int(n, 3, "count");          is_str(s, "abc", "name");
 *	return tap_done();
 */
#pragma once

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define TAP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args), unused))
#else
#define TAP_PRINTF(fmt, args)
#endif

static int tap_run, tap_failed;

/* Prints a line of the report, and where it failed; returns pass. */
TAP_PRINTF(4, 5) static bool
tap_ok(bool pass, const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", pass ? "" : "not ", ++tap_run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!pass) {
		tap_failed++;
		printf("#   at %s:%d\n", file, line);
	}
	fflush(stdout);
	return pass;
}

/* A remark, each of its lines behind "# ". */
TAP_PRINTF(1, 2) static void
tap_note(const char *fmt, ...)
{
	char text[2000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fputs("#   ", stdout);
	for (const char *p = text; *p; p++) {
		putchar(*p);
		if (*p == '\n' && p[1])
			fputs("#   ", stdout);
	}
	putchar('\n');
	fflush(stdout);
}

#define ok(cond, ...) tap_ok((cond), __FILE__, __LINE__, __VA_ARGS__)

#define is_int(got, want, ...) do { \
	long long tap_got = (long long)(got), tap_want = (long long)(want); \
	if (!tap_ok(tap_got == tap_want, __FILE__, __LINE__, __VA_ARGS__)) \
		tap_note("got %lld, want %lld", tap_got, tap_want); \
} while (0)

#define is_str(got, want, ...) \
	do { \
		const char *tap_got = (got), *tap_want = (want); \
		bool tap_same = \
		    tap_got && tap_want ? strcmp(tap_got, tap_want) == 0 : tap_got == tap_want; \
		if (!tap_ok(tap_same, __FILE__, __LINE__, __VA_ARGS__)) \
			tap_note("got  \"%s\"\nwant \"%s\"", tap_got ? tap_got : "(null)", \
			    tap_want ? tap_want : "(null)"); \
	} while (0)

/* Leaves out one check, and says why. */
#define skip(why) (printf("ok %d # SKIP %s\n", ++tap_run, (why)), fflush(stdout))

/* The plan; the exit status of main. */
static inline int
tap_done(void)
{
	printf("1..%d\n", tap_run);
	fflush(stdout);
	return tap_failed != 0;
}
