/* mem-setup: find the histories of agents, store them, wire recall into the agents */
#include <unistd.h>

#include "base/clock.h"
#include "base/off.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "cli/progress.h"
#include "json/json.h"
#include "records/project_name.h"
#include "setup/owner.h"
#include "setup/place.h"
#include "store/names.h"
#include "gen/programs.h"

#define PATH_BYTES 4096

static bool do_auto, do_undo, do_check, do_ingest, yes, from_build;
static bool unasked;               /* there was nobody to ask */
static struct prog_list only;

static const struct prog_opt opts[] = {
	{ 0, "auto", NULL, OPT_FLAG, &do_auto, NULL, 0, 0, "store what is found, wire the agents, set up a timer" },
	{ 0, "check", NULL, OPT_FLAG, &do_check, NULL, 0, 0, "try what is wired" },
	{ 0, "undo", NULL, OPT_FLAG, &do_undo, NULL, 0, 0, "give back every file; the memory stays" },
	{ 0, "ingest", NULL, OPT_FLAG, &do_ingest, NULL, 0, 0, "only store what is new, as the timer does" },
	{ 0, "only", "AGENT", OPT_LIST, &only, NULL, 0, 0, "this agent alone; may be repeated" },
	{ 'y', "yes", NULL, OPT_FLAG, &yes, NULL, 0, 0, "do not ask" },
	{ 0, "from-build", NULL, OPT_FLAG, &from_build, NULL, 0, 0, "wire programs or a store in a build directory, too" },
	PROG_OPTS_MEMORY,
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_SETUP };

static void
put_path(struct buf *out, const char *path)
{
	const char *home = getenv("HOME");
	size_t n = home != NULL ? strlen(home) : 0;

	if (n > 1 && strncmp(path, home, n) == 0 && path[n] == '/') {
		buf_addc(out, '~');
		path += n;
	}
	print_safe(out, path, strlen(path));
}

static void
put_places(const char *db, const char *program)
{
	struct buf *out = prog_out();
	char dir[PATH_BYTES];

	if (!prog_for_people())
		return;
	snprintf(dir, sizeof(dir), "%s", program);
	*strrchr(dir, '/') = '\0';
	buf_adds(out, "the store           ");
	put_path(out, db);
	buf_adds(out, "\nthe programs        ");
	put_path(out, dir);
	buf_adds(out, "\n\n");
}

static void
put_counted(uint64_t n, const char *what)
{
	buf_add_count(prog_out(), (int64_t)n);
	buf_addf(prog_out(), "%s%s", what, n == 1 ? "" : "s");
}

static void
put_history(const struct agent *a, bool installed, const struct history *h)
{
	struct buf *out = prog_out();
	char day[2][TIME_TEXT];

	if (do_ingest && prog_common.quiet)
		return;
	if (!prog_for_people()) {
		json_record(out, "agent");
		json_str(out, "name", a->name);
		json_str(out, "title", a->title);
		json_bool(out, "installed", installed);
		json_int(out, "files", (int64_t)h->files);
		json_int(out, "sessions", (int64_t)h->sessions);
		json_int(out, "messages", (int64_t)h->messages);
		json_int(out, "stored", (int64_t)h->new);
		json_int(out, "unread", (int64_t)h->unread);
		json_time(out, "from", h->from);
		json_time(out, "to", h->to);
		json_close(out);
	} else if (h->messages == 0 || (h->sessions == 0 && h->new == 0)) {
		print_cell(out, a->title, strlen(a->title), 20, 2);
		buf_adds(out, installed ? "nothing new" : "nothing");
	} else {
		print_cell(out, a->title, strlen(a->title), 20, 2);
		put_counted(h->messages, " turn");
		buf_adds(out, ", ");
		put_counted(h->sessions, " session");
		buf_adds(out, ", ");
		put_counted(h->files, " file");
		if (h->from != TIME_NONE)
			buf_addf(out, ", %s to %s", time_format_day_local(h->from, day[0]),
			    time_format_day_local(h->to, day[1]));
		if (h->new > 0) {
			buf_adds(out, "; stored ");
			buf_add_count(out, (int64_t)h->new);
		}
	}
	buf_addc(out, '\n');
	if (h->unread > 0)
		prog_note("%s: %llu faults, the first: %s", a->title,
		    (unsigned long long)h->unread, h->fault);
	prog_flush();
}

/* did: "would", "wired", "known", "refused", "restored", "left". */
static void
put_wire(const char *agent, const char *path, const char *what, const char *did, const char *why)
{
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		json_record(out, "wire");
		json_str(out, "agent", agent);
		json_str(out, "path", path);
		json_str(out, "what", what);
		json_str(out, "did", did);
		json_str(out, "message", *why != '\0' ? why : NULL);
		json_close(out);
	} else {
		buf_addf(out, "  %-9s ", did);
		put_path(out, path);
		if (*what != '\0')
			buf_addf(out, "  %s", what);
		if (*why != '\0') {
			buf_adds(out, ": ");
			print_line(out, why, strlen(why), 200);
		}
	}
	buf_addc(out, '\n');
	prog_flush();
}

static void
put_check(const char *agent, const char *part, bool ok, const char *message)
{
	struct buf *out = prog_out();

	if (!prog_for_people()) {
		json_record(out, "check");
		json_str(out, "level", ok ? "ok" : "warning");
		json_bool(out, "ok", ok);
		json_key(out, "name");
		buf_addf(out, "\"%s%s%s\"", agent, *agent != '\0' ? "." : "", part);
		json_str(out, "message", message);
		json_close(out);
	} else {
		buf_addf(out, "%-15s %-8s %-4s ", agent, part, ok ? "ok" : "FAIL");
		print_line(out, message, strlen(message), 200);
	}
	buf_addc(out, '\n');
	prog_flush();
}

/* Who the owner is among those who speak is not written without being asked for. */
static void
propose_me(void)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *me = owner_proposed(&a);

	if (*me != '\0')
		prog_note("to find with --mine what you said, tell who you are: "
			  "mem config set me \"%s\"", me);
}

/* What the store has of the user now: of this run, and of all before it. */
static void
put_done(void)
{
	const struct scope who = { .user = conf_text("user") };
	struct buf *out = prog_out();
	LOCAL(arena) a = ARENA_INIT;
	FREED struct name_count *users = NULL;
	struct name_count of = { .messages = 0 };
	struct store *s = NULL;
	size_t n = 0;

	if (!prog_for_people())
		return;
	if (store_open(conf_db(), STORE_READ, &s, NULL) != 0 ||
	    names_counted(s, &who, NAME_USER, &a, &users, &n, NULL) != 0)
		n = 0;
	for (size_t i = 0; i < n; i++)
		if (strcmp(users[i].name, who.user) == 0)
			of = users[i];
	buf_adds(out, "\ndone: ");
	put_counted((uint64_t)of.messages, " turn");
	buf_adds(out, " in ");
	put_counted((uint64_t)of.sessions, " session");
	buf_adds(out, " are in ");
	put_path(out, conf_db());
	buf_adds(out, of.messages > 0
		? "\ntry:  mem-search 'what did we decide?'\n      mem-list sessions -n 5\n"
		: "\ntry:  mem-ingest FILE stores a chat, mail or notes\n");
	prog_flush();
	store_close(s);
	propose_me();
}

static void
put_progress(void *arg, const struct ingest_counts *c)
{
	(void)arg;
	progress_show((int64_t)(c->messages + c->duplicates), 0, "turns");
}

/* Whether to go on: asked on a terminal, else told by --yes. */
static bool
agreed(const char *question)
{
	int answer = yes ? 1 : prog_ask(question);

	unasked = answer < 0;
	return answer > 0;
}

static const struct setup_out setup_out = { put_places, put_history, put_wire, put_check,
	prog_noted, prog_cautioned, agreed, put_done, put_progress };

/* Tries what is wired, and says whether this directory may have been moved here. */
static void
check(const struct setup *setup, struct err *err)
{
	struct scope who = { conf_text("user"), NULL, prog_project("."), NULL };
	LOCAL(arena) a = ARENA_INIT;
	struct err ignored = ERR_INIT;
	struct store *s = NULL;

	if (off_why("") != NULL)
		prog_caution("%s", off_why(""));
	if (setup_check(setup, err) == 0 && setup->n_only == 0 &&
	    store_open(conf_db(), STORE_READ, &s, &ignored) == 0)
		project_in(s, &who, prog_warning, &a, &ignored);
	store_close(s);
}

static void
put_agents(struct buf *out)
{
	for (const struct agent *a = agents(); a->name != NULL; a++)
		buf_addf(out, "%s\n", a->name);
}

static int
check_arguments(int i, int argc, char **argv, struct err *err)
{
	if (i < argc)
		return err_set(err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	if (do_auto + do_undo + do_check + do_ingest > 1)
		return err_set(err, ERR_USAGE, "one of --auto, --check, --undo and --ingest");
	for (size_t k = 0; k < only.n; k++)
		if (agent_find(only.items[k]) == NULL)
			return err_set(err, ERR_USAGE, "unknown agent '%s'", only.items[k]);
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT, lasting = ERR_INIT;
	LOCAL(arena) arena = ARENA_INIT;
	struct setup s = { .out = &setup_out, .stop = &prog_stop };
	char dir[PATH_BYTES];

	complete_option("only", put_agents);
	int i = prog_start(&prog, argc, argv);
	if (check_arguments(i, argc, argv, &err) != 0 ||
	    setup_init(&s, programs_dir(dir, sizeof(dir), argv[0]), &arena, &err) != 0)
		return prog_end(&err);
	s.only = only.items;
	s.n_only = only.n;
	prog_catch_signals();
	if ((do_auto || !(do_ingest || do_check || do_undo)) && !from_build &&
	    place_lasts(&s, &lasting) != 0 && !do_auto)
		prog_caution("--auto would refuse: %s", lasting.msg);
	if (do_auto && lasting.code != 0)
		err = lasting;
	else if (do_auto)
		setup_all(&s, !yes, &err);
	else if (do_ingest)
		setup_ingest(&s, &err);
	else if (do_check)
		check(&s, &err);
	else if (do_undo)
		setup_undo(&s, !yes, &err);
	else if (setup_look(&s, &err) == 0)
		propose_me();
	if (unasked && err.code == 0)
		err_set(&err, ERR_USAGE,
		    "nothing was written: that takes --yes, or a terminal to ask on");
	return prog_end(&err);
}
