/*
 * source_name.c: which file has a session name is stored beside the state of inputs, under a path
 * that no file has:
 *
 *	path "session:a/chat"    device, inode, offset and head_sha256 as of any input,
 *	                         state {"file": "/logs/a/chat.ndjson"}
 *
 * A name without such a row was never given to a file; then no longer name of that file was given
 * either. When all messages of a session are pruned, names in plain text go, too:
 *
 *	path "session#HASH"      HASH is that of the name; the same columns,
 *	                         state {"gone": "HASH of the file's path"}
 *
 * These hashes are the first 32 hexadecimal digits of a SHA-256.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/conf.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "base/zip.h"
#include "ingest/ingest_files.h"
#include "ingest/source_name.h"
#include "json/json.h"

struct source_names {
	struct store *s;
	const struct ingest_options *o;
	struct arena arena;
	/* the absolute path of the file at hand; NULL: no name can be kept for it */
	char *path;
	/* the same, of a member of an archive as if that had been unpacked where it lies */
	struct buf unpacked, other;
	struct buf name, base, key, state;
	struct input_state now;
	bool claimed, is_document;
	struct keyed claims;       /* names given in this run, and to which path, by hash */
};

struct source_names *
source_names_new(struct store *s, const struct ingest_options *o)
{
	struct source_names *n = xcalloc(1, sizeof(*n));
	struct buf *const bufs[] = { &n->name, &n->base, &n->key, &n->state, &n->unpacked,
		&n->other };

	n->s = s;
	n->o = o;
	for (size_t i = 0; i < NELEM(bufs); i++)
		buf_init(bufs[i], conf_caps.output_bytes);
	return n;
}

void
source_names_free(struct source_names *n)
{
	if (n == NULL)
		return;
	arena_release(&n->arena);
	buf_release(&n->name);
	buf_release(&n->base);
	buf_release(&n->key);
	buf_release(&n->state);
	buf_release(&n->unpacked);
	buf_release(&n->other);
	keyed_release(&n->claims);
	free(n->path);
	free(n);
}

static uint64_t
hash_of(const char *s)
{
	return hash64(s, strlen(s), 0);
}

/* The end of a path: the file's name and the last k directories before it. */
static const char *
path_tail(const char *path, unsigned k)
{
	const char *p = strrchr(path, '/');

	while (p > path && k-- > 0)
		do
			p--;
		while (p > path && *p != '/');
	return p + 1;
}

static void
set_key(struct buf *key, const char *name)
{
	buf_reset(key);
	buf_addf(key, "session:%s", name);
}

#define DIGITS 32

static void
set_buried_key(struct buf *key, const char *name)
{
	char hash[DIGITS + 1];

	sha256_digits(name, DIGITS, hash);
	buf_reset(key);
	buf_addf(key, "session#%s", hash);
}

/* Sets out to the path without the ".zip" of an archive that it leads through. */
static void
unpacked_path(const char *path, struct buf *out)
{
	const char *end = file_archive_end(path);

	buf_reset(out);
	buf_add(out, path, end != NULL ? (size_t)(end - path) - 4 : 0);
	buf_adds(out, end != NULL ? end : path);
}

/* Whether the file at hand begins as the one did that had the name. */
static bool
begins_so(const struct source_names *n, const struct input_state *was)
{
	uint8_t head[SHA256_BYTES];

	return was->offset > 0 && file_head_hash(n->path, was->offset, head) == 0 &&
	    memcmp(head, was->head_sha256, sizeof(head)) == 0;
}

/*
 * Whether a file that is gone is the one at hand, which was moved, or packed where it lay. What
 * lies in an archive is the same as what was unpacked from it, wherever that is; of documents,
 * which change, each is its own as long as it is there.
 */
static bool
was_ours(struct source_names *n, const struct input_state *was, const char *file)
{
	size_t dir = (size_t)(path_tail(file, 0) - file);

	if (n->is_document && zip_has(file))
		return false;
	unpacked_path(file, &n->other);
	if (strcmp(n->other.data, n->unpacked.data) == 0)
		return true;
	if (strcmp(n->other.data, file) != 0 || strcmp(n->unpacked.data, n->path) != 0)
		return begins_so(n, was);
	if (access(file, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return false;
	return (was->device == n->now.device && was->inode == n->now.inode) ||
	    (dir == (size_t)(path_tail(n->path, 0) - n->path) && memcmp(file, n->path, dir) == 0) ||
	    begins_so(n, was);
}

enum owner { NOBODY, US, WAS_US, OTHER };

/*
 * Which file had a name of which only the hash is kept. Its path cannot be looked at, so an equal
 * beginning of the file is enough.
 */
static int
buried_owner(struct source_names *n, const char *name, enum owner *out, struct err *err)
{
	struct scope who = { n->o->user, NULL, NULL, NULL };
	const struct input_state *was = NULL;
	const struct json *about;
	char hash[DIGITS + 1];
	const char *gone;

	set_buried_key(&n->key, name);
	if (inputs_get(n->s, &who, n->key.data, &n->arena, &was, err) != 0)
		return -1;
	if (was == NULL ||
	    json_parse(was->state, strlen(was->state), &n->arena, &about, NULL) != 0 ||
	    (gone = json_get_string(about, "gone", NULL)) == NULL)
		return 0;
	sha256_digits(n->path, DIGITS, hash);
	*out = strcmp(gone, hash) == 0 ? US
	    : begins_so(n, was)		       ? WAS_US
					       : OTHER;
	return 0;
}

static int
owner_of(struct source_names *n, const char *name, enum owner *out, struct err *err)
{
	struct scope who = { n->o->user, NULL, NULL, NULL };
	const struct input_state *was = NULL;
	const struct json *about;
	const char *file;
	struct keyed_slot *claim = keyed_at(&n->claims, hash_of(name));

	*out = NOBODY;
	if (claim->counted) {
		*out = claim->value == hash_of(n->path) ? US : OTHER;
		return 0;
	}
	set_key(&n->key, name);
	arena_reset(&n->arena);
	if (n->s == NULL)
		return 0;
	if (inputs_get(n->s, &who, n->key.data, &n->arena, &was, err) != 0)
		return -1;
	if (was == NULL)
		return buried_owner(n, name, out, err);
	if (json_parse(was->state, strlen(was->state), &n->arena, &about, NULL) != 0 ||
	    (file = json_get_string(about, "file", NULL)) == NULL || file[0] != '/')
		return 0;
	*out = strcmp(file, n->path) == 0 ? US : was_ours(n, was, file) ? WAS_US : OTHER;
	return 0;
}

/* Looks at a file; false: no name is kept for it. The number of a member is made of its place. */
static bool
look_at_file(struct source_names *n, const char *path, const char *real)
{
	struct stat st, in_archive;
	bool is_file = stat(path, &st) == 0;

	free(n->path);
	n->path = NULL;
	n->claimed = false;
	if (real == NULL || (is_file ? !S_ISREG(st.st_mode) : !zip_stat(path, &in_archive)))
		return false;
	n->path = xstrdup(real);
	if (is_file) {
		buf_reset(&n->unpacked);
		buf_adds(&n->unpacked, n->path);
		n->now = (struct input_state){ .device = (uint64_t)st.st_dev,
			.inode = (uint64_t)st.st_ino,
			.offset = (uint64_t)st.st_size };
	} else {
		unpacked_path(n->path, &n->unpacked);
		n->now = (struct input_state){ .inode = hash_of(n->path) >> 1,
			.offset = (uint64_t)in_archive.st_size };
	}
	return true;
}

int
source_names_of(struct source_names *n, const char *path, const char *real, bool is_document,
	const char **name, struct err *err)
{
	const char *base = file_base(path, &n->base), *start;
	enum owner owner;
	unsigned k = is_document;

	*name = base;
	if (!look_at_file(n, path, real))
		return 0;
	n->is_document = is_document;
	if (is_document) {
		start = path_tail(n->path, 0);
		buf_reset(&n->base);
		file_text(&n->base, start, strlen(start));
		base = n->base.data;
	}
	do {
		start = path_tail(n->unpacked.data, k++);
		buf_reset(&n->name);
		file_text(&n->name, start, (size_t)(path_tail(n->unpacked.data, 0) - start));
		buf_adds(&n->name, base);
		if (owner_of(n, n->name.data, &owner, err) != 0)
			return -1;
	} while (owner == OTHER && start > n->unpacked.data + 1);
	/* two files in one directory whose names differ only in their endings */
	if (owner == OTHER) {
		buf_reset(&n->name);
		file_text(&n->name, n->path, strlen(n->path));
	}
	n->claimed = owner == US;
	*name = n->name.data;
	return 0;
}

void
source_names_pass(struct source_names *n, const char *real)
{
	n->claimed |= n->path != NULL && (real == NULL || strcmp(real, n->path) != 0);
}

void
source_names_claim(struct source_names *n, struct batch *b)
{
	if (n->claimed || n->path == NULL)
		return;
	n->claimed = true;
	struct keyed_slot *claim = keyed_at(&n->claims, hash_of(n->name.data));
	claim->counted = true;
	claim->value = hash_of(n->path);
	if (n->o->dry_run || file_head_hash(n->path, n->now.offset, n->now.head_sha256) != 0)
		return;
	set_key(&n->key, n->name.data);
	buf_reset(&n->state);
	json_open(&n->state);
	json_str(&n->state, "file", n->path);
	json_close(&n->state);
	n->now.path = n->key.data;
	n->now.state = n->state.data;
	batch_read(b, &n->now);
}

/* ---- what is left when all is gone ---- */

/* Replaces the row of a name by one of hashes. */
static int
bury_name(struct store *s, const struct scope *who, const char *name, struct arena *a,
	struct buf *key, struct err *err)
{
	const struct input_state *was;
	const struct json *about;
	const char *file;
	char hash[DIGITS + 1];

	set_key(key, name);
	if (inputs_get(s, who, key->data, a, &was, err) != 0)
		return -1;
	if (was == NULL)
		return 0;
	if (inputs_drop(s, who, key->data, err) != 0)
		return -1;
	if (json_parse(was->state, strlen(was->state), a, &about, NULL) != 0 ||
	    (file = json_get_string(about, "file", NULL)) == NULL)
		return 0;
	sha256_digits(file, DIGITS, hash);
	set_buried_key(key, name);
	struct input_state now = *was;
	now.path = key->data;
	now.state = arena_printf(a, "{\"gone\":\"%s\"}", hash);
	return inputs_put(s, who, &now, err);
}

int
source_names_bury(struct store *s, const struct scope *who, const char *session, struct err *err)
{
	LOCAL(arena) a = ARENA_INIT;
	int rc = 0;
	LOCAL(buf) key = buf_of(conf_caps.output_bytes);

	/* "chat:2:3" may be part 3 of "chat:2", or a part of "chat" */
	for (size_t len = strlen(session); len > 0 && rc == 0; ) {
		const char *name = arena_strndup(&a, session, len);
		bool any;

		rc = sessions_called(s, who, name, &any, err);
		if (rc == 0 && !any)
			rc = bury_name(s, who, name, &a, &key, err);
		while (len > 0 && session[--len] != ':')
			continue;
	}
	return rc;
}
