/* record_keys.c: a table of keys, and lists of them by their first byte. */
#include "ingest/record_keys.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "gen/record_rows.h"

#define KEYS_MOST 200

/* The keys of a field, from the lowest rank on. */
static const struct {
	uint8_t field, rank, where;
	const char *keys;
} fields[] = { RECORD_KEYS };

struct record_keys {
	struct arena names;
	struct record_key keys[KEYS_MOST];         /* from 1 */
	/* by first byte: the first key that begins with it; 0: none */
	uint8_t starts[256];
};

struct record_keys *
record_keys_new(void)
{
	struct record_keys *k = xcalloc(1, sizeof(*k));
	size_t n = 0, len;

	for (size_t i = 0; i < NELEM(fields); i++) {
		uint8_t rank = fields[i].rank;

		for (const char *p = fields[i].keys; *p != '\0' && n + 1 < KEYS_MOST;
		     p += len + (p[len] == ' ')) {
			len = strcspn(p, " ");
			k->keys[++n] = (struct record_key){ arena_strndup(&k->names, p, len),
				fields[i].field, rank++, fields[i].where, 0 };
		}
	}
	for (; n > 0; n--) {
		uint8_t *start = &k->starts[(unsigned char)k->keys[n].name[0]];

		k->keys[n].next = *start;
		*start = (uint8_t)n;
	}
	return k;
}

void
record_keys_free(struct record_keys *k)
{
	arena_release(&k->names);
	free(k);
}

const struct record_key *
record_key(const struct record_keys *k, const char *key, unsigned where)
{
	for (size_t i = k->starts[(unsigned char)key[0]]; i > 0; i = k->keys[i].next)
		if ((k->keys[i].where & where) && strcmp(k->keys[i].name, key) == 0)
			return &k->keys[i];
	return NULL;
}
