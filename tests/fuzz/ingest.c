/*
 * ingest: any bytes as a file that is read, as of a format by its name, or as of one that is found
 * out. What comes out are records, a line each.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "ingest/ingest.h"
#include "json/json.h"

static const char *const formats[] = { "ndjson", "openai", "chatgpt", "claude", "claude-code",
	"codex", "gemini", "llm", "sharegpt", "slack", "discord", "telegram", "copilot", "cursor",
	"cline", "captions", "chatml", "claude-text", "irc", "whatsapp", "zoom", "aider", "csv",
	"copied", "mail", "text", "json", "opencode", "matrix", "takeout" };
static const char *const names[] = { "fuzz-in.txt", "fuzz-in.json", "fuzz-in.jsonl",
	"fuzz-in.vtt", "fuzz-in.eml", "fuzz-in.csv", "fuzz-in.md", "fuzz-in.db" };

static void
on_records(void *arg, const char *lines, size_t len)
{
	struct arena a = ARENA_INIT;

	(void)arg;
	PROMISE(len == 0 || lines[len - 1] == '\n');
	PROMISE(utf8_valid(lines, len));
	for (const char *p = lines, *end = lines + len, *nl; p < end; p = nl + 1) {
		const struct json *v;
		struct err err = ERR_INIT;

		nl = memchr(p, '\n', (size_t)(end - p));
		PROMISE(json_parse(p, (size_t)(nl - p), &a, &v, &err) == 0);
		/* a session that gets a title, or a message */
		PROMISE(json_get_string(v, "title", NULL) != NULL ||
			json_get_string(v, "content", NULL) != NULL);
		PROMISE(json_get_string(v, "title", NULL) != NULL ||
			json_get_string(v, "role", NULL) != NULL);
	}
	arena_release(&a);
}

static void
on_warning(void *arg, const char *text)
{
	(void)arg;
	PROMISE(*text != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static volatile sig_atomic_t stop;
	unsigned n = number_of(data, size), at = n >> 8;
	const char *name = names[n % (sizeof(names) / sizeof(names[0]))];
	struct ingest_options o = { .user = "u", .agent = "", .project = "", .session = "",
		.from = n & 64 ? formats[at % (sizeof(formats) / sizeof(formats[0]))] : NULL,
		.multi_user = n & 128, .keep_secrets = n & 32, .dry_run = true, .batch = 100,
		.stop = &stop };
	struct ingest_out out = { on_records, on_warning, NULL, NULL, NULL };
	struct ingest_counts counts;
	char copy[32], *paths[] = { copy };
	struct err err = ERR_INIT;
	int worst = 0, rc;

	memset(&counts, 0, sizeof(counts));
	snprintf(copy, sizeof(copy), "%s", name);
	file_of(name, data, size);
	rc = ingest(NULL, &o, &out, paths, 1, &counts, &worst, &err);
	PROMISE(rc == 0 || *err.msg != '\0');
	PROMISE(err.code != ERR_BUG && worst != ERR_BUG);
	remove(name);
	return 0;
}
