/*
 * opencode_storage.c: ids begin with their time, so files in the order of their names are messages
 * in the order in which they were said. A fork has copies of its parent's messages, with their
 * times and new ids; nothing says of which, so sessions are read from the oldest on, and what an
 * older one has is left out.
 */
#include "ingest/opencode_storage.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/gz.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "base/order.h"
#include "json/json.h"

#define PATH_BYTES (64u << 10)

static bool
is_directory(const char *path, const char *name)
{
	struct stat st;
	LOCAL(buf) b = buf_of(PATH_BYTES);

	buf_addf(&b, "%s/%s", path, name);
	return stat(b.data, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
opencode_storage_is(const char *path)
{
	return is_directory(path, "session") && is_directory(path, "message") &&
	    is_directory(path, "part");
}

static int
is_name(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* The sorted names in a directory; none, too, where it is not there. */
static int
names_in(const char *path, struct dirent ***names, struct err *err)
{
	int n = scandir(path, names, is_name, alphasort);

	*names = n < 0 ? NULL : *names;
	if (n < 0 && errno != ENOENT)
		return err_set_errno(err, errno == EACCES ? ERR_PERM : ERR_IO, "cannot read '%s'",
		    path);
	return MAX(n, 0);
}

static void
free_names(struct dirent **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

struct storage {
	const char *path;
	opencode_fn *fn;
	void *arg;
	struct buf file, session, row;
	struct keyed given;        /* messages, by a hash of all but their ids: whose they are */
	uint32_t session_no;       /* from 1 */
};

/* Puts the session's own record into s->session: it lies in the directory of its project. */
static int
read_session(struct storage *s, const char *id, struct err *err)
{
	struct dirent **projects;
	int n, got = 0;

	buf_reset(&s->file);
	buf_addf(&s->file, "%s/session", s->path);
	if ((n = names_in(s->file.data, &projects, err)) < 0)
		return -1;
	buf_reset(&s->session);
	for (int i = 0; i < n && got == 0; i++) {
		buf_reset(&s->file);
		buf_addf(&s->file, "%s/session/%s/%s.json", s->path, projects[i]->d_name, id);
		got = gz_add_if_there(s->file.data, &s->session, err);
	}
	free_names(projects, n);
	if (got == 0) {
		json_open(&s->session);
		json_str(&s->session, "id", id);
		json_close(&s->session);
	}
	return got < 0 ? -1 : 0;
}

static int
add_parts(struct storage *s, const char *message, struct err *err)
{
	struct dirent **parts;
	int n, got = 0;

	buf_reset(&s->file);
	buf_addf(&s->file, "%s/part/%s", s->path, message);
	if ((n = names_in(s->file.data, &parts, err)) < 0)
		return -1;
	for (int i = 0; i < n && got >= 0; i++) {
		buf_reset(&s->file);
		buf_addf(&s->file, "%s/part/%s/%s", s->path, message, parts[i]->d_name);
		if (i > 0)
			buf_addc(&s->row, ',');
		got = gz_add_if_there(s->file.data, &s->row, err);
	}
	free_names(parts, n);
	return got < 0 ? -1 : 0;
}

/* ---- what a fork repeats ---- */

static bool
is_id(const char *key)
{
	return strcmp(key, "id") == 0 || strcmp(key, "sessionID") == 0 ||
	    strcmp(key, "messageID") == 0;
}

/* Appends what a message says: its time, its role, and its parts without their ids. */
static bool
add_said(const struct json *message, struct buf *out)
{
	const struct json *info = json_get(message, "info"), *parts = json_get(message, "parts");
	const char *role = json_get_string(info, "role", NULL);
	double created = json_get_number(json_get(info, "time"), "created", 0);

	if (role == NULL || created <= 0 || parts == NULL || parts->len == 0)
		return false;
	buf_addf(out, "%s %.17g", role, created);
	for (size_t i = 0; i < parts->len; i++) {
		const struct json *part = &parts->u.items[i];

		for (size_t k = 0; part->kind == JSON_OBJECT && k < part->len; k++) {
			if (is_id(part->u.members[k].key))
				continue;
			buf_addf(out, "\n%s ", part->u.members[k].key);
			json_write(out, &part->u.members[k].value);
		}
	}
	return true;
}

/* Whether an older session has the message in the row, which is then noted as this one's. */
static bool
is_repeated(struct storage *s)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *row, *messages;
	bool is = false;
	LOCAL(buf) said = buf_of(2 * conf_caps.line_bytes);

	if (json_parse(s->row.data, s->row.len, &a, &row, NULL) == 0 &&
	    (messages = json_get(row, "messages")) != NULL && messages->len == 1 &&
	    add_said(&messages->u.items[0], &said) && !said.full) {
		struct keyed_slot *at = keyed_at(&s->given, hash64(said.data, said.len, 0));
		is = at->round != 0 && at->round != s->session_no;
		if (at->round == 0)
			at->round = s->session_no;
	}
	return is;
}

static int
give_message(struct storage *s, const char *session, char *name, struct err *err)
{
	char *end = strstr(name, ".json");

	if (end == NULL)
		return 0;
	buf_reset(&s->file);
	buf_addf(&s->file, "%s/message/%s/%s", s->path, session, name);
	buf_reset(&s->row);
	buf_addf(&s->row, "{\"info\":%s,\"messages\":[{\"info\":", s->session.data);
	if (gz_add_if_there(s->file.data, &s->row, err) < 0)
		return -1;
	buf_adds(&s->row, ",\"parts\":[");
	*end = '\0';
	if (add_parts(s, name, err) != 0)
		return -1;
	buf_adds(&s->row, "]}]}");
	return is_repeated(s) ? 0 : s->fn(s->arg, s->row.data, s->row.len);
}

static int
give_session(struct storage *s, const char *id, struct err *err)
{
	struct dirent **messages;
	int n, rc;

	if (read_session(s, id, err) != 0)
		return -1;
	buf_reset(&s->file);
	buf_addf(&s->file, "%s/message/%s", s->path, id);
	if ((n = rc = names_in(s->file.data, &messages, err)) < 0)
		return -1;
	rc = 0;
	for (int i = 0; i < n && rc == 0; i++)
		rc = give_message(s, id, messages[i]->d_name, err);
	free_names(messages, n);
	return rc;
}

/* ---- sessions ---- */

struct begun { double created; const char *id; };

ORDER_BY_TEXT(by_time, struct begun, created, id)

/* Fills out [n] with the sessions, the oldest first, as those of which no time is known. */
static int
order_sessions(struct storage *s, struct dirent **names, int n, struct begun *out, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	const struct json *v;
	int i;

	for (i = 0; i < n && read_session(s, names[i]->d_name, err) == 0; i++) {
		arena_reset(&a);
		out[i] = (struct begun){ 0, names[i]->d_name };
		if (json_parse(s->session.data, s->session.len, &a, &v, NULL) == 0)
			out[i].created = json_get_number(json_get(v, "time"), "created", 0);
	}
	if (i < n)
		return -1;
	qsort(out, (size_t)n, sizeof(*out), by_time);
	return 0;
}

int
opencode_storage_each(const char *path, opencode_fn *fn, void *arg, struct err *err)
{
	struct storage s = { .path = path, .fn = fn, .arg = arg };
	struct dirent **sessions;
	struct begun *order;
	int n, rc = 0;

	buf_init(&s.file, PATH_BYTES);
	buf_init(&s.session, conf_caps.line_bytes);
	/* a longer row is refused as too long by whoever reads it */
	buf_init(&s.row, 2 * conf_caps.line_bytes);
	buf_addf(&s.file, "%s/message", path);
	if ((n = names_in(s.file.data, &sessions, err)) < 0) {
		rc = -1;
		goto out;
	}
	order = xcalloc((size_t)n + 1, sizeof(*order));
	rc = order_sessions(&s, sessions, n, order, err);
	for (int i = 0; i < n && rc == 0; i++) {
		s.session_no++;
		rc = give_session(&s, order[i].id, err);
	}
	free_names(sessions, n);
	free(order);
	keyed_release(&s.given);
out:
	buf_release(&s.file);
	buf_release(&s.session);
	buf_release(&s.row);
	return rc;
}
