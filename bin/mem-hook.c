/* mem-hook: recall for coding agents and capture of their sessions, as their hooks */
#include <math.h>

#include "base/clock.h"
#include "base/embedded.h"
#include "base/off.h"
#include "base/project.h"
#include "cli/always.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "hook/capture.h"
#include "hook/gate.h"
#include "hook/hook_forget.h"
#include "hook/tell.h"
#include "json/json.h"
#include "json/ndjson.h"
#include "records/title.h"
#include "gen/programs.h"

#define START_MS     500       /* until the settings are read, unless MEM_HOOK_MS says otherwise */
#define LOG_LINES    20        /* of the log, unless -n says otherwise */
#define HOSTS        "claude-code, codex, gemini, cursor, copilot, opencode, qwen or kimi"

static bool gate_only, show_log;
static int64_t last;
static const char *wiring;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "budget", "N", OPT_CONF, NULL, "hook_budget", 0, 0, "at most N tokens (default 600)" },
	{ 0, "deadline", "MS", OPT_CONF, NULL, "hook_ms", 0, 0, "answer within MS milliseconds (default 500)" },
	{ 0, "gate", NULL, OPT_FLAG, &gate_only, NULL, 0, 0, "say of prompts on stdin whether they ask for the past" },
	{ 0, "log", NULL, OPT_FLAG, &show_log, NULL, 0, 0, "what was done lately, and why" },
	{ 'n', "limit", "N", OPT_INT, &last, NULL, 1, 1e6, "the last N lines of the log (default 20)" },
	{ 0, "wiring", "HOST", OPT_TEXT, &wiring, NULL, 0, 0, "what HOST's configuration needs" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_HOOK };

/* A call of a host. */
struct call {
	const struct host *host;
	enum hook_event event;
	struct hook_call said;
	struct scope who;
	const char *log;
	struct hook_line line;
	int64_t start_us;
	struct arena arena;
	struct buf project;
};

static struct call call;

/* ---- the answer and the log ---- */

static void
log_late(enum always_end how)
{
	(void)how;
	hook_log_late();
}

/* What is logged when the program does not come to its own end. */
static void
prepare_late(const struct call *c)
{
	struct hook_line l = c->line;

	l.did = "nothing";
	l.why = "it took too long, or failed";
	l.us = -1;
	if (hook_log_prepare(c->log, &l))
		always_last(log_late);
}

/* Returns -1 when it could not be written, and then nothing may be told. */
static int
note(struct call *c)
{
	struct err err = ERR_INIT;

	c->line.us = clock_mono_us() - c->start_us;
	return hook_log_add(c->log, &c->line, &err);
}

static void
answer_nothing(const struct call *c)
{
	const char *nothing = host_nothing(c->host, (int)c->event);

	always_answer(nothing, strlen(nothing));
}

static void
say_nothing(struct call *c, const char *why)
{
	c->line.did = "nothing";
	c->line.why = why;
	note(c);
	answer_nothing(c);
}

/* ---- recall ---- */

static void
recall(struct call *c)
{
	const struct tell t = { c->who, c->event, &c->said, c->log };
	struct recalled r;
	struct buf text = buf_of(conf_caps.output_bytes);
	struct buf answer = buf_of(conf_caps.output_bytes);

	tell(&t, &c->line, &text, &r, &c->arena);
	if (text.len > 0)
		host_answer(c->host, c->event, text.data, text.len, &answer);
	/* what cannot be remembered as given would be given again */
	if (note(c) == 0 && answer.len > 0)
		always_answer(answer.data, answer.len);
	answer_nothing(c);
}

/* ---- capture ---- */

static void
store_transcript(void *arg)
{
	struct call *c = arg;
	struct scope who = c->who;
	struct err err = ERR_INIT;
	char why[64];
	uint64_t n;

	/* the same file read with other options would be read whole again */
	if (c->host->tells_cwd)
		who.project = prog_common.project;
	if (capture(conf_db(), &who, c->said.transcript, &n, &err) == 0) {
		snprintf(why, sizeof(why), "%llu new message%s", (unsigned long long)n, PLURAL(n));
		c->line.did = "stored";
		c->line.why = why;
		note(c);
		hook_forget_late(conf_db());     /* nobody waits for it */
		if (n > 0 && *conf_text("hook_then") != '\0')
			capture_then(conf_text("hook_then"), conf_db(), who.user);
	} else {
		c->line.did = "nothing";
		c->line.why = err.msg;
		note(c);
	}
}

static void
capture_session(struct call *c)
{
	if (*c->said.transcript == '\0') {
		say_nothing(c, "the host names no transcript");
		return;
	}
	/* the rest of the time is left for the answer */
	always_behind(store_transcript, c, conf_int("hook_ms") * 3 / 4);
	answer_nothing(c);
}

/* ---- a call of a host ---- */

static int
read_call(struct call *c, struct err *err)
{
	struct ndjson *in;
	const char *text;
	size_t len;

	if (ndjson_open("-", 0, &in, err) != 0)
		return -1;
	if (ndjson_rest(in, conf_caps.line_bytes, &text, &len, err) != 0 ||
	    host_read(text, len, &c->arena, &c->said, err) != 0)
		return -1;
	ndjson_close(in);
	return 0;
}

static void
answer_host(struct call *c, const char *event, struct err *err)
{
	int e = host_event(c->host, event);
	const char *off;

	c->log = hook_log_path(conf_db(), &c->arena);
	c->line = (struct hook_line){ .user = conf_text("user"), .host = c->host->name,
		.event = event, .session = "", .project = "", .gate = NAN, .p = NAN };
	always(host_nothing(c->host, e), conf_int("hook_ms"));
	prepare_late(c);
	if (e < 0) {
		say_nothing(c, "the host has no such event");
		return;
	}
	c->event = (enum hook_event)e;
	c->line.event = hook_event_names[e];
	if (read_call(c, err) != 0) {
		say_nothing(c, err->msg);
		return;
	}
	c->who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project, "" };
	if (*c->who.project == '\0') {
		buf_init(&c->project, conf_caps.output_bytes);
		project_of(c->said.cwd, &c->project);
		c->who.project = c->project.data;
	}
	if ((off = off_why(c->said.cwd)) != NULL || (off = off_why(c->who.project)) != NULL) {
		if (off_keep(c->said.session, c->said.transcript, err) != 0)
			off = err->msg;
		say_nothing(c, off);
		return;
	}
	c->line.session = c->said.session;
	c->line.compacted = e == HOOK_START && c->said.compacted;
	c->line.project = c->who.project;
	prepare_late(c);
	if (!host_listens(c->host, c->event))
		say_nothing(c, "the host reads no answer at this event");
	else if (e == HOOK_START || e == HOOK_PROMPT || e >= HOOK_PRETOOL)
		recall(c);
	else
		capture_session(c);
}

/* ---- what a person asks for ---- */

static const struct gate_out gate_out = { prog_put_lines, prog_warning, NULL };

struct log_reader {
	struct arena line;
	struct store *store;               /* NULL: none, so that sessions have names only */
	bool any;                          /* there was a line */
};

/* The title of the session that a line names; its name where it has none in the store. */
static const char *
log_title(struct log_reader *r, const char *name)
{
	const struct scope who = { .user = conf_text("user") };
	const struct session *v = NULL;
	const char *title;

	if (r->store == NULL ||
	    sessions_find(r->store, &who, name, &r->line, &v, NULL) != 0 || v == NULL ||
	    session_title(r->store, &who, v, &r->line, &title, NULL) != 0)
		return name;
	return title;
}

static void
print_log_line(struct log_reader *r, const struct json *v)
{
	static const char *const keys[] = { "host", "event", "did", "why", "session", "project" },
		*const figures[] = { "gate", "p", "tokens", "ms" };
	const char *time = json_get_string(v, "time", NULL);
	char local[TIME_TEXT];
	int64_t us;

	if (time == NULL || time_parse(time, strlen(time), &us, NULL) != 0)
		us = TIME_NONE;
	buf_addf(prog_out(), "%.19s", time_format_local(us, local));
	for (size_t i = 0; i < NELEM(keys); i++) {
		const char *text = json_get_string(v, keys[i], NULL);
		if (text == NULL || *text == '\0')
			continue;
		if (strcmp(keys[i], "session") == 0)
			text = log_title(r, text);
		buf_adds(prog_out(), "  ");
		print_line(prog_out(), text, strlen(text), 60);
	}
	for (size_t i = 0; i < NELEM(figures); i++) {
		double x = json_get_number(v, figures[i], NAN);
		if (!isnan(x))
			buf_addf(prog_out(), "  %s %g", figures[i], x);
	}
	buf_addc(prog_out(), '\n');
}

static int
put_log_line(void *arg, const char *line, size_t len, struct err *err)
{
	struct log_reader *r = arg;
	const struct json *v;

	r->any = true;
	arena_reset(&r->line);
	if (!prog_for_people())
		buf_addf(prog_out(), "%.*s\n", (int)len, line);
	else if (json_parse(line, len, &r->line, &v, err) != 0)
		return -1;
	else
		print_log_line(r, v);
	return 0;
}

static int
print_log(struct err *err)
{
	struct log_reader reader = { ARENA_INIT, NULL, false };
	LOCAL(arena) arena = ARENA_INIT;
	const char *path = hook_log_path(conf_db(), &arena);

	if (prog_for_people())
		store_open(conf_db(), STORE_READ, &reader.store, NULL);
	int rc = hook_log_last(path, conf_text("user"), prog_common.session,
	    last > 0 ? (size_t)last : LOG_LINES, put_log_line, &reader, err);
	if (rc == 0 && !reader.any)
		prog_note("the log is empty: no agent has called ('mem setup --check' tries them)");
	store_close(reader.store);
	arena_release(&reader.line);
	return rc;
}

static int
print_wiring(struct err *err)
{
	const struct host *h = host_find(wiring);
	const struct embedded *file = h == NULL ? NULL : embedded_find(h->wiring);

	if (file == NULL)
		return err_set(err, ERR_USAGE, "unknown host '%s': " HOSTS, wiring);
	buf_add(prog_out(), file->text, file->len);
	return 0;
}

/* A machine that is slower than the settings expect is slow in reading them, too. */
static int64_t
start_ms(void)
{
	const char *said = getenv("MEM_HOOK_MS");
	long ms = said == NULL ? 0 : strtol(said, NULL, 10);

	return ms >= 10 && ms <= 60000 ? ms : START_MS;
}

/*
 * A host names itself among the arguments; from here on it gets an answer that it understands,
 * whatever is wrong with settings and options.
 */
static const struct host *
find_host(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i++) {
		const struct host *h = host_find(argv[i]);
		if (h != NULL && strcmp(argv[i - 1], "--wiring") != 0) {
			always(host_nothing(h, host_event(h, argv[i + 1])), start_ms());
			return h;
		}
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;

	call.start_us = clock_mono_us();
	call.host = find_host(argc, argv);
	int i = prog_start(&prog, argc, argv);
	if ((wiring != NULL) + show_log + gate_only + (i < argc) > 1) {
		err_set(&err, ERR_USAGE, "--wiring, --log, --gate and HOST EVENT stand alone");
	} else if (wiring != NULL) {
		print_wiring(&err);
	} else if (show_log) {
		print_log(&err);
	} else if (gate_only) {
		gate_filter(&gate_out, &err);
	} else if (argc - i != 2 || call.host == NULL || host_find(argv[i]) != call.host) {
		err_set(&err, ERR_USAGE,
		    "HOST EVENT is wanted; HOST is " HOSTS ", and EVENT start, prompt, stop, end, "
		    "compact, pretool, posttool or the host's own name for it");
	} else {
		answer_host(&call, argv[i + 1], &err);
		return 0;
	}
	return prog_end(&err);
}
