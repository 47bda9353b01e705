/*
 * complete.c: answers a shell that asks what a word may become. A program knows its options from
 * its own table, and values from settings and from the words below; for names in the store it asks
 * mem-list, whose records it reads. So the scripts of the shells (schema/completion) hold no lists
 * that could be out of date, and a new option is completed without a further line.
 */
#include "cli/complete.h"

#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/embedded.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "cli/print.h"
#include "cli/prog_opts.h"
#include "cli/programs.h"
#include "json/json.h"
#include "gen/complete_rows.h"

extern char **environ;

#define ASK_SECONDS    2
#define WHAT_COLUMNS   60              /* of an explanation */
#define OWN_BYTES      (1u << 20)      /* of the words that a program completes itself */

/*
 * What is asked of another program: its arguments, and the keys of its records. key NULL: the lines
 * are words.
 */
struct ask { const char *program, *args[5], *key, *what; };

/* Of sessions the newest are looked at. */
#define NEWEST { "sessions", "-j", "--reverse", "-n1000", NULL }
static const struct ask ask_sessions = { "mem-list", { "--complete", "--session", "" }, NULL,
				NULL },
			ask_projects = { "mem-list", NEWEST, "project", NULL },
			ask_agents = { "mem-list", NEWEST, "agent", NULL },
			ask_users = { "mem-list", { "--complete", "--user", "" }, NULL, NULL },
			ask_models = { "mem-model", { "list", "-j" }, "name", NULL };

/*
 * What the options of this name take; of rows that fit the first counts. program NULL: any. Options
 * of settings with a choice of words need no row.
 */
static const struct values {
	const char *program, *option, *words;
	const struct ask *ask;
} values[] = { COMPLETE_VALUES };

/* The same of operands; before: the operand that stands before it, NULL none. */
static const struct operands {
	const char *program, *before, *words;
	const struct ask *ask;
} operands[] = { COMPLETE_OPERANDS };

/* The word that is completed: it begins with kept, which stays, and goes on with begun. */
struct asked {
	const struct prog *p;
	const struct prog_opt *const *all;
	const char *kept, *begun;
	size_t kept_len;
};

/* Those that the program itself completes. */
static struct { const char *option; complete_fn *words; } own[2];
static size_t n_own;

void
complete_option(const char *name, complete_fn *words)
{
	own[n_own].option = name;
	own[n_own++].words = words;
}

/* ---- candidates ---- */

/* Whether nothing in it breaks a line, or changes what a terminal shows. */
static bool
is_plain(const char *s)
{
	const char *end = s + strlen(s);
	uint32_t cp;

	for (size_t n; s < end; s += n)
		if ((n = utf8_decode(s, end, &cp)) == 0 || utf8_unsafe(cp))
			return false;
	return true;
}

/* Prints a word that is plain, if it is what the one begun may become. */
static void
put(const struct asked *q, const char *word, const char *what)
{
	struct buf *out = prog_out();

	if (strncmp(word, q->begun, strlen(q->begun)) != 0 || *word == '\0' || !is_plain(word))
		return;
	buf_add(out, q->kept, q->kept_len);
	buf_adds(out, word);
	if (what != NULL && *what != '\0') {
		buf_addc(out, '\t');
		print_line(out, what, strlen(what), WHAT_COLUMNS);
	}
	buf_addc(out, '\n');
}

/* Prints the words of a list that any of the bytes of between divide. */
static void
put_list(const struct asked *q, const char *list, const char *between)
{
	char word[1024];

	for (size_t n; list += strspn(list, between), (n = strcspn(list, between)) > 0; list += n) {
		snprintf(word, sizeof(word), "%.*s", (int)n, list);
		put(q, word, NULL);
	}
}

/* Prints a word and, behind a tab, what it means. */
static void
put_line(const struct asked *q, char *line)
{
	char *tab = strchr(line, '\t');

	if (tab != NULL)
		*tab = '\0';
	put(q, line, tab != NULL ? tab + 1 : NULL);
}

static void
put_lines(const struct asked *q, char *lines)
{
	for (size_t n; *lines != '\0'; lines += n) {
		n = strcspn(lines, "\n");
		n += lines[n] == '\n';
		if (lines[n - 1] == '\n')
			lines[n - 1] = '\0';
		put_line(q, lines);
	}
}

static void
put_files(const char *arg)
{
	if (strstr(arg, "FILE") != NULL || strstr(arg, "DIR") != NULL)
		buf_adds(prog_out(), "\tfiles\n");
}

/* ---- names that other programs know ---- */

/* Starts the program beside this one, silent but for its standard output. */
static FILE *
ask_start(const struct ask *ask, pid_t *pid)
{
	char path[4096 + 32];
	const char *argv[NELEM(ask->args) + 2] = { path };
	int fd[2], rc;

	memcpy(argv + 1, ask->args, sizeof(ask->args));
	argv[NELEM(argv) - 1] = NULL;
	programs_dir(path, sizeof(path) - 32, ask->program);
	snprintf(path + strlen(path), 32, "/%s", ask->program);
	if (spawn_pipe(fd, -1) != 0)
		return NULL;
	rc = spawn(&(struct spawn){ argv, { SPAWN_NONE, fd[1], SPAWN_NONE }, false, NULL }, pid);
	spawn_shut(&fd[1]);
	if (rc == 0)
		return fdopen(fd[0], "r");
	spawn_shut(&fd[0]);
	return NULL;
}

static void
put_names(const struct asked *q, const struct ask *ask)
{
	LOCAL(arena) a = ARENA_INIT;
	FREED const char **seen = NULL;
	size_t n = 0, cap = 0, size = 0;
	FREED char *line = NULL;
	pid_t pid;
	FILE *in;

	alarm(ASK_SECONDS);                    /* ends this program, and nothing was said */
	if ((in = ask_start(ask, &pid)) == NULL)
		return;
	while (getline(&line, &size, in) > 0) {
		const struct json *v = NULL;
		const char *name;
		size_t i;

		line[strcspn(line, "\n")] = '\0';
		if (ask->key == NULL) {
			put_line(q, line);
			continue;
		}
		if (json_parse(line, strlen(line), &a, &v, NULL) != 0 ||
		    (name = json_get_string(v, ask->key, NULL)) == NULL)
			continue;
		for (i = n; i > 0 && strcmp(seen[i - 1], name) != 0;)
			i--;
		if (i > 0)
			continue;
		*xpush(seen, n, cap) = name;
		put(q, name, ask->what != NULL ? json_get_string(v, ask->what, NULL) : NULL);
	}
	fclose(in);
	spawn_wait(pid);
	alarm(0);
}

/* ---- options ---- */

static void
put_options(const struct asked *q)
{
	char word[64];

	for (const struct prog_opt *const *o = q->all; *o != NULL; o++) {
		snprintf(word, sizeof(word), "--%s", (*o)->name);
		if ((*o)->help != NULL)
			put(q, word, (*o)->help);
	}
}

static void
put_values(const struct asked *q, const struct prog_opt *o)
{
	const struct conf_setting *setting = prog_setting(o);

	for (size_t i = 0; i < n_own; i++) {
		if (strcmp(o->name, own[i].option) != 0)
			continue;
		LOCAL(buf) words = buf_of(OWN_BYTES);
		own[i].words(&words);
		put_lines(q, words.data);
		return;
	}
	if (setting != NULL && setting->choices != NULL) {
		put_list(q, setting->choices, ", ");
		return;
	}
	if (strcmp(o->name, "bank") == 0)
		put_list(q, conf_text("banks"), ", ");
	for (size_t i = 0; i < NELEM(values); i++) {
		const struct values *v = &values[i];

		if (strcmp(v->option, o->name) != 0 ||
		    (v->program != NULL && strcmp(v->program, q->p->name) != 0))
			continue;
		if (v->words != NULL)
			put_list(q, v->words, ", ");
		else
			put_names(q, v->ask);
		return;
	}
	put_files(o->arg);
}

/* The option of a word, "--name" of len bytes or the last of letters "-jn"; NULL: none. */
static const struct prog_opt *
option_of(const struct asked *q, const char *word, size_t len)
{
	for (const struct prog_opt *const *o = q->all; *o != NULL; o++)
		if (word[1] == '-' ? strlen((*o)->name) == len - 2 &&
			    strncmp((*o)->name, word + 2, len - 2) == 0
				   : (*o)->letter == word[len - 1])
			return *o;
	return NULL;
}

/* Lets the programs that are asked know whose memory of which file the line is about. */
static void
note_setting(const struct prog_opt *o, const char *value)
{
	if (o->kind != OPT_CONF || o->arg == NULL || conf_set(o->conf, value, NULL) != 0)
		return;
	if (strcmp(o->conf, "db") == 0)
		setenv("MEM_DB", value, 1);
	if (strcmp(o->conf, "user") == 0)
		setenv("MEM_USER", value, 1);
}

/* ---- operands ---- */

static void
put_verbs(const struct asked *q)
{
	const struct program *list;
	size_t n = programs_all(&list);

	for (size_t i = 0; i < n; i++)
		if (strncmp(list[i].name, "mem-", 4) == 0)
			put(q, list[i].name + 4, list[i].job);
}

/* The words in small letters of "convert DIR|FILE -o OUT | list | show [NAME|FILE ...]". */
static void
put_first(const struct asked *q)
{
	static const char small[] = "abcdefghijklmnopqrstuvwxyz", rest[] = "[]| .";
	char word[64];

	for (const char *s = q->p->args; *s != '\0';) {
		size_t n = strspn(s, small), whole = strcspn(s, rest);

		if (n > 1 && n == whole) {
			snprintf(word, sizeof(word), "%.*s", (int)n, s);
			put(q, word, NULL);
		}
		s += whole > 0 ? whole : 1;
	}
}

static void
put_operands(const struct asked *q, const char *before)
{
	bool is_mem = strcmp(q->p->name, "mem") == 0;

	for (size_t i = 0; i < NELEM(operands); i++) {
		const struct operands *o = &operands[i];

		if (strcmp(o->program, q->p->name) != 0 ||
		    (o->before != NULL && (before == NULL || strcmp(o->before, before) != 0)))
			continue;
		if (o->words != NULL)
			put_list(q, o->words, ", ");
		else
			put_names(q, o->ask);
		return;
	}
	if (is_mem && before != NULL && strcmp(before, "config") == 0) {
		put_list(q, "set, unset", ", ");
		for (size_t i = 0; i < conf_n_settings; i++)
			put(q, conf_settings[i].name, conf_settings[i].help);
		return;
	}
	if (is_mem && (before == NULL || strcmp(before, "help") == 0))
		put_verbs(q);
	if (before == NULL)
		put_first(q);
	put_files(q->p->args);
}

/* ---- the line ---- */

void
complete_words(const struct prog *p, const struct prog_opt *const *all, char **words, int n)
{
	struct asked q = { .p = p, .all = all, .kept = "", .begun = n > 0 ? words[n - 1] : "" };
	const struct prog_opt *o = NULL;       /* the option that the next word is the value of */
	const char *before = NULL, *last = q.begun, *value;
	bool ended = false;                    /* by "--" */

	for (int i = 0; i + 1 < n; i++) {
		char *w = words[i];

		if (o != NULL) {
			note_setting(o, w);
			o = NULL;
		} else if (!ended && strcmp(w, "--") == 0) {
			ended = true;
		} else if (!ended && w[0] == '-' && w[1] != '\0') {
			value = w[1] == '-' ? strchr(w, '=') : NULL;
			o = option_of(&q, w, value != NULL ? (size_t)(value - w) : strlen(w));
			if (o != NULL && value != NULL)
				note_setting(o, value + 1);
			if (o != NULL && (value != NULL || o->arg == NULL))
				o = NULL;
		} else if (before == NULL) {
			before = w;
		}
	}
	if (o != NULL) {
		put_values(&q, o);
	} else if (!ended && strncmp(last, "--", 2) == 0 && (value = strchr(last, '=')) != NULL) {
		q.kept = last;
		q.kept_len = (size_t)(value + 1 - last);
		q.begun = value + 1;
		if ((o = option_of(&q, last, (size_t)(value - last))) != NULL && o->arg != NULL)
			put_values(&q, o);
	} else if (!ended && last[0] == '-') {
		put_options(&q);
	} else {
		put_operands(&q, before);
	}
}

int
complete_script(const char *shell, struct err *err)
{
	static const char mark[] = "@PROGRAMS@";
	char name[64];
	const struct embedded *file, *list = embedded_find("programs.txt");
	const char *text, *at;

	snprintf(name, sizeof(name), "schema/completion/mem.%.16s", shell);
	if ((file = embedded_find(name)) == NULL)
		return err_set(err, ERR_USAGE, "no completion for '%s': bash, zsh or fish", shell);
	for (text = file->text; (at = strstr(text, mark)) != NULL; text = at + sizeof(mark) - 1) {
		buf_add(prog_out(), text, (size_t)(at - text));
		for (const char *p = list->text; *p != '\0'; p += strcspn(p, "\n") + 1)
			buf_addf(prog_out(), "%s%.*s", p > list->text ? " " : "",
			    (int)strcspn(p, "\t"), p);
	}
	buf_adds(prog_out(), text);
	return 0;
}
