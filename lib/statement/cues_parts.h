/* cues_parts.h: the tables that cues.awk makes. Private to lib/statement, and for its tests. */
#pragma once

#include "statement/cues.h"

struct cues {
	const char *name;                      /* of the file */
	const struct cue_class *classes;       /* [n_classes] */
	size_t n_classes, n;
	/* folded phrases, a NUL after each, sorted by their bytes; "*" at the end: any ending */
	const char *texts;
	const uint16_t *at;                    /* [n]: where in texts */
	const uint8_t *class;                  /* [n] */
	uint16_t first[UINT8_MAX + 2];         /* by byte: the first phrase not below it */
};

/* The last one has no name. */
extern const struct cues cues_tables[];
