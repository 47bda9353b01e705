/*
 * prog.c: the start, the output and the end of every program.
 *
 * stdout is written by us and not by stdio: lines gather in a buffer and leave by write(2), so that
 * a closed reader, a full disk and a short write can be told apart, and a line leaves exactly when
 * the program says that it is committed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/project.h"
#include "base/write.h"
#include "cli/print.h"
#include "cli/prog_opts.h"
#include "cli/progress.h"

#define FLUSH_BYTES (32u << 10)
#define LINES_TOLD  100

struct prog_common prog_common = { .agent = "", .project = "", .session = "" };

static const struct prog *self;
static struct buf out;
static enum prog_out out_state = PROG_OUT_OK;
static int out_errno;

/*
 * Opens those of the descriptors 0 to 2 that the caller closed: otherwise the database could become
 * number 1 and get our lines. They are opened the wrong way round on purpose, so that using them
 * fails.
 */
static void
keep_streams_open(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) == -1)
			exit(ERR_IO);
}

const char *
prog_project(const char *name)
{
	static struct arena kept;              /* until the process ends */
	const char *rest = name + strspn(name, ".");
	/* a path of Windows is no path here, and is written in more than one way */
	bool windows = name[0] != '\0' && name[1] == ':' && (name[2] == '\\' || name[2] == '/');
	FREED char *path = NULL;

	if (!windows && *name != '/' &&
	    (rest == name || rest > name + 2 || (*rest != '/' && *rest != '\0')))
		return name;
	if (!windows && (path = realpath(name, NULL)) == NULL)
		return name;
	LOCAL(buf) root = buf_of(SIZE_MAX / 4);
	project_of(windows ? name : path, &root);
	if (!windows || root.len > 0)
		name = arena_strndup(&kept, root.data, root.len);
	return name;
}

static bool mends_settings;

void
prog_mends_settings(void)
{
	mends_settings = true;
}

int
prog_start(const struct prog *p, int argc, char **argv)
{
	struct err err = ERR_INIT;

	self = p;
	keep_streams_open();
	signal(SIGPIPE, SIG_IGN);
	/* where it is ignored, as whoever starts us may do, no program can be waited for */
	signal(SIGCHLD, SIG_DFL);
	/* a write beyond ulimit -f should fail, like one on a full disk */
	signal(SIGXFSZ, SIG_IGN);
	int loaded = conf_load(&err);
	buf_init(&out, conf_caps.output_bytes);
	prog_common.agent = conf_text("agent");
	prog_common.project = conf_text("project");
	/* options come first, so that -h works with a broken configuration file */
	int first = prog_parse(p, argc, argv);
	if (loaded != 0 && !mends_settings)
		exit(prog_end(&err));
	prog_common.project = prog_project(prog_common.project);
	return first;
}

/* ---- stdout ---- */

struct buf *
prog_out(void)
{
	return &out;
}

static bool
is_terminal(void)
{
	static int tty = -1;

	if (tty == -1)
		tty = isatty(STDOUT_FILENO);
	return tty == 1;
}

/*
 * Writes the buffer to standard output. NDJSON is for programs, but on a terminal it must not drive
 * that either.
 */
static int
write_out(void)
{
	if (!prog_common.json || !is_terminal())
		return write_whole(STDOUT_FILENO, out.data, out.len);
	LOCAL(buf) safe = buf_of(6 * out.len + 1);
	print_json(&safe, out.data, out.len);
	return write_whole(STDOUT_FILENO, safe.data, safe.len);
}

enum prog_out
prog_flush(void)
{
	if (out_state == PROG_OUT_OK && out.full) {
		out_errno = EOVERFLOW;
		out_state = PROG_OUT_FAILED;
	}
	if (out_state == PROG_OUT_OK && out.len > 0 && write_out() != 0) {
		out_errno = errno;
		out_state = errno == EPIPE ? PROG_OUT_CLOSED : PROG_OUT_FAILED;
	}
	buf_reset(&out);
	return out_state;
}

void
prog_flush_soon(void)
{
	if (out.len >= FLUSH_BYTES)
		prog_flush();
}

int
prog_put_lines(void *arg, const char *lines, size_t len)
{
	(void)arg;
	buf_add(&out, lines, len);
	return prog_flush() != PROG_OUT_OK;
}

bool
prog_for_people(void)
{
	return !prog_common.json && (prog_common.text || is_terminal());
}

int
prog_columns(void)
{
	struct winsize size;
	const char *env;
	long n = 0;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	if (n <= 0 && (env = getenv("COLUMNS")) != NULL)
		n = strtol(env, NULL, 10);
	if (n <= 0)
		n = 80;
	return (int)MAX(20, MIN(n, 1000));
}

static bool
env_set(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0';
}

bool
prog_color(void)
{
	const char *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM"),
		   *set = conf_text("color");

	if (strcmp(set, "always") == 0)
		return !prog_common.json;
	if (strcmp(set, "never") == 0 || prog_common.json || env_set("NO_COLOR"))
		return false;
	if (force != NULL && force[0] != '\0' && strcmp(force, "0") != 0)
		return true;
	return is_terminal() && term != NULL && strcmp(term, "dumb") != 0;
}

/* ---- stderr ---- */

static void print_line_to_stderr(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

/* Prints a line in one write, so that lines of parallel processes stay whole. */
static void
print_line_to_stderr(const char *fmt, va_list ap)
{
	LOCAL(buf) raw = buf_of(64u << 10);
	LOCAL(buf) line = buf_of(1u << 20);

	buf_vaddf(&raw, fmt, ap);
	for (size_t i = 0; i < raw.len; i++)
		if (raw.data[i] == '\n')
			raw.data[i] = ' ';
	buf_addf(&line, "%s: ", self->name);
	print_safe(&line, raw.data, raw.len);
	buf_addc(&line, '\n');
	progress_clear();
	if (prog_for_people())
		/* keeps the order on a screen that shows both streams */
		prog_flush();
	(void)write_whole(STDERR_FILENO, line.data, line.len);
}

/* Messages of lines of input that were printed, and those that were not. */
static uint64_t n_lines_told, n_lines_untold;

/* Whether it tells of a line of an input: "chat.jsonl:17: ...". */
static bool
is_of_line(const char *text)
{
	for (const char *p = strchr(text, ':'); p != NULL; p = strchr(p + 1, ':')) {
		size_t n = strspn(p + 1, "0123456789");
		if (n > 0 && p[n + 1] == ':' && p[n + 2] == ' ')
			return true;
	}
	return false;
}

/*
 * Whether this message is not printed: one of those that are printed once (ERR_OTHER_USER), or one
 * more line of an input that has no end of bad ones.
 */
PRINTF_LIKE(1, 0) static bool
is_enough(const char *fmt, va_list ap)
{
	static bool said;
	char text[sizeof(((struct err *)0)->msg)];
	bool again = said;

	vsnprintf(text, sizeof(text), fmt, ap);
	if (strstr(text, ERR_OF_USER) != NULL) {
		said = true;
		return again;
	}
	if (prog_common.verbose || !is_of_line(text) || ++n_lines_told <= LINES_TOLD)
		return false;
	n_lines_untold++;
	return true;
}

void
prog_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	bool enough = is_enough(fmt, ap);
	va_end(ap);
	if (enough)
		return;
	va_start(ap, fmt);
	print_line_to_stderr(fmt, ap);
	va_end(ap);
}

void
prog_caution(const char *fmt, ...)
{
	va_list ap;

	if (prog_common.quiet)
		return;
	va_start(ap, fmt);
	print_line_to_stderr(fmt, ap);
	va_end(ap);
}

void
prog_warning(void *arg, const char *text)
{
	(void)arg;
	prog_warn("%s", text);
}

void
prog_note(const char *fmt, ...)
{
	va_list ap;

	if (prog_common.quiet || (!prog_common.verbose && !isatty(STDERR_FILENO)))
		return;
	va_start(ap, fmt);
	print_line_to_stderr(fmt, ap);
	va_end(ap);
}

void
prog_noted(void *arg, const char *text)
{
	(void)arg;
	prog_note("%s", text);
}

void
prog_warning_at(const char *where, const char *why)
{
	prog_warn(where != NULL ? "%s: %s" : "%s%s", where != NULL ? where : "", why);
}

void
prog_cautioned(void *arg, const char *text)
{
	(void)arg;
	prog_caution("%s", text);
}

void
prog_without_vectors(void *arg, const char *why)
{
	(void)arg;
	prog_caution("compared by words alone, without vectors: %s", why);
}

void
prog_no_store(void)
{
	prog_note("there is no store at '%s' yet: 'mem-setup' finds what your agents wrote down, "
	    "'mem-ingest FILE' stores a conversation", conf_db());
}

void
prog_empty(struct err *err)
{
	if (err->code != ERR_NOINPUT)
		return;
	prog_no_store();
	err_clear(err);
}

static bool
takes_dash(void)
{
	return self->args != NULL &&
	    (strchr(self->args, '-') != NULL || strstr(self->args, "FILE") != NULL);
}

int
prog_unread(int wait_ms, struct err *err)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	struct stat st;

	if (prog_common.is_part || fstat(STDIN_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode) ||
	    poll(&p, 1, wait_ms) != 1 || (p.revents & POLLIN) == 0)
		return 0;
	return err_set(err, ERR_USAGE, "the standard input is not read: %s</dev/null is for the "
	    "whole memory", takes_dash() ? "'-' takes the records there; " : "");
}

int
prog_ask(const char *question)
{
	char answer[16] = "";

	prog_flush();
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return -1;
	fprintf(stderr, "%s [y/N] ", question);
	return fgets(answer, sizeof(answer), stdin) != NULL &&
	    (answer[0] == 'y' || answer[0] == 'Y');
}

/* ---- signals ---- */

volatile sig_atomic_t prog_stop;

static void
on_signal(int number)
{
	prog_stop = number;
}

void
prog_catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	/*
	 * without SA_RESTART a signal ends a wait; with SA_RESETHAND a second one ends the program
	 */
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND }, was;

	sigemptyset(&act.sa_mask);
	gz_stop = &prog_stop;
	/*
	 * signals that were ignored at the start stay so: under nohup, and in the background of a
	 * shell without job control
	 */
	for (size_t i = 0; i < NELEM(numbers); i++)
		if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN)
			sigaction(numbers[i], &act, NULL);
}

/* ---- the end ---- */

static int
finish(const struct err *err)
{
	int code = err != NULL ? err->code : 0;

	progress_clear();
	prog_flush();
	/*
	 * closing is a network file system's last chance to report a full disk; a stream that was
	 * never ours does not count
	 */
	if (out_state == PROG_OUT_OK && close(STDOUT_FILENO) != 0 && errno != EBADF) {
		out_errno = errno;
		out_state = PROG_OUT_FAILED;
	}
	if (n_lines_untold > 0)
		prog_warn("and %llu more lines, which -v tells",
		    (unsigned long long)n_lines_untold);
	if (code != 0 && err->msg[0] != '\0')
		prog_warn("%s", err->msg);
	if (out_state == PROG_OUT_FAILED) {
		prog_warn("cannot write to stdout: %s", strerror(out_errno));
		return ERR_IO;
	}
	if (out_state == PROG_OUT_CLOSED && code < ERR_USAGE)
		return 0;
	return code;
}

int
prog_end(const struct err *err)
{
	int status = finish(err);

	if (prog_stop != 0) {
		signal(prog_stop, SIG_DFL);
		raise(prog_stop);
	}
	return status;
}
