/*
 * mem-rewrite: make a follow-up question whole from what was said before it
 */

#include "base/conf.h"
#include "base/json.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "verb/ask.h"
#include "verb/rewrite.h"

static const char *context;
static bool rules, status_if_same;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file: of its ledger of models" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" },
	{ 0, "context", "FILE", OPT_TEXT, &context, NULL, 0, 0, "what was said before, a message a line; - for stdin" },
	{ 0, "rules", NULL, OPT_FLAG, &rules, NULL, 0, 0, "ask no language model" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_same, NULL, 0, 0, "exit 1 when no question was changed" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-rewrite", "make a follow-up question whole from what was said before it", "[QUESTION ...]", opts,
	"  mem-rewrite --context chat.ndjson 'and what about that one?' | mem-search\n"
	"  mem-list -s S | mem-rewrite --context - 'how much does it cost?'\n"
};

struct rewriter {
	struct rewrite *r;
	struct rewrite_talk talk;          /* of --context */
	struct rewrite_talk own;           /* and what a record brings besides */
	struct arena arena;
	size_t n_changed;
	bool bad;                          /* some line was not what it should be */
};

static void
put_bad(void *arg, const char *why)
{
	struct rewriter *w = arg;

	prog_warn("%s", why);
	w->bad = true;
}

static int
put(struct rewriter *w, const struct rewrite_talk *t, const char *text, size_t len, struct err *err)
{
	struct rewritten out;

	if (len > conf_caps.query_bytes)
		return err_set(err, ERR_DATA, "question is over %zu bytes (setting query_bytes)", conf_caps.query_bytes);
	arena_reset(&w->arena);
	rewrite_ask(w->r, t, text, len, &w->arena, &out);
	w->n_changed += out.f.changed;
	if (*out.note)
		prog_note("by rules alone: %s", out.note);
	if (prog_is_tty()) {
		print_safe(prog_out(), out.f.text, out.f.len);
		buf_addc(prog_out(), '\n');
	} else {
		rewrite_record(prog_out(), &out);
	}
	return prog_flush() == PROG_OUT_OK ? 0 : 1;
}

static int
ask(void *arg, const char *text, size_t len, struct err *err)
{
	struct rewriter *w = arg;

	return put(w, &w->talk, text, len, err);
}

/* A query record, or any object with a query; with the key context, history or messages it brings what was said before it. */
static int
ask_record(void *arg, const struct json *v, struct err *err)
{
	struct rewriter *w = arg;
	const struct rewrite_talk *t = &w->talk;
	const char *text;
	size_t len;

	text = json_get_string(v, "query", &len);
	if (text == NULL)
		return err_set(err, ERR_DATA, "no key 'query' with a text");
	if (json_get(v, "context") != NULL || json_get(v, "history") != NULL || json_get(v, "messages") != NULL) {
		rewrite_talk_reset(&w->own);
		for (size_t i = 0; i < w->talk.n; i++)
			rewrite_talk_text(&w->own, w->talk.said[i].role, w->talk.said[i].text, w->talk.said[i].len);
		if (rewrite_talk_add(&w->own, v, err) < 0)
			return -1;
		t = &w->own;
	}
	return put(w, t, text, len, err);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct rewriter w = { .talk = REWRITE_TALK_INIT, .own = REWRITE_TALK_INIT };
	const struct ask_fn fn = { ask, ask_record, put_bad, &w };
	struct store *store = NULL;
	struct llm *llm = NULL;
	int i = prog_start(&prog, argc, argv);

	if (context != NULL && strcmp(context, "-") == 0 && ask_is_piped(argv + i, argc - i)) {
		err_set(&err, ERR_USAGE, "--context - takes the standard input: give the question as an operand");
		goto out;
	}
	if (context != NULL && rewrite_talk_read(&w.talk, context, put_bad, &w, &err) != 0)
		goto out;
	if (!rules && llm_is_on()) {
		if (ask_open(&store, &err) != 0)
			goto out;
		llm = llm_new(store, conf_text("user"), prog.name, NULL);
	}
	w.r = rewrite_new(llm);
	ask_each(&fn, argv + i, argc - i, &err);
	if (err.code == 0 && w.bad)
		err.code = ERR_DATA;
	else if (err.code == 0 && status_if_same && w.n_changed == 0)
		err.code = ERR_NOTFOUND;
out:
	rewrite_free(w.r);
	llm_free(llm);
	store_close(store);
	rewrite_talk_release(&w.talk);
	rewrite_talk_release(&w.own);
	arena_release(&w.arena);
	return prog_end(&err);
}
