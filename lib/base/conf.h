/*
 * conf.h: settings: option > environment > file > default.
 *
 * One table names them all (conf.c): name, kind, default, range, one line of explanation; `mem
 * config` and mem-config(5) show it, and a lint compares. NAME is read from the environment as
 * MEM_NAME. The file is $XDG_CONFIG_HOME/mem/config, else ~/.config/mem/config, or MEM_CONFIG.
 */
#ifndef BASE_CONF_H
#define BASE_CONF_H

#include "base/err.h"

enum conf_kind { CONF_TEXT, CONF_INT, CONF_REAL, CONF_BOOL, CONF_BYTES /* 16M, 4G */, CONF_PATH };
enum conf_from { CONF_DEFAULT, CONF_FILE, CONF_ENV, CONF_OPTION };

struct conf_setting {
	const char *name;          /* "db", "context_budget" */
	enum conf_kind kind;
	const char *def;           /* as it would stand in the file */
	/* of numbers; equal: no range. Of a text min 1: it may not be empty */
	double min, max;
	const char *help;          /* one line */
	/* of a text: the words it may be, a space between them; NULL: any */
	const char *choices;
};

/* The caps of caps.h as they are set, for places that ask once a line. Only conf.c writes them. */
struct conf_caps {
	size_t line_bytes;
	uint64_t file_bytes;
	unsigned gz_ratio, depth, json_values;
	size_t query_bytes;
	unsigned query_terms;
	size_t context_tokens;
	size_t output_bytes;
	size_t config_bytes;
	size_t id_bytes;
};

extern struct conf_caps conf_caps;

extern const struct conf_setting conf_settings[];
extern const size_t conf_n_settings;

/* Reads file and environment once. An unknown name or a bad value is ERR_CONFIG "config:3: ...". */
int conf_load(struct err *err);
int conf_set(const char *name, const char *value, struct err *err);        /* as an option does */
/* never NULL; "" when unset */
const char *conf_text(const char *name);
int64_t conf_int(const char *name);
double conf_real(const char *name);
bool conf_bool(const char *name);
/* where: "MEM_DB", "/home/u/.config/mem/config:3", NULL */
enum conf_from conf_origin(const char *name, const char **where);
/* the file that is read, there or not */
const char *conf_path_file(void);

/* The database file after all rules of SPEC 9; borrowed, lives as long as the process. */
const char *conf_db(void);

/*
 * $XDG_DATA_HOME/REST, else ~/.local/share/REST; "" when neither is known. Lives as long as the
 * process.
 */
const char *conf_data_path(const char *rest);

#endif
