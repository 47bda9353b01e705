/* cure.c: only an error that is the same line by line counts, and only what surely cured it. */
#include "hook/cure.h"

#include "base/conf.h"
#include "work/work.h"

#define FOUND   8
#define NO_CURE "no cure of the error is known"
#define A_CURE  "a cure of the error"

bool
cure_asked(const char *prompt, size_t len)
{
	static const struct outcome unknown = { WORKED_UNKNOWN, EXIT_UNKNOWN };
	LOCAL(buf) lines = buf_of(conf_caps.output_bytes);

	return work_error_lines(prompt, len, &unknown, &lines);
}

/* The best one that was cured: of the project, else of any. */
static const struct work *
cured(const struct recall_want *want, const struct work *found, size_t n)
{
	const struct work *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct work *w = &found[i];
		bool own = want->who.project != NULL && strcmp(w->project, want->who.project) == 0;

		if (!work_is_cured(w))
			continue;
		if (best == NULL || own)
			best = w;
		if (own)
			break;
	}
	return best;
}

static void
add(const struct recall_want *want, struct recalled *r, const struct work *w, const char *name,
	const struct buf *text)
{
	struct message *m = arena_zalloc(&r->arena, sizeof(*m));

	*m = (struct message){ .session = w->session,
		.project = w->project,
		.role = ROLE_TOOL,
		.name = name,
		.content = arena_strndup(&r->arena, text->data, text->len),
		.content_len = text->len,
		.time_us = w->time_us,
		.trust = w->trust };
	memcpy(m->id, w->id, ID_TEXT);
	if (!hook_given_has(want->given, want->session, m))
		context_add(&r->block,
		    &(struct context_piece){ m, 0, m->content_len, true, false }, UINT64_MAX);
}

/* Adds what cured the error that is in a text; nothing where that is not known. */
static int
add_cure(struct store *s, const struct recall_want *want, const char *error, struct recalled *r,
	struct err *err)
{
	struct work_want w = { .kind = WORK_ERROR, .text = error, .dir = "",
		.who = { .user = want->who.user, .agent = want->who.agent },
		.since_us = TIME_NONE, .until_us = TIME_NONE, .limit = FOUND, .same = true,
		.but = want->session };
	const struct work *found, *best;
	struct buf text;
	size_t n = 0;

	if (work_find(s, &w, &r->arena, &found, &n, err) != 0)
		return -1;
	if ((best = cured(want, found, n)) == NULL)
		return 0;
	buf_init(&text, conf_caps.output_bytes);
	work_lines(&text, best);
	add(want, r, best, "this error, and what cured it", &text);
	buf_release(&text);
	return 0;
}

int
cure_tell(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	recall_begin(want, r);
	if (s == NULL)
		return 0;
	r->why = NO_CURE;
	if (add_cure(s, want, want->prompt, r, err) != 0)
		return -1;
	if (r->block.n > 0)
		r->why = A_CURE;
	return 0;
}

int
cure_of_told(struct store *s, const struct recall_want *want, struct recalled *r, struct err *err)
{
	for (size_t i = 0; i < r->block.n; i++) {
		const struct message *m = context_item(&r->block, i);

		if (m->role == ROLE_TOOL && cure_asked(m->content, m->content_len))
			return add_cure(s, want, arena_strndup(&r->arena, m->content,
			    m->content_len), r, err);
	}
	return 0;
}

int
cure_call(struct store *s, const struct recall_want *want, enum hook_event event,
	const struct hook_call *said, struct recalled *r, struct err *err)
{
	struct work_want w = { .who = { .user = want->who.user, .agent = want->who.agent,
		.project = want->who.project }, .dir = "", .but = want->session,
		.since_us = TIME_NONE, .until_us = TIME_NONE };
	const struct work *found;
	struct buf text;
	int rc;

	recall_begin(want, r);
	if (s == NULL)
		return 0;
	if (event == HOOK_PRETOOL) {
		w.text = said->command;
		rc = work_before(s, &w, &r->arena, &found, err);
	} else {
		w.text = said->result;
		rc = work_after(s, &w, &said->outcome, &r->arena, &found, err);
	}
	if (rc != 0 || found == NULL) {
		r->why = event == HOOK_PRETOOL ? "nothing is known against the command" : NO_CURE;
		return rc;
	}
	buf_init(&text, conf_caps.output_bytes);
	work_lesson(&text, found);
	add(want, r, found, "earlier here", &text);
	buf_release(&text);
	r->why = r->block.n == 0 ? "it was told before"
	    : event == HOOK_PRETOOL ? "it failed before, and what worked is known"
	    : A_CURE;
	return 0;
}
