/*
 * id.h: the ids of records. They are ULIDs (github.com/ulid/spec): 48 bits of milliseconds and 80
 * random bits, as 26 characters of Crockford's base32. They sort by the time of their making, and
 * ascend within a process. MEM_SEED makes them repeatable.
 */
#pragma once

#include "base/base.h"

#define ID_BYTES 16
#define ID_TEXT  27                /* 26 characters and a NUL */

/*
 * Makes the random part of all later ids repeatable, as MEM_SEED does; conf.c calls it for the
 * setting "seed".
 */
void id_seed(uint64_t seed);
/* Whether ids are made of a seed: another process may make the same. */
bool id_is_seeded(void);

void id_make(uint8_t id[ID_BYTES]);
char *id_format(const uint8_t id[ID_BYTES], char out[ID_TEXT]);
/* Random bytes, of which MEM_SEED knows nothing: to tell one store, or one moment, from another. */
void id_noise(uint8_t *p, size_t n);
/* Reads an id in upper or lower case; -1: it is not one of ours */
int id_parse(const char *s, size_t len, uint8_t id[ID_BYTES]);

#define UUID_BYTES 36

/* Whether it is a UUID, as other programs make them: 8-4-4-4-12 hexadecimal digits. */
bool id_is_uuid(const char *s, size_t len);
