/*
 * clean_text.h: the text of a message: from content of any shape, and without what must not be
 * stored.
 */
#pragma once

#include "json/json.h"

#define CLEAN_IDS 16

struct cleaner {
	struct buf text, clean;            /* the text being built; what the last cleaning wrote */
	struct buf json;                   /* the JSON being built: clean_json appends to it */
	bool keep_secrets;
	unsigned personal;                 /* what else is taken out of what is said: personal.h */
	bool in_call;                      /* clean_json takes it out, too */
	/* some text was longer than the setting output_bytes, and was cut */
	bool cut;
	unsigned n_redacted;               /* secrets redacted so far */
	/* hashes of ids without a secret: those of sessions, agents and projects repeat */
	uint64_t clean_ids[CLEAN_IDS];
};

void cleaner_init(struct cleaner *c);
void cleaner_release(struct cleaner *c);

/* Copies what was built in b, one of the cleaner's own buffers, into the arena. */
const char *cleaner_keep(struct cleaner *c, const struct buf *b, size_t *len, struct arena *a);

/* s [*len] without <private> spans and secrets: in the arena if it had any, else s itself. */
const char *clean_secrets(struct cleaner *c, const char *s, size_t *len, struct arena *a);

/*
 * The same, but first without mem's own context blocks and, with unwrap, without what coding agents
 * put around a turn.
 */
const char *
clean_content(struct cleaner *c, const char *s, size_t *len, bool unwrap, struct arena *a);

/*
 * The same for one text that a person typed, in the arena and trimmed; *len 0: nothing of it is
 * left.
 */
const char *clean_typed(const char *text, size_t *len, bool keep_secrets, struct arena *a);

/*
 * A text as it may leave the machine: without private spans, secrets and what else the setting
 * redact names, whatever is stored; never empty.
 */
const char *clean_outgoing(const char *text, size_t *len, struct arena *a);

/*
 * Cleans an id, or a name that things are known by. Where a secret was redacted, a few digits of
 * its hash follow, so that ids that differ stay different and equal ones equal. Cleaning twice
 * changes nothing.
 */
const char *clean_id(struct cleaner *c, const char *id, struct arena *a);
/* The same for "source:ID", as sources are named; an id of mem's own holds no secret. */
const char *clean_source(struct cleaner *c, const char *source, struct arena *a);

/* Cleans JSON text of an array of strings; "", and text that is not JSON, stay as they are. */
const char *clean_list(struct cleaner *c, const char *json, struct arena *a);

/*
 * Appends a value to c->json: every string, keys too, is cleaned as by clean_secrets, and values
 * that are secrets by their key are redacted.
 */
void clean_json(struct cleaner *c, const struct json *v, struct arena *a);
/* The same of the members of v that are marked in left [v->len], as an object; "" for none. */
const char *clean_members(struct cleaner *c, const struct json *v, const bool *left,
	struct arena *a);

/*
 * The text of content, in the arena or in v. Content is a string, null, an array of parts
 * ({"text"}, {"type": "text"}, {"type": "tool_result"}, strings), or an object with parts. An image
 * shows as "[image]" or "[image: NAME]"; thoughts and calls do not show. -1: content is none of
 * these.
 */
int content_text(struct cleaner *c, const struct json *v, struct arena *a, const char **out,
	size_t *len);

/*
 * Whether content consists of results of tools only. *call_id is then the id of the first one's
 * call, "" if it names none.
 */
bool content_is_result(const struct json *content, const char **call_id);

/*
 * JSON text of the calls: those in calls, else those among the parts of content ({"type":
 * "tool_use"}). "" when there are none.
 */
const char *content_calls(struct cleaner *c, const struct json *calls, const struct json *content,
	struct arena *a);

/*
 * Reads the speaker of a paragraph "NAME: words" into *name, in the arena, and returns the offset
 * of the words; "" and 0 when it names none. A name is a role (then in lower case), or looks like a
 * name to speaker.h.
 */
size_t paragraph_speaker(const char *text, size_t len, struct arena *a, const char **name);
