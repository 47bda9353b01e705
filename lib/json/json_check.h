/*
 * json_check.h: checks that a text is JSON as mem takes it. Private to lib/json: json.c calls
 * it before it reads.
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"

/* libjq 1.6 stops at depth 256, and counts an object and its member as two */
#define JSON_DEPTH_MOST 128

/* libjq takes quadratic time for digits; a double is determined by 767 of them */
#define JSON_NUMBER_BYTES 1024

/*
 * Checks that s is exactly one JSON value (RFC 8259, white space around it allowed), without NUL,
 * \u0000, lone surrogates, numbers beyond a double, more than max_depth levels or more than
 * max_values values. *start and *end get the value without the space around it. Returns 0, or -1
 * with ERR_DATA and the byte, counted from 1. It takes about 1 ns a byte or less.
 */
int json_check(const char *s, size_t len, unsigned max_depth, unsigned max_values,
	const char **start, const char **end, struct err *err);

/* Whether an integer of digits [n] is beyond 2^53, and so becomes a string. */
bool json_is_big(const char *digits, size_t n);
