/*
 * command.c: the command gets the question on its standard input, which is closed behind it, and
 * is read until it closes its output. What it says on its standard error is told when it fails.
 */
#include "net/command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/embedded.h"
#include "base/preset.h"
#include "base/run.h"
#include "base/utf8.h"
#include "json/json.h"

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

static int
take_first(void *arg, const struct json *v)
{
	*(const struct json **)arg = v;
	return 1;
}

/* Reads what was printed as an answer of OpenAI's chat; NULL: it is none. */
static const struct json *
read_printed(const struct preset *p, const struct buf *printed, struct arena *a)
{
	const char *source = arena_printf(a, "%s%s", embedded_find("schema/llm/answers.jq")->text,
	    p->map);
	LOCAL(buf) text = buf_of(SIZE_MAX / 4);
	const struct json *v = NULL;
	struct jq_program *map;

	json_write_string(&text, printed->data, printed->len);
	if (jq_compile_text(source, p->name, NULL, &map, NULL) == 0) {
		jq_run(map, text.data, text.len, a, take_first, &v, NULL);
		jq_free(map);
	}
	return v;
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
judge(const struct preset *p, int status, const struct json *v, const char *words,
	struct net_err *e)
{
	bool by_signal = status > 128 && status <= 128 + SIGNALS_MOST;
	const char *wrong = json_get_string(json_get(v, "error"), "message", NULL),
		   *text = v == NULL ? NULL : json_get_string(json_get(&json_get(v,
		       "choices")->u.items[0], "message"), "content", NULL);

	if (status == NOT_FOUND && text == NULL)
		return net_fail(e, NET_CONFIG, false, "llm_command is %s, which is not installed",
		    p->name);
	if (wrong != NULL)
		return net_fail(e, NET_SERVER, true, "%s: %.*s", p->name,
		    (int)utf8_clip(wrong, strlen(wrong), TOLD_BYTES), wrong);
	if (status != 0)
		return net_fail(e, NET_SERVER, true, "%s ended with %s %d: %s", p->name,
		    by_signal ? "signal" : "status", by_signal ? status - 128 : status, words);
	if (text == NULL)
		return net_fail(e, NET_REPLY, false, "%s gives no answer: %s", p->name, words);
	return 0;
}

int
net_command(struct net_call *c, const char *model, const char *system, const char *text,
	struct arena *a, const struct json **out, struct net_err *e)
{
	const struct preset *p = preset_set();
	LOCAL(ran) r = { 0 };

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
		*out = read_printed(p, &r.out, a);
		rc = judge(p, r.status, *out, last_words(&r, a), e);
	}
	return rc;
}
