/*
 * native_section.c: nothing that was made by a guess goes into a file that an agent obeys: only
 * what the user has stored on purpose.
 */
#include "native/native.h"

#include "base/buf.h"
#include "base/conf.h"
#include "base/hash.h"
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

/*
 * Sets body to the lines of a section: what the user stored on purpose for the project and what
 * holds now, the newest where not all has room in the tokens, oldest first; of two that cannot both
 * hold neither. project "": what is of no project. *n_left: how many were left out.
 */
static int
choose_lines(struct native *v, struct store *s, const char *project, unsigned tokens,
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

/* ---- files ---- */

#define SECTION_TOKENS 1000            /* at most */

int
native_section_put(struct native *v, struct store *s, const char *path, struct section_want *want,
	struct journal *j, struct buf *body, const char **did, size_t *n_left, struct err *why,
	struct err *err)
{
	const char *owner = native_owner(path, &v->arena);

	want->of = hash64(owner, strlen(owner), hash64(v->user, strlen(v->user), 0));
	if (!want->take && s != NULL &&
	    choose_lines(v, s, owner, SECTION_TOKENS, body, n_left, err) != 0)
		return -1;
	want->body = body->len > 0 ? body->data : "";
	if (wiring_section(path, want, j, did, why) != 0)
		*did = "left";
	return 0;
}

int
native_sections_renew(struct store *s, const char *user,
	void (*left)(const char *path, const char *why), struct err *err)
{
	struct native v = { .user = user, .project = "" };
	struct journal j;
	int rc = journal_open(&j, err);
	bool any = false;

	for (size_t i = 0; rc == 0 && i < j.n; i++)
		any |= strcmp(j.list[i].agent, SECTION_AGENT) == 0;
	if (any)
		rc = journal_lock(&j, true, err);
	for (size_t i = any ? j.n : 0; rc == 0 && i-- > 0;) {
		if (strcmp(j.list[i].agent, SECTION_AGENT) != 0)
			continue;
		const char *path = arena_strdup(&v.arena, j.list[i].path), *did = "none";
		struct section_want want = { .only = true };
		struct err why = ERR_INIT;
		struct buf body = buf_of(conf_caps.output_bytes);
		size_t n_left;

		rc = native_section_put(&v, s, path, &want, &j, &body, &did, &n_left, &why, err);
		if (rc == 0 && why.code != 0)
			left(path, why.msg);
		buf_release(&body);
	}
	journal_close(&j);
	native_release(&v);
	return rc;
}
