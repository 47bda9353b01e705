/*
 * json_check.h: is this text the JSON that we take? Within lib/base only: json.c and jq.c ask
 * before they read a byte.
 */
#ifndef JSON_JSON_CHECK_H
#define JSON_JSON_CHECK_H

#include "base/arena.h"
#include "base/err.h"

/* libjq 1.6 stops at 256, and counts an object and its member as two */
#define JSON_DEPTH_MOST 128

/* libjq reads digits in quadratic time; a double is told apart by 767 of them */
#define JSON_NUMBER_BYTES 1024

/*
 * Checks that s is exactly one JSON value (RFC 8259, white space around it allowed), without NUL,
 * \u0000, lone surrogates, numbers beyond a double, more than max_depth levels or more than
 * max_values values. *start and *end get the value without the space around it, *n_big the number
 * of integers beyond 2^53. Returns 0, or -1 with ERR_DATA and the byte, counted from 1. About 1 ns
 * a byte and less.
 */
int json_check(const char *s, size_t len, unsigned max_depth, unsigned max_values,
	const char **start, const char **end, size_t *n_big, struct err *err);

/* Digits [n] of an integer are beyond 2^53, which becomes a string. */
bool json_is_big(const char *digits, size_t n);

/*
 * The same checked value with its n_big large integers in quotes; *len is its length before and
 * after.
 */
const char *json_quote_big(const char *s, size_t *len, size_t n_big, struct arena *a);

#endif
