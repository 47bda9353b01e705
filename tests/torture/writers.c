/*
 * writers: eight writers, four readers and a checkpointing mem-check on one store at once.
 *
 * usage: writers [MESSAGES [USERS]], in an empty directory, with MEM_DB set and the programs in
 * PATH. The last of the writers have a memory each, so that there are so many users (2).
 *
 * Each writer sends a batch of lines and waits until all of them have been printed; the longest
 * such wait is what is measured. Half of the writers keep one mem-ingest running, half start one
 * for each batch, as hooks do. The store must hold exactly what was sent, no program may fail, and
 * nobody may say a word on stderr.
 */
#include <sys/stat.h>

#include "drive.h"

#define WRITERS  8
#define READERS  4
#define BATCH    20
#define MOST_US  10000000

struct writer { int no, n; struct child c; int64_t longest; };

static int n_users = 2;

static const char *
user_of(int writer, char *out, size_t size)
{
	if (writer <= WRITERS - n_users)
		snprintf(out, size, "default");
	else
		snprintf(out, size, "user%d", writer);
	return out;
}

static void
start(struct writer *w)
{
	char session[32], user[32];
	char *argv[] = { "mem-ingest", "--from=ndjson", "-s", session, "-u", user, NULL };

	/* some share a session */
	snprintf(session, sizeof(session), "s%d", w->no / 2);
	user_of(w->no, user, sizeof(user));
	child_start(&w->c, argv, 0);
}

static void
stop(struct writer *w)
{
	char c;
	int status;

	close(w->c.in);
	w->c.in = -1;
	while (read(w->c.out, &c, 1) > 0)
		;
	if ((status = child_end(&w->c)) != 0)
		die("writer %d: mem-ingest: status %x", w->no, (unsigned)status);
}

static void
send_batch(struct writer *w, int from, int to)
{
	char text[BATCH * 200], in[65536];
	size_t len = 0;
	int64_t began = now_us();

	for (int k = from; k < to; k++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "{\"role\":\"%s\",\"id\":\"%d.%d\",\"content\":\"writer %d says number%d about "
		    "the lighthouse and getUserName\"}\n",
		    k % 2 ? "assistant" : "user", w->no, k, w->no, k);
	for (size_t at = 0; at < len; ) {
		ssize_t n = write(w->c.in, text + at, len - at);
		if (n < 0)
			die("writer %d: mem-ingest does not read: %s", w->no, strerror(errno));
		at += (size_t)n;
	}
	for (int want = to - from; want > 0; ) {
		ssize_t n = read(w->c.out, in, sizeof(in));
		if (n <= 0)
			die("writer %d: mem-ingest ended, %d lines missing", w->no, want);
		for (ssize_t i = 0; i < n; i++)
			want -= in[i] == '\n';
	}
	if (now_us() - began > w->longest)
		w->longest = now_us() - began;
}

static int64_t
write_all(struct writer *w)
{
	int again = w->no % 2;

	signal(SIGPIPE, SIG_IGN);
	if (!again)
		start(w);
	for (int k = 0; k < w->n; k += BATCH) {
		if (again)
			start(w);
		send_batch(w, k, k + BATCH < w->n ? k + BATCH : w->n);
		if (again)
			stop(w);
	}
	if (!again)
		stop(w);
	return w->longest;
}

/*
 * Runs a program over and over until the pipe of those who write is at its end; the number of runs.
 */
static void
repeat(char *const argv[], int until, int64_t pause)
{
	char c;

	fcntl(until, F_SETFL, O_NONBLOCK);
	while (read(until, &c, 1) < 0) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			int null = open("/dev/null", O_WRONLY);
			dup2(null, 1);
			execvp(argv[0], argv);
			_exit(127);
		}
		waitpid(pid, &status, 0);
		if (status != 0)
			die("%s: status %x", argv[0], (unsigned)status);
		sleep_us(pause);
	}
	exit(0);
}

static int
count(const char *user)
{
	char *argv[] = { "mem-list", "-j", "-u", (char *)user, NULL }, in[65536];
	struct child c;
	int lines = 0, status;

	child_start(&c, argv, 1);
	for (ssize_t n; (n = read(c.out, in, sizeof(in))) > 0; )
		for (ssize_t i = 0; i < n; i++)
			lines += in[i] == '\n';
	if ((status = child_end(&c)) != 0)
		die("mem-list: status %x", (unsigned)status);
	return lines;
}

int
main(int argc, char **argv)
{
	int n = (int)argument(argc, argv, 1, 200), alive[2], result[2], status, failed = 0, err;
	char *search[] = { "mem-search", "--exact", "lighthouse number7", NULL },
	     *list[] = { "mem-list", "-n", "50", "--reverse", NULL };
	char *check[] = { "mem-check", "-q", "--checkpoint", NULL },
	     *deep[] = { "mem-check", "-q", "--deep", NULL };
	int64_t longest = 0, waits[WRITERS];
	struct child c;
	struct stat st;
	int stored = 0;
	char user[32];

	n_users = (int)argument(argc, argv, 2, 2);
	unsetenv("MEM_SEED");
	if (pipe(alive) != 0 || pipe(result) != 0 ||
	    (err = open("said", O_RDWR | O_CREAT | O_APPEND, 0600)) < 0)
		die("pipe: %s", strerror(errno));
	c.in = c.out = -1;
	{
		/* so that the readers find a store */
		struct writer first = { 0, 1, { 0, -1, -1 }, 0 };
		start(&first);
		stop(&first);
	}
	dup2(err, 2);
	for (int i = 0; i < WRITERS; i++) {
		if (fork() == 0) {
			struct writer w = { i, n, { 0, -1, -1 }, 0 };
			int64_t us;
			close(alive[0]);
			us = write_all(&w);
			exit(write(result[1], &us, sizeof(us)) != sizeof(us));
		}
	}
	close(alive[1]);
	for (int i = 0; i < READERS + 1; i++)
		if (fork() == 0)
			repeat(i == READERS ? check
				: i % 2	    ? list
					    : search,
			    alive[0], i == READERS ? 20000 : 1000);
	for (int i = 0; i < WRITERS + READERS + 1; i++)
		if (wait(&status) > 0 && status != 0)
			failed++;
	if (fstat(err, &st) == 0 && st.st_size > 0) {
		if (system("head -n 20 said") != 0)
			failed++;
		die("%lld bytes on stderr, %d failed", (long long)st.st_size, failed);
	}
	if (failed > 0)
		die("%d failed", failed);
	for (int i = 0; i < WRITERS; i++) {
		if (read(result[0], &waits[i], sizeof(waits[i])) != sizeof(waits[i]))
			die("no result of a writer");
		longest = waits[i] > longest ? waits[i] : longest;
	}
	for (int i = WRITERS - n_users; i < WRITERS; i++)
		stored += count(user_of(i, user, sizeof(user)));
	if (stored != WRITERS * n)
		die("%d messages, not %d", stored, WRITERS * n);
	child_start(&c, deep, 1);
	if ((status = child_end(&c)) != 0)
		die("mem-check --deep: status %x", (unsigned)status);
	printf("%d writers x %d messages of %d users, longest wait of a batch of %d: %.0f ms\n",
	    WRITERS, n, n_users, BATCH, (double)longest / 1000);
	return longest > MOST_US;
}
