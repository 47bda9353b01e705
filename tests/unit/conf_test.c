/*
 * conf_test.c: each load in a child of its own, since settings are read once in a process:
 * precedence, kinds, errors and paths.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/id.h"

#include "tap.h"
#include "tmpdir.h"

static char home[200];

/* Clears what could come from outside, writes the file (NULL: none). */
static void
prepare(const char *file)
{
	static const char *const names[] = {
		"MEM_DB",
		"MEM_USER",
		"MEM_LIMIT",
		"MEM_CONFIG",
		"MEM_NOW",
		"MEM_SEED",
		"MEM_CONFIG_BYTES",
		"XDG_DATA_HOME",
		"XDG_CONFIG_HOME",
	};

	for (size_t i = 0; i < NELEM(names); i++)
		unsetenv(names[i]);
	setenv("HOME", home, 1);
	unlink(".config/mem/config");
	if (file != NULL)
		tmpdir_write(".config/mem/config", file, strlen(file));
}

/*
 * Loads in a child with the variable "NAME=value" set (NULL: none), and compares: want is the text
 * of setting name, or "!message" for an error with exit status 78.
 */
static void
check(const char *file, const char *variable, const char *name, const char *want,
	enum conf_from from, const char *where, const char *what)
{
	char got[2000] = "";
	int fds[2];

	prepare(file);
	if (pipe(fds) != 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		struct err e = ERR_INIT;
		const char *origin = NULL;

		if (variable != NULL) {
			char copy[500];
			snprintf(copy, sizeof(copy), "%s", variable);
			char *equals = strchr(copy, '=');
			*equals = '\0';
			setenv(copy, equals + 1, 1);
		}
		if (conf_load(&e) != 0)
			snprintf(got, sizeof(got), "!%s%s",
			    e.code == ERR_CONFIG ? "" : "wrong code ", e.msg);
		else if (conf_origin(name, &origin) != from)
			snprintf(got, sizeof(got), "from %d", (int)conf_origin(name, NULL));
		else if (strcmp(origin != NULL ? origin : "", where != NULL ? where : "") != 0)
			snprintf(got, sizeof(got), "where %s", origin != NULL ? origin : "(none)");
		else
			snprintf(got, sizeof(got), "%s",
			    strcmp(name, "db") == 0 ? conf_db() : conf_text(name));
		_exit(write(fds[1], got, strlen(got)) != (ssize_t)strlen(got));
	}
	close(fds[1]);
	ssize_t n = read(fds[0], got, sizeof(got) - 1);
	got[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	waitpid(pid, NULL, 0);
	is_str(got, want, "%s", what);
}

static char *
under_home(const char *rest)
{
	static char out[4][500];
	static int next;

	next = (next + 1) % 4;
	snprintf(out[next], sizeof(out[next]), "%s/%s", home, rest);
	return out[next];
}

static void
test_precedence(void)
{
	char want[1000];

	check(NULL, NULL, "limit", "10", CONF_DEFAULT, NULL, "the default");
	check("limit = 20\n", NULL, "limit", "20", CONF_FILE, under_home(".config/mem/config:1"),
	    "the file");
	check("limit = 20\n", "MEM_LIMIT=30", "limit", "30", CONF_ENV, "MEM_LIMIT",
	    "the environment");
	check("limit = 20\n", "MEM_LIMIT=", "limit", "20", CONF_FILE,
	    under_home(".config/mem/config:1"), "an empty variable is none");
	check("limit = 20\nlimit=21", NULL, "limit", "21", CONF_FILE,
	    under_home(".config/mem/config:2"), "the last one counts");
	check("# note\n\n  user\t=  Jo Doe # x \r\n", NULL, "user", "Jo Doe # x", CONF_FILE,
	    under_home(".config/mem/config:3"), "blanks and comments");
	check("agent =\n", NULL, "agent", "", CONF_FILE, under_home(".config/mem/config:1"),
	    "an empty text");
	check("user = a=b\n", NULL, "user", "a=b", CONF_FILE, under_home(".config/mem/config:1"),
	    "an equals sign in the value");
	check("", "MEM_UNKNOWN_THING=1", "limit", "10", CONF_DEFAULT, NULL,
	    "other variables are not ours");

	tmpdir_write("other", "limit = 7\n", 10);
	snprintf(want, sizeof(want), "%s:1", under_home("other"));
	check("limit = 20\n", "MEM_CONFIG=~/other", "limit", "7", CONF_FILE, want,
	    "MEM_CONFIG names another file");
	check("limit = 20\n", "MEM_CONFIG=/dev/null", "limit", "10", CONF_DEFAULT, NULL, "or none");
	check("", "MEM_CONFIG=/nowhere/x", "limit",
	    "!cannot open '/nowhere/x': No such file or directory", 0, NULL, "which must be there");
	snprintf(want, sizeof(want), "XDG_CONFIG_HOME=%s", under_home("xdg"));
	mkdir("xdg", 0700);
	mkdir("xdg/mem", 0700);
	tmpdir_write("xdg/mem/config", "limit = 8\n", 10);
	check("limit = 20\n", want, "limit", "8", CONF_FILE, under_home("xdg/mem/config:1"),
	    "XDG_CONFIG_HOME");
}

static void
test_db(void)
{
	check(NULL, NULL, "db", under_home(".local/share/mem/mem.db"), CONF_DEFAULT, NULL,
	    "the usual database");
	check(NULL, "XDG_DATA_HOME=/data", "db", "/data/mem/mem.db", CONF_DEFAULT, NULL,
	    "XDG_DATA_HOME");
	check(NULL, "XDG_DATA_HOME=data", "db", under_home(".local/share/mem/mem.db"), CONF_DEFAULT,
	    NULL, "a relative one is ignored");
	check("db = ~/x.db\n", NULL, "db", under_home("x.db"), CONF_FILE,
	    under_home(".config/mem/config:1"), "~/ in the file");
	check("db = ~/x.db\n", "MEM_DB=y.db", "db", "y.db", CONF_ENV, "MEM_DB", "the variable");
	check("db = ~other/x\n", NULL, "db", "~other/x", CONF_FILE,
	    under_home(".config/mem/config:1"), "another's home is left");
}

static void
test_errors(void)
{
	static const struct { const char *file, *want; } cases[] = {
		{ "a\nlimit = 20\n", "1: no '=' in the line" }, { "\n\nnope = 1\n", "3: unknown setting 'nope'" }, { "= 1\n", "1: unknown setting ''" }, { "user =\n", "1: 'user' must not be empty" },
		{ "LIMIT = 1\n", "1: unknown setting 'LIMIT'" }, { "limit = x\n", "1: 'limit' must be a whole number: 'x'" },
		{ "limit =\n", "1: 'limit' must be a whole number: ''" }, { "limit = 1.5\n", "1: 'limit' must be a whole number: '1.5'" },
		{ "limit = 0x10\n", "1: 'limit' must be a whole number: '0x10'" }, { "limit = 1 2\n", "1: 'limit' must be a whole number: '1 2'" },
		{ "limit = 0\n", "1: 'limit' must be from 1 to 1000000: '0'" }, { "limit = -5\n", "1: 'limit' must be from 1 to 1000000: '-5'" },
		{ "limit = 99999999999999999999\n", "1: 'limit' must be a whole number: '99999999999999999999'" },
		{ "wait = nan\n", "1: 'wait' must be a number: 'nan'" }, { "wait = inf\n", "1: 'wait' must be a number: 'inf'" },
		{ "wait = 1e999\n", "1: 'wait' must be a number: '1e999'" }, { "wait = 1e\n", "1: 'wait' must be a number: '1e'" },
		{ "wait = -1\n", "1: 'wait' must be from 0 to 86400: '-1'" }, { "touch = maybe\n", "1: 'touch' must be yes or no: 'maybe'" },
		{ "line_bytes = 16X\n", "1: 'line_bytes' must be a size such as 64K or 16M: '16X'" },
		{ "line_bytes = 16MB\n", "1: 'line_bytes' must be a size such as 64K or 16M: '16MB'" },
		{ "line_bytes = M\n", "1: 'line_bytes' must be a size such as 64K or 16M: 'M'" },
		{ "line_bytes = 10\n", "1: 'line_bytes' must be from 1024 to 1073741824: '10'" },
		{ "now = soon\n",
		    "1: 'now' is not a time: 'soon', as 2026-05-01T18:00:00+02:00 is one" },
		{ "user = \xff\n", "1: not UTF-8" },
	};
	char want[1000], big[3000];

	for (size_t i = 0; i < NELEM(cases); i++) {
		snprintf(want, sizeof(want), "!%s:%s", under_home(".config/mem/config"),
		    cases[i].want);
		check(cases[i].file, NULL, "limit", want, 0, NULL, cases[i].want);
	}
	check(NULL, "MEM_LIMIT=x", "limit", "!MEM_LIMIT: 'limit' must be a whole number: 'x'", 0,
	    NULL, "in the environment");
	check(NULL, "MEM_USER=\xff", "user", "!MEM_USER: value of 'user' is not UTF-8", 0, NULL,
	    "text that is none");

	prepare("");
	tmpdir_write("nul", "user = a\0b\n", 11);
	snprintf(want, sizeof(want), "!%s:1: NUL byte", under_home("nul"));
	check("", "MEM_CONFIG=~/nul", "user", want, 0, NULL, "a NUL byte");
	snprintf(want, sizeof(want), "!cannot read '%s': Is a directory", home);
	char variable[300];
	snprintf(variable, sizeof(variable), "MEM_CONFIG=%s", home);
	check("", variable, "user", want, 0, NULL, "a directory");
	memset(big, '#', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	snprintf(want, sizeof(want), "!'%s' is over config_bytes (2000 bytes)",
	    under_home(".config/mem/config"));
	check(big, "MEM_CONFIG_BYTES=2000", "user", want, 0, NULL, "a file over its cap");
}

static void
test_values(void)
{
	struct err e = ERR_INIT;
	const char *where;
	uint8_t a[ID_BYTES], b[ID_BYTES];

	prepare("batch_ms = 50\nline_bytes = 2M\nwait = 0.5\nkeep_secrets = true\ntouch = "
		"off\ndepth = 7\ngz_ratio = 5\nfile_bytes = 1G\n");
	is_str(conf_text("strategy"), "fused", "asked before the load: the default");
	is_int(conf_load(&e), 0, "loaded");
	is_int(conf_int("batch_ms"), 50, "whole number");
	is_int(conf_int("line_bytes"), 2 << 20, "size");
	ok(conf_real("wait") == 0.5, "number");
	ok(conf_bool("keep_secrets") && !conf_bool("touch"), "yes and no");
	is_str(conf_text("db"), "", "an unset text is empty");
	is_int(conf_int("seed"), 0, "an unset number is 0");
	is_str(conf_text("no such setting"), "", "no such setting");
	is_int(conf_caps.line_bytes, 2 << 20, "caps follow: line_bytes");
	is_int(conf_caps.depth, 7, "depth");
	is_int(conf_caps.gz_ratio, 5, "gz_ratio");
	is_int(conf_caps.file_bytes, 1 << 30, "file_bytes");
	is_int(conf_caps.query_bytes, CAP_QUERY_BYTES, "query_bytes as before");
	is_str(conf_path_file(), under_home(".config/mem/config"), "the file");

	is_int(conf_set("limit", "3", &e), 0, "an option");
	ok(conf_int("limit") == 3 && conf_origin("limit", &where) == CONF_OPTION && where == NULL,
	    "is set");
	is_int(conf_set("limit", "many", &e), -1, "a bad option");
	is_str(e.msg, "limit: 'limit' must be a whole number: 'many'", "why");
	is_int(conf_int("limit"), 3, "leaves the value");
	is_int(conf_set("nope", "1", &e), -1, "an unknown option");
	is_int(conf_set("db", "/x/y.db", &e), 0, "the database");
	const char *db = conf_db();
	is_str(db, "/x/y.db", "is set");
	conf_set("db", "/z", &e);
	is_str(db, "/x/y.db", "what was handed out stays");
	is_int(conf_set("now", "2024-05-01", &e), 0, "the clock");
	is_int(clock_now_us(), 1714521600 * US_PER_S, "is set");
	conf_set("seed", "5", &e);
	id_make(a);
	conf_set("seed", "5", &e);
	id_make(b);
	ok(memcmp(a, b, ID_BYTES) == 0, "and the seed");
}

static void
test_table(void)
{
	bool fine = true;

	prepare(NULL);
	for (size_t i = 0; i < conf_n_settings; i++) {
		const struct conf_setting *s = &conf_settings[i];
		struct err e = ERR_INIT;

		/* every default is a value that the file may hold */
		if (conf_set(s->name, s->def, &e) != 0) {
			tap_note("%s", e.msg);
			fine = false;
		}
		fine = fine && s->help[0] != '\0' && strlen(s->name) < 50;
		for (size_t k = 0; k < i; k++)
			fine = fine && strcmp(conf_settings[k].name, s->name) != 0;
	}
	ok(fine, "%zu settings", conf_n_settings);
	ok(conf_caps.line_bytes == CAP_LINE_BYTES && conf_caps.file_bytes == CAP_FILE_BYTES &&
		conf_caps.gz_ratio == CAP_GZ_RATIO && conf_caps.depth == CAP_DEPTH &&
		conf_caps.json_values == CAP_JSON_VALUES &&
		conf_caps.query_bytes == CAP_QUERY_BYTES &&
		conf_caps.query_terms == CAP_QUERY_TERMS &&
		conf_caps.context_tokens == CAP_CONTEXT_TOKENS &&
		conf_caps.output_bytes == CAP_OUTPUT_BYTES &&
		conf_caps.config_bytes == CAP_CONFIG_BYTES && conf_caps.id_bytes == CAP_ID_BYTES,
	    "the defaults of the caps are those of caps.h");
}

int
main(void)
{
	static const char *const left[] = { ".config/mem/config", "xdg/mem/config", "other", "nul",
		NULL };

	tmpdir_make();
	snprintf(home, sizeof(home), "%s", tmpdir_name);
	mkdir(".config", 0700);
	mkdir(".config/mem", 0700);
	test_precedence();
	test_db();
	test_errors();
	test_values();
	test_table();
	for (size_t i = 0; left[i] != NULL; i++)
		unlink(left[i]);
	rmdir(".config/mem");
	rmdir(".config");
	rmdir("xdg/mem");
	rmdir("xdg");
	tmpdir_remove(left);
	return tap_done();
}
