/*
 * calls: any bytes as the tool calls of a message, as a line of a shell, as a path, and as what a
 * tool gave.
 */
#include "fuzz.h"

#include "calls/calls.h"
#include "calls/outcome.h"
#include "calls/work_keys.h"
#include "json/json.h"

/* Each path is clean: making it clean again changes nothing. */
static void
check_calls(const char *json, size_t len, struct arena *a)
{
	const struct call *calls;
	size_t n;

	calls_read(json, len, "/p", a, &calls, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < calls[i].n_files; j++) {
			const char *path = calls[i].files[j].path;

			PROMISE(*path_base(path) != '\0');
			PROMISE(strcmp(path_join("", path, strlen(path), a), path) == 0);
		}
}

static void
check_errors(const char *text, size_t size, struct arena *a)
{
	struct error_line lines[8];
	struct outcome o;
	size_t n;

	outcome_read(text, size, text, &o);
	o.worked = o.worked == WORKED_YES ? WORKED_NO : o.worked;
	n = errors_read(text, size, &o, a, lines, 8);
	PROMISE(n <= 8);
	for (size_t i = 0; i < n; i++) {
		PROMISE(lines[i].text >= text && lines[i].text + lines[i].len <= text + size);
		PROMISE(strcmp(error_norm(lines[i].text, lines[i].len, a), lines[i].norm) == 0);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	char *text = text_of(data, size, 1);
	uint64_t keys[WORK_KEYS_MOST];
	struct work_text m = { text, text, text, size, true };
	struct buf b;
	size_t n;

	check_calls(text, size, &a);
	buf_init(&b, SIZE_MAX / 4);
	buf_adds(&b, "[{\"name\":\"Bash\",\"input\":{\"command\":");
	json_write_string(&b, text, size);
	buf_adds(&b, "}}]");
	check_calls(b.data, b.len, &a);
	buf_release(&b);
	check_errors(text, size, &a);
	work_keys_read(&m, &a, keys, &n);
	PROMISE(n <= WORK_KEYS_MOST);
	arena_release(&a);
	free(text);
	return 0;
}
