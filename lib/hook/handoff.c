/* handoff.c: what an agent needs first is told first, so that a small budget still holds it. */
#include "hook/handoff.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "hook/compacted.h"

#define TEXT_BYTES 400         /* of a request or an answer */
#define FILES_MOST 12          /* the last ones that were changed */

struct handoff {
	struct recalled *r;
	struct message goal, asked, answer;    /* without content: there is none */
	const char *files[FILES_MOST];         /* the last one first */
	size_t n_files;
};

static void
keep(struct handoff *h, struct message *to, const char *name, const struct message *m)
{
	size_t start = 0, len;

	while (start < m->content_len && ascii_is_space(m->content[start]))
		start++;
	len = utf8_clip(m->content + start, m->content_len - start, TEXT_BYTES);
	/* who is in a channel asks nothing of an agent */
	if (m->role == ROLE_USER && *m->name != '\0')
		name = arena_printf(&h->r->arena, "%s, %s", to == &h->goal ? "first" : "last",
		    m->name);
	*to = (struct message){ .session = name,
		.role = m->role,
		.name = name,
		.content = arena_strndup(&h->r->arena, m->content + start, len),
		.content_len = len,
		.time_us = TIME_NONE,
		.trust = m->trust };
}

static void
keep_file(struct handoff *h, const char *path)
{
	size_t at = 0;

	while (at < h->n_files && strcmp(h->files[at], path) != 0)
		at++;
	if (at == h->n_files)
		h->n_files = MIN(h->n_files + 1, FILES_MOST);
	for (at = MIN(at, FILES_MOST - 1); at > 0; at--)
		h->files[at] = h->files[at - 1];
	h->files[0] = path;
}

static int
on_turn(void *arg, const struct message *m)
{
	struct handoff *h = arg;
	const struct call *calls;
	size_t n;

	if (m->role == ROLE_USER && m->content_len > 0) {
		if (h->goal.content == NULL)
			keep(h, &h->goal, "goal", m);
		else
			keep(h, &h->asked, "last request", m);
		h->answer.content = NULL;
	} else if (m->role == ROLE_ASSISTANT && m->content_len > 0) {
		keep(h, &h->answer, "last answer", m);
	}
	if (m->role != ROLE_ASSISTANT || *m->tool_calls == '\0')
		return 0;
	calls_read(m->tool_calls, strlen(m->tool_calls), "", &h->r->arena, &calls, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < calls[i].n_files; k++)
			if (calls[i].files[k].did == FILE_CHANGED)
				keep_file(h, calls[i].files[k].path);
	return 0;
}

static void
add(struct handoff *h, const struct message *m)
{
	struct message *copy = arena_alloc(&h->r->arena, sizeof(*copy));

	*copy = *m;
	if (m->content_len > 0 && m->content != NULL)
		context_add(&h->r->block,
		    &(struct context_piece){ copy, 0, copy->content_len, false, true },
		    UINT64_MAX);
}

static void
add_line(struct handoff *h, const char *name, const char *text)
{
	add(h, &(struct message){ .session = name, .role = ROLE_ASSISTANT, .name = name,
		.time_us = TIME_NONE, .trust = 2, .content = text, .content_len = strlen(text) });
}

static void
add_files(struct handoff *h, const char *dir)
{
	size_t n = strlen(dir);
	LOCAL(buf) text = buf_of(FILES_MOST * 4200);

	for (size_t i = 0; i < h->n_files; i++) {
		const char *path = h->files[i];

		if (n > 0 && strncmp(path, dir, n) == 0 && path[n] == '/')
			path += n + 1;
		buf_addf(&text, "%s%s", i > 0 ? ", " : "", path);
	}
	add_line(h, "files changed", arena_strndup(&h->r->arena, text.data, text.len));
}

int
handoff_tell(struct store *s, const struct recall_want *want, const char *head, const char *dir,
	struct recalled *r, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct scope who = { .user = want->who.user, .session = want->session };
	struct handoff h = { .r = r };

	recall_begin(want, r);
	r->block.limits.as_added = true;
	if (messages_each(s, &who, &f, on_turn, &h, err) < 0)
		return -1;
	add_line(&h, "session", head);
	add(&h, &h.goal);
	add(&h, &h.asked);
	add(&h, &h.answer);
	add_files(&h, dir);
	return compacted_fill(s, want, "", false, r, err);
}
