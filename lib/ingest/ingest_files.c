/*
 * ingest_files.c: names of files, and the state of files that grow. The text of such a state is
 *
 *	{"sign": "16 hex digits", "from": "claude-code", "map": "the map's own state, as JSON text",
 *	 "session": the last that told its working directory, "project": the project of that,
 *	 "last": "LINE LENGTH HASH" of the file's last turn, where turns go on over lines,
 *	 "packed": true when the file is packed: its offset is then its size}
 */
#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "ingest/ingest_files.h"

#define HEAD_BYTES 4096

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

const char *
file_archive_end(const char *path)
{
	for (; *path != '\0'; path++)
		if (strncasecmp(path, ".zip/", 5) == 0)
			return path + 4;
	return NULL;
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
	FREED char *real = NULL;

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
}

/* Sets r->directory to where the directory of a file is: the first n bytes of its path. */
static bool
find_directory(struct file_real *r, const char *path, size_t n)
{
	FREED char *real = NULL;

	if (r->directory.len > 0 && r->given.len == n && memcmp(r->given.data, path, n) == 0)
		return true;
	buf_reset(&r->given);
	buf_add(&r->given, path, n);
	buf_reset(&r->directory);
	if ((real = realpath(n > 0 ? r->given.data : ".", NULL)) != NULL)
		buf_addf(&r->directory, "%s%s", real, real[1] != '\0' ? "/" : "");
	return r->directory.len > 0;
}

const char *
file_real(struct file_real *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash != NULL ? (size_t)(slash + 1 - path) : 0;
	struct stat st;
	char *real;

	if (strcmp(path, "-") == 0)
		return NULL;
	buf_reset(&r->path);
	/* what is no link lies in its directory */
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && find_directory(r, path, n)) {
		buf_addf(&r->path, "%s%s", r->directory.data, path + n);
		return r->path.data;
	}
	if ((real = zip_realpath(path)) == NULL)
		return NULL;
	buf_adds(&r->path, real);
	free(real);
	return r->path.data;
}

/* ---- files that grow ---- */

/* The same of a member of an archive. */
static int
member_head_hash(const char *path, size_t want, uint8_t out[SHA256_BYTES])
{
	char bytes[HEAD_BYTES];
	struct err ignored = ERR_INIT;
	size_t have = 0;
	struct gz *g;
	ptrdiff_t n;

	if (gz_open(path, &g, &ignored) != 0)
		return -1;
	while (have < want && (n = gz_read(g, bytes + have, want - have, &ignored)) > 0)
		have += (size_t)n;
	gz_close(g);
	if (have < want)
		return -1;
	sha256(bytes, have, out);
	return 0;
}

int
file_head_hash(const char *path, uint64_t offset, uint8_t out[SHA256_BYTES])
{
	char bytes[HEAD_BYTES];
	size_t want = (size_t)MIN(offset, HEAD_BYTES), have = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOTDIR ? member_head_hash(path, want, out) : -1;
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
	const char *real, struct growing **out, struct err *err)
{
	struct scope who = { o->user, NULL, NULL, NULL };
	struct growing *w = xcalloc(1, sizeof(*w));
	const struct input_state *was = NULL;
	struct stat st;

	w->o = o;
	buf_init(&w->text, conf_caps.output_bytes);
	*out = w;
	if (s == NULL || real == NULL || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return 0;
	w->path = xstrdup(real);
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

/*
 * Signs all that the records of a line depend on besides the line. The caps are among it, since a
 * line that one of them refused lies before the place where reading goes on, and would never be
 * read again when the cap is raised.
 */
static void
set_sign(struct growing *w, const struct from *from)
{
	const struct ingest_options *o = w->o;
	const char *const texts[] = { MEM_VERSION, from->name, o->agent, o->project,
		o->session };
	const uint64_t caps[] = { conf_caps.line_bytes, conf_caps.depth, conf_caps.json_values,
	    conf_caps.id_bytes, conf_caps.output_bytes };
	uint64_t h = from->hash + 2 * o->multi_user + o->keep_secrets;

	for (size_t i = 0; i < NELEM(texts); i++)
		h = hash64(texts[i], strlen(texts[i]), h);
	h = hash64(caps, sizeof(caps), h);
	snprintf(w->sign, sizeof(w->sign), "%016llx", (unsigned long long)h);
	free(w->format);
	w->format = xstrdup(from->name);
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

	set_sign(w, from);
	const char *old = json_get_string(w->about, "sign", NULL);
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
