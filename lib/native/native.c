/* native.c: files are told apart by device and inode, so that one of two names is read once. */
#include "native/native.h"

#include <sys/stat.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/project.h"
#include "facts/edit.h"
#include "setup/file.h"
#include "store/sync.h"

#define FOUND_MOST (256u << 10)    /* bytes; what was cloned may have a file without an end */
#define GONE_TAG "[\"gone\"]"      /* of a record that was ended as its line was gone */

/* ---- reading ---- */

int
native_path(const char *path, struct arena *a, const char **out, struct err *err)
{
	*out = file_whole(path, a);
	return **out == '/'
	    ? 0 : err_set_errno(err, ERR_NOINPUT, "cannot tell where '%s' is", path);
}

static bool
is_same_file(const char *path, const struct stat *as)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == as->st_dev && st.st_ino == as->st_ino;
}

/* Whether a place is to be read: a pipe in a file's place would be waited for. */
static bool
is_unread_file(const struct native *v, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	for (size_t i = 0; i < v->n; i++)
		if (is_same_file(v->files[i].path, &st))
			return false;
	return true;
}

/* Reads one file; host NULL: its form says whose it is. */
static int
read_one(struct native *v, const char *host, bool is_rules, const char *project, const char *path,
	const struct memories_input *how, struct err *err)
{
	const struct memories_input mine = { NULL, how->bad, host };
	size_t n_bad = v->memories.n_bad;
	struct native_file f = { .host = host, .path = arena_strdup(&v->arena, path),
		.from = v->memories.n };
	struct stat st;
	int rc;

	if (host != NULL && stat(path, &st) == 0 && st.st_size > FOUND_MOST)
		rc = err_set(err, ERR_DATA, "'%s' is larger than %u KB: not read", f.path,
		    FOUND_MOST >> 10);
	else
		rc = memories_read(&v->memories, f.path, &mine, err);

	/* one that cannot be read keeps none of the others from it */
	if (rc != 0 && (err->code == ERR_DATA || err->code == ERR_PERM ||
	    err->code == ERR_NOINPUT)) {
		how->bad(NULL, err->msg);
		v->memories.n_bad++;
		err_clear(err);
		rc = 0;
	}
	f.n = v->memories.n - f.from;
	f.whole = v->memories.n_bad == n_bad && strcmp(path, "-") != 0;
	for (size_t i = f.from; i < v->memories.n; i++) {
		struct memory_item *it = &v->memories.items[i];

		it->host = host != NULL ? host : it->form;
		it->file = f.path;
		it->is_rule = is_rules;
		it->project = project;
	}
	if (f.host == NULL)
		f.host = f.n > 0 ? v->memories.items[f.from].form : "unknown";
	*xpush(v->files, v->n, v->cap) = f;
	return rc;
}

static int
read_agent(struct native *v, const struct agent *a, bool rules, const struct memories_input *how,
	struct err *err)
{
	LOCAL(places) found = { NULL, 0, 0 };
	int rc = 0;

	agent_memories(a, rules, "", &found);
	size_t n_everywhere = found.n;
	agent_memories(a, rules, v->project, &found);
	for (size_t i = 0; rc == 0 && i < found.n; i++)
		if (is_unread_file(v, found.paths[i]))
			rc = read_one(v, a->name, rules, i < n_everywhere ? "" : v->project,
			    found.paths[i], how, err);
	return rc;
}

int
native_read(struct native *v, const char *const *paths, size_t n, const struct memories_input *how,
	struct err *err)
{
	int rc = 0;

	for (const struct agent *a = agents(); rc == 0 && a->name != NULL; a++)
		if ((rc = read_agent(v, a, false, how, err)) == 0)
			rc = read_agent(v, a, true, how, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *path = paths[i];
		/* a file of that name elsewhere is another one: of this no line is gone then */
		if (strcmp(path, "-") != 0)
			rc = native_path(path, &v->arena, &path, err);
		if (rc == 0)
			rc = read_one(v, NULL, false, "", path, how, err);
	}
	return rc;
}

void
native_release(struct native *v)
{
	free(v->files);
	free(v->ended);
	free(v->back);
	free(v->is_new);
	free(v->of_new);
	memories_release(&v->memories);
	arena_release(&v->arena);
}

/* ---- what is new, gone and back ---- */

static void
set_ids(struct native *v, const char *store)
{
	for (size_t i = 0; i < v->memories.n; i++) {
		struct memory_item *it = &v->memories.items[i];
		const char *parts[] = { store, it->project, it->about, it->content };
		char *id = arena_alloc(&v->arena, ID_TEXT);
		uint8_t sum[SHA256_BYTES];
		struct sha256 h;

		sha256_init(&h);
		for (size_t k = 0; k < NELEM(parts); k++)
			sha256_add(&h, parts[k], strlen(parts[k]) + 1);
		sha256_end(&h, sum);
		it->id = id_format(sum, id);
	}
}

/* The item of that id; memories.n: none. */
static size_t
item_with(const struct native *v, const char *id, size_t most)
{
	size_t i = 0;

	while (i < most && strcmp(v->memories.items[i].id, id) != 0)
		i++;
	return i < most ? i : v->memories.n;
}

static void
add_id(struct native *v, const char ***list, size_t *n, size_t *cap, const char *id)
{
	xgrow(list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = arena_strdup(&v->arena, id);
}

/* A record that an earlier run made of a line, which no file that was read now has. */
static int
on_fact(void *arg, const struct fact *f)
{
	struct native *v = arg;
	const struct record_head *h = &f->head;
	LOCAL(arena) a = ARENA_INIT;
	const struct json *extra;
	const char *file = NULL;

	/* what the user has marked, or said himself, is his by now */
	if (h->origin == ORIGIN_IMPORT && h->trust < origin_trust(ORIGIN_USER) &&
	    *h->extra != '\0' && *h->tags == '\0' && !h->guarded && h->n_sources == 0 &&
	    json_parse(h->extra, strlen(h->extra), &a, &extra, NULL) == 0 &&
	    json_get_string(extra, "host", NULL) != NULL)
		file = json_get_string(extra, "file", NULL);
	for (size_t i = 0; file != NULL && i < v->n; i++) {
		struct native_file *from = &v->files[i];

		if (!from->whole || strcmp(from->path, file) != 0 ||
		    item_with(v, h->id, v->memories.n) < v->memories.n)
			continue;
		add_id(v, &v->ended, &v->n_ended, &v->cap_ended, h->id);
		from->n_ended++;
		break;
	}
	return 0;
}

static int
compare_item(struct native *v, struct store *s, const struct scope *who, size_t i, struct err *err)
{
	const char *id = v->memories.items[i].id;
	const struct fact *f = NULL;
	bool buried = false;

	if (item_with(v, id, i) < i)
		return 0;
	if (s != NULL && (records_find(s, who, id, &v->arena, &f, err) < 0 ||
	    records_buried(s, who, id, &buried, err) != 0))
		return -1;
	if (f != NULL && strcmp(f->head.tags, GONE_TAG) == 0)
		add_id(v, &v->back, &v->n_back, &v->cap_back, id);
	v->is_new[i] = f == NULL && !buried;
	return 0;
}

int
native_compare(struct native *v, struct store *s, struct err *err)
{
	const struct scope who = { .user = v->user };
	struct record_filter facts = RECORD_FILTER_ANY(RECORD_FACT);
	char store[ID_TEXT] = "";

	if (s != NULL && store_id(s, store, err) != 0)
		return -1;
	set_ids(v, store);
	v->is_new = xcalloc(v->memories.n + 1, sizeof(*v->is_new));
	for (size_t k = 0; k < v->n; k++)
		for (size_t i = v->files[k].from; i < v->files[k].from + v->files[k].n; i++)
			if (compare_item(v, s, &who, i, err) != 0)
				return -1;
	return s == NULL ? 0 : records_each(s, &who, &facts, on_fact, v, err);
}

/* Another record says it; not, in a dry run, where that would have ended by then. */
static void
put_known(void *arg, size_t number, const char *of)
{
	struct native *v = arg;
	size_t i = 0;

	while (i < v->n_ended && strcmp(v->ended[i], of) != 0)
		i++;
	if (i == v->n_ended)
		v->is_new[v->of_new[number - 1]] = false;
}

static int
store_new(struct native *v, struct store *s, bool dry, const struct memories_sink *bad,
	struct err *err)
{
	const struct scope who = { .user = v->user };
	struct memories_sink sink = *bad;
	FREED struct memory_item *new = xcalloc(v->memories.n + 1, sizeof(*new));
	struct remember_counts counts = { .refused = 0 };
	size_t n = 0;
	int rc = 0;

	sink.known = put_known;
	sink.arg = v;
	sink.only_judges = dry;
	v->of_new = xcalloc(v->memories.n + 1, sizeof(*v->of_new));
	for (size_t i = 0; i < v->memories.n; i++)
		if (v->is_new[i]) {
			v->of_new[n] = i;
			new[n++] = v->memories.items[i];
		}
	if (n > 0 && s != NULL)
		rc = memories_remember(s, &who, new, n, &sink, &counts, err);
	v->memories.n_bad += counts.refused;
	return rc;
}

int
native_store(struct native *v, struct store *s, bool dry, const struct memories_sink *bad,
	struct err *err)
{
	const struct scope who = { .user = v->user };
	struct edit_want gone = EDIT_NOTHING, back = EDIT_NOTHING;
	int rc = 0;

	gone.valid_to = "now";
	gone.tags = GONE_TAG;
	back.valid_to = "none";
	back.tags = "";
	/* first what is gone, so that what another file still says is not held for known by it */
	if (v->n_ended > 0 && !dry)
		rc = edit_records(s, &who, v->ended, v->n_ended, &gone, NULL, NULL, err);
	if (rc == 0 && v->n_back > 0 && !dry)
		rc = edit_records(s, &who, v->back, v->n_back, &back, NULL, NULL, err);
	if (rc == 0)
		rc = store_new(v, s, dry, bad, err);
	for (size_t k = 0; k < v->n; k++)
		for (size_t i = 0; i < v->files[k].n; i++)
			v->files[k].n_new += v->is_new[v->files[k].from + i];
	return rc;
}

/* ---- whose a file is ---- */

/* Whether the file lies in an agent's home, or a link there leads to it. */
static bool
is_in_home(const char *path)
{
	bool found = false;
	struct stat st;
	bool there = stat(path, &st) == 0;

	for (const struct agent *g = agents(); !found && g->name != NULL; g++) {
		struct places homes = { NULL, 0, 0 }, rules = { NULL, 0, 0 };

		agent_homes(g, &homes);
		agent_memories(g, true, "", &rules);
		for (size_t i = 0; i < homes.n; i++) {
			size_t n = strlen(homes.paths[i]);

			if (strncmp(path, homes.paths[i], n) == 0 && path[n] == '/')
				found = true;
		}
		for (size_t i = 0; there && i < rules.n; i++)
			found |= is_same_file(rules.paths[i], &st);
		places_release(&rules);
		places_release(&homes);
	}
	return found;
}

const char *
native_owner(const char *path, struct arena *a)
{
	const char *real = path;

	if (file_resolve(path, a, &real, NULL) != 0)
		real = path;                   /* nothing will be written */
	if (is_in_home(real))
		return "";
	char *dir = arena_strdup(a, real);
	*strrchr(dir, '/') = '\0';
	LOCAL(buf) root = buf_of(strlen(path) + 2);
	project_of(*dir != '\0' ? dir : "/", &root);
	return arena_strndup(a, root.data, root.len);
}
