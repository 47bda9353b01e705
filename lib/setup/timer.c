/*
 * timer.c: the units of systemd and the agent of launchd are files of their own; the crontab is one
 * that only crontab(1) writes, as a whole, and that the journal knows as "crontab".
 */
#include "setup/timer.h"

#include <unistd.h>

#include "base/embedded.h"
#include "base/run.h"
#include "setup/wiring.h"

#define CRONTAB "crontab"
#define MARK    "# mem-setup"
#define MS      20000
#define TIMER   "mem-setup.timer"

const char *const timer_names[] = { "", "systemd", "launchd", "crontab" };

/* Runs what controls the timers of the system; ends with err where it does not end with 0. */
static int
control(const char *program, const char *verb, const char *a, const char *b, struct err *err)
{
	const char *const args[] = { program, verb, a, b, NULL };
	LOCAL(ran) r = { 0 };
	int rc = run(args, "", 0, MS, &r, err);

	if (rc == 0 && r.status != 0)
		rc = err_set(err, ERR_UNAVAILABLE, "%s %s%s%s: %.500s", program, verb,
		    a != NULL ? " " : "", a != NULL ? a : "", ran_line(&r));
	return rc;
}

static int
systemctl(const char *verb, const char *unit, struct err *err)
{
	return control("systemctl", "--user", verb, unit, err);
}

/* The user's domain of launchd, in which an agent of that label is. "": the domain itself. */
static int
launchctl(const char *verb, const char *label, const char *file, struct err *err)
{
	char place[64];

	snprintf(place, sizeof(place), "gui/%lu%s", (unsigned long)getuid(), label);
	return control("launchctl", verb, place, file, err);
}

/* What the crontab holds. exists false: the user has none. */
static int
crontab_read(struct file *f, struct err *err)
{
	static const char *const args[] = { "crontab", "-l", NULL };
	LOCAL(ran) r = { 0 };
	int rc = run(args, "", 0, MS, &r, err);

	buf_init(&f->text, FILE_MOST);
	f->exists = rc == 0 && r.status == 0;
	if (f->exists)
		buf_add(&f->text, r.out.data, r.out.len);
	else if (rc == 0 && strstr(r.said.data, "no crontab") == NULL)
		rc = err_set(err, ERR_UNAVAILABLE, "crontab -l: %.500s", ran_line(&r));
	return rc;
}

static int
crontab_write(const struct file *f, struct err *err)
{
	const char *const args[] = { "crontab", f->exists ? "-" : "-r", NULL };
	LOCAL(ran) r = { 0 };
	int rc = run(args, f->text.data, f->text.len, MS, &r, err);

	if (rc == 0 && r.status != 0)
		rc = err_set(err, ERR_UNAVAILABLE, "crontab %s: %.500s", args[1], ran_line(&r));
	return rc;
}

enum timer_kind
timer_find(void)
{
	enum timer_kind kind = TIMER_NONE;
	LOCAL(file) f = { 0 };

	if (systemctl("show-environment", NULL, NULL) == 0)
		return TIMER_SYSTEMD;
	if (launchctl("print", "", NULL, NULL) == 0)
		return TIMER_LAUNCHD;
	if (crontab_read(&f, NULL) == 0)
		kind = TIMER_CRON;
	return kind;
}

/* ---- files of systemd and launchd ---- */

#define COMMAND "@COMMAND@"
#define AGENT   "/mem-setup"               /* its label, in a domain */

struct unit { const char *name; char *path; struct buf text; };
struct units { struct unit list[2]; int n; };

/* A word of a command in a unit of systemd. */
static void
unit_word(struct buf *b, const char *s)
{
	buf_addc(b, '"');
	for (; *s != '\0'; s++) {
		if (*s == '%' || *s == '$')
			buf_addc(b, *s);
		else if (*s == '"' || *s == '\\')
			buf_addc(b, '\\');
		buf_addc(b, *s);
	}
	buf_addc(b, '"');
}

/* The same as an element of XML. */
static void
agent_word(struct buf *b, const char *s)
{
	buf_adds(b, "<string>");
	for (; *s != '\0'; s++) {
		if (*s == '&' || *s == '<')
			buf_adds(b, *s == '&' ? "&amp;" : "&lt;");
		else
			buf_addc(b, *s);
	}
	buf_adds(b, "</string>");
}

static char *
units_dir(enum timer_kind kind, struct arena *a)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (home == NULL)
		home = "";
	if (kind == TIMER_LAUNCHD)
		return arena_printf(a, "%s/Library/LaunchAgents", home);
	return config != NULL && *config == '/' ? arena_printf(a, "%s/systemd/user", config)
						: arena_printf(a, "%s/.config/systemd/user", home);
}

static void
units_make(struct units *u, enum timer_kind kind, const struct places *words, struct arena *a)
{
	static const char *const names[][2] = {
		[TIMER_SYSTEMD] = { "mem-setup.service", TIMER },
		[TIMER_LAUNCHD] = { "mem-setup.plist", NULL },
	};

	u->n = names[kind][1] != NULL ? 2 : 1;
	for (int i = 0; i < u->n; i++) {
		struct unit *one = &u->list[i];

		one->name = names[kind][i];
		const char *text = embedded_find(arena_printf(a, "schema/%s/%s", timer_names[kind],
		    one->name))->text;
		const char *gap = strstr(text, COMMAND);
		one->path = arena_printf(a, "%s/%s", units_dir(kind, a), one->name);
		buf_init(&one->text, FILE_MOST);
		buf_add(&one->text, text, gap != NULL ? (size_t)(gap - text) : strlen(text));
		for (size_t k = 0; gap != NULL && k < words->n; k++) {
			if (k > 0)
				buf_addc(&one->text, ' ');
			(kind == TIMER_LAUNCHD ? agent_word : unit_word)(&one->text,
			    words->paths[k]);
		}
		if (gap != NULL)
			buf_adds(&one->text, gap + strlen(COMMAND));
	}
}

static void
units_release(struct units *u)
{
	for (int i = 0; i < u->n; i++)
		buf_release(&u->list[i].text);
}

static bool
is_enabled(enum timer_kind kind)
{
	return kind == TIMER_LAUNCHD ? launchctl("print", AGENT, NULL, NULL) == 0
				     : systemctl("is-enabled", TIMER, NULL) == 0;
}

static int
units_start(enum timer_kind kind, const struct units *u, struct err *err)
{
	if (kind == TIMER_LAUNCHD) {
		launchctl("bootout", AGENT, NULL, NULL);
		return launchctl("bootstrap", "", u->list[0].path, err);
	}
	return systemctl("daemon-reload", NULL, err) != 0 ||
		systemctl("enable", TIMER, err) != 0
	    ? -1
	    : systemctl("start", TIMER, err);
}

static int
units_put(enum timer_kind kind, const struct places *words, struct journal *j, bool *changed,
	struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	LOCAL(units) u = { 0 };
	int rc = 0;

	units_make(&u, kind, words, &a);
	*changed = !is_enabled(kind);
	for (int i = 0; i < u.n && rc == 0; i++) {
		bool new = false;

		rc = wiring_own(u.list[i].path, u.list[i].text.data, j, &new, err);
		*changed |= new;
	}
	if (rc == 0 && *changed)
		rc = units_start(kind, &u, err);
	return rc;
}

/* One file of ours is missing: none. The units of a package are enabled without ours. */
static int
units_are_on(enum timer_kind kind, const struct places *words, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	LOCAL(units) u = { 0 };
	struct file f;
	int on = is_enabled(kind), n_ours = 0;

	units_make(&u, kind, words, &a);
	for (int i = 0; i < u.n; i++) {
		if (file_read(u.list[i].path, &f, err) != 0)
			on = -1;
		else if (on > 0 && f.exists)
			on = strcmp(f.text.data, u.list[i].text.data) == 0;
		n_ours += f.exists;
		file_release(&f);
	}
	return on > 0 && n_ours == u.n - 1 ? 0 : on;
}

/* ---- crontab ---- */

/* The line, with a newline. */
static void
cron_line(struct buf *b, const struct places *words)
{
	LOCAL(buf) shell = buf_of(FILE_MOST);

	for (size_t i = 0; i < words->n; i++) {
		buf_addc(&shell, ' ');
		shell_word(&shell, words->paths[i]);
	}
	buf_adds(b, "7 * * * *");
	for (const char *p = shell.data; *p != '\0'; p++) {
		if (*p == '%')
			buf_addc(b, '\\');
		buf_addc(b, *p);
	}
	buf_adds(b, " " MARK "\n");
}

/* Sets rest to the lines that are not ours. */
static void
cron_without(const struct file *now, struct file *rest)
{
	const size_t mark = sizeof(MARK) - 1;

	buf_init(&rest->text, FILE_MOST);
	for (const char *p = now->text.data, *end; *p != '\0'; p = end) {
		end = p + strcspn(p, "\n");
		if ((size_t)(end - p) < mark || memcmp(end - mark, MARK, mark) != 0)
			buf_add(&rest->text, p, (size_t)(end - p) + (*end == '\n'));
		end += *end == '\n';
	}
	rest->exists = now->exists;
}

static int
cron_is_on(const struct places *words, struct err *err)
{
	LOCAL(file) now = { 0 };
	int on;

	if (crontab_read(&now, err) != 0) {
		on = -1;
	} else {
		LOCAL(buf) line = buf_of(FILE_MOST);
		cron_line(&line, words);
		on = strstr(now.text.data, line.data) != NULL;
	}
	return on;
}

static int
cron_put(const struct places *words, struct journal *j, bool *changed, struct err *err)
{
	struct entry e = { .path = CRONTAB, .agent = "" };
	LOCAL(file) now = { 0 }, rest = { 0 };
	int on = cron_is_on(words, err), rc;

	*changed = on == 0;
	if (on != 0)
		return on > 0 ? 0 : -1;
	rc = crontab_read(&now, err);
	cron_without(&now, &rest);
	if (rc == 0) {
		file_hash(rest.text.data, rest.text.len, rest.exists, e.before);
		buf_reset(&now.text);
		buf_add(&now.text, rest.text.data, rest.text.len);
		if (now.text.len > 0 && now.text.data[now.text.len - 1] != '\n')
			buf_addc(&now.text, '\n');
		cron_line(&now.text, words);
		now.exists = true;
		file_hash(now.text.data, now.text.len, true, e.after);
		rc = journal_put(j, &e, &rest, err);
	}
	if (rc == 0)
		rc = crontab_write(&now, err);
	return rc;
}

static int
cron_undo(struct journal *j, const struct entry *e, struct err *err)
{
	char hash[SHA256_TEXT];
	LOCAL(file) was = { 0 }, now = { 0 }, rest = { 0 };
	int rc = crontab_read(&now, err);

	cron_without(&now, &rest);
	file_hash(now.text.data, now.text.len, now.exists, hash);
	if (rc == 0 && strcmp(hash, e->after) == 0) {
		rc = journal_was(j, e, &was, err);
		if (rc == 0)
			rc = crontab_write(&was, err);
	} else if (rc == 0 && rest.text.len < now.text.len) {
		rest.exists = rest.text.len > 0 || e->before[0] != '\0';
		rc = crontab_write(&rest, err);
	}
	return rc == 0 ? journal_drop(j, CRONTAB, err) : rc;
}

/* ---- either ---- */

void
timer_command(const char *program, const struct commands *c, struct places *words)
{
	places_add(words, "/usr/bin/env");
	agent_variables(words);
	places_add(words, program);
	for (const char *const *o = c->options; *o != NULL; o++)
		places_add(words, *o);
	places_add(words, "-q");
}

int
timer_is_on(enum timer_kind kind, const struct places *words, struct err *err)
{
	return kind == TIMER_NONE    ? 0
	    : kind == TIMER_CRON ? cron_is_on(words, err)
				 : units_are_on(kind, words, err);
}

int
timer_put(enum timer_kind kind, const struct places *words, struct journal *j, bool *changed,
	struct err *err)
{
	*changed = false;
	return kind == TIMER_NONE    ? 0
	    : kind == TIMER_CRON ? cron_put(words, j, changed, err)
				 : units_put(kind, words, j, changed, err);
}

/* A file of the timer belongs to no agent. */
static bool
is_unit(const struct entry *e)
{
	return *e->agent == '\0' && *e->path == '/';
}

int
timer_undo(struct journal *j, const struct commands *c, struct err *err)
{
	const struct entry *e = journal_find(j, CRONTAB);
	bool units = false;
	int rc = 0;

	for (size_t i = 0; i < j->n; i++)
		units |= is_unit(&j->list[i]);
	if (e != NULL && cron_undo(j, e, err) != 0)
		return -1;
	/* where systemd and launchd do not run now, there is nothing to stop */
	if (units) {
		systemctl("stop", TIMER, NULL);
		systemctl("disable", TIMER, NULL);
		launchctl("bootout", AGENT, NULL, NULL);
	}
	/* one that is left keeps none of the others */
	for (size_t i = j->n; i-- > 0;) {
		struct entry one = j->list[i];
		struct err why = ERR_INIT;

		if (is_unit(&one) && wiring_undo(&one, c, j, &why) != 0)
			rc = err_set(err, why.code, "%s: %.500s", one.path, why.msg);
	}
	if (units)
		systemctl("daemon-reload", NULL, NULL);
	return rc;
}
