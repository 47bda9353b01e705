/* mem-list: list what is stored: messages, sessions, chunks, facts ... */
#include "audit/audit.h"
#include "audit/memories.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/fact_filter.h"
#include "facts/fact_record.h"
#include "hook/open_todo.h"
#include "people/rows.h"
#include "records/filter.h"
#include "records/handles.h"
#include "records/list.h"
#include "records/people.h"
#include "records/title.h"
#include "store/names.h"
#include "summary/stale.h"
#include "work/skills.h"
#include "gen/programs.h"

static struct filter_words words;
static int64_t limit;
static bool reverse;
static struct fact_words facts;
static const char *key, *kind;
static bool all, stale, todos, conflicts, skills;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	PROG_OPTS_FILTER(words),
	{ 'n', "limit", "N", OPT_INT, &limit, NULL, 1, 1e15, "at most so many; on a terminal the newest" },
	{ 0, "reverse", NULL, OPT_FLAG, &reverse, NULL, 0, 0, "newest first" },
	PROG_OPTS_FACTS(facts),
	{ 'k', "key", "KEY", OPT_TEXT, &key, NULL, 0, 0, "facts on this key" },
	{ 0, "kind", "KIND", OPT_TEXT, &kind, NULL, 0, 0, "facts or summaries of this kind" },
	{ 0, "all", NULL, OPT_FLAG, &all, NULL, 0, 0, "also what has ended, was retracted or summed up" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_LIST };

/* ---- one of each kind ---- */

#define NAMES_NONE ((enum name_kind)-1)
static const char *const name_lists[] = { "projects", "people", "agents", "topics", "users" };
struct lister {
	struct store *s;
	struct scope who;
	struct rows rows;                  /* for people */
	struct search *search;             /* what looks whether a todo is open; NULL at first */
	int64_t n_todos;                   /* that are listed */
	struct err *err;
};

/* Prints a todo that is open. */
static int
put_todo(void *arg, const struct fact *f)
{
	struct lister *l = arg;
	enum todo_state state;

	if (!all && facts.as_of == NULL && facts.known_at == NULL && todo_ended(f))
		return 0;
	if (open_todo(l->s, &l->search, &l->who, f, &state, NULL, l->err) != 0)
		return -1;
	if (state == TODO_CLOSED)
		return 0;
	return row_record(&l->rows, f) != 0 || ++l->n_todos == limit;
}

static void
list_stale(struct lister *l)
{
	struct stale_counts counts;

	if (stale_each(l->s, &l->who, false, row_stale, &l->rows, &counts, l->err) == 0 &&
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
	if (l->rows.n > 0)
		buf_addc(prog_out(), '\n');
	for (size_t i = 0; i < f->n_records; i++) {
		const struct memory_item *m = f->records[i];

		row_text(&l->rows, m->id, m->time_us, m->content, m->len);
		buf_addc(prog_out(), '\n');
	}
	return prog_flush() != PROG_OUT_OK;
}

static void
list_conflicts(struct lister *l)
{
	LOCAL(memories) m = { .n = 0 };

	if (memories_of_store(&m, l->s, &l->who, l->err) == 0)
		audit_contradictions(&m, &l->who, put_conflict, l, l->err);
}

/* ---- routines ---- */

static void
list_skills(struct lister *l)
{
	LOCAL(arena) a = ARENA_INIT;
	struct skill *found;
	size_t n;
	LOCAL(buf) text = buf_of(conf_caps.output_bytes);

	if (skills_find(l->s, &l->who, &a, &found, &n, l->err) == 0 && n == 0)
		prog_note("no routine worked in %d sessions", SKILL_TIMES);
	for (size_t i = 0; i < n; i++) {
		if (prog_for_people()) {
			buf_reset(&text);
			skill_text(&text, &found[i]);
			print_safe(prog_out(), text.data, text.len);
			buf_adds(prog_out(), i + 1 < n ? "\n" : "");
		} else {
			skill_record(prog_out(), l->who.user, &found[i]);
			buf_addc(prog_out(), '\n');
		}
	}
}

/* ---- projects, people, users, agents and topics ---- */

static enum name_kind names = NAMES_NONE;

static void
list_names(struct lister *l)
{
	LOCAL(arena) a = ARENA_INIT;
	struct same_people same = { .n = 0 };
	FREED struct name_count *found = NULL;
	size_t n, from;

	if (names_counted(l->s, &l->who, names, &a, &found, &n, l->err) == 0 &&
	    names == NAME_PERSON && same_people_read(l->s, &l->who, &same, &a, l->err) == 0)
		same_people_join(&same, found, &n);
	same_people_release(&same);
	if (l->err->code == 0 && n > 0) {
		if (prog_for_people())
			row_heads(names);
		from = limit > 0 && (size_t)limit < n ? n - (size_t)limit : 0;
		for (size_t i = from, last = n - 1; i < n; i++) {
			if (row_name(&l->rows, names, &found[reverse ? last - (i - from) : i]) != 0)
				break;
		}
	} else if (l->err->code == 0) {
		prog_note("there is none%s", names == NAME_TOPIC ? ": mem-cluster finds them"
		    : names == NAME_AGENT ? ": nothing was stored with -a" : "");
	}
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
		    want->what == LIST_FACTS ? FACT_KINDS
					     : "session or consolidation");
	if (fact_filter(&facts, prog_warning, a, &f, err) != 0)
		return -1;
	f.key = key != NULL ? fact_key_clean(key, a) : NULL;
	f.also = all ? RECORDS_ALL
	    : todos && f.as_of_us == TIME_NONE && f.known_us == TIME_NONE ? RECORDS_ENDED
									  : 0;
	want->records = f;
	return 0;
}

static int
parse_filter(struct list_want *want, struct err *err)
{
	if (want->what == LIST_SESSIONS && (filter_is_of_people(&words) || words.min_trust > 0))
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
	skills = n == 1 && strcmp(args[0], "skills") == 0;
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
	if (n == 1 && !stale && !conflicts && !skills && names == NAMES_NONE &&
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
		    "decisions, conflicts, summaries, reflections, stale, skills, projects, "
		    "people, users, agents or topics",
		    args[0]);
	}
	want->what = what;
	if (names != NAMES_NONE && (filter_is_of_people(&words) || words.since != NULL ||
	    words.until != NULL || words.min_trust > 0 || *prog_common.session != '\0'))
		return err_set(err, ERR_USAGE, "%s are of all time: only -a, -p, -u, -n and "
		    "--reverse", args[0]);
	if ((stale || conflicts || skills) && (filter_is_of_people(&words) || words.since != NULL ||
	    words.until != NULL || words.min_trust > 0 || limit > 0 || reverse))
		return err_set(err, ERR_USAGE, "'%s' is of all records: only -a, -p, -s and -u",
		    args[0]);
	return 0;
}

/* Turns the order of the lines that are gathered. */
static void
turn_lines(struct buf *b)
{
	LOCAL(buf) out = buf_of(b->len + 1);

	for (size_t end = b->len, start; end > 0; end = start) {
		for (start = end - 1; start > 0 && b->data[start - 1] != '\n';)
			start--;
		buf_add(&out, b->data + start, end - start);
	}
	buf_reset(b);
	buf_add(b, out.data, out.len);
}

static void
list(struct lister *l, struct list_want *want)
{
	const struct list_fn rows = { row_message, row_session, row_chunk, row_metric, row_record,
		&l->rows };
	const struct list_fn open_todos = { .record = put_todo, .arg = l };
	const struct list_fn measure = { .session = rows_measure, .arg = &l->rows };
	bool turned = prog_for_people() && limit > 0 && !reverse;

	l->rows.gathered = turned;
	want->filter.newest_first |= turned;
	if (prog_for_people() && want->what == LIST_SESSIONS &&
	    list_walk(l->s, &l->who, want, &measure, l->err) != 0)
		return;
	if (list_walk(l->s, &l->who, want, todos ? &open_todos : &rows, l->err) == 0 && turned)
		turn_lines(prog_out());
}

/* ---- what --user may be ---- */

static void
put_users(struct buf *out)
{
	LOCAL(arena) a = ARENA_INIT;
	struct store *s = NULL;
	FREED const char **users = NULL;
	size_t n = 0;

	if (store_open(conf_db(), STORE_READ, &s, NULL) == 0)
		users_all(s, &a, &users, &n, NULL);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s\n", users[i]);
	store_close(s);
}

/* ---- what --session may be: the newest, with their titles ---- */

#define NEWEST 1000

struct newest { struct store *s; struct scope who; struct buf *out; int n; };

static int
put_newest(void *arg, const struct session *v)
{
	struct newest *w = arg;
	LOCAL(arena) a = ARENA_INIT;
	const char *title;

	/* a name that would break the line is left out */
	if (strpbrk(v->id, "\t\n") == NULL &&
	    session_title(w->s, &w->who, v, &a, &title, NULL) == 0) {
		buf_addf(w->out, "%s\t", v->id);
		for (const char *p = title; *p != '\0'; p++)
			buf_addc(w->out, *p == '\t' ? ' ' : *p);
		buf_addc(w->out, '\n');
	}
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
	LOCAL(arena) a = ARENA_INIT;
	struct list_want want;

	complete_option("user", put_users);
	complete_option("session", put_sessions);
	int i = prog_start(&prog, argc, argv);

	l.who = (struct scope)PROG_SCOPE;
	if ((i == argc && prog_unread(PROG_UNREAD_MS, &err) != 0) ||
	    parse_operands(argv + i, argc - i, &want, &err) != 0 ||
	    parse_filter(&want, &err) != 0 || parse_records(&want, &a, &err) != 0)
		return prog_end(&err);
	if (store_open(conf_db(), STORE_READ, &l.s, &err) == 0) {
		rows_init(&l.rows, l.s, &l.who, all, &err);
		if (scope_in(l.s, &l.who, prog_cautioned, prog_cautioned, &a, &err) != 0 ||
		    filter_people(l.s, &l.who, &words, &want.filter, prog_warning, prog_noted, &a,
			&err) != 0)
			;
		else if (stale)
			list_stale(&l);
		else if (conflicts)
			list_conflicts(&l);
		else if (skills)
			list_skills(&l);
		else if (names != NAMES_NONE)
			list_names(&l);
		else
			list(&l, &want);
		if (prog_for_people() && err.code == 0 && l.rows.n == 0 &&
		    names == NAMES_NONE && !skills && want.what != LIST_METRICS &&
		    !filter_is_of_people(&words))
			prog_note("there is none that fits%s", want.what != LIST_FACTS ? "" :
			    "; 'mem list | mem extract | mem remember' makes facts");
		/* an empty list has no numbers, and those of the list before are none of it */
		if (prog_for_people() && err.code == 0 && want.what != LIST_METRICS)
			handles_keep(&l.rows.handles, l.who.user);
	} else {
		prog_empty(&err);
	}
	search_close(l.search);
	rows_release(&l.rows);
	store_close(l.s);
	return prog_end(&err);
}
