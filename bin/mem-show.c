/* mem-show: show records, where they came from and what was said around them */
#include <math.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cli/prog.h"
#include "cluster/cluster.h"
#include "context/history.h"
#include "facts/edit.h"
#include "facts/important.h"
#include "hook/hook_log.h"
#include "json/json.h"
#include "people/told.h"
#include "records/handles.h"
#include "records/ids.h"
#include "records/named.h"
#include "records/record.h"
#include "records/show.h"
#include "records/title.h"
#include "search/ask.h"
#include "search/decided.h"
#include "search/handed_hits.h"
#include "summary/summarize.h"
#include "gen/programs.h"

#define FLUSH_BYTES (32u << 10)
#define HOOK_LINES  100000         /* of the log of mem-hook that are looked at */

static int64_t context;
static bool why, seen;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'C', "context", "N", OPT_INT, &context, NULL, 0, 1000, "with N messages before and after each" },
	{ 0, "why", NULL, OPT_FLAG, &why, NULL, 0, 0, "why the last search that found it did so, and what it left out" },
	{ 0, "seen", NULL, OPT_FLAG, &seen, NULL, 0, 0, "the searches and blocks in which it was handed out" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_SHOW };

/* One run, and the worst fault in it. */
struct shower {
	struct show_want want;
	struct err *err;
	int code;                          /* the exit status so far */
	struct index *index;               /* of what was said later of decisions */
	char *session;                     /* the last one that people were shown; or NULL */
};

/* Writes out what is gathered; returns 1 when nobody reads any more. */
static int
flush_some(void)
{
	return prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

/* ---- why it was found, and where it was handed out ---- */

static void put_missed(void *arg, int code, const char *text);

static int
put_seen(void *arg, const struct why *w)
{
	++*(size_t *)arg;
	if (prog_for_people()) {
		told_answer(w);
	} else {
		seen_record(prog_out(), conf_text("user"), w);
		buf_addc(prog_out(), '\n');
	}
	return flush_some();
}

/* The blocks that mem-hook told it in: those of its log. */
struct told { const char *id; size_t *n; };

static int
put_told(void *arg, const char *line, size_t len, struct err *err)
{
	const struct told *t = arg;
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v, *given;
	bool has = false;

	(void)err;
	if (json_parse(line, len, &a, &v, NULL) == 0 && (given = json_get(v, "given")) != NULL &&
	    given->kind == JSON_ARRAY) {
		const char *time = json_get_string(v, "time", NULL), *id;
		struct why w = { .id = t->id, .time_us = TIME_NONE, .program = "mem-hook",
			.path = json_get_string(v, "event", NULL),
			.at = { .did = HANDED_OUT, .score = NAN, .p = NAN, .sim = NAN,
			    .bm25 = NAN } };

		for (size_t i = 0; i < given->len && !has; i++)
			has = (id = json_get_string(&given->u.items[i], "id", NULL)) != NULL &&
			    strcmp(id, t->id) == 0;
		has &= time != NULL && w.path != NULL &&
		    time_parse(time, strlen(time), &w.time_us, NULL) == 0;
		if (has)
			put_seen(t->n, &w);
	}
	return 0;
}

/* A message or record, for --why and --seen. */
static int
put_handed(struct shower *sh, const char *id, bool is_record, int64_t row)
{
	LOCAL(arena) a = ARENA_INIT;
	size_t n = 0;
	struct why w;
	char text[200];
	int rc = why ? why_found(sh->want.s, &sh->want.who, id, is_record, row, &a, &w, sh->err)
		     : seen_each(sh->want.s, &sh->want.who, id, is_record, row, put_seen, &n,
			   sh->err);

	if (rc == 0 && seen)
		rc = hook_log_last(hook_log_path(conf_db(), &a), sh->want.who.user, "", HOOK_LINES,
		    put_told, &(struct told){ id, &n }, sh->err);
	if (rc > 0 && prog_for_people()) {
		told_why(sh->want.s, &sh->want.who, &w, &a);
	} else if (rc > 0) {
		why_record(prog_out(), conf_text("user"), &w);
		buf_addc(prog_out(), '\n');
	} else if (rc == 0 && n == 0) {
		snprintf(text, sizeof(text), "no search that is kept %s '%s'",
		    why ? "found" : "handed out", id);
		put_missed(sh, ERR_NOINPUT, text);
	}
	return rc < 0 ? -1 : flush_some();
}

static int
put_group(struct shower *sh, const char *id)
{
	char text[200];

	snprintf(text, sizeof(text), "'%s' is no message and no record: it is not handed out", id);
	put_missed(sh, ERR_DATA, text);
	return 0;
}

/* ---- what a message weighs ---- */

static int
on_note(void *arg, size_t i, const struct fact *f)
{
	(void)i;
	*(bool *)arg |= f->head.retracted_us == TIME_NONE && important_is_mark(f);
	return 0;
}

/*
 * How important it is to mem-context --strategy hybrid, and why: it was marked so, or the words of
 * it that say so, in the arena. 0: not at all; -1: with err.
 */
static double
importance_of(const struct shower *sh, const struct message *m, struct arena *a,
	const char **because)
{
	const struct importance v = message_importance(m);
	bool marked = false;

	if (records_of_messages(sh->want.s, &sh->want.who, &m->row, 1, on_note, &marked,
	    sh->err) < 0)
		return -1;
	*because = marked ? "marked by hand" : arena_strndup(a, m->content + v.start, v.len);
	return marked ? 1 : v.weight;
}

/* ---- one of each kind ---- */

/* Prints a message; one that only stands near has the id of that which was asked for. */
static void
record_one(const struct message *m, const char *near, double weight, const char *because)
{
	struct buf *out = prog_out();

	record_message(out, conf_text("user"), m);
	out->data[--out->len] = '\0';          /* removes the closing brace */
	if (near != NULL)
		json_str(out, "near", near);
	if (weight > 0) {
		json_num(out, "importance", weight);
		json_str(out, "because", because);
	}
	json_close(out);
	buf_addc(out, '\n');
}

static int
put_message(void *arg, const struct message *m, const char *near)
{
	const struct shower *sh = arg;
	LOCAL(arena) a = ARENA_INIT;
	const char *because = "";

	if (why || seen)
		return put_handed(arg, m->id, false, m->row);
	/* reading the words takes as long as all the rest */
	double weight = near == NULL && (prog_for_people() || prog_common.verbose)
	    ? importance_of(sh, m, &a, &because) : 0;
	/* people see only what weighs enough for a block to keep it */
	if (weight < 0)
		;
	else if (!prog_for_people())
		record_one(m, near, weight, because);
	else if (weight >= HISTORY_IMPORTANT)
		told_message(m, near == NULL, weight, because);
	else
		told_message(m, near == NULL, 0, "");
	return weight < 0 ? -1 : flush_some();
}

static int
put_turn(void *arg, const struct message *m)
{
	return put_message(arg, m, "");
}

/* Prints a session: its own record in a pipe, and all that was said in it for people. */
static int
put_session(void *arg, const struct session *v)
{
	struct shower *sh = arg;
	struct message_filter all = MESSAGE_FILTER_ANY;
	struct scope in = sh->want.who;
	LOCAL(arena) a = ARENA_INIT;
	const char *title;

	if (why || seen)
		return put_group(sh, v->id);
	if (!prog_for_people()) {
		record_session(prog_out(), in.user, v, NULL);
		buf_addc(prog_out(), '\n');
		return flush_some();
	}
	/* two words of a title name the session twice */
	if (sh->session != NULL && strcmp(sh->session, v->id) == 0)
		return 0;
	free(sh->session);
	sh->session = xstrdup(v->id);
	if (session_title(sh->want.s, &sh->want.who, v, &a, &title, sh->err) != 0)
		return -1;
	told_session(v, title);
	in.session = v->id;
	return messages_each(sh->want.s, &in, &all, put_turn, sh, sh->err) != 0 || flush_some();
}

/*
 * Reads from the message of each source the bytes that the fact quotes; NULL: the message is gone,
 * or all of it is meant.
 */
static int
read_quotes(const struct shower *sh, const struct fact *f, struct arena *a, const char ***out)
{
	const char **quotes = arena_zalloc(a, (f->head.n_sources + 1) * sizeof(*quotes));
	const struct message *m;

	for (size_t i = 0; i < f->head.n_sources; i++) {
		const struct record_source *s = &f->head.sources[i];
		if (s->length == 0)
			continue;
		if (messages_find(sh->want.s, &sh->want.who, s->id, a, &m, sh->err) != 0)
			return -1;
		if (m != NULL && s->start + s->length <= (int64_t)m->content_len)
			quotes[i] = arena_strndup(a, m->content + s->start, (size_t)s->length);
	}
	*out = quotes;
	return 0;
}

static int
add_step(void *arg, const struct step *v)
{
	size_t *n = arg;

	if (prog_for_people()) {
		told_step(v);
		return 0;
	}
	buf_adds(prog_out(), (*n)++ == 0 ? "" : ",");
	record_step(prog_out(), conf_text("user"), v);
	return 0;
}

struct former { const char *now, *last; struct arena *a; };

/* Says how a record was worded before each change of its words. */
static int
add_was(void *arg, const struct fact *f)
{
	struct former *w = arg;
	const char *said = f->head.content;

	if (strcmp(said, w->now) == 0 || (w->last != NULL && strcmp(said, w->last) == 0))
		return 0;
	w->last = arena_strdup(w->a, said);
	told_before(said);
	return 0;
}

/* Prints a fact with its sources and the steps that made it. */
static int
put_known(void *arg, const struct fact *f)
{
	struct shower *sh = arg;
	struct buf *out = prog_out();
	LOCAL(arena) a = ARENA_INIT;
	const char **quotes;
	size_t n = 0;
	int64_t n_stale = 0;
	struct decided d;

	if (why || seen)
		return put_handed(sh, f->head.id, true, f->head.row);
	int rc = read_quotes(sh, f, &a, &quotes);

	if (rc == 0)
		rc = summary_stale(sh->want.s, &sh->want.who, f, &n_stale, sh->err);
	if (rc == 0)
		rc = decided_read(sh->want.s, &sh->index, &sh->want.who, f, &a, &d, sh->err);
	if (rc == 0 && prog_for_people()) {
		told_known(f, decided_text(&d, "", &a), quotes, n_stale);
		rc = steps_each(sh->want.s, &sh->want.who, f->head.row, add_step, &n, sh->err);
		if (rc == 0)
			rc = records_was_each(sh->want.s, &sh->want.who, f->head.row, add_was,
			    &(struct former){ f->head.content, NULL, &a }, sh->err);
		buf_addc(out, '\n');
	} else if (rc == 0) {
		record_summary(out, conf_text("user"), f, n_stale, quotes);
		out->data[--out->len] = '\0';  /* removes the closing brace */
		decided_write(&d, out);
		buf_adds(out, ",\"history\":[");
		rc = steps_each(sh->want.s, &sh->want.who, f->head.row, add_step, &n, sh->err);
		buf_adds(out, "]}\n");
	}
	return rc != 0 || flush_some();
}

static int
put_category(void *arg, const struct category *c)
{
	if (why || seen)
		return put_group(arg, c->id);
	if (prog_for_people())
		told_category(c);
	else
		record_category(prog_out(), conf_text("user"), c);
	return flush_some();
}

/* Reports an id that was not shown. The first fault decides the exit status. */
static void
put_missed(void *arg, int code, const char *text)
{
	struct shower *sh = arg;

	prog_warn("%s", text);
	if (sh->code == 0)
		sh->code = code;
}

/*
 * Shows the ids on the standard input. A search tells what it handed out when its hits are printed,
 * so --why and --seen wait until the input ends: then the search before the pipe has ended, too.
 */
static int
show_input(struct shower *sh, const struct show_fn *fn, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED struct id_given *ids = NULL;
	size_t n = 0;

	if (!why && !seen)
		return show_lines(&sh->want, fn, "-", err);
	int rc = ids_read("-", &a, &ids, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = show_one(&sh->want, fn, ids[i], "", err);
	return rc;
}

/* An id, or the number of a hit of the last search, where no session is called so. */
static int
show_operand(struct shower *sh, const struct show_fn *fn, const char *id, struct arena *a,
	struct err *err)
{
	const char *hit = handles_find(id, sh->want.who.user, a);
	const struct session *v = NULL;

	if (hit != NULL && sh->want.s != NULL &&
	    sessions_find(sh->want.s, &sh->want.who, id, a, &v, err) != 0)
		return -1;
	return show_one(&sh->want, fn,
	    (struct id_given){ hit != NULL && v == NULL ? hit : id, false }, "", err);
}

static int
put_idle(void *arg)
{
	(void)arg;
	return prog_flush() != PROG_OUT_OK;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct shower sh = { .err = &err };
	LOCAL(arena) arena = ARENA_INIT;
	const struct show_fn fn = { put_message, put_session, put_known, put_category, put_missed,
		put_idle, &sh };
	int i = prog_start(&prog, argc, argv), rc = 0;

	if (i == argc && isatty(STDIN_FILENO)) {
		err_set(&err, ERR_USAGE, "no id given ('mem-show -h' shows the options)");
		return prog_end(&err);
	}
	if ((why && seen) || ((why || seen) && context > 0)) {
		err_set(&err, ERR_USAGE, "--why, --seen and -C exclude each other");
		return prog_end(&err);
	}
	sh.want.who = (struct scope)PROG_SCOPE;
	sh.want.n_around = (int)context;
	sh.want.loosely = prog_for_people();
	if (ask_is_piped(argv + i, argc - i))
		ask_wait();
	if (ask_open(&sh.want.s, &err) != 0 ||
	    scope_in(sh.want.s, &sh.want.who, prog_cautioned, prog_cautioned, &arena, &err) != 0) {
		store_close(sh.want.s);
		return prog_end(&err);
	}
	if (i == argc)
		show_input(&sh, &fn, &err);
	for (; i < argc && rc == 0; i++)
		rc = strcmp(argv[i], "-") == 0 ? show_input(&sh, &fn, &err)
					       : show_operand(&sh, &fn, argv[i], &arena, &err);
	if (err.code == 0)
		err.code = sh.code;
	index_free(sh.index);
	store_close(sh.want.s);
	return prog_end(&err);
}
