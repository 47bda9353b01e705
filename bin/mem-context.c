/*
 * mem-context: put what was said into a block for a prompt
 */
#include <unistd.h>

#include "base/conf.h"
#include "base/json.h"
#include "base/ndjson.h"
#include "cli/prog.h"
#include "verb/filter.h"
#include "verb/gather.h"

#define RECENT_BUDGET    4096
#define MIN_CANDIDATES   50
#define MAX_CANDIDATES   5000
#define TOKENS_A_TURN    10        /* few are shorter: so many candidates can fit */

static struct filter_words words;
static int64_t candidates;
static bool recent, sessions, status_if_none;
static const char *strategy;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "budget", "N", OPT_CONF, NULL, "context_budget", 0, 0, "at most N tokens (default 1000; of --recent 4096)" },
	{ 0, "max-turns", "N", OPT_CONF, NULL, "context_max_turns", 0, 0, "at most N turns; 0: as many as fit" },
	{ 0, "recent", NULL, OPT_FLAG, &recent, NULL, 0, 0, "the last turns, no question" },
	{ 'n', "limit", "N", OPT_INT, &candidates, NULL, 1, 1e6, "choose among the best N hits (default: by the budget)" },
	{ 0, "strategy", "NAME", OPT_TEXT, &strategy, NULL, 0, 0, "recent, or how to search: fused, lexical, bm25" },
	{ 0, "scope", "WHERE", OPT_CONF, NULL, "scope", 0, 0, "session, user or auto: the session first, then everything" },
	{ 0, "since", "TIME", OPT_TEXT, &words.since, NULL, 0, 0, "said since TIME: 2024-05, 3d, yesterday" },
	{ 0, "until", "TIME", OPT_TEXT, &words.until, NULL, 0, 0, "said until TIME, the day named included" },
	{ 0, "role", "ROLE", OPT_TEXT, &words.role, NULL, 0, 0, "said by user, assistant, tool" },
	{ 0, "name", "NAME", OPT_TEXT, &words.name, NULL, 0, 0, "said by NAME" },
	{ 0, "min-trust", "N", OPT_INT, &words.min_trust, NULL, 0, 3, "trust N or more" },
	{ 0, "sessions", NULL, OPT_FLAG, &sessions, NULL, 0, 0, "name each session in a line before its turns" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "exit 1 when there is nothing to say" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-context", "put what was said into a block for a prompt", "[QUESTION ...]", opts,
	"  mem-context --budget 500 what did we decide about the login flow\n"
	"  mem-search -n 5 'login flow' | mem-context\n"
	"  mem-context --recent -s SESSION\n"
};

/* ---- what goes in ---- */

/* The words of the operands, a space between them. */
static int
take_operands(struct gather *g, char **args, int n, struct err *err)
{
	struct buf text;
	int rc;

	buf_init(&text, conf_caps.output_bytes);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			buf_addc(&text, ' ');
		buf_adds(&text, args[i]);
	}
	rc = gather_question(g, text.data, text.len, err);
	buf_release(&text);
	return rc;
}

static int
take_line(struct gather *g, const char *line, size_t len, struct arena *a, struct err *err)
{
	const struct json *v;

	arena_reset(a);
	if (json_parse(line, len, a, &v, err) != 0)
		return -1;
	return gather_record(g, v, err);
}

/* Bad lines are named and passed over; *bad says that there were some. */
static int
take_stdin(struct gather *g, bool *bad, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct ndjson *in;
	const char *line;
	size_t len;
	int got, rc = 0;

	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE, "no question given");
	if (ndjson_open("-", 0, &in, err) != 0)
		return -1;
	while (rc == 0 && (got = ndjson_next(in, &line, &len, err)) != NDJSON_END) {
		if (got < 0)
			rc = -1;
		else if (got == NDJSON_TOO_LONG)
			rc = err_set(err, ERR_DATA, "line is too long");
		else
			rc = take_line(g, line, len, &a, err);
		if (rc != 0 && got > 0 && err->code == ERR_DATA) {
			prog_warn("%s:%llu: %s", ndjson_name(in), (unsigned long long)ndjson_line(in), err->msg);
			err_clear(err);
			*bad = true;
			rc = 0;
		}
	}
	ndjson_close(in);
	arena_release(&a);
	return rc;
}

/* ---- options ---- */

static int
read_scope(enum search_scope *out, struct err *err)
{
	static const char *const names[] = { [SEARCH_AUTO] = "auto", [SEARCH_SESSION] = "session", [SEARCH_USER] = "user" };

	for (size_t i = 0; i < NELEM(names); i++)
		if (strcmp(names[i], conf_text("scope")) == 0) {
			*out = (enum search_scope)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "unknown scope '%s': session, user or auto", conf_text("scope"));
}

static int
read_options(struct gather_want *want, struct context_limits *limits, int n_operands, struct err *err)
{
	struct search_query *q = &want->query;
	const char *where;

	if (strategy != NULL && strcmp(strategy, "recent") == 0)
		recent = true;
	else if (recent && strategy != NULL)
		return err_set(err, ERR_USAGE, "--recent searches nothing: no '--strategy %s'", strategy);
	if (recent && n_operands > 0)
		return err_set(err, ERR_USAGE, "--recent takes no question");
	*limits = (struct context_limits){ (uint64_t)conf_int("context_budget"), (uint64_t)conf_int("context_max_turns"), sessions, recent };
	if (recent && conf_origin("context_budget", &where) == CONF_DEFAULT)
		limits->budget = RECENT_BUDGET;
	limits->budget = MIN(limits->budget, (uint64_t)conf_caps.context_tokens);
	want->who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project, prog_common.session };
	if (candidates == 0)
		candidates = (int64_t)MIN(MAX(limits->budget / TOKENS_A_TURN, MIN_CANDIDATES), MAX_CANDIDATES);
	*q = (struct search_query){
		.strategy = recent ? "recent" : strategy != NULL ? strategy : conf_text("strategy"), .limit = candidates,
		.min_score = conf_real("min_score"), .now_us = clock_now_us(),
	};
	if (!search_knows(q->strategy))
		return err_set(err, ERR_USAGE, "unknown strategy '%s': recent, fused, lexical or bm25", q->strategy);
	if (read_scope(&q->scope, err) != 0)
		return -1;
	return filter_parse(&words, q->now_us, &q->filter, err);
}

static int
open_store(struct store **out, struct err *err)
{
	if (store_open(conf_db(), STORE_READ, out, err) == 0)
		return 0;
	if (err->code != ERR_NOINPUT)
		return -1;
	prog_note("there is no store at '%s' yet", conf_db());
	err_clear(err);                        /* an empty memory */
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct context_limits limits = { 0 };
	struct gather_want want;
	struct context c;
	struct gather *g = NULL;
	struct store *s = NULL;
	bool bad = false;
	int i = prog_start(&prog, argc, argv), rc;

	memset(&want, 0, sizeof(want));
	rc = read_options(&want, &limits, argc - i, &err);
	context_init(&c, &limits);
	if (rc != 0 || open_store(&s, &err) != 0 || gather_open(s, &want, &g, &err) != 0)
		goto out;
	if (recent)
		rc = gather_recent(g, &c, &err);
	else if (i < argc && !(argc - i == 1 && strcmp(argv[i], "-") == 0))
		rc = take_operands(g, argv + i, argc - i, &err);
	else
		rc = take_stdin(g, &bad, &err);
	if (rc != 0 || (!recent && gather_fill(g, &c, &err) != 0))
		goto out;
	if (prog_common.json)
		context_record(&c, prog_out());
	else
		context_print(&c, prog_out());
	if (bad)
		err.code = ERR_DATA;
	else if (status_if_none && c.n == 0)
		err.code = ERR_NOTFOUND;
out:
	context_release(&c);
	gather_close(g);
	store_close(s);
	return prog_end(&err);
}
