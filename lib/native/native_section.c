/*
 * native_section.c: nothing that was made by a guess goes into a file that an agent obeys: only
 * what the user has stored on purpose.
 */
#include "native/native.h"

#include "base/buf.h"
#include "context/context_text.h"
#include "facts/subject.h"
#include "statement/cues.h"
#include "text/secrets.h"
#include "text/tokens.h"

/* ---- what cannot both hold ---- */

struct telling { finding_fn *fn; void *arg; };

static int
on_pair(void *arg, const struct finding *f)
{
	const struct telling *t = arg;

	if (strcmp(f->records[0]->form, f->records[1]->form) == 0 ||
	    strcmp(f->records[0]->project, f->records[1]->project) != 0)
		return 0;
	return t->fn(t->arg, f);
}

/* Whether what stands above an item says that it is not so, or only of some files. */
static bool
takes_back(const char *about)
{
	return strpbrk(about, "*/") != NULL ||
	    cues_has("schema/cues/heading.txt", NULL, about, strlen(about));
}

int
native_differences(struct native *v, finding_fn *fn, void *arg, struct err *err)
{
	const struct scope who = { .user = v->user };
	struct telling t = { fn, arg };
	struct memories m = { .n = 0 };

	for (size_t i = 0; i < v->memories.n; i++)
		if (!v->memories.items[i].is_part && !takes_back(v->memories.items[i].about))
			memories_add(&m, &v->memories.items[i]);
	int rc = audit_contradictions(&m, &who, on_pair, &t, err);
	memories_release(&m);
	return rc;
}

/* ---- the section ---- */

struct choosing { struct memories m; const char *project; };

static int
on_fact(void *arg, const struct fact *f)
{
	struct choosing *c = arg;
	const struct record_head *h = &f->head;

	/*
	 * One that was read before the user said it has his trust, too, and its first origin. What
	 * one agent has for itself is hidden from those that read the file.
	 */
	if (h->trust < origin_trust(ORIGIN_USER) || h->n_sources > 0 || *h->agent != '\0' ||
	    f->kind == FACT_TODO || *f->summarized != '\0' ||
	    strcmp(h->project, c->project) != 0)
		return 0;
	const char *shown = fact_shown(f, &c->m.arena);
	shown = arena_strdup(&c->m.arena, shown);
	memories_add(&c->m, &(struct memory_item){ .form = "mem", .file = "", .about = "",
		.id = arena_strdup(&c->m.arena, h->id), .content = shown, .len = strlen(shown),
		.time_us = h->time_us, .until_us = f->valid_to_us });
	return 0;
}

/* Nobody can say which of the two holds. */
static int
on_doubt(void *arg, const struct finding *f)
{
	(void)arg;
	for (size_t i = 0; i < f->n_records; i++)
		((struct memory_item *)(uintptr_t)f->records[i])->len = 0;
	return 0;
}

/* Appends the record as a line, without what no file of the user's may have. */
static void
add_line(struct buf *out, const struct memory_item *it)
{
	struct buf clean = buf_of(4 * it->len + 1024);
	struct buf scratch = buf_of(4 * it->len + 1024);
	bool hidden = secrets_redact(it->content, it->len, &clean) > 0;

	buf_adds(out, "- ");
	context_clean(out, hidden ? clean.data : it->content, hidden ? clean.len : it->len,
	    CONTEXT_ONE_LINE, &scratch);
	buf_addc(out, '\n');
	buf_release(&scratch);
	buf_release(&clean);
}

int
native_section(struct native *v, struct store *s, const char *project, unsigned tokens,
	struct buf *body, size_t *n_left, struct err *err)
{
	const struct scope who = { .user = v->user };
	struct choosing c = { .project = project };
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	size_t first = 0;

	*n_left = 0;
	f.made = MADE_GIVEN;
	f.as_of_us = clock_now_us();
	struct buf lines = buf_of(body->max);
	int rc = records_each(s, &who, &f, on_fact, &c, err) < 0 ? -1
	    : audit_contradictions(&c.m, &who, on_doubt, NULL, err);
	/* the newest have room first */
	for (first = c.m.n; rc == 0 && first > 0; first--) {
		if (c.m.items[first - 1].len > 0)
			add_line(&lines, &c.m.items[first - 1]);
		if (tokens_estimate(lines.data, lines.len) > tokens || lines.full)
			break;
	}
	for (size_t i = 0; i < c.m.n; i++)
		if (i < first || c.m.items[i].len == 0)
			++*n_left;
		else
			add_line(body, &c.m.items[i]);
	buf_release(&lines);
	memories_release(&c.m);
	return rc;
}
