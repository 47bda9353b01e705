/* mem-eval: measure how well searches find what is relevant */
#include "base/ascii.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "eval/eval.h"
#include "records/named.h"
#include "gen/programs.h"

#define STRATEGIES_MAX   16
#define CATEGORY_COLUMNS 24
#define QUESTIONS_ENOUGH 100               /* to learn weights that hold for others */
#define STRATEGY_COLUMNS 11

static const char *map_text, *strategy_text = "fused", *k_text = "5,10";
static const char *kind_text, *signals_text;
static bool multi_user, learn;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "strategy", "NAMES", OPT_TEXT, &strategy_text, NULL, 0, 0, "one or more, with commas between them (default: fused)" },
	{ 'k', "cut", "NUMBERS", OPT_TEXT, &k_text, NULL, 0, 0, "measure the first so many hits (default: 5,10)" },
	{ 0, "map", "EXPR", OPT_TEXT, &map_text, NULL, 0, 0, "a jq program, or a file of one, that makes questions of the lines" },
	{ 0, "multi-user", NULL, OPT_FLAG, &multi_user, NULL, 0, 0, "questions carry their own user" },
	{ 0, "grid", NULL, OPT_FLAG, &learn, NULL, 0, 0, "learn the weights of the signals, and say what each is worth" },
	{ 0, "kind", "KIND", OPT_TEXT, &kind_text, NULL, 0, 0, "score all sessions as of this kind: chat, assistant or unknown" },
	{ 0, "signals", "NAMES", OPT_TEXT, &signals_text, NULL, 0, 0, "with --grid: these only, with commas between them" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_EVAL };

static unsigned k[SCORES_K_MAX];
static const char *strategies[STRATEGIES_MAX];
static struct eval_want want = { .strategies = strategies, .k = k };
static bool signal_is_off[N_SIGNALS];
static struct eval *eval;
static struct from *map;
static struct arena words = ARENA_INIT;        /* strings made of the options */
#define BAD_TOLD 10
static size_t n_bad;

/* ---- what is wanted ---- */

static int
parse_cuts(struct err *err)
{
	const char *s = k_text;
	char *end;

	for (;; s = end + 1) {
		unsigned long v = ascii_is_digit(*s) ? strtoul(s, &end, 10) : 0;

		if (v < 1 || v > 1000 || (*end != '\0' && *end != ','))
			return err_set(err, ERR_USAGE,
			    "-k takes numbers from 1 to 1000, such as 5,10, not '%s'", k_text);
		if (want.n_k > 0 && v <= k[want.n_k - 1])
			return err_set(err, ERR_USAGE, "-k takes ascending numbers, not '%s'",
			    k_text);
		if (want.n_k == SCORES_K_MAX)
			return err_set(err, ERR_USAGE, "-k takes at most %d numbers", SCORES_K_MAX);
		k[want.n_k++] = (unsigned)v;
		if (*end == '\0')
			return 0;
	}
}

/* Calls fn with each word of a comma-separated list; an error stops it. */
static int
each_word(const char *list, int (*fn)(const char *word, struct err *err), struct err *err)
{
	char *s = arena_strdup(&words, list), *comma;

	for (;; s = comma + 1) {
		if ((comma = strchr(s, ',')) != NULL)
			*comma = '\0';
		if (fn(s, err) != 0)
			return -1;
		if (comma == NULL)
			return 0;
	}
}

static int
add_strategy(const char *word, struct err *err)
{
	if (want.n_strategies == STRATEGIES_MAX)
		return err_set(err, ERR_USAGE, "--strategy takes at most %d names", STRATEGIES_MAX);
	strategies[want.n_strategies++] = word;
	return 0;
}

static int
add_signal(const char *word, struct err *err)
{
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (strcmp(signals[i].name, word) == 0) {
			signal_is_off[i] = false;
			return 0;
		}
	return err_set(err, ERR_USAGE, "unknown signal '%s' (mem-search --explain shows them)",
	    word);
}

static int
parse_kind(struct err *err)
{
	if (kind_text == NULL)
		return 0;
	for (int i = 0; i < N_SESSION_KINDS; i++)
		if (strcmp(profile_kind_names[i], kind_text) == 0) {
			want.as_kind = true;
			want.kind = (enum session_kind)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "unknown kind '%s': chat, assistant or unknown", kind_text);
}

static int
parse_grid(struct err *err)
{
	if (!learn)
		return signals_text == NULL ? 0
					    : err_set(err, ERR_USAGE, "--signals goes with --grid");
	for (size_t i = 0; i < want.n_strategies; i++)
		if (strcmp(strategies[i], "hybrid") == 0 && want.hybrid == NULL)
			want.hybrid = learn_weights_new(true);
	if (want.hybrid == NULL || want.n_strategies > 1)
		want.learner = learn_weights_new(false);
	else if (signals_text != NULL)
		return err_set(err, ERR_USAGE, "--signals are not those of hybrid alone");
	if (signals_text == NULL)
		return 0;
	memset(signal_is_off, true, sizeof(signal_is_off));
	return each_word(signals_text, add_signal, err);
}

static void
on_bad(void *arg, const char *file, uint64_t line, const char *why)
{
	(void)arg;
	/* of a file that is none, a few lines say enough */
	if (n_bad++ < BAD_TOLD)
		prog_warn("%s:%llu: %s", file, (unsigned long long)line, why);
}

/* ---- scores ---- */

static const char *strategy;       /* the strategy whose scores are being printed */

static void
cell(const char *text, int columns)
{
	print_cell(prog_out(), text, strlen(text), columns, 1);
}

static void
text_heads(void)
{
	struct buf *out = prog_out();

	cell("strategy", STRATEGY_COLUMNS);
	cell("category", CATEGORY_COLUMNS);
	buf_addf(out, "%5s", "n");
	for (size_t i = 0; i < want.n_k; i++)
		buf_addf(out, "   R@%-3u", k[i]);
	for (size_t i = 0; i < want.n_k; i++)
		buf_addf(out, " nDCG@%-2u", k[i]);
	buf_addf(out, "  MRR@%-2u  ms p50     p95\n", k[want.n_k - 1]);
}

static void
text_score(void *arg, const struct score *v)
{
	struct buf *out = prog_out();

	(void)arg;
	cell(strategy, STRATEGY_COLUMNS);
	cell(v->category, CATEGORY_COLUMNS);
	buf_addf(out, "%5zu", v->n);
	for (size_t i = 0; i < want.n_k; i++)
		buf_addf(out, "   %.3f", v->recall[i]);
	for (size_t i = 0; i < want.n_k; i++)
		buf_addf(out, "   %.3f", v->ndcg[i]);
	buf_addf(out, "   %.3f %7.2f %7.2f\n", v->mrr, v->ms_p50, v->ms_p95);
	if (v->n_unanswerable > 0)
		buf_addf(out, "%*s%zu unanswerable: AUC %.3f, false recalls %.3f\n",
		    STRATEGY_COLUMNS, "", v->n_unanswerable, v->auc, v->false_recalls);
}

static void
record_score(void *arg, const struct score *v)
{
	score_write(prog_out(), arg, strategy, v);
}

static void
print_counts(void)
{
	struct eval_counts n = eval_counts(eval);

	if (n.n_left_out > 0)
		prog_caution("%zu question%s with nothing relevant left out of the figures",
		    n.n_left_out, n.n_left_out == 1 ? "" : "s");
	if (n.n_unknown > 0)
		prog_caution("%zu relevant id%s not in the store: never found", n.n_unknown,
		    n.n_unknown == 1 ? " is" : "s are");
}

static void
print_scores(const char *name, const struct scores *s)
{
	strategy = name;
	scores_each(s, prog_for_people() ? text_score : record_score, (void *)s);
}

/* ---- weights ---- */

static bool has_weight_heads;

static void
print_weight(void *arg, const struct learn_weights_weight *w)
{
	struct buf *out = prog_out();

	(void)arg;
	if (!prog_for_people()) {
		learn_weights_write(out, w);
		return;
	}
	if (!has_weight_heads)
		buf_addf(out, "\n%-15s %-16s %8s %8s %8s %8s\n", "kind", "signal", "weight", "low",
		    "high", "matters");
	has_weight_heads = true;
	buf_addf(out, "%-15s %-16s %8.3f %8.3f %8.3f %8.4f\n", w->kind, w->signal, w->weight,
	    w->low, w->high, w->matters);
}

/* What was learnt, and as strategy `name` the scores of questions ranked by what others taught. */
static int
print_learnt(const struct learn_weights *g, const bool is_off[N_SIGNALS], const char *name,
	struct err *err)
{
	struct scores *left_out = scores_new(k, want.n_k);
	int rc = g == NULL ? 0 : learn_weights_learn(g, is_off, left_out, print_weight, NULL, err);

	if (rc == 0 && g != NULL)
		print_scores(name, left_out);
	scores_free(left_out);
	return rc;
}

static int
print_all_learnt(struct err *err)
{
	static const bool none[N_SIGNALS];
	size_t n = eval_counts(eval).n_asked;

	if (n < QUESTIONS_ENOUGH)
		prog_caution("weights that were learnt from %zu question%s hold for little else: "
			     "%d are few", n, n == 1 ? "" : "s", QUESTIONS_ENOUGH);
	if (print_learnt(want.learner, signal_is_off, "grid", err) != 0)
		return -1;
	return print_learnt(want.hybrid, none, "grid-hybrid", err);
}

static int
print_all(struct err *err)
{
	print_counts();
	if (eval_counts(eval).n_asked == 0)
		return learn ? err_set(err, ERR_DATA, "nothing to learn from: no question") : 0;
	if (prog_for_people())
		text_heads();
	for (size_t i = 0; i < want.n_strategies; i++)
		print_scores(strategies[i], eval_scores(eval, i));
	return learn ? print_all_learnt(err) : 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	int i = prog_start(&prog, argc, argv);

	want.who = (struct scope)PROG_SCOPE;
	want.multi_user = multi_user;
	if (parse_cuts(&err) != 0 || each_word(strategy_text, add_strategy, &err) != 0 ||
	    parse_kind(&err) != 0 || parse_grid(&err) != 0 ||
	    (map_text != NULL && from_open_map(map_text, &map, &err) != 0) ||
	    store_open(conf_db(), STORE_READ, &s, &err) != 0 ||
	    scope_in(s, &want.who, prog_cautioned, prog_cautioned, &words, &err) != 0 ||
	    eval_open(s, &want, &eval, &err) != 0)
		goto out;
	if (i == argc)
		eval_read(eval, "-", map, on_bad, NULL, &err);
	for (; i < argc && err.code == 0; i++)
		eval_read(eval, argv[i], map, on_bad, NULL, &err);
	if (err.code == 0)
		print_all(&err);
	if (err.code == 0 && n_bad > 0)
		err_set(&err, ERR_DATA, "%zu bad line%s left out; a question is a line as "
		    "{\"query\":\"...\",\"relevant\":[\"ID\"]}", n_bad, n_bad == 1 ? "" : "s");
out:
	eval_close(eval);
	learn_weights_free(want.learner);
	learn_weights_free(want.hybrid);
	store_close(s);
	from_close(map);
	arena_release(&words);
	return prog_end(&err);
}
