/* work_keys.c: see work_keys.h. */
#include "calls/work_keys.h"

#include "base/hash.h"
#include "calls/calls.h"
#include "calls/outcome.h"

#define ERRORS_MOST 8              /* of one result */

uint64_t
work_key(enum work_kind kind, const char *text)
{
	return (uint64_t)kind << WORK_HASH_BITS |
	    hash64(text, strlen(text), (uint64_t)kind) >> (64 - WORK_HASH_BITS);
}

static void
add_key(uint64_t *keys, size_t *n, uint64_t key)
{
	for (size_t i = 0; i < *n; i++)
		if (keys[i] == key)
			return;
	if (*n < WORK_KEYS_MOST)
		keys[(*n)++] = key;
}

static void
add_calls(const char *json, struct arena *a, uint64_t *keys, size_t *n)
{
	const struct call *calls;
	size_t n_calls;

	calls_read(json, strlen(json), "", a, &calls, &n_calls);
	for (size_t i = 0; i < n_calls; i++) {
		const struct call *c = &calls[i];

		for (size_t j = 0; j < c->n_files; j++)
			add_key(keys, n, work_key(WORK_FILE, path_base(c->files[j].path)));
		for (size_t j = 0; j < c->n_programs; j++)
			add_key(keys, n, work_key(WORK_COMMAND, c->programs[j]));
	}
}

static void
add_errors(const struct work_text *m, struct arena *a, uint64_t *keys, size_t *n)
{
	struct error_line lines[ERRORS_MOST];
	struct outcome o;

	outcome_read(m->text, m->text_len, m->extra, &o);
	size_t n_lines = errors_read(m->text, m->text_len, &o, a, lines, ERRORS_MOST);
	for (size_t i = 0; i < n_lines; i++)
		add_key(keys, n, work_key(WORK_ERROR, lines[i].norm));
}

void
work_keys_read(const struct work_text *m, struct arena *a, uint64_t *keys, size_t *n)
{
	*n = 0;
	if (m->calls != NULL && *m->calls != '\0')
		add_calls(m->calls, a, keys, n);
	if (m->is_result)
		add_errors(m, a, keys, n);
}
