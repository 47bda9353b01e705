/*
 * work_command.c: how a command was really called: the same line, however often it was run, is one
 * answer.
 */
#include "base/ascii.h"
#include "text/spelling.h"
#include "work/work_parts.h"

#define RUNS_MOST  500             /* whose results are looked for */

struct command_search {
	const char *program, *text;        /* "git", "git rebase" */
	size_t n_runs;
};

/* Whether a hash goes on behind p, of which text ends with the beginning. */
static bool
ends_in_hash(const char *text, size_t n, const char *p)
{
	size_t from = n, more = 0;

	while (from > 0 && ascii_is_alnum(text[from - 1]))
		from--;
	while (ascii_is_alnum(p[more]))
		more++;
	return spelling_is_hash(text + from, n - from) &&
	    spelling_is_hash(p - (n - from), n - from + more);
}

/*
 * Whether the line has the words that were asked for, one behind the other. The last may be the
 * beginning of a commit's hash.
 */
static bool
has_words(const char *line, const char *text)
{
	size_t n = strlen(text);

	for (const char *p = line; (p = strstr(p, text)) != NULL; p++)
		if ((p == line || !ascii_is_alnum(p[-1])) &&
		    (!ascii_is_alnum(p[n]) || ends_in_hash(text, n, p + n)))
			return true;
	return false;
}

static bool
runs(const struct call *c, const struct command_search *f)
{
	if (c->command == NULL)
		return false;
	for (size_t i = 0; i < c->n_programs; i++)
		if (strcmp(c->programs[i], f->program) == 0)
			return strcmp(f->text, f->program) == 0 || has_words(c->command, f->text);
	return false;
}

static struct work *
item_of(struct work_search *s, const struct message *m, const char *line, const char *dir)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->items[i].text, line) == 0)
			return &s->items[i];
	struct work *w = work_item(s, m);
	w->text = line;
	w->dir = arena_strdup(s->a, dir);
	return w;
}

/* What the last lines of a result say of an error. */
static const char *
error_of(struct work_search *s, const struct work_result *r)
{
	struct error_line lines[8];
	size_t n = errors_read(r->text, r->len, &r->outcome, s->a, lines, NELEM(lines));

	return n == 0 ? "" : arena_strndup(s->a, lines[0].text, MIN(lines[0].len, WORK_TEXT));
}

/* Whether a run tells more than what the item has: one that worked, then the later one. */
static bool
is_better(const struct work *w, const struct message *m, const struct outcome *o)
{
	if ((o->worked == WORKED_YES) != (w->outcome.worked == WORKED_YES))
		return o->worked == WORKED_YES;
	return m->time_us != TIME_NONE && (w->time_us == TIME_NONE || m->time_us > w->time_us);
}

static void
count(struct work_search *s, const struct message *m, const char *line, const char *dir,
	const struct work_result *r)
{
	struct work *w = item_of(s, m, line, dir);

	w->n_failed += r->outcome.worked == WORKED_NO;
	if (w->n_runs++ > 0 && !is_better(w, m, &r->outcome))
		return;
	w->outcome = r->outcome;
	w->time_us = m->time_us;
	w->session = arena_strdup(s->a, m->session);
	w->project = arena_strdup(s->a, m->project);
	w->agent = arena_strdup(s->a, m->agent);
	w->trust = m->trust;
	w->dir = arena_strdup(s->a, dir);
	w->output = r->outcome.worked == WORKED_NO ? error_of(s, r) : "";
	memcpy(w->id, m->id, ID_TEXT);
}

static int
look_at_call(struct work_search *s, void *arg, const struct message *m, struct err *err)
{
	struct command_search *f = arg;
	struct work_result r;
	const struct call *calls;
	size_t n;

	if (f->n_runs >= RUNS_MOST)
		return 0;
	if (work_session(s, m->session, err) < 0)
		return -1;
	calls_read(m->tool_calls, strlen(m->tool_calls), s->session_dir, s->a, &calls, &n);
	for (size_t i = 0; i < n; i++) {
		if (!runs(&calls[i], f))
			continue;
		f->n_runs++;
		if (work_result(s, m, calls[i].id, &r, err) < 0)
			return -1;
		count(s, m, work_trimmed(s, calls[i].command), calls[i].dir, &r);
	}
	return 0;
}

int
work_commands(struct work_search *s, struct err *err)
{
	struct command_search f = { .text = work_trimmed(s, s->want->text) };
	size_t n = strcspn(f.text, " \t\n");

	f.program = path_base(arena_strndup(s->a, f.text, n));
	if (*f.program == '\0')
		return err_set(err, ERR_USAGE, "no command in '%.200s'", s->want->text);
	if (n == strlen(f.text))
		f.text = f.program;
	uint64_t key = work_key(WORK_COMMAND, f.program);
	return work_each(s, &key, 1, look_at_call, &f, err);
}
