/*
 * document_known.c: what is known of a document's file is stored beside the state of inputs, under
 * a path that no file has:
 *
 *	path "document:/home/ann/notes/plan.md"   device, inode, offset and head_sha256: its
 *	                         size, and the hash of all of it
 *	state {"session": "notes/plan.md", "time": when it was written, "sign": how it was read,
 *	       "bad": why it cannot be read, if so, "now": the ids of its sections}
 *
 * While a document is read, "now" also has those that come in, and there is no sign: what is stored
 * of a file is always among them.
 *
 * A watched directory is a row with the path "watch:/home/ann/notes".
 */
#include "ingest/document_known.h"

#include <sys/stat.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/order.h"
#include "ingest/documents.h"

#define BEGINS   "document:"
#define WATCHED  "watch:"

void
names_add(struct names *l, const char *id)
{
	*xpush(l->at, l->n, l->cap) = xstrdup(id);
}

void
names_release(struct names *l)
{
	while (l->n > 0)
		free(l->at[--l->n]);
	free(l->at);
	*l = (struct names){ NULL, 0, 0 };
}

void
names_sort(struct names *l)
{
	if (l->n > 0)
		qsort(l->at, l->n, sizeof(*l->at), by_text);
}

bool
names_has(const struct names *l, const char *id)
{
	return l->n > 0 && bsearch(&id, l->at, l->n, sizeof(*l->at), by_text) != NULL;
}

static void
read_ids(const struct json *v, struct names *out)
{
	for (size_t i = 0; v != NULL && v->kind == JSON_ARRAY && i < v->len; i++)
		if (v->u.items[i].kind == JSON_STRING)
			names_add(out, v->u.items[i].u.string);
}

static struct keyed_slot *
place_of(struct keyed *in, const char *text)
{
	return keyed_at(in, hash64(text, strlen(text), 0));
}

struct known *
known_add(struct known_files *f, const char *path, const char *session)
{
	struct known *k = xpush(f->at, f->n, f->cap);

	*k = (struct known){ .path = xstrdup(path), .session = xstrdup(session) };
	place_of(&f->paths, path)->value = f->n;
	place_of(&f->sessions, session)->value = f->n;
	return k;
}

static struct known *
known_at(const struct known_files *f, const struct keyed_slot *place)
{
	return place->value > 0 ? &f->at[place->value - 1] : NULL;
}

struct known *
known_find(struct known_files *f, const char *path)
{
	return known_at(f, place_of(&f->paths, path));
}

struct known *
known_of_session(struct known_files *f, const char *session)
{
	return known_at(f, place_of(&f->sessions, session));
}

struct loader { struct known_files *files; struct arena arena; };

static int
load_one(void *arg, const struct input_state *v)
{
	struct loader *l = arg;
	const struct json *about;
	const char *session, *sign, *bad;

	if (json_parse(v->state, strlen(v->state), &l->arena, &about, NULL) != 0 ||
	    (session = json_get_string(about, "session", NULL)) == NULL)
		return 0;
	struct known *k = known_add(l->files, v->path + strlen(BEGINS), session);
	k->size = v->offset;
	k->device = v->device;
	memcpy(k->sha256, v->head_sha256, SHA256_BYTES);
	k->time_us = (int64_t)json_get_number(about, "time", 0);
	if ((sign = json_get_string(about, "sign", NULL)) != NULL)
		snprintf(k->sign, sizeof(k->sign), "%s", sign);
	if ((bad = json_get_string(about, "bad", NULL)) != NULL)
		k->bad = xstrdup(bad);
	read_ids(json_get(about, "now"), &k->now);
	names_sort(&k->now);
	return 0;
}

int
known_load(struct store *s, const struct scope *who, struct known_files *f, struct err *err)
{
	struct loader l = { f, ARENA_INIT };
	int rc = inputs_each(s, who, BEGINS, &l.arena, load_one, &l, err);

	f->n_loaded = f->n;
	arena_release(&l.arena);
	return rc;
}

void
known_release(struct known_files *f)
{
	for (size_t i = 0; i < f->n; i++) {
		names_release(&f->at[i].now);
		names_release(&f->at[i].stale);
		free(f->at[i].path);
		free(f->at[i].bad);
		free(f->at[i].session);
	}
	free(f->at);
	keyed_release(&f->paths);
	keyed_release(&f->sessions);
}

void
known_settle(struct known *k, struct names *now)
{
	names_sort(now);
	for (size_t i = 0; i < k->now.n; i++)
		if (!names_has(now, k->now.at[i]))
			names_add(&k->stale, k->now.at[i]);
	names_release(&k->now);
	k->now = *now;
	*now = (struct names){ NULL, 0, 0 };
}

/* coming: ids of a document that is being read; NULL: it is read. In the arena. */
static struct input_state
state_of(const struct known *k, const struct names *coming, struct arena *a)
{
	struct input_state v = { .device = k->device, .offset = k->size };

	v.path = arena_printf(a, BEGINS "%s", k->path);
	memcpy(v.head_sha256, k->sha256, SHA256_BYTES);
	LOCAL(buf) b = buf_of(SIZE_MAX / 4);
	json_open(&b);
	json_str(&b, "session", k->session);
	json_int(&b, "time", coming != NULL ? 0 : k->time_us);
	json_str(&b, "sign", coming != NULL ? "" : k->sign);
	if (k->bad != NULL)
		json_str(&b, "bad", k->bad);
	json_array_open(&b, "now");
	for (size_t i = 0; i < k->now.n; i++)
		json_item(&b, k->now.at[i], strlen(k->now.at[i]));
	for (size_t i = 0; coming != NULL && i < coming->n; i++)
		json_item(&b, coming->at[i], strlen(coming->at[i]));
	json_array_close(&b);
	json_close(&b);
	v.state = arena_strndup(a, b.data, b.len);
	return v;
}

void
known_begin(struct batch *b, const struct known *k, const struct names *coming)
{
	LOCAL(arena) a = ARENA_INIT;
	struct input_state v = state_of(k, coming, &a);

	batch_read(b, &v);
}

int
known_put(struct store *s, const struct scope *who, const struct known *k, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct input_state v = state_of(k, NULL, &a);
	return k->moved || k->gone ? inputs_drop(s, who, v.path, err)
				   : inputs_put(s, who, &v, err);
}

/* ---- forgetting, and watching ---- */

struct named { const char *session; struct arena *a; const char **paths; size_t n, cap; };

static int
note_named(void *arg, const struct input_state *v)
{
	struct named *f = arg;
	const struct json *about;
	const char *session;

	if (f->session != NULL &&
	    (json_parse(v->state, strlen(v->state), f->a, &about, NULL) != 0 ||
	    (session = json_get_string(about, "session", NULL)) == NULL ||
	    strcmp(session, f->session) != 0))
		return 0;
	*xpush(f->paths, f->n, f->cap) = v->path;
	return 0;
}

int
documents_forget(struct store *s, const struct scope *who, const char *session, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	struct named f = { .session = session, .a = &a };
	int rc = inputs_each(s, who, BEGINS, &a, note_named, &f, err);

	if (rc == 0 && session == NULL)
		rc = inputs_each(s, who, WATCHED, &a, note_named, &f, err);
	for (size_t i = 0; i < f.n && rc == 0; i++)
		rc = inputs_drop(s, who, f.paths[i], err);
	free(f.paths);
	return rc;
}

int
documents_watch(struct store *s, const struct scope *who, const char *path, bool on,
	struct err *err)
{
	struct input_state v = { .state = "{}" };
	const struct input_state *was;
	struct stat st;
	LOCAL(arena) a = ARENA_INIT;
	FREED char *real = realpath(path, NULL);

	if (on && (real == NULL || stat(real, &st) != 0 || !S_ISDIR(st.st_mode)))
		return err_set(err, ERR_NOINPUT, "'%s' is no directory, and only one is watched",
		    path);
	v.path = arena_printf(&a, WATCHED "%s", real != NULL ? real : path);
	if (inputs_get(s, who, v.path, &a, &was, err) != 0)
		return -1;
	if (!on && was == NULL)
		return err_set(err, ERR_NOINPUT, "'%s' is not watched", path);
	if (store_begin_user(s, who->user, err) != 0)
		return -1;
	return store_end(s, on ? inputs_put(s, who, &v, err)
			       : inputs_drop(s, who, v.path, err), err);
}

int
documents_watched(struct store *s, const struct scope *who, struct arena *a, char ***paths,
	size_t *n, struct err *err)
{
	struct named f = { .a = a };
	int rc = inputs_each(s, who, WATCHED, a, note_named, &f, err);

	*paths = arena_alloc(a, (f.n + 1) * sizeof(**paths));
	*n = f.n;
	for (size_t i = 0; i < f.n; i++)
		(*paths)[i] = arena_strdup(a, f.paths[i] + strlen(WATCHED));
	free(f.paths);
	return rc;
}
