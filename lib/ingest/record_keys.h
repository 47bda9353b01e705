/*
 * record_keys.h: what the keys of records mean, ours and those close to them. Of several keys with
 * the same meaning the one of the lowest rank that is not null counts. Private to ingest_record.c.
 */
#pragma once

#include "base/base.h"

enum input_field {
	F_TYPE, F_ID, F_USER, F_TIME, F_AGENT, F_PROJECT, F_SESSION, F_ORIGIN, F_TRUST, F_SOURCE,
	F_TURN, F_ROLE, F_NAME, F_CONTENT, F_CALLS, F_CALL_ID, F_DROP, F_STRIP, F_HTML, F_TITLE,
	F_CREATED, F_UPDATED, F_PROMPT, F_METADATA, N_FIELDS
};

enum { MESSAGES = 1, SESSIONS = 2, MAPS = 4 };         /* in which records a key has its meaning */

struct record_key {
	const char *name;
	uint8_t field, rank, where;
	uint8_t next;              /* the next key that begins with the same byte */
};

struct record_keys;

struct record_keys *record_keys_new(void);
void record_keys_free(struct record_keys *k);
/* What a key means in such records; NULL: nothing that is known. */
const struct record_key *record_key(const struct record_keys *k, const char *key, unsigned where);
