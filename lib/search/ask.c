/* ask.c: one question from the operands, or one from each line of standard input. */
#include <poll.h>
#include <unistd.h>

#include "base/conf.h"
#include "json/ndjson.h"
#include "search/ask.h"

/* conf.c accepts no other word, so this cannot fail. */
static enum search_scope
scope_of(const char *name)
{
	return strcmp(name, "session") == 0 ? SEARCH_SESSION
	    : strcmp(name, "user") == 0	    ? SEARCH_USER
					    : SEARCH_AUTO;
}

int
ask_no_strategy(const char *name, struct err *err)
{
	LOCAL(buf) b = buf_of(sizeof(err->msg));

	for (size_t i = 0; search_strategies[i] != NULL; i++)
		buf_addf(&b, "%s%s",
		    i == 0				   ? ""
			: search_strategies[i + 1] != NULL ? ", "
							   : " or ",
		    search_strategies[i]);
	return err_set(err, ERR_USAGE, "unknown strategy '%s': %s", name, b.data);
}

int
ask_options(const struct scope *who, const char *strategy, const struct filter_words *words,
	struct search_query *q, struct err *err)
{
	const char *where;
	int64_t now_us;

	if (filter_moment("--now", words->now, clock_now_us(), &now_us, err) != 0)
		return -1;
	*q = (struct search_query){
		.strategy = strategy != NULL ? strategy : conf_text("strategy"),
		.limit = conf_int("limit"),
		.scope = scope_of(conf_text("scope")),
		.min_score = conf_real("min_score"),
		.now_us = now_us != TIME_NONE ? now_us : clock_now_us(),
	};
	/* the setting is meant for calls that have a session; the option demands one */
	if (q->scope == SEARCH_SESSION && conf_origin("scope", &where) == CONF_OPTION &&
	    (who->session == NULL || who->session[0] == '\0'))
		return err_set(err, ERR_USAGE, "--scope session needs -s");
	if (!search_knows(q->strategy))
		return ask_no_strategy(q->strategy, err);
	return filter_parse(words, q->now_us, &q->filter, err);
}

int
ask_words(struct store *s, struct search **search, const struct scope *who, const char *text,
	size_t len, int64_t limit, struct search_result *out, struct err *err)
{
	struct filter_words none = { .role = NULL };
	struct search_query q;

	if ((*search == NULL && search_open(s, search, err) < 0) ||
	    ask_options(who, "bm25", &none, &q, err) != 0)
		return -1;
	q.text = text;
	q.len = len;
	q.limit = limit;
	q.scope = SEARCH_USER;
	q.min_score = 0;
	return search_run(*search, who, &q, out, err);
}

int
ask_moment(const struct json *v, int64_t *now_us, struct err *err)
{
	const struct json *now = json_get(v, "now");
	int64_t us;

	if (now == NULL || now->kind == JSON_NULL)
		return 0;
	if (now->kind != JSON_STRING)
		return err_set(err, ERR_DATA, "'now' is no text");
	if (filter_moment("'now'", now->u.string, *now_us, &us, err) != 0) {
		err->code = ERR_DATA;
		return -1;
	}
	*now_us = us;
	return 0;
}

bool
ask_is_piped(char *const *args, int n)
{
	return n == 0 || (n == 1 && strcmp(args[0], "-") == 0);
}

void
ask_wait(void)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };

	if (!isatty(STDIN_FILENO))
		poll(&p, 1, -1);
}

int
ask_open(struct store **out, struct err *err)
{
	*out = NULL;
	if (store_open(conf_db(), STORE_READ, out, err) == 0)
		return 0;
	if (err->code != ERR_NOINPUT)
		return -1;
	err_clear(err);
	return 0;
}

static int
ask_operands(const struct ask_fn *fn, char *const *args, int n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *text = arena_join(&a, args, n);
	return fn->text(fn->arg, text, strlen(text), err);
}

static int
take_line(const struct ask_fn *fn, int got, const char *line, size_t len, struct arena *a,
	struct err *err)
{
	const struct json *v;

	arena_reset(a);
	if (got == NDJSON_TOO_LONG)
		return err_set(err, ERR_DATA, "line is too long");
	if (ndjson_record(line, len, "query", a, &v, err) != 0)
		return -1;
	return ndjson_is_end(v) ? 0 : fn->record(fn->arg, v, err);
}

static int
ask_stdin(const struct ask_fn *fn, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct ndjson *in;
	const char *line;
	char text[1200];
	size_t len;
	int got, rc = 0;

	if (isatty(STDIN_FILENO))
		return err_set(err, ERR_USAGE, "no question given");
	if (ndjson_open("-", 0, &in, err) != 0)
		return -1;
	while (rc == 0 && (got = ndjson_next(in, &line, &len, err)) != NDJSON_END) {
		rc = got < 0 ? -1 : take_line(fn, got, line, len, &a, err);
		if (rc < 0 && got > 0 && err->code == ERR_DATA) {
			snprintf(text, sizeof(text), "%s:%llu: %s", ndjson_name(in),
			    (unsigned long long)ndjson_line(in), err->msg);
			fn->bad(fn->arg, text);
			err_clear(err);
			rc = 0;
		}
	}
	ndjson_close(in);
	return rc;
}

int
ask_each(const struct ask_fn *fn, char *const *args, int n, struct err *err)
{
	return ask_is_piped(args, n) ? ask_stdin(fn, err) : ask_operands(fn, args, n, err);
}
