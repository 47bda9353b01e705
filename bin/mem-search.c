/*
 * mem-search: find what was said
 */
#include "base/conf.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/ndjson.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "verb/filter.h"
#include "verb/hit.h"

#include <unistd.h>

static struct filter_words words;
static const char *scope_name;
static bool explain, status_if_none, no_touch, exact;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'n', "limit", "N", OPT_CONF, NULL, "limit", 0, 0, "at most N hits (default 10)" },
	{ 0, "strategy", "NAME", OPT_CONF, NULL, "strategy", 0, 0, "fused (default), lexical, bm25 or recent" },
	{ 0, "scope", "WHERE", OPT_CONF, NULL, "scope", 0, 0, "session, user or auto: the session first, then everything" },
	{ 0, "since", "TIME", OPT_TEXT, &words.since, NULL, 0, 0, "said since TIME: 2024-05, 3d, yesterday" },
	{ 0, "until", "TIME", OPT_TEXT, &words.until, NULL, 0, 0, "said until TIME, the day named included" },
	{ 0, "role", "ROLE", OPT_TEXT, &words.role, NULL, 0, 0, "said by user, assistant, tool" },
	{ 0, "name", "NAME", OPT_TEXT, &words.name, NULL, 0, 0, "said by NAME" },
	{ 0, "min-trust", "N", OPT_INT, &words.min_trust, NULL, 0, 3, "trust N or more" },
	{ 0, "min-score", "X", OPT_CONF, NULL, "min_score", 0, 0, "leave out hits that score below X" },
	{ 'e', "exit-status", NULL, OPT_FLAG, &status_if_none, NULL, 0, 0, "exit 1 when nothing was found" },
	{ 0, "explain", NULL, OPT_FLAG, &explain, NULL, 0, 0, "show every signal of each hit" },
	{ 0, "exact", NULL, OPT_FLAG, &exact, NULL, 0, 0, "no shortcut in large stores" },
	{ 0, "no-touch", NULL, OPT_FLAG, &no_touch, NULL, 0, 0, "write nothing, no metric either" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-search", "find what was said", "[QUESTION ...]", opts,
	"  mem-search what did we decide about the login flow\n"
	"  mem-search -n 3 --since 2024-05 backup | jq -r .snippet\n"
	"  jq -c '{query: .q}' questions.ndjson | mem-search\n"
};

struct asked {
	struct store *store;               /* NULL: there is none yet, an empty memory */
	struct search *search;
	struct scope who;
	struct search_query query;
	size_t n_found;
	bool bad;                          /* some line of stdin was no question */
	int64_t us_open;
};

/* ---- printing ---- */

static void
print_hit(const struct search_hit *h, const struct hit_view *v, size_t rank)
{
	struct buf *out = prog_out();
	const struct message *m = h->message;
	char day[TIME_TEXT];

	buf_addf(out, "%2zu  %-10s  ", rank, time_format_day(m->time_us, day));
	print_line(out, *m->name ? m->name : role_names[m->role], *m->name ? strlen(m->name) : strlen(role_names[m->role]), 20);
	buf_adds(out, "  ");
	print_line(out, m->session, strlen(m->session), 36);
	buf_addf(out, "  %s\n", m->id);
	print_wrapped(out, m->content + v->snippet_start, v->snippet_len, MIN(prog_columns(), 100), 4);
	buf_addc(out, '\n');
	if (!explain)
		return;
	buf_addf(out, "    score %.3f  bm25 %.3f  coverage %.2f ", (double)h->score, (double)h->bm25, (double)h->coverage);
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			buf_addf(out, " %s %.2f", signals[i].name, (double)h->x[i]);
	buf_adds(out, "\n");
}

static int
print_result(struct asked *a, const struct search_result *r, struct err *err)
{
	struct hit_view view;

	for (size_t i = 0; i < r->n; i++) {
		if (hit_look(a->store, &a->who, r->question, &r->hits[i], &view, err) < 0)
			return -1;
		if (prog_is_tty())
			print_hit(&r->hits[i], &view, i + 1);
		else
			hit_record(prog_out(), &a->who, &r->hits[i], &view, i + 1, a->query.strategy, explain);
	}
	return 0;
}

/* ---- one question ---- */

static void
note_metric(const struct asked *a, const struct search_result *r, int64_t us_all)
{
	struct metric m = {
		.time_us = clock_now_us(), .program = prog.name, .path = a->query.strategy,
		.query_hash = hash64(a->query.text, a->query.len, 0) >> 1, .query_bytes = (int64_t)a->query.len,
		.n_hits = (int64_t)r->n, .n_candidates = (int64_t)r->n_candidates, .top_score = r->n > 0 ? (double)r->hits[0].score : 0,
		.us_open = a->us_open, .us_text = r->us_text, .us_rank = r->us_rank, .us_fetch = r->us_fetch, .us_all = us_all,
		.flags = r->widened ? "widened" : "",
	};

	metrics_put(a->store, &a->who, &m);
}

static int
ask(struct asked *a, const char *text, size_t len, struct err *err)
{
	struct search_result r;
	int64_t start = clock_mono_us();

	a->query.text = text;
	a->query.len = len;
	if (a->store == NULL)
		return 0;
	if (search_run(a->search, &a->who, &a->query, &r, err) < 0 || print_result(a, &r, err) < 0)
		return -1;
	a->n_found += r.n;
	if (prog_flush() != PROG_OUT_OK)
		return 1;
	if (!no_touch && conf_bool("touch"))
		note_metric(a, &r, clock_mono_us() - start);
	return 0;
}

/* The words of the operands, a space between them. */
static int
ask_operands(struct asked *a, char **args, int n, struct err *err)
{
	struct buf text;
	int rc;

	buf_init(&text, conf_caps.output_bytes);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			buf_addc(&text, ' ');
		buf_adds(&text, args[i]);
	}
	rc = ask(a, text.data, text.len, err);
	buf_release(&text);
	return rc;
}

/* A line of stdin: a query record, or any object with a query. */
static int
ask_line(struct asked *a, const char *line, size_t len, struct arena *arena, struct err *err)
{
	const struct json *v;
	const char *text;
	size_t n;

	if (json_parse(line, len, arena, &v, err) < 0)
		return -1;
	text = json_get_string(v, "rewritten", &n);
	if (text == NULL)
		text = json_get_string(v, "query", &n);
	if (text == NULL)
		return err_set(err, ERR_DATA, "no key 'query' with a text");
	return ask(a, text, n, err);
}

static int
ask_stdin(struct asked *a, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct ndjson *in;
	const char *line;
	size_t len;
	int got, rc = 0;

	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE, "no question given");
	if (ndjson_open("-", 0, &in, err) < 0)
		return -1;
	while (rc == 0 && (got = ndjson_next(in, &line, &len, err)) != NDJSON_END) {
		if (got < 0) {
			rc = -1;
			break;
		}
		arena_reset(&arena);
		rc = got == NDJSON_TOO_LONG ? err_set(err, ERR_DATA, "line is too long") : ask_line(a, line, len, &arena, err);
		if (rc < 0 && err->code == ERR_DATA) {
			prog_warn("%s:%llu: %s", ndjson_name(in), (unsigned long long)ndjson_line(in), err->msg);
			err_clear(err);
			a->bad = true;
			rc = 0;
		}
	}
	ndjson_close(in);
	arena_release(&arena);
	return rc;
}

/* ---- options ---- */

static int
read_options(struct asked *a, struct err *err)
{
	static const char *const scopes[] = { "auto", "session", "user" };
	const char *where;
	int scope = -1;

	scope_name = conf_text("scope");
	for (size_t i = 0; i < NELEM(scopes); i++)
		if (strcmp(scopes[i], scope_name) == 0)
			scope = (int)i;
	if (scope < 0)
		return err_set(err, ERR_USAGE, "unknown scope '%s': session, user or auto", scope_name);
	/* as a setting it is for those calls that have a session */
	if (scope == SEARCH_SESSION && conf_origin("scope", &where) == CONF_OPTION && (prog_common.session == NULL || *prog_common.session == '\0'))
		return err_set(err, ERR_USAGE, "--scope session needs -s");
	a->who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project, prog_common.session };
	a->query = (struct search_query){
		.strategy = conf_text("strategy"), .limit = conf_int("limit"), .scope = (enum search_scope)scope,
		.min_score = conf_real("min_score"), .exact = exact, .now_us = clock_now_us(),
	};
	if (!search_knows(a->query.strategy))
		return err_set(err, ERR_USAGE, "unknown strategy '%s': fused, lexical, bm25 or recent", a->query.strategy);
	return filter_parse(&words, a->query.now_us, &a->query.filter, err);
}

static int
open_store(struct asked *a, struct err *err)
{
	int64_t start = clock_mono_us();

	if (store_open(conf_db(), STORE_READ, &a->store, err) < 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		prog_note("there is no store at '%s' yet", conf_db());
		err_clear(err);
		return 0;
	}
	a->us_open = clock_mono_us() - start;
	return search_open(a->store, &a->search, err);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct asked a = { .store = NULL };
	int i = prog_start(&prog, argc, argv);

	if (read_options(&a, &err) < 0 || open_store(&a, &err) < 0)
		goto out;
	if (i == argc || (argc - i == 1 && strcmp(argv[i], "-") == 0))
		ask_stdin(&a, &err);
	else
		ask_operands(&a, argv + i, argc - i, &err);
	if (err.code == 0 && a.bad)
		err.code = ERR_DATA;
	else if (err.code == 0 && status_if_none && a.n_found == 0)
		err.code = ERR_NOTFOUND;
out:
	search_close(a.search);
	store_close(a.store);
	return prog_end(&err);
}
