/* work_blame.c: a line's commit is what git says; its session what wrote the line before that. */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/run.h"
#include "work/work_parts.h"

#define GIT_MS     10000
#define GIT_WORDS  63              /* of a command: see run.c */
#define FILTERS_MOST 16            /* keys of filters, and the two that are always set */
#define LEAST_LINE 6               /* letters and digits of a line that tells one from others */
#define LINES_MOST 64              /* of a commit that are looked for */
#define HASH_LEAST 7               /* digits of a commit's name in the output of git */
#define SESSIONS_MOST 32           /* that changed the file */
#define LATE_US    (INT64_C(300) * 1000000)    /* a clock's difference */
#define DAY_US     (INT64_C(86400) * 1000000)

/* What git says of a line. */
struct blamed {
	const char *commit, *summary, *path;
	const char *lines[LINES_MOST];     /* the line, and more of its commit, blanks cut off */
	size_t n;
	int64_t us;
};

static const char *
field(const char *text, const char *name, struct arena *a)
{
	const char *p = strstr(text, name);

	p = p != NULL ? p + strlen(name) : "";
	return arena_strndup(a, p, strcspn(p, "\n"));
}

static bool
tells(const char *line)
{
	size_t n = 0;

	for (; *line != '\0'; line++)
		n += ascii_is_alnum(*line) || (unsigned char)*line >= 0x80;
	return n >= LEAST_LINE;
}

static void
add_line(struct blamed *b, const char *line, struct arena *a)
{
	size_t n = strcspn(line, "\n");

	line = ascii_trim(line, &n);
	const char *copy = arena_strndup(a, line, n);
	if (tells(copy))
		b->lines[b->n++] = copy;
}

static int
read_blame(const char *text, struct arena *a, struct blamed *b, struct err *err)
{
	const char *line = strstr(text, "\n\t");

	if (line == NULL)
		return err_set(err, ERR_DATA, "git says nothing of the line");
	*b = (struct blamed){ .commit = arena_strndup(a, text, strcspn(text, " \n")),
		.summary = field(text, "\nsummary ", a),
		.path = field(text, "\nfilename ", a),
		.us = strtoll(field(text, "\ncommitter-time ", a), NULL, 10) * 1000000 };
	if (strspn(b->commit, "0") == strlen(b->commit)) {
		b->commit = b->summary = "";
		b->us = TIME_NONE;
	}
	add_line(b, line + 2, a);
	return 0;
}

/* ---- git, which runs nothing that the repository names ---- */

/*
 * Of a directory's git: "env", what it is to have, "git", "-C" and the directory. A repository may
 * come from anywhere: its filters, its monitor of files, its hooks and what would fetch for it are
 * commands that nobody asked for.
 */
struct git { const char *words[GIT_WORDS]; size_t n; };

static void
add_words(struct git *g, const char *const *words)
{
	while (*words != NULL && g->n + 1 < NELEM(g->words))
		g->words[g->n++] = *words++;
	g->words[g->n] = NULL;
}

static int
run_git(const struct git *base, const char *const *words, struct ran *r, struct err *err)
{
	struct git g = *base;

	add_words(&g, words);
	int rc = run(g.words, "", 0, GIT_MS, r, err);
	if (rc == 0 && r->status == 127)
		rc = err_set(err, ERR_UNAVAILABLE, "'git' does not start");
	return rc;
}

/* What keeps it from that; the last word says how many settings there are. */
static void
guard(struct git *g, const char *const *filters, size_t n_filters, const char *dir,
	struct arena *a)
{
	g->n = 0;
	add_words(g, (const char *const[]){ "env", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_CONFIG_KEY_0=core.fsmonitor",
		"GIT_CONFIG_VALUE_0=false", "GIT_CONFIG_KEY_1=core.hooksPath",
		"GIT_CONFIG_VALUE_1=/dev/null", NULL });
	for (size_t i = 0; i < n_filters; i++)
		add_words(g, (const char *const[]){
		    arena_printf(a, "GIT_CONFIG_KEY_%zu=%s", i + 2, filters[i]),
		    arena_printf(a, "GIT_CONFIG_VALUE_%zu=", i + 2), NULL });
	add_words(g, (const char *const[]){ arena_printf(a, "GIT_CONFIG_COUNT=%zu", n_filters + 2),
		"git", "-C", dir, NULL });
}

/*
 * Filters that the repository itself sets are set to nothing. A git that does not tell of what it
 * was given does not know such settings, and is not asked.
 */
static int
open_git(const char *dir, struct arena *a, struct git *g, struct err *err)
{
	static const char *const ask[] = { "config", "-z", "--show-scope", "--name-only",
		"--get-regexp", "^(core[.]fsmonitor|filter[.].*[.](clean|process|required))$",
		NULL };
	const char *filters[FILTERS_MOST], *key;
	bool heeds = false;
	LOCAL(ran) r = { 0 };
	size_t n = 0;

	guard(g, NULL, 0, dir, a);
	int rc = run_git(g, ask, &r, err);
	for (const char *p = r.out.data, *end = p + r.out.len; rc == 0 && p < end; ) {
		const char *scope = p;

		key = p + strlen(p) + 1;
		if (key >= end)
			break;
		p = key + strlen(key) + 1;
		heeds |= strcmp(scope, "command") == 0 && strcmp(key, "core.fsmonitor") == 0;
		if ((strcmp(scope, "local") != 0 && strcmp(scope, "worktree") != 0) || *key != 'f')
			continue;
		if (n == NELEM(filters))
			rc = err_set(err, ERR_DATA, "too many filters in the configuration of git "
			    "in '%s'", dir);
		else
			filters[n++] = arena_strdup(a, key);
	}
	if (rc == 0 && !heeds)
		rc = err_set(err, ERR_UNAVAILABLE, "%s", r.status == 128 ? ran_line(&r)
		    : "git 2.31 or later is wanted");
	if (rc == 0)
		guard(g, filters, n, dir, a);
	return rc;
}

/* Adds what else the commit adds to the file; that git cannot tell it is no fault. */
static void
add_lines(const struct git *g, struct blamed *b, struct arena *a)
{
	struct err ignored = ERR_INIT;
	LOCAL(ran) r = { 0 };

	if (run_git(g, (const char *const[]){ "diff-tree", "--root", "--cc", "--no-commit-id",
		"-U0", "--no-textconv", "--no-ext-diff", b->commit, "--",
		arena_printf(a, ":(top,literal)%s", b->path), NULL }, &r, &ignored) == 0)
		for (const char *p = r.out.data; *p != '\0' && b->n < LINES_MOST; ) {
			if (*p == '+' && strncmp(p, "+++", 3) != 0)
				add_line(b, p + 1, a);
			p += strcspn(p, "\n");
			p += *p == '\n';
		}
}

/* Asks git of FILE:LINE. */
static int
blame(const struct work_want *want, struct arena *a, struct blamed *b, struct err *err)
{
	const char *colon = strrchr(want->text, ':'), *path, *range, *dir;
	struct git g;
	LOCAL(ran) r = { 0 };

	if (colon == NULL || colon == want->text || colon[1] == '\0' ||
	    colon[1 + strspn(colon + 1, "0123456789")] != '\0')
		return err_set(err, ERR_USAGE, "FILE:LINE is wanted, not '%.200s'", want->text);
	path = path_join(want->dir, want->text, (size_t)(colon - want->text), a);
	range = arena_printf(a, "-L%s,%s", colon + 1, colon + 1);
	dir = arena_strndup(a, path, (size_t)(path_base(path) - path));
	if (open_git(*dir != '\0' ? dir : ".", a, &g, err) != 0)
		return -1;
	int rc = run_git(&g, (const char *const[]){ "blame", "--porcelain", "--no-textconv", range,
		"--", path_base(path), NULL }, &r, err);
	if (rc == 0 && r.status != 0)
		rc = err_set(err, ERR_NOINPUT, "%s", *ran_line(&r) != '\0' ? ran_line(&r)
		    : "git knows no such line");
	else if (rc == 0)
		rc = read_blame(r.out.data, a, b, err);
	if (rc == 0 && *b->commit != '\0')
		add_lines(&g, b, a);
	return rc;
}

/* ---- by the output that names the commit ---- */

static bool
names_commit(const char *text, size_t len, const char *commit)
{
	size_t n;

	for (size_t i = 0; i + HASH_LEAST <= len; i++) {
		if (i > 0 && ascii_is_alnum(text[i - 1]))
			continue;
		for (n = 0; i + n < len && commit[n] != '\0' && text[i + n] == commit[n]; n++)
			;
		if (n >= HASH_LEAST && (i + n == len || !ascii_is_alnum(text[i + n])))
			return true;
	}
	return false;
}

struct committing { const struct blamed *b; struct work *found; };

static int
look_at_call(struct work_search *s, void *arg, const struct message *m, struct err *err)
{
	struct committing *c = arg;
	const struct call *calls;
	struct work_result r;
	size_t n;

	calls_read(m->tool_calls, strlen(m->tool_calls), "", s->a, &calls, &n);
	for (size_t i = 0; i < n && c->found == NULL; i++) {
		if (calls[i].command == NULL || strstr(calls[i].command, "commit") == NULL)
			continue;
		if (work_result(s, m, calls[i].id, &r, err) < 0)
			return -1;
		if (r.found && names_commit(r.text, r.len, c->b->commit)) {
			c->found = work_item(s, m);
			c->found->text = c->b->path;
			c->found->did = "named";
			c->found->by = "commit";
		}
	}
	return c->found != NULL;
}

/* The session whose output names the commit, as a file's. */
static int
find_commit(struct store *st, const struct work_want *want, const struct blamed *b, struct arena *a,
	struct work **out, struct err *err)
{
	struct work_search s = { .s = st, .want = want, .a = a };
	uint64_t key = work_key(WORK_COMMAND, "git");
	struct committing c = { b, NULL };
	int rc = *b->commit == '\0' ? 0 : work_each(&s, &key, 1, look_at_call, &c, err);

	*out = NULL;
	if (rc == 0 && c.found != NULL) {
		*out = memcpy(arena_alloc(a, sizeof(**out)), c.found, sizeof(**out));
		rc = work_file_tell(&s, *out, err);
	}
	free(s.items);
	return rc;
}

/* ---- by its changes of the file ---- */

/* Of the sessions found that which wrote most of the lines, or touched the file last. */
static int
find_change(struct store *st, const struct work_want *want, const char *by, struct arena *a,
	struct work **out, struct err *err)
{
	const struct work *found, *best = NULL;
	size_t n;

	*out = NULL;
	if (work_find(st, want, a, &found, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (*found[i].session != '\0' && strcmp(found[i].did, "read") != 0 &&
		    strcmp(found[i].did, "decided") != 0 &&
		    found[i].n_wrote * 2 >= want->n_lines &&
		    (best == NULL || found[i].n_wrote > best->n_wrote))
			best = &found[i];
	if (best == NULL)
		return 0;
	*out = memcpy(arena_alloc(a, sizeof(**out)), best, sizeof(**out));
	(*out)->by = by;
	return 0;
}

/* The session whose output names the commit; its change of the file where that is known. */
static int
find_committed(struct store *st, struct work_want *w, const struct blamed *b, struct arena *a,
	struct work **out, struct err *err)
{
	struct work *commit;

	if (find_commit(st, w, b, a, &commit, err) < 0)
		return -1;
	*out = commit;
	if (commit == NULL)
		return 0;
	w->who.session = commit->session;
	if ((b->n > 0 && find_change(st, w, "commit", a, out, err) < 0))
		return -1;
	w->who.session = NULL;
	*out = *out != NULL ? *out : commit;
	return 0;
}

int
work_blame(struct store *st, const struct work_want *want, struct arena *a, const struct work **out,
	struct err *err)
{
	struct work_want w = *want;
	struct work_search s = { .s = st, .want = &w, .a = a };
	struct work *found = NULL;
	struct blamed b;

	*out = NULL;
	if (blame(want, a, &b, err) < 0)
		return -1;
	w.kind = WORK_FILE;
	w.text = b.path;
	w.dir = "";
	w.limit = SESSIONS_MOST;
	w.lines = b.lines;
	w.n_lines = b.n;
	if (b.us != TIME_NONE)
		w.until_us = want->until_us == TIME_NONE ? b.us + LATE_US
		    : MIN(want->until_us, b.us + LATE_US);
	if (find_committed(st, &w, &b, a, &found, err) < 0 ||
	    (found == NULL && b.n > 0 && find_change(st, &w, "line", a, &found, err) < 0))
		return -1;
	w.n_lines = 0;
	if (b.us != TIME_NONE && w.since_us == TIME_NONE)
		w.since_us = b.us - DAY_US;
	if (found == NULL && find_change(st, &w, "time", a, &found, err) < 0)
		return -1;
	if (found == NULL)
		return 0;
	found->commit = b.commit;
	found->summary = b.summary;
	found->commit_us = b.us;
	*out = found;
	return work_last_decision(&s, found, err);
}
