/*
 * timeit.c: times whole processes, from before the start to after the end, in the order they are
 * given, so that peers take turns.
 *
 *	timeit [-w] [FILE]
 *
 * Each line is LABEL, then the command's words, parted by tabs. -w runs the first command of each
 * label once before, uncounted. Standard input and output of the commands are /dev/null. Prints for
 * each label, in the order they first came, one line of JSON: n, p50_ms, p95_ms, mean_ms, max_ms,
 * max_rss_kb, failures (exit status other than 0). Shares its memory with nothing: the floor of
 * max_rss_kb is its own, 2 MB.
 */
#define _DEFAULT_SOURCE        /* wait4 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "math/measure.h"

#define N_LABELS 64
#define N_WORDS  64

extern char **environ;

struct label {
	char *name;
	double *ms;
	size_t n, cap, n_failed;
	long rss_kb;
};

static struct label labels[N_LABELS];
static size_t n_labels;

static void
die(const char *what)
{
	fprintf(stderr, "timeit: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct label *
label_of(const char *name)
{
	size_t i;

	for (i = 0; i < n_labels; i++)
		if (strcmp(labels[i].name, name) == 0)
			return &labels[i];
	if (n_labels == N_LABELS) {
		errno = E2BIG;
		die("labels");
	}
	labels[n_labels].name = xstrdup(name);
	return &labels[n_labels++];
}

/* Splits line in place; words [n] end with NULL. */
static size_t
split(char *line, char **words)
{
	size_t n = 0;
	char *tab;

	line[strcspn(line, "\n")] = '\0';
	while (n < N_WORDS - 1) {
		words[n++] = line;
		if (!(tab = strchr(line, '\t')))
			break;
		*tab = '\0';
		line = tab + 1;
	}
	words[n] = NULL;
	return n;
}

static double
run(char **argv, long *rss_kb, int *status)
{
	posix_spawn_file_actions_t actions;
	struct rusage use;
	int64_t start;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	start = clock_mono_us();
	errno = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	if (errno)
		die(argv[0]);
	while (wait4(pid, status, 0, &use) < 0)
		if (errno != EINTR)
			die("wait4");
	start = clock_mono_us() - start;
	posix_spawn_file_actions_destroy(&actions);
	*rss_kb = use.ru_maxrss;
	return (double)start / 1000;
}

static void
take(char *line, bool warm)
{
	char *words[N_WORDS], *name;
	struct label *l;
	long rss_kb;
	double ms;
	int status;

	if (split(line, words) < 2)
		return;
	l = label_of(name = words[0]);
	if (warm && l->n == 0)
		run(words + 1, &rss_kb, &status);
	ms = run(words + 1, &rss_kb, &status);
	xgrow(&l->ms, &l->cap, l->n + 1, sizeof *l->ms);
	l->ms[l->n++] = ms;
	l->rss_kb = MAX(l->rss_kb, rss_kb);
	if (status != 0 && l->n_failed++ == 0)
		fprintf(stderr, "timeit: %s: '%s' failed: %s %d\n", name, words[1],
		    WIFSIGNALED(status) ? "signal" : "exit status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void
print(struct label *l)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < l->n; i++)
		sum += l->ms[i];
	printf("{\"label\":\"%s\",\"n\":%zu,\"p50_ms\":%.3f,\"p95_ms\":%.3f,\"mean_ms\":%.3f,"
	       "\"max_ms\":%.3f,\"max_rss_kb\":%ld,"
	       "\"failures\":%zu}\n",
	    l->name, l->n, measure_percentile(l->ms, l->n, 50), measure_percentile(l->ms, l->n, 95),
	    sum / (double)l->n, measure_percentile(l->ms, l->n, 100), l->rss_kb, l->n_failed);
	free(l->ms);
	free(l->name);
}

int
main(int argc, char **argv)
{
	bool warm = argc > 1 && strcmp(argv[1], "-w") == 0;
	const char *path = argc > 1 + warm ? argv[1 + warm] : "/dev/stdin";
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0, i;

	if (!f)
		die(path);
	while (getline(&line, &cap, f) > 0)
		take(line, warm);
	for (i = 0; i < n_labels; i++)
		print(&labels[i]);
	free(line);
	fclose(f);
	return 0;
}
