/*
 * conf.c: a table of settings, and one value for each with its origin. A value is parsed
 * (conf_value.c) when it is set, so that a bad one is refused where it stands, and asking costs
 * only a search of the table; the caps, which are needed for every line, are also kept in
 * conf_caps. Texts are never freed, so callers may hold them as long as the process lives.
 */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/caps.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/conf_value.h"
#include "base/id.h"
#include "base/system.h"
#include "base/utf8.h"
#include "gen/settings_rows.h"

const struct conf_setting conf_settings[] = { SETTINGS_ALL };
const size_t conf_n_settings = NELEM(conf_settings);

#define CAP_DEFAULT(type, name, value) .name = value,
struct conf_caps conf_caps = { CAPS(CAP_DEFAULT) };

/* The file as it was read: another one, or one that was written again, differs in this. */
struct stamp { uint64_t device, inode, size; int64_t written; };

struct conf {
	struct conf_value values[NELEM(conf_settings)];
	struct arena texts;
	const char *db_default, *file_path;
	struct stamp read;
	bool has_defaults, is_loaded;
	bool only_off;                     /* of the file only what turns memory off is taken */
};

static struct conf of_process, *conf = &of_process;

static int
find(const char *name, size_t len)
{
	for (size_t i = 0; i < conf_n_settings; i++)
		if (strlen(conf_settings[i].name) == len &&
		    memcmp(conf_settings[i].name, name, len) == 0)
			return (int)i;
	return -1;
}

static void
load_defaults(void)
{
	if (conf->has_defaults)
		return;
	for (size_t i = 0; i < conf_n_settings; i++) {
		conf->values[i].from = CONF_DEFAULT;
		conf_value_parse(&conf_settings[i], conf_settings[i].def, "default", &conf->texts,
		    &conf->values[i], NULL);
	}
	conf->has_defaults = true;
}

static int
set(int i, const char *text, enum conf_from from, const char *where, struct err *err)
{
	struct conf_value v = { .from = from, .where = from == CONF_OPTION ? NULL : where };

	if (conf_value_parse(&conf_settings[i], text, where, &conf->texts, &v, err) != 0)
		return -1;
	conf->values[i] = v;
	return 0;
}

#define CAP_AS_SET(type, name, value) conf_caps.name = (type)conf_int(#name);

/* Passes settings on to what keeps them outside the table: the caps, the clock and the ids. */
static void
apply_settings(void)
{
	const char *now = conf_text("now");
	int64_t us;

	CAPS(CAP_AS_SET)
	clock_fix(time_parse(now, strlen(now), &us, NULL) == 0 ? us : TIME_NONE);
}

static void
apply_seed(void)
{
	if (*conf_text("seed") != '\0')
		id_seed((uint64_t)conf_int("seed"));
}

/* ---- the file ---- */

static const char *
home_directory(void)
{
	const char *home = getenv("HOME");

	if (home != NULL && *home != '\0')
		return home;
	/* a server that an agent or cron started may have no environment */
	const struct passwd *pw = getpwuid(getuid());
	return pw != NULL && pw->pw_dir != NULL ? pw->pw_dir : "";
}

/*
 * $VARIABLE/rest, else HOME/under_home/rest. The XDG specification says that relative paths are
 * ignored.
 */
static const char *
xdg_path(const char *variable, const char *under_home, const char *rest)
{
	const char *dir = getenv(variable), *home;

	if (dir != NULL && *dir == '/')
		return arena_printf(&conf->texts, "%s/%s", dir, rest);
	home = home_directory();
	return *home != '\0' ? arena_printf(&conf->texts, "%s/%s/%s", home, under_home, rest) : "";
}

const char *
conf_path_file(void)
{
	const char *s = getenv("MEM_CONFIG");

	if (conf->file_path == NULL)
		conf->file_path = s != NULL && *s != '\0'
		    ? conf_expand_home(s, &conf->texts)
		    : xdg_path("XDG_CONFIG_HOME", ".config", "mem/config");
	return conf->file_path;
}

/* Reads the whole file into b; nothing if there is no file, unless MEM_CONFIG names it. */
static int
read_file(const char *path, struct buf *b, struct err *err)
{
	const char *asked = getenv("MEM_CONFIG");
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int rc = 0;

	if (fd < 0) {
		if ((errno == ENOENT || errno == ENOTDIR) && (asked == NULL || *asked == '\0'))
			return 0;
		return err_set_errno(err, ERR_CONFIG, "cannot open '%s'", path);
	}
	for (;;) {
		char piece[4096];
		ssize_t n = read(fd, piece, sizeof(piece));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_set_errno(err, ERR_CONFIG, "cannot read '%s'", path);
		if (n <= 0)
			break;
		buf_add(b, piece, (size_t)n);
		if (b->full) {
			rc = err_set(err, ERR_CONFIG, "'%s' is over config_bytes (%zu bytes)", path,
			    b->max);
			break;
		}
	}
	close(fd);
	return rc;
}

static char *
trim(char *start, char *end)
{
	while (start < end && (*start == ' ' || *start == '\t'))
		start++;
	while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	*end = '\0';
	return start;
}

/* A setting of earlier versions, which had no effect: a file that has it still is no fault. */
#define GONE_SETTING "chunk_tokens"

/* Whether the setting turns memory off. */
static bool
is_off(size_t i)
{
	const char *name = conf_settings[i].name;

	return strcmp(name, "memory") == 0 || strncmp(name, "off_", 4) == 0;
}

/* Reads one line "key = value", which ends with a NUL. */
static int
read_line(const char *path, unsigned number, char *line, char *end, struct err *err)
{
	char *key = trim(line, end), *equals;

	if (*key == '\0' || *key == '#')
		return 0;
	const char *where = arena_printf(&conf->texts, "%s:%u", path, number);
	if ((equals = strchr(key, '=')) == NULL)
		return err_set(err, ERR_CONFIG, "%s: no '=' in the line", where);
	char *value = trim(equals + 1, equals + 1 + strlen(equals + 1));
	key = trim(key, equals);
	int i = find(key, strlen(key));
	if (i < 0 && strcmp(key, GONE_SETTING) == 0)
		return 0;
	if (i < 0)
		return err_set(err, ERR_CONFIG, "%s: unknown setting '%.100s'", where, key);
	if (conf->only_off && (!is_off((size_t)i) || conf->values[i].from > CONF_FILE))
		return 0;
	return set(i, value, CONF_FILE, where, err);
}

static struct stamp
stamp_now(void)
{
	struct stat st;

	if (stat(conf_path_file(), &st) != 0)
		return (struct stamp){ .size = 0 };
	return (struct stamp){ (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		system_written_us(&st) };
}

static int
load_file(struct err *err)
{
	const char *path = conf_path_file();
	struct stamp now = stamp_now();

	if (*path == '\0')
		return 0;
	LOCAL(buf) b = buf_of(conf_caps.config_bytes);
	int rc = read_file(path, &b, err);
	char *end = b.data + b.len, *line = b.data + utf8_bom(b.data, b.len);
	for (unsigned number = 1; rc == 0 && line < end; number++) {
		char *stop = memchr(line, '\n', (size_t)(end - line));

		if (stop == NULL)
			stop = end;
		if (memchr(line, '\0', (size_t)(stop - line)) != NULL)
			rc = err_set(err, ERR_CONFIG, "%s:%u: NUL byte", path, number);
		else if (!utf8_valid(line, (size_t)(stop - line)))
			rc = err_set(err, ERR_CONFIG, "%s:%u: not UTF-8", path, number);
		else
			rc = read_line(path, number, line, stop, err);
		line = stop + 1;
	}
	if (rc == 0)
		conf->read = now;
	return rc;
}

/* Reads a setting from the environment. An empty variable counts as not set. */
static int
load_variable(size_t i, struct err *err)
{
	char name[64] = "MEM_";

	for (size_t k = 0; conf_settings[i].name[k] != '\0' && k + 5 < sizeof(name); k++)
		name[4 + k] = ascii_upper(conf_settings[i].name[k]);
	const char *value = getenv(name);
	if (value == NULL || *value == '\0')
		return 0;
	return set((int)i, value, CONF_ENV, arena_strdup(&conf->texts, name), err);
}

int
conf_load(struct err *err)
{
	int cap = find("config_bytes", strlen("config_bytes"));

	load_defaults();
	/* the cap of the file must be known before the file is read */
	if (load_variable((size_t)cap, err) != 0)
		return -1;
	conf_caps.config_bytes = (size_t)conf_int("config_bytes");
	if (load_file(err) != 0)
		return -1;
	for (size_t i = 0; i < conf_n_settings; i++)
		if (load_variable(i, err) != 0)
			return -1;
	apply_settings();
	apply_seed();
	conf->is_loaded = true;
	return 0;
}

int
conf_refresh_off(struct err *err)
{
	if (!conf->is_loaded)
		return 0;
	struct stamp now = stamp_now();
	if (memcmp(&now, &conf->read, sizeof(now)) == 0)
		return 0;
	for (size_t i = 0; i < conf_n_settings; i++)
		if (is_off(i) && conf->values[i].from == CONF_FILE &&
		    set((int)i, conf_settings[i].def, CONF_DEFAULT, "default", err) != 0)
			return -1;
	conf->only_off = true;
	int rc = load_file(err);
	conf->only_off = false;
	return rc;
}

int
conf_set(const char *name, const char *value, struct err *err)
{
	int i = find(name, strlen(name));

	load_defaults();
	if (i < 0)
		return err_set(err, ERR_CONFIG, "unknown setting '%.100s'", name);
	if (set(i, value, CONF_OPTION, name, err) != 0)
		return -1;
	apply_settings();
	if (strcmp(name, "seed") == 0)
		apply_seed();
	return 0;
}

/* ---- several of them ---- */

struct conf *
conf_new(void)
{
	return calloc(1, sizeof(struct conf));
}

void
conf_free(struct conf *c)
{
	if (c == NULL)
		return;
	arena_release(&c->texts);
	free(c);
}

void
conf_use(struct conf *c)
{
	conf = c != NULL ? c : &of_process;
	if (c != NULL || conf->has_defaults)   /* else nobody has asked for the process's own */
		apply_settings();
}

bool
conf_is_of_process(void)
{
	return conf == &of_process;
}

/* ---- asking ---- */

static const struct conf_value *
get(const char *name)
{
	static const struct conf_value unset = { .text = "" };
	int i = find(name, strlen(name));

	load_defaults();
	return i < 0 ? &unset : &conf->values[i];
}

const char *
conf_text(const char *name)
{
	return get(name)->text;
}

int64_t
conf_int(const char *name)
{
	return (int64_t)get(name)->number;
}

double
conf_real(const char *name)
{
	return get(name)->number;
}

bool
conf_bool(const char *name)
{
	return get(name)->number != 0;
}

enum conf_from
conf_origin(const char *name, const char **where)
{
	const struct conf_value *v = get(name);

	if (where != NULL)
		*where = v->where;
	return v->from;
}

const char *
conf_db(void)
{
	const char *db = conf_text("db");

	if (*db != '\0')
		return db;
	if (conf->db_default == NULL)
		conf->db_default = xdg_path("XDG_DATA_HOME", ".local/share", "mem/mem.db");
	return conf->db_default;
}

const char *
conf_state_path(const char *rest)
{
	return xdg_path("XDG_STATE_HOME", ".local/state", rest);
}

void
conf_make_parents(const char *path)
{
	LOCAL(arena) a = ARENA_INIT;
	char *dir = arena_strdup(&a, path);

	for (char *p = dir + 1; *dir != '\0' && (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		(void)mkdir(dir, 0700);
	}
}

const char *
conf_data_path(const char *rest)
{
	return xdg_path("XDG_DATA_HOME", ".local/share", rest);
}
