/* mem-llm: ask a language model or a remote embedder, a request a line */
#include <poll.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/prog.h"
#include "json/ndjson.h"
#include "llm/llm_account.h"
#include "net/serve.h"
#include "text/tokens.h"
#include "gen/programs.h"

/* the most values of an answer, each of which takes up to 150 bytes */
#define JSON_VALUES "100000"

static bool embed;
static const char *system_text;
static int64_t max_tokens;

static const struct prog_opt opts[] = {
	{ 'd', "db", "FILE", OPT_CONF, NULL, "db", 0, 0, "the database file" },
	{ 'u', "user", "NAME", OPT_CONF, NULL, "user", 0, 0, "in whose ledger (default: default)" },
	{ 0, "url", "URL", OPT_CONF, NULL, "chat_url", 0, 0, "where the language model is; with --embed, the service" },
	{ 0, "model", "NAME", OPT_CONF, NULL, "chat_model", 0, 0, "which one it is" },
	{ 0, "timeout", "SECONDS", OPT_CONF, NULL, "llm_timeout", 0, 0, "for a call, with all its tries (default: 60)" },
	{ 0, "budget", "TOKENS", OPT_CONF, NULL, "llm_budget", 0, 0, "make no call beyond so many a day" },
	{ 0, "system", "TEXT", OPT_TEXT, &system_text, NULL, 0, 0, "with TEXT operands: what to do with them" },
	{ 0, "max-tokens", "N", OPT_INT, &max_tokens, NULL, 1, 1000000, "with TEXT operands: of the answer" },
	{ 0, "embed", NULL, OPT_FLAG, &embed, NULL, 0, 0, "with TEXT operands: their vector" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_LLM };

struct llm_run {
	struct server *server;
	struct store *store;                   /* NULL: it is not open, or there is none */
	struct account account;
	/* opened at the first call that nobody else counts */
	bool has_account;
	struct arena a;
	int code;                              /* the exit status, that of the worst fault */
};

/* Whether nobody reads our answers any more. */
static bool
reader_is_gone(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR) != 0;
}

/* ---- a request ---- */

static void
failed(struct llm_run *r, int code)
{
	r->code = MAX(r->code, code);
}

/* Whether the service is at fault, and not the request or our settings. */
static bool
is_service(const struct net_err *e)
{
	return net_code(e->fault) == ERR_UNAVAILABLE;
}

static struct account_call
call_of(const struct request *q)
{
	bool is_embed = q->kind == NET_EMBED;
	struct account_call c = { .kind = net_kind_names[q->kind],
		.command = "",
		.url = conf_text(is_embed ? "embed_url" : "chat_url"),
		.model = is_embed ? q->embed.model : q->chat.model,
		.timeout_ms = q->timeout_ms,
		.max_tokens = q->chat.max_tokens };

	c.tokens_in =
	    q->chat.system == NULL ? 0 : tokens_estimate(q->chat.system, strlen(q->chat.system));
	c.tokens_in +=
	    q->chat.text == NULL ? 0 : tokens_estimate(q->chat.text, strlen(q->chat.text));
	for (size_t i = 0; i < q->embed.n; i++)
		c.tokens_in += tokens_estimate(q->embed.texts[i].text, q->embed.texts[i].len);
	return c;
}

/*
 * Opens the store for guard and ledger. A store that is missing, damaged or of another version does
 * not prevent a call, unless there is a budget, which could not be kept.
 */
static void
open_account(struct llm_run *r)
{
	struct err err = ERR_INIT;

	if (r->has_account)
		return;
	if (store_open(conf_db(), STORE_READ, &r->store, &err) != 0 && err.code != ERR_NOINPUT)
		prog_warn("%s", err.msg);
	account_init(&r->account, r->store, conf_text("user"), prog.name);
	r->has_account = true;
}

/* Whether the call may be made; false: the reply says why not. */
static bool
may_call(struct llm_run *r, const struct request *q, struct account_call *c)
{
	struct net_err e = NET_ERR_INIT;
	struct err err = ERR_INIT;
	enum call_says says;

	open_account(r);
	if (account_begin(&r->account, c, &says, &err) < 0) {
		net_fail(&e, NET_CONFIG, false, "%s", err.msg);
		reply_failed(prog_out(), q, NULL, &e, NULL);
		failed(r, err.code);
	} else if (says == CALL_STOPPED) {
		net_fail(&e, NET_SERVER, true,
		    "it failed too often of late, and is left alone for some minutes");
		reply_failed(prog_out(), q, "stopped", &e, NULL);
		failed(r, ERR_UNAVAILABLE);
	} else if (says == CALL_TOO_DEAR || says == CALL_OVER_BUDGET) {
		net_fail(&e, NET_RATE, false,
		    says == CALL_TOO_DEAR
			? "the call may take more than is left of the day's budget"
			: "the budget of the day is used up");
		reply_failed(prog_out(), q, "budget", &e, NULL);
		failed(r, ERR_UNAVAILABLE);
	} else {
		return true;
	}
	return false;
}

static void
answer(struct llm_run *r, const char *line, size_t len)
{
	struct net_err e = NET_ERR_INIT;
	struct served got = { 0 };
	struct request q;

	arena_reset(&r->a);
	if (request_read(line, len, &r->a, &q, &e) < 0) {
		reply_failed(prog_out(), &q, NULL, &e, NULL);
		failed(r, ERR_DATA);
		return;
	}
	struct account_call c = call_of(&q);
	if (!q.counted && !may_call(r, &q, &c))
		return;
	if (server_answer(r->server, &q, &r->a, prog_out(), &got, &e) < 0)
		failed(r, net_code(e.fault));
	if (!q.counted)
		account_end(&r->account, &c, is_service(&e), got.tokens_in, got.tokens_out);
}

/* ---- where requests come from ---- */

/* Prints only the text of the answer, on a terminal. */
static void
show_text(struct llm_run *r)
{
	const struct json *v;
	const char *text;
	size_t len;

	if (json_parse(prog_out()->data, prog_out()->len, &r->a, &v, NULL) < 0 ||
	    ((text = json_get_string(v, "text", &len)) == NULL &&
		(text = json_get_string(v, "message", &len)) == NULL))
		return;
	buf_reset(prog_out());
	print_safe(prog_out(), text, len);
	buf_addc(prog_out(), '\n');
}

/* One request, whose text is given as it is. */
static void
answer_text(struct llm_run *r, const char *text, size_t len)
{
	LOCAL(buf) line = buf_of(2 * conf_caps.line_bytes);

	json_open(&line);
	json_str(&line, "kind", net_kind_names[embed ? NET_EMBED : NET_CHAT]);
	json_str(&line, "system", system_text);
	json_strn(&line, "text", text, len);
	if (max_tokens > 0)
		json_int(&line, "max_tokens", max_tokens);
	json_close(&line);
	answer(r, line.data, line.len);
	if (prog_for_people())
		show_text(r);
}

/* Requests are records, a line each; what begins as none is the text of one, as a block is. */
static int
answer_stdin(struct llm_run *r, struct err *err)
{
	struct ndjson *in;
	const char *line;
	size_t len, blank = 0;
	int got;

	if (isatty(STDIN_FILENO))
		prog_note("reading requests from the terminal; end with Control-D");
	if (ndjson_open("-", 0, &in, err) < 0)
		return -1;
	if (ndjson_peek(in, &line, &len, err) == 0)
		while (blank < len && strchr(" \t\r\n", line[blank]) != NULL)
			blank++;
	if (err->code == 0 && blank < len && line[blank] != '{') {
		got = ndjson_rest(in, conf_caps.line_bytes, &line, &len, err);
		if (got >= 0)
			answer_text(r, line, len);
		ndjson_close(in);
		return got < 0 ? -1 : 0;
	}
	if (err->code == 0 && (embed || system_text != NULL || max_tokens > 0))
		err_set(err, ERR_USAGE, "--embed, --system and --max-tokens go with a text: "
		    "requests say it themselves");
	while (err->code == 0 && (got = ndjson_next(in, &line, &len, err)) > 0) {
		/*
		 * of a line over the cap only the beginning is there, which is refused as half a
		 * request
		 */
		answer(r, line, len);
		if (prog_flush() != PROG_OUT_OK)
			break;
	}
	ndjson_close(in);
	return err->code != 0 ? -1 : 0;
}

/* Applies --url and --model to the service that is asked. */
static int
apply_target(struct err *err)
{
	static const char *const settings[][2] = { { "chat_url", "embed_url" },
		{ "chat_model", "embed_model" } };

	for (size_t i = 0; embed && i < NELEM(settings); i++)
		if (conf_origin(settings[i][0], NULL) == CONF_OPTION &&
		    conf_set(settings[i][1], conf_text(settings[i][0]), err) < 0)
			return -1;
	return 0;
}

int
main(int argc, char **argv)
{
	struct llm_run r = { .a = ARENA_INIT };
	struct err err = ERR_INIT;

	net_keep_to_itself();
	int i = prog_start(&prog, argc, argv);
	conf_set("json_values", JSON_VALUES, NULL);
	if (apply_target(&err) == 0 && server_open(reader_is_gone, &r.server, &err) == 0) {
		const char *text = arena_join(&r.a, argv + i, argc - i);

		if (i < argc)
			answer_text(&r, text, strlen(text));
		else
			answer_stdin(&r, &err);
		account_release(&r.account);
		server_close(r.server);
		if (err.code == 0)
			err.code = r.code;
	}
	arena_release(&r.a);
	store_close(r.store);
	return prog_end(&err);
}
