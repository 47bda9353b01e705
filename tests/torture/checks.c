/*
 * checks: mem-check --full, --deep and --full --backup, in turn, while eight writers store. What a
 * check reads is one moment of the store, so it must find nothing, and each copy must be whole and
 * hold as many messages as there were at some moment meanwhile.
 *
 * usage: SEED=n checks ROUNDS, in an empty directory, with MEM_DB set and the programs in PATH.
 *
 * Half of the writers keep one mem-ingest running, half start one for each batch. Small batches
 * make many segments, whose merging is what a check must not see halfway.
 */
#include "drive.h"

#define WRITERS 8
#define BATCH   3

enum how { FULL, DEEP, BACKUP, N_HOWS };

static uint64_t rng;

static void
start(struct child *c, int no)
{
	char session[32];
	char *argv[] = { "mem-ingest", "-q", "--from=ndjson", "-s", session, NULL };

	snprintf(session, sizeof(session), "s%d", no / 2);
	child_start(c, argv, 0);
}

static void
stop(struct child *c, int no)
{
	int status = child_end(c);

	if (status != 0)
		die("writer %d: mem-ingest: status %x", no, (unsigned)status);
}

/* Batches until the pipe of the parent is at its end; the number of messages. */
static int
write_until(int no, int until)
{
	struct child c = { 0, -1, -1 };
	int again = no % 2, k = 0;
	char text[BATCH * 200], byte;

	signal(SIGPIPE, SIG_IGN);
	fcntl(until, F_SETFL, O_NONBLOCK);
	if (!again)
		start(&c, no);
	do {
		size_t len = 0;
		if (again)
			start(&c, no);
		for (int i = 0; i < BATCH; i++, k++)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    "{\"role\":\"%s\",\"id\":\"%d.%d\",\"content\":\"writer %d says "
			    "number%d about the lighthouse and word%d\"}\n",
			    k % 2 ? "assistant" : "user", no, k, no, k, (int)between(&rng, 0, 500));
		if (write(c.in, text, len) != (ssize_t)len)
			die("writer %d: mem-ingest does not read", no);
		if (again)
			stop(&c, no);
		sleep_us(between(&rng, 5000, 60000));
	} while (read(until, &byte, 1) < 0);
	if (!again)
		stop(&c, no);
	return k;
}

/* Runs it; its status, and what it said on stdout. */
static int
say(char *const argv[], char *out, size_t size)
{
	struct child c;
	size_t len = 0;

	child_start(&c, argv, 1);
	for (ssize_t n; (n = read(c.out, out + len, size - 1 - len)) > 0; )
		len += (size_t)n;
	out[len] = '\0';
	return child_end(&c);
}

/* Whether it found something. */
static int
round_of(enum how how)
{
	char *full[] = { "mem-check", "-jq", "--full", NULL },
	     *deep[] = { "mem-check", "-jq", "--deep", NULL };
	char *backup[] = { "mem-check", "-jq", "--full", "--backup", "copy.db", NULL },
	     *copy[] = { "mem-check", "-jq", "--deep", "-d", "copy.db", NULL };
	char *const *argv = how == FULL ? full : how == DEEP ? deep : backup;
	char out[8192];
	int status = say(argv, out, sizeof(out));

	if (status == 0 && out[0] == '\0' && how == BACKUP) {
		argv = copy;
		status = say(copy, out, sizeof(out));
	}
	unlink("copy.db");
	if (status == 0 && out[0] == '\0')
		return 0;
	printf("%s%s: status %x: %s", argv == copy ? "copy of " : "",
	    how == FULL	      ? "--full"
		: how == DEEP ? "--deep"
			      : "--full --backup",
	    (unsigned)status, out);
	return 1;
}

int
main(int argc, char **argv)
{
	int n = (int)argument(argc, argv, 1, 30), alive[2], status, bad[N_HOWS] = { 0 }, failed = 0;
	struct child c;

	unsetenv("MEM_SEED");
	rng = seed();
	start(&c, 0);
	if (write(c.in, "{\"id\":\"first\",\"content\":\"first\"}\n", 33) != 33)
		die("no store");
	stop(&c, 0);
	if (pipe(alive) != 0)
		die("pipe: %s", strerror(errno));
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0) {
			close(alive[1]);
			rng += (uint64_t)i;
			exit(write_until(i, alive[0]) == 0);
		}
	close(alive[0]);
	sleep_us(300000);
	for (int i = 0; i < n; i++)
		bad[i % N_HOWS] += round_of((enum how)(i % N_HOWS));
	close(alive[1]);
	for (int i = 0; i < WRITERS; i++)
		failed += wait(&status) < 0 || status != 0;
	printf("%d rounds beside %d writers: damage that is not there: --full %d, --deep %d, "
	       "--full --backup %d; %d writers failed\n",
	    n, WRITERS, bad[FULL], bad[DEEP], bad[BACKUP], failed);
	return bad[FULL] + bad[DEEP] + bad[BACKUP] + failed > 0;
}
