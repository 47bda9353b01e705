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

const struct conf_setting conf_settings[] = {
	{ "db", CONF_PATH, "", 0, 0, "the database file; empty: $XDG_DATA_HOME/mem/mem.db", NULL },
	{ "user", CONF_TEXT, "default", 1, 1, "whose memory", NULL },
	{ "me", CONF_TEXT, "", 0, 0, "who you are among those who speak: names, addresses and handles, with commas between", NULL },
	{ "agent", CONF_TEXT, "", 0, 0, "which program or assistant", NULL },
	{ "project", CONF_TEXT, "", 0, 0, "which project", NULL },
	{ "memory", CONF_BOOL, "yes", 0, 0, "off: agents are told nothing, and nothing is stored", NULL },
	{ "off_until", CONF_TEXT, "", 0, 0, "the same until then", NULL },
	{ "off_projects", CONF_TEXT, "", 0, 0, "the same in these directories and projects, with commas between", NULL },
	{ "strategy", CONF_TEXT, "fused", 0, 0, "how mem-search ranks", NULL },
	{ "scope", CONF_TEXT, "auto", 0, 0, "where mem-search looks: session, user or auto", "auto session user" },
	{ "limit", CONF_INT, "10", 1, 1000000, "hits that mem-search prints", NULL },
	{ "likely", CONF_REAL, "0.35", 0, 1, "mem-search -e: the least p that counts as found", NULL },
	{ "unlikely", CONF_REAL, "0.05", 0, 1, "on a terminal, hits below this p behind the third are shown only where there is none above it", NULL },
	{ "min_score", CONF_REAL, "0", 0, 1e9, "hits below this p (or score, with other strategies) are left out", NULL },
	{ "alpha", CONF_REAL, "0.6", 0, 1000, "hybrid: weight of the similarity", NULL },
	{ "beta", CONF_REAL, "0.3", 0, 1000, "hybrid: weight of BM25", NULL },
	{ "gamma", CONF_REAL, "0.1", 0, 1000, "hybrid: weight of an identifier of the question", NULL },
	{ "ladder_few", CONF_INT, "3", 1, 1000, "ladder: a step that gives fewer likely hits is followed by the next", NULL },
	{ "ladder_score", CONF_REAL, "0.8", 0, 1, "ladder: summaries with at least this are likely to answer; messages go by likely", NULL },
	{ "progressive_results", CONF_INT, "3", 0, 1000, "progressive: so many results suffice; 0: no number does", NULL },
	{ "progressive_score", CONF_REAL, "0.65", 0, 1, "progressive: when they rest on this share of the turns likely to answer", NULL },
	{ "progressive_tiers", CONF_INT, "1", 1, 5, "progressive: and they are from so many tiers", NULL },
	{ "progressive_most", CONF_INT, "5", 1, 5, "progressive: tiers that it looks into, at most", NULL },
	{ "progressive_total", CONF_INT, "20", 1, 1000, "progressive: results of all tiers, at most", NULL },
	{ "progressive_tier", CONF_INT, "10", 1, 1000, "progressive: results of a tier, at most", NULL },
	{ "progressive_least", CONF_REAL, "0.5", 0, 1, "progressive: facts, notes and summaries that are less near are no results", NULL },
	{ "rerank_candidates", CONF_INT, "20", 2, 100, "mem-search --llm-rerank: hits that the model orders", NULL },
	{ "rerank_enough", CONF_REAL, "0.93", 0, 1, "it is not asked when each hit has at least this", NULL },
	{ "weights", CONF_PATH, "", 0, 0, "file of ranking weights; empty: the built-in ones", NULL },
	{ "rewrite", CONF_BOOL, "yes", 0, 0, "follow-up questions are made whole", NULL },
	{ "rewrite_turns", CONF_INT, "10", 1, 24, "newest messages that a language model is shown for that", NULL },
	{ "rewrite_keep", CONF_INT, "300", 0, 86400, "seconds for which its answers are kept", NULL },
	{ "rewrite_confidence", CONF_REAL, "0.7", 0, 1, "a follow-up question made whole with less is left as it was", NULL },
	{ "rewrite_weight", CONF_REAL, "1.5", 0, 10, "of a word that was added to a question, beside 1 for its own", NULL },
	{ "model", CONF_TEXT, "", 0, 0, "model for embedding: a name or a path; empty: the best found", NULL },
	{ "models", CONF_PATH, "", 0, 0, "directory of models, looked into first; empty: none of your own", NULL },
	{ "context_budget", CONF_INT, "1000", 0, CAP_CONTEXT_TOKENS, "tokens of a context block", NULL },
	{ "context_max_turns", CONF_INT, "0", 0, 1000000, "turns in a context block; 0: as many as fit", NULL },
	{ "banks", CONF_TEXT, "General Personal Work Relationships Health Interests Events", 0, 0, "banks of facts; the first is the default", NULL },
	{ "bank", CONF_TEXT, "", 0, 0, "bank of facts that name none; empty: the first of banks", NULL },
	{ "merge_facts", CONF_BOOL, "yes", 0, 0, "a fact that says what another one says becomes one with it", NULL },
	{ "duplicate_sim", CONF_REAL, "0.97", 0, 1, "facts at least so similar in meaning are the same, with a model", NULL },
	{ "duplicate_text", CONF_REAL, "0.95", 0, 1, "facts at least so similar in letters are the same, without one", NULL },
	{ "cells_from", CONF_INT, "300000", 0, 1000000000, "vectors of a user from which on they are sorted into cells; 0: never", NULL },
	{ "cells_probed", CONF_INT, "90", 1, 1000000, "a search of cells compares at most about so many times the square root of the vectors", NULL },
	{ "chunks", CONF_BOOL, "yes", 0, 0, "messages are cut into chunks when they are stored", NULL },
	{ "batch", CONF_INT, "1000", 1, 1000000, "messages stored in one transaction, at most", NULL },
	{ "batch_ms", CONF_INT, "200", 0, 60000, "milliseconds that a batch waits for more, at most", NULL },
	{ "wait", CONF_REAL, "10", 0, 86400, "seconds to wait for the lock", NULL },
	{ "sync", CONF_TEXT, "full", 0, 0, "full: stored means on the disk; normal: a power cut may lose the last moments", "full normal" },
	{ "keep_secrets", CONF_BOOL, "no", 0, 0, "store keys and passwords as they are", NULL },
	{ "redact", CONF_TEXT, "secrets,card", 0, 0, "what is taken out of what is said, beside secrets: mail, phone", ",secrets mail phone card" },
	{ "store_name", CONF_TEXT, "", 0, 0, "what this store is called by others (mem-sync); empty: as the machine", NULL },
	{ "ssh", CONF_TEXT, "ssh", 1, 1, "command with which mem-sync reaches other machines", NULL },
	{ "touch", CONF_BOOL, "yes", 0, 0, "searches write access times and metrics", NULL },
	{ "summarize_messages", CONF_INT, "5", 0, 100000, "new messages after which mem-summarize sums a session up again; 0: never", NULL },
	{ "summarize_tokens", CONF_INT, "600", 20, 4000, "tokens of a session's summary, at most", NULL },
	{ "summarize_words", CONF_INT, "100", 20, 1000, "words of what facts are summed up in, at most", NULL },
	{ "summarize_days", CONF_INT, "7", 0, 36500, "days that a fact stands by itself", NULL },
	{ "summarize_by", CONF_TEXT, "hybrid", 0, 0, "what facts must share to be summed up: meaning, keys and tags, or one of these", "hybrid embeddings tags" },
	{ "summarize_sim", CONF_REAL, "0.7", 0, 1, "facts at least so similar in meaning are summed up together", NULL },
	{ "facts_max", CONF_INT, "200", 0, 1e12, "facts of a user that mem-prune leaves", NULL },
	{ "prune_policy", CONF_TEXT, "least-relevant", 0, 0, "which facts go first: the least relevant, the oldest, or the least recently used", "fifo least-relevant lru" },
	{ "prune_batch", CONF_INT, "10", 1, 1000000, "facts that mem-prune removes in one transaction, at most", NULL },
	{ "decay", CONF_BOOL, "no", 0, 0, "importance halves every 90 days without use", NULL },
	{ "backup", CONF_PATH, "", 0, 0, "file that mem-upkeep makes a backup in, once a day; empty: none", NULL },
	{ "backup_recipient", CONF_TEXT, "", 0, 0, "public key, or its file, that mem-upkeep seals backups to; empty: they are not", NULL },
	{ "key_file", CONF_PATH, "", 0, 0, "mem-seal's secret key; empty: $XDG_DATA_HOME/mem/seal.key", NULL },
	{ "key_command", CONF_TEXT, "", 0, 0, "command that prints that key, instead; empty: none", NULL },
	{ "sessions_days", CONF_INT, "30", 0, 36500, "days that mem-prune --sessions leaves", NULL },
	{ "metrics_days", CONF_INT, "30", 0, 36500, "days that metrics are kept", NULL },
	{ "report_days", CONF_INT, "7", 1, 36500, "days that mem-stats --report and --triggers look back", NULL },
	{ "slow_ms", CONF_INT, "3000", 1, 1e9, "milliseconds of a search: mem-stats --triggers tells when the slowest in twenty take longer", NULL },
	{ "file_mb", CONF_INT, "10000", 1, 1e9, "megabytes of a file: mem-stats --triggers tells when it should move to a server", NULL },
	{ "chat_url", CONF_TEXT, "", 0, 0, "address of a language model: http://127.0.0.1:11434, https://host/v1; empty: none", NULL },
	{ "chat_model", CONF_TEXT, "", 0, 0, "which model to ask", NULL },
	{ "chat_api", CONF_TEXT, "auto", 0, 0, "how it is spoken to; auto: by the address", "auto openai ollama" },
	{ "chat_key_file", CONF_PATH, "", 0, 0, "file with the key for it; empty: MEM_CHAT_KEY, or none", NULL },
	{ "embed_url", CONF_TEXT, "", 0, 0, "address of a service that embeds; empty: none", NULL },
	{ "embed_model", CONF_TEXT, "", 0, 0, "which model to ask there", NULL },
	{ "embed_api", CONF_TEXT, "auto", 0, 0, "how it is spoken to; auto: by the address", "auto openai ollama" },
	{ "embed_key_file", CONF_PATH, "", 0, 0, "file with the key for it; empty: MEM_EMBED_KEY, or none", NULL },
	{ "embed_dim", CONF_INT, "0", 0, 65536, "numbers of its vectors; 0: as many as they have", NULL },
	{ "embed_query_prefix", CONF_TEXT, "", 0, 0, "what goes before a question there, with a blank between", NULL },
	{ "embed_passage_prefix", CONF_TEXT, "", 0, 0, "what goes before any other text", NULL },
	{ "embed_timeout", CONF_REAL, "2", 0.01, 600, "seconds that a question waits for its vector; then words alone are searched for", NULL },
	{ "embed_policy", CONF_TEXT, "all", 0, 0, "what mem-embed gives vectors: all, or distilled: facts, summaries, reflections, profile, no turn", "all distilled" },
	{ "llm_command", CONF_TEXT, "", 0, 0, "claude, codex, gemini, llm or ollama; or a command that answers requests, a line each", NULL },
	{ "llm_timeout", CONF_REAL, "60", 0.01, 3600, "seconds for a call of a model, with all its tries", NULL },
	{ "llm_insecure", CONF_BOOL, "no", 0, 0, "plain http to other machines is allowed", NULL },
	{ "llm_ca_file", CONF_PATH, "", 0, 0, "certificates that vouch for https services; empty: those of the system", NULL },
	{ "llm_price_in", CONF_REAL, "0", 0, 1e6, "money for a million tokens that go to the model", NULL },
	{ "llm_price_out", CONF_REAL, "0", 0, 1e6, "money for a million tokens that come from it", NULL },
	{ "llm_budget", CONF_INT, "0", 0, 1e12, "tokens a day for models, of all users of a store; 0: no limit", NULL },
	{ "llm_budget_money", CONF_REAL, "0", 0, 1e9, "money a day for models; 0: no limit", NULL },
	{ "guard_failures", CONF_INT, "5", 0, 20, "failures of a model after which it is left alone for a while; 0: never", NULL },
	{ "guard_seconds", CONF_INT, "600", 1, 86400, "within so many seconds", NULL },
	{ "guard_pause", CONF_INT, "300", 1, 86400, "for so many seconds", NULL },
	{ "hook_ms", CONF_INT, "500", 10, 60000, "milliseconds within which mem-hook answers", NULL },
	{ "hook_budget", CONF_INT, "600", 50, CAP_CONTEXT_TOKENS, "tokens that mem-hook puts in front of a prompt, at most", NULL },
	{ "hook_rules", CONF_BOOL, "yes", 0, 0, "mem-hook says before an edit or command that it goes against what the user decided", NULL },
	{ "hook_then", CONF_TEXT, "", 0, 0, "command that mem-hook runs behind when it has stored what is new; empty: none", NULL },
	{ "color", CONF_TEXT, "auto", 0, 0, "always, never or auto: on a terminal", "auto always never" },
	{ "now", CONF_TEXT, "", 0, 0, "the time it is taken to be; empty: the clock's", NULL },
	{ "seed", CONF_INT, "", 0, CONF_WHOLE_MOST, "makes random choices and ids repeatable; empty: they are not", NULL },
	{ "line_bytes", CONF_BYTES, "16M", 1024, 1 << 30, "cap: one line of input", NULL },
	{ "file_bytes", CONF_BYTES, "4G", 1024, CONF_WHOLE_MOST, "cap: one file of input, unpacked", NULL },
	{ "gz_ratio", CONF_INT, "1100", 1, 1000000, "cap: bytes unpacked for each byte of a packed file", NULL },
	{ "depth", CONF_INT, "128", 1, 128, "cap: levels of nested JSON", NULL },
	{ "json_values", CONF_INT, "250000", 100, 1e9, "cap: values in one JSON text", NULL },
	{ "query_bytes", CONF_BYTES, "64K", 64, 16 << 20, "cap: a question", NULL },
	{ "query_terms", CONF_INT, "64", 1, 4096, "cap: different words of a question", NULL },
	{ "context_tokens", CONF_INT, "1048576", 1, 1 << 30, "cap: tokens of a context block", NULL },
	{ "output_bytes", CONF_BYTES, "1G", 65536, 1ll << 40, "cap: any one piece of output held in memory", NULL },
	{ "config_bytes", CONF_BYTES, "1M", 64, 1 << 30, "cap: the configuration file (from the environment only)", NULL },
	{ "llm_reply_bytes", CONF_BYTES, "4M", 1024, 1 << 30, "cap: the answer of a model, unpacked", NULL },
	{ "id_bytes", CONF_BYTES, "1K", 26, 65536, "cap: names of users, sessions and sources", NULL },
};
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
	struct buf b = buf_of(conf_caps.config_bytes);
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
	buf_release(&b);
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
	struct arena a = ARENA_INIT;
	char *dir = arena_strdup(&a, path);

	for (char *p = dir + 1; *dir != '\0' && (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		(void)mkdir(dir, 0700);
	}
	arena_release(&a);
}

const char *
conf_data_path(const char *rest)
{
	return xdg_path("XDG_DATA_HOME", ".local/share", rest);
}
