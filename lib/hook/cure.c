/*
 * cure.c: only an error that is the same line by line counts, and only what surely cured it.
 */
#include "hook/cure.h"

#include "base/conf.h"
#include "text/words.h"
#include "work/work.h"

#define LINES       8
#define LEAST_WORDS 3          /* of a line, so that "error: failed" is none */
#define FOUND       8

static int
count_word(void *arg, const struct word *w)
{
	size_t *n = arg;

	*n += w->kind == WORD_PLAIN && !w->stop;
	return 0;
}

/* "TypeError: x is not a function" and not "why does this error come up". */
static bool
is_printed(const struct error_line *l)
{
	const char *colon = memchr(l->text, ':', l->len);
	size_t n = 0;

	words_each(l->norm, strlen(l->norm), count_word, &n);
	return n >= LEAST_WORDS && colon != NULL && colon > l->text;
}

bool
cure_asked(const char *prompt, size_t len)
{
	static const struct outcome unknown = { WORKED_UNKNOWN, EXIT_UNKNOWN };
	struct error_line lines[LINES];
	struct arena a = ARENA_INIT;
	size_t n = errors_read(prompt, len, &unknown, &a, lines, LINES);
	bool any = false;

	for (size_t i = 0; i < n && !any; i++)
		any = is_printed(&lines[i]);
	arena_release(&a);
	return any;
}

/* The best one that was cured: of the project, else of any. */
static const struct work *
cured(const struct recall_want *want, const struct work *found, size_t n)
{
	const struct work *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct work *w = &found[i];
		bool own = want->who.project != NULL && strcmp(w->project, want->who.project) == 0;

		if (w->outcome.worked != WORKED_YES || w->again_us != TIME_NONE ||
		    recall_is_running(want, w->session))
			continue;
		if (best == NULL || own)
			best = w;
		if (own)
			break;
	}
	return best;
}

int
cure_tell(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	struct work_want w = { .kind = WORK_ERROR, .text = want->prompt, .dir = "",
		.who = { .user = want->who.user, .agent = want->who.agent }, .same = true,
		.since_us = TIME_NONE, .until_us = TIME_NONE, .limit = FOUND };
	const struct work *found, *best;
	struct message *m;
	struct buf text;
	size_t n = 0;

	recall_begin(want, r);
	if (s == NULL)
		return 0;
	r->why = "no cure of the error is known";
	if (work_find(s, &w, &r->arena, &found, &n, err) != 0)
		return -1;
	if ((best = cured(want, found, n)) == NULL)
		return 0;
	buf_init(&text, conf_caps.output_bytes);
	work_lines(&text, best);
	m = arena_zalloc(&r->arena, sizeof(*m));
	*m = (struct message){ .session = best->session,
		.role = ROLE_TOOL,
		.name = "this error, and what cured it",
		.content = arena_strndup(&r->arena, text.data, text.len),
		.content_len = text.len,
		.time_us = best->time_us,
		.trust = best->trust };
	buf_release(&text);
	if (!hook_given_has(want->given, want->session, m))
		context_add(&r->block,
		    &(struct context_piece){ m, 0, m->content_len, true, false }, UINT64_MAX);
	if (r->block.n > 0)
		r->why = "a cure of the error";
	return 0;
}
