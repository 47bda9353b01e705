/*
 * forget_scan.c: the bytes of the files, where a word may be left that no row owns.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "facts/forget_parts.h"

#define SCAN_LEAST 6       /* bytes of a word: shorter ones come by chance */
#define HEADS (1u << 16)

/* Words by a hash of their first four bytes, vectors by one of their keys. */
struct heads {
	struct forget_word **first[HEADS];
	uint32_t n[HEADS];
	const struct forget_vector *vectors;           /* [n_vectors], by key */
	size_t n_vectors;
	uint64_t keys[HEADS / 64];                     /* a bit for each that a vector has */
	bool told_vector, told_page;
	forget_left_fn *fn;
	void *arg;
};

static uint32_t
head_of(const unsigned char *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 8 | (unsigned char)ascii_lower((char)p[i]);
	return (uint32_t)(hash64_mix(v) & (HEADS - 1));
}

static bool
is_word_byte(unsigned char c)
{
	return c < 0x80 && ascii_is_alnum((char)c);
}

static bool
word_is_at(const struct forget_word *w, const unsigned char *bytes, size_t n, size_t at)
{
	if (n - at < w->len || (at > 0 && is_word_byte(bytes[at - 1])) ||
	    (at + w->len < n && is_word_byte(bytes[at + w->len])))
		return false;
	for (size_t i = 0; i < w->len; i++)
		if (ascii_lower((char)bytes[at + i]) != w->text[i])
			return false;
	return true;
}

static uint32_t
head_of_key(uint64_t key)
{
	return (uint32_t)(hash64_mix(key) & (HEADS - 1));
}

static int
by_key(const void *x, const void *y)
{
	const uint64_t key = *(const uint64_t *)x;
	const struct forget_vector *v = y;

	return (key > v->key) - (key < v->key);
}

/* A vector that begins at p, with left bytes: of one key there are some, of each model and sort. */
static const struct forget_vector *
vector_at(const struct heads *h, const unsigned char *p, size_t left)
{
	const struct forget_vector *v, *end = h->vectors + h->n_vectors;
	uint64_t key = 0;
	uint32_t head;

	for (int i = 7; i >= 0; i--)
		key = key << 8 | p[i];
	head = head_of_key(key);
	if ((h->keys[head / 64] >> (head & 63) & 1) == 0 ||
	    (v = bsearch(&key, h->vectors, h->n_vectors, sizeof(*v), by_key)) == NULL)
		return NULL;
	while (v > h->vectors && v[-1].key == key)
		v--;
	for (; v < end && v->key == key; v++)
		if (left >= 8 + (size_t)v->len && hash64(p + 8, v->len, 0) == v->hash)
			return v;
	return NULL;
}

static void
scan_vectors(struct heads *h, const unsigned char *bytes, size_t n, const char *name)
{
	char where[400];

	for (size_t at = 0; at + 8 <= n && h->n_vectors > 0 && !h->told_vector; at++) {
		if (vector_at(h, bytes + at, n - at) == NULL)
			continue;
		snprintf(where, sizeof(where), "file %.300s, byte %zu", name, at);
		h->told_vector = true;
		h->fn(h->arg, "a vector", where);
	}
}

static void
put_free_page(void *arg, int64_t at)
{
	struct heads *h = arg;
	char where[64];

	if (h->told_page)
		return;
	snprintf(where, sizeof(where), "page at byte %lld", (long long)at);
	h->told_page = true;
	h->fn(h->arg, "a free page that is not empty", where);
}

static void
scan_bytes(const struct heads *h, const unsigned char *bytes, size_t n,
	const char *name)
{
	for (size_t at = 0; at + SCAN_LEAST <= n; at++) {
		uint32_t head = head_of(bytes + at);

		for (uint32_t i = 0; i < h->n[head]; i++) {
			struct forget_word *w = h->first[head][i];
			char where[400];

			if (w->told || !word_is_at(w, bytes, n, at))
				continue;
			snprintf(where, sizeof(where), "file %.300s, byte %zu", name, at);
			forget_word_tell(w, where, h->fn, h->arg);
		}
	}
}

static int
scan_file(struct heads *h, const char *path, struct err *err)
{
	/* it may be a pipe, or a socket (ENXIO) */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;
	struct stat st;
	void *bytes;

	if (fd < 0 && (errno == ENOENT || errno == ENXIO))
		return 0;
	if (fd < 0)
		return err_set_errno(err, ERR_IO, "cannot read '%s'", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes == MAP_FAILED) {
			rc = err_set_errno(err, ERR_IO, "cannot read '%s'", path);
		} else {
			scan_bytes(h, bytes, (size_t)st.st_size, path);
			scan_vectors(h, bytes, (size_t)st.st_size, path);
			munmap(bytes, (size_t)st.st_size);
		}
	}
	close(fd);
	return rc;
}

static struct heads *
heads_of(const struct forget *f, forget_left_fn *fn, void *arg)
{
	const struct forget_words *w = &f->words;
	struct heads *h = xcalloc(1, sizeof(*h));

	h->fn = fn;
	h->arg = arg;
	for (size_t i = 0; i < w->cap; i++) {
		struct forget_word *e = &w->items[i];
		uint32_t head;

		if (e->text == NULL || e->stays || e->is_term || e->len < SCAN_LEAST)
			continue;
		head = head_of((const unsigned char *)e->text);
		h->first[head] =
		    xreallocarray(h->first[head], h->n[head] + 1, sizeof(**h->first));
		h->first[head][h->n[head]++] = e;
	}
	h->vectors = f->vectors;
	h->n_vectors = f->n_vectors;
	for (size_t i = 0; i < f->n_vectors; i++) {
		uint32_t head = head_of_key(f->vectors[i].key);

		h->keys[head / 64] |= (uint64_t)1 << (head & 63);
	}
	return h;
}

/* The store's file, and all beside it whose names begin with its name: log, copies, backups. */
int
forget_scan(const char *path, struct forget *f, forget_left_fn *fn, void *arg, struct err *err)
{
	struct heads *h = heads_of(f, fn, arg);
	const char *base = strrchr(path, '/');
	struct arena a = ARENA_INIT;
	const char *dir = base != NULL ? arena_strndup(&a, path, (size_t)(base - path) + 1) : "./";
	struct dirent *e;
	DIR *d = opendir(dir);
	int rc = 0;

	base = base != NULL ? base + 1 : path;
	if (d == NULL)
		rc = err_set_errno(err, ERR_IO, "cannot read '%s'", dir);
	while (rc == 0 && d != NULL && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, base, strlen(base)) == 0)
			rc = scan_file(h, arena_printf(&a, "%s%s", dir, e->d_name), err);
	if (d != NULL)
		closedir(d);
	if (rc == 0)
		rc = store_free_pages_left(path, put_free_page, h, err);
	for (size_t i = 0; i < HEADS; i++)
		free(h->first[i]);
	free(h);
	arena_release(&a);
	return rc;
}
