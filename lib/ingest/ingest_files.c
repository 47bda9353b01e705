/*
 * ingest_files.c: the walk over directories, and the state of files that grow. The text of such a
 * state is
 *
 *	{"sign": "16 hex digits", "from": "claude-code", "map": "the map's own state, as JSON text",
 *	 "session": the last that told its working directory, "project": the project of that,
 *	 "last": "LINE LENGTH HASH" of the file's last turn, where turns go on over lines,
 *	 "packed": true when the file is packed: its offset is then its size}
 */
#define _XOPEN_SOURCE 700                  /* realpath */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/utf8.h"
#include "ingest/ingest_files.h"
#include "ingest/opencode_storage.h"

#define HEAD_BYTES 4096
#define PATH_BYTES (64u << 10)
#define DEPTH_MOST 64

/* ---- the walk ---- */

struct walk {
	const struct from *from;
	const struct file_calls *calls;
	struct buf path;
	int depth;
};

/*
 * A Maildir is a directory with three directories: "cur" and "new" hold a message in each file, of
 * any name; messages in "tmp" are not complete yet. Its folders are Maildirs inside it whose names
 * begin with a dot.
 */
enum place { PLAIN, MAILDIR, MESSAGES };

static bool
has_directory(struct buf *path, const char *name)
{
	size_t len = path->len;
	struct stat st;
	bool is;

	buf_addf(path, "/%s", name);
	is = !path->full && lstat(path->data, &st) == 0 && S_ISDIR(st.st_mode);
	path->len = len;
	path->data[len] = '\0';
	return is;
}

static bool
is_maildir(struct buf *path)
{
	return has_directory(path, "cur") && has_directory(path, "new") &&
	    has_directory(path, "tmp");
}

static bool
holds_messages(const char *name)
{
	return strcmp(name, "cur") == 0 || strcmp(name, "new") == 0;
}

/* What the walk's directory is; the user may also name a directory within a Maildir. */
static enum place
place_of(struct walk *w)
{
	char *real = realpath(w->path.data, NULL);
	char *slash = real != NULL ? strrchr(real, '/') : NULL;
	enum place place = PLAIN;
	struct buf parent;

	if (w->from != NULL && strcmp(from_name(w->from), "mail") != 0)
		goto out;
	if (is_maildir(&w->path)) {
		place = MAILDIR;
	} else if (slash != NULL && holds_messages(slash + 1)) {
		buf_init(&parent, PATH_BYTES);
		buf_add(&parent, real, (size_t)(slash - real));
		place = is_maildir(&parent) ? MESSAGES : PLAIN;
		buf_release(&parent);
	}
out:
	free(real);
	return place;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Antigravity keeps its conversations in a directory with such a name. */
static bool
is_hidden(const char *name)
{
	return name[0] == '.' && strcmp(name, ".system_generated") != 0;
}

/*
 * The sorted names in a directory, with hidden also those that begin with a dot. NULL after a
 * fault, which is reported.
 */
static char **
names_in(struct walk *w, bool hidden, size_t *n)
{
	DIR *dir = opendir(w->path.data);
	char **names = NULL;
	struct err err = ERR_INIT;
	size_t cap = 0;
	struct dirent *d;

	*n = 0;
	if (dir == NULL) {
		err_set_errno(&err, errno == EACCES ? ERR_PERM : ERR_NOINPUT,
		    "cannot read directory '%s'", w->path.data);
		w->calls->fault(w->calls->arg, &err);
		return NULL;
	}
	while ((d = readdir(dir)) != NULL) {
		if (is_hidden(d->d_name) &&
		    (!hidden || strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0))
			continue;
		xgrow(&names, &cap, *n + 1, sizeof(*names));
		names[(*n)++] = xstrdup(d->d_name);
	}
	closedir(dir);
	if (*n > 1)
		qsort(names, *n, sizeof(*names), by_name);
	return names;
}

static int walk_directory(struct walk *w, enum place place, struct err *err);

/* Whether the walk's directory is read as a whole. */
static bool
takes_storage(struct walk *w)
{
	return (w->from == NULL || strcmp(from_name(w->from), "opencode") == 0) &&
	    opencode_storage_is(w->path.data);
}

/*
 * Walks the directory called name at the walk's path, which lies in one that place describes, if it
 * is to be read.
 */
static int
walk_into(struct walk *w, const char *name, enum place place, struct err *err)
{
	enum place inner = place == MAILDIR && holds_messages(name) ? MESSAGES : place_of(w);

	if (takes_storage(w))
		return w->calls->file(w->calls->arg, w->path.data, err);
	if (!from_enters(w->from, name)) {
		w->calls->passed(w->calls->arg, w->path.data);
		return 0;
	}
	if (w->depth >= DEPTH_MOST || (place == MAILDIR && strcmp(name, "tmp") == 0) ||
	    (is_hidden(name) && inner != MAILDIR))
		return 0;
	return walk_directory(w, inner, err);
}

static bool
has_beside(const struct walk *w, size_t stem, const char *name)
{
	struct buf beside;
	bool is;

	buf_init(&beside, PATH_BYTES);
	buf_addf(&beside, "%.*s/%s", (int)stem, w->path.data, name);
	is = access(beside.data, F_OK) == 0;
	buf_release(&beside);
	return is;
}

/*
 * Whether the file at the walk's path is read. Kimi's log of events, and what Cline sent to the
 * model, repeat the conversation that lies beside them, where one does.
 */
static bool
is_taken(struct walk *w, const char *name, size_t stem)
{
	bool is = from_takes(w->from, name);

	if (is && strcmp(name, "wire.jsonl") == 0)
		return !has_beside(w, stem, "context.jsonl");
	if (strcmp(name, "api_conversation_history.json") == 0 &&
	    (w->from == NULL || strcmp(from_name(w->from), "cline") == 0))
		return !has_beside(w, stem, "ui_messages.json");
	return is;
}

static int
walk_directory(struct walk *w, enum place place, struct err *err)
{
	size_t n, stem = w->path.len;
	char **names = names_in(w, place == MAILDIR, &n);
	int rc = 0;

	w->depth++;
	for (size_t i = 0; i < n; i++) {
		struct stat st;

		w->path.len = stem;
		if (w->path.data[stem - 1] != '/')
			buf_addc(&w->path, '/');
		buf_adds(&w->path, names[i]);
		if (rc == 0 && !w->path.full && lstat(w->path.data, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				rc = walk_into(w, names[i], place, err);
			else if (S_ISREG(st.st_mode) &&
			    (place == MESSAGES || is_taken(w, names[i], stem)))
				rc = w->calls->file(w->calls->arg, w->path.data, err);
			else if (S_ISREG(st.st_mode) && names[i][0] != '.')
				w->calls->passed(w->calls->arg, w->path.data);
		}
		free(names[i]);
	}
	free(names);
	w->depth--;
	w->path.len = stem;
	w->path.data[stem] = '\0';
	return rc;
}

int
files_each(const char *path, const struct from *from, const struct file_calls *calls,
	struct err *err)
{
	struct walk w = { .from = from, .calls = calls };
	struct stat st;
	int rc;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return calls->file(calls->arg, path, err);
	buf_init(&w.path, PATH_BYTES);
	buf_adds(&w.path, path);
	rc = takes_storage(&w) ? calls->file(calls->arg, path, err)
			       : walk_directory(&w, place_of(&w), err);
	buf_release(&w.path);
	return rc;
}

void
file_text(struct buf *out, const char *s, size_t len)
{
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(s + i, s + len, &cp);
		if (n > 0)
			buf_add(out, s + i, n);
		else
			buf_addf(out, "%%%02X", (unsigned char)s[i]);
		n += n == 0;
	}
}

/*
 * Cuts the flags from the name of a Maildir's file, as in "17.M1.host:2,S": they change whenever
 * the message is read, answered or moved.
 */
static void
cut_flags(struct buf *name)
{
	char *flags = strstr(name->data, ":2,");

	if (flags == NULL || flags[3 + strspn(flags + 3,
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] != '\0')
		return;
	*flags = '\0';
	name->len = (size_t)(flags - name->data);
}

const char *
file_base(const char *path, struct buf *out)
{
	static const char *const ends[] = { ".gz", ".zst", ".zstd", ".ndjson", ".jsonl", ".json",
		".txt", ".text", ".md", ".log", ".csv", ".tsv", ".vtt", ".srt", ".sbv", ".mbox",
		".eml" };
	const char *base = strrchr(path, '/');

	base = base != NULL && base[1] != '\0' ? base + 1 : path;
	buf_reset(out);
	file_text(out, base, strlen(base));
	cut_flags(out);
	for (size_t i = 0; i < NELEM(ends); i++) {
		size_t n = strlen(ends[i]);

		if (out->len > n && memcmp(out->data + out->len - n, ends[i], n) == 0) {
			out->len -= n;
			out->data[out->len] = '\0';
			if (i > 2)
				break;
		}
	}
	return out->data;
}

void
file_directory(const char *path, struct buf *out)
{
	const char *end = strrchr(path, '/'), *start = end;
	char *real = NULL;

	buf_reset(out);
	while (start != NULL && start > path && start[-1] != '/')
		start--;
	if (strcmp(path, "-") == 0)
		return;
	/* "./chat.json", "../chat.json", "chat.json" */
	if (end == NULL || end == start || strspn(start, ".") == (size_t)(end - start)) {
		if ((real = realpath(path, NULL)) == NULL)
			return;
		for (end = start = strrchr(real, '/'); start > real && start[-1] != '/'; start--)
			;
	}
	file_text(out, start, (size_t)(end - start));
	free(real);
}

/* ---- files that grow ---- */

struct last_turn { unsigned long long line, len, hash; };        /* line 0: the turn is not known */

struct growing {
	bool possible, on, resumes, turns;
	/* the last turn when the file was last read; the last one now */
	struct last_turn before, last;
	const struct ingest_options *o;
	char *path;                /* the absolute path */
	struct arena arena;
	uint64_t size;
	struct input_state was;    /* what was stored; path NULL: nothing */
	const struct json *about;  /* the text of that state, parsed */
	struct input_state now;
	char sign[17];
	char *format;
	bool dirty, packed;
	struct buf text;
};

int
file_head_hash(const char *path, uint64_t offset, uint8_t out[SHA256_BYTES])
{
	char bytes[HEAD_BYTES];
	size_t want = (size_t)MIN(offset, HEAD_BYTES), have = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	while (have < want) {
		ssize_t n = read(fd, bytes + have, want - have);

		if (n <= 0)
			break;
		have += (size_t)n;
	}
	close(fd);
	if (have < want)
		return -1;
	sha256(bytes, have, out);
	return 0;
}

int
growing_open(struct store *s, const struct ingest_options *o, const char *path,
	struct growing **out, struct err *err)
{
	struct scope who = { o->user, NULL, NULL, NULL };
	struct growing *w = xcalloc(1, sizeof(*w));
	const struct input_state *was = NULL;
	struct stat st;

	w->o = o;
	buf_init(&w->text, conf_caps.output_bytes);
	*out = w;
	if (s == NULL || strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (w->path = realpath(path, NULL)) == NULL)
		return 0;
	w->possible = true;
	w->size = (uint64_t)st.st_size;
	w->now = (struct input_state){ .path = w->path,
		.device = (uint64_t)st.st_dev,
		.inode = (uint64_t)st.st_ino };
	if (inputs_get(s, &who, w->path, &w->arena, &was, err) != 0)
		return -1;
	if (was != NULL &&
	    json_parse(was->state, strlen(was->state), &w->arena, &w->about, NULL) == 0)
		w->was = *was;
	return 0;
}

void
growing_close(struct growing *w)
{
	if (w == NULL)
		return;
	arena_release(&w->arena);
	buf_release(&w->text);
	free(w->format);
	free(w->path);
	free(w);
}

const char *
growing_format(const struct growing *w)
{
	return w->was.path != NULL ? json_get_string(w->about, "from", NULL) : NULL;
}

/*
 * Signs all that the records of a line depend on besides the line. The caps are among it, since a
 * line that one of them refused lies before the place where reading goes on, and would never be
 * read again when the cap is raised.
 */
static void
set_sign(struct growing *w, const struct from *from)
{
	const struct ingest_options *o = w->o;
	const char *const texts[] = { MEM_VERSION, from_name(from), o->agent, o->project,
		o->session };
	const uint64_t caps[] = { conf_caps.line_bytes, conf_caps.depth, conf_caps.json_values,
	    conf_caps.id_bytes, conf_caps.output_bytes };
	uint64_t h = from_hash(from) + 2 * o->multi_user + o->keep_secrets;

	for (size_t i = 0; i < NELEM(texts); i++)
		h = hash64(texts[i], strlen(texts[i]), h);
	h = hash64(caps, sizeof(caps), h);
	snprintf(w->sign, sizeof(w->sign), "%016llx", (unsigned long long)h);
	free(w->format);
	w->format = xstrdup(from_name(from));
}

static bool
was_packed(const struct growing *w)
{
	const struct json *v = json_get(w->about, "packed");

	return v != NULL && v->kind == JSON_TRUE;
}

void
growing_match(struct growing *w, const struct from *from)
{
	uint8_t head[SHA256_BYTES];
	const char *old;

	set_sign(w, from);
	old = json_get_string(w->about, "sign", NULL);
	/* messages that were pruned lie before the place where reading would go on */
	w->resumes = !w->o->pruned && !w->was.positional && w->was.offset > 0 &&
	    w->was.device == w->now.device && w->was.inode == w->now.inode &&
	    w->was.offset <= w->size && (w->was.offset == w->size || !was_packed(w)) &&
	    old != NULL && strcmp(old, w->sign) == 0 &&
	    file_head_hash(w->path, w->was.offset, head) == 0 &&
	    memcmp(head, w->was.head_sha256, SHA256_BYTES) == 0;
	if (!w->resumes)
		return;
	w->on = true;
	w->now.offset = w->was.offset;
	w->now.line = w->was.line;
}

bool
growing_resumes(const struct growing *w)
{
	return w->resumes;
}

bool
growing_is_done(const struct growing *w)
{
	return w->resumes && w->was.offset == w->size;
}

uint64_t
growing_offset(const struct growing *w)
{
	return w->was.offset;
}

uint64_t
growing_line(const struct growing *w)
{
	return w->was.line;
}

void
growing_was(const struct growing *w, struct growing_place *out)
{
	const char *map = json_get_string(w->about, "map", NULL);
	const char *session = json_get_string(w->about, "session", NULL);
	const char *project = json_get_string(w->about, "project", NULL);

	*out = (struct growing_place){ map != NULL ? map : "null", session != NULL ? session : "",
		project != NULL ? project : "" };
}

void
growing_start(struct growing *w, const struct from *from, bool on, bool turns)
{
	const char *old = json_get_string(w->about, "sign", NULL),
		   *last = json_get_string(w->about, "last", NULL);

	w->resumes = false;
	w->on = on && w->possible;
	w->turns = turns;
	w->now.offset = w->now.line = 0;
	if (!w->on)
		return;
	set_sign(w, from);
	if (w->was.path != NULL && old != NULL && strcmp(old, w->sign) == 0 && last != NULL &&
	    sscanf(last, "%llu %llu %llx", &w->before.line, &w->before.len, &w->before.hash) != 3)
		w->before.line = 0;
}

size_t
growing_turn(struct growing *w, uint64_t line, const char *text, size_t len)
{
	const struct last_turn *b = &w->before;

	if (!w->on)
		return 0;
	w->last = (struct last_turn){ line, len, hash64(text, len, 0) };
	return b->line == line && b->len < len && b->hash == hash64(text, (size_t)b->len, 0)
	    ? (size_t)b->len
	    : 0;
}

bool
growing_is_on(const struct growing *w)
{
	return w->on;
}

void
growing_saw(struct growing *w, uint64_t offset, uint64_t line)
{
	w->dirty |= w->now.offset != offset;
	w->now.offset = offset;
	w->now.line = line;
}

void
growing_saw_packed(struct growing *w, const struct from *from)
{
	set_sign(w, from);
	w->on = w->packed = w->possible;
	growing_saw(w, w->size, 0);
}

void
growing_note(struct growing *w, struct batch *b, bool positional,
	const struct growing_place *place)
{
	char last[80];

	if (!w->on || !w->dirty || file_head_hash(w->path, w->now.offset, w->now.head_sha256) != 0)
		return;
	buf_reset(&w->text);
	json_open(&w->text);
	json_str(&w->text, "sign", w->sign);
	json_str(&w->text, "from", w->format);
	json_str(&w->text, "map", place->map);
	if (*place->session != '\0') {
		json_str(&w->text, "session", place->session);
		json_str(&w->text, "project", place->project);
	}
	if (w->packed)
		json_bool(&w->text, "packed", true);
	if (w->last.line > 0) {
		snprintf(last, sizeof(last), "%llu %llu %llx", w->last.line, w->last.len,
		    w->last.hash);
		json_str(&w->text, "last", last);
	}
	json_close(&w->text);
	w->now.positional = positional || w->turns;
	w->now.state = w->text.data;
	batch_read(b, &w->now);
	w->dirty = false;
}
