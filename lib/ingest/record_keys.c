/*
 * record_keys.c: a table of keys, and lists of them by their first byte.
 */
#include "ingest/record_keys.h"

#include "base/alloc.h"
#include "base/arena.h"

#define KEYS_MOST 200

/* The keys of a field, from the lowest rank on. */
static const struct {
	uint8_t field, rank, where;
	const char *keys;
} fields[] = {
	{ F_TYPE, 0, MESSAGES | SESSIONS, "type" },
	{ F_ID, 0, MESSAGES | SESSIONS, "id" },
	{ F_USER, 0, MESSAGES | SESSIONS, "user" },
	{ F_TIME, 0, MESSAGES | SESSIONS, "time" },
	{ F_TIME, 1, MESSAGES,
	    "ts timestamp created_at date createdAt created datetime date_time created_date "
	    "create_time sent_at sentAt timestamp_ms" },
	{ F_AGENT, 0, MESSAGES | SESSIONS, "agent" },
	{ F_PROJECT, 0, MESSAGES | SESSIONS, "project" },
	{ F_SESSION, 0, MESSAGES | SESSIONS, "session" },
	{ F_SESSION, 1, MESSAGES,
	    "session_id sessionId conversation_id conversation conv conversationId thread_id "
	    "chatId chat_id" },
	{ F_ORIGIN, 0, MESSAGES, "origin" },
	{ F_TRUST, 0, MESSAGES, "trust" },
	{ F_SOURCE, 0, MESSAGES, "source_id uuid message_id messageId" },
	{ F_TURN, 0, MESSAGES, "turn" },
	{ F_ROLE, 0, MESSAGES, "role" },
	{ F_NAME, 0, MESSAGES,
	    "name speaker author sender from nick username sender_name senderName "
	    "sender_full_name sender_display_name senderDisplayName from_name fromName "
	    "author_name authorName author_display_name authorDisplayName speaker_name "
	    "speakerName display_name displayName user_name userName nickname nick_name "
	    "screen_name full_name posted_by postedBy sent_by sentBy created_by participant "
	    "handle" },
	{ F_CONTENT, 0, MESSAGES, "content text message body refusal" },
	{ F_CALLS, 0, MESSAGES, "tool_calls" },
	{ F_CALL_ID, 0, MESSAGES, "tool_call_id" },
	/* mem fills these itself */
	{ F_DROP, 0, MESSAGES, "tokens" }, { F_DROP, 0, MESSAGES, "sha256" },
	{ F_DROP, 0, MESSAGES, "stored" },
	{ F_STRIP, 0, MESSAGES | MAPS, "strip" },
	{ F_HTML, 0, MESSAGES | MAPS, "html" },
	{ F_TITLE, 0, SESSIONS, "title" },
	{ F_CREATED, 0, SESSIONS, "created" },
	{ F_UPDATED, 0, SESSIONS, "updated" },
	{ F_PROMPT, 0, SESSIONS, "system_prompt" },
	{ F_METADATA, 0, SESSIONS, "metadata" },
};

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
