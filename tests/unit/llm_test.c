/*
 * llm_test.c: the client of a model's command, against commands of the shell that answer, answer
 * wrongly, stay silent or are not there.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storing.h"

#include "base/conf.h"
#include "llm/llm.h"
#include "store/guard.h"

#define SLEEP_US 100000000          /* of the commands that hang */
#define SCHEMA \
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]," \
	"\"additionalProperties\":false}"

static const char *asked_schema;
static int64_t asked_timeout_ms = 3000;

static void
set(const char *name, const char *value)
{
	must(conf_set(name, value, &err), name);
}

static struct llm_answer
ask(struct llm *l, const char *text)
{
	struct llm_question q = { .system = "be brief",
		.text = text,
		.schema = asked_schema,
		.timeout_ms = asked_timeout_ms };
	struct llm_answer got;
	int rc = llm_ask(l, &q, &arena, &got);

	ok(rc == (got.why == LLM_OK ? 0 : -1) && (*got.note == '\0') == (rc == 0),
	    "the status is that of the answer");
	return got;
}

/* One question to a command that is run for it. */
static struct llm_answer
once(const char *command)
{
	struct llm *l = llm_new(NULL, "ann", "mem-test", NULL);
	struct llm_answer got;

	set("llm_command", command);
	got = ask(l, "a \"text\"\nof two lines");
	llm_free(l);
	return got;
}

static void
test_answers(void)
{
	struct llm_answer got;
	struct llm *l;

	got = once("");
	is_int(got.why, LLM_OFF, "none is configured");
	got = once("while read -r q; do printf '%s\\n' \"$q\" >>asked; echo "
		   "'{\"ok\":true,\"text\":\"yes\",\"model\":\"m\",\"tokens_in\":7,\"tokens_out\":"
		   "1}'; done");
	is_int(got.why, LLM_OK, "an answer");
	is_str(got.text, "yes", "its text");
	is_str(got.model, "m", "its model");
	is_int(got.tokens_in * 10 + got.tokens_out, 71, "its tokens");
	got = once("jq -c --unbuffered '{id, ok: true, text: (.system + .text + (.max_tokens | "
		   "tostring) + (.timeout | tostring) + (.counted | tostring))}'");
	is_str(got.text, "be briefa \"text\"\nof two lines10243true", "what is asked");
	ok(got.tokens_in > 4 && got.tokens_out > 4, "tokens are estimated when they are not told");
	set("llm_command",
	    "n=0; while read -r q; do n=$((n + 1)); echo '{\"ok\":true,\"text\":\"'$n'\"}'; done");
	l = llm_new(NULL, "ann", "mem-test", NULL);
	ask(l, "a");
	ask(l, "b");
	is_str(ask(l, "c").text, "3", "one command for many questions");
	llm_free(l);
}

static void
test_schema(void)
{
	static const struct { const char *reply; enum llm_why why; const char *text; } replies[] = {
		{ "{\"ok\":true,\"json\":{\"n\":3}}", LLM_OK, "{\"n\":3}" },
		{ "{\"ok\":true,\"text\":\"```json\\n{\\\"n\\\": 4}\\n```\"}", LLM_OK, "{\"n\":4}" },
		{ "{\"ok\":true,\"json\":{\"n\":\"3\"}}", LLM_MISFIT, "" },
		{ "{\"ok\":true,\"json\":{\"n\":3,\"m\":1}}", LLM_MISFIT, "" },
		{ "{\"ok\":true,\"text\":\"I will not\"}", LLM_MISFIT, "" },
		{ "{\"ok\":true,\"text\":\"{\\\"n\\\":\"}", LLM_MISFIT, "" },
		{ "{\"ok\":true}", LLM_UNAVAILABLE, "" },
		{ "{\"ok\":true,\"text\":7}", LLM_UNAVAILABLE, "" },
		{ "{\"ok\":true,\"id\":9,\"text\":\"{}\"}", LLM_UNAVAILABLE, "" },
		{ "{\"ok\":false,\"error\":\"schema\",\"message\":\"m\"}", LLM_MISFIT, "" },
		{ "{\"ok\":false,\"error\":\"refused\",\"message\":\"m\"}", LLM_REFUSED, "" },
		{ "{\"ok\":false,\"error\":\"timeout\",\"message\":\"m\"}", LLM_UNAVAILABLE, "" },
		{ "{\"ok\":false,\"error\":\"what is this\"}", LLM_UNAVAILABLE, "" },
		{ "{\"ok\":false}", LLM_UNAVAILABLE, "" },
		{ "no json", LLM_UNAVAILABLE, "" },
		{ "[1]", LLM_UNAVAILABLE, "" },
		{ "", LLM_UNAVAILABLE, "" },
	};

	asked_schema = SCHEMA;
	for (size_t i = 0; i < NELEM(replies); i++) {
		char command[300];
		snprintf(command, sizeof(command), "read -r q; cat <<'E'\n%s\nE\n",
		    replies[i].reply);
		struct llm_answer got = once(command);
		is_str(llm_why_names[got.why], llm_why_names[replies[i].why], "reply: %s",
		    replies[i].reply);
		is_str(got.text, replies[i].text, "its text");
	}
	asked_schema = "{\"type\":\"object\",\"pattern\":\"x\"}";
	is_int(once("read -r q; echo '{\"ok\":true,\"json\":{}}'").why, LLM_REFUSED,
	    "a schema that cannot be checked");
	asked_schema = NULL;
}

static void
test_broken(void)
{
	static const char *const dead[] = { "/nowhere/to/be/found", "exit 3", "kill -9 $$",
		"read -r q; exit 0", "exec >&-; sleep 100", "exec <&-; echo half",
		"read -r q; printf '{\"ok\":true'" };
	int64_t began_us;
	char *large = xmalloc(3000001);
	struct llm *l;

	memset(large, 'x', 3000000);
	large[3000000] = '\0';
	for (size_t i = 0; i < NELEM(dead); i++) {
		began_us = clock_mono_us();
		is_int(once(dead[i]).why, LLM_UNAVAILABLE, "no answer of: %s", dead[i]);
		ok(clock_mono_us() - began_us < SLEEP_US / 2, "it is not waited for");
	}
	/* one that fails does not keep the next question from being answered */
	set("llm_command",
	    "read -r q; test -e again && echo '{\"ok\":true,\"text\":\"back\"}'; touch again");
	l = llm_new(NULL, "ann", "mem-test", NULL);
	is_int(ask(l, "a").why, LLM_UNAVAILABLE, "it dies");
	is_str(ask(l, "b").text, "back", "and is run again");
	llm_free(l);
	asked_timeout_ms = 500;
	static const char *const slow[] = { "sleep 100", "while :; do printf x; sleep .05; done",
		"trap '' TERM; while :; do sleep 1; done", "sleep 100 | cat" };
	for (size_t i = 0; i < NELEM(slow); i++) {
		began_us = clock_mono_us();
		is_int(once(slow[i]).why, LLM_UNAVAILABLE, "too slow: %s", slow[i]);
		int64_t took_us = clock_mono_us() - began_us;
		ok(took_us >= 500000 && took_us < SLEEP_US / 2, "after the time-out: %lld us",
		    (long long)took_us);
	}
	set("llm_command", "cat >/dev/null");
	l = llm_new(NULL, "ann", "mem-test", NULL);
	is_int(ask(l, large).why, LLM_UNAVAILABLE, "3 MB that are taken, and no answer");
	llm_free(l);
	set("llm_command", "sleep 100");
	l = llm_new(NULL, "ann", "mem-test", NULL);
	is_int(ask(l, large).why, LLM_UNAVAILABLE, "3 MB that are not taken");
	llm_free(l);
	asked_timeout_ms = 10000;
	began_us = clock_mono_us();
	is_int(once("yes | tr -d '\\n'").why, LLM_UNAVAILABLE, "an answer without end");
	ok(clock_mono_us() - began_us < 5000000, "is cut");
	asked_timeout_ms = 3000;
	free(large);
}

static volatile sig_atomic_t stop;

static void
on_alarm(int number)
{
	stop = number;
}

static void
test_stop(void)
{
	int64_t began_us = clock_mono_us();
	struct llm *l;

	set("llm_command", "sleep 100");
	signal(SIGALRM, on_alarm);
	alarm(1);
	l = llm_new(NULL, "ann", "mem-test", &stop);
	is_str(ask(l, "a").note, "interrupted", "stopped from outside");
	ok(clock_mono_us() - began_us < SLEEP_US / 2, "it is not waited for");
	llm_free(l);
}

/* ---- guard, ledger, budget ---- */

static char rows[500];

static int
see_row(void *arg, const struct ledger_row *r)
{
	size_t len = strlen(rows);

	(void)arg;
	snprintf(rows + len, sizeof(rows) - len,
	    "%s %s: %d calls, %d failed, %d stopped, %d in, %d out, %d micros\n", r->program,
	    r->model, (int)r->n_calls, (int)r->n_failed, (int)r->n_stopped, (int)r->cost.tokens_in,
	    (int)r->cost.tokens_out, (int)r->cost.micros);
	return 0;
}

static const char *
ledger(void)
{
	rows[0] = '\0';
	must(ledger_each(st, &ann, TIME_NONE, see_row, NULL, &err), "ledger");
	return rows;
}

static void
test_counted(void)
{
	const char *good =
	    "while read -r q; do echo x >>calls; echo "
	    "'{\"ok\":true,\"text\":\"y\",\"tokens_in\":100,\"tokens_out\":10}'; done";
	struct llm *l;
	int n;

	must(store_open(PATH, STORE_CREATE, &st, &err), "store");
	store_close(st);
	must(store_open(PATH, STORE_READ, &st, &err), "store");
	set("chat_model", "m");
	set("llm_price_in", "2");
	set("llm_price_out", "10");
	set("llm_command", good);
	l = llm_new(st, "ann", "mem-test", NULL);
	ask(l, "a");
	ask(l, "b");
	is_str(ledger(), "mem-test m: 2 calls, 0 failed, 0 stopped, 200 in, 20 out, 600 micros\n",
	    "the ledger, of a store open for reading");
	/*
	 * 220 spent; a question sets aside (3 + 100) * 2: the text is of one token, "be brief" of
	 * two
	 */
	set("llm_budget", "640");
	for (n = 0; n < 10 &&
	     llm_ask(l,
		 &(struct llm_question){ .system = "be brief", .text = "a", .max_tokens = 100 },
		 &arena, &(struct llm_answer){ 0 }) == 0;)
		n++;
	is_int(n, 2, "calls within the budget");
	is_int(ask(l, "c").why, LLM_OVER_BUDGET, "then none");
	set("llm_budget", "0");
	set("llm_budget_money", "0.001201");
	is_int(ask(l, "c").why, LLM_OVER_BUDGET, "nor within that of money");
	set("llm_budget_money", "0");
	llm_free(l);
	is_str(ledger(), "mem-test m: 4 calls, 0 failed, 3 stopped, 400 in, 40 out, 1200 micros\n",
	    "the ledger has the calls that were not made");

	set("llm_command", "echo x >>failures; exit 1");
	for (n = 0; n < 7; n++) {
		l = llm_new(st, "ann", "mem-test", NULL);
		is_int(ask(l, "c").why, n < 5 ? LLM_UNAVAILABLE : LLM_STOPPED,
		    "failure %d, each of its own client", n + 1);
		llm_free(l);
	}
	l = llm_new(NULL, "ann", "mem-test", NULL);
	for (n = 0; n < 7; n++)
		is_int(ask(l, "c").why, n < 5 ? LLM_UNAVAILABLE : LLM_STOPPED,
		    "without a store: failure %d of one client", n + 1);
	set("llm_budget", "1000");
	is_int(ask(l, "c").why, LLM_UNAVAILABLE, "a budget without a store: no call");
	set("llm_budget", "0");
	llm_free(l);
	is_int(system("test $(wc -l <failures) -eq 10 && test $(wc -l <calls) -eq 4"), 0,
	    "that many calls were made");
	store_close(st);
}

/* No command outlives its client, nor what it started. */
static void
test_nothing_left(void)
{
	is_int(waitpid(-1, NULL, WNOHANG), -1, "no child is left");
	asked_timeout_ms = 300;
	once("sleep 100 & echo $! >pid; wait");
	/* where nobody reaps orphans it stays as a zombie */
	is_int(system("p=$(cat pid); for i in 1 2 3 4 5 6 7 8 9; do kill -0 $p 2>/dev/null && ! "
		      "grep -qs 'State:.Z' /proc/$p/status || exit 0; sleep .1; done; exit 1"),
	    0, "nor a child of theirs");
}

int
main(void)
{
	static const char *const files[] = { PATH, PATH "-wal", PATH "-shm", PATH ".lock", "asked",
		"again", "calls", "failures", "pid", NULL };

	signal(SIGPIPE, SIG_IGN);
	tmpdir_make();
	test_answers();
	test_schema();
	test_broken();
	test_stop();
	test_counted();
	test_nothing_left();
	arena_release(&arena);
	tmpdir_remove(files);
	return tap_done();
}
