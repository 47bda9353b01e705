/*
 * skills_read.c: a history as deeds. A command is known by its program, the word behind it and its
 * options ("kubectl set --local"), else without them, else by its program; a file by its name, else
 * by its ending.
 */
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/utf8.h"
#include "calls/calls.h"
#include "calls/outcome.h"
#include "gen/work_rows.h"
#include "work/skills_parts.h"
#include "work/work.h"

#define TEXT_BYTES 160             /* of a command, or of a request */
#define BACK_MOST  64              /* deeds before a result that it may be of */

struct reading {
	struct arena *arena;
	struct deed *deeds;
	const char **calls;                /* [n], by deed: the id of its call */
	size_t n, cap, cap_calls;
	uint32_t session;
	const char *session_id, *asked, *id;   /* NULL before the first session */
};

/* At most so many bytes of a text, and a mark where there are more. */
static const char *
clip(const struct reading *r, const char *text)
{
	size_t len = strlen(text), n = utf8_clip(text, len, TEXT_BYTES);

	return n == len ? text : arena_printf(r->arena, "%.*s ...", (int)n, text);
}

static void
add_key(struct deed *d, const char *text)
{
	if (d->n_keys < DEED_KEYS)
		d->keys[d->n_keys++] = hash64(text, strlen(text), 0);
}

static struct deed *
add(struct reading *r, const struct message *m, const char *call_id)
{
	struct deed *d = xpush(r->deeds, r->n, r->cap);
	size_t n = r->n - 1;

	*d = (struct deed){ .session = r->session, .asked = r->asked, .id = r->id, .name = "",
		.time_us = m->time_us };
	*xpush(r->calls, n, r->cap_calls) = arena_strdup(r->arena, call_id);
	return d;
}

/* ---- commands ---- */

/* Whether it says little of what is worked on, or ends all work. */
static bool
is_plain(const char *program, const char *sub)
{
	static const char *const programs[] = { WORK_PLAIN_PROGRAMS NULL };
	static const char *const git[] = { WORK_PLAIN_GIT NULL };

	return text_in(program, programs) || (strcmp(program, "git") == 0 && text_in(sub, git));
}

static bool
is_word(const char *w)
{
	return ascii_is_letter(*w) &&
	    w[strspn(w, "abcdefghijklmnopqrstuvwxyz0123456789:_-")] == '\0';
}

/*
 * What a command is known by besides its program: the first operand, if it is a word or a script,
 * or what it runs; and its options, without what they are set to.
 */
static void
read_words(const struct call_command *c, struct arena *a, const char **sub, const char **options)
{
	static const char *const runners[] = { "python", "python3", "node", "bash", "sh", "ruby",
		"perl", "deno", NULL };
	unsigned n = 0;

	*sub = *options = "";
	for (size_t i = 0; i < c->n_words; i++) {
		const char *w = c->words[i];

		if (*w == '-')
			*options = arena_printf(a, "%s %.*s", *options, (int)strcspn(w, "="), w);
		else if (*w != '\0' && n++ == 0)
			*sub = is_word(w) ? w : text_in(c->program, runners) &&
			    strpbrk(w, " \n;(") == NULL ? path_base(w) : "";
		else if (n == 2 && strcmp(*sub, "run") == 0 && is_word(w))
			*sub = arena_printf(a, "run %s", w);
	}
}

/* Whether the call runs that program: what is run without a shell is no line of one. */
static bool
does_run(const struct call *c, const char *program)
{
	return text_index(program, c->programs, c->n_programs) >= 0;
}

static void
add_command(struct reading *r, const struct message *m, const char *id,
	const struct call_command *c)
{
	const char *sub, *options;

	read_words(c, r->arena, &sub, &options);
	if (is_plain(c->program, sub) || work_only_looks(c->text))
		return;
	struct deed *d = add(r, m, id);
	d->text = clip(r, c->text);
	d->name = *sub == '\0' ? c->program : arena_printf(r->arena, "%s-%s", c->program, sub);
	if (*options != '\0')
		add_key(d, arena_printf(r->arena, "%s%s", d->name, options));
	add_key(d, d->name);
	add_key(d, c->program);
}

/* ---- files ---- */

static void
add_file(struct reading *r, const struct message *m, const struct call *c,
	const struct call_file *f)
{
	const char *base = path_base(f->path), *dot = strrchr(base, '.');
	struct deed *d = add(r, m, c->id);

	d->text = arena_printf(r->arena, "edit %s", clip(r, f->path));
	add_key(d, arena_printf(r->arena, "edit %s", base));
	add_key(d, arena_printf(r->arena, "edit *%s", dot != NULL ? dot : ""));
}

/* ---- messages ---- */

static void
begin_session(struct reading *r, const struct message *m)
{
	if (r->session_id != NULL && strcmp(r->session_id, m->session) == 0)
		return;
	r->session += r->session_id != NULL;
	r->session_id = arena_strdup(r->arena, m->session);
	r->asked = "";
}

/* The result of a call says whether what it did failed. */
static void
read_result(struct reading *r, const struct message *m)
{
	const char *id = m->tool_call_id != NULL ? m->tool_call_id : "";
	struct outcome o;

	outcome_read(m->content, m->content_len, m->extra, &o);
	if (*id == '\0' && r->n > 0)          /* then of the last call */
		id = r->calls[r->n - 1];
	for (size_t i = r->n; i-- > 0 && r->n - i <= BACK_MOST; )
		if (r->deeds[i].session == r->session && strcmp(r->calls[i], id) == 0)
			r->deeds[i].failed = o.worked == WORKED_NO;
}

static int
on_message(void *arg, const struct message *m)
{
	struct reading *r = arg;
	const struct call *calls;
	size_t n;

	begin_session(r, m);
	if (m->role == ROLE_TOOL)
		read_result(r, m);
	if (m->role == ROLE_USER && m->content_len > 0) {
		const char *text = m->content + strspn(m->content, " \t\r\n");

		n = strcspn(text, "\r\n");
		r->asked = clip(r, arena_strndup(r->arena, text, n));
	}
	if (m->tool_calls == NULL || *m->tool_calls == '\0')
		return 0;
	r->id = arena_strdup(r->arena, m->id);
	calls_read(m->tool_calls, strlen(m->tool_calls), "", r->arena, &calls, &n);
	for (size_t i = 0; i < n; i++) {
		const struct call_command *all;
		size_t n_all = calls[i].command == NULL ? 0
		    : calls_commands(calls[i].command, r->arena, &all);

		for (size_t k = 0; k < n_all; k++)
			if (does_run(&calls[i], all[k].program))
				add_command(r, m, calls[i].id, &all[k]);
		for (size_t k = 0; calls[i].command == NULL && k < calls[i].n_files; k++)
			if (calls[i].files[k].did == FILE_CHANGED)
				add_file(r, m, &calls[i], &calls[i].files[k]);
	}
	return 0;
}

int
deeds_read(struct store *s, const struct scope *who, struct arena *a, struct deed **out,
	size_t *n, struct err *err)
{
	struct message_filter f = MESSAGE_FILTER_ANY;
	struct reading r = { .arena = a };
	int rc = messages_each(s, who, &f, on_message, &r, err);

	free(r.calls);
	*out = r.deeds;
	*n = r.n;
	return rc;
}
