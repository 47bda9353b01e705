/* mem-context: put what was said into a block for a prompt */
#include "base/conf.h"
#include "cli/prog.h"
#include "context/about_item.h"
#include "context/context_builder.h"
#include "context/history.h"
#include "facts/fact_record.h"
#include "records/people.h"
#include "search/ask.h"
#include "text/tokens.h"
#include "gen/programs.h"

#define RECENT_BUDGET    4096
#define MIN_CANDIDATES   50
#define MAX_CANDIDATES   5000
#define TOKENS_A_TURN    10 /* few turns are shorter, so this tells how many candidates can fit */

static struct filter_words words;
static int64_t candidates;
static bool recent, sessions, status_if_none, no_profile, no_facts, likely, current;
static const char *strategy, *talk, *bank;
/* enum history_kind; -1: the block answers a question or holds the last turns */
static int history = -1;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "budget", "N", OPT_CONF, NULL, "context_budget", 0, 0, "at most N tokens (default 1000; of --recent 4096)" },
	{ 0, "max-turns", "N", OPT_CONF, NULL, "context_max_turns", 0, 0, "at most N turns; 0: as many as fit" },
	{ 0, "recent", NULL, OPT_FLAG, &recent, NULL, 0, 0, "the last turns, no question" },
	{ 'n', "limit", "N", OPT_INT, &candidates, NULL, 1, 1e6, "choose among the best N hits (default: by the budget)" },
	{ 0, "strategy", "NAME", OPT_TEXT, &strategy, NULL, 0, 0, "of a conversation: recent, summary, hybrid; of a question: how to search" },
	{ 0, "scope", "WHERE", OPT_CONF, NULL, "scope", 0, 0, "session, user or auto: the session first, then everything" },
	PROG_OPTS_FILTER(words),
	{ 0, "now", "TIME", OPT_TEXT, &words.now, NULL, 0, 0, "when it is asked: what 'last week' is counted from" },
	{ 0, "context", "FILE", OPT_TEXT, &talk, NULL, 0, 0, "what was said before a follow-up question; - for stdin" },
	{ 0, "current", NULL, OPT_FLAG, &current, NULL, 0, 0, "what holds now: of what answers alike the newer first" },
	{ 0, "likely", NULL, OPT_FLAG, &likely, NULL, 0, 0, "no hits unless one of them is likely to answer" },
	{ 0, "min-score", "X", OPT_CONF, NULL, "min_score", 0, 0, "leave out hits that answer with a probability below X" },
	{ 0, "sessions", NULL, OPT_FLAG, &sessions, NULL, 0, 0, "name each session in a line before its turns" },
	{ 0, "bank", "NAME", OPT_TEXT, &bank, NULL, 0, 0, "of facts, those of this bank" },
	{ 0, "no-facts", NULL, OPT_FLAG, &no_facts, NULL, 0, 0, "leave out facts and summaries: only what was said" },
	{ 0, "no-profile", NULL, OPT_FLAG, &no_profile, NULL, 0, 0, "leave out what the user wrote about themselves" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "exit 1 when there is nothing to say" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_CONTEXT };

/* ---- input ---- */

static bool bad;                   /* some line of stdin was refused */

static int
add_question(void *arg, const char *text, size_t len, struct err *err)
{
	return context_builder_question(arg, text, len, err);
}

static int
add_record(void *arg, const struct json *v, struct err *err)
{
	return context_builder_record(arg, v, err);
}

static void
put_bad(void *arg, const char *why)
{
	(void)arg;
	prog_warn("%s", why);
	bad = true;
}

/* ---- options ---- */

static int
read_options(struct context_builder_want *want, struct context_limits *limits, int n_operands,
	struct arena *arena, struct err *err)
{
	const char *where;

	/* "hybrid" also names a way to search, which it means where there is a question */
	if (strategy != NULL && strcmp(strategy, "summary") == 0)
		history = HISTORY_SUMMARY;
	else if (strategy != NULL && strcmp(strategy, "hybrid") == 0 && (recent || n_operands == 0))
		history = HISTORY_HYBRID;
	if (history >= 0 || (strategy != NULL && strcmp(strategy, "recent") == 0))
		recent = true;
	else if (recent && strategy != NULL)
		return err_set(err, ERR_USAGE, "--recent searches nothing: no '--strategy %s'",
		    strategy);
	if (recent && (n_operands > 0 || talk != NULL || likely))
		return err_set(err, ERR_USAGE,
		    "--recent and a conversation's strategies take no question");
	*limits = (struct context_limits){ .budget = (uint64_t)conf_int("context_budget"),
		.max_turns = (uint64_t)conf_int("context_max_turns"),
		.sessions = sessions,
		.twins = recent,
		.even_off = true };
	if (recent && conf_origin("context_budget", &where) == CONF_DEFAULT)
		limits->budget = RECENT_BUDGET;
	limits->budget = MIN(limits->budget, (uint64_t)conf_caps.context_tokens);
	want->who = (struct scope)PROG_SCOPE;
	if (candidates == 0)
		candidates = (int64_t)MIN(MAX(limits->budget / TOKENS_A_TURN, MIN_CANDIDATES),
		    MAX_CANDIDATES);
	if (ask_options(&want->who, recent ? "recent" : strategy, &words, &want->query, err) != 0)
		return -1;
	want->program = conf_bool("touch") ? prog.name : NULL;
	want->query.limit = candidates;
	want->query.current = current;
	want->facts = !recent && !no_facts;
	want->stored = want->facts ? &want->who : NULL;
	if (bank != NULL && !want->facts)
		return err_set(err, ERR_USAGE, "--bank is of facts, and none are asked for");
	if (bank != NULL)
		want->bank = fact_bank_or_default(bank, prog_warning, arena);
	want->likely = likely;
	want->next_turns = want->query.min_score <= 0;
	return 0;
}

static int
fill_recent(struct store *s, struct context_builder *g, const struct context_builder_want *want,
	struct context *c, struct arena *a, struct err *err)
{
	if (history < 0 || s == NULL)
		return context_builder_recent(g, c, err);
	return history_fill(s, &want->who, &want->query.filter, (enum history_kind)history, c, a,
	    err);
}

static int
open_store(bool piped, struct store **out, struct err *err)
{
	if (piped)
		ask_wait();
	if (ask_open(out, err) != 0)
		return -1;
	if (*out == NULL)
		prog_no_store();
	return 0;
}

/*
 * Writes the row of figures. In these, a block counts as truncated only when it has room for fewer
 * items than mem-search prints.
 */
static void
note_metric(struct store *s, struct context_builder *g, const struct scope *who,
	struct context *c, int64_t us_all)
{
	const struct metric *asked = context_builder_metric(g, c);
	char flags[160];

	if (asked == NULL || !conf_bool("touch"))
		return;
	struct metric m = *asked;
	m.program = prog.name;
	m.us_all = us_all;
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);
	context_print(c, &text);
	unsigned tokens = tokens_estimate(text.data, text.len);
	snprintf(flags, sizeof(flags), "%s%s%s,used=%.3f,tokens=%u", m.flags,
	    context_has_profile(c) ? ",profile" : "",
	    c->truncated && (int64_t)c->n < conf_int("limit") ? ",truncated" : "",
	    c->limits.budget > 0 ? (double)tokens / (double)c->limits.budget : 0,
	    tokens);
	m.flags = flags + (flags[0] == ',');
	metrics_put(s, who, &m);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct context_limits limits = { 0 };
	struct rewriter rewriter;
	struct context_builder_want want;
	LOCAL(context) c = { 0 };
	LOCAL(arena) arena = ARENA_INIT;
	struct context_builder *g = NULL;
	struct store *s = NULL;
	struct ask_fn fn = { add_question, add_record, put_bad, NULL };
	int i = prog_start(&prog, argc, argv), rc;

	if (talk != NULL && strcmp(talk, "-") == 0 && ask_is_piped(argv + i, argc - i)) {
		err_set(&err, ERR_USAGE,
		    "--context - takes the standard input: give the question as an operand");
		return prog_end(&err);
	}
	memset(&want, 0, sizeof(want));
	want.rewriter = &rewriter;
	rc = read_options(&want, &limits, argc - i, &arena, &err);
	context_init(&c, &limits);
	if (rewriter_open(&rewriter, rc == 0 ? talk : NULL, put_bad, NULL, &err) != 0 || rc != 0 ||
	    open_store(!recent && ask_is_piped(argv + i, argc - i), &s, &err) != 0 ||
	    scope_in(s, &want.who, prog_cautioned, prog_noted, &arena, &err) != 0 ||
	    filter_people(s, &want.who, &words, &want.query.filter, prog_noted, prog_noted,
		&arena, &err) != 0 ||
	    context_builder_open(s, &want, &g, &err) != 0)
		goto out;
	if (llm_is_on())
		rewriter_use_model(&rewriter, s, want.who.user, prog.name);
	fn.arg = g;
	int64_t start = clock_mono_us();
	if ((!recent && !no_profile && s != NULL &&
		about_item(s, &want.who, &c, &arena, &err) != 0) ||
	    (!recent && context_builder_pinned(g, &c, &err) != 0))
		goto out;
	rc = recent ? fill_recent(s, g, &want, &c, &arena, &err)
		    : ask_each(&fn, argv + i, argc - i, &err);
	if (rc != 0 || (!recent && context_builder_fill(g, &c, &err) != 0))
		goto out;
	if (c.n == 0 && c.truncated)
		prog_caution("nothing of what was found fits into %llu tokens",
		    (unsigned long long)limits.budget);
	if (*context_builder_without(g) != '\0')
		prog_caution("%s", context_builder_without(g));
	if (prog_common.json)
		context_record(&c, prog_out());
	else
		context_print(&c, prog_out());
	if (prog_flush() == PROG_OUT_OK && s != NULL)
		note_metric(s, g, &want.who, &c, clock_mono_us() - start);
	if (bad)
		err.code = ERR_DATA;
	else if (status_if_none && c.n == 0)
		err.code = ERR_NOTFOUND;
out:
	context_builder_close(g);
	rewriter_close(&rewriter);
	store_close(s);
	return prog_end(&err);
}
