/* mem-edit: change facts and notes, and take changes back */
#include "base/alloc.h"
#include "base/caps.h"
#include "calls/calls.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "facts/edit.h"
#include "facts/important.h"
#include "facts/join_people.h"
#include "records/handles.h"
#include "records/ids.h"
#include "records/named.h"
#include "records/project_name.h"
#include "gen/programs.h"

#define FLUSH_BYTES       (32u << 10)
#define NOTHING_TO_CHANGE "nothing to change: give other words, --bank, --retract ..."

static struct edit_want want = EDIT_NOTHING;
static bool protect, unprotect, retract, restore, undo, steps, important, move, same_person;
static struct prog_list tags;

static const struct prog_opt opts[] = {
	PROG_OPTS_SCOPE,
	{ 0, "content", "TEXT", OPT_TEXT, &want.content, NULL, 0, 0, "other words" },
	{ 'k', "key", "KEY", OPT_TEXT, &want.key, NULL, 0, 0, "what the fact is about; empty: nothing" },
	{ 0, "bank", "NAME", OPT_TEXT, &want.bank, NULL, 0, 0, "another bank" },
	{ 0, "category", "ROOT", OPT_TEXT, &want.category, NULL, 0, 0, "facts, preferences, skills, rules or context" },
	{ 0, "subcategory", "NAME", OPT_TEXT, &want.subcategory, NULL, 0, 0, "another subcategory; empty: none" },
	{ 0, "kind", "KIND", OPT_TEXT, &want.kind, NULL, 0, 0, FACT_KINDS },
	{ 0, "importance", "X", OPT_REAL, &want.importance, NULL, 0, 1, "0 to 1" },
	{ 0, "confidence", "X", OPT_REAL, &want.confidence, NULL, 0, 1, "0 to 1" },
	{ 0, "valid-from", "TIME", OPT_TEXT, &want.valid_from, NULL, 0, 0, "when the fact began to hold, or none" },
	{ 0, "valid-to", "TIME", OPT_TEXT, &want.valid_to, NULL, 0, 0, "when it ceased to, or none" },
	{ 't', "tag", "TAG", OPT_LIST, &tags, NULL, 0, 0, "a tag, in place of those there are" },
	{ 0, "protect", NULL, OPT_FLAG, &protect, NULL, 0, 0, "never prune it, nor let another fact end it" },
	{ 0, "unprotect", NULL, OPT_FLAG, &unprotect, NULL, 0, 0, "as all others again" },
	{ 0, "retract", NULL, OPT_FLAG, &retract, NULL, 0, 0, "it is not true: kept, and no longer shown" },
	{ 0, "restore", NULL, OPT_FLAG, &restore, NULL, 0, 0, "it is true after all; or shown beside what sums it up" },
	{ 0, "important", NULL, OPT_FLAG, &important, NULL, 0, 0, "of messages: context always keeps them" },
	{ 0, "move", NULL, OPT_FLAG, &move, NULL, 0, 0, "what is of the project OLD is of the project NEW" },
	{ 0, "same-person", NULL, OPT_FLAG, &same_person, NULL, 0, 0, "the names are those of one person, who is called by the last" },
	{ 0, "steps", NULL, OPT_FLAG, &steps, NULL, 0, 0, "show the steps that changed ID, or all" },
	{ 0, "undo", NULL, OPT_FLAG, &undo, NULL, 0, 0, "take back STEP, or the last one" },
	{ 0, "keep-secrets", NULL, OPT_FLAG, &want.keep_secrets, NULL, 0, 0, "do not redact API keys and the like" },
	PROG_OPTS_REST
};

static const struct prog prog = { opts, PROG_MEM_EDIT };

/* ---- output ---- */

static int
end_line(void)
{
	buf_addc(prog_out(), '\n');
	return prog_out()->len >= FLUSH_BYTES && prog_flush() != PROG_OUT_OK;
}

static int
put_record(void *arg, const struct fact *f)
{
	(void)arg;
	if (prog_common.quiet)
		return 0;
	if (!prog_for_people()) {
		fact_record(prog_out(), conf_text("user"), f, NULL);
	} else {
		buf_addf(prog_out(), "%s  ", f->head.id);
		print_line(prog_out(), f->head.content, f->head.content_len,
		    MAX(prog_columns() - 28, 20));
	}
	return end_line();
}

static int
put_undone(void *arg, const char *id, bool gone)
{
	const struct verdict v = { .id = id, .did = gone ? "removed" : "restored",
		.of = "", .why = "" };

	(void)arg;
	if (prog_common.quiet || prog_for_people())
		return 0;
	record_verdict(prog_out(), conf_text("user"), &v);
	return end_line();
}

/* A step that is shown; undone: as one that was taken back. */
struct shown { struct store *s; const struct scope *who; struct err *err; bool undone; };

/* Prints for a person what a step was about. */
static int
put_changed(void *arg, const char *id, const char *text, size_t len, bool gone)
{
	const struct shown *v = arg;
	struct buf *out = prog_out();

	buf_addf(out, "        %s  %s", id, !v->undone ? "" : gone ? "removed   " : "restored  ");
	print_line(out, text, len, MAX(prog_columns() - (v->undone ? 47 : 37), 20));
	return end_line();
}

static int
put_step(void *arg, const struct step *st)
{
	struct shown *v = arg;
	char time[TIME_TEXT];

	if (!prog_for_people()) {
		record_step(prog_out(), conf_text("user"), st);
		return end_line();
	}
	time_format_local(st->time_us, time);
	time[10] = ' ';
	time[MIN(strlen(time), 16)] = '\0';
	buf_addf(prog_out(), "%6lld  %s  %-9s  %s", (long long)st->no, time, step_names[st->did],
	    st->why);
	if (st->undone != 0)
		buf_addf(prog_out(), "  (taken back by %lld)", (long long)st->undone);
	return end_line() != 0 || step_records(v->s, v->who, st, put_changed, v, v->err) != 0;
}

/* ---- the jobs ---- */

static int
show_steps(struct store *s, const struct scope *who, char **ids, int n, struct err *err)
{
	struct shown shown = { s, who, err, false };
	LOCAL(arena) a = ARENA_INIT;
	const struct fact *f;
	int rc = 0;

	if (n == 0)
		return steps_each(s, who, 0, put_step, &shown, err);
	for (int i = 0; i < n && rc == 0; i++) {
		rc = records_find(s, who, ids[i], &a, &f, err);
		if (rc == 0 && f == NULL)
			rc = err_set(err, ERR_NOINPUT, "no fact, summary or reflection '%.100s'",
			    ids[i]);
		if (rc == 0)
			rc = steps_each(s, who, f->head.row, put_step, &shown, err);
	}
	return rc;
}

static int
edit_those(struct store *s, const struct scope *who, const char *const *ids, size_t n,
	struct err *err)
{
	return important
	    ? important_mark(s, who, ids, n, want.keep_secrets, put_record, NULL, err)
	    : edit_records(s, who, ids, n, &want, put_record, NULL, err);
}

static int
undo_those(struct store *s, const struct scope *who, const char *const *args, int n,
	struct err *err)
{
	FREED int64_t *numbers = xcalloc((size_t)n + 1, sizeof(*numbers));
	FREED struct step *out = xcalloc((size_t)n + 1, sizeof(*out));
	struct shown shown = { s, who, err, true };
	int rc = 0;

	for (int i = 0; i < n && rc == 0; i++) {
		char *end;
		numbers[i] = strtoll(args[i], &end, 10);
		if (*args[i] == '\0' || *end != '\0' || numbers[i] <= 0)
			rc = err_set(err, ERR_USAGE,
			    "--undo takes the number of a step (see --steps), not '%s'", args[i]);
	}
	if (rc == 0 &&
	    (rc = edit_undo(s, who, numbers, (size_t)n, put_undone, NULL, out, err)) == 0)
		for (int i = 0; i < MAX(n, 1) && rc == 0; i++) {
			if (prog_for_people() && !prog_common.quiet)
				rc = step_records(s, who, &out[i], put_changed, &shown, err);
			prog_note("took step %lld back: %s", (long long)out[i].no,
			    step_names[out[i].did]);
		}
	return rc;
}

/* Edits the records, or takes back the steps, that operands or the standard input name. */
static int
edit(struct store *s, const struct scope *who, char **args, int n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED struct id_given *given = NULL;
	size_t n_ids;
	int rc = ids_given(args, n, &a, &given, &n_ids, err);
	FREED const char **ids = xcalloc(n_ids + 1, sizeof(*ids));

	for (size_t i = 0; i < n_ids && rc == 0; i++) {
		ids[i] = given[i].text;
		if (given[i].of_session)
			rc = err_set(err, ERR_DATA, "'%.100s' is a session, and no record", ids[i]);
		else if (!undo)
			rc = id_named(s, who, ids[i], &a, &ids[i], err);
	}

	/* no operand: the last step; no line: none */
	if (rc == 0 && undo && (n_ids > 0 || n == 0))
		rc = undo_those(s, who, ids, (int)n_ids, err);
	else if (rc == 0 && !undo && n_ids > 0)
		rc = edit_those(s, who, ids, n_ids, err);
	return rc;
}

/* A path as projects are called: no slash at its end, no two in a row, and no "..". */
static const char *
clean_path(const char *path, struct arena *a)
{
	return path_is_absolute(path) ? path_join("", path, strlen(path), a) : path;
}

/* A directory that was moved is named by its path, or by the last parts of it. */
static int
move_project(struct store *s, const struct scope *who, char **args, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const char *from = clean_path(args[0], &a), *to = prog_project(clean_path(args[1], &a));
	struct projects_moved did;
	int rc = -1;

	if (!path_is_absolute(from) && project_find(s, who, from, &a, &from, err) < 0)
		return -1;
	if (path_is_absolute(from) && !path_is_absolute(to))
		err_set(err, ERR_USAGE, "'%.200s' is no path: give that of the directory", to);
	else if (strcmp(from, to) == 0)
		err_set(err, ERR_USAGE, "'%.200s' is its name already", to);
	else
		rc = edit_move(s, who, from, to, &did, err);
	if (rc == 0)
		prog_note("%lld session%s and %lld record%s of '%s' are now of '%s'",
		    (long long)did.sessions, did.sessions == 1 ? "" : "s", (long long)did.records,
		    did.records == 1 ? "" : "s", from, to);
	return rc;
}

static bool
changes_something(void)
{
	return want.content != NULL || want.key != NULL || want.bank != NULL ||
	    want.subcategory != NULL || want.category != NULL || want.kind != NULL ||
	    want.valid_from != NULL || want.valid_to != NULL || want.importance >= 0 ||
	    want.confidence >= 0 || tags.n > 0 || protect || unprotect || retract || restore;
}

static int
check_options(char **args, int n, struct err *err)
{
	bool changes = changes_something();

	if (undo + steps + changes + important + move + same_person > 1)
		return err_set(err, ERR_USAGE,
		    "--undo, --steps, --important, --move, --same-person and changes exclude each "
		    "other");
	if (same_person)
		return n > 1 ? 0 : err_set(err, ERR_USAGE, "--same-person takes two names or more");
	if (move)
		return n == 2 && *args[0] != '\0' && *args[1] != '\0'
		    ? 0
		    : err_set(err, ERR_USAGE, "--move takes the old and the new directory");
	if (protect && unprotect)
		return err_set(err, ERR_USAGE, "--protect and --unprotect exclude each other");
	if (retract && restore)
		return err_set(err, ERR_USAGE, "--retract and --restore exclude each other");
	if (undo || steps)
		return 0;
	if (!changes && !important && n < 2)
		return err_set(err, ERR_USAGE, NOTHING_TO_CHANGE);
	return n > 0 ? 0 : err_set(err, ERR_USAGE, "which record? Give its id");
}

static void
fill_want(struct buf *b)
{
	if (tags.n > 0) {
		json_strings(b, NULL, tags.items, tags.n);
		want.tags = tags.n == 1 && *tags.items[0] == '\0' ? "" : b->data;
	}
	want.keep_secrets |= conf_bool("keep_secrets");
	want.guard = protect ? 1 : unprotect ? 0 : -1;
	want.retract = retract ? 1 : -1;
	want.restore = restore;
}

/* Puts whole ids in the place of what a person calls records; a number needs no "@" here. */
static int
take_names(struct store *s, const struct scope *who, char **names, int n, struct arena *a,
	struct err *err)
{
	for (int i = 0; i < n; i++) {
		const char *id = handles_find(names[i], who->user, a);

		if (id == NULL && id_named(s, who, names[i], a, &id, err) != 0)
			return -1;
		names[i] = arena_strdup(a, id);
	}
	return 0;
}

/* "mem-edit ID WORD ...": the other words. What may name a record is taken for none. */
static int
take_words(struct store *s, const struct scope *who, char **args, int *n, struct arena *a,
	struct err *err)
{
	char *first = arena_strdup(a, args[1]);
	uint8_t whole[ID_BYTES];
	const struct fact *f;

	if (take_names(s, who, &first, 1, a, err) != 0 ||
	    records_find(s, who, first, a, &f, err) != 0)
		return -1;
	if (f != NULL || id_parse(first, strlen(first), whole) == 0 ||
	    strncmp(first, "source:", 7) == 0)
		return err_set(err, ERR_USAGE, NOTHING_TO_CHANGE);
	want.content = arena_join(a, args + 1, *n - 1);
	*n = 1;
	return 0;
}

int
main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct store *s = NULL;
	LOCAL(arena) names = ARENA_INIT;
	struct scope who;
	int i = prog_start(&prog, argc, argv), n = argc - i;

	who = (struct scope)PROG_SCOPE;
	LOCAL(buf) b = buf_of(CAP_LINE_BYTES);
	if (check_options(argv + i, n, &err) == 0) {
		fill_want(&b);
		bool words = !steps && !move && !undo && !important && !same_person &&
		    !changes_something();

		if (store_open(conf_db(), steps ? STORE_READ : STORE_WRITE, &s, &err) == 0 &&
		    (!words || take_words(s, &who, argv + i, &n, &names, &err) == 0) &&
		    (move || undo || same_person ||
			take_names(s, &who, argv + i, n, &names, &err) == 0))
			steps ? show_steps(s, &who, argv + i, n, &err) :
			move ? move_project(s, &who, argv + i, &err) :
			same_person ? join_people(s, &who, (const char *const *)(argv + i),
				(size_t)n, put_record, NULL, &err) :
			       edit(s, &who, argv + i, n, &err);
		else if (steps && err.code == ERR_NOINPUT && n == 0)
			err_clear(&err);       /* an empty memory has no steps */
	}
	store_close(s);
	free(tags.items);
	return prog_end(&err);
}
