/*
 * given_keys.h: how the values of a record's keys are read. ERR_DATA: one is not what it may be,
 * and which. Private to lib/transfer.
 */
#ifndef TRANSFER_GIVEN_KEYS_H
#define TRANSFER_GIVEN_KEYS_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/id.h"
#include "json/json.h"

/* The key's value is not what it may be: -1. */
int given_not_a(struct err *err, const char *key, const char *what);
/* A text, "" where there is none. */
int given_text_of(const struct json *v, const char *key, const char **out, struct err *err);
/* One that is not empty. */
int given_some_text(const struct json *v, const char *key, const char **out, struct err *err);
/* A text of id_bytes at most. */
int given_name_of(const struct json *v, const char *key, const char **out, struct err *err);
/* A time, TIME_NONE where there is none. */
int given_time_of(const struct json *v, const char *key, int64_t *us, struct err *err);
/* A time that must be there. */
int given_some_time(const struct json *v, const char *key, int64_t *us, struct err *err);
/* A whole number from low to high, otherwise where there is none. */
int given_int_of(const struct json *v, const char *key, int64_t low, int64_t high,
	int64_t otherwise, int64_t *out, struct err *err);
/* A number from 0 to 1, which must be there. */
int given_share_of(const struct json *v, const char *key, double *out, struct err *err);
/* One of some words, by its number. */
int given_word_of(const struct json *v, const char *key, int (*parse)(const char *), int *out,
	struct err *err);
/* An id that must be there. */
int given_id_of(const struct json *v, const char *key, char out[ID_TEXT], struct err *err);
/* The same, "" where there is none. */
int given_maybe_id(const struct json *v, const char *key, char out[ID_TEXT], struct err *err);
/* n bytes of hexadecimal digits; *has false: there is no such key. */
int given_hex_of(const struct json *v, const char *key, uint8_t *out, size_t n, bool *has,
	struct err *err);
/* JSON of a kind as text; "" where there is none. */
int given_json_of(const struct json *v, const char *key, int kind, struct arena *a,
	const char **out, struct err *err);
/* The members whose keys are none of ours, as an object; "" for none. */
const char *given_others(const struct json *v, const char *const ours[], struct arena *a);
/* The member "content", which may be empty. */
int given_content_of(const struct json *v, const char **content, size_t *len, struct err *err);
/* Bytes that a member is, in the arena; *n 0: there is none. */
int given_bytes_of(const struct json *m, const char *key, struct arena *a, uint8_t **out,
	size_t *n, struct err *err);
/* A hash that must be there. */
int given_sha256_of(const struct json *v, const char *key, uint8_t out[SHA256_BYTES],
	struct err *err);

#endif
