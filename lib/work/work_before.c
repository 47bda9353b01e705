/*
 * work_before.c: a line that is about to be run, and how it failed before. A failure is told only
 * where another line did the same afterwards, with no file changed in between: then it was the line
 * that was wrong, and not what it was run on. In doubt nothing is told: one later run that worked,
 * or of which that is not known, ends it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "work/work_parts.h"
#include "gen/work_rows.h"

#define PROGRAMS_MOST 16           /* of a line */
#define NEWEST        8            /* runs of each of its programs */
#define WORDS_MOST    64           /* of a line that are compared */
#define NOT_FOUND     127          /* exit status of a shell */
#define ERROR_BYTES   400          /* of an error's line */
#define RENAMED_LEAST 2            /* bytes that two names have in common */
#define PART_LEAST    2            /* bytes of a part of a word that somebody names */

/* ---- lines ---- */

/* Whether a character goes on with the name of a program. */
static bool
is_part(char c)
{
	return ascii_is_alnum(c) || (c != '\0' && strchr("./-_", c) != NULL);
}

struct line_words { const char *at[WORDS_MOST]; size_t len[WORDS_MOST], n; };

static bool
is_same(const struct line_words *w, size_t i, const char *p, size_t len)
{
	return w->len[i] == len && memcmp(w->at[i], p, len) == 0;
}

/* A program has its own word, whatever the directory before it. */
static bool
has_word(const struct line_words *w, const char *p, size_t len)
{
	for (size_t i = 0; i < w->n; i++)
		if (is_same(w, i, p, len) || (w->len[i] > len + 1 &&
		    w->at[i][w->len[i] - len - 1] == '/' &&
		    memcmp(w->at[i] + w->len[i] - len, p, len) == 0))
			return true;
	return false;
}

static bool
runs(const char *line, const char *program)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *const *programs;
	size_t n = calls_programs(line, &a, &programs);
	bool found = false;

	for (size_t i = 0; i < n; i++)
		found |= strcmp(programs[i], program) == 0;
	return found;
}

/* Whether an error names the word, which may then be what was wrong. */
static bool
is_named(const char *error, const char *word, size_t len)
{
	for (const char *p = error; (p = strchr(p, *word)) != NULL; p++)
		if (strncmp(p, word, len) == 0 && (p == error || !is_part(p[-1])) &&
		    !is_part(p[len]))
			return true;
	return false;
}

/*
 * Its different words up to the end of the first line, without quotes, and what parts commands; how
 * many of these there are.
 */
static size_t
read_words(const char *line, struct line_words *w)
{
	size_t parts = 0;

	w->n = 0;
	for (const char *p = line; *p != '\0' && *p != '\n'; ) {
		size_t len = strcspn(p, " \t\r\n\"'();|&");

		if (len > 0 && w->n < WORDS_MOST && !has_word(w, p, len)) {
			w->at[w->n] = p;
			w->len[w->n++] = len;
		}
		p += len;
		len = strspn(p, ";|&");
		parts += len > 0 && p > line && p[-1] != '>';
		p += len > 0 ? len : *p != '\0' && *p != '\n';
	}
	return parts;
}

static bool
within(const char *p, size_t len, const char *q, size_t more)
{
	for (; len >= RENAMED_LEAST && more >= len; q++, more--)
		if (memcmp(p, q, len) == 0)
			return true;
	return false;
}

/* Whether another word is what the word should have been: "rustls-tls" for "tls". */
static bool
is_renamed(const struct line_words *w, const char *p, size_t len)
{
	const char *base = p + len;

	while (base > p && base[-1] != '/')
		base--;
	for (size_t i = 0; i < w->n; i++)
		if (within(p, len, w->at[i], w->len[i]) || within(w->at[i], w->len[i], p, len) ||
		    (base > p && within(base, (size_t)(p + len - base), w->at[i], w->len[i])))
			return true;
	return false;
}

bool
work_uses_force(const char *line, const char *but)
{
	static const char *const begins[] = { WORK_FORCE_OPTIONS };
	static const char *const words[] = { WORK_FORCE_WORDS };
	struct line_words w, had;
	bool force = false;

	read_words(line, &w);
	read_words(but, &had);
	for (size_t i = 0; i < w.n; i++) {
		if (has_word(&had, w.at[i], w.len[i]))
			continue;
		for (size_t k = 0; k < NELEM(begins); k++)
			force |= w.len[i] >= strlen(begins[k]) &&
			    memcmp(w.at[i], begins[k], strlen(begins[k])) == 0;
		for (size_t k = 0; k < NELEM(words); k++)
			force |= is_same(&w, i, words[k], strlen(words[k]));
	}
	return force;
}

/* Behind what a line does first for the rest to run: "cd web && ", ". env/bin/activate && ". */
static const char *
behind_setup(const char *line)
{
	static const char *const setups[] = { "cd ", ". ", "source " };
	size_t i = 0, n;

	while (i < NELEM(setups) && strncmp(line, setups[i], strlen(setups[i])) != 0)
		i++;
	n = strcspn(line, "\n;|&");
	if (i == NELEM(setups) || strncmp(line + n, "&& ", 3) != 0)
		return NULL;
	return line + n + 3;
}

/* Whether the text has a part of a word, as "port" and "2222" are of "SSH_PORT=2222". */
static bool
has_part(const char *text, const char *word, size_t len)
{
	for (size_t i = 0, n; i < len; i += n + 1) {
		for (n = 0; i + n < len && ascii_is_alnum(word[i + n]); n++)
			continue;
		for (const char *p = text; n >= PART_LEAST && *p != '\0'; p++)
			if (strncasecmp(p, word + i, n) == 0 && !ascii_is_alnum(p[n]) &&
			    (p == text || !ascii_is_alnum(p[-1])))
				return true;
	}
	return false;
}

bool
work_is_asked(const char *line, const char *other, const char *text)
{
	struct line_words a, b;
	bool asked = false;

	read_words(line, &a);
	read_words(other, &b);
	for (size_t i = 0; i < b.n && !asked; i++)
		asked = !has_word(&a, b.at[i], b.len[i]) && has_part(text, b.at[i], b.len[i]);
	return asked;
}

bool
work_is_instead(const char *line, const char *other, const struct work *w)
{
	size_t n_missing = strlen(w->missing), kept = 0, parts;
	const char *rest = other, *next;
	struct line_words a, b;

	parts = read_words(line, &a);
	while (read_words(rest, &b) > parts && (next = behind_setup(rest)) != NULL)
		rest = next;
	/* with more parts it may hide a failure, with fewer leave out what failed */
	if (read_words(rest, &b) != parts || strcmp(line, other) == 0 ||
	    (n_missing > 0 ? rest == other && runs(other, w->missing) : work_only_looks(line)) ||
	    work_uses_force(other, line))
		return false;
	for (size_t i = 0; i < a.n; i++) {
		const char *word = a.at[i];

		if (has_word(&b, word, a.len[i]))
			kept += *word != '-';
		else if (*word != '-' && !is_same(&a, i, w->missing, n_missing) &&
		    !(is_named(w->text, word, a.len[i]) && is_renamed(&b, word, a.len[i])))
			return false;
	}
	return kept > 0 || (n_missing > 0 && is_renamed(&b, w->missing, n_missing));
}

bool
work_is_missing(const char *text, size_t len, int status, const char *program)
{
	static const char *const cues[] = { "command not found", ": not found",
		"is not recognized" };
	bool cue = status == NOT_FOUND;
	size_t n = strlen(program);
	char line[ERROR_BYTES + 1];
	const char *p = line;

	snprintf(line, sizeof(line), "%.*s", (int)MIN(len, ERROR_BYTES), text);
	for (size_t i = 0; i < NELEM(cues) && !cue; i++)
		cue = strstr(line, cues[i]) != NULL;
	for (; cue && n > 0 && (p = strstr(p, program)) != NULL; p++)
		if ((p == line || !is_part(p[-1])) && !is_part(p[n]))
			return true;
	return false;
}

/* ---- what is known of it ---- */

struct before {
	const char *line, *project;
	const char *const *programs;       /* [n] of the line */
	size_t n;
	bool known[PROGRAMS_MOST];         /* it is there, for all that is known */
	bool line_known;
	const struct work *found;          /* NULL: nothing yet */
};

/* Whether a program of the line printed it: "sed: invalid command". */
static bool
says(const struct before *b, const struct error_line *l)
{
	for (size_t i = 0; i < b->n; i++) {
		size_t n = strlen(b->programs[i]);

		if (l->len > n + 2 && memcmp(l->text, b->programs[i], n) == 0 && l->text[n] == ':')
			return true;
	}
	return false;
}

/* A failed run: whether another line was run in its place. program: that was not found, or NULL. */
static int
look_at_failure(struct work_search *s, struct before *b, const struct work_result *r,
	const char *program, struct err *err)
{
	const struct scope who = { s->want->who.user, NULL, NULL, NULL };
	struct error_line lines[LINES_OF];
	const struct message *result;
	size_t n = errors_read(r->text, r->len, &r->outcome, s->a, lines, LINES_OF), i = 0;

	while (i < n && (program != NULL
	    ? !work_is_missing(lines[i].text, lines[i].len, r->outcome.status, program)
	    : !work_is_printed(&lines[i]) && !says(b, &lines[i])))
		i++;
	if (i == n)
		return 0;
	if (messages_by_rows(s->s, &who, &r->row, 1, s->a, &result, err) < 0)
		return -1;
	if (result == NULL)
		return 0;
	struct work *w = work_item(s, result);
	w->kind = WORK_ERROR;
	w->text = arena_strndup(s->a, lines[i].text, MIN(lines[i].len, WORK_TEXT));
	w->n_times = 1;
	if (work_around(s, w, err) < 0)
		return -1;
	/* a program that is missing no more is no reason */
	if (w->time_us != TIME_NONE && *w->instead != '\0' &&
	    w->outcome.worked != WORKED_YES && (program == NULL) == (*w->missing == '\0'))
		b->found = memcpy(arena_alloc(s->a, sizeof(*w)), w, sizeof(*w));
	return 0;
}

/* The program of the line, not known to be there, of which a failed run says that it is not. */
static const char *
missing_of(const struct before *b, const struct call *c, const struct work_result *r)
{
	for (size_t i = 0; i < b->n && r->outcome.worked != WORKED_YES; i++)
		for (size_t k = 0; k < c->n_programs; k++)
			if (!b->known[i] && strcmp(b->programs[i], c->programs[k]) == 0 &&
			    work_is_missing(r->text, r->len, r->outcome.status,
				b->programs[i]))
				return b->programs[i];
	return NULL;
}

static void
note_known(struct before *b, const struct call *c)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < c->n_programs; k++)
			b->known[i] |= strcmp(b->programs[i], c->programs[k]) == 0;
}

static bool
is_open(const struct before *b, const struct call *c, bool same)
{
	bool open = same && !b->line_known;

	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < c->n_programs; k++)
			open |= !b->known[i] && strcmp(b->programs[i], c->programs[k]) == 0;
	return open;
}

static int
look_at_call(struct work_search *s, void *arg, const struct message *m, struct err *err)
{
	struct before *b = arg;
	const struct call *calls;
	struct work_result r;
	size_t n;

	calls_read(m->tool_calls, strlen(m->tool_calls), "", s->a, &calls, &n);
	for (size_t i = n; i-- > 0 && b->found == NULL; ) {
		const struct call *c = &calls[i];
		bool same = c->command != NULL &&
		    strcmp(work_trimmed(s, c->command), b->line) == 0;

		if (c->command == NULL || !is_open(b, c, same))
			continue;
		if (work_result(s, m, c->id, &r, err) < 0)
			return -1;
		const char *missing = missing_of(b, c, &r);
		if (missing == NULL)
			note_known(b, c);
		b->line_known |= same && r.outcome.worked != WORKED_NO;
		if ((missing != NULL || (same && !b->line_known)) &&
		    strcmp(m->project, b->project) == 0 &&
		    look_at_failure(s, b, &r, missing, err) < 0)
			return -1;
	}
	return b->found != NULL;
}

/* Of rows [n] those with all programs, and the newest ones of each; returns how many these are. */
static size_t
choose_rows(struct work_row *rows, size_t n, const uint64_t *keys, size_t n_keys)
{
	size_t seen[PROGRAMS_MOST] = { 0 }, all = 0, kept = 0;

	for (size_t i = 0, next; i < n; i = next) {
		bool is_new = false;

		for (next = i; next < n && rows[next].row == rows[i].row; next++)
			for (size_t k = 0; k < n_keys; k++)
				if (rows[next].key == keys[k])
					is_new |= seen[k]++ < NEWEST;
		if (is_new || (next - i == n_keys && all < WORK_RUNS))
			rows[kept++] = rows[i];
		all += next - i == n_keys;
	}
	return kept;
}

int
work_before(struct store *st, const struct work_want *want, struct arena *a,
	const struct work **out, struct err *err)
{
	struct work_search s = { .s = st, .want = want, .a = a };
	struct work_want all = *want;
	struct before b = { .project = want->who.project };
	uint64_t keys[PROGRAMS_MOST];
	FREED struct work_row *rows = NULL;
	size_t n_rows;

	*out = NULL;
	b.line = work_trimmed(&s, want->text);
	b.n = MIN(calls_programs(b.line, a, &b.programs), PROGRAMS_MOST);
	if (b.n == 0 || b.project == NULL || *b.project == '\0')
		return 0;
	/* that a program is there in another project says that it is there */
	all.who.project = NULL;
	all.kind = WORK_COMMAND;
	s.want = &all;
	for (size_t i = 0; i < b.n; i++)
		keys[i] = work_key(WORK_COMMAND, b.programs[i]);
	int rc = work_rows(st, &all.who, WORK_COMMAND, keys, b.n, &rows, &n_rows, err);
	if (rc == 0)
		rc = work_each_row(&s, rows, choose_rows(rows, n_rows, keys, b.n), look_at_call,
		    &b, err);
	*out = b.found;
	free(s.items);
	return rc;
}
