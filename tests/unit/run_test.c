/*
 * run_test.c: a program that is run to its end, that says too much, that takes too long, that
 * nobody waits for, and that does not read what it is given.
 */
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/run.h"
#include "base/spawn.h"
#include "base/write.h"
#include "tap.h"

static bool
nobody(void)
{
	return true;
}

static struct ran
ran(const char *script, const char *in, size_t most, bool (*gone)(void), int64_t ms)
{
	const char *const args[] = { "sh", "-c", script, NULL };
	struct err err = ERR_INIT;
	struct ran r;

	run_within(args, in, strlen(in),
	    &(struct run_limits){ clock_mono_us() + ms * 1000, most, gone, true }, &r, &err);
	return r;
}

int
main(void)
{
	struct ran r = ran("cat; echo bad >&2; exit 3", "hello", 100, NULL, 20000);
	static char much[1 << 20];
	const char *const missing[] = { "no-such-program-at-all", NULL };
	struct err err = ERR_INIT;
	int fd[2];

	ok(r.how == RAN_WHOLE && r.status == 3, "the status of a program is given");
	is_str(r.out.data, "hello", "a program gets its input and gives its output");
	is_str(ran_line(&r), "bad", "what it says on the standard error is kept");
	ran_release(&r);
	r = ran("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i + 1)); done", "", 9, NULL,
	    60000);
	ok(strstr(r.said.data, "line 2999\n") != NULL && r.said.len < 20000,
	    "of much on the standard error the end is kept");
	ran_release(&r);
	r = ran("echo more than nine bytes; sleep 100", "", 9, NULL, 60000);
	ok(r.how == RAN_OVER && r.status == 128 + SIGKILL, "a program that says too much is ended");
	ran_release(&r);
	r = ran("sleep 100", "", 9, NULL, 100);
	ok(r.how == RAN_LATE, "a program is ended when its time is over");
	ran_release(&r);
	r = ran("sleep 100", "", 9, nobody, 60000);
	ok(r.how == RAN_ALONE, "a program is ended when nobody waits for it");
	ran_release(&r);
	r = ran("sleep 100 & echo x", "", 9, NULL, 60000);
	ok(r.how == RAN_WHOLE && r.out.len == 2, "what a program leaves running is not waited for");
	ran_release(&r);
	memset(much, 'x', sizeof(much) - 1);
	r = ran("exec 0<&-; echo done", much, 9, NULL, 60000);
	ok(r.how == RAN_WHOLE && r.status == 0,
	    "a program that reads nothing ends neither itself nor us");
	ran_release(&r);
	ok(run(missing, "", 0, 1000, &r, &err) < 0 && r.status == 127 && r.how == RAN_NOT,
	    "a program that is not there does not start");
	ran_release(&r);
	ok(spawn_has("sh") && !spawn_has("no-such-program-at-all"), "programs are found in PATH");
	if (pipe(fd) != 0)
		return 1;
	close(fd[0]);
	ok(write_quietly(fd[1], "x", 1) < 0, "a pipe that nobody reads ends no process of others");
	close(fd[1]);
	return tap_done();
}
