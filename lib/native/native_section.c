/*
 * native_section.c: nothing that was made by a guess goes into a file that an agent obeys: only
 * what the user has stored on purpose.
 */
#include "base/ascii.h"
#include "native/native.h"

#include "base/buf.h"
#include "base/hash.h"
#include "context/context_text.h"
#include "facts/subject.h"
#include "setup/section.h"
#include "setup/wiring.h"
#include "statement/cues.h"
#include "statement/merge_guard.h"
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
	LOCAL(memories) m = { .n = 0 };

	for (size_t i = 0; i < v->memories.n; i++)
		if (!v->memories.items[i].is_part && !takes_back(v->memories.items[i].about))
			memories_add(&m, &v->memories.items[i]);
	return audit_contradictions(&m, &who, on_pair, &t, err);
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
	const char *shown = fact_shown_in(f, c->project, &c->m.arena);
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
	LOCAL(buf) clean = buf_of(4 * it->len + 1024);
	LOCAL(buf) scratch = buf_of(4 * it->len + 1024);
	bool hidden = secrets_redact(it->content, it->len, &clean) > 0;

	buf_adds(out, "- ");
	context_clean(out, hidden ? clean.data : it->content, hidden ? clean.len : it->len,
	    CONTEXT_ONE_LINE, &scratch);
	buf_addc(out, '\n');
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
	LOCAL(buf) lines = buf_of(body->max);
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
	memories_release(&c.m);
	return rc;
}

/* ---- what was forgotten ---- */

/* Whether a line of a section was forgotten in its project, or in none. */
static int
is_forgotten(struct store *s, const struct scope *who, const char *line, size_t len, bool *is,
	struct err *err)
{
	struct record_words w = { .project = who->project };
	FREED char *plain = merge_guard_plain(line, len, &w.len);

	w.text = plain;
	return words_forgotten(s, who, &w, false, is, err);
}

/* Sets body to the lines of a section that were not forgotten; *any: others were. */
static int
keep_lines(struct store *s, const struct scope *who, const char *p, const char *end,
	struct buf *body, bool *any, struct err *err)
{
	for (const char *next; p < end; p = next) {
		size_t len = (size_t)(ascii_line_end(p, end) - p);
		bool is = false;

		next = p + len + (p + len < end);
		len -= len > 0 && p[len - 1] == '\r';
		if (len < 2 || memcmp(p, "- ", 2) != 0)
			continue;
		if (is_forgotten(s, who, p + 2, len - 2, &is, err) != 0)
			return -1;
		*any |= is;
		if (!is)
			buf_addf(body, "%.*s\n", (int)len, p);
	}
	return 0;
}

static int
forget_in_file(struct store *s, const char *user, const char *path, struct journal *j,
	void (*left)(const char *path, const char *why), struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct scope who = { .user = user, .project = native_owner(path, &a) };
	struct section_want want = { .only = true, .of = hash64(who.project, strlen(who.project),
		hash64(user, strlen(user), 0)) };
	struct err why = ERR_INIT;
	struct section at;
	LOCAL(file) now = { 0 };
	const char *did;
	bool any = false;
	int rc = file_read(path, &now, &why);

	if (rc == 0 && section_find(now.text.data, now.text.len, &at, &why) == 0 &&
	    at.of == want.of) {
		LOCAL(buf) body = buf_of(FILE_MOST);
		rc = keep_lines(s, &who, now.text.data + at.start, now.text.data + at.end, &body,
		    &any, err);
		want.body = body.len > 0 ? body.data : "";
		if (rc == 0 && any && wiring_section(path, &want, j, &did, &why) != 0)
			left(path, why.msg);
	}
	return err->code != 0 ? -1 : 0;        /* a file that cannot be read is none of ours */
}

int
native_sections_forget(struct store *s, const char *user,
	void (*left)(const char *path, const char *why), struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct journal j;
	bool any = false;
	int rc = journal_open(&j, err);

	for (size_t i = 0; rc == 0 && i < j.n; i++)
		any |= strcmp(j.list[i].agent, SECTION_AGENT) == 0;
	if (any && (rc = journal_lock(&j, true, err)) == 0 &&
	    (rc = store_begin_user(s, user, err)) == 0) {
		for (size_t i = j.n; rc == 0 && i-- > 0;)
			if (strcmp(j.list[i].agent, SECTION_AGENT) == 0)
				rc = forget_in_file(s, user, arena_strdup(&a, j.list[i].path), &j,
				    left, err);
		store_rollback(s);             /* it was only read */
	}
	journal_close(&j);
	return rc;
}
