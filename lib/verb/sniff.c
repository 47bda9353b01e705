/*
 * sniff.c: no parser: the first bytes may end inside the first value. A scanner notes which of a few dozen key names stand at the top of an
 * object, and a table of rules, most telling first, says whose they are.
 */
#include "base/buf.h"
#include "verb/sniff.h"

#define VALUES_MOST 64                     /* looked at before giving up: some formats begin with lines of other kinds */
#define SHOWN_KEYS  8

static const char *const names[] = {
	"mapping", "chat_messages", "sessionId", "projectHash", "type", "payload", "id", "timestamp", "instructions", "uuid", "leafUuid",
	"messageId", "snapshot", "operation", "conversations", "chat", "history", "messages", "body", "custom_id", "request", "prompt", "response",
	"content", "text", "role", "tool_calls", "session", "message", "ts", "user",
};
enum {
	MAPPING = 1 << 0, CHAT_MESSAGES = 1 << 1, SESSION_ID = 1 << 2, PROJECT_HASH = 1 << 3, TYPE = 1 << 4, PAYLOAD = 1 << 5, ID = 1 << 6,
	TIMESTAMP = 1 << 7, INSTRUCTIONS = 1 << 8, UUID = 1 << 9, LEAF_UUID = 1 << 10, MESSAGE_ID = 1 << 11, SNAPSHOT = 1 << 12,
	OPERATION = 1 << 13, CONVERSATIONS = 1 << 14, CHAT = 1 << 15, HISTORY = 1 << 16, MESSAGES = 1 << 17, BODY = 1 << 18, CUSTOM_ID = 1 << 19,
	REQUEST = 1 << 20, PROMPT = 1 << 21, RESPONSE = 1 << 22, CONTENT = 1 << 23, TEXT = 1 << 24, ROLE = 1 << 25, CALLS = 1 << 26,
	SESSION = 1 << 27, MESSAGE = 1 << 28, TS = 1 << 29, USER = 1 << 30
};
#define IN_ARRAY (1u << 31)                /* the value is an element, not a line */

static const struct rule {
	uint32_t with, without;
	const char *format;
} rules[] = {
	{ MAPPING, 0, "chatgpt" },
	{ CHAT_MESSAGES, 0, "claude" },
	{ SESSION_ID | PROJECT_HASH, 0, "gemini" },
	{ TYPE | PAYLOAD, 0, "codex" },
	{ ID | TIMESTAMP | INSTRUCTIONS, TYPE, "codex" },
	{ TYPE | SESSION_ID | UUID, 0, "claude-code" },
	{ TYPE | SESSION_ID | OPERATION, 0, "claude-code" },
	{ TYPE | LEAF_UUID, 0, "claude-code" },
	{ TYPE | MESSAGE_ID | SNAPSHOT, 0, "claude-code" },
	{ CONVERSATIONS, 0, "sharegpt" },
	{ CHAT, CONTENT | TEXT, "openwebui" },
	{ HISTORY, CONTENT | TEXT, "openwebui" },
	{ MESSAGES, 0, "openai" },
	{ CUSTOM_ID | BODY, 0, "openai" },
	{ REQUEST | RESPONSE, CONTENT, "openai" },
	{ PROMPT | RESPONSE, CONTENT, "llm" },
	{ IN_ARRAY | TYPE | TS | TEXT | USER, ROLE | CONTENT, "slack" },
	{ CONTENT, 0, "ndjson" },
	{ TEXT, 0, "ndjson" },
	{ ROLE, 0, "ndjson" },
	{ MESSAGE, TYPE, "ndjson" },
	{ TYPE | SESSION, 0, "ndjson" },
};

struct seen {
	uint32_t keys;
	bool object, ended;        /* the value is an object; its end was seen */
	char shown[256];           /* its first keys, for people */
	int n_shown;
};

static void
see_key(struct seen *s, const char *key, size_t len)
{
	size_t at = strlen(s->shown);

	for (size_t i = 0; i < NELEM(names) && i < 31; i++)
		if (strlen(names[i]) == len && memcmp(names[i], key, len) == 0)
			s->keys |= 1u << i;
	if (s->n_shown < SHOWN_KEYS && len < 40 && at + len + 5 < sizeof(s->shown)) {
		snprintf(s->shown + at, sizeof(s->shown) - at, "%s'%.*s'", s->n_shown == 0 ? "" : ", ", (int)len, key);
		s->n_shown++;
	}
}

/* Reads one value at p, which may be cut short; returns where it ends. A line end inside a string ends it: no JSON has that. */
static const char *
see_value(const char *p, const char *end, struct seen *s)
{
	const char *string = NULL;
	int depth = 0;
	bool at_key = false;

	memset(s, 0, sizeof(*s));
	s->object = p < end && *p == '{';
	for (; p < end; p++) {
		if (string != NULL) {
			if (*p == '\\') {
				p++;
			} else if (*p == '\n') {
				return p;
			} else if (*p == '"') {
				if (at_key && depth == 1)
					see_key(s, string, (size_t)(p - string));
				at_key = false;
				string = NULL;
			}
		} else if (*p == '"') {
			string = p + 1;
		} else if (*p == '{' || *p == '[') {
			depth++;
			at_key = *p == '{';
		} else if (*p == ',') {
			at_key = depth == 1 && s->object;
		} else if (*p == '}' || *p == ']') {
			depth--;
		}
		if (depth <= 0 && string == NULL && (*p == '}' || *p == ']' || *p == '"' || *p == '\n')) {
			s->ended = true;
			return p + 1;
		}
	}
	return end;
}

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n' || *p == 0x1e))
		p++;
	return p;
}

static const char *
format_of(const struct seen *s)
{
	for (size_t i = 0; i < NELEM(rules); i++)
		if ((s->keys & rules[i].with) == rules[i].with && !(s->keys & rules[i].without))
			return rules[i].format;
	return NULL;
}

static bool
starts_with(const char *bytes, size_t len, const char *what, size_t n)
{
	return len >= n && memcmp(bytes, what, n) == 0;
}

static int
unknown(const char *bytes, size_t len, const struct seen *first, const char *name, struct err *err)
{
	const char *p = skip_space(bytes, bytes + len);
	size_t n_binary = 0;

	if (starts_with(bytes, len, "PK\3\4", 4))
		return err_set(err, ERR_DATA, "%s: a zip archive: try unzip -p FILE 'conversations*.json' | mem-ingest", name);
	if (starts_with(bytes, len, "SQLite format 3", 16))
		return err_set(err, ERR_DATA, "%s: an SQLite database, no transcript (of llm's logs: llm logs list -n 0 --json | mem-ingest --from=llm)",
		    name);
	if (first->object && first->n_shown > 0)
		return err_set(err, ERR_DATA, "%s: unknown format: an object with the keys %s (name it with --from, or see --map)", name, first->shown);
	if (p < bytes + len && (*p == '{' || *p == '['))
		return err_set(err, ERR_DATA, "%s: unknown format: JSON without any key that a transcript has (see --from and --map)", name);
	for (size_t i = 0; i < len; i++)
		n_binary += bytes[i] == '\0' || ((unsigned char)bytes[i] < 0x20 && strchr("\t\n\r\f\x1b", bytes[i]) == NULL);
	if (n_binary > 0)
		return err_set(err, ERR_DATA, "%s: unknown format: binary data", name);
	return err_set(err, ERR_DATA, "%s: unknown format: plain text (--from=text takes a turn a paragraph)", name);
}

const char *
sniff_format(const char *bytes, size_t len, const char *name, struct err *err)
{
	const char *p = skip_space(bytes, bytes + len), *end = bytes + len;
	struct seen first = { 0 }, s;
	uint32_t in_array = 0;

	if (p == end && len == 0)
		return NULL;
	for (int i = 0; p < end && i < VALUES_MOST; i++) {
		const char *format;

		if (*p == '[') {
			in_array = IN_ARRAY;
			p = skip_space(p + 1, end);
			continue;
		}
		if (*p != '{') {
			/* not JSON, or between values: on to the next line, or past the comma */
			const char *line = memchr(p, '\n', (size_t)(end - p));

			p = skip_space(*p == ',' || *p == ']' ? p + 1 : line != NULL ? line : end, end);
			continue;
		}
		p = skip_space(see_value(p, end, &s), end);
		s.keys |= in_array;
		if (first.n_shown == 0)
			first = s;
		if ((format = format_of(&s)) != NULL)
			return format;
	}
	unknown(bytes, len, &first, name, err);
	return NULL;
}

bool
sniff_is_document(const char *bytes, size_t len)
{
	const char *end = bytes + len, *p = skip_space(bytes, end), *line, *next;
	struct seen s;

	if (p == end || (*p != '{' && *p != '['))
		return false;
	line = memchr(p, '\n', (size_t)(end - p));
	if (line == NULL)
		return *p == '[';
	next = see_value(p, line, &s);
	if (s.ended && next <= line) {
		/* a whole value in the line; an array of messages, with more lines after it, is a conversation a line */
		if (*p == '{' || skip_space(next, end) == end)
			return *p == '[';
		see_value(skip_space(p + 1, line), line, &s);
		return !(s.keys & ROLE);
	}
	/* cut at the line's end: laid out over lines, unless the next line begins an object of its own */
	return *p == '[' || line + 1 == end || line[1] != '{';
}
