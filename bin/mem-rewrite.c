/* mem-rewrite: make a follow-up question whole from what was said before it */
#include "base/conf.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "search/ask.h"
#include "search/rewriter.h"
#include "gen/programs.h"

static const char *context;
static bool rules, status_if_same, force;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file: of its ledger of models" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" },
	{ 0, "context", "FILE", OPT_TEXT, &context, NULL, 0, 0, "what was said before, a message a line; - for stdin" },
	{ 0, "rules", NULL, OPT_FLAG, &rules, NULL, 0, 0, "ask no language model" },
	{ 0, "force", NULL, OPT_FLAG, &force, NULL, 0, 0, "also what seems to be whole" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_same, NULL, 0, 0, "exit 1 when no question was changed" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_REWRITE };

struct job {
	struct rewriter w;
	size_t n_changed;
	bool bad;                          /* some line was refused */
};

static void
put_bad(void *arg, const char *why)
{
	struct job *j = arg;

	prog_warn("%s", why);
	j->bad = true;
}

static int
put_rewritten(struct job *j, const struct rewritten *r, const struct json *v)
{
	j->n_changed += r->f.changed;
	if (*r->note)
		prog_note("by rules alone: %s", r->note);
	if (prog_for_people()) {
		print_safe(prog_out(), r->f.text, r->f.len);
		buf_addc(prog_out(), '\n');
	} else {
		rewrite_record(prog_out(), r, v);
	}
	return prog_flush() == PROG_OUT_OK ? 0 : 1;
}

static int
ask(void *arg, const char *text, size_t len, struct err *err)
{
	struct job *j = arg;
	struct rewritten r;

	if (len > conf_caps.query_bytes)
		return err_set(err, ERR_DATA, "question is over %zu bytes (setting query_bytes)",
		    conf_caps.query_bytes);
	rewriter_text(&j->w, text, len, &r);
	return put_rewritten(j, &r, NULL);
}

/*
 * Answers a query record, or any object with a query; its key context, history or messages holds
 * the conversation before it.
 */
static int
ask_record(void *arg, const struct json *v, struct err *err)
{
	struct job *j = arg;
	struct rewritten r;

	return rewriter_record(&j->w, v, true, &r, err) < 0 ? -1 : put_rewritten(j, &r, v);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct job j = { .bad = false };
	const struct ask_fn fn = { ask, ask_record, put_bad, &j };
	struct store *store = NULL;
	int i = prog_start(&prog, argc, argv);

	if (context != NULL && strcmp(context, "-") == 0 && ask_is_piped(argv + i, argc - i)) {
		err_set(&err, ERR_USAGE,
		    "--context - takes the standard input: give the question as an operand");
		return prog_end(&err);
	}
	if (rewriter_open(&j.w, context, put_bad, &j, &err) != 0)
		goto out;
	if (!rules && llm_is_on()) {
		if (ask_open(&store, &err) != 0)
			goto out;
		rewriter_use_model(&j.w, store, conf_text("user"), prog.name);
	}
	if (force)
		rewrite_force(j.w.rewrite);
	ask_each(&fn, argv + i, argc - i, &err);
	if (err.code == 0 && j.bad)
		err.code = ERR_DATA;
	else if (err.code == 0 && status_if_same && j.n_changed == 0)
		err.code = ERR_NOTFOUND;
out:
	rewriter_close(&j.w);
	store_close(store);
	return prog_end(&err);
}
