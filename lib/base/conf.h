/*
 * conf.h: settings. A value comes from an option, else the environment, else the file, else the
 * default. One table (conf.c) has each setting's name, kind, default, range and explanation; `mem
 * config` and mem-config(5) show it, and a lint compares them. NAME is read from the environment as
 * MEM_NAME. The file is $MEM_CONFIG, else $XDG_CONFIG_HOME/mem/config, else ~/.config/mem/config.
 */
#pragma once

#include "base/caps.h"
#include "base/err.h"

enum conf_kind { CONF_TEXT, CONF_INT, CONF_REAL, CONF_BOOL, CONF_BYTES /* 16M, 4G */, CONF_PATH };
enum conf_from { CONF_DEFAULT, CONF_FILE, CONF_ENV, CONF_OPTION };

struct conf_setting {
	const char *name;          /* "db", "context_budget" */
	enum conf_kind kind;
	const char *def;           /* the default, as it would stand in the file */
	/*
	 * the range of a number; equal: it has none. For a text min 1 says that it must not be
	 * empty
	 */
	double min, max;
	const char *help;          /* one line */
	/*
	 * the words that a text may be, separated by spaces; after a comma: that it may list, with
	 * commas between; NULL: any
	 */
	const char *choices;
};

/*
 * The caps of caps.h as they are set, for code that needs them for every line. Only conf.c writes
 * them.
 */
#define CAP_MEMBER(type, name, value) type name;
struct conf_caps { CAPS(CAP_MEMBER) };

extern struct conf_caps conf_caps;

extern const struct conf_setting conf_settings[];
extern const size_t conf_n_settings;

/* Reads file and environment once. ERR_CONFIG: "config:3: ...", an unknown name or a bad value. */
int conf_load(struct err *err);
/*
 * Reads in the file once more what turns memory off, where the file has changed since: a server
 * runs for days. As long as it cannot be read, -1.
 */
int conf_refresh_off(struct err *err);
/* sets a value as an option does */
int conf_set(const char *name, const char *value, struct err *err);
/* never NULL; "" when unset */
const char *conf_text(const char *name);
int64_t conf_int(const char *name);
double conf_real(const char *name);
bool conf_bool(const char *name);
/* Where a value comes from; *where is "MEM_DB", "/home/u/.config/mem/config:3" or NULL. */
enum conf_from conf_origin(const char *name, const char **where);
/* the path of the file, whether it exists or not */
const char *conf_path_file(void);

/*
 * Settings beside those of the process, as a handle of the library has (lib/mem): from conf_use on
 * they are asked and set, and NULL takes the process's own again. They begin as the defaults. They
 * are in use by one thread at a time.
 */
struct conf *conf_new(void);       /* NULL: there is no memory */
void conf_free(struct conf *c);
void conf_use(struct conf *c);
/* Whether those in use are the process's own: then its signals and its timer are ours, too. */
bool conf_is_of_process(void);

/*
 * The path of the database file: the setting db, else mem/mem.db in the data directory. Lives as
 * long as the process.
 */
const char *conf_db(void);

/*
 * $XDG_DATA_HOME/REST, else ~/.local/share/REST; "": neither is known. Lives as long as the
 * process.
 */
const char *conf_data_path(const char *rest);
/* The same of $XDG_STATE_HOME and ~/.local/state. */
const char *conf_state_path(const char *rest);
/* Makes the directories that a path lies in, which others may not read. */
void conf_make_parents(const char *path);
