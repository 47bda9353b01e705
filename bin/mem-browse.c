/*
 * mem-browse: read sessions, or what a question finds, one after another
 *
 * The list is chosen from with fzf where it is installed, with a preview; else it is shown a screen
 * at a time, with numbers. What is chosen is shown by mem-show, in the pager of the user.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/run.h"
#include "base/spawn.h"
#include "base/write.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "records/named.h"
#include "records/title.h"
#include "search/ask.h"
#include "gen/programs.h"

#define NAME_BYTES   400               /* a name that is longer is not listed */
#define WHO_COLUMNS  14
#define DAY_COLUMNS  10
#define LABEL_BYTES  1000

static struct filter_words words;
static bool plain;
static int64_t limit = 1000;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'n', "limit", "N", OPT_INT, &limit, NULL, 1, 100000, "at most N sessions (default 1000)" },
	{ 0, "since", "TIME", OPT_TEXT, &words.since, NULL, 0, 0, "with a question: said since TIME: 2024-05, 3d, yesterday" },
	{ 0, "until", "TIME", OPT_TEXT, &words.until, NULL, 0, 0, "with a question: said until TIME, the day named included" },
	{ 0, "plain", NULL, OPT_FLAG, &plain, NULL, 0, 0, "with numbers, also where fzf is installed" },
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_BROWSE };

/* What is listed: a name that mem-show takes, and a line to choose by: cells, and a text. */
struct browser {
	struct store *s;
	struct scope who;
	struct arena arena;
	struct { const char *name, *cells, *text; } *rows;
	size_t n, cap;
	const char *around;            /* how many turns mem-show prints beside the one chosen */
	struct err *err;
};

/* ---- the list ---- */

static void
add_row(struct browser *b, const char *name, int64_t time_us, const char *who, const char *text,
	size_t len)
{
	char day[TIME_TEXT];

	if (strpbrk(name, "\t\n") != NULL || strlen(name) > NAME_BYTES)
		return;
	LOCAL(buf) label = buf_of(conf_caps.output_bytes);
	time_format_day_local(time_us, day);
	print_cell(&label, day, strlen(day), DAY_COLUMNS, 2);
	print_cell(&label, who, strlen(who), WHO_COLUMNS, 2);
	size_t n_cells = label.len;
	print_line(&label, text, MIN(len, (size_t)LABEL_BYTES), LABEL_BYTES);
	xgrow(&b->rows, &b->cap, b->n + 1, sizeof(*b->rows));
	b->rows[b->n].name = arena_strdup(&b->arena, name);
	b->rows[b->n].cells = arena_strndup(&b->arena, label.data, n_cells);
	b->rows[b->n++].text = arena_strndup(&b->arena, label.data + n_cells, label.len - n_cells);
}

static int
add_session(void *arg, const struct session *v)
{
	struct browser *b = arg;
	const char *title, *project = v->project != NULL ? strrchr(v->project, '/') : NULL;

	if (session_title(b->s, &b->who, v, &b->arena, &title, b->err) != 0)
		return -1;
	add_row(b, v->id, v->updated_us != TIME_NONE ? v->updated_us : v->created_us,
	    project != NULL ? project + 1 : v->project != NULL ? v->project : "", title,
	    strlen(title));
	return b->n >= (size_t)limit;
}

static int
add_hits(struct browser *b, char *const *question, int n)
{
	struct search_query q;
	struct search_result r;
	struct search *search = NULL;
	int rc = -1;

	if (ask_options(&b->who, NULL, &words, &q, b->err) != 0)
		goto out;
	q.text = arena_join(&b->arena, question, n);
	q.len = strlen(q.text);
	q.limit = MIN(limit, 100);
	if (search_open(b->s, &search, b->err) != 0 ||
	    search_run(search, &b->who, &q, &r, b->err) < 0)
		goto out;
	for (size_t i = 0; i < r.n; i++) {
		const struct message *m = r.hits[i].message;

		if (search_hit_is_shown(&r.hits[i], i + 1))
			add_row(b, m->id, m->time_us, message_by(m),
			    m->content, m->content_len);
	}
	rc = 0;
out:
	search_close(search);
	return rc;
}

/* ---- what is chosen ---- */

/*
 * $0 is this program's directory, $1 how many turns are shown around, $2 the name. Nothing of the
 * store is in the script itself.
 */
static const char view[] =
	"printf '%s\\n' \"$2\" | MEM_COLOR=always \"$0/mem-show\" --format=text -C \"$1\" - 2>&1 | "
	"${PAGER:-less -R}";

static void
show(const struct browser *b, const char *dir, const char *name)
{
	run_along((const char *const[]){ "/bin/sh", "-c", view, dir, b->around, name, NULL }, true);
}

/* ---- with fzf ---- */

/* The text as a word of a shell. */
static char *
quoted(struct arena *a, const char *text)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	buf_addc(&b, '\'');
	for (; *text != '\0'; text++)
		if (*text == '\'')
			buf_adds(&b, "'\\''");
		else
			buf_addc(&b, *text);
	buf_addc(&b, '\'');
	return arena_strndup(a, b.data, b.len);
}

/* fzf puts the name, quoted, in the place of {1}. */
static int
with_fzf(struct browser *b, const char *dir)
{
	/* by its standard input, where a name is never a number of a list */
	const char *put = arena_printf(&b->arena,
	    "printf '%%s\\n' {1} | MEM_COLOR=always %s --format=text -C %s - 2>&1",
	    quoted(&b->arena, arena_printf(&b->arena, "%s/mem-show", dir)), b->around);
	const char *const args[] = { "fzf", "--delimiter=\t", "--with-nth=2", "--exact",
		"--no-sort", "--no-multi", "--layout=reverse", "--preview-window=down,60%,wrap",
		arena_printf(&b->arena, "--preview=%s", put),
		arena_printf(&b->arena, "--bind=enter:execute:%s | ${PAGER:-less -R}", put), NULL };
	struct spawn w = { args, { temp_file(), SPAWN_OURS, SPAWN_OURS }, false, NULL };
	pid_t pid;

	LOCAL(buf) list = buf_of(conf_caps.output_bytes);
	for (size_t i = 0; i < b->n; i++)
		buf_addf(&list, "%s\t%s%s\n", b->rows[i].name, b->rows[i].cells, b->rows[i].text);
	if (w.fd[0] < 0 || write_whole(w.fd[0], list.data, list.len) != 0 ||
	    lseek(w.fd[0], 0, SEEK_SET) != 0 || (errno = spawn(&w, &pid)) != 0) {
		err_set_errno(b->err, ERR_IO, "cannot start fzf");
		goto out;
	}
	int status = spawn_wait(pid);
	/* 1: nothing fitted; 130: it was left */
	if (status != 0 && status != 1 && status != 130)
		err_set(b->err, ERR_IO, "fzf ended with status %d (--plain does without)", status);
out:
	spawn_shut(&w.fd[0]);
	return b->err->code == 0 ? 0 : -1;
}

/* ---- with numbers ---- */

static size_t
lines_of_screen(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 4 ? w.ws_row - 2u : 22;
}

/* Prints a screen of rows from *at on. */
static void
put_screen(const struct browser *b, size_t *at)
{
	size_t end = MIN(*at + lines_of_screen(), b->n);

	for (; *at < end; ++*at) {
		size_t start = prog_out()->len;

		buf_addf(prog_out(), "%4zu  %s", *at + 1, b->rows[*at].cells);
		print_line(prog_out(), b->rows[*at].text, strlen(b->rows[*at].text),
		    MAX(prog_columns() - print_columns(prog_out(), start), 1));
		buf_addc(prog_out(), '\n');
	}
}

static void
with_numbers(struct browser *b, const char *dir)
{
	char answer[64], *end;
	size_t at = 0;

	put_screen(b, &at);
	for (;;) {
		buf_addf(prog_out(), "a number to read it, %sq to stop: ",
		    at < b->n ? "Enter for more, " : "");
		if (prog_flush() != PROG_OUT_OK || fgets(answer, sizeof(answer), stdin) == NULL ||
		    *answer == 'q')
			return;
		unsigned long number = strtoul(answer, &end, 10);
		if (end != answer && number >= 1 && number <= b->n)
			show(b, dir, b->rows[number - 1].name);
		else if (end != answer)
			buf_addf(prog_out(), "there are %zu\n", b->n);
		else if (at < b->n)
			put_screen(b, &at);
	}
}

/* ---- all of it ---- */

static int
browse(struct browser *b, char *const *question, int n, const char *argv0)
{
	char dir[4096], columns[16];

	b->around = n > 0 ? "4" : "0";
	if (n > 0 ? add_hits(b, question, n) != 0
		  : sessions_by_time(b->s, &b->who, true, TIME_NONE, add_session, b, b->err) != 0)
		return -1;
	if (b->n == 0) {
		prog_note("nothing was found");
		return 0;
	}
	programs_dir(dir, sizeof(dir), argv0);
	snprintf(columns, sizeof(columns), "%d", prog_columns());
	setenv("COLUMNS", columns, 1);         /* as the pager that mem-show prints to has them */
	setenv("MEM_DB", conf_db(), 1);
	setenv("MEM_USER", b->who.user, 1);
	if (!plain && spawn_has("fzf"))
		return with_fzf(b, dir);
	with_numbers(b, dir);
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct browser b = { .err = &err };
	int i = prog_start(&prog, argc, argv);

	b.who = (struct scope)PROG_SCOPE;
	if (i == argc && (words.since != NULL || words.until != NULL))
		err_set(&err, ERR_USAGE, "--since and --until go with a question");
	else if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		err_set(&err, ERR_USAGE,
		    "it is for a terminal: in a pipe, mem-list and mem-search print records");
	else if (store_open(conf_db(), STORE_READ, &b.s, &err) == 0 &&
	    scope_in(b.s, &b.who, prog_cautioned, prog_cautioned, &b.arena, &err) == 0)
		browse(&b, argv + i, argc - i, argv[0]);
	if (b.s == NULL)
		prog_empty(&err);
	store_close(b.s);
	free(b.rows);
	arena_release(&b.arena);
	return prog_end(&err);
}
