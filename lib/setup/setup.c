/*
 * setup.c: the jobs, put together from the other files of this room. Histories are stored before
 * anything is wired, and vectors made at the end, as that may take long.
 */
#include "setup/setup.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/off.h"
#include "base/order.h"
#include "base/run.h"
#include "setup/place.h"
#include "setup/timer.h"
#include "setup/trial.h"
#include "setup/wiring.h"

#define PATH_BYTES 4096

/* ---- another program of the name ---- */

/* Whether two files are the same program is told by their inode, for a link to ours is ours. */
enum clash { CLASH_NONE, CLASH_BEHIND, CLASH_BEFORE };

/*
 * Looks in PATH for a program called 'mem' that is not the file ours, and puts its path into
 * other[size]. CLASH_BEFORE: a shell finds that one.
 */
static enum clash
clash_of_name(const char *ours, char *other, size_t size)
{
	const char *p = getenv("PATH");
	struct stat is_ours = { 0 }, st;
	bool there = stat(ours, &is_ours) == 0, seen = false;

	for (size_t n; p != NULL; p = *p == ':' ? p + 1 : NULL) {
		n = strcspn(p, ":");
		int full = snprintf(other, size, "%.*s%s/mem", (int)n, p, n == 0 ? "." : "");
		p += n;
		if (full >= (int)size || stat(other, &st) != 0 || !S_ISREG(st.st_mode) ||
		    access(other, X_OK) != 0)
			continue;
		if (!there || st.st_dev != is_ours.st_dev || st.st_ino != is_ours.st_ino)
			return seen ? CLASH_BEHIND : CLASH_BEFORE;
		seen = true;
	}
	return CLASH_NONE;
}

/*
 * What hooks and servers are called with: what this run was told, and what depends on an
 * environment that they may not have.
 */
static void
find_options(struct setup *s, struct arena *a)
{
	enum conf_from from = conf_origin("db", NULL);
	size_t n = 0;

	if (from >= CONF_ENV || (from == CONF_DEFAULT && getenv("XDG_DATA_HOME") != NULL))
		s->commands.options[n++] = arena_printf(a, "--db=%s", place_store(a));
	if (conf_origin("user", NULL) >= CONF_ENV)
		s->commands.options[n++] = arena_printf(a, "--user=%s", conf_text("user"));
}

int
setup_init(struct setup *s, const char *dir, struct arena *a, struct err *err)
{
	s->commands = (struct commands){ .hook = arena_printf(a, "%s/mem-hook", dir),
		.server = arena_printf(a, "%s/mem-mcp", dir) };
	s->program = arena_printf(a, "%s/mem-setup", dir);
	s->upkeep = arena_printf(a, "%s/mem-upkeep", dir);
	s->mem = arena_printf(a, "%s/mem", dir);
	if (access(s->commands.hook, X_OK) != 0 || access(s->commands.server, X_OK) != 0)
		return err_set(err, ERR_CONFIG, "mem-hook and mem-mcp are not beside this program");
	find_options(s, a);
	return 0;
}

static bool
is_wanted(const struct setup *s, const char *agent)
{
	return s->n_only == 0 || text_index(agent, s->only, s->n_only) >= 0;
}

/* ---- histories ---- */

static bool
is_here(const struct agent *a, bool *installed)
{
	LOCAL(places) homes = { NULL, 0, 0 }, histories = { NULL, 0, 0 };

	agent_homes(a, &homes);
	agent_histories(a, &histories);
	*installed = homes.n > 0;
	return homes.n + histories.n > 0;
}

/* Whether an agent is named, here, or has left something. */
static bool
any_here(const struct setup *s)
{
	bool installed, here = s->n_only > 0;

	for (const struct agent *a = agents(); a->name != NULL && !here; a++)
		here = is_wanted(s, a->name) && is_here(a, &installed);
	return here;
}

/* store NULL, or looks: only to say what there is; n_new: of all agents, may be NULL. */
static int
read_histories(const struct setup *s, struct store *store, bool looks, uint64_t *n_new,
	struct err *err)
{
	for (const struct agent *a = agents(); a->name != NULL && *s->stop == 0; a++) {
		struct history h;
		bool installed;

		if (!is_wanted(s, a->name) || !is_here(a, &installed))
			continue;
		if (history_read(a, store, looks, conf_text("user"), s->out->progress, s->stop,
			&h, err) != 0)
			return -1;
		s->out->history(a, installed, &h);
		if (n_new != NULL)
			*n_new += h.new;
	}
	return 0;
}

int
setup_store(const struct setup *s, uint64_t *n_new, struct err *err)
{
	struct store *store;

	if (store_open(conf_db(), STORE_CREATE, &store, err) != 0)
		return -1;
	int rc = read_histories(s, store, false, n_new, err);
	store_close(store);
	return rc;
}

int
setup_new(const struct setup *s, uint64_t *n_new, struct err *err)
{
	struct store *store = NULL;

	if (store_open(conf_db(), STORE_READ, &store, err) != 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		err_clear(err);
	}
	int rc = read_histories(s, store, true, n_new, err);
	store_close(store);
	return rc;
}

/* What is made of what is stored: vectors, summaries ... */
static void
keep_up(const struct setup *s)
{
	const char *args[9] = { s->upkeep, "-q", "--skip", "histories" };
	size_t n = 4;

	for (const char *const *o = s->commands.options; *o != NULL; o++)
		args[n++] = *o;
	s->out->note(NULL,
	    "making vectors and summaries; an interrupt leaves the rest to the timer");
	if (*s->stop == 0 && run_along(args, false) != 0)
		s->out->caution(NULL,
		    "not all was made of what is stored; mem-upkeep makes the rest");
}

int
setup_ingest(const struct setup *s, struct err *err)
{
	if (off_why("") != NULL)
		s->out->note(NULL, off_why(""));
	else if (setup_store(s, NULL, err) != 0)
		return -1;
	else
		keep_up(s);
	return 0;
}

/* ---- wiring ---- */

static void
find_wirings(const struct setup *s, const struct journal *j, struct arena *a, struct wirings *out)
{
	for (const struct agent *agent = agents(); agent->name != NULL; agent++)
		if (is_wanted(s, agent->name))
			wirings_find(agent, &s->commands, j, a, out);
}

static void
tell_wiring(const struct setup *s, const struct wiring *w, const char *yet)
{
	s->out->wire(w->agent->name, w->path,
	    w->hooks && w->server ? "hooks, server" : w->hooks ? "hooks" : "server",
	    w->state == WIRED_NOT ? "would" : w->state == WIRED_YET ? yet : "refused", w->why);
}

static bool
put_timer(const struct setup *s, struct journal *j)
{
	enum timer_kind kind = timer_find();
	LOCAL(places) words = { NULL, 0, 0 };
	struct err why = ERR_INIT;
	bool changed;

	if (kind == TIMER_NONE) {
		s->out->caution(NULL,
		    "no timer: there is no systemd or launchd of yours, and no crontab");
		return true;
	}
	timer_command(s->upkeep, &s->commands, &words);
	int rc = timer_put(kind, &words, j, &changed, &why);
	s->out->wire("", timer_names[kind], "timer",
	    rc != 0 ? "refused" : changed ? "wired" : "known", why.msg);
	return rc == 0;
}

static int
wire_all(const struct setup *s, struct wirings *all, struct journal *j, bool *refused,
	struct err *err)
{
	const struct agent *told = NULL;

	if (journal_lock(j, true, err) != 0)
		return -1;
	for (size_t i = 0; i < all->n && *s->stop == 0; i++) {
		struct wiring *w = &all->list[i];
		bool yet = w->state == WIRED_YET;

		if (wiring_put(w, &s->commands, j, err) != 0)
			return -1;
		tell_wiring(s, w, yet ? "known" : "wired");
		*refused |= w->state == WIRED_NEVER;
		if (!yet && w->state == WIRED_YET && w->agent->note != NULL && told != w->agent)
			s->out->note(NULL, (told = w->agent)->note);
	}
	if (s->n_only == 0 && *s->stop == 0)
		*refused |= !put_timer(s, j);
	if (j->n == 0)
		journal_remove(j);
	return 0;
}

static int
look(const struct setup *s, const struct wirings *all, struct err *err)
{
	s->out->places(conf_db(), s->commands.hook);
	if (read_histories(s, NULL, false, NULL, err) != 0)
		return -1;
	for (size_t i = 0; i < all->n; i++)
		tell_wiring(s, &all->list[i], "known");
	return 0;
}

int
setup_look(const struct setup *s, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct wirings all = { NULL, 0, 0 };
	struct journal j;
	int rc = journal_open(&j, err);

	if (rc == 0) {
		find_wirings(s, &j, &a, &all);
		rc = look(s, &all, err);
	}
	if (rc == 0)
		s->out->note(NULL, any_here(s)
			? "mem-setup --auto stores this, and writes these files"
			: "no coding agent is here, nor what one wrote: 'mem-ingest FILE' "
			  "stores chats, mail and notes, and --auto sets up a timer alone");
	free(all.list);
	journal_close(&j);
	return rc;
}

int
setup_all(const struct setup *s, bool looks, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct wirings all = { NULL, 0, 0 };
	struct journal j;
	bool refused = false;
	int rc = journal_open(&j, err);

	if (rc == 0) {
		find_wirings(s, &j, &a, &all);
		if (looks)
			rc = look(s, &all, err);
	}
	if (rc == 0 && s->out->agreed(any_here(s)
		? "store these histories, and write these files?"
		: "no agent is here: set up the timer that makes vectors and summaries?") &&
	    (rc = setup_store(s, NULL, err)) == 0 &&
	    (rc = wire_all(s, &all, &j, &refused, err)) == 0) {
		keep_up(s);
		s->out->done();
	}
	free(all.list);
	journal_close(&j);
	if (rc == 0 && refused)
		err->code = ERR_DATA;          /* the files were named */
	return rc;
}

/* ---- checking ---- */

struct checking { const struct setup *s; bool failed; };

static void
tell_check(struct checking *c, const char *agent, const char *part, bool ok, const char *message)
{
	c->failed |= !ok;
	c->s->out->check(agent, part, ok, message);
}

static void
check_wiring(struct checking *c, const struct wiring *w)
{
	const char *name = w->agent->name;
	char why[512];

	if (w->state == WIRED_NEVER)
		tell_check(c, name, "file", false, w->why);
	if (w->state == WIRED_NEVER)
		return;
	for (int server = 0; server < 2; server++) {
		int rc = -1;

		if (!(server ? w->server : w->hooks))
			continue;
		if (w->state == WIRED_NOT)
			snprintf(why, sizeof(why), "not wired");
		else if (server)
			rc = trial_server(&c->s->commands, why, sizeof(why));
		else
			rc = trial_hook(w->agent, &c->s->commands, why, sizeof(why));
		tell_check(c, name, server ? "server" : "hooks", rc == 0, why);
	}
}

static void
check_timer(struct checking *c)
{
	enum timer_kind kind = timer_find();
	LOCAL(places) words = { NULL, 0, 0 };
	struct err why = ERR_INIT;

	timer_command(c->s->upkeep, &c->s->commands, &words);
	int on = timer_is_on(kind, &words, &why);
	tell_check(c, "", "timer", on > 0,
	    on > 0		  ? timer_names[kind]
	    : *why.msg != '\0'	  ? why.msg
	    : kind != TIMER_NONE ? "none: 'mem setup --auto' makes one"
				  : "none: call mem-upkeep now and then, see mem-upkeep(1)");
}

/* 'mem VERB' is ours, unless another program has the name. */
static void
check_name(struct checking *c)
{
	char other[PATH_BYTES], why[PATH_BYTES + 100] = "no other program in PATH has this name";
	enum clash clash = clash_of_name(c->s->mem, other, sizeof(other));

	if (clash != CLASH_NONE)
		snprintf(why, sizeof(why), "another program has this name, '%s', %s", other,
		    clash == CLASH_BEFORE ? "and is found first: write mem-VERB, not 'mem VERB'"
					  : "later in PATH");
	tell_check(c, "", "mem", clash != CLASH_BEFORE, why);
}

int
setup_check(const struct setup *s, struct err *err)
{
	struct checking c = { s, false };
	LOCAL(arena) a = ARENA_INIT;
	struct wirings all = { NULL, 0, 0 };
	struct err why = ERR_INIT;
	struct store *store = NULL;
	struct journal j;
	int rc = journal_open(&j, err);

	if (rc == 0) {
		bool opens = store_open(conf_db(), STORE_READ, &store, &why) == 0;

		tell_check(&c, "", "store", opens, opens ? conf_db() : why.msg);
		store_close(store);
		find_wirings(s, &j, &a, &all);
		for (size_t i = 0; i < all.n && *s->stop == 0; i++)
			check_wiring(&c, &all.list[i]);
		if (s->n_only == 0) {
			check_timer(&c);
			check_name(&c);
		}
		if (c.failed)
			err->code = ERR_UNAVAILABLE;   /* what fails was named */
	}
	free(all.list);
	journal_close(&j);
	return rc;
}

/* ---- undoing ---- */

/* Gives back the files of the agents that are wanted, the last first. */
static bool
undo_files(const struct setup *s, struct journal *j)
{
	bool left = false;

	for (size_t i = j->n; i-- > 0 && *s->stop == 0;) {
		struct entry e = j->list[i];
		struct err why = ERR_INIT;

		if (*e.agent == '\0' || !is_wanted(s, e.agent))
			continue;
		int rc = wiring_undo(&e, &s->commands, j, &why);
		s->out->wire(e.agent, e.path, "", rc == 0 ? "restored" : "left", why.msg);
		left |= rc != 0;
	}
	return left;
}

int
setup_undo(const struct setup *s, bool list, struct err *err)
{
	struct journal j;
	bool left = false;
	int rc = journal_open(&j, err);

	for (size_t i = j.n; rc == 0 && list && i-- > 0;)
		if (is_wanted(s, j.list[i].agent))
			s->out->wire(j.list[i].agent, j.list[i].path, "", "would", "give it back");
	if (rc == 0 && s->out->agreed("give these files back?") &&
	    (rc = journal_lock(&j, false, err)) == 0) {
		left = undo_files(s, &j);
		if (s->n_only == 0)
			rc = timer_undo(&j, &s->commands, err);
		if (j.n == 0 && j.lock >= 0)
			journal_remove(&j);
		s->out->note(NULL, "the memory itself stays");
	}
	journal_close(&j);
	if (rc == 0 && left)
		err->code = ERR_DATA;          /* the files were named */
	return rc;
}
