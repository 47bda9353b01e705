/* mem-cluster: sort what belongs together */
#include <unistd.h>

#include "cli/print.h"
#include "cli/prog.h"
#include "cluster/cluster.h"
#include "cluster/cluster_filter.h"
#include "gen/programs.h"

#define MAX_OF_ROOT 10

static int64_t k, max, least = 5, n_jobs;
static double near = .7;
static bool filter, keep, words, assign, recluster, list, rules;
static const char *compare, *root, *every, *rename_topic, *merge, *drop, *move_id;

static const struct prog_opt opts[] = {
	PROG_OPTS_MEMORY,
	{ 0, "assign", NULL, OPT_FLAG, &assign, NULL, 0, 0, "only new records to the subcategories that there are" },
	{ 0, "recluster", NULL, OPT_FLAG, &recluster, NULL, 0, 0, "forget the subcategories that there are, and make new ones" },
	{ 0, "root", "ROOT", OPT_TEXT, &root, NULL, 0, 0, "under this root alone: facts, preferences, skills, rules or context" },
	{ 0, "every", "TIME", OPT_TEXT, &every, NULL, 0, 0, "do nothing when the last run is younger: 30m, 6h, 2d" },
	{ 0, "rules", NULL, OPT_FLAG, &rules, NULL, 0, 0, "ask no language model for names" },
	{ 0, "list", NULL, OPT_FLAG, &list, NULL, 0, 0, "print the subcategories, or what is in the one that follows" },
	{ 0, "rename", "TOPIC", OPT_TEXT, &rename_topic, NULL, 0, 0, "give the subcategory TOPIC the name that follows" },
	{ 0, "merge", "TOPIC", OPT_TEXT, &merge, NULL, 0, 0, "put all of TOPIC into the subcategory that follows" },
	{ 0, "move", "ID", OPT_TEXT, &move_id, NULL, 0, 0, "put this record into the subcategory that follows" },
	{ 0, "drop", "TOPIC", OPT_TEXT, &drop, NULL, 0, 0, "show the subcategory TOPIC no more, nor what is like it" },
	{ 0, "least", "N", OPT_INT, &least, NULL, 1, 1000000, "members of a new one beside those that there are (default: 5)" },
	{ 0, "max", "N", OPT_INT, &max, NULL, 1, 1000000, "at most N, of each root 10 by default" },
	{ 0, "near", "SIM", OPT_REAL, &near, NULL, 0, 1, "similarity that is enough to join one (default: 0.7)" },
	{ 'J', "jobs", "N", OPT_INT, &n_jobs, NULL, 0, 256, "threads that compute; 0: one a processor (default)" },
	{ 0, "filter", NULL, OPT_FLAG, &filter, NULL, 0, 0, "add cluster and cluster_name to records on stdin, as - does" },
	{ 'k', "k", "N", OPT_INT, &k, NULL, 1, 1000000, "of records on stdin: N clusters (default: as many as there are)" },
	{ 0, "keep", NULL, OPT_FLAG, &keep, NULL, 0, 0, "... with a cluster keep it, others join or make new ones" },
	{ 0, "words", NULL, OPT_FLAG, &words, NULL, 0, 0, "... compared by their words, not by vectors" },
	{ 0, "model", "NAME", OPT_CONF, NULL, "model", 0, 0, "... the model for what has no vec (default: the best there is)" },
	{ 0, "compare", "KEY", OPT_TEXT, &compare, NULL, 0, 0, "... how well clusters agree with the labels in KEY, no records" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_QUIET("no messages but errors, and no records of a run"),
	PROG_OPTS_END
};

static const struct prog prog = { opts, PROG_MEM_CLUSTER };

/* ---- records on stdin ---- */

static void
run_filter(struct err *err)
{
	const struct cluster_filter_options o = {
		.k = (size_t)k,
		.max = (size_t)max,
		.least = (size_t)least,
		.near = near,
		.keep = keep,
		.words = words,
		.model = conf_text("model"),
		.compare = compare,
		.n_threads = (unsigned)n_jobs,
	};
	const struct cluster_filter_out out = { prog_put_lines, prog_warning, prog_noted,
		prog_cautioned, NULL };
	uint64_t n_bad = 0;

	if (isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	if (cluster_filter(&o, "-", &out, &n_bad, err) == 0 && n_bad > 0)
		err->code = ERR_DATA;          /* each was told */
}

/* ---- the store ---- */

static int
show_category(void *arg, const struct category *c)
{
	struct buf *out = prog_out();
	int columns = prog_columns();

	(void)arg;
	if (!prog_for_people()) {
		record_category(out, conf_text("user"), c);
	} else {
		buf_addf(out, "%6lld  %s/", (long long)c->n_members, fact_root_names[c->root]);
		print_line(out, c->name, strlen(c->name), columns > 60 ? columns - 24 : 36);
		buf_addc(out, '\n');
	}
	prog_flush_soon();
	return 0;
}

/* Of a list for people: the end of its id would not be known, so all of it. */
static void
show_member(void *arg, const struct cluster_member *m)
{
	struct buf *out = prog_out();
	int columns = prog_columns();

	(void)arg;
	if (!prog_for_people()) {
		record_member(out, conf_text("user"), m);
	} else {
		buf_addf(out, "%s  ", m->id);
		print_line(out, m->text, m->text_len, columns > 60 ? columns - 30 : 30);
		buf_addc(out, '\n');
	}
	prog_flush_soon();
}

static void
put_category(void *arg, const struct category *c)
{
	if (!assign && !prog_common.quiet && c->hand != HAND_DROPPED)
		show_category(arg, c);
}

static void
put_member(void *arg, const struct cluster_member *m)
{
	(void)arg;
	if (!assign || prog_for_people() || prog_common.quiet)
		return;
	record_member(prog_out(), conf_text("user"), m);
	prog_flush_soon();
}

static void
put_summary(const struct cluster_counts *c)
{
	if (c->why_not[0] != '\0')
		prog_caution("named by their words: %s", c->why_not);
	if (c->too_soon) {
		prog_note("the last run is younger than %s", every);
	} else if (c->overtaken) {
		prog_note("another run was faster: nothing was changed");
	} else {
		prog_note("%lld record%s: %lld joined a subcategory, %lld %s no vector yet; of "
			  "the subcategories %lld %s new, %lld became part of another",
		    (long long)c->n_records, PLURAL(c->n_records), (long long)c->n_joined,
		    (long long)c->n_waiting, c->n_waiting == 1 ? "has" : "have",
		    (long long)c->n_new, c->n_new == 1 ? "is" : "are", (long long)c->n_merged);
		if (c->n_named > 0)
			prog_note("the model named %lld", (long long)c->n_named);
		if (c->by_words)
			prog_note(
			    "some were compared by their words: mem-embed gives them vectors");
	}
}

static int
list_category(void *arg, const struct category *c)
{
	return c->hand == HAND_DROPPED ? 0 : show_category(arg, c);
}

static int
by_hand(void)
{
	return (rename_topic != NULL) + (merge != NULL) + (drop != NULL) + (move_id != NULL);
}

/* What is done by hand; a: what the option names, b: the operand. */
static void
run_edit(struct store *s, const struct scope *who, const char *operand, struct err *err)
{
	const enum cluster_edit what = rename_topic != NULL ? CLUSTER_RENAME
	    : merge != NULL				    ? CLUSTER_MERGE
	    : drop != NULL				    ? CLUSTER_DROP
							    : CLUSTER_MOVE;
	const char *const of[] = { rename_topic, merge, drop, move_id };
	LOCAL(arena) a = ARENA_INIT;
	const struct category *c;

	if (cluster_edit(s, who, what, of[what], operand, &a, &c, err) == 0)
		put_category(NULL, c);
}

static void
run_store(int64_t every_us, const char *operand, int under, struct err *err)
{
	const struct scope who = { conf_text("user"), NULL, NULL, NULL };
	const struct cluster_fn members = { NULL, show_member, NULL };
	const struct cluster_options o = {
		.max = max > 0 ? (size_t)max : MAX_OF_ROOT,
		.least = (size_t)least,
		.near = near,
		.assign = assign,
		.recluster = recluster,
		.rules = rules,
		.root = (enum fact_root)under,
		.every_us = every_us,
		.n_threads = (unsigned)n_jobs,
	};
	const struct cluster_fn fn = { put_category, put_member, NULL };
	struct cluster_counts counts;
	struct store *s;

	if (store_open(conf_db(), list ? STORE_READ : STORE_WRITE, &s, err) != 0) {
		prog_empty(err);
		return;
	}
	if (list && operand != NULL)
		cluster_members(s, &who, operand, &members, err);
	else if (list)
		categories_each(s, &who, list_category, NULL, err);
	else if (by_hand())
		run_edit(s, &who, operand, err);
	else if (cluster_run(s, &who, &o, &fn, &counts, err) == 0)
		put_summary(&counts);
	store_close(s);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int i = prog_start(&prog, argc, argv);
	bool from_stdin = i < argc && strcmp(argv[i], "-") == 0,
	     of_records = k > 0 || keep || words || compare != NULL;
	bool wants = rename_topic != NULL || merge != NULL || move_id != NULL;
	const char *operand = i < argc && !from_stdin ? argv[i] : NULL;
	int64_t every_us = 0;
	int under = root != NULL ? fact_root_parse(root) : N_FACT_ROOTS;

	if (i + 1 < argc || (operand != NULL && !list && !wants))
		err_set(&err, ERR_USAGE, "takes no such operand: '%s'", argv[argc - 1]);
	else if (by_hand() + list + assign + recluster > 1)
		err_set(&err, ERR_USAGE, "--rename, --merge, --move, --drop, --assign, --recluster "
			"and --list exclude each other");
	else if (wants && operand == NULL)
		err_set(&err, ERR_USAGE, rename_topic != NULL
			? "--rename TOPIC is followed by the new name"
			: "--merge TOPIC and --move ID are followed by the subcategory");
	else if (of_records && !from_stdin && !filter)
		err_set(&err, ERR_USAGE,
		    "-k, --keep, --words and --compare are for records on stdin: with - or "
		    "--filter");
	else if ((from_stdin || filter) && (assign || recluster || list || every != NULL ||
	    root != NULL || by_hand() > 0))
		err_set(&err, ERR_USAGE,
		    "--assign, --recluster, --root, --every, --list and changes by hand are of the "
		    "store, not of records on stdin");
	else if (under < 0)
		err_set(&err, ERR_USAGE,
		    "unknown root '%s': facts, preferences, skills, rules or context", root);
	else if (root != NULL && (list || by_hand() > 0))
		err_set(&err, ERR_USAGE, "--root is of a run: without --list and changes by hand");
	else if (k > 0 && max > 0)
		err_set(&err, ERR_USAGE, "-k and --max exclude each other");
	else if (words && conf_origin("model", NULL) == CONF_OPTION)
		err_set(&err, ERR_USAGE, "--words and --model exclude each other");
	else if (every != NULL && (every_us = time_parse_span(every)) < 0)
		err_set(&err, ERR_USAGE, "--every is a time as 30m, 6h or 2d, not '%s'", every);
	else if (from_stdin || filter)
		run_filter(&err);
	else if (prog_unread(PROG_UNREAD_MS, &err) == 0)
		run_store(every_us, operand, under, &err);
	return prog_end(&err);
}
