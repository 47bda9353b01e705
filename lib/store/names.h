/*
 * names.h: whom and what the rows of a memory name: people who speak, agents, projects, topics of
 * mem-cluster; with how much there is of each.
 */
#pragma once

#include "store/store.h"

enum name_kind { NAME_PROJECT, NAME_PERSON, NAME_AGENT, NAME_TOPIC, NAME_USER };
extern const char *const name_kinds[];             /* by enum name_kind */

struct name_count {
	const char *name;
	const char *id;                    /* of a topic, else "" */
	int64_t sessions, messages;
	int64_t records;                   /* facts, summaries and reflections that stand */
	int64_t last_us;                   /* of the newest of them, or TIME_NONE */
};

/*
 * What there is of that kind in the scope, whose session is not used; that of the longest ago
 * first. NAME_USER: all users of the store. The caller frees *out [*n]; texts are in the arena.
 * Cost: all rows of the user are read.
 */
int names_counted(struct store *s, const struct scope *who, enum name_kind kind, struct arena *a,
	struct name_count **out, size_t *n, struct err *err);

/* The names of all people who ever spoke, in the arena; the caller frees *out [*n]. */
int names_of_people(struct store *s, const struct scope *who, struct arena *a, const char ***out,
	size_t *n, struct err *err);
