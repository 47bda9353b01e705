/*
 * work_file.c: a file's sessions: who read it, who changed it and on whose words, what was decided
 * about it, and whether it is still what they saw.
 */
#include <errno.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/system.h"
#include "statement/clause.h"
#include "statement/lasting.h"
#include "store/records.h"
#include "work/work_parts.h"

#define ASKED_TURNS   60           /* before a change, in which the words for it are looked for */
#define DECIDED_MOST  4            /* statements of a session */
#define WRITTEN_AFTER 2000000      /* microseconds that writing a file may take after its call */

struct file_search {
	const char *path, *absolute;       /* as asked, clean; where it would be */
	bool here;                         /* it was given as "./x": only that one */
	const char *base;
};

/* ---- which sessions ---- */

static struct work *
item_of(struct work_search *s, const struct message *m, const char *path, bool exact)
{
	for (size_t i = s->n; i-- > 0; )
		if (strcmp(s->items[i].session, m->session) == 0 &&
		    strcmp(s->items[i].text, path) == 0)
			return &s->items[i];
	struct work *w = work_item(s, m);
	w->text = arena_strdup(s->a, path);
	w->did = "named";
	w->written = -1;
	w->exact = exact;
	return w;
}

/*
 * Turns come last first. The item is of the last change, or of the last time that it was read where
 * nothing was changed.
 */
static void
count(struct work *w, const struct message *m, const struct call_file *v, size_t n_wrote)
{
	static const char *const names[] = { "named", "read", "changed" };
	enum file_did did = v->did;
	bool first_change = did == FILE_CHANGED && w->n_changes == 0;
	bool first_read = did == FILE_READ && w->n_reads == 0 && w->n_changes == 0;

	w->n_reads += did == FILE_READ;
	w->n_changes += did == FILE_CHANGED;
	if (m->time_us != TIME_NONE) {
		w->time_us = w->time_us == TIME_NONE ? m->time_us : MAX(w->time_us, m->time_us);
		w->first_us = w->first_us == TIME_NONE ? m->time_us : MIN(w->first_us, m->time_us);
	}
	if (first_change)
		w->written = v->written;
	if (first_change || first_read || n_wrote > w->n_wrote) {
		w->n_wrote = n_wrote;
		w->did = names[did];
		memcpy(w->id, m->id, ID_TEXT);
	}
}

static int
look_at_call(struct work_search *s, void *arg, const struct message *m, struct err *err)
{
	const struct file_search *f = arg;
	const struct call *calls;
	LOCAL(arena) a = ARENA_INIT;
	size_t n, n_wrote = 0;

	if (s->want->n_lines > 0 &&
	    (n_wrote = calls_wrote(m->tool_calls, strlen(m->tool_calls), s->want->lines,
		s->want->n_lines, &a)) == 0) {
		return 0;
	}
	if (work_session(s, m->session, err) < 0)
		return -1;
	calls_read(m->tool_calls, strlen(m->tool_calls), s->session_dir, &a, &calls, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < calls[i].n_files; j++) {
			const struct call_file *v = &calls[i].files[j];
			bool exact = strcmp(v->path, f->absolute) == 0;

			if (exact || (!f->here && path_ends(v->path, f->path)))
				count(item_of(s, m, v->path, exact), m, v, n_wrote);
		}
	return 0;
}

/* ---- why ---- */

/* Messages that are kept beyond a walk. */
struct last { struct arena *a; struct message m; bool found; int64_t before; };

static int
is_asking(void *arg, const struct message *m)
{
	struct last *l = arg;

	if (m->role != ROLE_USER || m->row >= l->before || m->content_len == 0)
		return 0;
	l->m = *m;
	l->m.content = arena_strndup(l->a, m->content, MIN(m->content_len, 2 * WORK_TEXT));
	l->m.content_len = MIN(m->content_len, 2 * WORK_TEXT);
	l->found = true;
	return 0;
}

static int
find_asked(struct work_search *s, struct work *w, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct last l = { .a = s->a };
	const struct message *m;

	if (messages_find(s->s, &who, w->id, s->a, &m, err) < 0)
		return -1;
	if (m == NULL)
		return 0;
	l.before = m->row;
	if (messages_around(s->s, &who, m->row, ASKED_TURNS, 0, is_asking, &l, err) < 0)
		return -1;
	if (l.found)
		work_note(s, w, "asked", &l.m, l.m.content, l.m.content_len, NULL);
	return 0;
}

/* ---- what was decided ---- */

static bool
names_file(const char *text, size_t len, const char *base)
{
	size_t n = strlen(base);

	for (const char *p = text, *end = text + len; (size_t)(end - p) >= n; p++)
		if (memcmp(p, base, n) == 0 && (p == text || !ascii_is_alnum(p[-1])) &&
		    (p + n == end || !ascii_is_alnum(p[n])))
			return true;
	return false;
}

struct deciding {
	struct work_search *s;
	struct work *w;
	const char *base;          /* that it has to name; NULL: nothing */
	const struct message *m;
	size_t n;
};

static int
look_at_clause(void *arg, const struct clause *c)
{
	struct deciding *d = arg;
	const char *text = d->m->content + c->start;
	enum reading_kind kind = READ_FACT;

	if (c->flags & CLAUSE_QUESTION ||
	    (d->base != NULL && !names_file(text, c->len, d->base)))
		return 0;
	if (lasting_of(text, c->len, &kind) != LASTING_SAID || kind != READ_DECISION)
		return 0;
	work_note(d->s, d->w, "decided", d->m, text, c->len, NULL);
	return ++d->n >= DECIDED_MOST;
}

static int
look_for_decision(void *arg, const struct message *m)
{
	struct deciding *d = arg;

	if ((m->role != ROLE_USER && m->role != ROLE_ASSISTANT) ||
	    !names_file(m->content, m->content_len, d->base))
		return 0;
	d->m = m;
	clauses_each(m->content, m->content_len, look_at_clause, d);
	return d->n >= DECIDED_MOST;
}

static int
find_decided(struct work_search *s, struct work *w, const char *base, struct err *err)
{
	struct scope who = s->want->who;
	struct message_filter any = MESSAGE_FILTER_ANY;
	struct deciding d = { .s = s, .w = w, .base = base };

	who.session = w->session;
	return messages_each(s->s, &who, &any, look_for_decision, &d, err);
}

/* The last decision before a turn, of the words that led to it. */
struct last_decision {
	struct deciding d;
	int64_t before;
	struct work w;                     /* of the turn that is looked at */
	struct work_note last;
};

static int
is_deciding(void *arg, const struct message *m)
{
	struct last_decision *l = arg;

	if (m->row >= l->before || (m->role != ROLE_USER && m->role != ROLE_ASSISTANT))
		return 0;
	l->d.m = m;
	l->d.n = 0;
	l->w.n_notes = 0;
	clauses_each(m->content, m->content_len, look_at_clause, &l->d);
	if (l->w.n_notes > 0)
		l->last = l->w.notes[l->w.n_notes - 1];
	return 0;
}

int
work_last_decision(struct work_search *s, struct work *w, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct last_decision l = { .d = { .s = s } };
	const struct message *m;

	l.d.w = &l.w;
	if (messages_find(s->s, &who, w->id, s->a, &m, err) < 0)
		return -1;
	if (m == NULL)
		return 0;
	l.before = m->row;
	if (messages_around(s->s, &who, m->row, ASKED_TURNS, 0, is_deciding, &l, err) < 0)
		return -1;
	if (l.last.text != NULL && w->n_notes < WORK_NOTES)
		w->notes[w->n_notes++] = l.last;
	return 0;
}

/* A decision that is stored as a fact, with its session's item, or as an item of its own. */
struct stored { struct work_search *s; const struct file_search *f; size_t n_items; };

static int
look_at_fact(void *arg, const struct fact *v)
{
	struct stored *st = arg;
	const struct record_head *h = &v->head;
	struct message m = { .session = h->session, .agent = h->agent, .project = h->project,
		.time_us = h->time_us, .trust = h->trust };
	struct work *w = NULL;

	if (!names_file(h->content, h->content_len, st->f->base))
		return 0;
	if ((st->s->want->since_us != TIME_NONE && h->time_us < st->s->want->since_us) ||
	    (st->s->want->until_us != TIME_NONE && h->time_us >= st->s->want->until_us))
		return 0;
	memcpy(m.id, h->id, ID_TEXT);
	for (size_t i = 0; i < st->n_items && w == NULL; i++)
		if (*h->session != '\0' && strcmp(st->s->items[i].session, h->session) == 0)
			w = &st->s->items[i];
	if (w == NULL) {
		w = work_item(st->s, &m);
		w->text = st->f->path;
		w->did = "decided";
	}
	work_note(st->s, w, "decided", &m, h->content, h->content_len, NULL);
	return 0;
}

static int
find_stored(struct work_search *s, const struct file_search *f, struct err *err)
{
	struct record_filter of = RECORD_FILTER_ANY(RECORD_FACT);
	struct stored st = { s, f, s->n };
	struct scope who = s->want->who;

	of.kind = FACT_DECISION;
	of.newest_first = true;
	return records_each(s->s, &who, &of, look_at_fact, &st, err);
}

/* ---- what is on the disk ---- */

static bool
directory_is_here(const char *path, struct arena *a)
{
	size_t n = (size_t)(path_base(path) - path);
	struct stat st;

	return n > 0 && stat(arena_strndup(a, path, n), &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * A file of this machine that was written after it was last seen, or has another size than the
 * session gave it. Where its directory is not here
 * either, the session was on another machine, or the file has moved: that is not known.
 */
static void
look_at_disk(struct work_search *s, struct work *w)
{
	struct stat st;

	if (w->text[0] != '/' || w->time_us == TIME_NONE || w->n_reads + w->n_changes == 0)
		return;
	if (stat(w->text, &st) != 0) {
		w->gone = w->stale = errno == ENOENT && directory_is_here(w->text, s->a);
		return;
	}
	int64_t us = system_written_us(&st);
	if (!S_ISREG(st.st_mode) || (us <= w->time_us + WRITTEN_AFTER &&
	    (w->written < 0 || w->written == (int64_t)st.st_size)))
		return;
	w->stale = true;
	w->modified_us = us;
}

/* The time of the last look at the file is that of its result, which may come much later. */
static int
find_end(struct work_search *s, struct work *w, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	const struct message *m;
	struct work_result r;

	if (w->n_reads + w->n_changes == 0)
		return 0;
	if (messages_find(s->s, &who, w->id, s->a, &m, err) < 0 ||
	    (m != NULL && work_result(s, m, "", &r, err) < 0))
		return -1;
	if (m != NULL && r.found && r.time_us != TIME_NONE && w->time_us != TIME_NONE)
		w->time_us = MAX(w->time_us, r.time_us);
	return 0;
}

int
work_files(struct work_search *s, struct err *err)
{
	const struct work_want *want = s->want;
	struct file_search f = { .path = path_join("", want->text, strlen(want->text), s->a) };

	f.base = path_base(f.path);
	f.here = strncmp(want->text, "./", 2) == 0 || strncmp(want->text, "../", 3) == 0;
	f.absolute = *want->dir != '\0' || path_is_absolute(f.path)
	    ? path_join(want->dir, want->text, strlen(want->text), s->a) : "";
	if (*f.base == '\0' || strcmp(f.base, "..") == 0)
		return err_set(err, ERR_USAGE, "no file in '%.200s'", want->text);
	uint64_t key = work_key(WORK_FILE, f.base);
	return work_each(s, &key, 1, look_at_call, &f, err) < 0 || find_stored(s, &f, err) < 0
	    ? -1 : 0;
}

int
work_file_tell(struct work_search *s, struct work *w, struct err *err)
{
	/* of facts alone nothing more is to be found */
	if (strcmp(w->did, "decided") == 0)
		return 0;
	if (find_asked(s, w, err) < 0 || find_decided(s, w, path_base(w->text), err) < 0 ||
	    find_end(s, w, err) < 0)
		return -1;
	look_at_disk(s, w);
	return 0;
}
