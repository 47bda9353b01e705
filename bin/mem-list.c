/*
 * mem-list: list what is stored: messages, sessions, chunks, facts ...
 */
#include "audit/audit.h"
#include "audit/memories.h"
#include "calls/calls.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/fact_filter.h"
#include "facts/fact_record.h"
#include "facts/subject.h"
#include "hook/open_todo.h"
#include "json/json.h"
#include "records/filter.h"
#include "records/handles.h"
#include "records/list.h"
#include "records/people.h"
#include "records/record.h"
#include "records/title.h"
#include "store/names.h"
#include "summary/stale.h"

#define FLUSH_BYTES     (32u << 10)
#define HOST_COLUMNS    12
#define CALLS_BYTES     600                /* of what the calls of a turn did */
#define STALE_COLUMNS   30                 /* the width of a reason */
#define DAY_COLUMNS     10
#define TIME_COLUMNS    16                 /* the width of 2026-05-07 06:58 */
/* the width of a session; it is more on a wide terminal */
#define SESSION_COLUMNS 8
#define WHO_COLUMNS     9
/* the width of the UUIDs that agents name their sessions with */
#define UUID_COLUMNS    36
/* the least width of the last column: what 80 columns leave beside a UUID */
#define REST_COLUMNS    16
/* what a narrow terminal shows of the name of a session: enough of a UUID for -s */
#define NAME_COLUMNS    14
#define WIDE_COLUMNS    110                /* from here on whole UUIDs are shown */

static struct filter_words words;
static int64_t limit;
static bool reverse;
static struct fact_words facts;
static const char *key, *kind;
static bool all, stale, todos, conflicts;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	PROG_OPTS_FILTER(words),
	{ 'n', "limit", "N", OPT_INT, &limit, NULL, 1, 1e15, "at most so many; on a terminal the newest" },
	{ 0, "reverse", NULL, OPT_FLAG, &reverse, NULL, 0, 0, "newest first" },
	PROG_OPTS_FACTS(facts),
	{ 'k', "key", "KEY", OPT_TEXT, &key, NULL, 0, 0, "facts on this key" },
	{ 0, "kind", "KIND", OPT_TEXT, &kind, NULL, 0, 0, "facts or summaries of this kind" },
	{ 0, "all", NULL, OPT_FLAG, &all, NULL, 0, 0, "also what has ended, was retracted or summed up" },
	PROG_OPTS_OUTPUT,
	PROG_OPTS_COMMON,
	PROG_OPTS_END
};

static const struct prog prog = { "mem-list",
	"list what is stored: messages, sessions, chunks, facts ...",
	"[messages|sessions|chunks|metrics|facts|todos|decisions|conflicts|summaries|reflections|"
	"stale|projects|people|users|agents|topics]", opts,
	"  mem-list -n 20 --reverse\n"
	"  mem-list sessions --since 30d\n"
	"  mem-list facts --bank Work --as-of 2024-05-01\n"
	"  mem-list chunks -s SESSION | jq -r 'select(.kind == \"code\") | .content'\n" };

/* ---- for people ---- */

/* Prints text on one line, cut or padded to columns, and two spaces after it. */
static void
cell(const char *text, int columns)
{
	print_cell(prog_out(), text, strlen(text), columns, 2);
}

/* Prints a time to the minute; blanks when there is none. */
static void
cell_time(int64_t us)
{
	char text[TIME_TEXT];

	time_format_local(us, text);
	if (text[0] != '\0') {
		text[10] = ' ';
		text[TIME_COLUMNS] = '\0';
	}
	cell(text, TIME_COLUMNS);
}

/* Prints text in the rest of the line that began at start. */
static void
last_cell(const char *text, size_t len, size_t start)
{
	print_line(prog_out(), text, len,
	    MAX(prog_columns() - print_columns(prog_out(), start), REST_COLUMNS));
}

/* ---- one of each kind ---- */

#define NAMES_NONE ((enum name_kind)-1)
static const char *const name_lists[] = { "projects", "people", "agents", "topics", "users" };
static const struct { const char *head; size_t at; int columns; unsigned kinds; } counted[] = {
	{ "sessions", offsetof(struct name_count, sessions), 8, ~(1u << NAME_TOPIC) },
	{ "messages", offsetof(struct name_count, messages), 8, ~0u },
	{ "facts", offsetof(struct name_count, records), 6, ~(1u << NAME_PERSON) },
};

struct lister {
	struct store *s;
	struct scope who;
	int id_columns;                    /* of the longest id of a session that is listed */
	struct id_ends ends;
	size_t n;                          /* lines that have a number */
	struct search *search;             /* what looks whether a todo is open; NULL at first */
	int64_t n_todos;                   /* that are listed */
	struct buf handles;                /* what these numbers name */
	struct err *err;
};

/*
 * Begins a line with its number, by which "mem-show" and "-s" take what it is of, and the end of an
 * id that no other id has.
 */
static void
cell_number(struct lister *l, const char *name, bool is_id)
{
	const char *end;

	handles_add(&l->handles, ++l->n, name);
	buf_addf(prog_out(), "%3zu  ", l->n);
	if (!is_id)
		return;
	end = id_end(&l->ends, l->s, &l->who, name);
	cell(end, (int)MAX(strlen(end), 5));
}

static void
cell_message(struct lister *l, const struct message *m)
{
	bool wide = prog_columns() >= WIDE_COLUMNS;

	cell_number(l, m->id, true);
	cell_time(m->time_us);
	cell(m->session, wide ? MIN(prog_columns() / 6, UUID_COLUMNS) : SESSION_COLUMNS);
	cell(message_by(m), WHO_COLUMNS);
}

/* For people the newest N are listed, the newest last: read the other way round. */
static bool turned;

/* Ends a line; returns 1 when nobody reads any more. */
static int
end_line(void)
{
	buf_addc(prog_out(), '\n');
	return !turned && prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

static int
put_message(void *arg, const struct message *m)
{
	struct lister *l = arg;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_message(prog_out(), l->who.user, m);
		return end_line();
	}
	cell_message(l, m);
	if (calls_alone(m->content, m->content_len, m->tool_calls)) {
		struct arena a = ARENA_INIT;
		const char *did = calls_said(m->tool_calls, CALLS_BYTES, &a);

		last_cell(did, strlen(did), start);
		arena_release(&a);
	} else {
		last_cell(m->content, m->content_len, start);
	}
	return end_line();
}

/* Prints in which program the session was held, where that is known. */
static void
put_host(const struct session *v)
{
	struct arena a = ARENA_INIT;
	const struct json *about;
	const char *host;

	if (v->metadata != NULL && v->metadata[0] != '\0' &&
	    json_parse(v->metadata, strlen(v->metadata), &a, &about, NULL) == 0 &&
	    (host = json_get_string(about, "host", NULL)) != NULL) {
		print_line(prog_out(), host, strlen(host), HOST_COLUMNS);
		buf_adds(prog_out(), ": ");
	}
	arena_release(&a);
}

static int
measure_session(void *arg, const struct session *v)
{
	struct lister *l = arg;

	l->id_columns = MIN(MAX(l->id_columns, (int)strlen(v->id)),
	    prog_columns() >= WIDE_COLUMNS ? UUID_COLUMNS : NAME_COLUMNS);
	return 0;
}

/* Prints a session with its title, its own or what else says best what it is about. */
static int
put_session(void *arg, const struct session *v)
{
	struct lister *l = arg;
	struct arena a = ARENA_INIT;
	size_t start = prog_out()->len;
	const char *title;
	int rc;

	if (!prog_for_people()) {
		record_session(prog_out(), l->who.user, v);
		return end_line();
	}
	cell_number(l, v->id, false);
	cell_time(v->updated_us);
	cell(v->id, l->id_columns);
	buf_addf(prog_out(), "%6lld  ", (long long)v->n_messages);
	put_host(v);
	if ((rc = session_title(l->s, &l->who, v, &a, &title, l->err)) == 0)
		last_cell(title, strlen(title), start);
	arena_release(&a);
	return rc != 0 ? -1 : end_line();
}

static int
put_chunk(void *arg, const struct message *of, const struct chunk *c, unsigned index)
{
	struct lister *l = arg;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_chunk(prog_out(), l->who.user, of, c, index);
		return end_line();
	}
	cell_message(l, of);
	cell(c->kind == CHUNK_PROSE	 ? ""
		: c->language[0] != '\0' ? c->language
					 : "code",
	    WHO_COLUMNS);
	last_cell(of->content + c->start, c->len, start);
	return end_line();
}

static int
put_metric(void *arg, const struct metric *m)
{
	const struct lister *l = arg;

	if (!prog_for_people()) {
		record_metric(prog_out(), l->who.user, m);
		return end_line();
	}
	cell_time(m->time_us);
	cell(m->program, SESSION_COLUMNS);
	cell(m->path, SESSION_COLUMNS);
	buf_addf(prog_out(), "%4lld likely %8.1f ms  %s", (long long)m->n_hits,
	    (double)m->us_all / 1000, m->flags);
	return end_line();
}

/* Why a fact is listed only with --all; NULL: it is listed always. */
static const char *
why_gone(const struct fact *f)
{
	return f->head.retracted_us != TIME_NONE			      ? "retracted"
	    : *f->summarized != '\0'					      ? "summed up"
	    : f->valid_to_us != TIME_NONE && f->valid_to_us <= clock_now_us() ? "ended"
									      : "";
}

static int
put_known(void *arg, const struct fact *f)
{
	struct lister *l = arg;
	size_t start = prog_out()->len;
	struct arena a = ARENA_INIT;
	bool wide = prog_columns() >= WIDE_COLUMNS;
	/* since when a fact holds, else when it was said */
	int64_t us = f->head.type == RECORD_FACT && f->valid_from_us != TIME_NONE
	    ? f->valid_from_us
	    : f->head.time_us != TIME_NONE ? f->head.time_us
					   : f->head.stored_us,
		n_stale;
	char day[TIME_TEXT];
	const char *shown;

	if (summary_stale(l->s, &l->who, f, &n_stale, l->err) < 0)
		return -1;
	if (!prog_for_people()) {
		record_summary(prog_out(), l->who.user, f, n_stale, NULL);
		return end_line();
	}
	cell_number(l, f->head.id, true);
	cell(time_format_day_local(us, day), DAY_COLUMNS);
	if (f->head.type == RECORD_FACT) {
		cell(f->bank, wide ? SESSION_COLUMNS : WHO_COLUMNS);
		if (wide)
			cell(f->key, WHO_COLUMNS);
		if (all)
			cell(why_gone(f), WHO_COLUMNS);
	}
	if (f->head.type == RECORD_SUMMARY && f->summary.kind == SUMMARY_SESSION)
		cell(f->head.session, wide ? UUID_COLUMNS : NAME_COLUMNS);
	if (f->head.type == RECORD_SUMMARY)
		cell(n_stale > 0 ? "stale" : "", WHO_COLUMNS);
	shown = fact_brief(f, &a);
	last_cell(shown, strlen(shown), start);
	arena_release(&a);
	return end_line();
}

/* Prints a todo that is open. */
static int
put_todo(void *arg, const struct fact *f)
{
	struct lister *l = arg;
	bool open;

	if (open_todo(l->s, &l->search, &l->who, f, &open, l->err) != 0)
		return -1;
	if (!open)
		return 0;
	return put_known(l, f) != 0 || ++l->n_todos == limit;
}

/* Prints what would come out otherwise today, and why. */
static int
put_stale(void *arg, const struct stale *v)
{
	struct lister *l = arg;
	const struct record_head *h = &v->was->head;
	size_t start = prog_out()->len;

	if (!prog_for_people()) {
		record_stale(prog_out(), l->who.user, v);
		return end_line();
	}
	cell_number(l, h->id, true);
	cell(h->type == RECORD_SUMMARY ? "summary" : "fact", WHO_COLUMNS);
	cell(v->why, STALE_COLUMNS);
	last_cell(h->content, h->content_len, start);
	return end_line();
}

static void
list_stale(struct lister *l)
{
	struct stale_counts counts;

	if (stale_each(l->s, &l->who, false, put_stale, l, &counts, l->err) == 0 &&
	    counts.n_unknown > 0)
		prog_note("%zu derived facts do not say what made them", counts.n_unknown);
}

/* ---- facts that contradict each other ---- */

/* Prints two facts of which hardly both hold, the older first. */
static int
put_conflict(void *arg, const struct finding *f)
{
	struct lister *l = arg;

	if (!prog_for_people()) {
		finding_record(prog_out(), f);
		return prog_flush() != PROG_OUT_OK;
	}
	if (l->n > 0)
		buf_addc(prog_out(), '\n');
	for (size_t i = 0; i < f->n_records; i++) {
		const struct memory_item *m = f->records[i];
		size_t start = prog_out()->len;
		char day[TIME_TEXT];

		cell_number(l, m->id, true);
		cell(time_format_day_local(m->time_us, day), DAY_COLUMNS);
		last_cell(m->content, m->len, start);
		buf_addc(prog_out(), '\n');
	}
	return prog_flush() != PROG_OUT_OK;
}

static void
list_conflicts(struct lister *l)
{
	struct memories m = { .n = 0 };

	if (memories_of_store(&m, l->s, &l->who, l->err) == 0)
		audit_contradictions(&m, &l->who, put_conflict, l, l->err);
	memories_release(&m);
}

/* ---- projects, people, users, agents and topics ---- */

static enum name_kind names = NAMES_NONE;

static void
put_name(struct lister *l, const struct name_count *c)
{
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		json_record(out, "name");
		json_str(out, "kind", name_kinds[names]);
		record_text(out, "id", c->id);
		json_str(out, "user", names == NAME_USER ? c->name : l->who.user);
		json_str(out, "name", c->name);
		json_time(out, "time", c->last_us);
		json_int(out, "sessions", c->sessions);
		json_int(out, "messages", c->messages);
		json_int(out, "records", c->records);
		json_close(out);
		return;
	}
	if (*c->id != '\0')
		cell_number(l, c->id, false);
	cell_time(c->last_us);
	for (size_t i = 0; i < NELEM(counted); i++)
		if (counted[i].kinds & 1u << names)
			buf_addf(out, "%*lld  ", counted[i].columns,
			    (long long)*(const int64_t *)((const char *)c + counted[i].at));
	print_line(out, c->name, strlen(c->name), MAX(prog_columns() - 50, 30));
}

/* The heads of the columns, as it does not show what a number counts. */
static void
put_heads(void)
{
	if (names == NAME_TOPIC)
		buf_adds(prog_out(), "     ");
	cell("last", TIME_COLUMNS);
	for (size_t i = 0; i < NELEM(counted); i++)
		if (counted[i].kinds & 1u << names)
			buf_addf(prog_out(), "%*s  ", counted[i].columns, counted[i].head);
	buf_addf(prog_out(), "%s\n", name_kinds[names]);
}

static void
list_names(struct lister *l)
{
	struct arena a = ARENA_INIT;
	struct name_count *found;
	size_t n, from;

	if (names_counted(l->s, &l->who, names, &a, &found, &n, l->err) == 0 && n > 0) {
		if (prog_for_people())
			put_heads();
		from = limit > 0 && (size_t)limit < n ? n - (size_t)limit : 0;
		for (size_t i = from, last = n - 1; i < n; i++) {
			put_name(l, &found[reverse ? last - (i - from) : i]);
			if (end_line() != 0)
				break;
		}
	} else if (l->err->code == 0) {
		prog_note("there is none%s", names == NAME_TOPIC ? ": mem-cluster finds them"
		    : names == NAME_AGENT ? ": nothing was stored with -a" : "");
	}
	free(found);
	arena_release(&a);
}

/* ---- what is wanted ---- */

static int
parse_records(struct list_want *want, struct arena *a, struct err *err)
{
	struct record_filter f = RECORD_FILTER_ANY(RECORD_FACT);
	bool of_facts = facts.bank != NULL || key != NULL || facts.category != NULL ||
	     facts.subcategory != NULL || facts.importance > 0,
	     of_records = of_facts || facts.tag != NULL || kind != NULL || facts.as_of != NULL ||
	     facts.known_at != NULL || all;

	want->records = f;
	if (want->what < LIST_FACTS)
		return of_records ? err_set(err, ERR_USAGE,
					"--bank, --category, --subcategory, --key, --tag, "
					"--importance, --kind, "
					"--as-of, --known-at and --all are of facts")
				  : 0;
	if (of_facts && want->what != LIST_FACTS)
		return err_set(err, ERR_USAGE,
		    "--bank, --category, --subcategory, --key and --importance are of "
		    "facts");
	if (filter_is_of_people(&words))
		return err_set(err, ERR_USAGE, "--role, --name and --mine are of messages");
	if (kind != NULL &&
	    (f.kind = want->what == LIST_FACTS ? fact_kind_parse(kind) : summary_kind_parse(kind)) <
		0)
		return err_set(err, ERR_USAGE, "unknown kind '%s': %s", kind,
		    want->what == LIST_FACTS ? "fact, preference, todo, decision or entity"
					     : "session or consolidation");
	if (fact_filter(&facts, prog_warning, a, &f, err) != 0)
		return -1;
	f.key = key != NULL ? fact_key_clean(key, a) : NULL;
	f.also = all ? RECORDS_ALL : 0;
	want->records = f;
	return 0;
}

static int
parse_filter(struct list_want *want, struct err *err)
{
	if (want->what == LIST_SESSIONS &&
	    (filter_is_of_people(&words) || words.min_trust > 0))
		return err_set(err, ERR_USAGE,
		    "--role, --name, --mine and --min-trust are of messages, not of sessions");
	if (want->what == LIST_METRICS &&
	    (filter_is_of_people(&words) || words.min_trust > 0 ||
		*prog_common.session != '\0'))
		return err_set(err, ERR_USAGE,
		    "metrics are of a user: they have no role, name, trust or session");
	if (filter_parse(&words, clock_now_us(), &want->filter, err) != 0)
		return -1;
	want->filter.newest_first = reverse;
	want->filter.limit = todos ? 0 : limit;
	return 0;
}

static int
parse_operands(char **args, int n, struct list_want *want, struct err *err)
{
	struct prog_guess g = { NULL, 0 };
	int what = LIST_MESSAGES;

	if (n > 1)
		return err_set(err, ERR_USAGE, "one type at a time, not '%s' and '%s'", args[0],
		    args[1]);
	stale = n == 1 && strcmp(args[0], "stale") == 0;
	todos = n == 1 && strcmp(args[0], "todos") == 0;
	conflicts = n == 1 && strcmp(args[0], "conflicts") == 0;
	if (todos || (n == 1 && strcmp(args[0], "decisions") == 0)) {
		if (kind != NULL)
			return err_set(err, ERR_USAGE, "%s are of one kind: no --kind", args[0]);
		kind = fact_kind_names[todos ? FACT_TODO : FACT_DECISION];
		want->what = LIST_FACTS;
		return 0;
	}
	for (int i = 0; n == 1 && i <= NAME_USER; i++)
		if (strcmp(args[0], name_lists[i]) == 0)
			names = (enum name_kind)i;
	if (n == 1 && !stale && !conflicts && names == NAMES_NONE &&
	    (what = list_what_parse(args[0])) < 0) {
		for (int i = 0; i <= NAME_USER; i++)
			prog_nearest(args[0], name_lists[i], &g);
		for (int i = 0; list_whats[i] != NULL; i++)
			prog_nearest(args[0], list_whats[i], &g);
		if (g.word != NULL)
			return err_set(err, ERR_USAGE, "unknown type '%s', did you mean '%s'?",
			    args[0], g.word);
		return err_set(err, ERR_USAGE,
		    "unknown type '%s': messages, sessions, chunks, metrics, facts, todos, "
		    "decisions, conflicts, summaries, reflections, stale, projects, people, users, "
		    "agents or topics",
		    args[0]);
	}
	want->what = what;
	if (names != NAMES_NONE && (filter_is_of_people(&words) || words.since != NULL ||
	    words.until != NULL || words.min_trust > 0 || *prog_common.session != '\0'))
		return err_set(err, ERR_USAGE, "%s are of all time: only -a, -p, -u, -n and "
		    "--reverse", args[0]);
	if ((stale || conflicts) && (filter_is_of_people(&words) || words.since != NULL ||
	    words.until != NULL || words.min_trust > 0 || limit > 0 || reverse))
		return err_set(err, ERR_USAGE, "'%s' is of all records: only -a, -p, -s and -u",
		    args[0]);
	return 0;
}

/* Turns the order of the lines that are gathered. */
static void
turn_lines(struct buf *b)
{
	struct buf out;

	buf_init(&out, b->len + 1);
	for (size_t end = b->len, start; end > 0; end = start) {
		for (start = end - 1; start > 0 && b->data[start - 1] != '\n';)
			start--;
		buf_add(&out, b->data + start, end - start);
	}
	buf_reset(b);
	buf_add(b, out.data, out.len);
	buf_release(&out);
}

static void
list(struct lister *l, struct list_want *want)
{
	const struct list_fn fn = { put_message, put_session, put_chunk, put_metric,
		todos ? put_todo : put_known, l };
	const struct list_fn measure = { .session = measure_session, .arg = l };

	turned = prog_for_people() && limit > 0 && !reverse;
	want->filter.newest_first |= turned;
	l->id_columns = SESSION_COLUMNS;
	if (prog_for_people() && want->what == LIST_SESSIONS &&
	    list_walk(l->s, &l->who, want, &measure, l->err) != 0)
		return;
	if (list_walk(l->s, &l->who, want, &fn, l->err) == 0 && turned)
		turn_lines(prog_out());
}

/* ---- what --user may be ---- */

static void
put_users(struct buf *out)
{
	struct arena a = ARENA_INIT;
	struct store *s = NULL;
	const char **users = NULL;
	size_t n = 0;

	if (store_open(conf_db(), STORE_READ, &s, NULL) == 0)
		users_all(s, &a, &users, &n, NULL);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s\n", users[i]);
	free(users);
	arena_release(&a);
	store_close(s);
}

/* ---- what --session may be: the newest, with their titles ---- */

#define NEWEST 1000

struct newest { struct store *s; struct scope who; struct buf *out; int n; };

static int
put_newest(void *arg, const struct session *v)
{
	struct newest *w = arg;
	struct arena a = ARENA_INIT;
	const char *title;

	/* a name that would break the line is left out */
	if (strpbrk(v->id, "\t\n") == NULL &&
	    session_title(w->s, &w->who, v, &a, &title, NULL) == 0) {
		buf_addf(w->out, "%s\t", v->id);
		for (const char *p = title; *p != '\0'; p++)
			buf_addc(w->out, *p == '\t' ? ' ' : *p);
		buf_addc(w->out, '\n');
	}
	arena_release(&a);
	return ++w->n == NEWEST;
}

static void
put_sessions(struct buf *out)
{
	struct newest w = { NULL, { .user = conf_text("user") }, out, 0 };

	if (store_open(conf_db(), STORE_READ, &w.s, NULL) == 0)
		sessions_by_time(w.s, &w.who, true, TIME_NONE, put_newest, &w, NULL);
	store_close(w.s);
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct lister l = { .err = &err };
	struct arena a = ARENA_INIT;
	struct list_want want;
	int i;

	complete_option("user", put_users);
	complete_option("session", put_sessions);
	i = prog_start(&prog, argc, argv);

	l.who = (struct scope){ conf_text("user"), prog_common.agent, prog_common.project,
		prog_common.session };
	if ((i == argc && prog_unread(PROG_UNREAD_MS, &err) != 0) ||
	    parse_operands(argv + i, argc - i, &want, &err) != 0 ||
	    parse_filter(&want, &err) != 0 || parse_records(&want, &a, &err) != 0)
		return prog_end(&err);
	buf_init(&l.handles, conf_caps.output_bytes);
	if (store_open(conf_db(), STORE_READ, &l.s, &err) == 0) {
		if (scope_in(l.s, &l.who, prog_warning, prog_warning, &a, &err) != 0 ||
		    filter_people(l.s, &l.who, &words, &want.filter, prog_warning, prog_noted, &a,
			&err) != 0)
			;
		else if (stale)
			list_stale(&l);
		else if (conflicts)
			list_conflicts(&l);
		else if (names != NAMES_NONE)
			list_names(&l);
		else
			list(&l, &want);
		if (prog_for_people() && err.code == 0 && l.handles.len == 0 &&
		    names == NAMES_NONE && want.what != LIST_METRICS &&
		    !filter_is_of_people(&words))
			prog_note("there is none that fits");
		/* an empty list has no numbers, and those of the list before are none of it */
		if (prog_for_people() && err.code == 0 && want.what != LIST_METRICS)
			handles_keep(&l.handles, l.who.user);
	} else {
		prog_empty(&err);
	}
	search_close(l.search);
	id_ends_free(&l.ends);
	buf_release(&l.handles);
	store_close(l.s);
	arena_release(&a);
	return prog_end(&err);
}
