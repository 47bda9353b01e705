/* mem-resume: find a session and go on with it, in its agent or in another */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <strings.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/off.h"
#include "base/order.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "hook/handoff.h"
#include "json/json.h"
#include "records/named.h"
#include "records/project_name.h"
#include "records/resumed.h"
#include "records/title.h"
#include "search/ask.h"
#include "setup/histories.h"
#include "setup/pieces.h"
#include "setup/resume.h"
#include "gen/programs.h"

#define HITS           50          /* of a search, of which the sessions are told */
#define SESSIONS_MOST  20
#define HANDOFF_TOKENS 2000
#define NAMED          0.5         /* what it adds to the probability that its project is named */
#define SOME_WORDS     0.5F        /* of a question, which an unlikely turn has of it to be meant */

static bool run, handoff;
static const char *to = "";
static int64_t limit = 1, budget = HANDOFF_TOKENS;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'n', "limit", "N", OPT_INT, &limit, NULL, 1, SESSIONS_MOST, "the best N sessions (default 1)" },
	{ 0, "run", NULL, OPT_FLAG, &run, NULL, 0, 0, "run the command, in the directory of the session" },
	{ 0, "handoff", NULL, OPT_FLAG, &handoff, NULL, 0, 0, "a block that tells another agent where the session stands" },
	{ 0, "to", "AGENT", OPT_TEXT, &to, NULL, 0, 0, "the block as the first prompt of this agent; with --run it is begun with it" },
	{ 0, "budget", "N", OPT_INT, &budget, NULL, 50, 100000, "of --handoff, at most N tokens (default 2000)" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_RESUME };

/* ---- of which agent ---- */

struct way {
	const char *host, *dir;            /* "" where that is not known */
	const char *argv[RESUME_WORDS];
	bool any;                          /* the host has such a command */
};

static void
read_way(const struct session *v, struct arena *a, struct way *w)
{
	*w = (struct way){ .host = session_told(v, "host", a), .dir = session_told(v, "cwd", a) };
	/* what is no whole path is no place from here, and may be an option of cd */
	if (*w->dir != '/')
		w->dir = "";
	if (*w->dir == '\0' && v->project != NULL && *v->project == '/')
		w->dir = v->project;
	w->any = resume_words(w->host, v->id, a, w->argv);
}

/* ---- which session ---- */

struct found {
	const struct session *sessions[SESSIONS_MOST];
	double p[SESSIONS_MOST];           /* NAN: it was named */
	size_t n;
};

/* The newest of the directory's project, or of all. */
static int
find_newest(struct store *s, const struct scope *who, struct found *f, struct arena *a,
	struct err *err)
{
	bool named = who->project != NULL && *who->project != '\0';
	const char *project = named ? who->project : prog_project("."), *of;
	int rc;

	f->n = (size_t)limit;
	for (size_t i = 0; i < f->n; i++)
		f->p[i] = NAN;
	rc = sessions_to_resume(s, who, project, f->sessions, &f->n, a, err);
	of = f->n > 0 && f->sessions[0]->project != NULL ? f->sessions[0]->project : "";
	if (rc == 0 && f->n > 0 && *project != '\0' && strcmp(of, project) != 0)
		prog_caution("no session is of '%.300s': this is the newest of all%s%.300s",
		    project, *of != '\0' ? ", of " : "", of);
	return rc;
}

/* A session of the hits, and what speaks for it. */
struct ranked { const struct session *session; double p, score; size_t n; };

ORDER_OF(by_score, struct ranked, -ORDER_UP(score))

/* Whether a word of the question is how the project's path ends. */
static bool
names_project(const char *text, const char *project)
{
	const char *name = project != NULL ? strrchr(project, '/') : NULL;

	if (name == NULL || name[1] == '\0')
		return false;
	size_t n = strlen(++name);
	for (const char *p = text; *p != '\0'; p++)
		if (strncasecmp(p, name, n) == 0 && (p == text || !ascii_is_alnum(p[-1])) &&
		    !ascii_is_alnum(p[n]))
			return true;
	return false;
}

static int
add_hit(struct store *s, const struct scope *who, const char *text, const struct search_hit *h,
	struct ranked *list, size_t *n, struct arena *a, struct err *err)
{
	double p = isnan(h->p) ? 0 : (double)h->p;
	struct ranked *c = list;

	while (c < list + *n && strcmp(c->session->id, h->message->session) != 0)
		c++;
	if (c == list + *n) {
		*c = (struct ranked){ .p = (double)h->p };
		if (sessions_find(s, who, h->message->session, a, &c->session, err) < 0)
			return -1;
		if (c->session == NULL || session_is_document(c->session))
			return 0;
		bool named = names_project(text, c->session->project);
		if (!named && !search_hit_is_likely(h) && !(h->coverage >= SOME_WORDS))
			return 0;
		c->score = named ? NAMED : 0;
		++*n;
	}
	/* the best turn counts most: what is told twice is not what was asked twice as much */
	c->score += p / (double)(1u << 2 * MIN(c->n, 8u));
	c->n++;
	return 0;
}

/* Those whose turns answer best. */
static int
search_sessions(struct store *s, const struct scope *who, const char *text, struct found *f,
	struct arena *a, struct err *err)
{
	const struct filter_words none = { .role = NULL };
	struct ranked list[HITS];
	struct search *search = NULL;
	struct search_result r;
	struct search_query q;
	size_t n = 0;
	int rc = -1;

	if (ask_options(who, NULL, &none, &q, err) != 0 || search_open(s, &search, err) != 0)
		return -1;
	q.text = text;
	q.len = strlen(text);
	q.limit = HITS;
	q.scope = SEARCH_USER;
	q.min_score = 0;
	if (search_run(search, who, &q, &r, err) < 0)
		goto out;
	for (size_t i = 0; i < r.n && i < HITS; i++)
		if (add_hit(s, who, text, &r.hits[i], list, &n, a, err) != 0)
			goto out;
	qsort(list, n, sizeof(list[0]), by_score);
	for (; f->n < n && f->n < (size_t)limit; f->n++) {
		f->sessions[f->n] = list[f->n].session;
		f->p[f->n] = list[f->n].p;
	}
	rc = 0;
out:
	search_close(search);
	return rc;
}

static int
find(struct store *s, const struct scope *who, char *const *words, int n, struct found *f,
	struct arena *a, struct err *err)
{
	const struct scope all = { who->user, who->agent, who->project, NULL };
	const char *text;

	if (who->session != NULL && *who->session != '\0') {
		if (session_named(s, &all, who->session, a, &f->sessions[0], err) != 0)
			return -1;
		f->p[0] = NAN;
		f->n = f->sessions[0] != NULL;
		return 0;
	}
	text = arena_join(a, words, n);
	return *text == '\0' ? find_newest(s, &all, f, a, err)
			     : search_sessions(s, &all, text, f, a, err);
}

/* ---- its command ---- */

/* What a shell is to run: it goes on with the session, or hands it over. */
static const char *
command_of(const struct session *v, const struct way *w, struct arena *a)
{
	LOCAL(buf) b = buf_of(conf_caps.output_bytes);

	if (!w->any) {
		buf_adds(&b, "mem handoff -s ");
		shell_word(&b, v->id);
	} else if (*w->dir != '\0') {
		buf_adds(&b, "cd ");
		shell_word(&b, w->dir);
		buf_adds(&b, " && ");
	}
	for (size_t i = 0; w->any && w->argv[i] != NULL; i++) {
		buf_adds(&b, i > 0 ? " " : "");
		shell_word(&b, w->argv[i]);
	}
	return arena_strndup(a, b.data, b.len);
}

static int
no_way(const struct session *v, const struct way *w, struct arena *a, struct err *err)
{
	return err_set(err, ERR_UNAVAILABLE, "%s%s%s has no command to go on with '%s'; "
	    "another agent is told by: %s", *w->host != '\0' ? "the agent '" : "what "
	    "wrote it", w->host, *w->host != '\0' ? "'" : "", v->id, command_of(v, w, a));
}

static int
put(struct store *s, const struct scope *who, const struct session *v, double p, struct arena *a,
	struct err *err)
{
	struct buf *out = prog_out();
	char time[TIME_TEXT];
	const char *title, *line;
	struct way w;

	read_way(v, a, &w);
	if (session_title(s, who, v, a, &title, err) != 0)
		return -1;
	if (!prog_for_people()) {
		json_open(out);
		json_str(out, "type", "resume");
		json_str(out, "session", v->id);
		json_time(out, "time", v->updated_us);
		json_str(out, "title", title);
		json_str(out, "host", *w.host != '\0' ? w.host : NULL);
		json_str(out, "dir", *w.dir != '\0' ? w.dir : NULL);
		json_str(out, "command", w.any ? command_of(v, &w, a) : NULL);
		if (!isnan(p))
			json_num(out, "p", p);
		json_close(out);
		buf_addc(out, '\n');
		return 0;
	}
	buf_addf(out, "%s  ", v->updated_us == TIME_NONE ? "no time" :
	    time_format_local(v->updated_us, time));
	print_line(out, title, strlen(title), prog_columns());
	line = command_of(v, &w, a);
	buf_adds(out, "  ");
	print_safe(out, line, strlen(line));
	buf_addc(out, '\n');
	return 0;
}

/* In place of this program, in the directory; returns only when that fails. */
static int
run_words(const char *dir, const char *const words[RESUME_WORDS], struct err *err)
{
	char *argv[RESUME_WORDS];

	if (*dir != '\0' && chdir(dir) != 0)
		return err_set_errno(err, ERR_NOINPUT, "cannot go to '%s'", dir);
	for (size_t i = 0; i < RESUME_WORDS; i++)
		argv[i] = (char *)(uintptr_t)words[i];
	/* what we ignore it would ignore, too, and so would all that it starts */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execvp(argv[0], argv);
	return err_set_errno(err, ERR_UNAVAILABLE, "cannot run '%s'", argv[0]);
}

static int
run_it(const struct session *v, struct arena *a, struct err *err)
{
	struct way w;

	read_way(v, a, &w);
	return w.any ? run_words(w.dir, w.argv, err) : no_way(v, &w, a, err);
}

/* ---- handed over ---- */

static void
show_progress(void *arg, const struct ingest_counts *c)
{
	(void)arg;
	progress_show((int64_t)(c->messages + c->duplicates), 0, "turns");
}

/* Stores what the agent has written down since, so that a session that still runs is told whole. */
static void
read_on(const struct way *w)
{
	const struct agent *a = agents();
	struct err err = ERR_INIT;
	struct store *s = NULL;
	struct history h;

	while (a->name != NULL && (a->format == NULL || strcmp(a->format, w->host) != 0))
		a++;
	if (a->name == NULL || off_why(w->dir) != NULL)
		return;
	if (store_open(conf_db(), STORE_WRITE, &s, &err) != 0 ||
	    history_read(a, s, false, conf_text("user"), show_progress, &prog_stop, &h, &err) != 0)
		prog_caution("what is not stored yet is not told: %s", err.msg);
	store_close(s);
}

/* The first prompt of another agent: what to do with the block, and the block. */
static int
hand_over(const struct way *w, struct context *block, struct arena *a, struct err *err)
{
	const char *argv[RESUME_WORDS];
	LOCAL(buf) prompt = buf_of(conf_caps.output_bytes);

	buf_addf(&prompt, "Go on with the work of the session below, which %s held. It was "
	    "recorded: look at the files before you rely on it.\n\n",
	    *w->host != '\0' ? w->host : "another agent");
	context_print(block, &prompt);
	if (run) {
		resume_begin(to, arena_strndup(a, prompt.data, prompt.len), argv);
		run_words(w->dir, argv, err);
	} else {
		buf_add(prog_out(), prompt.data, prompt.len);
	}
	return err->code != 0 ? -1 : 0;
}

static int
tell(struct store *s, const struct scope *who, const struct session *v, struct arena *a,
	struct err *err)
{
	struct hook_given none = { .compacted_us = TIME_NONE };
	struct recall_want want = { .who = { .user = who->user }, .session = v->id, .given = &none,
		.tokens = (uint64_t)budget, .even_off = true, .prompt = "" };
	const struct session *now = NULL;
	char day[TIME_TEXT];
	LOCAL(recalled) r = { 0 };
	struct way w;

	read_way(v, a, &w);
	if (*to != '\0') {
		read_on(&w);
		if (sessions_find(s, &want.who, v->id, a, &now, err) != 0)
			return -1;
		v = now != NULL ? now : v;
	}
	const char *head = arena_printf(a, "%s%s%s%s%s", *w.host != '\0' ? w.host : "an agent",
	    *w.dir != '\0' ? " in " : "", w.dir, v->updated_us != TIME_NONE ? ", until " : "",
	    v->updated_us != TIME_NONE ? time_format_local(v->updated_us, day) : "");
	int rc = handoff_tell(s, &want, head, w.dir, &r, err);
	if (rc == 0 && prog_common.json)
		context_record(&r.block, prog_out());
	else if (rc == 0 && *to != '\0')
		rc = hand_over(&w, &r.block, a, err);
	else if (rc == 0)
		context_print(&r.block, prog_out());
	return rc;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	LOCAL(arena) arena = ARENA_INIT;
	struct found f = { .n = 0 };
	struct store *s = NULL;
	struct scope who;
	const char *argv_to[RESUME_WORDS];

	complete_option("to", resume_hosts);
	int i = prog_start(&prog, argc, argv);
	who = (struct scope)PROG_SCOPE;
	if (*to != '\0' && !handoff)
		err_set(&err, ERR_USAGE, "--to goes with --handoff");
	else if (*to != '\0' && !resume_begin(to, "", argv_to))
		err_set(&err, ERR_USAGE, "'%s' is no agent that is begun with a prompt; see "
		    "mem-resume(1)", to);
	else if (run && handoff && (*to == '\0' || prog_common.json))
		err_set(&err, ERR_USAGE, "--run and --handoff stand alone, but for --to");
	if (err.code != 0)
		return prog_end(&err);
	if ((i == argc && prog_unread(PROG_UNREAD_MS, &err) != 0) || ask_open(&s, &err) != 0)
		return prog_end(&err);
	if (s == NULL)
		prog_no_store();
	else if (project_in(s, &who, prog_warning, &arena, &err) == 0 &&
	    find(s, &who, argv + i, argc - i, &f, &arena, &err) == 0 && f.n > 0) {
		if (run && !handoff)
			run_it(f.sessions[0], &arena, &err);
		else if (handoff)
			tell(s, &who, f.sessions[0], &arena, &err);
		for (size_t k = 0; k < f.n && !run && !handoff && err.code == 0; k++)
			put(s, &who, f.sessions[k], f.p[k], &arena, &err);
	}
	if (err.code == 0 && f.n == 0)
		err_set(&err, ERR_NOINPUT, "no such session");
	store_close(s);
	return prog_end(&err);
}
