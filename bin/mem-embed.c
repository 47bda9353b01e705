/* mem-embed: give what is stored vectors, so that it is found by its meaning */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/prog.h"
#include "cli/progress.h"
#include "embed/embed.h"
#include "embed/embed_info.h"
#include "json/json.h"
#include "llm/llm.h"
#include "report/stats.h"
#include "gen/programs.h"

#define PASS_BYTES (64u << 10)

static bool all_users, filter, queries, info;
static int64_t n_jobs;

static const struct prog_opt opts[] = {
	PROG_OPTS_MEMORY,
	{ 0, "all-users", NULL, OPT_FLAG, &all_users, NULL, 0, 0, "of every user of the store" },
	{ 0, "model", "NAME", OPT_CONF, NULL, "model", 0, 0, "the model, by name or path (default: the best there is)" },
	{ 'J', "jobs", "N", OPT_INT, &n_jobs, NULL, 0, 256, "threads that compute; 0: one a processor (default)" },
	{ 0, "filter", NULL, OPT_FLAG, &filter, NULL, 0, 0, "add vec to records on stdin, touch no store" },
	{ 0, "query", NULL, OPT_FLAG, &queries, NULL, 0, 0, "with --filter: every text is a question" },
	{ 0, "info", NULL, OPT_FLAG, &info, NULL, 0, 0, "show the model and what has vectors, do nothing" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_EMBED };

/* ---- the store ---- */

struct job {
	struct embed_options o;
	struct store *s;                   /* NULL: not open yet, or it does not exist */
	struct embed *e;
	bool can;                          /* there is a model, or a service in its place */
	int64_t us;                        /* that making vectors took */
};

static void
put_progress(void *arg, const struct embed_counts *c)
{
	(void)arg;
	progress_show((int64_t)c->n_of_user, c->n_missing, "texts");
}

/* Returns 0 also when there is no store yet; j->e is then NULL. */
static int
open_store(struct job *j, struct err *err)
{
	if (j->e != NULL)
		return 0;
	if (j->s == NULL && store_open(conf_db(), STORE_WRITE, &j->s, err) != 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		err_clear(err);
		return 0;
	}
	return embed_open(j->s, &j->o, put_progress, NULL, &j->e, err);
}

static void
put_summary(const struct job *j, bool switched)
{
	const char *name = embed_name(j->e);
	uint64_t n_refused = embed_counts(j->e)->n_refused;
	LOCAL(buf) b = buf_of(1024);

	buf_adds(&b, "embedded ");
	buf_add_count(&b, (int64_t)embed_counts(j->e)->n_texts);
	buf_addf(&b, " %s with %s", embed_counts(j->e)->n_texts == 1 ? "text" : "texts", name);
	if (switched)
		buf_addf(&b, "; searches use its vectors from now on");
	prog_note("%s", b.data);
	if (n_refused > 0)
		prog_warn("%llu %s refused by '%s', and %s tried again later",
		    (unsigned long long)n_refused, n_refused == 1 ? "record was" : "records were",
		    name, n_refused == 1 ? "is" : "are");
}

/* What it took, for mem-stats --report. Of several users nobody's figures would be right. */
static void
note_time(const struct job *j)
{
	const struct scope who = { .user = conf_text("user") };
	char figures[80];

	if (all_users || embed_counts(j->e)->n_texts == 0)
		return;
	snprintf(figures, sizeof(figures), "embedded=%llu,embed_ms=%lld",
	    (unsigned long long)embed_counts(j->e)->n_texts, (long long)(j->us / 1000 + 1));
	stats_job(j->s, &who, prog.name, figures);
}

static int
fill_store(struct job *j, struct err *err)
{
	bool switched = false;
	int64_t start = clock_mono_us();

	if (open_store(j, err) != 0)
		return -1;
	if (j->e == NULL) {
		prog_no_store();
		return 0;
	}
	if ((all_users ? embed_all(j->e, err) : embed_user(j->e, conf_text("user"), err)) != 0)
		return -1;
	j->us += clock_mono_us() - start;
	note_time(j);
	if (prog_stop == 0 && embed_switch(j->e, &switched, err) != 0)
		return -1;
	put_summary(j, switched);
	if (embed_counts(j->e)->n_refused > 0)
		err->code = ERR_DATA;          /* the count was reported */
	return 0;
}

/* ---- records pass through from stdin to stdout ---- */

static bool
would_wait(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&p, 1, 0) == 0;
}

/*
 * While no input comes, embeds a little of what has come so far. A store that is busy is tried
 * again at the end.
 */
static int
use_pause(struct job *j, struct err *err)
{
	int64_t start = clock_mono_us();
	bool did = true;

	if (!j->can || all_users)
		return 0;
	while (did && prog_stop == 0 && would_wait())
		if (open_store(j, err) != 0 || j->e == NULL ||
		    embed_step(j->e, conf_text("user"), &did, err) != 0)
			break;
	j->us += clock_mono_us() - start;
	if (err->code == ERR_BUSY)
		err_clear(err);
	return err->code == 0 ? 0 : -1;
}

/*
 * Says so when the first record that passes is of another user than the one whose texts get
 * vectors: in a pipe behind mem-ingest -u it is easily forgotten here.
 */
static void
look_whose(const char *data, size_t len)
{
	const char *end = memchr(data, '\n', len), *user;
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;

	if (!all_users && end != NULL &&
	    json_parse(data, (size_t)(end - data), &a, &v, NULL) == 0 && v->kind == JSON_OBJECT &&
	    (user = json_get_string(v, "user", NULL)) != NULL &&
	    strcmp(user, conf_text("user")) != 0)
		prog_caution("what passes is of the user '%s'; vectors are made for '%s' (see -u)",
		    user, conf_text("user"));
}

/*
 * Passes records through whatever becomes of their vectors. Returns -1 when stdin or a step failed.
 */
static int
pass_records(struct job *j, struct err *err)
{
	bool first = true;
	ssize_t n;
	int rc = 0;

	for (;;) {
		n = read(STDIN_FILENO, buf_reserve(prog_out(), PASS_BYTES), PASS_BYTES);
		if (n < 0 && errno == EINTR && prog_stop == 0)
			continue;
		if (n <= 0)
			break;
		prog_out()->len += (size_t)n;
		if (first)
			look_whose(prog_out()->data, prog_out()->len);
		first = false;
		prog_flush();
		if (rc == 0 && would_wait())
			rc = use_pause(j, err);
	}
	if (n < 0 && prog_stop == 0)
		return err_set_errno(err, ERR_IO, "cannot read stdin");
	return rc;
}

/* ---- the other jobs ---- */

static int
run_filter(const struct job *j, struct err *err)
{
	struct embed_filter_out out = { prog_put_lines, prog_warning, NULL };
	uint64_t n_bad = 0;

	if (isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	if (embed_filter(&j->o, "-", queries, &out, &n_bad, err) != 0)
		return -1;
	if (n_bad > 0)
		err->code = ERR_DATA;          /* each one was reported */
	return 0;
}

/* Writes the information for people, one line each. */
static void
text_info(struct buf *out, const struct embed_info *v)
{
	const struct vectors_look *l = &v->look;

	if (v->file != NULL) {
		const struct model_info *m = &v->file->info;
		buf_addf(out, "model     %s, %u dimensions, %u layers, at most %u tokens\n",
		    m->name, m->n_dims, m->n_layers, m->max_tokens);
		buf_adds(out, "path      ");
		print_line(out, v->path, strlen(v->path), 1000);
		buf_addf(out, "\nkernel    %s", v->kernel);
	} else {
		buf_adds(out, "service   ");
		print_line(out, v->of.name, strlen(v->of.name), 100);
		if (v->of.n_dims > 0)
			buf_addf(out, ", %u dimensions", v->of.n_dims);
	}
	buf_adds(out, "\nvectors   ");
	buf_add_count(out, l->n_vectors);
	buf_adds(out, "\nmissing   ");
	buf_add_count(out, l->n_missing);
	buf_addf(out, "\nsearches  %s\n",
	    l->current			 ? "use them"
		: l->searched[0] != '\0' ? l->searched
					 : "have no vectors");
}

static int
show_info(const struct model *m, struct err *err)
{
	struct embed_info v;

	if (embed_info(m, conf_db(), conf_text("user"), &v, err) != 0)
		return -1;
	if (prog_for_people())
		text_info(prog_out(), &v);
	else
		embed_info_record(prog_out(), &v);
	return 0;
}

static void
run(struct job *j, bool from_stdin, struct model *m, struct err *err)
{
	struct err of_model = *err;

	if (from_stdin) {
		err_clear(err);
		pass_records(j, err);
		if (!j->can)
			*err = of_model;
		else if (err->code == 0)
			fill_store(j, err);
	} else if (j->can) {
		info ? show_info(m, err) : filter ? run_filter(j, err) : fill_store(j, err);
	}
}

/* Chooses the service where one is configured and no model is named; otherwise opens the model. */
static void
find_model(struct job *j, struct model **m, struct err *err)
{
	j->can = *conf_text("model") == '\0' && llm_embeds();
	if (j->can)
		return;
	j->can = model_open(m, conf_text("model"), err) == 0;
	if (!j->can && err->code == ERR_NOINPUT && *conf_text("model") == '\0')
		err->code = ERR_UNAVAILABLE;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct job j = { .o = { .stop = &prog_stop } };
	struct model *m = NULL;
	int i = prog_start(&prog, argc, argv);
	bool from_stdin = i < argc && strcmp(argv[i], "-") == 0;

	if (i + from_stdin < argc)
		err_set(&err, ERR_USAGE, "takes no operand but -, not '%s'", argv[i + from_stdin]);
	else if (filter + info + all_users > 1 || (from_stdin && info))
		err_set(&err, ERR_USAGE, "--filter, --info and --all-users exclude each other");
	else if (queries && !filter)
		err_set(&err, ERR_USAGE, "--query goes with --filter");
	else if (!from_stdin && !filter)
		prog_unread(PROG_UNREAD_MS, &err);
	if (err.code != 0)
		return prog_end(&err);
	prog_catch_signals();
	find_model(&j, &m, &err);
	j.o.model = m;
	j.o.n_threads = (unsigned)n_jobs;
	run(&j, from_stdin && !filter, m, &err);
	embed_close(j.e);
	store_close(j.s);
	model_close(m);
	return prog_end(&err);
}
