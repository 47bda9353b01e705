/*
 * command.c: the command gets the question on its standard input, which is closed behind it, and
 * is read until it closes its output. What it says on its standard error is told when it fails.
 */
#include "net/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/off.h"
#include "base/preset.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "json/json_schema.h"

#define SLICE_MS    100        /* how often gone is asked */
#define PIECE_BYTES 65536
#define SAID_BYTES  4096       /* kept of the standard error */
#define TOLD_BYTES  300        /* told of what went wrong */
#define NOT_FOUND   127        /* the status of sh for a command that is not there */
#define PLACE       "mem/asking/"

/* a command that runs */
struct run {
	pid_t pid;
	int in, out, err;                      /* -1: closed */
	const char *text;
	size_t len, sent;
	struct buf *said;                      /* standard error */
	bool ended;                            /* with status, though its output is open */
	int status;
};

/* ---- where it runs ---- */

/*
 * The directory. An agent that keeps sessions notes it in them, and what is marked so is stored
 * neither by a hook nor later from its files.
 */
static int
make_place(const char **place, struct net_err *e)
{
	static const char mark[] = PLACE ".mem-off";
	int fd;

	conf_make_parents(conf_state_path(mark));
	*place = conf_state_path(PLACE);
	fd = open(conf_state_path(mark), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return net_fail(e, NET_CONFIG, false,
		    "no directory to ask the command in: '%.200s': %s", conf_state_path(mark),
		    strerror(errno));
	close(fd);
	return 0;
}

/*
 * What the command and all that it starts find in their environment: that nothing is to be
 * remembered or told; no key of ours; and not that an agent is running, which some would refuse.
 */
static const char environment[] =
	"unset MEM_CHAT_KEY MEM_EMBED_KEY CLAUDECODE; MEM_MEMORY=off; export MEM_MEMORY; "
	"cd -- \"$3\" || exit; ";

/* ---- the run ---- */

static void
shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int
start(struct run *r, const struct preset *p, const char *model, const char *system,
	struct net_err *e)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 }, code = 0;
	const char *place;
	struct buf script;
	char *argv[] = { xstrdup("sh"), xstrdup("-c"), NULL, xstrdup(p->name), xstrdup(model),
		xstrdup(system), NULL, NULL };

	buf_init(&script, PIECE_BYTES);
	if (make_place(&place, e) == 0) {
		buf_addf(&script, "%s%s", environment, p->command);
		argv[2] = xstrdup(script.data);
		argv[6] = xstrdup(place);
		if (spawn_pipe(in, 1) < 0 || spawn_pipe(out, 0) < 0 || spawn_pipe(err, 0) < 0)
			code = errno;
		else
			code = spawn_group(argv, in[0], out[1], err[1], &r->pid);
		if (code != 0)
			net_fail(e, NET_CONNECT, false, "%s cannot be started: %s", p->name,
			    strerror(code));
	}
	buf_release(&script);
	for (size_t i = 0; i < NELEM(argv); i++)
		free(argv[i]);
	shut(&in[0]);
	shut(&out[1]);
	shut(&err[1]);
	r->in = in[1];
	r->out = out[0];
	r->err = err[0];
	return r->pid > 0 ? 0 : -1;
}

/*
 * Reads a piece of what there is into b, no more than its max; closes the end where that is all.
 * false: there is nothing now.
 */
static bool
take(int *fd, struct buf *b)
{
	char piece[PIECE_BYTES];
	ssize_t n = read(*fd, piece, sizeof(piece));

	if (n > 0)
		buf_add(b, piece, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		shut(fd);
	return n > 0;
}

/* Notes whether it has ended; what it has left running may hold its output open. */
static bool
has_ended(struct run *r)
{
	r->ended |= waitpid(r->pid, &r->status, WNOHANG) == r->pid;
	return r->ended;
}

/* A command that reads no further, as one that does not start, is told by its status. */
static void
give(struct run *r)
{
	ssize_t n = write(r->in, r->text + r->sent, r->len - r->sent);

	if (n > 0)
		r->sent += (size_t)n;
	if (r->sent == r->len || (n < 0 && errno != EAGAIN && errno != EINTR))
		shut(&r->in);
}

/* Until it closes its output. -1: the time is over, nobody waits, or it says too much. */
static int
exchange(struct run *r, struct net_call *c, struct net_err *e)
{
	struct buf *body = &c->reply.body;

	while (r->out >= 0) {
		struct pollfd p[] = { { r->in, POLLOUT, 0 }, { r->out, POLLIN, 0 },
			{ r->err, POLLIN, 0 } };
		int64_t left_ms = (c->deadline_us - clock_mono_us() + 999) / 1000;

		if (left_ms <= 0 || (c->gone != NULL && c->gone()))
			return net_fail(e, NET_TIMEOUT, left_ms <= 0, "no answer in time");
		if (poll(p, NELEM(p), (int)MIN(left_ms, SLICE_MS)) <= 0) {
			if (!has_ended(r))
				continue;
			while (!body->full && r->out >= 0 && take(&r->out, body))
				;
			break;
		}
		if (p[0].revents != 0)
			give(r);
		if (p[2].revents != 0)
			take(&r->err, r->said);
		if (p[1].revents != 0)
			take(&r->out, body);
		if (body->full)
			return net_fail(e, NET_REPLY, false, "answer is over %zu bytes", body->max);
	}
	return 0;
}

/* Waits until it has ended, which it may do later than its output; at_once: ends it. */
static int
status_of(struct run *r, const struct net_call *c, bool at_once)
{
	while (!at_once && !has_ended(r) && clock_mono_us() < c->deadline_us &&
	    (c->gone == NULL || !c->gone())) {
		if (r->err < 0 || !take(&r->err, r->said))
			poll(NULL, 0, 10);
	}
	while (!at_once && r->err >= 0 && take(&r->err, r->said))
		;
	kill(-r->pid, SIGKILL);
	while (!r->ended && waitpid(r->pid, &r->status, 0) < 0 && errno == EINTR)
		continue;
	return r->status;
}

/* ---- what it printed ---- */

struct printed {
	const char *text, *model, *wrong;      /* NULL: it does not say */
	double tokens_in, tokens_out;          /* -1 */
};

static double
sum_of(const struct json *v, const char *const *keys)
{
	double sum = -1;

	for (; v != NULL && *keys != NULL; keys++)
		if (json_get_number(v, *keys, -1) >= 0)
			sum = MAX(sum, 0) + json_get_number(v, *keys, 0);
	return sum;
}

/* The name of the first member: which model answered. */
static const char *
first_name(const struct json *v)
{
	return v != NULL && v->kind == JSON_OBJECT && v->len > 0 ? v->u.members[0].key : NULL;
}

static void
read_claude(const struct json *v, struct printed *p)
{
	static const char *const in[] = { "input_tokens", "cache_creation_input_tokens",
		"cache_read_input_tokens", NULL }, *const out[] = { "output_tokens", NULL };
	const struct json *is_error = json_get(v, "is_error");

	p->text = json_get_string(v, "result", NULL);
	if (is_error != NULL && is_error->kind == JSON_TRUE)
		p->wrong = p->text != NULL ? p->text : json_get_string(v, "subtype", NULL);
	p->model = first_name(json_get(v, "modelUsage"));
	p->tokens_in = sum_of(json_get(v, "usage"), in);
	p->tokens_out = sum_of(json_get(v, "usage"), out);
}

static void
read_gemini(const struct json *v, struct printed *p)
{
	static const char *const in[] = { "prompt", NULL },
				 *const out[] = { "candidates", "thoughts", NULL };
	const struct json *models = json_get(json_get(v, "stats"), "models"), *error =
	    json_get(v, "error");

	p->text = json_get_string(v, "response", NULL);
	if (error != NULL && error->kind == JSON_OBJECT)
		p->wrong = json_get_string(error, "message", NULL);
	p->model = first_name(models);
	for (size_t i = 0; p->model != NULL && i < models->len; i++) {
		const struct json *tokens = json_get(&models->u.members[i].value, "tokens");
		p->tokens_in = MAX(p->tokens_in, 0) + MAX(sum_of(tokens, in), 0);
		p->tokens_out = MAX(p->tokens_out, 0) + MAX(sum_of(tokens, out), 0);
	}
}

static void
read_codex(const struct json *v, struct printed *p)
{
	static const char *const in[] = { "input_tokens", NULL }, *const out[] = { "output_tokens",
		NULL };
	const char *type = json_get_string(v, "type", NULL), *what;
	const struct json *item = json_get(v, "item"), *usage = json_get(v, "usage");

	if (type == NULL)
		return;
	if (strcmp(type, "item.completed") == 0 &&
	    (what = json_get_string(item, "type", NULL)) != NULL &&
	    strcmp(what, "agent_message") == 0)
		p->text = json_get_string(item, "text", NULL);
	else if (strcmp(type, "turn.completed") == 0 && usage != NULL) {
		p->tokens_in = sum_of(usage, in);
		p->tokens_out = sum_of(usage, out);
		p->wrong = NULL;
	} else if (strcmp(type, "turn.failed") == 0) {
		p->wrong = json_get_string(json_get(v, "error"), "message", NULL);
	} else if (strcmp(type, "error") == 0) {
		/* it goes on after some of them, to try again */
		p->wrong = json_get_string(v, "message", NULL);
	}
}

/* Each line that is JSON; what else stands among them is passed over. */
static void
read_events(const struct buf *b, struct arena *a, struct printed *p)
{
	const char *line = b->data, *end = b->data + b->len;
	const struct json *v;

	while (line < end) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		size_t len = (size_t)((nl != NULL ? nl : end) - line);
		if (json_parse(line, len, a, &v, NULL) == 0)
			read_codex(v, p);
		line += len + 1;
	}
}

static void
read_printed(enum preset_form form, const struct buf *b, struct arena *a, struct printed *p)
{
	const struct json *v;

	if (form == PRESET_TEXT)
		p->text = arena_strndup(a, b->data, b->len);
	else if (form == PRESET_CODEX)
		read_events(b, a, p);
	else if (json_in_text(b->data, b->len, a, &v, NULL) == 0)
		form == PRESET_CLAUDE ? read_claude(v, p) : read_gemini(v, p);
}

/* Tells it as the answer of OpenAI's chat. */
static int
tell(const struct printed *p, struct arena *a, const struct json **out, struct net_err *e)
{
	struct err err = ERR_INIT;
	struct buf b;
	int rc;

	buf_init(&b, conf_caps.output_bytes);
	json_open(&b);
	if (p->model != NULL)
		json_str(&b, "model", p->model);
	json_array_open(&b, "choices");
	json_object_open(&b, NULL);
	json_object_open(&b, "message");
	json_str(&b, "content", p->text);
	json_close(&b);
	json_close(&b);
	json_array_close(&b);
	json_object_open(&b, "usage");
	json_num(&b, "prompt_tokens", p->tokens_in);
	json_num(&b, "completion_tokens", p->tokens_out);
	json_close(&b);
	json_close(&b);
	rc = json_parse(arena_strndup(a, b.data, b.len), b.len, a, out, &err);
	buf_release(&b);
	return rc == 0 ? 0 : net_fail(e, NET_REPLY, false, "answer cannot be read: %s", err.msg);
}

/* ---- the call ---- */

/* The last words of its standard error, or of what it printed, in one line. */
static const char *
last_words(const struct buf *said, const struct buf *body, struct arena *a)
{
	const struct buf *b = said->len > 0 ? said : body;
	size_t len = b->len, start;
	char *words;

	while (len > 0 && strchr(" \t\r\n", b->data[len - 1]) != NULL)
		len--;
	start = len > TOLD_BYTES ? len - TOLD_BYTES : 0;
	while (start < len && start > 0 && ((unsigned char)b->data[start] & 0xC0) == 0x80)
		start++;
	words = arena_strndup(a, len > 0 ? b->data + start : "", len - start);
	for (char *p = words; *p != '\0'; p++)
		*p = (unsigned char)*p < ' ' ? ' ' : *p;
	return words;
}

static int
judge(const struct preset *p, int status, const struct printed *got, const char *words,
	struct net_err *e)
{
	bool ended = WIFEXITED(status);

	if (ended && WEXITSTATUS(status) == NOT_FOUND && got->text == NULL)
		return net_fail(e, NET_CONFIG, false, "llm_command is %s, which is not installed",
		    p->name);
	if (got->wrong != NULL)
		return net_fail(e, NET_SERVER, true, "%s: %.*s", p->name,
		    (int)utf8_clip(got->wrong, strlen(got->wrong), TOLD_BYTES), got->wrong);
	if (!ended || WEXITSTATUS(status) != 0)
		return net_fail(e, NET_SERVER, true, "%s ended with %s %d: %s", p->name,
		    ended ? "status" : "signal", ended ? WEXITSTATUS(status) : WTERMSIG(status),
		    words);
	if (got->text == NULL)
		return net_fail(e, NET_REPLY, false, "%s gives no answer: %s", p->name, words);
	return 0;
}

int
net_command(struct net_call *c, const char *model, const char *system, const char *text,
	struct arena *a, const struct json **out, struct net_err *e)
{
	const struct preset *p = preset_set();
	struct printed got = { .tokens_in = -1, .tokens_out = -1 };
	struct run r = { .in = -1, .out = -1, .err = -1, .text = text, .len = strlen(text) };
	const char *off;
	char here[4096];
	struct buf said;
	int rc, status;

	system = system == NULL ? "" : system;
	if (p->system_in_text && *system != '\0') {
		r.text = arena_printf(a, "%s\n\n%s", system, text);
		r.len = strlen(r.text);
		system = "";
	}
	/* the place that a command runs in is marked, so that it cannot start another */
	off = off_why(getcwd(here, sizeof(here)) != NULL ? here : "");
	if (off != NULL)
		return net_fail(e, NET_CONFIG, false, "%s, and no model is asked", off);
	if (p->needs_model && *model == '\0')
		return net_fail(e, NET_CONFIG, false, "%s needs a model: chat_model", p->name);
	c->n_tries++;
	buf_reset(&c->reply.body);
	buf_init(&said, SAID_BYTES);
	r.said = &said;
	rc = start(&r, p, model, system, e);
	if (rc == 0) {
		rc = exchange(&r, c, e);
		status = status_of(&r, c, rc < 0);
	}
	if (rc == 0) {
		read_printed(p->form, &c->reply.body, a, &got);
		rc = judge(p, status, &got, last_words(&said, &c->reply.body, a), e);
	}
	if (rc == 0)
		rc = tell(&got, a, out, e);
	shut(&r.in);
	shut(&r.out);
	shut(&r.err);
	buf_release(&said);
	return rc;
}
