/*
 * mem-cluster: sort what belongs together
 */
#include <unistd.h>

#include "cli/prog.h"
#include "verb/cluster_filter.h"

static int64_t k, max, least = 5, n_jobs;
static double near = .7;
static bool filter, keep, words;
static const char *compare;

static const struct prog_opt opts[] = {
	{ 0, "filter", NULL, OPT_FLAG, &filter, NULL, 0, 0, "add cluster and cluster_name to records on stdin, as - does" },
	{ 'k', "k", "N", OPT_INT, &k, NULL, 1, 1000000, "N clusters (default: as many as there are)" },
	{ 0, "max", "N", OPT_INT, &max, NULL, 1, 1000000, "N clusters at most" },
	{ 0, "keep", NULL, OPT_FLAG, &keep, NULL, 0, 0, "records with a cluster keep it, others join or make new ones" },
	{ 0, "least", "N", OPT_INT, &least, NULL, 1, 1000000, "members of a new cluster beside known ones (default: 5)" },
	{ 0, "near", "SIM", OPT_REAL, &near, NULL, 0, 1, "similarity that is enough to join one (default: 0.7)" },
	{ 0, "words", NULL, OPT_FLAG, &words, NULL, 0, 0, "compare texts by their words, not by vectors" },
	{ 0, "model", "NAME", OPT_CONF, NULL, "model", 0, 0, "the model for what has no vec (default: the best there is)" },
	{ 0, "compare", "KEY", OPT_TEXT, &compare, NULL, 0, 0, "print how well clusters agree with the labels in KEY, no records" },
	{ 'J', "jobs", "N", OPT_INT, &n_jobs, NULL, 0, 256, "threads that compute; 0: one a processor (default)" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = {
	"mem-cluster", "sort what belongs together", "[-]", opts,
	"  mem-embed --filter <texts.ndjson | mem-cluster -\n"
	"  mem-cluster -k 20 --words - <texts.ndjson | jq -r '[.cluster_name, .text] | @tsv' | sort\n"
};

static int
put_records(void *arg, const char *ndjson, size_t len)
{
	(void)arg;
	buf_add(prog_out(), ndjson, len);
	return prog_flush() != PROG_OUT_OK;
}

static void
put_warning(void *arg, const char *text)
{
	(void)arg;
	prog_warn("%s", text);
}

static void
put_note(void *arg, const char *text)
{
	(void)arg;
	prog_note("%s", text);
}

static void
run_filter(struct err *err)
{
	const struct cluster_filter_options o = {
		.k = (size_t)k, .max = (size_t)max, .least = (size_t)least, .near = near, .keep = keep, .words = words, .model = conf_text("model"),
		.compare = compare, .n_threads = (unsigned)n_jobs,
	};
	const struct cluster_filter_out out = { put_records, put_warning, put_note, NULL };
	uint64_t n_bad = 0;

	if (isatty(STDIN_FILENO))
		prog_note("reading the terminal; end with Control-D");
	if (cluster_filter(&o, "-", &out, &n_bad, err) == 0 && n_bad > 0)
		err->code = ERR_DATA;          /* each was told */
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	int i = prog_start(&prog, argc, argv);
	bool from_stdin = i < argc && strcmp(argv[i], "-") == 0;

	if (i + from_stdin < argc)
		err_set(&err, ERR_USAGE, "takes no operand but -, not '%s'", argv[i + from_stdin]);
	else if (k > 0 && max > 0)
		err_set(&err, ERR_USAGE, "-k and --max exclude each other");
	else if (words && *conf_text("model") != '\0' && conf_origin("model", NULL) == CONF_OPTION)
		err_set(&err, ERR_USAGE, "--words and --model exclude each other");
	else
		run_filter(&err);
	return prog_end(&err);
}
