/*
 * prog_test.c: options and streams, each case in a child process, as wrong usage ends the program.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/prog.h"
#include "cli/progress.h"

#include "tap.h"

static bool flag;
static const char *text;
static int64_t number;
static double real;
static struct prog_list list;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	{ 'f', "flag", NULL, OPT_FLAG, &flag, NULL, 0, 0, "a flag" },
	{ 't', "text", "TEXT", OPT_TEXT, &text, NULL, 0, 0, "a text" },
	{ 'n', "number", "N", OPT_INT, &number, NULL, 1, 1000, "a number" },
	{ 'i', "any", "N", OPT_INT, &number, NULL, 0, 0, "any number" },
	{ 'r', "real", "X", OPT_REAL, &real, NULL, 0, 1, "a real" },
	{ 'l', "list", "ITEM", OPT_LIST, &list, NULL, 0, 0, "an item" },
	{ 0, "a-very-long-name-of-an-option", "THING", OPT_TEXT, &text, NULL, 0, 0, "explained on the next line" },
	{ 0, "limit", "N", OPT_CONF, NULL, "limit", 0, 0, "a setting" },
	{ 0, "keep-secrets", NULL, OPT_CONF, NULL, "keep_secrets", 0, 0, "a switch among the settings" },
	{ 0, "hidden", NULL, OPT_FLAG, &flag, NULL, 0, 0, NULL },
	PROG_OPTS_END
};
static const struct prog prog = { opts, "mem-x", "test", "[WORD ...]", "  mem-x a\n" };

static char said[8192];

/* What the options came to, in one line. */
static void
report(int first, int argc, char **argv)
{
	struct buf *out = prog_out();
	size_t i;

	buf_addf(out, "%d %s %lld %g", flag, text != NULL ? text : "-", (long long)number, real);
	buf_addf(out, " [");
	for (i = 0; i < list.n; i++)
		buf_addf(out, "%s;", list.items[i]);
	buf_addf(out, "] [");
	for (; first < argc; first++)
		buf_addf(out, "%s;", argv[first]);
	buf_addf(out, "] %s %lld %d %s%d%d%d", conf_text("user"), (long long)conf_int("limit"),
	    conf_bool("keep_secrets"), prog_common.session, prog_common.json, prog_common.quiet,
	    prog_common.verbose);
}

/* How stdout is looked upon, then a note and a warning. */
static void
look(void)
{
	buf_addf(prog_out(), "%d %d %d;", prog_for_people(), prog_columns(), prog_color());
	prog_flush();
	prog_note("note");
	prog_warn("%s:%d: bad\n\033[1m", "f", 3);
}

/*
 * Runs "mem-x words" (up to NULL) in a child; its stdout and stderr go to said. Returns its exit
 * status.
 */
static int
run(const char *const *words)
{
	char *argv[16] = { (char *)"mem-x" };
	int fds[2], argc = 1, status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	while (*words != NULL)
		argv[argc++] = strdup(*words++);
	if (pipe(fds) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		struct err err = ERR_INIT;

		dup2(fds[1], 1);
		dup2(fds[1], 2);
		close(fds[0]);
		close(fds[1]);
		if (argc > 1 && strcmp(argv[argc - 1], "look") == 0) {
			prog_start(&prog, argc, argv);
			look();
		} else {
			report(prog_start(&prog, argc, argv), argc, argv);
		}
		_exit(prog_end(&err));
	}
	close(fds[1]);
	while ((n = read(fds[0], said + len, sizeof(said) - 1 - len)) > 0)
		len += (size_t)n;
	said[len] = '\0';
	close(fds[0]);
	while (argc > 1)
		free(argv[--argc]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define GIVES(want, ...) \
	do { \
		is_int(run(WORDS(__VA_ARGS__)), 0, "%s", #__VA_ARGS__); \
		is_str(said, want, "%s: values", #__VA_ARGS__); \
	} while (0)
#define WRONG(want, ...) \
	do { \
		is_int(run(WORDS(__VA_ARGS__)), 64, "%s: usage", #__VA_ARGS__); \
		is_str(said, "mem-x: " want " ('mem-x -h' shows the options)\n", "%s: message", \
		    #__VA_ARGS__); \
	} while (0)

static void
test_options(void)
{
	is_int(run((const char *const[]){ NULL }), 0, "no words");
	is_str(said, "0 - 0 0 [] [] default 10 0 000", "no words: values");
	GIVES("1 hi 7 0.5 [] [a;b;] default 10 0 000", "-f", "a", "-t", "hi", "-n7", "--real=.5",
	    "b");
	GIVES("0 - 0 0 [a;b;--;] [] default 10 0 000", "-la", "--list", "b", "--list", "--");
	GIVES("0 - 0 0 [] [-f;-;] default 10 0 000", "--", "-f", "-");
	GIVES("0 - -9223372036854775808 0 [] [] default 10 0 000", "-i", "-9223372036854775808");
	GIVES("0 - 0 0 [] [] ann 3 1 s1111", "-u", "ann", "--limit", "3", "--keep-secrets", "-jqv",
	    "-s", "s1");
	GIVES("0 a 8 0 [] [] ann 20 0 000", "-t", "a", "-n5", "-ta", "-n8", "--limit", "5", "-uann",
	    "--limit", "20");
	GIVES("0 - 0 1e-05 [] [] default 10 0 000", "-r", "1e-5");
	WRONG("--number must be a whole number from 1 to 1000: '0'", "-n", "0");
	WRONG("--number must be a whole number from 1 to 1000: '1001'", "-n1001");
	WRONG("--number must be a whole number from 1 to 1000: ''", "--number=");
	WRONG("--number must be a whole number from 1 to 1000: '7x'", "-n", "7x");
	WRONG("--number must be a whole number from 1 to 1000: ' 7'", "-n", " 7");
	WRONG("--any must be a whole number: '9223372036854775808'", "-i", "9223372036854775808");
	WRONG("--real must be a number from 0 to 1: 'nan'", "-r", "nan");
	WRONG("--real must be a number from 0 to 1: 'inf'", "-r", "inf");
	WRONG("--real must be a number from 0 to 1: '0x1'", "-r", "0x1");
	WRONG("--real must be a number from 0 to 1: '1e999'", "-r", "1e999");
	WRONG("--real must be a number from 0 to 1: '1.1'", "-r", "1.1");
	WRONG("option '-n' needs a value", "-n");
	WRONG("option '-n' needs a value", "-fn");
	WRONG("option '--number' needs a value", "--number");
	WRONG("option '--flag' takes no value", "--flag=1");
	WRONG("unknown option '--numbre', did you mean '--number'?", "--numbre=3");
	WRONG("unknown option '--zzzzzz'", "--zzzzzz");
	WRONG("unknown option '-z'", "--flag", "-fz");
	WRONG("option '--text' takes one value, not 'a' and 'b'", "-t", "a", "-t", "b");
	WRONG("option '--project' takes one value, not 'a' and 'b'", "-pa", "-f", "--project=b");
	WRONG("option '--user' takes one value, not 'ann' and 'bea'", "-uann", "-u", "bea");
	WRONG("--limit must be from 1 to 1000000: '0'", "--limit", "0");
}

static void
test_help(void)
{
	is_int(run(WORDS("-h")), 0, "-h");
	ok(strstr(said,
	       "mem-x: test\n\nusage: mem-x [options] [WORD ...]\n\nexamples:\n  mem-x "
	       "a\n\noptions:\n  -d, --db FILE ") == said,
	    "-h: begins");
	ok(strstr(said,
	       "\n      --a-very-long-name-of-an-option THING\n                          explained "
	       "on the next line\n") != NULL,
	    "-h: a long option");
	ok(strstr(said, "hidden") == NULL, "-h: a row without help is not shown");
	is_int(run(WORDS("-f", "--version")), 0, "--version");
	is_str(said, "mem-x " MEM_VERSION "\n", "--version: line");
	is_int(run(WORDS("--help-json")), 0, "--help-json");
	ok(strstr(said,
	       "{\"name\":\"mem-x\",\"job\":\"test\",\"args\":\"[WORD "
	       "...]\",\"options\":[{\"name\":\"db\",\"letter\":\"d\",\"arg\":\"FILE\"") == said,
	    "--help-json: begins");
	ok(strstr(said, "help-json") == NULL, "--help-json: leaves itself out");
}

static void
test_look(void)
{
#define LOOKS(want, ...) do { is_int(run(WORDS(__VA_ARGS__, "look")), 0, "look"); \
	is_str(said, want "mem-x: f:3: bad \\x1b[1m\n", "look: %s", #__VA_ARGS__); } while (0)
	LOOKS("0 80 0;", "-q");
	LOOKS("0 80 0;mem-x: note\n", "-v");
	LOOKS("0 80 0;", "-qv");
	LOOKS("0 80 0;", "-f");
	setenv("COLUMNS", "132", 1);
	LOOKS("0 132 0;", "-f");
	setenv("COLUMNS", "5", 1);
	LOOKS("0 20 0;", "-f");
	setenv("COLUMNS", "nonsense", 1);
	setenv("CLICOLOR_FORCE", "1", 1);
	LOOKS("0 80 1;", "-f");
	LOOKS("0 80 0;", "-j");
	setenv("CLICOLOR_FORCE", "0", 1);
	LOOKS("0 80 0;", "-f");
	setenv("CLICOLOR_FORCE", "1", 1);
	setenv("NO_COLOR", "1", 1);
	LOOKS("0 80 0;", "-f");
	setenv("MEM_COLOR", "always", 1);
	LOOKS("0 80 1;", "-f");
	unsetenv("NO_COLOR");
	setenv("MEM_COLOR", "never", 1);
	LOOKS("0 80 0;", "-f");
	unsetenv("MEM_COLOR");
	unsetenv("CLICOLOR_FORCE");
	unsetenv("COLUMNS");
}

/* ---- streams, in a child whose stdout is given ---- */

static int
write_much(int fd, struct err *err, size_t n_lines, enum prog_out *state)
{
	char *argv[] = { (char *)"mem-x", NULL };
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		enum prog_out got = PROG_OUT_OK;

		dup2(fd, 1);
		close(fd);
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(99);
		prog_start(&prog, 1, argv);
		while (n_lines-- > 0) {
			buf_adds(prog_out(),
			    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n");
			prog_flush_soon();
		}
		got = prog_flush();
		_exit(got == *state ? prog_end(err) : 98);
	}
	close(fd);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
test_streams(void)
{
	struct err none = ERR_INIT, data = { ERR_DATA, "2 bad lines" },
		   nothing = { ERR_NOTFOUND, "" };
	enum prog_out fine = PROG_OUT_OK, closed = PROG_OUT_CLOSED, failed = PROG_OUT_FAILED;
	FILE *file = tmpfile(), *full = fopen("/dev/full", "w");
	int fds[2];

	is_int(write_much(dup(fileno(file)), &none, 5000, &fine), 0, "5,000 lines to a file");
	is_int(lseek(fileno(file), 0, SEEK_END), 5000 * 64, "all of them are there");
	is_int(write_much(dup(fileno(file)), &data, 1, &fine), 65, "an error is the status");
	is_int(write_much(dup(fileno(file)), &nothing, 1, &fine), 1, "nothing found");
	fclose(file);

	for (int i = 0; i < 3; i++) {
		struct err *err = i == 0 ? &none : i == 1 ? &nothing : &data;

		if (pipe(fds) != 0)
			return;
		close(fds[0]);
		is_int(write_much(fds[1], err, 5000, &closed), i == 2 ? 65 : 0,
		    "the reader left, error %d", err->code);
	}
	if (full == NULL) {
		skip("no /dev/full");
		return;
	}
	is_int(write_much(dup(fileno(full)), &none, 5000, &failed), 74, "a full disk");
	is_int(write_much(dup(fileno(full)), &data, 5000, &failed), 74, "a full disk and bad data");
	fclose(full);
}

/* ---- progress, in a child whose stderr is a terminal of ours ---- */

/* After some seconds: so many a second, and so many that are left. */
static void
show_rates(int64_t start_us)
{
	static const struct { int64_t per_s, left; } rates[] = { { 100, 3000 }, { 100, 60000 },
		{ 2, 100000 }, { 100, 20 } };

	for (size_t i = 0; i < NELEM(rates); i++) {
		int64_t done;

		nanosleep(&(struct timespec){ 0, 120000000 }, NULL);
		done = 1234 + rates[i].per_s * (clock_mono_us() - start_us) / US_PER_S;
		progress_show(done, done + rates[i].left, "things");
	}
}

/* Shows progress for a while, then warns and ends; what the terminal got goes to said. */
static bool
run_progress(int for_ms, bool quiet, int64_t all)
{
	char *argv[] = { (char *)"mem-x", quiet ? (char *)"-q" : NULL, NULL };
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), mine;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 ||
	    (mine = open(ptsname(terminal), O_RDWR | O_NOCTTY)) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		int64_t start_us = clock_mono_us();

		dup2(mine, 2);
		close(mine);
		close(terminal);
		prog_start(&prog, quiet ? 2 : 1, argv);
		while (clock_mono_us() - start_us < for_ms * 1000ll) {
			progress_show(1234, all, "things");
			nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
		}
		if (for_ms > 3000)
			show_rates(start_us);
		prog_warn("done");
		prog_warn("twice");
		_exit(prog_end(NULL));
	}
	close(mine);
	while (len < sizeof(said) - 1 &&
	    (n = read(terminal, said + len, sizeof(said) - 1 - len)) > 0)
		len += (size_t)n;
	said[len] = '\0';
	close(terminal);
	waitpid(pid, NULL, 0);
	return true;
}

static void
test_progress(void)
{
	if (!run_progress(300, false, 0)) {
		skip("no terminal to be had");
		return;
	}
	is_str(said, "mem-x: done\r\nmem-x: twice\r\n", "progress: nothing in the first second");
	run_progress(1300, true, 0);
	is_str(said, "mem-x: done\r\nmem-x: twice\r\n", "progress: nothing with -q");
	run_progress(1400, false, 5678);
	ok(strncmp(said, "\r1,234 of 5,678 things", 22) == 0, "progress: how many of how many");
	run_progress(1400, false, 0);
	ok(strncmp(said, "\r1,234 things\033[K\r", 17) == 0, "progress: a line over itself");
	ok(strstr(said, "\r\033[Kmem-x: done\r\nmem-x: twice\r\n") != NULL,
	    "progress: taken off before a message, once");
	ok(strlen(said) < 6 * 40, "progress: not too often");
	run_progress(3100, false, 5678);
	ok(strstr(said, " a second, ") != NULL && strstr(said, " seconds left\033[K") != NULL,
	    "progress: after three seconds, how many seconds are left");
	ok(strstr(said, " minutes left\033[K") != NULL, "progress: or how many minutes are");
	ok(strstr(said, " hours left\033[K") != NULL, "progress: or how many hours are");
	ok(strstr(said, "things, 2") != NULL || strstr(said, "things, 1.") != NULL,
	    "progress: few a second are told with a tenth");
	ok(strstr(said, " a second\033[K") != NULL, "progress: nothing of less than a second");
}

static void
test_nearest(void)
{
	struct prog_guess g = { NULL, 0 };

	prog_nearest("serach", "stats", &g);
	ok(g.word == NULL, "nearest: too far");
	prog_nearest("serach", "search", &g);
	is_str(g.word, "search", "nearest: neighbours swapped");
	is_int(g.edits, 1, "nearest: one change");
	prog_nearest("serach", "serch", &g);
	is_str(g.word, "search", "nearest: the first of equals");
	g = (struct prog_guess){ NULL, 0 };
	prog_nearest("kitten", "sitting", &g);
	is_int(g.edits, 3, "nearest: kitten to sitting takes 3");
	g = (struct prog_guess){ NULL, 0 };
	prog_nearest("", "a-word-of-more-than-thirty-one-bytes", &g);
	ok(g.word == NULL, "nearest: long words are far");
}

int
main(void)
{
	setenv("MEM_CONFIG", "/dev/null", 1);
	unsetenv("MEM_LIMIT");
	unsetenv("MEM_USER");
	unsetenv("POSIXLY_CORRECT");
	unsetenv("COLUMNS");
	unsetenv("NO_COLOR");
	unsetenv("CLICOLOR_FORCE");
	test_options();
	test_help();
	test_look();
	test_streams();
	test_progress();
	test_nearest();
	return tap_done();
}
