/*
 * cluster_name.h: a name for a subcategory from a language model.
 */
#ifndef VERB_CLUSTER_NAME_H
#define VERB_CLUSTER_NAME_H

#include "verb/llm.h"

#define CLUSTER_NAME_CHARS 60

struct cluster_sample { const char *text; size_t len; };

/*
 * Asks for a name of what the texts [n] have in common; keywords is a JSON array. The name, in the arena, or NULL: there is none that can be used, and *why says so in words ("" when no
 * model is configured). A name is one line of at most CLUSTER_NAME_CHARS characters without control characters, and has a word of the texts or of the keywords in it. *again: it makes sense to ask
 * for another one.
 */
const char *cluster_name(struct llm *l, const char *keywords, const struct cluster_sample *texts, size_t n, struct arena *a, const char **why, bool *again);

#endif
