/*
 * said_numbers.h: reads numbers as people write them: 14th, 1,450, 10:00, 2.8k, 60cm.
 */
#pragma once

#include "base/base.h"

#define SAID_NO_VALUE UINT32_MAX           /* of a word that is no number, or one with parts */

/* What a number is known by. */
uint64_t said_number_id(const char *digits, size_t len);

/* The number of "14th" is 14, of "1,450" 1450, of "10:00" 10; 0: it has letters, as "v2". */
uint64_t said_digits_id(const char *term, size_t len);

/* The number, where it has at most nine digits and nothing else; else SAID_NO_VALUE. */
uint32_t said_digits_value(const char *term, size_t len);

/* The bytes at the end of "60cm", "2.8k" that are a unit; 0: it is no number with one. */
size_t said_unit_len(const char *term, size_t len);

/* Of "2.8", which stands before "k", 2800; and its value. */
uint64_t said_thousands_id(const char *term, size_t len, uint32_t *value);
