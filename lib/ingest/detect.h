/* detect.h: names the format of a transcript from its first bytes. */
#pragma once

#include "base/err.h"

/*
 * The name of the format. NULL: it is none that we know; ERR_DATA says what was seen, with name for
 * the input. With len 0 NULL comes without an error, as there is nothing to read.
 */
const char *detect_format(const char *bytes, size_t len, const char *name, struct err *err);

/*
 * Whether bytes of no known format are JSON all the same, with keys of which none may hold words: a
 * list or a setting beside transcripts, rather than one that was damaged.
 */
bool detect_is_aside(const char *bytes, size_t len);

/* Whether lines end, but in none of the ways in which they are read: CR, NEL, U+2028. */
bool detect_has_other_ends(const char *bytes, size_t len);

/* Whether the bytes may be JSON: "[10:00] Ann:" is not. */
bool detect_is_json_like(const char *bytes, size_t len);

/* Whether the bytes are an empty array or object: brackets and blanks only. */
bool detect_is_bare(const char *bytes, size_t len);

/*
 * Whether the bytes are one document, such as an array or object over many lines, and not one value
 * on each line.
 */
bool detect_is_document(const char *bytes, size_t len);

/*
 * Whether the input is what an agent keeps beside its conversations, such as the history of what
 * was typed: what it says stands in them.
 */
bool detect_is_beside(const char *bytes, size_t len, const char *name);
