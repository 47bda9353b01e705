/*
 * clean_text.h: what a message says: content of any shape to text, and text without what must not
 * be stored.
 */
#ifndef CLEAN_CLEAN_TEXT_H
#define CLEAN_CLEAN_TEXT_H

#include "json/json.h"

struct cleaner {
	struct buf text, clean;            /* content being put together; what a cleaner wrote */
	struct buf json;                   /* clean_json appends here */
	bool keep_secrets;
	/* something was longer than the setting output_bytes, and is not whole */
	bool cut;
	unsigned n_redacted;               /* counts up */
};

void cleaner_init(struct cleaner *c);
void cleaner_release(struct cleaner *c);

/* What was put together in b, one of c's, in the arena. */
const char *cleaner_keep(struct cleaner *c, const struct buf *b, size_t *len, struct arena *a);

/* s [*len] without <private> spans and secrets; in the arena when it had some, else s itself. */
const char *clean_secrets(struct cleaner *c, const char *s, size_t *len, struct arena *a);

/*
 * The same, before that without mem's own context blocks and, with unwrap, without what coding
 * agents put around a turn.
 */
const char *
clean_content(struct cleaner *c, const char *s, size_t *len, bool unwrap, struct arena *a);

/*
 * The same of one text that a person typed, in the arena, trimmed; *len 0: nothing of it is left.
 */
const char *clean_typed(const char *text, size_t *len, bool keep_secrets, struct arena *a);

/*
 * An id, or a name that things are known by: where a secret was redacted in it, a few digits of its
 * hash follow, so that two that differ stay two, and the same is the same each time. What
 * was cleaned is left as it is.
 */
const char *clean_id(struct cleaner *c, const char *id, struct arena *a);
/* The same of "source:ID", as sources are named; an id of ours is no secret. */
const char *clean_source(struct cleaner *c, const char *source, struct arena *a);

/*
 * JSON text of an array of strings, each without secrets; "" as it is. Text that is no JSON is left
 * as it is.
 */
const char *clean_list(struct cleaner *c, const char *json, struct arena *a);

/*
 * Append to c->json v, or a member, key, colon and value: every string, keys too, as clean_secrets
 * leaves it, and without what is a secret by its key.
 */
void clean_member(struct cleaner *c, const struct json_member *m, struct arena *a);
void clean_json(struct cleaner *c, const struct json *v, struct arena *a);

/*
 * The text of content: a string, null, an array of parts ({"text"}, {"type": "text"}, {"type":
 * "tool_result"}, strings; an image shows as "[image]" or "[image: NAME]", thinking and calls not
 * at all), or an object with parts. In the arena or in v. -1 when it is none of these.
 */
int content_text(struct cleaner *c, const struct json *v, struct arena *a, const char **out,
	size_t *len);

/*
 * Whether content is the results of tools and nothing else; the id of the first one's call then, ""
 * when it names none.
 */
bool content_is_result(const struct json *content, const char **call_id);

/*
 * JSON text of the calls: as they are, or those that stand among the parts of content ({"type":
 * "tool_use"}). "" when there are none.
 */
const char *content_calls(struct cleaner *c, const struct json *calls, const struct json *content,
	struct arena *a);

/*
 * "NAME: words": who speaks, in the arena (a role's name in lower case), and the offset of the
 * words; "" and 0 when the paragraph begins otherwise. A name is a role, or what looks like one to
 * speaker.h.
 */
size_t paragraph_speaker(const char *text, size_t len, struct arena *a, const char **name);

#endif
