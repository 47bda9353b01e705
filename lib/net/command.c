/*
 * command.c: the command gets the question on its standard input, which is closed behind it, and
 * is read until it closes its output. What it says on its standard error is told when it fails.
 */
#include "base/ascii.h"
#include "net/command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/preset.h"
#include "base/run.h"
#include "base/utf8.h"
#include "json/json_schema.h"

#define TOLD_BYTES   300       /* told of what went wrong */
#define NOT_FOUND    127       /* the status of sh for a command that is not there */
#define SIGNALS_MOST 64        /* a status of 128 and a number to this was a signal */
#define PLACE        "mem/asking/"

/* ---- where it runs ---- */

/*
 * The directory. An agent that keeps sessions notes it in them, and what is marked so is stored
 * neither by a hook nor later from its files.
 */
static int
make_place(const char **place, struct net_err *e)
{
	static const char mark[] = PLACE ".mem-off";

	conf_make_parents(conf_state_path(mark));
	*place = conf_state_path(PLACE);
	int fd = open(conf_state_path(mark), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
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

static int
ask(const struct preset *p, const char *model, const char *system, const char *text,
	struct net_call *c, struct arena *a, struct ran *r, struct net_err *e)
{
	const struct run_limits limits = { c->deadline_us, c->reply.body.max, c->gone, true };
	struct err err = ERR_INIT;
	const char *place, *script, *file;

	*r = (struct ran){ .how = RAN_NOT };
	if (make_place(&place, e) != 0)
		return -1;
	script = arena_printf(a, "%s%s", environment, p->command);
	file = arena_printf(a, "%ssystem-%ld.md", place, (long)getpid());
	run_within((const char *const[]){ "sh", "-c", script, p->name, model, system, place, file,
	    NULL }, text, strlen(text), &limits, r, &err);
	unlink(file);                          /* its shell may have been ended, and cannot */
	switch (r->how) {
	case RAN_NOT:
		return net_fail(e, NET_CONNECT, false, "%s cannot be started: %s", p->name,
		    err.msg);
	case RAN_LATE:
	case RAN_ALONE:
		return net_fail(e, NET_TIMEOUT, r->how == RAN_LATE, "no answer in time");
	case RAN_OVER:
		return net_fail(e, NET_REPLY, false, "answer is over %zu bytes", r->out.max);
	case RAN_WHOLE:
		break;
	}
	return 0;
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
	const struct json *item = json_get(v, "item"), *usage = json_get(v, "usage");

	if (json_is(v, "type", "item.completed") && json_is(item, "type", "agent_message")) {
		p->text = json_get_string(item, "text", NULL);
	} else if (json_is(v, "type", "turn.completed") && usage != NULL) {
		p->tokens_in = sum_of(usage, in);
		p->tokens_out = sum_of(usage, out);
		p->wrong = NULL;
	} else if (json_is(v, "type", "turn.failed")) {
		p->wrong = json_get_string(json_get(v, "error"), "message", NULL);
	} else if (json_is(v, "type", "error")) {
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
		size_t len = (size_t)(ascii_line_end(line, end) - line);
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
	struct buf b = buf_of(conf_caps.output_bytes);

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
	int rc = json_parse(arena_strndup(a, b.data, b.len), b.len, a, out, &err);
	buf_release(&b);
	return rc == 0 ? 0 : net_fail(e, NET_REPLY, false, "answer cannot be read: %s", err.msg);
}

/* ---- the call ---- */

/* The last words of its standard error, or of what it printed, in one line. */
static const char *
last_words(const struct ran *r, struct arena *a)
{
	const struct buf *b = r->said.len > 0 ? &r->said : &r->out;
	size_t len = b->len, start;

	while (len > 0 && strchr(" \t\r\n", b->data[len - 1]) != NULL)
		len--;
	start = len > TOLD_BYTES ? len - TOLD_BYTES : 0;
	while (start < len && start > 0 && ((unsigned char)b->data[start] & 0xC0) == 0x80)
		start++;
	char *words = arena_strndup(a, len > 0 ? b->data + start : "", len - start);
	for (char *p = words; *p != '\0'; p++)
		*p = (unsigned char)*p < ' ' ? ' ' : *p;
	return words;
}

static int
judge(const struct preset *p, int status, const struct printed *got, const char *words,
	struct net_err *e)
{
	bool by_signal = status > 128 && status <= 128 + SIGNALS_MOST;

	if (status == NOT_FOUND && got->text == NULL)
		return net_fail(e, NET_CONFIG, false, "llm_command is %s, which is not installed",
		    p->name);
	if (got->wrong != NULL)
		return net_fail(e, NET_SERVER, true, "%s: %.*s", p->name,
		    (int)utf8_clip(got->wrong, strlen(got->wrong), TOLD_BYTES), got->wrong);
	if (status != 0)
		return net_fail(e, NET_SERVER, true, "%s ended with %s %d: %s", p->name,
		    by_signal ? "signal" : "status", by_signal ? status - 128 : status, words);
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
	struct ran r;

	system = system == NULL ? "" : system;
	if (p->system_in_text && *system != '\0') {
		text = arena_printf(a, "%s\n\n%s", system, text);
		system = "";
	}
	if (p->needs_model && *model == '\0')
		return net_fail(e, NET_CONFIG, false, "%s needs a model: chat_model", p->name);
	c->n_tries++;
	int rc = ask(p, model, system, text, c, a, &r, e);
	if (rc == 0) {
		read_printed(p->form, &r.out, a, &got);
		rc = judge(p, r.status, &got, last_words(&r, a), e);
	}
	if (rc == 0)
		rc = tell(&got, a, out, e);
	ran_release(&r);
	return rc;
}
