/*
 * prog_opts.c: reads options with getopt_long from the table of a program, and prints the table for
 * people and for programs.
 */
#include <errno.h>
#include <getopt.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "cli/complete.h"
#include "cli/print.h"
#include "cli/prog.h"
#include "cli/prog_opts.h"
#include "json/json.h"

#define HELP_COLUMN 26                     /* the column where explanations start */
#define MOST_COLUMNS  100
#define LEAST_COLUMNS 60
/* getopt_long returns OPT_ID + row for long options; letters are looked up by themselves */
#define OPT_ID      256

/* Global, because wrong usage is found deep inside the reading of options, and exits there. */
static const struct prog *self;
static struct option *longs;
static const struct prog_opt **rows;
static const char **given;                 /* the last argument of each row */

/* The options that every program has besides its own. */
enum { OWN_HELP, OWN_VERSION, OWN_JSON };
static const struct prog_opt own_opts[] = {
	[OWN_HELP] = { 'h', "help", NULL, OPT_FLAG, NULL, NULL, 0, 0, "this text" },
	[OWN_VERSION] = { 0, "version", NULL, OPT_FLAG, NULL, NULL, 0, 0, "the version" },
	[OWN_JSON] = { 0, "help-json", NULL, OPT_FLAG, NULL, NULL, 0, 0, NULL },
};

/* ---- usage ---- */

/*
 * How wide the usage is printed: long lines are hard to read, and on a narrow terminal very short
 * ones are no better.
 */
static int
usage_columns(void)
{
	return MAX(MIN(prog_columns(), MOST_COLUMNS), LEAST_COLUMNS);
}

static void
usage_option(struct buf *b, const struct prog_opt *o)
{
	size_t start = b->len;

	if (o->help == NULL)
		return;
	if (o->letter != 0)
		buf_addf(b, "  -%c, --%s", o->letter, o->name);
	else
		buf_addf(b, "      --%s", o->name);
	if (o->arg != NULL)
		buf_addf(b, " %s", o->arg);
	if (b->len - start + 2 > HELP_COLUMN) {
		buf_addc(b, '\n');
		start = b->len;
	}
	while (b->len - start < HELP_COLUMN)
		buf_addc(b, ' ');
	print_hanging(b, o->help, strlen(o->help), usage_columns(), HELP_COLUMN);
}

static void
usage_text(struct buf *b)
{
	buf_addf(b, "%s: ", self->name);
	print_hanging(b, self->job, strlen(self->job), usage_columns(), (int)b->len);
	buf_adds(b, "\n");
	size_t column = b->len;
	buf_addf(b, "usage: %s [options]", self->name);
	if (self->args[0] != '\0') {
		buf_addc(b, ' ');
		print_hanging(b, self->args, strlen(self->args), usage_columns(),
		    (int)(b->len - column));
	} else {
		buf_addc(b, '\n');
	}
	buf_addc(b, '\n');
	if (self->examples[0] != '\0')
		buf_addf(b, "examples:\n%s\n", self->examples);
	buf_adds(b, "options:\n");
	for (const struct prog_opt *o = self->opts; o->name != NULL; o++)
		usage_option(b, o);
	for (size_t i = 0; i < NELEM(own_opts); i++)
		usage_option(b, &own_opts[i]);
	buf_addf(b, "\n'mem help %s' says it all.\n", self->name);
}

static void
json_option(struct buf *b, const struct prog_opt *o)
{
	char letter[2] = { o->letter, '\0' };

	json_object_open(b, NULL);
	json_str(b, "name", o->name);
	json_str(b, "letter", o->letter != 0 ? letter : NULL);
	json_str(b, "arg", o->arg);
	json_bool(b, "list", o->kind == OPT_LIST);
	json_str(b, "setting", o->kind == OPT_CONF ? o->conf : NULL);
	json_str(b, "help", o->help);
	json_close(b);
}

/*
 * Prints the table as one line of JSON, which completion and the lint read; --help-json itself is
 * left out.
 */
static void
usage_json(struct buf *b)
{
	json_open(b);
	json_str(b, "name", self->name);
	json_str(b, "job", self->job);
	json_str(b, "args", self->args != NULL ? self->args : "");
	json_array_open(b, "options");
	for (const struct prog_opt *o = self->opts; o->name != NULL; o++)
		json_option(b, o);
	json_option(b, &own_opts[OWN_HELP]);
	json_option(b, &own_opts[OWN_VERSION]);
	json_array_close(b);
	json_end(b);
}

static void (*versions)(struct buf *out);

void
prog_versions(void (*fn)(struct buf *out))
{
	versions = fn;
}

static _Noreturn void
own_option(int which)
{
	if (which == OWN_HELP) {
		usage_text(prog_out());
	} else if (which == OWN_VERSION) {
		buf_addf(prog_out(), "%s %s\n", self->name, MEM_VERSION);
		if (versions != NULL)
			versions(prog_out());
	} else {
		usage_json(prog_out());
	}
	exit(prog_end(NULL));
}

/* ---- options ---- */

static _Noreturn void
usage_error(const char *msg)
{
	prog_warn("%s ('%s -h' shows the options)", msg, self->name);
	exit(ERR_USAGE);
}

/*
 * How many changes (insert, delete, replace, swap of neighbours) make one word of the other, for
 * words of up to 31 bytes; longer ones count as far apart.
 */
static int
edits_between(const char *a, const char *b)
{
	int d[3][33], n = (int)strlen(a), m = (int)strlen(b), i, j;

	if (n > 31 || m > 31)
		return 99;
	for (j = 0; j <= m; j++)
		d[0][j] = j;
	for (i = 1; i <= n; i++) {
		int *row = d[i % 3], *above = d[(i + 2) % 3], *two = d[(i + 1) % 3];

		row[0] = i;
		for (j = 1; j <= m; j++) {
			row[j] = MIN(MIN(above[j], row[j - 1]) + 1,
			    above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], two[j - 2] + 1);
		}
	}
	return d[n % 3][m];
}

void
prog_nearest(const char *word, const char *candidate, struct prog_guess *g)
{
	int far = edits_between(word, candidate);
	/* two edits make nearly any word of three letters of another */
	int limit = strlen(word) <= 3 ? 1 : 1 + (int)strlen(word) / 3;

	if (far <= limit && (g->word == NULL || far < g->edits)) {
		g->word = candidate;
		g->edits = far;
	}
}

static _Noreturn void
unknown_option(const char *word)
{
	struct prog_guess g = { NULL, 0 };
	char name[64], msg[256];

	if (optopt != 0) {
		snprintf(msg, sizeof(msg), "unknown option '-%c'", optopt);
		usage_error(msg);
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	for (const struct prog_opt *o = self->opts; o->name != NULL; o++)
		prog_nearest(name, o->name, &g);
	prog_nearest(name, own_opts[OWN_HELP].name, &g);
	prog_nearest(name, own_opts[OWN_VERSION].name, &g);
	if (g.word != NULL)
		snprintf(msg, sizeof(msg), "unknown option '--%s', did you mean '--%s'?", name,
		    g.word);
	else
		snprintf(msg, sizeof(msg), "unknown option '--%s'", name);
	usage_error(msg);
}

static _Noreturn void
bad_value(const struct prog_opt *o, const char *value, const char *what)
{
	char msg[512];

	if (o->min < o->max)
		snprintf(msg, sizeof(msg), "--%s must be %s from %.16g to %.16g: '%.100s'", o->name,
		    what, o->min, o->max, value);
	else
		snprintf(msg, sizeof(msg), "--%s must be %s: '%.100s'", o->name, what, value);
	usage_error(msg);
}

static bool
out_of_range(const struct prog_opt *o, double v)
{
	return o->min < o->max && (v < o->min || v > o->max);
}

static void
set_int(const struct prog_opt *o, const char *arg)
{
	char *end;

	errno = 0;
	long long v = strtoll(arg, &end, 10);
	if (errno != 0 || end == arg || *end != '\0' || strchr("+-0123456789", arg[0]) == NULL ||
	    out_of_range(o, (double)v))
		bad_value(o, arg, "a whole number");
	*(int64_t *)o->to = v;
}

static void
set_real(const struct prog_opt *o, const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	/* only numbers as a person writes them: no nan, inf or hexadecimal */
	if (end == arg || *end != '\0' || arg[strspn(arg, "+-.0123456789eE")] != '\0' ||
	    v - v != 0 || out_of_range(o, v))
		bad_value(o, arg, "a number");
	*(double *)o->to = v;
}

/*
 * Reports a bad value of a setting. Its message begins "NAME: 'NAME' must be", but who gave an
 * option knows it by the option's name.
 */
static _Noreturn void
bad_setting(const struct prog_opt *o, const char *msg)
{
	char place[128], said[512];
	size_t n = (size_t)snprintf(place, sizeof(place), "%s: '%s' ", o->conf, o->conf);

	if (n >= sizeof(place) || strncmp(msg, place, n) != 0)
		usage_error(msg);
	snprintf(said, sizeof(said), "--%s %s", o->name, msg + n);
	usage_error(said);
}

/*
 * Whether the argument is a file's name, which may be any bytes; all others are text that is
 * compared with stored text and printed again.
 */
static bool
is_name_of_file(const struct prog_opt *o)
{
	return strncmp(o->arg, "FILE", 4) == 0 || strncmp(o->arg, "DIR", 3) == 0;
}

/* Options that name whose memory, or which part of one, is meant. */
static const char *const of_part[] = { "user", "agent", "project", "session", "since", "until",
	"role", "name", "new-for" };

static void
set_option(const struct prog_opt *o, const char *arg)
{
	struct err err = ERR_INIT;
	struct prog_list *list;
	char empty[64];
	bool part = false;

	for (size_t i = 0; i < NELEM(of_part) && arg != NULL; i++)
		part |= strcmp(o->name, of_part[i]) == 0;
	prog_common.is_part |= part;
	/* a variable of a script that is not set would mean everything */
	if (part && *arg == '\0') {
		snprintf(empty, sizeof(empty), "--%s must not be empty", o->name);
		usage_error(empty);
	}
	if ((o->kind == OPT_TEXT || o->kind == OPT_LIST) && !is_name_of_file(o) &&
	    !utf8_valid(arg, strlen(arg)))
		bad_value(o, arg, "text in UTF-8");

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)o->to = true;
		break;
	case OPT_TEXT:
		*(const char **)o->to = arg;
		break;
	case OPT_INT:
		set_int(o, arg);
		break;
	case OPT_REAL:
		set_real(o, arg);
		break;
	case OPT_LIST:
		list = o->to;
		*xpush(list->items, list->n, list->cap) = arg;
		break;
	case OPT_CONF:
		if (conf_set(o->conf, arg != NULL ? arg : "yes", &err) != 0)
			bad_setting(o, err.msg);
		break;
	case OPT_FORMAT:
		prog_common.json = strcmp(arg, "json") == 0;
		prog_common.text = strcmp(arg, "text") == 0;
		if (!prog_common.json && !prog_common.text)
			bad_value(o, arg, "json or text");
		break;
	}
}

const struct conf_setting *
prog_setting(const struct prog_opt *o)
{
	for (size_t i = 0; o->kind == OPT_CONF && i < conf_n_settings; i++)
		if (strcmp(conf_settings[i].name, o->conf) == 0)
			return &conf_settings[i];
	return NULL;
}

/*
 * Two values for one option: of two projects or files one would be passed over, and who names both
 * means both. Of numbers and settings that are chosen from a list the last holds, as an alias may
 * have its own first.
 */
static void
refuse_second(const struct prog_opt *o, const char *before, const char *arg)
{
	const struct conf_setting *setting = prog_setting(o);
	char msg[512];

	if (before == NULL || strcmp(before, arg) == 0 ||
	    (setting == NULL ? o->kind != OPT_TEXT
			     : setting->choices != NULL ||
			     (setting->kind != CONF_TEXT && setting->kind != CONF_PATH)))
		return;
	snprintf(msg, sizeof(msg), "option '--%s' takes one value, not '%.100s' and '%.100s'",
	    o->name, before, arg);
	usage_error(msg);
}

static size_t
count_options(const struct prog_opt *opts)
{
	size_t n = 0;

	while (opts[n].name != NULL)
		n++;
	return n;
}

int
prog_parse(const struct prog *p, int argc, char **argv)
{
	size_t n = count_options(p->opts), i;
	char letters[2 * 128 + 2], *l = letters;
	int got;

	self = p;
	longs = xcalloc(n + NELEM(own_opts) + 1, sizeof(*longs));
	rows = xcalloc(n + NELEM(own_opts) + 1, sizeof(*rows));
	given = xcalloc(n + 1, sizeof(*given));
	/* the colon makes getopt_long tell a missing argument from an unknown letter */
	*l++ = ':';
	for (i = 0; i < n + NELEM(own_opts); i++) {
		const struct prog_opt *o = rows[i] = i < n ? &self->opts[i] : &own_opts[i - n];

		longs[i].name = o->name;
		longs[i].has_arg = o->arg != NULL ? required_argument : no_argument;
		longs[i].val = OPT_ID + (int)i;
		if (o->letter != 0 && l < letters + sizeof(letters) - 3) {
			*l++ = o->letter;
			if (o->arg != NULL)
				*l++ = ':';
		}
	}
	*l = '\0';
	if (argc > 1 && strcmp(argv[1], "--complete") == 0) {
		complete_words(self, rows, argv + 2, argc - 2);
		exit(prog_end(NULL));
	}
	opterr = 0;
	while ((got = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		char msg[256];

		/* getopt_long leaves the val of a long option in optopt. */
		if (got == ':') {
			if (optopt >= OPT_ID)
				snprintf(msg, sizeof(msg), "option '--%s' needs a value",
				    longs[optopt - OPT_ID].name);
			else
				snprintf(msg, sizeof(msg), "option '-%c' needs a value", optopt);
			usage_error(msg);
		}
		if (got == '?' && optopt >= OPT_ID) {
			snprintf(msg, sizeof(msg), "option '--%s' takes no value",
			    longs[optopt - OPT_ID].name);
			usage_error(msg);
		}
		if (got == '?')
			unknown_option(argv[optind - 1]);
		for (i = 0; got < OPT_ID; i++)
			if (rows[i]->letter == got)
				got = OPT_ID + (int)i;
		i = (size_t)(got - OPT_ID);
		if (i >= n)
			own_option((int)(i - n));
		refuse_second(rows[i], given[i], optarg);
		set_option(rows[i], given[i] = optarg);
	}
	return optind;
}
