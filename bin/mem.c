/*
 * mem: run the programs of mem, list them, show settings
 *
 * "mem search ..." runs mem-search: the one beside this program, else the one in PATH, so any
 * program called mem-VERB is a verb.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/programs.h"
#include "json/json.h"
#include "setup/settings.h"
#include "gen/programs.h"

#define PATH_BYTES 4096
#define JOB_COLUMN 14              /* in the list of programs, the column of their jobs */

static const struct prog_opt opts[] = {
	PROG_OPTS_OUTPUT,
	PROG_OPTS_END
};

/*
 * The library and the store of all programs are those of mem-check: this program is linked with
 * neither, and starts sooner for it.
 */
static void
versions(struct buf *out)
{
	char dir[PATH_BYTES], line[128];
	FILE *child;
	bool first = true;

	programs_dir(dir, sizeof(dir), "");
	if (setenv("MEM_BESIDE", dir, 1) != 0 ||
	    (child = popen("exec \"$MEM_BESIDE/mem-check\" --version 2>/dev/null", "r")) == NULL)
		return;
	for (; fgets(line, sizeof(line), child) != NULL; first = false)
		if (!first)
			buf_adds(out, line);
	pclose(child);
}

static const struct prog prog = { opts, PROG_MEM };

/* ---- running them ---- */

static bool
is_word(const char *verb)
{
	return verb[0] != '\0' && strlen(verb) < 64 &&
	    verb[strspn(verb, "abcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

/* Verbs that are another program with some words before the others. */
static const struct { const char *verb, *program, *words[2]; } other_names[] = {
	{ "handoff", "resume", { "--handoff" } },
	{ "log", "search", { "--file" } },
	{ "blame", "search", { "--blame" } },
	{ "at", "list", { "facts", "--as-of" } },
};

/* The arguments of the program that the verb stands for; argv itself where it is its own. */
static char **
whole_words(char **argv)
{
	size_t n = 0, at = 1;
	char **all;

	for (size_t i = 0; i < NELEM(other_names); i++) {
		if (strcmp(argv[1], other_names[i].verb) != 0)
			continue;
		while (argv[n] != NULL)
			n++;
		all = xcalloc(n + NELEM(other_names[i].words) + 1, sizeof(*all));
		all[0] = argv[0];
		all[at++] = (char *)(uintptr_t)other_names[i].program;
		for (size_t k = 0; k < 2 && other_names[i].words[k] != NULL; k++)
			all[at++] = (char *)(uintptr_t)other_names[i].words[k];
		memcpy(all + at, argv + 2, (n - 2) * sizeof(*all));
		return all;
	}
	return argv;
}

/* Runs mem-VERB in place of this program; returns only when that fails. */
static int
run_verb(char **argv, struct err *err)
{
	char dir[PATH_BYTES], file[PATH_BYTES + 80], name[80], hint[128];

	argv = whole_words(argv);
	char *verb = argv[1];
	if (is_word(verb)) {
		snprintf(name, sizeof(name), "mem-%s", verb);
		programs_dir(dir, sizeof(dir), argv[0]);
		snprintf(file, sizeof(file), "%s/%s", dir, name);
		argv[1] = name;
		execv(file, argv + 1);
		if (errno == ENOENT)
			execvp(name, argv + 1);
		if (errno != ENOENT)
			return err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO,
			    "cannot run '%s'", name);
	}
	return err_set(err, ERR_USAGE, "unknown verb '%s'%s", verb,
	    programs_hint(verb, hint, sizeof(hint)));
}

/* On a terminal: what there is today. */
static void
greet(char *self, struct err *err)
{
	static char verb[] = "stats", today[] = "--today";
	char *argv[] = { self, verb, today, NULL };

	run_verb(argv, err);
}

/* ---- mem help ---- */

/* The programs by what they are for; those that are in no group come last. */
static const char *const groups[] = {
	"find and read: search context rewrite list show browse",
	"store: ingest embed model summarize cluster",
	"facts: extract remember edit profile",
	"agents: setup hook mcp resume",
	"keep and delete: upkeep check prune forget audit",
	"take along: export import sync seal",
	"measure: stats eval",
	"a language model: llm",
};

static void
help_line(const struct program *p)
{
	buf_addf(prog_out(), "%-13s ", p->name);
	print_hanging(prog_out(), p->job, strlen(p->job), MAX(MIN(prog_columns(), 100), 60),
	    JOB_COLUMN);
}

/* The group that names the verb; NELEM(groups): none. */
static size_t
group_of(const char *verb)
{
	size_t len = strlen(verb), i;

	for (i = 0; i < NELEM(groups); i++)
		for (const char *p = strchr(groups[i], ':') + 2, *at = p;
		    (at = strstr(at, verb)) != NULL; at += len)
			if (at[-1] == ' ' && (at[len] == ' ' || at[len] == '\0'))
				return i;
	return i;
}

static int
help_list(void)
{
	const struct program *list;
	size_t n = programs_all(&list), i, g;

	for (g = 0; g <= NELEM(groups); g++) {
		if (g < NELEM(groups))
			buf_addf(prog_out(), "%s%.*s\n", g > 0 ? "\n" : "",
			    (int)strcspn(groups[g], ":"), groups[g]);
		for (i = 0; i < n; i++) {
			const char *dash = strchr(list[i].name, '-');

			if (group_of(dash != NULL ? dash + 1 : list[i].name) == g)
				help_line(&list[i]);
		}
		if (g + 1 == NELEM(groups))
			buf_addc(prog_out(), '\n');
	}
	buf_adds(prog_out(),
	    "\n'mem help VERB' shows a page, 'man 7 mem' the overview, 'mem config' settings.\n");
	return 0;
}

/*
 * Finds the man page of this very program: installed beside it, or in the source tree around build/
 * and build/asan/.
 */
static bool
find_page(const char *name, const char *dir, char *file, size_t size)
{
	static const int sections[] = { 1, 5, 7 };

	for (size_t i = 0; i < NELEM(sections); i++) {
		int s = sections[i];

		snprintf(file, size, "%s/../share/man/man%d/%s.%d", dir, s, name, s);
		if (access(file, R_OK) == 0)
			return true;
		snprintf(file, size, "%s/../man/%s.%d", dir, name, s);
		if (access(file, R_OK) == 0)
			return true;
		snprintf(file, size, "%s/../../man/%s.%d", dir, name, s);
		if (access(file, R_OK) == 0)
			return true;
	}
	return false;
}

/* Runs man(1), else mandoc(1), in place of this program; returns only when there is neither. */
static int
help_page(const char *topic, const char *argv0, struct err *err)
{
	char dir[PATH_BYTES], file[PATH_BYTES + 128], name[80], hint[128];

	if (strcmp(topic, "help") == 0)        /* this verb is mem's own */
		topic = "mem";
	for (size_t i = 0; i < NELEM(other_names); i++)
		if (strcmp(topic, other_names[i].verb) == 0)
			topic = other_names[i].program;
	bool whole = strcmp(topic, "mem") == 0 || strncmp(topic, "mem-", 4) == 0;
	snprintf(name, sizeof(name), "%s%.64s", whole ? "" : "mem-", topic);
	programs_dir(dir, sizeof(dir), argv0);
	bool found = is_word(topic) && find_page(name, dir, file, sizeof(file));
	if (!found && (!is_word(topic) || !programs_has(name)))
		return err_set(err, ERR_USAGE, "no page about '%s'%s", topic,
		    programs_hint(topic, hint, sizeof(hint)));
	signal(SIGPIPE, SIG_DFL);
	if (!found) {
		execlp("man", "man", name, (char *)NULL);
		return err_set_errno(err, ERR_UNAVAILABLE, "cannot run 'man'");
	}
	execlp("man", "man", "-l", file, (char *)NULL);
	execlp("mandoc", "mandoc", "-a", file, (char *)NULL);
	return err_set(err, ERR_UNAVAILABLE,
	    "neither 'man' nor 'mandoc' can be run; the page is '%s'", file);
}

/* ---- mem config ---- */

static const char *const from_names[] = { "default", "file", "environment", "option" };

static const char *
setting_value(const struct conf_setting *s)
{
	return strcmp(s->name, "db") == 0 ? conf_db() : conf_text(s->name);
}

static void
setting_json(struct buf *b, const struct conf_setting *s)
{
	const char *where = NULL;
	enum conf_from from = conf_origin(s->name, &where);

	json_record(b, "setting");
	json_str(b, "name", s->name);
	json_str(b, "value", setting_value(s));
	json_str(b, "from", from_names[from]);
	json_str(b, "where", where);
	json_str(b, "default", s->def);
	json_str(b, "help", s->help);
	json_end(b);
}

/*
 * Prints name, value and origin of a setting in columns; a long value moves only the last column of
 * its own line.
 */
static void
setting_line(struct buf *b, const struct conf_setting *s, int width)
{
	const char *value = setting_value(s), *where = NULL;
	enum conf_from from = conf_origin(s->name, &where);

	buf_addf(b, "%-*s ", width, s->name);
	size_t start = b->len;
	print_safe(b, value, strlen(value));
	while (b->len - start < 24)
		buf_addc(b, ' ');
	buf_addc(b, ' ');
	if (where == NULL)
		where = from_names[from];
	print_safe(b, where, strlen(where));
	buf_addc(b, '\n');
}

static const struct conf_setting *
find_setting(const char *name, struct err *err)
{
	struct prog_guess g = { NULL, 0 };

	for (size_t i = 0; i < conf_n_settings; i++) {
		if (strcmp(conf_settings[i].name, name) == 0)
			return &conf_settings[i];
		prog_nearest(name, conf_settings[i].name, &g);
	}
	if (g.word != NULL)
		err_set(err, ERR_USAGE, "unknown setting '%s', did you mean '%s'?", name, g.word);
	else
		err_set(err, ERR_USAGE, "unknown setting '%s'", name);
	return NULL;
}

static int
show_settings(int argc, char **argv, struct err *err)
{
	size_t i, n = argc > 0 ? (size_t)argc : conf_n_settings;
	int width = 0;

	for (i = 0; i < conf_n_settings; i++)
		width = MAX(width, (int)strlen(conf_settings[i].name));
	for (i = 0; i < n; i++) {
		const struct conf_setting *s;

		/* git-config(1) takes these forms, but mem does not */
		if (argc > 0 &&
		    (strchr(argv[i], '=') != NULL || (i == 1 && ascii_is_digit(*argv[i]))))
			return err_set(err, ERR_USAGE,
			    "'%s': to set a setting: mem config set NAME VALUE", argv[i]);
		if ((s = argc > 0 ? find_setting(argv[i], err) : &conf_settings[i]) == NULL)
			return -1;
		if (prog_for_people())
			setting_line(prog_out(), s, width);
		else
			setting_json(prog_out(), s);
	}
	return 0;
}

/* What was written does not hold where the environment says something else. */
static void
tell_environment(const char *name, enum conf_from from, const char *where)
{
	if (from == CONF_ENV)
		prog_caution("%s is set in the environment, which goes before the file", where);
	else
		prog_note("'%s' in '%s'", name, conf_path_file());
}

static bool
is_change(const char *word)
{
	return strcmp(word, "set") == 0 || strcmp(word, "unset") == 0;
}

/* "set NAME VALUE" and "unset NAME ...", of which a name may be one that only the file has. */
static int
change_settings(int argc, char **argv, struct err *err)
{
	bool set = strcmp(argv[0], "set") == 0;
	const char *where = NULL;
	struct err bad = ERR_INIT;
	size_t n;

	if (set ? argc != 3 : argc < 2)
		return err_set(err, ERR_USAGE, set ? "'set' takes a setting and its value"
						   : "'unset' takes the names of settings");
	if (set && find_setting(argv[1], err) == NULL)
		return -1;
	for (int i = 1; i < (set ? 2 : argc); i++) {
		enum conf_from from = conf_origin(argv[i], &where);
		if ((set ? settings_put(argv[i], argv[2], err)
			 : settings_drop(argv[i], &n, err)) != 0 ||
		    (!set && n == 0 && find_setting(argv[i], err) == NULL))
			return -1;
		if (!set && n == 0)
			prog_note("'%s' is not in '%s'", argv[i], conf_path_file());
		else
			tell_environment(argv[i], from, where);
	}
	if (conf_load(&bad) != 0)
		prog_caution("%s: other programs end here until this is mended", bad.msg);
	return 0;
}

/* ---- verbs ---- */

/* Those that this program does itself. */
static bool
is_own(const char *verb)
{
	return strcmp(verb, "help") == 0 || strcmp(verb, "config") == 0 ||
	    strcmp(verb, "completion") == 0;
}

/* Those of the programs that came with this one, and not of others in PATH. */
static bool
is_ours(const char *verb)
{
	char name[80];

	snprintf(name, sizeof(name), "mem-%.64s", verb);
	return programs_ours(name);
}

int
main(int argc, char **argv)
{
	static char complete[] = "--complete", operands[] = "--";
	char *negative[] = { argv[0], operands, NULL, NULL, NULL, NULL, NULL };
	struct err err = ERR_INIT;

	/* What a program's words may become it says itself. */
	if (argc > 3 && strcmp(argv[1], "--complete") == 0 && is_ours(argv[2])) {
		argv[1] = argv[2];
		argv[2] = complete;
	}
	/* A verb that is a program gets its arguments unread, and loads settings itself. */
	if (argc > 1 && argv[1][0] != '-' && !is_own(argv[1])) {
		run_verb(argv, &err);
		prog_start(&prog, 1, argv);
		return prog_end(&err);
	}
	prog_versions(versions);
	if (argc > 2 && strcmp(argv[1], "config") == 0 && is_change(argv[2]))
		prog_mends_settings();
	/* a number below zero is a value, and no option */
	if (argc == 5 && strcmp(argv[1], "config") == 0 && is_change(argv[2]) &&
	    argv[4][0] == '-' && ascii_is_digit(argv[4][1])) {
		memcpy(negative + 2, argv + 1, 4 * sizeof(*argv));
		argv = negative;
		argc++;
	}
	int first = prog_start(&prog, argc, argv);
	if (first == argc && prog_for_people() && !prog_common.text)
		greet(argv[0], &err);
	else if (first == argc)
		err_set(&err, ERR_USAGE, "which verb? 'mem help' lists them");
	else if (strcmp(argv[first], "config") == 0 && first + 1 < argc &&
	    is_change(argv[first + 1]))
		change_settings(argc - first - 1, argv + first + 1, &err);
	/* "get NAME" as in git-config(1): no setting is called so */
	else if (strcmp(argv[first], "config") == 0 && first + 2 < argc &&
	    strcmp(argv[first + 1], "get") == 0)
		show_settings(argc - first - 2, argv + first + 2, &err);
	else if (strcmp(argv[first], "config") == 0)
		show_settings(argc - first - 1, argv + first + 1, &err);
	else if (strcmp(argv[first], "completion") == 0 && argc - first != 2)
		err_set(&err, ERR_USAGE, "completion for which shell? bash, zsh or fish");
	else if (strcmp(argv[first], "completion") == 0)
		complete_script(argv[first + 1], &err);
	else if (strcmp(argv[first], "help") == 0 && argc - first > 2)
		err_set(&err, ERR_USAGE, "one topic at a time");
	else if (strcmp(argv[first], "help") == 0 && argc - first == 2)
		help_page(argv[first + 1], argv[0], &err);
	else if (strcmp(argv[first], "help") == 0)
		help_list();
	else
		err_set(&err, ERR_USAGE, "options go after the verb '%s'", argv[first]);
	return prog_end(&err);
}
