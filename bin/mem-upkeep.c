/* mem-upkeep: do what a store needs, when it is due */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/off.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "json/json.h"
#include "model/model_path.h"
#include "report/upkeep.h"
#include "base/run.h"
#include "seal/seal.h"
#include "setup/setup.h"
#include "gen/programs.h"

#define PATH_BYTES 4096
#define WORDS_MOST 12

static bool plan;
static struct prog_list skip;

static const struct prog_opt opts[] = {
	{ 0, "plan", NULL, OPT_FLAG, &plan, NULL, 0, 0, "only say what is due, and why" },
	{ 0, "skip", "STEP", OPT_LIST, &skip, NULL, 0, 0, "not this step; may be repeated" },
	{ 0, "backup", "FILE", OPT_CONF, NULL, "backup", 0, 0, "a backup there, once a day" },
	PROG_OPTS_MEMORY,
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_UPKEEP };

/* Steps are handed out while the store is open, and done when it is closed again. */
struct steps { struct upkeep_step list[16]; size_t n; };

struct upkeep {
	char dir[PATH_BYTES];              /* of the programs */
	struct scope who;
	struct steps due;
	uint64_t n_new;                    /* messages of histories */
	int worst;                         /* status of a step */
};

/* ---- output ---- */

static void
put_step(const struct upkeep_step *s, int status, int64_t ms, const char *note)
{
	struct buf *out = prog_out();

	if (prog_common.quiet)
		return;
	if (prog_for_people()) {
		buf_addf(out, "%-10s ", s->name);
		print_line(out, s->why, strlen(s->why), 200);
		if (s->unit != NULL)
			buf_addf(out, " (%.6g, over %.6g)", s->value, s->limit);
		buf_addf(out, "%s%s%s\n", *note != '\0' ? ": " : "", note,
		    status > 0 ? ": it failed" : "");
	} else {
		json_record(out, "upkeep");
		json_str(out, "step", s->name);
		json_str(out, "why", s->why);
		if (s->unit != NULL) {
			json_num(out, "value", s->value);
			json_num(out, "limit", s->limit);
			json_str(out, "unit", s->unit);
		}
		json_str(out, "run", s->run);
		if (*note != '\0')
			json_str(out, "note", note);
		if (status >= 0) {
			json_int(out, "status", status);
			json_int(out, "ms", ms);
		}
		json_close(out);
		buf_addc(out, '\n');
	}
	prog_flush();
}

/* ---- what is due ---- */

/* The name of what makes vectors; NULL: nothing does. */
static const char *
model_of(char path[MODEL_PATH_BYTES])
{
	char *name, *end;

	if (*conf_text("model") == '\0' && *conf_text("embed_url") != '\0')
		return conf_text("embed_model");
	if (model_find(conf_text("model"), path, MODEL_PATH_BYTES, NULL) != 0)
		return NULL;
	name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	if ((end = strstr(name, ".model")) != NULL)
		*end = '\0';
	return name;
}

static int
keep_step(void *arg, const struct upkeep_step *s)
{
	struct steps *due = arg;

	for (size_t i = 0; i < skip.n; i++)
		if (strcmp(skip.items[i], s->name) == 0)
			return 0;
	due->list[due->n++] = *s;
	return 0;
}

static int
find_due(struct upkeep *u, struct err *err)
{
	char path[MODEL_PATH_BYTES];
	struct store *s = NULL;
	int rc = 0;

	u->due.n = 0;
	if (store_open(conf_db(), STORE_READ, &s, err) != 0) {
		if (err->code != ERR_NOINPUT)
			return -1;
		err_clear(err);
	}
	rc = upkeep_plan(s, &u->who, model_of(path), keep_step, &u->due, err);
	store_close(s);
	return rc;
}

/* ---- steps ---- */

static void
count_history(const struct agent *a, bool installed, const struct history *h)
{
	(void)installed;
	if (h->unread > 0)
		prog_caution("%s: %s", a->title, h->fault);
}

static const struct setup_out setup_out = { .history = count_history, .note = prog_noted };

/* Stores what agents have written, in this process; plan: only counts it. */
static int
read_histories(struct upkeep *u, struct err *err)
{
	struct setup s = { .out = &setup_out, .stop = &prog_stop };
	LOCAL(arena) a = ARENA_INIT;
	int rc = setup_init(&s, u->dir, &a, err);

	if (rc == 0)
		rc = (plan ? setup_new : setup_store)(&s, &u->n_new, err);
	return rc;
}

/* No language model is asked without a budget, as nobody watches what this costs. */
static bool
asks_model(void)
{
	return conf_int("llm_budget") > 0 || conf_real("llm_budget_money") > 0;
}

/* The status of sealing the backup at new, which goes, to the file. */
static int
seal_backup(const struct upkeep *u, const char *new, const char *file, struct arena *a)
{
	const char *const args[] = { arena_printf(a, "%s/mem-seal", u->dir), "-r",
		conf_text("backup_recipient"), "-o", file, new, NULL };
	int status = run_along(args, false);

	unlink(new);
	return status;
}

/* The status of a step's command. A backup replaces the one before when it is whole. */
static int
run_command(const struct upkeep *u, const struct upkeep_step *step)
{
	const char *args[WORDS_MOST], *file = conf_text("backup"), *new = NULL;
	bool seals = *conf_text("backup_recipient") != '\0';
	LOCAL(arena) a = ARENA_INIT;
	size_t n = 0;

	for (const char *w = step->run; *w != '\0'; w += strspn(w, " ")) {
		size_t len = strcspn(w, " ");

		args[n++] = arena_strndup(&a, w, len);
		w += len;
	}
	args[0] = arena_printf(&a, "%s/%s", u->dir, args[0]);
	if (strcmp(step->name, "backup") == 0) {
		/* what is not sealed yet stays where the store is */
		args[n++] = new = seals ? conf_state_path("mem/backup.new")
					: arena_printf(&a, "%s.new", file);
		if (seals)
			conf_make_parents(new);
		if (seals ? access(file, F_OK) == 0 && !seal_is(file)
			  : !store_may_replace(file, conf_db()) ||
			    !store_may_replace(new, conf_db())) {
			prog_warn("a backup in '%s' would replace what is no backup", file);
			return ERR_CONFIG;
		}
		unlink(new);
	}
	if (!asks_model() &&
	    (strcmp(step->name, "summaries") == 0 || strcmp(step->name, "topics") == 0))
		args[n++] = "--rules";
	args[n] = NULL;
	int status = run_along(args, false);
	if (new != NULL && seals)
		status = status == 0 ? seal_backup(u, new, file, &a) : status;
	else if (status == 0 && new != NULL && rename(new, file) != 0) {
		prog_warn("cannot rename '%s': %s", new, strerror(errno));
		status = ERR_IO;
	}
	return status;
}

static void
note_done(const struct upkeep *u, const char *name)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;

	if (store_open(conf_db(), STORE_WRITE, &s, &err) != 0 ||
	    upkeep_done(s, &u->who, name, &err) != 0)
		prog_warn("%s", err.msg);
	store_close(s);
}

static void
do_step(struct upkeep *u, const struct upkeep_step *step, struct err *err)
{
	int64_t start = clock_mono_us();
	char note[80] = "";
	int status = 0;

	if (step->not_done != NULL) {
		if (prog_common.verbose)
			put_step(step, -1, 0, step->not_done);
		return;
	}
	if (strcmp(step->name, "histories") == 0) {
		if (read_histories(u, err) != 0)
			return;
		snprintf(note, sizeof(note), "%llu new message%s", (unsigned long long)u->n_new,
		    PLURAL(u->n_new));
	} else {
		status = run_command(u, step);
	}
	if (status == 0)
		note_done(u, step->name);
	else if (u->worst == 0)
		u->worst = status;
	if (*note == '\0' || u->n_new > 0 || prog_common.verbose)
		put_step(step, status, (clock_mono_us() - start) / 1000, note);
}

/* Steps that bring in what makes others due come before those. */
enum stage { SOURCES, SUMMARIES, OTHERS };

static enum stage
stage_of(const struct upkeep_step *step)
{
	return strcmp(step->name, "histories") == 0 || strcmp(step->name, "documents") == 0
	    ? SOURCES
	    : strcmp(step->name, "summaries") == 0 ? SUMMARIES : OTHERS;
}

/* A step that fails keeps none of the others from being done. */
static void
work(struct upkeep *u, struct err *err)
{
	for (int stage = SOURCES; stage <= OTHERS && err->code == 0; stage++) {
		if (find_due(u, err) != 0)
			return;
		for (size_t i = 0; i < u->due.n && prog_stop == 0 && err->code == 0; i++)
			if ((int)stage_of(&u->due.list[i]) == stage)
				do_step(u, &u->due.list[i], err);
	}
}

/*
 * A lock of the store among those who keep it up: the kernel gives it back when its holder dies.
 * Returns a descriptor; -1 with err, or without: somebody else is at work.
 */
static int
lock(struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *db = conf_db(),
		   *path = store_is_file(db)
		? arena_printf(&a, "%s.upkeep", db)
		: arena_printf(&a, "%s.%016llx", conf_state_path("mem/upkeep"),
		      (unsigned long long)hash64(db, strlen(db), 0));

	conf_make_parents(path);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		err_set_errno(err, ERR_IO, "cannot open '%s'", path);
	else if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		prog_note("another mem-upkeep is at work on this store");
		close(fd);
		fd = -1;
	}
	return fd;
}

static void
put_plan(struct upkeep *u, struct err *err)
{
	if (find_due(u, err) != 0)
		return;
	for (size_t i = 0; i < u->due.n; i++) {
		const struct upkeep_step *s = &u->due.list[i];

		/* a run looks at histories each time; due they are where it would find something */
		if (strcmp(s->name, "histories") == 0 && off_why("") == NULL &&
		    (read_histories(u, err) != 0 || u->n_new == 0))
			continue;
		put_step(s, -1, 0, s->not_done != NULL ? s->not_done : "");
	}
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct upkeep u = { .n_new = 0 };
	int i = prog_start(&prog, argc, argv), fd = -1;

	u.who = (struct scope){ .user = conf_text("user") };
	programs_dir(u.dir, sizeof(u.dir), argv[0]);
	if (i < argc)
		err_set(&err, ERR_USAGE, "takes no operand, not '%s'", argv[i]);
	else if (prog_unread(PROG_UNREAD_MS, &err) != 0)
		;
	else if (plan)
		put_plan(&u, &err);
	else if (off_why("") != NULL)
		prog_note("%s", off_why(""));
	else if (setenv("MEM_DB", conf_db(), 1) != 0 || setenv("MEM_USER", u.who.user, 1) != 0)
		err_set_errno(&err, ERR_BUG, "setenv");
	else if ((fd = lock(&err)) >= 0) {
		prog_catch_signals();
		work(&u, &err);
		close(fd);
	}
	free(skip.items);
	if (err.code == 0)
		err.code = u.worst;            /* the step itself said why */
	return prog_end(&err);
}
