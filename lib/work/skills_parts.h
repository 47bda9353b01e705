/* skills_parts.h: what the files of skills.h share. Private to them. */
#pragma once

#include "base/arena.h"
#include "work/skills.h"

#define DEED_KEYS 3

/* Something that a call did: a command of a line, or an edit of a file. */
struct deed {
	uint64_t keys[DEED_KEYS];          /* [n_keys], the most special first */
	unsigned n_keys;
	uint32_t session;                  /* counted from 0 in the order of the walk */
	uint32_t token;                    /* its key by which it is compared (skills.c) */
	bool failed;
	const char *text;                  /* "cargo publish -q", "edit CHANGELOG.md" */
	const char *name;                  /* of a command: "cargo-publish"; "": it is an edit */
	const char *asked;                 /* what a user had said; "": nothing */
	const char *id;                    /* of the message */
	int64_t time_us;
};

/* All deeds of the scope in order: *out [*n], free(); their texts in the arena. */
int deeds_read(struct store *s, const struct scope *who, struct arena *a, struct deed **out,
	size_t *n, struct err *err);
