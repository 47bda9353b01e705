/* mem-extract: find lasting facts in messages, each with the words that it rests on */
#include <unistd.h>

#include "base/preset.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/extract.h"
#include "facts/subject.h"
#include "json/ndjson.h"
#include "report/stats.h"
#include "gen/programs.h"

static bool rules, estimate;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file, for the account of model calls" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "whose memory (default: default)" },
	{ 0, "estimate", NULL, OPT_FLAG, &estimate, NULL, 0, 0, "ask nothing: say how many questions, tokens and how much money it would be" },
	{ 0, "rules", NULL, OPT_FLAG, &rules, NULL, 0, 0, "without a language model, also where one is configured" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_EXTRACT };

/* ---- output ---- */

static int
put_fact(void *arg, const struct fact *f, const char *const *quotes)
{
	struct buf *out = prog_out();
	LOCAL(arena) a = ARENA_INIT;

	(void)arg;
	if (!prog_for_people()) {
		fact_record(out, conf_text("user"), f, quotes);
	} else {
		buf_addf(out, "%-10s  ", fact_kind_names[f->kind]);
		const char *shown = fact_shown(f, &a);
		print_line(out, shown, strlen(shown), MAX(prog_columns() - 12, 20));
	}
	buf_addc(out, '\n');
	return 0;
}

/* Tokens at prices per million; 0 where no price is set. */
static double
money(const struct extract_counts *c)
{
	return ((double)c->tokens_in * conf_real("llm_price_in") +
		   (double)c->tokens_out * conf_real("llm_price_out")) / 1e6;
}

static void
put_stat(const char *name, double value, const char *unit)
{
	struct buf *out = prog_out();

	if (prog_for_people()) {
		buf_addf(out, "%-11s  %.9g\n", name, value);
		return;
	}
	json_record(out, "stat");
	json_str(out, "name", name);
	json_num(out, "value", value);
	json_str(out, "unit", unit);
	json_end(out);
}

/* What it would be, at most: an answer is mostly shorter. */
static void
put_estimate(const struct extract *e)
{
	const struct extract_counts *c = extract_counts(e);
	const struct preset *here = preset_at_hand();

	put_stat("messages", (double)c->messages, "count");
	put_stat("short", (double)c->short_ones, "count");
	put_stat("questions", (double)c->asked, "count");
	put_stat("tokens_in", (double)c->tokens_in, "count");
	put_stat("tokens_out", (double)c->tokens_out, "count");
	if (money(c) > 0)
		put_stat("cost", money(c), "money");
	if (conf_int("llm_budget") > 0)
		put_stat("budget", (double)conf_int("llm_budget"), "count");
	if (llm_is_on() && *preset_model() != '\0')
		prog_note("the model is %s", preset_model());
	else if (!llm_is_on() && here != NULL)
		prog_note("no model is set, but %s has one: mem config set llm_command %s",
		    here->name, here->name);
	else if (!llm_is_on())
		prog_note("no model is set: see mem-llm(1)");
}

/* What was asked, as the service counts it. */
static void
put_cost(const struct extract_counts *c)
{
	char cost[40] = "";

	if (c->asked == 0)
		return;
	if (money(c) > 0)
		snprintf(cost, sizeof(cost), ", cost %.4g", money(c));
	prog_note("%llu questions, %lld tokens in, %lld out%s", (unsigned long long)c->asked,
	    (long long)c->tokens_in, (long long)c->tokens_out, cost);
}

static void
put_summary(const struct extract *e)
{
	const struct extract_counts *c = extract_counts(e);
	const struct { uint64_t n; const char *what; } figures[] = {
		{ c->facts, "facts" }, { c->messages, "messages" }, { c->asked - c->answered, "questions without an answer" },
		{ c->unquoted, "dropped, whose quote is not there" }, { c->reworded, "put into the words of the quote" }, { c->short_ones, "short statements" } };

	LOCAL(buf) b = buf_of(2048);
	for (size_t i = 0; i < NELEM(figures); i++)
		if (figures[i].n > 0 || i < 2) {
			buf_adds(&b, b.len > 0 ? ", " : "");
			buf_add_count(&b, (int64_t)figures[i].n);
			buf_addf(&b, " %s", figures[i].what);
		}
	prog_note("%s", b.data);
	put_cost(c);
	if (*extract_note(e) != '\0')
		prog_caution("by rules, where the model did not answer: %s", extract_note(e));
}

/* ---- input ---- */

struct input {
	struct extract *extract;
	uint64_t n_bad;
	uint64_t n_passed;                     /* hits that are no messages */
};

/* Returns 1 when stdout is closed, so that there is nothing left to do. */
static int
flush(void *arg, struct err *err)
{
	(void)arg;
	(void)err;
	return prog_flush() != PROG_OUT_OK;
}

/* What was made of messages is found beside them, and facts are not found in it again. */
static bool
is_hit_of_record(const struct json *v)
{
	return json_is(v, "type", "hit") && json_get(v, "kind") != NULL &&
	    !json_is(v, "kind", "message");
}

static int
extract_line(void *arg, const struct ndjson_line *l, struct err *err)
{
	struct input *in = arg;
	const struct json *v;

	if (json_parse(l->text, l->len, l->arena, &v, err) != 0)
		return -1;
	if (is_hit_of_record(v))
		in->n_passed++;
	else if (!ndjson_is_end(v) && extract_message(in->extract, v, err) != 0)
		return -1;
	return prog_out()->len > 32 << 10 ? flush(in, err) : 0;
}

static int
pause_input(void *arg, struct err *err)
{
	struct input *in = arg;

	return extract_idle(in->extract) != 0 || flush(in, err) != 0;
}

static void
bad_line(void *arg, const struct ndjson_line *l, const char *why)
{
	struct input *in = arg;

	prog_warn("%s:%llu: %s", l->name, (unsigned long long)l->number, why);
	in->n_bad++;
}

static int
read_stdin(struct extract *e, uint64_t *n_bad, struct err *err)
{
	struct input in = { e, 0, 0 };

	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE,
		    "messages are read from the standard input: mem-list messages | mem-extract");
	int rc = ndjson_each("-", &(struct ndjson_fn){ &in, extract_line, bad_line, pause_input },
	    err);
	if (rc <= 0)
		extract_flush(e);
	*n_bad = in.n_bad;
	if (rc == 0 && in.n_passed > 0 && extract_counts(e)->messages == 0)
		return err_set(err, ERR_DATA, "no hit is a message");
	if (in.n_passed > 0)
		prog_caution("%llu of the hits are no messages", (unsigned long long)in.n_passed);
	return rc;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT, of_store = ERR_INIT;
	struct store *s = NULL;
	struct llm *l = NULL;
	uint64_t n_bad = 0;
	int i = prog_start(&prog, argc, argv);

	if (i < argc) {
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
		return prog_end(&err);
	}
	if (!rules && !estimate && llm_is_on()) {
		/* without a store, the ledger of model calls is kept in memory */
		store_open(conf_db(), STORE_WRITE, &s, &of_store);
		l = llm_new(s, conf_text("user"), "mem-extract", NULL);
	}
	struct extract *e = extract_new(conf_text("user"), l, put_fact, NULL);
	if (estimate)
		extract_estimate(e);
	read_stdin(e, &n_bad, &err);
	if (estimate && err.code == 0)
		put_estimate(e);
	else
		put_summary(e);
	if (err.code == 0 && n_bad > 0)
		err.code = ERR_DATA;           /* each one was reported */
	if (s != NULL && extract_counts(e)->short_ones > 0) {
		struct scope who = { conf_text("user"), NULL, NULL, NULL };
		char figures[40];
		snprintf(figures, sizeof(figures), "shortcuts=%llu",
		    (unsigned long long)extract_counts(e)->short_ones);
		stats_job(s, &who, prog.name, figures);
	}
	extract_free(e);
	llm_free(l);
	store_close(s);
	return prog_end(&err);
}
