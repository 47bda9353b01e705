/*
 * hook_log.c: lines are appended by one write each, so that hooks that run at the same time do not
 * mix theirs. A line that a full disk cut short is no JSON and is passed over; the next one begins
 * on a line of its own.
 */
#include "hook/hook_log.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/system.h"
#include "json/json.h"

#define HASH_TEXT 17           /* 16 digits */
#define PIECE     65536        /* bytes read at a time */

const char *
hook_log_path(const char *store, struct arena *a)
{
	/* beside a file; of a store on a server each machine has a log of its own */
	if (store_is_file(store))
		return arena_printf(a, "%s.hooks", store);
	return arena_printf(a, "%s-%016llx.hooks", conf_data_path("mem/server"),
	    (unsigned long long)hash64(store, strlen(store), 0));
}

static const char *
old_path(const char *path, struct arena *a)
{
	return arena_printf(a, "%s.old", path);
}

/*
 * A text's hash, by which it is known again under another id. The session's name is its seed, so
 * that it says nothing to another session.
 */
static char *
hash_of(const char *session, const struct message *m, char out[HASH_TEXT])
{
	uint64_t seed = hash64(session, strlen(session), 0);

	snprintf(out, HASH_TEXT, "%016llx",
	    (unsigned long long)hash64(m->content, m->content_len, seed));
	return out;
}

/* ---- writing ---- */

static void
write_given(struct buf *out, const struct hook_line *l)
{
	char hash[HASH_TEXT];

	json_array_open(out, "given");
	for (size_t i = 0; i < l->n_given; i++) {
		const struct message *m = l->given[i];

		json_object_open(out, NULL);
		if (m->id[0] != '\0')
			json_str(out, "id", m->id);
		json_str(out, "text", hash_of(l->session, m, hash));
		json_close(out);
	}
	json_array_close(out);
}

static void
write_line(struct buf *out, const struct hook_line *l)
{
	json_record(out, "hook");
	json_time(out, "time", clock_now_us());
	json_str(out, "host", l->host);
	json_str(out, "event", l->event);
	/* these two stand side by side, as read_log looks for them */
	json_str(out, "user", l->user);
	json_str(out, "session", l->session);
	json_str(out, "project", l->project);
	json_str(out, "did", l->did);
	json_str(out, "why", l->why);
	if (l->compacted)
		json_bool(out, "compacted", true);
	if (!isnan(l->gate))
		json_num(out, "gate", round(l->gate * 1000) / 1000);
	if (!isnan(l->p))
		json_num(out, "p", round(l->p * 1000) / 1000);
	if (l->n_given > 0)
		write_given(out, l);
	if (l->tokens > 0)
		json_int(out, "tokens", l->tokens);
	if (l->us >= 0)
		json_num(out, "ms", round((double)l->us / 100) / 10);
	json_end(out);
}

/* Opens the log to append to it; a full one becomes the old one. -1 with errno. */
static int
open_log(const char *path)
{
	struct arena a = ARENA_INIT;
	struct stat st;
	int fd;

	if (stat(path, &st) == 0 && st.st_size >= HOOK_LOG_BYTES)
		(void)rename(path, old_path(path, &a));
	arena_release(&a);
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	/* the directory of a file is made with the file, that of a store on a server here */
	conf_make_parents(path);
	return open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Whether the log ends within a line, which a write that failed has left. */
static bool
is_cut(int fd)
{
	struct stat st;
	char last = '\n';

	return fstat(fd, &st) == 0 && st.st_size > 0 && pread(fd, &last, 1, st.st_size - 1) == 1 &&
	    last != '\n';
}

int
hook_log_add(const char *path, const struct hook_line *l, struct err *err)
{
	struct buf line;
	int fd = open_log(path), rc = 0;
	ssize_t n;

	if (fd < 0)
		return err_set_errno(err, ERR_IO, "cannot open '%s'", path);
	buf_init(&line, HOOK_LINE_BYTES);
	if (is_cut(fd))
		buf_addc(&line, '\n');
	write_line(&line, l);
	n = line.full ? -1 : write(fd, line.data, line.len);
	if (n < 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", path);
	else if ((size_t)n < line.len)
		rc = err_set(err, ERR_IO, "cannot write '%s': no space", path);
	buf_release(&line);
	close(fd);
	return rc;
}

/* ---- a line that is written when there is no time left ---- */

static struct { int fd; char text[2048]; size_t len; } late = { .fd = -1 };

bool
hook_log_prepare(const char *path, const struct hook_line *l)
{
	LOCAL(buf) b = buf_of(sizeof(late.text) - 1);

	write_line(&b, l);
	if (late.fd >= 0)
		close(late.fd);
	late.fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	late.len = b.full ? late.len : b.len;
	if (!b.full)
		memcpy(late.text, b.data, b.len);
	return late.len > 0;
}

void
hook_log_late(void)
{
	if (late.fd >= 0 && write(late.fd, late.text, late.len) < 0)
		late.fd = -1;
}

/* ---- reading ---- */

typedef void line_fn(void *arg, const char *line, size_t len);

/* Appends the bytes of a log to b. */
static void
read_bytes(int fd, struct buf *b)
{
	ssize_t n;
	char *room;

	buf_init(b, 2 * HOOK_LOG_BYTES);
	while ((room = buf_reserve(b, PIECE)) != NULL && (n = read(fd, room, PIECE)) > 0)
		b->len += (size_t)n;
}

/* Calls fn for the whole lines of a file that hold the text needle. */
static void
read_lines(const char *path, const char *needle, line_fn *fn, void *arg)
{
	struct buf b;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return;
	read_bytes(fd, &b);
	close(fd);
	for (char *p = b.data, *end = b.data + b.len, *stop; p < end; p = stop + 1) {
		if ((stop = memchr(p, '\n', (size_t)(end - p))) == NULL)
			break;
		*stop = '\0';
		if (strstr(p, needle) != NULL)
			fn(arg, p, (size_t)(stop - p));
	}
	buf_release(&b);
}

/* Calls fn for a user's lines of a session, or of all sessions, the oldest first. */
static void
read_log(const char *path, const char *user, const char *session, line_fn *fn, void *arg)
{
	LOCAL(arena) a = ARENA_INIT;
	LOCAL(buf) needle = buf_of(HOOK_LINE_BYTES);

	json_str(&needle, "user", user);
	if (*session != '\0')
		json_str(&needle, "session", session);
	read_lines(old_path(path, &a), needle.data, fn, arg);
	read_lines(path, needle.data, fn, arg);
}

/* ---- what a session was given ---- */

struct giving { struct hook_given *g; struct arena *a; const char **keys; size_t cap; };

static void
add_key(struct giving *v, const char *key)
{
	if (key == NULL)
		return;
	*xpush(v->keys, v->g->n, v->cap) = arena_strdup(v->a, key);
}

/* After a line that says that the conversation was shortened, nothing is given yet. */
static void
note_compacted(struct hook_given *g, const struct json *line, const char *event)
{
	const char *time = json_get_string(line, "time", NULL);
	const struct json *compacted = json_get(line, "compacted");

	if ((event == NULL || strcmp(event, "compact") != 0) &&
	    (compacted == NULL || compacted->kind != JSON_TRUE))
		return;
	g->n = 0;
	g->started = false;
	if (time != NULL)
		time_parse(time, strlen(time), &g->compacted_us, NULL);
}

/* Notes what a line of the log gave. */
static void
on_giving(void *arg, const char *line, size_t len)
{
	struct giving *v = arg;
	LOCAL(arena) scratch = ARENA_INIT;
	const struct json *of, *given;
	const char *event;

	if (json_parse(line, len, &scratch, &of, NULL) != 0)
		return;
	event = json_get_string(of, "event", NULL);
	note_compacted(v->g, of, event);
	if ((given = json_get(of, "given")) != NULL && given->kind == JSON_ARRAY) {
		v->g->started |= event != NULL && strcmp(event, "start") == 0;
		for (size_t i = 0; i < given->len; i++) {
			add_key(v, json_get_string(&given->u.items[i], "id", NULL));
			add_key(v, json_get_string(&given->u.items[i], "text", NULL));
		}
	}
}

void
hook_given_read(const char *path, const char *user, const char *session, struct hook_given *g,
	struct arena *a)
{
	struct giving v = { .g = g, .a = a };

	*g = (struct hook_given){ .compacted_us = TIME_NONE };
	if (*session == '\0')
		return;
	read_log(path, user, session, on_giving, &v);
	if (g->n == 0) {
		free(v.keys);
		return;
	}
	qsort(v.keys, g->n, sizeof(*v.keys), by_text);
	g->keys = arena_alloc(a, g->n * sizeof(*g->keys));
	memcpy(g->keys, v.keys, g->n * sizeof(*g->keys));
	free(v.keys);
}

bool
hook_given_has(const struct hook_given *g, const char *session, const struct message *m)
{
	char hash[HASH_TEXT];
	const char *id = m->id, *text = hash_of(session, m, hash);

	return g->n > 0 &&
	    (bsearch(&id, g->keys, g->n, sizeof(*g->keys), by_text) != NULL ||
		bsearch(&text, g->keys, g->n, sizeof(*g->keys), by_text) != NULL);
}

/* ---- for people ---- */

struct lines { struct arena arena; const char **line; size_t n, cap; };

static void
on_line(void *arg, const char *line, size_t len)
{
	struct lines *v = arg;
	LOCAL(arena) scratch = ARENA_INIT;
	const struct json *is;

	if (json_parse(line, len, &scratch, &is, NULL) == 0)
		*xpush(v->line, v->n, v->cap) = arena_strndup(&v->arena, line, len);
}

int
hook_log_last(const char *path, const char *user, const char *session, size_t n, hook_log_fn *fn,
	void *arg, struct err *err)
{
	struct lines v = { .arena = ARENA_INIT };
	int rc = 0;

	read_log(path, user, session, on_line, &v);
	for (size_t i = v.n > n ? v.n - n : 0; i < v.n && rc == 0; i++)
		rc = fn(arg, v.line[i], strlen(v.line[i]), err);
	free(v.line);
	arena_release(&v.arena);
	return rc;
}

/* ---- forgetting ---- */

/* A line that is no JSON was cut short, and goes. */
static int
is_gone(const char *line, size_t len, hook_gone_fn *fn, void *arg, struct arena *a, bool *gone,
	struct err *err)
{
	const struct json *v;

	arena_reset(a);
	*gone = true;
	return json_parse(line, len, a, &v, NULL) != 0 ? 0 : fn(arg, v, gone, err);
}

static int
blank(int fd, const char *path, char *line, size_t len, off_t at, struct err *err)
{
	memset(line, ' ', len);
	return pwrite(fd, line, len, at) == (ssize_t)len
	    ? 0
	    : err_set_errno(err, ERR_IO, "cannot write '%s'", path);
}

static int
forget_in(const char *path, hook_gone_fn *fn, void *arg, size_t *n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct buf b;
	int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, rc = 0;
	int fd = open(path, O_RDWR | flags);
	size_t n_before = *n;

	/* of one that may only be read it is told if anything would have to go */
	if (fd < 0 && (errno == EACCES || errno == EROFS))
		fd = open(path, O_RDONLY | flags);
	if (fd < 0)
		return errno == ENOENT ? 0 : err_set_errno(err, ERR_IO, "cannot open '%s'", path);
	read_bytes(fd, &b);
	for (char *p = b.data, *end = b.data + b.len, *stop; p < end && rc == 0; p = stop + 1) {
		bool gone = false;
		size_t len;

		/* one that was cut short may be the last, and has no end */
		if ((stop = memchr(p, '\n', (size_t)(end - p))) == NULL)
			stop = end;
		len = (size_t)(stop - p);
		if (strspn(p, " ") < len)
			rc = is_gone(p, len, fn, arg, &a, &gone, err);
		if (rc == 0 && gone) {
			rc = blank(fd, path, p, len, p - b.data, err);
			++*n;
		}
	}
	if (*n > n_before && system_sync(fd) != 0 && rc == 0)
		rc = err_set_errno(err, ERR_IO, "cannot write '%s'", path);
	close(fd);
	buf_release(&b);
	return rc;
}

int
hook_log_forget(const char *path, hook_gone_fn *fn, void *arg, size_t *n, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	int rc = forget_in(path, fn, arg, n, err);

	/* a log that has just become the old one is read twice, and none is missed */
	if (rc == 0)
		rc = forget_in(old_path(path, &a), fn, arg, n, err);
	return rc;
}
