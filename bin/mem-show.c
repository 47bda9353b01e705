/*
 * mem-show: show records, where they came from and what was said around them
 */
#include <math.h>
#include <unistd.h>

#include "base/alloc.h"
#include "calls/calls.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cluster/cluster.h"
#include "context/history.h"
#include "facts/edit.h"
#include "facts/important.h"
#include "json/json.h"
#include "records/handles.h"
#include "records/ids.h"
#include "records/named.h"
#include "records/record.h"
#include "records/show.h"
#include "records/title.h"
#include "search/ask.h"
#include "search/handed_hits.h"
#include "summary/summarize.h"

#define FLUSH_BYTES  (32u << 10)
/* text is wrapped at this width, as longer lines are hard to read */
#define TEXT_COLUMNS 100
#define INDENT       4
#define CALLS_BYTES  2000              /* of what the calls of a turn did */

static int64_t context;
static bool why, seen;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 'C', "context", "N", OPT_INT, &context, NULL, 0, 1000, "with N messages before and after each" },
	{ 0, "why", NULL, OPT_FLAG, &why, NULL, 0, 0, "why the last search that found it did so, and what it left out" },
	{ 0, "seen", NULL, OPT_FLAG, &seen, NULL, 0, 0, "the searches and blocks in which it was handed out" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { "mem-show",
	"show records, where they came from and what was said around them", "[ID ... | -]", opts,
	"  mem-show source:power-06\n"
	"  mem-search -n 1 'false alarm' | mem-show -C 2\n"
	"  mem-search -n 1 'false alarm' | mem-show --why\n"
	"  mem-show SESSION\n" };

/* One run, and the worst fault in it. */
struct shower {
	struct show_want want;
	struct err *err;
	int code;                          /* the exit status so far */
	char *session;                     /* the last one that people were shown; or NULL */
};

/* Writes out what is gathered; returns 1 when nobody reads any more. */
static int
flush_some(void)
{
	return prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

/* ---- for people ---- */

static void
bold(const char *text, const char *before)
{
	struct buf *out = prog_out();

	buf_adds(out, before);
	buf_adds(out, prog_color() ? "\x1b[1m" : "");
	print_line(out, text, strlen(text), prog_columns());
	buf_adds(out, prog_color() ? "\x1b[0m" : "");
}

static void
field(const char *key, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	buf_addf(prog_out(), "  %s ", key);
	print_line(prog_out(), value, strlen(value), TEXT_COLUMNS);
}

static const char *
time_or(int64_t us, const char *otherwise, char text[TIME_TEXT])
{
	return us == TIME_NONE ? otherwise : time_format_local(us, text);
}

/* Prints code as it was written, and wraps prose. */
static int
text_chunk(void *arg, const struct chunk *c)
{
	const struct message *m = arg;
	const char *p = m->content + c->start, *end = p + c->len;
	int columns = MIN(prog_columns(), TEXT_COLUMNS);

	buf_addc(prog_out(), '\n');
	if (c->kind == CHUNK_PROSE) {
		print_wrapped(prog_out(), p, c->len, columns, INDENT);
		return 0;
	}
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl != NULL ? nl : end;

		if (stop > p)
			buf_addf(prog_out(), "%*s", INDENT, "");
		print_safe(prog_out(), p, (size_t)(stop - p));
		buf_addc(prog_out(), '\n');
		p = stop + 1;
	}
	return 0;
}

/* Prints what the calls of tools did. */
static void
text_calls(const char *tool_calls)
{
	struct arena a = ARENA_INIT;
	const char *did = calls_said(tool_calls, CALLS_BYTES, &a);

	if (*did != '\0') {
		buf_addc(prog_out(), '\n');
		print_wrapped(prog_out(), did, strlen(did), MIN(prog_columns(), TEXT_COLUMNS),
		    INDENT);
	}
	arena_release(&a);
}

/* ---- what a message weighs ---- */

static int
on_note(void *arg, size_t i, const struct fact *f)
{
	(void)i;
	*(bool *)arg |= f->head.retracted_us == TIME_NONE &&
	    strcmp(f->head.tags, "[\"" IMPORTANT_TAG "\"]") == 0;
	return 0;
}

/*
 * How important it is to mem-context --strategy hybrid, and why: it was marked so, or the words of
 * it that say so, in the arena. 0: not at all.
 */
static double
importance_of(const struct shower *sh, const struct message *m, struct arena *a,
	const char **because)
{
	const struct importance v = message_importance(m);
	bool marked = false;

	records_of_messages(sh->want.s, &sh->want.who, &m->row, 1, on_note, &marked, NULL);
	*because = marked ? "marked by hand" : arena_strndup(a, m->content + v.start, v.len);
	return marked ? 1 : v.weight;
}

/* For people: what weighs enough for a block to keep it. */
static void
text_importance(const struct shower *sh, const struct message *m)
{
	struct arena a = ARENA_INIT;
	const char *because;
	double weight = importance_of(sh, m, &a, &because);

	if (weight >= HISTORY_IMPORTANT) {
		buf_addf(prog_out(), "  importance %.1f: ", weight);
		print_line(prog_out(), because, strlen(because), MAX(prog_columns() - 20, 20));
		buf_addc(prog_out(), '\n');
	}
	arena_release(&a);
}

static void
text_message(const struct shower *sh, const struct message *m, bool asked)
{
	struct message shown = *m;
	struct buf *out = prog_out();
	char text[TIME_TEXT], number[32];

	bold(message_by(m), asked ? "" : "  ");
	buf_addf(out, "  %s", time_or(m->time_us, "no time", text));
	field("in", m->session);
	buf_addf(out, ", turn %lld\n", (long long)m->turn);
	if (asked) {
		snprintf(number, sizeof(number), "%d", m->trust);
		field("id", m->id);
		field("source", m->source_id);
		buf_adds(out, "\n");
		field("role", role_names[m->role]);
		field("origin", origin_names[m->origin]);
		field("trust", number);
		field("agent", m->agent);
		field("project", m->project);
		field("stored", time_or(m->stored_us, "", text));
		snprintf(number, sizeof(number), "%u", m->n_tokens);
		field("tokens", number);
		buf_addc(out, '\n');
		text_importance(sh, m);
	}
	chunk_each(m->content, m->content_len, text_chunk, &shown);
	text_calls(m->tool_calls);
	buf_addc(out, '\n');
}

static void
text_session(const struct session *v, const char *title)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(v->id, "");
	field("title", title);
	buf_addf(out, "\n  %lld message%s", (long long)v->n_messages,
	    PLURAL(v->n_messages));
	field("from", time_or(v->created_us, "", text));
	field("to", time_or(v->updated_us, "", text));
	field("agent", v->agent);
	field("project", v->project);
	buf_adds(out, "\n\n");
}

/* ---- why it was found, and where it was handed out ---- */

static void put_missed(void *arg, int code, const char *text);

static void
number(const char *key, float v)
{
	if (!isnan(v))
		buf_addf(prog_out(), "  %s %.3f", key, (double)v);
}

/* "mem-search fused  2026-01-01T00:00:00Z  out, rank 2, 31 tokens" */
static void
text_answer(const struct why *w)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(w->program, "");
	buf_addf(out, " %s  %s  %s", w->path, time_or(w->time_us, "", text),
	    handed_names[w->at.did]);
	if (w->at.rank > 0)
		buf_addf(out, ", rank %u", w->at.rank);
	if (w->at.tokens > 0)
		buf_addf(out, ", %u tokens", w->at.tokens);
	buf_addc(out, '\n');
}

/* How what was found, or left out, begins: its id says nothing to people. */
static void
first_words(const struct shower *sh, const char *id, struct arena *a)
{
	const struct message *m = NULL;
	const struct fact *f = NULL;
	size_t room = MAX(prog_columns(), 80) - 41;

	if (messages_find(sh->want.s, &sh->want.who, id, a, &m, NULL) == 0 && m != NULL)
		print_line(prog_out(), m->content, m->content_len, room);
	else if (records_find(sh->want.s, &sh->want.who, id, a, &f, NULL) == 0 && f != NULL)
		print_line(prog_out(), f->head.content, f->head.content_len, room);
}

static void
text_why(const struct shower *sh, const struct why *w, struct arena *a)
{
	const struct handed *h = &w->at;
	struct buf *out = prog_out();

	text_answer(w);
	number("score", h->score);
	number("p", h->p);
	number("bm25", h->bm25);
	number("similarity", h->sim);
	buf_addc(out, '\n');
	for (size_t i = 0; h->x != NULL && i < N_SIGNALS; i++)
		if (h->x[i] != 0)
			buf_addf(out, "    %-16s %6.3f  %s\n", signals[i].name, (double)h->x[i],
			    signals[i].help);
	for (size_t i = 0; i < w->n; i++) {
		const struct handed *o = &w->items[i];

		buf_addf(out, "  %s  %-8s  ", w->ids[i], handed_names[o->did]);
		first_words(sh, w->ids[i], a);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
}

static int
put_seen(void *arg, const struct why *w)
{
	++*(size_t *)arg;
	if (prog_for_people()) {
		text_answer(w);
	} else {
		seen_record(prog_out(), conf_text("user"), w);
		buf_addc(prog_out(), '\n');
	}
	return flush_some();
}

/* A message or record, for --why and --seen. */
static int
put_handed(struct shower *sh, const char *id, bool is_record, int64_t row)
{
	struct arena a = ARENA_INIT;
	size_t n = 0;
	struct why w;
	char text[200];
	int rc = why ? why_found(sh->want.s, &sh->want.who, id, is_record, row, &a, &w, sh->err)
		     : seen_each(sh->want.s, &sh->want.who, id, is_record, row, put_seen, &n,
			   sh->err);

	if (rc > 0 && prog_for_people()) {
		text_why(sh, &w, &a);
	} else if (rc > 0) {
		why_record(prog_out(), conf_text("user"), &w);
		buf_addc(prog_out(), '\n');
	} else if (rc == 0 && n == 0) {
		snprintf(text, sizeof(text), "no search that is kept %s '%s'",
		    why ? "found" : "handed out", id);
		put_missed(sh, ERR_NOINPUT, text);
	}
	arena_release(&a);
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

/* ---- one of each kind ---- */

/* Prints a neighbour, whose record has the id of the message that was asked for. */
static void
record_one(const struct shower *sh, const struct message *m, const char *near)
{
	struct buf *out = prog_out();
	struct arena a = ARENA_INIT;
	const char *because;
	double weight = near == NULL ? importance_of(sh, m, &a, &because) : 0;

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
	arena_release(&a);
}

static int
put_message(void *arg, const struct message *m, const char *near)
{
	const struct shower *sh = arg;

	if (why || seen)
		return put_handed(arg, m->id, false, m->row);
	if (!prog_for_people())
		record_one(sh, m, near);
	else
		text_message(sh, m, near == NULL);
	return flush_some();
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
	struct arena a = ARENA_INIT;
	const char *title;

	if (why || seen)
		return put_group(sh, v->id);
	if (!prog_for_people()) {
		record_session(prog_out(), in.user, v);
		buf_addc(prog_out(), '\n');
		return flush_some();
	}
	/* two words of a title name the session twice */
	if (sh->session != NULL && strcmp(sh->session, v->id) == 0)
		return 0;
	free(sh->session);
	sh->session = xstrdup(v->id);
	if (session_title(sh->want.s, &sh->want.who, v, &a, &title, sh->err) != 0) {
		arena_release(&a);
		return -1;
	}
	text_session(v, title);
	arena_release(&a);
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
	char text[TIME_TEXT];

	if (!prog_for_people()) {
		buf_adds(prog_out(), (*n)++ == 0 ? "" : ",");
		record_step(prog_out(), conf_text("user"), v);
		return 0;
	}
	buf_addf(prog_out(), "  %s  step %lld: %s%s%s\n", time_format_local(v->time_us, text),
	    (long long)v->no, step_names[v->did], *v->why != '\0' ? ", " : "", v->why);
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
	field("said before:", said);
	buf_addc(prog_out(), '\n');
	return 0;
}

static void
text_known(const struct fact *f, const char *const *quotes, int64_t n_stale)
{
	const struct record_head *h = &f->head;
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	bold(h->type == RECORD_FACT	    ? fact_kind_names[f->kind]
		: h->type == RECORD_SUMMARY ? "summary"
					    : "reflection",
	    "");
	buf_addf(out, "  %s", time_or(h->time_us, "no time", text));
	field("id", h->id);
	buf_addc(out, '\n');
	if (h->type == RECORD_FACT) {
		field("bank", f->bank);
		field("category", fact_root_names[f->category]);
		field("subcategory", *f->subcategory != '\0' ? f->subcategory : f->found_in);
		field("key", f->key);
		field("from", time_or(f->valid_from_us, "", text));
		field("to", time_or(f->valid_to_us, "", text));
		field("ended by", f->superseded_by);
		buf_addc(out, '\n');
	}
	if (n_stale > 0) {
		snprintf(text, sizeof(text), "%lld since", (long long)n_stale);
		field("stale", text);
		buf_addc(out, '\n');
	}
	if (h->retracted_us != TIME_NONE) {
		field("retracted", time_format_local(h->retracted_us, text));
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
	print_wrapped(out, h->content, h->content_len, MIN(prog_columns(), TEXT_COLUMNS), INDENT);
	buf_addc(out, '\n');
	for (size_t i = 0; i < h->n_sources; i++) {
		field("source", h->sources[i].id);
		if (quotes[i] != NULL)
			field("says", quotes[i]);
		buf_addc(out, '\n');
	}
}

/* Prints a fact with its sources and the steps that made it. */
static int
put_known(void *arg, const struct fact *f)
{
	struct shower *sh = arg;
	struct buf *out = prog_out();
	struct arena a = ARENA_INIT;
	const char **quotes;
	size_t n = 0;
	int64_t n_stale = 0;
	int rc;

	if (why || seen)
		return put_handed(sh, f->head.id, true, f->head.row);
	rc = read_quotes(sh, f, &a, &quotes);

	if (rc == 0)
		rc = summary_stale(sh->want.s, &sh->want.who, f, &n_stale, sh->err);
	if (rc == 0 && prog_for_people()) {
		text_known(f, quotes, n_stale);
		rc = steps_each(sh->want.s, &sh->want.who, f->head.row, add_step, &n, sh->err);
		if (rc == 0)
			rc = records_was_each(sh->want.s, &sh->want.who, f->head.row, add_was,
			    &(struct former){ f->head.content, NULL, &a }, sh->err);
		buf_addc(out, '\n');
	} else if (rc == 0) {
		record_summary(out, conf_text("user"), f, n_stale, quotes);
		out->data[--out->len] = '\0';  /* removes the closing brace */
		buf_adds(out, ",\"history\":[");
		rc = steps_each(sh->want.s, &sh->want.who, f->head.row, add_step, &n, sh->err);
		buf_adds(out, "]}\n");
	}
	arena_release(&a);
	return rc != 0 || flush_some();
}

static int
put_category(void *arg, const struct category *c)
{
	struct buf *out = prog_out();
	char text[TIME_TEXT];

	if (why || seen)
		return put_group(arg, c->id);
	if (!prog_for_people()) {
		record_category(out, conf_text("user"), c);
		return flush_some();
	}
	bold(*c->name != '\0' ? c->name : "no name yet", "");
	field("category of", fact_root_names[c->root]);
	field("id", c->id);
	buf_addf(out, "\n  %lld record%s", (long long)c->n_members, PLURAL(c->n_members));
	field("from", time_or(c->created_us, "", text));
	field("to", time_or(c->updated_us, "", text));
	buf_addc(out, '\n');
	field("words", c->keywords);
	buf_adds(out, "\n\n");
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
	struct arena a = ARENA_INIT;
	const char **ids = NULL;
	size_t n = 0;
	int rc;

	if (!why && !seen)
		return show_lines(&sh->want, fn, "-", err);
	rc = ids_read("-", &a, &ids, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = show_one(&sh->want, fn, ids[i], "", err);
	free(ids);
	arena_release(&a);
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
	return show_one(&sh->want, fn, hit != NULL && v == NULL ? hit : id, "", err);
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
	struct arena arena = ARENA_INIT;
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
	sh.want.who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project,
		prog_common.session };
	sh.want.n_around = (int)context;
	sh.want.loosely = prog_for_people();
	if (ask_is_piped(argv + i, argc - i))
		ask_wait();
	if (ask_open(&sh.want.s, &err) != 0 ||
	    scope_in(sh.want.s, &sh.want.who, prog_warning, prog_warning, &arena, &err) != 0) {
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
	arena_release(&arena);
	store_close(sh.want.s);
	return prog_end(&err);
}
