/*
 * work_error.c: what followed an error. The lines of the question and those of results are compared
 * without what differs from one time to the next (error_norm); where none is the same, those that
 * have the question's line within them count, whatever marks stand between its words.
 */
#include "base/ascii.h"
#include "base/utf8.h"
#include "work/work_parts.h"

#define LINES_MOST  16             /* of the question */
#define BEFORE      12             /* turns before a result in which its call is looked for */
#define AFTER       40             /* turns after it in which the cure is */
#define WITHIN_LEAST 6             /* bytes of a question that may stand within a line */
#define RUNS_INSTEAD 4             /* after it among which another line is in its place */

struct error_search {
	struct error_line lines[LINES_MOST];
	uint64_t keys[LINES_MOST];
	size_t n;
	bool within;
};

/* ---- what was asked ---- */

static void
add_line(struct work_search *s, struct error_search *f, const char *line, size_t len)
{
	const char *norm = error_norm(line, len, s->a);

	if (f->n == LINES_MOST || *norm == '\0')
		return;
	f->lines[f->n] = (struct error_line){ line, len, norm, ERROR_TOLD };
	f->keys[f->n++] = work_key(WORK_ERROR, norm);
}

/* How many lines come before the closing ones, which tell no error from another. */
static size_t
n_telling(const struct error_line *lines, size_t n)
{
	size_t told = 0;

	while (told < n && lines[told].kind != ERROR_CLOSING)
		told++;
	return told;
}

/* The lines that tell the error; else those with a word for one, else all lines. */
static void
read_question(struct work_search *s, struct error_search *f)
{
	static const struct outcome failed = { WORKED_UNKNOWN, EXIT_UNKNOWN };
	const char *text = s->want->text, *end = text + strlen(text);

	f->n = errors_read(text, strlen(text), &failed, s->a, f->lines, LINES_MOST);
	if (n_telling(f->lines, f->n) > 0)
		f->n = n_telling(f->lines, f->n);
	for (size_t i = 0; i < f->n; i++)
		f->keys[i] = work_key(WORK_ERROR, f->lines[i].norm);
	if (f->n > 0)
		return;
	for (const char *p = text, *nl; p < end; p = nl + 1) {
		nl = ascii_line_end(p, end);
		add_line(s, f, p, (size_t)(nl - p));
	}
}

/* The words of a line in small letters, without quotation marks and others, blanks around. */
static const char *
words_of(const struct error_line *l, struct arena *a)
{
	char *out = arena_alloc(a, l->len + 3);
	size_t n = 0;

	out[n++] = ' ';
	for (size_t i = 0; i < l->len; i++) {
		char c = l->text[i];

		if (ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80)
			out[n++] = ascii_lower(c);
		else if (out[n - 1] != ' ')
			out[n++] = ' ';
	}
	if (out[n - 1] != ' ')
		out[n++] = ' ';
	out[n] = '\0';
	return out;
}

static bool
is_same(const struct error_search *f, const struct error_line *asked, const struct error_line *had,
	struct arena *a)
{
	return !f->within ? strcmp(asked->norm, had->norm) == 0
	    : strlen(asked->norm) >= WITHIN_LEAST && (strstr(had->norm, asked->norm) != NULL ||
		strstr(words_of(had, a), words_of(asked, a)) != NULL);
}

/*
 * The first line of a result that is among those asked for; NULL: none is. *n: how many are. To be
 * the same error both begin with it, or one has most of its telling lines from the other: what else
 * they share may be what a tool says of many.
 */
static const struct error_line *
match(struct arena *a, const struct error_search *f, const struct message *m,
	struct error_line *lines, bool same, size_t *n)
{
	const struct error_line *first = NULL;
	struct outcome o;

	outcome_read(m->content, m->content_len, m->extra, &o);
	size_t n_lines = errors_read(m->content, m->content_len, &o, a, lines, LINES_OF);
	*n = 0;
	for (size_t i = 0; i < n_lines; i++)
		for (size_t j = 0; j < f->n; j++)
			if (is_same(f, &f->lines[j], &lines[i], a)) {
				first = first != NULL ? first : &lines[i];
				++*n;
			}
	size_t told = n_telling(lines, n_lines);
	if (same && *n * 2 <= told && *n * 2 <= f->n && !is_same(f, &f->lines[0], &lines[0], a))
		return NULL;
	return first;
}

/* ---- where it was ---- */

/* Turns come last first, so the item is of the last time in its session. */
static int
look_at_result(struct work_search *s, void *arg, const struct message *m, struct err *err)
{
	const struct error_search *f = arg;
	struct error_line lines[LINES_OF];
	const struct error_line *line;
	LOCAL(arena) a = ARENA_INIT;
	struct work *w = NULL;
	size_t n_same;

	(void)err;
	if ((line = match(&a, f, m, lines, s->want->same, &n_same)) != NULL) {
		for (size_t i = s->n; i-- > 0 && w == NULL; )
			if (strcmp(s->items[i].session, m->session) == 0)
				w = &s->items[i];
		if (w == NULL) {
			w = work_item(s, m);
			w->text = arena_strndup(s->a, line->text, MIN(line->len, WORK_TEXT));
		}
		w->n_times++;
		w->n_same = MAX(w->n_same, n_same);
		if (m->time_us != TIME_NONE && w->first_us != TIME_NONE)
			w->first_us = MIN(w->first_us, m->time_us);
	}
	return 0;
}

/* ---- what came before and after ---- */

struct around {
	struct work_search *s;
	struct work *w;
	const struct message *result;
	const char *call_id;
	const char *line;                  /* that gave the error; NULL: it was no command */
	struct err *err;
	int status;                        /* of the result */
	bool said, cured;
	/*
	 * [silent] marks notes of commands that gave no result and after which their agent went on
	 * at once: they printed nothing, which is not stored, and told no error
	 */
	bool silent[WORK_NOTES];
	size_t waits;                      /* the note of the last such command + 1; 0: none */
	bool again;                        /* that is the line that gave the error */
	bool other;                        /* what follows may have another cause than the line */
	const char *heard;                 /* what the user said last since; NULL: nothing */
	size_t n_runs;
};

static const char *
what_of(const struct call *c)
{
	return c->command != NULL ? c->command : c->n_files > 0 ? c->files[0].path : c->tool;
}

static int
is_call(void *arg, const struct message *m)
{
	struct around *v = arg;
	const struct call *calls;
	size_t n;

	if (m->row >= v->result->row || *m->tool_calls == '\0')
		return 0;
	calls_read(m->tool_calls, strlen(m->tool_calls), v->s->session_dir, v->s->a, &calls, &n);
	for (size_t i = 0; i < n; i++) {
		if (*v->call_id != '\0' && *calls[i].id != '\0' &&
		    strcmp(calls[i].id, v->call_id) != 0)
			continue;
		v->line = calls[i].command;
		for (size_t k = 0; k < calls[i].n_programs; k++)
			if (work_is_missing(v->w->text, strlen(v->w->text), v->status,
				calls[i].programs[k]))
				v->w->missing = calls[i].programs[k];
		v->w->did = arena_strndup(v->s->a, what_of(&calls[i]),
		    MIN(strlen(what_of(&calls[i])), WORK_TEXT));
	}
	return 0;
}

/* Whether the result has the error as well, whatever its exit status. */
static bool
shows(const struct around *v, const struct work_result *r)
{
	static const struct outcome unknown = { WORKED_UNKNOWN, EXIT_UNKNOWN };
	const char *norm = error_norm(v->w->text, strlen(v->w->text), v->s->a);
	struct error_line lines[LINES_OF];
	size_t n = errors_read(r->text, r->len, &unknown, v->s->a, lines, LINES_OF);

	for (size_t i = 0; i < n; i++)
		if (strcmp(lines[i].norm, norm) == 0)
			return true;
	return false;
}

/* What a run after the error says of its cure. */
static void
read_run(struct around *v, const struct message *m, const struct call *c,
	const struct work_result *r)
{
	struct work *w = v->w;
	bool worked = r->outcome.worked == WORKED_YES;

	if (strcmp(c->command, v->line) == 0) {
		w->outcome = r->outcome;
		v->cured = worked;
		v->other = true;
	} else if (worked && !v->other && v->n_runs++ < RUNS_INSTEAD &&
	    work_is_instead(v->line, c->command, w) && !shows(v, r) &&
	    (v->heard == NULL || work_is_asked(v->line, c->command, v->heard))) {
		w->instead = arena_strndup(v->s->a, c->command, utf8_clip(c->command,
		    strlen(c->command), WORK_TEXT));
		v->other = true;
		memcpy(w->cure_id, m->id, ID_TEXT);
	}
	if (v->cured)
		memcpy(w->cure_id, m->id, ID_TEXT);
}

/* A call after the error: files that it changes, and what it runs, with what came of that. */
static int
tell_call(struct around *v, const struct message *m, const struct call *c)
{
	struct work_result r;

	if (c->command != NULL) {
		size_t before = v->w->n_notes;

		if (work_result(v->s, m, c->id, &r, v->err) < 0)
			return -1;
		work_note(v->s, v->w, "ran", m, c->command, strlen(c->command), &r.outcome);
		if (v->line != NULL && r.found) {
			read_run(v, m, c, &r);
		} else if (v->line != NULL && v->w->n_notes > before) {
			v->waits = v->w->n_notes;
			v->again = strcmp(c->command, v->line) == 0;
		}
	}
	for (size_t i = 0; i < c->n_files; i++) {
		if (c->files[i].did != FILE_CHANGED)
			continue;
		v->other = true;
		if (c->command == NULL)
			work_note(v->s, v->w, "changed", m, c->files[i].path,
			    strlen(c->files[i].path), NULL);
	}
	return 0;
}

/* Reads the turn behind a command that gave no result. */
static void
end_wait(struct around *v, const struct message *m)
{
	struct work *w = v->w;

	if (m->role == ROLE_ASSISTANT) {
		v->silent[v->waits - 1] = true;
		if (v->again) {
			w->outcome.worked = WORKED_YES;
			memcpy(w->cure_id, w->notes[v->waits - 1].id, ID_TEXT);
			v->cured = true;
		}
	}
	v->waits = 0;
}

static int
is_after(void *arg, const struct message *m)
{
	struct around *v = arg;
	const struct call *calls;
	size_t n;

	if (v->waits > 0 && m->row > v->result->row)
		end_wait(v, m);
	if (v->cured)
		return 1;
	/* who says something may have done something, unless he names the cure */
	if (m->row > v->result->row && m->role == ROLE_USER)
		v->heard = arena_strndup(v->s->a, m->content, m->content_len);
	if (m->row <= v->result->row || m->role != ROLE_ASSISTANT)
		return 0;
	if (m->content_len > 0 && !v->said) {
		work_note(v->s, v->w, "said", m, m->content, m->content_len, NULL);
		v->said = true;
	}
	calls_read(m->tool_calls, strlen(m->tool_calls), v->s->session_dir, v->s->a, &calls, &n);
	for (size_t i = 0; i < n && !v->cured; i++)
		if (tell_call(v, m, &calls[i]) < 0)
			return -1;
	return v->cured || v->w->n_notes == WORK_NOTES;
}

int
work_around(struct work_search *s, struct work *w, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct around v = { .s = s, .w = w, .err = err };
	const struct message *m;
	struct outcome failed;

	if (messages_find(s->s, &who, w->id, s->a, &m, err) < 0)
		return -1;
	if (m == NULL)
		return 0;
	outcome_read(m->content, m->content_len, m->extra, &failed);
	v.status = failed.status;
	v.result = m;
	v.call_id = m->tool_call_id != NULL ? m->tool_call_id : "";
	if (work_session(s, w->session, err) < 0 ||
	    messages_around(s->s, &who, m->row, BEFORE, 0, is_call, &v, err) < 0)
		return -1;
	if (messages_around(s->s, &who, m->row, 0, AFTER, is_after, &v, err) < 0)
		return -1;
	for (size_t i = 0; i < w->n_notes && v.cured; i++)
		if (v.silent[i])
			w->notes[i].outcome.worked = WORKED_YES;
	return 0;
}

/*
 * Of several lines some are common to many errors, such as the last words of make: what has less
 * than half as many in common with the question as another is not the same.
 */
static void
keep_same(struct work_search *s)
{
	size_t most = 0, n = 0;

	for (size_t i = 0; i < s->n; i++)
		most = MAX(most, s->items[i].n_same);
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].n_same * 2 >= most)
			s->items[n++] = s->items[i];
	s->n = n;
}

/* When each came again in a session that began to see it later. */
static void
find_again(struct work_search *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n; j++) {
			struct work *w = &s->items[i];
			int64_t us = s->items[j].first_us;

			if (us != TIME_NONE && w->time_us != TIME_NONE && us > w->time_us)
				w->again_us = w->again_us == TIME_NONE ? us : MIN(w->again_us, us);
		}
}

int
work_errors(struct work_search *s, struct err *err)
{
	struct error_search f = { .n = 0 };

	read_question(s, &f);
	if (f.n == 0)
		return err_set(err, ERR_USAGE, "no error is given");
	if (work_each(s, f.keys, f.n, look_at_result, &f, err) < 0)
		return -1;
	if (s->n == 0 && !s->want->same) {
		f.within = true;
		if (work_each(s, NULL, 0, look_at_result, &f, err) < 0)
			return -1;
	}
	keep_same(s);
	find_again(s);
	for (size_t i = 0; i < s->n && i < 4 * s->want->limit; i++)
		if (work_around(s, &s->items[i], err) < 0)
			return -1;
	return 0;
}
